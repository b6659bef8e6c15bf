"""damier's games against OpenSpiel's: random games, the same legal moves, mover, end and payoffs at
every ply.
"""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from damier import load

pyspiel = pytest.importorskip("pyspiel")

SAME: dict[str, str] = {
    "tictactoe": "tic_tac_toe",
    "connect_four": "connect_four",
    "connect_four:width=5,height=4": "connect_four(rows=4,columns=5)",
    "connect_four:width=4,height=5,in_a_row=3": "connect_four(rows=5,columns=4,x_in_row=3)",
    "connect_four:width=8,height=6,in_a_row=5": "connect_four(rows=6,columns=8,x_in_row=5)",
    "mnk:width=4,height=3": "mnk(m=4,n=3,k=3)",
    "mnk:width=3,height=5,in_a_row=4": "mnk(m=3,n=5,k=4)",
    "mnk:width=7,height=7,in_a_row=4": "mnk(m=7,n=7,k=4)",
    "nim:matches=16,take=0": "nim(pile_sizes=16,is_misere=True)",
    "nim:matches=9,take=0,misere=false": "nim(pile_sizes=9,is_misere=False)",
    "nim:heaps=1-3-5-7": "nim(pile_sizes=1;3;5;7,is_misere=True)",
    "nim:heaps=4-4-2,misere=false": "nim(pile_sizes=4;4;2,is_misere=False)",
}


def in_openspiel(text: str) -> tuple[str, dict[str, Any]]:
    """A name and parameters; a single pile must be said to be text."""
    name, _bracket, written = text.rstrip(")").partition("(")
    pairs = dict(part.split("=") for part in written.split(",") if part)
    return name, {
        key: value if key == "pile_sizes" else value == "True" if key == "is_misere" else int(value)
        for key, value in pairs.items()
    }


def names_of(state: Any, text: str) -> dict[str, int]:
    """OpenSpiel's legal actions by damier's words."""
    names = {}
    for action in state.legal_actions():
        if text.startswith("nim"):
            pile, taken = re.findall(r"\d+", state.action_to_string(state.current_player(), action))
            names[f"{pile}:{taken}" if "heaps" in text else taken] = action
        else:
            names[str(action + 1 if text.startswith("connect_four") else action)] = action
    return names


@pytest.mark.parametrize("text", SAME)
def test_random_games_are_the_same_in_openspiel(text: str) -> None:
    theirs, chosen = pyspiel.load_game(*in_openspiel(SAME[text])), Random(11)
    for _game in range(30):
        state, position = theirs.new_initial_state(), load(text).position()
        while not state.is_terminal():
            names = names_of(state, text)
            assert set(position.moves) == set(names)
            assert position.mover == state.current_player()
            assert not position.over
            name = chosen.choice(position.moves)
            state.apply_action(names[name])
            position = position.play(name)
        assert position.over
        assert position.moves == ()
        assert list(position.payoffs or ()) == state.returns()
