"""An agent of one's own: a class, or functions, in a Python file; or a program, in a process.

What may be named in the file is found once, when it is loaded: its own classes that choose moves
(`play`, `choose` or `policy`), its own functions that say they return one of these, and the file
itself where it has a function `play`, `choose` or `policy`. Nothing else can be called by its name.
"""

from __future__ import annotations

import ast
import atexit
import contextlib
import hashlib
import inspect
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from types import MappingProxyType, ModuleType, SimpleNamespace
from typing import NamedTuple

from damier.agents.document_interfaces import (
    CREATOR,
    INTERFACES,
    DocumentAgent,
    creators_of_s4,
    functions_of_s4,
    interface_of,
)
from damier.agents.isolation import MEBIBYTE, AgentCommand, AgentLimits, Launch, launch, read_command
from damier.agents.languages import built, carried, is_source, language_of, program_of, sources_of
from damier.agents.own import (
    CHOOSING,
    HOOKS,
    LEARNING,
    SECONDS,
    GameRandom,
    OwnPlayer,
    OwnPolicy,
    Prints,
    required_names,
    required_parameters,
)
from damier.agents.process import LearningProgram, ProcessPlayer
from damier.core import runtime
from damier.core.checks import refuse_deferred
from damier.core.errors import AgentFault, BadFile, BadInput, Unsuitable
from damier.core.files import opened
from damier.core.game import Game, Option, game_facts, written
from damier.core.json_data import DEEPEST, read_json, require_keys, to_json, write_json
from damier.core.json_types import JsonObject, JsonValue
from damier.core.player import Player
from damier.core.runtime import python
from damier.core.words import _, language, message
from damier.lab import user_file
from damier.lab.games import GAMES, Lab
from damier.lab.options import defaults_text, parameters, read_options, unknown
from damier.lab.user_file import factories_in, games_in, is_folder, own_function, parts, read_source
from damier.learn.store import (
    BOUNDS,
    TrainedAgent,
    read_curve,
    read_training,
    refusing,
    require_same_game,
    the,
)

GIVEN = ("self", "game", "seed", "rng", "position")
"""Parameters that damier gives a class, a factory or a function that plays; all others are options."""
MOST_SECONDS = 1e6
SPARE = 5.0
"""Seconds beside those that a program in another language has, which are measured where it is asked."""


@dataclass(frozen=True)
class AgentFactory:
    """Maker of an agent.

    Attributes:
        make: the class, the factory, or the maker of an agent from functions
        parameters: what has its options as parameters
        given: parameters that are no options; of a function, the first one too: the position
        interface: what asks it by the methods of a document; None for damier's own
    """

    make: Callable[..., object]
    parameters: Callable[..., object]
    given: tuple[str, ...] = GIVEN
    interface: type[DocumentAgent] | None = None


@dataclass(frozen=True)
class AgentFile:
    """A file of somebody's own that was loaded.

    Attributes:
        place: file and line of what it printed first meanwhile; empty where it printed nothing
    """

    path: Path
    module: ModuleType
    place: str


def own_player(lab: Lab, text: str) -> OwnPlayer:
    """The agent that is written `path/to/file.py[:name][:option=value,…]`, or as a folder in place of the
    file.

    Raises BadFile, BadInput, Unsuitable, and AgentFault for what is wrong in the file.
    """
    refuse_hidden(lab.game, text)
    path_text, wanted, written = user_file.parts(main_file(text))
    return player_in(loaded(Path(path_text)), lab, text, wanted, written)


def refuse_hidden(game: Game, text: str) -> None:
    """Raises Unsuitable for a game whose positions not all may see."""
    if game.imperfect_information:
        raise Unsuitable(
            message(
                "{agent}: an agent of one's own sees the whole position; in {game} there is something hidden",
                agent=text,
                game=game.text,
            )
        )


