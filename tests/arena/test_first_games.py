"""What an agent plays compiled is what it plays in plain Python, or the match ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from lasting import shortly
from own_agents import own, written

from damier import BadInput, Job, load
from damier.arena.match import match, require_same_games
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer

KERNEL = """
from damier.core.bits import nth_bit, popcount
from damier.core.player import Kernel
from damier.core.rules import moves

def by_power(s, arrays, rng):
    legal = moves(s)
    return nth_bit(legal, (legal + 3)**EXPONENT // 7 % popcount(legal))

class Powers:
    def play(self, position):
        return position.moves[0]

    def kernel(self, *, jit):
        return Kernel(by_power, None, ())
"""


@pytest.mark.parametrize("swap", shortly([0, 1, 2], 1))
def test_an_agent_that_plays_otherwise_compiled_ends_the_match(tmp_path: Path, swap: int) -> None:
    path = written(tmp_path, KERNEL.replace("EXPONENT", "9"))
    table = MatchSetup(load("tictactoe"), (own(path), RandomPlayer()), 3, swap)
    plain = table.play(5, 30, jit=False)
    sentence = r"game \d+, ply \d: compiled, .*mine.py plays \d, in plain Python \d, in .*State\("
    with pytest.raises(BadInput, match=sentence):
        require_same_games(table, 5, plain)


def test_the_match_compares_before_it_goes_over(tmp_path: Path) -> None:
    setup = (load("tictactoe"), (own(written(tmp_path, KERNEL.replace("EXPONENT", "2"))), RandomPlayer()), 3)
    require_same_games(MatchSetup(*setup), 0, MatchSetup(*setup).play(0, 20, jit=False))
    scores = [match(MatchSetup(*setup, swap=1), 200, Job(jit=jit)) for jit in (False, True)]
    assert scores[0].seats == scores[1].seats
