"""What the page of a training room shows beside a game: who plays, the line of time, the curve."""

from __future__ import annotations

from damier.core.words import _, decimal
from damier.draw.curve import curve_svg
from damier.lab.curves import series
from damier.lab.names import agent_in_words
from damier.learn.parameters import FIELDS, TableParameters
from damier.learn.player import ALGORITHMS
from damier.learn.presets import PRESETS
from damier.web import pages
from damier.web.learning.picture import grade_at, mirrored, opponent_in_words
from damier.web.learning.table import ExactAnswers
from damier.web.messages.parts import Parts
from damier.web.training.film import ShownGame, end_rewards, time_line
from damier.web.training.log import OPTIONS
from damier.web.training.pair import Pair, PairKnown
from damier.web.training.told_table import table_part
from damier.web.training.words import localised

SYMBOLS = {"epsilon": "ε", "alpha": "α", "gamma": "γ", "temperature": "T"}


def parts_of(shown: ShownGame, exact: ExactAnswers) -> Parts:
    """All parts that a game can change, as they are while it goes on."""
    found = {"time": time_part(shown), **knowledge_parts(shown, shown.before)}
    for seat in (0, 1):
        table = shown.tables[seat]
        found[f"table-{seat + 1}"] = table_part(table, shown.episode, exact) if table else ""
    return found


def knowledge_parts(shown: ShownGame, known: PairKnown) -> Parts:
    """What the games so far have come to."""
    worth = {f"worth-{seat + 1}": worth_part(shown.pair, known, seat) for seat in (0, 1)}
    return {"curve": curve_part(shown, known), "totals": totals_part(known), **worth}


def time_part(shown: ShownGame) -> str:
    """The line of time of the game."""
    return pages.part(
        "training_time.html",
        steps=time_line(shown),
        ends=end_rewards(shown),
        learns=[table is not None for table in shown.tables],
        over=not shown.episode.waits,
    )


def curve_part(shown: ShownGame, known: PairKnown) -> str:
    """The curves of both agents, each below its ceiling."""
    curve, against = known.curve, shown.pair.against.text
    drawn = []
    for seat in (0, 1):
        if known.seats[seat] is not None:
            own = curve if seat == 0 else mirrored(curve)
            drawn.append(series(_("agent {n}", n=seat + 1), own, str(seat + 1), against))
    return pages.part("training_curve.html", curve=pages.picture(curve_svg(drawn)), games=known.games)


def totals_part(known: PairKnown) -> str:
    """How all games have ended."""
    won, drawn, lost = known.totals
    return pages.part("training_totals.html", games=known.games, won=won, drawn=drawn, lost=lost)


def worth_part(pair: Pair, known: PairKnown, seat: int) -> str:
    """What the agent at a seat is worth now, exactly, and how it goes on learning."""
    learner = known.seats[seat]
    if learner is None:
        return ""
    grade = grade_at(known.grade, (seat,)) if known.grade else None
    return pages.part(
        "training_worth.html",
        grade=grade,
        payoff=localised(f"{grade.payoff:+.4f}") if grade else "",
        ceiling=localised(f"{grade.best_response_value:+.4f}") if grade else "",
        against=opponent_in_words(pair.against.text),
        epsilon=decimal(learner.epsilon, ".6g") if isinstance(learner.parameters, TableParameters) else "",
        positions=len(learner.memory),
        decisions=learner.memory.decisions,
    )


def agent_choices() -> dict[str, dict[str, str]]:
    """Who may sit at a seat, by groups, as an address writes them and in words."""
    found: dict[str, dict[str, str]] = {}
    for name in ALGORITHMS:
        group = found[agent_in_words(name)] = {name: agent_in_words(name)}
        for preset, made in PRESETS.get(name, {}).items():
            group[f"{name}:preset={preset}"] = f"{preset} – {_(made.summary)}"
    found[_("does not learn")] = {"random": _("random"), "perfect": _("perfect play")}
    return found


def dials_of(known: PairKnown, seat: int) -> list[tuple[str, str, str]]:
    """The parameters of the agent at a seat that can be changed as it learns: option, sign, value."""
    learner = known.seats[seat]
    if learner is None:
        return []
    found = []
    for option in OPTIONS:
        field = FIELDS.get(option, option)
        if hasattr(learner.parameters, field):
            value = learner.epsilon if option == "epsilon" else getattr(learner.parameters, field)
            shown = str(value) if option == "policy" else f"{value:.6g}"
            found.append((option, SYMBOLS.get(option, option), shown))
    return found
