"""The searches of document S1 told step by step: they find what the searches themselves find, and at
the same cost; their trace is indented; what is drawn follows the steps.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from damier import Game, load
from damier.core.errors import LimitReached, Unsuitable
from damier.core.rules import State
from damier.search.state_space import andor, bfs, dfs
from damier.search.state_space_trace import (
    SpaceReplay,
    TracedSearch,
    conclusion,
    line_names,
    trace_search,
)
from tests.reached import states_of

AI, HUMAN = 0, 1
SMALL = ["nim:matches=9", "nim:heaps=1-2-3", "hexapawn:blocked=loss", "mnk:width=3,height=2,in_a_row=3"]


def nim(matches: int, mover: int) -> tuple[Game, State]:
    game = load("nim")
    return game, type(game.start)(mover, matches)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("player", [AI, HUMAN])
def test_what_is_told_is_what_the_searches_find(name: str, player: int) -> None:
    game = load(name)
    for s in states_of(game)[::3]:
        for algorithm, search in (("dfs", dfs), ("bfs", bfs)):
            for revisit in (False, True):
                one = search(game, s, player, revisit=revisit)
                if one.visited > 300 or one.expanded > 300:
                    continue
                other = trace_search(game, s, algorithm, player, revisit=revisit)
                assert (other.found, other.line, other.expanded, other.visited) == (
                    one.found,
                    one.line,
                    one.expanded,
                    one.visited,
                )
                assert recounted(other) == (one.expanded, one.visited, one.found)
        forced = andor(game, s, player)
        mixed = trace_search(game, s, "andor", player)
        assert (mixed.found, mixed.expanded, mixed.visited) == (
            forced.found,
            forced.expanded,
            forced.visited,
        )
        assert recounted(mixed) == (forced.expanded, forced.visited, forced.found)


def recounted(told: TracedSearch) -> tuple[int, int, bool]:
    """States expanded and met, and what was found, by the steps alone; each state follows from its move."""
    game, places = told.game, told.places
    assert all(game.play(places[place.above].state, place.move) == place.state for place in places[1:])
    kinds = Counter(step.kind for step in told.steps)
    expanded = kinds["take"] if told.algorithm == "bfs" else kinds["go"] + (not told.is_over(0))
    if told.is_over(0):
        return expanded, 1, told.has_won(0)
    settled = [step.kind for step in told.steps if step.place == 0 and step.kind in ("yes", "no")]
    return expanded, len({place.state for place in places}), settled == ["yes"]


@pytest.mark.parametrize(("matches", "mover", "takes"), [(4, HUMAN, "2"), (7, AI, "3")])
def test_the_two_calls_of_the_document(matches: int, mover: int, takes: str) -> None:
    game, s = nim(matches, mover)
    found = trace_search(game, s, "dfs", AI, revisit=True)
    assert line_names(found)[0] == takes


def test_the_trace_is_indented_by_the_ply() -> None:
    replay = SpaceReplay(trace_search(*nim(4, HUMAN), "dfs", AI))
    assert replay.lines[:6] == (
        "(4 HUMAN)",
        "   HUMAN plays 3 → (1 AI)",
        "      AI plays 1 → (0 HUMAN): lost",
        "   (1 AI) = NIL",
        "   HUMAN plays 2 → (2 AI)",
        "      AI plays 2 → (0 HUMAN): lost",
    )
    assert replay.lines[-1] == "(4 HUMAN) = 2"
    assert conclusion(replay.found) == "2: the line hoped for is 2 1 1"


def test_breadth_first_keeps_its_two_lists() -> None:
    replay = SpaceReplay(trace_search(*nim(7, AI), "bfs", AI))
    for step, (before, after) in enumerate(pairwise(replay.moment(n) for n in range(len(replay) + 1))):
        kind = replay.found.steps[step].kind
        assert list(after.listed)[: len(before.listed)] == list(before.listed), "nothing leaves the list"
        if kind == "take":
            assert list(after.waiting) == list(before.waiting)[1:]
        elif kind == "wait":
            assert list(after.waiting)[:-1] == list(before.waiting)
        elif kind == "seen":
            assert list(after.listed) == list(before.listed)
    names = replay.moment(len(replay)).listed
    assert len(set(names)) == len(names), "no state is listed twice"


def test_the_mixed_search_says_or_and_and() -> None:
    replay = SpaceReplay(trace_search(*nim(6, AI), "andor", AI))
    assert "AND: HUMAN is to move, and every move must be answered." in replay.sentences[1]
    assert replay.sentences[-1] == "(6 AI), OR: 1 wins, and one good move is enough."
    assert conclusion(replay.found) == "1: it wins whatever HUMAN plays"
    lost = trace_search(*nim(5, AI), "andor", AI)
    assert not lost.found
    assert conclusion(lost) == "NIL: no forced win"


def test_what_is_not_there_yet_is_hidden_and_keeps_its_room() -> None:
    replay = SpaceReplay(trace_search(*nim(7, AI), "dfs", AI))
    hidden = [sum(mark.known == "hidden" for mark in replay.scene(n).marks) for n in range(len(replay) + 1)]
    assert hidden == sorted(hidden, reverse=True)
    assert (hidden[0], hidden[-1]) == (len(replay.found.places), 0)
    assert replay.scene(3).places == replay.end.places


def test_a_game_that_is_over_and_one_that_is_too_large() -> None:
    assert conclusion(trace_search(*nim(0, AI), "dfs", AI)) == "The game is over."
    assert trace_search(*nim(0, AI), "andor", AI).found
    large, dice = load("tictactoe"), load("pig:target=20")
    with pytest.raises(LimitReached, match="1,500 states"):
        trace_search(large, large.start, "andor", AI)
    with pytest.raises(Unsuitable, match="dice"):
        trace_search(dice, dice.start, "dfs", AI)
