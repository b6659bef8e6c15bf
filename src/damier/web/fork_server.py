"""The fork server: a process in which all that workers need is imported and looked up once, and from
which they are forked, each within milliseconds (Linux; see docs/decisions/0070).

It runs nothing of a user's: what a worker does later, none of the others sees. The hub speaks to it by
a socket (`forks.py`): an order is a line, and for a worker the end of the socket by which that is asked.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
from collections.abc import Iterator
from typing import NamedTuple

from damier.core.job import stand_back
from damier.web.messages.hub import FORK, LONGEST, NO_ROOM, WARM
from damier.web.registry import Registry
from damier.web.settings import Settings
from damier.web.warming import steps
from damier.web.worker import bounded, end_with_parent, opened, without_streams, work


class Order(NamedTuple):
    """What a new worker is to do: how far it stands back, by what it is asked."""

    nice: int
    asked_by: socket.socket


class ForkServer:
    """Orders of the hub, and between them what makes the next worker quick."""

    def __init__(self, hub: socket.socket, registry: Registry) -> None:
        self.hub, self.registry = hub, registry
        self._steps: Iterator[None] = iter(())
        self._warming = False

    def serve(self) -> Order:
        """Obeys until the hub goes; returns in every fork, with what that is to do."""
        while True:
            if not self._warming or select.select([self.hub], [], [], 0)[0]:
                order = self._heard()
                if order and self._forks(order.nice):
                    return order
                if order:
                    order.asked_by.close()
            elif next(self._steps, self) is self:
                self._warming = False
                self.hub.send(WARM)

    def _heard(self) -> Order | None:
        """The next order, where it is one for a worker. Ends this process with the hub."""
        line, files, _flags, _address = socket.recv_fds(self.hub, LONGEST, 1)
        if not line:
            os._exit(0)
        if line == WARM:
            self._steps, self._warming = steps(self.registry), True
            return None
        return Order(int(line.removeprefix(FORK)), socket.socket(fileno=files[0]))

    def _forks(self, nice: int) -> bool:
        """True in the fork; here, the hub is told of it: by what it is ended, or that there is no room."""
        try:
            number = os.fork()
            if number == 0:
                return True
            handle = os.pidfd_open(number)  # of this very process, even where it has ended meanwhile
        except OSError:
            self.hub.send(NO_ROOM)
            return False
        socket.send_fds(self.hub, [str(number).encode()], [handle])
        os.close(handle)
        return False


def main() -> None:
    """Forks workers until the hub goes; in each fork, is that worker."""
    settings = Settings.from_text(sys.argv[1])
    server = os.getpid()
    end_with_parent()
    hub = socket.socket(fileno=os.dup(0))
    without_streams()
    registry = opened(settings)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody here waits for those that end
    nice, asked_by = ForkServer(hub, registry).serve()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    hub.close()
    os.setsid()
    bounded(settings.largest)
    if os.getppid() != server:  # it ended before it could take this process along
        os._exit(0)
    stand_back(nice)
    work(registry, asked_by.makefile("rb"), asked_by.makefile("wb"))


if __name__ == "__main__":
    main()
