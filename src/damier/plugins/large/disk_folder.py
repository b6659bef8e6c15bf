"""The folder of working files: what is complete stands in its manifest, and nothing else counts.

    layers.json        damier-layers/1: the game, its rules and the start; of every file its name, size
                       and SHA-256
    layer-0007.keys    the positions of a layer, packed (`damier.solve.packed_store`)
    run-0008-0003.keys a part of a layer that is not complete: what some positions of the one before lead to
    layer-0007.scores  the scores of a layer, in the order of its keys

A file is complete when the manifest names it, and the manifest is written in one step after the file is
on disk: what is killed at any instant is gone on with. What the manifest does not name is removed. Small
files wait for each other: they are named together once it would take a moment to make them again, or when
the work ends.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple

from damier.core.arrays import IntArray, Ints, SmallIntArray, np
from damier.core.compile import instantiate
from damier.core.errors import BadFile, BadInput, LimitReached
from damier.core.files import opened_alone, opened_descriptor, writing_to
from damier.core.game import Game, game_facts, written_game
from damier.core.job import Job, gib
from damier.core.json_data import JsonBounds, held, read_json, require_keys, whole_number, write_json
from damier.core.json_types import JsonObject
from damier.core.rules import State
from damier.core.words import FormattedNumber, _, message
from damier.solve.count import tally
from damier.solve.layers import back_up, fill_directory
from damier.solve.packed_store import BLOCK, ByteArray, KeyPacker, Pack, blocks_of, pack, unpack
from damier.solve.reach import SYMMETRIC, Unite, drop_doubles, expand, unite

FORMAT: Final = "damier-layers/1"
MANIFEST, LOCK = "layers.json", "lock"
KEYS = ("format", "game", "options", "rules", "start", "symmetric", "layers", "runs", "scores", "whole")
OURS = re.compile(
    r"layer-\d{4,}\.(keys|scores)|run-\d{4,}-\d{4,}\.keys|"
    r"\.layers\.json\.([0-9a-f]{8}\.)?tmp"  # what a kill leaves of a manifest (`damier.core.files.Draft`)
)
MANIFEST_BOUNDS = JsonBounds(1 << 28, 1 << 22, 1 << 24)
WAITING = 1 << 20
"""Keys and scores that may be in files which the manifest does not name yet: a tenth of a second's work, of
which naming each file would take more.
"""


class RunFacts(NamedTuple):
    """A run: what the positions before number `until` lead to that no run before it holds."""

    until: int
    file: KeysFacts


class ScoresFacts(NamedTuple):
    """The scores of a layer."""

    name: str
    size: int
    farthest: int  # plies to the latest end that somebody can force
    sha256: str = ""  # as long as no manifest names it: none


class WorkingFolder:
    """A folder of the complete layers of a game, to which more are added; this process alone has it."""

    def __init__(self, path: Path, game: Game, start: State, symmetric: bool, limit: int | None) -> None:
        self.path, self.game, self.start, self.symmetric = path, game, start, symmetric
        self.space = DiskSpace(path, limit)
        self.layers: list[KeysFacts] = []
        self.runs: list[RunFacts] = []
        self.scores: dict[int, ScoresFacts] = {}
        self.whole = False  # whether no layer follows the last one
        self._waiting: dict[str, int] = {}  # complete, and not named yet: keys or scores by name
        self._named: set[str] = set()  # by the manifest on disk
        self._unneeded: list[str] = []  # named, until the next manifest
        self._head: JsonObject = {
            **game_facts(game),
            "start": [list(field) if isinstance(field, tuple) else field for field in start],
            "symmetric": symmetric,
        }

    @property
    def positions(self) -> int:
        """Of all layers so far."""
        return sum(layer.keys for layer in self.layers)

    def layer_path(self, number: int) -> Path:
        return self.path / f"layer-{number:04}.keys"

    def run_path(self, later: int) -> Path:
        """Return where the run is written that comes so many after the next."""
        return self.path / f"run-{len(self.layers):04}-{len(self.runs) + later:04}.keys"

    def scores_path(self, number: int) -> Path:
        return self.path / f"layer-{number:04}.scores"

    def add_run(self, run: RunFacts) -> None:
        self.runs.append(run)
        self._add(run.file.name, run.file.keys)

    def add_layer(self, layer: KeysFacts) -> None:
        """Adds a complete layer, whose runs are needed no more."""
        self.layers.append(layer)
        self._drop_runs()
        self._add(layer.name, layer.keys)

    def end_layers(self) -> None:
        """Says that no layer follows."""
        self.whole = True
        self._drop_runs()

    def add_scores(self, number: int, scores: ScoresFacts) -> None:
        """Adds the scores of a layer; their checksum is worked out when they are named."""
        self.scores[number] = scores
        self._add(scores.name, scores.size)

    def remove(self, name: str) -> None:
        """Removes a file that is not needed, once the manifest on disk does not name it."""
        self._waiting.pop(name, None)
        if name in self._named:
            self._unneeded.append(name)
            return
        path = self.path / name
        with contextlib.suppress(FileNotFoundError):
            self.space.give(path.stat().st_size)
            path.unlink()

    def _names(self) -> set[str]:
        """The files that are complete and needed."""
        keys = (*self.layers, *(run.file for run in self.runs))
        return {file.name for file in keys} | {one.name for one in self.scores.values()}

    def _drop_runs(self) -> None:
        runs, self.runs = self.runs, []
        for run in runs:
            self.remove(run.file.name)

    def _add(self, name: str, size: int) -> None:
        self._waiting[name] = size
        if sum(self._waiting.values()) >= WAITING:
            self.write()

    def write(self) -> None:
        """Names all that is complete: puts it on the disk itself, and writes the manifest, in one step."""
        for name in self._waiting:
            sync(self.path / name)
        for number, one in self.scores.items():
            if not one.sha256:
                self.scores[number] = one._replace(sha256=checksum_of_file(self.path / one.name))
        write_json(
            self.path / MANIFEST,
            {
                "format": FORMAT,
                **self._head,
                "layers": [layer._asdict() for layer in self.layers],
                "runs": [{"until": run.until, **run.file._asdict()} for run in self.runs],
                "scores": [{"layer": number, **one._asdict()} for number, one in sorted(self.scores.items())],
                "whole": self.whole,
            },
            MANIFEST_BOUNDS,
        )
        self._waiting = {}
        self._named = self._names()
        unneeded, self._unneeded = self._unneeded, []
        for name in unneeded:
            self.remove(name)

    def leave(self) -> None:
        """Names what still waits to be, before the folder is left; not where the disk has no room for that,
        in which case it is made again.
        """
        if self._waiting:
            with contextlib.suppress(LimitReached, BadInput):
                self.write()

    def read(self, job: Job) -> None:
        """Takes over what is complete; what is damaged is told, and made again. Raises BadFile for a
        folder of another game.
        """
        path = self.path / MANIFEST
        if path.exists():
            manifest = read_json(path, FORMAT, MANIFEST_BOUNDS)
            require_keys(manifest, KEYS, str(path))
            if any(manifest.get(name) != value for name, value in self._head.items()):
                raise BadFile(
                    message(
                        "{path} holds layers of {found}, with other rules, another start or other symmetry"
                        " than {game} here; name another folder (--folder), or remove this one",
                        path=path,
                        found=written_game(manifest),
                        game=self.game.text,
                    )
                )
            self._take_over(manifest, path)
            self._check(job)
        named = self._names()
        for found in sorted(self.path.iterdir()):
            if OURS.fullmatch(found.name) and found.name not in named:
                found.unlink()
        self.space.used = sum(found.stat().st_size for found in self.path.iterdir())
        self.write()

    def _take_over(self, data: JsonObject, path: Path) -> None:
        try:
            for entry in held(data, "layers", list) or []:
                self.layers.append(_keys_facts(entry))
            for entry in held(data, "runs", list) or []:
                self.runs.append(RunFacts(_number(entry, "until"), _keys_facts(entry)))
            for entry in held(data, "scores", list) or []:
                self.scores[_number(entry, "layer")] = ScoresFacts(
                    _text(entry, "name"),
                    _number(entry, "size"),
                    _number(entry, "farthest"),
                    _text(entry, "sha256"),
                )
        except (KeyError, TypeError, ValueError):
            raise BadFile(
                message("{path} is damaged: it does not name its files; remove the folder", path=path)
            ) from None
        self.whole = data["whole"] is True

    def _check(self, job: Job) -> None:
        """Drops what is damaged, and all that was made from it."""
        keys = [*self.layers, *(run.file for run in self.runs)]
        scored = sorted(self.scores, reverse=True)
        files: list[KeysFacts | ScoresFacts] = [*keys, *(self.scores[layer] for layer in scored)]
        for number, file in enumerate(files):
            job.progress(number, len(files), _("working files checked"))
            if self._is_sound(file):
                continue
            job.note(
                _(
                    "{path} is damaged or gone; it is made again, with what followed from it",
                    path=self.path / file.name,
                )
            )
            self.scores = {layer: self.scores[layer] for layer in scored[: max(0, number - len(keys))]}
            if number < len(keys):
                self.runs = self.runs[: max(0, number - len(self.layers))]
                self.layers, self.whole = self.layers[:number], False
            return

    def _is_sound(self, file: KeysFacts | ScoresFacts) -> bool:
        path = self.path / file.name
        if not OURS.fullmatch(file.name) or not path.is_file() or path.stat().st_size != file.size:
            return False
        return checksum_of_file(path) == file.sha256

    def clear(self) -> None:
        """Removes the working files, and the folder if nothing else is in it."""
        self._waiting = {}
        (self.path / MANIFEST).unlink(missing_ok=True)  # first: what is left counts for nothing
        for found in sorted(self.path.iterdir()):
            if OURS.fullmatch(found.name) or found.name == LOCK:
                found.unlink()
        with contextlib.suppress(OSError):
            self.path.rmdir()


def _number(entry: JsonObject, name: str) -> int:
    number = whole_number(entry[name])
    if number is None or number < 0:
        raise ValueError
    return number


def _text(entry: JsonObject, name: str) -> str:
    text = entry[name]
    if not isinstance(text, str):
        raise TypeError
    return text


def _keys_facts(entry: JsonObject) -> KeysFacts:
    return KeysFacts(
        _text(entry, "name"), _number(entry, "keys"), _number(entry, "bytes"), _text(entry, "sha256")
    )


@contextlib.contextmanager
def working(
    path: Path, game: Game, start: State, job: Job, *, symmetric: bool = False, limit: int | None = None
) -> Iterator[WorkingFolder]:
    """A folder of working files, new or begun before.

    Raises BadInput where no folder can be, where another process works in it, or where it holds something
    else; BadFile where it is of another game.
    """
    with writing_to(path):
        path.mkdir(parents=True, exist_ok=True)
        others = sorted(name for name in os.listdir(path) if name not in (MANIFEST, LOCK))
        if others and not (path / MANIFEST).exists() and not all(map(OURS.fullmatch, others)):
            raise BadInput(
                message(
                    "{folder} holds {name}; give a new folder, or one with layers that were begun",
                    folder=path,
                    name=others[0],
                )
            )
    with opened_alone(path / LOCK, _("another process works in {folder}", folder=path)):
        folder = WorkingFolder(path, game, start, symmetric, limit)
        folder.read(job)
        try:
            yield folder
        finally:
            folder.leave()


# A file of packed keys, ascending: a layer, or a run of one.
#
# differences, as `damier.solve.packed_store` writes them; zeros up to a multiple of 8 bytes; the first key
# of every block, int64; the place of every block among the differences, int64

WORD = 8
HASHED = 1 << 22
"""Bytes that are read and hashed at once."""
HELD = 1 << 18
"""Bytes of a file of keys that is read at once: to open it costs as much as to read them."""
SYNCED = 1 << 22
"""Bytes from which on a file takes long to be put on the disk itself."""


class KeysFacts(NamedTuple):
    """Facts of the manifest about a file of keys."""

    name: str
    keys: int
    bytes: int  # of the differences
    sha256: str  # of the whole file

    @property
    def index_place(self) -> int:
        """Return where the index begins."""
        return self.bytes + -self.bytes % WORD

    @property
    def size(self) -> int:
        """Bytes of the whole file."""
        return self.index_place + 2 * WORD * blocks_of(self.keys)


class KeysWriter(KeyPacker):
    """A file of keys as it is written; what is left without `finish` is nobody's. To add to it raises
    LimitReached on a full disk.
    """

    def __init__(self, path: Path, engines: DiskEngines, space: DiskSpace) -> None:
        super().__init__(engines.pack)
        self.path, self._space, self._hash = path, space, hashlib.sha256()
        with writing_to(path):
            self._stream = open(path, "wb", buffering=0)  # noqa: SIM115  closed by `__exit__`

    def __enter__(self) -> KeysWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()

    def finish(self) -> KeysFacts:
        """Writes the index. A large file is put on the disk itself, beside what other threads do."""
        count, size, *index = self.packed()
        self.write(np.zeros(-size % WORD, np.uint8))
        for column in index:
            self.write(column.view(np.uint8))
        if size >= SYNCED:
            sync(self.path)
        return KeysFacts(self.path.name, count, size, self._hash.hexdigest())

    def write(self, differences: ByteArray) -> None:
        data = differences.data
        self._space.take(len(data))
        self._hash.update(data)
        with writing_to(self.path):
            while data:
                data = data[self._stream.write(data) :]


class KeysReader:
    """A file of keys that is read block by block; the index is held, and all of a small file."""

    def __init__(self, folder: Path, facts: KeysFacts, engines: DiskEngines) -> None:
        self.path, self.facts, self._unpack = folder / facts.name, facts, engines.unpack
        self.blocks = blocks_of(facts.keys)
        begin = 0 if facts.size <= HELD else facts.index_place
        held = np.empty(facts.size - begin, np.uint8)
        read_into(self.path, held.data, begin)
        self._held = held[: facts.index_place - begin]
        index = held[facts.index_place - begin :].view(np.int64)
        self.first_keys, self.places = index[: self.blocks], index[self.blocks :]

    def keys_in(self, first: int, stop: int) -> int:
        """Return how many keys are in blocks first to stop."""
        return min(stop * BLOCK, self.facts.keys) - first * BLOCK

    def read(self, first: int, stop: int, keys: IntArray | None = None) -> IntArray:
        """The keys of blocks first to stop, in the array that is given or a new one."""
        if keys is None:
            keys = np.empty(max(0, self.keys_in(first, stop)), np.int64)
        if stop > first:
            begin = int(self.places[first])
            end = int(self.places[stop]) if stop < self.blocks else self.facts.bytes
            packed = self._held[begin:end]
            if len(packed) < end - begin:
                packed = np.empty(end - begin, np.uint8)
                read_into(self.path, packed.data, begin)
            self._unpack(packed, self.first_keys[first:stop], keys)
        return keys


def read_into(path: Path, room: memoryview, place: int) -> None:
    """Fills `room` with the bytes of a file from `place` on. Raises BadFile where there are fewer."""
    with opened_descriptor(path) as descriptor:
        while room:
            read = os.preadv(descriptor, [room], place)
            if not read:
                raise BadFile(message("{path} was cut off: it is shorter than its index says", path=path))
            room, place = room[read:], place + read


def sync(path: Path) -> None:
    """Puts what was written to a file on the disk itself. Raises LimitReached, BadInput."""
    with writing_to(path):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def checksum_of_file(path: Path) -> str:
    """The SHA-256 of a file. Raises BadFile where it cannot be read."""
    hashed, room = hashlib.sha256(), bytearray(HASHED)
    with opened_descriptor(path) as descriptor:
        while read := os.readv(descriptor, [room]):
            hashed.update(memoryview(room)[:read])
    return hashed.hexdigest()


# How much disk a job may take, counted as it writes, and how much it may come to take.


class DiskSpace:
    """Bytes that working files take, and what they may take; for several threads."""

    def __init__(self, folder: Path, limit: int | None) -> None:
        self.folder, self.limit = folder, limit
        self.used = self.most = 0
        self._changing = threading.Lock()

    def take(self, size: int) -> None:
        """Counts bytes that are about to be written. Raises LimitReached beyond the limit."""
        with self._changing:
            if self.limit is not None and self.used + size > self.limit:
                raise LimitReached(
                    message(
                        "stopped at the disk budget of {budget} (--disk); the working files in {folder} are"
                        " kept, and the same command with a larger one goes on from there",
                        budget=gib(self.limit),
                        folder=self.folder,
                    ),
                    {"disk": self.used, "folder": str(self.folder)},
                )
            self.used += size
            self.most = max(self.most, self.used)

    def give(self, size: int) -> None:
        """Counts bytes that are gone."""
        with self._changing:
            self.used -= size

    @property
    def left(self) -> int:
        """Bytes that may still be written: the least of what the limit and the disk leave."""
        free = shutil.disk_usage(self.folder).free
        return free if self.limit is None else min(free, self.limit - self.used)

    def require(self, size: int, positions: int) -> None:
        """Raises LimitReached where `size` bytes more, which so many positions that are there will take,
        are not left.
        """
        if size > self.left:
            raise LimitReached(
                message(
                    "the {positions} positions so far will take {size} more of disk, and {left} is left for"
                    " {folder} (--disk, and what is free); the working files are kept: make room, and the"
                    " same command goes on from there",
                    positions=FormattedNumber(positions, ","),
                    size=gib(size),
                    left=gib(max(0, self.left)),
                    folder=self.folder,
                ),
                {"positions": positions, "disk": self.used, "needed": size, "folder": str(self.folder)},
            )


FEWEST = 6
"""Layers from which on an estimate is made."""
MOST_KEYS = 1 << 63
"""A key is one word: no game on disk has more positions."""


def estimate(by_ply: Sequence[int], most: int | None) -> int | None:
    """The positions of all layers, if the growth over two plies goes on to fall as fast as it falls
    now; at most `most`. None where nothing can be said: growth that does not fall, or so slowly that more
    layers would follow than there are.

    Over two plies, since the players may grow differently. Of most games the growth falls ever more
    slowly until few positions are left, so that this is rather too little than too much; but it is an
    estimate, and nothing is refused by it.
    """
    known = sum(by_ply)
    if len(by_ply) < FEWEST or min(by_ply[-FEWEST:]) < 1 or known > MOST_KEYS:
        return None
    growths = [by_ply[place] / by_ply[place - 2] for place in range(-4, 0)]
    step = (growths[3] + growths[2] - growths[1] - growths[0]) / 4
    growth, before, last, total = growths[3], float(by_ply[-2]), float(by_ply[-1]), float(known)
    if growth + len(by_ply) * step > 0:
        return None
    for _ply in by_ply:
        growth = max(0.0, growth + step)
        before, last = last, before * growth
        total += last
    if total > MOST_KEYS:
        return None
    return int(total) if most is None else min(int(total), most)


# Engines that find and score layers on disk.


class DiskEngines(NamedTuple):
    """Compiled for one game; they run beside each other in threads."""

    expand: Callable[[IntArray, int, IntArray], tuple[int, int]]
    drop_doubles: Callable[[IntArray], int]
    unite: Unite
    pack: Pack
    unpack: Callable[[ByteArray, IntArray, IntArray], int]
    tally: Callable[[IntArray, Ints], None]
    fill_directory: Callable[[int, int, IntArray, SmallIntArray, IntArray], None]
    back_up: Callable[..., None]


def prepare(engines: DiskEngines, most_moves: int, score_types: Sequence[str] = ()) -> None:
    """Calls the engines once, in this thread: the compiler is not to be entered by several."""
    none, one = np.zeros(0, np.int64), np.zeros(1, np.int64)
    engines.expand(none, 0, np.zeros(most_moves, np.int64))
    engines.drop_doubles(none)
    engines.unite(none, none, none)
    engines.pack(none, 0, np.zeros(0, np.uint8), none, none, np.zeros(5, np.int64))
    engines.unpack(np.zeros(0, np.uint8), none, none)
    for dtype in score_types:
        directory, bounds = np.zeros(2, np.int32), np.zeros(6, np.int64)
        engines.fill_directory(0, 1, one, directory, bounds)
        scores = np.zeros(0, dtype)
        engines.back_up(none, scores, one, scores, directory, bounds, bounds)


def engines_of(game: Game, symmetric: bool = False) -> DiskEngines:
    """The engines of a game; `symmetric`: one position stands for all its images."""
    bind = SYMMETRIC if symmetric else {}
    return DiskEngines(
        instantiate(expand, game, jit=True, bind=bind),
        instantiate(drop_doubles, game, jit=True),
        instantiate(unite, game, jit=True),
        instantiate(pack, game, jit=True),
        instantiate(unpack, game, jit=True),
        instantiate(tally, game, jit=True),
        instantiate(fill_directory, game, jit=True),
        instantiate(back_up, game, jit=True),
    )
