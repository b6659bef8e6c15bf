"""The levels: every game has those that make sense there, each is exactly one agent, and a higher one
plays better.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from lasting import later

from damier import load
from damier.core.bits import Rng, reseed
from damier.core.errors import BadInput, DamierError, Unsuitable
from damier.core.job import Job
from damier.core.rules import CHANCE
from damier.lab.agents import AGENTS, Lab, agent, brought
from damier.lab.games import GAMES
from damier.lab.levels import LEVELS, NAMES, against_random, meaning, refuse_perfect
from damier.search.running import SearchPlayer

EXAMPLES = Path(__file__).parents[2] / "examples"
OWN = ["dice_nim", "three_player_nim", "stag_hunt", "three_mens_morris", "chomp", "clock"]
SLOW = ("chess", "go", "pacman")
"""Games whose searches are compiled, or take long: a move of their strong level is left to the board."""


def lab_of(name: str) -> Lab:
    game = load(name) if name in GAMES else load(str(EXAMPLES / f"{name}.py"))
    return Lab(game, Job(jit=False))


LONGER = ("hyper_backgammon", "isola", "othello", "draughts", "hex", "nine_mens_morris")


@pytest.mark.parametrize("name", [later(name) if name in LONGER else name for name in (*GAMES, *OWN)])
def test_every_level_of_every_game_makes_a_legal_move(name: str) -> None:
    lab = lab_of(name)
    game, rng = lab.game, [0]
    reseed(rng, 1, 0)
    state = game.start
    while game.mover(state) == CHANCE:
        state = game.play(state, game.legal(state)[-1])
    for level in LEVELS:
        if name in SLOW and level != LEVELS[0]:
            assert agent(lab, level)
            continue
        if level == "strong" and (game.states is None or game.states > 1_000_000):
            assert agent(lab, level).text == agent(lab, meaning(game, level).agent).text
            continue
        assert agent(lab, level).choose(game, state, rng) in game.legal(state)


def test_a_level_is_the_agent_that_it_says() -> None:
    lab = lab_of("tictactoe")
    for level in LEVELS:
        assert agent(lab, level).text == agent(lab, meaning(lab.game, level).agent).text
    assert [meaning(lab.game, level).agent for level in LEVELS] == [
        "alphabeta:plies=1",
        "alphabeta:plies=2",
        "alphabeta:plies=4",
    ]
    assert set(NAMES) <= set(AGENTS)


@pytest.mark.parametrize("game", ["hexapawn", "hexapawn:blocked=loss", "nim"])
def test_a_higher_level_is_beaten_less(game: str) -> None:
    lab = Lab(load(game), Job(jit=False))
    grades = [grade for level in (*LEVELS, "perfect") if (grade := against_random(lab, agent(lab, level)))]
    assert len(grades) == 4
    won = [sum(chances.payoff for chances in grade.seats) for grade in grades]
    beaten = [max(chances.payoff for chances in grade.best_response) for grade in grades]
    assert won[0] == min(won)
    assert beaten == sorted(beaten, reverse=True)


def test_what_cannot_be_is_left_out() -> None:
    hidden = lab_of("kuhn_poker")
    assert meaning(hidden.game, "beginner").agent == "random"
    with pytest.raises(Unsuitable, match="the only level there is beginner"):
        agent(hidden, "medium")
    for name in ("connect_four", "three_player_nim", "chess"):
        with pytest.raises(DamierError):
            refuse_perfect(lab_of(name))
    refuse_perfect(lab_of("tictactoe"))


def test_what_a_level_is_worth_is_told_only_where_it_is_exact() -> None:
    assert against_random(lab_of("connect_four"), agent(lab_of("connect_four"), "beginner")) is None
    own = lab_of("three_mens_morris")
    assert against_random(own, agent(own, "strong")) is None


def test_in_pacman_a_level_plays_every_side() -> None:
    lab = lab_of("pacman")
    rng: Rng = [0]
    reseed(rng, 1, 0)
    player, state = agent(lab, "beginner"), lab.game.start
    for _ply in range(6):
        move = player.choose(lab.game, state, rng)
        assert move in lab.game.legal(state)
        state = lab.game.play(state, move)


@pytest.mark.parametrize(("game", "most"), [later(("go:size=7", 2)), later(("hex", 3)), ("othello", 4)])
def test_medium_holds_the_middle(game: str, most: int) -> None:
    """A corner would be farther: the first stone, and the answer to one in the middle."""
    found = load(game)
    player = brought(Lab(found, Job(jit=False)), meaning(found, "medium").agent)
    position = found.position()
    for _stone in range(2):
        move = player.choose(found, position.state, [2])
        assert found.place is not None
        grid = found.grid(position.state)  # type: ignore[misc]
        row, column = divmod(found.place(position.state, move)[0], len(grid.by_rows[0]))
        middle = (len(grid.by_rows) - 1) / 2
        assert max(abs(row - middle), abs(column - middle)) <= most
        position = position.after(move)


def test_a_width_and_what_it_goes_by_are_given_together() -> None:
    lab = Lab(load("go:size=5"), Job(jit=False))
    for options in ("width=5", "evaluate=area", "width=-1,evaluate=area"):
        with pytest.raises(BadInput, match="given together"):
            brought(lab, f"mcts:simulations=10,{options}")
    player = brought(lab, "mcts:simulations=200,evaluate=area,width=3")
    assert isinstance(player, SearchPlayer)
    found = player.analyse(lab.game.start, 1)
    assert found.visits is not None
    assert len(found.visits) == 4  # and the pass
    assert sum(found.visits.values()) == 200
