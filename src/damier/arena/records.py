"""Records of games on disk: JSON Lines, one game a line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from damier.core.errors import BadFile
from damier.core.files import parse_json, replacing, require_file, to_json
from damier.core.reasons import reason
from damier.core.record import GameRecord
from damier.core.words import _

FORMAT = "damier-game/1"


class Recorder:
    """Writes records as they come; the file takes its place when the block ends well. A path of None writes nothing."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._stack = ExitStack()
        self._stream: IO[bytes] | None = None

    def __enter__(self) -> Recorder:
        if self._path is not None:
            self._stream = self._stack.enter_context(replacing(self._path))
        return self

    def keep(self, records: list[GameRecord]) -> None:
        """Writes some records."""
        if self._stream is not None:
            self._stream.writelines(to_json({"format": FORMAT, **record.as_json()}).encode() + b"\n" for record in records)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> bool | None:
        return self._stack.__exit__(kind, error, trace)


def read_records(path: Path) -> Iterator[dict[str, Any]]:
    """The records in a file, one after the other. Raises BadFile, with the line, for anything else."""
    try:
        with open(path, encoding="utf-8") as stream:
            for number, text in enumerate(stream, 1):
                where = f"{path}:{number}"
                data = parse_json(text, where)
                if not isinstance(data, dict) or data.get("format") != FORMAT:
                    raise BadFile(_("{where}: not a record of a game", where=where))
                if not isinstance(data.get("moves"), list) or data.get("outcome") not in ("win", "draw", "loss"):
                    raise BadFile(_("{where}: a record without moves or outcome", where=where))
                yield data
    except OSError as error:
        raise BadFile(_("{path} cannot be read: {error}", path=path, error=reason(error))) from error
    except UnicodeDecodeError as error:
        raise BadFile(_("{path} is not a text file", path=path)) from error


def is_record(path: Path) -> bool:
    """Whether a file begins as a record does; its lines may be of any length."""
    require_file(path)
    try:
        with open(path, "rb") as stream:
            return stream.read(len(FORMAT) + 14).startswith(b'{"format": "' + FORMAT.encode() + b'"')
    except OSError as error:
        raise BadFile(_("{path} cannot be read: {error}", path=path, error=reason(error))) from error
