"""Records of games, and their files: JSON Lines, one game a line, and a last line that seals them.

    {"format": "damier-game/1", "game": …, "moves": […], "payoffs": […], …}          one for each game
    {"format": "damier-record/1", "games": N, "sha256": …}                           of all bytes before it

A file without its seal was cut off, or edited: how many games it had is not known. It is refused, unless
who reads it says that a part will do. Reading and writing go line by line, however many there are.

By the ending of its file a record is written as a table instead, a row a game (docs/data.md): for data
frames, and not to be read here again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, fields
from itertools import chain, count
from pathlib import Path
from types import FrameType, TracebackType

from damier.core.data_files import OF_GAME, Cell, Columns, RowEncoder, encoder_for, is_data, of_game
from damier.core.errors import BadFile, LimitReached
from damier.core.files import Draft, drafting, opened, unwritten
from damier.core.game import Game
from damier.core.job import uninterrupted
from damier.core.json_data import JsonBounds, Kind, held, parse_json, require_keys, to_json, whole_number
from damier.core.json_types import JsonObject, JsonValue
from damier.core.past import NOTHING, Before, after
from damier.core.rules import State
from damier.core.solution import Value, value_of_score
from damier.core.words import FormattedNumber, Text, _, message, ngettext, plural, printable


@dataclass(frozen=True)
class GameRecord:
    """A game that was played: who played which moves, and what it was worth to each."""

    game: str
    options: Mapping[str, JsonValue]
    players: tuple[str, ...]
    moves: tuple[str, ...]
    payoffs: tuple[int, ...]
    seed: int
    number: int = 0  # which game of a match: the random numbers come from stream `number` of `seed`
    finished: bool = True  # False where the limit of plies stopped it: then every payoff is 0
    resigned: bool = False  # the player to move gave up
    fault: Text = ""  # what one of the players did instead of playing; the player to move lost by it

    @property
    def outcome(self) -> Value:
        """Return what the game was to the first player."""
        return value_of_score(self.payoffs[0])

    def as_json(self) -> JsonObject:
        """The record as plain data, its outcome included; a fault in the language in force."""
        facts = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "fault"}
        fault = {"fault": str(self.fault)} if self.fault else {}
        return facts | fault | {"outcome": self.outcome}


KEYS = (*(each.name for each in fields(GameRecord)), "outcome")


def record_of(data: Mapping[str, JsonValue]) -> GameRecord:
    """The record that plain data describes. Raises BadFile."""
    require_keys(data, KEYS, _("a record"))
    found = GameRecord(
        game=_the(data, "game", str),
        options=_the(data, "options", dict),
        players=tuple(_texts(data, "players")),
        moves=tuple(_texts(data, "moves")),
        payoffs=tuple(_whole(payoff, "payoffs") for payoff in _the(data, "payoffs", list)),
        seed=_whole(data.get("seed"), "seed"),
        number=_whole(data.get("number"), "number"),
        finished=_the(data, "finished", bool),
        resigned=_the(data, "resigned", bool),
        fault=_the(data, "fault", str) if "fault" in data else "",
    )
    if not all(type(value) in (str, int, float, bool) for value in found.options.values()):
        raise _unusable("options")
    if len(found.payoffs) != len(found.players) or not found.players:
        raise _unusable("payoffs")
    if data.get("outcome") != found.outcome:
        raise BadFile(
            message(
                "outcome is {outcome}; the payoffs say {right}",
                outcome=data.get("outcome"),
                right=found.outcome,
            )
        )
    return found


def _the(data: Mapping[str, JsonValue], name: str, kind: type[Kind]) -> Kind:
    """Return what a record says under a name, of this kind."""
    found = held(data, name, kind)
    if found is None:
        raise _unusable(name)
    return found


def _texts(data: Mapping[str, JsonValue], name: str) -> list[str]:
    listed: list[str] = _the(data, name, list)
    if not all(isinstance(word, str) for word in listed):
        raise _unusable(name)
    return listed


def _whole(value: object, name: str) -> int:
    number = whole_number(value)
    if number is None:
        raise _unusable(name)
    return number


def _unusable(name: str) -> BadFile:
    return BadFile(message("a record whose {name} is missing, or not what it should be", name=name))


# Files of them.

FORMAT = "damier-game/1"
SEAL = "damier-record/1"
LINE = JsonBounds(1 << 26, 64, 8_000_000)
"""A game of millions of plies."""
LARGEST = 1 << 36
"""Bytes of a file: some hundred million games."""


GAME_COLUMNS: Columns = {
    **OF_GAME,
    "agent_1": str,
    "agent_2": str,
    "seed": int,
    "number": int,
    "outcome": str,
    "payoff_1": int,
    "payoff_2": int,
    "plies": int,
    "moves": list,
    "finished": bool,
    "resigned": bool,
    "fault": str,
}
"""The columns of a record of games of two players as a table (docs/data.md)."""


def row_of(record: GameRecord) -> tuple[Cell, ...]:
    """Return a game as a row under GAME_COLUMNS."""
    return (
        *of_game(record.game, record.options),
        *record.players,
        record.seed,
        record.number,
        record.outcome,
        *record.payoffs,
        len(record.moves),
        record.moves,
        record.finished,
        record.resigned,
        str(record.fault) or None,
    )


class Recorder:
    """Writes records as they come, as the ending of the file says.

    When the block ends well they take the place of the file, sealed.

    Ended by anything else, Ctrl-C or a full disk, what was played is kept: in the file itself where
    there was none, else beside it; `kept` says where. A path of None writes nothing.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.games = 0
        self.kept: Path | None = None  # where the games are of a match that was not played to its end
        self._free = path is not None and not path.exists()
        self._stack = ExitStack()
        self._draft: Draft | None = None
        self._size = 0
        self._hashed = hashlib.sha256()
        self._encoder: RowEncoder | None = None  # of a table
        self._readable = True

    def __enter__(self) -> Recorder:
        if self.path is not None:
            if is_data(self.path):
                self._encoder = encoder_for(self.path, GAME_COLUMNS)
            self._draft = self._stack.enter_context(drafting(self.path))
            self._stack.enter_context(ending_gently())
        return self

    def keep(self, records: list[GameRecord]) -> None:
        """Writes some records, all of them or none.

        Raises LimitReached on a full disk, or where nobody could read them again.
        """
        if self._encoder is None:
            self._write(self._lines(records))
            self.games += len(records)
            return
        with uninterrupted():  # the encoder counts on what it gave being written
            self._readable = self._encoder.recovers
            self._write(self._encoder.encode(map(row_of, records)))
            self._readable = True
            self.games += len(records)

    def _lines(self, records: list[GameRecord]) -> bytes:
        """Return records as lines of JSON."""
        lines = [to_json({"format": FORMAT, **record.as_json()}).encode() + b"\n" for record in records]
        for record, line in zip(records, lines, strict=True):
            if len(line) > LINE.size or len(record.moves) > LINE.values // 2:
                raise LimitReached(
                    message(
                        "game {n} has {plies} plies, too many to be recorded",
                        n=record.number,
                        plies=FormattedNumber(len(record.moves), ","),
                    )
                )
        return b"".join(lines)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._stack:
            if self._draft is None or (error is not None and self.games == 0) or not self._readable:
                return
            with uninterrupted():
                if error is None:
                    self._seal()
                    self._draft.take()
                else:
                    # not even the seal finds room: the games are there
                    with contextlib.suppress(OSError, LimitReached):
                        self._seal()
                    with contextlib.suppress(OSError):  # then it is lost, and why is about to be told
                        self.kept = self._take_free(self._draft)

    def _write(self, written: bytes) -> None:
        """Adds bytes at the end; what is there is whole lines, also where the disk is full."""
        if self._draft is None or self.path is None:
            return
        if self._size + len(written) > LARGEST:
            raise LimitReached(
                message(
                    "{path} would hold more than can be read again: {said}",
                    path=self.path,
                    said=message("{n} bytes", n=LARGEST),
                )
            )
        descriptor, left = self._draft.stream.fileno(), memoryview(written)
        try:
            os.ftruncate(descriptor, self._size)  # what a signal broke off
            os.lseek(descriptor, self._size, os.SEEK_SET)
            while left:
                left = left[os.write(descriptor, left) :]
        except OSError as error:
            os.ftruncate(descriptor, self._size)
            raise unwritten(self.path, error) from error
        self._size += len(written)
        self._hashed.update(written)

    def _seal(self) -> None:
        if self._encoder is not None:
            self._write(self._encoder.end())
            return
        self._write(to_json(seal(self.games, self._hashed.hexdigest())).encode() + b"\n")

    def _take_free(self, draft: Draft) -> Path:
        """A name for games of a match that did not end: that of the file where nothing is, else
        `NAME.interrupted.jsonl`, …
        """
        stem, suffix = draft.path.stem, draft.path.suffix
        beside = (draft.path.with_name(f"{stem}.interrupted{'' if n == 1 else n}{suffix}") for n in count(1))
        places = chain([draft.path] if self._free else [], beside)
        while True:
            place = next(places)
            with contextlib.suppress(FileExistsError):
                draft.take_free(place)
                return place


