"""The languages beside Python in which agents of one's own are written: those of the documents, C [S4], Java
[S0] and Lisp [S1].

An agent is one file, or a folder of files. It is compiled in a sandbox, where there is one, against the
document's headers or classes, with a small program of damier's that calls its functions
(`runtimes/LANGUAGE`); what comes of it is kept beside compiled engines, under a digest of its files, the
compiler and damier's own parts, and is run by `damier.agents.foreign`.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from damier.core import code_cache
from damier.core.errors import AgentFault, BadFile, BadInput
from damier.core.files import read_bytes
from damier.core.words import FormattedNumber, Message, Text, bounded, message

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
LONGEST = 400
"""Characters of what is told of what a compiler says."""
ERROR = re.compile(r"\berror\b|undefined")
LINKER = re.compile(r"^\S*ld: (?=[\w.-]+:\d+: )|^\S*/(?=[\w.-]+:\d+: )")
"""What stands before the name of a file: the linker's own, or a folder."""


@dataclass(frozen=True)
class Language:
    """A language.

    suffixes   of its files; headers: of those that are read by others
    compiler   the program that it takes, and the package of Debian that brings it
    run        the words that run what was built, `{program}` its path, `{runtime}` the folder of
               damier's part
    agent      how a source looks that has the functions of its document
    program    how one looks that is a program of its own, which speaks the protocol itself
    error      how the compiler says where something is wrong
    imports    how it says what it imports, and what is allowed where a sheet says so: beginnings of names
    sign       how a file begins a line that is of this language, where nobody says what it is called
    names      what Python's kits call things, and what they are called here
    file       what such a file is called; a `*` stands for its class
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
        r"^[ \t]*(?:public[ \t]+)?class[ \t]+(\w+)[^:\n]*\{?[ \t]*$",
        "*.java",
        (
            ("agent.py", "Agent.java"),
            ("main.py", "Main.java"),
            ("Agent.__init__", "Agent(name, id, m)"),
            ("states.index(", "states.indexOf("),
            ("random.random()", "Math.random()"),
            ("self.softmax", "softmax"),
        ),
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
        text = b"\n".join(self.files.values()).decode(errors="replace")
        bare = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
        found = self.language
        return bool(re.search(found.program, bare)) and not re.search(found.agent, bare)

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
            return language.file.replace("*", found[found.re.groups])
    return PYTHON


class Carried(NamedTuple):
    """The path of an agent in a sandbox, and its files by their places there (`AgentCommand.beside`)."""

    path: str
    beside: dict[str, str]


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
        return Sources(path, language, {path.name: read_bytes(path, LARGEST_SOURCE)})
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
    files = {name: read_bytes(file, LARGEST_SOURCE) for name, file in found.items()}
    return Sources(path, language, files)


def built(sources: Sources) -> bytes:
    """The program of an agent: as it is kept, or compiled now.

    Raises BadInput where the compiler is not there, AgentFault for what is wrong in the files.
    """
    from damier.agents.isolation import HOME, inside  # commands without such an agent do without

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
def carried(path: Path) -> Iterator[Carried]:
    """The files of an agent and its program, as a process in a sandbox is given them that runs it there.

    Raises as `sources_of` and `built` do.
    """
    from damier.agents.isolation import HOME

    sources = sources_of(path)
    with tempfile.NamedTemporaryFile(prefix="damier-") as program:
        program.write(built(sources))
        program.flush()
        place = f"{FILES}/{path.name}"
        folder = path if path.is_dir() else path.parent
        files = [(f"{place}/{name}" if path.is_dir() else place, name) for name in sources.files]
        beside = {shown: str((folder / name).resolve()) for shown, name in files}
        yield Carried(f"{HOME}/{place}", beside | {BUILT: program.name})


def joined(sources: Sources) -> bytes:
    """All files in one, each after a line with its name: what is read as it is when it runs."""
    return b"".join(
        b"\x1e%s\n%s\n" % (name.encode(), in_utf_8(content)) for name, content in sources.files.items()
    )


def in_utf_8(content: bytes) -> bytes:
    """A text that may be in Latin-1, as old ones are, in UTF-8."""
    try:
        content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1").encode()
    return content


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
    from damier.agents.channel import started
    from damier.agents.isolation import AgentCommand, AgentLimits, launch

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
            tempfile.TemporaryFile() as said,
        ):
            process = started(found, nothing.fileno(), program.fileno(), said.fileno())
            process.asked_since = time.monotonic()
            try:
                code: int | None = process.process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                code = None
            finally:
                process.end()
            program.seek(0)
            said.seek(0)
            if code == 0:
                return program.read()
            words_said = said.read().decode(errors="replace")
            raise AgentFault(why_not_compiled(sources, words_said, process.verdict, late=code is None))


def why_not_compiled(sources: Sources, said: str, verdict: Text, *, late: bool) -> Message:
    """The first thing that a compiler says is wrong, with the file, the line, and what stands there."""
    lines = said.splitlines()
    for line in lines:
        found = re.match(sources.language.error, LINKER.sub("", line))
        if found:
            file, _colon, number = found["place"].partition(":")
            there = sources.files.get(file, b"").decode(errors="replace").splitlines()
            return message(
                "{place}: {error}, in: {line}",
                place=found["place"],
                error=bounded(found["error"], LONGEST),
                line=bounded("".join(there[int(number) - 1 : int(number)]).strip(), LONGEST),
            )
    name = sources.path.name
    if late:
        return message("{file}: it was not compiled within {n} s", file=name, n=FormattedNumber(SECONDS))
    last = next((line for line in [*filter(ERROR.search, lines), *reversed(lines)] if line.strip()), "")
    return message("{file}: it was not compiled: {error}", file=name, error=verdict or bounded(last, LONGEST))
