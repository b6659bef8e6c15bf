"""A match of agents in plain Python shared among processes: the same score, the same records."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from lasting import later

from damier import load
from damier.arena.match import PlayedGames, Score, match
from damier.arena.records import GameRecord
from damier.core import job as long_work
from damier.core.errors import AgentFault, BadInput
from damier.core.job import Job, Notes
from damier.core.loop import MatchSetup
from damier.core.words import Text
from damier.lab import match_ranges
from damier.lab.agents import agent
from damier.lab.games import Lab
from damier.lab.match_ranges import hiring
from damier.lab.workers import PieceWork, Workforce, workforce

DRAWS = """
class Draws:
    def __init__(self, rng):
        self.rng = rng

    def play(self, position):
        return self.rng.choice(position.moves)
"""
COUNTS = """
class Counts:
    def __init__(self):
        self.games = 0

    def begin(self):
        self.games += 1

    def play(self, position):
        return position.moves[self.games % len(position.moves)]
"""
FAULTS = """
import random

class Faults:
    def __init__(self, rng):
        self.rng = rng

    def play(self, position):
        if self.rng.random() < 0.05:
            raise ValueError("no idea")
        return self.rng.choice(position.moves)

    def end(self, payoff):
        if self.rng.random() < 0.2:
            raise ValueError("at the end")
"""
BREAKS = """#!/usr/bin/env python3
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "new_game":
        seed = said["seed"]
    elif said["type"] != "end":
        if seed % 9 == 0:
            sys.exit(3)
        print(json.dumps({"move": said["legal"][seed % len(said["legal"])]}), flush=True)
"""


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_work, "PROCESSES_PAY", 0.0)


def played(
    agents: tuple[str, str], jobs: int, games: int = 60, *, strict: bool = False
) -> tuple[Score, list[GameRecord], dict[int, Text], Notes]:
    """A match in plain Python on so many processes."""
    notes, kept = Notes(), list[GameRecord]()
    lab = Lab(load("tictactoe"), Job(jit=False, note=notes, jobs=jobs), seed=4)
    players = agent(lab, agents[0]), agent(lab, agents[1])
    table = MatchSetup(lab.game, players, 4, 1, record=True, strict=strict)
    score = match(table, games, lab.job, keep=kept.extend, hire=hiring(lab, table, agents))
    score.seconds = 0.0
    return score, kept, table.faults.of_game, notes


def nobody(work: PieceWork) -> AbstractContextManager[Workforce]:
    raise AssertionError(work)


def file(folder: Path, text: str, name: str = "one.py") -> str:
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("source", [later(DRAWS), FAULTS], ids=["draws", "faults"])
def test_two_processes_play_the_same_games(source: str, tmp_path: Path) -> None:
    agents = file(tmp_path, source), "minimax:plies=1"
    one, two = played(agents, 1), played(agents, 2)
    assert two == one
    assert [record.number for record in two[1]] == list(range(60))
    assert bool(one[2]) == (source == FAULTS)
    assert [note for note in two[3] if "at the end (after a game, which counts)" in note] == two[3]
    assert bool(two[3]) == (source == FAULTS)


@pytest.mark.parametrize("record", [later(False), True])
def test_others_play_compiled_games_too(record: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those who are hired: processes here, machines of a cluster elsewhere."""
    elsewhere: list[tuple[range, bool]] = []
    play = match_ranges.play_ranges

    def told(workers: Workforce, chunks: Iterable[range], jit: bool) -> Iterator[PlayedGames]:
        for done in play(workers, chunks, jit):
            elsewhere.append((done.games, jit))
            yield done

    monkeypatch.setattr(match_ranges, "play_ranges", told)
    agents, scores, kept = ("random", "random"), [], []
    for hire in None, workforce:
        records: list[GameRecord] = []
        lab = Lab(load("tictactoe"), Job(jit=True, jobs=2), seed=4)
        players = agent(lab, agents[0]), agent(lab, agents[1])
        table = MatchSetup(lab.game, players, 4, 1, record=record)
        others = hiring(lab, table, agents, hire)
        assert others is not None
        assert others.compiled == (hire is not None)
        keep = records.extend if record else None
        score = match(table, 3000, lab.job, keep=keep, hire=others)
        score.seconds = 0.0
        scores.append(score)
        kept.append(records)
    assert scores[0] == scores[1]
    assert kept[0] == kept[1]
    assert sum(len(games) for games, _jit in elsewhere) > 1500
    assert all(jit for _games, jit in elsewhere)


def test_an_agent_that_learns_plays_its_games_here() -> None:
    agents = "q", "random"
    lab = Lab(load("tictactoe"), Job(jit=False, jobs=2), seed=4)
    table = MatchSetup(lab.game, (agent(lab, agents[0]), agent(lab, agents[1])), 4)
    assert match(table, 300, lab.job, hire=hiring(lab, table, agents, nobody)).games == 300


def test_an_agent_that_keeps_something_in_mind_plays_one_game_after_the_other(tmp_path: Path) -> None:
    agents = file(tmp_path, COUNTS), "random"
    one, two = played(agents, 1), played(agents, 2)
    assert two[:3] == one[:3]
    assert [note for note in two[3] if "one after the other" in note]


@pytest.mark.skipif(sys.platform == "win32", reason="a program with a line #!")
def test_breakdowns_of_a_program_are_counted_as_by_one(tmp_path: Path) -> None:
    """After the first, the games go on here: so the program is given up at the same game."""
    agents = file(tmp_path, BREAKS, "breaks"), "random"
    one, two = played(agents, 1, 120), played(agents, 2, 120)
    assert two[:3] == one[:3]
    assert one[2]


def test_a_fault_ends_a_strict_match(tmp_path: Path) -> None:
    agents = file(tmp_path, FAULTS), "random"
    with pytest.raises(AgentFault) as alone:
        played(agents, 1, strict=True)
    with pytest.raises(BadInput) as shared:
        played(agents, 2, strict=True)
    assert str(alone.value) == str(shared.value)


def test_a_person_sits_here() -> None:
    lab = Lab(load("nim"), Job(jobs=2))
    table = MatchSetup(lab.game, (agent(lab, "human"), agent(lab, "random")), 0)
    assert hiring(lab, table, ("human", "random")) is None
