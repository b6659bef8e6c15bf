"""The hub's routes: pages and questions go to workers, sockets to the broadcast hub.

Nothing here knows a game.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from html import escape
from pathlib import Path
from typing import Protocol, TypeAlias
from urllib.parse import parse_qsl, quote, urlencode

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Match, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from damier.core.errors import BadInput
from damier.core.words import _, language, spoken
from damier.lab.plugins import resolved
from damier.web.gate import Gate
from damier.web.hub import Hub
from damier.web.limits import LAB, LRU, Buckets, ClientId, MemoryWatch
from damier.web.messages import Query
from damier.web.pool import Answer, Forks, Pool, are_possible, crowded, failure, started
from damier.web.rooms import ROOMS
from damier.web.settings import Settings
from damier.web.tables import Ask, Tables
from damier.web.trainings import Trainings

STATIC = Path(__file__).parent / "static"
DOWNLOADS = ("text/csv", "text/plain", "application/xml", "application/zip")
"""What a browser keeps and does not show."""
PROVEN = 120.0
"""Seconds for which the answer of a proof is kept, which may be that there was no time for one."""
LARGEST_QUESTION = 1 << 20
SLOWEST_QUESTION = 15.0
"""Seconds in which a question must have arrived as a whole."""
BYTES = (2 << 20, 16 << 20)
"""Bytes of questions a second from one address, and how many at once: to read them is work of the
hub itself.
"""


LINKED = {"Cache-Control": "max-age=86400"}
"""How long whoever shows links keeps their pictures, in seconds."""


class RoomService(Protocol):
    """Part of a room in the hub: made with the lab, it stands before every question about the room, and
    works beside.
    """

    routes: Sequence[BaseRoute]

    async def answer(self, headers: Headers, query: Query, ask: Ask) -> Answer:
        """Answer a question, or have it answered."""
        ...

    async def run(self) -> None:
        """Go on until it is cancelled."""
        ...

    async def close(self) -> None: ...


class WebLab:
    """The processes behind the pages, and what they answered.

    Of three workers an address has two: whatever it asks, one is there for all others. A browser has
    one of those that may take long.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.forks = Forks(settings) if are_possible() else None
        pool = partial(Pool, settings, begin=self.forks.worker if self.forks else started)
        self.pools = {
            "quick": pool(3, nice=2, of_one=2, of_place=2),
            "judge": pool(2, of_one=1),
            "moves": pool(3, nice=2, of_one=1, of_place=2, hurried=True),
            "thinking": pool(3, nice=15, of_one=1, of_place=2, hurried=True),
            "slow": pool(3, nice=15, of_one=2, of_place=2),
            "proofs": pool(2, nice=19, of_one=1),
            "boxes": pool(3, nice=4, of_one=1, of_place=2),
            "own": pool(2, nice=15, of_one=1),
            "class": pool(1, nice=5),
        }
        self.replies = ReplyPools(self.pools["moves"], self.pools["thinking"])
        self.answers = Answers()
        self.memory = MemoryWatch(settings.most_of_hub, [self.answers.forget])
        self.hub = Hub(self.memory)
        self.tables = Tables(self.hub, self.ask)
        self._later: list[asyncio.Task[None]] = []
        self.trainings = Trainings(settings, self.hub)
        places = {room.service: None for room in ROOMS.values() if room.service}
        self.services: dict[str, RoomService] = {place: resolved(place)(self) for place in places}

    async def ask(self, query: Query) -> Answer:
        """The answer of a worker, or one that was given before.

        A question about a game or an agent of the user's own, which may be slow, or never end, holds
        up only its like.
        """
        cost = ROOMS.verbs[query.verb]
        own = query.is_about(self.settings.games) or query.seats_own(self.settings)
        pool = self.pools["own"] if own else self.replies if cost.pool == "moves" else self.pools[cost.pool]

        async def work() -> Answer:
            return crowded() if self.memory.short else await pool.ask(query.line, cost.seconds, query.asker)

        return await (self.answers.of(self._known_as(query), work) if cost.cached else work())

    def _known_as(self, query: Query) -> bytes:
        """Return what an answer is kept under: with the edition of the user's own files, so that one
        that was edited is asked again, and for a while only where a proof may come further the next
        time.
        """
        while_proven = int(time.monotonic() / PROVEN) if ROOMS.verbs[query.verb].pool == "proofs" else 0
        return query.line + repr((self.settings.edition(), while_proven)).encode()

    async def open(self) -> None:
        await self.pools["quick"].warm(1)
        later = self.warm_up(), self.tables.watch_the_clock(), self.trainings.open(), self.memory.run()
        self._later = [asyncio.create_task(work) for work in later]

    async def warm_up(self) -> None:
        """Makes the first page before anybody asks for it, and then starts the workers that are wanted
        next, and what else the rooms have: while they begin, they would take the time of the one that
        makes it.
        """
        warmed = asyncio.create_task(self.forks.warmed() if self.forks else asyncio.sleep(0))
        await self.ask(Query("home.page", {}, language(), LAB))
        self._later += [asyncio.create_task(service.run()) for service in self.services.values()]
        await warmed
        if self.forks:
            await asyncio.gather(*(pool.renew() for pool in self.pools.values()))
        for name, number in (("moves", 1), ("slow", 1), ("quick", 2), ("moves", 2), ("slow", 2)):
            await self.pools[name].warm(number)

    async def close(self) -> None:
        for task in self._later:
            task.cancel()
        await asyncio.gather(*self._later, return_exceptions=True)
        await asyncio.gather(
            *(pool.close() for pool in self.pools.values()),
            self.tables.close(),
            self.trainings.close(),
            *(service.close() for service in self.services.values()),
        )
        if self.forks:
            await self.forks.close()


