"""What is installed and what is handed on: locked versions, licences, and a source distribution in
which the README's commands are there.
"""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterator
from pathlib import Path

import locks
import pytest
from hatchling.builders.sdist import SdistBuilder

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
    """The source distribution, built and unpacked."""
    folder = tmp_path_factory.mktemp("sdist")
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


def missing(folder: Path) -> Iterator[tuple[str, str]]:
    """The pages of a copy of this project, and what they link to or tell to run that is not in it."""
    pages = [*folder.glob("*.md"), *(folder / "docs").rglob("*.md"), *(folder / "benchmarks").glob("*.md")]
    for page in pages:
        text, name = page.read_text(encoding="utf-8"), page.relative_to(folder).as_posix()
        yield from ((name, link) for link in LINK.findall(text) if not (page.parent / link).exists())
        yield from ((name, path) for path in COMMAND.findall(text) if not (folder / path).exists())
