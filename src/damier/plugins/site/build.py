"""Files of a site: the shell, Pyodide, and in one pack damier with the packages that its pages need."""

from __future__ import annotations

import ast
import gzip
import hashlib
import json
import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import metadata
from pathlib import Path, PurePosixPath

from jinja2 import Environment, FileSystemLoader, StrictUndefined

import damier
from damier.core.errors import BadFile, BadInput
from damier.core.files import writing_to
from damier.core.json_data import to_json
from damier.core.runtime import python
from damier.core.words import _, languages, message, speaking
from damier.draw.svg import sheet
from damier.plugins.site import PASTED, tab
from damier.web.app import STATIC
from damier.web.registry import own_files, path_and_rest
from damier.web.rooms import ROOMS, lessons

HERE = Path(__file__).parent
SOURCE = Path(damier.__file__).parent
VENDORED, SHELL = HERE / "pyodide", HERE / "shell"
MANIFEST = VENDORED / "manifest.json"
WORKER = "sw.js"
"""The script that keeps the files in the browser; it names them all, and the edition."""
FORMAT, ABOUT = "damier-site/1", "site.json"
PACKAGES = ("jinja2", "markupsafe", "markdown-it-py", "mdurl", "segno", "platformdirs")
"""Distributions that pages need: what of them is Python."""
PLUGINS = ("course", "exams", "more_games", "site", "studies")
"""Damier's own plug-ins that work in a browser: no processes, no sockets, no NumPy."""
NEVER_READ = ("agents/runtimes/", "cli/", "interop/", "kits/", "plugins/site/shell/", "plugins/site/pyodide/")
"""Folders of damier that no page in a tab reads: for terminals, processes, packages that are not there."""
GROUPS = ("damier.games", "damier.rooms")
OWN = "own"
"""The folder of the pack with games and agents of one's own."""
IN_TAB = "/site"
"""Where the pack is unpacked in the tab: `shell/worker.js`."""
PACK = "damier.pack"
COUNTED = ("pyodide.asm.wasm", "python_stdlib.zip", PACK)
"""Files whose progress the shell tells."""


def shell_words() -> dict[str, str]:
    """Return the sentences of the shell, in the language in force."""
    return {
        "loads": _("The lab comes into your browser: {n} of {m} MB …", n="{n}", m="{m}"),
        "opens": _("Python starts …"),
        "page": _("The page is being made …"),
        "restarts": _("That takes too long: Python is started again …"),
        "late": _("This took too long for a browser; damier on a machine of your own is faster."),
        "failed": _("The lab failed here: {error}", error="{error}"),
        "broken": _(
            "The lab cannot start in this browser: {error}. It needs a current Firefox, Chrome, Edge or"
            " Safari.",
            error="{error}",
        ),
        "files": _("a file of the site is missing, or there is no network"),
        "again": _("Try again"),
        "what": _(
            "Games, search trees and machines that learn, made by Python in your browser. This is loaded"
            " once; afterwards it also works without a network."
        ),
    }