def application(lab: WebLab) -> ASGIApp:
    """The web lab as an ASGI application."""
    sizes = Buckets(*BYTES)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await lab.open()
        yield
        await lab.close()

    async def ask(request: Request) -> Response:
        """A question of a page, `room.verb`, with its values as JSON."""
        verb = request.path_params["verb"]
        if verb not in ROOMS.verbs or ROOMS.verbs[verb].channel != "question":
            return response(failure(404, _("there is no such question")))
        body = await body_of(request)
        if body is None:
            return response(failure(413, _("the question is too large, or took too long to arrive")))
        asker = request.state.asker
        if not sizes.take(asker.place, len(body)):
            return response(failure(429, _("too many questions at once; try again in a moment")))
        try:
            query = Query.read(verb, body, request.state.language, asker)
        except BadInput as error:
            return response(failure(400, str(error)))
        return response(await admitted(lab, request, query))

    async def live(socket: WebSocket) -> None:
        """Serve what goes on by itself: trainings, and tables at which others play."""
        await lab.hub.serve(socket)

    async def linked(request: Request) -> Response:
        """The picture for links to the page `of`; damier's own where nothing here can draw it."""
        path, _mark, query = request.query_params.get("of", "/").partition("?")
        where = {"type": "http", "path": "/" + path.lstrip("/"), "method": "GET"}
        found = ((route.name, route.matches(where)) for route in of_pages)
        verb, values = next((name, child) for name, (match, child) in found if match is Match.FULL)
        values_given = {**dict(parse_qsl(query)), **values["path_params"]}
        language = spoken([values_given.pop("lang", "")]) or request.state.language
        asker = request.state.asker
        if not ROOMS.of(verb).service:
            answer = await answered(lab, request, Query(verb, values_given, language, asker))
            if answer.status == 200 and answer.kind.startswith("text/html"):
                redirect = {"page": answer.body.decode()}
                drawn = await answered(lab, request, Query("gallery.link", redirect, language, asker))
                if drawn.status == 200:
                    return Response(drawn.body, media_type=drawn.kind, headers=LINKED)
        return Response((STATIC / "link.png").read_bytes(), media_type="image/png", headers=LINKED)

    def page_of(verb: str) -> Callable[[Request], Awaitable[Response]]:
        async def show(request: Request) -> Response:
            return await page(lab, request, verb, **request.path_params)

        return show

    routes: list[BaseRoute] = [
        Mount("/static", static_files()),
        Route("/ask/{verb}", ask, methods=["POST"]),
        *(route for service in lab.services.values() for route in service.routes),
        WebSocketRoute("/live", live),
        Route("/draw.css", draw_css),
        Route("/{path:path}/", without_slash),
        Route("/link.png", linked),
        Route("/exercises", exercises),
        Route("/solve/{game}", solved_board),
        Route("/solve/{game}/{moves}", solved_board),
        *(of_pages := [Route(path, page_of(verb), name=verb) for path, verb in ROOMS.pages.items()]),
    ]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: refused})
    return Gate(app, lab.settings)


