"""What learners take of the disk: so much a browser, so much an address, so much in all; what would
go further stops, and what was there stays.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from browsing import serve, stop
from commands import Captured, beginning
from lasting import long
from scenes import acted
from talking import Live

from damier.core.errors import BadInput, LimitReached
from damier.core.files import write_text
from damier.lab.games import load
from damier.learn import store
from damier.web.gate import OWNER
from damier.web.hub import Client, Hub
from damier.web.learners import LEAST, OWNERS, Full, Quota, files_up_to, owner_of
from damier.web.limits import ClientId
from damier.web.messages import Params
from damier.web.settings import Settings
from damier.web.trainee import Trainee, train
from damier.web.trainings import Trainings

call, _data = beginning("serve")

MB = 1 << 20
ADA, BOB, EVE = (
    owner_of(asker)
    for asker in (ClientId("school", "ada"), ClientId("school", "bob"), ClientId("elsewhere", "eve"))
)


def keep(quota: Quota, name: str, owner: str, size: int) -> None:
    """A learner of so many bytes."""
    if owner:
        quota.note(name, owner)
    quota.folder.mkdir(exist_ok=True)
    (quota.folder / f"{name}.json").write_bytes(bytes(size))


@pytest.fixture
def quota(tmp_path: Path) -> Quota:
    """16 MB in all: 4 a browser, 8 an address."""
    return Quota(tmp_path / "learners", 16 * MB)


def test_each_share_is_counted_by_itself(quota: Quota) -> None:
    assert [quota.left(owner) for owner in (ADA, BOB, EVE)] == 3 * [4 * MB]
    keep(quota, "a", ADA, 3 * MB)
    assert [quota.left(owner) for owner in (ADA, BOB, EVE)] == [MB, 4 * MB, 4 * MB]
    assert quota.left(ADA, "a") == 4 * MB  # it would be replaced
    keep(quota, "b", BOB, 4 * MB)
    assert quota.left(ADA) == MB
    # a new cookie brings no room of another address
    assert quota.left(owner_of(ClientId("school", "new"))) == MB
    keep(quota, "nobodys", "", 8 * MB)
    assert quota.left(EVE) == MB
    keep(quota, "more", "", 8 * MB)
    assert quota.left(EVE) == 0
    with pytest.raises(Full, match="0 MiB of 4 MiB left"):
        quota.require(EVE, "new")


def test_no_owner_can_be_read_from_the_file(quota: Quota) -> None:
    keep(quota, "a", ADA, LEAST)
    text = (quota.folder / OWNERS).read_text()
    assert "ada" not in text
    assert "school" not in text
    quota.note("b", BOB)
    (quota.folder / "a.json").unlink()
    quota.note("c", EVE)
    assert set(quota.owners()) == {"c"}  # what is gone is forgotten
    for damaged in (
        "",
        "{}",
        "[]",
        '{"format": "damier-owners/1", "owners": 3}',
        '{"format": "damier-owners/1", "owners": {"c": 3}}',
    ):
        (quota.folder / OWNERS).write_text(damaged)
        assert quota.owners() == {}
        quota.note("c", EVE)


def test_a_file_that_would_go_too_far_leaves_what_was_there(quota: Quota) -> None:
    keep(quota, "a", ADA, MB)
    path = quota.folder / "a.json"
    with quota.within(ADA, "a"):
        write_text(path, "x" * (4 * MB))
    with pytest.raises(Full, match="what was saved last is kept"), quota.within(ADA, "a"):
        write_text(path, "x" * (4 * MB + 1))
    assert path.stat().st_size == 4 * MB
    assert sorted(os.listdir(quota.folder)) == [OWNERS, "a.json"]
    with pytest.raises(BadInput), quota.within(ADA, "a"):  # another fault is told as what it is
        write_text(path / "a.json", "x")
    write_text(quota.folder / "large.json", "x" * (8 * MB))  # afterwards there is no limit


def test_a_limit_of_the_system_that_is_lower_stays(tmp_path: Path) -> None:
    with files_up_to(10), pytest.raises(LimitReached), files_up_to(5):
        write_text(tmp_path / "a", "123456")
    write_text(tmp_path / "a", "123456")


def until(live: Any, name: str, *states: str) -> Any:
    live.send(do="watch", topic=f"progress/{name}/en")
    return live.until(f"progress/{name}/en", lambda told: told["state"]["state"] in states)


def test_what_outgrows_its_room_stops_is_kept_and_said_and_no_other_begins(tmp_path: Path) -> None:
    """Each process by itself: the training with what is left, and the hub, which then begins none."""
    small, settings = 12_000, Settings(folder=tmp_path, disk=4 * LEAST)
    told, nobody = io.StringIO(), SimpleNamespace(next=lambda seconds: None)
    plan = dict.fromkeys(("starts", "seat"), "") | {"name": "large", "game": "hexapawn", "learner": "q"}
    plan |= {"opponent": "random", "owner": ADA, "language": "en", "resume": False, "seed": 0, "pace": 0}
    little = Settings(folder=tmp_path, disk=4 * small)
    train(Trainee(little, plan | {"games": 3_000}, nobody, told))  # type: ignore[arg-type]
    last = json.loads(told.getvalue().splitlines()[-1])["now"]
    assert (last["state"], last["stage"].partition(" takes more than ")[0]) == ("stopped", "large")
    kept = tmp_path / "large.json"
    assert 0 < kept.stat().st_size <= small
    assert 0 < store.load(kept, load("hexapawn")).games < 3_000
    hub = Hub()
    trainings = Trainings(settings, hub)
    lab = Client(SimpleNamespace(client=SimpleNamespace(host=OWNER), scope={"headers": []}))  # type: ignore[arg-type]
    trainings.quota.note("large", owner_of(lab.asker))
    assert "0 MiB of 0 MiB left" in acted(hub.handlers["training.room"](lab, Params({})))["said"]
    kept.write_bytes(bytes(LEAST))
    with pytest.raises(Full, match="used up"):
        acted(hub.handlers["training.start"](lab, Params({"do": "training.start", "name": "third"})))
    assert not trainings.known


def test_who_waits_for_a_turn_stays_the_owner_when_others_begin(tmp_path: Path) -> None:
    async def scene() -> dict[str, str]:
        hub = Hub()
        trainings = Trainings(Settings(folder=tmp_path), hub)
        trainings.places = asyncio.Semaphore(0)
        for number, name in enumerate(("first", "second", "third")):
            browser = Client(
                SimpleNamespace(client=SimpleNamespace(host=f"10.0.0.{number}"), scope={"headers": []})
            )  # type: ignore[arg-type]
            assert await hub.handlers["training.start"](browser, Params({"name": name}))
        owners = trainings.quota.owners()
        await trainings.close()
        return owners

    assert set(acted(scene())) == {"first", "second", "third"}


@long
def test_a_training_stops_at_its_quota_is_kept_and_said_and_no_other_begins(tmp_path: Path) -> None:
    lab = serve(tmp_path, "--disk", "0.0005")  # 131 KiB a browser
    try:
        live = Live(lab)
        assert "left for what you train here" in live.tell("training.room")["said"]
        assert (
            live.tell(
                "training.start", name="small", game="hexapawn", games=400, opponent="self", seat="alternate"
            )["name"]
            == "small"
        )
        until(live, "small", "finished")
        kept = (lab.folder / "small.json").stat().st_size
        assert (
            live.tell(
                "training.start",
                name="large",
                game="tictactoe",
                games=1_000_000,
                opponent="self",
                seat="alternate",
            )["name"]
            == "large"
        )
        assert "takes more than" in until(live, "large", "stopped")["parts"]["head"]
        assert sum(path.stat().st_size for path in lab.folder.glob("[a-z]*.json")) <= 0.0005 * (1 << 30) / 4
        assert (lab.folder / "small.json").stat().st_size == kept
        assert store.load(lab.folder / "small.json", load("hexapawn")).games == 400
        (lab.folder / "other.json").write_bytes(bytes(1 << 19))
        assert "used up" in live.tell("training.start", name="third", game="hexapawn", games=10)["error"]
    finally:
        stop(lab)


@pytest.mark.parametrize("disk", ["0", "-1", "nan", "inf", "much", "1e99"])
def test_a_size_of_the_disk_that_cannot_be_is_refused(
    disk: str, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _out, err = call(capsys, "--port", "0", "--disk", disk)
    assert code == 2
    assert len(err.splitlines()) == 1


def test_full_is_a_limit() -> None:
    assert issubclass(Full, LimitReached)
