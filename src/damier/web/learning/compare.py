"""Two learners side by side: their curves in one picture, their exact grades, and a match between
them.
"""

from __future__ import annotations

from typing import NamedTuple

from damier.arena.match import Score, match
from damier.core.errors import BadInput, LimitReached, Unsuitable
from damier.core.grade import Grade
from damier.core.job import Job
from damier.core.loop import MatchSetup
from damier.core.player import Player, RandomPlayer
from damier.core.words import _, decimal, message, percent
from damier.draw.curve import Series, curve_svg
from damier.lab.curves import series
from damier.lab.grading import as_policy
from damier.lab.lab import Lab
from damier.lab.names import agent_in_words
from damier.lab.own_file import OwnAgent
from damier.learn.store import Agent
from damier.solve.grade import Grader
from damier.web import pages
from damier.web.learning.picture import EndRate, end_rate
from damier.web.plain import for_page
from damier.web.registry import Registry

GAMES, OWN_GAMES = 1000, 200
"""Of a match; the second where an agent of one's own plays, which may take its time."""
MOST_PLIES = 1000
GRADED_BYTES = 200 << 20
"""Memory that grading may take for a page."""


class Measure(NamedTuple):
    """What is measured, and its value of each learner."""

    what: str
    values: list[str]


def compared(registry: Registry, one: str, other: str) -> str:
    """The comparison as a part of the page.

    Raises BadInput where the two have not learnt the same game.
    """
    games = [registry.page_game(registry.written_game(name)) for name in (one, other)]
    if games[0] != games[1]:
        facts = {"one": one, "game": games[0], "other": other, "game2": games[1]}
        raise BadInput(
            message(
                "{one} has learnt {game}, {other} has learnt {game2}: only learners of one game can be"
                " compared",
                **facts,
            )
        )
    agents = [registry.kept_agent(games[0], name) for name in (one, other)]
    curves = [curve_of(name, agent) for name, agent in zip((one, other), agents, strict=True)]
    players = [registry.agent(games[0], f"learner:{name}") for name in (one, other)]
    lab = registry.lab(games[0])
    job = Job(memory=min(lab.job.memory, GRADED_BYTES))
    number = OWN_GAMES if any(isinstance(agent, OwnAgent) for agent in agents) else GAMES
    score = match(MatchSetup(lab.game, (players[0], players[1]), 0, True, MOST_PLIES), number, job)
    grades, why = graded(lab, players, job)
    return pages.part(
        "learning_compare.html",
        one=one,
        other=other,
        game=games[0],
        curve=pages.picture(curve_svg(curves)),
        grades=grades,
        why=why,
        rates=rates(score),
        games=score.games,
    )


def curve_of(name: str, agent: Agent | OwnAgent) -> Series:
    return series(
        name, agent.curve, agent.training.get("seat", "1"), agent_in_words(agent.training.get("against", ""))
    )


def graded(lab: Lab, players: list[Player], job: Job) -> tuple[list[Measure], str]:
    """The exact grades of both against the random player; or none, and why."""
    try:
        grader = Grader(lab.game, RandomPlayer(), job)
        grades: list[Grade] = []
        for player in players:
            policy, why = as_policy(lab, player)
            if policy is None:
                return [], why
            grades.append(grader.grade(policy))
        return measures(grades), ""
    except (Unsuitable, LimitReached) as error:
        return [], for_page(str(error))


def measures(grades: list[Grade]) -> list[Measure]:
    """Each measure, seat by seat, for both."""
    found: list[Measure] = []
    for seat in (0, 1):
        payoffs = [decimal(grade.seats[seat].payoff, "+.4f") for grade in grades]
        found.append(Measure(_("against the random player, at seat {n}", n=seat + 1), payoffs))
        most = [decimal(grade.best_against[seat].payoff, "+.4f") for grade in grades]
        found.append(Measure(_("the most that anybody gets there"), most))
        worst = [decimal(round(-grade.best_response[1 - seat].payoff, 9) + 0.0, "+.4f") for grade in grades]
        found.append(Measure(_("against its strongest opponent, at seat {n}", n=seat + 1), worst))
    for what, shares in (
        (_("moves that keep the value, over all positions"), [grade.optimal_share_all for grade in grades]),
        (_("the same, over positions that it reaches"), [grade.optimal_share_reached for grade in grades]),
    ):
        found.append(Measure(what, [percent(share) for share in shares]))
    return found


def rates(score: Score) -> list[EndRate]:
    """How the match ended, with 95 % intervals."""
    return [
        end_rate(words, games, score.games, score.intervals[name])
        for name, words, games in (
            ("wins", _("won by the first"), score.wins),
            ("draws", _("drawn"), score.draws),
            ("losses", _("won by the second"), score.losses),
        )
    ]
