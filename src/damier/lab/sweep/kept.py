"""The file of a sweep: JSON Lines, so that a sweep that was broken off anywhere goes on.

    {"format": "damier-sweep/1", "game": …, "source": …, "opponent": …, "seat": …, …}   the first line
    {"digest": …, "learner": …, "seed": …, "games": …, "payoff": …, …}                  one for each training

A line is written when its training has ended. What a kill cut off in the middle of a line is taken away
when the file is next opened. `digest` is that of the files which the text of the learner names: where one
has changed, its trainings are done again.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, cast

from damier.core.errors import BadFile, DamierError
from damier.core.files import opened, require_alone, require_place, unwritten
from damier.core.job import uninterrupted
from damier.core.json_data import JsonBounds, parse_json, to_json
from damier.core.json_types import JsonObject, JsonValue
from damier.core.option_text import option_text
from damier.core.words import _, message
from damier.lab.sweep.plan import TrainingOrder
from damier.lab.sweep.result import TrainingResult

FORMAT = "damier-sweep/1"
LINE = JsonBounds(1 << 20, 1000, 10_000)
"""A training: its curve has forty points."""
LARGEST = 1 << 30
"""Bytes of a file that is shown: a million trainings."""
SMALLEST = 1e-100
"""A number is 0, or at least this and at most 1 by this, so that quotients and squares stay numbers."""
NUMBER: tuple[type, ...] = (int, float)
PERHAPS: tuple[type, ...] = (int, float, type(None))
KINDS: dict[str, tuple[type, ...]] = {
    "digest": (str,),
    "learner": (str,),
    "seed": (int,),
    "games": (int,),
    "seat": (str,),
    "against": (str,),
    "won": NUMBER,
    "payoff": PERHAPS,
    "ceiling": PERHAPS,
    "optimal": PERHAPS,
    "points": (list,),
}
"""What a line of a training holds."""


class SweepFile:
    """What was trained, by learner, seed and games; in a file where there is one, open until `closed`."""

    def __init__(self, path: Path | None, header: JsonObject, digests: Mapping[str, str]) -> None:
        """Raises BadFile for a file of anything else, or of a sweep that trains otherwise, and BadInput
        where it cannot be written.
        """
        self.path, self._digests = path, digests
        self.results: dict[tuple[str, int, int], TrainingResult] = {}
        self._stream: IO[bytes] | None = None
        if path is not None:
            require_place(path)
            try:
                self._stream = open(path, "a+b")  # noqa: SIM115  for as long as it trains
                taken = _("{path}: another sweep is writing it", path=path)
                require_alone(self._stream.fileno(), path, taken)
                self._read(path, {"format": FORMAT, **header})
            except OSError as error:
                self.close()
                raise unwritten(path, error) from error
            except DamierError:
                self.close()
                raise

    def result(self, order: TrainingOrder) -> TrainingResult | None:
        """What came of a training, if it is known."""
        return self.results.get((order["learner"], order["seed"], order["games"]))

    def keep(self, result: TrainingResult) -> None:
        """Keeps what came of a training. Raises LimitReached on a full disk."""
        with uninterrupted():
            self._write({"digest": self._digests[result["learner"]], **result})
            self.results[result["learner"], result["seed"], result["games"]] = result

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()

    def _write(self, data: Mapping[str, object]) -> None:
        if self._stream is None or self.path is None:
            return
        size = self._stream.seek(0, os.SEEK_END)
        try:
            self._stream.write(to_json(data).encode() + b"\n")
            self._stream.flush()
            os.fsync(self._stream.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                self._stream.truncate(size)
            raise unwritten(self.path, error) from error

    def _read(self, path: Path, header: JsonObject) -> None:
        """Takes over what is there, or begins the file. What is cut off is taken away only where this
        sweep can have begun to write it: else it is somebody's file of something else.
        """
        assert self._stream is not None
        self._stream.seek(0)
        whole, begun = 0, False
        for number, line in enumerate(lines_of(self._stream, path), 1):
            if begun:
                self._take(training_in(line, f"{path}:{number}"))
            else:
                require_same(parsed(line, f"{path}:{number}"), header, path)
            whole, begun = whole + len(line), True
        if not begun:
            self._stream.seek(0)
            if not to_json(header).encode().startswith(self._stream.read(LINE.size)):
                raise no_sweep(path)
        self._stream.truncate(whole)
        if not begun:
            self._write(header)

    def _take(self, data: JsonObject) -> None:
        digest = data.pop("digest")
        result = cast("TrainingResult", data)
        if self._digests.get(result["learner"], digest) == digest:
            self.results[result["learner"], result["seed"], result["games"]] = result


def trainings_in(path: Path) -> tuple[str, str | None, list[TrainingResult]]:
    """Game and opponent of the file of a sweep, and its trainings in the order of learners; of one that was
    done again the latest, of several numbers of games the highest. Raises BadFile.
    """
    found: dict[tuple[str, int], TrainingResult] = {}
    with opened(path, LARGEST) as stream:
        lines = lines_of(stream, path)
        first = parsed(next(lines, b"{}"), f"{path}:1")
        game, opponent = first.get("game"), first.get("opponent")
        named = isinstance(game, str) and isinstance(opponent, (str, type(None)))
        if first.get("format") != FORMAT or not named:
            raise no_sweep(path)
        for number, line in enumerate(lines, 2):
            result = cast("TrainingResult", training_in(line, f"{path}:{number}"))
            key = result["learner"], result["seed"]
            if key not in found or found[key]["games"] <= result["games"]:
                found[key] = result
    most: dict[str, int] = {}
    for result in found.values():
        most[result["learner"]] = max(result["games"], most.get(result["learner"], 0))
    kept = [result for result in found.values() if result["games"] == most[result["learner"]]]
    return str(game), cast("str | None", opponent), kept


def lines_of(stream: IO[bytes], path: Path) -> Iterator[bytes]:
    """The lines that were written to their ends. Raises BadFile for one that is longer than any."""
    while (line := stream.readline(LINE.size + 1)).endswith(b"\n"):
        yield line
    if len(line) > LINE.size:
        raise no_sweep(path)


def no_sweep(path: Path) -> BadFile:
    return BadFile(message("{path} is not the file of a sweep", path=path))


def training_in(line: bytes, where: str) -> JsonObject:
    """What the line of a training says. Raises BadFile for any other."""
    data = parsed(line, where)
    whole = set(data) == set(KINDS) and all(is_of(data[name], kind) for name, kind in KINDS.items())
    points = data.get("points")
    if not whole or not isinstance(points, list) or not all(is_point(point) for point in points):
        raise BadFile(message("{where}: not a training of a sweep", where=where))
    return data


def is_of(value: JsonValue, kinds: tuple[type, ...]) -> bool:
    """Whether it is of one of these kinds; of numbers, one that a mean can be made of."""
    if isinstance(value, (int, float)) and value != 0 and not SMALLEST <= abs(value) <= 1 / SMALLEST:
        return False
    return isinstance(value, kinds) and not isinstance(value, bool)


def is_point(value: JsonValue) -> bool:
    """Whether it is a number of games and a payoff."""
    return isinstance(value, list) and len(value) == 2 and is_of(value[0], (int,)) and is_of(value[1], NUMBER)


def parsed(line: bytes, where: str) -> JsonObject:
    """A line as data. Raises BadFile."""
    try:
        data = parse_json(line.decode(), where, LINE)
    except UnicodeDecodeError:
        raise BadFile(message("{where}: not a training of a sweep", where=where)) from None
    if not isinstance(data, dict):
        raise BadFile(message("{where}: not a training of a sweep", where=where))
    return data


def require_same(found: JsonObject, wanted: JsonObject, path: Path) -> None:
    """Raises BadFile where a file is of no sweep, or of one that trains otherwise."""
    if found.get("format") != FORMAT:
        raise no_sweep(path)
    for name, value in wanted.items():
        if found.get(name) != value:
            raise BadFile(
                message(
                    "{path} is of a sweep with {name}={theirs}, not {ours}; give another file",
                    path=path,
                    name=name,
                    theirs=option_text(cast("str | None", found.get(name))),
                    ours=option_text(cast("str | None", value)),
                )
            )
