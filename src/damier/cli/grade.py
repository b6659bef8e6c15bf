"""`damier grade`: what a policy is worth, exactly; no game is sampled."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from damier.cli.options import AgentName, GameName, Json, Work
from damier.cli.output import percent, remarks, report, say, table
from damier.core.grade import Grade, grade_facts
from damier.core.words import _


def grade(
    game: GameName,
    agent: AgentName,
    /,
    *,
    against: Annotated[str, Parameter(help=_("the opponent"))] = "random",
    work: Work | None = None,
    json: Json = False,
) -> None:
    from damier.lab.agents import Lab, policy
    from damier.lab.games import load
    from damier.solve.grade import grade as exact_grade

    job = (work or Work()).job()
    lab = Lab(load(game), job)
    graded, opponent = policy(lab, agent), policy(lab, against)
    found = exact_grade(lab.game, graded, opponent, job)
    remarks(job.notes)
    data = {"game": lab.game.text, "agent": graded.text, "against": opponent.text, **grade_facts(found)}
    report(data, json, lambda: show(lab.game.text, graded.text, opponent.text, found))


def show(game: str, agent: str, against: str, found: Grade) -> None:
    """The grade as a table."""
    names = {"agent": agent, "against": against}
    rows = []
    for label, pair in (
        (_("{agent} against {against}", **names), found.seats),
        (_("the most that anybody gets against {against}", **names), found.best_against),
        (_("the most that anybody gets against {agent}", **names), found.best_response),
    ):
        for seat, chances in enumerate(pair, 1):
            rows.append(
                (
                    label if seat == 1 else "",
                    seat,
                    percent(chances.win),
                    percent(chances.draw),
                    percent(chances.loss),
                    f"{chances.payoff:+.4f}",
                )
            )
    title = _("{game}: exact, nothing sampled", game=game)
    table(("", _("seat"), _("win"), _("draw"), _("loss"), _("payoff")), rows, title, numbers=[1, 2, 3, 4, 5])
    share = _(
        "moves that keep the value: {all} over all {n} positions, {reached} over those that it reaches"
        " against {against}"
    )
    say(
        share.format(
            all=percent(found.optimal_share_all),
            n=found.states,
            reached=percent(found.optimal_share_reached),
            against=against,
        )
    )
