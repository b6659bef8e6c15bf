"""The languages beside Python in which agents of one's own are written: those of the documents, C [S4], Java
[S0] and Lisp [S1].

An agent is one file, or a folder of files. It is compiled in a sandbox, where there is one, against the
document's headers or classes, with a small program of damier's that calls its functions
(`runtimes/LANGUAGE`); what comes of it is kept beside compiled engines, under a digest of its files, the
compiler and damier's own parts, and called as if it were a module of Python.
"""

from __future__ import annotations

import codecs
import contextlib
import hashlib
import inspect
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
import time
import weakref
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from damier.agents.channel import Channel, started, with_last_words
from damier.agents.isolation import HOME, AgentCommand, AgentLimits, Launch, inside, launch
from damier.core import code_cache
from damier.core.errors import AgentFault, BadFile, BadInput
from damier.core.files import read_bytes
from damier.core.game import Position
from damier.core.words import N_, FormattedNumber, Message, Text, bounded, in_seconds, message, printable

RUNTIMES = Path(__file__).with_name("runtimes")
BUILT = "built"
"""What a program is called beside its files in the sandbox of a process that runs it."""
PYTHON = "agent.py"
"""What a file in Python is called where nobody says it."""
FILES = "own"
"""The folder in which these are."""
LARGEST_SOURCE = 1 << 22
MOST_FILES = 200
SECONDS, MEMORY, SCRATCH = 60.0, 1536 << 20, 64 << 20
"""That a compiler may take."""
NOTHING = r"\A\b\B"
"""A pattern that fits nothing."""
WORDS_OF_COMPILER = 400
"""Characters of what is told of what a compiler says."""
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
ERROR = re.compile(r"\berror\b|undefined")
SYMBOL = re.compile(r"\s+symbol:\s+(.*)")
"""The line in which javac says what it cannot find, a few lines after it says that it cannot."""
LINKER = re.compile(r"^\S*ld: (?=[\w.-]+:\d+: )|^\S*/(?=[\w.-]+:\d+: )")
"""What stands before the name of a file: the linker's own, or a folder."""


