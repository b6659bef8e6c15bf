"""The roll of a class: who may take which name, whose key is whose, what is too much; and what is left
to do, whatever was broken off.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from damier.arena.pairing import PlayedGame, TournamentPlan
from damier.arena.store import SubmissionRow, opened
from damier.arena.tournament import Tournament
from damier.core.errors import BadInput, LimitReached, UnknownName, WrongKey
from damier.plugins.classroom import class_store as limits
from damier.plugins.classroom.class_store import (
    CODE_LENGTH,
    LARGEST,
    LOOK,
    MARK,
    MOST_TRIES,
    PLAY,
    ClassStore,
    HandedIn,
    NewSubmission,
    Roll,
    checked_name,
    hash_of,
    is_key,
    new_key,
)
from damier.web.settings import plain_key, same_key

PLAN = TournamentPlan("nim", {"matches": 5}, "", (), 0, 4, 100, is_open=True)


def file(content: bytes = b"play = None", at: int = 0) -> NewSubmission:
    return NewSubmission(content, "", "en", at)


@pytest.fixture
def roll(tmp_path: Path) -> Iterator[Roll]:
    with opened(str(tmp_path / "class.db")) as store:
        found = Roll(store)
        found.open(PLAN, "s4")
        yield found


def queue_of(roll: Roll) -> ClassStore:
    classroom = roll.classroom()
    assert classroom is not None
    return ClassStore(roll.store, classroom.tournament)


def admitted(roll: Roll, name: str) -> HandedIn:
    taken = roll.enrol(name, file())
    queue_of(roll).admit(taken.submission, f"{name}.py", "", "{}")
    return taken


def test_another_start_makes_another_key(roll: Roll) -> None:
    student = roll.join("Ada")
    former = roll.open(PLAN, "s4")
    roll.require_teacher(former)
    latest = roll.open(PLAN, "s4")
    with pytest.raises(WrongKey):
        roll.require_teacher(former)
    roll.require_teacher(latest)
    assert roll.student(student.key).name == "Ada"


@pytest.mark.parametrize("name", ["Ada", "Zoé  B.", "李 四", "O'Neil", "Jean-Luc", "अमित", "x2"])
def test_names_of_people_are_names(name: str) -> None:
    assert checked_name(f"  {name} ") == " ".join(name.split())


@pytest.mark.parametrize(
    "name",
    [
        "",
        "  ",
        "<b>",
        "a/b",
        "../x",
        "=1+1",
        "2x",
        "a" * 31,
        "a\0b",
        "e" + "\u0301\u0302\u0303\u0304",
        "a(1.1)",
    ],
)
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(BadInput):
        checked_name(name)


def test_a_key_is_known_however_it_is_typed_and_no_other() -> None:
    code = new_key(CODE_LENGTH)
    assert same_key(f" {code.upper().replace('-', ' ')} ", code)
    assert not same_key("", code)
    assert not same_key(code[:-1], code)
    kept = hash_of(code)
    assert plain_key(code) not in "".join(kept)
    assert hash_of(code) != kept  # a salt of its own
    assert is_key(code, *kept)
    assert not is_key("", kept[0], "")


def test_no_key_lies_in_the_store(tmp_path: Path) -> None:
    place = tmp_path / "class.db"
    with opened(str(place)) as store:
        roll = Roll(store)
        teacher = roll.open(PLAN, "")
        student = roll.enrol("Ada", file()).key
    with sqlite3.connect(place) as connection:
        said = "\n".join(connection.iterdump())
    for key in (teacher, student.partition("-")[2]):
        assert key not in said
        assert plain_key(key) not in said


def test_only_the_last_key_of_the_teacher_counts(roll: Roll) -> None:
    first = roll.open(PLAN, "s4")
    second = roll.open(PLAN, "")
    roll.require_teacher(second)
    for wrong in (first, "", "x"):
        with pytest.raises(WrongKey):
            roll.require_teacher(wrong)
    classroom = roll.classroom()
    assert classroom is not None
    assert classroom.sheet == ""


def test_a_folder_keeps_one_class(roll: Roll) -> None:
    with pytest.raises(BadInput, match="nim:matches=5"):
        roll.open(TournamentPlan("nim", {"matches": 7}, "", (), 0, 4, 100, is_open=True), "")


def test_nobody_takes_the_name_of_another_or_replaces_the_agent(roll: Roll) -> None:
    ada, bob = roll.enrol("Ada", file()), roll.enrol("Bob", file())
    for alike in ("ada", "A d a", "ADA."):
        with pytest.raises(BadInput, match="already"):
            roll.enrol(alike, file())
    assert roll.hand_in(ada.key, file(b"new")).student == ada.student
    stolen = f"{ada.student.id}-{bob.key.partition('-')[2]}"
    for wrong in (stolen, "", "1", "x-y", "99-abcd", f"{10**8}-"):
        with pytest.raises(WrongKey):
            roll.hand_in(wrong, file())


def test_a_lost_key_is_renewed_and_who_is_removed_has_none(roll: Roll) -> None:
    ada = roll.enrol("Ada", file())
    renewed = roll.new_key(ada.student.id)
    assert roll.student(renewed.upper()) == ada.student
    with pytest.raises(WrongKey):
        roll.student(ada.key)
    roll.remove(ada.student.id)
    with pytest.raises(WrongKey):
        roll.student(renewed)
    with pytest.raises(UnknownName):
        roll.new_key(ada.student.id)
    assert roll.enrol("Ada", file()).student.id != ada.student.id


def test_what_is_too_much_is_refused_and_nothing_of_it_kept(
    roll: Roll, monkeypatch: pytest.MonkeyPatch
) -> None:
    for content in (b"", b" \n"):
        with pytest.raises(BadInput, match="empty"):
            roll.enrol("Ada", file(content))
    with pytest.raises(LimitReached, match="256 KiB"):
        roll.enrol("Ada", file(b"x" * (LARGEST + 1)))
    monkeypatch.setattr(limits, "MOST_AN_HOUR", 2)
    key = roll.enrol("Ada", file(at=0)).key
    roll.hand_in(key, file(at=60))
    with pytest.raises(LimitReached, match="in 59 minutes"):
        roll.hand_in(key, file(at=120))
    roll.hand_in(key, file(at=3601))
    monkeypatch.setattr(limits, "MOST_IN_ALL", 3)
    with pytest.raises(LimitReached, match="3 files"):
        roll.hand_in(key, file(at=9999))
    monkeypatch.setattr(limits, "MOST_STUDENTS", 1)
    with pytest.raises(LimitReached, match="1 students"):
        roll.enrol("Bob", file())
    monkeypatch.setattr(limits, "MOST_WAITING", 3)
    monkeypatch.setattr(limits, "MOST_STUDENTS", 2)
    with pytest.raises(LimitReached, match="wait"):
        roll.enrol("Bob", file())


def taken(queue: ClassStore, *at_work: int) -> int | None:
    """The number of the next file to look at, begun."""
    found = queue.next_waiting(at_work, "replaced")
    if found is not None:
        queue.begin(LOOK, found.id)
    return found.id if found else None


def test_a_file_is_looked_at_until_somebody_has_said_what_it_is(roll: Roll) -> None:
    queue, ada = queue_of(roll), roll.enrol("Ada", file()).submission
    found = queue.next_waiting((), "")
    assert found is not None
    assert (found.id, found.student, found.is_suspect) == (ada, "Ada", False)
    queue.begin(LOOK, ada)
    queue.take_over()  # whoever looked at it was killed
    new = roll.enrol("Eve", file()).submission
    assert taken(queue) == new, "who is not suspected does not wait"
    queue.refuse(new, "{}")
    for tries in range(1, MOST_TRIES + 1):
        again = queue.next_waiting((), "")
        assert again is not None
        assert (again.id, again.tries, again.is_suspect) == (ada, tries, True)
        assert again.is_hopeless == (tries == MOST_TRIES)
        queue.begin(LOOK, ada)
        queue.take_over()
    queue.refuse(ada, "{}")
    assert taken(queue) is None


def test_only_what_was_at_work_alone_is_charged(roll: Roll) -> None:
    queue = queue_of(roll)
    ada, bob = (admitted(roll, name).submission for name in ("Ada", "Bob"))
    eve = roll.enrol("Eve", file()).submission
    (pair,) = queue.unplayed(4)
    for _death in range(3 * MOST_TRIES):
        queue.begin(LOOK, eve)
        queue.begin(MARK, ada)
        queue.begin(PLAY, pair.pairing.id)
        queue.take_over()
    waiting, unmarked = queue.next_waiting((), ""), queue.next_unmarked()
    assert waiting is not None
    assert (waiting.id, waiting.tries, waiting.is_suspect) == (eve, 0, True)
    assert unmarked is not None
    assert (unmarked.id, unmarked.is_suspect) == (bob, False), "what nobody suspects is first"
    assert queue.unplayed(4) == [pair._replace(is_suspect=True)]
    queue.fail(LOOK, eve, alone=False)
    for _end in range(MOST_TRIES):
        queue.begin(LOOK, eve)
        queue.fail(LOOK, eve, alone=True)
    waiting = queue.next_waiting((), "")
    assert waiting is not None
    assert waiting.is_hopeless
    assert queue.unplayed(4)


def test_a_pair_that_ends_whoever_plays_it_is_set_aside_and_the_table_plays_on(roll: Roll) -> None:
    queue = queue_of(roll)
    mal, *_others = (admitted(roll, name) for name in ("Mal", "Ada", "Bob"))
    hostile, *others = queue.unplayed(4)
    assert hostile.pairing.pair == (0, 1)
    roll.store.keep([(hostile.pairing, PlayedGame(0, [], (1, -1), True, False, ""))])
    for _death in range(MOST_TRIES):
        assert queue.unplayed(4)[0].pairing == hostile.pairing
        queue.begin(PLAY, hostile.pairing.id)
        queue.take_over()
    assert queue.unplayed(4) == others
    views = ClassStore(roll.store, queue.tournament)
    progress = views.progress()
    names, results, left, aside = views.results()
    assert (names, results.games, left) == (["Mal", "Ada", "Bob"], 1, 8)
    assert [(pair.first, pair.second, pair.games) for pair in aside] == [("Mal", "Ada", 3)]
    queue.admit(roll.hand_in(mal.key, file(b"better")).submission, "mal.py", "", "{}")
    assert [pair.pairing.pair for pair in queue.unplayed(4)] == [(1, 2), (1, 3), (2, 3)]
    assert views.results().set_aside == []
    assert views.progress() != progress


def test_students_take_turns_and_who_hands_in_much_holds_up_nobody(roll: Roll) -> None:
    queue = queue_of(roll)
    key = roll.enrol("Mal", file()).key
    looked_at = taken(queue)
    assert looked_at is not None
    for _more in range(5):
        last = roll.hand_in(key, file()).submission
    ada, bob = (roll.enrol(name, file()) for name in ("Ada", "Bob"))
    order = [taken(queue, looked_at), taken(queue, looked_at, ada.submission)]
    assert order == [ada.submission, bob.submission], "the other file of Mal waits, though it came first"
    assert taken(queue, looked_at, ada.submission, bob.submission) is None, "of each one at a time"
    for done in (looked_at, ada.submission, bob.submission):
        queue.refuse(done, "{}")
    again = roll.hand_in(ada.key, file()).submission
    assert [taken(queue), taken(queue, last)] == [last, again]


def test_a_file_that_a_newer_one_replaces_is_not_looked_at(roll: Roll) -> None:
    queue = queue_of(roll)
    ada = roll.enrol("Ada", file())
    assert taken(queue) == ada.submission
    replaced = [roll.hand_in(ada.key, file()).submission for _more in range(3)]
    last, bob = roll.hand_in(ada.key, file()).submission, roll.enrol("Bob", file()).submission
    assert taken(queue, ada.submission) == bob
    with roll.store.writing() as session:
        rows = {row.id: (row.state, row.report) for row in session.scalars(select(SubmissionRow))}
    assert [rows[number] for number in replaced] == 3 * [("refused", "replaced")]
    assert rows[ada.submission] == rows[last] == rows[bob] == ("waiting", ""), "what is at work is not"
    assert ClassStore(roll.store, queue.tournament).progress().waiting == 3


def test_an_agent_meets_all_others_once_and_gives_way_to_its_successor(roll: Roll) -> None:
    ada, bob, eve = (admitted(roll, name) for name in ("Ada", "Bob", "Eve"))
    queue = queue_of(roll)
    views = ClassStore(roll.store, queue.tournament)
    assert [each.pairing.pair for each in queue.unplayed(4)] == [(0, 1), (0, 2), (1, 2)]
    for pairing, *_others in queue.unplayed(4)[:2]:
        games = [PlayedGame(number, ["1"], (1, -1), True, False, "") for number in range(4)]
        roll.store.keep((pairing, game) for game in games)
    names, results, left, _aside = views.results()
    assert (names, results.games, left) == (["Ada", "Bob", "Eve"], 8, 4)

    again = roll.hand_in(ada.key, file(b"better")).submission
    queue.refuse(again, "{}")  # what does not play replaces nothing
    assert views.results().names == ["Ada", "Bob", "Eve"]
    again = roll.hand_in(ada.key, file(b"best")).submission
    queue.admit(again, "ada.py", "", "{}")
    names, results, left, _aside = views.results()
    assert (names, results.games, left) == (["Bob", "Eve", "Ada"], 0, 12)
    assert [each.pairing.pair for each in queue.unplayed(4)] == [(1, 2), (1, 3), (2, 3)]

    roll.remove(eve.student.id)
    assert [each.pairing.pair for each in queue.unplayed(4)] == [(1, 3)]
    assert bob.student.id in {line.id for line in views.students()}
    everything = Tournament(roll.store.plan(queue.tournament), roll.store, queue.tournament)
    assert everything.results.games == 8  # nothing that was played is lost
    assert not everything.results.byes.any()


def test_marks_are_for_the_last_file_of_each(roll: Roll) -> None:
    queue, ada = queue_of(roll), admitted(roll, "Ada")
    roll.enrol("Bob", file())  # it waits
    first = queue.next_unmarked()
    assert first is not None
    assert first.id == ada.submission
    last = roll.hand_in(ada.key, file()).submission
    queue.refuse(last, "{}")
    second = queue.next_unmarked()
    assert second is not None
    assert second.id == last
    queue.keep_marks(last, "[]")
    assert queue.next_unmarked() is None


def test_whatever_a_page_shows_changes_the_progress(roll: Roll) -> None:
    queue = queue_of(roll)
    views = ClassStore(roll.store, queue.tournament)
    seen = {views.progress()}
    ada = roll.enrol("Ada", file())
    seen.add(views.progress())
    assert views.progress().waiting == 1
    queue.admit(ada.submission, "a", "", "{}")
    seen.add(views.progress())
    bob = admitted(roll, "Bob")
    seen.add(views.progress())
    roll.store.keep([(queue.unplayed(4)[0].pairing, PlayedGame(0, [], (0, 0), True, False, ""))])
    seen.add(views.progress())
    queue.keep_marks(ada.submission, "[]")
    seen.add(views.progress())
    roll.remove(bob.student.id)
    seen.add(views.progress())
    assert len(seen) == 7
