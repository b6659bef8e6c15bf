"""Trainings of the lab, as a program meets them: they obey, they refuse, and nothing that was
learnt is lost, whoever is killed.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from browsing import Served, serve, stop
from lasting import later, long, shortly
from scenes import acted
from talking import Live

from damier.core.errors import BadFile, BadInput, LimitReached
from damier.core.job import Job
from damier.core.runtime import python
from damier.lab.agents import Lab
from damier.lab.games import load
from damier.lab.training import Plan, trainer
from damier.learn import store
from damier.web import learners, trainings as training_process
from damier.web.gate import OWNER
from damier.web.hub import Client, Hub
from damier.web.learners import OWNERS, owner_of
from damier.web.messages import Params
from damier.web.pool import Answer
from damier.web.registry import Registry
from damier.web.rooms import learning
from damier.web.settings import Settings
from damier.web.trainee import Trainee
from damier.web.trainings import (
    MOST,
    MOST_OF_ONE,
    MOST_PAUSED,
    MOST_WAITING,
    REST,
    TURN,
    Streams,
    TrainingProcess,
    Trainings,
    has_had_its_turn,
    may_steer,
)


@pytest.fixture
def live(served: Served) -> Any:
    return Live(served)


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Served]:
    """A lab of its own, which may be killed."""
    found = serve(tmp_path)
    yield found
    stop(found)


def topic(name: str) -> str:
    return f"progress/{name}/en"


def begin(live: Any, name: str, **plan: Any) -> None:
    """Begins a training and watches it."""
    assert live.tell("training.start", name=name, **plan)["name"] == name
    live.send(do="watch", topic=topic(name))


def until(live: Any, name: str, *states: str, games: int = 0) -> dict[str, Any]:
    """What is told of a training once it is in one of these states, with so many games."""
    return live.until(
        topic(name), lambda told: told["state"]["state"] in states and told["state"]["games"] >= games
    )


def trained(games: int, learner: str = "q", opponent: str = "self", seed: int = 0) -> list[tuple[Any, ...]]:
    """The table that `damier train` comes to."""
    made = trainer(Lab(load("hexapawn"), Job()), Plan(learner, opponent, "alternate", seed))
    made.training.run(games, Job())
    return table(made.learner.memory)


def table(memory: Any) -> list[tuple[Any, ...]]:
    return [(row.state, row.moves, row.values, row.counts) for row in memory.rows()]


def learnt(folder: Path, name: str) -> Any:
    return store.load(folder / f"{name}.json", load("hexapawn"))


@long
def test_a_training_comes_to_what_the_command_comes_to_at_any_pace(live: Any, served: Served) -> None:
    begin(live, "paced", opponent="self", seat="alternate", games=600, pace=40)
    until(live, "paced", "running", games=5)
    assert "error" not in live.tell("training.pace", name="paced", pace=0)
    until(live, "paced", "finished")
    assert learnt(served.folder, "paced").games == 600
    assert table(learnt(served.folder, "paced").memories[0]) == trained(600)


def test_games_begin_where_the_form_says_and_where_it_says_later(live: Any, served: Served) -> None:
    base = {"game": "nim:matches=19", "learner": "beads:preset=ia01", "pace": 0}
    begin(live, "lists", **base, games=100, positions="15 first\n13 first")
    head = until(live, "lists", "finished")["parts"]["head"]
    assert "games begin here: 15 first / 13 first" in head
    registry = Registry(Settings(folder=served.folder))
    assert learning.show(registry, Params({"name": "lists"}))["state"]["starts"] == "15 first / 13 first"
    begin(live, "lists", **base, games=150, resume=True, positions="16 first")
    until(live, "lists", "finished", games=150)
    found = store.load(served.folder / "lists.json", load("nim:matches=19"))
    assert store.stages_of(found.training) == [(100, "15 first / 13 first"), (150, "16 first")]
    refused = live.tell("training.start", name="other", **base, games=9, positions="15 first\n16 frist")
    assert refused["error"].startswith("position 2: 16 frist: ")


@pytest.mark.parametrize(
    "fails", [OSError("no worker"), Answer(503, "application/json", b'{"error": "too many"}')]
)
def test_what_could_not_be_told_is_told_again_though_nothing_changes(
    fails: OSError | Answer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [fails, Answer(200, "application/json", b'{"state": "told"}')]

    class Workers:
        async def ask(self, question: bytes, seconds: float) -> Answer:
            answer = answers.pop(0)
            if isinstance(answer, OSError):
                raise answer
            return answer

        async def warm(self) -> None: ...

    async def scene() -> str:
        monkeypatch.setattr(training_process, "Pool", lambda *_settings, **_nice: Workers())
        monkeypatch.setattr(training_process, "AGAIN", 0.0)
        hub = Hub()
        hub.watchers["trainings/en"] = set()
        showing = asyncio.create_task(Streams(Settings(folder=tmp_path), hub, {}).run())
        while answers or "told" not in hub.latest.get("trainings/en", ""):
            await asyncio.sleep(0)
        showing.cancel()
        return hub.latest["trainings/en"]

    assert json.loads(acted(scene())) == {"topic": "trainings/en", "state": "told"}


def test_a_training_pauses_saves_goes_on_and_stops(live: Any, served: Served) -> None:
    begin(live, "obeys", opponent="self", seat="alternate", games=100_000, pace=50)
    assert set(until(live, "obeys", "running", games=3)["parts"]) == {"head", "rates"}
    live.tell("training.pause", name="obeys")
    paused = until(live, "obeys", "paused")["state"]["games"]
    assert live.tell("training.save", name="obeys", **{"as": "copied"})["saved"] == paused
    assert learnt(served.folder, "copied").games == paused
    assert table(learnt(served.folder, "copied").memories[0]) == trained(paused)
    assert "already" in live.tell("training.save", name="obeys", **{"as": "copied"})["error"]
    live.tell("training.go", name="obeys")
    until(live, "obeys", "running", games=paused + 1)
    assert "error" not in live.tell("training.pace", name="obeys", pace=200)
    live.tell("training.stop", name="obeys")
    games = until(live, "obeys", "stopped")["state"]["games"]
    assert learnt(served.folder, "obeys").games == games
    assert table(learnt(served.folder, "obeys").memories[0]) == trained(games)


@long
def test_a_server_that_is_killed_loses_nothing_that_cannot_be_gone_on_with(own: Served) -> None:
    live = Live(own)
    begin(live, "survivor", opponent="self", seat="alternate", games=100_000, pace=100)
    until(live, "survivor", "running", games=20)
    saved = live.tell("training.save", name="survivor")["saved"]
    own.process.send_signal(signal.SIGKILL)
    own.process.wait()
    again = serve(own.folder.parent)
    try:
        page = Live(again)
        begin(page, "survivor", resume=True, games=2_000, pace=0)
        until(page, "survivor", "finished")
        agent = learnt(own.folder, "survivor")
        assert saved > 0
        assert agent.games == 2_000
        assert table(agent.memories[0]) == trained(2_000)
    finally:
        stop(again)


def test_a_training_that_is_killed_says_so_and_goes_on_from_where_it_was_saved(
    live: Any, served: Served
) -> None:
    before = trainees(served)
    begin(live, "victim", opponent="self", seat="alternate", games=100_000, pace=50)
    until(live, "victim", "running", games=5)
    saved = live.tell("training.save", name="victim")["saved"]
    (trainee,) = trainees(served) - before
    os.kill(trainee, signal.SIGKILL)
    assert "has ended" in until(live, "victim", "failed")["parts"]["head"]
    assert learnt(served.folder, "victim").games >= saved
    begin(live, "victim", resume=True, games=1_000, pace=0)
    until(live, "victim", "finished")
    assert table(learnt(served.folder, "victim").memories[0]) == trained(1_000)


def trainees(lab: Served) -> set[int]:
    """The processes of the trainings of a lab."""
    children = Path(f"/proc/{lab.process.pid}/task/{lab.process.pid}/children").read_text().split()
    return {int(child) for child in children if is_trainee(child)}


def is_trainee(child: str) -> bool:
    try:
        return b"damier.web.trainee" in Path(f"/proc/{child}/cmdline").read_bytes()
    except OSError:  # it has just ended
        return False


@long
def test_the_file_is_that_of_the_command(live: Any, served: Served) -> None:
    begin(live, "ordinary", opponent="random", seat="1", games=50)
    until(live, "ordinary", "finished")
    shown = subprocess.run(
        [sys.executable, "-m", "damier", "show", str(served.folder / "ordinary.json"), "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(shown.stdout)["games"] == 50
    graded = subprocess.run(
        [
            sys.executable,
            "-m",
            "damier",
            "grade",
            "hexapawn",
            f"q:file={served.folder / 'ordinary.json'}",
            "--json",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(graded.stdout)["states"] > 0


@pytest.mark.parametrize(
    "plan",
    [
        {"game": "/etc/passwd"},
        {"game": "hexapawn:file=/etc/passwd"},
        {"game": ["hexapawn"]},
        later({"game": "no-such-game"}),
        later({"game": "pacman"}),
        {"learner": "q:file=/etc/passwd"},
        later({"learner": "q:alpha=1e999"}),
        later({"learner": "perfect"}),
        later({"learner": "human"}),
        {"learner": "q" * 400},
        later({"opponent": "human"}),
        {"opponent": "mean:file=x"},
        later({"opponent": "self:table=separate", "seat": "alternate"}),
        {"name": "../outside"},
        {"name": "a/b"},
        {"name": "a" * 41},
        {"name": "<b>"},
        {"name": "nobody", "resume": True},
        {"games": 10**30},
        {"games": 0},
        {"games": "many"},
        {"seat": "3"},
        {"seed": -1},
        {"pace": 10**9},
    ],
    ids=str,
)
def test_a_training_that_cannot_be_is_refused_with_one_line(
    live: Any, served: Served, plan: dict[str, Any]
) -> None:
    before = learners.names(served.folder)
    said = live.tell("training.start", **plan)["error"]
    assert said
    assert "\n" not in said
    assert str(served.folder) not in said
    assert learners.names(served.folder) == before


@pytest.mark.parametrize("order", ["pause", "go", "stop", "save", "pace"])
def test_an_order_to_nobody_is_refused(live: Any, order: str) -> None:
    assert "not learning" in live.tell(f"training.{order}", name="nobody")["error"]


@long
def test_no_more_than_a_few_trainings_run_at_once_and_the_next_one_waits_for_its_turn(live: Any) -> None:
    names = [f"many{number}" for number in range(6)]
    for name in names:
        begin(live, name, games=1_000_000, pace=1)
    assert "learning now" in live.tell("training.start", name="many0")["error"]
    assert "waits until another training has ended" in until(live, "many4", "preparing")["parts"]["head"]
    assert live.tell("training.stop", name="many5") | {"answer": 0} == {"answer": 0}
    until(live, "many5", "stopped")
    live.tell("training.stop", name="many0")
    until(live, "many4", "running")
    for name in names[1:5]:
        live.tell("training.stop", name=name)


@long
def test_one_that_is_paused_frees_its_place_and_goes_on_when_there_is_one(own: Served) -> None:
    live = Live(own)
    names = [f"place{number}" for number in range(4)]
    for name in names:
        begin(live, name, games=1_000_000, pace=1)
        until(live, name, "running")
    begin(live, "fifth", games=1_000_000, pace=1)
    assert "waits until another training has ended" in until(live, "fifth", "preparing")["parts"]["head"]
    live.tell("training.pause", name="place0")
    until(live, "place0", "paused")
    until(live, "fifth", "running")
    live.tell("training.go", name="place0")
    live.tell("training.go", name="place0")
    live.until(topic("place0"), lambda told: "waits until another" in told["parts"]["head"])
    live.tell("training.stop", name="fifth")
    until(live, "place0", "running")
    for name in names:
        live.tell("training.stop", name=name)
    begin(live, "sixth", games=10, pace=0)
    until(live, "sixth", "finished")


@pytest.mark.parametrize("game", shortly(["hexapawn", "no-such-game"], "no-such-game"))
def test_a_training_whose_server_was_killed_ends_in_silence(tmp_path: Path, game: str) -> None:
    plan = process(tmp_path, "").plan | {
        "do": "train",
        "game": game,
        "resume": False,
        "owner": "",
        "games": 10**6,
        "pace": 0,
    }
    reading_end, told = os.pipe()
    os.close(reading_end)
    command = [sys.executable, "-m", "damier.web.trainee", Settings(folder=tmp_path).as_text()]
    orders = json.dumps(plan).encode() + b"\n"
    found = subprocess.run(command, input=orders, stdout=told, stderr=subprocess.PIPE, timeout=300)
    os.close(told)
    assert (found.returncode, found.stderr) == (0, b"")


def process(folder: Path, address: str, state: str = "running", **times: float | None) -> TrainingProcess:
    """A training of somebody, which only seems to run."""
    plan = {
        "name": "pupil",
        "game": "hexapawn",
        "learner": "q",
        "opponent": "",
        "seat": "",
        "seed": 0,
        "starts": "",
        "games": 9,
        "pace": 1,
        "language": "en",
    }
    training = TrainingProcess(Settings(folder=folder), plan, address)
    training.now["state"] = state
    training.since, training.idle = times.get("since", 0.0), times.get("idle")
    return training


def test_who_began_a_training_steers_it_and_so_does_the_owner_of_the_lab(tmp_path: Path) -> None:
    training = process(tmp_path, "192.168.1.7")
    assert may_steer("192.168.1.7", training, Params({"key": training.key}))
    assert may_steer(OWNER, training, Params({}))
    # whom a proxy on this machine brings
    for address in ("127.0.0.1", "::1", "::ffff:127.0.0.1", "localhost", ""):
        assert not may_steer(address, training, Params({}))
    assert not may_steer("192.168.1.7", training, Params({}))
    assert not may_steer("192.168.1.8", training, Params({"key": "é" * 43}))
    assert training.key not in json.dumps(training.facts())


def test_the_end_of_a_training_is_told_to_all_who_wait_and_wait_no_more(tmp_path: Path) -> None:
    async def scene() -> None:
        training, loop = process(tmp_path, "192.168.1.7"), asyncio.get_running_loop()
        gone, answered, waiting = (loop.create_future() for _future in range(3))
        gone.cancel()
        answered.set_result({"saved": 3})
        training.saving |= {0: gone, 1: answered, 2: waiting}
        await training.end()
        assert training.ended.is_set()
        assert training.state == "failed"
        assert isinstance(waiting.exception(), TimeoutError)

    acted(scene())


def test_a_training_that_has_not_begun_when_the_lab_closes_is_stopped_and_no_other_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its turn never comes, and nobody waits for it."""
    monkeypatch.setattr(training_process, "ENDING", 0.01)

    async def scene() -> None:
        trainings = Trainings(Settings(folder=tmp_path), Hub())
        trainings.places = asyncio.Semaphore(0)
        late = trainings.known["pupil"] = process(tmp_path, "192.168.1.7")  # as if there had been a place
        trainings.tasks.start(trainings.run_in_turn(late))
        await trainings.close()
        assert late.ended.is_set()
        assert not trainings.tasks
        with pytest.raises(LimitReached):
            trainings.refuse_many(OWNER)

    acted(scene())


