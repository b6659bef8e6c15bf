"""A worker: a process that answers one question after the other, as it was forked (`forked`), or on its
standard streams.

A question is a line: how many others wait or are answered now, and its JSON (`WorkerQuestion`); an answer
is a line `STATUS TYPE LENGTH MEMORY SECONDS` and LENGTH bytes. MEMORY is what the process holds after it,
in bytes, SECONDS the CPU time that it took. The hub ends a worker that takes too long or holds too much,
so nothing that is asked can stop the lab.

On Linux workers are forked from one process, the fork server, in which all that they need is imported and
looked up once (docs/decisions/0023).
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import IO, NoReturn

from damier.core.errors import DamierError, LimitReached, UnknownName, WrongKey
from damier.core.job import fault_in_words, resident, stand_back
from damier.core.json_data import to_json
from damier.core.numba_adapter import only_from_cache
from damier.core.runtime import end_with_parent, limit_memory, next_line_of, release_streams, take_streams
from damier.core.tiers import copies_stand_back
from damier.core.words import _, languages, speaking
from damier.lab.agents import brought
from damier.lab.games import Lab
from damier.lab.plugins import resolved
from damier.web import pages
from damier.web.limits import shared
from damier.web.messages import (
    FORK,
    FORK_SERVER,
    LARGEST_ANSWER,
    LONGEST,
    NO_ROOM,
    WARM,
    Download,
    Params,
    Query,
    WorkerQuestion,
)
from damier.web.pages import for_page
from damier.web.registry import Registry, RoomFunction
from damier.web.rooms import ROOMS
from damier.web.settings import Settings

# What the fork server does before workers are forked from it, in steps, so that nobody who asks for a
# worker meanwhile waits for all of them.


PAGES: tuple[tuple[str, dict[str, str]], ...] = (
    ("home.page", {}),
    ("gallery.page", {}),
    ("board.page", {"game": "connect_four", "show": "truth"}),
    ("training_room.page", {"game": "hexapawn"}),
    ("matchboxes.page", {}),
    ("tree.page", {}),
    ("lessons.page", {}),
)
"""Pages that are made for nobody: what they load, all workers have."""
GAMES = ("hexapawn", "tictactoe", "connect_four", "othello", "nim", "isola")
AGENTS = ("medium", "strong", "mcts")
"""Who is played most, and at what: their engines are read, where the cache has them."""


def steps(registry: Registry) -> Iterator[None]:
    """Each step makes something ready; none of them compiles anything."""
    opened = [room for room in ROOMS.values() if registry.settings.store or not room.of_store]
    for room in opened:
        if room.warms:
            yield from resolved(room.warms)()
    made = pages.environment()
    work = chain[Callable[[], object]](
        # which imports its room
        (partial(function_of, verb) for verb in ROOMS.verbs if ROOMS.of(verb) in opened),
        (partial(made.get_template, template) for template in made.list_templates()),
        (
            partial(reply, registry, Query(verb, values, language).line)
            for verb, values in PAGES
            for language in languages()
        ),
        (partial(read_engines, registry, game, agent) for game in GAMES for agent in AGENTS),
    )
    for step in work:
        step()
        yield
    gc.collect()
    gc.freeze()  # what is never looked at again by the collector stays shared by all workers


def read_engines(registry: Registry, game: str, agent: str) -> None:
    """Reads the engines by which an agent plays, if the cache has all of them."""
    with contextlib.suppress(DamierError), only_from_cache():
        first_move(registry.lab(game), registry.bounded(game, agent))


def first_move(lab: Lab, agent: str) -> int:
    """The first move of an agent, found by compiled engines."""
    compiled = Lab(lab.game, replace(lab.job, jit=True), loads_files=False)
    return brought(compiled, agent).choose(lab.game, lab.game.start, [0])


# The fork server: a process in which all that workers need is imported and looked up once, and from
# which they are forked, each within milliseconds (Linux; see docs/decisions/0023).
#
# It runs nothing of a user's: what a worker does later, none of the others sees. The hub speaks to it by
# a socket (`pool.py`): an order is a line, and for a worker the end of the socket by which that is asked.


def forked(hub: socket.socket, registry: Registry) -> tuple[int, socket.socket]:
    """Obeys until the hub goes, and makes the next worker quick between its orders; returns in every fork how
    far it stands back, and by what it is asked.
    """
    warming: Iterator[None] | None = None
    while True:
        if warming is not None and not select.select([hub], [], [], 0)[0]:
            if next(warming, hub) is hub:
                warming = None
                hub.send(WARM)
            continue
        line, files, _flags, _address = socket.recv_fds(hub, LONGEST, 1)
        if not line:
            os._exit(0)
        if line == WARM:
            warming = steps(registry)
            continue
        asked_by = socket.socket(fileno=files[0])
        try:
            number = os.fork()
            if number == 0:
                return int(line.removeprefix(FORK)), asked_by
            handle = os.pidfd_open(number)  # of this very process, even where it has ended meanwhile
        except OSError:
            hub.send(NO_ROOM)
        else:  # by what it is ended
            socket.send_fds(hub, [str(number).encode()], [handle])
            os.close(handle)
        asked_by.close()


def serve_forks() -> NoReturn:
    """Forks workers until the hub goes; in each fork, is that worker."""
    settings = Settings.from_text(sys.argv[1])
    server = os.getpid()
    end_with_parent()
    hub = socket.socket(fileno=os.dup(0))
    release_streams()
    registry = opened(settings)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody here waits for those that end
    nice, asked_by = forked(hub, registry)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    hub.close()
    os.setsid()
    bounded(settings.largest)
    if os.getppid() != server:  # it ended before it could take this process along
        os._exit(0)
    stand_back(nice)
    work(registry, asked_by.makefile("rb"), asked_by.makefile("wb"))


COMPILING = 3
"""How far what compiles stands back behind its worker, which answers in plain Python meanwhile."""
HTML, JSON = "text/html", "application/json"


def function_of(verb: str) -> RoomFunction:
    """Return the function of a verb; its room is imported when it is first asked for.

    Raises KeyError for what is no verb.
    """
    if verb not in ROOMS.verbs:
        raise KeyError(verb)
    name, called = verb.split(".")
    room = ROOMS[name]
    function: RoomFunction = resolved(f"{room.module}:{room.prefix}{called}")
    return function


STATUSES: tuple[tuple[type[DamierError], int], ...] = (
    (WrongKey, 403),
    (LimitReached, 422),
    (UnknownName, 404),
)
"""Of refusals, as in HTTP; of all others it is 400."""


def refusal(status: int, sentence: str) -> tuple[int, str, str]:
    return status, JSON, to_json({"error": sentence})


def answer(registry: Registry, verb: str, params: Params) -> tuple[int, str, str | bytes]:
    """Status, type and content of an answer: a page is a text, a file says its own type, all else is an
    object.
    """
    if verb not in ROOMS.verbs:
        return refusal(404, _("there is no such question"))
    try:
        found = function_of(verb)(registry, params)
    except DamierError as error:
        status = next((status for kind, status in STATUSES if isinstance(error, kind)), 400)
        return refusal(status, for_page(str(error)))
    except (MemoryError, RecursionError):
        return refusal(422, _("the machine has not enough memory for this"))
    if isinstance(found, Download):
        return 200, found.kind, found.content
    return (200, HTML, found) if isinstance(found, str) else (200, JSON, to_json(found))


def reply(registry: Registry, line: bytes) -> tuple[int, str, bytes]:
    """The answer to one question, also where damier itself or a user's game fails."""
    question: WorkerQuestion = json.loads(line)
    with speaking(question["language"]):
        try:
            status, kind, content = answer(registry, question["verb"], Params.read(question["body"].encode()))
        except DamierError as error:
            status, kind, content = refusal(400, for_page(str(error)))
        except BaseException as error:  # a person at a page reads one line; who serves sees where
            sys.excepthook(*sys.exc_info())
            status, kind, content = refusal(500, fault_in_words(error))
        body = content.encode(errors="replace") if isinstance(content, str) else content
        if len(body) > LARGEST_ANSWER:
            sentence = _("the answer would be larger than {n} MiB; ask for less", n=LARGEST_ANSWER >> 20)
            status, kind, content = refusal(422, sentence)
            body = content.encode()
        return status, kind, body