def static_files() -> StaticFiles:
    """Return what is served as it lies there: damier's own files, and those of plug-ins."""
    files = StaticFiles(directory=STATIC)
    files.all_directories = [STATIC, *ROOMS.folders("static")]
    return files


async def refused(request: Request, error: Exception) -> Response:
    """Say in the reader's language what Starlette itself refuses."""
    assert isinstance(error, HTTPException)
    sentences = {404: _("there is no such file"), 405: _("nothing can be sent to this address")}
    said = sentences.get(error.status_code, error.detail)
    return PlainTextResponse(said, error.status_code, error.headers)


async def without_slash(request: Request) -> Response:
    """The page that somebody means who typed a slash at its end."""
    return RedirectResponse(request.url.replace(scheme="", netloc="", path="/" + request.url.path.strip("/")))


async def solved_board(request: Request) -> Response:
    """The board of a position with what each of its moves is worth, as other pages write such addresses:
    `/solve/connect_four/4453`.
    """
    values = {"1": "human", "2": "human", "moves": request.path_params.get("moves", ""), "show": "truth"}
    query = urlencode({**{name: text for name, text in values.items() if text}, **request.query_params})
    return RedirectResponse(f"/{quote(request.path_params['game'])}?{query}")


async def exercises(request: Request) -> Response:
    """The exercises of the room of trees, by the address that people guess."""
    return RedirectResponse(f"/tree?{urlencode({'view': 'exercise', **request.query_params})}")


async def draw_css(request: Request) -> Response:
    """The colours of every picture."""
    from damier.draw.svg import sheet

    return Response(sheet(), media_type="text/css", headers={"Cache-Control": "max-age=3600"})


async def admitted(lab: WebLab, request: Request, query: Query) -> Answer:
    """The answer to a question, by way of its room's service if it has one."""
    if service := ROOMS.of(query.verb).service:
        return await lab.services[service].answer(request.headers, query, partial(answered, lab, request))
    return await answered(lab, request, query)


async def answered(lab: WebLab, request: Request, query: Query) -> Answer:
    """The answer to a question, unless who asked it goes away before: then nobody waits in a line
    for nothing.
    """
    answer = asyncio.create_task(lab.ask(query))
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


async def page(lab: WebLab, request: Request, verb: str, **values: object) -> Response:
    """A page, as a worker makes it of the address; a page that says why, where it cannot."""
    given = {name: value for name, value in request.query_params.items() if name != "lang"}
    query = Query(verb, {**given, **values}, request.state.language, request.state.asker)
    answer = await admitted(lab, request, query)
    if answer.status != 200 and answer.kind == "application/json":
        problem = {
            "error": json.loads(answer.body)["error"],
            "status": answer.status,
            "path": request.url.path,
        }
        found = await lab.ask(replace(query, verb="gallery.problem", values=problem))
        answer = answer._replace(kind=found.kind, body=found.body)
    if answer.kind.startswith("text/html"):
        answer = answer._replace(body=answer.body.replace(b"</head>", link_tags(request) + b"</head>", 1))
    made = response(answer)
    if ROOMS.of(verb).service:  # it is one person's: whoever comes to this browser next asks anew
        made.headers["Cache-Control"] = "no-store"
    return made


def link_tags(request: Request) -> bytes:
    """Return what says where the picture for links to a page is: by a whole address, which only the hub
    knows.
    """
    of = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    picture = escape(f"{request.base_url}link.png?of={quote(of)}")
    card = '<meta name="twitter:card" content="summary_large_image">'
    return f'<meta property="og:image" content="{picture}">\n{card}\n'.encode()


def response(answer: Answer) -> Response:
    """An answer as it is sent; a file is to be kept, not opened."""
    made = Response(answer.body, answer.status, media_type=answer.kind)
    for cookie in answer.cookies:
        made.headers.append("Set-Cookie", cookie)
    if answer.kind in DOWNLOADS:
        made.headers["Content-Disposition"] = "attachment"
    return made


async def body_of(request: Request) -> str | None:
    """The content of a request, with a sign for each byte that is no text; None where it is too
    large, too slow, or breaks off.
    """
    body = b""
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and len(announced) < 20 and int(announced) > LARGEST_QUESTION:
        return None
    try:
        async with asyncio.timeout(SLOWEST_QUESTION):
            async for chunk in request.stream():
                body += chunk
                if len(body) > LARGEST_QUESTION:
                    return None
    except (TimeoutError, ClientDisconnect):
        return None
    return body.decode(errors="replace")


