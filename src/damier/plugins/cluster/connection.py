"""Being joined to a cluster of machines: one of this machine alone, or one that is there.

Ray does the work of a cluster: it starts processes, carries what they send each other, and sees which
machine is lost. This file alone starts and joins it. Its import takes a third of a second and its
start three, so both wait until somebody asks for a cluster.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import secrets
import shutil
import socket
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Protocol, cast

from damier.core.errors import BadInput
from damier.core.files import require_alone
from damier.core.job import Job, default_memory, uninterrupted
from damier.core.json_data import to_json
from damier.core.runtime import needing
from damier.core.words import N_, _, message
from damier.lab.worker import OpenedWorker
from damier.lab.workers import (
    Hiring,
    News,
    OwedPiece,
    PieceWork,
    PieceWorker,
    WorkerLine,
    Workforce,
    WorkPool,
)

# What damier uses of the objects that Ray makes, as types; Ray's own are not looked at.


class ObjectRef(Protocol):
    """Something that an actor will have answered; Ray knows where it lies."""

    def hex(self) -> str:
        """Its name in the cluster."""
        ...


class RemoteMethod(Protocol):
    """A method of an actor."""

    def remote(self, *given: object) -> ObjectRef:
        """Asks for an answer, which is not waited for."""
        ...

    def options(self, *, num_returns: int) -> RemoteParts:
        """Return the method for an answer in several parts, each an object of its own."""
        ...


class RemoteParts(Protocol):
    """A method of an actor that answers in at least two parts."""

    def remote(self, *given: object) -> list[ObjectRef]: ...


def remote(method: Callable[..., object], actor: object) -> RemoteMethod:
    """A method of what an actor is, wherever that is."""
    found: RemoteMethod = getattr(actor, method.__name__)
    return found


LOCAL: Final = "local"
"""The address that means: a cluster of this machine alone."""

LEAST_STORE, MOST_STORE = 80 << 20, 8 << 30
"""Bytes of the object store, where processes of one machine share what they send: Ray's own least."""
SHARE_OF_STORE = 4
"""The object store takes this part of the memory budget; what is more, Ray writes to a folder."""
REACHED = 5.0
"""Seconds in which an address must answer; Ray itself would go on trying for minutes."""
ELSEWHERE = ("8.8.8.8", 80)
"""An address outside, as Ray uses it to learn that of this machine."""
FRAME_TYPE, SETTINGS = 3, b"\x04"
"""Where a frame of HTTP/2 says its type, and the type of one with settings."""
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(3) + SETTINGS + bytes(5)
"""What a client of HTTP/2 says first; its own settings are those that every side begins with."""
SHORT: Final = "/tmp"
ADDRESS = re.compile(r"(?P<host>[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\]):(?P<port>[0-9]{1,5})")

QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is told to the makers of Ray
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}
LOOPBACK = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
"""Ray then listens on 127.0.0.1 alone, also on Linux, and takes this address for itself."""
ALONE = LOOPBACK | {
    "RAY_AUTH_MODE": None,  # Ray's default for a cluster of its own: who has no token is not let in
}


@dataclass(frozen=True)
class Cluster:
    """A cluster that this process is joined to: the cores and the machines that it has."""

    cores: int
    nodes: int


@contextlib.contextmanager
def connect(address: str, *, cores: int, memory: int | None = None) -> Iterator[Cluster]:
    """Joins a cluster inside the block: `HOST:PORT` one that is there, of which this machine is a part;
    `local` one of `cores` processes on this machine, which ends with the block and has a quarter of
    `memory` bytes to share what is sent.

    Raises BadInput where Ray is missing, where the address is none, and where it does not answer.
    """
    if address != LOCAL:
        _require_answer(address)
    with _environment(QUIET | _around(address)), _folder(address) as folder:
        require_ray()  # Ray reads some of the environment as it is imported
        import ray

        with uninterrupted():  # half started, its processes would be nobody's
            logging.getLogger("ray").setLevel(logging.CRITICAL)
            try:
                ray.init(
                    include_dashboard=False if address == LOCAL else None,
                    log_to_driver=False,
                    logging_level=logging.CRITICAL,
                    **(_started(cores, memory, folder) if address == LOCAL else {"address": address}),
                )
            except (ConnectionError, RuntimeError, ValueError, OSError, TimeoutError) as error:
                ray.shutdown()
                raise _refusal(address, error) from error
        try:
            alive = [int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]]
            with _silent():
                yield Cluster(sum(alive), len(alive))
        finally:
            with uninterrupted():
                ray.shutdown()


def require_ray() -> None:
    """Raises BadInput where Ray is not installed."""
    with needing("ray", N_("--cluster needs more packages: {command}")):
        import fsspec  # noqa: F401
        import ray  # noqa: F401


