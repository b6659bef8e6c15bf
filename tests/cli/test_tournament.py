"""`damier tournament`: killed twenty times it loses and counts twice nothing; what it tells is what is
in the store, and every game of it can be replayed.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sqlite3
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from at_work import interrupted, one_object, started, wait_until
from commands import Captured, beginning
from lasting import later
from scripted_tournaments import Scripted, plan

from damier import load
from damier.arena.match import Score, match, record
from damier.arena.pairing import Entrant, PlayedGame
from damier.arena.records import Referee, record_of
from damier.arena.store import opened
from damier.core.errors import AgentFault
from damier.core.job import Job
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer
from damier.core.runtime import installing
from damier.lab import agents as agents_by_name
from damier.lab.agents import Lab, agent

call, data = beginning("tournament")
call_any, data_any = beginning()
EXAMPLES = Path(__file__).parents[2] / "examples"
TWO = ("nim", "random", "minimax:plies=1", "--pure")
FOUR = ("hexapawn", "random", "perfect", "minimax:plies=1", "minimax:plies=2")


def kept(path: Path) -> dict[tuple[int, int, int], tuple[Any, ...]]:
    """The games in a store by their entrants and number."""
    rows = sqlite3.connect(path).execute(
        "SELECT first, second, number, moves, payoff_first, finished, resigned FROM game"
        " JOIN pairing ON pairing.id = pairing_id"
    )
    found = {}
    for first, second, number, *rest in rows:
        assert (first, second, number) not in found
        found[first, second, number] = tuple(rest)
    return found


def told(report: dict[str, Any]) -> dict[str, Any]:
    """What does not depend on where it was played."""
    return {name: value for name, value in report.items() if name != "tournament"}


@pytest.mark.parametrize(("jobs", "kills"), [later(("2", 1)), later(("1", 20)), later(("2", 20))])
def test_killed_it_loses_nothing_and_counts_nothing_twice(
    tmp_path: Path, capsys: Captured, jobs: str, kills: int
) -> None:
    line = ("tournament", "hexapawn", "random", "minimax:plies=1", "minimax:plies=2", "--games", "1000")
    store, random = tmp_path / "class.db", Random(1)
    for _kill in range(kills):
        process = started(*line, "--store", str(store), "--jobs", jobs, "--quiet")
        seen = played_games(store)
        more = random.choice([0, 1, 1, 150])
        wait_until(lambda: played_games(store) >= seen + more or process.poll() is not None)
        process.kill()
        process.communicate()
        assert played_games(store) >= seen
    found = data_any(capsys, *line, "--store", str(store))
    whole = data_any(capsys, *line, "--store", str(tmp_path / "whole.db"))
    assert told(found) == told(whole)
    assert found["played"] == found["of"] == 3000
    assert kept(store) == kept(tmp_path / "whole.db")


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_who_plays_ends_with_who_asked(tmp_path: Path) -> None:
    store = tmp_path / "class.db"
    process = started("tournament", *TWO, "--games", "100000", "--store", str(store), "--jobs", "2")
    wait_until(lambda: played_games(store) > 0, process)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert len(children) == 2
    process.kill()
    process.communicate()
    wait_until(lambda: all(map(has_ended, children)))


def has_ended(process: str) -> bool:
    """Whether a process is at work no more, also where nobody has asked how it ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


def played_games(store: Path) -> int:
    """How many games are in a store that another process may be writing."""
    if not store.exists():
        return 0
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
            return int(connection.execute("SELECT count(*) FROM game").fetchone()[0])
    except sqlite3.OperationalError:  # its tables are being made
        return 0


def test_the_same_games_whatever_the_processes(tmp_path: Path, capsys: Captured) -> None:
    one = data(capsys, *FOUR, "--games", "10", "--store", str(tmp_path / "one.db"))
    two = data(capsys, *FOUR, "--games", "10", "--jobs", "2", "--store", str(tmp_path / "two.db"))
    assert told(one) == told(two)
    assert kept(tmp_path / "one.db") == kept(tmp_path / "two.db")
    assert one["standings"][0]["agent"] in ("perfect", "minimax:plies=2")


def test_ctrl_c_keeps_what_was_played(tmp_path: Path) -> None:
    store = tmp_path / "class.db"
    process = started("tournament", *TWO, "--games", "100000", "--store", str(store), "--jobs", "2", "--json")
    wait_until(lambda: played_games(store) > 0, process)
    out, err = interrupted(process)
    found = one_object(out)
    assert found["played"] == played_games(store) > 0
    assert "goes on from here" in err


