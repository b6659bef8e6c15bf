"""Tables: two programs play as two people do, and everything that a player must not be able to do
is refused and changes nothing.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from browsing import Served, serve, stop
from lasting import long
from scenes import acted
from talking import Live

from damier.web import tables as rules
from damier.web.hub import Hub
from damier.web.limits import ClientId
from damier.web.messages import Query
from damier.web.pool import Answer
from damier.web.tables import Table, Tables

TWO = ["human", "human"]
GAME = ["b1b2", "a3b2", "a1b2", "c3b2", "c1b2"]  # hexapawn: White takes all and wins


class Player(Live):
    """Somebody at a table, who watches it."""

    table = key = ""

    def open(
        self, game: str = "hexapawn", moves: list[str] | None = None, seats: list[str] | None = None
    ) -> Player:
        opened = self.tell("table.open", game=game, moves=moves or [], seats=seats or TWO)
        self.table, self.key = opened["table"], opened["key"]
        self.send(do="watch", topic=self.topic)
        return self

    def join(self, other: Player, seat: int = 2) -> Player:
        self.table = other.table
        self.key = self.tell("table.sit", table=self.table, seat=seat)["key"]
        self.send(do="watch", topic=self.topic)
        return self

    @property
    def topic(self) -> str:
        return f"table:{self.table}"

    def move(self, move: str, at: int, wrong: dict[str, Any] | None = None) -> dict[str, Any]:
        return self.tell(
            "table.move", **({"table": self.table, "key": self.key, "at": at, "move": move} | (wrong or {}))
        )

    def back(self, at: int) -> dict[str, Any]:
        return self.tell("table.back", table=self.table, key=self.key, at=at)

    def ask_again(self, at: int, *, swap: bool = False) -> int:
        return self.send(do="table.again", table=self.table, key=self.key, at=at, swap=swap)

    def again(self, at: int) -> dict[str, Any]:
        return self.answer(self.ask_again(at))

    def at(self, plies: int) -> dict[str, Any]:
        """The table once so many moves are played."""
        return self.until(self.topic, lambda state: len(state["moves"]) == plies)


@pytest.fixture
def two(served: Served) -> Any:
    """Two players at a table of hexapawn."""
    first = Player(served).open()
    second = Player(served).join(first)
    yield first, second
    first.close(), second.close()


def test_two_play_a_game_to_its_end(two: tuple[Player, Player]) -> None:
    for ply, move in enumerate(GAME):
        assert "error" not in two[ply % 2].move(move, ply)
    for player in two:
        state = player.at(len(GAME))
        assert state["moves"] == GAME
        assert state["over"]
        assert state["seats"] == [{"agent": "human", "taken": True, "name": ""}] * 2
        assert "key" not in json.dumps(state)
    assert "over" in two[1].move("b3b2", len(GAME))["error"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"move": "a1a3"},
        {"move": "nonsense"},
        {"move": ""},
        {"move": 3},
        {"move": "x" * 5000},
        {"move": ["b1b2"]},
        {"key": ""},
        {"key": None},
        {"key": 7},
        {"key": "forged"},
        {"key": "clé"},
        {"key": "second"},
        {"at": -1},
        {"at": 1},
        {"at": "0"},
        {"at": None},
        {"at": False},
        {"table": "nowhere"},
        {"table": ["a"]},
        {"table": None},
    ],
)
def test_a_move_that_is_not_right_is_refused_and_changes_nothing(
    two: tuple[Player, Player], wrong: dict[str, Any]
) -> None:
    first, second = two
    wrong = {name: second.key if value == "second" else value for name, value in wrong.items()}
    assert first.move("b1b2", 0, wrong)["error"]
    assert "error" not in first.move("b1b2", 0)
    assert second.at(1)["moves"] == ["b1b2"]


def test_who_leaves_gives_the_seat_to_others(served: Served, two: tuple[Player, Player]) -> None:
    first, second = two
    first.move("b1b2", 0)
    assert second.tell("table.leave", table=second.table, key="forged")["error"]
    assert "error" not in second.tell("table.leave", table=second.table, key=second.key)
    assert first.until(first.topic, lambda state: not state["seats"][1]["taken"])["moves"] == ["b1b2"]
    assert "do not sit" in second.move("a3b2", 1)["error"]
    third = Player(served).join(first)
    assert "error" not in third.move("a3b2", 1)
    third.close()


def test_a_name_is_told_to_all_and_goes_with_who_gave_it(served: Served) -> None:
    first, second = Player(served).open(), Player(served)
    second.table = first.table
    for wrong in (7, "x" * 5000):
        assert second.tell("table.sit", table=first.table, seat=2, name=wrong)["error"]
    second.key = second.tell("table.sit", table=first.table, seat=2, name="  Zoé\n de la très longue rue ")[
        "key"
    ]
    named = first.until(first.topic, lambda state: state["seats"][1]["taken"])["seats"][1]["name"]
    assert named.startswith("Zoé de la")
    assert len(named) <= 24
    second.tell("table.leave", table=second.table, key=second.key)
    left = first.until(first.topic, lambda state: not state["seats"][1]["taken"])
    assert left["seats"][1]["name"] == ""
    first.close(), second.close()


def test_a_new_game_begins_when_one_is_over_and_only_once(served: Served, two: tuple[Player, Player]) -> None:
    first, second = two
    assert "goes on" in first.again(0)["error"]
    for ply, move in enumerate(GAME):
        two[ply % 2].move(move, ply)
    other = Player(served)
    other.table = first.table
    assert "do not sit" in other.again(len(GAME))["error"]
    assert first.again(len(GAME) - 1)["error"]
    numbers = [player.ask_again(len(GAME), swap=True) for player in two]
    assert sorted("error" in player.answer(number) for player, number in zip(two, numbers, strict=True)) == [
        False,
        True,
    ]
    state = first.until(first.topic, lambda state: state["round"] == 1)
    assert (state["moves"], state["mover"], state["over"]) == ([], 0, False)
    assert [player.tell("table.look", table=player.table, key=player.key)["seat"] for player in two] == [2, 1]
    assert "turn" in first.move("b1b2", 0)["error"]
    assert "error" not in second.move("b1b2", 0)
    other.close()


def test_a_move_that_is_sent_again_counts_once(two: tuple[Player, Player]) -> None:
    first, second = two
    numbers = [
        first.send(do="table.move", table=first.table, key=first.key, at=0, move=move)
        for move in ("b1b2", "b1b2", "a1a2")
    ]
    answers = [first.answer(number) for number in numbers]
    assert ["error" in answer for answer in answers] == [False, True, True]
    assert second.at(1)["moves"] == ["b1b2"]


def test_of_two_who_hold_the_same_key_one_move_counts(served: Served, two: tuple[Player, Player]) -> None:
    twin = Player(served)
    twin.table, twin.key = two[0].table, two[0].key
    numbers = [
        player.send(do="table.move", table=player.table, key=player.key, at=0, move="b1b2")
        for player in (twin, two[0])
    ]
    assert sorted(
        "error" in player.answer(number) for player, number in zip((twin, two[0]), numbers, strict=True)
    ) == [False, True]
    assert two[1].at(1)["moves"] == ["b1b2"]
    twin.close()


def test_nobody_moves_out_of_turn_nor_sits_on_a_seat_that_is_taken(
    served: Served, two: tuple[Player, Player]
) -> None:
    first, second = two
    assert "turn" in second.move("b3b2", 0)["error"]
    other = Player(served)
    for seat in (1, 2, 0, 3, -1, True, "1", None, 1 << 60):
        assert other.tell("table.sit", table=first.table, seat=seat)["error"]
    assert other.tell("table.sit", table="nowhere", seat=1)["gone"]
    assert first.at(0)["moves"] == []
    other.close()


def test_who_lost_the_connection_comes_back_to_the_same_position_and_seat(
    served: Served, two: tuple[Player, Player]
) -> None:
    first, second = two
    first.move("b1b2", 0)
    second.vanish()
    first.at(1)
    again = Player(served)
    again.table, again.key = second.table, second.key
    again.send(do="watch", topic=again.topic)
    assert again.at(1)["moves"] == ["b1b2"]
    assert again.tell("table.look", table=again.table, key=again.key)["seat"] == 2
    assert again.tell("table.look", table=again.table)["seat"] == 0
    assert "error" not in again.move("a3b2", 1)
    assert first.at(2)["moves"] == ["b1b2", "a3b2"]
    again.close()


@pytest.mark.parametrize("agent", ["random", "perfect", "alphabeta:plies=3"])
def test_an_agent_answers_and_a_move_against_it_can_be_taken_back(served: Served, agent: str) -> None:
    alone = Player(served).open(seats=["human", agent])
    assert alone.back(0)["error"]
    alone.move("b1b2", 0)
    assert alone.at(2)["mover"] == 0
    assert alone.back(1)["error"]
    assert "error" not in alone.back(2)
    assert alone.at(0)["moves"] == []
    alone.move("a1a2", 0)
    assert alone.at(2)["moves"][0] == "a1a2"
    alone.close()


def test_an_agent_may_begin(served: Served) -> None:
    alone = Player(served).open(seats=["perfect", "human"])
    assert alone.at(1)["mover"] == 1
    assert alone.back(1)["error"]
    alone.close()


def test_the_die_is_thrown_by_the_lab(served: Served) -> None:
    first = Player(served).open(game="dice_nim")
    second = Player(served).join(first)
    thrown = first.at(1)
    assert thrown["moves"][0].startswith("die")
    assert first.move("die1", 1)["error"]
    first.move("take1", 1)
    assert second.at(3)["moves"][2].startswith("die")
    first.close(), second.close()


def test_against_another_person_nothing_is_taken_back(two: tuple[Player, Player]) -> None:
    two[0].move("b1b2", 0)
    assert two[0].back(1)["error"]
    assert two[1].at(1)["moves"] == ["b1b2"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "nogame"},
        {"game": 3},
        {"game": "hexapawn:file=/etc/passwd"},
        {"game": "\x00"},
        {"moves": "a1a2"},
        {"moves": ["a1a3"]},
        {"moves": [3]},
        {"moves": 2001 * ["x"]},
        {"seats": []},
        {"seats": ["human"]},
        {"seats": 3 * ["human"]},
        {"seats": ["random", "random"]},
        {"seats": ["human", "nobody"]},
        {"seats": ["human", "human:x=1"]},
        {"seats": ["human", "q:file=/etc/passwd"]},
        {"seats": ["human", ""]},
        {"seats": ["human", 3]},
        {"seats": {"1": "human"}},
        {"seats": None},
    ],
)
def test_a_table_that_cannot_be_is_not_opened(served: Served, wrong: dict[str, Any]) -> None:
    live = Live(served)
    assert live.tell("table.open", **({"game": "hexapawn", "moves": [], "seats": TWO} | wrong))["error"]
    live.close()


@long
def test_a_lab_that_was_started_anew_says_that_the_table_is_gone(tmp_path: Path) -> None:
    lab = serve(tmp_path)
    player = Player(lab).open()
    player.vanish()
    stop(lab)
    lab = serve(tmp_path)
    again = Player(lab)
    again.table, again.key = player.table, player.key
    for answer in (
        again.move("b1b2", 0),
        again.back(0),
        again.tell("table.look", table=again.table),
        again.tell("table.sit", table=again.table, seat=1),
    ):
        assert answer["gone"] is True
        assert answer["error"]
    stop(lab)


# Without a lab: the judge is a function, the clock a number.


class Client:
    address = "192.0.2.7"
    asker = ClientId("192.0.2.7")


def judging(pause: asyncio.Event | None = None) -> Any:
    """A worker for a game of two players in which every move is legal."""

    async def ask(query: Query) -> Answer:
        asked: dict[str, Any] = query.values
        if query.verb == "board.reply":
            if pause:
                await pause.wait()
            return Answer(200, "", b'{"move": "m"}')
        moves = list(asked.get("moves", [])) + ([asked["move"]] if "move" in asked else [])
        movers = [ply % 2 for ply in range(len(moves))]
        found = {"moves": moves, "movers": movers, "mover": len(moves) % 2, "over": False, "players": 2}
        return Answer(200, "", json.dumps(found).encode())

    return ask


async def call(hub: Hub, do: str, **message: Any) -> dict[str, Any]:
    answer = await hub.answer(Client(), {"do": f"table.{do}", **message})  # type: ignore[arg-type]
    assert answer is not None
    return answer


def test_tables_are_bounded_and_those_that_are_watched_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "MOST_TABLES", 3)

    async def scene() -> None:
        hub = Hub()
        tables = Tables(hub, judging())
        names = [(await call(hub, "open", game="g", moves=[], seats=TWO))["table"] for _time in range(3)]
        for name in (names[0], names[2]):
            hub.watchers[f"table:{name}"] = {Client()}  # type: ignore[arg-type]
        new = (await call(hub, "open", game="g", moves=[], seats=TWO))["table"]
        assert set(tables.tables) == {names[0], names[2], new}
        assert set(hub.latest) == {f"table:{name}" for name in tables.tables}
        hub.watchers[f"table:{new}"] = {Client()}  # type: ignore[arg-type]
        assert "error" in await call(hub, "open", game="g", moves=[], seats=TWO)

    acted(scene())


def test_tables_are_bounded_by_the_bytes_of_their_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "MOST_BYTES", 10_000)

    async def scene() -> None:
        hub = Hub()
        tables = Tables(hub, judging())
        for _number in range(30):
            await call(hub, "open", game="g", moves=["m" * 250] * 4, seats=TWO)
            assert tables.bytes == sum(table.bytes for table in tables.tables.values())
        assert 2 <= len(tables.tables) <= 5
        first, *_between, last = tables.tables.values()
        last.seats[0].key, last.seats[1].key = "one", "two"
        while first.name in tables.tables:  # one that grows costs the one that was used longest ago its place
            assert (
                await call(
                    hub,
                    "move",
                    table=last.name,
                    key=last.seats[last.now["mover"]].key,
                    at=len(last.now["moves"]),
                    move="m" * 250,
                )
                == {}
            )
        assert last.name in tables.tables
        assert set(hub.latest) == {f"table:{name}" for name in tables.tables}

    acted(scene())


def test_a_table_that_everybody_has_left_is_forgotten() -> None:
    async def scene() -> None:
        hub = Hub()
        tables = Tables(hub, judging())
        left, watched = [
            (await call(hub, "open", game="g", moves=[], seats=TWO))["table"] for _time in range(2)
        ]
        hub.watchers[f"table:{watched}"] = {Client()}  # type: ignore[arg-type]
        seen = tables.tables[left].seen
        tables.sweep(seen + rules.FORGOTTEN - 1)
        assert len(tables.tables) == 2
        tables.sweep(seen + rules.FORGOTTEN + 1)
        assert list(tables.tables) == [watched]
        assert (await call(hub, "look", table=left))["gone"]
        del hub.watchers[f"table:{watched}"]
        tables.sweep(seen + rules.FORGOTTEN + 2)
        assert list(tables.tables) == [watched]  # it was watched a second ago

    acted(scene())


def test_what_an_agent_answers_to_moves_that_were_taken_back_is_not_played() -> None:
    async def scene() -> Table:
        hub, pause = Hub(), asyncio.Event()
        tables = Tables(hub, judging(pause))
        opened = await call(hub, "open", game="g", moves=[], seats=["human", "agent"])
        own = {"table": opened["table"], "key": opened["key"]}
        assert await call(hub, "move", at=0, move="a", **own) == {}
        await asyncio.sleep(0)
        assert await call(hub, "back", at=1, **own) == {}
        pause.set()
        await asyncio.gather(*tables.replying)
        return tables.tables[opened["table"]]

    assert acted(scene()).now["moves"] == []


@pytest.mark.parametrize(("status", "tries"), [(503, rules.TRIES), (400, 1)])
def test_an_agent_that_has_no_time_is_asked_again_and_then_the_table_says_why(
    monkeypatch: pytest.MonkeyPatch, status: int, tries: int
) -> None:
    asked: list[str] = []
    judge = judging()

    async def ask(query: Query) -> Answer:
        if query.verb != "board.reply":
            return await judge(query)
        asked.append(query.verb)
        return Answer(status, "", b'{"error": "the agent says no"}')

    async def at_once(seconds: float) -> None:
        return None

    async def scene() -> Table:
        hub = Hub()
        tables = Tables(hub, ask)
        opened = await call(hub, "open", game="g", moves=[], seats=["agent", "human"])
        monkeypatch.setattr(asyncio, "sleep", at_once)
        await asyncio.gather(*tables.replying)
        return tables.tables[opened["table"]]

    table = acted(scene())
    assert table.trouble == "the agent says no"
    assert len(asked) == tries


def test_what_kept_an_agent_from_playing_is_forgotten_with_the_move_before_it() -> None:
    judge = judging()

    async def ask(query: Query) -> Answer:
        if query.verb == "board.reply":
            return Answer(400, "", b'{"error": "the agent says no"}')
        answer: Answer = await judge(query)
        return answer

    async def scene() -> tuple[str, str, dict[str, Any]]:
        hub = Hub()
        tables = Tables(hub, ask)
        opened = await call(hub, "open", game="g", moves=[], seats=["human", "agent"])
        table, own = tables.tables[opened["table"]], {"table": opened["table"], "key": opened["key"]}
        assert await call(hub, "move", at=0, move="a", **own) == {}
        await asyncio.gather(*tables.replying)
        before = table.trouble
        assert await call(hub, "back", at=1, **own) == {}
        return before, table.trouble, await call(hub, "again", at=0, **own)

    assert acted(scene()) == ("the agent says no", "", {"error": "the game goes on"})


def test_one_address_opens_so_many_tables_and_no_more() -> None:
    async def scene() -> int:
        hub = Hub()
        tables = Tables(hub, judging())
        answers = [await call(hub, "open", game="g", moves=[], seats=TWO) for _time in range(600)]
        assert len(tables.tables) < 500
        return sum("error" in answer for answer in answers)

    assert acted(scene()) > 100
