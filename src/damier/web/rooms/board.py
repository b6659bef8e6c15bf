"""The board: a position is its list of moves, so that there is nothing to lose but the address of
the page.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from damier.core.errors import BadInput
from damier.core.game import Game
from damier.core.json_data import to_json
from damier.core.player import Player, follow
from damier.core.words import _, message
from damier.lab.agents import brought
from damier.lab.lab import Lab
from damier.lab.names import game_in_words
from damier.web import pages
from damier.web.board.editing import code_picture, is_impossible_shown, moves_to
from damier.web.board.parts import answer, is_light, is_steered, names_part
from damier.web.board.session import (
    DIE,
    HUMAN,
    LEARNER,
    LONGEST_NAME,
    Choice,
    GameSession,
    asked_session,
    check,
    choices,
    fault,
    in_groups,
    is_chance,
    without_files,
)
from damier.web.board.truth import LARGEST, known
from damier.web.messages.parts import PartsAnswer
from damier.web.messages.rooms import BoardAnswer, BoardReply
from damier.web.params import Asked
from damier.web.registry import Registry
from damier.web.rooms.gallery import own_words

MOST_REPLIES = 64
"""Moves that one question may ask for."""
CHOSEN = 3
"""Seats for which a page lets an agent be chosen."""


class SeatRow(NamedTuple):
    """A seat, its player counted from 1: who sits there, with the options as they were written, and who
    may; what is wrong in the file of one of the user's own.
    """

    player: int
    chosen: str
    options: str
    choice: Choice | None
    groups: list[tuple[str, list[Choice]]]
    fault: str = ""


def page(registry: Registry, asked: Asked) -> str:
    """The page of a position; with `board`, of a board that can come up.

    Raises BadInput, with the reason, for one that cannot.
    """
    if board := asked.text("board"):
        asked = Asked({**asked.values, "moves": moves_to(registry.game(asked.text("game")), board)})
    session = asked_session(registry, asked)
    for text in dict.fromkeys(session.seats):
        check(registry, session.name, text)
    found = answer(session)
    own = session.name.partition(":")[0] in registry.settings.games
    title = game_in_words(session.name.partition(":")[0], session.game)
    return pages.page(
        "board.html",
        "/games",
        title,
        session=session,
        state=to_json(found["state"]),
        parts=found["parts"] | {"seats": seats_part(registry, session), "names": names_part(session)},
        boards=is_impossible_shown(session.game),
        edits=session.game.read_position is not None,
        steered=is_steered(session),
        own=own,
        about=about(title, session.game) or (own_words(session.game) if own else ""),
        table=asked.text("table"),
    )


def about(title: str, game: Game) -> str:
    """What a game is about, in a sentence; beside its title, that is not said again."""
    said = _(game.summary) if game.summary else ""
    name, colon, rest = said.partition(":")
    rest = rest.strip()
    return rest[:1].upper() + rest[1:] if colon and name.strip() == title else said


def show(registry: Registry, asked: Asked) -> BoardAnswer:
    """A position: the parts of its page, and what a program must know of it."""
    return answer(asked_session(registry, asked))


def move(registry: Registry, asked: Asked) -> BoardAnswer:
    """The position after one more `move` by whoever is to move. Raises IllegalMove."""
    session = asked_session(registry, asked)
    session.position.read(asked.text("move"))
    return answer(replace(session.then(asked.text("move")), guessed=False))


def reply(registry: Registry, asked: Asked) -> BoardReply:
    """The position after the die has fallen, or the agent to move has played: the same agent, seed
    and moves give the same reply.

    `agent` is who plays, else who sits there; up to `most` moves are played, as long as no person
    is to move. What was taken back is forgotten.
    """
    session = replace(asked_session(registry, asked), guessed=False)
    agent, resigned = asked.text("agent"), None
    for _number in range(asked.whole("most", 1, 1, MOST_REPLIES)):
        player = session.position.mover
        text = agent or (session.seats[player] if player >= 0 else "")
        if session.position.over or text == HUMAN:
            break
        if is_chance(session.position):
            session = session.then(DIE)
            continue
        played = chosen(registry, session, text)
        if not played:
            resigned = player
            break
        session = session.then(session.game.name_move(session.position.state, played))
    if resigned is not None and agent:
        raise BadInput(message("{agent} gives up", agent=agent))
    last = session.moves[-1] if session.moves else ""
    return {**answer(session, resigned=resigned), "move": last}


def soon(registry: Registry, asked: Asked) -> BoardReply:
    """One reply of a die, or of an agent that need not think: it does not wait behind those who do.

    Raises BadInput for one that thinks.
    """
    session = asked_session(registry, asked)
    if not is_light(session) or session.position.over:
        raise BadInput(message("this agent has to think; ask board.reply"))
    return reply(registry, Asked({**asked.values, "agent": "", "most": 1}))


def chosen(registry: Registry, session: GameSession, text: str) -> int:
    """The move of an agent, as a set of one; 0 where it gives up."""
    player = agent_of(registry, session, text)
    follow(player, session.position)
    return player.choose(registry.game(session.name), session.position.state, session.random(session.at))


def agent_of(registry: Registry, session: GameSession, text: str) -> Player:
    """An agent; a perfect one knows all that can follow where the game began, also elsewhere than usual."""
    if not session.begin or text.partition(":")[0] != "perfect":
        return registry.agent(session.name, text)
    lab = Lab(session.game, session.lab.job, loads_files=False)
    lab.known = known(session, LARGEST).solution
    return brought(lab, text)


def seats(registry: Registry, asked: Asked) -> BoardAnswer:
    """Who sits where: the part of the page, when that has changed.

    Raises BadInput, UnknownName for an agent that cannot sit there.
    """
    session = asked_session(registry, asked)
    for text in dict.fromkeys(session.seats):
        check(registry, session.name, text)
    found = answer(session)
    changed = {"seats": seats_part(registry, session), "names": names_part(session)}
    return {**found, "parts": found["parts"] | changed}


def table(registry: Registry, asked: Asked) -> PartsAnswer:
    """Who sits at a table of several people: `taken` says of each seat whether it is, `mine` is
    that of who asks, `link` the address of the table as that browser knows it, `trouble` why its
    agent does not play.
    """
    session = asked_session(registry, asked)
    taken, mine = asked.text("taken"), asked.whole("mine", 0)
    rows = [
        {
            "player": player + 1,
            "agent": agent,
            "taken": taken[player : player + 1] == "1",
            "mine": player + 1 == mine,
            "name": session.names[player],
            "moves": player == session.position.mover and not session.position.over,
        }
        for player, agent in enumerate(session.seats)
    ]
    written, trouble = asked.text("link", longest=5_000), asked.text("trouble", longest=1_000)
    try:
        link = registry.settings.for_others(written)
    except ValueError:
        raise BadInput(message("{link} is no address", link=written)) from None
    part = pages.part(
        "board_table.html",
        rows=rows,
        mine=mine,
        link=link,
        code=code_picture(link),
        longest=LONGEST_NAME,
        alone=registry.settings.is_local,
        trouble=trouble,
        gone=asked.flag("gone"),
    )
    return {"parts": {"table": part}}


def seats_part(registry: Registry, session: GameSession) -> str:
    """A choice of agents for every player; from the fourth on, the players play as the third does."""
    rows = [seat_row(registry, session, player) for player in range(min(len(session.seats), CHOSEN))]
    return pages.part("board_seats.html", rows=rows, more=len(session.seats) - len(rows), seed=session.seed)


def seat_row(registry: Registry, session: GameSession, player: int) -> SeatRow:
    """Who may sit at a seat, and who does, with the options as they were written."""
    text = session.seats[player]
    name, _colon, options = text.partition(":")
    if text.startswith(LEARNER):
        name, options = text, ""
    found = choices(registry, session.name, player)
    own = registry.settings.own_agent(text)
    wrong = fault(registry, session.name, text) if registry.runs_own(text) else ""
    if own:
        name, options = own, text[len(own) :].lstrip(":")
    choice = next((choice for choice in found if choice.name == name), None)
    if own and choice and not wrong:
        choice = replace(choice, options=without_files(registry.own.options(own)))
    return SeatRow(player + 1, name, options, choice, list(in_groups(found)), wrong)
