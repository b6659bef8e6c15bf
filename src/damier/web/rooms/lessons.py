"""The lessons: the pages of docs/lessons, in the language of whoever reads, each with the ways into the
rooms where one can try what it says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

from markupsafe import Markup

import damier
from damier.core.errors import UnknownName
from damier.core.words import N_, SOURCE, _, language, message
from damier.lab.options import unknown
from damier.web import pages
from damier.web.messages import Params
from damier.web.pages import rendered, title_of
from damier.web.registry import Registry

FIRST = "README"
STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)

TRIES = {
    "alphago": ((N_("Play Go against random games"), "/go:size=5?1=human&2=mcts&show=mind"),),
    "alphazero": (
        (
            N_("Watch AlphaZero learn, and its search one simulation at a time"),
            "/zero/connect_four:width=4,height=4",
        ),
    ),
    "chinook": (
        (
            N_("Play draughts, and see how positions are judged"),
            "/draughts?1=human&2=selective:nodes=2000&show=mind",
        ),
    ),
    "deep-blue": (
        (
            N_("Play chess, and see how positions are judged"),
            "/chess?1=human&2=selective:nodes=2000&show=mind",
        ),
    ),
    "grade": ((N_("See what every move is worth"), "/hexapawn?1=human&2=perfect&show=truth"),),
    "matchboxes": (
        (N_("Play against MENACE"), "/matchboxes?game=tictactoe"),
        (N_("Play against the hexapawn machine"), "/matchboxes?game=hexapawn:blocked=loss"),
        (N_("The lists of Nim"), "/matchboxes?game=nim"),
        (N_("Do the exercise"), "/tree?view=exercise&kind=beads&run=10"),
    ),
    "mean": ((N_("Watch mean scores learn tic-tac-toe"), "/learning?game=tictactoe&learner=mean"),),
    "pacman": ((N_("Play Pacman"), "/pacman"), (N_("Pacman's laboratory"), "/pacman/laboratory")),
    "q": (
        (N_("Watch Q-learning learn hexapawn"), "/learning?game=hexapawn&learner=q"),
        (N_("Do the exercise"), "/tree?view=exercise&kind=q&run=10"),
    ),
    "search": (
        (N_("Search from a position, step by step"), "/tree?game=tictactoe&plies=2"),
        (N_("Do the exercise"), "/tree?view=exercise&kind=minimal&run=10"),
    ),
    "state-space": ((N_("Draw the graph of Nim"), "/tree?view=graph&game=nim:matches=5"),),
    "trees": ((N_("Search a tree, step by step"), "/tree"), (N_("Do the exercise"), "/tree?view=exercise")),
    "v": ((N_("Watch the V-function learn tic-tac-toe"), "/learning?game=tictactoe&learner=v"),),
}
"""Where a lesson can be tried out: what one does there, and the address."""
SHEETS = {
    "alphago": "s2",
    "alphazero": "s2",
    "chinook": "s2",
    "deep-blue": "s2",
    "history": "s2",
    "matchboxes": "s0",
    "mean": "s4",
    "pacman": "s2",
    "q": "s0",
    "search": "s2",
    "state-space": "s1",
    "trees": "s2",
    "v": "s3",
}
"""The guided sheet with the questions that belong to a lesson."""


@cache
def folder() -> Path:
    """Return where the lessons lie."""
    return lessons_of(Path(damier.__file__).parent)


def lessons_of(home: Path) -> Path:
    """The lessons of a damier in the folder `home`: inside it where it was installed, under docs in
    its source tree.
    """
    return next(
        place
        for place in (home / "lessons", home.parent.parent / "docs" / "lessons")
        if (place / f"{FIRST}.md").is_file()
    )


@cache
def written_in(code: str) -> str:
    """The language of the lessons for who reads the language `code`: that one, if they are written in
    it, else English.
    """
    return code if (folder() / code / f"{FIRST}.md").is_file() else SOURCE


def here() -> Path:
    """Return where the lessons lie in the language in force."""
    code = written_in(language())
    return folder() if code == SOURCE else folder() / code


def names() -> list[str]:
    """The lessons, in the order of the list that begins them."""
    listed = re.findall(r"\]\(([a-z-]+)\.md\)", text_of(FIRST))
    return [*listed, *sorted({path.stem for path in folder().glob("*.md")} - {*listed, FIRST})]


def page(registry: Registry, params: Params) -> str:
    """The list of lessons."""
    text = text_of(FIRST)
    return lesson_page("", title_of(text), rendered(text, link, picture))


def lesson(registry: Registry, params: Params) -> str:
    """One lesson, or a file that one of them links. Raises UnknownName."""
    name = params.text("name")
    if name in names():
        text = text_of(name)
        tries = [(_(words), address) for words, address in TRIES.get(name, ())]
        if name in SHEETS:
            tries.append((_("Questions: the guided sheet of its document"), f"/course/{SHEETS[name]}"))
        return lesson_page(name, title_of(text), rendered(text, link, picture), tries)
    if name in files():
        content = Markup('<h1>{}</h1><pre tabindex="0"><code>{}</code></pre>').format(
            name, (folder() / name).read_text(encoding="utf-8")
        )
        return lesson_page(name, name, content)
    raise unknown(_("lesson"), name, names())


def lesson_page(name: str, title: str, content: Markup, tries: Sequence[tuple[str, str]] = ()) -> str:
    """A page of the lessons, beside the list of all; a lesson ends with the one that follows it."""
    others = [(name, title_of(text_of(name))) for name in names()]
    following = {before: after for (before, _title), after in pairwise([("", ""), *others])}.get(name)
    return pages.page(
        "lesson.html",
        "/lessons",
        title,
        content=content,
        tries=tries,
        others=others,
        name=name,
        following=following,
        written=written_in(language()),
    )


def text_of(name: str) -> str:
    return text_in(here() / f"{name}.md")


@cache
def text_in(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def files() -> list[str]:
    """The trees that lessons link, as files."""
    return sorted(path.name for path in folder().glob("*.json"))


def link(href: str) -> str | None:
    """The address of a page beside this one; None for what is no part of the lab."""
    target, sharp, section = href.partition("#")
    if here() != folder():  # what lies beside the English pages is shared
        target = target.removeprefix("../")
    if target.removesuffix(".md") == FIRST:
        return "/lessons"
    if target.removesuffix(".md") in names() or target in files():
        return f"/lessons/{target.removesuffix('.md')}{sharp}{section}"
    return None


def picture(src: str) -> Markup:
    """A picture beside the page, drawn into it. Raises UnknownName."""
    if src not in pictures():
        raise UnknownName(message("no picture is called {name}", name=src))
    return Markup(pages.readable(STYLE.sub("", text_in(here() / src))))


@cache
def pictures() -> frozenset[str]:
    return frozenset(path.name for path in folder().glob("*.svg"))