@dataclass(frozen=True)
class Language:
    """A language.

    Attributes:
        suffixes: of its files
        headers: of those that are read by others
        compiler: the program that it takes, and the package of Debian that brings it
        run: the words that run what was built, `{program}` its path, `{runtime}` the folder of damier's part
        agent: how a source looks that has the functions of its document
        program: how one looks that is a program of its own, which speaks the protocol itself
        error: how the compiler says where something is wrong
        imports: how it says what it imports, and what is allowed where a sheet says so: beginnings of names
        sign: how a file begins a line that is of this language, where nobody says what it is called
        names: what Python's kits call things, and what they are called here
        file: what such a file is called; a `*` stands for its class
        creator: how a function looks that makes an agent, with the agent's name
        left_out: how something looks that stands in files and is not read here
        other_sign, other_file: how a file looks that is called otherwise, and what it is called
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    headers: tuple[str, ...]
    document: str
    compiler: str
    package: str
    run: tuple[str, ...]
    agent: str
    program: str
    error: str
    imports: str
    allowed: tuple[str, ...]
    sign: str
    file: str
    names: tuple[tuple[str, str], ...]
    compiles: bool = True
    creator: str = NOTHING
    left_out: str = NOTHING
    other_sign: str = NOTHING
    other_file: str = ""

    @property
    def runtime(self) -> Path:
        return RUNTIMES / self.name

    def words(self, program: Path) -> list[str]:
        """The words that run what was built."""
        places = {"program": str(program), "runtime": str(self.runtime)}
        return [word.format_map(places) for word in self.run]

    def called(self, text: str) -> str:
        """A text about a kit in Python, with the names that things have here."""
        for name, here in self.names:
            text = text.replace(name, here)
        return text

    def require(self) -> None:
        """Raises BadInput where its compiler is not there."""
        if shutil.which(self.compiler) is None:
            raise BadInput(
                message(
                    "an agent in {language} takes {compiler}, which is not there (Debian: apt install"
                    " {package})",
                    language=self.title,
                    compiler=self.compiler,
                    package=self.package,
                )
            )


LANGUAGES = (
    Language(
        "c",
        "C",
        (".c",),
        (".h",),
        "s4",
        "cc",
        "gcc",
        ("{program}",),
        r"\b(?:createRlAgent|createAiAgent|play)\s*\(",
        r"\bmain\s*\(",
        r"^(?P<place>[\w.-]+:\d+)(?::\d+)?: (?:(?:fatal )?error: )?"
        r"(?P<error>(?<=error: ).*|undefined reference.*)$",
        r"^\s*#\s*include\s*[<\"]([^>\"]+)",
        ("assert.h", "ctype.h", "errno.h", "float.h", "limits.h", "math.h", "std", "string.h", "time.h"),
        r"^[ \t]*#[ \t]*include\b",
        "rlagent.c",
        ((".py", ".c"),),
        creator=r"\bcreate(RlAgent|AiAgent)\s*\([^()]*\)\s*\{",
        other_sign=r"\A(?![\s\S]*createRlAgent)[\s\S]*createAiAgent",
        other_file="aiagent.c",
    ),
    Language(
        "java",
        "Java",
        (".java",),
        (),
        "s0",
        "javac",
        "default-jdk-headless",
        (
            "java",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:ActiveProcessorCount=1",
            "-Xshare:auto",
            "-Xmx128m",
            "-Xss4m",
            "-jar",
            "{program}",
        ),
        r"\bint\s+update\s*\(",
        r"\bstatic\s+(?:\w+\s+)?void\s+main\s*\(",
        r"^(?P<place>[\w.-]+:\d+): error: (?P<error>.*)$",
        r"^\s*import\s+(?:static\s+)?([\w.]+)",
        ("java.awt", "java.io", "java.text", "java.util", "javax.swing"),
        r"^[ \t]*(?:public[ \t]+)?class[ \t]+(\w+)\b[^:\n]*$",
        "*.java",
        (
            ("agent.py", "Agent.java"),
            ("main.py", "Main.java"),
            ("Agent.__init__", "Agent(name, id, m)"),
            ("states.index(", "states.indexOf("),
            ("random.random()", "Math.random()"),
            ("self.softmax", "softmax"),
        ),
        left_out=r"^[ \t]*package[ \t]+[\w.]+[ \t]*;",
    ),
    Language(
        "lisp",
        "Lisp",
        (".lisp", ".cl", ".lsp"),
        (),
        "s1",
        "sbcl",
        "sbcl",
        (
            "sbcl",
            "--dynamic-space-size",
            "256MB",
            "--control-stack-size",
            "4MB",
            "--noinform",
            "--no-sysinit",
            "--no-userinit",
            "--disable-debugger",
            "--load",
            "{runtime}/runtime.lisp",
            "--end-toplevel-options",
            "{program}",
        ),
        NOTHING,
        NOTHING,
        NOTHING,
        r"\((?:require|load|run-program)\s+[:'\"]*([\w.-]+)",
        (),
        r"^[ \t]*\((?:defun|defparameter|defvar)\b",
        "resolution2.lisp",
        (
            ("graph.py", "resolution1.cl"),
            (".py", ".cl"),
            ("explore_renf_rec", "explore-renf-rec"),
            ("explore_renf", "explore-renf"),
            ("arbre_complet", "arbre-complet"),
            ("arbre_tronque", "arbre-tronque"),
            ("ACTIONS", "*actions*"),
        ),
        compiles=False,
    ),
)


@dataclass(frozen=True)
class Sources:
    """The files of an agent in a language, by their names."""

    path: Path
    language: Language
    files: Mapping[str, bytes]

    @property
    def is_program(self) -> bool:
        """Return whether they are a program of its own: they have a `main`, and nothing that a document asks
        for.
        """
        found, bare = self.language, self.bare
        return bool(re.search(found.program, bare)) and not re.search(found.agent, bare)

    @property
    def creators(self) -> tuple[str, ...]:
        """The names of the agents that functions of a document make, in C, in the order of their names."""
        return tuple(sorted(set(re.findall(self.language.creator, self.bare))))

    @property
    def bare(self) -> str:
        """The text of all files without comments. No end of one that has none is sought twice."""
        text = b"\n".join(self.files.values()).decode(errors="replace")
        head, closing, rest = text.rpartition("*/")
        return COMMENT.sub("", head + closing + rest.replace("/*", "/ *"))

    @property
    def main(self) -> str:
        """The name of the class with its `main`, of a program in Java."""
        for name, content in self.files.items():
            if re.search(self.language.program.encode(), content):
                return Path(name).stem
        return self.path.stem


def file_name_of(content: bytes) -> str:
    """Return what a file is called that somebody hands in: `agent.py`, or as its language wants it."""
    text = content.decode(errors="replace")
    for language in LANGUAGES:
        if found := re.search(language.sign, text, re.MULTILINE):
            if re.search(language.other_sign, text):
                return language.other_file
            return language.file.replace("*", found[found.re.groups])
    return PYTHON


def language_of(path: str | Path) -> Language | None:
    """The language of a file, or of a folder without an `agent.py`; None where it is Python, or no agent."""
    suffix = os.path.splitext(path)[1]
    for language in LANGUAGES:
        if suffix in language.suffixes:
            return language
    try:
        names = os.listdir(path) if os.path.isdir(path) else []
    except OSError:
        return None
    return language_among(names)


def language_among(names: Collection[str]) -> Language | None:
    """The language of a folder with files of these names; None where one of them is in Python."""
    if any(name.endswith(".py") for name in names):
        return None
    found = (language for language in LANGUAGES if any(name.endswith(language.suffixes) for name in names))
    return next(found, None)


def is_source(path: str) -> bool:
    """Return whether an agent is a file of source, or a folder, in another language than Python."""
    return path.endswith(".py") or language_of(path) is not None


def sources_of(path: Path) -> Sources:
    """The files of an agent: of a folder all that its language reads, but what hides and links. Raises
    BadFile.
    """
    language = language_of(path)
    assert language is not None
    if not path.exists():
        raise BadFile(message("there is no file {path}", path=path))
    if not path.is_dir():
        return Sources(path, language, {path.name: source_in(language, path)})
    read = (*language.suffixes, *language.headers)
    found = {
        file.name: file
        for file in sorted(path.iterdir())
        if file.name.endswith(read) and file.name[0] != "." and file.is_file() and not file.is_symlink()
    }
    if len(found) > MOST_FILES:
        raise BadFile(
            message("{folder}: the folder of an agent holds at most {n} files", folder=path, n=MOST_FILES)
        )
    return Sources(path, language, {name: source_in(language, file) for name, file in found.items()})


def source_in(language: Language, path: Path) -> bytes:
    """A file as its compiler reads it: in UTF-8, whatever an editor wrote, and of no package, since the
    document's classes are of none. Raises BadFile.
    """
    content = read_bytes(path, LARGEST_SOURCE).removeprefix(codecs.BOM_UTF8)
    try:
        content.decode()
    except UnicodeDecodeError:
        content = content.decode("cp1252", "replace").encode()
    return re.sub(language.left_out.encode(), b"", content, flags=re.MULTILINE)


def built(sources: Sources) -> bytes:
    """The program of an agent: as it is kept, or compiled now.

    Raises BadInput where the compiler is not there, AgentFault for what is wrong in the files.
    """
    language = sources.language
    if inside() and (ready := Path(HOME, BUILT)).is_file():
        return ready.read_bytes()
    language.require()
    if not language.compiles:
        return joined(sources)
    purpose = {"engine": f"program-{digest_of(sources)[:32]}", "language": language.name}
    if (kept := code_cache.load(purpose)) is not None:
        return kept
    with code_cache.alone(purpose):
        program = compiled(sources)
        code_cache.save(purpose, program)
    return program


@contextlib.contextmanager
def carried(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """The path of an agent in the sandbox of a process that runs it there, and its files and its program by
    their places (`AgentCommand.beside`).

    Raises as `sources_of` and `built` do.
    """
    sources = sources_of(path)
    with tempfile.NamedTemporaryFile(prefix="damier-") as program:
        program.write(built(sources))
        program.flush()
        place = f"{FILES}/{path.name}"
        folder = path if path.is_dir() else path.parent
        files = [(f"{place}/{name}" if path.is_dir() else place, name) for name in sources.files]
        beside = {name_in_sandbox: str((folder / name).resolve()) for name_in_sandbox, name in files}
        yield f"{HOME}/{place}", beside | {BUILT: program.name}


def joined(sources: Sources) -> bytes:
    """All files in one, each after a line with its name: what is read as it is when it runs."""
    return b"".join(b"\x1e%s\n%s\n" % (name.encode(), content) for name, content in sources.files.items())


def digest_of(sources: Sources) -> str:
    """The digest of all that a program comes from: its files, damier's, and the compiler."""
    language = sources.language
    compiler = os.path.realpath(shutil.which(language.compiler) or language.compiler)
    status = os.stat(compiler)
    parts = [compiler.encode(), b"%d %d" % (status.st_size, status.st_mtime_ns)]
    for name, content in sources.files.items():
        parts += [name.encode(), content]
    for file in sorted(language.runtime.iterdir()):
        parts += [file.name.encode(), file.read_bytes()]
    found = hashlib.sha256()
    for part in parts:
        found.update(b"%d\n" % len(part))
        found.update(part)
    return found.hexdigest()


