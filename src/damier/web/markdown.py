"""Pages of Markdown as HTML: HTML that stands in them is left out, links and pictures are given to
who asks for the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape


@dataclass(frozen=True)
class Neighbours:
    """What lies beside a page.

    link     the address of what is linked, None where it is not here: then its text stands alone
    picture  a picture as a part of a page
    """

    link: Callable[[str], str | None]
    picture: Callable[[str], Markup]


SCROLLED = {
    "<pre><code": '<pre tabindex="0"><code',
    "<table>": '<div class="wide"><table>',
    "</table>": "</table></div>",
}
"""What can be wider than a page scrolls by itself, also with the keyboard (tables: `keys.js`)."""


@cache
def parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": True}).enable("table")


def rendered(text: str, neighbours: Neighbours) -> Markup:
    """A page as HTML. Comments and tags in it are dropped, never passed on."""
    tokens = list(without_html(parser().parse("\n".join(with_fences(text.splitlines())))))
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.children is not None:
            token.children = list(inline(token.children, neighbours))
        if token.type in ("th_open", "td_open"):
            align(token)
        if token.type == "th_open" and following is not None and not following.content:
            token.tag = tokens[tokens.index(following) + 1].tag = "td"  # a heading without words is none
    html = parser().renderer.render(tokens, parser().options, {})
    for wide, scrolled in SCROLLED.items():
        html = html.replace(wide, scrolled)
    return Markup(html)


def with_fences(lines: Sequence[str]) -> Iterator[str]:
    """A page whose doctests, which Markdown takes for quotations, stand between the fences of a
    program.
    """
    fenced = tried = False
    for line in [*lines, ""]:
        if not tried and not fenced and line.startswith(">>> "):
            tried = True
            yield "```python"
        elif tried and not line.strip():
            tried = False
            yield "```"
        elif not tried and line.startswith("```"):
            fenced = not fenced
        yield line


def align(cell: Token) -> None:
    """Numbers to the right by a class: a page refuses styles in its elements."""
    if "right" in str(cell.attrs.pop("style", "")):
        cell.attrSet("class", "number")


def without_html(tokens: list[Token]) -> Iterator[Token]:
    yield from (token for token in tokens if token.type not in ("html_block", "html_inline"))


def inline(tokens: list[Token], neighbours: Neighbours) -> Iterator[Token]:
    """What stands in a line: links that lead somewhere, pictures drawn in."""
    closing: list[bool] = []
    for token in without_html(tokens):
        if token.type == "link_open":
            address = neighbours.link(str(token.attrGet("href")))
            closing.append(address is not None)
            if address is None:
                continue
            token.attrSet("href", address)
        elif token.type == "link_close" and not closing.pop():
            continue
        elif token.type == "image":
            token = drawn(neighbours.picture(str(token.attrGet("src"))), token.content)
        yield token


def drawn(picture: Markup, words: str) -> Token:
    """A picture in the place of its name."""
    return Token(
        "html_inline",
        "",
        0,
        content=Markup('<span class="drawn" title="{}">{}</span>').format(escape(words), picture),
    )


def title_of(text: str) -> str:
    """The first heading of a page."""
    return next((line.removeprefix("# ").strip() for line in text.splitlines() if line.startswith("# ")), "")
