"""Layers kept in a folder that all machines reach: a path, or an address of object storage as fsspec
knows it (s3://…, gs://…). What is done stays done when a machine, or the whole run, is lost.

    run.json                    what is being done, among how many shards
    SHARD/NAME                  an array: the 12 bytes of its type, its CRC-32, its bytes
    done/STEP.json              a step that all shards have finished, and what they found

A step is written as done when its arrays are; what was half written is written again.
"""

from __future__ import annotations

import json
import zlib
from typing import Final, cast

from damier.core.errors import BadInput
from damier.core.json_data import to_json, whole_number
from damier.core.json_types import JsonObject
from damier.core.solution import SCORES
from damier.core.words import message
from damier.solve.sharding.shard import AnyArray

FORMAT: Final = "damier-shards/1"
TYPE_BYTES, CHECK_BYTES = 12, 4  # 16: what follows stays aligned
MOST_SHARDS = 1 << 16
TYPES: Final = ("|u1", *SCORES)
"""What is kept: keys and places as bytes, and scores."""


class CheckpointFolder:
    """A folder by its address. Raises BadInput where it cannot be written."""

    def __init__(self, url: str) -> None:
        import fsspec

        self.url = url
        try:
            self._files, self._root = fsspec.core.url_to_fs(url)
        except (ImportError, ValueError, OSError) as error:
            raise BadInput(message("--checkpoints {url}: {error}", url=url, error=error)) from error

    def write(self, name: str, data: bytes) -> None:
        place = f"{self._root}/{name}"
        try:
            self._files.makedirs(place.rpartition("/")[0], exist_ok=True)
            self._files.pipe_file(place, data)
        except OSError as error:
            raise BadInput(message("--checkpoints {url}: {error}", url=self.url, error=error)) from error

    def read(self, name: str) -> bytes | None:
        """None where there is none of this name."""
        try:
            return cast("bytes", self._files.cat_file(f"{self._root}/{name}"))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BadInput(message("--checkpoints {url}: {error}", url=self.url, error=error)) from error

    def drop(self, name: str) -> None:
        if self._files.exists(f"{self._root}/{name}"):
            self._files.rm_file(f"{self._root}/{name}")


class FolderShelf:
    """The shelf of one shard in such a folder."""

    memory = 0

    def __init__(self, folder: CheckpointFolder, shard: int) -> None:
        self._folder, self._shard = folder, f"{shard:05}"

    def put(self, name: str, array: AnyArray) -> None:
        data = array.tobytes()
        head = array.dtype.str.encode().ljust(TYPE_BYTES) + zlib.crc32(data).to_bytes(CHECK_BYTES, "little")
        self._folder.write(f"{self._shard}/{name}", head + data)

    def get(self, name: str) -> AnyArray | None:
        import numpy as np

        held = self._folder.read(f"{self._shard}/{name}")
        begin = TYPE_BYTES + CHECK_BYTES
        if held is None or len(held) < begin:
            return None
        if zlib.crc32(memoryview(held)[begin:]) != int.from_bytes(held[TYPE_BYTES:begin], "little"):
            return None
        dtype = held[:TYPE_BYTES].rstrip().decode("ascii", "replace")
        if dtype not in TYPES or (len(held) - begin) % np.dtype(dtype).itemsize:
            return None
        return cast("AnyArray", np.frombuffer(held, dtype, offset=begin))

    def drop(self, name: str) -> None:
        self._folder.drop(f"{self._shard}/{name}")


class RunRecord:
    """What of a run is done, by steps; in memory alone where there is no folder."""

    def __init__(self, folder: CheckpointFolder | None, facts: JsonObject, shards: int) -> None:
        self._folder = folder
        self._done: dict[str, JsonObject] = {}
        self.shards = shards
        if folder is not None:
            self._begin(folder, {"format": FORMAT, **facts})

    def _begin(self, folder: CheckpointFolder, facts: JsonObject) -> None:
        """Takes over the shards of a run that was begun there. Raises BadInput where it is another."""
        held, whole = folder.read("run.json"), to_json({**facts, "shards": self.shards}).encode()
        if held is None or whole.startswith(held):  # or written half
            folder.write("run.json", whole)
            return
        found = _parsed(held)
        shards = whole_number(found.get("shards"))
        same = {**found, "shards": 0} == {**json.loads(to_json(facts)), "shards": 0}
        if not same or shards is None or not 0 < shards <= MOST_SHARDS:
            raise BadInput(
                message(
                    "--checkpoints {url} holds another run ({game}); give an empty folder",
                    url=folder.url,
                    game=found.get("game"),
                )
            )
        self.shards = shards

    def done(self, step: str) -> JsonObject | None:
        """What was found by a step that is done."""
        if step not in self._done and self._folder is not None:
            held = self._folder.read(f"done/{step}.json")
            if held is not None and (found := _parsed(held)):
                self._done[step] = found
        return self._done.get(step)

    def finish(self, step: str, found: JsonObject) -> None:
        self._done[step] = found
        if self._folder is not None:
            self._folder.write(f"done/{step}.json", to_json(found).encode())


def _parsed(data: bytes) -> JsonObject:
    """An object of a file; empty where it was written half."""
    try:
        found = json.loads(data)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
