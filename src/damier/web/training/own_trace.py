"""What an agent of one's own shows of a game: what it decided, what its methods were told, and which of the
values that it gives are others then. How it chooses and learns nobody can tell but its file.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest

from damier.agents.methods import EpisodeStep
from damier.core.position import Position
from damier.core.rules import State
from damier.core.words import _, ngettext
from damier.draw.text import position_name
from damier.lab.traced_agent import ChangedValue, FollowedOwn, OwnDecision, OwnEpisode, OwnTelling, Values
from damier.learn.action_values import Row
from damier.learn.episode_trace import WatchedEpisode
from damier.web import pages
from damier.web.learning.table import ExactAnswers
from damier.web.messages.training import RoomCell, RoomStep
from damier.web.training.shares import shares_part
from damier.web.training.trace import gains_of, plies_of, signed
from damier.web.training.trace_table import MOST_ROWS, TableRow, by_names, cells_of, headings, small_board
from damier.web.training.words import exact_number, full_number, hue_of, short_number


@dataclass
class ToldByOwn:
    """The agent at a seat, as it was `before` the game and as the game has left it."""

    seat: int
    episode: WatchedEpisode
    before: FollowedOwn
    agent: FollowedOwn

    @property
    def learns(self) -> bool:
        return self.agent.learns

    @cached_property
    def _own(self) -> OwnEpisode:
        return self.agent.episode or OwnEpisode()

    @cached_property
    def _plies(self) -> list[int]:
        """Those of its own moves; none where a person sits in its place."""
        return plies_of(self.episode, self.seat) if self._own.decisions else []

    @cached_property
    def _shown(self) -> OwnTable:
        return OwnTable(self.seat, self.before, self._own)

    @cached_property
    def _fallen(self) -> dict[int, str]:
        return {
            ply: signed(gained if mover == self.seat else -gained)
            for ply, mover, gained in gains_of(self.episode)
        }

    def _decided(self, ply: int) -> OwnDecision | None:
        return self._own.decisions[self._plies.index(ply)] if ply in self._plies else None

    def why(self, ply: int) -> str:
        found = self._decided(ply)
        if found is None:
            return ""
        game, move = self.episode.game, self.episode.game.name_move(found.state, found.move)
        if found.shares is None:
            said = _(
                "Agent {n} plays {move}. How it has chosen only its file knows: it has no policy(position).",
                n=self.seat + 1,
                move=move,
            )
            return pages.part("training_why.html", said=said, bar="")
        return shares_part(
            _("Agent {n} plays {move}. What its policy says of the moves:", n=self.seat + 1, move=move),
            [(game.name_move(found.state, each), share) for each, share in found.shares.items()],
        )

    def cell(self, ply: int) -> str:
        found = self._decided(ply)
        return self._shown.cell(found.state, found.move) if found else ""

    def row(self, ply: int) -> str:
        found = self._decided(ply)
        return self._shown.row(found.state) if found else ""

    def decision(self, ply: int) -> int:
        return self._plies.index(ply) if self.learns and ply in self._plies else -1

    def fallen(self, ply: int) -> str:
        return self._fallen.get(ply, "") if self.learns else ""

    def received(self, ply: int) -> str:
        turn = self.decision(ply)
        return next((reward_in(told) for told in self._own.tellings if told.turn == turn), "")

    def end(self) -> str:
        ends = [told for told in self._own.tellings if told.turn is None]
        return next(filter(None, map(reward_in, ends)), "")

    def steps(self) -> list[RoomStep]:
        return list(map(self._step, self._own.tellings))

    def _step(self, told: OwnTelling) -> RoomStep:
        """A method that was called."""
        decision = (len(self._own.decisions) if told.turn is None else told.turn) - 1
        state = self._own.decisions[decision].state if decision >= 0 else None
        cells = [self._shown.changed(changed) for changed in told.changed]
        return {
            "seat": self.seat + 1,
            "decision": decision,
            "frame": len(self.episode.positions()) - 1 if told.turn is None else self._plies[told.turn],
            "row": self._shown.row(told.changed[0].state if told.changed else state),
            "cells": cells,
            "formula": pages.part(
                "training_told.html",
                seat=self.seat + 1,
                call=f"{told.method}({', '.join(told.told)})",
                told=[(word, in_words(value)) for word, value in told.told.items()],
                changed=[self._shown.in_words(changed) for changed in told.changed],
                gives_values=self.agent.says_values,
                file=self.agent.source.name,
            ),
        }

    def table(self, exact: ExactAnswers) -> str:
        if not self.before.says_values:
            return pages.part("training_own.html", file=self.agent.source.name)
        return self._shown.part(exact)


def reward_in(told: OwnTelling) -> str:
    """The reward that a method asked for; at the end of a game, else its payoff."""
    for word in ("reward", "payoff"):
        if isinstance(value := told.told.get(word), (int, float)):
            return signed(value)
    return ""


def in_words(value: object) -> str:
    """What a method was told, in words."""
    if isinstance(value, Position):
        return position_name(value.game, value.state)
    if isinstance(value, (int, float)):
        return signed(value)
    if isinstance(value, tuple):
        decisions = [each for each in value if isinstance(each, EpisodeStep)]
        return ngettext("{n} decision", "{n} decisions", len(decisions))
    return "–" if value is None else str(value)


# The table of an agent of one's own, as its method `values(position)` gives it: a row for each position in
# which it was to move, those of the game first, as it was before the game.

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
