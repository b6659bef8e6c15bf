"""Agents in processes of their own: `process:run=COMMAND`, a program in any language; and agents in
Python, played in a sandbox.
"""

from __future__ import annotations

import atexit
import os
import shlex
import shutil
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from damier.agents.isolation import MEBIBYTE, AgentCommand, AgentLimits, Launch, launch, read_command
from damier.agents.languages import built, carried, is_source, language_of, sources_of
from damier.agents.own import GameRandom, OwnPlayer
from damier.agents.process import LearningProgram, ProcessPlayer
from damier.core.errors import BadInput
from damier.core.game import Game, Option, written
from damier.core.player import Player
from damier.core.runtime import python
from damier.core.words import language, message
from damier.lab.agent_file import files_of, learnt_in, load_into, main_file
from damier.lab.games import GAMES, Lab
from damier.lab.options import parameters, read_options
from damier.lab.user_file import is_folder, parts

PYTHON_FILE = ".py"
FILE_OPTION = "file="
USUAL = AgentLimits()


class Sandbox(NamedTuple):
    """Bounds of the process of an agent: options of every such agent.

    Attributes:
        game_seconds: for all its moves of a game
        memory: MiB
        folder: whether it sees the whole folder of its first file
        isolated: true: or not at all; false: with all your rights; None: where it is possible
    """

    game_seconds: float
    memory: int
    folder: bool
    isolated: bool | None


def process(
    lab: Lab,
    run: str,
    seconds: float = USUAL.seconds,
    game_seconds: float = USUAL.game_seconds,
    memory: int = USUAL.memory // MEBIBYTE,
    folder: bool = False,
    isolated: bool | None = None,
    file: str = "",
) -> Player:
    """The program that `run` starts, as in a shell.

    Args:
        file: what a training of it has written
        seconds: for a move
        game_seconds: for all its moves of a game
        memory: MiB
        folder: whether it sees the whole folder of its first file
        isolated: true: or not at all; false: with all your rights; left out: where it is possible

    Raises BadInput, Unsuitable.
    """
    limits = AgentLimits(seconds, game_seconds, memory=memory * MEBIBYTE)
    started = launched(lab, "process", run, limits, folder, isolated)
    given: dict[str, Option] = {
        "seconds": seconds,
        **Sandbox(game_seconds, memory, folder, isolated)._asdict(),
        "file": file,
    }
    player = ProcessPlayer(lab.game, started, program_text(process, run, given))
    if not file:
        return player
    learner = learning_player(player)
    load_into(learner, learnt_in(Path(file), lab.game))
    return learner


def learning_player(player: ProcessPlayer) -> OwnPlayer:
    """A program as an agent of one's own that learns. Raises BadInput for one that does not learn."""
    rng, run = GameRandom(), player.text.removeprefix("process:run=")
    program = LearningProgram(player.game, player.launch, rng, run)
    program.hello()
    limits = player.launch.limits
    source = Path(shlex.split(run.partition(",")[0])[-1]).resolve()
    return OwnPlayer(player.game, program, rng, player.text, source, limits.start_seconds + limits.seconds)


