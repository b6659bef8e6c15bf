"""Which versions are installed where they are given: requirements/*.txt and docs/licences.md, kept
by scripts/lock (docs/decisions/0036).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "requirements"
LICENCES = ROOT / "docs" / "licences.md"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]

SETS = {"test-bench": ("test", "bench"), "web-plot": ("web", "plot"), "oldest": ("web", "plot", "test")}
"""The files, and the extras that each is for; the first is the largest, and the others name no
other versions of what is in it too.
"""
OLDEST = "oldest"
TESTED_WITH = {"babel", "httpx", "hypothesis", "pytest", "pytest-xdist"}
"""What the tests of the oldest versions (scripts/test-oldest) need of the extra `test`."""
SAID_ELSEWHERE = {
    "alabaster": "BSD-3-Clause",
    "appnope": "BSD-2-Clause",
    "axe-playwright-python": "MIT",
    "cffi": "MIT-0",
    "colorama": "BSD-3-Clause",
    "docutils": "BSD-2-Clause",
    "easyai": "MIT",
    "ipython-pygments-lexers": "BSD-3-Clause",
    "jinja2": "BSD-3-Clause",
    "numba": "BSD-2-Clause",
    "prompt-toolkit": "BSD-3-Clause",
    "pycparser": "BSD-3-Clause",
    "scipy": "BSD-3-Clause",
    "segno": "BSD-3-Clause",
    "sphinxcontrib-applehelp": "BSD-2-Clause",
    "sphinxcontrib-devhelp": "BSD-2-Clause",
    "sphinxcontrib-htmlhelp": "BSD-2-Clause",
    "sphinxcontrib-jsmath": "BSD-2-Clause",
    "sphinxcontrib-qthelp": "BSD-2-Clause",
    "sphinxcontrib-serializinghtml": "BSD-2-Clause",
    "torch": "BSD-3-Clause",
    "tzdata": "Apache-2.0",
}
"""Licences that a package's metadata does not name, or only as "BSD": read in its own licence file."""
BY_CLASSIFIER = {
    "Apache Software License": "Apache-2.0",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
PINNED = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==([^ ;\\]+)")


def main(arguments: Sequence[str]) -> int:
    """Writes the files, or with --check only says what is wrong with them."""
    parser = argparse.ArgumentParser(prog="lock", description=__doc__)
    parser.add_argument("--upgrade", action="store_true")
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args(arguments)
    if not asked.check:
        for name in SETS:
            lock(name, upgrade=asked.upgrade)
        LICENCES.write_text(licences(licence_of), encoding="utf-8")
    wrong = list(faults())
    print("\n".join(wrong) or "requirements/ and docs/licences.md are up to date")
    return 1 if wrong else 0


def lock(name: str, *, upgrade: bool) -> None:
    """Resolves one set: for every Python and platform at once or, for the oldest versions, for the
    oldest Python.
    """
    path = FOLDER / f"{name}.txt"
    head = f"# {', '.join(SETS[name])}: written by scripts/lock; scripts/environment installs it\n"
    command = [
        Path(sys.executable).parent / "uv",
        "pip",
        "compile",
        "-",
        "--quiet",
        "--no-config",
        "--generate-hashes",
        "--no-header",
        "--no-annotate",
    ]
    command += [
        "--no-emit-index-url",
        "--no-emit-find-links",
        "--python-version",
        "3.11",
        "--output-file",
        path,
    ]
    command += ["--resolution=lowest-direct"] if name == OLDEST else ["--universal"]
    command += ["--upgrade"] if upgrade else []
    if name not in (OLDEST, next(iter(SETS))):
        command += ["--constraints", FOLDER / f"{next(iter(SETS))}.txt"]
    wanted = "\n".join(map(str, [*direct(name), *build_requirements()]))
    own = {key: value for key, value in os.environ.items() if not key.startswith(("UV_", "PIP_"))}
    subprocess.run(command, input=wanted, text=True, check=True, cwd=ROOT, env=own)
    path.write_text(head + path.read_text(encoding="utf-8").removeprefix(head), encoding="utf-8")


def direct(name: str) -> list[Requirement]:
    """What pyproject.toml asks for in a set: what damier needs, and its extras; those of an extra
    that names others, too. Of the oldest versions only what their tests need.
    """
    wanted = [Requirement(text) for text in PROJECT["project"]["dependencies"]]
    extras = list(SETS[name])
    for extra in extras:
        for requirement in map(Requirement, EXTRAS[extra]):
            if (name, extra) == (OLDEST, "test") and canonicalize_name(requirement.name) not in TESTED_WITH:
                continue
            if requirement.name == PROJECT["project"]["name"]:
                extras += sorted(requirement.extras - set(extras))
            else:
                wanted.append(requirement)
    return wanted


def build_requirements() -> list[Requirement]:
    """What building damier itself needs: it is installed without a download of its own."""
    return [Requirement(text) for text in PROJECT["build-system"]["requires"]]


def pins(name: str) -> dict[str, list[Version]]:
    """The versions that a file names: several where they depend on the Python."""
    found: dict[str, list[Version]] = {}
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if match := PINNED.match(line):
            found.setdefault(canonicalize_name(match[1]), []).append(Version(match[2]))
    return found


def faults() -> Iterator[str]:
    """What is wrong with the files, a sentence each."""
    for name in SETS:
        yield from faults_of_lock(name)
    known = known_licences()
    yield from (
        f"docs/licences.md names no licence of {name}: see SAID_ELSEWHERE in tests/locks.py"
        for name in known
        if not known[name]
    )
    if LICENCES.read_text(encoding="utf-8") != licences(lambda name: known.get(name, "")):
        yield "docs/licences.md is not what requirements/test-bench.txt names: run scripts/lock"


def faults_of_lock(name: str) -> Iterator[str]:
    """What pyproject.toml asks for and a file does not name, and what no such file may say."""
    path, named = f"requirements/{name}.txt", pins(name)
    for requirement in direct(name):
        versions = named.get(canonicalize_name(requirement.name), [])
        if not versions or not all(requirement.specifier.contains(version) for version in versions):
            yield f"{path} has {requirement.name} {versions}, not {requirement.specifier}: run scripts/lock"
        elif name == OLDEST and lowest(requirement) not in versions:
            yield (
                f"{path} has {requirement.name} {versions}; the oldest allowed is {requirement.specifier}:"
                " run scripts/lock"
            )
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    for block in re.split(r"\n(?=\S)", text.partition("\n")[2].strip()):
        if not PINNED.match(block) or "--hash=sha256:" not in block:
            yield f"{path}: {block.splitlines()[0]} is not a version with its hashes"
    if where := re.search(r"(https?|file)://|--(extra-)?index|--find-links", text):
        yield f"{path} says where to download from: {where[0]}"


def lowest(requirement: Requirement) -> Version | None:
    """The lower bound of a requirement."""
    bounds = [Version(each.version) for each in requirement.specifier if each.operator == ">="]
    return max(bounds, default=None)


def licences(licence: Callable[[str], str]) -> str:
    """docs/licences.md: every package that any extra installs, what damier allows of it, and its
    `licence`.
    """
    wanted: dict[str, list[str]] = {}
    for extra, requirement in asked_for():
        wanted.setdefault(canonicalize_name(requirement.name), [str(requirement.specifier)]).append(extra)
    pinned = pins(next(iter(SETS)))
    own, others = [], []
    for name in sorted({*wanted, *pinned} - {PROJECT["project"]["name"]}):
        locked = ", ".join(map(str, pinned.get(name, [])))
        if name in wanted:
            own.append(
                f"| {name} | {wanted[name][0]} | {locked} | {', '.join(wanted[name][1:])} | {licence(name)} |"
            )
        else:
            others.append(f"| {name} | {locked} | {licence(name)} |")
    return PAGE.format(own="\n".join(own), others="\n".join(others), manifest=VENDORED, vendored=vendored())


def asked_for() -> Iterator[tuple[str, Requirement]]:
    """What pyproject.toml names, with the extra that it is of."""
    for text in PROJECT["project"]["dependencies"]:
        yield "damier", Requirement(text)
    for extra in EXTRAS:
        for text in EXTRAS[extra]:
            yield f"damier[{extra}]", Requirement(text)
    for requirement in build_requirements():
        yield "to build", requirement


def licence_of(name: str) -> str:
    """The licence of a package: as its metadata says; of one that is not installed here, as the
    page has it already.
    """
    if name in SAID_ELSEWHERE:
        return SAID_ELSEWHERE[name]
    try:
        said = metadata(name)
    except PackageNotFoundError:
        return known_licences().get(name, "")
    if expression := said.get("License-Expression"):
        return expression
    classified = [
        each.rpartition(" :: ")[2]
        for each in said.get_all("Classifier") or []
        if each.startswith("License ::")
    ]
    known = " AND ".join(BY_CLASSIFIER[each] for each in classified if each in BY_CLASSIFIER)
    return known or next(iter(said.get("License", "").splitlines()), "")  # some metadata holds its whole text


def known_licences() -> dict[str, str]:
    """The licences that the page has."""
    if not LICENCES.is_file():
        return {}
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in LICENCES.read_text(encoding="utf-8").splitlines()
        if line.startswith("| ")
    ]
    return {row[0]: row[-1] for row in rows if row[0] != "package"}


PAGE = """# Licences

damier is under the MIT licence. It contains no code of others but what is named last; what it is installed
with has these licences, as the packages themselves state them. Written by `scripts/lock` from
`pyproject.toml` and `requirements/test-bench.txt`.

| package | allowed | locked | for | licence |
|---|---|---|---|---|
{own}

What these bring along:

| package | locked | licence |
|---|---|---|
{others}

What damier contains for the sites of `damier site`, as it came ([checksums](../{manifest})), but
for Python's library, which is compiled and lacks some modules (`scripts/pyodide`); its licences
lie beside it:

| package | version | contains | from | licence |
|---|---|---|---|---|
{vendored}
"""
VENDORED = "src/damier/plugins/site/pyodide/manifest.json"


def vendored() -> str:
    """The row of what is vendored."""
    found = json.loads((ROOT / VENDORED).read_text(encoding="utf-8"))
    cells = [found[name] for name in ("package", "version", "contains", "source", "licence")]
    return f"| {' | '.join(cells)} |"
