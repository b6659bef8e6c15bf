"""Samples of proven positions, which networks are graded in."""

from __future__ import annotations

from pathlib import Path

import pytest
import zero_samples
from zero_samples import SampleProver, prove, random_keys, write_sample

from damier import load
from damier.core.errors import BadFile
from damier.core.game import Game
from damier.core.job import Job
from damier.core.rules import State
from damier.lab.games import Lab
from damier.plugins.zero.proven_moves import SAMPLES, Sample, kept_sample, read_sample, sample_path

PLAIN = Job(jit=False, memory=1 << 24)
SMALL = "connect_four:width=3,height=3,in_a_row=3"


def naive_sign(game: Game, s: State) -> int:
    """What a position is worth to player 0, by looking at all that can follow."""
    if game.over(s):
        return game.payoff(s, 0)
    best = max if game.mover(s) == 0 else min
    return best(naive_sign(game, game.play(s, move)) for move in game.legal(s))


@pytest.fixture(scope="module")
def sample() -> Sample:
    game = load(SMALL)
    sample, prover = Sample(game, {}), SampleProver(game, PLAIN)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(zero_samples, "GAMES_A_POSITION", 500)  # of which the first plies have few
        for ply in reversed(range(9)):
            assert (
                list(prove(sample, ply, 6, prover))[-1:] == [len(sample.plies[ply])] or not sample.plies[ply]
            )
    return sample


def test_what_moves_lead_to_is_what_looking_at_everything_finds(sample: Sample) -> None:
    game = sample.game
    known = sample.known(6)
    assert len(known) == sum(map(len, sample.plies.values())) > 30
    place = 0
    for drawn in sample.plies.values():
        for key in drawn:
            s = game.unkey(key)
            legal = game.legal(s)
            assert known.moves[known.first[place] : known.first[place + 1]].tolist() == list(legal)
            side = 1 if game.mover(s) == 0 else -1
            worth = [side * naive_sign(game, game.play(s, move)) for move in legal]
            assert known.values[place] == max(worth)
            losses = known.losses[known.first[place] : known.first[place + 1]].tolist()
            assert losses == [max(worth) - value for value in worth]
            place += 1


def test_positions_are_drawn_once_and_in_the_same_order(sample: Sample) -> None:
    game = sample.game
    assert list(random_keys(game, 0)) == [game.key(game.start)]
    for ply, drawn in sample.plies.items():
        assert [game.ply(game.unkey(key)) for key in drawn] == [ply] * len(drawn)
    more = Sample(game, {6: {}})
    list(prove(more, 6, 3, SampleProver(game, PLAIN)))
    assert list(more.plies[6].items()) == list(sample.plies[6].items())[:3]


def test_a_file_holds_what_was_proven_and_is_gone_on_with(sample: Sample, tmp_path: Path) -> None:
    path = sample_path(sample.game, tmp_path)
    whole = Sample(sample.game, {ply: drawn for ply, drawn in sample.plies.items() if drawn})
    write_sample(path, whole)
    found = read_sample(path, sample.game)
    assert list(found.plies) == list(whole.plies)
    assert [list(drawn.items()) for drawn in found.plies.values()] == [
        list(drawn.items()) for drawn in whole.plies.values()
    ]
    with pytest.raises(BadFile, match="other rules"):
        read_sample(path, load("connect_four:width=4,height=4"))
    path.write_bytes(path.read_bytes()[:-64])
    with pytest.raises(BadFile, match="cut off"):
        read_sample(path, sample.game)


def test_the_sample_that_comes_with_damier_is_read_and_agrees_with_minimax_near_the_end() -> None:
    lab = Lab(load("connect_four"), PLAIN)
    assert sample_path(lab.game).parent == SAMPLES
    kept = kept_sample(lab)
    assert kept
    assert kept_sample(Lab(load(SMALL), PLAIN)) is None
    game = lab.game
    assert {ply for ply, drawn in kept.plies.items() if len(drawn) == 1000} >= set(range(12, 40))
    for ply in range(34, 42):
        for key, word in list(kept.plies[ply].items())[:5]:
            s = game.unkey(key)
            signs = [naive_sign(game, game.play(s, move)) for move in game.legal(s)]
            assert [(word >> 2 * n & 3) - 1 for n in range(len(signs))] == signs
