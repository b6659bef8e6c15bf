"""The parts of a board page: what is drawn and said of a position, and what the program of the page
must know of it.
"""

from __future__ import annotations

from collections.abc import Callable

from damier.core.grid import Grid
from damier.core.position import Position
from damier.core.rules import CHANCE
from damier.core.words import _, printable
from damier.draw.board import board_svg
from damier.draw.history import HistoricMoment, history_svg
from damier.draw.marks import MoveMark, grid_of, is_free, legend, move_marks
from damier.draw.touch import Touch
from damier.web import pages
from damier.web.board.seats import HUMAN
from damier.web.board.sitting import DIE, Sitting, is_chance
from damier.web.board.truth import KnownTruth, history, known
from damier.web.messages.rooms import BoardAnswer, BoardState

LIGHT = ("chase", "random")


def answer(
    sitting: Sitting, values: Callable[[Sitting], KnownTruth] = known, resigned: int | None = None
) -> BoardAnswer:
    """State and parts of a position, with its exact values where these are asked for and `values`
    finds them.
    """
    found = values(sitting) if wants_values(sitting) else None
    marks = marks_of(sitting, found)
    moments = history(found, sitting) if found else {}
    state = state_of(sitting, marks, resigned, found)
    parts = {
        "board": board_part(sitting, marks),
        "status": pages.part(
            "board_status.html",
            said=said(sitting, resigned),
            caption=caption(sitting),
            last=last_move(sitting),
            sitting=sitting,
            state=state,
        ),
        "moves": moves_part(sitting, marks, resigned),
        "line": pages.part(
            "board_line.html",
            moves=sitting.moves,
            at=sitting.at,
            moments=moments,
            die=DIE,
            tree=tree_address(sitting),
        ),
        "truth": truth_part(sitting, found, moments),
    }
    return {"state": state, "parts": parts}


def state_of(
    sitting: Sitting, marks: list[MoveMark], resigned: int | None, found: KnownTruth | None
) -> BoardState:
    """What the program of the page must know."""
    position = sitting.position
    grid = grid_of(position)
    return {
        "game": sitting.name,
        "moves": sitting.moves,
        "at": sitting.at,
        "query": sitting.query(),
        "seats": list(sitting.seats),
        "mover": position.mover,
        "over": position.over,
        "person": is_person(sitting),
        "plays": sitting.plays and bool(sitting.people),
        "decided": [
            ply for ply, position in enumerate(sitting.positions) if position.mover in sitting.people
        ],
        "stopped": resigned is not None,
        "light": is_light(sitting),
        "moving": sitting.game.stochastic or len(sitting.people) < sitting.game.players,
        "veiled": is_veiled(sitting),
        "legal": [mark.name for mark in marks] if is_person(sitting) else [],
        "taps": {} if is_veiled(sitting) else taps(position, marks),
        "drags": [(mark.cells[0], mark.cells[-1], mark.name) for mark in marks if len(mark.cells) > 1],
        "columns": grid.width if grid else 0,
        "show": sorted(sitting.shown),
        "truth": truth_state(sitting, found),
    }


def tree_address(sitting: Sitting) -> str:
    """The tree of what can follow; nothing where that cannot be shown."""
    if sitting.game.imperfect_information or sitting.position.over:
        return ""
    return pages.address("/tree", game=sitting.name, moves=",".join(sitting.moves[: sitting.at]), plies=2)


def wants_values(sitting: Sitting) -> bool:
    """Whether the exact values are to be seen: with `predict`, only after a guess."""
    return "truth" in sitting.shown and not must_guess(sitting) and not is_veiled(sitting)


def must_guess(sitting: Sitting) -> bool:
    """Whether a person must say first what the position is worth."""
    return "predict" in sitting.shown and not sitting.guessed and not sitting.position.over


def truth_state(sitting: Sitting, found: KnownTruth | None) -> str:
    """`wait` where the values are asked for, and not known yet."""
    if found is None:
        asks = "truth" in sitting.shown and must_guess(sitting)
        return "off" if not asks else "guess" if is_person(sitting) or not sitting.people else "later"
    return "here" if found.solution else "wait" if found.hopeful else "none"


def is_person(sitting: Sitting) -> bool:
    """Whether a person at this page is to move."""
    position = sitting.position
    return not position.over and position.mover in sitting.people and sitting.me in (None, position.mover)


def is_light(sitting: Sitting) -> bool:
    """Whether a reply here takes no time to think about: a die, or an agent that need not look
    ahead.
    """
    player = sitting.position.mover
    if sitting.position.over or player == CHANCE:
        return True
    agent = sitting.seats[player].partition(":")[0]
    return agent in LIGHT or (agent == "perfect" and known(sitting).solution is not None)


def is_veiled(sitting: Sitting) -> bool:
    """Whether the board shows what who looks at it must not see: in a game with secrets it shows
    those of its mover.
    """
    position = sitting.position
    if (
        not sitting.game.imperfect_information
        or position.over
        or position.mover == CHANCE
        or not sitting.people
    ):
        return False
    if sitting.me is not None:
        return sitting.me != position.mover
    return position.mover not in sitting.people or (len(sitting.people) > 1 and sitting.look != sitting.at)


def moves_part(sitting: Sitting, marks: list[MoveMark], resigned: int | None) -> str:
    """The moves as buttons for a person, as words for others; nothing where the game is over."""
    if sitting.position.over:
        return ""
    return pages.part(
        "board_moves.html", marks=marks if may_move(sitting, resigned) else [], person=is_person(sitting)
    )


