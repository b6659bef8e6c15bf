"""The room of puzzles: a position in which exactly one move is right. Who looks for it moves on the board,
and is told the exact values of all moves. An address is a puzzle: of a game and a seed, with the move that
was tried.
"""

from __future__ import annotations

from damier.core.errors import DamierError, LimitReached
from damier.core.json_data import to_json
from damier.core.solution import ValueSolution, word_of
from damier.core.words import _, message
from damier.draw.board import has_sides
from damier.draw.text import MoveMark, grid_of, legend, move_marks
from damier.lab.games import game_in_words
from damier.lab.puzzles import Puzzle, has_puzzles, puzzle
from damier.web import pages
from damier.web.board_parts import board_part
from damier.web.board_position import columns_of_board, pointing
from damier.web.board_session import GameSession, player_in_title, session_in
from damier.web.board_truth import LARGEST, is_too_large, known, why_links
from damier.web.limits import LRU
from damier.web.messages import Params, PuzzleState, StateAnswer
from damier.web.pages import for_page
from damier.web.registry import Registry

LARGEST_SEED = 999_999
FIRST = 1
"""The seed of the first puzzle, an easy one."""

_puzzles = LRU[tuple[str, int], Puzzle](64)


def page(registry: Registry, params: Params) -> str:
    """The page of a puzzle; of a game that has none, the reason."""
    name = params.text("game")
    game = registry.game(name)
    title = _("Puzzles: {game}", game=game_in_words(name.partition(":")[0], game))
    try:
        found, why = show(registry, params), ""
    except DamierError as error:
        found, why = None, for_page(str(error))
    return pages.page(
        "puzzle.html",
        "/games",
        title,
        game=name,
        why=why,
        state=to_json(found["state"]) if found else "",
        parts=found["parts"] if found else {},
        steered=False,
    )


def show(registry: Registry, params: Params) -> StateAnswer[PuzzleState]:
    """Return the puzzle of a `seed`; with the `move` that was tried, what all moves are worth.

    Raises Unsuitable for a game that has none, LimitReached, IllegalMove.
    """
    seed, move = params.whole("seed", FIRST, 0, LARGEST_SEED), params.text("move")
    found = puzzle_of(registry, params.text("game"), seed)
    session = session_in(registry, Params({"game": params.text("game"), "moves": [*found.moves], **PEOPLE}))
    s = session.position.state
    if move:
        move = session.game.name_move(s, session.position.read(move))
    marks = move_marks(session.game, s, found.solution.explain(s) if move else None)
    parts = {"board": board_part(session, marks), "task": task_part(session, found, seed, marks, move)}
    return {"state": puzzle_state(session, found, seed, marks, move), "parts": parts}


PEOPLE = {"1": "human", "2": "human", "show": "truth"}


def puzzle_of(registry: Registry, name: str, seed: int) -> Puzzle:
    """The puzzle of a game and a seed. Raises Unsuitable for a game that has none, LimitReached."""
    session = session_in(registry, Params({"game": name}))

    def found() -> Puzzle:
        game = session.game
        if not has_puzzles(game) or is_too_large(game):
            return puzzle(game, seed, None)
        truth = known(session, LARGEST)
        if truth.solution is None and truth.hopeful:  # the clock must not choose another puzzle
            raise LimitReached(
                message("{game} could not be solved in the time that a page has", game=game.text)
            )
        return puzzle(game, seed, truth.solution)

    # its file may have been edited
    return _puzzles.find((name, seed), found, lambda kept: kept.position.game is session.game)


def puzzle_state(
    session: GameSession, found: Puzzle, seed: int, marks: list[MoveMark], move: str
) -> PuzzleState:
    """Return what the program of the page must know."""
    taps, routes = pointing(session.position, marks)
    right = session.game.name_move(session.position.state, found.right)
    return {
        "game": session.name,
        "seed": seed,
        "move": move,
        "right": move == right if move else None,
        "person": not move,
        "legal": [mark.name for mark in marks],
        "taps": taps,
        "routes": routes,
        "said": {mark.name: mark.text for mark in marks if mark.text != mark.name},
        "columns": columns_of_board(grid_of(session.position)),
        "flipped": has_sides(grid_of(session.position)) and session.flip,
    }


def task_part(session: GameSession, found: Puzzle, seed: int, marks: list[MoveMark], move: str) -> str:
    """Return what is to be found or, once a `move` was tried, whether it was right; and all moves."""
    by_name = {mark.name: mark for mark in marks}
    right = by_name[session.game.name_move(session.position.state, found.right)]
    solution, address = found.solution, f"/puzzles/{session.name}"
    value = None if isinstance(solution, ValueSolution) else solution.value(session.position.state)
    return pages.part(
        "puzzle_task.html",
        seed=seed,
        player=player_in_title(session.game, session.position.mover),
        value=word_of(value) if value else "",
        marks=marks,
        tried=by_name.get(move),
        right=right,
        whys=why_links(session, marks) if move else {},
        legend=legend(marks) if move else "",
        answers={mark.name: pages.address(address, seed=seed, move=mark.name) for mark in marks},
        again=pages.address(address, seed=seed),
        next=pages.address(address, seed=seed + 1),
        board=pages.address(f"/{session.name}", moves=",".join(session.moves), **PEOPLE),
    )
