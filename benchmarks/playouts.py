"""Random games: the compiled loop of `damier match GAME random random`, against OpenSpiel's C++,
easyAI and the pure twin.
"""

from __future__ import annotations

import json
import random
from itertools import count
from typing import Any

from benchmarks.measure import Bar, Bench, Row, Sample, peer, python, race, rate
from damier import load
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer

OPEN_SPIEL_NAMES = {"tictactoe": "tic_tac_toe", "connect_four": "connect_four"}
GAMES = {"tictactoe": 200_000, "connect_four": 100_000}
PEER_GAMES = {"tictactoe": 40_000, "connect_four": 4_000}


def loop(name: str, games: int, *, jit: bool) -> Sample:
    """Millions of random games a second of damier's loop; every run plays other games."""
    table = MatchSetup(load(name), (RandomPlayer(), RandomPlayer()), seed=1)
    numbers = count(0, games)

    def play() -> int:
        first = next(numbers)
        return sum(table.play(first, first + games, jit=jit).tallies[:6])

    return rate(play, per=1e6)


def rollouts(name: str, games: int) -> Sample:
    """Millions of random games a second of OpenSpiel's C++: one simulation of its MCTS, evaluated
    by so many rollouts from the start.
    """
    spiel = peer("pyspiel")
    game = spiel.load_game(OPEN_SPIEL_NAMES[name])
    evaluator = spiel.RandomRolloutEvaluator(games, 7)
    bot = spiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 7, False)

    def play() -> int:
        bot.step(game.new_initial_state())
        return games

    return rate(play, per=1e6)


def against_open_spiel(name: str) -> Row:
    """Random games from the start: damier's compiled loop against OpenSpiel's C++
    RandomRolloutEvaluator in an MCTSBot of one simulation.
    """
    game = name.removeprefix("playouts-")
    return race(
        name,
        "M games/s",
        "OpenSpiel C++ rollouts",
        loop(game, GAMES[game], jit=True),
        rollouts(game, PEER_GAMES[game]),
        pairs=7,
    )


def against_pure(name: str) -> Row:
    """Random tic-tac-toe: the compiled loop against its pure twin."""
    return race(
        name,
        "M games/s",
        "pure twin",
        loop("tictactoe", 200_000, jit=True),
        loop("tictactoe", 2_000, jit=False),
    )


def easy_games(games: int) -> Sample:
    """Thousands of random tic-tac-toe games a second of easyAI's own class, without the copies that
    its `play` keeps.
    """
    easy: Any = peer("easyAI.games.TicTacToe")

    def play() -> int:
        for _number in range(games):
            game = easy.TicTacToe([None, None])
            while not game.is_over():
                game.make_move(random.choice(game.possible_moves()))
                game.switch_player()
        return games

    return rate(play, per=1e3)


def command() -> float:
    """Thousands of games a second that the command reports of itself."""
    _seconds, out = python(
        "-m",
        "damier.cli.main",
        "match",
        "tictactoe",
        "random",
        "random",
        "--games",
        "100000",
        "--seed",
        "1",
        "--json",
    )
    return float(json.loads(out)["games_per_second"]) / 1e3


def match_command(name: str) -> Row:
    """`damier match tictactoe random random --games 100000`: the rate that it reports, against
    random games of easyAI.
    """
    return race(name, "k games/s", "easyAI", command, easy_games(2_000))


BENCHES = (
    Bench("playouts-tictactoe", against_open_spiel, Bar(8)),
    Bench("playouts-connect_four", against_open_spiel, Bar(25)),
    Bench("playouts-pure", against_pure),
    Bench("match", match_command, Bar(500, of="ours")),
)
