"""A step of learning as a formula, with the numbers that the learner has computed."""

from __future__ import annotations

from typing import NamedTuple

from damier.core.words import _, ngettext
from damier.learn.player import AnyParameters
from damier.learn.watched import ToldUpdate
from damier.web import pages
from damier.web.training.words import exact_number, full_number


class Formula(NamedTuple):
    """what   the cell that changes; letters: the formula; numbers: the same with its numbers
    note   where the numbers come from
    """

    what: str
    letters: str
    numbers: str
    note: str


def formula_part(
    algorithm: str, parameters: AnyParameters, update: ToldUpdate, later: float | None, what: str
) -> str:
    """A step as a part of the page; `later` is the target of the decision that was learnt from before,
    None where this is the last of the game.
    """
    found = {"beads": of_beads, "mean": of_mean, "v": of_v}.get(algorithm, of_q)(parameters, update, later)
    return pages.part(
        "training_formula.html",
        what=what,
        letters=found.letters,
        numbers=found.numbers,
        note=found.note,
        result=full_number(update.after),
        exactly=exact_number(update.after),
    )


def of_q(p: AnyParameters, update: ToldUpdate, later: float | None) -> Formula:
    """Q-learning and SARSA."""
    expected = "Q(s′, a′)" if p.on_policy else "max Q(s′, ·)"
    step, rest = full_number(p.step_size), full_number(1.0 - p.step_size)
    return Formula(
        "Q(s, a)",
        f"(1 − α) · Q(s, a) + α · ({target_in_letters(expected, update)})",
        f"{rest} · {bracketed(update.before)} + {step} · ({target_in_numbers(p, update, later)})",
        note_of(p, later),
    )


def of_v(p: AnyParameters, update: ToldUpdate, later: float | None) -> Formula:
    """The V-function."""
    target = target_in_letters("V(s′)", update)
    return Formula(
        "V(s)",
        f"V(s) + α · ({target} − V(s))",
        f"{full_number(update.before)} + {full_number(p.step_size)} · "
        f"({target_in_numbers(p, update, later)} − {bracketed(update.before)})",
        note_of(p, later),
    )


def of_mean(p: AnyParameters, update: ToldUpdate, later: float | None) -> Formula:
    """Mean scores."""
    return Formula(
        "m(s, a)",
        "m + (r − m) / n",
        f"{full_number(update.before)} + "
        f"({full_number(update.target)} − {bracketed(update.before)}) / {update.times}",
        _("r is all that came after this move; n counts its games, the first of which is taken for granted."),
    )


def of_beads(p: AnyParameters, update: ToldUpdate, later: float | None) -> Formula:
    """Matchboxes."""
    beads = int(update.reward)
    if beads >= 0:
        note = ngettext("{n} bead of its colour is put in.", "{n} beads of its colour are put in.", beads)
    else:
        note = ngettext(
            "{n} bead of its colour is taken out.", "{n} beads of its colour are taken out.", -beads
        )
    return Formula(
        "b(s, a)",
        "b + r" if beads >= 0 else "max(0, b + r)",
        f"{full_number(update.before)} + {bracketed(update.reward)}",
        note,
    )


def target_in_letters(expected: str, update: ToldUpdate) -> str:
    """What a value moves towards."""
    if update.trace:
        return f"r + γ · ({expected} + λ · (T′ − {expected}))"
    return f"r + γ · {expected}"


def target_in_numbers(p: AnyParameters, update: ToldUpdate, later: float | None) -> str:
    expected = bracketed(update.following)
    if update.trace and later is not None:
        trace = full_number(update.trace)
        expected = f"({full_number(update.following)} + {trace} · ({full_number(later)} − {expected}))"
    return f"{full_number(update.reward)} + {full_number(p.discount_factor)} · {expected}"


def note_of(p: AnyParameters, later: float | None) -> str:
    """Where the value of what follows comes from."""
    if later is None:
        return _("The game ends after this move: nothing follows, and r is the reward of its end.")
    if p.lambda_:
        return _("T′ is what the step before this one moved towards.")
    if p.backward_updates:
        return _("Backwards: the value of what follows has just been learnt, in the step before this one.")
    return _("One step: the value of what follows is the one from before the game.")


def bracketed(value: float) -> str:
    """A number after a sign."""
    shown = full_number(value)
    return f"({shown})" if shown.startswith("−") else shown
