"""Files: written in one step or not at all, and refused with one line when anything is wrong with
them.
"""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from damier.core.errors import BadFile, BadInput, LimitReached
from damier.core.files import make_folder, replacing, write_text
from damier.core.json_data import parse_json, read_arrays, to_json, write_arrays

FORMAT = "damier-test/1"
ARRAYS = {"keys": np.arange(100, dtype=np.int64), "scores": np.arange(-50, 50).astype(np.int8)}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    write_arrays(path, FORMAT, {"game": "nim"}, ARRAYS)
    return path


def test_arrays_come_back(file: Path) -> None:
    header, arrays = read_arrays(file, FORMAT)
    assert header["game"] == "nim"
    assert list(arrays) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert arrays[name].tolist() == array.tolist()
        assert arrays[name].dtype == array.dtype


def test_same_data_same_bytes(file: Path, tmp_path: Path) -> None:
    write_arrays(tmp_path / "again", FORMAT, {"game": "nim"}, ARRAYS)
    assert (tmp_path / "again").read_bytes() == file.read_bytes()


def test_truncated_anywhere_is_refused(file: Path) -> None:
    whole = file.read_bytes()
    for length in [*range(0, 300, 7), *range(300, len(whole), 97), len(whole) - 1]:
        file.write_bytes(whole[:length])
        with pytest.raises(BadFile):
            read_arrays(file, FORMAT)


def test_any_flipped_byte_of_the_arrays_is_refused(file: Path) -> None:
    whole = bytearray(file.read_bytes())
    begin = whole.index(b"\n") + 1
    for place in range(begin, len(whole), 53):
        damaged = bytearray(whole)
        damaged[place] ^= 0x10
        file.write_bytes(bytes(damaged))
        with pytest.raises(BadFile, match="checksum"):
            read_arrays(file, FORMAT)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"version": 2', b'"version": 3'),
        (b'"damier-test/1"', b'"damier-else/1"'),
        (b'"damier-test/1"', b'"somebody-else"'),
        (b'"length": 100', b'"length": 1e9'),
        (b'"length": 100', b'"length": -10'),
        (b'"int64"', b'"object"'),
        (b'"game": "nim"', b'"game": NaN  '),
        (b'"game": "nim"', b'"format": "x"'),
        (b'"arrays"', b'"Arrays"'),
    ],
)
def test_hostile_headers_are_refused(file: Path, old: bytes, new: bytes) -> None:
    whole = file.read_bytes()
    assert old in whole
    file.write_bytes(whole.replace(old, new, 1))
    with pytest.raises(BadFile):
        read_arrays(file, FORMAT)


@pytest.mark.parametrize(
    "content",
    [b"", b"\x80\x04\x95pickle", b"{}\n", b"[1]\n", b"not json\n", b"\xff\xfe\n", b'{"format": 3}\n'],
)
def test_foreign_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(content)
    with pytest.raises(BadFile):
        read_arrays(path, FORMAT)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot be read"):
        read_arrays(tmp_path / "missing", FORMAT)


def test_an_error_while_writing_keeps_the_old_file_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_text(path, "old")

    def write_half() -> None:
        with replacing(path) as stream:
            stream.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def killed_while_writing(path: Path) -> None:
    """As a process that is killed when its file has got a name, and not yet its place."""
    script = (
        "import os; os.replace = lambda *paths: os._exit(9); from damier.core.files import *;"
        " write_text(Path(os.sys.argv[1]), 'lost')"
    )
    assert subprocess.run([sys.executable, "-c", script, str(path)]).returncode == 9


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_text(path, "old")
    killed_while_writing(path)
    assert path.read_text() == "old"
    write_text(path, "new")
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_many_may_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    texts = [f"{n}" * 1000 for n in range(10)]
    with ThreadPoolExecutor(4) as pool:
        for _done in pool.map(lambda n: write_text(path, texts[n % 10]), range(200)):
            assert path.read_text() in texts
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there_is_made(tmp_path: Path) -> None:
    write_text(tmp_path / "new" / "deep" / "file", "x")
    assert (tmp_path / "new" / "deep" / "file").read_text() == "x"
    with pytest.raises(BadInput, match="cannot be written"):
        write_text(tmp_path / "new" / "deep" / "file" / "below", "x")


def test_a_full_disk_is_a_limit_and_no_wrong_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_folder(tmp_path / "new" / "deep")
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match="cannot be written"):
        make_folder(tmp_path / "file" / "below")

    def refused(*_given: object, **_options: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "mkdir", refused)
    with pytest.raises(LimitReached, match="No space left"):
        make_folder(tmp_path / "other")


@pytest.mark.parametrize(
    "text", ['{"a": 1, "a": 2}', '{"a": NaN}', '{"a": Infinity}', "[" * 100_000, "{", ""]
)
def test_ambiguous_json_is_refused(text: str) -> None:
    with pytest.raises(BadFile):
        parse_json(text, "here")


def test_nan_is_not_written() -> None:
    with pytest.raises(ValueError, match="JSON"):
        to_json({"a": float("nan")})
