"""Players, which choose the moves.

A Player chooses; a Policy is a player that can say how likely it is to choose each move.

A player that brings a `kernel` can sit in the compiled loop; any other plays in its pure twin. A
player that learns brings one for both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Literal,
    NamedTuple,
    Protocol,
    TypeAlias,
    TypeVar,
    runtime_checkable,
)

from damier.core.arrays import FloatArray, Floats, IntArray
from damier.core.bits import Rng, random_unit
from damier.core.game import Game, Position
from damier.core.moves import count_moves, each, first_move, holds, last_move, random_move
from damier.core.past import past_of
from damier.core.rules import CHANCE, AnyPast, Moves, State, chance, mover, moves

if TYPE_CHECKING:
    from damier.core.compile import Bindings

Arrays: TypeAlias = tuple[Any, ...]
"""What the functions of a kernel read and write: arrays, or what stands for them in plain Python.

Each kernel has its own.
"""

A = TypeVar("A", bound=Arrays)
Choose: TypeAlias = Callable[[State, Arrays, Rng], int]
ActionProbabilities: TypeAlias = Callable[[State, Arrays, Floats], None]


def begin_nothing(arrays: Arrays, plies: int) -> bool:
    return True


def ignore_reward(reward: int, player: int, arrays: Arrays) -> None:
    return None


def learn_nothing(payoff: int, player: int, arrays: Arrays) -> None:
    return None


def grow_nothing(plies: int) -> None:
    return None


class Kernel(NamedTuple, Generic[A]):
    """A player as the loop sees it: plain functions, and the arrays `A` that they read and write.

    Attributes:
        choose: of `state, arrays, rng`: the move; 0 to resign
        action_probabilities: of `state, arrays, weights`: writes how likely each legal move is, in the
            order of `moves`; None for a player that is no policy
        arrays: what these functions read and write
        begin: of `arrays, plies`, for players that learn, as all below: before a game of so many plies at
            most; False where the arrays have no room for what may be learnt
        observe_reward: of `reward, player, arrays`: a move gained this player `reward` (negative: its
            opponent's did); `player` is who moved
        learn: of `payoff, player, arrays`: the game is over, with this payoff to this player, who sat at
            `player`
        bind: what its functions need bound in plain Python
        grow: makes room for a game of so many plies; called from Python
    """

    choose: Callable[[State, A, Rng], int]
    action_probabilities: Callable[[State, A, Floats], None] | None
    arrays: A
    begin: Callable[[A, int], bool] = begin_nothing
    observe_reward: Callable[[int, int, A], None] = ignore_reward
    learn: Callable[[int, int, A], None] = learn_nothing
    bind: Bindings = {}  # noqa: RUF012
    grow: Callable[[int], None] = grow_nothing


AnyKernel: TypeAlias = Kernel[Any]
"""A kernel, whatever its arrays are."""


class Player(Protocol):
    """Chooses one of the legal moves of a state in which it is to move."""

    @property
    def text(self) -> str:
        """As it is written on the command line."""
        ...

    @property
    def compiles(self) -> bool:
        """Return whether it can sit in the compiled loop."""
        ...

    @property
    def learns(self) -> bool:
        """Return whether it learns from the games that it plays."""
        ...

    def choose(self, game: Game, s: State, rng: Rng) -> int: ...

    def kernel(self, *, jit: bool) -> AnyKernel | None:
        """Return the functions with which it plays in the loop, compiled or plain; None where only `choose`
        can tell.
        """
        ...


@runtime_checkable
class CountsFaults(Protocol):
    """A player that is given up after too many faults, so that its games are not apart from each other
    once it has any.
    """

    def played_elsewhere(self, games: int) -> None:
        """Takes note of games, without a fault, that were not asked of this object."""


@runtime_checkable
class FollowsLine(Protocol):
    """A player that looks at the positions before the one at hand too, where they matter."""

    def follow(self, past: AnyPast | None) -> None:
        """From here on moves are chosen at the end of the line that `past` holds, in plain Python, while
        it grows; None: of no line.
        """
        ...


def follow(player: Player, position: Position) -> None:
    """Lets a player that looks at the past know that of a position."""
    if isinstance(player, FollowsLine):
        player.follow(past_of(position.game, position.before) if position.before else None)


@runtime_checkable
class Policy(Player, Protocol):
    """A player that can be graded exactly."""

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        """Return how likely each legal move is; what is missing to 1 resigns."""
        ...


@runtime_checkable
class BatchPolicy(Policy, Protocol):
    """A policy that is asked about many positions at once."""

    def batch_probabilities(self, codes: IntArray, first: IntArray, moves: IntArray) -> FloatArray:
        """Return how likely each move of many positions is.

        Args:
            codes: [positions, words] the positions, by their keys
            first: [positions + 1] the number of the first move of each; of those that are over and of chance
                nodes too
            moves: [moves] the moves
        """
        ...


class Remembered(Protocol):
    """Knowledge that a learner has learnt so far."""

    def __len__(self) -> int: ...

    @property
    def bytes(self) -> int:
        """Memory that it takes, where that can be told."""
        ...

    @property
    def epsilon(self) -> float:
        """Return how often it explores."""
        ...

    def break_off(self) -> None:
        """Forgets the decisions of a game that was broken off."""
        ...


@runtime_checkable
class Learner(Player, Protocol):
    """A player that learns from its games, or has."""

    @property
    def memory(self) -> Remembered: ...


class AskedPlayer:
    """Base of players that only `choose` can tell of: they sit in no compiled loop, and learn nothing."""

    compiles, learns = False, False

    def kernel(self, *, jit: bool) -> AnyKernel | None:
        return None


class RandomPlayer:
    """Every legal move is as likely (rows A-11, A-75)."""

    text = "random"
    compiles, learns = True, False

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return random_move(rng, game.moves(s))

    def kernel(self, *, jit: bool) -> Kernel[tuple[()]] | None:
        return Kernel(choose_at_random, even_probabilities, ()) if jit else None

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        legal = game.moves(s)
        return {move: 1 / count_moves(legal) for move in each(legal)}


def choose_at_random(s: State, arrays: tuple[()], rng: Rng) -> int:
    """The kernel of RandomPlayer."""
    return random_move(rng, moves(s))


def even_probabilities(s: State, arrays: tuple[()], weights: Floats) -> None:
    """Weigh the moves as RandomPlayer does."""
    legal = moves(s)
    number = count_moves(legal)
    for index in range(number):
        weights[index] = 1.0 / number


# Which of several equally good moves is taken: the first, the last, or any of them.

Ties: TypeAlias = Literal["first", "last", "random"]

FIRST, LAST, RANDOM = 0, 1, 2
TIES: dict[Ties, int] = {"first": FIRST, "last": LAST, "random": RANDOM}


def chosen(equals: Moves, ties: int, rng: Rng) -> int:
    """One of some equally good moves."""
    if ties == FIRST:
        return first_move(equals)
    return random_move(rng, equals) if ties == RANDOM else last_move(equals)


def share_of(move: int, equals: Moves, ties: int) -> float:
    """Return how likely `chosen` is to take `move`."""
    if ties == RANDOM:
        return 1.0 / count_moves(equals) if holds(equals, move) else 0.0
    return 1.0 if move == (first_move(equals) if ties == FIRST else last_move(equals)) else 0.0


# Draws that follow weights.


def sample_chance(s: State, legal: Moves, rng: Rng) -> int:
    """One of the moves of a chance node, each as often as it weighs there: one random number, and
    the moves from the first on.
    """
    total = 0.0
    for move in each(legal):
        total += chance(s, move)
    left = random_unit(rng) * total
    drawn = first_move(legal)
    for move in each(legal):
        drawn = move
        left -= chance(s, move)
        if left < 0:
            break
    return drawn


def drawn_move(s: State, legal: Moves, rng: Rng) -> int:
    """A move of a random game: a die falls as its sides weigh, of other moves each is as likely."""
    return sample_chance(s, legal, rng) if mover(s) == CHANCE else random_move(rng, legal)


def sample_move(probabilities: dict[int, float], rng: Rng) -> int:
    """One of some moves, by its probability."""
    left = random_unit(rng)
    for move, probability in probabilities.items():
        left -= probability
        if left < 0:
            return move
    return move
