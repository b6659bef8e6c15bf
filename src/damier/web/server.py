"""The server in front of the lab: uvicorn, held to what a lab needs, and ended at once when it is
told to.
"""

from __future__ import annotations

import contextlib
import socket
import sys
from dataclasses import replace

import uvicorn

from damier.web.app import WebLab, application
from damier.web.connections import ConnectionLimiter, Limits, conversing, guarded
from damier.web.hub import MOST_CLIENTS
from damier.web.settings import Settings

FILES = 300
"""Open files besides those of connections: workers, trainings, what is read."""
LARGEST_FRAME = 1 << 16
LEFT = 1 << 20
"""Bytes of an answer that somebody may leave with us while the lab is short of memory."""
VANISHED = 20.0
"""Seconds between two signs of life that are asked of a connection, and for its answer."""
DEAF = 30
"""Seconds after which a connection is cut whose other end takes nothing of what it is sent."""


class Server(uvicorn.Server):
    """uvicorn, told to end: no answer is waited for that nobody will read."""

    def __init__(self, config: uvicorn.Config, lab: WebLab) -> None:
        super().__init__(config)
        self.lab = lab

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.lab.close()
        await super().shutdown(sockets)


def run(settings: Settings, listener: socket.socket) -> None:
    """Serves until Ctrl-C or SIGTERM, which then end this process as they end any."""
    patient_no_longer(listener)
    limits = Limits()
    door = ConnectionLimiter(
        replace(
            limits,
            total=min(limits.total, enough_files(limits.total + MOST_CLIENTS + FILES) - MOST_CLIENTS - FILES),
        )
    )
    lab = WebLab(settings)
    lab.memory.spared.append(lambda: door.relieve(LEFT))
    config = uvicorn.Config(
        application(lab),
        # of h11: the headers of a request are bounded (64 kB); httptools has no such bound
        http=guarded(door),
        ws=conversing(),
        log_level="error",  # its warnings are of what others send wrongly, as often as they like
        ws_max_size=LARGEST_FRAME,
        # on a network of one room it costs more time than it saves, and memory for every connection
        ws_per_message_deflate=False,
        ws_ping_interval=VANISHED,
        ws_ping_timeout=VANISHED,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=2,
        timeout_keep_alive=limits.idle,
    )
    Server(config, lab).run(sockets=[listener])


def enough_files(wanted: int) -> int:
    """Files that this process may have open: every connection is one, and systems allow more than
    they give at first.
    """
    try:
        import resource
    except ImportError:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        return allowed
    return soft


def patient_no_longer(listener: socket.socket) -> None:
    """What waits to be sent to somebody who reads nothing is given up after DEAF seconds (Linux;
    elsewhere after what the system thinks right).
    """
    if sys.platform == "linux":
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * DEAF)