def test_every_game_can_be_replayed_and_is_that_of_a_match(tmp_path: Path, capsys: Captured) -> None:
    store = str(tmp_path / "class.db")
    data(capsys, *FOUR, "--games", "2", "--store", store)
    game = load("hexapawn")
    referee, lab = Referee(game), Lab(game)
    players = {name: agent(lab, name) for name in FOUR[1:]}
    for number in range(1, 13):
        found = record_of(data_any(capsys, "show", store, "--number", str(number)))
        referee.check(found)
        names = found.players[::-1] if found.number & 1 else found.players
        setup = MatchSetup(game, (players[names[0]], players[names[1]]), found.seed, swap=1, record=True)
        again = setup.play(found.number, found.number + 1, jit=False).lines[0]
        assert record(setup, found.number, again).moves == found.moves
    code, out, _err = call_any(capsys, "show", store, "--number", "3")
    assert code == 0
    line = out.splitlines()[-1].split()
    assert line[:2] == ["damier", "replay"]
    assert call_any(capsys, *line[1:])[0] == 0


def test_the_standings_as_they_are_shown_and_written(tmp_path: Path, capsys: Captured) -> None:
    store = str(tmp_path / "class.db")
    code, out, _err = call(capsys, *FOUR, "--games", "6", "--store", store, "-o", str(tmp_path / "a.svg"))
    assert code == 0
    assert "perfect" in out
    assert "36 of 36 games" in out
    drawing = (tmp_path / "a.svg").read_text()
    assert drawing.startswith("<svg")
    assert "minimax:plies=2" in drawing
    drawn = re.findall(r"<text[^>]*>([^<]*)</text>", drawing.replace("\N{NO-BREAK SPACE}", " "))
    assert drawn[0].endswith("tournament 1 of 4 agents"), "the picture says what it is"
    assert drawn[1].startswith("Percents of the points")
    shown = data_any(capsys, "show", store, "-o", str(tmp_path / "a.csv"))
    rows = list(csv.DictReader((tmp_path / "a.csv").open()))
    assert [row["agent"] for row in rows] == [line["agent"] for line in shown["standings"]]
    assert [float(row["points"]) for row in rows] == [line["points"] for line in shown["standings"]]
    assert sum(line["points"] for line in shown["standings"]) == 36
    assert rows[0][rows[0]["agent"]] == ""
    assert data_any(capsys, "show", store, "-o", str(tmp_path / "a.json")) == shown
    assert json.loads((tmp_path / "a.json").read_text()) == shown
    of = data_any(capsys, "show", store, "--of", "random")["games"]
    assert len(of) == 18
    assert call_any(capsys, "show", store, "--of", "nobody")[0] == 2
    assert call(capsys, *FOUR, "--store", store, "-o", "a.txt")[0] == 2


def test_another_game_in_the_same_store_is_kept_beside(tmp_path: Path, capsys: Captured) -> None:
    store = str(tmp_path / "class.db")
    data(capsys, "nim:matches=5", "random", "perfect", "--games", "2", "--store", store)
    code, _out, err = call(capsys, "tictactoe", "random", "minimax:plies=1", "--games", "2", "--store", store)
    assert code == 0
    assert "tournament 2" in err
    assert data_any(capsys, "show", store, "--tournament", "1")["game"].startswith("nim")
    assert data_any(capsys, "show", store)["game"].startswith("tictactoe")


class Faulty(RandomPlayer):
    """Breaks off at its first move."""

    text = "faulty"
    compiles = False

    def choose(self, game: Any, s: Any, rng: Any) -> int:
        raise AgentFault("faulty.py:3: no such move")


