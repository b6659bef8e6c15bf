"""The process behind the class, as the hub sees it: it is told when there is something new, started
again where it ends, and ended with the lab. What it does is in `damier.lab.classroom.process`.
"""

from __future__ import annotations

import asyncio
import contextlib

from damier.core.interpreter import python
from damier.web.ending import end_process
from damier.web.settings import Settings

PAUSES = 1.0, 10.0
"""Seconds before another is started in the place of one that has ended: twice as long each time, up to
so many.
"""
STEADY = 60.0
"""Seconds after which one that has ended is taken for an accident."""


class ClassProcess:
    """At most one at a time; none where the lab has no class."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._process: asyncio.subprocess.Process | None = None

    async def run(self) -> None:
        """Keeps one running until it is cancelled."""
        pause, loop = PAUSES[0], asyncio.get_running_loop()
        while self.settings.class_folder:
            begun = loop.time()
            with contextlib.suppress(OSError):  # the machine has no room for it now
                self._process = await asyncio.create_subprocess_exec(
                    *python("-m", "damier.lab.classroom.process", self.settings.class_folder),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.DEVNULL,
                    start_new_session=True,  # a Ctrl-C at the terminal is for the hub
                )
                await self._process.wait()
            pause = PAUSES[0] if loop.time() - begun > STEADY else min(2 * pause, PAUSES[1])
            await asyncio.sleep(pause)

    def look(self) -> None:
        """Tells it that there is something new."""
        process = self._process
        if process is not None and process.stdin is not None and not process.stdin.is_closing():
            with contextlib.suppress(OSError, RuntimeError):
                process.stdin.write(b"\n")

    async def close(self) -> None:
        """Ends it, whatever it is at: what it had not finished the next one does."""
        if self._process is not None and self._process.returncode is None:
            await end_process(self._process)
