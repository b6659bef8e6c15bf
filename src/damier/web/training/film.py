"""A game of the training room as a film: a frame for every position, then a step for every cell that is
learnt from, the last decision first.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from damier.core.player import Player
from damier.core.position import Position
from damier.core.rules import CHANCE
from damier.core.words import _
from damier.draw.board import board_svg
from damier.draw.marks import move_marks
from damier.draw.table import position_name
from damier.learn.player import LearningPlayer
from damier.learn.watched import Episode, ToldDecision, ToldUpdate
from damier.web import pages
from damier.web.messages.training_room import RoomFrame, RoomStep
from damier.web.training.formula import formula_part
from damier.web.training.pair import Pair, PairKnown
from damier.web.training.shares import why_part
from damier.web.training.told_table import SeatTable, small_board
from damier.web.training.words import exact_number, full_number


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
    """A game that is shown: `before` it, and the tables while it goes on."""

    pair: Pair
    before: PairKnown
    episode: Episode
    person: int
    tables: tuple[SeatTable | None, SeatTable | None]

    def name_of(self, player: int) -> str:
        agent = self.pair.players[player]
        return agent.name if isinstance(agent, LearningPlayer) else ""

    def parameters(self, player: int) -> Any:
        seat = self.before.seats[player]
        return seat.parameters if seat else None


def frames_of(shown: ShownGame) -> list[RoomFrame]:
    """A frame for every position."""
    positions = shown.episode.positions()
    taken = by_ply(shown.episode)
    found: list[RoomFrame] = []
    for ply, position in enumerate(positions):
        last = ply == len(positions) - 1
        decision = taken.get(ply - 1)
        found.append(
            {
                "board": picture_of(shown, position, waits=last and shown.episode.waits),
                "said": said(shown, position, last=last),
                "why": "" if decision is None else why(shown, decision),
                "cell": "" if decision is None or decision.entry < 0 else cell_of(decision),
                "row": row_at(taken, ply),
            }
        )
    if shown.episode.resigned:
        found[-1]["why"] = why(shown, shown.episode.decisions[-1])
    return found


def why(shown: ShownGame, decision: ToldDecision) -> str:
    player = decision.player
    return why_part(shown.pair.lab.game, shown.name_of(player), shown.parameters(player), decision)


def by_ply(episode: Episode) -> dict[int, ToldDecision]:
    """The decisions of learners, by the number of the move that they came to."""
    learners = {decision.player for decision in episode.decisions}
    left = list(episode.decisions)
    found: dict[int, ToldDecision] = {}
    for ply, (position, move) in enumerate(zip(episode.positions(), episode.moves, strict=False)):
        if left and move and position.mover in learners:
            found[ply] = left.pop(0)
    return found


def cell_of(decision: ToldDecision) -> str:
    return f"{decision.player + 1}-{decision.row}-{decision.entry}"


def row_at(taken: dict[int, ToldDecision], ply: int) -> str:
    """The row of the position at hand, where a learner moves next."""
    decision = taken.get(ply)
    return f"{decision.player + 1}-{decision.row}" if decision and decision.row >= 0 else ""


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


def end_in_words(episode: Episode, position: Position) -> str:
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
    episode, game = shown.episode, shown.pair.lab.game
    taken, rewards = by_ply(episode), [list(found) for found in episode.rewards]
    received = [list(found) for found in episode.received]
    counted = [0, 0]
    found = []
    for ply, (position, move) in enumerate(zip(episode.positions(), episode.moves, strict=False)):
        gained = bool(move) and position.mover != CHANCE and game.rules["reward"](position.state, move) != 0
        fallen = [signed(rewards[seat].pop(0)) if gained and rewards[seat] else "" for seat in (0, 1)]
        decision = taken.get(ply)
        learns = decision is not None and decision.entry >= 0
        seat = position.mover
        told = received[seat][counted[seat]] if learns and counted[seat] < len(received[seat]) else 0.0
        found.append(
            TimeStep(
                seat,
                small_board(game, position.state),
                position_name(game, position.state),
                game.name_move(position.state, move) if move else _("gives up"),
                (fallen[0], fallen[1]),
                signed(told) if learns and ply > seat and has_rewards(shown, seat) else "",
                counted[seat] if learns else -1,
            )
        )
        if learns:
            counted[seat] += 1
    return found


def has_rewards(shown: ShownGame, seat: int) -> bool:
    """Whether the agent at a seat is told of what moves gain."""
    return bool(getattr(shown.parameters(seat), "event", 0.0))


def signed(value: float) -> str:
    """A reward.

    >>> signed(10.0), signed(-10.0), signed(0.0)
    ('+10', '−10', '0')
    """
    return ("+" if value > 0 else "") + full_number(value)


def end_rewards(shown: ShownGame) -> tuple[str, str]:
    """What the end of a game gives each learner; nothing where it goes on, or nobody learns."""
    found = ["", ""]
    for seat in (0, 1):
        updates = [update for update in shown.episode.updates if update.player == seat]
        if updates:
            last = max(updates, key=lambda update: update.decision)
            found[seat] = signed(last.reward)
    return found[0], found[1]


def steps_of(shown: ShownGame) -> list[RoomStep]:
    """A step for every cell that was learnt from, as the learners did it."""
    taken: dict[int, list[ToldDecision]] = {0: [], 1: []}
    for decision in shown.episode.decisions:
        if decision.entry >= 0:
            taken[decision.player].append(decision)
    return [step_of(shown, update, taken[update.player][update.decision]) for update in shown.episode.updates]


def step_of(shown: ShownGame, update: ToldUpdate, decision: ToldDecision) -> RoomStep:
    """One of them."""
    game, player, table = shown.pair.lab.game, update.player, shown.tables[update.player]
    assert table is not None
    later = [u for u in shown.episode.updates if (u.player, u.decision) == (player, update.decision + 1)]
    last = update.decision == max(u.decision for u in shown.episode.updates if u.player == player)
    what = _(
        "Agent {n}, {position}, {move}",
        n=player + 1,
        position=position_name(game, decision.state),
        move=game.name_move(decision.state, decision.move),
    )
    target = None if last else later[0].target
    return {
        "cell": cell_of(decision),
        "row": f"{player + 1}-{decision.row}",
        "decision": update.decision,
        "text": table.text_of(update.after),
        "exactly": exact_number(update.after),
        "hue": table.hue(update.after, total_after(table, decision)),
        "formula": formula_part(shown.name_of(player), shown.parameters(player), update, target, what),
    }


def total_after(table: SeatTable, decision: ToldDecision) -> float:
    """How many beads a box holds after a step."""
    ((_number, row),) = table.memory.selected([decision.row])
    return max(1.0, float(sum(row.counts)))


def tables_of(before: PairKnown, agents: tuple[Player, Player]) -> tuple[SeatTable | None, SeatTable | None]:
    """The tables of both agents, as they are after the game; `told_table` shows them before."""
    found = [
        SeatTable(number, agent.name, seat.parameters, agent.memory, len(seat.memory))
        if seat is not None and isinstance(agent, LearningPlayer)
        else None
        for number, (agent, seat) in enumerate(zip(agents, before.seats, strict=True))
    ]
    return found[0], found[1]
