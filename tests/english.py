"""English, and numbers with a point, in what a French reader is shown.

An English word is one that stands in the sentences of the sources and in none of their French; what
commands, files and algorithms are called is allowed, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import unescape

from catalogue import texts, translation, translations

from damier.lab.agents import AGENTS
from damier.lab.games import GAMES
from damier.lab.options import parameters
from damier.web.rooms import lessons

PROGRAMS = re.compile(r"<(code|pre|style|script|kbd)\b.*?</\1>", re.DOTALL)
SAID = re.compile(r'\b(?:(?:alt|title|aria-label|label)="([^"]*)"|data-[a-z-]+="([A-Z][^"]*)")')
WRITTEN = re.compile(r"\b[\w.]+:[\w.]+=\S*|\b\w+=\S+|\S+\*\w+")
"""A game or an agent with its options, or an evaluation, as commands and addresses take it."""
CODE = re.compile(r"[;{}]$")
"""The end of a line of a program."""
POINTED = re.compile(r"(?<![\w.])[0-9]+\.[0-9]+(?![\w.]*\w)")
"""A number with its decimals behind a point, as no French text has it."""
SECTION = re.compile(r"S[0-5], [0-9]\.[0-9]|^[0-9]\.[0-9]\s:")
"""A section of a document, as lessons cite it."""
SESSION = re.compile(r"^```python\n(>>> .*?)^```$", re.MULTILINE | re.DOTALL)
"""A session with Python in a lesson: a French reader reads what it answers."""
WORD = re.compile(r"[^\W\d_]{2,}")


def words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


ALLOWED = words_of(
    "damier minimax alphabeta alpha beta expectimax maxn max min mcts uct softmax sarsa menace michie"
    " scroggs her hexapion morpion vfunction random perfect self chase selective andor bfs dfs human"
    " middle english mixed retrograde"
)
"""Names that are the same in both languages, or that commands take; of a tree that is
a file; of the other language.
"""

ALWAYS = words_of(
    "the with and is are was were you your it its this that which who whom what how when where not has have"
    " been will would can cannot may must should does from for by at of into their they them there then than"
    " each another most every nobody"
)
"""English wherever it stands, though a French sentence quote it."""


def english() -> frozenset[str]:
    return _english() - ALLOWED - named()


@cache
def _english() -> frozenset[str]:
    """The words of the sentences of the sources that stand in no French sentence."""
    ours, theirs = set[str](), set[str]()
    for message in translation("fr"):
        if message.id:
            ours |= words(" ".join(texts(message)))
            theirs |= words(" ".join(translations(message)))
    for path in (lessons.folder() / "fr").glob("*.md"):
        page = SESSION.sub(r"\1", path.read_text(encoding="utf-8"))
        theirs |= words(re.sub(r"`[^`]*`|<!--.*?-->|\]\([^)]*\)", " ", page))
    return frozenset(ours - theirs) | ALWAYS


@cache
def named() -> frozenset[str]:
    """What games, agents, and their options and evaluations are called."""
    found = words(" ".join(lessons.names()).replace("-", " "))
    for name, factory in GAMES.items():
        found |= words(name.replace("_", " ")) | set(parameters(factory))
    for name, kind in AGENTS.items():
        found |= {name, *parameters(kind.factory, ["lab"])}
    return frozenset(found)


def words(text: str) -> set[str]:
    text = re.sub(r"\{\w*\}|<[^>]*>", " ", text)
    return {word.lower() for word in WORD.findall(WRITTEN.sub(" ", text))}


def shown(html: str) -> Iterator[str]:
    """What a person sees or hears of a page, piece by piece."""
    html = PROGRAMS.sub(" ", html)
    for heard, kept in SAID.findall(html):
        yield unescape(heard or kept)
    for piece in re.sub(r"<[^>]*>", "\n", html).splitlines():
        if piece.strip() and not CODE.search(piece.strip()):
            yield unescape(piece.strip())


def pieces(found: object) -> Iterator[str]:
    """The same of all that an answer holds for a page."""
    if isinstance(found, str):
        yield from shown(found)
    elif isinstance(found, dict):
        for name, value in found.items():
            if name != "state":
                yield from pieces(value)
    elif isinstance(found, list):
        for value in found:
            yield from pieces(value)


def pointed(text: str) -> list[str]:
    """Its numbers with a point."""
    return POINTED.findall(SECTION.sub(" ", WRITTEN.sub(" ", text)))
