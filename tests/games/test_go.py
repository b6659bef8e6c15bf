"""Go against rules on a dictionary of cells, counts of legal positions, and positions made for one
rule each.
"""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from lasting import later, shortly
from lines_of_play import random_line

from damier import BadInput, Position, load
from damier.core.rules import State

Cell = tuple[int, int]
Cells = dict[Cell, str]
COLUMNS = "ABCDEFGHJKLMNOPQRST"


def neighbours(cell: Cell, size: int) -> list[Cell]:
    x, y = cell
    beside = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return [(a, b) for a, b in beside if 0 <= a < size and 0 <= b < size]


def region(board: Cells, cell: Cell, size: int) -> tuple[set[Cell], set[str]]:
    """The cells connected to one, alike, and what stands beside them ("." for a free cell)."""
    kind, found, beside, stack = board.get(cell, "."), {cell}, set(), [cell]
    while stack:
        for next_ in neighbours(stack.pop(), size):
            if board.get(next_, ".") != kind:
                beside.add(board.get(next_, "."))
            elif next_ not in found:
                found.add(next_)
                stack.append(next_)
    return found, beside


def naive_play(board: Cells, cell: Cell, colour: str, size: int) -> Cells | None:
    """The board after a stone, those it takes removed; None where it would take itself."""
    after = board | {cell: colour}
    for next_ in neighbours(cell, size):
        if after.get(next_, colour) != colour:
            group, beside = region(after, next_, size)
            if "." not in beside:
                after = {place: stone for place, stone in after.items() if place not in group}
    return after if "." in region(after, cell, size)[1] else None


def naive_lead(board: Cells, size: int) -> int:
    """Black's area less White's."""
    lead = sum(1 if stone == "X" else -1 for stone in board.values())
    for cell in product(range(size), repeat=2):
        if cell not in board:
            beside = region(board, cell, size)[1]
            lead += (beside == {"X"}) - (beside == {"O"})
    return lead


def rows_of(board: Cells, size: int) -> tuple[str, ...]:
    return tuple("".join(board.get((x, y), ".") for x in range(size)) for y in range(size))


@pytest.mark.parametrize(
    ("size", "games", "plies"), [(2, 40, 30), (3, 30, 60), (5, 10, 90), later((9, 2, 120)), (19, 1, 60)]
)
def test_random_games_are_those_of_rules_on_a_dictionary(size: int, games: int, plies: int) -> None:
    game = load(f"go:size={size}")
    for seed in range(games):
        position, board, passes, chosen = game.position(), Cells(), 0, Random(seed)
        boards = [board]  # none of them may come back
        for ply in range(plies):
            colour = "XO"[ply % 2]
            assert game.grid(position.state).rows == rows_of(board, size)
            assert position.over == (passes == 2)
            if position.over:
                lead = naive_lead(board, size)
                assert position.payoffs == ((lead > 0) - (lead < 0), (lead < 0) - (lead > 0))
                break
            free = [cell for cell in product(range(size), repeat=2) if cell not in board]
            after = {
                f"{COLUMNS[x]}{size - y}": then
                for x, y in free
                if (then := naive_play(board, (x, y), colour, size)) is not None and then not in boards
            }
            assert set(position.moves) == {*after, "pass"}
            name = chosen.choice(position.moves)
            position, board = position.play(name), after.get(name, board)
            passes = passes + 1 if name == "pass" else 0
            boards.append(board)


