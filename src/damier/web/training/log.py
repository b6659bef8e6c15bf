"""What has happened in a training room, as text in an address: `400*;1~epsilon=0.1;2:b3b2,a3a2` is four
hundred games of the two agents, agent 1 told to explore less, then a game in which a person sat at seat 2.

It depends on nothing else what the agents know: they play and learn it again, by the code that trains.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias
from urllib.parse import quote, unquote

from damier.core.errors import BadInput, LimitReached
from damier.core.words import FormattedNumber, message
from damier.web.params import LONGEST_NAME, MOST_MOVES

MOST_ENTRIES = 400
MOST_GAMES = 200_000
"""Games that the agents may play by themselves, in all."""
OPTIONS = ("epsilon", "alpha", "gamma", "temperature", "policy")
"""What can be changed of an agent while it learns."""


class GamesAlone(NamedTuple):
    """Games of the two agents, one after the other."""

    games: int


class PersonGame(NamedTuple):
    """A game with a person at a seat, from 0, who played these moves; the agent's follow from its table."""

    seat: int
    moves: tuple[str, ...]


class RatesChanged(NamedTuple):
    """The agent at a seat, from 0, was told to go on with other parameters."""

    seat: int
    options: tuple[tuple[str, str], ...]


RoomEvent: TypeAlias = "GamesAlone | PersonGame | RatesChanged"


def read_log(text: str) -> list[RoomEvent]:
    """What is in a text, in its shortest form. Raises BadInput, LimitReached.

    >>> read_log("1*;2*;1~alpha=0.5;1~alpha=0.1")
    [GamesAlone(games=3), RatesChanged(seat=0, options=(('alpha', '0.1'),))]
    >>> read_log("2:b3b2,a3a2")
    [PersonGame(seat=1, moves=('b3b2', 'a3a2'))]
    """
    return joined_events(read_event(part) for part in text.split(";") if part)


def read_event(part: str) -> RoomEvent:
    """One of them. Raises BadInput."""
    if found := re.fullmatch(r"([1-9][0-9]{0,6})\*", part, re.ASCII):
        return GamesAlone(int(found[1]))
    if found := re.fullmatch(r"([12])~(.+)", part):
        options = [option.partition("=") for option in found[2].split(",")]
        if unknown := [name for name, _equals, _value in options if name not in OPTIONS]:
            raise BadInput(
                message(
                    "{name} cannot be changed here; these can: {names}",
                    name=unknown[0],
                    names=" ".join(OPTIONS),
                )
            )
        return RatesChanged(int(found[1]) - 1, tuple((name, value) for name, _equals, value in options))
    if found := re.fullmatch(r"([12]):(.*)", part):
        moves = tuple(unquote(move) for move in found[2].split(",") if move)
        if len(moves) <= MOST_MOVES and all(len(move) <= LONGEST_NAME for move in moves):
            return PersonGame(int(found[1]) - 1, moves)
    raise BadInput(message("{part} is nothing that happens in a training room", part=part[:40]))


def joined_events(events: Iterable[RoomEvent]) -> list[RoomEvent]:
    """Games that follow one another as one event, and of a parameter its last value.

    Raises LimitReached where there are too many.
    """
    found: list[RoomEvent] = []
    for event in events:
        last = found[-1] if found else None
        if isinstance(event, GamesAlone) and isinstance(last, GamesAlone):
            found[-1] = GamesAlone(last.games + event.games)
        elif isinstance(event, RatesChanged) and isinstance(last, RatesChanged) and last.seat == event.seat:
            found[-1] = RatesChanged(event.seat, tuple({**dict(last.options), **dict(event.options)}.items()))
        else:
            found.append(event)
    if len(found) > MOST_ENTRIES:
        raise LimitReached(
            message("a page keeps up to {n} games with a person; begin with new agents", n=MOST_ENTRIES)
        )
    if sum(event.games for event in found if isinstance(event, GamesAlone)) > MOST_GAMES:
        raise LimitReached(
            message(
                "agents of a training room play up to {n} games by themselves; longer trainings are under"
                " Learning",
                n=FormattedNumber(MOST_GAMES, ","),
            )
        )
    return found


def write_log(events: Sequence[RoomEvent]) -> str:
    """The text of what has happened.

    >>> write_log([GamesAlone(3), RatesChanged(0, (("alpha", "0.1"),)), PersonGame(1, ("b3b2", "a3,2"))])
    '3*;1~alpha=0.1;2:b3b2,a3%2C2'
    """
    return ";".join(map(write_event, events))


def write_event(event: RoomEvent) -> str:
    """The text of one event."""
    if isinstance(event, GamesAlone):
        return f"{event.games}*"
    if isinstance(event, RatesChanged):
        return f"{event.seat + 1}~" + ",".join(f"{name}={value}" for name, value in event.options)
    return f"{event.seat + 1}:" + ",".join(quote(move, safe="") for move in event.moves)
