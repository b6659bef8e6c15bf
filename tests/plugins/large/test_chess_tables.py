"""Tables of chess against known totals, a plain solver of king and pawn against king, and the moves of
python-chess.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import naive_kpk
import numpy as np
import pytest
from lasting import later, long

from damier import Job, load
from damier.core.arrays import SmallIntArray
from damier.core.compile import instantiate
from damier.core.endgames import UNKNOWN, probe
from damier.core.hooks import Slice
from damier.core.rules import TOP, Field, as_state, later as one_ply_later
from damier.games.chess import from_fen, to_fen
from damier.games.chess_endgames import place_of, slice_of, stages, state_at, unmoves, unplay
from damier.games.chess_rules import ChessState
from damier.plugins.large.endgame_slice import NO_POSITION, engines, first_wrong, room_for
from damier.plugins.large.endgame_tables import EndgameTables, FinishedSlice, build, open_tables

chess = pytest.importorskip("chess")
GAME = load("chess")


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> EndgameTables:
    """All positions with three pieces."""
    folder = tmp_path_factory.mktemp("chess")
    build(GAME, 3, folder, Job(jit=True, jobs=2))
    return open_tables(folder, GAME)


def found(tables: EndgameTables, name: str) -> FinishedSlice:
    return next(one for one in tables.slices if one.slice.name == name)


def scores_of(tables: EndgameTables, name: str) -> SmallIntArray:
    one = found(tables, name)
    return tables.held.scores[one.begin : one.begin + one.slice.places]


@long
@pytest.mark.parametrize(("name", "moves"), [("KQ-K", 10), ("KR-K", 16), ("KP-K", 28)])
def test_the_longest_mates_are_the_known_ones(tables: EndgameTables, name: str, moves: int) -> None:
    assert found(tables, name).counts.longest_win == 2 * moves - 1


@long
@pytest.mark.parametrize("name", ["KQ-K", "KR-K", "KP-K"])
def test_every_score_follows_from_those_of_the_moves(tables: EndgameTables, name: str) -> None:
    one, made = found(tables, name).slice, engines(GAME, jit=True)
    room = room_for(one.places)
    room.scores[:] = scores_of(tables, name)
    assert first_wrong(made, one, room, tables.held, 1, lambda places: None) == -1
    room.scores[int(np.flatnonzero(room.scores > 0)[5])] -= 2  # a win that takes two plies longer
    assert first_wrong(made, one, room, tables.held, 1, lambda places: None) >= 0


@long
def test_king_and_pawn_against_king_is_as_a_plain_solver_finds_it(tables: EndgameTables) -> None:
    naive = naive_kpk.kpk()
    totals = [int(part.sum()) for part in naive]
    assert totals == [163_328, 168_024, 124_960, 97_604]  # as is known
    scores = scores_of(tables, "KP-K").reshape(8, 4, 64, 64, 2)  # row and column of the king
    mirrored = [cell ^ 7 for cell in range(64)]

    def whole(part: SmallIntArray) -> SmallIntArray:
        """[king, foe, pawn]: the other half of the board is the mirror image."""
        right = part[:, ::-1][:, :, mirrored][:, :, :, mirrored]
        return np.concatenate([part, right], axis=1).reshape(64, 64, 64)

    white, black = whole(scores[..., 0]), whole(scores[..., 1])
    assert ((white != NO_POSITION) == naive.white_to_move).all()
    assert ((black != NO_POSITION) == naive.black_to_move).all()
    assert ((white > 0) == naive.won_by_mover).all()
    assert ((black < 0) & (black != NO_POSITION)).tolist() == naive.lost_by_mover.tolist()
    assert not (white[white != NO_POSITION] < 0).any()
    assert not (black > 0).any()


def sample(one: Slice, number: int, seed: int) -> list[ChessState]:
    """Some positions of a slice."""
    rng, states = Random(seed), []
    while len(states) < number:
        s = state_at(one.number, rng.randrange(one.places))
        if place_of(s) >= 0:
            states.append(s)
    return states


@long
@pytest.mark.parametrize("name", ["KQ-K", "KR-K", "KP-K"])
def test_the_moves_of_another_program_lead_to_the_same_values(tables: EndgameTables, name: str) -> None:
    for s in sample(found(tables, name).slice, 60, 5):
        board = chess.Board(to_fen(s))
        assert board.is_valid()
        best = -TOP if board.is_checkmate() else 0 if board.is_stalemate() else None
        for move in board.legal_moves:
            board.push(move)
            child = tables.score(from_fen(board.fen()))
            board.pop()
            assert child != UNKNOWN
            best = one_ply_later(-child) if best is None else max(best, one_ply_later(-child))
        assert tables.score(s) == best, to_fen(s)


SOME = ("KQ-K", "KP-K", "KNN-K", "KR-KB", "KPP-K", "KN-KP")


@pytest.mark.parametrize(
    "one",
    [one if one.name in SOME else later((one,)) for stage in stages(4) for one in stage],
    ids=lambda one: one.name,
)
def test_slices_number_their_positions(one: Slice) -> None:
    rng, seen = Random(1), 0
    for _try in range(150):
        place = rng.randrange(one.places)
        s = state_at(one.number, place)
        if s.kings and (slice_of(s), place_of(s)) == (one.number, place):
            seen += 1
            board = chess.Board(to_fen(s))
            assert board.is_valid()
            images = [board.mirror(), board.transform(chess.flip_horizontal)]
            if not s.pawns:
                images.append(board.transform(chess.flip_vertical))
            for image in images:
                t = from_fen(image.fen())
                assert (slice_of(t), place_of(t)) == (one.number, place)
    assert seen > 20


def shown(s: ChessState) -> list[str]:
    """The board, and whose turn it is."""
    return to_fen(s).split()[:2]


@pytest.mark.parametrize("one", [one for stage in stages(3) for one in stage], ids=lambda one: one.name)
def test_what_may_have_led_to_a_position_is_what_leads_to_it(one: Slice) -> None:
    """Within a slice the moves backwards are the moves."""
    compared = 0
    for s in sample(one, 10, 3):
        back = list[int]()
        unmoves(s, back)
        for unmove in back:
            before = unplay(s, unmove)
            assert slice_of(before) == one.number
            if state_at(one.number, place_of(before)).kings:  # else a king could have been taken
                after = [shown(GAME.play(before, move)) for move in GAME.legal(before)]  # type: ignore[arg-type]
                assert shown(s) in after
        for move in GAME.legal(s):
            t = GAME.play(s, move)
            if slice_of(t) == one.number:  # type: ignore[arg-type]
                back = list[int]()
                unmoves(t, back)  # type: ignore[arg-type]
                assert shown(s) in [shown(unplay(t, unmove)) for unmove in back]  # type: ignore[arg-type]
                compared += 1
    assert compared > 20


def asked(start: tuple[Field, ...], held: tuple[Any, ...]) -> int:
    """An engine that asks a table."""
    return probe(as_state(start), held)


@long
def test_a_compiled_engine_probes_wide_states(tables: EndgameTables) -> None:
    found_by = tables.probe()
    engine = instantiate(asked, GAME, jit=True, bind=found_by.bindings)
    for one in tables.slices:
        for s in sample(one.slice, 50, 9):
            assert engine(GAME.fields(s), found_by.arrays) == tables.score(s)
    assert engine(GAME.fields(GAME.start), found_by.arrays) == UNKNOWN


def test_what_no_slice_holds() -> None:
    for fen in (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "4k3/p7/8/8/8/8/P7/4K3 w - - 0 1",
        "4k3/pp6/8/8/8/8/P7/4K3 w - - 0 1",
    ):
        assert slice_of(from_fen(fen)) < 0


@long
def test_the_table_plays_a_mate_to_its_end(tables: EndgameTables, tmp_path: Path) -> None:
    s = from_fen("8/8/8/3k4/8/8/8/KR6 w - - 0 1")
    plies = TOP - abs(tables.score(s))
    while not GAME.over(s):
        assert TOP - abs(tables.score(s)) == plies
        solution = tables.solution(s)
        fastest = solution.fastest_moves(s)
        assert isinstance(fastest, list)
        s, plies = GAME.play(s, fastest[0]), plies - 1  # type: ignore[assignment]
    assert plies == 0
    assert GAME.payoff(s, 0) == 1
