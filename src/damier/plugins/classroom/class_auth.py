"""Authentication of a class: who has shown its code, a student's key, the teacher's; and that keys are not
tried out.

The hub compares the code; keys are compared by workers, where the store is. Their cookies come back
with every request, so a wrong one counts as a try however it is shown.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import replace

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from damier.core.errors import BadInput
from damier.core.words import _, languages
from damier.web import gate
from damier.web.app import WebLab, body_of, response
from damier.web.gate import cookie, topic_of
from damier.web.limits import LRU, Buckets, ClientId
from damier.web.messages import Query
from damier.web.pool import Answer, end_process, failure, start_process, tell_process
from damier.web.settings import Settings
from damier.web.tables import Ask

PROJECTED = "classroom.board"
PAGES = ("classroom.page", PROJECTED, "classroom.teacher")
OF_STUDENTS = (
    "classroom.hand_in",
    "classroom.try_out",
    "classroom.report",
    "classroom.trial",
    "classroom.starter",
    "classroom.starter_file",
    "classroom.identify",
    "classroom.join",
    "classroom.who",
    "classroom.keep_run",
)
"""Questions that a student's key is for."""
STUDENT, TEACHER = "student", "teacher"
KEYS = (STUDENT, TEACHER)
TEACHING = 86400
"""Seconds that a browser keeps the teacher's key."""
TRIES = (0.5, 60.0)
"""Wrong codes and keys a second from one address, and how many at once: a class may share one."""
ARRIVALS = (1.0, 60.0)
"""New students a second from one address, and how many at once."""
WRITTEN = re.compile(r"[A-Za-z0-9-]{1,100}")
"""A key, as it may stand in a cookie."""

NOTHING = Answer(200, "application/json", b"{}")
ARRIVING = ("classroom.hand_in", "classroom.try_out", "classroom.join")
"""Questions by which somebody may be a new student."""
CHANGES = ("classroom.hand_in", "classroom.try_out", "classroom.remove")
"""Questions after which there is something to do."""


