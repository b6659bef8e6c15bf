"""The table of an agent of one's own, as its method `values(position)` gives it: a row for each position in
which it was to move, those of the game first, as it was before the game.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest

from damier.core.rules import State
from damier.core.words import _
from damier.draw.table import position_name
from damier.lab.followed_own import ChangedValue, FollowedOwn, OwnEpisode, Values
from damier.learn.memory import Row
from damier.web import pages
from damier.web.learning.table import ExactAnswers
from damier.web.messages.training_room import RoomCell
from damier.web.training.told_table import MOST_ROWS, TableRow, by_names, cells_of, headings, small_board
from damier.web.training.words import exact_number, full_number, hue_of, short_number

ASKING = 1.0
"""CPU seconds after which no more positions are asked about, but those of the game."""


@dataclass
class OwnTable:
    """What moves were worth to the agent at a seat, from 0, `before` a game; `own` is what it did in it."""

    seat: int
    before: FollowedOwn
    own: OwnEpisode

    @cached_property
    def _met(self) -> list[State]:
        """The positions of the game."""
        return list(dict.fromkeys(decision.state for decision in self.own.decisions))

    @cached_property
    def _numbers(self) -> dict[State, int]:
        """Every position in which it was ever to move, in that order, with its number."""
        return {s: number for number, s in enumerate(dict.fromkeys([*self.before.visits, *self._met]))}

    @cached_property
    def _values(self) -> dict[State, Values]:
        """Of the positions that are shown, before the game: in the order in which they were met."""
        found = dict(self._asked())
        return dict(sorted(found.items(), key=lambda each: self._numbers[each[0]]))

    def _asked(self) -> Iterator[tuple[State, Values]]:
        """The positions of the game, and those that it was most often in, as far as there is time."""
        asked, begun = self.before.copied(), time.process_time()
        visits, known = self.before.visits, set(self._met)
        often = nlargest(
            max(0, MOST_ROWS - len(known)), (s for s in visits if s not in known), key=visits.__getitem__
        )
        for s in (*self._met, *often):
            if s in known or time.process_time() - begun < ASKING:
                yield s, asked.values_aside(asked.position(s))

    @cached_property
    def _scale(self) -> float:
        """The largest number that is shown."""
        changed = [change.after for told in self.own.tellings for change in told.changed]
        return max((abs(value) for row in self._values.values() for value in row.values()), default=0.0) or (
            max(map(abs, changed), default=0.0)
        )

    def row(self, s: State | None) -> str:
        return f"{self.seat + 1}-{self._numbers[s]}" if s is not None and self.before.says_values else ""

    def cell(self, s: State, move: int) -> str:
        return f"{self.row(s)}-{move}" if self.before.says_values else ""

    def changed(self, change: ChangedValue) -> RoomCell:
        """A cell that holds another value now."""
        return {
            "cell": self.cell(change.state, change.move),
            "text": short_number(change.after),
            "exactly": exact_number(change.after),
            "hue": hue_of(change.after, self._scale),
        }

    def in_words(self, change: ChangedValue) -> str:
        game = self.before.game
        return _(
            "{position}, {move}: {before} → {after}",
            position=position_name(game, change.state),
            move=game.name_move(change.state, change.move),
            before="–" if change.before is None else full_number(change.before),
            after=full_number(change.after),
        )

    def part(self, exact: ExactAnswers) -> str:
        """The table as a part of the page."""
        rows = by_names([self._row(s, values, exact) for s, values in self._values.items()])
        return pages.part(
            "training_table.html",
            rows=rows,
            columns=headings(rows),
            known=len(self._numbers),
            is_exact=exact.truth is not None,
            kind="own",
            numbered=exact.game.id is not None,
        )

    def _row(self, s: State, values: Values, exact: ExactAnswers) -> TableRow:
        game, visits = self.before.game, self.before.visits.get(s, 0)
        moves = game.legal(s)
        row = Row(s, tuple(moves), tuple(values.get(move, 0.0) for move in moves), (0,) * len(moves))
        shown = [
            (self.cell(s, move), move, short_number(value), exact_number(value), hue_of(value, self._scale))
            if (value := values.get(move)) is not None
            else (self.cell(s, move), move, "", "–", "")
            for move in moves
        ]
        return TableRow(
            self.row(s),
            small_board(game, s),
            position_name(game, s),
            visits,
            not visits,
            cells_of(game, s, shown, exact.of("q", row)),
        )
