"""How a figure is measured: paired runs, CPU time, medians.

Every row compares two things within one run: ours and a reference, alternately (A B A B …), so that
a machine that grows slow or warm treats both alike. The ratio is the median of the paired ratios,
always the way round in which more is better for damier. Time is CPU time: of this process, of a
child that has ended, or as a C program measured its own.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

C_SOURCES = Path(__file__).parent / "c"
C_FLAGS = ("-O3", "-march=native")

Sample = Callable[[], float]
"""Runs something once and returns its figure: a rate, or CPU seconds."""


class Skipped(Exception):
    """A row cannot be measured here: a peer or a compiler is missing."""


@dataclass(frozen=True)
class Bar:
    """What a row must reach: a least ratio, a least `ours`, or, with `most`, a most `ours`."""

    limit: float
    of: str = "ratio"  # or "ours"
    most: bool = False

    def met(self, row: Row) -> bool:
        reached = float(getattr(row, self.of))
        return reached <= self.limit if self.most else reached >= self.limit

    def text(self, unit: str) -> str:
        """As it stands in a table: `≥ 0.85 ×`, `≤ 2.5 s`."""
        return f"{'≤' if self.most else '≥'} {figure(self.limit)} {'×' if self.of == 'ratio' else unit}"


@dataclass(frozen=True)
class Row:
    """A measured row. `ratio`: how many times better ours is than the reference."""

    name: str
    unit: str
    ours: float
    reference: str
    reference_value: float
    ratio: float

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {
            figure_: round(getattr(self, figure_), 6) for figure_ in ("ours", "reference_value", "ratio")
        }


@dataclass(frozen=True)
class Bench:
    """A row that can be measured.

    `measure(name)` does it, its docstring says how; `long` rows run only when they are asked for.
    """

    name: str
    measure: Callable[[str], Row]
    bar: Bar | None = None
    long: bool = False

    @property
    def how(self) -> str:
        """The first paragraph of the measure's docstring, on one line."""
        return " ".join((self.measure.__doc__ or "").split("\n\n")[0].split())


def race(
    name: str,
    unit: str,
    reference: str,
    ours: Sample,
    theirs: Sample,
    *,
    pairs: int = 5,
    less: bool = False,
    warm: bool = True,
) -> Row:
    """The row of `pairs` alternate runs of both, after one run of each that does not count.

    `less`: the smaller figure is the better one.
    """
    if warm:
        ours(), theirs()
    figures = [(ours(), theirs()) for _pair in range(pairs)]
    ratios = [b / a if less else a / b for a, b in figures]
    return Row(
        name, unit, median(a for a, _b in figures), reference, median(b for _a, b in figures), median(ratios)
    )


def rate(work: Callable[[], int], *, per: float = 1.0) -> Sample:
    """A sample: what `work` says it did, in units of `per`, by CPU second of this process."""

    def sample() -> float:
        begun = time.process_time()
        done = work()
        return done / per / (time.process_time() - begun)

    return sample


def cpu(work: Callable[[], object], *, per: float = 1.0) -> Sample:
    """A sample: CPU seconds of this process, in units of `per` seconds."""

    def sample() -> float:
        begun = time.process_time()
        work()
        return (time.process_time() - begun) / per

    return sample


@cache
def peer(module: str) -> Any:
    """A library that damier is compared with. Raises Skipped where it is not installed."""
    try:
        return import_module(module)
    except ImportError as error:
        raise Skipped(f"{module} is not installed (pip install 'damier[bench]'): {error}") from None


@cache
def build_folder() -> Path:
    """Where C programs are built; gone at the end."""
    folder = Path(tempfile.mkdtemp(prefix="damier-bench-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def compiled_c(source: str, *defines: str) -> Path:
    """A program built from `benchmarks/c/<source>.c`. Raises Skipped without a C compiler."""
    compiler = os.environ.get("CC", "cc")
    if shutil.which(compiler) is None:
        raise Skipped(f"no C compiler ({compiler})")
    program = build_folder() / "-".join([source, *defines]).replace("=", "")
    command = [
        compiler,
        *C_FLAGS,
        *(f"-D{define}" for define in defines),
        str(C_SOURCES / f"{source}.c"),
        "-o",
        str(program),
    ]
    built = subprocess.run(command, capture_output=True, text=True)
    if built.returncode:
        raise Skipped(
            f"{source}.c does not compile here: {(built.stderr.strip().splitlines() or ['no message'])[0]}"
        )
    return program


def run_c(program: Path, *arguments: object) -> dict[str, Any]:
    """What a C program says of itself: its count and its own CPU seconds."""
    answer: dict[str, Any] = json.loads(
        subprocess.run([program, *map(str, arguments)], check=True, capture_output=True, text=True).stdout
    )
    return answer


def child(*command: str) -> tuple[float, str]:
    """CPU seconds of a whole child process, and what it wrote on standard output.

    Raises RuntimeError where it fails.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        _pid, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        if process.returncode:
            raise RuntimeError(
                f"{' '.join(command)}: exit {process.returncode}:"
                f" {err.read().decode(errors='replace').strip()[-300:]}"
            )
        return used.ru_utime + used.ru_stime, out.read().decode(errors="replace")


def python(*arguments: str) -> tuple[float, str]:
    """`child` in this Python."""
    return child(sys.executable, *arguments)


def agree(name: str, ours: object, theirs: object) -> None:
    """Raises RuntimeError unless both came to the same result: only equal work is compared."""
    if ours != theirs:
        raise RuntimeError(f"{name}: ours is {ours}, the reference's {theirs}")


def figure(value: float) -> str:
    """Three significant digits, without an exponent.

    >>> figure(12345.6), figure(0.08512), figure(2.5)
    ('12 300', '0.0851', '2.5')
    """
    if value == 0:
        return "0"
    if abs(value) >= 1000:
        digits = len(str(int(abs(value)))) - 3
        return f"{int(round(value, -digits)):,}".replace(",", " ")
    return f"{float(f'{value:.3g}'):g}"