def test_a_fault_is_a_lost_game_and_is_counted(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    faulty = agents_by_name.AgentKind(lambda lab: Faulty(), "", "")
    monkeypatch.setattr(agents_by_name, "AGENTS", {**agents_by_name.AGENTS, "faulty": faulty})
    store = str(tmp_path / "class.db")
    found = data(capsys, "hexapawn", "faulty", "random", "--games", "4", "--store", store)
    best, worst = found["standings"]
    assert (best["agent"], best["wins"], best["faults"], best["elo_interval"][1]) == ("random", 4, 0, None)
    assert (worst["agent"], worst["losses"], worst["faults"], worst["elo_interval"][0]) == (
        "faulty",
        4,
        4,
        None,
    )
    assert found["first_fault"] == "faulty.py:3: no such move"
    assert data_any(capsys, "show", store, "--number", "1")["fault"] == "faulty.py:3: no such move"
    assert "4 games were lost by faults" in call_any(capsys, "show", store)[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["random"], "two agents at least"),
        (["random", "random"], "two agents are called random"),
        (["random", "human"], "does not play by itself"),
        (["random", "q"], "train it first"),
        (["random", "perfct"], "perfect"),
        (["random", "perfect", "--store", "/dev/null/class.db"], "cannot be written"),
        (["random", "perfect", "--games", "0"], "--games 0"),
    ],
)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_cannot_be_played_is_refused_in_a_line(
    tmp_path: Path,
    capsys: Captured,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    said: str,
    jobs: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = call(capsys, "hexapawn", *arguments, "--jobs", jobs)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_without_the_packages_it_says_what_to_install(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    code, _out, err = call(capsys, *FOUR, "--store", str(tmp_path / "class.db"))
    assert (code, err.count("\n")) == (2, 1)
    assert installing("class") in err


def test_what_a_learner_knows_is_part_of_who_it_is(tmp_path: Path, capsys: Captured) -> None:
    agent, store = str(tmp_path / "q.json"), str(tmp_path / "class.db")
    data_any(capsys, "train", "hexapawn", "q", "--games", "10", "--pure", "--out", agent)
    line = ("hexapawn", f"q:file={agent}", "random", "--games", "2", "--store", store)
    assert data(capsys, *line)["tournament"] == data(capsys, *line)["tournament"] == 1
    data_any(capsys, "train", "hexapawn", "q", "--games", "200", "--pure", "--out", agent, "--overwrite")
    found = data(capsys, *line)
    assert found["tournament"] == 2
    before = data_any(capsys, "show", store, "--tournament", "1")
    assert found["agents"][0]["sha256"] != before["agents"][0]["sha256"]


def test_a_folder_holds_agents_and_their_helpers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from damier.lab.tournament import entrants

    lab = Lab(load("hexapawn"))
    for name in ("anna.py", "_helper.py", "notes.txt", "bob"):
        (tmp_path / name).write_text(name)
    os.chmod(tmp_path / "bob", 0o755)
    found = entrants([str(tmp_path), "random"], lab)
    assert [entrant.name for entrant in found] == ["anna", "bob", "random"]
    assert found[0].sha256 != found[1].sha256
    assert [entrant.text for entrant in found[:2]] == [str(tmp_path / "anna.py"), str(tmp_path / "bob")]
    monkeypatch.chdir(tmp_path)
    assert [entrant.text for entrant in entrants(["."], lab)] == ["./anna.py", "./bob"]
    (tmp_path / "anna.py").write_text("edited")
    assert entrants([str(tmp_path)], lab)[0].sha256 != found[0].sha256
    (tmp_path / "cleo").mkdir()
    for name in ("agent.py", "helper.py"):
        (tmp_path / "cleo" / name).write_text(
            "def play(position, n: int = 0):\n    return position.moves[n]\n"
        )
    before, turned = entrants([str(tmp_path)], lab)[2], entrants([f"{tmp_path}/cleo:n=1"], lab)[0]
    assert (before.name, before.text) == ("cleo", str(tmp_path / "cleo"))
    (tmp_path / "cleo" / "helper.py").write_text("edited")
    assert entrants([str(tmp_path)], lab)[2].sha256 != before.sha256
    assert entrants([f"{tmp_path}/cleo:n=1"], lab)[0].sha256 != turned.sha256


def test_a_match_can_begin_at_any_number() -> None:
    game = load("tictactoe")
    setup = MatchSetup(game, (RandomPlayer(), RandomPlayer()), 3, swap=1, record=True)
    records: list[Any] = []
    match(setup, 7, Job(), first=5, keep=records.extend, score=Score())
    assert [one.number for one in records] == list(range(5, 12))
    whole: list[Any] = []
    match(setup, 12, Job(), keep=whole.extend)
    assert whole[5:] == records


def test_the_live_table_has_as_many_lines_as_there_is_room(tmp_path: Path) -> None:
    from rich.console import Console

    from damier.arena.store import opened
    from damier.arena.tournament import Tournament, run
    from damier.cli.live import picture

    with opened(str(tmp_path / "class.db")) as store:
        tournament = Tournament(plan(20), store, store.enter(plan(20)))
        run(tournament, Scripted())
        console = Console(width=100, record=True, file=io.StringIO())
        console.print(picture(tournament, tournament.results, 5))
    shown = console.export_text()
    assert shown.count("agent0") == 5
    assert "tournament 1 of 20 agents" in shown
    assert "1,900 of 1,900 games" in shown


def test_names_and_moves_from_a_store_are_shown_escaped(tmp_path: Path, capsys: Captured) -> None:
    store = tmp_path / "class.db"
    names = ("\x1b[31mperfect", "\x1b[31mrandom")
    entered = replace(plan(2), entrants=tuple(Entrant(name, name, "") for name in names))
    with opened(str(store)) as kept:
        (pairing,) = kept.pair(kept.enter(entered), 0, [(0, 1)])
        kept.keep([(pairing, PlayedGame(0, ["\x1b[2J"], (1, -1), True, False, "\x1b"))])
    for option in ((), ("--number", "1"), ("--of", "\x1b[31mrandom")):
        code, out, _err = call_any(capsys, "show", str(store), *option)
        assert code == 0
        assert "\x1b" not in out


def test_a_game_of_three_is_refused_before_it_is_kept(tmp_path: Path, capsys: Captured) -> None:
    store = tmp_path / "class.db"
    line = (str(EXAMPLES / "three_player_nim.py"), "random", "minimax:plies=1", "--store", str(store))
    code, _out, err = call(capsys, *line)
    assert (code, store.exists()) == (2, False)
    assert "a match handles games of two players" in err
