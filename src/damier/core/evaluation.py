"""What a search takes for the worth of a position where it stops: a weighted sum of features
(document [S2], row A-55).

    evaluate(s) = w1 f1(s) + w2 f2(s) + …          from the side of player 0

A game gives the features, by name; the weights come from the person: `pawns`,
`9*pawns+0.5*advance`. Features are compiled, weights are data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from damier.core.arrays import FloatArray
from damier.core.compile import Bindings
from damier.core.errors import BadInput
from damier.core.game import Game
from damier.core.rules import State
from damier.core.words import _, message

Weights: TypeAlias = "tuple[float, ...] | FloatArray"
"""One number a feature: a tuple in plain Python, a float64 array compiled."""

Feature: TypeAlias = Callable[[State], float]
"""What can be seen in a state, as a number from the side of player 0."""

WeightedSum: TypeAlias = Callable[[State, Weights], float]

TERM = re.compile(r"([+-]?)(?:([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\*)?([A-Za-z_][A-Za-z_0-9]*)")


def evaluate(s: State, weights: Weights) -> float:
    """What `s` is taken to be worth to player 0: bound to the features of a game."""
    raise TypeError


@dataclass(frozen=True)
class Evaluation:
    """Features with their weights; none of them: every position is worth 0.

    names  what the features are called, where they have names
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
    """How an evaluation of a game may be written."""
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