def may_move(sitting: Sitting, resigned: int | None) -> bool:
    return (
        not sitting.position.over
        and not is_chance(sitting.position)
        and resigned is None
        and not is_veiled(sitting)
    )


def marks_of(sitting: Sitting, found: KnownTruth | None) -> list[MoveMark]:
    """The legal moves, with what they lead to where that may be seen."""
    position = sitting.position
    if is_veiled(sitting):
        return []
    explained = found.solution.explain(position.state) if found and found.solution else None
    return move_marks(sitting.game, position.state, explained)


def board_part(sitting: Sitting, marks: list[MoveMark]) -> str:
    """The picture.

    Moves that are not valued are drawn only for a person, and where a cell to point at does not say
    enough.
    """
    if is_veiled(sitting):
        return pages.part(
            "board_veil.html",
            player=sitting.position.mover + 1,
            mine=sitting.me is None and is_person(sitting),
        )
    position = sitting.position
    grid = grid_of(position)
    moving = any(len(mark.cells) > 1 for mark in marks)
    drawn = [
        mark
        for mark in marks
        if grid
        and (
            mark.value
            or (is_person(sitting) and (len(mark.cells) > 1 if moving else not is_plain(grid, mark)))
        )
    ]
    picture = pages.picture(board_svg(position, drawn, touch=Touch(last_cells(sitting))))
    return picture if grid else pages.part("board_text.html", picture=picture)


def caption(sitting: Sitting) -> str:
    """What the board does not show, such as a score."""
    grid = grid_of(sitting.position)
    return printable(grid.caption) if grid and not is_veiled(sitting) else ""


def last_move(sitting: Sitting) -> str:
    """What was played last, for who cannot see it on the board; nothing where a die fell that
    nobody must see.
    """
    played = sitting.moves[sitting.at - 1] if sitting.at else ""
    return "" if played == DIE else played


def is_plain(grid: Grid, mark: MoveMark) -> bool:
    """A stone put on a free cell: the cell itself can be pointed at."""
    return len(mark.cells) == 1 and is_free(grid.piece(mark.cells[0]))


def last_cells(sitting: Sitting) -> tuple[int, ...]:
    """Where the last move happened."""
    if not sitting.at or not sitting.game.place:
        return ()
    before, name = sitting.positions[sitting.at - 1], sitting.moves[sitting.at - 1]
    if is_chance(before):
        return ()
    cells = tuple(sitting.game.place(before.state, before.read(name)))
    return (cells[0], cells[-1]) if cells else ()


def taps(position: Position, marks: list[MoveMark]) -> dict[int, str]:
    """By cell, the move that it means by itself.

    Where moves are named as the columns are, all of a column means its move.
    """
    grid = grid_of(position)
    if grid is None:
        return {}
    alone = [mark for mark in marks if len(mark.cells) == 1]
    found = {
        mark.cells[0]: mark.name for mark in alone if sum(other.cells == mark.cells for other in alone) == 1
    }
    if all(
        cell < grid.width * grid.height and grid.columns[cell % grid.width : cell % grid.width + 1] == (name,)
        for cell, name in found.items()
    ):
        return {
            row * grid.width + cell % grid.width: name
            for cell, name in found.items()
            for row in range(grid.height)
        }
    return found


def said(sitting: Sitting, resigned: int | None) -> str:
    """Whose turn it is, or how it ended."""
    position = sitting.position
    if resigned is not None:
        return _("{player} gives up.", player=player_words(sitting, resigned))
    if position.payoffs is not None:
        return result(sitting, position.payoffs)
    if position.mover == CHANCE:
        return _("A die is thrown.")
    if position.mover == sitting.you:
        return _("Your move (player {n}).", n=position.mover + 1)
    return _("{player} is to move.", player=player_words(sitting, position.mover))


def result(sitting: Sitting, payoffs: tuple[int, ...]) -> str:
    """How a game ended, to whom reads it."""
    if sorted(payoffs) == [-1, 1]:
        winner = payoffs.index(1)
        if winner == sitting.you:
            return _("You have won.")
        return _("{player} has won.", player=player_words(sitting, winner))
    if not any(payoffs):
        return _("A draw.")
    listed = "; ".join(
        _("{player} {payoff}", player=player_words(sitting, player), payoff=f"{payoff:+d}")
        for player, payoff in enumerate(payoffs)
    )
    return _("The end. Payoffs: {payoffs}.", payoffs=listed)


def player_words(sitting: Sitting, player: int) -> str:
    """A player and who it is."""
    if sitting.seats[player] == HUMAN:
        return _("Player {n} (you)", n=player + 1) if player == sitting.you else _("Player {n}", n=player + 1)
    return _("Player {n} ({agent})", n=player + 1, agent=sitting.seats[player].partition(":")[0])


def truth_part(sitting: Sitting, found: KnownTruth | None, moments: dict[int, HistoricMoment]) -> str:
    """The exact values in words, the history of the game, the question before a guess, or why there
    are none.
    """
    picture = (
        pages.picture(history_svg(list(moments.values()), sitting.at))
        if found and found.whole and moments
        else ""
    )
    mover = sitting.position.mover
    return pages.part(
        "board_truth.html",
        state=truth_state(sitting, found),
        here=moments[sitting.at].words(sitting.at) if moments else "",
        why=found.why if found else "",
        picture=picture,
        blunders=sum(moment.lost is not None for moment in moments.values()),
        mover=mover + 1,
        legend=legend(),
    )
