"""What a learner with a table of damier's tells of a game: the numbers with which it chose, and every cell
that it learnt from, with its formula.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from damier.core.words import _, ngettext
from damier.draw.text import position_name
from damier.learn.episode_trace import ToldDecision, ToldUpdate, WatchedEpisode
from damier.learn.player import AnyParameters
from damier.web import pages
from damier.web.learning.table import ExactAnswers
from damier.web.messages.training import RoomStep
from damier.web.training.shares import why_part
from damier.web.training.trace import gains_of, plies_of, signed
from damier.web.training.trace_table import SeatTable, table_part
from damier.web.training.words import exact_number, full_number


@dataclass
class ToldByTable:
    """The learner at a seat; `shown` is its table after the game, which tells what it held before."""

    shown: SeatTable
    episode: WatchedEpisode
    learns: bool = True

    @property
    def parameters(self) -> AnyParameters:
        return self.shown.parameters

    @cached_property
    def _decisions(self) -> list[ToldDecision]:
        return [told for told in self.episode.decisions if told.player == self.shown.seat]

    @cached_property
    def _taken(self) -> dict[int, ToldDecision]:
        """Its decisions, by the ply of the move that they came to; giving up is one, too."""
        if not self._decisions:  # somebody else sits there
            return {}
        plies = plies_of(self.episode, self.shown.seat)
        found = dict(zip(plies, self._decisions, strict=False))
        if len(self._decisions) > len(plies):
            found[len(self.episode.moves) - 1] = self._decisions[-1]
        return found

    @cached_property
    def _learnt_from(self) -> list[ToldDecision]:
        return [told for told in self._decisions if told.entry >= 0]

    @cached_property
    def _fallen(self) -> dict[int, str]:
        """What moves gained it, by their ply, as it was told of them."""
        gains = self.episode.rewards[self.shown.seat]
        return {
            ply: signed(gain)
            for (ply, _mover, _gained), gain in zip(gains_of(self.episode), gains, strict=False)
        }

    @cached_property
    def _updates(self) -> list[ToldUpdate]:
        return [told for told in self.episode.updates if told.player == self.shown.seat]

    def why(self, ply: int) -> str:
        told = self._taken.get(ply)
        return why_part(self.episode.game, self.shown.algorithm, self.parameters, told) if told else ""

    def cell(self, ply: int) -> str:
        told = self._taken.get(ply)
        return cell_of(told) if told and told.entry >= 0 else ""

    def row(self, ply: int) -> str:
        told = self._taken.get(ply)
        return row_of(told) if told and told.row >= 0 and told.move else ""

    def decision(self, ply: int) -> int:
        told = self._taken.get(ply)
        return self._learnt_from.index(told) if told and told.entry >= 0 else -1

    def fallen(self, ply: int) -> str:
        return self._fallen.get(ply, "")

    def received(self, ply: int) -> str:
        number, received = self.decision(ply), self.episode.received[self.shown.seat]
        if number < 0 or ply <= self.shown.seat or not getattr(self.parameters, "event", 0.0):
            return ""
        return signed(received[number] if number < len(received) else 0.0)

    def end(self) -> str:
        last = max(self._updates, key=lambda update: update.decision, default=None)
        return signed(last.reward) if last else ""

    def steps(self) -> list[RoomStep]:
        return [self._step(update) for update in self._updates]

    def _step(self, update: ToldUpdate) -> RoomStep:
        """A cell that was learnt from."""
        game, decision = self.episode.game, self._learnt_from[update.decision]
        later = [told for told in self._updates if told.decision == update.decision + 1]
        last = update.decision == max(told.decision for told in self._updates)
        what = _(
            "Agent {n}, {position}, {move}",
            n=self.shown.seat + 1,
            position=position_name(game, decision.state),
            move=game.name_move(decision.state, decision.move),
        )
        target = None if last else later[0].target
        return {
            "seat": self.shown.seat + 1,
            "decision": update.decision,
            "frame": len(self.episode.positions()) - 1,
            "row": row_of(decision),
            "cells": [
                {
                    "cell": cell_of(decision),
                    "text": self.shown.text_of(update.after),
                    "exactly": exact_number(update.after),
                    "hue": self.shown.hue(update.after, self._total_after(decision)),
                }
            ],
            "formula": formula_part(self.shown.algorithm, self.parameters, update, target, what),
        }

    def _total_after(self, decision: ToldDecision) -> float:
        """How many beads a box holds after a step."""
        ((_number, row),) = self.shown.memory.selected([decision.row])
        return max(1.0, float(sum(row.counts)))

    def table(self, exact: ExactAnswers) -> str:
        return table_part(self.shown, self.episode, exact)


def cell_of(decision: ToldDecision) -> str:
    return f"{row_of(decision)}-{decision.entry}"


def row_of(decision: ToldDecision) -> str:
    return f"{decision.player + 1}-{decision.row}"


# A step of learning as a formula, with the numbers that the learner has computed.


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
