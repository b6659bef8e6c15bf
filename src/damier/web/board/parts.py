"""The parts of a board page: what is drawn and said of a position, and what the program of the page
must know of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from damier.core.position import Position, written
from damier.core.value_solution import AnyValue
from damier.core.words import printable
from damier.draw.board import board_svg
from damier.draw.history import HistoricMoment, history_svg
from damier.draw.marks import MoveMark, grid_of, legend, move_marks
from damier.draw.touch import Touch
from damier.web import pages
from damier.web.board.finish import winning_line
from damier.web.board.pointing import Pointing, columns_of_board, is_plain, pointing
from damier.web.board.proving import known_values, proof_in_words, proven_moves
from damier.web.board.said import areas, said
from damier.web.board.seen import (
    is_light,
    is_person,
    is_steered,
    is_veiled,
    may_move,
    truth_state,
    wants_values,
)
from damier.web.board.session import DIE, LONGEST_NAME, GameSession, is_chance
from damier.web.board.truth import KnownTruth, history, known_at_once
from damier.web.messages.board import BoardAnswer, BoardState

MOST_ARROWS = 12
"""Of more moves than that from one place to another, arrows hide the board: where a piece may go is
seen once it is pointed at.
"""


def answer(
    session: GameSession,
    values: Callable[[GameSession], KnownTruth] = known_at_once,
    resigned: int | None = None,
) -> BoardAnswer:
    """State and parts of a position, with its exact values where these are asked for and `values`
    finds them.
    """
    found = values(session) if wants_values(session) else None
    marks = marks_of(session, found)
    moments = moments_of(session, found)
    state = state_of(session, marks, resigned, found, moments)
    parts = {
        "board": board_part(session, marks),
        "status": pages.part(
            "board_status.html",
            said=said(session, resigned),
            caption=caption(session),
            last=last_move(session),
            session=session,
            state=state,
        ),
        "moves": moves_part(session, marks, resigned),
        "line": pages.part(
            "board_line.html",
            moves=session.moves,
            at=session.at,
            moments=moments,
            die=DIE,
            tree=tree_address(session),
            mistakes=state["mistakes"],
            begin=session.begin,
        ),
        "truth": truth_part(session, found, moments),
    }
    return {"state": state, "parts": parts}


def state_of(
    session: GameSession,
    marks: list[MoveMark],
    resigned: int | None,
    found: KnownTruth | None,
    moments: dict[int, HistoricMoment],
) -> BoardState:
    """What the program of the page must know."""
    position = session.position
    grid = grid_of(position)
    # of a game that does not tell where moves happen that takes a look at each of them
    pointed = not is_veiled(session) and (session.game.place is not None or is_person(session))
    taps, routes = pointing(position, marks) if pointed else Pointing({}, [])
    return {
        "game": session.name,
        "moves": session.moves,
        "at": session.at,
        "query": session.query(),
        "seats": list(session.seats),
        "mover": position.mover,
        "over": position.over,
        "person": is_person(session),
        "plays": session.plays and bool(session.people),
        "decided": [
            ply for ply, position in enumerate(session.positions) if position.mover in session.people
        ],
        "stopped": resigned is not None,
        "light": is_light(session),
        "moving": session.game.stochastic or len(session.people) < session.game.players,
        "veiled": is_veiled(session),
        "legal": [mark.name for mark in marks] if is_person(session) else [],
        "taps": taps,
        "routes": routes,
        "said": {mark.name: mark.said for mark in marks if mark.said != mark.name},
        "columns": columns_of_board(grid),
        "show": sorted(session.shown),
        "truth": truth_state(session, found),
        "mistakes": [ply for ply, moment in moments.items() if moment.lost],
        "steered": is_steered(session),
        "written": written(position) if session.game.read_position and not is_veiled(session) else "",
    }


def moments_of(session: GameSession, found: KnownTruth | None) -> dict[int, HistoricMoment]:
    """What the positions of the game were worth; without distances where only who wins is asked for."""
    moments = history(found, session) if found else {}
    if "outcome" in session.shown:
        return {ply: replace(moment, distance=None) for ply, moment in moments.items()}
    return moments


def tree_address(session: GameSession) -> str:
    """The tree of what can follow; nothing where that cannot be shown."""
    if session.game.imperfect_information or session.position.over or session.begin:
        return ""
    return pages.address("/tree", game=session.name, moves=",".join(session.moves[: session.at]), plies=2)


def moves_part(session: GameSession, marks: list[MoveMark], resigned: int | None) -> str:
    """The moves as buttons for a person, as words for others; nothing where the game is over."""
    if session.position.over:
        return ""
    return pages.part(
        "board_moves.html", marks=marks if may_move(session, resigned) else [], person=is_person(session)
    )


def names_part(session: GameSession) -> str:
    """Where the people at this page say what they are called."""
    rows = [(player, session.names[player]) for player in session.people]
    return pages.part("board_names.html", rows=rows, longest=LONGEST_NAME)


def marks_of(session: GameSession, found: KnownTruth | None) -> list[MoveMark]:
    """The legal moves, with what they lead to where that may be seen."""
    position = session.position
    if is_veiled(session):
        return []
    explained = explained_by(found, position)
    marks = move_marks(session.game, position.state, explained)
    if found and found.proof:  # of moves that are not known yet one may be better
        marks = [replace(mark, best=mark.value == "win") for mark in marks]
    return (
        [replace(mark, distance=None, worth=None) for mark in marks] if "outcome" in session.shown else marks
    )


def explained_by(
    found: KnownTruth | None, position: Position
) -> Mapping[int, tuple[AnyValue, int | None]] | None:
    """What is known of the moves of a position."""
    if found and found.proof:
        return known_values(found.proof)
    return found.solution.explain(position.state) if found and found.solution else None


def board_part(session: GameSession, marks: list[MoveMark]) -> str:
    """The picture.

    Moves that are not valued are drawn only for a person, and where a cell to point at does not say
    enough.
    """
    if is_veiled(session):
        return pages.part(
            "board_veil.html",
            player=session.position.mover + 1,
            mine=session.me is None and is_person(session),
        )
    position = session.position
    grid = grid_of(position)
    going = sum(len(mark.cells) > 1 for mark in marks)
    arrows = going <= MOST_ARROWS and not session.game.ways  # an arrow would show one way of many
    drawn = [
        mark
        for mark in marks
        if grid
        and (
            mark.value
            or (
                is_person(session) and (len(mark.cells) > 1 and arrows if going else not is_plain(grid, mark))
            )
        )
    ]
    picture = pages.picture(
        board_svg(position, drawn, touch=Touch(last_cells(session), winning_line(session), thrown(session)))
    )
    return picture if grid else pages.part("board_text.html", picture=picture)


def caption(session: GameSession) -> str:
    """What the board does not show, such as a score; where a game of Go has ended, the areas that decided."""
    if session.game.name == "go" and session.position.over:
        return areas(session)
    grid = grid_of(session.position)
    return printable(grid.caption) if grid and not is_veiled(session) else ""


def last_move(session: GameSession) -> str:
    """What was played last, for who cannot see it on the board; nothing where a die fell that
    nobody must see.
    """
    played = session.moves[session.at - 1] if session.at else ""
    return "" if played == DIE else played


def last_cells(session: GameSession) -> tuple[int, ...]:
    """Where the last move happened."""
    if not session.at or not session.game.place:
        return ()
    before, name = session.positions[session.at - 1], session.moves[session.at - 1]
    if is_chance(before):
        return ()
    cells = tuple(session.game.place(before.state, before.read(name)))
    return (cells[0], cells[-1]) if cells else ()


def thrown(session: GameSession) -> int:
    """What a die showed last; 0 where none has been thrown, or where it shows no number."""
    before = zip(session.moves[: session.at], session.positions, strict=False)
    faces = [move for move, position in before if is_chance(position)]
    return int(faces[-1]) if faces and faces[-1].isdecimal() else 0


def truth_part(session: GameSession, found: KnownTruth | None, moments: dict[int, HistoricMoment]) -> str:
    """The exact values in words, the history of the game, the question before a guess, or why there
    are none.
    """
    picture = (
        pages.picture(history_svg(list(moments.values()), session.at))
        if found and found.whole and moments
        else ""
    )
    mover = session.position.mover
    return pages.part(
        "board_truth.html",
        state=truth_state(session, found),
        here=moments[session.at].words(session.at) if moments else "",
        why=found.why if found else "",
        picture=picture,
        blunders=sum(moment.lost is not None for moment in moments.values()),
        mover=mover + 1,
        proven=proven_moves(session, found.proof) if found and found.proof else [],
        progress=proof_in_words(found.proof) if found and found.proof else "",
        outcome="outcome" in session.shown,
        legend="" if found and found.ended else legend(marks_of(session, found)),
    )