def loaded(path: Path) -> AgentFile:
    """A file, run once. Raises BadFile, and AgentFault for what is wrong in it."""
    runtime.guard(path)
    prints = Prints(path.resolve())
    with contextlib.redirect_stdout(prints), user_file.beside(path), user_file.blaming(path, AgentFault):
        module = user_file.run(path)
    return AgentFile(path, module, prints.place)


def player_in(file: AgentFile, lab: Lab, text: str, wanted: str, written: str) -> OwnPlayer:
    """The agent `wanted` of a file, made anew; `text` is how a person named it.

    Its options are the parameters of its class; `seconds` is how long it may think about a move,
    `file` names what a training of it has written.

    Raises BadFile, BadInput, and AgentFault for what is wrong in the file.
    """
    path = file.path
    rng = GameRandom()
    prints = Prints(path.resolve(), lab.job.note)
    if file.place:
        prints.begin(file.place)
    with contextlib.redirect_stdout(prints), user_file.beside(path), user_file.blaming(path, AgentFault):
        name, factory = chosen(file.module, path, wanted)
        refuse_deferred(factory.parameters, name, AgentFault, path.name)
        options, ours = divided(written, factory)
        if "interface" in ours:
            factory = as_in_document(factory, ours["interface"])
        values = read_options(f"{path.name}:{name}", options, factory.parameters, factory.given)
        known = parameters(factory.parameters, factory.given)
        made = instance(factory, lab, rng, {known[option].name: value for option, value in values.items()})
        if factory.interface is not None:
            document = factory.interface.document
            lab.job.note(
                _("{agent}: its methods are those of document {document}", agent=text, document=document)
            )
        kind = OwnPolicy if hasattr(made, "policy") else OwnPlayer
        seconds = seconds_of(ours, path)
        if (program := program_of(file.module)) is not None:
            lab.job.note(program.note)
            program.seconds, seconds = seconds, seconds + SPARE
        player = kind(lab.game, made, rng, text, path.resolve(), seconds, prints)
        if "file" in ours:
            load_into(player, learnt_in(Path(ours["file"]), lab.game))
    return player


def instance(
    factory: AgentFactory, lab: Lab, rng: GameRandom, options: Mapping[str, object] = MappingProxyType({})
) -> object:
    """A new agent, behind damier's methods where its own are those of a document. Raises Unsuitable."""
    made = factory.make(**options, **asked_for(factory, lab, rng))
    return factory.interface(made, lab.game, rng) if factory.interface else made


def load_into(player: OwnPlayer, data: JsonValue) -> None:
    """Gives an agent what it has learnt. Raises AgentFault for one that cannot read it."""
    load = getattr(player.agent, "load", None)
    if not callable(load):
        raise AgentFault(message("{file}: an agent that is to go on has load(data)", file=player.source.name))
    player.call(load, data)


def data_of(player: OwnPlayer) -> JsonValue:
    """Return what an agent has learnt, as it says itself. Raises AgentFault for one that does not."""
    save = getattr(player.agent, "save", None)
    if not callable(save):
        raise AgentFault(message("{file}: an agent that is to be kept has save()", file=player.source.name))
    data: JsonValue = player.call(save)
    return data


def chosen(module: ModuleType, path: Path, wanted: str) -> tuple[str, AgentFactory]:
    """Return what makes the agent `wanted` of a file; where none is named, the only one, or the one that is
    named as the file. Nothing is called.

    Raises BadInput for a name that is no agent of the file, AgentFault for a file without one.
    """
    found = agents_in(module)
    if not found and (language := language_of(path)) is not None:
        raise AgentFault(
            message(
                "{path} has no agent: in {language} it is written as in document {document}",
                path=path.name,
                language=language.title,
                document=language.document.upper(),
            )
        )
    if not found:
        raise AgentFault(
            message(
                "{path} has no agent; write a function play(position), or a class with a method"
                " play(self, position)",
                path=path.name,
            )
        )
    if wanted and wanted not in found:
        raise BadInput(
            message(
                "{path} has no agent {name}; it has: {names}", path=path, name=wanted, names=" ".join(found)
            )
        )
    alike = [name for name in found if name.casefold() == path.stem.replace("_", "").casefold()]
    alike = alike or [name for name in found if found[name].interface is not None and name == "Agent"]
    name = wanted or (alike[0] if alike else next(iter(found)))
    if not wanted and not alike and len(found) > 1:
        raise several_agents(path, found)
    return name, found[name]


