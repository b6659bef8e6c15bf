"""What the page of a training room shows beside a game: who plays, the line of time, the curve."""

from __future__ import annotations

from collections.abc import Sequence

from damier.core.words import _
from damier.draw.curve import curve_svg
from damier.lab.curves import series
from damier.lab.names import agent_in_words
from damier.lab.traced_agent import FollowedOwn
from damier.learn.parameters import FIELDS, PRESETS
from damier.learn.player import ALGORITHMS
from damier.web import pages
from damier.web.learning.snapshot import grade_at, mirrored, opponent_in_words
from damier.web.learning.table import ExactAnswers
from damier.web.messages.parts import Parts
from damier.web.training.film import ShownGame, time_line
from damier.web.training.log import OPTIONS
from damier.web.training.pair import Pair, PairKnown
from damier.web.training.seats import experience
from damier.web.training.words import localised

SYMBOLS = {"epsilon": "ε", "alpha": "α", "gamma": "γ", "temperature": "T"}


def parts_of(shown: ShownGame, exact: ExactAnswers) -> Parts:
    """All parts that a game can change, as they are while it goes on."""
    found = {"time": time_part(shown), **knowledge_parts(shown, shown.before)}
    for seat, told in enumerate(shown.told, 1):
        found[f"table-{seat}"] = told.table(exact) if told else ""
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
        ends=[told.end() if told else "" for told in shown.told],
        learns=[told is not None and told.learns for told in shown.told],
        over=not shown.episode.waits,
    )


def curve_part(shown: ShownGame, known: PairKnown) -> str:
    """The curves of both agents, each below its ceiling."""
    curve, against = known.curve, opponent_in_words(shown.pair.against.text)
    drawn = []
    for seat in (0, 1):
        if learns(known, seat):
            own = curve if seat == 0 else mirrored(curve)
            drawn.append(series(_("agent {n}", n=seat + 1), own, str(seat + 1), against))
    return pages.part("training_curve.html", curve=pages.picture(curve_svg(drawn)), games=known.games)


def totals_part(known: PairKnown) -> str:
    """How all games have ended."""
    won, drawn, lost = known.totals
    return pages.part("training_totals.html", games=known.games, won=won, drawn=drawn, lost=lost)


def learns(known: PairKnown, seat: int) -> bool:
    """Whether the agent at a seat learns."""
    agent = known.seats[seat]
    return agent.learns if isinstance(agent, FollowedOwn) else agent is not None


def worth_part(pair: Pair, known: PairKnown, seat: int) -> str:
    """What the agent at a seat is worth now, exactly, and how it goes on learning."""
    agent = known.seats[seat]
    if agent is None:
        return ""
    varies = pair.grades.varies.get(seat, "")
    grade = grade_at(known.grade, (seat,)) if known.grade and learns(known, seat) and not varies else None
    epsilon = {option: value for option, _sign, value in dials_of(known, seat)}.get("epsilon", "")
    positions, decisions = experience(agent)
    return pages.part(
        "training_worth.html",
        grade=grade,
        payoff=localised(f"{grade.payoff:+.4f}") if grade else "",
        ceiling=localised(f"{grade.best_response_value:+.4f}") if grade else "",
        against=opponent_in_words(pair.against.text),
        epsilon=localised(epsilon),
        positions=positions,
        decisions=decisions,
        learns=learns(known, seat),
        varies=varies,
    )


def agent_choices(own: Sequence[str]) -> dict[str, dict[str, str]]:
    """Who may sit at a seat, by groups, as an address writes them and in words; the reader's `own` first."""
    found = {_("your agents"): {name: name for name in own}} if own else {}
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
    if isinstance(learner, FollowedOwn):
        rates = learner.rates() if learner.learns else {}
        return [(option, SYMBOLS[option], f"{value:.6g}") for option, value in rates.items()]
    found = []
    for option in OPTIONS:
        field = FIELDS.get(option, option)
        if hasattr(learner.parameters, field):
            value = learner.epsilon if option == "epsilon" else getattr(learner.parameters, field)
            shown = str(value) if option == "policy" else f"{value:.6g}"
            found.append((option, SYMBOLS.get(option, option), shown))
    return found
