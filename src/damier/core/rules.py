"""The rules that an engine may use, by name. An engine imports them as if they were its own:

    from damier.core.rules import moves, over, play

and `compile.instantiate` binds them to those of one game. The functions here say what each rule
takes, answers and means; `damier.core.hooks` adds to each what stands in for it where a game leaves
it out, so that no engine ever asks whether a rule is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, Final, Generic, NamedTuple, NoReturn, Protocol, Self, TypeAlias, TypeVar

from damier.core.arrays import Ints

Field: TypeAlias = "int | tuple[int, ...]"
"""What a state is made of: ints of any width, not negative, or tuples of such ints, of fixed length."""
Moves: TypeAlias = "int | list[int]"
"""Some moves of a position: a set in one int, or a list (`core/moves.py`)."""


class Key(Protocol):
    """A state as one int below 2**62 or, where it needs more bits, as a tuple of such words: whoever
    holds one can compare it with others of its game, and look it up.
    """

    def __lt__(self, other: Self, /) -> bool: ...

    def __hash__(self) -> int: ...


class State(Protocol):
    """A NamedTuple of ints, not negative, or of fixed-length tuples of such ints.

    Each game has a NamedTuple of its own. Whoever holds a `Game` and not its file knows its states
    as this: values to be handed from rule to rule.
    """

    @property
    def _fields(self) -> tuple[str, ...]: ...

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Field]: ...

    def __hash__(self) -> int: ...

    # a Field: which of its two kinds is known by the game's bits, not by a type
    def __getitem__(self, field: int, /) -> Any: ...


S = TypeVar("S", bound=State)
T = TypeVar("T")


class Past(NamedTuple, Generic[S]):
    """Positions `S` before the one at hand; engines get its columns as a plain tuple."""

    codes: Ints
    begins: Ints
    noted: Ints


AnyPast: TypeAlias = Past[State]

Rule: TypeAlias = Callable[..., Any]
"""A rule in a table of them all: each has a signature of its own, which its function below says."""

ONGOING: Final = 1 << 40
"""What `outcome` answers while a game is not over."""

NOT_ZERO_SUM: Final = ONGOING + 1
"""The outcome of a game of two players that both win, or both lose: no engine for zero-sum games
takes it for one.
"""

CHANCE: Final = -1
"""What `mover` answers at a chance node: a die, a deal of cards."""


def moves(s: State) -> Moves:
    """The legal moves, as a set: one bit a move, at least one. Or `moves(s, found)`, which appends
    them to a list: each an int above 0 and below 2**62.

    Asked only while the game is not over.
    """
    unbound("moves")


def play(s: State, move: int) -> State:
    """The state after `move`, one of `moves(s)`."""
    unbound("play")


def outcome(s: State) -> int:
    """`ONGOING`, or what the end is worth to the player to move. For zero-sum games of two players."""
    unbound("outcome")


def over(s: State) -> bool:
    """Return whether the game has ended."""
    unbound("over")


def payoff(s: State, player: int) -> int:
    """Return what a game that is over is worth to `player`, counted from 0."""
    unbound("payoff")


def mover(s: State) -> int:
    """Return whose turn it is, from 0; `CHANCE` at a chance node: a die, a deal of cards."""
    unbound("mover")


def chance(s: State, move: int) -> float:
    """The weight of `move` where `mover(s)` is `CHANCE`; weights need not sum to 1."""
    unbound("chance")


def reward(s: State, move: int) -> int:
    """Return what `move` gains its mover at once, in the game's own units (pawns captured, points)."""
    unbound("reward")


def ply(s: State) -> int:
    """A number that every move raises by exactly 1."""
    unbound("ply")


def plies_left(s: State) -> int:
    """Return how many plies are still to come, about or at most; 0 where nobody knows. An exact search
    takes more care with the order of moves where there are many, and less of everything where there are
    few.
    """
    unbound("plies_left")


def key(s: State) -> Key:
    """The state as one int below 2**62, or as a tuple of them; different states have different keys."""
    unbound("key")


def unkey(k: Key) -> State:
    """The state whose key is `k`."""
    unbound("unkey")


def as_state(fields: tuple[Field, ...]) -> State:
    """The state of these fields: what crosses from Python into a compiled engine is a plain tuple."""
    unbound("as_state")


def symmetries() -> int:
    """Return how many symmetries the game has, the identity included."""
    unbound("symmetries")


