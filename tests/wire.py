"""A wire between a browser and a lab, which a test can cut and mend: it relays what both say, and
knows nothing of it.
"""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from urllib.parse import urlsplit

from browsing import Served


class Wire:
    """`address` is that of the lab, as it is reached through the wire."""

    def __init__(self, served: Served) -> None:
        place = urlsplit(served.address)
        self._lab = (place.hostname, place.port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._whole = True
        self._ends: list[socket.socket] = []
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Every connection breaks, and no new one comes about."""
        with self._lock:
            self._whole = False
            for end in self._ends:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
            self._ends.clear()

    def mend(self) -> None:
        with self._lock:
            self._whole = True

    def close(self) -> None:
        self.cut()
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                near, _address = self._listener.accept()
                with self._lock:
                    if not self._whole:
                        near.close()
                        continue
                    far = socket.create_connection(self._lab)
                    self._ends += [near, far]
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=relay, args=(source, target), daemon=True).start()


def relay(source: socket.socket, target: socket.socket) -> None:
    """Passes on what comes, until either end is closed; then closes both."""
    with suppress(OSError):
        while some := source.recv(1 << 16):
            target.sendall(some)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()
