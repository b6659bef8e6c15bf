"""Tables of draughts against published counts, and against rules written plainly."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from math import comb
from pathlib import Path

import pytest
from lasting import later
from naive_draughts import Board, NaiveDraughts, Square

from damier import Job, Position, load
from damier.core.rules import TOP, later as one_ply_later
from damier.lab.solving import from_tables
from damier.plugins.large.endgame_tables import EndgameTables, build, open_tables

GAME = load("draughts")
NAIVE = NaiveDraughts(international=False)
SQUARES = [(row, column) for row in range(8) for column in range(8) if (row + column) % 2]
PUBLISHED = {2: 6_972, 3: 261_224}
Key = tuple[str, tuple[tuple[Square, str], ...]]


@pytest.fixture(scope="module", params=[2, later(3)])
def tables(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> EndgameTables:
    """All positions with up to so many pieces."""
    folder = tmp_path_factory.mktemp("draughts")
    build(GAME, request.param, folder, Job(jit=request.param > 2, jobs=2))
    return open_tables(folder, GAME)


def one_sided(pieces: int) -> int:
    """Positions with so many pieces of one colour, and none of the other."""
    return 2 * sum(comb(28, men) * comb(32 - men, pieces - men) for men in range(pieces + 1))


def test_there_are_as_many_positions_as_published(tables: EndgameTables) -> None:
    found: dict[int, int] = defaultdict(int)
    for one in tables.slices:
        found[len(one.slice.name) - 1] += one.counts.positions
    assert len(found) == tables.pieces - 1
    for pieces, positions in found.items():
        assert positions + one_sided(pieces) == PUBLISHED[pieces]


def test_one_king_against_one_is_as_trice_counted(tables: EndgameTables) -> None:
    counts = next(one.counts for one in tables.slices if one.slice.name == "K-K")
    assert counts[:5] == (992, 230, 654, 108, 11)


def naive_scores() -> dict[Key, int]:
    """The scores of all positions with two pieces or fewer, by the plain rules: passes over all of
    them until nothing changes.
    """
    boards: list[Board] = [{}]
    for square in SQUARES:
        boards += [{square: piece} for piece in pieces_on(square)]
    for one, other in combinations(SQUARES, 2):
        boards += [{one: a, other: b} for a in pieces_on(one) for b in pieces_on(other)]
    after = {}
    for board in boards:
        for colour in "bw":
            other_colour = "w" if colour == "b" else "b"
            after[key_of(board, colour)] = [
                key_of(NAIVE.after(board, move), other_colour) for move in NAIVE.moves(board, colour)
            ]
    scores = {key: 0 if children else -TOP for key, children in after.items()}
    changed = True
    while changed:
        best = {
            key: max((one_ply_later(-scores[child]) for child in children), default=-TOP)
            for key, children in after.items()
        }
        changed, scores = best != scores, best
    return scores


def pieces_on(square: Square) -> str:
    return ("" if square[0] == 7 else "b") + ("" if square[0] == 0 else "w") + "BW"


def key_of(board: Board, colour: str) -> Key:
    return colour, tuple(sorted(board.items()))


def test_two_pieces_are_worth_what_the_plain_rules_say(tables: EndgameTables) -> None:
    scores = naive_scores()
    checked = 0
    for (colour, placed), score in scores.items():
        sides = {
            side: ",".join(
                ("K" if piece.isupper() else "") + str(NAIVE.number(square))
                for square, piece in placed
                if piece.lower() == side
            )
            for side in "bw"
        }
        if all(sides.values()):
            text = f"{colour.upper()}:W{sides['w']}:B{sides['b']}"
            assert GAME.read_position
            assert tables.score(GAME.read_position(text)) == score, text
            checked += 1
    assert checked == 2 * 3488


def test_a_captured_last_piece_is_a_win_from_the_table(tables: EndgameTables) -> None:
    assert GAME.read_position
    s = GAME.read_position("W:W18:B15")
    solution = tables.solution(s)
    assert (solution.value(s), solution.distance(s)) == ("win", 1)
    assert GAME.name_moves(s, solution.fastest_moves(s)) == ["18x11"]


@pytest.mark.parametrize("tables", [later(3)], indirect=True)
def test_best_play_from_the_table_takes_as_long_as_it_says(tables: EndgameTables) -> None:
    assert GAME.read_position
    longest = max(one.counts.longest_win for one in tables.slices)
    assert longest == 61
    position = Position(GAME, GAME.read_position("B:WK32:B1,K2"))
    plies = TOP - abs(tables.score(position.state))
    assert plies > 20
    for left in range(plies, 0, -1):
        assert TOP - abs(tables.score(position.state)) == left
        solution = tables.solution(position.state)
        moves = GAME.name_moves(position.state, solution.fastest_moves(position.state))
        position = position.play(moves[0])
    assert position.over


def test_the_command_answers_from_a_folder(tables: EndgameTables, tmp_path: Path) -> None:
    assert GAME.read_position
    build(GAME, 2, tmp_path / "two", Job(jit=False))
    s = GAME.read_position("W:WK18:BK15")
    answer = from_tables(tmp_path / "two", GAME, s)
    assert answer.solution.distance(s) == 1
    assert answer.solution.method == "endgame-tables"


def test_international_draughts_goes_by_passes(tmp_path: Path) -> None:
    game = load("draughts:variant=international")
    assert game.endgames is not None
    assert game.endgames.unmoves is None
    stages = game.endgames.stages(2)
    assert [one.places for stage in stages for one in stage] == [2450, 2 * 45 * 49, 45 * 45]
