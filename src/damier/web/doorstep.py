"""What is shown to those who are not in yet: pages that need no worker, no script and no network."""

from __future__ import annotations

from html import escape
from urllib.parse import parse_qsl

from starlette.responses import HTMLResponse, JSONResponse, Response

from damier.core.words import _, language
from damier.web.admission import TOKEN, without_token

FRAME = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · damier</title>
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/page.css">
</head>
<body>
<header class="top"><a class="name" href="/">damier</a></header>
<main id="main">
<h1>{title}</h1>
{content}
</main>
</body>
</html>
"""


def page(title: str, content: str, status: int) -> Response:
    """A page of the doorstep.

    `content` is HTML; browsers do not keep it, since who comes again may be let in.
    """
    text = FRAME.format(language=escape(language()), title=escape(title), content=content)
    return HTMLResponse(text, status, headers={"Cache-Control": "no-store"})


def asks_for_token(query: str, wrong: bool, of_class: bool = False) -> Response:
    """Asks for the token, or for the code of the class, and leads on to the page that was wanted."""
    kept = [(name, value) for name, value in parse_qsl(query, keep_blank_values=True) if name != TOKEN]
    hidden = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">' for name, value in kept
    )
    problem, label, enter = _("That is not the token of this lab."), _("Token"), _("Come in")
    if of_class:
        problem, label = _("That is not the code of this class."), _("Code of the class")
    words = _(
        "This lab asks for a token. It stands at the end of the address that damier told when it was started:"
        " ask whoever started it."
    )
    if of_class:
        words = _("This class asks for its code. It stands on the board; else ask your teacher.")
    field = (
        f'<input name="{TOKEN}" autocomplete="off" autocapitalize="none" spellcheck="false" required'
        " autofocus>"
    )
    form = (
        f'<form method="get">{hidden}<label>{escape(label)} {field}</label> <button'
        f' class="main">{escape(enter)}</button></form>'
    )
    refused = f'<p class="problem">{escape(problem)}</p>' if wrong else ""
    return page(_("Who is there?"), f"{refused}<p>{escape(words)}</p>{form}", 401)


def refused() -> Response:
    """What a page is told that asks without a token: its cookie is from before the lab was started
    again.
    """
    return JSONResponse({"error": _("this lab asks for a token; load the page again")}, 401)


def leads_from_elsewhere(path: str, query: str) -> Response:
    """Asks whoever has followed the link of another site whether that was meant: one click opens
    the page.
    """
    address, enter, others = escape(without_token(path, query)), _("Open it"), _("All games")
    words = _(
        "A link on another page leads here. What it opens makes this lab work: look at the address, then open"
        " it if you trust where the link came from."
    )
    links = f'<p><a href="{address}">{escape(enter)}</a> · <a href="/games">{escape(others)}</a></p>'
    return page(
        _("A link from elsewhere"), f"<p>{escape(words)}</p><p><code>{address}</code></p>{links}", 200
    )