def compiled(sources: Sources) -> bytes:
    """Return what the compiler makes of an agent, in a sandbox where there is one. Raises AgentFault."""
    language = sources.language
    limits = AgentLimits(SECONDS, SECONDS, memory=MEMORY, processes=64, scratch=SCRATCH)
    with tempfile.TemporaryDirectory(prefix="damier-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # for the sandbox of root, which runs as nobody
        script = folder / "build.sh"
        script.write_bytes((language.runtime / "build.sh").read_bytes())
        (folder / "src").mkdir(mode=0o755)
        for file, content in sources.files.items():
            place = folder / "src" / file
            place.write_bytes(content)
            place.chmod(0o644)
        kind = "program" if sources.is_program else "agent"
        words = ("/bin/sh", str(script), str(language.runtime), kind, sources.main)
        found, _said = launch(AgentCommand(words, {1: str(script)}), limits, None, folder=True)
        with (
            tempfile.TemporaryFile() as nothing,
            tempfile.TemporaryFile() as program,
            tempfile.TemporaryFile() as output,
        ):
            process = started(found, nothing.fileno(), program.fileno(), output.fileno())
            process.asked_since = time.monotonic()
            try:
                code: int | None = process.process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                code = None
            finally:
                process.end()
            program.seek(0)
            output.seek(0)
            if code == 0:
                return program.read()
            words_said = output.read().decode(errors="replace")
            raise AgentFault(why_not_compiled(sources, words_said, process.verdict, late=code is None))


def why_not_compiled(sources: Sources, text: str, verdict: Text, *, late: bool) -> Message:
    """The first thing that a compiler says is wrong, with the file, the line, and what stands there."""
    lines = text.splitlines()
    for number_of_line, line in enumerate(lines, 1):
        found = re.match(sources.language.error, LINKER.sub("", line))
        if found:
            symbol = next(filter(None, map(SYMBOL.match, lines[number_of_line : number_of_line + 4])), None)
            error = f"{found['error']} ({symbol[1]})" if symbol else found["error"]
            file, _colon, number = found["place"].partition(":")
            there = sources.files.get(file, b"").decode(errors="replace").splitlines()
            return message(
                "{place}: {error}, in: {line}",
                place=found["place"],
                error=bounded(error, WORDS_OF_COMPILER),
                line=bounded("".join(there[int(number) - 1 : int(number)]).strip(), WORDS_OF_COMPILER),
            )
    name = sources.path.name
    if late:
        return message("{file}: it was not compiled within {n} s", file=name, n=FormattedNumber(SECONDS))
    last = next((line for line in [*filter(ERROR.search, lines), *reversed(lines)] if line.strip()), "")
    return message(
        "{file}: it was not compiled: {error}", file=name, error=verdict or bounded(last, WORDS_OF_COMPILER)
    )


# An agent in another language as a module of Python: its classes make agents of its process, whose methods
# are those of its document, and its functions are the document's.
#
# A line of JSON asks for a call, and one answers it (docs/agent_protocol.md). One process serves all agents
# of a module. The random numbers of a call follow from one of Python's, which is given back where nothing was
# drawn: so an agent draws alike wherever Python does.

VERSION = 2
"""Of the protocol in which an agent's own functions are called."""
LIMITS = AgentLimits(seconds=10.0, game_seconds=86_400.0, answer=1 << 24)
RANDOM_BITS = 53
LONGEST = 200
COPIES = 16
"""Copies of an agent that are processes of their own; one more plays its games again."""
UNCLOSED = N_("a parenthesis that is opened here is not closed")
"""What damier's part of a program in Lisp says of a file that ends too early."""
PLACED = re.compile(r"[\w.-]+:\d+: ")
"""How the last words of a program begin that name the line in which it ended."""
BATCH = 500
"""Games that are played again by one message."""
METHODS = {
    "play": ("board", "player"),
    "end": ("board", "winner"),
    "setTrainingModeRlAgent": ("training",),
    "getMoveScoreRlAgent": ("board", "move"),
    "initialize": (),
    "update": ("state", "reward", "possible_actions"),
    "learn": ("state", "reward"),
    "coup": ("allumettes",),
    "explore_renf": ("allumettes", "coups", "commence"),
}
"""The methods that an agent may have, with their parameters."""


class ProgramFault(AgentFault):
    """Fault of an agent in another language, which says in which of its lines."""


class AskedProgram:
    """A program that is asked in a process of its own. What goes wrong is a ProgramFault, which names it.

    Attributes:
        name: of its file
        channel: to its process; None where it does not run
    """

    def __init__(self, launch: Launch, name: str) -> None:
        self.launch, self.name = launch, name
        self.channel: Channel | None = None

    @contextlib.contextmanager
    def its_turn(self, seconds: float, late: Text = "") -> Iterator[tuple[Channel, float]]:
        """Inside, it is asked, until a moment so many seconds from now: `late` is what is said of one that is
        late. Its process is ended where anything goes wrong. Raises ProgramFault.
        """
        channel = self.channel
        assert channel is not None
        try:
            with channel.its_turn():
                yield channel, time.monotonic() + seconds
        except TimeoutError:
            late = late or message("no answer within {time}", time=in_seconds(seconds))
            raise self.lost(late) from None
        except AgentFault as fault:
            raise self.lost(fault.args[0]) from None
        except BaseException:  # Ctrl-C: what it may yet answer is the answer to nothing
            self.end_process()
            raise

    def lost(self, why: Text) -> ProgramFault:
        """Ends the process; what went wrong, with its last words."""
        sentence = with_last_words(why, self.channel)
        self.end_process()
        return self.fault(sentence)

    def fault(self, why: Text) -> ProgramFault:
        """Return what went wrong, by the name of the program."""
        return ProgramFault(message("{file}: {why}", file=self.name, why=why))

    def end_process(self) -> None:
        """Ends the process at once."""
        if self.channel is not None:
            self.channel.kill()
        self.channel = None


class ForeignProgram(AskedProgram):
    """The process of an agent, and the numbers of its agents.

    Attributes:
        starts: how often it was started: what it knew before is gone
        seconds: that it has for a call
    """

    def __init__(self, sources: Sources, isolated: bool | None = None) -> None:
        """Raises BadInput, AgentFault for what cannot be compiled."""
        self.sources = sources
        self.seconds = LIMITS.seconds
        self.starts = 0
        self._folder = tempfile.TemporaryDirectory(prefix="damier-")
        Path(self._folder.name).chmod(0o755)
        program = Path(self._folder.name, "program")
        program.write_bytes(built(sources))
        program.chmod(0o755)
        language = sources.language
        words = language.words(program)
        words += [name for name in sources.files if name.endswith(language.suffixes)]
        words[0] = shutil.which(words[0]) or words[0]
        own = {place: word for place, word in enumerate(words) if word == str(program)}
        launched, note = launch(AgentCommand(tuple(words), own), LIMITS, isolated)
        super().__init__(launched, sources.path.name)
        self.note = note.replace(words[0], self.name)
        self._agents = 0
        self._dropped: list[int] = []
        self._free: list[int] = []
        self.hello: Mapping[str, Any] = {}
        self.begin()

    def begin(self) -> None:
        """Starts the process, where it does not run."""
        if self.channel is None:
            self.starts += 1
            self._dropped.clear()
            self.channel = Channel(self.launch)
            self.hello = self._exchanged({"type": "hello", "protocol": VERSION}, LIMITS.start_seconds)

    def number(self) -> int:
        """The number of a new agent: one that no agent has any more, where there is one."""
        if self._free:
            return self._free.pop()
        self._agents += 1
        return self._agents - 1

    def drop(self, agent: int, starts: int) -> None:
        """Nobody holds an agent any more; told with the next question, as this may be called at any time."""
        if starts == self.starts:
            self._dropped.append(agent)

    def ask(self, type: str, **facts: object) -> dict[str, Any]:
        """The answer to a message. Raises AgentFault."""
        self.begin()
        return self._exchanged({"type": type, **facts}, self.seconds)

    def drawing(self, type: str, **facts: object) -> dict[str, Any]:
        """The answer to a message that comes with random numbers: one of Python's, if any is drawn."""
        before = random.getstate()
        bits = int(random.random() * (1 << RANDOM_BITS))
        answer = self.ask(type, **facts, random=bits)
        answer["random"] = bits
        if not answer.get("drawn"):
            random.setstate(before)
        return answer

    def _exchanged(self, question: Mapping[str, object], seconds: float) -> dict[str, Any]:
        lines = [json.dumps({"type": "drop", "agent": agent}) for agent in self._dropped]
        self._free += self._dropped
        self._dropped.clear()
        request = ("\n".join([*lines, json.dumps(question, ensure_ascii=False)]) + "\n").encode()
        ended: EOFError | None = None
        with self.its_turn(seconds) as (channel, until):
            channel.be_silent()
            channel.say(request, until)
            answer = answer_in(channel.hear(until))
            while "asks" in answer:
                line: str | None = None  # nobody types any more
                try:
                    line = input()
                except EOFError as error:
                    ended = error
                channel.say((json.dumps({"line": line}) + "\n").encode(), until)
                answer = answer_in(channel.hear(until))
        if "fault" in answer:
            if ended is not None:
                raise ended
            raise self.fault(printable(str(answer["fault"]), LONGEST) or channel.last_words())
        return answer

    def forget_errors(self) -> None:
        """Makes room for what it may write for people."""
        if self.channel is not None:
            with contextlib.suppress(AgentFault):  # it prints much: only what it printed is lost
                self.channel.forget_errors()

    def lost(self, why: Text) -> ProgramFault:
        """Ends the process; what went wrong: its last words alone where they name the line."""
        words = self.channel.last_words() if self.channel else ""
        found = super().lost(why)
        return ProgramFault(words) if PLACED.match(words) else found

    def fault(self, why: Text) -> ProgramFault:
        """Return what went wrong, by the line that it names, or its file."""
        place, _colon, said = str(why).partition(": ")
        if said == UNCLOSED:
            return ProgramFault(message("{place}: {error}", place=place, error=message(UNCLOSED)))
        return ProgramFault(why) if PLACED.match(str(why)) else super().fault(why)


def answer_in(line: bytes) -> dict[str, Any]:
    """The object that a program answers. Raises AgentFault."""
    with contextlib.suppress(ValueError, RecursionError):
        found = json.loads(line)
        if isinstance(found, dict):
            return found
    raise AgentFault(message("its answer cannot be used"))


class ForeignAgent:
    """An agent of a process. Its classes are made by `module_of`, with the methods that it says it has.

    Attributes that are none of this object are those of the agent, as far as they are data; an agent without
    attributes has its `games`: what it was asked and told while it learnt, which it can be asked again.
    """

    program: ForeignProgram
    _class: str
    _number: int
    _starts: int
    _known: dict[str, object]
    _games: list[str]
    _turns: list[str]
    _trains: bool

    def __init__(self) -> None:
        vars(self).update(_number=self.program.number(), _known={}, _games=[], _turns=[], _trains=True)
        self._make()

    def _make(self) -> None:
        program = self.program
        program.begin()
        vars(self).update(_starts=program.starts)
        program.drawing("make", agent=self._number, name=self._class)
        self._watch()

    def _watch(self) -> None:
        weakref.finalize(self, self.program.drop, self._number, self._starts)

    def _present(self) -> None:
        """Makes it again where its process has ended, as far as that is known."""
        program = self.program
        program.begin()
        if self._starts == program.starts:
            return
        known, games, trains = self._known, self._games, self._trains
        self._make()
        vars(self).update(_turns=[], _trains=True)
        if program.hello.get("attributes"):
            for name, value in known.items():
                program.ask("set", agent=self._number, name=name, value=value)
        elif games:
            self._replay(games)
        if not trains:
            self.ask("setTrainingModeRlAgent", False)

    def ask(self, method: str, *arguments: object) -> object:
        """Return what one of its methods answers. Raises AgentFault."""
        self._present()
        given = [value.replace(" ", ".") if isinstance(value, str) else value for value in arguments]
        if method == "setTrainingModeRlAgent":
            vars(self).update(_trains=bool(given[0]))
        if method in ("initialize", "end"):
            self.program.forget_errors()
        answer = self.program.drawing("call", agent=self._number, name=method, arguments=given)
        value = answer.get("value")
        if self._trains and method in ("play", "end") and not self.program.hello.get("attributes"):
            turn = " ".join(map(str, (answer["random"], *given, *([value] if method == "play" else []))))
            self._turns.append(turn)
            if method == "end":
                self._games.append(";".join(self._turns))
                self._turns.clear()
        self._known.clear()
        return value

    def _replay(self, games: list[str]) -> None:
        """Has it play games again, learning. Raises AgentFault where it chooses otherwise than it did."""
        if not (trains := self._trains):
            self.ask("setTrainingModeRlAgent", True)
        for first in range(0, len(games), BATCH):
            batch = games[first : first + BATCH]
            if self.program.ask("replay", agent=self._number, arguments=batch).get("value") != -1:
                raise ProgramFault(
                    message(
                        "{file}: what it learnt is kept as its games, and it does not play them again"
                        " as it did",
                        file=self.program.sources.path.name,
                    )
                )
        if not trains:
            self.ask("setTrainingModeRlAgent", False)

    @property
    def attributes(self) -> dict[str, object]:
        """Return what its attributes hold, as far as it is data."""
        if not self.program.hello.get("attributes"):
            return {"games": list(self._games)}
        self._present()
        found: dict[str, object] = self.program.ask("attributes", agent=self._number)["value"]
        vars(self).update(_known=dict(found))
        return found

    def __getattr__(self, name: str) -> object:
        if name.startswith("_") or not self.program.hello.get("attributes"):
            raise AttributeError(name)
        if name not in self._known:
            self._present()
            answer = self.program.ask("get", agent=self._number, name=name)
            if "value" not in answer:
                raise AttributeError(name)
            self._known[name] = answer["value"]
        return self._known[name]

    def __setattr__(self, name: str, value: object) -> None:
        if self.program.hello.get("attributes"):
            self._present()
            self.program.ask("set", agent=self._number, name=name, value=value)
            self._known[name] = value
        elif name == "games":
            games = [game for game in value if isinstance(game, str)] if isinstance(value, list) else []
            self._present()
            self._replay(games)
            self._games[:] = games
        else:
            object.__setattr__(self, name, value)

    def __deepcopy__(self, memo: object) -> ForeignAgent:
        self._present()
        program = self.program
        found = object.__new__(type(self))
        vars(found).update(vars(self))
        vars(found).update(
            _number=program.number(), _known={}, _games=list(self._games), _turns=list(self._turns)
        )
        try:
            program.ask("copy", agent=self._number, to=found._number)
            found._watch()
        except ProgramFault:  # there are as many as there may be
            found._make()
            vars(found).update(_trains=True)
            found._replay(found._games)
            if not self._trains:
                found.ask("setTrainingModeRlAgent", False)
        return found


def method(name: str) -> Callable[..., object]:
    """A method of the classes of a module."""

    def called(self: ForeignAgent, *arguments: object) -> object:
        return self.ask(name, *arguments)

    words = ("self", *METHODS[name])
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    called.__name__ = name
    called.__signature__ = inspect.Signature([inspect.Parameter(word, kind) for word in words])  # type: ignore[attr-defined]
    return called


class ForeignFunction:
    """A function of a document, given data, or a position as its board.

    Attributes:
        calls: how many calls of functions of its own the last answer took
    """

    def __init__(self, program: ForeignProgram, name: str) -> None:
        self.program, self.__name__ = program, name
        self.calls = 0

    def __call__(self, *arguments: object) -> object:
        # a point is a free cell
        given = [v.board.replace(" ", ".") if isinstance(v, Position) else v for v in arguments]
        answer = self.ask("call", arguments=given)
        self.calls = int(answer.get("calls") or 0)
        return answer.get("value")

    def ask(self, type: str, **facts: object) -> dict[str, Any]:
        """The answer to a message about it."""
        return self.program.drawing(type, name=self.__name__, **facts)


FUNCTIONS = {
    "getMinimaxScore": "minimax",
    "randomsuccesseurs": "Randomsuccesseurs",
    "jeujoueur": "JeuJoueur",
}
"""What functions are called here, where their language calls them otherwise."""


def module_of(path: Path, isolated: bool | None = None) -> ModuleType:
    """A file, or a folder, as a module: compiled and started.

    Raises BadFile, BadInput, AgentFault.
    """
    sources = sources_of(path)
    program = ForeignProgram(sources, isolated)
    found = ModuleType(f"damier_program_{path.stem}")
    found.__file__ = str(path.resolve())
    vars(found)["program"] = program
    for name, methods in program.hello.get("agents", {}).items():
        body: dict[str, object] = {each: method(each) for each in methods if each in METHODS}
        body |= {"program": program, "_class": name, "__module__": found.__name__}
        vars(found)[name] = type(name, (ForeignAgent,), body)
    for name in program.hello.get("functions", ()):
        vars(found)[FUNCTIONS.get(name, name)] = ForeignFunction(program, name)
    return found


def program_of(module: ModuleType) -> ForeignProgram | None:
    """The process of a module in another language; None of one in Python."""
    found = vars(module).get("program")
    return found if isinstance(found, ForeignProgram) else None


def attributes_of(written: object) -> dict[str, object]:
    """Return what the attributes of an agent hold: of one in another language, as far as it is data."""
    return written.attributes if isinstance(written, ForeignAgent) else vars(written)
