"""What a UCI engine says of a search while it goes on: `info depth 8 score cp 31 nodes 5000 pv e2e4`.

>>> read_info("info depth 8 score cp 31 nodes 5000 time 12 pv e2e4 e7e5")
SearchInfo(depth=8, centipawns=31, mate=None, nodes=5000, pv=('e2e4', 'e7e5'))
"""

from __future__ import annotations

import re
from typing import NamedTuple

from damier.core.analysis import plain
from damier.core.tree import Number

WORDS = (
    *("depth", "seldepth", "time", "nodes", "pv", "multipv", "score", "currmove", "currmovenumber"),
    *("hashfull", "nps", "tbhits", "sbhits", "cpuload", "string", "refutation", "currline", "wdl"),
)


class SearchInfo(NamedTuple):
    """What an engine found, from the side of the player to move.

    centipawns  its estimate, in hundredths of a pawn
    mate        moves, not plies, to the mate that it gives or, negative, gets
    """

    depth: int = 0
    centipawns: int | None = None
    mate: int | None = None
    nodes: int = 0
    pv: tuple[str, ...] = ()

    @property
    def value(self) -> Number:
        """In pawns; a mate is the payoff of the game: 1, or −1."""
        if self.mate is not None:
            return 1 if self.mate > 0 else -1
        return plain((self.centipawns or 0) / 100)

    @property
    def distance(self) -> int | None:
        """Plies to the mate."""
        if self.mate is None:
            return None
        return 2 * self.mate - 1 if self.mate > 0 else -2 * self.mate


def read_info(line: str) -> SearchInfo | None:
    """What a line says of the best line of play; None where it says nothing of that: a line beside
    it, a bound of its value, a message.
    """
    said = _by_word(line.split()[1:])
    score = said.get("score", [])
    if said.get("multipv", ["1"]) != ["1"] or "pv" not in said or len(score) != 2:
        return None
    kind, worth = score[0], _whole(score[1])
    if worth is None or kind not in ("cp", "mate"):
        return None
    return SearchInfo(
        _first(said, "depth"),
        worth if kind == "cp" else None,
        worth if kind == "mate" else None,
        _first(said, "nodes"),
        tuple(said["pv"]),
    )


def written_info(info: SearchInfo, seconds: float) -> str:
    """The same as an engine writes it."""
    score = f"mate {info.mate}" if info.mate is not None else f"cp {info.centipawns or 0}"
    speed = f" nps {round(info.nodes / seconds)}" if seconds > 0 and info.nodes else ""
    pv = f" pv {' '.join(info.pv)}" if info.pv else ""
    return f"info depth {info.depth} score {score} nodes {info.nodes}{speed} time {round(seconds * 1000)}{pv}"


def _by_word(words: list[str]) -> dict[str, list[str]]:
    """What follows each word that means something, up to the next one."""
    said: dict[str, list[str]] = {}
    at = ""
    for word in words:
        if at != "string" and word in WORDS:
            at = word
            said[at] = []
        elif at:
            said[at].append(word)
    return said


def _first(said: dict[str, list[str]], word: str) -> int:
    return _whole(said.get(word, ["0"])[0] if said.get(word) else "0") or 0


def _whole(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else None
