"""Whole commands, from the shell's point of view: CPU seconds of the process, with compiled code in
the cache.
"""

from __future__ import annotations

from benchmarks.measure import Bar, Bench, Row, Sample, python, race

COMMANDS = {"help": ("--help",), "solve-command": ("solve", "tictactoe"), "octapawn": ("solve", "octapawn")}

IMPORTED = """
import contextlib, io, sys
from damier.cli.main import main
for arguments in (["--help"], ["solve", "tictactoe"]):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main(arguments)
print(sum(name.split(".")[0] in ("numba", "llvmlite") for name in sys.modules))
"""


def damier(*arguments: str) -> Sample:
    return lambda: python("-m", "damier.cli.main", *arguments)[0]


def empty() -> float:
    return python("-c", "pass")[0]


def command(name: str) -> Row:
    """CPU seconds of the whole process, compiled code cached, beside those of a Python that does
    nothing.
    """
    return race(name, "s", "python -c pass", damier(*COMMANDS[name]), empty, pairs=7, less=True)


def numba(name: str) -> Row:
    """Modules of Numba that `damier --help` and `damier solve tictactoe` import: none may be."""
    modules = float(python("-c", IMPORTED)[1].split()[-1])
    return Row(name, "modules", modules, "none allowed", 0.0, 1.0 if modules == 0 else 0.0)


BENCHES = (
    Bench("help", command, Bar(0.35, of="ours", most=True)),
    Bench("solve-command", command, Bar(0.6, of="ours", most=True)),
    Bench("octapawn", command, Bar(1.0, of="ours", most=True)),
    Bench("numba-imports", numba, Bar(0, of="ours", most=True)),
)