def several_agents(path: Path, names: Iterable[str]) -> BadInput:
    """Return the refusal of a file, or a folder, that does not say which of its agents is meant."""
    return BadInput(
        message(
            "{path} has several agents: write {path}:NAME with one of {names}",
            path=path,
            names=" ".join(names),
        )
    )


def options_in(file: AgentFile, wanted: str) -> str:
    """All options of an agent of a file, with their defaults, as they would be written.

    Raises BadInput, AgentFault as `chosen` does.
    """
    with user_file.blaming(file.path, AgentFault):
        factory = chosen(file.module, file.path, wanted)[1]
        own = defaults_text(factory.parameters, factory.given)
        has = parameters(factory.parameters, factory.given)
        return own if "seconds" in has else f"{own},seconds={SECONDS:g}".lstrip(",")


def all_options(factory: AgentFactory) -> dict[str, inspect.Parameter]:
    """Return the options of an agent by name, with the time that it may think, which all have."""
    found = parameters(factory.parameters, factory.given)
    seconds = inspect.Parameter("seconds", inspect.Parameter.KEYWORD_ONLY, default=SECONDS, annotation=float)
    return found | ({} if "seconds" in found else {"seconds": seconds})


def agents_in(module: ModuleType) -> dict[str, AgentFactory]:
    """The agents of a file, by name."""
    own = {
        name: found
        for name, found in vars(module).items()
        if inspect.isclass(found) and found.__module__ == module.__name__ and not name.startswith("_")
    }
    documents = {name: interface for name, found in own.items() if (interface := interface_of(found))}
    for name in list(documents):  # what only is there to be derived from
        if any(own[name] in own[other].__mro__[1:] for other in documents):
            del documents[name]
    classes = {
        name: found
        for name, found in own.items()
        if name in documents
        or any(callable(getattr(found, method, None)) for method in (*CHOOSING, "policy"))
    }
    made: dict[str, AgentFactory] = {
        name: AgentFactory(found, found.__init__, given_to(found, documents.get(name)), documents.get(name))
        for name, found in classes.items()
    }
    for name in vars(module):
        function = own_function(module, name)
        if function is None or name.startswith("_"):
            continue
        returned = function.__annotations__.get("return")
        if isinstance(returned, (str, type)) and (returned in classes or returned in classes.values()):
            made[name] = AgentFactory(function, function)
    for name, create in creators_of_s4(module, own_function).items():
        made[name] = AgentFactory(create, create, interface=INTERFACES["s4"])
    if any(CREATOR.fullmatch(name) for name in made):  # its function `play` is one of theirs
        return made
    plays = next((name for name in (*CHOOSING, "policy") if own_function(module, name) is not None), None)
    if plays is not None and (written := functions_of_s4(module, own_function)) is not None:
        made[plays] = AgentFactory(written, written, interface=INTERFACES["s4"])
    elif plays is not None:
        function = vars(module)[plays]
        given = (*GIVEN, *required_parameters(function, plays)[:1])
        made[plays] = AgentFactory(partial(of_functions, module, plays), function, given)
    return made


def of_functions(module: ModuleType, plays: str, **arguments: object) -> object:
    """An agent from the functions of a file; the one that plays has its options bound."""
    functions = {name: found for name in HOOKS if (found := own_function(module, name)) is not None}
    play = vars(module)[plays]
    return SimpleNamespace(**{**functions, plays: partial(play, **arguments) if arguments else play})


