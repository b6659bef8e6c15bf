"""A game of the training room as a film: a frame for every position, and a step for whatever is learnt, at
its place between them.
"""

from __future__ import annotations

from typing import NamedTuple

from damier.core.player import Player
from damier.core.position import Position
from damier.core.rules import CHANCE
from damier.core.words import _
from damier.draw.annotations import move_marks
from damier.draw.board import board_svg
from damier.draw.text import position_name
from damier.lab.traced_agent import FollowedOwn
from damier.learn.episode_trace import WatchedEpisode
from damier.learn.player import LearningPlayer
from damier.web import pages
from damier.web.messages.training import RoomFrame, RoomStep
from damier.web.training.own_trace import ToldByOwn
from damier.web.training.pair import Pair, PairKnown
from damier.web.training.seats import SeatKnown
from damier.web.training.table_trace import ToldByTable
from damier.web.training.trace import SeatTold, in_order
from damier.web.training.trace_table import SeatTable, small_board


class TimeStep(NamedTuple):
    """A move of a game, as its line of time shows it.

    fallen  by seat, what the move gained an agent; told: what its mover had received before it
    decision  its place among the decisions of its mover; -1 where nobody learns from it
    """

    seat: int
    board: str
    name: str
    move: str
    fallen: tuple[str, str]
    told: str
    decision: int


class ShownGame(NamedTuple):
    """A game that is shown: `before` it, and what the agents at both seats tell of it."""

    pair: Pair
    before: PairKnown
    episode: WatchedEpisode
    told: tuple[SeatTold | None, SeatTold | None]

    def by(self, position: Position) -> SeatTold | None:
        """Who moves in a position, where that is an agent that tells something."""
        return self.told[position.mover] if position.mover in (0, 1) else None


def told_by(
    before: PairKnown, episode: WatchedEpisode, agents: tuple[Player, Player]
) -> list[SeatTold | None]:
    """What the agents tell of a game: they are as it has left them."""
    found: list[SeatTold | None] = []
    for number, (agent, seat) in enumerate(zip(agents, before.seats, strict=True)):
        if isinstance(agent, FollowedOwn) and isinstance(seat, FollowedOwn):
            found.append(ToldByOwn(number, episode, seat, agent))
        elif isinstance(agent, LearningPlayer) and isinstance(seat, SeatKnown):
            table = SeatTable(number, agent.name, seat.parameters, agent.memory, len(seat.memory))
            found.append(ToldByTable(table, episode))
        else:
            found.append(None)
    return found


def frames_of(shown: ShownGame) -> list[RoomFrame]:
    """A frame for every position."""
    positions = shown.episode.positions()
    movers = [shown.by(position) for position in positions]
    found: list[RoomFrame] = []
    for ply, position in enumerate(positions):
        last, earlier = ply == len(positions) - 1, movers[ply - 1] if ply else None
        mover = movers[ply]
        found.append(
            {
                "board": picture_of(shown, position, waits=last and shown.episode.waits),
                "said": said(shown, position, last=last),
                "why": earlier.why(ply - 1) if earlier else "",
                "cell": earlier.cell(ply - 1) if earlier else "",
                "row": mover.row(ply) if mover else "",
            }
        )
    if shown.episode.resigned and (mover := movers[-1]):
        found[-1]["why"] = mover.why(len(positions) - 1)
    return found


def steps_of(shown: ShownGame) -> list[RoomStep]:
    """A step for whatever is learnt."""
    return in_order(filter(None, shown.told))


def picture_of(shown: ShownGame, position: Position, *, waits: bool) -> str:
    """The board; with the moves of a person who is to move, as a part of the page."""
    marks = move_marks(position.game, position.state) if waits else []
    return pages.part(
        "training_board.html",
        picture=pages.picture(board_svg(position, marks)),
        moves=position.moves if waits else (),
    )


def said(shown: ShownGame, position: Position, *, last: bool) -> str:
    """Whose turn it is, or how the game has ended."""
    if last and shown.episode.waits:
        return _("Your move.")
    if last:
        return end_in_words(shown.episode, position)
    if position.mover == CHANCE:
        return _("A die is thrown.")
    return _("Player {n} to move", n=position.mover + 1)


def end_in_words(episode: WatchedEpisode, position: Position) -> str:
    """How a game has ended."""
    if episode.resigned:
        return _(
            "Player {n} gives up: player {other} has won.", n=position.mover + 1, other=2 - position.mover
        )
    payoffs = position.payoffs or (0, 0)
    if payoffs[0] == payoffs[1]:
        return _("A draw.")
    return _("Player {n} has won.", n=1 + (payoffs[1] > payoffs[0]))


def time_line(shown: ShownGame) -> list[TimeStep]:
    """The moves of a game, with rewards where they fall, and where they are told."""
    game, found = shown.pair.lab.game, []
    for ply, (position, move) in enumerate(zip(shown.episode.positions(), shown.episode.moves, strict=False)):
        first, second = (told.fallen(ply) if told else "" for told in shown.told)
        mover = shown.by(position)
        found.append(
            TimeStep(
                position.mover,
                small_board(game, position.state),
                position_name(game, position.state),
                game.name_move(position.state, move) if move else _("gives up"),
                (first, second),
                mover.received(ply) if mover else "",
                mover.decision(ply) if mover else -1,
            )
        )
    return found
