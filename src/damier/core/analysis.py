"""Limits and results of searches: the values that every search of a game takes and
returns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from damier.core.arrays import FloatArray
from damier.core.errors import BadInput, Unsuitable
from damier.core.game import Game
from damier.core.job import Job
from damier.core.past import Before, Line
from damier.core.rules import TOP, Moves, State
from damier.core.words import N_, _, message

if TYPE_CHECKING:
    from damier.core.compile import Bindings
    from damier.core.tree import Number, Payoffs


@dataclass(frozen=True)
class Limit:
    """Limits of a search; None: no limit.

    `rounds` counts moves of every player, `plies` single moves.
    """

    plies: int | None = None
    rounds: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("plies", "rounds", "nodes", "seconds"):
            given = getattr(self, name)
            if given is not None and not given > 0:
                raise BadInput(message("{name}={n}; it must be above 0", name=name, n=given))
        if self.plies is not None and self.rounds is not None:
            raise BadInput(
                message(
                    "plies={plies} and rounds={rounds} exclude each other; give one of them",
                    plies=self.plies,
                    rounds=self.rounds,
                )
            )

    def plies_of(self, game: Game) -> int | None:
        """The single moves that the search may look ahead.

        Raises BadInput for rounds of a stochastic game, where they have no fixed length.
        """
        if self.rounds is not None and game.stochastic:
            raise BadInput(
                message(
                    "rounds={rounds}: a round of {game} has draws of chance too; give plies",
                    rounds=self.rounds,
                    game=game.text,
                )
            )
        return self.rounds * game.players if self.rounds is not None else self.plies


class TableEnd(NamedTuple):
    """The point from which an endgame table knows what follows: after so many plies of best play, the score
    of the position there (`core/rules.py`), to its mover.
    """

    plies: int
    score: int

    @property
    def distance(self) -> int | None:
        """Plies from there to the end; None for a draw."""
        return TOP - abs(self.score) if self.score else None


@dataclass(frozen=True)
class Analysis:
    """One decision, explained.

    Numbers are from the side of the player to move at the root; with `maxn`, payoffs to every
    player.

    Attributes:
        values: what each move is worth, by its bit: exact for the depth that was searched; where a search was
            stopped, the moves known so far
        best: the best moves, as a set, or a list where the game lists its moves
        nodes: positions looked at, each as often as it was reached
        explored: how many different ones, None where they were not told apart
        plies: the depth that was searched to its end: of the whole tree where `exact`
        pv: the principal variation: what follows if everybody plays best, first moves first; `distance` long
            where that is known
        stopped: a limit ended it before it was done
        interrupted: Ctrl-C did
        visits: simulations of each move, where there are any
        priors: how likely a network takes each move to be, where one is asked
        distance: plies to the end where the winner hurries and the loser delays; None for a draw, and where
            nobody is known to win
        left_out: names of the fields above for which no time was left: they hold what was known so far.
            `best` then still is one of the best moves
        table_end: where endgame tables know how best play ends, if it comes to where they do
        before: the positions before the root that may come back
        evaluation: what a selective search judges positions by
        seconds: what the search itself took, without what was worked out for the explanation
    """

    game: Game
    state: State
    agent: str
    value: Number | Payoffs
    values: dict[int, Number | Payoffs]
    best: Moves
    nodes: int
    explored: int | None
    plies: int
    exact: bool
    stopped: bool
    interrupted: bool
    seconds: float
    pv: tuple[int, ...] = ()
    visits: dict[int, int] = field(default_factory=dict)
    distance: int | None = None
    left_out: tuple[str, ...] = ()
    evaluation: Evaluation | None = None
    table_end: TableEnd | None = None
    before: Before = ()
    priors: dict[int, float] = field(default_factory=dict)

    @cached_property
    def states(self) -> tuple[State, ...]:
        """The root, and what follows by the principal variation."""
        line = Line(self.game, self.state, self.before)
        return (self.state, *(line.play(move) for move in self.pv))

    @property
    def pv_names(self) -> list[str]:
        """The principal variation in the game's own words."""
        return [self.game.name_move(s, move) for s, move in zip(self.states, self.pv, strict=False)]

    def names(self, moves: Moves) -> list[str]:
        """Some moves of the root in the game's own words."""
        return self.game.name_moves(self.state, moves)


def plain_number(value: float) -> Number:
    """A number as people write it: whole where it is whole.

    >>> plain_number(-0.0), plain_number(2.0), plain_number(0.5)
    (0, 2, 0.5)
    """
    return int(value) if float(value).is_integer() else float(value)


# What an algorithm needs of a game, and what is said of a game that lacks it.
#
# Each algorithm lists its own `NEEDS`.


class Requirement(NamedTuple):
    """A test of a game, and the sentence where it fails, about the {work}, the {game} and
    its {n} players.
    """

    is_met: Callable[[Game], bool]
    sentence: str


