"""The types of games (row A-48): an example of each can be played, the right algorithm decides it,
the wrong ones refuse it by name.
"""

from __future__ import annotations

import io
import json
import re
import shlex
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from damier import CHANCE, Game, load
from damier.cli.main import build, run
from damier.core.moves import each
from damier.core.rules import State

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
PLAYERS = {"dice_nim": 2, "three_player_nim": 3, "stag_hunt": 2, "river": 1, "kuhn_poker": 2}
Captured = pytest.CaptureFixture[str]


def path(name: str) -> str:
    return str(EXAMPLES / f"{name}.py")


def call(capsys: Captured, *arguments: str) -> tuple[int, str, str]:
    code = run(build(), arguments)
    out, err = capsys.readouterr()
    return code, out, err


def data(capsys: Captured, *arguments: str) -> dict[str, Any]:
    code, out, err = call(capsys, *arguments, "--json")
    assert code == 0, err
    return json.loads(out)  # type: ignore[no-any-return]


def best_for_all(game: Game, s: State) -> tuple[float, ...]:
    """What everybody gets where each player takes the most for itself, the first of equals, and
    chance takes the mean.
    """

    @cache
    def worth(s: State) -> tuple[float, ...]:
        if game.over(s):
            return tuple(game.payoff(s, player) for player in range(game.players))
        legal = list(each(game.moves(s)))
        children = [worth(game.play(s, move)) for move in legal]
        if game.mover(s) != CHANCE:
            return max(children, key=lambda payoffs: payoffs[game.mover(s)])
        weights = [game.chance(s, move) for move in legal]
        return tuple(
            sum(w * child[player] for w, child in zip(weights, children, strict=True)) / sum(weights)
            for player in range(game.players)
        )

    return worth(s)


@pytest.mark.parametrize("name", PLAYERS)
def test_an_example_has_thirty_lines_at_most(name: str) -> None:
    assert len(Path(path(name)).read_text().splitlines()) <= 30


@pytest.mark.parametrize(("name", "players"), PLAYERS.items())
def test_random_players_play_each_type_of_game(capsys: Captured, name: str, players: int) -> None:
    for seed in range(5):
        played = data(capsys, "play", path(name), *["random"] * players, "--seed", str(seed))
        assert played["finished"]
        assert len(played["payoffs"]) == len(played["players"]) == players
    replayed = data(capsys, "replay", path(name), "--moves", ",".join(played["moves"]))
    assert replayed["states"][-1]["payoffs"] == played["payoffs"]


def test_the_last_agent_plays_all_the_seats_that_are_left(capsys: Captured) -> None:
    played = data(capsys, "play", path("three_player_nim"), "maxn", "random")
    assert played["players"] == ["maxn:ties=random", "random", "random"]
    ghosts = data(capsys, "play", "pacman:layout=rooms", "random", "chase", "random", "--seed", "1")
    assert ghosts["players"] == ["random", "chase:share=0.8", "random", "random"]


@pytest.mark.parametrize(
    ("game", "agents"),
    [("hexapawn", 1), ("hexapawn", 3), ("river", 2), ("three_player_nim", 1), ("three_player_nim", 4)],
)
def test_too_few_and_too_many_agents_are_refused(capsys: Captured, game: str, agents: int) -> None:
    code, out, err = call(capsys, "play", path(game) if game in PLAYERS else game, *["random"] * agents)
    assert (code, out) == (2, "")
    assert "name an agent for each" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", ["three_player_nim", "stag_hunt", "river"])
def test_maxn_gives_each_player_what_best_play_of_all_gives_it(capsys: Captured, name: str) -> None:
    game = load(path(name))
    found = data(capsys, "search", path(name), "maxn")
    assert found["exact"]
    assert tuple(found["value"]) == best_for_all(game, game.start)


def test_chance_is_averaged_over(capsys: Captured) -> None:
    small = f"{path('dice_nim')}:matches=6"
    game = load(small)
    assert data(capsys, "search", small, "maxn")["value"] == pytest.approx(best_for_all(game, game.start))


def test_together_the_hunters_get_more_than_either_can_be_sure_of(capsys: Captured) -> None:
    found = data(capsys, "search", path("stag_hunt"), "maxn")
    assert (found["value"], found["best_moves"]) == ([8, 8], ["stag"])
    assert found["values"]["hare"] == [6, 6]


def test_hunters_who_both_gain_are_not_said_to_win(capsys: Captured) -> None:
    _code, out, err = call(capsys, "match", path("stag_hunt"), "random", "random", "--games", "4")
    assert "the first gains" in out
    assert "wins" not in out + err
    _code, _out, err = call(capsys, "train", path("stag_hunt"), "q", "--games", "4")
    assert "is not zero-sum: a payoff above 0 counts as won" in err


