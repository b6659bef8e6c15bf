"""Games whose past matters: repetition, moves without progress and positional superko, as the loop,
positions, searches and people see them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import chess as oracle
import pytest
from lasting import later, long

from damier import load
from damier.core.analysis import Analysis, Limit
from damier.core.bits import random_below, reseed
from damier.core.game import Game, Position, line
from damier.core.job import Job
from damier.core.loop import MatchSetup
from damier.core.past import Before, Line, after, ago, length, played
from damier.core.player import RandomPlayer
from damier.core.rules import ONGOING, Past, State
from damier.search.alphabeta import Options, alphabeta
from damier.search.mcts import mcts
from damier.search.minimax import expectimax, maxn, minimax

KNIGHTS = ["g1f3", "g8f6", "f3g1", "f6g8"]


def test_the_third_time_of_a_position_is_a_draw() -> None:
    game = load("chess")
    positions = line(game, KNIGHTS * 2)
    assert [position.over for position in positions] == [False] * 8 + [True]
    assert positions[-1].payoffs == (0, 0)
    assert positions[-1].moves == ()


def test_a_right_to_castle_makes_another_position() -> None:
    """After the rooks have moved and come back, the first position is another: what is there a third time
    is the board after ply 2, 6 and 10, not that after ply 0, 4 and 8.
    """
    begin = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    moves = ["h1g1", "h8g8", "g1h1", "g8h8"]
    positions = line(load("chess"), (moves * 3)[:10], begin)
    assert [number for number, position in enumerate(positions) if position.over] == [10]


def test_fifty_moves_without_a_pawn_or_a_capture_are_a_draw_but_mate_is_mate() -> None:
    """In random games with few pieces, ply by ply, as python-chess counts them."""
    rng = [0]
    for game_number, fen in enumerate(
        ["8/8/4k3/8/2R5/3K4/8/8 w - - 0 1", "8/6p1/4k3/8/2R5/3K4/1P6/8 w - - 0 1"] * 4
    ):
        reseed(rng, 7, game_number)
        board, position = oracle.Board(fen), line(load("chess"), [], fen)[-1]
        while not position.over and board.ply() < 500:
            move = position.moves[random_below(rng, len(position.moves))]
            board.push_uci(move)
            position = position.play(move)
            ended = (
                board.is_checkmate()
                or board.is_stalemate()
                or board.is_insufficient_material()
                or board.is_repetition(3)
                or board.is_fifty_moves()
            )
            assert position.over == ended, board.fen()
        assert position.over


@pytest.mark.parametrize(("game", "jit"), [("shuttle", True), ("draughts", False), later(("draughts", True))])
def test_the_loop_sees_the_line_plain_and_compiled(game: str, jit: bool) -> None:
    """The same games, and none goes on after a draw by what was before."""
    found = shuttle() if game == "shuttle" else load(game)
    setup = MatchSetup(found, (RandomPlayer(), RandomPlayer()), 1, record=True)
    plain = setup.play(0, 6, jit=False)
    assert setup.play(0, 6, jit=jit) == plain
    for moves in plain.lines:
        states = played(found, moves)
        assert [found.over(s) for s in states] == [False] * len(moves) + [True]


def test_kings_alone_are_a_draw_after_some_moves() -> None:
    english = "W:WK1:BK32"
    shuffle = ["1-5", "32-28", "5-1", "28-32"]
    positions = line(load("draughts"), shuffle * 2, english)
    assert [position.over for position in positions] == [False] * 8 + [True]
    moves, kings = list[str](), line(load("draughts:variant=international"), [], "W:WK46:BK4")[-1]
    seen = {str(kings)}
    while not kings.over:
        move, kings = next(
            (move, after)
            for move in kings.moves
            if str(after := kings.play(move)) not in seen and not any("x" in reply for reply in after.moves)
        )
        seen.add(str(kings))
        moves.append(move)
    assert len(moves) == 10


def naive_superko(size: int, moves: list[str]) -> set[str]:
    """The stones that bring back an earlier board, by playing each of them: boards as text."""
    positions = line(load(f"go:size={size}"), moves)
    boards = {str(position) for position in positions}
    last = positions[-1]
    unforbidden = Position(last.game, last.state._replace(forbidden=0))  # type: ignore[attr-defined]
    return {move for move in unforbidden.moves if move != "pass" and str(unforbidden.play(move)) in boards}


def test_a_ko_is_not_taken_back_at_once() -> None:
    moves = ["B3", "C3", "A2", "D2", "B1", "C1", "C2", "B2"]  # White takes C2
    positions = line(load("go:size=4"), moves)
    assert "C2" not in positions[-1].moves
    assert naive_superko(4, moves) == {"C2"}
    elsewhere = line(load("go:size=4"), [*moves, "A4", "D4"])
    assert "C2" in elsewhere[-1].moves


@pytest.mark.parametrize(("size", "games"), [(2, 3), (3, 1), later((3, 3))])
def test_superko_in_random_games(size: int, games: int) -> None:
    """What the state forbids is what brings back a board, and nothing else."""
    game, rng = load(f"go:size={size}"), [0]
    for number in range(games):
        reseed(rng, 3, number)
        position, moves = game.position(), list[str]()
        while not position.over and len(moves) < 60:
            forbidden = naive_superko(size, moves)
            free = Position(game, position.state._replace(forbidden=0))  # type: ignore[attr-defined]
            assert set(free.moves) - set(position.moves) == forbidden
            names = [name for name in position.moves if name != "pass"] or ["pass"]
            moves.append(names[random_below(rng, len(names))])
            position = position.play(moves[-1])


@long
def test_black_wins_two_by_two_go_by_one_point() -> None:
    """With area scoring and superko, as published: with a komi of one point it is a draw. Every line
    is searched; a position at the end of another line is another position.
    """
    game = load("go:size=2,komi=1.0")
    found = alphabeta(game, game.start, explain=False)
    assert (found.value, found.exact) == (0, True)


class ShuttleState(NamedTuple):
    cell: int
    mover: int
    drawn: int


def shuttle() -> Game:
    """A token between two ends: to the right of player 1, to the left of player 2. The third time of a
    position is a draw.
    """

    def moves(s: ShuttleState) -> int:
        return 0b11

    def play(s: ShuttleState, move: int) -> ShuttleState:
        return ShuttleState(s.cell + (1 if move == 2 else -1), 1 - s.mover, 0)

    def outcome(s: ShuttleState) -> int:
        if s.cell == 0 or s.cell == 4:
            return 1 if (s.cell == 4) == (s.mover == 0) else -1
        return 0 if s.drawn else ONGOING

    def with_past(s: ShuttleState, past: Past[ShuttleState]) -> ShuttleState:
        times = 1
        for n in range(1, length(past) + 1):
            earlier = ago(past, n)
            times += earlier.cell == s.cell and earlier.mover == s.mover
        return ShuttleState(s.cell, s.mover, 1) if times >= 3 else s

    return Game(
        "shuttle",
        ShuttleState(2, 0, 0),
        moves,
        play,
        outcome,
        with_past=with_past,
        bits=(3, 1, 1),
        most_moves=2,
        name_move=lambda s, move: "right" if move == 2 else "left",
    )


def table(game: Game, s: State, limit: Limit, *, before: Before, job: Job) -> Analysis:
    return alphabeta(game, s, limit, Options(table=True, order=True), before=before, job=job)


def simulations(game: Game, s: State, limit: Limit, *, before: Before, job: Job) -> Analysis:
    return mcts(game, s, simulations=20, before=before, job=job)


def in_short(game: Game, s: State, limit: Limit, *, before: Before, job: Job) -> Analysis:
    """Alpha-beta without what explains it, which are searches of the same kind, and as many engines again."""
    return alphabeta(game, s, limit, before=before, job=job, explain=False)


SEARCHES = [minimax, alphabeta, table, expectimax, maxn, simulations]


@pytest.mark.parametrize(
    ("search", "jit"),
    [
        *((search, False) for search in SEARCHES),
        later((alphabeta, True)),
        (in_short, True),
        later((simulations, True)),
    ],
)
def test_every_search_sees_the_positions_before_the_root(search: Callable[..., Analysis], jit: bool) -> None:
    """One step back and the position is there for the third time: then both moves end the game."""
    game, job = shuttle(), Job(jit=jit)
    position = line(game, ["right", "left", "right"])[-1]
    known, unknown = (
        search(game, position.state, Limit(plies=1), before=before, job=job)
        for before in (position.before, ())
    )
    assert known.exact
    assert not unknown.exact or search is simulations  # which goes on to the ends of lines
    back = position.read("left")
    assert known.values[back] in (0, (0, 0))


def test_nobody_can_win_a_shuttle() -> None:
    """Every line ends, by a draw where both play well; what a table held is not called exact."""
    game, job = shuttle(), Job(jit=False)
    for search in (minimax, alphabeta, maxn):
        found = search(game, game.start, before=(), job=job)
        assert (found.value, found.exact) in ((0, True), ((0, 0), True))
    assert not table(game, game.start, Limit(), before=(), job=job).exact


def test_what_a_line_remembers() -> None:
    game = load("chess")
    s, before = game.start, ()
    walked = Line(game, s)
    for name in KNIGHTS:
        move = Position(game, s, before).read(name)
        s, before = after(game, s, move, before)
        assert walked.play(move) == s
        assert walked.before == before
    assert len(before) == 4
    with walked.trying(Position(game, s).read("e2e4")):
        assert walked.before == ()
    assert (walked.state, walked.before) == (s, before)
    hexapawn = load("hexapawn")
    assert Line(hexapawn, hexapawn.start).before == ()
