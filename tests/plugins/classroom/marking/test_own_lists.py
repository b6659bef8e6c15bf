"""A sheet of searches and lists in damier's own interface: the reference passes, and each typical mistake is
caught by the item that is meant for it.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from lasting import long, shortly
from marked import edited, failed, marked, only, require_shown, solution

from damier.plugins.classroom.marking.sheet import sheet
from damier.plugins.classroom.marking.submission import ExactTruth

OWN_LISTS = sheet(str(Path(__file__).with_name("own_lists.toml")))

WRONG = {
    "counts the moves, not the nodes": ("return 1 + sum(nodes", "return sum(1 + nodes", {"complete-tree"}),
    "takes at most two": ("in (3, 2, 1)", "in (2, 1)", {"complete-tree", "truncated-tree", "mixed"}),
    "leaves out the nodes with …": ("            return 1\n", "            return 0\n", {"truncated-tree"}),
    "one list of drawn states for both players": (
        "drawn.add((matches, player))",
        "drawn.update([(matches, 0), (matches, 1)])",
        {"truncated-tree"},
    ),
    "who takes the last match wins, to explore": ("return player == IA", "return player != IA", {"explore"}),
    "forgets to switch sides": (
        "explored(matches - taken, 1 - player)",
        "explored(matches - taken, player)",
        {"explore"},
    ),
    "the human helps in the mixed search": ("any(not wins(", "any(wins(", {"mixed"}),
    "who takes the last match wins": ("KNOWN[matches] = matches == 0 or", "KNOWN[matches] =", {"mixed"}),
    "takes a move where all lose": (
        "            return taken\n    return None\n\n\ndef jeu",
        "            return taken\n    return 1\n\n\ndef jeu",
        {"mixed"},
    ),
    "works everything out again": ("if matches not in KNOWN:", "if True:", {"visited"}),
    "takes whatever is typed": (" and int(typed) in choices", "", {"jeu-joueur"}),
    "stumbles over a word": ("typed.isdigit() and ", "", {"jeu-joueur"}),
    "asks only twice": ("while True:", "for _try in range(2):", {"jeu-joueur"}),
    "draws every move alike": (
        "random.choice(self.actions[left(position)])",
        "random.choice(successors(left(position)))",
        {"drawn"},
    ),
    "reinforces after a loss too": (
        "if payoff > 0:\n            for",
        "if True:\n            for",
        {"every-move"},
    ),
    "reinforces after a loss instead": (
        "if payoff > 0:\n            for",
        "if payoff < 0:\n            for",
        {"every-move", "curve"},
    ),
    "reinforces the last move only": (
        "for position, taken, _reward in history:",
        "for position, taken, _reward in history[-1:]:",
        {"every-move", "state-15"},
    ),
    "reinforces the first move for the last": ("= history[-1]", "= history[0]", {"last-move"}),
    "reinforces the list after the move": (
        "in history:\n                self.renforcement(left(position), taken)",
        "in history:\n                self.renforcement(left(position) - int(taken), taken)",
        {"every-move"},
    ),
    "a move stands in the list once only": (
        "self.actions[matches].append(int(taken))",
        "self.actions[matches] = sorted({*self.actions[matches], int(taken)})",
        {"last-move", "every-move"},
    ),
    "no list for 15 matches": (
        "for matches in range(17)}",
        "for matches in range(17) if matches != 15}",
        {"state-15"},
    ),
}


@pytest.fixture(scope="module")
def truth() -> ExactTruth:
    return ExactTruth(OWN_LISTS.game)


def wrong_code(mistake: str) -> str:
    right, wrong, _caught = WRONG[mistake]
    return edited(solution("own_lists"), right, wrong)


def test_the_reference_gets_all_points(tmp_path: Path, truth: ExactTruth) -> None:
    found = marked(tmp_path, solution("own_lists"), OWN_LISTS, truth)
    assert failed(found) == set()
    assert found.points == OWN_LISTS.points == 20


@pytest.mark.parametrize("mistake", shortly(WRONG, *list(WRONG)[:6]))
def test_a_mistake_is_caught_by_the_item_that_is_meant_for_it(
    mistake: str, tmp_path: Path, truth: ExactTruth
) -> None:
    caught = WRONG[mistake][2]
    found = marked(tmp_path, wrong_code(mistake), only(OWN_LISTS, *caught), truth)
    assert failed(found) == caught
    if mistake not in ("stumbles over a word", "no list for 15 matches"):
        require_shown(found)


SEARCHES = {"complete-tree", "truncated-tree", "explore", "mixed", "visited", "jeu-joueur"}


@long
@pytest.mark.parametrize("mistake", WRONG)
def test_a_mistake_costs_no_other_points(mistake: str, tmp_path: Path, truth: ExactTruth) -> None:
    caught = WRONG[mistake][2]
    found = failed(marked(tmp_path, wrong_code(mistake), OWN_LISTS, truth))
    assert caught <= found
    if mistake != "takes at most two":  # what everything else is built on
        assert caught <= SEARCHES or not found & SEARCHES
        assert not caught <= SEARCHES or found <= SEARCHES
