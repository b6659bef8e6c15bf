"""Files of a class that are alike: how much of one stands in another, whatever things in it are called.

A file is read as bytes and cut into tokens by patterns of our own: comments and spaces are left out, every
name that is no word of the language counts as one and the same, every number and every text too. Of two
files, the share is that of the runs of RUN tokens of the shorter one that stand in the other as well, without
those that the starter files have: after [Schleimer03], all runs where that paper samples some. It says where
to look, and proves nothing: short programs for one task are alike by themselves.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Mapping, Set as AbstractSet
from typing import NamedTuple

RUN = 12
"""Tokens."""
LEAST_RUNS = 25
"""Of a file with fewer runs of its own nothing is said."""
LEAST_SHARE = 0.5
LONGEST = 1 << 16
"""Characters that are compared of what a student handed in."""

NAMES = frozenset(keyword.kwlist)
STRINGS = r'"(?:\\.|[^"\\\n])*"?|' + r"'(?:\\.|[^'\\\n])*'?"
"""One that is not closed ends with its line: no pattern here ever reads what it then gives up."""
COMMENTS = {
    ".py": r"#[^\n]*",
    ".lisp": r";[^\n]*|#\|[\s\S]*?(?:\|#|\Z)",
    ".cl": r";[^\n]*|#\|[\s\S]*?(?:\|#|\Z)",
}
OTHER_COMMENTS = r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)"
LONG_STRINGS = r'"""[\s\S]*?(?:"""|\Z)|' + r"'''[\s\S]*?(?:'''|\Z)"
TOKEN = rf"(?P<text>{LONG_STRINGS}|{STRINGS})|(?P<name>[^\W\d]\w*)|(?P<number>\d[\w.]*)|[^\s\w]"


class PlacedRun(NamedTuple):
    """A run of tokens, by its hash in this process, and the first and the last line on which it stands."""

    hash: int
    first: int
    last: int


class SimilarPair(NamedTuple):
    """Two files by their keys, and the share of the shorter one that stands in the other, too."""

    first: int
    second: int
    share: float


def tokens(text: str, suffix: str) -> list[tuple[str, int]]:
    """The tokens of a source, names and literals made alike, each with its line.

    >>> [token for token, _line in tokens("total = 1  # so far", ".py")]
    ['name', '=', '0']
    """
    comments = COMMENTS.get(suffix, OTHER_COMMENTS)
    found, line, at = [], 1, 0
    for token in re.finditer(f"(?P<comment>{comments})|{TOKEN}", text[:LONGEST]):
        line += text.count("\n", at, token.start())
        at = token.start()
        kind = token.lastgroup
        if kind == "comment":
            continue
        word = token[0]
        if kind == "name":
            word = word if word in NAMES else "name"
        elif kind is not None:
            word = "0" if kind == "number" else "text"
        found.append((word, line))
    return found


def runs_of(sources: Mapping[str, str]) -> list[PlacedRun]:
    """The runs of the files of a program, by their names, up to LONGEST characters of it; lines count on from
    file to file.
    """
    found, before, left = [], 0, LONGEST
    for name, text in sources.items():
        read = tokens(text[:left], name[name.rfind(".") :])
        left = max(0, left - len(text))
        for at in range(len(read) - RUN + 1):
            run = read[at : at + RUN]
            digest = hash(tuple(token for token, _line in run))
            found.append(PlacedRun(digest, before + run[0][1], before + run[-1][1]))
        before += len(text.splitlines())
    return found


def hashes(runs: Iterable[PlacedRun]) -> frozenset[int]:
    """The runs without their places."""
    return frozenset(run.hash for run in runs)


def lines_of(runs: Iterable[PlacedRun], shared: AbstractSet[int]) -> set[int]:
    """The numbers of the lines on which some runs stand, from 1 on."""
    return {line for run in runs if run.hash in shared for line in range(run.first, run.last + 1)}


def share_of(first: AbstractSet[int], second: AbstractSet[int]) -> float:
    """The share of the shorter one's runs that stand in the other; 0 where one is too short to say."""
    shorter = min(len(first), len(second))
    return len(first & second) / shorter if shorter >= LEAST_RUNS else 0.0


def similar_pairs(pairs: Iterable[SimilarPair]) -> list[SimilarPair]:
    """The pairs of files of which half or more is alike, the most alike first."""
    return sorted((pair for pair in pairs if pair.share >= LEAST_SHARE), key=lambda pair: -pair.share)