def asked_for(factory: AgentFactory, lab: Lab, rng: GameRandom) -> dict[str, object]:
    """Return what a class or a function asks to be given by name: the game, the seed, random numbers."""
    names = inspect.signature(factory.parameters).parameters
    given: dict[str, object] = {"game": lab.game, "seed": lab.seed, "rng": rng}
    if factory.interface is not None:
        ordered = (name for name in required_names(factory.make) if name not in given)
        given |= dict(zip(ordered, factory.interface.given, strict=False))
    return {name: value for name, value in given.items() if name in names}


def given_to(found: type, interface: type[DocumentAgent] | None) -> tuple[str, ...]:
    """The parameters of a class that are no options."""
    if interface is None:
        return GIVEN
    return (*GIVEN, *required_names(found)[: len(interface.given)])


def as_in_document(factory: AgentFactory, wanted: str) -> AgentFactory:
    """Return the agent, asked by the methods of a document. Raises BadInput for a document that has none."""
    if wanted not in INTERFACES:
        raise unknown(_("interface"), wanted, INTERFACES)
    interface = INTERFACES[wanted]
    given = given_to(factory.make, interface) if isinstance(factory.make, type) else factory.given
    return replace(factory, interface=interface, given=given)


def divided(written: str, factory: AgentFactory) -> tuple[str, dict[str, str]]:
    """The options of an agent, and those that damier has for every agent of one's own; an agent's
    own option of that name is the agent's.
    """
    known = parameters(factory.parameters, factory.given)
    theirs: list[str] = []
    ours: dict[str, str] = {}
    for part in written.split(",") if written else ():
        option, equals, value = part.partition("=")
        if option in ("file", "seconds", "interface") and option not in known and equals:
            ours[option] = value
        else:
            theirs.append(part)
    return ",".join(theirs), ours


def seconds_of(ours: dict[str, str], path: Path) -> float:
    """Return how long the agent may think about a move. Raises BadInput."""
    try:
        seconds = float(ours.get("seconds", SECONDS))
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= MOST_SECONDS:
        raise BadInput(
            message(
                "{path}: seconds={value}; it must be a number above 0", path=path.name, value=ours["seconds"]
            )
        )
    return seconds


# An agent that is a folder: the agent is in its `agent.py`, all else there is what that imports and reads.
#
# Who names a file brings that file alone; who names a folder brings the whole folder. So nobody's agent sees
# those that lie beside it, and an agent of several files has one folder to lie in.

MAIN = "agent.py"
MOST_FILES = 200
CACHE = "__pycache__"


def main_file(text: str) -> str:
    """An agent as its file, where it is written as a folder: `bob/:depth=2` is `bob/agent.py:depth=2`; one in
    another language stays the folder that it is.

    Raises BadInput for a folder without that file.
    """
    head, colon, rest = text.partition(":")
    if not user_file.is_folder(text) or language_of(head) is not None:
        return text
    main = os.path.join(head, MAIN)
    if not os.path.isfile(main):
        raise BadInput(message("{folder} is no agent: there is no {file} in it", folder=head, file=MAIN))
    return main + colon + rest


def files_of(folder: Path) -> dict[str, Path]:
    """The files of an agent's folder by their places in it. Links are left out, since they may lead to what
    is another's, and what is hidden.

    Raises BadInput for a folder of too many, and where a link stands for the agent itself.
    """
    found: dict[str, Path] = {}
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] != "." and name != CACHE)
        for path in (Path(place, name) for name in sorted(names) if name[0] != "."):
            if path.is_file() and not path.is_symlink():
                found[str(path.relative_to(folder))] = path
        if len(found) > MOST_FILES:
            raise BadInput(
                message(
                    "{folder}: the folder of an agent holds at most {n} files", folder=folder, n=MOST_FILES
                )
            )
    if MAIN not in found and language_of(folder) is None:
        raise BadInput(message("{folder} is no agent: there is no {file} in it", folder=folder, file=MAIN))
    return found


