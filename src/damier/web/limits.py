"""Limits of the web lab: who is counted, how often and how many at once, how much memory, what is kept.

Clients are told apart by address and browser (`ClientId`). A token bucket bounds a rate, a fair semaphore
whoever waits for places, a watch the memory of the hub, an LRU whatever is kept, ceilings the searches that a
page may ask for. Limits of single things stand beside these: of connections in `server.py`, of the folder of
learners in `learners.py`.
"""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import logging
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, TypeVar

from damier.core.errors import BadInput
from damier.core.job import resident
from damier.core.words import FormattedNumber, _, grouped, message

Key = TypeVar("Key")
Kept = TypeVar("Kept")

MOST_NODES = 1_500
"""The most nodes of a tree on a page: a picture of more is too large for a browser to be quick
with.
"""


class LRU(OrderedDict[Key, Kept]):
    """Mapping of at most `size` keys: those that were read or set last."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def __getitem__(self, key: Key) -> Kept:
        self.move_to_end(key)
        return super().__getitem__(key)

    def __setitem__(self, key: Key, kept: Kept) -> None:
        super().__setitem__(key, kept)
        self.move_to_end(key)
        if len(self) > self.size:
            del self[next(iter(self))]

    def find(
        self, key: Key, make: Callable[[], Kept], holds: Callable[[Kept], bool] = lambda kept: True
    ) -> Kept:
        """Return what is kept of a key; made first where nothing is, or where that holds no more."""
        if key not in self or not holds(self[key]):
            self[key] = make()
        return self[key]


# Clients: a browser, at an address. Many people may share an address (those of a school), so that what is
# fair is measured by both.


class ClientId(NamedTuple):
    """Client of the lab.

    Attributes:
        place: the address, or the network of one house: see `place_of`; empty: the lab itself, which no limit
            holds
        browser: the name that a browser was given; empty where it sends none
    """

    place: str = ""
    browser: str = ""


LAB = ClientId()


@lru_cache(maxsize=4096)
def place_of(address: str) -> str:
    """The address as limits count it: all of IPv6 that one house is given (/64) is one place, and
    so is this machine.

    >>> place_of("192.168.1.7"), place_of("::ffff:192.168.1.7"), place_of("127.9.9.9"), place_of("::1")
    ('192.168.1.7', '192.168.1.7', 'loopback', 'loopback')
    >>> place_of("2001:db8:1:2:3:4:5:6"), place_of("fe80::1%eth0"), place_of("testclient")
    ('2001:db8:1:2::/64', 'fe80::1', 'testclient')
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped:
            return place_of(str(found.ipv4_mapped))
        # all of one wire share the network of the latter
        if not found.is_loopback and not found.is_link_local:
            return str(ipaddress.ip_network((found, 64), strict=False))
    return "loopback" if is_here(found) else str(found)