def compiled_program(lab: Lab, text: str) -> Player:
    """A program in another language than Python that speaks the protocol itself, compiled and started; its
    options are those of `process`.

    Raises BadInput, AgentFault.
    """
    path, _name, options = parts(text)
    sources = sources_of(Path(path))
    folder = tempfile.mkdtemp(prefix="damier-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.chmod(folder, 0o755)
    program = Path(folder, Path(path).stem)
    program.write_bytes(built(sources))
    program.chmod(0o755)
    run = f"run={' '.join(sources.language.words(program))}"
    found = process(lab, **read_options("process", ",".join(filter(None, (run, options))), process, ["lab"]))
    assert isinstance(found, (ProcessPlayer, OwnPlayer))
    found.text = text
    return found


def launched(
    lab: Lab, name: str, run: str, limits: AgentLimits, folder: bool, isolated: bool | None
) -> Launch:
    """Return how the program of an agent of that name is started.

    Raises BadInput, also where a lab starts none; Unsuitable where it cannot be isolated and must be.
    """
    if not lab.loads_files:
        raise BadInput(message("{agent} is a program: from a page none can be started", agent=name))
    started, said = launch(read_command(run), limits, True if lab.isolated else isolated, folder=folder)
    if said:
        lab.job.note(said)
    return started


def program_text(factory: Callable[..., object], run: str, given: Mapping[str, Option]) -> str:
    """Return an agent that runs a program as it is written, without what is usual."""
    usual = {name: option.default for name, option in parameters(factory, ["lab"]).items()}
    named = {name: value for name, value in given.items() if usual.get(name) != value}
    return written(factory.__name__, {"run": run, **named})


def isolated_player(text: str, game: Game, limits: AgentLimits = USUAL, *, seed: int = 0) -> ProcessPlayer:
    """An agent in a Python file, `path/to/file.py[:name][:options]`, or one that damier brings, in a
    sandbox: one process for all its games.

    It sees its file alone (and that of the game, if it is one's own), with `file=` also what a training
    has written; where it is written as a folder, what lies in there. `seed` is what it may draw from.

    Raises BadInput for a file that is not there, BadFile for one that no training has written,
    Unsuitable where nothing isolates.
    """
    words, own = list(python("-m", "damier.lab.host")), dict[int, str]()

    def word(text: str) -> None:
        """Adds a word, which may begin with the path of a file."""
        if found := _split(text):
            path, rest = found
            own[len(words)] = str(path)
            text = f"{path}{rest}"
        words.append(text)

    by_name = game.source is None or game.name in GAMES
    word(game.text if by_name else f"{game.source}{_rest_of(game.text)}")
    main, learnt = without_file(main_file(text))
    with ExitStack() as stack:
        name = Path(parts(main)[0])
        if language_of(name) is not None:
            place, beside = stack.enter_context(carried(name))
            words.append(place + _rest_of(main))
        else:
            word(main)
            beside = _beside(text) if is_folder(text) else {}
        words += [str(seed), language()]
        if learnt:
            learnt_in(Path(learnt), game)  # what is wrong in it is told at once
            own[len(words)] = os.path.abspath(learnt)
            words.append(os.path.abspath(learnt))
        started, _said = launch(AgentCommand(tuple(words), own, beside), limits, True)
    return ProcessPlayer(game, started, text)


def _beside(text: str) -> dict[str, str]:
    """The files of an agent's folder by their places in the sandbox. Raises BadInput."""
    folder = Path(text.partition(":")[0]).resolve()
    return {f"own/{place}": str(path) for place, path in files_of(folder).items()}


def without_file(text: str) -> tuple[str, str]:
    """An agent in a Python file without its option `file`, and that.

    >>> without_file("mine.py:Mine:depth=2,file=a.json"), without_file("q:file=b.json")
    (('mine.py:Mine:depth=2', 'a.json'), ('q:file=b.json', ''))
    """
    path, name, options = parts(text)
    if not is_source(path):
        return text, ""
    given = options.split(",")
    file = next((option for option in reversed(given) if option.startswith(FILE_OPTION)), "")
    kept = ",".join(option for option in given if not option.startswith(FILE_OPTION))
    return ":".join(filter(None, (path, name, kept))), file.removeprefix(FILE_OPTION)


def with_file(text: str, file: str) -> str:
    """Return an agent with its option `file`.

    >>> with_file("mine.py", "a.json"), with_file("mine.py:Mine:depth=2", "a.json")
    ('mine.py:file=a.json', 'mine.py:Mine:depth=2,file=a.json')
    """
    path, name, options = parts(text)
    return ":".join(filter(None, (path, name, ",".join(filter(None, (options, FILE_OPTION + file))))))


def _split(text: str) -> tuple[Path, str] | None:
    """The file that the text of an agent or a game names, and what follows it; None where it names none.

    Raises BadInput.
    """
    name = parts(text)[0]
    if ":" in name or not name.endswith(PYTHON_FILE):
        return None
    path = Path(name)
    if not path.is_file():
        raise BadInput(message("there is no file {path}", path=path))
    return path.resolve(), text[len(name) :]


def _rest_of(text: str) -> str:
    return text[len(parts(text)[0]) :]
