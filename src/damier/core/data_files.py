"""Tables for data frames: CSV and Parquet, by the ending of the file, for every command (docs/data.md).

The columns are the same in both. CSV is written by the standard library; Parquet by pyarrow, of the extra
`data`, which is imported when the first such file is asked for.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from damier.core.files import make_place, replacing
from damier.core.game import written
from damier.core.job import uninterrupted
from damier.core.runtime import needing
from damier.core.words import N_

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer
    from pyarrow import Schema

CSV, PARQUET = ".csv", ".parquet"
SUFFIXES = (CSV, PARQUET)
ROWS_AT_ONCE = 1 << 16
"""Rows that are encoded at once, and those of a group of Parquet."""

Cell: TypeAlias = "bool | int | float | str | Sequence[str] | None"
"""A value of a table; None where there is none."""
Columns: TypeAlias = Mapping[str, type]
"""The type of each column by its name: bool, int, float, str, or list for a list of words."""
Rows: TypeAlias = Iterable[Sequence[Cell]]


class DataTable(NamedTuple):
    """Columns, and the rows under them."""

    columns: Columns
    rows: Rows


def is_data(path: Path) -> bool:
    """Return whether the name of a file ends as a table's does."""
    return path.suffix.lower() in SUFFIXES


def require_data(path: Path) -> None:
    """Raise BadInput where the table `path` could not be written: before long work."""
    if path.suffix.lower() == PARQUET:
        _require_pyarrow(path)
    make_place(path, SUFFIXES)


def write_data(table: DataTable, path: Path) -> None:
    """Write a table in one step: what was there stays until all of it is written.

    Raises BadInput, LimitReached where the disk is full.
    """
    encoder = encoder_for(path, table.columns)
    with replacing(path) as stream:
        for rows in _parts(table.rows):
            with uninterrupted():
                encoded = encoder.encode(rows)
            stream.write(encoded)
        stream.write(encoder.end())


def csv_text(table: DataTable) -> str:
    """Return a table as CSV."""
    encoder = CsvEncoder(table.columns)
    return (encoder.encode(table.rows) + encoder.end()).decode()


def of_game(name: str, options: Mapping[str, object]) -> tuple[str, str]:
    """Return the cells of the columns OF_GAME: the name of a game, and its options as they are written.

    >>> of_game("nim", {"matches": 16, "misere": True})
    ('nim', 'matches=16,misere=true')
    """
    return name, written("", options).removeprefix(":")


def of_written_game(text: str) -> tuple[str, str]:
    """Return the cells of the columns OF_GAME for a game as it is written.

    >>> of_written_game("nim:matches=16"), of_written_game("race.py:short")
    (('nim', 'matches=16'), ('race.py:short', ''))
    """
    name, *options = re.split(r":(?=\w+=)", text, maxsplit=1)
    return name, "".join(options)


OF_GAME: Columns = {"game": str, "options": str}


def joined_columns(columns: Columns, names: Iterable[str], kind: type = str) -> Columns:
    """Return columns and some more behind them, all of one kind; a name that is there already is told apart
    by a number.

    >>> list(joined_columns({"game": str, "seed": int}, ["alpha", "seed"]))
    ['game', 'seed', 'alpha', 'seed_2']
    """
    found = dict(columns)
    for name in names:
        numbered = (f"{name}_{n}" if n > 1 else name for n in count(1))
        found[next(free for free in numbered if free not in found)] = kind
    return found


def _parts(rows: Rows) -> Iterable[Rows]:
    part: list[Sequence[Cell]] = []
    for row in rows:
        part.append(row)
        if len(part) == ROWS_AT_ONCE:
            yield part
            part = []
    yield part


# Rows as bytes, part by part.


def encoder_for(path: Path, columns: Columns) -> RowEncoder:
    """Return what encodes the rows of a table as the name of its file says. Raises BadInput."""
    require_data(path)
    return ParquetEncoder(columns, path) if path.suffix.lower() == PARQUET else CsvEncoder(columns)


