"""Pages and parts of pages: HTML from `templates/`, everything escaped, every word from the
catalogue.

A *part* is what a page puts in place of the element whose `data-part` names it, so that the browser
changes only what has changed, and every sentence comes from here.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from urllib.parse import quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from damier.core.move_words import move_in_words
from damier.core.words import N_, _, decimal, grouped, language, languages, ngettext, own_name
from damier.draw.svg import embedded
from damier.lab.names import agent_in_words, game_in_words
from damier.web.plain import for_page

TEMPLATES = Path(__file__).parent / "templates"

READABLE = 11.0
"""Pixels of the smallest text of a picture."""
ROOMS = {
    "/games": N_("Games"),
    "/learning": N_("Learning"),
    "/matchboxes": N_("Matchboxes"),
    "/tree": N_("Trees"),
    "/course": N_("Course"),
    "/lessons": N_("Lessons"),
}
"""The rooms of the lab, as every page lists them."""
CLASS = "/class"
"""One more, where there is a store of tournaments."""


@cache
def environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {
        "_": _,
        "ngettext": ngettext,
        "language": language,
        "languages": languages,
        "own_name": own_name,
        "grouped": grouped,
        "decimal": decimal,
    }
    made.globals |= {"address": address, "picture": picture, "rooms": ROOMS}
    made.globals |= {"game_in_words": game_in_words, "agent_in_words": agent_in_words, "for_page": for_page}
    made.globals |= {"move_in_words": move_in_words}
    return made


def open_class_room() -> None:
    """From here on the room of the class is listed."""
    environment().globals["rooms"] = {**ROOMS, CLASS: N_("Class")}


def page(template: str, room: str, title: str, **values: object) -> str:
    """A whole page. `room` is the address of the room that it lies in."""
    return environment().get_template(template).render(room=room, title=title, **values)


def part(template: str, **values: object) -> str:
    """A part of a page."""
    return environment().get_template(template).render(**values)


def picture(svg: str) -> Markup:
    """A picture of `draw` as a part of a page, as large as all of its text can be read. It is our own,
    and escaped where it was drawn.
    """
    return Markup(readable(embedded(svg)))


def readable(svg: str) -> str:
    """A picture whose own size, which a style may enlarge, shows no text smaller than READABLE.

    >>> readable('<svg viewBox="0 0 20 10" width="20" height="10"><text font-size="5.5">x</text></svg>')
    '<svg viewBox="0 0 20 10" width="40" height="20"><text font-size="5.5">x</text></svg>'
    """
    least = min(map(float, re.findall(r'font-size="([\d.]+)"', svg)), default=READABLE)
    if least >= READABLE:
        return svg
    factor = READABLE / least

    def larger(found: re.Match[str]) -> str:
        return f'width="{float(found[1]) * factor:g}" height="{float(found[2]) * factor:g}"'

    return re.sub(r'(?<= )width="([\d.]+)" height="([\d.]+)"', larger, svg, count=1)


def address(path: str, **values: object) -> str:
    """An address of the lab: a game's name keeps its `:`, `=` and `,`, so that people can read it.

    >>> address("/hexapawn:width=4", moves="a1a2,b3b2", seed="")
    '/hexapawn:width=4?moves=a1a2,b3b2'
    """
    query = urlencode(
        {name: str(value) for name, value in values.items() if value not in ("", None)},
        safe=":=,",
        quote_via=quote,
    )
    return quote(path, safe="/:=,") + ("?" + query if query else "")