# Answers that depend on nothing but the question: kept for whoever asks the same, and worked out
# once where several ask at once.

KEPT = 8 << 20
"""Bytes of questions and answers that are kept."""
LARGEST_KEPT = 1 << 20
"""Bytes of one that is kept."""

Work: TypeAlias = Callable[[], Coroutine[object, None, Answer]]


@dataclass
class Shared:
    """One piece of work, and how many wait for it."""

    task: asyncio.Task[Answer]
    waiting: int = 0


class Answers:
    """`of(question, work)` answers from memory where it can."""

    def __init__(self, kept: int = KEPT) -> None:
        self.size, self._room = 0, kept
        self.kept: OrderedDict[bytes, Answer] = OrderedDict()
        self._shared: dict[bytes, Shared] = {}

    async def of(self, question: bytes, work: Work) -> Answer:
        """The answer that is kept, that another already waits for, or that `work` finds.

        Work for which nobody waits any more is cancelled.
        """
        if question in self.kept:
            self.kept.move_to_end(question)
            return self.kept[question]
        shared = self._shared.get(question) or self._begun(question, work)
        shared.waiting += 1
        try:
            return await asyncio.shield(shared.task)
        finally:
            shared.waiting -= 1
            if not shared.waiting:
                shared.task.cancel()
                if self._shared.get(question) is shared:
                    del self._shared[question]

    def forget(self) -> None:
        """Gives up all that is kept."""
        self.kept.clear()
        self.size = 0

    def _begun(self, question: bytes, work: Work) -> Shared:
        shared = self._shared[question] = Shared(asyncio.create_task(work()))
        shared.task.add_done_callback(lambda task: self._keep(question, task))
        return shared

    def _keep(self, question: bytes, task: asyncio.Task[Answer]) -> None:
        if task.cancelled() or task.exception() is not None or task.result().status != 200:
            return
        answer = task.result()
        size = len(question) + len(answer.body)
        if size > LARGEST_KEPT or question in self.kept:
            return
        self.kept[question] = answer
        self.size += size
        while self.size > self._room:
            old, dropped = self.kept.popitem(last=False)
            self.size -= len(old) + len(dropped.body)


# Two lanes for replies of agents: one for those that are quick, one for those that think.
#
# What an agent will cost nobody knows before it has played, so the asker is what is known by: whose
# replies have taken much of the processor of late waits with others of that kind, and nobody waits behind
# them who plays against an agent that is quick. A browser that has asked for none yet goes where the latest
# such browsers of its address belong, all taken together: with a new name for every question nobody is
# quick for long.

MUCH = 1.0
"""CPU seconds of late replies beyond which the next of the same asker is thought about in the other lane: of
one that takes half a second, if it is asked for every three.
"""
LATE = 10.0
"""Seconds after which a reply counts 1/e of what it took."""
REMEMBERED = 4_000
"""Clients of whom it is known what they took."""


@dataclass
class ReplyPools:
    """quick, thinking: the workers of each lane; clock: seconds, never going back."""

    quick: Pool
    thinking: Pool
    clock: Callable[[], float] = time.monotonic
    _taken: LRU[ClientId, tuple[float, float]] = field(default_factory=lambda: LRU(REMEMBERED))

    def __post_init__(self) -> None:
        self.quick.note_cost = self.thinking.note_cost = self.note

    def pool_for(self, asker: ClientId) -> Pool:
        """Return where the next reply to an asker is thought about."""
        known = asker if asker in self._taken else newcomer(asker)
        return self.thinking if self._recent_cost(known) > MUCH else self.quick

    async def ask(self, question: bytes, seconds: float, asker: ClientId) -> Answer:
        return await self.pool_for(asker).ask(question, seconds, asker)

    def note(self, asker: ClientId, seconds: float) -> None:
        """Remembers what a reply has cost."""
        for one in {asker} if asker in self._taken else {asker, newcomer(asker)}:
            self._taken[one] = self._recent_cost(one) + seconds, self.clock()

    def _recent_cost(self, asker: ClientId) -> float:
        """CPU seconds of the replies to an asker, the less the longer ago."""
        taken, when = self._taken.get(asker, (0.0, 0.0))
        return taken * math.exp((when - self.clock()) / LATE)


def newcomer(asker: ClientId) -> ClientId:
    """Return who stands for all browsers of an address that have not asked yet."""
    return ClientId(asker.place, "")
