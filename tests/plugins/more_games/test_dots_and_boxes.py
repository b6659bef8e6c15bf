"""Dots and Boxes against a solver that counts the boxes still to come, by sets of lines only."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from lasting import later

from damier import BadInput, Job, load
from damier.core.moves import each
from damier.core.solution import PayoffValue, ValueSolution
from damier.lab.solving import solved
from damier.solve import solve


def boxes_by_dots(rows: int, columns: int) -> list[set[frozenset[tuple[int, int]]]]:
    """The four sides of every box, each side the two dots that it joins."""

    def side(*dots: tuple[int, int]) -> frozenset[tuple[int, int]]:
        return frozenset(dots)

    return [
        {
            side((r, c), (r, c + 1)),
            side((r + 1, c), (r + 1, c + 1)),
            side((r, c), (r + 1, c)),
            side((r, c + 1), (r + 1, c + 1)),
        }
        for r in range(rows)
        for c in range(columns)
    ]


def still_to_come(rows: int, columns: int) -> dict[frozenset[frozenset[tuple[int, int]]], int]:
    """By the lines that are free: how many boxes more the mover gets of those that are not closed."""
    boxes = boxes_by_dots(rows, columns)
    done: dict[frozenset[frozenset[tuple[int, int]]], int] = {frozenset(): 0}

    def more(free: frozenset[frozenset[tuple[int, int]]]) -> int:
        if free not in done:
            found = []
            for line in free:
                left = free - {line}
                gained = sum(line in box and not box & left for box in boxes)
                found.append(gained + more(left) if gained else -more(left))
            done[free] = max(found)
        return done[free]

    more(frozenset().union(*boxes))
    return done


@pytest.mark.parametrize(
    ("rows", "columns", "margin"), [(1, 1, -1), (1, 2, 0), (1, 3, -1), (2, 1, 0), (2, 2, 2)]
)
def test_the_margin_is_that_of_a_solver_that_knows_no_scores(rows: int, columns: int, margin: int) -> None:
    done = still_to_come(rows, columns)
    assert done[max(done, key=len)] == margin
    found = solve(load(f"dots_and_boxes:rows={rows},columns={columns}"))
    if isinstance(found, ValueSolution):
        assert found.score(found.start) == margin
    else:  # one box: nobody can be ahead by more than a win
        assert found.value(found.start) == "loss"


def by_sets_of_lines(rows: int, columns: int) -> int:
    """The margin of the empty board: what is still to come by every set of lines that are drawn, those
    of most lines first.
    """
    boxes = naive_boxes(rows, columns)
    n = (rows + 1) * columns + rows * (columns + 1)
    drawn = np.arange(1 << n)
    count = sum((drawn >> line & 1).astype(np.int8) for line in range(n))
    order = np.argsort(count, kind="stable")
    cuts = np.searchsorted(count[order], np.arange(n + 2))
    more = np.zeros(1 << n, np.int8)
    for lines in range(n - 1, -1, -1):
        before = order[cuts[lines] : cuts[lines + 1]]
        best = np.full(len(before), -100, np.int8)
        for line in range(n):
            free = before >> line & 1 == 0
            after = before[free] | 1 << line
            gained = sum((after & box == box).astype(np.int8) for box in boxes if box >> line & 1)
            best[free] = np.maximum(best[free], np.where(gained > 0, gained + more[after], -more[after]))
        more[before] = best
    return int(more[0])


@pytest.mark.parametrize(("rows", "columns", "margin"), [(2, 2, 2), later((2, 3, -2)), later((3, 3, -3))])
def test_larger_boards_have_the_margins_of_sets_of_lines(rows: int, columns: int, margin: int) -> None:
    """3 by 3 boxes: who begins loses by 3."""
    game = load(f"dots_and_boxes:rows={rows},columns={columns}")
    assert by_sets_of_lines(rows, columns) == margin
    found = solved(game, game.start, Job(), 300, method="search")
    assert found.solution.value(game.start) == PayoffValue(margin)


def test_who_closes_a_box_moves_again_and_the_boxes_are_counted() -> None:
    for seed in range(20):
        game, chosen = load("dots_and_boxes:rows=2,columns=3"), Random(seed)
        s, owned = game.start, [0, 0]
        while not game.over(s):
            move = chosen.choice(list(each(game.moves(s))))
            after = game.play(s, move)
            gained = sum(box & after.drawn == box != box & s.drawn for box in naive_boxes(2, 3))
            owned[s.mover] += gained
            assert game.reward(s, move) == gained
            assert after.mover == (s.mover if gained else 1 - s.mover)
            assert game.rules["canonical"](after).first == owned[after.mover]
            s = after
        assert game.payoff(s, 0) == owned[0] - owned[1] == -game.payoff(s, 1)
        assert sum(owned) == 6


def naive_boxes(rows: int, columns: int) -> list[int]:
    """The sides of each box as bits: the lines are numbered as the names say."""
    names = [f"h{r + 1}-{c + 1}" for r in range(rows + 1) for c in range(columns)]
    names += [f"v{r + 1}-{c + 1}" for r in range(rows) for c in range(columns + 1)]
    return [
        sum(
            1 << names.index(name)
            for name in (f"h{r + 1}-{c + 1}", f"h{r + 2}-{c + 1}", f"v{r + 1}-{c + 1}", f"v{r + 1}-{c + 2}")
        )
        for r in range(rows)
        for c in range(columns)
    ]


def test_the_board_shows_dots_lines_and_boxes() -> None:
    position = load("dots_and_boxes:rows=1,columns=2").position().play("h1-1", "h2-1", "v1-1", "v1-2")
    assert str(position) == "+ - + . +\n| x |   .\n+ - + . +\nboxes: 0 to 1"
    assert position.moves == ("h1-2", "h2-2", "v1-3")


@pytest.mark.parametrize("options", ["rows=0", "columns=-1", "rows=11,columns=5", "rows=1,columns=21"])
def test_a_board_of_too_many_lines_is_refused(options: str) -> None:
    with pytest.raises(BadInput, match="at most 62 lines"):
        load(f"dots_and_boxes:{options}")
