"""The board: a position is its list of moves, so that there is nothing to lose but the address of
the page.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from damier.core.errors import BadInput
from damier.core.files import to_json
from damier.core.words import _
from damier.web import pages
from damier.web.asked import Asked
from damier.web.board.parts import answer, is_light
from damier.web.board.seats import HUMAN, LEARNER, Choice, check, choices, in_groups
from damier.web.board.sitting import DIE, Sitting, asked_sitting, is_chance
from damier.web.board.written import is_impossible_shown, moves_to
from damier.web.desk import Desk
from damier.web.messages.rooms import BoardAnswer, BoardReply, PartsAnswer

MOST_REPLIES = 64
"""Moves that one question may ask for."""
CHOSEN = 3
"""Seats for which a page lets an agent be chosen."""


class SeatRow(NamedTuple):
    """A seat, its player counted from 1: who sits there, with the options as they were written, and who
    may.
    """

    player: int
    chosen: str
    options: str
    choice: Choice | None
    groups: list[tuple[str, list[Choice]]]


def page(desk: Desk, asked: Asked) -> str:
    """The page of a position; with `board`, of a board that can come up.

    Raises BadInput, with the reason, for one that cannot.
    """
    if board := asked.text("board"):
        asked = Asked({**asked.values, "moves": moves_to(desk.game(asked.text("game")), board)})
    sitting = asked_sitting(desk, asked)
    for text in dict.fromkeys(sitting.seats):
        check(desk, sitting.name, text)
    found = answer(sitting)
    return pages.page(
        "board.html",
        "/",
        sitting.name.partition(":")[0],
        sitting=sitting,
        state=to_json(found["state"]),
        parts=found["parts"] | {"seats": seats_part(desk, sitting)},
        boards=is_impossible_shown(sitting.game),
        table=asked.text("table"),
    )


def show(desk: Desk, asked: Asked) -> BoardAnswer:
    """A position: the parts of its page, and what a program must know of it."""
    return answer(asked_sitting(desk, asked))


def move(desk: Desk, asked: Asked) -> BoardAnswer:
    """The position after one more `move` by whoever is to move. Raises IllegalMove."""
    sitting = asked_sitting(desk, asked)
    sitting.position.read(asked.text("move"))
    return answer(replace(sitting.then(asked.text("move")), guessed=False))


def reply(desk: Desk, asked: Asked) -> BoardReply:
    """The position after the die has fallen, or the agent to move has played: the same agent, seed
    and moves give the same reply.

    `agent` is who plays, else who sits there; up to `most` moves are played, as long as no person
    is to move. What was taken back is forgotten.
    """
    sitting = replace(asked_sitting(desk, asked), guessed=False)
    agent, resigned = asked.text("agent"), None
    for _number in range(asked.whole("most", 1, 1, MOST_REPLIES)):
        player = sitting.position.mover
        text = agent or (sitting.seats[player] if player >= 0 else "")
        if sitting.position.over or text == HUMAN:
            break
        if is_chance(sitting.position):
            sitting = sitting.then(DIE)
            continue
        played = chosen(desk, sitting, text)
        if not played:
            resigned = player
            break
        sitting = sitting.then(sitting.game.name_move(sitting.position.state, played))
    if resigned is not None and agent:
        raise BadInput(_("{agent} gives up", agent=agent))
    last = sitting.moves[-1] if sitting.moves else ""
    return {**answer(sitting, resigned=resigned), "move": last}


def soon(desk: Desk, asked: Asked) -> BoardReply:
    """One reply of a die, or of an agent that need not think: it does not wait behind those who do.

    Raises BadInput for one that thinks.
    """
    sitting = asked_sitting(desk, asked)
    if not is_light(sitting) or sitting.position.over:
        raise BadInput(_("this agent has to think; ask board.reply"))
    return reply(desk, Asked({**asked.values, "agent": "", "most": 1}))


def chosen(desk: Desk, sitting: Sitting, text: str) -> int:
    """The move of an agent, as a set of one; 0 where it gives up."""
    player = desk.agent(sitting.name, text)
    return player.choose(desk.game(sitting.name), sitting.position.state, sitting.random(sitting.at))


def seats(desk: Desk, asked: Asked) -> BoardAnswer:
    """Who sits where: the part of the page, when that has changed.

    Raises BadInput, UnknownName for an agent that cannot sit there.
    """
    sitting = asked_sitting(desk, asked)
    for text in dict.fromkeys(sitting.seats):
        check(desk, sitting.name, text)
    found = answer(sitting)
    return {**found, "parts": found["parts"] | {"seats": seats_part(desk, sitting)}}


def table(desk: Desk, asked: Asked) -> PartsAnswer:
    """Who sits at a table of several people: `taken` says of each seat whether it is, `mine` is
    that of who asks, `link` the address of the table as that browser knows it, `trouble` why its
    agent does not play.
    """
    sitting = asked_sitting(desk, asked)
    taken, mine = asked.text("taken"), asked.whole("mine", 0)
    rows = [
        {
            "player": player + 1,
            "agent": agent,
            "taken": taken[player : player + 1] == "1",
            "mine": player + 1 == mine,
            "moves": player == sitting.position.mover and not sitting.position.over,
        }
        for player, agent in enumerate(sitting.seats)
    ]
    written, trouble = asked.text("link", longest=5_000), asked.text("trouble", longest=1_000)
    try:
        link = desk.settings.for_others(written)
    except ValueError:
        raise BadInput(_("{link} is no address", link=written)) from None
    part = pages.part(
        "board_table.html",
        rows=rows,
        mine=mine,
        link=link,
        alone=desk.settings.is_local,
        trouble=trouble,
        gone=asked.flag("gone"),
    )
    return {"parts": {"table": part}}


def seats_part(desk: Desk, sitting: Sitting) -> str:
    """A choice of agents for every player; from the fourth on, the players play as the third does."""
    rows = [seat_row(desk, sitting, player) for player in range(min(len(sitting.seats), CHOSEN))]
    return pages.part("board_seats.html", rows=rows, more=len(sitting.seats) - len(rows), seed=sitting.seed)


def seat_row(desk: Desk, sitting: Sitting, player: int) -> SeatRow:
    """Who may sit at a seat, and who does, with the options as they were written."""
    text = sitting.seats[player]
    name, _colon, options = text.partition(":")
    if text.startswith(LEARNER):
        name, options = text, ""
    found = choices(desk, sitting.name, player)
    choice = next((choice for choice in found if choice.name == name), None)
    return SeatRow(player + 1, name, options, choice, list(in_groups(found)))
