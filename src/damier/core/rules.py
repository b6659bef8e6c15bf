"""The rules that an engine may use, by name. An engine imports them as if they were its own:

    from damier.core.rules import moves, over, play

and `compile.instantiate` binds them to those of one game. The functions here only say what each rule means; `Game` fills in the ones that
a game leaves out, so that no engine ever asks whether a rule is there.
"""

from __future__ import annotations

from typing import Any, Final, NoReturn, TypeAlias

State: TypeAlias = Any
"""A NamedTuple of ints below 2**62, or of fixed-length tuples of such ints."""

ONGOING: Final = 1 << 40
"""What `outcome` answers while a game is not over."""

CHANCE: Final = -1
"""What `mover` answers where a die is thrown."""


def moves(s: State) -> int:
    """The legal moves in `s`, as a set: one bit a move. At least one where the game is not over."""
    unbound("moves")


def play(s: State, move: int) -> State:
    """The state after `move`, one bit out of `moves(s)`."""
    unbound("play")


def outcome(s: State) -> int:
    """ONGOING, or the payoff of the player to move (games of two players whose payoffs are opposed)."""
    unbound("outcome")


def over(s: State) -> bool:
    """Whether the game has ended."""
    unbound("over")


def payoff(s: State, player: int) -> int:
    """What a finished game is worth to `player`, counted from 0."""
    unbound("payoff")


def mover(s: State) -> int:
    """Whose turn it is, from 0; CHANCE where a die is thrown."""
    unbound("mover")


def chance(s: State, move: int) -> float:
    """The weight of `move` where `mover(s)` is CHANCE."""
    unbound("chance")


def reward(s: State, move: int) -> int:
    """What `move` gains its mover at once, in the game's own units (pawns captured, points)."""
    unbound("reward")


def ply(s: State) -> int:
    """A number that every move raises by exactly 1."""
    unbound("ply")


def key(s: State) -> int:
    """The state as one int below 2**62; different states have different keys."""
    unbound("key")


def unkey(k: int) -> State:
    """The state whose key is `k`."""
    unbound("unkey")


def as_state(fields: tuple[Any, ...]) -> State:
    """The state of these fields: what crosses from Python into a compiled engine is a plain tuple."""
    unbound("as_state")


def symmetries() -> int:
    """How many symmetries the game has, the identity included."""
    unbound("symmetries")


def turn(s: State, symmetry: int) -> State:
    """`s` as seen under a symmetry; symmetry 0 is the identity."""
    unbound("turn")


def turn_move(move: int, symmetry: int) -> int:
    """The move of `turn(s, symmetry)` that corresponds to `move` in `s`."""
    unbound("turn_move")


def view(s: State) -> State:
    """The state that stands for `s` whoever is to move: equal views have the same moves, and the same follows from them."""
    unbound("view")


def seen_as(s: State) -> State:
    """The state as which a search counts `s` where it tells how many different ones it looked at."""
    unbound("seen_as")


def move_score(s: State, move: int) -> int:
    """How promising `move` looks to its mover: a search that orders its moves tries the largest first."""
    unbound("move_score")


def candidates(s: State) -> int:
    """The moves of `s` without some, or all, of those after which the opponent wins at once, with the move that follows: no move that is left out
    is worth more than `score.loss_in(2)`. Where none is left, every move loses so."""
    unbound("candidates")


def bounds(s: State) -> tuple[int, int]:
    """The least and the most that `s`, which is not over, can be worth to its mover: scores as `score.win_in` and `score.loss_in` make them."""
    unbound("bounds")


def unbound(rule: str) -> NoReturn:
    raise TypeError(f"{rule} belongs to no game yet: give this function to damier.core.compile.instantiate")


NAMES: Final = [
    "moves",
    "play",
    "outcome",
    "over",
    "payoff",
    "mover",
    "chance",
    "reward",
    "ply",
    "key",
    "unkey",
    "as_state",
    "symmetries",
    "turn",
    "turn_move",
    "view",
    "seen_as",
    "move_score",
    "candidates",
    "bounds",
]
