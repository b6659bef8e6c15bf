"""What an agent of one's own shows of a game: what it decided, what its methods were told, and which of the
values that it gives are others then. How it chooses and learns nobody can tell but its file.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from damier.agents.methods import EpisodeStep
from damier.core.position import Position
from damier.core.words import _, ngettext
from damier.draw.table import position_name
from damier.lab.followed_own import FollowedOwn, OwnDecision, OwnEpisode, OwnTelling
from damier.learn.watched import WatchedEpisode
from damier.web import pages
from damier.web.learning.table import ExactAnswers
from damier.web.messages.training_room import RoomStep
from damier.web.training.own_table import OwnTable
from damier.web.training.shares import shares_part
from damier.web.training.told import gains_of, plies_of, signed


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
