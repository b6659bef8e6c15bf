"""The hub's routes: pages and questions go to workers, sockets to the broadcast hub. Nothing here knows a game."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from damier.core.words import _
from damier.web.answers import Answers
from damier.web.gate import Gate
from damier.web.hub import Hub
from damier.web.learning.trainings import Trainings
from damier.web.pool import Answer, Pool, failure
from damier.web.settings import Settings
from damier.web.tables.tables import Tables
from damier.web.verbs import VERBS

STATIC = Path(__file__).parent / "static"
ADDRESSES = {
    "/": "gallery.page",
    "/learning": "learning.page",
    "/matchboxes": "matchboxes.page",
    "/matchboxes/sheets": "matchboxes.sheets",
    "/matchboxes/boxes.pdf": "matchboxes.pdf",
    "/tree": "tree.page",
    "/lessons": "lessons.page",
    "/lessons/{name}": "lessons.lesson",
    "/{game:path}": "board.page",
}
"""Pages, and the verbs that make them; the first that fits counts."""
LARGEST_QUESTION = 1 << 20
SLOWEST_QUESTION = 15.0
"""Seconds in which a question must have arrived as a whole."""


class Lab:
    """The processes behind the pages, and what they answered."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.hub = Hub()
        self.pools = {
            "quick": Pool(settings, 2, nice=2),
            "judge": Pool(settings, 1),
            "slow": Pool(settings, 2, nice=5),
            "boxes": Pool(settings, 2, nice=5),
            "own": Pool(settings, 2, nice=5),
        }
        self.answers = Answers()
        self.tables = Tables(self.hub, self.ask)
        self._later: list[asyncio.Task[None]] = []
        self.trainings = Trainings(settings, self.hub)

    async def ask(self, verb: str, body: str, language: str, asker: str = "") -> Answer:
        """The answer of a worker, or one that was given before. `asker` is who waits, for a fair turn."""
        cost = VERBS[verb]
        question = json.dumps({"verb": verb, "language": language, "body": body}).encode()
        pool = self.pools["own" if self._is_own(body) else cost.pool]
        if cost.cached:
            return await self.answers.of(self._known_as(question), lambda: pool.ask(question, cost.seconds, asker))
        return await pool.ask(question, cost.seconds, asker)

    def _known_as(self, question: bytes) -> bytes:
        """What an answer is kept under: with the edition of the user's own games, so that one that was edited is asked again."""
        return question + repr(self.settings.edition()).encode() if self.settings.games else question

    def _is_own(self, body: str) -> bool:
        """Whether a question is about a game of the user's own, whose rules may be slow, or never end: it holds up only its like."""
        if not self.settings.games:
            return False
        try:
            values = json.loads(body)
        except (ValueError, RecursionError):
            return False
        texts = values.values() if isinstance(values, dict) else ()
        return any(isinstance(text, str) and text.partition(":")[0] in self.settings.games for text in texts)

    async def open(self) -> None:
        await self.pools["quick"].warm()
        self._later = [asyncio.create_task(self.pools[name].warm()) for name in ("judge", "slow")]
        self._later += [asyncio.create_task(self.tables.watch_the_clock()), asyncio.create_task(self.trainings.open())]

    async def close(self) -> None:
        for task in self._later:
            task.cancel()
        await asyncio.gather(*(pool.close() for pool in self.pools.values()), self.tables.close(), self.trainings.close())


def application(lab: Lab) -> ASGIApp:
    """The web lab as an ASGI application."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await lab.open()
        yield
        await lab.close()

    async def ask(request: Request) -> Response:
        """A question of a page, `room.verb`, with its values as JSON."""
        verb = request.path_params["verb"]
        if verb not in VERBS or VERBS[verb].door != "question":
            return response(failure(404, _("there is no such question")))
        body = await body_of(request)
        if body is None:
            return response(failure(413, _("the question is too large, or took too long to arrive")))
        return response(await answered(lab, request, verb, body))

    async def live(socket: WebSocket) -> None:
        """What goes on by itself: trainings, and tables at which others play."""
        await lab.hub.serve(socket)

    def shown(verb: str) -> Callable[[Request], Awaitable[Response]]:
        async def show(request: Request) -> Response:
            return await page(lab, request, verb, **request.path_params)

        return show

    routes: list[BaseRoute] = [
        Mount("/static", StaticFiles(directory=STATIC)),
        Route("/ask/{verb}", ask, methods=["POST"]),
        WebSocketRoute("/live", live),
        Route("/draw.css", draw_css),
        Route("/{path:path}/", without_slash),
        *(Route(path, shown(verb)) for path, verb in ADDRESSES.items()),
    ]
    return Gate(Starlette(routes=routes, lifespan=lifespan), lab.settings)


async def without_slash(request: Request) -> Response:
    """The page that somebody means who typed a slash at its end."""
    return RedirectResponse(request.url.replace(scheme="", netloc="", path="/" + request.url.path.strip("/")))


async def draw_css(request: Request) -> Response:
    """The colours of every picture."""
    from damier.draw.svg import sheet

    return Response(sheet(), media_type="text/css", headers={"Cache-Control": "max-age=3600"})


async def answered(lab: Lab, request: Request, verb: str, body: str) -> Answer:
    """The answer to a question, unless who asked it goes away before: then nobody waits in a line for nothing."""
    asker = request.client.host if request.client else ""
    answer = asyncio.create_task(lab.ask(verb, body, request.state.language, asker))
    gone = asyncio.create_task(until_gone(request))
    try:
        await asyncio.wait((answer, gone), return_when=asyncio.FIRST_COMPLETED)
        return answer.result() if answer.done() else failure(499, _("nobody waits for the answer any more"))
    finally:
        gone.cancel()
        answer.cancel()


async def until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def page(lab: Lab, request: Request, verb: str, **values: Any) -> Response:
    """A page, as a worker makes it of the address; a page that says why, where it cannot."""
    asked = {name: value for name, value in request.query_params.items() if name != "lang"} | values
    answer = await answered(lab, request, verb, json.dumps(asked))
    if answer.status != 200 and answer.kind == "application/json":
        problem = json.dumps({"error": json.loads(answer.body)["error"], "status": answer.status, "path": request.url.path})
        told = await lab.ask("gallery.problem", problem, request.state.language)
        answer = Answer(answer.status, told.kind, told.body)
    return response(answer)


def response(answer: Answer) -> Response:
    return Response(answer.body, answer.status, media_type=answer.kind)


async def body_of(request: Request) -> str | None:
    """The content of a request, with a sign for each byte that is no text; None where it is too large, too slow, or breaks off."""
    body = b""
    try:
        async with asyncio.timeout(SLOWEST_QUESTION):
            async for chunk in request.stream():
                body += chunk
                if len(body) > LARGEST_QUESTION:
                    return None
    except (TimeoutError, ClientDisconnect):
        return None
    return body.decode(errors="replace")
