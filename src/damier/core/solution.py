"""Exact knowledge of every position of a game.

A score says who wins and how soon, from the side of player 0, so that nothing depends on turns
alternating:

    top - d    player 0 wins in d plies        0    nobody can force an end, or a draw       d - top
               player 0 loses in d plies

where `top` is the largest value of the array's type: best play is simply the largest score (player
0) or the smallest (player 1), since the sooner win and the later loss are the better score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, Protocol, TypeAlias, TypeVar

from damier.core.analysis import plain_number
from damier.core.arrays import FloatArray, IntArray, SmallIntArray, np
from damier.core.display import Displayed
from damier.core.errors import BadInput
from damier.core.game import Game
from damier.core.open_addressing import array_of, code_of, comparable, sought
from damier.core.rules import CHANCE, TOP, Key, Moves, State
from damier.core.words import N_, _, decimal, message, percent

if TYPE_CHECKING:
    from damier.core.tree import Number

Value: TypeAlias = Literal["win", "draw", "loss"]
SIGNED: dict[Value, str] = {"win": "+1", "draw": "0", "loss": "−1"}
PAYOFFS: dict[Value, int] = {"win": 1, "draw": 0, "loss": -1}
"""Values as payoffs, written and as numbers."""
OPPOSITE: dict[Value, Value] = {"win": "loss", "draw": "draw", "loss": "win"}
"""Values to the other player."""


N = TypeVar("N", bound=float, covariant=True)
"""A score: a whole number, or an expected payoff."""


@dataclass(frozen=True)
class ScoredPositions(Displayed, Generic[N]):
    """The score of every position that can follow `start`, from the side of player 0.

    Attributes:
        method: how it was found: see damier.solve.dispatch
        cyclic: whether a position can come back
    """

    game: Game
    start: State
    table: ScoreStore[N] = field(repr=False)  # as long as the game has positions
    method: str
    cyclic: bool

    def __len__(self) -> int:
        return len(self.table)

    def score(self, s: State) -> N:
        """The score of `s`. Raises BadInput for a position that cannot follow `start`."""
        try:
            return self.table.score(s)
        except (KeyError, AttributeError) as error:
            if getattr(s, "_fields", None) != getattr(self.start, "_fields", None):
                sentence = message(
                    "{found} is no state of {game}; give a {kind}, as position.state is one",
                    found=repr(s),
                    game=self.game.text,
                    kind=type(self.start).__name__,
                )
            elif isinstance(error, KeyError):
                sentence = message("{state} cannot come up in {game}", state=repr(s), game=self.game.text)
            else:
                raise
            raise BadInput(sentence) from None

    def key_table(self) -> KeyTable[N]:
        """All keys and scores as arrays."""
        return self.table.key_table(self.game)

    def scores_of_moves(self, s: State) -> dict[int, N]:
        """Return what each legal move leads to, from the side of the player to move at `s`."""
        legal, ours = self.legal(s), side(self.game, s)
        found: dict[int, Any] = {move: ours * self.score(self.game.play(s, move)) for move in legal}
        return found

    def legal(self, s: State) -> list[int]:
        """The legal moves of `s`. Raises BadInput for what is no state of the game."""
        try:
            return self.game.legal(s)
        except AttributeError:
            self.score(s)  # says what it is
            raise


@dataclass(frozen=True)
class Solution(ScoredPositions[int]):
    """The exact value of every position that can follow `start`."""

    seconds: float = 0.0

    def probe(self, keys: IntArray) -> tuple[SmallIntArray, SmallIntArray]:
        """Many positions at once, by their keys (`game.key(state)`), int64 of any length; keys of
        several words in an array [positions, words].

        Returns their values from the side of player 0, int8: 1, 0 or -1; and their distances in
        plies, int32: -1 where nobody can force an end. Raises BadInput if a key is not that of a
        position of this solution.
        """
        wrong = N_("{key} is not the key of a position of {game}")
        array = np.asarray(keys)
        if array.size and array.dtype.kind not in "iu":  # of a large key a float has not all digits
            raise BadInput(message(wrong, key=array.flat[0], game=self.game.text))
        try:
            scores = self.table.searchable(self.game).scores_of(array.astype(np.int64, copy=False))
        except KeyError as error:
            raise BadInput(message(wrong, key=error, game=self.game.text)) from None
        scores = scores.astype(np.int64)
        return np.sign(scores).astype(np.int8), np.where(
            scores == 0, -1, self.table.top - np.abs(scores)
        ).astype(np.int32)

    def value(self, s: State) -> Value:
        """Return what `s` is worth to the player to move."""
        return value_of_score(self.score(s) * side(self.game, s))

    def distance(self, s: State) -> int | None:
        """Plies to the end if the winner hurries and the loser delays; None for a draw that is not
        over.
        """
        return distance_of(self.game, s, self.score(s), self.table.top)

    def best_moves(self, s: State) -> Moves:
        """The moves that keep the value of `s`, as a set, or a list where the game lists its moves."""
        value = self.value(s)
        scores = self.scores_of_moves(s)
        return self.game.gathered(move for move, score in scores.items() if value_of_score(score) == value)

    def fastest_moves(self, s: State) -> Moves:
        """Those of the best moves that win soonest, or lose latest."""
        scores = self.scores_of_moves(s)
        best = max(scores.values(), default=0)
        return self.game.gathered(move for move, score in scores.items() if score == best)

    def explain(self, s: State) -> dict[int, tuple[Value, int | None]]:
        """The value and the distance, in plies from `s`, that each legal move leads to, for the
        player to move at `s`.
        """
        explained: dict[int, tuple[Value, int | None]] = {}
        legal, ours = self.legal(s), side(self.game, s)
        for move in legal:
            child = self.game.play(s, move)
            distance = self.distance(child)
            value = value_of_score(ours * self.score(child))
            explained[move] = (value, None if distance is None else distance + 1)
        return explained


def side(game: Game, s: State) -> int:
    """+1 where player 0 moves or a die is thrown, -1 where player 1 does."""
    return 1 if game.mover(s) in (0, CHANCE) else -1


def value_of_score(score: int) -> Value:
    """The word for a score, or for a payoff."""
    return "win" if score > 0 else "loss" if score < 0 else "draw"


def distance_of(game: Game, s: State, score: int, top: int) -> int | None:
    """Plies to the end of a game of this score; None for a draw that is not over."""
    if score == 0:
        return 0 if game.over(s) else None
    return top - abs(score)


# What is known of many positions: a score for each, from the side of player 0. What a score says is
# told where it is used: a win and its distance, or a payoff.

Scores: TypeAlias = "SmallIntArray | FloatArray"
STATE_TOP: Final = TOP
SCORE_TYPE, DISTANT_SCORE_TYPE, PAYOFF_TYPE, EXPECTED_TYPE = "int16", "int32", "int64", "float64"
"""The types of scores by wins and losses; where a win may be far; of whole payoffs; of expected ones."""
TOPS = {1: 127, 2: STATE_TOP, 4: 2**31 - 1}
"""The score of a win in 0 plies, by the bytes of a score."""
SCORES = {"|i1": TOPS[1], "<i2": TOPS[2], "<i4": TOPS[4]}
"""The same by the type of a score, as a file names it."""


def dtype_for(layers: int) -> str:
    """The smallest type of the scores of so many layers: a win in 0 plies is its top, the farthest 1."""
    return next(f"int{8 * size}" for size, top in TOPS.items() if layers <= top)


class KeySearch(Protocol):
    """Scores by key."""

    def scores_of(self, keys: IntArray) -> Scores:
        """The scores of an array of keys.

        Raises KeyError, with the first key that it does not hold.
        """
        ...


class ScoreStore(Protocol[N]):
    """Scores by state."""

    @property
    def top(self) -> int:
        """The score of a win in 0 plies, of scores by wins and losses."""
        ...

    def key_table(self, game: Game) -> KeyTable[N]:
        """Return the table as arrays."""
        ...

    def searchable(self, game: Game) -> KeySearch:
        """Return the table, made to look many keys up in."""
        ...

    def __len__(self) -> int: ...

    def score(self, s: State) -> N:
        """Raises KeyError for a state that it does not hold."""
        ...


@dataclass
class StateTable(Generic[N]):
    """Scores in a dictionary of states, as plain Python finds them; `dtype` is theirs in arrays."""

    scores: Mapping[State, N]
    dtype: str = SCORE_TYPE

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def top(self) -> int:
        return STATE_TOP if self.dtype == SCORE_TYPE else TOPS[4]

    def score(self, s: State) -> N:
        return self.scores[s]

    def searchable(self, game: Game) -> KeySearch:
        return self.key_table(game)

    def key_table(self, game: Game) -> KeyTable[N]:
        by_key = sorted((game.key(s), score) for s, score in self.scores.items())
        keys = array_of((k for k, _score in by_key), game.key_words)
        return KeyTable(game, keys, np.array([score for _key, score in by_key], self.dtype), (0, len(keys)))


@dataclass
class KeyTable(Generic[N]):
    """Scores beside sorted keys, as compiled code finds them; the arrays may lie in a file.

    keys [positions] int64, or [positions, words] of keys of several, ascending within each layer;
    scores [positions] int8, int16 or int32, payoffs also int64 or float64; layer i is
    offsets[i]:offsets[i + 1]. A game with one layer has them all in it; else layer i holds the
    positions of ply first_ply + i.
    """

    game: Game
    keys: IntArray
    scores: Scores
    offsets: tuple[int, ...]
    first_ply: int = 0

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def top(self) -> int:
        return TOPS[self.scores.dtype.itemsize]

    def key_table(self, game: Game) -> KeyTable[N]:
        return self

    def searchable(self, game: Game) -> KeySearch:
        return self

    def score(self, s: State) -> N:
        score: N = self.scores[self._place(s)].item()
        return score

    def scores_of(self, keys: IntArray) -> Scores:
        """The scores of an array of keys.

        Raises KeyError, with the first key that it does not hold.
        """
        scores: Scores = np.zeros_like(self.scores, shape=len(keys))  # type: ignore[assignment]
        missing = np.ones(len(keys), bool)
        held, wanted = comparable(self.keys), comparable(keys)
        for low, high in zip(self.offsets, self.offsets[1:], strict=False):
            layer = held[low:high]
            places = np.minimum(np.searchsorted(layer, wanted), max(high - low - 1, 0))
            found = missing & (layer[places] == wanted) if high > low else np.zeros_like(missing)
            scores[found] = self.scores[low:high][places[found]]
            missing &= ~found
        if missing.any():
            raise KeyError(code_of(keys, int(missing.argmax())))
        return scores

    def spread(self, many: int) -> Iterator[tuple[Key, int]]:
        """About so many keys, spread over all, each with its score."""
        for index in range(0, len(self), max(1, len(self) // many)):
            yield code_of(self.keys, index), int(self.scores[index])

    def _place(self, s: State) -> int:
        """Return where the key of a state stands. Raises KeyError for a state that it does not hold."""
        layer = self.game.ply(s) - self.first_ply if len(self.offsets) > 2 else 0
        if 0 <= layer < len(self.offsets) - 1:
            low, high, wanted = self.offsets[layer], self.offsets[layer + 1], self.game.key(s)
            place = sought(self.keys, wanted, low, high)
            if place < high and code_of(self.keys, place) == wanted:
                return place
        raise KeyError(s)


# What a position is worth where wins, draws and losses do not say it: a payoff in the game's own
# units, exact or expected, from the side of one player (docs/decisions/0052).

Kind: TypeAlias = Literal["margin", "payoff", "chance", "mean"]
"""How a payoff is said: a whole margin, what one player alone gets, the chance to win where each end
is worth 1 or -1, or the mean of whatever the ends are worth.
"""

DIGITS = 1e-9
"""Payoffs that differ by less are told apart by rounding only."""


@dataclass(frozen=True, order=True)
class PayoffValue:
    """A payoff to one player, and how it is said.

    >>> print(PayoffValue(3, "margin"), PayoffValue(-0.5, "mean"), PayoffValue(0.0612, "chance"))
    +3 -0.5 53.1 %
    """

    payoff: Number
    kind: Kind = "margin"

    def __str__(self) -> str:
        if self.kind == "chance":
            return percent(self.win_probability)
        return signed(self.payoff)

    @property
    def win_probability(self) -> float:
        """Return how likely a win is, where the only ends are worth 1 and -1."""
        return (1 + self.payoff) / 2

    @property
    def word(self) -> Value:
        """Return whether it is more than nothing, less, or neither, in the words of wins and losses."""
        return value_of_score(round(self.payoff / DIGITS))

    @property
    def words(self) -> str:
        """Return what it means for who moves: `wins by 3`."""
        if self.kind == "chance":
            return _("wins with probability {p}", p=decimal(self.win_probability, ".4f"))
        if self.kind == "mean":
            return _("expects a payoff of {payoff}", payoff=signed(self.payoff))
        if self.kind == "payoff":
            return _("gets a payoff of {payoff}", payoff=signed(self.payoff))
        if self.payoff > 0:
            return _("wins by {n}", n=decimal(plain_number(self.payoff), ""))
        return (
            _("loses by {n}", n=decimal(plain_number(-self.payoff), ""))
            if self.payoff < 0
            else _("plays to a draw")
        )

    def __neg__(self) -> PayoffValue:
        return PayoffValue(-self.payoff, self.kind)


def signed(payoff: Number) -> str:
    """A payoff with its sign; nothing has none.

    >>> signed(3.0), signed(-0.25), signed(-1e-12)
    ('+3', '-0.25', '0')
    """
    text = plain_number(round(payoff, 6))
    return decimal(text, "+") if text else "0"


# What is known exactly about every position of a game whose ends are worth more than a win, a draw
# or a loss, or in which dice are thrown: a payoff in the game's own units, exact or expected
# (docs/decisions/0052).
#
# `ValueSolution` answers what `damier.core.solution.Solution` does, in payoffs: there is no distance
# to an end, since who is ahead by three need not hurry.

EXACT: tuple[Kind, ...] = ("margin", "payoff")
"""Payoffs that are whole numbers, without dice."""


@dataclass(frozen=True)
class ValueSolution(ScoredPositions[float]):
    """The payoff, exact or expected, that best play gets from every position that can follow
    `start`; the scores are payoffs to player 0, whole where no dice are thrown.

    Attributes:
        kind: how a payoff is said
        bound: how far a payoff may be from the right one; 0 where it is exact
        endless: whether players can go round for ever
    """

    kind: Kind
    bound: float = 0.0
    endless: bool = False
    seconds: float = 0.0

    def for_first(self, s: State) -> PayoffValue:
        """Return what `s` is worth to player 0."""
        return PayoffValue(self.score(s), self.kind)

    def value(self, s: State) -> PayoffValue:
        """Return what `s` is worth to the player to move; to player 0 where chance moves."""
        return PayoffValue(side(self.game, s) * self.score(s), self.kind)

    def distance(self, s: State) -> None:
        """Not known: best play need not hurry."""
        return

    def best_moves(self, s: State) -> Moves:
        """The moves that keep the value of `s`, as a set; no throw of a die."""
        if self.game.mover(s) == CHANCE:
            return 0
        payoffs = self.scores_of_moves(s)
        enough = max(payoffs.values(), default=0) - self.tolerance
        return self.game.gathered(move for move, payoff in payoffs.items() if payoff >= enough)

    def fastest_moves(self, s: State) -> Moves:
        """The best moves: none is known to be faster."""
        return self.best_moves(s)

    @property
    def tolerance(self) -> float:
        """Return how far two payoffs may differ that are one."""
        return max(DIGITS, 2 * self.bound) if self.kind not in EXACT else 0

    def explain(self, s: State) -> dict[int, tuple[PayoffValue, None]]:
        """Return what each legal move is worth to the player to move at `s`; the second of each pair stands
        for the distance that `Solution.explain` tells.
        """
        return {
            move: (PayoffValue(payoff, self.kind), None) for move, payoff in self.scores_of_moves(s).items()
        }


AnySolution: TypeAlias = "Solution | ValueSolution"
AnyValue: TypeAlias = "Value | PayoffValue"


def payoff_of(value: AnyValue) -> float:
    """Return the payoff of a value to its player: the larger, the better."""
    return value.payoff if isinstance(value, PayoffValue) else PAYOFFS[value]


def word_of(value: AnyValue) -> Value:
    """Return whether a value is more than nothing, less, or neither, in the words of wins and losses."""
    return value.word if isinstance(value, PayoffValue) else value


def as_data(value: AnyValue) -> str | float:
    """A value as plain data: its word, or its payoff."""
    return plain_number(value.payoff) if isinstance(value, PayoffValue) else value