@dataclass(frozen=True)
class Site:
    """A site as it is to be written, with the games and agents of one's own in some files.

    Attributes:
        named: those files, as a command names them.
    """

    named: Sequence[str] = ()

    @cached_property
    def _own_files(self) -> dict[str, dict[str, Path]]:
        """Return the files of one's own games and agents, by kind and by name."""
        for text in self.named:
            if not path_and_rest(text)[0].endswith(".py"):
                raise BadInput(message("{name}: only files of Python run in a browser", name=text))
        games, agents = own_files(self.named)
        return {
            kind: {name: Path(path) for name, path in found.items()}
            for kind, found in (("games", games), ("agents", agents))
        }

    @property
    def own(self) -> dict[str, dict[str, str]]:
        """Return where these files are in the tab."""
        return {
            kind: {name: f"{IN_TAB}/{in_pack(path, path.parent)}" for name, path in found.items()}
            for kind, found in self._own_files.items()
        }

    @cached_property
    def files(self) -> dict[str, bytes]:
        """Return all files by their places, the shell among them.

        Raises BadInput, BadGame for files that cannot be played, BadFile where a vendored one is damaged.
        """
        pyodide = vendored()
        python_files = dict([*sources(), *packages(), *self._own_sources(), *entry_points()])
        first = first_pages(python_files, {**self.own, "closed": closed()})
        files = {
            **{f"pyodide/{name}": content for name, content in pyodide.items()},
            **{
                f"static/{path.name}": path.read_bytes()
                for folder in (STATIC, *(SOURCE / "plugins" / name / "static" for name in PLUGINS))
                if folder.is_dir()
                for path in sorted(folder.iterdir())
            },
            **{
                name: (SHELL / name).read_bytes()
                for name in ("frame.html", "shell.css", "shell.js", "worker.js")
            },
            "site.css": hidden_links().encode(),
            "draw.css": sheet().encode(),
            PACK: pack(python_files),
            **{f"home.{code}.html": page.encode() for code, page in first.items()},
            **licences(),
        }
        kept = ["index.html", *(name for name in files if not name.startswith("licences/"))]
        shell = (HERE / "templates" / "shell.html", SHELL / WORKER)
        edition = digest([*files.items(), *((path.name, path.read_bytes()) for path in shell)])
        files["index.html"] = self._index(files, edition).encode()
        files[WORKER] = rendered(WORKER, SHELL, edition=edition, files=to_json(kept)).encode()
        about = {
            "format": FORMAT,
            "damier": metadata.version("damier"),
            "pyodide": manifest()["version"],
            "edition": edition,
            **{kind: sorted(found) for kind, found in self.own.items()},
        }
        files[ABOUT] = to_json(about).encode()
        return files

    def _own_sources(self) -> Iterator[tuple[str, bytes]]:
        """Yield one's own files, with those beside them that they import."""
        paths = {path for found in self._own_files.values() for path in found.values()}
        places = {in_pack(file, path.parent): file for path in paths for file in beside(path)}
        for place, file in sorted(places.items()):
            yield place, file.read_bytes()

    def _index(self, files: dict[str, bytes], edition: str) -> str:
        words: dict[str, dict[str, str]] = {}
        facts = {
            "edition": edition,
            "own": {**self.own, "closed": closed()},
            "sizes": {
                name: len(files[place]) for place in files if (name := place.split("/")[-1]) in COUNTED
            },
            "seconds": {
                **{verb: cost.seconds for verb, cost in ROOMS.verbs.items()},
                **{f"pasted.{verb}": cost.seconds for verb, cost in PASTED.verbs.items()},
            },
            "words": words,
        }
        without_scripts = []
        for code in languages():
            with speaking(code):
                words[code] = shell_words()
                without_scripts.append(_("This page needs JavaScript: it runs Python in your browser."))
        return rendered(
            "shell.html",
            HERE / "templates",
            edition=edition,
            facts=to_json(facts).replace("<", "\\u003c"),
            first=languages()[0],
            without_scripts=without_scripts,
        )

    @property
    def size(self) -> int:
        """Return the bytes of what a reader loads."""
        return sum(len(content) for content in self._loaded())

    @property
    def compressed(self) -> int:
        """Return the bytes that a web server sends which compresses."""
        return sum(min(len(content), len(gzip.compress(content, 6))) for content in self._loaded())

    def _loaded(self) -> list[bytes]:
        return [content for name, content in self.files.items() if not name.startswith("licences/")]

    def write(self, folder: Path) -> None:
        """Write it as a whole into a folder, a new one or that of a site before.

        Raises BadInput for a folder that holds anything else, or cannot be written, LimitReached on a full
        disk.
        """
        require_free(folder)
        files = self.files
        draft = folder.absolute().with_name(f".{folder.absolute().name}.{secrets.token_hex(4)}")
        try:
            with writing_to(folder):
                for name, content in files.items():
                    (draft / name).parent.mkdir(parents=True, exist_ok=True)
                    (draft / name).write_bytes(content)
                old = draft.with_name(f"{draft.name}.old")
                if folder.exists():
                    os.replace(folder, old)
                os.replace(draft, folder)
                shutil.rmtree(old, ignore_errors=True)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def require_free(folder: Path) -> None:
    """Raise BadInput for a folder that is neither new nor that of a site."""
    try:
        if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
            return
        if json.loads((folder / ABOUT).read_text(encoding="utf-8")).get("format") == FORMAT:
            return
    except (OSError, ValueError, AttributeError):
        pass
    raise BadInput(message("{path} holds something else than a site; give a new folder", path=folder))


