"""What a machine of matchboxes learns from one game: beads go in or out ([Michie63], [Gardner62]).
The beads are moved by `damier.learn.beads`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from damier.core.bits import random_below, reseed
from damier.core.json_types import JsonObject
from damier.core.words import _, decimal
from damier.draw.blocks import FillInLine
from damier.draw.drills import BeadBox, bead_step_svg, beads_in_words
from damier.draw.matchbox import BeadKind
from damier.lab.exercises.drill import (
    AnswerField,
    Answers,
    KnownAnswer,
    key_facts,
    marked_known,
    one_game,
    row_beads,
    shown_answers,
    typed,
)
from damier.learn import beads
from damier.learn.qtable import SeatArrays
from damier.trees.marking import Marked

FEWEST, MOST = 2, 3
"""Boxes of a game, and kinds of beads in a box."""
RULES = ((3, 1, -1), (1, 0, -1), (4, 2, -2))
"""Beads for a win, a draw and a loss."""
RESULTS = (1, 0, -1)


@dataclass(frozen=True)
class BeadDrill:
    """A game of a machine: the boxes that it opened, how it ended, the rule."""

    seed: int
    boxes: tuple[BeadBox, ...]
    result: int
    rule: tuple[int, int, int]
    punish: Literal["every", "last"]
    kind: str = "beads"

    @classmethod
    def of(cls, seed: int) -> BeadDrill:
        """The first game of a seed after which no box is empty, and that changes something."""
        rng = [0]
        reseed(rng, seed, 0)
        while True:
            drawn = cls(
                seed,
                tuple(random_box(rng) for _box in range(FEWEST + random_below(rng, MOST - FEWEST + 1))),
                RESULTS[random_below(rng, 3)],
                RULES[random_below(rng, 3)],
                ("every", "last")[random_below(rng, 2)],
            )
            if drawn.beads_of_result and all(map(sum, drawn.held)):
                return drawn

    @property
    def beads_of_result(self) -> int:
        """Beads that the rule gives for this end."""
        return self.rule[RESULTS.index(self.result)]

    @property
    def held(self) -> list[list[int]]:
        """What every box holds after the game."""
        return [row_beads(self._after, row) for row in range(len(self.boxes))]

    @cached_property
    def _after(self) -> SeatArrays:
        win, draw, loss = self.rule
        parameters = beads.BeadsParameters(win=win, draw=draw, loss=loss, punish=self.punish)
        seat = one_game(
            [box.beads for box in self.boxes],
            [box.drawn for box in self.boxes],
            [0.0] * (len(self.boxes) + 1),
            parameters,
        )
        beads.learn(self.result, 0, tuple(seat))
        return seat

    @property
    def _known(self) -> tuple[KnownAnswer, ...]:
        found, fields = [], iter(self.fields())
        for box, held in zip(self.boxes, self.held, strict=True):
            for place, (before, after) in enumerate(zip(box.beads, held, strict=True)):
                found.append(
                    KnownAnswer(next(fields), after, changed(box, place, before, after), bead_hint())
                )
        last, held = self.boxes[-1], self.held[-1]
        total = beads.beads_in(len(self.boxes) - 1, self._after)
        share = held[last.drawn] / total
        reason = _(
            "{held} of {total} beads in box {box}: {share}",
            held=held[last.drawn],
            total=total,
            box=len(self.boxes),
            share=decimal(share, ".3g"),
        )
        hint = _("beads of its kind, divided by all beads of the box, as it is after the game")
        return (*found, KnownAnswer(next(fields), share, reason, hint))

    def task(self) -> str:
        ends = {1: _("The machine has won."), 0: _("The game was drawn."), -1: _("The machine has lost.")}
        rule = _(
            "Beads of the kind drawn, for each box of the game: win {win}, draw {draw}, loss {loss}.",
            win=f"{self.rule[0]:+}",
            draw=f"{self.rule[1]:+}",
            loss=f"{self.rule[2]}".replace("-", "−"),
        )
        where = (
            _("After a loss only the last box of the game loses beads.")
            if self.punish == "last"
            else _("After a loss each box of the game loses beads.")
        )
        asked = _(
            "The ring shows which bead was drawn from each box, in the order of the game. What do the boxes"
            " hold now? No kind has less than 0."
        )
        return " ".join((ends[self.result], rule, where, asked))

    def fields(self) -> tuple[AnswerField, ...]:
        found = [
            AnswerField(
                f"box:{number}:{BeadKind(place).letter}",
                _("Box {n}: beads {letter} after the game", n=number, letter=BeadKind(place).letter),
                "number",
            )
            for number, box in enumerate(self.boxes, 1)
            for place in range(len(box.beads))
        ]
        letter = BeadKind(self.boxes[-1].drawn).letter
        label = _("Probability of drawing {letter} from box {n} next time", letter=letter, n=len(self.boxes))
        return (*found, AnswerField("share", label, "number"))

    def sheet_svg(self, title: str, note: str = "", *, headed: bool = True) -> str:
        return self._svg(title, {}, note, headed)

    def key_svg(self, title: str, note: str = "", *, headed: bool = True) -> str:
        return self._svg(title, shown_answers(self._known), note, headed)

    def _svg(self, title: str, filled: dict[str, str], note: str, headed: bool) -> str:
        letter = BeadKind(self.boxes[-1].drawn).letter
        line = _("next time, {letter} from box {n}: p =", letter=letter, n=len(self.boxes))
        said = note.split("\n") if note else []
        return bead_step_svg(title, self.boxes, [FillInLine(line, "share")], filled, said, headed=headed)

    def marked(self, answers: Answers) -> list[Marked]:
        return marked_known(self._known, answers)

    def right_answers(self) -> dict[str, str]:
        return typed(self._known)

    def solution(self) -> list[str]:
        return [f"{each.field.label}: {each.reason}" for each in self._known]

    def facts(self) -> JsonObject:
        boxes: list[JsonObject] = [
            {"beads": list(box.beads), "drawn": box.drawn, "after": held}
            for box, held in zip(self.boxes, self.held, strict=True)
        ]
        win, draw, loss = self.rule
        return {
            "boxes": boxes,
            "result": {1: "win", 0: "draw", -1: "loss"}[self.result],
            "rule": {"win": win, "draw": draw, "loss": loss, "punish": self.punish},
            "answers": key_facts(self._known),
        }

    def lines(self) -> list[str]:
        boxes = [
            _("box {n}", n=number) + f": {beads_in_words(box)}" for number, box in enumerate(self.boxes, 1)
        ]
        return [*boxes, *(f"{field.label} = …" for field in self.fields())]

    def tree_text(self) -> str:
        return ""


def random_box(rng: list[int]) -> BeadBox:
    """From two to three kinds, the one that is drawn at least once in it."""
    counts = [random_below(rng, 5) for _kind in range(FEWEST + random_below(rng, MOST - FEWEST + 1))]
    drawn = random_below(rng, len(counts))
    counts[drawn] += 1
    return BeadBox(tuple(counts), drawn)


def bead_hint() -> str:
    return _("only the kind that was drawn changes, and only in the boxes that the rule names")


def changed(box: BeadBox, place: int, before: int, after: int) -> str:
    """Why a kind is as many as it is."""
    if place != box.drawn:
        return _("not drawn, so it stays at {n}", n=before)
    if after == before:
        return _("drawn, but this box neither gains nor loses: {n}", n=before)
    if after > before:
        return f"{before} + {after - before} = {after}"
    return f"{before} − {before - after} = {after}"