def test_the_river_is_crossed_in_seven(capsys: Captured) -> None:
    found = data(capsys, "search", path("river"), "minimax")
    assert (found["value"], found["line"]) == (
        -7,
        ["goat", "alone", "wolf", "goat", "cabbage", "alone", "goat"],
    )


def test_a_poker_player_sees_its_own_card_only_until_the_end() -> None:
    game = load(path("kuhn_poker"))
    assert game.imperfect_information
    dealt = game.position().play("KQ")
    assert (str(dealt), str(dealt.play("pass"))) == ("K ", "Q p")
    assert str(dealt.play("pass", "bet", "bet")) == "KQ pbb"


def test_a_person_is_not_shown_the_card_of_the_other_player(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("pass\nbet\n" * 2))
    code, out, _err = call(capsys, "play", path("kuhn_poker"), "human", "random", "--seed", "6")
    told = [line for line in out.splitlines() if re.match("[JQK]", line)]
    assert code == 0
    assert {line[0] for line in told[:-1]} == {told[-1][0]}
    assert len(told[-1].split()[0]) == 2


@pytest.mark.parametrize(
    ("deal", "said", "payoff"),
    [
        ("KQ", "pass pass", 1),
        ("QK", "pass pass", -1),
        ("JK", "bet pass", 1),
        ("KJ", "pass bet pass", -1),
        ("KQ", "bet bet", 2),
        ("JQ", "pass bet bet", -2),
    ],
)
def test_poker_pays_as_kuhn_says(deal: str, said: str, payoff: int) -> None:
    assert load(path("kuhn_poker")).position().play(deal, *said.split()).payoffs == (payoff, -payoff)


WRONG: list[tuple[str, Callable[[str], tuple[str, ...]], str]] = [
    ("dice_nim", lambda game: ("search", game, "minimax"), "dice"),
    ("dice_nim", lambda game: ("search", game, "alphabeta"), "dice"),
    ("three_player_nim", lambda game: ("search", game, "minimax"), "what one gains the other loses"),
    ("three_player_nim", lambda game: ("search", game, "alphabeta"), "what one gains the other loses"),
    ("three_player_nim", lambda game: ("solve", game), "two players"),
    ("three_player_nim", lambda game: ("match", game, "random", "random"), "two players"),
    ("three_player_nim", lambda game: ("grade", game, "random"), "two players"),
    ("three_player_nim", lambda game: ("train", game, "q"), "two players"),
    ("stag_hunt", lambda game: ("search", game, "minimax"), "what one gains the other loses"),
    ("stag_hunt", lambda game: ("search", game, "alphabeta"), "what one gains the other loses"),
    ("stag_hunt", lambda game: ("solve", game), "what one gains the other loses"),
    ("stag_hunt", lambda game: ("grade", game, "random"), "what one gains the other loses"),
    ("river", lambda game: ("match", game, "random", "random"), "two players"),
    *[
        ("kuhn_poker", lambda game, agent=agent: ("search", game, agent), "secrets")  # type: ignore[misc]
        for agent in ("minimax", "alphabeta", "expectimax", "maxn", "mcts")
    ],
    ("kuhn_poker", lambda game: ("solve", game), "secrets"),
    ("kuhn_poker", lambda game: ("grade", game, "random"), "secrets"),
    ("kuhn_poker", lambda game: ("train", game, "q"), "secrets"),
    ("kuhn_poker", lambda game: ("play", game, "perfect", "random"), "secrets"),
]


@pytest.mark.parametrize(
    ("name", "command", "reason"),
    WRONG,
    ids=[f"{name} {' '.join(command('')).replace('  ', ' ')}" for name, command, _ in WRONG],
)
def test_the_wrong_algorithm_refuses_by_name_and_says_why(
    capsys: Captured,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    command: Callable[[str], tuple[str, ...]],
    reason: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = call(capsys, *command(path(name)))
    assert (code, out) == (2, "")
    assert reason in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


PAGE = EXAMPLES.parent / "docs" / "lessons" / "games.md"
COMMANDS = [
    line.partition(" # refused: ")[::2]
    for block in re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)
    for line in block.splitlines()
]


@pytest.mark.parametrize(("command", "reason"), COMMANDS, ids=[command.strip() for command, _ in COMMANDS])
def test_the_commands_of_the_lesson_do_what_it_says(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, command: str, reason: str
) -> None:
    monkeypatch.chdir(EXAMPLES.parent)
    program, *arguments = shlex.split(command)
    assert program == "damier"
    code, out, err = call(capsys, *arguments)
    assert code == (0 if not reason else 3 if reason == "memory budget" else 2), err
    assert reason in err
    assert bool(out) != bool(reason)
