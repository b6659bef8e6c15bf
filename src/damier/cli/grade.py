"""`damier grade`: what an agent is worth, exactly where that can be known; and where it goes wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from damier.arena.match import wilson
from damier.cli.command import (
    AgentName,
    GameName,
    Json,
    Seed,
    SharedWork,
    checked_seed,
    percent,
    remarks,
    report,
    say,
    table,
    within,
)
from damier.core.errors import BadInput
from damier.core.grade import Grade, Mistake, grade_facts
from damier.core.player import Policy
from damier.core.solution import PAYOFFS
from damier.core.words import _, decimal, grouped, message, ngettext
from damier.draw import MoveMark, board_text, move_marks
from damier.draw.board import mistake_sentences, mistakes_svg
from damier.draw.picture_files import require_picture, write_picture
from damier.lab.agents import agent as agent_of
from damier.lab.curves import interval_in_words
from damier.lab.games import Lab, load
from damier.lab.grading import ASKED, Graded, graded, mistakes as mistakes_of

MOST_MISTAKES = 1000


def grade(
    game: GameName,
    agent: AgentName,
    /,
    *,
    against: Annotated[str, Parameter(help=_("the opponent"))] = "random",
    games: Annotated[
        int | None,
        Parameter(
            converter=within(),
            help=_("by so many games instead of exactly (default: only where it cannot be exact, 2000)"),
        ),
    ] = None,
    mistakes: Annotated[
        int,
        Parameter(
            converter=within(0, MOST_MISTAKES),
            help=_("show the first so many of its mistakes, and what punishes them"),
        ),
    ] = 0,
    out: Annotated[
        Path | None, Parameter(name=("--out", "-o"), help=_("draw the mistakes to a .svg, .png or .pdf file"))
    ] = None,
    seed: Seed = 0,
    work: SharedWork | None = None,
    json: Json = False,
) -> None:
    if out is not None:
        if not mistakes:
            raise BadInput(message("--out needs --mistakes N: it is they that are drawn"))
        require_picture(out)
    job, notes = (work or SharedWork()).job()
    lab = Lab(load(game), job, seed=checked_seed(seed))
    player, opponent = agent_of(lab, agent), agent_of(lab, against)
    found = graded(lab, player, opponent, games, seed)
    first = mistakes_of(lab, player, mistakes) if mistakes else []
    remarks(notes)
    data: dict[str, object] = {"game": lab.game.text, "agent": player.text, "against": opponent.text}
    data |= {"exact": True, **grade_facts(found.exact)} if found.exact else sampled_facts(found)
    if mistakes:
        data["mistakes"] = [mistake.as_json() for mistake in first]
    if out is not None:
        draw(lab, first, out, player.text)

    def tell() -> None:
        if found.exact:
            show(lab.game.text, player.text, opponent.text, found.exact)
        else:
            show_sampled(lab.game.text, player.text, opponent.text, found)
        if mistakes:
            show_mistakes(lab, first, known=isinstance(player, Policy))

    report(data, json, tell, out)


def sampled_facts(found: Graded) -> dict[str, object]:
    """A grade by games as plain data: for each seat its rates, each with its 95 % interval."""
    assert found.games is not None
    return {
        "exact": False,
        "why": found.why,
        "games": found.games.games,
        "seats": [
            {
                "games": sum(counts),
                **{name: share_of(count, sum(counts)) for name, count in zip(PAYOFFS, counts, strict=True)},
            }
            for counts in found.games.seats
        ],
    }


def share_of(count: int, games: int) -> dict[str, object]:
    """A rate with its interval."""
    return {"rate": count / games if games else None, "interval": list(wilson(count, games))}


def show_sampled(game: str, agent: str, against: str, found: Graded) -> None:
    """A grade by games as a table."""
    assert found.games is not None
    rows = []
    for seat, counts in enumerate(found.games.seats, 1):
        n = sum(counts)
        shares = (
            [f"{percent(count / n)} [{interval_in_words(*wilson(count, n), '.2f')}]" for count in counts]
            if n
            else ["", "", ""]
        )
        rows.append(
            (_("{agent} against {against}", agent=agent, against=against) if seat == 1 else "", seat, *shares)
        )
    title = _(
        "{game}: not exact, {n} games with 95 % intervals; {why}",
        game=game,
        n=grouped(found.games.games),
        why=found.why,
    )
    table(("", _("seat"), _("win"), _("draw"), _("loss")), rows, title, numbers=[1, 2, 3, 4])


def show_mistakes(lab: Lab, found: list[Mistake], *, known: bool) -> None:
    """The mistakes, each with its board and the value of every move; `known` whether the agent's
    probabilities are, so that none can be missed.
    """
    if not found and known:
        say(_("it makes no mistake: it keeps the value wherever it can come by its own moves"))
    elif not found:
        say(_("asked {n} times wherever it can come by its own moves, it made no mistake", n=ASKED))
    for number, mistake in enumerate(found, 1):
        say()
        say(_("Mistake {n}, after {moves}:", n=number, moves=" ".join(mistake.moves) or _("no move")))
        say(board_text(mistake.position, marks_of(lab, mistake)))
        for sentence in mistake_sentences(mistake):
            say(sentence)


def draw(lab: Lab, found: list[Mistake], path: Path, agent: str) -> None:
    """Writes the mistakes as a picture."""
    title = _("{game}: where {agent} first goes wrong", game=lab.game.text, agent=agent)
    write_picture(mistakes_svg([(mistake, marks_of(lab, mistake)) for mistake in found], title), path)


def marks_of(lab: Lab, mistake: Mistake) -> list[MoveMark]:
    """The value of every move where a mistake is made."""
    state = mistake.position.state
    explained = lab.solution(_("to find mistakes needs the game solved")).explain(state)
    return move_marks(lab.game, state, explained)


def show(game: str, agent: str, against: str, found: Grade) -> None:
    """The grade as a table."""
    names = {"agent": agent, "against": against}
    rows = []
    lines = {  # by what they say: two are one where an agent meets itself
        _("{agent} against {against}", **names): found.seats,
        _("the most that anybody gets against {against}", **names): found.best_against,
        _("the most that anybody gets against {agent}", **names): found.best_response,
    }
    for label, pair in lines.items():
        for seat, chances in enumerate(pair, 1):
            rows.append(
                (
                    label if seat == 1 else "",
                    seat,
                    percent(chances.win),
                    percent(chances.draw),
                    percent(chances.loss),
                    decimal(chances.payoff, "+.4f"),
                )
            )
    title = _("{game}: exact, nothing sampled", game=game)
    table(("", _("seat"), _("win"), _("draw"), _("loss"), _("payoff")), rows, title, numbers=[1, 2, 3, 4, 5])
    if not found.states:
        say(_("the game is over before a move: there is no move to be graded"))
        return
    say(
        ngettext(
            "moves that keep the value: {all} in the one position of the game that is not over",
            "moves that keep the value: {all} over all {n} positions, {reached} over those that it reaches"
            " against {against}",
            found.states,
            all=percent(found.optimal_share_all),
            n=grouped(found.states),
            reached=percent(found.optimal_share_reached),
            against=against,
        )
    )
