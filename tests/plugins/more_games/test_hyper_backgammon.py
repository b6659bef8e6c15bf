"""Hyper-backgammon against rules on lists of points, and one checker a side against plain value
iteration.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations
from random import Random

import pytest
from lasting import long

from damier import BadInput, load
from damier.core.game import read_position
from damier.core.rules import CHANCE
from damier.draw.board import board_svg
from damier.plugins.more_games.hyper_backgammon import (
    BAR,
    HOME,
    OFF,
    THROWS,
    WIDTH,
    BackgammonState,
    moves,
    pack,
    point_of,
    written_steps,
)
from damier.solve import solve

Side = tuple[int, ...]
"""Where the checkers of a side stand, sorted."""


def stepped(mine: Side, theirs: Side, point: int, die: int) -> tuple[Side, Side] | None:
    """Both sides after one step, or nothing where it may not be made."""
    if BAR in mine and point != BAR:
        return None
    goal, others = point - die, list(mine)
    others.remove(point)
    if goal <= OFF:
        if any(other > HOME for other in mine) or (goal < OFF and any(other > point for other in mine)):
            return None
        return tuple(sorted([*others, OFF])), theirs
    there = [other for other in theirs if other == BAR - goal]
    if len(there) > 1:
        return None
    hit = [BAR if other == BAR - goal else other for other in theirs]
    return tuple(sorted([*others, goal])), tuple(sorted(hit))


def plays(mine: Side, theirs: Side, dice: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Side, Side]]:
    """The dice that a play uses, in their order, and what it leads to; plays that stop early too."""
    yield (), mine, theirs
    if dice:
        for point in set(mine) - {OFF}:
            if then := stepped(mine, theirs, point, dice[0]):
                for used, *after in plays(*then, dice[1:]):
                    yield (dice[0], *used), after[0], after[1]


def legal(mine: Side, theirs: Side, high: int, low: int) -> set[tuple[Side, Side]]:
    """What the plays of a throw lead to: as many dice as can be, of one die the larger."""
    dice = (high,) * 4 if high == low else (high, low)
    found = [play for order in set(permutations(dice)) for play in plays(mine, theirs, order)]
    most = max((len(used), max(used, default=0) if len(used) == 1 else 0) for used, *_sides in found)
    return {
        (ours, others)
        for used, ours, others in found
        if (len(used), max(used, default=0) if len(used) == 1 else 0) == most
    }


def side_of(field: int) -> Side:
    return tuple(sorted(point_of(field, slot) for slot in range(3)))


@pytest.mark.parametrize("seed", range(3))
def test_plays_are_those_of_rules_on_lists(seed: int) -> None:
    random, game = Random(seed), load("hyper_backgammon")
    checked = 0
    for _game in range(30):
        s = game.start
        while not game.over(s):
            assert isinstance(s, BackgammonState)
            if game.mover(s) != CHANCE:
                found: list[int] = []
                moves(s, found)
                led = [(side_of((move - 1) % (1 << WIDTH)), side_of(move - 1 >> WIDTH)) for move in found]
                assert len(set(led)) == len(led)
                assert set(led) == legal(side_of(s.mine), side_of(s.theirs), s.high, s.low), s
                checked += 1
            s = game.play(s, random.choice(list(game.legal(s))))
    assert checked > 500


@pytest.mark.parametrize(
    ("mine", "theirs", "throw", "expected"),
    [
        ((25, 3, 2), (19, 19, 1), (6, 6), {"bar/1"}),
        ((25, 3, 2), (6, 6, 1), (6, 6), {"no-play"}),
        ((6, 5, 0), (20, 1, 1), (6, 3), {"6/off+5/2", "6/3+5/off"}),
        ((7, 0, 0), (24, 1, 1), (6, 5), {"7/1*/off", "7/off"}),
        ((12, 0, 0), (18, 18, 1), (6, 5), {"12/1"}),
        ((12, 0, 0), (24, 18, 18), (6, 5), {"12/1*"}),
        ((13, 0, 0), (23, 23, 18), (6, 5), {"13/7*"}),
    ],
)
def test_plays_that_people_know(mine: Side, theirs: Side, throw: tuple[int, int], expected: set[str]) -> None:
    game = load("hyper_backgammon")
    s = BackgammonState(pack(*mine), pack(*theirs), *throw, 0)
    assert set(game.name_moves(s, game.moves(s))) == expected


def test_steps_of_one_checker_are_written_together() -> None:
    assert written_steps(((24, 18, False), (18, 17, False))) == "24/17"
    assert written_steps(((24, 18, True), (18, 17, False))) == "24/18*/17"
    assert written_steps(((13, 7, False), (24, 23, False))) == "24/23+13/7"


def test_one_checker_a_side_is_worth_what_plain_value_iteration_finds() -> None:
    """The chance of who is to throw, by where both stand."""

    @cache
    def ways(mine: int, theirs: int) -> list[tuple[int, list[tuple[int, int]]]]:
        return [
            (1 if high == low else 2, [(a[-1], b[-1]) for a, b in legal((mine,), (theirs,), high, low)])
            for high, low in THROWS
        ]

    places = [(a, b) for a in range(1, BAR + 1) for b in range(1, BAR + 1)]
    wins = dict.fromkeys(places, 0.5)
    for _pass in range(60):
        before = dict(wins)
        for a, b in places:
            wins[a, b] = sum(
                weight / 36 * max(1.0 if ours == OFF else 1 - wins[others, ours] for ours, others in results)
                for weight, results in ways(a, b)
            )
        if max(abs(wins[place] - before[place]) for place in places) < 1e-9:
            break  # it has come to rest
    game = load("hyper_backgammon:checkers=1")
    solution = solve(game)
    assert abs((solution.score(game.start) + 1) / 2 - wins[24, 24]) < 1e-6


@long
def test_with_two_checkers_a_side_who_throws_first_wins_more_often() -> None:
    """docs/decisions/0052: minutes, and half a gigabyte."""
    game = load("hyper_backgammon:checkers=2")
    assert (solve(game).score(game.start) + 1) / 2 == pytest.approx(0.53512, abs=1e-5)


def test_gammons_count_more() -> None:
    game = load("hyper_backgammon:gammons=true")
    for mine, worth in (((24, 24, 0), 1), ((18, 7, 1), 2), ((25, 1, 1), 3), ((19, 1, 1), 3)):
        s = BackgammonState(pack(*mine), 0, 0, 0, 1)
        assert (game.payoff(s, 1), game.payoff(s, 0)) == (-worth, worth)


@pytest.mark.parametrize("checkers", [0, 4])
def test_other_numbers_of_checkers_are_refused(checkers: int) -> None:
    with pytest.raises(BadInput, match="from 1 to 3"):
        load(f"hyper_backgammon:checkers={checkers}")


def test_every_play_can_be_pointed_at_in_all_orders() -> None:
    game = load("hyper_backgammon")
    chosen, position = Random(4), game.position()
    pointed: set[int] = set()
    while not position.over:
        s = position.state
        if position.mover >= 0:
            for name, move in position.named_moves.items():
                ways = game.ways(s, move)
                assert (not ways) == (name == "no-play")
                assert game.place(s, move) in (*ways, ())
                for way in ways:
                    assert "XO"[s.mover] in there(game.show(s), way[0], s.mover)
                    pointed |= {*way}
        position = position.play(chosen.choice(position.moves))
    assert pointed & {24, 25}  # from the bar
    assert pointed & {26, 27}  # and off


def there(text: str, place: int, player: int) -> str:
    """What stands on a place of the board as text; who is on the bar is said below it."""
    *rows, below = text.splitlines()
    if place >= 24:
        return "XO"[player] if f"{'XO'[player]}: bar 0" not in below else ""
    table = [row.replace("|", " ").split() for row in rows if row]
    point = str(place + 1)
    column, part = (
        (table[0].index(point), table[1:4]) if point in table[0] else (table[-1].index(point), table[4:7])
    )
    return "".join(row[column] for row in part)


def test_ways_of_one_play() -> None:
    game = load("hyper_backgammon")
    position = game.position().play("6-5")
    ways = {name: game.ways(position.state, move) for name, move in position.named_moves.items()}
    assert ways["24/18+23/18"] == ((22, 17, 23, 17), (23, 17, 22, 17))
    assert ways["24/13"] == ((23, 17, 12), (23, 18, 12))


def test_the_board_shows_points_bar_and_dice() -> None:
    game = load("hyper_backgammon")
    position = read_position(game, "XGID=aA----A-----------------a-:0:0:1:65:0:0:0:0:10")
    board = game.grid(position.state)
    said = [spot.words for spot in board.spots]
    assert said[0] == "point 1: 1 of player 1"
    assert said[1] == "point 2: free"
    assert said[24:] == [
        "bar of player 1: 0",
        "bar of player 2: 1",
        "off of player 1: 1",
        "off of player 2: 1",
        "die: 6",
        "die: 5",
    ]
    assert [spot.pieces for spot in (board.spots[0], board.spots[23], board.spots[25])] == [
        ("light",),
        ("dark",),
        ("dark",),
    ]
    assert game.show(position.state).splitlines()[-1] == "X: bar 0, off 1 · O: bar 1, off 1 · 6-5"
    picture = board_svg(position)
    assert picture.count('class="d-dark"') == 3 + 11  # checkers, and the spots of the dice
