"""A game and its naive rules played side by side, by the names of the moves."""

from __future__ import annotations

from typing import Any

from oracles import ConnectFour, Mnk, Nim, Pawns, Rules

from damier import Game, Position

FAMILIES: dict[str, tuple[str, Rules]] = {
    "tictactoe": ("tictactoe", Mnk()),
    "tictactoe misere": ("tictactoe:misere=true", Mnk(misere=True)),
    "mnk 4 2 3": ("mnk:width=4,height=2", Mnk(4, 2, 3)),
    "mnk 3 2 2": ("mnk:width=3,height=2,in_a_row=2", Mnk(3, 2, 2)),
    "mnk 2 2 3": ("mnk:width=2,height=2,in_a_row=3", Mnk(2, 2, 3)),
    "mnk 1 1 1": ("mnk:width=1,height=1,in_a_row=1", Mnk(1, 1, 1)),
    "mnk 6 1 3 misere": ("mnk:width=6,height=1,misere=true", Mnk(6, 1, 3, True)),
    "hexapawn": ("hexapawn", Pawns()),
    "hexapawn loss": ("hexapawn:blocked=loss", Pawns(blocked="loss")),
    "pawns 4 3 loss": ("pawns:width=4,height=3,blocked=loss", Pawns(4, 3, "loss")),
    "pawns 2 3 loss": ("pawns:width=2,height=3,blocked=loss", Pawns(2, 3, "loss")),
    "pawns 1 3 loss": ("pawns:width=1,height=3,blocked=loss", Pawns(1, 3, "loss")),
    "pawns 1 2": ("pawns:width=1,height=2", Pawns(1, 2)),
    "pawns 3 2": ("pawns:width=3,height=2", Pawns(3, 2)),
    "pawns 3 5": ("pawns:width=3,height=5", Pawns(3, 5)),
    "connect_four 3 3 3": ("connect_four:width=3,height=3,in_a_row=3", ConnectFour(3, 3, 3)),
    "connect_four 3 4 3": ("connect_four:width=3,height=4,in_a_row=3", ConnectFour(3, 4, 3)),
    "connect_four 4 3 3": ("connect_four:width=4,height=3,in_a_row=3", ConnectFour(4, 3, 3)),
    "connect_four 1 4 2": ("connect_four:width=1,height=4,in_a_row=2", ConnectFour(1, 4, 2)),
    "connect_four 2 3 9": ("connect_four:width=2,height=3,in_a_row=9", ConnectFour(2, 3, 9)),
    "nim": ("nim", Nim()),
    "nim normal": ("nim:matches=21,misere=false", Nim((21,), 3, False)),
    "nim 10 2": ("nim:matches=10,take=2", Nim((10,), 2)),
    "nim no cap": ("nim:matches=9,take=0", Nim((9,), 0)),
    "nim 1 3 5 7": ("nim:heaps=1-3-5-7", Nim((1, 3, 5, 7), 0)),
    "nim 2 2 normal": ("nim:heaps=2-2,misere=false", Nim((2, 2), 0, False)),
    "nim 3 4 2 take 2": ("nim:heaps=3-4-2,take=2", Nim((3, 4, 2), 2)),
}


def pairs(game: Game, rules: Rules) -> list[tuple[Position, Any]]:
    """Every reachable position with the naive state that the same moves lead to."""
    first = game.position()
    found = {first.state: (first, rules.start)}
    queue = [first]
    for position in queue:
        s = found[position.state][1]
        for name in position.moves:
            child = position.play(name)
            if child.state not in found:
                found[child.state] = (child, rules.play(s, name))
                queue.append(child)
    return list(found.values())
