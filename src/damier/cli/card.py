"""`damier card`: what an agent is, how it learnt, and its exact grade; `--check` works it out anew."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from damier.cli.options import AgentName, Json, Seed, SharedWork, checked_seed
from damier.cli.output import Report, remarks, report, say, table
from damier.core.errors import BadInput, Changed
from damier.core.files import make_place, write_text
from damier.core.json_data import held, laid_out, to_json
from damier.core.json_types import JsonObject, JsonValue
from damier.core.words import _, decimal, grouped, message, ngettext, percent, plural
from damier.lab.agent_card import CardDifference, against_of, card_of, differences, named_agent, read_card
from damier.lab.games import is_file, load
from damier.lab.lab import Lab

SUFFIXES = (".md", ".json")
MOST = 20
"""Differences that are shown as a table; `--json` has them all."""


def card(
    agent: AgentName,
    /,
    *,
    game: Annotated[str, Parameter(help=_("the game (default: that of the agent's file)"))] = "",
    against: Annotated[str, Parameter(help=_("the opponent (default: random, or that of the card)"))] = "",
    out: Annotated[
        Path | None, Parameter(name=("--out", "-o"), help=_("write the card to a .md or .json file"))
    ] = None,
    check: Annotated[
        Path | None,
        Parameter(help=_("work out anew what a card says, and say what differs: exit code 1")),
    ] = None,
    seed: Seed = 0,
    work: SharedWork | None = None,
    json: Json = False,
) -> None:
    if out is not None:
        if out.suffix.lower() not in SUFFIXES:
            raise BadInput(
                message(
                    "{path}: the name of a card ends in {suffixes}", path=out, suffixes=" ".join(SUFFIXES)
                )
            )
        make_place(out)
    known = None if check is None else read_card(check)
    named = named_agent(agent)
    text = game or named.game or (str(known["game"]) if known else "")
    if not text:
        raise BadInput(message("{agent}: of which game? give --game", agent=agent))
    if not game and is_file(text):
        raise BadInput(
            message(
                "{path} is of {game}, a file that would run; if you trust it, give --game {game}",
                path=named.file or check,
                game=text,
            )
        )
    if known is not None and check is not None:
        against = against or against_of(known, check)
        seed = held(known, "seed", int) or 0
    job, notes = (work or SharedWork()).job()
    lab = Lab(load(text), job, seed=checked_seed(seed))
    found = card_of(lab, named, against or "random", lab.seed)
    remarks(notes)
    if out is not None:
        write_text(out, to_json(found) + "\n" if out.suffix.lower() == ".json" else markdown(found))
    if known is None:
        report(found, json, lambda: say(_("written to {path}", path=out) if out else in_words(found)))
        return
    wrong = differences(known, found)
    data: Report = {"card": str(check), "same": not wrong, "differences": [one._asdict() for one in wrong]}
    report(data, json, lambda: show_differences(wrong))
    if wrong:
        raise Changed(
            plural(
                "{path}: {n} value is not what it says",
                "{path}: {n} values are not what it says",
                len(wrong),
                path=check,
            )
        )


def show_differences(wrong: list[CardDifference]) -> None:
    """Show what a card says and what is now."""
    if not wrong:
        say(_("the card is right: all of it comes out again"))
        return
    rows = [(one.place, to_json_value(one.written), to_json_value(one.now)) for one in wrong[:MOST]]
    table((_("value"), _("on the card"), _("now")), rows)
    if len(wrong) > MOST:
        say(_("{n} more; --json has them all", n=grouped(len(wrong) - MOST)))


def to_json_value(value: JsonValue) -> str:
    """Return a value in a cell; nothing where it is not there."""
    return "" if value is None else to_json(value)


# The card as Markdown.


def markdown(card: JsonObject) -> str:
    """Return a card as a page; its data stands at the end, from which it can be checked."""
    data = _("Data")
    return f"{in_words(card)}\n\n## {data}\n\n```json\n{laid_out(card)}\n```\n"


def in_words(card: JsonObject) -> str:
    """Return a card for people."""
    lines = [f"# {card['given']}", ""]
    if card["summary"]:
        lines += [f"{card['summary']}.", ""]
    lines += [
        _("* game: {game}", game=code(card["game"])),
        _("* agent: {agent}", agent=code(card["agent"])),
        _("* graded against: {agent}", agent=code(card["against"])),
        "",
        *grade_lines(card["grade"]),
    ]
    if isinstance(card["learnt"], dict):
        lines += ["", _("## How it learnt"), "", *learnt_lines(card["learnt"])]
    return "\n".join(lines)


def code(value: JsonValue) -> str:
    """Return a value as it is written, in Markdown."""
    return f"`{value if isinstance(value, str) else to_json(value)}`"


def grade_lines(grade: JsonValue) -> list[str]:
    """Return the grade as a table of Markdown."""
    assert isinstance(grade, dict)
    seats, exact = grade["seats"], grade["exact"]
    assert isinstance(seats, list)
    heads = [_("seat"), _("win"), _("draw"), _("loss")]
    if exact:
        heads += [_("payoff"), _("ceiling"), _("the best opponent gets")]
    lines = [row(heads), row("---" for _head in heads)]
    for number, seat in enumerate(seats):
        assert isinstance(seat, dict)
        shown = [str(number + 1)]
        for end in ("win", "draw", "loss"):
            share = seat[end]
            if isinstance(share, list):
                rate, low, high = (percent(float(str(part))) for part in share)
                shown.append(f"{rate} [{low}, {high}]")
            else:
                shown.append(percent(float(str(share))))
        if exact:
            shown.append(payoff_of(grade["seats"], number))
            shown.append(payoff_of(grade["best_against"], number))
            shown.append(payoff_of(grade["best_response"], 1 - number))
        lines.append(row(shown))
    if not exact:
        said = _("By {n} games, not exactly, with 95 % intervals: {why}", n=grade["games"], why=grade["why"])
        return [*lines, "", said]
    share = grade["optimal_share"]
    assert isinstance(share, dict)
    said = _(
        "Exact, nothing sampled. Moves that keep the value: {all} over all {n} positions, {reached} over"
        " those that it reaches.",
        all=percent(float(str(share["all"]))),
        reached=percent(float(str(share["reached"]))),
        n=grade["states"],
    )
    return [*lines, "", said]


def payoff_of(pair: JsonValue, number: int) -> str:
    """Return the payoff at a seat."""
    assert isinstance(pair, list)
    seat = pair[number]
    assert isinstance(seat, dict)
    return decimal(float(str(seat["payoff"])), "+.4f")


def row(cells: object) -> str:
    """Return a row of a table of Markdown."""
    return "| " + " | ".join(cells) + " |"  # type: ignore[arg-type]


def learnt_lines(learnt: JsonObject) -> list[str]:
    """Return how an agent learnt, a line for each value; of its curve how many blocks there are."""
    lines = []
    for name, value in learnt.items():
        if name == "curve":
            blocks = value.get("blocks") if isinstance(value, dict) else value
            n = len(blocks) if isinstance(blocks, list) else 0
            lines.append(ngettext("* curve: {n} block", "* curve: {n} blocks", n))
        elif isinstance(value, dict):
            pairs = [
                code(f"{key}={each if isinstance(each, str) else to_json(each)}")
                for key, each in value.items()
            ]
            lines.append(f"* {name}: {' '.join(pairs)}")
        else:
            lines.append(f"* {name}: {code(value)}")
    return lines