class CsvEncoder:
    """Rows as CSV in UTF-8: a line a row, its head first.

    Attributes:
        recovers: whether what was written can be read where later bytes could not be
    """

    recovers = True

    def __init__(self, columns: Columns) -> None:
        self._head: list[str] | None = [harmless(name) for name in columns]

    def encode(self, rows: Rows) -> bytes:
        """Return the bytes of some more rows."""
        text = io.StringIO()
        lines = csv.writer(text, lineterminator="\n")
        if self._head is not None:
            lines.writerow(self._head)
            self._head = None
        lines.writerows([cell_text(cell) for cell in row] for row in rows)
        return text.getvalue().encode()

    def end(self) -> bytes:
        """Return the bytes at the end of the file."""
        return self.encode(())


def cell_text(cell: Cell) -> str | int | float | None:
    """Return a value as it stands in CSV: nothing for None, words with spaces between them.

    >>> cell_text(True), cell_text(["a1", "b2"]), cell_text("=1+1"), cell_text(0.5)
    ('true', 'a1 b2', "'=1+1", 0.5)
    """
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if cell is None or isinstance(cell, (int, float)):
        return cell
    return harmless(cell if isinstance(cell, str) else " ".join(cell))


def harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


class ParquetEncoder:
    """Rows as Parquet, compressed by Zstandard."""

    recovers = False  # the end of the file says where all parts are

    def __init__(self, columns: Columns, path: Path) -> None:
        """Raises BadInput where pyarrow is not installed; `path` is for its sentence."""
        _require_pyarrow(path)
        from pyarrow.parquet import ParquetWriter

        self._schema, self._new = schema_of(columns), NewBytes()
        self._held: list[Sequence[Cell]] = []  # a group is written when it is full
        self._writer = ParquetWriter(self._new, self._schema, compression="zstd")

    def encode(self, rows: Rows) -> bytes:
        for row in rows:
            self._held.append(row)
            if len(self._held) == ROWS_AT_ONCE:
                self._write_group()
        return self._new.take()

    def end(self) -> bytes:
        self._write_group()
        self._writer.close()
        return self._new.take()

    def _write_group(self) -> None:
        import pyarrow

        if self._held:
            columns = zip(zip(*self._held, strict=True), self._schema.types, strict=True)
            arrays = [pyarrow.array(cells, kind) for cells, kind in columns]
            self._writer.write_table(pyarrow.Table.from_arrays(arrays, schema=self._schema))
            self._held.clear()


RowEncoder: TypeAlias = CsvEncoder | ParquetEncoder
"""Encodes rows as the bytes of a file, which are written one after the other."""


class NewBytes(io.RawIOBase):
    """A file of which only what was written since the last `take` is kept; its writer counts on."""

    def __init__(self) -> None:
        self._kept, self._taken = bytearray(), 0

    def writable(self) -> bool:
        return True

    def write(self, some: Buffer, /) -> int:
        written = bytes(some)
        self._kept += written
        return len(written)

    def tell(self) -> int:
        return self._taken + len(self._kept)

    def take(self) -> bytes:
        """Return what was written since the last time."""
        found = bytes(self._kept)
        self._taken += len(found)
        self._kept.clear()
        return found


def schema_of(columns: Columns) -> Schema:
    """Return the columns as Arrow has them."""
    import pyarrow

    kinds = {
        bool: pyarrow.bool_(),
        int: pyarrow.int64(),
        float: pyarrow.float64(),
        str: pyarrow.string(),
        list: pyarrow.list_(pyarrow.string()),
    }
    return pyarrow.schema([(name, kinds[kind]) for name, kind in columns.items()])


def _require_pyarrow(path: Path) -> None:
    """Raise BadInput where pyarrow is not installed."""
    with needing("data", N_("{path}: Parquet needs one more package: {command}; .csv needs none"), path=path):
        import pyarrow  # noqa: F401
