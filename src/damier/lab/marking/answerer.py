"""The process of a submission: it answers questions about a student's file, one line of JSON each.

    python -m damier.lab.marking.answerer FILE GAME LANGUAGE

It knows no right answer: whatever the file does to this process (it prints, exits, never ends,
changes damier), the worst that comes of it is a wrong answer, or none. A question is an object whose
`ask` is a key of ASKED; an answer is `{"answer": …}`, or `{"fault": MESSAGE}`, which says what went
wrong, and where (`packed` of `core/words.py`).
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from types import SimpleNamespace

from damier.core.errors import BadInput, DamierError
from damier.core.game import Game
from damier.core.interpreter import limit_memory
from damier.core.json_types import JsonValue
from damier.core.words import message, packed, said_by, speak
from damier.lab.games import load
from damier.lab.marking.questions import agents, functions
from damier.lab.marking.student_file import Question, StudentFile

MEMORY = 1 << 29


def has_run(file: StudentFile, asked: Question) -> bool:
    """Has run the file."""
    return True


ASKED: dict[str, Callable[[StudentFile, Question], object]] = {
    "load": has_run,
    "values": functions.values,
    "answers": functions.answers,
    "calls": functions.calls,
    "typed": functions.typed,
    "tree": functions.tree,
    "agents": agents.names,
    "agent": agents.agent,
    "moves": agents.moves,
    "train": agents.train,
    "replay": agents.replay,
    "scores": agents.scores,
    "policies": agents.policies,
    "epsilon": agents.epsilon,
    "saved": agents.saved,
}
"""What may be asked."""


def serve(path: Path, game: Game, questions: TextIOWrapper, answers: TextIOWrapper) -> None:
    """Answers until nobody asks any more."""
    file: StudentFile | None = None
    for line in questions:
        asked = SimpleNamespace(**json.loads(line))
        said: dict[str, JsonValue]
        try:
            file = file or StudentFile(path, game)
            if asked.ask not in ASKED:
                raise BadInput(asked.ask)
            said = {"answer": ASKED[asked.ask](file, asked)}  # type: ignore[dict-item]  # each answers JSON
        except DamierError as error:
            said = {"fault": packed(said_by(error))}
        except MemoryError:
            said = {"fault": packed(message("{file}: it takes more memory than it may", file=path.name))}
        except RecursionError:
            said = {
                "fault": packed(message("{file}: its calls go too deep (RecursionError)", file=path.name))
            }
        answers.write(json.dumps(said) + "\n")
        answers.flush()


def main() -> None:
    """Serves on the standard streams, which are then those of nobody else."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it answers Ctrl-C, and ends it
    path, game = Path(sys.argv[1]), load(sys.argv[2])
    speak(sys.argv[3])
    questions = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    limit_memory(MEMORY)
    sys.path.insert(0, str(path.resolve().parent))
    serve(path, game, questions, answers)


if __name__ == "__main__":
    main()