def most_moves() -> int:
    """The most moves that a position can have."""
    unbound("most_moves")


def turn(s: State, symmetry: int) -> State:
    """`s` as seen under a symmetry, by its number; symmetry 0 is the identity."""
    unbound("turn")


def turn_move(move: int, symmetry: int) -> int:
    """The move of `turn(s, symmetry)` that corresponds to `move` in `s`."""
    unbound("turn_move")


def canonical(s: State) -> State:
    """The canonical state up to the mover: the one state that stands for `s` whoever is to move.

    Equal ones have the same moves, and the same follows from them.
    """
    unbound("canonical")


def seen_as(s: State) -> State:
    """The state as which a search counts `s` where it tells how many different ones it looked at."""
    unbound("seen_as")


def move_score(s: State, move: int) -> int:
    """Return how promising `move` looks to its mover: a search that orders its moves tries the largest
    first.
    """
    unbound("move_score")


def non_losing_moves(s: State) -> Moves:
    """The legal moves without some, or all, of those after which the opponent wins with the very
    next move: no move that is left out is worth more than `loss_in(2)`. Where none is left,
    every move loses so.
    """
    unbound("non_losing_moves")


def bounds(s: State) -> tuple[int, int]:
    """The least and the most that `s`, which is not over, can be worth to its mover: two scores, as
    `win_in` and `loss_in` make them.
    """
    unbound("bounds")


def with_past(s: State, past: AnyPast) -> State:
    """`s` as the positions before it make it: drawn, or with moves that are forbidden. Where there are
    none it is `s` itself.
    """
    unbound("with_past")


def irreversible(s: State, move: int) -> bool:
    """Return whether after `move` neither `s` nor any position before it can come back."""
    unbound("irreversible")


def noisy_moves(s: State) -> Moves:
    """The legal moves that settle something at once: captures, promotions. A search follows them where it
    would stop (quiescence), and leaves out those that only lose. Not asked where `s` is threatened.
    """
    unbound("noisy_moves")


def null_move(s: State) -> State:
    """The state after a pass, which the rules may not allow: the same board, the other to move. `s` itself
    where to pass may be better than any move (zugzwang).
    """
    unbound("null_move")


def threatened(s: State) -> bool:
    """Return whether the mover has to answer something now: check, or a capture that must be made. There a
    search looks deeper, and takes no evaluation for an answer. Asked also of a state that is over.
    """
    unbound("threatened")


def planes(s: State, player: int) -> tuple[int, ...]:
    """Return what `player` sees of `s`, whoever is to move: sets of cells, its own first. `plane_layout` says
    what each holds, and where its cells lie.
    """
    unbound("planes")


def action(s: State, move: int) -> int:
    """The number of `move`, from 0 and below `actions`; different moves of `s` have different ones."""
    unbound("action")


def unbound(rule: str) -> NoReturn:
    raise TypeError(f"{rule} belongs to no game yet: give this function to damier.core.compile.instantiate")


NAMES: Final = [
    name
    for name, value in list(vars().items())
    if isinstance(value, FunctionType) and value.__module__ == __name__ and value is not unbound
]
"""All of them."""


# A score says who wins and how soon: the sooner win and the later loss are the larger score, so
# that best play is the largest one.
#
#     win_in(n)    +TOP - n        0    a draw        loss_in(n)    n - TOP
#
# >>> win_in(1) > win_in(3) > 0 > loss_in(4) > loss_in(2)
# True

TOP: Final = 32767
"""A win that is there: no plies are left to it."""


def win_in(plies: int) -> int:
    """The score of a win after so many plies."""
    return TOP - plies


def loss_in(plies: int) -> int:
    """The score of a loss after so many plies."""
    return plies - TOP


def later(score: int) -> int:
    """A score of the next position, as seen one ply before it."""
    if score > 0:
        return score - 1
    return score + 1 if score < 0 else 0


def as_it_is(value: T) -> T:
    """Return a value unchanged: what engines bind in the place of `later` and `sooner` where scores are
    payoffs, which are worth as much however far they are.
    """
    return value


def sooner(score: int) -> int:
    """Return what the next position must be worth at least, for this position to be worth `score` at
    least.

    >>> [later(sooner(score)) == score for score in (win_in(7), 0, loss_in(7))]
    [True, True, True]
    """
    if score > 0:
        return score + 1
    return score - 1 if score < 0 else 0