# What a file of the user's own holds: games, agents, or both; found as those are who load them.


LARGEST_AGENT = 1 << 36
"""Bytes of an agent's file."""


def digest_of_text(text: str) -> str:
    """The SHA-256 of all files that the text of an agent names: its own, and those of its options, such
    as what a learner knows, a program with its arguments. Empty where it names none.

    Raises BadInput, BadFile.
    """
    named = [word for word in re.split("[:,= ]", text) if os.path.isfile(word)]
    digests = "".join(digest(Path(file)) for file in named)
    digests += digest_of_folder(Path(text.partition(":")[0])) if is_folder(text) else ""
    return hashlib.sha256(digests.encode()).hexdigest() if digests else ""


def digest_of_folder(folder: Path) -> str:
    """The SHA-256 of all files of an agent's folder, with their places. Raises BadInput, BadFile."""
    known = "".join(f"{place} {digest(path)}\n" for place, path in files_of(folder).items())
    return hashlib.sha256(known.encode()).hexdigest()


def digest(path: Path) -> str:
    """The SHA-256 of a file. Raises BadFile."""
    with opened(path, LARGEST_AGENT) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def contents(path: Path) -> tuple[list[str], list[str]]:
    """Return the names of the games and of the agents in the file at `path`; it runs once, and what it prints
    goes to standard error.

    Raises BadFile, BadInput for a file that holds neither, BadGame for what is wrong in it.
    """
    runtime.guard(path)
    with contextlib.redirect_stdout(sys.stderr), user_file.beside(path), user_file.blaming(path):
        module = user_file.run(path)
        found = list(sure_games_in(module, path.stem)), list(agents_in(module))
    if not any(found):
        raise BadInput(
            message(
                "{path} holds neither a game nor an agent: write a function `def {stem}() -> Game`, or a"
                " function play(position)",
                path=path.name,
                stem=path.stem,
            )
        )
    return found


def sure_games_in(module: ModuleType, stem: str) -> Iterable[str]:
    """The names of the games in the module of the file `stem`.py. Beside an agent, a function must say
    that it returns a Game: else it may be of any use to the agent, as is a Game that stands there
    under a name of its own.
    """
    found = games_in(module, stem)
    if not agents_in(module):
        return found
    declared = factories_in(module)
    return [name for name in found if name in declared or (name == stem and not own_function(module, name))]


# Whether an agent in a file may learn, and which game it is for, as far as its text shows it: nothing of it
# runs.

LEARNS, PLAYS = (*LEARNING, "end", "update_estimations"), (*CHOOSING, "policy")


