"""All games: those that there are, with their rules and what is known about them exactly; and
the page that says what went wrong.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from damier.core.errors import BadFile, DamierError, LimitReached, Unsuitable
from damier.core.game import Game
from damier.core.job import Job
from damier.core.solution import OPPOSITE, AnySolution, ValueSolution
from damier.core.words import _, grouped, ngettext
from damier.draw.board import thumbnail_svg
from damier.draw.picture_files import drawn
from damier.draw.svg import link_picture
from damier.games.maze import layouts
from damier.lab.games import GAMES, GROUPS, VALUES, group_of, known_result
from damier.lab.matchboxes import POSITIONS
from damier.lab.user_file import read_source
from damier.solve import count, solve
from damier.solve.dispatch import refuse_unsuitable
from damier.solve.reach import has_at_most
from damier.web import pages
from damier.web.limits import MOST_NODES
from damier.web.messages import Download, Params, PartsAnswer
from damier.web.registry import Registry

MEMORY = 1 << 26
"""Bytes that the facts of one game may take: what is larger is called too large here."""
COUNTED = 30_000
"""Positions of one game that its facts are worked out of, since somebody waits for them."""
LONGEST_WORDS = 400
"""Characters that are shown of what a file says of its game."""
FIRST = ("hexapawn", "tictactoe", "nim", "connect_four", "pacman")
"""The games that are best to begin with; the others follow by their names."""
FAMILIES = {
    "hex": "hex:size=5",
    "mnk": "mnk:width=4,height=4,in_a_row=4",
    "pawns": "pawns:width=4,height=3",
    "pig": "pig:target=20",
}
"""What is shown of games that are families: a member that has no name of its own, or is small."""


def page(registry: Registry, params: Params) -> str:
    """All games, the user's own first, the others by what is known of them."""
    cards = [card_of(registry, name) for name in ordered()]
    return pages.page(
        "gallery.html",
        "/games",
        _("Games"),
        own=list(registry.settings.games),
        agents=list(registry.own.in_files().values()),
        groups=[
            (_(title), members)
            for group, title in GROUPS.items()
            if (members := [card for card in cards if card["group"] == group])
        ],
    )


def ordered() -> Iterator[str]:
    """The games that damier brings, as they are shown."""
    yield from FIRST
    yield from (FAMILIES.get(name, name) for name in GAMES if name not in FIRST)


def card(registry: Registry, params: Params) -> PartsAnswer:
    """One game.

    Own games are asked for one by one: a file that is being written may hold up its own card, but
    not the page.
    """
    name = params.text("game")
    return {"parts": {f"card-{name}": pages.part("gallery_card.html", card=card_of(registry, name))}}


def card_of(registry: Registry, name: str) -> pages.Row:
    """One game of the page; `wrong` is what keeps an own game from being loaded."""
    own = name in registry.settings.games
    try:
        game = registry.game(name)
        picture = pages.picture(thumbnail_svg(game.position()))
    except DamierError as error:
        return {"name": name, "own": own, "game": None, "wrong": str(error)}
    mazes = (
        tuple((layout, pages.address(f"/pacman:layout={layout}")) for layout in layouts())
        if name == "pacman"
        else ()
    )
    rules = _(game.description) if game.description else (own_words(game) if own else "")
    return {
        "name": name,
        "own": own,
        "game": game,
        "summary": _(game.summary) if game.summary else "",
        "rules": rules,
        "picture": picture,
        "is_small": game.states is None or game.states <= POSITIONS,
        # two plies are more than a page shows
        "is_wide": game.players == 2 and len(game.legal(game.start)) ** 2 > MOST_NODES,
        "layouts": mazes,
        "facts": {} if own else facts_at_once(game),
        "group": group_of(game),
        "wrong": "",
    }


def own_words(game: Game) -> str:
    """Return what the file of a user's own game says of it at its top, where the game itself says nothing."""
    if game.summary or game.source is None:
        return ""
    try:
        words = ast.get_docstring(ast.parse(read_source(game.source)))
    except (BadFile, ValueError, SyntaxError, RecursionError, MemoryError):
        return ""
    return " ".join((words or "").split("\n\n")[0].replace("`", "").split())[:LONGEST_WORDS]


def facts_at_once(game: Game) -> pages.Row:
    """Facts for which nothing is counted and nothing solved, and where they are known from."""
    known = known_result(game)
    if known is None:
        return {"game": game, "positions": "", "best_play": _("not known"), "cited": ""}
    return {"game": game, "positions": known.positions, "best_play": known.best_play, "cited": known.cited}


def facts(registry: Registry, params: Params) -> PartsAnswer:
    """Return what is known exactly about a `game`: how many positions it has, who wins, and how soon."""
    name = params.text("game")
    return {"parts": {f"facts-{name}": pages.part("gallery_facts.html", facts=facts_of(registry.game(name)))}}


def facts_of(game: Game) -> pages.Row:
    """Facts about a game, worked out."""
    few, best = has_at_most(game, COUNTED, Job()), _("too large to work out here")
    try:
        refuse_unsuitable(game, "solve")
        if few:
            best = best_play(solve(game, job=Job(memory=MEMORY)))
    except Unsuitable:
        best = _("no exact value: more than two players, or not zero-sum, or secrets")
    except LimitReached:
        pass
    return {"game": game, "positions": positions(game) if few else "", "best_play": best, "cited": ""}


def positions(game: Game) -> str:
    """Return how many positions a game has; nothing where they are too many to count."""
    try:
        counted = count(game, job=Job(memory=MEMORY))
    except LimitReached:
        return ""
    except DamierError:
        return _("not counted")
    ends = ngettext("{n} end", "{n} ends", counted.terminals, n=grouped(counted.terminals))
    return _("{n} ({ends})", n=grouped(counted.states), ends=ends)


def best_play(solution: AnySolution) -> str:
    """Return who wins if nobody errs, and in how many plies, or by how much."""
    if isinstance(solution, ValueSolution):
        return _("player 1 {worth}", worth=solution.for_first(solution.start).words)
    value, plies = solution.value(solution.start), solution.distance(solution.start)
    if solution.game.mover(solution.start) != 0:
        value = OPPOSITE[value]
    if value == "draw" or plies is None:
        return _(VALUES[value])
    return ngettext("{who}, in {n} ply", "{who}, in {n} plies", plies, who=_(VALUES[value]))


def problem(registry: Registry, params: Params) -> str:
    """Return what is shown instead of a page that cannot be: one sentence, and a way on."""
    status = params.whole("status", 400)
    title = _("Not found") if status == 404 else _("This cannot be shown")
    room = "/" + params.text("path", "/", longest=1 << 16).strip("/").partition("/")[0]
    return pages.page("problem.html", room, title, error=params.text("error", longest=5_000))


# The picture that is shown beside a link to a page. Who shows links takes PNG and no SVG.

PICTURE = re.compile(r'<svg [^>]*class="damier"[^>]*>.*?</svg>', re.DOTALL)
TITLE = re.compile(r"<title>(.*?) · damier</title>", re.DOTALL)
LARGEST_LINKED = 300_000
"""Characters of one that is drawn."""


def link(registry: Registry, params: Params) -> Download:
    """The picture for links to a page, of that page's text. Raises BadInput where nothing here draws PNG."""
    page = params.text("page", longest=1 << 24)
    named = TITLE.search(page)
    pictures = [found for found in PICTURE.findall(page) if len(found) < LARGEST_LINKED]
    svg = link_picture(pictures, unescape(named[1]) if named else "damier")
    return Download("image/png", drawn(svg, "png", Path("link.png")))
