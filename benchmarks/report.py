"""Runs rows and shows them: JSON, a table, or the table of benchmarks/README.md."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path

from benchmarks import (
    agents,
    boards,
    chess,
    cluster,
    cold,
    cores,
    cores_exact,
    cores_processes,
    endgames,
    environments,
    large,
    learning,
    own_agents,
    pacman,
    perft,
    playouts,
    processes,
    searching,
    small,
    trees,
    web,
    web_class,
    web_learning,
    web_thirty,
    zero,
)
from benchmarks.measure import Bench, Row, Skipped, figure

MODULES = (
    agents,
    perft,
    chess,
    boards,
    playouts,
    small,
    large,
    cores,
    endgames,
    environments,
    learning,
    own_agents,
    searching,
    zero,
    cores_exact,
    trees,
    pacman,
    processes,
    cold,
    cluster,
    web,
    web_class,
    web_learning,
    web_thirty,
    cores_processes,
)
BENCHES: dict[str, Bench] = {bench.name: bench for module in MODULES for bench in module.BENCHES}
README = Path(__file__).parent / "README.md"
HEADER = ("row", "asked", "reached", "reference", "ratio", "met")
BEGIN, END = "<!-- measured: scripts/bench --markdown -->", "<!-- /measured -->"


def main(arguments: list[str] | None = None) -> int:
    """The command line of `scripts/bench`; returns its exit code."""
    options = parser().parse_args(arguments)
    if options.list:
        print("\n".join(f"{bench.name:26} {bench.how}" for bench in BENCHES.values()))
        return 0
    unknown = [name for name in options.names if name not in BENCHES]
    if unknown:
        print(f"bench: no row {', '.join(map(ascii, unknown))}; rows: {' '.join(BENCHES)}", file=sys.stderr)
        return 2
    chosen = [
        bench
        for name, bench in BENCHES.items()
        if name in options.names or (not options.names and (options.long or not bench.long))
    ]
    rows, failed = measured(chosen)
    if options.json:
        print(json.dumps([row.as_json() for row in rows], indent=1))
    elif options.markdown:
        refresh(rows)
    else:
        show(rows)
    return 1 if failed else 0


def parser() -> argparse.ArgumentParser:
    """What `scripts/bench` understands."""
    made = argparse.ArgumentParser(
        prog="bench", description="How fast damier is: each row a ratio measured within one run, in CPU time."
    )
    made.add_argument(
        "names", nargs="*", metavar="NAME", help="rows to measure (default: all but the long ones)"
    )
    made.add_argument("--long", action="store_true", help="the long rows too")
    made.add_argument("--list", action="store_true", help="name the rows and how each is measured")
    output = made.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print a list of rows")
    output.add_argument(
        "--markdown",
        action="store_true",
        help="write what is measured into the table of benchmarks/README.md",
    )
    return made


def measured(benches: Iterable[Bench]) -> tuple[list[Row], bool]:
    """Measures row by row, and says on standard error how each went.

    What is missing here is skipped; the second answer is whether a row failed: a command that went
    wrong, results that do not agree.
    """
    rows, failed = [], False
    for bench in benches:
        try:
            row = bench.measure(bench.name)
        except Skipped as error:
            print(f"{bench.name}: skipped: {error}", file=sys.stderr)
        except (RuntimeError, OSError) as error:
            print(f"{bench.name}: failed: {error}", file=sys.stderr)
            failed = True
        else:
            rows.append(row)
            print(f"{bench.name}: {reached(row)}, {figure(row.ratio)} × {row.reference}", file=sys.stderr)
    return rows, failed


def reached(row: Row) -> str:
    return f"{figure(row.ours)} {row.unit}"


def cells(row: Row) -> tuple[str, ...]:
    """A row as the columns of HEADER."""
    bar = BENCHES[row.name].bar
    met = "" if bar is None else "yes" if bar.met(row) else "**no**"
    reference = f"{row.reference}: {figure(row.reference_value)} {row.unit}"
    return (
        row.name,
        bar.text(row.unit) if bar else "",
        reached(row),
        reference,
        f"{figure(row.ratio)} ×",
        met,
    )


def show(rows: list[Row]) -> None:
    """A table for people."""
    from rich.console import Console
    from rich.table import Table

    table = Table(*HEADER, title="CPU time, medians of paired runs")
    for row in rows:
        table.add_row(*(cell.replace("**", "") for cell in cells(row)))
    Console().print(table)


def refresh(rows: list[Row]) -> None:
    """Writes rows into the README's table; rows that were not measured now stay as they are."""
    text = README.read_text(encoding="utf-8")
    before, _begin, rest = text.partition(BEGIN)
    old, _end, after = rest.partition(END)
    lines = {line.split("|")[1].strip(" `"): line for line in old.splitlines() if line.startswith("| `")}
    for row in rows:
        name, *others = cells(row)
        lines[name] = f"| `{name}` | {' | '.join(others)} | {BENCHES[name].how} |"
    table = [
        f"| {' | '.join(HEADER)} | how |",
        "|" + "---|" * (len(HEADER) + 1),
        *(lines[name] for name in BENCHES if name in lines),
    ]
    README.write_text("\n".join([before + BEGIN, "", *table, "", END + after]), encoding="utf-8")
    print(f"{README}: {len(rows)} rows", file=sys.stderr)