def _require_answer(address: str) -> None:
    """Raises BadInput where an address is not one, or nobody answers there."""
    match = ADDRESS.fullmatch(address)
    if match is None or not 0 < int(match["port"]) < 1 << 16:
        raise BadInput(message("--cluster {address}: it is HOST:PORT, or local", address=address))
    try:
        with socket.create_connection((match["host"].strip("[]"), int(match["port"])), REACHED) as connection:
            if os.environ.get("RAY_USE_TLS") != "1" and not _speaks_http2(connection):
                raise _refusal(address, ValueError(_("what answers there is not Ray")))
    except OSError as error:
        raise _refusal(address, error) from error


def _speaks_http2(connection: socket.socket) -> bool:
    """Return whether the other side begins as all of Ray does, which talks by gRPC: the first frame of a
    server of HTTP/2 has its settings (RFC 9113, 3.4). Others answer something else, or wait. Raises OSError.
    """
    connection.sendall(PREFACE)
    begun = b""
    while len(begun) <= FRAME_TYPE and (more := connection.recv(64)):
        begun += more
    return begun[FRAME_TYPE : FRAME_TYPE + 1] == SETTINGS


def _refusal(address: str, error: Exception) -> BadInput:
    """Return why a cluster could not be joined, in one line."""
    lines = str(error).strip().splitlines()
    reason = lines[0] if lines else type(error).__name__
    if address == LOCAL:
        return BadInput(message("--cluster local: Ray does not start ({error})", error=reason))
    return BadInput(
        message(
            "--cluster {address} cannot be reached ({error}); on this machine too,"
            " `ray start --address={address}` comes first",
            address=address,
            error=reason,
        )
    )


def _around(address: str) -> dict[str, str | None]:
    """The environment in which Ray reaches an address."""
    if address == LOCAL:
        return {**ALONE, "RAY_AUTH_TOKEN": _token()}
    return {**LOOPBACK} if _is_on_loopback_alone(address) else {}


def _is_on_loopback_alone(address: str) -> bool:
    """Return whether nobody answers where Ray would look instead of 127.0.0.1 or localhost: at the address
    that this machine has for others.
    """
    host, port = address.rsplit(":", 1)
    if host not in ("127.0.0.1", "localhost"):
        return False
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            asking.connect(ELSEWHERE)  # which sends nothing
            own = asking.getsockname()[0]
        socket.create_connection((own, int(port)), REACHED).close()
    except ConnectionError:
        return True
    except OSError:  # there is no network: Ray looks at 127.0.0.1
        return False
    return False


@cache
def _token() -> str:
    """The token of all clusters of this process: Ray reads it once."""
    return secrets.token_hex(32)