def bounded(memory: int) -> None:
    """From here on memory beyond `memory` bytes is refused to this process, where the system can
    (Linux), and it ends with the process that started it.

    The second is for work that never lets another thread run, so that no thread sees that the
    hub has gone.
    """
    if sys.platform != "linux":
        return
    limit_memory(memory)
    end_with_parent()


def opened(settings: Settings) -> Registry:
    """Return what every worker begins with."""
    pages.list_rooms(bool(settings.store))
    return Registry(settings)


def work(registry: Registry, questions: IO[bytes], answers: IO[bytes]) -> NoReturn:
    """Answers until the hub goes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who works for somebody ends with him
    copies_stand_back(COMPILING)
    next_line = next_line_of(questions)
    while True:
        others, _space, question = next_line().partition(b" ")
        begun = time.process_time()
        registry.thinking = shared(int(others))
        status, kind, body = reply(registry, question)
        spent = time.process_time() - begun
        with contextlib.suppress(BrokenPipeError):  # the hub has gone: this process ends, too
            answers.write(f"{status} {kind} {len(body)} {resident()} {spent:.4f}\n".encode() + body)
            answers.flush()


def main() -> None:
    """A worker that was started, not forked; or, told to `fork`, what workers are forked from."""
    if sys.argv[2] == FORK_SERVER:
        serve_forks()
    settings = Settings.from_text(sys.argv[1])
    stand_back(int(sys.argv[2]))
    bounded(settings.largest)
    questions, answers = take_streams()
    work(opened(settings), questions, answers)


if __name__ == "__main__":
    main()