TWO_PLAYERS = Requirement(
    lambda game: game.players == 2, N_("{work} handles games of two players; {game} has {n}")
)
PERFECT_INFORMATION = Requirement(
    lambda game: not game.imperfect_information,
    N_("{work} handles games of perfect information (no secrets); {game} hides information from its players"),
)
NO_CHANCE = Requirement(
    lambda game: not game.stochastic,
    N_(
        "{work} handles games without chance nodes (dice); {game} has moves of chance: expectimax and maxn"
        " average over them"
    ),
)
ZERO_SUM = Requirement(
    lambda game: game.zero_sum,
    N_(
        "{work} handles zero-sum games, in which what one gains the other loses; {game} is not one: maxn"
        " handles it"
    ),
)


def note_no_winner(game: Game, job: Job) -> None:
    """Notes how games are counted of which one may have no winner, since all may gain, or lose."""
    if not game.zero_sum:
        job.note(
            _(
                "{game} is not zero-sum: a payoff above 0 counts as won, one below 0 as lost, whatever the"
                " other gets",
                game=game.text,
            )
        )


ACYCLIC = Requirement(
    lambda game: game.acyclic,
    N_(
        "{work} needs a game in which no position comes back; {game} says nothing of it (by a ply that"
        " every move advances, or acyclic=True)"
    ),
)


def require(game: Game, work: str, *needs: Requirement) -> None:
    """Raises Unsuitable, naming the work and the game, for the first need that the game does not
    meet.
    """
    for need in needs:
        if not need.is_met(game):
            raise Unsuitable(message(need.sentence, work=work, game=game.text, n=game.players))


# What a search takes for the worth of a position where it stops: a weighted sum of features
# (document [S2], row A-55).
#
#     evaluate(s) = w1 f1(s) + w2 f2(s) + …          from the side of player 0
#
# A game gives the features, by name; the weights come from the person: `pawns`,
# `9*pawns+0.5*advance`. Features are compiled, weights are data.

Weights: TypeAlias = "tuple[float, ...] | FloatArray"
"""One number a feature: a tuple in plain Python, a float64 array compiled."""

Feature: TypeAlias = Callable[[State], float]
"""What can be seen in a state, as a number from the side of player 0."""

WeightedSum: TypeAlias = Callable[[State, Weights], float]

TERM = re.compile(r"([+-]?)(?:([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\*)?([A-Za-z_][A-Za-z_0-9]*)")


def evaluate(s: State, weights: Weights) -> float:
    """Return what `s` is taken to be worth to player 0: bound to the features of a game."""
    raise TypeError


@dataclass(frozen=True)
class Evaluation:
    """Features with their weights; none of them: every position is worth 0.

    Attributes:
        names: what the features are called, where they have names
    """

    features: tuple[Feature, ...] = ()
    weights: tuple[float, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def bindings(self) -> Bindings:
        return {evaluate: summed(self.features)}


def evaluation(game: Game, text: str) -> Evaluation:
    """The evaluation that is written `text`, like `9*pawns+0.5*advance`. Raises BadInput.

    >>> from damier import load
    >>> evaluation(load("hexapawn"), "2*pawns-advance").weights
    (2.0, -1.0)
    """
    if not text:
        return Evaluation()
    weights: dict[str, float] = {}
    place = 0
    while place < len(text):
        term = TERM.match(text, place)
        if term is None or (place and not term[1]):
            raise BadInput(
                message(
                    "evaluate={text}; write features with weights, like {example}",
                    text=text,
                    example=example(game),
                )
            )
        sign, number, name = term.groups()
        if name not in game.features:
            known = " ".join(game.features) or _("none")
            raise BadInput(
                message(
                    "{game} has no feature {name}; its features: {known}",
                    game=game.text,
                    name=name,
                    known=known,
                )
            )
        weights[name] = weights.get(name, 0.0) + float(sign + (number or "1"))
        place = term.end()
    return Evaluation(tuple(game.features[name] for name in weights), tuple(weights.values()), tuple(weights))


def weighed(weights: Mapping[str, float]) -> str:
    """An evaluation as text, of features with weights.

    >>> weighed({"pawns": 1, "advance": -0.5})
    'pawns-0.5*advance'
    """
    terms = [
        f"{weight:+g}*{name}".replace("1*", "") if abs(weight) == 1 else f"{weight:+g}*{name}"
        for name, weight in weights.items()
    ]
    return "".join(terms).removeprefix("+")


def example(game: Game) -> str:
    """Return an example of an evaluation of a game, as it is written."""
    return "+".join(f"{weight}*{name}" for weight, name in zip((2, 0.5), game.features, strict=False)) or _(
        "those of a game that gives some"
    )


@lru_cache(maxsize=256)
def summed(features: Sequence[Feature]) -> WeightedSum:
    """The weighted sum of some features; built of closures, so that the compiler unrolls it."""
    total: WeightedSum = _zero
    for number, feature in enumerate(features):
        total = _plus(total, feature, number)
    return total


def _zero(s: State, weights: Weights) -> float:
    return 0.0


def _plus(before: WeightedSum, feature: Feature, number: int) -> WeightedSum:
    def total(s: State, weights: Weights) -> float:
        return before(s, weights) + weights[number] * feature(s)

    return total