# The parts of a site.


def manifest() -> dict[str, str]:
    """Return what is vendored: `package`, `version`, `licence`, where it is from."""
    found: dict[str, str] = json.loads(MANIFEST.read_text(encoding="utf-8"))
    return found


def vendored() -> dict[str, bytes]:
    """Return the vendored files. Raises BadFile for one that is not as it came."""
    sums: dict[str, str] = json.loads(MANIFEST.read_text(encoding="utf-8"))["files"]
    found = {name: (VENDORED / name).read_bytes() for name in sums if (VENDORED / name).exists()}
    for name, wanted in sums.items():
        if hashlib.sha256(found.get(name, b"")).hexdigest() != wanted:
            raise BadFile(message("{path} is not as it came; install damier again", path=VENDORED / name))
    return found


def sources() -> Iterator[tuple[str, bytes]]:
    """Yield the sources of damier that work in a browser, its words and its lessons."""
    for path in files_below(SOURCE):
        place = path.relative_to(SOURCE)
        plugin = place.parts[1] if place.parts[0] == "plugins" and len(place.parts) > 2 else ""
        if (
            place.parts[0] == "lessons"  # which an installed damier has among its sources
            or (plugin and plugin not in PLUGINS)
            or place.as_posix().startswith(NEVER_READ)
        ):
            continue
        if "static" not in place.parts and place.suffix not in (".po", ".book"):
            yield f"damier/{place.as_posix()}", path.read_bytes()
    folder = lessons.folder()
    for path in files_below(folder):
        place = path.relative_to(folder)
        if path.suffix in (".md", ".svg", ".json") and place.parts[0] != "measured":
            yield f"damier/lessons/{place.as_posix()}", path.read_bytes()


