"""The games that a machine has played, as text in an address: `4,0,8;1000*random` is a game of
three moves, then a thousand against random.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias
from urllib.parse import quote, unquote

from damier.core.errors import BadInput, LimitReached
from damier.core.words import FormattedNumber, message
from damier.web.params import LONGEST_NAME, MOST_MOVES

OPPONENTS = ("random", "perfect", "self")
MOST_ENTRIES = 400
MOST_GAMES = 100_000
"""Games that a machine may play by itself, in all."""


class Bulk(NamedTuple):
    """Many games at once, against random, perfect play, or a machine of the same kind that uses the
    same boxes (`self`).
    """

    games: int
    opponent: str


Entry: TypeAlias = "Bulk | tuple[str, ...]"
"""A number of games at once, or the moves of one, both sides'."""


def read_played(text: str) -> list[Entry]:
    """The games in a text. Raises BadInput, LimitReached.

    >>> read_played("4,0,8;1000*random")
    [('4', '0', '8'), Bulk(games=1000, opponent='random')]
    """
    parts = text.split(";") if text else []
    if len(parts) > MOST_ENTRIES:
        raise LimitReached(
            message("a page keeps up to {n} games with a person; begin with a new machine", n=MOST_ENTRIES)
        )
    entries = [_read_one(part) for part in parts]
    games = sum(entry.games for entry in entries if isinstance(entry, Bulk))
    if games > MOST_GAMES:
        raise LimitReached(
            message(
                "a machine on a page plays up to {n} games by itself; damier train has no such limit",
                n=FormattedNumber(MOST_GAMES, ","),
            )
        )
    return entries


def _read_one(part: str) -> Entry:
    if found := re.fullmatch(r"([1-9][0-9]{0,6})\*(\w+)", part, re.ASCII):
        if found[2] not in OPPONENTS:
            raise BadInput(
                message(
                    "{name} is no opponent here; there are: {names}", name=found[2], names=" ".join(OPPONENTS)
                )
            )
        return Bulk(int(found[1]), found[2])
    moves = tuple(unquote(move) for move in part.split(",")) if part else ()
    if len(moves) > MOST_MOVES or any(len(move) > LONGEST_NAME for move in moves):
        raise BadInput(message("{name} must be a list of at most {n} moves", name="played", n=MOST_MOVES))
    return moves


def write_played(entries: Sequence[Entry]) -> str:
    """The text of some games.

    >>> write_played([("a1a2", "b3,b2"), Bulk(10, "self")])
    'a1a2,b3%2Cb2;10*self'
    """
    return ";".join(
        f"{e.games}*{e.opponent}" if isinstance(e, Bulk) else ",".join(quote(move, safe="") for move in e)
        for e in entries
    )