def _started(cores: int, memory: int | None, folder: str) -> dict[str, object]:
    """Return how a cluster of this machine is started."""
    store = (default_memory() if memory is None else memory) // SHARE_OF_STORE
    return {
        "num_cpus": cores,
        "num_gpus": 0,
        "object_store_memory": max(LEAST_STORE, min(store, MOST_STORE)),
        "_temp_dir": folder,
    }


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Keeps what Ray says of a lost machine away from standard output, where a thread of its own would
    print it in the middle of an answer, also with `log_to_driver=False`; it stands in its logs.
    """
    from ray._private import worker

    before = worker.print_to_stdstream
    worker.print_to_stdstream = lambda *line, **options: None
    try:
        yield
    finally:
        worker.print_to_stdstream = before


@contextlib.contextmanager
def _folder(address: str) -> Iterator[str]:
    """Yield the folder in which a cluster of this machine keeps its sockets and logs: a short path, since a
    socket has room for a hundred letters.
    """
    if address != LOCAL:
        yield ""
        return
    with scratch_folder(Path(SHORT if os.path.isdir(SHORT) else tempfile.gettempdir())) as folder:
        yield str(folder)


@contextlib.contextmanager
def _environment(values: Mapping[str, str | None]) -> Iterator[None]:
    """Has these variables of the environment inside the block, for the processes that Ray starts; None:
    there is none of this name.
    """
    before = {name: os.environ.get(name) for name in values}
    _set(values)
    try:
        yield
    finally:
        _set(before)


def _set(values: Mapping[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


# The folder of a cluster of this machine, for its sockets and logs.
#
# It goes with the cluster. Where the process was killed (`kill -9`) it stays, and the next cluster
# removes it:
# a folder has a file that its process alone holds locked, and the system lets go for who is gone.

PREFIX: Final = "damier-ray-"
BEGUN: Final = "damier-new-"
"""Of a folder that nobody has locked yet, which nobody else must take for one that was left."""
LOCK: Final = "lock"


@contextlib.contextmanager
def scratch_folder(parent: Path) -> Iterator[Path]:
    """A new folder in `parent`, there as long as the block lasts; those that were left there are removed."""
    remove_left(parent)
    begun = Path(tempfile.mkdtemp(prefix=BEGUN, dir=parent))
    descriptor = os.open(begun / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        require_alone(descriptor, begun / LOCK, "")
        folder = begun.rename(parent / f"{PREFIX}{begun.name.removeprefix(BEGUN)}")
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(descriptor)


def remove_left(parent: Path) -> None:
    """Removes the folders that processes of this user left when they were killed."""
    if sys.platform == "win32":  # nobody tells there who is gone
        return
    for folder in parent.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError, BadInput):
            if folder.lstat().st_uid == os.geteuid() and not folder.is_symlink():
                _remove(folder)


def _remove(folder: Path) -> None:
    """Removes a folder unless its process is still there. Raises OSError, BadInput."""
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        require_alone(descriptor, folder / LOCK, "")
        shutil.rmtree(folder)
    finally:
        os.close(descriptor)


# Workers of a cluster: an actor of Ray a core, which keeps what it has made.
#
# What goes to an actor and comes from it are the lines of `damier.lab.worker`, as texts. A machine that is
# lost takes its actors with it: what they had to do is done again by the others.

LOOK = 0.1
"""Seconds between two looks for a Ctrl-C."""
MOST_LOST = 5
"""How often a piece is begun whose actor is lost: a machine may go without its fault."""


class RemoteWorker:
    """The actor: what it tells of a piece it answers when that has ended."""

    def __init__(self) -> None:
        self._told: list[WorkerLine] = []
        self._worker: OpenedWorker | None = None

    def open(self, opening: str) -> str:
        """Makes the doer; what it has to tell."""
        self._worker = OpenedWorker(opening, self._told.append)
        return self._taken()

    def do(self, number: int, order: str) -> str:
        """Does a piece; all that it told."""
        assert self._worker is not None
        self._worker.do(number, json.loads(order))
        return self._taken()

    def _taken(self) -> str:
        lines = [to_json(line) for line in self._told if "progress" not in line]  # which would be late
        self._told.clear()
        return f"[{','.join(lines)}]"


class Actor:
    """An actor, and what it was asked: `opening` until it is ready, then some pieces, in their order."""

    def __init__(self, opening: str) -> None:
        import ray

        maker = ray.remote(RemoteWorker).options(num_cpus=1, max_restarts=0)
        self.handle: object = maker.remote()
        self.answers: deque[ObjectRef] = deque([remote(RemoteWorker.open, self.handle).remote(opening)])
        self.owed: deque[OwedPiece] = deque()
        self.is_ready = False

    def order(self, piece: OwedPiece) -> None:
        self.owed.append(piece)
        self.answers.append(remote(RemoteWorker.do, self.handle).remote(piece.number, to_json(piece.order)))


class ActorWorkers:
    """Actors on a cluster that this process is joined to."""

    most_tries = MOST_LOST

    def __init__(self, count: int, note: Callable[[str], None]) -> None:
        self._note = note
        self._most_unopened = MOST_LOST * count
        self._unopened = 0  # actors that were lost before they were ready, one after the other

    def start(self, opening: str) -> Actor:
        return Actor(opening)

    def hear(self, workers: Sequence[PieceWorker]) -> list[News]:
        """Wait for answers, and see Ctrl-C meanwhile. A loss is told also where an actor had nothing to do
        yet: its machine is gone.
        """
        import ray

        actors = {actor.answers[0]: actor for actor in cast("Sequence[Actor]", workers) if actor.answers}
        answered: list[ObjectRef] = []
        while not answered:
            answered, _others = ray.wait(list(actors), num_returns=1, timeout=LOOK)
        return [self._news(actors[answer]) for answer in answered]

    def _news(self, actor: Actor) -> News:
        import ray

        try:
            lines: list[WorkerLine] = json.loads(ray.get(actor.answers[0]))
        except ray.exceptions.RayError as error:
            why = str(error).strip().splitlines()[0]
            self._note(_("a machine, or a process of it, was lost; what it did is done again"))
            self._unopened += 1
            if self._unopened > self._most_unopened:
                raise BadInput(message("no machine of the cluster can do this: {how}", how=why)) from None
            return News(actor, (), why)
        actor.answers.popleft()
        actor.is_ready, self._unopened = True, 0
        return News(actor, lines)

    def end(self, workers: Sequence[PieceWorker]) -> None:
        import ray

        for actor in cast("Sequence[Actor]", workers):
            with contextlib.suppress(ray.exceptions.RayError, ValueError):
                ray.kill(actor.handle)


@contextlib.contextmanager
def hired(address: str, job: Job) -> Iterator[Hiring]:
    """Yield what hires at this address of a cluster, as long as the block lasts. Raises BadInput."""
    with connect(address, cores=job.jobs, memory=job.memory) as cluster:

        def hire(work: PieceWork) -> AbstractContextManager[Workforce]:
            count = max(1, cluster.cores)
            return closing(WorkPool(work, count, ActorWorkers(count, work.lab.job.note)))

        yield hire
