"""One step of Q-learning: a table of two positions, a move, its reward, what the table says next
[WatkinsDayan92]. The step is taken by `damier.learn.q`, on a game of one decision or two.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from damier.core.bits import random_below, seeded
from damier.core.json_types import JsonObject
from damier.core.player import FIRST
from damier.core.words import _, decimal, together
from damier.draw.education import BeadBox, ValueRow, bead_step_svg, beads_in_words, q_step_svg
from damier.draw.matchbox import BeadKind
from damier.draw.svg import NOTHING, FillInLine
from damier.lab.exercises import AnswerField, Drill, FieldChoice, KnownAnswer, one_game, row_beads, row_values
from damier.learn import beads, q
from damier.learn.qtable import SeatArrays, best_entry, highest_value

# What a machine of matchboxes learns from one game: beads go in or out ([Michie63], [Gardner62]).
# The beads are moved by `damier.learn.beads`.

FEWEST, MOST = 2, 3
"""Boxes of a game, and kinds of beads in a box."""
RULES = ((3, 1, -1), (1, 0, -1), (4, 2, -2))
"""Beads for a win, a draw and a loss."""
RESULTS = (1, 0, -1)


@dataclass(frozen=True)
class BeadDrill(Drill):
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
        rng = seeded(seed)
        while True:
            drawn = cls(
                seed,
                tuple(random_box(rng) for _box in range(FEWEST + random_below(rng, MOST - FEWEST + 1))),
                RESULTS[random_below(rng, 3)],
                RULES[random_below(rng, 3)],
                ("every", "last")[random_below(rng, 2)],
            )
            if drawn.rule[RESULTS.index(drawn.result)] and all(map(sum, drawn.held)):
                return drawn

    @property
    def held(self) -> list[list[int]]:
        """The beads of every box after the game."""
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
    def known(self) -> tuple[KnownAnswer, ...]:
        found = []
        hint = _("only the kind that was drawn changes, and only in the boxes that the rule names")
        for number, (box, held) in enumerate(zip(self.boxes, self.held, strict=True), 1):
            for place, (before, after) in enumerate(zip(box.beads, held, strict=True)):
                letter = BeadKind(place).letter
                label = _("Box {n}: beads {letter} after the game", n=number, letter=letter)
                field = AnswerField(f"box:{number}:{letter}", label, "number")
                found.append(KnownAnswer(field, after, changed(box, place, before, after), hint))
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
        letter = BeadKind(last.drawn).letter
        label = _("Probability of drawing {letter} from box {n} next time", letter=letter, n=len(self.boxes))
        return (*found, KnownAnswer(AnswerField("share", label, "number"), share, reason, hint))

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
        sentence = _(
            "The ring shows which bead was drawn from each box, in the order of the game. What do the boxes"
            " hold now? No kind has less than 0."
        )
        return " ".join((ends[self.result], rule, where, sentence))

    def picture(self, title: str, note: str = "", *, solved: bool = False, headed: bool = True) -> str:
        letter = BeadKind(self.boxes[-1].drawn).letter
        line = _("next time, {letter} from box {n}: p =", letter=letter, n=len(self.boxes))
        filled, lines = self.filled(solved=solved), note.split("\n") if note else []
        return bead_step_svg(title, self.boxes, [FillInLine(line, "share")], filled, lines, headed=headed)

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
            "answers": self.key_facts(),
        }

    def lines(self) -> list[str]:
        boxes = [
            _("{name}: {value}", name=_("box {n}", n=number), value=beads_in_words(box))
            for number, box in enumerate(self.boxes, 1)
        ]
        return [*boxes, *(f"{field.label} = …" for field in self.fields())]


def random_box(rng: list[int]) -> BeadBox:
    """From two to three kinds, the one that is drawn at least once in it."""
    counts = [random_below(rng, 5) for _kind in range(FEWEST + random_below(rng, MOST - FEWEST + 1))]
    drawn = random_below(rng, len(counts))
    counts[drawn] += 1
    return BeadBox(tuple(counts), drawn)


def changed(box: BeadBox, place: int, before: int, after: int) -> str:
    """Return why a kind is as many as it is."""
    if place != box.drawn:
        return _("not drawn, so it stays at {n}", n=before)
    if after == before:
        return _("drawn, but this box neither gains nor loses: {n}", n=before)
    if after > before:
        return f"{before} + {after - before} = {after}"
    return f"{before} − {before - after} = {after}"


MOVES = ("a", "b", "c")
HERE, NEXT = "s", "s'"
REWARDS, STEP_SIZES, DISCOUNTS = (1.0, -1.0, 0.5, 0.0), (0.1, 0.2, 0.5), (0.5, 0.8, 1.0)
ENDS = 3
"""One in so many steps ends the game."""
APART = 0.02
"""What a step must change, and by how much the best move must be the best after it: more than what
an answer may be off.
"""


@dataclass(frozen=True)
class QDrill(Drill):
    """The step as it was drawn; values are tenths, so that they are easy to reckon with."""

    seed: int
    here: tuple[float, ...]
    following: tuple[float, ...]
    taken: int
    reward: float
    step_size: float
    discount: float
    is_end: bool
    kind: str = "q"

    @classmethod
    def of(cls, seed: int) -> QDrill:
        """The first step of a seed that changes something, with one best move after it."""
        rng = seeded(seed)
        while True:
            drawn = cls(
                seed,
                tenths(rng),
                tenths(rng),
                random_below(rng, len(MOVES)),
                REWARDS[random_below(rng, len(REWARDS))],
                STEP_SIZES[random_below(rng, len(STEP_SIZES))],
                DISCOUNTS[random_below(rng, len(DISCOUNTS))],
                random_below(rng, ENDS) == 0,
            )
            if drawn.asks_something:
                return drawn

    @property
    def asks_something(self) -> bool:
        row = row_values(self._after, 0)
        second, best = sorted(row)[-2:]
        return abs(row[self.taken] - self.here[self.taken]) > APART and best - second > APART

    @property
    def move(self) -> str:
        return MOVES[self.taken]

    @cached_property
    def _after(self) -> SeatArrays:
        """The table as the learner leaves it."""
        parameters = q.QParameters(
            win=self.reward,
            step_size=self.step_size,
            discount_factor=self.discount,
            backward_updates=False,
        )
        taken = [self.taken] if self.is_end else [self.taken, 0]
        rewards = [0.0, 0.0] if self.is_end else [0.0, self.reward, 0.0]
        seat = one_game([self.here, self.following], taken, rewards, parameters)
        q.learn(1 if self.is_end else 0, 0, tuple(seat))
        return seat

    @property
    def known(self) -> tuple[KnownAnswer, ...]:
        before = one_game([self.here, self.following], [], [0.0], q.QParameters())
        best = 0.0 if self.is_end else highest_value(1, before)
        learnt = row_values(self._after, 0)
        old, new = self.here[self.taken], learnt[self.taken]
        target = (new - (1 - self.step_size) * old) / self.step_size
        greedy = MOVES[best_entry(0, FIRST, self._after, [0])]
        moves = tuple(FieldChoice(move, move) for move in MOVES)
        numbers = {
            "r": decimal(self.reward),
            "gamma": decimal(self.discount),
            "alpha": decimal(self.step_size),
        }
        numbers |= {"best": decimal(round(best, 6)), "target": decimal(round(target, 6)), "old": decimal(old)}
        return (
            KnownAnswer(
                AnswerField("best", _("The largest value in s'"), "number"),
                best,
                _("the game is over, nothing follows: 0")
                if self.is_end
                else _("the largest in the row of s': {best}", **numbers),
                _("the row of s' alone; where the game is over, nothing follows"),
            ),
            KnownAnswer(
                AnswerField("target", _("The target r + γ · max Q(s', ·)"), "number"),
                target,
                "{r} + {gamma} · {best} = {target}".format(**numbers),
                _("r, and γ times what you have just found"),
            ),
            KnownAnswer(
                AnswerField("new", _("The new Q(s, {move})", move=self.move), "number"),
                new,
                "(1 − {alpha}) · {old} + {alpha} · {target} = {new}".format(
                    **numbers, new=decimal(round(new, 6))
                ),
                _("the old value goes the part α of the way to the target"),
            ),
            KnownAnswer(
                AnswerField("greedy", _("The best move in s after the step"), "choice", moves),
                greedy,
                _(
                    "the largest of {values}: {move}",
                    values=together(*(decimal(round(value, 6)) for value in learnt)),
                    move=greedy,
                ),
                _("the row of s after the step: one value in it has changed"),
            ),
        )

    def task(self) -> str:
        if self.is_end:
            sentence = _(
                "In {s} the agent plays {move}; the game is over, its reward is r = {r}.", **self._words
            )
        else:
            sentence = _(
                "In {s} the agent plays {move}, is given r = {r}, and moves next in {next}.", **self._words
            )
        rule = _(
            "One step of Q-learning with α = {alpha} and γ = {gamma}: Q(s, {move}) goes the part α of the way"
            " to r + γ · max Q(s', ·). Two decimals are enough.",
            **self._words,
        )
        return f"{sentence} {rule}"

    @property
    def _words(self) -> dict[str, str]:
        return {
            "s": HERE,
            "next": NEXT,
            "move": self.move,
            "r": decimal(self.reward),
            "alpha": decimal(self.step_size),
            "gamma": decimal(self.discount),
        }

    def picture(self, title: str, note: str = "", *, solved: bool = False, headed: bool = True) -> str:
        rows = [ValueRow(HERE, self.here, self.taken)]
        rows += [] if self.is_end else [ValueRow(NEXT, self.following)]
        given = "r = {r}     α = {alpha}     γ = {gamma}".format(**self._words)
        lines = [
            FillInLine("max Q(s', ·) =", "best"),
            FillInLine("r + γ · max Q(s', ·) =", "target"),
            FillInLine(_("new Q(s, {move}) =", move=self.move), "new"),
            FillInLine(_("best move in s, after it:"), "greedy"),
        ]
        filled, note_lines = self.filled(solved=solved), note.split("\n") if note else []
        return q_step_svg(title, rows, MOVES, given, lines, filled or NOTHING, note_lines, headed=headed)

    def facts(self) -> JsonObject:
        table = {HERE: dict(zip(MOVES, self.here, strict=True))}
        if not self.is_end:
            table[NEXT] = dict(zip(MOVES, self.following, strict=True))
        step: JsonObject = {
            "s": HERE,
            "a": self.move,
            "r": self.reward,
            "next": None if self.is_end else NEXT,
        }
        return {
            "table": {row: dict(values) for row, values in table.items()},
            "step": step,
            "alpha": self.step_size,
            "gamma": self.discount,
            "answers": self.key_facts(),
        }

    def lines(self) -> list[str]:
        rows = [(HERE, self.here)] + ([] if self.is_end else [(NEXT, self.following)])
        head = "      " + "".join(f"{move:>7}" for move in MOVES)
        return [
            head,
            *(f"{name:<6}" + "".join(f"{decimal(value):>7}" for value in row) for name, row in rows),
            *(f"{field.label} = …" for field in self.fields()),
        ]


def tenths(rng: list[int]) -> tuple[float, ...]:
    """Different values from -0.9 to 0.9, one a move."""
    left = [number for number in range(-9, 10) if number]
    return tuple(left.pop(random_below(rng, len(left))) / 10 for _move in MOVES)
