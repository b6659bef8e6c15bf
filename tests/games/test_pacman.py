"""Pacman: against rules written a second time, every rule by itself, layouts, and the state file."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from lasting import later, long
from naive_pacman import NaivePacman
from sample_engines import names_of_engines

from damier import BadInput, Game, Position, load
from damier.cli.main import build, run
from damier.core.analysis import Analysis
from damier.core.bits import reseed
from damier.core.compile import instantiate
from damier.core.job import Job
from damier.core.json_data import write_json
from damier.games.maze import MAZE_BOUNDS, layouts, maze_as_json, parse_layout, read_layout
from damier.games.pacman import ChasingPlayer, PacmanState, maze_of
from damier.lab.agents import Lab, searcher
from damier.solve.count import start_leaves

HALLWAY = ["%%%%%%%%%", "%       %", "%%%%%%%%%"]


def state_file(tmp_path: Path, **changes: Any) -> Path:
    """Pacman at x = 3 in a hallway, facing East, food at both ends."""
    data: dict[str, Any] = {
        "format": "damier-pacman/1",
        "walls": HALLWAY,
        "food": [[1, 1], [7, 1]],
        "capsules": [],
    }
    data |= {"pacman": {"x": 3, "y": 1, "direction": "East"}, "score": 0, "ghosts": []} | changes
    path = tmp_path / "state.json"
    path.write_text(json.dumps(data))
    return path


def ghost(
    x: float, scared: int = 0, direction: str = "Stop", start: tuple[int, int] = (7, 1), y: float = 1
) -> dict[str, Any]:
    return {"x": x, "y": y, "direction": direction, "scared": scared, "start": list(start)}


def position(tmp_path: Path, **changes: Any) -> Position:
    return load(f"pacman:start={state_file(tmp_path, **changes)}").position()


def score(position: Position) -> int:
    return int(position.game.payoff(position.state, 0))


def said(game: Game, s: PacmanState) -> dict[str, Any]:
    """A state in the terms of the naive game."""
    facts = maze_as_json(maze_of(read_layout(game.options["layout"]), s))
    facts["food"], facts["capsules"] = (
        {tuple(place) for place in facts[what]} for what in ("food", "capsules")
    )
    return {name: facts[name] for name in ("food", "capsules", "pacman", "score", "ghosts")}


@cache
def random_ends(games: int) -> dict[str, int]:
    """What happened in so many random games on every layout, each compared with the naive game
    state by state.
    """
    seen = dict.fromkeys(("won", "lost", "half", "eaten", "snapped"), 0)
    for name in layouts():
        game = load(f"pacman:layout={name}")
        for seed in range(games):
            compare(game, Random(seed), seen)
    return seen


def compare(game: Game, chosen: Random, seen: dict[str, int]) -> None:
    naive = NaivePacman(maze_as_json(read_layout(game.options["layout"])))
    place = game.position()
    for _ply in range(600):
        assert said(game, place.state) == naive.facts()
        assert place.over == naive.over
        if naive.over:
            break
        assert sorted(place.moves) == sorted(naive.legal())
        assert place.mover == naive.turn
        move = wiser(naive, chosen)
        before = score(place)
        place = place.play(move)
        naive.play(move)
        gain = score(place) - before
        seen["eaten"] += gain > 150 and not naive.won
        seen["half"] += any(ghost["at"][0] % 1 or ghost["at"][1] % 1 for ghost in naive.ghosts)
        seen["snapped"] += any(ghost["scared"] == 1 for ghost in naive.ghosts)
    seen["won"] += naive.won
    seen["lost"] += naive.lost


def wiser(naive: NaivePacman, chosen: Random) -> str:
    """A random move; Pacman mostly does not turn back, so that games get somewhere."""
    moves = naive.legal()
    back = {"North": "South", "South": "North", "East": "West", "West": "East"}.get(naive.direction)
    if naive.turn == 0 and chosen.random() < 0.9:
        moves = [move for move in moves if move not in (back, "Stop")] or moves
    return chosen.choice(moves)


@pytest.mark.parametrize("games", [4, later(60)])
def test_random_games_on_every_layout_are_those_of_the_naive_rules(games: int) -> None:
    seen = random_ends(games)
    assert all(count >= 5 for count in seen.values()), seen


def test_there_are_six_layouts_from_a_corridor_to_a_full_maze_and_all_food_can_be_reached() -> None:
    mazes = {name: read_layout(name) for name in layouts()}
    assert len(mazes) >= 6
    assert (mazes["corridor"].width, mazes["corridor"].height) == (5, 3)
    assert (mazes["maze"].width, mazes["maze"].height, len(mazes["maze"].ghosts)) == (20, 11, 2)
    for maze in mazes.values():
        naive = NaivePacman(maze_as_json(maze))
        reached, queue = {naive.pacman}, [naive.pacman]
        for x, y in queue:
            new = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & naive.open - reached
            reached |= new
            queue += new
        assert naive.food | naive.capsules | {ghost["at"] for ghost in naive.ghosts} <= reached


@pytest.mark.parametrize(
    ("layout", "plies"), [later(("corridor", 6)), ("capsule", 9), later(("crossing", 7)), later(("maze", 7))]
)
def test_pure_and_compiled_rules_are_the_same(layout: str, plies: int) -> None:
    game = load(f"pacman:layout={layout}")
    start = tuple(game.start)
    assert instantiate(start_leaves, game, jit=True)(start, plies) == instantiate(
        start_leaves, game, jit=False
    )(start, plies)


def test_every_state_of_a_maze_has_the_same_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = names_of_engines(monkeypatch)
    for x in (1, 3, 5):
        place = position(tmp_path, pacman={"x": x, "y": 1, "direction": "West"}, ghosts=[ghost(7)], score=x)
        instantiate(start_leaves, place.game, jit=True)
    assert len(names) == 3
    assert len(set(names)) == 1


@long
def test_one_compilation_serves_every_state_of_a_maze(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAMIER_CACHE", str(tmp_path / "engines"))
    for x in (1, 3, 5):
        place = position(tmp_path, pacman={"x": x, "y": 1, "direction": "West"}, ghosts=[ghost(7)], score=x)
        instantiate(start_leaves, place.game, jit=True)(tuple(place.state), 3)
        assert len(list((tmp_path / "engines").glob("*.engine"))) == 1


# Every rule by itself.


def test_a_move_costs_one_and_food_gains_ten(tmp_path: Path) -> None:
    place = position(tmp_path)
    assert score(place.play("East")) == -1
    assert score(place.play("Stop")) == -1
    assert score(place.play("West", "West")) == 8


def test_the_last_food_wins_five_hundred(tmp_path: Path) -> None:
    place = position(tmp_path, food=[[4, 1]], score=7).play("East")
    assert place.over
    assert place.payoffs == (7 - 1 + 10 + 500,)


def test_the_last_food_wins_even_in_contact(tmp_path: Path) -> None:
    place = position(tmp_path, food=[[4, 1]], ghosts=[ghost(4)]).play("East")
    assert place.payoffs == (509, -509)


def test_the_last_food_and_a_scared_ghost_count_both(tmp_path: Path) -> None:
    assert position(tmp_path, food=[[4, 1]], ghosts=[ghost(4.5, 9, "East")]).play("East").payoffs == (
        709,
        -709,
    )


def test_running_into_a_ghost_costs_five_hundred_and_ends(tmp_path: Path) -> None:
    assert position(tmp_path, ghosts=[ghost(4)]).play("East").payoffs == (-501, 501)


def test_every_ghost_that_catches_pacman_at_once_costs_five_hundred(tmp_path: Path) -> None:
    assert position(tmp_path, ghosts=[ghost(4), ghost(4)]).play("East").payoffs == (-1001, 1001, 1001)


def test_a_ghost_catches_pacman_on_its_own_move_and_only_the_mover_is_looked_at(tmp_path: Path) -> None:
    place = position(tmp_path, ghosts=[ghost(5), ghost(7, start=(7, 1))]).play("Stop")
    assert place.play("West", "West").payoffs is None
    assert position(tmp_path, ghosts=[ghost(4)]).play("Stop", "West").payoffs == (-501, 501)
    # the second stands on Pacman, and it is the first that moves
    beside = position(tmp_path, ghosts=[ghost(5), ghost(3)])
    assert not Position(beside.game, beside.state._replace(mover=1)).play("East").over


def test_a_capsule_scares_every_ghost_for_forty_moves_of_its_own(tmp_path: Path) -> None:
    place = position(tmp_path, capsules=[[2, 1]], ghosts=[ghost(6), ghost(7)]).play("West")
    assert place.state.fears == (40, 40)
    place = place.play("West")
    assert place.state.fears == (39, 40)
    assert pacman_x(place, 0) == 5.5


def test_a_scared_ghost_between_two_cells_can_only_go_on(tmp_path: Path) -> None:
    place = position(tmp_path, ghosts=[ghost(5.5, 9, "West")])
    assert place.play("West").moves == ("West",)
    assert position(tmp_path, ghosts=[ghost(5.5, 9, "East")]).play("West").moves == ("East",)


def test_a_ghost_never_stops_and_turns_back_only_in_a_dead_end(tmp_path: Path) -> None:
    assert position(tmp_path, ghosts=[ghost(5, 0, "West")]).play("West").moves == ("West",)
    assert position(tmp_path, ghosts=[ghost(5)]).play("West").moves == ("East", "West")
    assert position(tmp_path, ghosts=[ghost(7, 0, "East")]).play("West").moves == ("West",)


@pytest.mark.parametrize(
    ("x", "direction", "nearest"), [(5.5, "West", 5), (5, "West", 5), (5, "East", 6), (5.5, "East", 6)]
)
def test_a_ghost_that_is_scared_no_more_snaps_to_the_nearest_cell_a_half_rounding_up(
    tmp_path: Path, x: float, direction: str, nearest: int
) -> None:
    place = position(tmp_path, ghosts=[ghost(x, 1, direction)]).play("West", direction)
    assert (pacman_x(place, 0), place.state.fears) == (nearest, (0,))


def test_halves_round_up_also_from_row_to_row(tmp_path: Path) -> None:
    walls = ["%%%%", "%  %", "%  %", "%%%%"]
    fields = {"walls": walls, "food": [[1, 1]], "pacman": {"x": 1, "y": 2, "direction": "Stop"}}
    for direction, y in (("North", 1), ("South", 2)):
        place = position(tmp_path, **fields, ghosts=[ghost(2, 1, direction, (2, 2), y)]).play(
            "Stop", direction
        )
        assert (
            maze_as_json(maze_of(parse_layout("%%%%\n%P.%\n%  %\n%%%%"), place.state))["ghosts"][0]["y"] == 2
        )


def test_a_scared_ghost_eaten_gains_two_hundred_and_comes_back_unscared(tmp_path: Path) -> None:
    place = position(tmp_path, ghosts=[ghost(4.5, 9, "West", (6, 1))]).play("East")
    assert score(place) == 199
    assert (pacman_x(place, 0), place.state.fears, place.state.headings) == (6, (0,), (4,))


def test_contact_is_half_a_cell_or_less(tmp_path: Path) -> None:
    assert position(tmp_path, ghosts=[ghost(4, 9, "East")]).play("Stop").state.fears == (9,)
    assert position(tmp_path, ghosts=[ghost(3.5, 9, "East")]).play("Stop").state.fears == (0,)


def test_waiting_can_be_forbidden_and_keeps_the_direction(tmp_path: Path) -> None:
    path = state_file(tmp_path)
    assert load(f"pacman:start={path},stop=false").position().moves == ("East", "West")
    waited = load(f"pacman:start={path}").position().play("Stop")
    assert waited.state.facing == 2


def test_rewards_are_pacmans_gain_and_the_ghosts_loss(tmp_path: Path) -> None:
    place = position(tmp_path, ghosts=[ghost(5)])
    assert place.game.reward(place.state, place.read("East")) == -1
    assert place.game.reward(place.play("East").state, place.play("East").read("West")) == 500


def pacman_x(place: Position, number: int) -> float:
    return place.state.ghosts[number] % 128 / 2  # type: ignore[no-any-return]


# The state file, and layouts.


def test_a_state_comes_back_from_its_file(tmp_path: Path) -> None:
    game = load("pacman:layout=crossing")
    maze, place, chosen = read_layout("crossing"), game.position(), Random(3)
    path = tmp_path / "again.json"
    for _ply in range(90):
        if place.over:
            break
        if place.mover == 0:
            write_json(path, maze_as_json(maze_of(maze, place.state)), MAZE_BOUNDS)
            assert load(f"pacman:start={path}").start == place.state
        place = place.play(chosen.choice(place.moves))


def test_the_example_of_the_specification_is_read(tmp_path: Path) -> None:
    place = position(
        tmp_path,
        walls=["%%%%%", "%   %", "%%%%%"],
        food=[[1, 1]],
        pacman={"x": 2, "y": 1, "direction": "Stop"},
        ghosts=[ghost(3.0, y=1.0, start=(3, 1))],
    )
    assert place.moves == ("East", "West", "Stop")
    assert place.game.players == 2
    assert place.play("West").payoffs == (509, -509)


BROKEN: dict[str, dict[str, Any]] = {
    "walls missing": {"walls": None},
    "walls empty": {"walls": []},
    "walls of numbers": {"walls": [1, 2, 3]},
    "rows of different lengths": {"walls": ["%%%%%%%%%", "%      %", "%%%%%%%%%"]},
    "open border": {"walls": ["%%%%%%%%%", "%        ", "%%%%%%%%%"]},
    "letters in walls": {"walls": ["%%%%%%%%%", "%   G   %", "%%%%%%%%%"]},
    "huge walls": {"walls": ["%" * 5000] * 500},
    "tiny walls": {"walls": ["%"]},
    "no food": {"food": []},
    "food in a wall": {"food": [[0, 0]]},
    "food outside": {"food": [[99, 1]]},
    "food twice": {"food": [[1, 1], [1, 1]]},
    "food on a half": {"food": [[1.5, 1]]},
    "food of three numbers": {"food": [[1, 1, 1]]},
    "food of words": {"food": [["1", "1"]]},
    "food true": {"food": [[True, 1]]},
    "food no list": {"food": {"x": 1}},
    "endless food": {"food": [[1, 1]] * 100_000},
    "capsule in a wall": {"capsules": [[4, 0]]},
    "negative capsule": {"capsules": [[-1, 1]]},
    "no Pacman": {"pacman": None},
    "Pacman in a wall": {"pacman": {"x": 0, "y": 0}},
    "Pacman without y": {"pacman": {"x": 1}},
    "Pacman between two cells": {"pacman": {"x": 1.5, "y": 1}},
    "Pacman far away": {"pacman": {"x": 1e308, "y": 1}},
    "Pacman going up": {"pacman": {"x": 1, "y": 1, "direction": "up"}},
    "Pacman's direction a list": {"pacman": {"x": 1, "y": 1, "direction": ["North"]}},
    "score of words": {"score": "many"},
    "score enormous": {"score": 10**30},
    "ghosts missing": {"ghosts": None},
    "a ghost that is a number": {"ghosts": [3]},
    "too many ghosts": {"ghosts": [ghost(5)] * 17},
    "a ghost in a wall": {"ghosts": [ghost(0)]},
    "a ghost at home in a wall": {"ghosts": [ghost(5, start=(0, 0))]},
    "a ghost without home": {"ghosts": [{"x": 5, "y": 1}]},
    "a ghost on a third": {"ghosts": [ghost(5.3, 5, "East")]},
    "a ghost between cells, unscared": {"ghosts": [ghost(5.5, 0, "East")]},
    "a ghost between cells, standing": {"ghosts": [ghost(5.5, 5, "Stop")]},
    "a ghost between cells, crosswise": {"ghosts": [ghost(5.5, 5, "North")]},
    "a ghost half in a wall": {"ghosts": [ghost(0.5, 5, "East")]},
    "negative fear": {"ghosts": [ghost(5, -1)]},
    "fear for ever": {"ghosts": [ghost(5, 41)]},
    "half a fear": {"ghosts": [{**ghost(5), "scared": 0.5}]},
    "a walled-in ghost": {
        "walls": ["%%%%%%%%%", "%     % %", "%%%%%%%%%"],
        "food": [[1, 1]],
        "ghosts": [ghost(7)],
    },
    "another format": {"format": "damier-tree/1"},
}


@pytest.mark.parametrize("changes", BROKEN.values(), ids=BROKEN.keys())
def test_an_impossible_state_is_refused_in_one_line(tmp_path: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as refusal:
        load(f"pacman:start={state_file(tmp_path, **changes)}")
    assert "state.json" in str(refusal.value)
    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 700


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"format": "damier-pacman/1"}',
        "NaN",
        '{"format": "damier-pacman/1", "walls": 1, "walls": 2}',
    ],
)
def test_a_file_that_is_none_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "state.json"
    path.write_text(text)
    with pytest.raises(BadInput) as refusal:
        load(f"pacman:start={path}")
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "rows"),
        ("%%%%%\n%P.%\n%%%%%", "row 2"),
        ("%%%%%\n%P. .\n%%%%%", "border"),
        ("%%%%%\n%P.P%\n%%%%%", "one P"),
        ("%%%%%\n% . %\n%%%%%", "one P"),
        ("%%%%%\n%P  %\n%%%%%", "no food"),
        ("%%%%%\n%P.x%\n%%%%%", "x means nothing"),
        ("%%%%%\n%P.\x1b%\n%%%%%", r"\\x1b means nothing"),
        ("%%%%%%%\n%P. %G%\n%%%%%%%", "walls on all sides"),
    ],
)
def test_a_broken_layout_is_refused_with_the_reason(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(text)
    with pytest.raises(BadInput, match=reason) as refusal:
        load(f"pacman:layout={path}")
    assert str(refusal.value).isprintable()


def test_a_layout_of_ones_own_is_played(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("%%%%%\n%G P%\n%. o%\n%%%%%\n")
    game = load(f"pacman:layout={path}")
    assert game.show(game.start).splitlines()[1] == "%G P%"
    assert load(game.text).start == game.start


@pytest.mark.parametrize(
    "options",
    [
        "layout=nowhere",
        "layout=nowhere.txt",
        "layout=../maze",
        "ghosts=3",
        "ghosts=-1",
        "start=nowhere.json",
        "stop=maybe",
    ],
)
def test_bad_options_are_refused(options: str) -> None:
    with pytest.raises(BadInput) as refusal:
        load(f"pacman:{options}")
    assert str(refusal.value).isprintable()


def test_ghosts_are_numbered_from_left_to_right_and_can_be_fewer() -> None:
    game = load("pacman:layout=maze,ghosts=1")
    assert game.players == 2
    assert game.start.ghosts == load("pacman:layout=maze").start.ghosts[:1]
    assert load("pacman:layout=maze,ghosts=0").players == 1


# What is seen in a state, and the ghosts that chase.


def feature(place: Position, name: str) -> float:
    return float(place.game.features[name](place.state))


def test_features_are_the_score_the_food_left_and_distances(tmp_path: Path) -> None:
    place = position(
        tmp_path,
        pacman={"x": 3, "y": 1, "direction": "East"},
        ghosts=[ghost(6), ghost(4.5, 9, "West")],
        score=12,
    )
    assert {name: feature(place, name) for name in place.game.features} == {
        "score": 12,
        "food": 2,
        "near_food": 1 / 2,
        "ghost": 3,
    }
    won = position(tmp_path, food=[[4, 1]], ghosts=[ghost(6, 9)]).play("East")
    assert (feature(won, "food"), feature(won, "near_food"), feature(won, "ghost")) == (0, 0, 0)


def test_features_of_the_maze_are_those_of_a_naive_search() -> None:
    game, chosen = load("pacman"), Random(5)
    place = game.position()
    for _ply in range(300):
        if place.over:
            break
        facts = maze_as_json(maze_of(read_layout("maze"), place.state))
        x, y = facts["pacman"]["x"], facts["pacman"]["y"]
        nearest = min(abs(x - fx) + abs(y - fy) for fx, fy in facts["food"])
        ghosts = [abs(x - g["x"]) + abs(y - g["y"]) for g in facts["ghosts"] if not g["scared"]]
        assert feature(place, "near_food") == 1 / nearest
        assert feature(place, "ghost") == min(ghosts, default=0)
        assert feature(place, "food") == len(facts["food"])
        place = place.play(chosen.choice(place.moves))


def test_states_that_differ_in_whose_turn_it_is_count_as_one() -> None:
    game = load("pacman")
    assert game.seen_as(game.start._replace(mover=1)) == game.start


@pytest.mark.parametrize(
    ("x", "scared", "expected"), [(5, 0, {"West": 0.9, "East": 0.1}), (5, 9, {"West": 0.1, "East": 0.9})]
)
def test_a_chasing_ghost_mostly_comes_nearer_and_flees_when_scared(
    tmp_path: Path, x: float, scared: int, expected: dict[str, float]
) -> None:
    place = position(tmp_path, ghosts=[ghost(x, scared)]).play("Stop")
    chances = ChasingPlayer(place.game).probabilities(place.game, place.state)
    assert {
        place.game.name_move(place.state, move): chance for move, chance in chances.items()
    } == pytest.approx(expected)


def test_a_chasing_ghost_plays_as_it_says() -> None:
    game = load("pacman:layout=crossing")
    player, s = ChasingPlayer(game, 0.5), game.position().play("Stop").state
    counted = dict.fromkeys(game.legal(s), 0)
    rng = [0]
    reseed(rng, 1, 0)
    for _draw in range(4000):
        counted[player.choose(game, s, rng)] += 1
    for move, chance in player.probabilities(game, s).items():
        assert abs(counted[move] / 4000 - chance) < 5 * (chance * (1 - chance) / 4000) ** 0.5 + 1e-9


def test_chasing_is_for_ghosts_of_pacman() -> None:
    with pytest.raises(BadInput, match="ghosts of pacman"):
        ChasingPlayer(load("nim"))
    game = load("pacman")
    with pytest.raises(BadInput, match="himself"):
        ChasingPlayer(game).probabilities(game, game.start)


# Agents that look ahead: the quizzes of the slides (rows A-56 to A-58).


def decision(game: str, agent: str) -> Analysis:
    player = searcher(Lab(load(game)), agent)
    return player.analyse(player.game.start, 0)


def values(found: Analysis) -> dict[str, Any]:
    return {found.game.name_move(found.state, move): value for move, value in found.values.items()}


def test_replanning_two_plies_ahead_eating_now_is_worth_no_more_than_waiting() -> None:
    assert values(decision("pacman:layout=replanning", "alphabeta:plies=2,evaluate=score")) == {
        "East": 8,
        "West": 8,
        "Stop": 8,
    }
    assert values(decision("pacman:layout=replanning", "alphabeta:plies=3,evaluate=score")) == {
        "East": 517,
        "West": 517,
        "Stop": 7,
    }


def test_an_agent_that_replans_each_move_waits_for_ever() -> None:
    lab = Lab(load("pacman:layout=replanning"))
    place, player, rng = lab.game.position(), searcher(lab, "alphabeta:plies=2,evaluate=score,ties=last"), [0]
    for ply in range(20):
        assert score(place) == -ply
        place = Position(lab.game, lab.game.play(place.state, player.choose(lab.game, place.state, rng)))
    assert place.state.pacman == lab.game.start.pacman


@pytest.mark.parametrize(
    ("evaluation", "left", "right"),
    [
        ("near_food", 1, 1 / 4),
        ("ghost", 3, 6),
        ("ghost+near_food", 4, 6.25),
        ("ghost+1000*near_food", 1003, 256),
    ],
)
def test_the_quiz_of_evaluations(evaluation: str, left: float, right: float) -> None:
    def worth(layout: str) -> float:
        game = load(f"pacman:layout={layout}")
        terms = [term.rpartition("*") for term in evaluation.split("+")]
        return sum(float(weight or 1) * game.features[name](game.start) for weight, _star, name in terms)

    assert (worth("quiz_left"), worth("quiz_right")) == (left, right)


@pytest.mark.parametrize(("ghosts", "value"), [(1, 511), (2, -494)])
def test_ghosts_that_all_minimise_catch_pacman_together_and_one_alone_does_not(
    ghosts: int, value: int
) -> None:
    assert (
        decision(f"pacman:layout=collaboration,ghosts={ghosts}", "alphabeta:rounds=9,evaluate=score").value
        == value
    )


@long
def test_searches_of_one_maze_are_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAMIER_CACHE", str(tmp_path / "engines"))
    compiled = set()
    for x in (1, 3, 5):
        path = state_file(tmp_path, pacman={"x": x, "y": 1, "direction": "West"}, ghosts=[ghost(7)], score=x)
        player = searcher(
            Lab(load(f"pacman:start={path}"), Job(jit=True)), "alphabeta:rounds=2,evaluate=score"
        )
        player.analyse(player.game.start, 0)
        compiled.add(tuple(sorted(engine.name for engine in (tmp_path / "engines").glob("*.engine"))))
    assert len(compiled) == 1


@pytest.mark.parametrize("layout", ["capsule", "ring", "crossing"])
def test_alphabeta_gives_the_value_of_naive_minimax(layout: str) -> None:
    game = load(f"pacman:layout={layout}")

    def minimax(s: PacmanState, plies: int) -> int:
        if game.over(s) or plies == 0:
            return int(s.score) - (1 << 31)
        worth = [minimax(game.play(s, move), plies - 1) for move in game.legal(s)]
        return max(worth) if game.mover(s) == 0 else min(worth)

    for plies in range(1, 3 * game.players):
        assert decision(
            f"pacman:layout={layout}", f"alphabeta:plies={plies},evaluate=score"
        ).value == minimax(game.start, plies)


# The board.


def test_the_board_shows_the_score_and_the_fears_as_text_and_in_the_picture() -> None:
    game = load("pacman:layout=crossing")
    place = Position(game, game.start._replace(score=game.start.score + 12, fears=(17, 0)))
    said = "Score 12; ghost 1 is scared for 17 more moves"
    assert str(place).splitlines()[-1] == game.show(place.state).splitlines()[-1] == said
    picture = place._repr_svg_().replace("\u00a0", " ")
    assert picture.count(said) == 2, "in the picture and in its description"
    assert "Row 6: wall, scared ghost, 2 × food, wall, 2 × food, ghost, wall" in picture
    for look in ("d-pacman", "d-ghost", "d-scared", "d-food", "d-wall"):
        assert f'class="{look}"' in picture


def test_a_move_is_shown_from_cell_to_cell_also_where_a_ghost_is_between_two(tmp_path: Path) -> None:
    place = position(tmp_path, ghosts=[ghost(5.5, 9, "West")])
    assert place.game.place(place.state, place.read("West")) == (12, 11)
    waited = place.play("Stop")
    assert waited.game.place(waited.state, waited.read("West")) == (15, 14)


def test_a_state_file_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = state_file(tmp_path, ghosts=[ghost(5.5, 9, "West")])
    assert run(build(), ["show", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "Score 0; ghost 1 is scared for 9 more moves"
    assert run(build(), ["show", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(path.read_text())


def test_a_game_that_was_played_replays(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(
            build(),
            [
                "play",
                "pacman:layout=rooms",
                "alphabeta:rounds=1,evaluate=score+near_food",
                "chase",
                "--seed",
                "4",
                "--json",
            ],
        )
        == 0
    )
    played = json.loads(capsys.readouterr().out)
    assert (
        run(build(), ["replay", "pacman:layout=rooms", "--moves", ",".join(played["moves"]), "--json"]) == 0
    )
    states = json.loads(capsys.readouterr().out)["states"]
    assert len(states) == len(played["moves"]) + 1
    assert states[-1]["payoffs"] == played["payoffs"]
    assert states[-1]["board"].splitlines()[-1].startswith(f"Score {played['payoffs'][0]}")
