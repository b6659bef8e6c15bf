"""Who has asked of late, and how long an agent may think because of them."""

from __future__ import annotations

from damier.web.limits import LEAST, MOST, RECENT, THINKING, ClientId, RecentClients, shared
from damier.web.pool import AT_ONCE, Pool
from damier.web.settings import Settings


def test_an_asker_counts_once_and_for_a_while() -> None:
    recent = RecentClients()
    students = [ClientId(f"house {number}", "one") for number in range(5)]
    assert [recent.note(student, 1.0) for student in students] == [0, 1, 2, 3, 4]
    assert recent.note(students[0], 2.0) == 4
    assert recent.note(students[0], 1.5 + RECENT) == 0  # the others asked longer ago
    assert recent.note(students[1], 2.5 + RECENT) == 1


def test_no_more_are_remembered_than_there_may_be() -> None:
    recent = RecentClients()
    assert max(recent.note(ClientId("elsewhere", str(number)), 0.0) for number in range(2 * MOST)) == MOST - 1


def test_an_agent_thinks_less_long_where_a_class_plays_than_where_one_does() -> None:
    pool = Pool(Settings(), 3, hurried=True)
    alone = pool.count_others(ClientId("here", "one"))
    assert shared(alone) == THINKING
    for number in range(30):
        others = pool.count_others(ClientId("here", str(number)))
    assert others == 30 // AT_ONCE
    assert shared(others) == LEAST