def is_here(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Return whether an address is this machine's own, for itself: all of them are one place. Who
    measures a class on one machine gives each student one of them, and this another answer.
    """
    return address.is_loopback


# Rates, by client.

ADDRESSES = 4_000
"""Addresses whose rate is remembered."""


@dataclass
class Bucket:
    """A rate limit: `rate` a second, `size` at once (token bucket)."""

    rate: float
    size: float
    _left: float = field(init=False)
    _seen: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self._left = self.size

    def take(self, amount: float = 1) -> bool:
        """Return whether so much more is within the limit."""
        now = time.monotonic()
        self._left = min(self.size, self._left + (now - self._seen) * self.rate)
        self._seen = now
        if self._left < amount:
            return False
        self._left -= amount
        return True

    @property
    def has_room(self) -> bool:
        """Return whether one more would be within the limit."""
        return self._left + (time.monotonic() - self._seen) * self.rate >= 1


class Buckets:
    """Rate limit for every address by itself."""

    def __init__(self, rate: float, size: float) -> None:
        self.rate, self.size = rate, size
        self.buckets = LRU[str, Bucket](ADDRESSES)

    def take(self, address: str, amount: float = 1) -> bool:
        """Return whether so much more from there is within the limit."""
        return self.buckets.find(address, lambda: Bucket(self.rate, self.size)).take(amount)

    def has(self, address: str) -> bool:
        """Return whether one more from there would be within the limit."""
        return address not in self.buckets or self.buckets[address].has_room


# Who has asked of late: a person looks at a position for some seconds between two moves, so that those who
# wait at one moment are a few of those who play.

RECENT = 10.0
"""Seconds for which an asker is taken to play on."""
MOST = 1_000
"""Clients who are remembered."""


class RecentClients:
    """The askers of the last RECENT seconds, the latest last."""

    def __init__(self) -> None:
        self._seen = LRU[ClientId, float](MOST)

    def note(self, asker: ClientId, now: float) -> int:
        """Notes who asks `now`, in seconds of a clock that never goes back; how many others have of late."""
        self._seen[asker] = now
        for outdated in [other for other, when in self._seen.items() if when < now - RECENT]:
            del self._seen[outdated]
        return len(self._seen) - 1


# Whose turn it is where many wait for few: browsers take turns, and the questions of one keep
# their order.
#
# So a person who asks a hundred things at once holds up nobody else by more than one of them. And
# that one may take a minute, so a browser never holds all places, and neither does its address, where
# a class may sit or somebody with a new cookie for every question: some of the usual places may be
# out of reach of both, and who has waited LATE seconds while others hold all of these is given a
# spare one.

SPARE = 2
"""Places on top of the usual: an address may hold one of them, and one is for those of other
addresses.
"""
LATE = 0.5
"""Seconds after which who still waits may have a spare place: sooner it would cost more, to start a
worker, than it saves.
"""


class Crowded(Exception):
    """Too many wait already."""


class FairSemaphore:
    """`places` that can be taken, by one browser `of_one` of them, by all of one address `of_place`,
    and SPARE more for those who have waited `late` seconds.

    At most `waiting` wait: at most half of these for one browser, and two thirds for one address.
    """

    def __init__(
        self,
        places: int,
        waiting: int,
        late: float = LATE,
        *,
        of_one: int | None = None,
        of_place: int | None = None,
    ) -> None:
        self.places, self.waiting, self.late = places, waiting, late
        self.of_one, self.of_place = of_one or places, of_place or places
        self.held: Counter[ClientId] = Counter()
        self._lines: OrderedDict[ClientId, deque[asyncio.Future[None]]] = OrderedDict()
        self._overdue: set[asyncio.Future[None]] = set()

    @property
    def count(self) -> int:
        """Return how many wait."""
        return sum(map(len, self._lines.values()))

    @property
    def taken(self) -> int:
        """Return how many places are held."""
        return self.held.total()

    async def take(self, asker: ClientId) -> None:
        """Waits for a place.

        Raises Crowded at once where too many wait. Who is cancelled waits no more.
        """
        if asker not in self._lines and self._may(asker, is_overdue=False):
            self.held[asker] += 1
            return
        self._refuse_crowd(asker)
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()
        self._lines.setdefault(asker, deque()).append(turn)
        timer = loop.call_later(self.late, self._is_overdue, turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was given in the same moment
                self.give(asker)
            else:
                line = self._lines[asker]
                line.remove(turn)
                if not line:
                    del self._lines[asker]
            raise
        finally:
            timer.cancel()
            self._overdue.discard(turn)

    def give(self, asker: ClientId) -> None:
        """Gives a place back that an asker held."""
        self.held[asker] -= 1
        if not self.held[asker]:
            del self.held[asker]
        self._hand_out()

    def _hand_out(self) -> None:
        """Places that are free go to those whose last turn is longest ago."""
        while (
            asker := next(
                (
                    asker
                    for asker, line in self._lines.items()
                    if self._may(asker, is_overdue=line[0] in self._overdue)
                ),
                None,
            )
        ) is not None:
            line = self._lines.pop(asker)
            turn = line.popleft()
            if line:
                self._lines[asker] = line
            self.held[asker] += 1
            turn.set_result(None)

    def _may(self, asker: ClientId, *, is_overdue: bool) -> bool:
        """Return whether an asker may have one more place now; the lab itself is in no address."""
        if self.taken >= self.places + SPARE * is_overdue:
            return False
        if not asker.place:
            return True
        of_place = sum(held for other, held in self.held.items() if other.place == asker.place)
        # places that are out of its reach stay so, however long it waits
        most = self.of_place + (is_overdue and self.of_place == self.places)
        return self.held[asker] < self.of_one and of_place < most

    def _refuse_crowd(self, asker: ClientId) -> None:
        of_place = sum(len(line) for other, line in self._lines.items() if other.place == asker.place)
        if (
            self.count >= self.waiting
            or 2 * len(self._lines.get(asker, ())) >= self.waiting
            or 3 * of_place >= 2 * self.waiting
        ):
            raise Crowded

    def _is_overdue(self, turn: asyncio.Future[None]) -> None:
        self._overdue.add(turn)
        self._hand_out()


# The memory of the hub, watched as that of its workers is; but it cannot be ended and replaced, so
# it gives up what it can spare, and begins nothing new.


LOOK = 1.0
"""Seconds between two looks."""
log = logging.getLogger(__name__)


@dataclass
class MemoryWatch:
    """Watch over the memory of this process.

    Attributes:
        most: bytes that this process may hold
        spared: what is called to give some back
        short: whether it holds more: then nothing new begins
    """

    most: int = 1 << 62
    spared: list[Callable[[], None]] = field(default_factory=list)
    short: bool = False

    async def run(self) -> None:
        """Goes on until it is cancelled."""
        while True:
            self.look(resident())
            await asyncio.sleep(LOOK)

    def look(self, held: int) -> None:
        """Judges how much is held; said once, until there is room again."""
        if held > self.most:
            if not self.short:
                log.warning(
                    _(
                        "the lab holds {n} MiB, more than its {most}; it begins nothing new until it holds"
                        " less",
                        n=held >> 20,
                        most=self.most >> 20,
                    )
                )
            for spare in self.spared:
                spare()
            gc.collect()
            give_back()
        self.short = held > self.most


def give_back() -> None:
    """Returns to the system what was freed, where the C library can be told to (Linux)."""
    import ctypes
    from contextlib import suppress

    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


# Ceilings of what a page may ask of an agent that searches: said beside the field before anybody asks, and
# refused at once where it is more. Numbers alone bound no time, since a ply of chess costs what a game of Nim
# does: so the clock has a say in every search of a page, and stops it with the best that it has found.

THINKING = 2
"""Seconds that an agent thinks about a move at most."""
LEAST = 0.25
"""Seconds that it may think about one, however many wait."""
BY_CLOCK = ("alphabeta", "expectimax", "maxn", "mcts", "minimax", "selective")
"""Searches that can be told how long to think."""
BY_NODES = ("andor", "bfs", "dfs")
"""Searches of document [S1], which only a number of positions bounds."""
LIMITS = ("plies", "rounds", "nodes", "seconds", "simulations")
SECONDS, NODES = "seconds", "nodes"
CEILINGS = {SECONDS: THINKING, "simulations": 100_000, NODES: 1_000_000, "plies": 200, "rounds": 100}
"""The most of each limit that a page may ask for."""
EXPANDED = 100_000
"""The most positions of a search that the clock does not stop: about as many as plain Python expands
in THINKING seconds.
"""


def shared(others: int) -> float:
    """Seconds that an agent may think about a move while so many others wait for theirs, or are being
    answered: nobody waits long behind many, also while nothing is compiled yet.

    >>> shared(0), shared(3), shared(30)
    (2.0, 0.5, 0.25)
    """
    return max(LEAST, THINKING / (1 + others))


def limited(text: str) -> str:
    """An agent as it is written; one that would search without end gets a limit.

    >>> limited("alphabeta"), limited("alphabeta:plies=3"), limited("mcts")
    ('alphabeta:seconds=2', 'alphabeta:plies=3', 'mcts')
    """
    name, options = parts(text)
    # Monte Carlo tree search and the selective one have a limit of their own
    endless = name in BY_CLOCK and name not in ("mcts", "selective")
    if endless and not any(option in LIMITS for option in named(options)):
        return written(name, [*options, f"{SECONDS}={THINKING}"])
    return text


def held_to_ceilings(text: str, thinking: float = THINKING) -> str:
    """An agent as it is written, which no move of a page keeps at work for longer than `thinking` seconds.

    Raises BadInput for more than a page may ask for.

    >>> held_to_ceilings("alphabeta:seconds=2,plies=3", 0.25), held_to_ceilings("mcts:seconds=0.1", 0.25)
    ('alphabeta:seconds=0.25,plies=3', 'mcts:seconds=0.1')
    >>> held_to_ceilings("mcts"), held_to_ceilings("alphabeta:plies=3,seconds=0.5"), held_to_ceilings("bfs")
    ('mcts:simulations=1000,seconds=2', 'alphabeta:plies=3,seconds=0.5', 'bfs:nodes=100000')
    >>> held_to_ceilings("perfect:ties=first")
    'perfect:ties=first'
    """
    name, options = parts(text)
    if name not in (*BY_CLOCK, *BY_NODES):
        return text
    refuse_more(name, options)
    given = named(options)
    if name in BY_NODES:
        return text if NODES in given else written(name, [*options, f"{NODES}={EXPANDED}"])
    if SECONDS in given:
        return written(name, [sooner(option, thinking) for option in options])
    if name == "mcts" and "simulations" not in given:  # its own number is for who gives no limit at all
        from damier.lab.searchers import SIMULATIONS  # all searches, which it plays by anyway

        options.append(f"simulations={SIMULATIONS}")
    return written(name, [*options, f"{SECONDS}={thinking:g}"])


def sooner(option: str, thinking: float) -> str:
    """An option of an agent, its seconds no more than `thinking`."""
    name, _equals, value = option.partition("=")
    return f"{SECONDS}={thinking:g}" if name == SECONDS and is_more(value, thinking) else option


def refuse_more(name: str, options: list[str]) -> None:
    """Raises BadInput for an option above its ceiling; what is no number is refused where it is read."""
    for option, value in named(options).items():
        most = EXPANDED if name in BY_NODES else CEILINGS.get(option)
        if most is not None and is_more(value, most):
            raise BadInput(
                message(
                    "{name}: {option}={value}; from a page it is at most {most}",
                    name=name,
                    option=option,
                    value=value,
                    most=FormattedNumber(most, ","),
                )
            )


def lowered(name: str, options: str) -> str:
    """The options of an agent, its limits no higher than a page may ask for."""
    if name not in BY_NODES:
        return options
    return ",".join(
        f"{NODES}={EXPANDED}" if option.startswith(f"{NODES}=") else option for option in options.split(",")
    )


def is_more(value: str, most: float) -> bool:
    """Return whether an option, as it is written, is above its ceiling."""
    try:
        return float(value) > most
    except ValueError:
        return False


def ceiling_in_words(name: str) -> str:
    """The ceilings of an agent in words; nothing where it has none."""
    if name in BY_NODES:
        return _("at most {n} positions", n=grouped(EXPANDED))
    if name == "mcts":
        return _(
            "at most {n} simulations and {seconds} seconds a move",
            n=grouped(CEILINGS["simulations"]),
            seconds=THINKING,
        )
    if name in BY_CLOCK:
        return _("at most {seconds} seconds a move, whatever the other limits", seconds=THINKING)
    return ""


def parts(text: str) -> tuple[str, list[str]]:
    """The name of an agent, and its options."""
    name, _colon, options = text.partition(":")
    return name, options.split(",") if options else []


def named(options: list[str]) -> dict[str, str]:
    """The values of options by their names."""
    return {name: value for name, _equals, value in (option.partition("=") for option in options)}


def written(name: str, options: list[str]) -> str:
    return f"{name}:{','.join(options)}" if options else name