def test_whoever_finds_no_place_says_so_and_takes_the_one_that_is_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        trainings = Trainings(Settings(folder=tmp_path), Hub())
        ends = {str(number): asyncio.Event() for number in range(MOST + 1)}
        ran: list[str] = []

        async def run(training: TrainingProcess) -> None:
            ran.append(training.name)
            await ends[training.name].wait()

        monkeypatch.setattr(TrainingProcess, "run", run)
        for name in ends:
            training = trainings.known[name] = process(tmp_path, OWNER, since=None)
            training.plan["name"] = name
            trainings.begin(training)
            await asyncio.sleep(0)
        assert ran == [*ends][:MOST]
        assert training.now["stage"] == "waits until another training has ended"
        ends["0"].set()
        while str(MOST) not in ran:
            await asyncio.sleep(0)
        for end in ends.values():
            end.set()

    acted(scene())


def test_a_stranger_gives_no_orders(tmp_path: Path) -> None:
    hub = Hub()
    trainings = Trainings(Settings(folder=tmp_path), hub)
    (tmp_path / "pupil.json").write_text("{}")
    training = trainings.known["pupil"] = process(tmp_path, "192.168.1.7")
    stranger = Client(SimpleNamespace(client=SimpleNamespace(host="192.168.1.8")))  # type: ignore[arg-type]
    for do, more in (
        ("stop", {}),
        ("pause", {}),
        ("go", {}),
        ("pace", {"pace": 0}),
        ("save", {"as": "copy"}),
    ):
        with pytest.raises(BadInput, match="whoever began it"):
            acted(
                hub.handlers[f"training.{do}"](
                    stranger, Params({"do": f"training.{do}", "name": "pupil", **more})
                )
            )
    training.now["state"] = "finished"
    with pytest.raises(BadInput, match="whoever began it"):
        acted(
            hub.handlers["training.start"](
                stranger, Params({"do": "training.start", "name": "pupil", "resume": True})
            )
        )
    assert acted(
        hub.handlers["training.may"](stranger, Params({"do": "training.may", "name": "pupil", "key": "x"}))
    ) == {"may": False}