def may_learn(path: Path, wanted: str = "") -> bool:
    """Return whether the agent `wanted` of a file, or its only one, may have a method that learns.

    Where the text does not show it (a class with a base, a factory, a file that cannot be read, or in
    another language) it may: who asks it to learn is told more.
    """
    if language_of(path) is not None:
        return True
    try:
        body = ast.parse(read_source(path)).body
    except (BadFile, SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    if wanted in PLAYS or (not wanted and defines(body, PLAYS)):
        return defines(body, LEARNS)
    classes = [found for found in body if isinstance(found, ast.ClassDef) and wanted in ("", found.name)]
    return not classes or any(found.bases or defines(found.body, LEARNS) for found in classes)


def game_of(path: Path, wanted: str = "") -> str:
    """Return the game of the document whose methods the agent `wanted` of a file has, or in whose language it
    is written; where the text shows neither, tic-tac-toe.
    """
    if (language := language_of(path)) is not None:
        return INTERFACES[language.document].played
    try:
        body = ast.parse(read_source(path)).body
    except (BadFile, SyntaxError, ValueError, RecursionError, MemoryError):
        return DocumentAgent.played
    classes = {found.name: found for found in body if isinstance(found, ast.ClassDef)}
    for name, found in classes.items():
        named = {base.id for base in found.bases if isinstance(base, ast.Name)}
        bases = [classes[base] for base in named & classes.keys()]
        methods = [method for each in (found, *bases) for method in each.body]
        if wanted in ("", name) and not defines(methods, PLAYS):
            for kind in INTERFACES.values():
                if all(defines(methods, [method]) for method in kind.shape):
                    return kind.played
    return DocumentAgent.played


def defines(body: list[ast.stmt], names: Collection[str]) -> bool:
    """Return whether one of these statements defines a function of one of these names."""
    return any(isinstance(found, ast.FunctionDef) and found.name in names for found in body)


# File of what a training of an agent of one's own has learnt: JSON that people can read.
#
# The file names the agent's file and never chooses it: who goes on from it names the agent too.

FORMAT = "damier-own/1"
KEYS = ("format", "game", "options", "rules", "agent", "training", "games", "curve", "data")


@dataclass
class OwnAgent(TrainedAgent):
    """All that such a file says: `data` is what its save() returned."""

    data: JsonValue


def save(found: OwnAgent, path: Path) -> None:
    """Writes what was learnt, in one step. Raises BadInput where the place cannot be written."""
    data: JsonObject = {
        "format": FORMAT,
        **game_facts(found.game),
        "agent": found.learner,
        **found.facts,
        "data": found.data,
    }
    write_json(path, data, BOUNDS)


def header(path: Path) -> JsonObject:
    """Return what such a file says, before it is looked at. Raises BadFile."""
    return read_json(path, FORMAT, BOUNDS)


def load(path: Path, game: Game) -> OwnAgent:
    """Return what such a file says. Raises BadFile for a damaged or foreign one, or one of another game."""
    data = read_json(path, FORMAT, BOUNDS)
    with refusing(path):
        require_keys(data, KEYS, _("the agent"))
        require_same_game(data, game)
        curve, training = read_curve(data), read_training(the(data, "training", dict))
        return OwnAgent(game, the(data, "agent", str), training, data.get("data"), curve=curve)


def learnt_in(path: Path, game: Game) -> JsonValue:
    """Return what an agent has learnt, by its file. Raises BadFile."""
    return load(path, game).data


def why_not_kept(data: JsonValue, room: int = DEEPEST - 1) -> str:
    """Return why a file cannot give back what save() returned; empty where it can. In the file, lists and
    objects of `data` may lie in each other `room` deep: it is itself in one.
    """
    if isinstance(data, (dict, list, tuple)) and room == 0:
        return _("lists in lists, more than {n} deep", n=DEEPEST - 1)
    if isinstance(data, dict):
        wrong = next((key for key in data if not isinstance(key, str)), None)
        if wrong is not None:
            return _("a key is {key}; in a file of JSON keys are text", key=repr(wrong))
        return next(filter(None, (why_not_kept(part, room - 1) for part in chain(data, data.values()))), "")
    if isinstance(data, (list, tuple)):
        return next(filter(None, (why_not_kept(part, room - 1) for part in data)), "")
    if data is None or isinstance(data, (bool, int, float, str)):
        try:
            to_json(data).encode()
        except UnicodeEncodeError:
            return _("{text} holds half a character, an unpaired surrogate", text=repr(data))
        except ValueError as error:
            return str(error)
        return ""
    return _("{kind} is no data of JSON", kind=type(data).__name__)


# Agents in processes of their own: `process:run=COMMAND`, a program in any language; and agents in
# Python, played in a sandbox.


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
    program = Path(folder, Path(path).stem.replace(",", "_"))  # a comma would end the option
    program.write_bytes(built(sources))
    program.chmod(0o755)
    run = f"run={shlex.join(sources.language.words(program))}"
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
    started, note = launch(read_command(run), limits, True if lab.isolated else isolated, folder=folder)
    if note:
        lab.job.note(note)
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
