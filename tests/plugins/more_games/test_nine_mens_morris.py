"""Nine men's morris: rules against naive ones on rings, and what the rules say of mills."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from damier import ONGOING, BadInput
from damier.plugins.more_games.nine_mens_morris import (
    BESIDE,
    LINES,
    MILLS,
    NAMES,
    MorrisState,
    nine_mens_morris,
)

SIDES = ((0, 0), (3, 0), (6, 0), (6, 3), (6, 6), (3, 6), (0, 6), (0, 3))  # of a ring: column, row


def name_of(ring: int, place: int) -> str:
    """Rings are counted from outside, the eight places of one clockwise from the top left."""
    column, row = (3 + (3 - ring) * ((at > 3) - (at < 3)) for at in SIDES[place])
    return f"{'abcdefg'[column]}{7 - row}"


PLACES = {name_of(ring, place): (ring, place) for ring in range(3) for place in range(8)}
ROWS_OF_THREE = [
    *([name_of(ring, (side + i) % 8) for i in range(3)] for ring in range(3) for side in (0, 2, 4, 6)),
    *([name_of(ring, place) for ring in range(3)] for place in (1, 3, 5, 7)),
]


def neighbours(name: str) -> set[str]:
    ring, place = PLACES[name]
    found = {name_of(ring, (place + 1) % 8), name_of(ring, (place - 1) % 8)}
    return found | {name_of(other, place) for other in (ring - 1, ring + 1) if place % 2 and 0 <= other < 3}


@dataclass(frozen=True)
class NaiveMorris:
    """A state is a tuple of the men by the names of their points, those in hand, and who moves."""

    flying: bool = True
    start = ((frozenset[str](), frozenset[str]()), (9, 9), 0)

    def moves(self, s: Any) -> list[str]:
        men, hand, mover = s
        mine, theirs = men[mover], men[1 - mover]
        free = PLACES.keys() - mine - theirs
        if hand[mover]:
            steps = [("", goal) for goal in free]
        elif self.flying and len(mine) == 3:
            steps = [(start, goal) for start in mine for goal in free]
        else:
            steps = [(start, goal) for start in mine for goal in neighbours(start) & free]
        found = []
        for start, goal in steps:
            name = f"{start}-{goal}" if start else goal
            mill = any(
                goal in row and all(p in (mine - {start}) | {goal} for p in row) for row in ROWS_OF_THREE
            )
            outside = [
                p for p in theirs if not any(p in row and theirs.issuperset(row) for row in ROWS_OF_THREE)
            ]
            found += [f"{name}x{man}" for man in outside or theirs] if mill else [name]
        return found

    def play(self, s: Any, name: str) -> Any:
        men, hand, mover = [set(men) for men in s[0]], list(s[1]), s[2]
        way, _x, taken = name.partition("x")
        start, _dash, goal = way.rpartition("-")
        if start:
            men[mover].remove(start)
        else:
            hand[mover] -= 1
        men[mover].add(goal)
        men[1 - mover] -= {taken}
        return (frozenset(men[0]), frozenset(men[1])), tuple(hand), 1 - mover

    def result(self, s: Any) -> int | None:
        men, hand, mover = s
        lost = len(men[mover]) + hand[mover] < 3 or not self.moves(s)
        return None if not lost else 1 if mover == 1 else -1


def named(game: Any, s: Any) -> dict[str, int]:
    found = game.legal(s)
    names = {game.name_move(s, move): move for move in found}
    assert len(names) == len(found)
    assert all(0 < move < 1 << 62 for move in found)
    return names


@pytest.mark.parametrize("flying", [True, False])
def test_random_games_agree_with_the_naive_rules(flying: bool) -> None:
    game, rules = nine_mens_morris(flying), NaiveMorris(flying)
    ended = flown = 0
    for seed in range(12):
        chosen, s, naive = Random(seed), game.start, rules.start
        for _ply in range(300):
            men = [{NAMES[p] for p in range(24) if side >> p & 1} for side in (s.white, s.black)]
            assert (men[0], men[1]) == naive[0]
            assert (s.hand, s.mover) == (sum(naive[1]), naive[2])
            result, outcome = rules.result(naive), game.outcome(s)
            assert (None if outcome == ONGOING else outcome * (1 - 2 * s.mover)) == result
            if result is not None:
                ended += 1
                break
            moves = named(game, s)
            assert sorted(moves) == sorted(rules.moves(naive))
            takes = [name for name in sorted(moves) if "x" in name]
            name = chosen.choice(takes or sorted(moves))
            flown += "-" in name and name[:2] not in neighbours(name[3:5])
            s, naive = game.play(s, moves[name]), rules.play(naive, name)
    assert ended > 3
    assert (flown > 0) == flying


def test_the_board_has_sixteen_mills_and_thirty_two_lines() -> None:
    assert sorted(sorted(row) for row in ROWS_OF_THREE) == sorted(
        sorted(NAMES[p] for p in mill) for mill in MILLS
    )
    assert sum(side.bit_count() for side in BESIDE) == 2 * 32
    assert {NAMES[p]: {NAMES[q] for q in range(24) if BESIDE[p] >> q & 1} for p in range(24)} == {
        name: neighbours(name) for name in PLACES
    }


def points(*names: str) -> int:
    return sum(1 << NAMES.index(name) for name in names)


def test_a_man_in_a_mill_is_taken_only_if_all_are() -> None:
    game = nine_mens_morris()
    black = points("a7", "d7", "g7", "f2")
    white = points("a1", "d1", "b4", "c4", "g4")
    s = MorrisState(white, black, 0, 0)
    assert "g4-g1xf2" in named(game, s)
    assert "g4-g1xa7" not in named(game, s)
    only_mill = MorrisState(white, points("a7", "d7", "g7"), 0, 0)
    assert {"g4-g1xa7", "g4-g1xd7", "g4-g1xg7"} <= named(game, only_mill).keys()


def test_two_mills_at_once_take_one_man() -> None:
    game = nine_mens_morris()
    s = MorrisState(points("a7", "d7", "g4", "g1"), points("b6", "f6", "c3", "d2"), 10, 0)
    moves = named(game, s)
    assert {name for name in moves if name.startswith("g7")} == {"g7xb6", "g7xf6", "g7xc3", "g7xd2"}
    after = game.play(s, moves["g7xc3"])
    assert (after.black, after.hand) == (points("b6", "f6", "d2"), 9)


def test_who_cannot_move_or_has_two_men_has_lost() -> None:
    game = nine_mens_morris()
    shut_in = MorrisState(points("a7", "d7", "g7", "b6"), points("a4", "d6", "g4", "b4"), 0, 0)
    assert game.outcome(shut_in) == -1
    assert game.outcome(MorrisState(points("a7", "d7"), points("b4", "d6", "g4"), 0, 0)) == -1
    assert (
        game.outcome(MorrisState(points("a7", "d7", "g7"), points("a4", "d6", "g4", "b4"), 0, 0)) == ONGOING
    )
    walking = nine_mens_morris(flying=False)
    assert walking.outcome(MorrisState(points("a7", "d7", "g7"), points("a4", "d6", "g4", "b4"), 0, 0)) == -1


def test_features_know_the_hand() -> None:
    game = nine_mens_morris()
    s = game.start
    for name in ("a7", "d6", "d7", "b6"):
        s = game.play(s, named(game, s)[name])
    assert game.features["men"](s) == 0
    s = game.play(s, named(game, s)["g7xb6"])
    assert (game.features["men"](s), game.features["mills"](s)) == (1, 1)
    assert all(line.bit_count() == 3 for line in LINES)


EMPTY = ".../.../.../....../.../.../..."


def test_positions_are_written_with_the_men_in_hand() -> None:
    game = nine_mens_morris()
    s = game.play(game.start, named(game, game.start)["d6"])
    assert game.write_position(s) == ".../.W./.../....../.../.../... black 17"
    assert game.read_position(game.write_position(s)) == s
    assert game.read_position(f"{EMPTY} white 18") == game.start


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (EMPTY, "how many men are in hand"),
        (f"{EMPTY} white 19", "at most 18"),
        (f"{EMPTY} black 18", "the turn of white"),
        (f"{EMPTY} white 0", "so many cannot be gone"),
        (f"{EMPTY} white 16", "so many cannot be gone"),
        (EMPTY.replace("......", ".....") + " white 18", "rows of"),
        (EMPTY.replace("......", "..X...") + " black 17", "none of"),
        (EMPTY.replace("......", ".WW...") + " black 17", "at most 1 are placed"),
    ],
)
def test_a_position_that_cannot_be_is_refused(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        nine_mens_morris().read_position(text)