def test_learners_are_renamed_and_deleted_by_whoever_began_them(tmp_path: Path) -> None:
    hub = Hub()
    trainings = Trainings(Settings(folder=tmp_path), hub)

    def client(address: str) -> Client:
        scope = {"type": "websocket", "headers": [], "client": (address, 9)}
        return Client(SimpleNamespace(client=SimpleNamespace(host=address), scope=scope))  # type: ignore[arg-type]

    mine, stranger, lab = client("192.168.1.7"), client("192.168.1.8"), client(OWNER)

    def order(who: Client, do: str, **more: str) -> Any:
        return acted(hub.handlers[f"training.{do}"](who, Params({"do": f"training.{do}", **more})))

    for name in ("pupil", "other", "nobodys"):
        (tmp_path / f"{name}.json").write_text("{}")
    for name in ("pupil", "other"):
        trainings.quota.note(name, owner_of(mine.asker))
    for do, more in (("remove", {}), ("rename", {"to": "stolen"})):
        with pytest.raises(BadInput, match="belongs to whoever began it"):
            order(stranger, do, name="pupil", **more)
        with pytest.raises(BadInput, match="belongs to whoever began it"):
            order(mine, do, name="nobodys", **more)
        with pytest.raises(BadInput, match="no learner called"):
            order(mine, do, name="nobody", **more)
    with pytest.raises(BadInput, match="already"):
        order(mine, "rename", name="pupil", to="other")
    with pytest.raises(BadInput, match="cannot be the name"):
        order(mine, "rename", name="pupil", to="../pupil")
    running = trainings.known["other"] = process(tmp_path, "192.168.1.7")
    for do, more in (("remove", {}), ("rename", {"to": "later"})):
        with pytest.raises(BadInput, match="stop it first"):
            order(mine, do, name="other", key=running.key, **more)
    with pytest.raises(BadInput, match="is learning now"):
        order(mine, "rename", name="pupil", to="other")
    del trainings.known["other"]
    order(mine, "rename", name="pupil", to="renamed")
    assert trainings.quota.owner("renamed") == owner_of(mine.asker)
    order(mine, "remove", name="renamed")
    order(lab, "remove", name="nobodys")
    assert learners.names(tmp_path) == ["other"]