@contextlib.contextmanager
def ending_gently() -> Iterator[None]:
    """Inside, a process that is asked to end (SIGTERM) ends as by Ctrl-C: with what it has."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def seal(games: int, digest: str) -> JsonObject:
    """The last line of a record."""
    return {"format": SEAL, "games": games, "sha256": digest}


class Records:
    """The records in a file, one after the other, each with the number of its line; `sealed` is
    known at the end.

    Raises BadFile, with the line, for anything else; at the end for a file that was cut off there, unless
    a `part` of its games will do.
    """

    def __init__(self, path: Path, *, part: bool = False) -> None:
        self.path = path
        self.part = part
        self.sealed = False
        self.games = 0

    def __iter__(self) -> Iterator[JsonObject]:
        for record in self.checked():
            yield {
                "format": FORMAT,
                **record.as_json(),
                "players": list(record.players),
                "moves": list(record.moves),
                "payoffs": list(record.payoffs),
            }

    def checked(self) -> Iterator[GameRecord]:
        """Each record as what it says."""
        self.sealed, self.games = False, 0
        hashed = hashlib.sha256()
        with opened(self.path, LARGEST) as stream:
            while line := stream.readline(LINE.size + 1):
                where = f"{self.path}:{self.games + 1}"
                data = self._data(line, where)
                if data.get("format") == SEAL:
                    if data != seal(self.games, hashed.hexdigest()):
                        raise BadFile(
                            message(
                                "{where}: the record is damaged: its checksum is wrong; if you have edited"
                                " it, take out this line",
                                where=where,
                            )
                        )
                    if stream.read(1):
                        raise BadFile(
                            message("{where}: the line that ends the record is not its last one", where=where)
                        )
                    self.sealed = True
                    return
                hashed.update(line)
                yield self._record(data, where)
                self.games += 1
        if not self.part:
            raise BadFile(cut_off(self.path, self.games))

    def _data(self, line: bytes, where: str) -> JsonObject:
        if len(line) > LINE.size:
            raise BadFile(message("{where}: the line is longer than any game", where=where))
        try:
            data = parse_json(line.decode(), where, LINE)
        except UnicodeDecodeError:
            raise BadFile(message("{path} is not a text file", path=self.path)) from None
        if not isinstance(data, dict) or data.get("format") not in (FORMAT, SEAL):
            raise BadFile(message("{where}: not a record of a game", where=where))
        return data

    def _record(self, data: JsonObject, where: str) -> GameRecord:
        try:
            return record_of({name: value for name, value in data.items() if name != "format"})
        except BadFile as error:
            raise BadFile(message("{where}: {error}", where=where, error=error)) from None


def cut_off(path: Path, games: int) -> str:
    """Return what is said of a file without the line that seals it."""
    return ngettext(
        "{path} is not whole: it was cut off after {n} game, or edited; the line that says how many there"
        " are is missing",
        "{path} is not whole: it was cut off after {n} games, or edited; the line that says how many there"
        " are is missing",
        games,
        path=path,
    )


def is_record(path: Path) -> bool:
    """Return whether a file begins as a record does; its lines may be of any length."""
    with opened(path, LARGEST) as stream:
        begins = stream.read(40) or b""
    return any(begins.startswith(b'{"format": "' + format.encode() + b'"') for format in (FORMAT, SEAL))


# A recorded game played again by the rules: every move legal, and the payoffs those of its end.

REMEMBERED = 100_000
"""Positions whose moves are kept by their names: most games of a match begin alike."""


class Referee:
    """Checks records of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._follow: dict[tuple[State, Before], dict[str, tuple[State, Before]]] = {}

    def check(self, record: GameRecord) -> None:
        """Raises BadFile, with the number of the move that is none, or the payoffs that are not the
        game's.
        """
        if len(record.players) != self.game.players:
            raise BadFile(
                plural(
                    "{n} player; {game} has {right}",
                    "{n} players; {game} has {right}",
                    len(record.players),
                    game=self.game.text,
                    right=self.game.players,
                )
            )
        s, before = self.game.start, NOTHING
        for number, name in enumerate(record.moves, 1):
            legal = self._following(s, before)
            following = legal.get(name)
            if not legal:
                raise BadFile(
                    message(
                        "move {number}: {move} is not a legal move here: the game is over",
                        number=number,
                        move=name,
                    )
                )
            if following is None:
                raise BadFile(
                    message(
                        "move {number}: {move} is not a legal move here; legal: {moves}",
                        number=number,
                        move=name,
                        moves=printable(" ".join(legal), 200),
                    )
                )
            s, before = following
        if record.payoffs != (right := self.payoffs(record, s)):
            payoff_texts = [
                " ".join(f"{payoff:+d}" for payoff in payoffs) for payoffs in (record.payoffs, right)
            ]
            raise BadFile(
                message(
                    "payoffs are {payoffs}; those of this game are {right}",
                    payoffs=payoff_texts[0],
                    right=payoff_texts[1],
                )
            )

    def payoffs(self, record: GameRecord, s: State) -> tuple[int, ...]:
        """Return what a game that led to `s` was worth to each.

        Raises BadFile where it ended otherwise than it says.
        """
        over, players = bool(self.game.over(s)), range(self.game.players)
        if record.resigned and (over or not record.finished):
            raise BadFile(message("a player is said to have given up a game that had ended, or went on"))
        if record.resigned:
            return tuple(-1 if player == self.game.mover(s) else 1 for player in players)
        if record.fault:
            raise BadFile(message("a player is said to have lost by a fault a game that it did not give up"))
        if record.finished != over:
            raise BadFile(
                message("the game is said to be finished, and goes on")
                if record.finished
                else message("the game is said to go on, and is finished")
            )
        return tuple(int(self.game.payoff(s, player)) if over else 0 for player in players)

    def _following(self, s: State, before: Before) -> dict[str, tuple[State, Before]]:
        """The positions that follow one at the end of a line, by the names of the moves."""
        found = self._follow.get((s, before))
        if found is None:
            game = self.game
            found = {game.name_move(s, move): after(game, s, move, before) for move in game.legal(s)}
            if len(self._follow) < REMEMBERED:
                self._follow[s, before] = found
        return found
