"""What is installed and what is handed on: locked versions, licences, and a source distribution in
which the README's commands are there.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import locks
import pytest
from cyclopts import App
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

import damier
from damier.cli.main import build
from damier.core.words import speaking

ROOT = Path(__file__).parent.parent
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")
COMMAND = re.compile(
    r"\bscripts/[a-z]+\b|\bexamples/\w+\.py\b|\bbenchmarks/\w+(?:\.\w+)?\b|\brequirements/[\w-]+\.txt\b"
)


def test_the_locked_versions_and_the_licences_are_those_of_the_project_file() -> None:
    assert list(locks.faults()) == []


def test_a_set_that_no_longer_fits_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        locks.PROJECT["project"], "dependencies", ["numpy>=2.0", "cyclopts>=99", "rich>=13.5"]
    )
    found = list(locks.faults())
    assert [sentence for sentence in found if "web-plot.txt has cyclopts" in sentence]
    assert [sentence for sentence in found if "oldest.txt has rich" in sentence]
    assert [sentence for sentence in found if "licences.md is not" in sentence]


def test_where_to_download_from_is_nobodys_business_but_the_installers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for path in locks.FOLDER.iterdir():
        (tmp_path / path.name).write_text(
            path.read_text() + "--extra-index-url https://example.org/simple\nrich @ file:///tmp/rich.whl\n"
        )
    monkeypatch.setattr(locks, "FOLDER", tmp_path)
    found = list(locks.faults())
    for name in locks.SETS:
        assert [sentence for sentence in found if f"{name}.txt says where to download from" in sentence]
        assert [sentence for sentence in found if f"{name}.txt: rich @" in sentence]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution, built and unpacked; not compressed, which takes longer than all else."""
    folder = tmp_path_factory.mktemp("sdist")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gzip, "GzipFile", partial(gzip.GzipFile, compresslevel=0))
        built = next(SdistBuilder(str(ROOT)).build(directory=str(folder)))
    with tarfile.open(built) as archive:
        archive.extractall(folder, filter="data")
    return Path(str(built).removesuffix(".tar.gz"))


def test_the_source_distribution_has_what_its_pages_name(unpacked: Path) -> None:
    assert sorted(missing(unpacked)) == []


def test_the_test_itself_sees_what_is_missing(unpacked: Path, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text((unpacked / "README.md").read_text())
    (tmp_path / "docs").mkdir()
    assert {
        ("README.md", "scripts/damier"),
        ("README.md", "docs/architecture.md"),
        ("README.md", "examples/clock.py"),
    } <= set(missing(tmp_path))


def test_the_source_distribution_can_be_run_tested_and_built_again(unpacked: Path) -> None:
    kept = {
        path.relative_to(ROOT).as_posix()
        for folder in ("scripts", ".ci", "requirements")
        for path in (ROOT / folder).iterdir()
    }
    assert {path for path in kept if not (unpacked / path).is_file()} == set()
    assert all(
        (unpacked / path).stat().st_mode & 0o100 for path in kept if (ROOT / path).stat().st_mode & 0o100
    )
    assert (unpacked / "pyproject.toml").read_text() == (ROOT / "pyproject.toml").read_text()
    assert (unpacked / "src/damier/locale/fr/LC_MESSAGES/damier.mo").is_file()
    assert not [
        path
        for path in unpacked.rglob("*")
        if path.name in {"__pycache__", ".git"} or path.name.startswith(".venv")
    ]


def test_a_wheel_brings_types_words_lessons_and_the_manual_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zlib, "Z_DEFAULT_COMPRESSION", 0)  # what zipfile asks for
    built = next(WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"]))
    with zipfile.ZipFile(built) as archive:
        names = set(archive.namelist())
    assert {
        "damier/py.typed",
        "damier/locale/fr/LC_MESSAGES/damier.mo",
        "damier/lessons/fr/q.md",
        f"damier-{damier.__version__}.data/data/share/man/man1/damier.1",
    } <= names


def test_the_manual_page_has_every_command_and_option() -> None:
    page = re.sub(r"\\f[A-Z]|\\", "", (ROOT / "docs/damier.1").read_text(encoding="utf-8"))
    with speaking("en"):
        app = build()
        documented = {
            name for command in app if not command.startswith("-") for name in options_of(app[command])
        }
    assert {name for name in app if not name.startswith("-") and f"damier {name}" not in page} == set()
    assert {name for name in documented if name not in page} == set()


def options_of(app: App) -> Iterator[str]:
    """The options of a command, and of those below it."""
    if app.default_command is not None:
        for argument in app.assemble_argument_collection():
            yield from (name for name in argument.names if name.startswith("--") and argument.parameter.show)
    for name in app:
        if not name.startswith("-"):
            yield from options_of(app[name])


def test_who_cites_it_names_its_version() -> None:
    assert f"\nversion: {damier.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_the_containers_are_started_by_commands_that_there_are() -> None:
    last = re.findall(r"^CMD (\[.*\])$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    lines = [*last, *re.findall(r"^ +command: (\[.*\])$", (ROOT / "compose.yaml").read_text(), re.MULTILINE)]
    assert len(lines) == 2
    for line in lines:
        command, _bound, unused = build().parse_known_args(json.loads(line))[:3]
        assert command.__name__ == "serve"
        assert unused == []


def test_completion_completes_in_bash() -> None:
    script = build().generate_completion(shell="bash")
    typed = "COMP_WORDS=(damier ma) COMP_CWORD=1; _damier damier ma damier; echo ${COMPREPLY[@]}"
    found = subprocess.run(["bash", "-c", f"{script}\n{typed}"], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["match", "matchboxes"]


def missing(folder: Path) -> Iterator[tuple[str, str]]:
    """The pages of a copy of this project, and what they link to or tell to run that is not in it."""
    pages = [*folder.glob("*.md"), *(folder / "docs").rglob("*.md"), *(folder / "benchmarks").glob("*.md")]
    for page in pages:
        text, name = page.read_text(encoding="utf-8"), page.relative_to(folder).as_posix()
        yield from ((name, link) for link in LINK.findall(text) if not (page.parent / link).exists())
        yield from ((name, path) for path in COMMAND.findall(text) if not (folder / path).exists())
