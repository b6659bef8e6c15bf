"""Pages and parts of pages: HTML from `templates/`, everything escaped, every word from the
catalogue.

A *part* is what a page puts in place of the element whose `data-part` names it, so that the browser
changes only what has changed, and every sentence comes from here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from damier.core.moves import move_in_words
from damier.core.words import N_, _, decimal, grouped, in_short, language, languages, ngettext, own_name
from damier.draw.svg import embedded
from damier.lab.agents import agent_in_words
from damier.lab.games import game_in_words
from damier.web.rooms import ROOMS

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

TEMPLATES = Path(__file__).parent / "templates"

Row: TypeAlias = "dict[str, object]"
"""Something that a template lists, by the names that stand there."""
READABLE = 11.0
"""Pixels of the smallest text of a picture."""


@cache
def environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader([TEMPLATES, *ROOMS.folders("templates")]),
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
        "in_short": in_short,
        "address": address,
        "picture": picture,
        "rooms": ROOMS.menu(store=False),
        "sections": ROOMS.sections(store=False),
        "game_in_words": game_in_words,
        "agent_in_words": agent_in_words,
        "move_in_words": move_in_words,
        "for_page": for_page,
    }
    return made


def list_rooms(store: bool, *, server: bool = True) -> None:
    """List from here on the rooms that are open, with or without a store of tournaments, and a server."""
    environment().globals |= {
        "rooms": ROOMS.menu(store=store, server=server),
        "sections": ROOMS.sections(store=store, server=server),
    }


def page(template: str, room: str, title: str, **values: object) -> str:
    """A whole page. `room` is the address of the room that it lies in; `about`, where it is given, says what
    the page is to whoever finds it by a search.
    """
    described = str(values.get("about") or _(ROOMS.about(room)))
    return environment().get_template(template).render(room=room, title=title, described=described, **values)


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


# What is said on the command line, as a page says it: it has fields, and no options.

FIELDS = {
    "--plies": N_("plies"),
    "--truncated": N_("the truncated tree"),
    "--merged": N_("the graph"),
    "--seat": N_("seat"),
    "--agent": N_("machine"),
    "--games": N_("games"),
}
"""Options that a page has a field for, and what is written beside it."""
OPTION = re.compile(r"--[a-z][a-z-]*")
CLAUSE = re.compile(r"(?:^|\s*\(|\s*[.;:,]\s)[^.;:,()]*--[a-z][^.;:,]*(?=$|[.;:,]\s|[.;:,]$)")
"""A part of a sentence that names an option, from the mark before it."""


def for_page(sentence: str) -> str:
    """A sentence without the options that it names: those that are fields here have their names, and
    the clause that advises another is left out, since nobody can follow it at a page.

    >>> for_page("the memory budget is 1 GiB (--memory)")
    'the memory budget is 1 GiB'
    >>> for_page("up to 3 are drawn: give fewer --plies")
    'up to 3 are drawn: give fewer “plies”'
    >>> for_page("stopped after 9 positions. A larger --memory goes further")
    'stopped after 9 positions'
    """
    return CLAUSE.sub("", OPTION.sub(lambda found: field(found[0]), sentence)).lstrip(" .;:,\u00a0")


def field(option: str) -> str:
    """An option by the words beside its field; as it is where there is none."""
    return _("“{field}”", field=_(FIELDS[option])) if option in FIELDS else option


# Pages of Markdown as HTML: HTML that stands in them is left out, links and pictures are given to
# who asks for the page.


Link: TypeAlias = "Callable[[str], str | None]"
"""link(href): the address of what is linked, None where it is not here: then its text stands alone."""
Pictured: TypeAlias = "Callable[[str], Markup]"
"""picture(src): a picture as a part of a page."""
SCROLLED = {
    "<pre><code": '<pre tabindex="0"><code',
    "<table>": '<div class="wide"><table>',
    "</table>": "</table></div>",
}
"""What can be wider than a page scrolls by itself, also with the keyboard (tables: `keys.js`)."""


@cache
def parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # many modules, for lessons alone

    return MarkdownIt("commonmark", {"html": True}).enable("table")


def rendered(text: str, link: Link, picture: Pictured) -> Markup:
    """A page as HTML. Comments and tags in it are dropped, never passed on."""
    tokens = list(without_html(parser().parse(text)))
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.children is not None:
            token.children = list(inline(token.children, link, picture))
        if token.type == "fence":
            token.content = token.content.rstrip("\n") + "\n"  # a doctest ends in an empty line
        # numbers to the right by a class: a page refuses styles in its elements
        if token.type in ("th_open", "td_open") and "right" in str(token.attrs.pop("style", "")):
            token.attrSet("class", "number")
        if token.type == "th_open" and following is not None and not following.content:
            token.tag = tokens[tokens.index(following) + 1].tag = "td"  # a heading without words is none
    html = parser().renderer.render(tokens, parser().options, {})
    for wide, scrolled in SCROLLED.items():
        html = html.replace(wide, scrolled)
    return Markup(html)


def without_html(tokens: list[Token]) -> Iterator[Token]:
    yield from (token for token in tokens if token.type not in ("html_block", "html_inline"))


def inline(tokens: list[Token], link: Link, picture: Pictured) -> Iterator[Token]:
    """Yield what stands in a line: links that lead somewhere, pictures drawn in."""
    closing: list[bool] = []
    for token in without_html(tokens):
        if token.type == "link_open":
            address = link(str(token.attrGet("href")))
            closing.append(address is not None)
            if address is None:
                continue
            token.attrSet("href", address)
        elif token.type == "link_close" and not closing.pop():
            continue
        elif token.type == "image":
            token = drawn(picture(str(token.attrGet("src"))), token.content)
        yield token


def drawn(picture: Markup, words: str) -> Token:
    """A picture in the place of its name."""
    from markdown_it.token import Token

    return Token(
        "html_inline",
        "",
        0,
        content=Markup('<span class="drawn" title="{}">{}</span>').format(escape(words), picture),
    )


def title_of(text: str) -> str:
    """The first heading of a page."""
    return next((line.removeprefix("# ").strip() for line in text.splitlines() if line.startswith("# ")), "")
