"""The table of a class, told to all who watch as it changes: made once for all of one language, and for
nobody where nobody watches.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field

from damier.core.words import languages
from damier.web.classroom.code import topic_of
from damier.web.hub import Hub
from damier.web.pool import Pool
from damier.web.query import Query
from damier.web.settings import Settings

LOOK = 1.0
"""Seconds between two looks at what has changed."""
BYTES_A_SECOND = 10e6
"""What the tables may take of the network: the more watch, the fewer they get."""
LOOKING = 20.0


@dataclass
class ClassStream:
    """The topics of the class, one a language."""

    settings: Settings
    hub: Hub
    pool: Pool
    _versions: dict[str, str] = field(default_factory=dict)

    async def run(self) -> None:
        """Goes on until it is cancelled."""
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