def files_below(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder and of those in it, but for what Python keeps."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path


def packages() -> Iterator[tuple[str, bytes]]:
    """Yield the Python of the packages that pages need, as it is installed here."""
    for name in PACKAGES:
        for file in metadata.files(name) or ():
            if (
                file.suffix in (".py", ".json", ".txt")
                and ".dist-info" not in file.parts[0]
                and ".." not in file.parts
            ):
                yield file.as_posix(), Path(str(file.locate())).read_bytes()


def licences() -> dict[str, bytes]:
    """Return the licences of all that is in a site, by their places."""
    names: list[str] = json.loads(MANIFEST.read_text(encoding="utf-8"))["licences"]
    return {
        "licences/damier.txt": licence_of("damier"),
        **{f"licences/{name.split('.')[1]}.txt": (VENDORED / name).read_bytes() for name in names},
        "licences/pyodide.json": MANIFEST.read_bytes(),
        **{f"licences/{name}.txt": licence_of(name) for name in PACKAGES},
    }


def licence_of(name: str) -> bytes:
    """Return the licence of an installed package: its file, or what its metadata says."""
    about = metadata.distribution(name)
    for file in about.files or ():
        if "LICEN" in file.name.upper() and ".dist-info" in file.parts[0]:
            return Path(str(file.locate())).read_bytes()
    licence = about.metadata["License-Expression"] or about.metadata["License"] or ""
    return f"{name} {about.version}: {licence}\n".encode()


def entry_points() -> Iterator[tuple[str, bytes]]:
    """Yield what tells the plug-ins that a site has, as the metadata of damier."""
    points = [
        point
        for point in metadata.distribution("damier").entry_points
        if {*point.module.split(".")[2:3]} & {*PLUGINS}
    ]
    lines = [
        line
        for group in GROUPS
        for line in (f"[{group}]", *(f"{p.name} = {p.value}" for p in points if p.group == group))
    ] + ["pasted = damier.plugins.site:PASTED", ""]
    about = f"Metadata-Version: 2.1\nName: damier\nVersion: {metadata.version('damier')}\n"
    folder = PurePosixPath(f"damier-{metadata.version('damier')}.dist-info")
    yield str(folder / "METADATA"), about.encode()
    yield str(folder / "entry_points.txt"), "\n".join(lines).encode()


def pack(files: Mapping[str, bytes]) -> bytes:
    """Return many files as one, which `worker.js` takes apart: a line with names and sizes, then what is in
    them, compressed as a whole. A zip file costs Python in a browser half a second.
    """
    listed = to_json([[name, len(content)] for name, content in files.items()])
    return gzip.compress(b"".join([listed.encode(), b"\n", *files.values()]), 9, mtime=0)


def first_pages(files: Mapping[str, bytes], own: Mapping[str, object]) -> dict[str, str]:
    """Return the first page in every language, as the damier of some files makes it alone."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            place = Path(folder, name)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        alone = python("-S", "-m", tab.__name__, to_json(own), *languages())
        of_files = os.environ | {"PYTHONPATH": folder, "PYTHONIOENCODING": "utf-8"}
        made = subprocess.run(alone, env=of_files, stdout=subprocess.PIPE, encoding="utf-8", check=True)
    found: dict[str, str] = json.loads(made.stdout)
    return found


def in_pack(path: Path, folder: Path) -> str:
    """Return the place in the pack of a file of one's own, or of one in its folder that it imports: what lies
    in one folder lies in one there.
    """
    name = hashlib.sha256(str(folder).encode()).hexdigest()[:8]
    return f"{OWN}/{name}/{path.relative_to(folder).as_posix()}"


def beside(path: Path) -> set[Path]:
    """Return a file of one's own, and those in its folder that it imports: modules, and packages whole."""
    found, waiting = set[Path](), [path]
    while waiting:
        file = waiting.pop()
        if file in found:
            continue
        found.add(file)
        for node in ast.walk(ast.parse(file.read_bytes())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            for name in names:
                there = path.with_name(name.split(".")[0])
                module = there.with_name(f"{there.name}.py")
                waiting += [module] if module.is_file() else there.rglob("*.py")
    return found


def hidden_links() -> str:
    """Return the style that leaves out what needs a server: links to its rooms, and what says so itself."""
    hidden = [*(f'a[href^="{start}"]' for start in closed()), "[data-server]"]
    return ", ".join(hidden) + " { display: none; }\n"


def closed() -> list[str]:
    """Return the addresses of the rooms that need a server: of some of them nothing is in a site."""
    pages = [room.pages for room in ROOMS.values() if room.needs_server]
    return sorted({next(iter(addresses)) for addresses in pages if addresses})


def rendered(name: str, folder: Path, **values: object) -> str:
    """Return a template of the shell, filled in by what is made here."""
    made = Environment(loader=FileSystemLoader(folder), autoescape=False, undefined=StrictUndefined)
    return made.get_template(name).render(**values)


def digest(files: Sequence[tuple[str, bytes]]) -> str:
    """Return what changes with any of some files."""
    found = hashlib.sha256()
    for name, content in sorted(files):
        found.update(f"{name} {len(content)}\n".encode() + content)
    return found.hexdigest()[:12]