@pytest.mark.parametrize("size", shortly([2, 3, 7, 8, 19], 2, 8))
def test_area_is_that_of_rules_on_a_dictionary(size: int) -> None:
    game = load(f"go:size={size}")
    for seed in range(8 if size < 9 else 1):
        for s, _name in list(random_line(game, seed, min(size * size * 2, 250)))[:: max(1, size * size // 6)]:
            rows = game.grid(s).rows
            board = {(x, y): c for y, row in enumerate(rows) for x, c in enumerate(row) if c != "."}
            lead = naive_lead(board, size)
            assert game.features["area"](s) == lead
            assert game.features["stones"](s) == sum(1 if c == "X" else -1 for c in board.values())
            for komi in (0.0, 0.5, 1.0, -2.5):
                ended = load(f"go:size={size},komi={komi}").read_position(f"{'/'.join(rows)} black pass pass")
                won = (lead > komi) - (lead < komi)
                assert Position(load(f"go:size={size},komi={komi}"), ended).payoffs == (won, -won)


@pytest.mark.parametrize(("size", "legal"), [(2, 57), (3, 12675)])
def test_as_many_boards_are_accepted_as_positions_are_legal(size: int, legal: int) -> None:
    """John Tromp and Gunnar Farnebäck, "Combinatorics of Go", 2007, table 1."""
    game = load(f"go:size={size}")
    accepted = 0
    for board in product(".XO", repeat=size * size):
        rows = ["".join(board[row * size : (row + 1) * size]) for row in range(size)]
        try:
            game.read_position(f"{'/'.join(rows)} black")
            accepted += 1
        except BadInput:
            continue
    assert accepted == legal


@pytest.mark.parametrize(
    ("position", "move", "after"),
    [
        (".O./O../... black", "A3", None),  # a stone without a liberty that takes nothing: suicide
        (".XO/OO./... black", "A3", None),  # … of a group
        (".OX/OXX/XX. black", "A3", "X.X/.XX/XX."),  # takes two, and lives by it
        (".XO./XO.O/.XO./.... black", "C3", ".XO./X.XO/.XO./...."),  # a ko is taken …
        (".XO./X.XO/.XO./.... white", "B3", ".XO./XO.O/.XO./...."),  # … and back: what forbids it is the past
    ],
)
def test_the_rules_of_taking(position: str, move: str, after: str | None) -> None:
    rows = position.split()[0].split("/")
    game = load(f"go:size={len(rows)}")
    before = Position(game, game.read_position(position))
    assert (move in before.moves) == (after is not None)
    if after is not None:
        then = before.play(move)
        assert "/".join(game.grid(then.state).rows) == after
        taken = sum(map(len, rows)) - position.count(".") + 1
        assert game.reward(before.state, before.read(move)) == taken - (
            len(after) - after.count(".") - after.count("/")
        )


def test_columns_are_named_without_i_and_rows_from_below() -> None:
    position = load("go:size=19").position()
    assert (position.moves[0], position.moves[18], position.moves[-2:]) == ("A19", "T19", ("T1", "pass"))
    assert not any("I" in name for name in position.moves)
    assert position.play("t19").board[18] == "X"


@pytest.mark.parametrize("size", [2, 5, 9])
def test_positions_are_read_as_they_are_written(size: int) -> None:
    game = load(f"go:size={size}")
    for seed in range(6):
        for s, _name in random_line(game, seed, 80):
            assert game.read_position(game.write_position(s)) == s


def test_a_position_that_cannot_be_is_refused_in_one_line() -> None:
    game = load("go:size=2")
    for text, reason in [
        ("", "a position is its rows joined by /"),
        ("../.. black pass pass pass", "a position is its rows joined by /"),
        ("../.. pass", "a position is its rows joined by /"),
        ("../../.. black", "a position of 3 rows; this board has 2"),
        ("../... black", "row 2 has 3 cells"),
        ("../.# black", "row 2, column 2: # is none of . X O"),
        ("XX/XX black", "the stone on A2 belongs to a group without a liberty"),
        ("XO/O. black", "the stone on A2 belongs to a group without a liberty"),
    ]:
        with pytest.raises(BadInput) as refusal:
            game.read_position(text)
        assert reason in str(refusal.value)
        assert str(refusal.value).isprintable()


@pytest.mark.parametrize("options", ["size=1", "size=20", "komi=0.25", "komi=100", "size=2,komi=-4.5"])
def test_other_boards_and_komi_are_refused(options: str) -> None:
    with pytest.raises(BadInput, match=r"^go: (size|komi)="):
        load(f"go:{options}")


def test_black_wins_two_by_two_by_one_point_if_no_board_may_come_back() -> None:
    """John Tromp, "The game of Go": 2 x 2 is worth 1 under positional superko.

    The rules know no past, so the search itself keeps the boards of its line.
    """
    game = load("go:size=2")
    area = game.features["area"]

    def board(s: State) -> tuple[int, int]:
        return (s.mine, s.theirs) if s.mover == 0 else (s.theirs, s.mine)

    def value(s: State, past: frozenset[tuple[int, int]], alpha: int, beta: int) -> int:
        """The mover's area less the other's after best play, by alpha-beta."""
        if game.over(s):
            return area(s) if s.mover == 0 else -area(s)
        best = -5
        for move in reversed(game.legal(s)):  # the pass first
            child = game.play(s, move)
            if child.passes == 0 and board(child) in past:
                continue
            best = max(best, -value(child, past | {board(child)}, -beta, -max(alpha, best)))
            if best >= beta:
                break
        return best

    assert value(game.start, frozenset([board(game.start)]), -5, 5) == 1