def test_no_copy_takes_the_name_of_a_training_that_has_not_saved_yet(tmp_path: Path) -> None:
    hub = Hub()
    trainings = Trainings(Settings(folder=tmp_path), hub)
    training = trainings.known["pupil"] = process(tmp_path, "192.168.1.7")
    trainings.known["other"] = process(tmp_path, "192.168.1.8")
    client = Client(
        SimpleNamespace(
            client=SimpleNamespace(host="192.168.1.7"), scope={"type": "websocket", "headers": []}
        )
    )  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="other is learning now"):
        acted(
            hub.handlers["training.save"](
                client, Params({"do": "training.save", "name": "pupil", "as": "other", "key": training.key})
            )
        )
    assert not (tmp_path / OWNERS).exists()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the memory of a process")
def test_a_training_may_take_no_more_memory_than_a_worker(tmp_path: Path) -> None:
    (tmp_path / "greedy.py").write_text(
        "held = bytearray(3 << 30)  # never touched: it costs this machine nothing"
    )
    settings = Settings(folder=tmp_path, games={"greedy": str(tmp_path / "greedy.py")}, memory=1 << 26)
    plan = {
        "game": "greedy",
        "learner": "q",
        "opponent": "self",
        "seat": "",
        "seed": 0,
        "starts": "",
        "games": 1,
        "pace": 0,
        "language": "en",
    }
    order = json.dumps({"do": "train", "name": "pupil", "owner": "a/b", "resume": False, **plan})
    line = python("-m", "damier.web.trainee", settings.as_text())
    done = subprocess.run(line, input=order + "\n", capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {"error": "the machine has not enough memory for this"}


def test_a_training_tells_what_its_job_notes_once(tmp_path: Path) -> None:
    plan = process(tmp_path, "").plan | {"resume": False, "owner": "", "pace": 0}
    plan |= {"game": "connect_four", "opponent": "random", "games": 20}
    told, nobody = io.StringIO(), SimpleNamespace(next=lambda seconds: None)
    Trainee(Settings(folder=tmp_path), plan, nobody, told).run()  # type: ignore[arg-type]
    last = json.loads(told.getvalue().splitlines()[-1])["now"]
    assert last["state"] == "finished"
    (note,) = last["notes"]
    assert note.startswith("the learner is not graded: ")


def test_another_machine_holds_only_some_of_the_places(tmp_path: Path) -> None:
    trainings = Trainings(Settings(folder=tmp_path), Hub())
    trainings.known |= {str(number): process(tmp_path, "192.168.1.7") for number in range(MOST_OF_ONE)}
    with pytest.raises(LimitReached):
        trainings.refuse_many("192.168.1.7")
    trainings.refuse_many("192.168.1.8")
    trainings.known |= {
        str(number): process(tmp_path, OWNER, since=None) for number in range(MOST_WAITING - 1)
    }
    trainings.refuse_many(OWNER)
    trainings.known["last"] = process(tmp_path, OWNER, since=None)
    with pytest.raises(LimitReached):
        trainings.refuse_many(OWNER)


def test_who_pauses_begins_another_and_the_one_paused_longest_is_stopped(tmp_path: Path) -> None:
    trainings = Trainings(Settings(folder=tmp_path), Hub())
    stopped: list[str] = []

    def paused(name: str, address: str, idle: float) -> None:
        training = trainings.known[name] = process(tmp_path, address, "paused", idle=idle)

        async def stop() -> None:
            stopped.append(name)
            training.ended.set()

        training.stop = stop  # type: ignore[method-assign]

    async def begin(address: str) -> list[str]:
        trainings.refuse_many(address)
        trainings.retire_paused(address)
        await asyncio.sleep(0)
        return stopped

    paused("one", "192.168.1.7", 2.0)
    assert acted(begin("192.168.1.7")) == []
    paused("two", "192.168.1.7", 1.0)
    assert acted(begin("192.168.1.8")) == []
    assert acted(begin("192.168.1.7")) == ["two"]
    for number in range(MOST_PAUSED - 1):
        paused(f"owners{number}", OWNER, 5.0 + number)
    assert acted(begin(OWNER)) == ["two", "one"]


def test_a_place_is_not_held_for_ever_where_others_wait(tmp_path: Path) -> None:
    here, elsewhere = OWNER, "192.168.1.7"
    assert not has_had_its_turn(process(tmp_path, elsewhere), TURN)
    assert has_had_its_turn(process(tmp_path, elsewhere), TURN + 1)
    assert not has_had_its_turn(process(tmp_path, here), 100 * TURN)
    assert not has_had_its_turn(process(tmp_path, here, "paused", idle=0.0), REST)
    assert has_had_its_turn(process(tmp_path, here, "paused", idle=0.0), REST + 1)
    assert not has_had_its_turn(process(tmp_path, elsewhere, "finished"), 100 * TURN)
    assert not has_had_its_turn(process(tmp_path, elsewhere, since=None), 100 * TURN)


def test_a_learner_that_does_not_learn_here_is_said_to_be_asleep(live: Any) -> None:
    live.send(do="watch", topic=topic("nobody-at-all"))
    assert live.until(topic("nobody-at-all"), lambda told: True)["asleep"]


@long
def test_the_numbers_are_small_and_the_picture_comes_by_itself(live: Any) -> None:
    begin(live, "streamed", games=100_000, pace=50)
    live.send(do="watch", topic="training/streamed/en/visits")
    numbers = until(live, "streamed", "running", games=5)
    picture = live.until("training/streamed/en/visits", lambda told: "<tr" in told["parts"].get("table", ""))
    assert set(numbers["parts"]) == {"head", "rates"}
    assert set(picture["parts"]) == {"curve", "numbers", "table"}
    assert 2 * len(json.dumps(numbers)) < len(json.dumps(picture))
    live.tell("training.stop", name="streamed")


def test_a_learner_of_an_own_game_is_read_by_commands_wherever_the_game_lies(tmp_path: Path) -> None:
    own = Path(__file__).parent.parent.parent / "examples" / "chomp.py"
    registry = Registry(Settings(folder=tmp_path, games={"chomp": str(own)}))
    made = trainer(registry.lab("chomp"), Plan("q", "random"))
    made.save_to(tmp_path / "eater.json")
    made.training.run(20, Job())
    assert store.load(tmp_path / "eater.json", load(str(own))).games == 20
    (tmp_path / "other.py").write_text(own.read_text())
    with pytest.raises(BadFile):
        store.load(tmp_path / "eater.json", load(str(tmp_path / "other.py")))


def test_what_a_learner_of_a_page_is_called_is_no_path(tmp_path: Path) -> None:
    folder = tmp_path / "learners"
    folder.mkdir()
    outside = tmp_path / "secret.json"
    outside.write_text("{}")
    (folder / "linked.json").symlink_to(outside)
    for name in ("linked", "../secret", "", ".", "a b", "é", "x" * 41):
        with pytest.raises(BadInput):
            learners.kept(folder, name)
    assert learners.names(folder) == []


def test_a_learner_plays_only_its_own_game_and_is_read_anew_when_it_has_learnt(tmp_path: Path) -> None:
    made = trainer(Lab(load("hexapawn"), Job()), Plan("q", "random"))
    made.save_to(tmp_path / "pupil.json")
    registry = Registry(Settings(folder=tmp_path))
    known = []
    for games in (10, 400):
        made.training.run(games, Job())
        known.append(len(registry.agent("hexapawn", "learner:pupil").memory))  # type: ignore[attr-defined]
    assert known[0] < known[1]
    assert registry.learners("hexapawn") == ["pupil"]
    assert registry.learners("tictactoe") == []
    with pytest.raises(BadInput, match="pupil has learnt hexapawn, not tictactoe"):
        registry.agent("tictactoe", "learner:pupil")


def test_a_damaged_file_is_told_without_its_place(tmp_path: Path) -> None:
    made = trainer(Lab(load("hexapawn"), Job()), Plan("q", "random"))
    made.save_to(tmp_path / "pupil.json")
    made.training.run(10, Job())
    text = (tmp_path / "pupil.json").read_text()
    (tmp_path / "pupil.json").write_text(text.replace('"games": 10', '"games": 11'))
    (tmp_path / "noise.json").write_text("not json")
    registry = Registry(Settings(folder=tmp_path))
    for name in ("pupil", "noise"):
        with pytest.raises(BadInput) as refused:
            registry.agent("hexapawn", f"learner:{name}")
        assert str(tmp_path) not in str(refused.value)
    assert registry.learners("hexapawn") == []