def digest_of(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()


class ClassAuth:
    """Everything that is asked about the class passes here."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._tries, self._arrivals = Buckets(*TRIES), Buckets(*ARRIVALS)
        self._proven = LRU[bytes, None](1_000)
        """Digests of the keys that were right."""

    async def answer(self, headers: Headers, query: Query, ask: Ask) -> Answer:
        """The answer to a question about the class, or a page of it."""
        if not self.settings.store:
            sentence = _("no class is open here; whoever starts this lab can open one, or show a tournament")
            return failure(404, sentence)
        cookies = self._keys_of(headers, query)
        if refusal := self._refusal(headers, query, cookies):
            return refusal
        answer = await ask(self._known(headers, query, cookies))
        gone: dict[str, str] = {}
        for key in self._looked_at(query):
            if answer.status != 403 or not cookies[key]:
                continue
            self._tries.take(query.asker.place)
            if not typed_by(query.verb):
                gone[key] = cookies[key] = ""
            if query.verb in PAGES:  # it is shown without what is wrong
                answer = await ask(self._known(headers, query, cookies))
        if answer.status != 200:
            return answer._replace(cookies=self._cookies(gone))
        new = self._new_keys(query, answer, cookies)
        if self._is_member(headers):  # of whoever is not, no key was looked at
            for right in (*(cookies[key] for key in self._looked_at(query)), *new.values()):
                self._proven[digest_of(right)] = None
        return answer._replace(cookies=self._cookies(gone | new))

    def enter(self, values: Mapping[str, object], asker: ClientId) -> Answer:
        """Let in whoever shows the code of the class."""
        if not self._tries.has(asker.place):
            return too_many()
        given = values.get("code")
        if not isinstance(given, str) or not gate.fits(self.settings, given):
            self._tries.take(asker.place)
            return failure(403, _("that is not the code of this class"))
        return NOTHING._replace(cookies=(gate.pass_cookie(self.settings),))

    def leave(self) -> Answer:
        """Take away the keys that a browser keeps."""
        return NOTHING._replace(cookies=self._cookies(dict.fromkeys(KEYS, "")))

    def _keys_of(self, headers: Headers, query: Query) -> dict[str, str]:
        """The keys that come with a request: as cookies, or just typed."""
        found = {key: cookie(headers, self._cookie(key)) for key in KEYS}
        typed = query.values.get("key")
        if (key := typed_by(query.verb)) and isinstance(typed, str):
            found[key] = "-".join(re.findall(r"[A-Za-z0-9]+", typed[:200]))
        return {key: value if WRITTEN.fullmatch(value) else "" for key, value in found.items()}

    def _refusal(self, headers: Headers, query: Query, cookies: Mapping[str, str]) -> Answer | None:
        """Return why a question may not be asked. Who shows a key that was right before is not held up
        by others of the same address who try some out.
        """
        if query.verb not in PAGES and not self._is_member(headers):
            return failure(403, _("this class asks for its code; load the page again"))
        unproven = [
            cookies[key] for key in self._looked_at(query) if digest_of(cookies[key]) not in self._proven
        ]
        if any(unproven) and not self._tries.has(query.asker.place):
            return too_many()
        arrives = query.verb in ARRIVING and not cookies[STUDENT]
        return too_many() if arrives and not self._arrivals.take(query.asker.place) else None

    def _is_member(self, headers: Headers) -> bool:
        return not self.settings.class_folder or gate.is_member(self.settings, headers)

    def _known(self, headers: Headers, query: Query, cookies: Mapping[str, str]) -> Query:
        """The question with what is known of who asks, whatever it says itself."""
        member = self._is_member(headers)
        topic = gate.topic_of(self.settings) if member else ""
        values = {**query.values, **cookies, "member": member, "topic": topic}
        if query.verb == PROJECTED:
            values["code"] = self.settings.class_code if member else ""
        if not member:
            values |= dict.fromkeys(KEYS, "")
        return replace(query, values=values)

    def _looked_at(self, query: Query) -> tuple[str, ...]:
        """The keys that a question is answered by, the one that ends sooner first."""
        if query.verb in PAGES:
            return TEACHER, STUDENT
        return (STUDENT,) if query.verb in OF_STUDENTS else (TEACHER,)

    def _new_keys(self, query: Query, answer: Answer, cookies: Mapping[str, str]) -> dict[str, str]:
        """The keys that this browser is to keep from here on."""
        if key := typed_by(query.verb):
            return {key: cookies[key]}
        if query.verb in ARRIVING:
            new = json.loads(answer.body).get("key")
            return {STUDENT: new} if isinstance(new, str) and WRITTEN.fullmatch(new) else {}
        return {}

    def _cookies(self, keys: Mapping[str, str]) -> tuple[str, ...]:
        """Return what a browser is to keep from here on; an empty key it forgets."""
        return tuple(
            gate.with_cookie(self._cookie(key), value, TEACHING if key == TEACHER else gate.CODE_KEPT)
            for key, value in keys.items()
        )

    def _cookie(self, key: str) -> str:
        return f"damier-{key}-{self.settings.port}"


def typed_by(verb: str) -> str:
    """Return whose key is typed into a question."""
    return {"classroom.identify": STUDENT, "classroom.teach": TEACHER}.get(verb, "")


def too_many() -> Answer:
    return failure(429, _("too many wrong codes or keys from here; try again in a minute"))


# What goes on in the hub beside questions about the class. The process behind it (what that does is in
# `damier.plugins.classroom.class_process`) is told when there is something new, started again where it ends,
# and ended with the lab. The table is told to all who watch as it changes: made once for all of one language,
# and for nobody where nobody watches.

PAUSES = 1.0, 10.0
"""Seconds before another process is started in the place of one that has ended: twice as long each time, up
to so many.
"""
STEADY = 60.0
"""Seconds after which one that has ended is taken for an accident."""
LOOK = 1.0
"""Seconds between two looks at what has changed."""
BYTES_A_SECOND = 10e6
"""What the tables may take of the network: the more watch, the fewer they get."""
LOOKING = 20.0


class ClassService:
    """Everything of a class that goes on in the hub."""

    def __init__(self, lab: WebLab) -> None:
        self.settings, self.hub, self.pool = lab.settings, lab.hub, lab.pools["class"]
        self.auth = ClassAuth(lab.settings)
        self._process: asyncio.subprocess.Process | None = None
        self._versions: dict[str, str] = {}
        self.routes = [
            Route("/class/enter", self._enter, methods=["POST"]),
            Route("/class/leave", self._leave, methods=["POST"]),
        ]

    async def answer(self, headers: Headers, query: Query, ask: Ask) -> Answer:
        """The answer to a question about the class, which passes its authentication."""
        found = await self.auth.answer(headers, query, ask)
        if found.status == 200 and query.verb in CHANGES:
            tell_process(self._process, b"")  # there is something new
        return found

    async def run(self) -> None:
        """Goes on until it is cancelled."""
        await asyncio.gather(self._keep_working(), self._tell_all())

    async def close(self) -> None:
        """Ends the process, whatever it is at: what it had not finished the next one does."""
        if self._process is not None and self._process.returncode is None:
            await end_process(self._process)

    async def _keep_working(self) -> None:
        """Keeps a process running until it is cancelled; none where the lab has no class."""
        pause, loop = PAUSES[0], asyncio.get_running_loop()
        while self.settings.class_folder:
            begun = loop.time()
            with contextlib.suppress(OSError):  # the machine has no room for it now
                self._process = await start_process(
                    "damier.plugins.classroom.class_process",
                    self.settings.class_folder,
                    stdout=asyncio.subprocess.DEVNULL,
                )
                await self._process.wait()
            pause = PAUSES[0] if loop.time() - begun > STEADY else min(2 * pause, PAUSES[1])
            await asyncio.sleep(pause)

    async def _tell_all(self) -> None:
        """Tells the table, a topic a language, until it is cancelled."""
        loop = asyncio.get_running_loop()
        due: dict[str, float] = {}
        while self.settings.store:
            for language in languages():
                topic = f"{topic_of(self.settings)}/{language}"
                if topic not in self.hub.watchers:
                    self._versions.pop(topic, None)
                    self.hub.forget(topic)
                elif loop.time() >= due.get(topic, 0.0):
                    sent = await self._tell(topic, language) * len(self.hub.watchers.get(topic, ()))
                    due[topic] = loop.time() + max(LOOK, sent / BYTES_A_SECOND)
            await asyncio.sleep(LOOK / 4)

    async def _tell(self, topic: str, language: str) -> int:
        """Tells what is new; the number of bytes."""
        query = Query("classroom.live", {"since": self._versions.get(topic, "")}, language)
        answer = await self.pool.ask(query.line, LOOKING)
        if answer.status != 200:
            return 0
        found = json.loads(answer.body)
        if not found["parts"]:
            return 0
        self._versions[topic] = found["version"]
        self.hub.publish(topic, {"parts": found["parts"]})
        return len(answer.body)

    async def _enter(self, request: Request) -> Response:
        """Let in whoever shows the code of the class."""
        body = await body_of(request)
        asker = request.state.asker
        try:
            values = Query.read("", body or "", request.state.language, asker).values
        except BadInput as error:
            return response(failure(400, str(error)))
        return response(self.auth.enter(values, asker))

    async def _leave(self, request: Request) -> Response:
        """Take away the keys that this browser keeps."""
        return response(self.auth.leave())
