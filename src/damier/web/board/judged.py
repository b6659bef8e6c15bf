"""What a search judges a position by, as a page shows it: a bar between the players, and below it the
sum that the evaluation is, term by term.

Everything is from the side of player 1, so that the bar does not turn over at every move.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import NamedTuple

from damier.core.analysis import Analysis, Evaluation, evaluation, plain
from damier.core.game import Game
from damier.core.rules import State
from damier.core.words import _, decimal, ngettext

UNITS = 2.0
"""How many units of the evaluation fill the bar to nearly a half: 0.46 of the way to its end."""
LARGEST = 60.0
"""Units beyond which the bar is full; exp could not take ever more."""


class EvaluationTerm(NamedTuple):
    """A feature: what it sees, its weight, its value now; what both make now and where best play ends."""

    name: str
    words: str
    weight: str
    seen: str
    now: str
    then: str


@dataclass(frozen=True)
class JudgedPosition:
    """value  what the search found, as text, and words: the same as a sentence
    fill   how full the bar is, from the middle: -1 (player 2 wins) to 1 (player 1 wins)
    terms  those that are not 0, now or then; others: how many are
    now, then  the sums; `then` is empty where a game ends there, or the search told no line
    """

    value: str
    words: str
    fill: float
    terms: tuple[EvaluationTerm, ...]
    others: int
    now: str
    then: str


def judged(found: Analysis, agent: str) -> JudgedPosition | None:
    """How a position is judged; None by a search without an evaluation, or for more than two."""
    judge = found.evaluation or asked_evaluation(found.game, agent)
    if not judge.features or isinstance(found.value, tuple):
        return None
    side = 1 if found.game.mover(found.state) == 0 else -1
    value = side * found.value
    decided = value != 0 and found.distance is not None
    end = found.states[-1]
    ends = not found.pv or decided or found.game.over(end)
    here, there = seen(judge, found.state), [] if ends else seen(judge, end)
    terms = judge_terms(found.game, judge, here, there)
    return JudgedPosition(
        signed(value),
        sentence(value, found.distance if decided else None),
        squeezed(value) if not decided else float((value > 0) - (value < 0)),
        tuple(terms),
        len(judge.features) - len(terms),
        total(judge, here),
        total(judge, there) if there else "",
    )


def asked_evaluation(game: Game, agent: str) -> Evaluation:
    """The evaluation that an agent was asked for: `alphabeta:plies=4,evaluate=lines`."""
    options = dict(option.partition("=")[::2] for option in agent.partition(":")[2].split(","))
    return evaluation(game, options.get("evaluate", ""))


def seen(judge: Evaluation, s: State) -> list[float]:
    """The value of every feature."""
    return [float(feature(s)) for feature in judge.features]


def judge_terms(game: Game, judge: Evaluation, here: list[float], there: list[float]) -> list[EvaluationTerm]:
    """The terms of the sum, but for those that are 0 now and then."""
    terms = []
    for number, (name, weight) in enumerate(zip(judge.names, judge.weights, strict=True)):
        now, then = weight * here[number], weight * there[number] if there else 0.0
        if max(abs(now), abs(then)) >= 0.005:
            words = _(game.explanations[name]) if name in game.explanations else ""
            after = signed(then) if there else ""
            terms.append(
                EvaluationTerm(name, words, decimal(weight, "g"), signed(here[number]), signed(now), after)
            )
    return terms


def total(judge: Evaluation, values: list[float]) -> str:
    """The weighed sum."""
    return signed(sum(weight * value for weight, value in zip(judge.weights, values, strict=True)))


def squeezed(value: float) -> float:
    """A value on a bar that reaches from -1 to 1: 2 / (1 + e^(-value / UNITS)) - 1, the logistic curve.

    >>> squeezed(0.0), round(squeezed(2.0), 2), round(squeezed(-6.0), 2), squeezed(300.0)
    (0.0, 0.46, -0.91, 1.0)
    """
    if abs(value) > LARGEST:
        return 1.0 if value > 0 else -1.0
    return 2 / (1 + exp(-value / UNITS)) - 1


def signed(value: float) -> str:
    """A number to two places, with its sign; 0 has none.

    >>> signed(0.5), signed(-0.001), signed(3.0)
    ('+0.5', '0', '+3')
    """
    rounded = plain(round(value, 2))
    return decimal(rounded, "+") if rounded else "0"


def sentence(value: float, plies: int | None) -> str:
    """Who is ahead, and by how much; or who wins, and how soon."""
    player = 1 if value > 0 else 2
    if plies is not None:
        return ngettext(
            "player {player} wins in {n} ply", "player {player} wins in {n} plies", plies, player=player
        )
    if not plain(round(value, 2)):
        return _("nobody is ahead")
    return _("player {player} is ahead by {value}", player=player, value=signed(abs(value)).lstrip("+"))
