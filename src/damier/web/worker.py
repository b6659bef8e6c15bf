"""A worker: a process that answers one question after the other, as it was forked (`fork_server.py`), or
on its standard streams.

A question is a line: how many others wait or are answered now, and its JSON (`WorkerQuestion`); an answer
is a line `STATUS TYPE LENGTH MEMORY SECONDS` and LENGTH bytes. MEMORY is what the process holds after it,
in bytes, SECONDS the CPU time that it took. The hub ends a worker that takes too long or holds too much,
so nothing that is asked can stop the lab.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
import time
from collections import deque
from typing import IO, NoReturn

from damier.arena.classroom.roll import WrongKey
from damier.core.errors import DamierError, LimitReached, UnknownName
from damier.core.interpreter import limit_memory
from damier.core.interruptible import words_of
from damier.core.job import stand_back
from damier.core.json_data import to_json
from damier.core.tiers import copies_stand_back
from damier.core.words import _, speaking
from damier.web.limits import shared
from damier.web.memory import resident
from damier.web.messages.rooms import Download, WorkerQuestion
from damier.web.pages import for_page, open_class_room
from damier.web.params import Asked
from damier.web.registry import Registry
from damier.web.settings import Settings
from damier.web.verbs import LARGEST_ANSWER, VERBS, function_of

COMPILING = 3
"""How far what compiles stands back behind its worker, which answers in plain Python meanwhile."""
HTML, JSON, PDF = "text/html", "application/json", "application/pdf"


def answer(registry: Registry, verb: str, asked: Asked) -> tuple[int, str, str | bytes]:
    """Status, type and content of an answer: a page is a text, what is to be printed is bytes, all
    else an object.
    """
    if verb not in VERBS:
        return 404, JSON, to_json({"error": _("there is no such question")})
    try:
        found = function_of(verb)(registry, asked)
    except WrongKey as error:
        return 403, JSON, to_json({"error": for_page(str(error))})
    except LimitReached as error:
        return 422, JSON, to_json({"error": for_page(str(error))})
    except UnknownName as error:
        return 404, JSON, to_json({"error": for_page(str(error))})
    except DamierError as error:
        return 400, JSON, to_json({"error": for_page(str(error))})
    except (MemoryError, RecursionError):
        return 422, JSON, to_json({"error": _("the machine has not enough memory for this")})
    if isinstance(found, Download):
        return 200, found.kind, found.content
    if isinstance(found, bytes):
        return 200, PDF, found
    return (200, HTML, found) if isinstance(found, str) else (200, JSON, to_json(found))


def reply(registry: Registry, line: bytes) -> tuple[int, str, bytes]:
    """The answer to one question, also where damier itself or a user's game fails."""
    question: WorkerQuestion = json.loads(line)
    with speaking(question["language"]):
        status, kind, content = answer_or_fault(registry, question["verb"], question["body"])
        body = content.encode(errors="replace") if isinstance(content, str) else content
        if len(body) > LARGEST_ANSWER:
            refusal = _("the answer would be larger than {n} MB; ask for less", n=LARGEST_ANSWER >> 20)
            return 422, JSON, to_json({"error": refusal}).encode()
        return status, kind, body


def answer_or_fault(registry: Registry, verb: str, body: str) -> tuple[int, str, str | bytes]:
    """The same before anybody has looked at how large it is."""
    try:
        return answer(registry, verb, Asked.read(body.encode()))
    except DamierError as error:
        return 400, JSON, to_json({"error": for_page(str(error))})
    except (
        BaseException
    ) as error:  # a person at a page reads one line, never a traceback; who serves sees where
        sys.excepthook(*sys.exc_info())
        return (
            500,
            JSON,
            to_json(
                {
                    "error": _(
                        "a fault of the game, or of damier itself: {kind}: {error}",
                        kind=type(error).__name__,
                        error=words_of(error),
                    )
                }
            ),
        )


def listen(source: IO[bytes], lines: deque[bytes], arrived: threading.Semaphore) -> None:
    """Hands over the lines that arrive; ends the process when nobody is there any more to send one,
    whatever it is working on.
    """
    for line in source:
        lines.append(line)
        arrived.release()
    os._exit(0)


def bounded(memory: int) -> None:
    """From here on memory beyond `memory` bytes is refused to this process, where the system can
    (Linux), and it ends with the process that started it.

    The second is for work that never lets another thread run, so that `listen` cannot see that the
    hub has gone.
    """
    if sys.platform != "linux":
        return
    limit_memory(memory)
    end_with_parent()


def end_with_parent() -> None:
    """From here on this process is killed when the one that started it ends (Linux)."""
    import ctypes

    end_with_it = 1  # PR_SET_PDEATHSIG of prctl(2)
    ctypes.CDLL(None).prctl(end_with_it, signal.SIGKILL)


def streams() -> tuple[IO[bytes], IO[bytes]]:
    """Where questions come from and answers go to, of a process that was started for it."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    without_streams()
    return questions, answers


def without_streams() -> None:
    """What games print goes to standard error, and they have nothing to read."""
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)


def opened(settings: Settings) -> Registry:
    """What every worker begins with."""
    if settings.store:
        open_class_room()
    return Registry(settings)


def work(registry: Registry, questions: IO[bytes], answers: IO[bytes]) -> NoReturn:
    """Answers until the hub goes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who works for somebody ends with him
    copies_stand_back(COMPILING)
    lines: deque[bytes] = deque()
    arrived = threading.Semaphore(0)
    threading.Thread(target=listen, args=(questions, lines, arrived), daemon=True).start()
    while True:
        arrived.acquire()
        begun = time.process_time()
        others, _space, question = lines.popleft().partition(b" ")
        registry.thinking = shared(int(others))
        status, kind, body = reply(registry, question)
        spent = time.process_time() - begun
        with contextlib.suppress(BrokenPipeError):  # the hub has gone; `listen` ends this process
            answers.write(f"{status} {kind} {len(body)} {resident()} {spent:.4f}\n".encode() + body)
            answers.flush()


def main() -> None:
    """A worker that was started, not forked."""
    settings = Settings.from_text(sys.argv[1])
    stand_back(int(sys.argv[2]))
    bounded(settings.largest)
    questions, answers = streams()
    work(opened(settings), questions, answers)


if __name__ == "__main__":
    main()
