"""The parts of a board page: what is drawn and said of a position, and what the program of the page
must know of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import hypot

from damier.core.board import Grid, Hexagons
from damier.core.game import Position, written_position
from damier.core.moves import move_in_words
from damier.core.rules import CHANCE
from damier.core.words import _, decimal, grouped, printable
from damier.draw.board import Touch, board_svg, has_sides
from damier.draw.history import HistoricMoment, history_svg
from damier.draw.text import MoveMark, grid_of, legend, move_marks, player_in_words
from damier.lab.agents import agent_in_words
from damier.web import pages
from damier.web.board_position import (
    Pointing,
    cells_of_move,
    columns_of_board,
    end_in_words,
    in_check,
    off_board,
    pointing,
    says_itself,
    sides,
)
from damier.web.board_session import (
    DIE,
    HUMAN,
    LONGEST_NAME,
    GameSession,
    is_chance,
    looked_at,
    player_in_title,
)
from damier.web.board_truth import (
    KnownTruth,
    history,
    judges,
    known,
    known_at_once,
    known_values,
    proof_links,
    proven_moves,
    why_here,
    why_links,
    why_part,
)
from damier.web.messages import BoardAnswer, BoardState

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
        "sides": pages.part("board_sides.html", sides=sides_of(session)),
        "beside": pages.part("board_beside.html", marks=off_board(marks) if is_person(session) else []),
        "status": pages.part(
            "board_status.html",
            said=status_text(session, resigned),
            caption=caption(session),
            last=last_move(session),
            session=session,
            state=state,
        ),
        "moves": moves_part(session, marks, resigned),
        "why": why_part(session),
        "line": line_part(session, moments, tree=tree_address(session), mistakes=state["mistakes"]),
        "truth": truth_part(session, found, marks, moments),
    }
    return {"state": state, "parts": parts}


def state_of(
    session: GameSession,
    marks: list[MoveMark],
    resigned: int | None,
    found: KnownTruth | None,
    moments: dict[int, HistoricMoment],
) -> BoardState:
    """Return what the program of the page must know."""
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
        "legal": [mark.name for mark in marks] if is_person(session) else [],
        "taps": taps,
        "routes": routes,
        "said": {mark.name: mark.text for mark in marks if mark.text != mark.name},
        "asked": {mark.name: name for mark in marks if (name := move_in_words(mark.name)) != mark.name},
        "columns": columns_of_board(grid),
        "flipped": is_flipped(session),
        "show": sorted(session.shows),
        "truth": truth_state(session, found),
        "mistakes": [ply for ply, moment in moments.items() if moment.lost],
        "steered": is_steered(session),
        "written": written_position(position)
        if session.game.read_position and not is_veiled(session)
        else "",
    }


def moments_of(session: GameSession, found: KnownTruth | None) -> dict[int, HistoricMoment]:
    """Return what the positions of the game were worth; without distances where only who wins is asked
    for.
    """
    moments = {
        ply: replace(
            moment,
            move_text=session.move_texts[ply - 1] if ply else "",
            sides=tuple(map(session.game.name_side, range(len(session.game.sides)))),
        )
        for ply, moment in (history(found, session) if found else {}).items()
    }
    if "outcome" in session.shows:
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
    may_move = not is_chance(session.position) and resigned is None and not is_veiled(session)
    return pages.part(
        "board_moves.html",
        marks=marks if may_move else [],
        whys=why_links(session, marks),
        person=is_person(session),
        apart=off_board(marks),
    )


def sides_of(session: GameSession) -> list[pages.Row]:
    """Return who sits beside the board; where that is hidden, nobody."""
    if is_veiled(session):
        return []
    who = [player_words(session, player) for player in range(session.game.players)]
    return sides(session.position, session.positions[: session.at + 1], who)


def is_flipped(session: GameSession) -> bool:
    """Return whether the board is seen from the second seat: by who sits there, or as somebody wanted it."""
    return has_sides(grid_of(session.position)) and (session.you == 1) != session.flip


def names_part(session: GameSession) -> str:
    """Return where the people at this page say what they are called."""
    rows = [
        (player, session.names[player], player_in_words(session.game, player)) for player in session.people
    ]
    return pages.part("board_names.html", rows=rows, longest=LONGEST_NAME)


def marks_of(session: GameSession, found: KnownTruth | None) -> list[MoveMark]:
    """The legal moves, with what they lead to where that may be seen."""
    position = session.position
    if is_veiled(session):
        return []
    proof, solution = (found.proof, found.solution) if found else (None, None)
    explained = known_values(proof) if proof else solution.explain(position.state) if solution else None
    marks = move_marks(session.game, position.state, explained)
    if proof:  # of moves that are not known yet one may be better
        marks = [replace(mark, best=mark.value == "win") for mark in marks]
    return (
        [replace(mark, distance=None, payoff=None) for mark in marks] if "outcome" in session.shows else marks
    )


def board_part(session: GameSession, marks: list[MoveMark]) -> str:
    """The picture.

    Moves that are not valued are drawn only for a person, and where a cell to point at does not say
    enough.
    """
    if is_veiled(session):
        return pages.part(
            "board_veil.html",
            player=player_in_words(session.game, session.position.mover),
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
                is_person(session)
                and (len(mark.cells) > 1 and arrows if going else not says_itself(grid, mark))
            )
        )
    ]
    picture = pages.picture(
        board_svg(
            position,
            drawn,
            touch=Touch(
                last_cells(session),
                winning_line(session),
                thrown(session),
                in_check(position),
                is_flipped(session),
            ),
        )
    )
    return picture if grid else pages.part("board_text.html", picture=picture)


def caption(session: GameSession) -> str:
    """Return what the board does not show, such as a score; where a game of Go has ended, the areas
    that decided.
    """
    if session.game.name == "go" and session.position.over:
        return areas(session)
    return "" if is_veiled(session) else caption_of(session.position)


def caption_of(position: Position) -> str:
    """Return what a board does not show of a position, such as a score."""
    grid = grid_of(position)
    return printable(grid.caption) if grid else ""


def last_move(session: GameSession) -> str:
    """Return what was played last, for who cannot see it on the board; nothing where a die fell that
    nobody must see.
    """
    played = session.move_texts[session.at - 1] if session.at else ""
    return "" if played == DIE else played


def last_cells(session: GameSession) -> tuple[int, ...]:
    """Return where the last move happened."""
    before, played = session.positions[max(0, session.at - 1)], session.moves[: session.at]
    return cells_of_move(before, played[-1]) if played and not is_chance(before) else ()


def thrown(session: GameSession) -> int:
    """Return what a die showed last; 0 where none has been thrown, or where it shows no number."""
    before = zip(session.moves[: session.at], session.positions, strict=False)
    faces = [move for move, position in before if is_chance(position)]
    return int(faces[-1]) if faces and faces[-1].isdecimal() else 0


def truth_part(
    session: GameSession,
    found: KnownTruth | None,
    marks: list[MoveMark],
    moments: dict[int, HistoricMoment],
) -> str:
    """The exact values in words, the question before a guess, or why there are none."""
    proof = found.proof if found else None
    return pages.part(
        "board_truth.html",
        state=truth_state(session, found),
        here=moments[session.at].words(session.at) if session.at in moments else "",
        why_here=why_here(session, moments.get(session.at)),
        whys=proof_links(session, marks) if proof else {},
        why=found.why if found else "",
        blunders=sum(moment.lost is not None for moment in moments.values()),
        mover=player_in_words(session.game, session.position.mover),
        proof=proof,
        proven=proven_moves(session, proof) if proof else [],
        looked_at=looked_at,
        judged=bool(judges(session.game)),
        chance=session.game.stochastic,
        outcome="outcome" in session.shows,
        tables=found.tables if found else "",
        legend="" if found and found.ended else legend(marks),
    )


def line_part(
    session: GameSession, moments: dict[int, HistoricMoment], *, tree: str = "", mistakes: Sequence[int] = ()
) -> str:
    """The moves of the game, and above them what is known of its positions, a cell each, where anything is;
    with the address of its `tree`, and a button to its `mistakes`.
    """
    return pages.part(
        "board_line.html",
        session=session,
        moments=moments,
        picture=pages.picture(history_svg(moments, len(session.moves), session.at)) if moments else "",
        blunders=any(moment.lost for moment in moments.values()),
        player=player_in_words,
        die=DIE,
        tree=tree,
        mistakes=mistakes,
    )


# Whose turn it is at a board, and how a game ended, to whom reads it.


def status_text(session: GameSession, resigned: int | None) -> str:
    """Return whose turn it is, or how it ended."""
    position = session.position
    if resigned is not None:
        return _("{player} gives up.", player=player_words(session, resigned))
    if position.payoffs is not None:
        return f"{end_in_words(position)} {result(session, position.payoffs)}".lstrip()
    if position.mover == CHANCE:
        return _("Chance is to move.")
    alarm = _("Check.") if in_check(position) else ""
    turn = (
        _("Your move ({player}).", player=player_in_words(session.game, position.mover))
        if position.mover == session.you
        else _("{player} is to move.", player=player_words(session, position.mover))
    )
    return f"{alarm} {turn}".lstrip()


def result(session: GameSession, payoffs: tuple[int, ...]) -> str:
    """Return how a game ended, to whom reads it."""
    if sorted(payoffs) == [-1, 1]:
        winner = payoffs.index(1)
        if winner == session.you:
            return _("You have won.")
        return _("{player} has won.", player=player_words(session, winner))
    if not any(payoffs):
        return _("A draw.")
    # not where payoffs are what was collected on the way, as Pacman's are, and no lead at the end
    if len(payoffs) == 2 and not sum(payoffs) and "reward" not in session.game.given:
        winner = payoffs.index(max(payoffs))
        if winner == session.you:
            return _("You have won by {n}.", n=grouped(max(payoffs)))
        return _("{player} has won by {n}.", player=player_words(session, winner), n=grouped(max(payoffs)))
    listed = " · ".join(
        _("{player} {payoff}", player=player_words(session, player), payoff=signed(payoff))
        for player, payoff in enumerate(payoffs)
    )
    return _("The end. Payoffs: {payoffs}.", payoffs=listed)


def areas(session: GameSession) -> str:
    """Return what a game of Go was counted by, in points."""
    lead, komi = session.game.features["area"](session.position.state), session.game.options["komi"]
    assert isinstance(komi, int | float)
    return _(
        "Area of Black less that of White: {lead}; komi for White: {komi}",
        lead=signed(int(lead)),
        komi=decimal(komi),
    )


def signed(payoff: int) -> str:
    """A payoff as it is printed: with a sign, and a minus that is as long as a plus is wide."""
    return f"{'−' if payoff < 0 else '+' if payoff else ''}{grouped(abs(payoff))}"


def player_words(session: GameSession, player: int) -> str:
    """A player and who it is."""
    name = player_in_title(session.game, player)
    if session.seats[player] == HUMAN:
        name = (session.names[player] if player < len(session.names) else "") or name
        return _("{name} (you)", name=name) if player == session.you else name
    agent = session.seats[player].partition(":")[0]
    return _("{player} ({agent})", player=name, agent=agent_in_words(agent))


# What a game was won by, where that is a line on the board.

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def winning_line(session: GameSession) -> tuple[int, ...]:
    """The cells of the line through the last stone that ended the game, or of the chain from edge to edge;
    none where nothing was won, or not by a line.
    """
    position = session.position
    board, length = grid_of(position), line_length(session)
    if not (position.over and position.payoffs and any(position.payoffs)):
        return ()
    if isinstance(board, Hexagons) and board.edges:
        return min(filter(None, (chain(board, side) for side in (0, 1))), key=len, default=())
    if not (length and session.at):
        return ()
    before, name = session.positions[session.at - 1], session.moves[session.at - 1]
    if not isinstance(board, Grid) or session.game.place is None:
        return ()
    last = session.game.place(before.state, before.read(name))[-1]
    runs = (run_through(board, last, *direction) for direction in DIRECTIONS)
    return next((run for run in runs if len(run) >= length), ())


def line_length(session: GameSession) -> int:
    """Return how many in a row end a game; 0 where nothing does."""
    if session.game.name == "tictactoe":
        return 3
    length = session.game.options.get("in_a_row", 0)
    return length if isinstance(length, int) else 0


def run_through(board: Grid, cell: int, down: int, right: int) -> tuple[int, ...]:
    """The longest row of pieces like that of `cell`, both ways, in order."""
    piece = board.piece(cell)

    def along(sign: int) -> list[int]:
        row, column = divmod(cell, board.width)
        found: list[int] = []
        while True:
            row, column = row + sign * down, column + sign * right
            inside = 0 <= row < board.height and 0 <= column < board.width
            if not inside or board.piece(row * board.width + column) != piece:
                return found
            found.append(row * board.width + column)

    return (*reversed(along(-1)), cell, *along(1))


def chain(board: Hexagons, side: int) -> tuple[int, ...]:
    """The shortest chain of pieces that joins the two edges of their own: side 0 is that of top and bottom,
    side 1 that of left and right; none where they are not joined.
    """
    piece = board.edges[side]
    lines = board.by_rows if side == 0 else tuple(zip(*board.by_rows, strict=True))
    came_from = {cell: cell for cell in lines[0] if board.piece(cell) == piece}
    waiting = deque(came_from)
    while waiting:
        cell = waiting.popleft()
        if cell in lines[-1]:
            found = [cell]
            while came_from[found[-1]] != found[-1]:
                found.append(came_from[found[-1]])
            return tuple(found)
        for other in beside(board, cell):
            if board.piece(other) == piece and other not in came_from:
                came_from[other] = cell
                waiting.append(other)
    return ()


def beside(board: Hexagons, cell: int) -> tuple[int, ...]:
    """The cells that touch one: those whose middles are one width away."""
    x, y = board.centre(cell)
    return tuple(
        other for other, (to_x, to_y) in enumerate(board.centres) if 0.9 < hypot(x - to_x, y - to_y) < 1.1
    )


# Who is to move at a board page, and what of the game may be seen there.

LIGHT = ("chase", "random")
"""Agents that reply at once."""


def is_steered(session: GameSession) -> bool:
    """Return whether a person steers by directions, as Pacman is."""
    return bool(session.people) and session.game.name == "pacman"


def wants_values(session: GameSession) -> bool:
    """Return whether the exact values are to be seen: with `predict`, only after a guess."""
    return "truth" in session.shows and not must_guess(session) and not is_veiled(session)


def must_guess(session: GameSession) -> bool:
    """Return whether a person must say first what the position is worth."""
    asks = "predict" in session.shows and session.why < 0  # a line tells all
    return asks and not session.guessed and not session.position.over


def truth_state(session: GameSession, found: KnownTruth | None) -> str:
    """Return how far the exact values are known, in the words of `BoardState.truth`."""
    if found is None:
        asks = "truth" in session.shows and must_guess(session)
        return "off" if not asks else "guess" if is_person(session) or not session.people else "later"
    if found.proof:
        return "search" if found.hopeful else "stopped"
    return "here" if found.solution or found.ended else "wait" if found.hopeful else "none"


def is_person(session: GameSession) -> bool:
    """Return whether a person at this page is to move."""
    position = session.position
    return not position.over and position.mover in session.people and session.me in (None, position.mover)


def is_light(session: GameSession) -> bool:
    """Return whether a reply here takes no time to think about: a die, or an agent that looks not ahead."""
    player = session.position.mover
    if session.position.over or player == CHANCE:
        return True
    agent = session.seats[player].partition(":")[0]
    return agent in LIGHT or (agent == "perfect" and known(session).solution is not None)


def is_veiled(session: GameSession) -> bool:
    """Return whether the board is to be hidden from who looks at it: in a game of imperfect
    information it shows what only the player to move may see.
    """
    position = session.position
    if (
        not session.game.imperfect_information
        or position.over
        or position.mover == CHANCE
        or not session.people
    ):
        return False
    if session.me is not None:
        return session.me != position.mover
    return position.mover not in session.people or (len(session.people) > 1 and session.look != session.at)
