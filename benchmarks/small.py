"""Small games solved in process, in plain Python: nothing is compiled, and no engine knows that a
game is small.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.measure import Bar, Bench, Row, agree, cpu, peer, race
from damier import load
from damier.core.game import Game
from damier.core.job import Job
from damier.solve import solve

TICTACTOE_STATES, TICTACTOE_INNER_STATES = 5478, 4520


def pure(game: Game) -> Callable[[], object]:
    """A fresh solve of a game that is loaded already, in plain Python."""
    return lambda: solve(game, job=Job(jit=False))


def tictactoe(name: str) -> Row:
    """Value and distance of all 5478 positions of tic-tac-toe, in process, pure Python, against
    OpenSpiel's MinimaxSolver (values, without distances).
    """
    solver: Any = peer("open_spiel.python.algorithms.minimax_solver")
    game = load("tictactoe")
    agree(name, len(solve(game, job=Job(jit=False))), TICTACTOE_STATES)
    agree(name, len(solver.MinimaxSolver("tic_tac_toe").solve()), TICTACTOE_INNER_STATES)  # it keeps no ends
    theirs = cpu(lambda: solver.MinimaxSolver("tic_tac_toe").solve(), per=1e-3)
    return race(name, "ms", "OpenSpiel MinimaxSolver", cpu(pure(game), per=1e-3), theirs, pairs=15, less=True)


def tictactoe_easy(name: str) -> Row:
    """The same against easyAI's Negamax to depth 9 with its transposition table, which finds the
    first position's value and move only.
    """
    easy: Any = peer("easyAI")
    board: Any = peer("easyAI.games.TicTacToe")

    class TicTacToe(board.TicTacToe):  # type: ignore[misc]
        def ttentry(self) -> tuple[int, ...]:
            return (*self.board, self.current_player)

    def search() -> None:
        easy.Negamax(9, tt=easy.TranspositionTable())(TicTacToe([None, None]))

    return race(
        name, "ms", "easyAI Negamax", cpu(pure(load("tictactoe")), per=1e-3), cpu(search, per=1e-3), less=True
    )


def nim_easy(name: str) -> Row:
    """Misère Nim 1-3-5-7: value and distance of every position against easyAI's Negamax to depth 16
    with its table, first position only.
    """
    easy: Any = peer("easyAI")
    nim: Any = peer("easyAI.games.Nim")

    def search() -> None:
        easy.Negamax(16, tt=easy.TranspositionTable())(nim.Nim([None, None], piles=(1, 3, 5, 7)))

    return race(
        name,
        "ms",
        "easyAI Negamax",
        cpu(pure(load("nim:heaps=1-3-5-7")), per=1e-3),
        cpu(search, per=1e-3),
        less=True,
    )


BENCHES = (
    Bench("solve-tictactoe", tictactoe, Bar(2.5)),
    Bench("solve-tictactoe-easyai", tictactoe_easy),
    Bench("solve-nim-easyai", nim_easy),
)
