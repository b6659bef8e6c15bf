"""JSON within bounds: what is too large, too deep or ambiguous is refused in one line before much
is made of it.
"""

from __future__ import annotations

import codecs
import gc
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from lasting import later

from damier.core.errors import BadFile
from damier.core.files import opened, read_text
from damier.core.json_data import (
    DEEPEST,
    USUAL,
    JsonBounds,
    format_of,
    parse_json,
    read_json,
    read_toml,
    require_keys,
    whole_number,
    whole_numbers,
    write_json,
)
from damier.games.maze import MAZE_BOUNDS
from damier.learn import store

SMALL = JsonBounds(1000, 20, 50)


def refused(text: str, bounds: JsonBounds = USUAL) -> str:
    with pytest.raises(BadFile) as raised:
        parse_json(text, "here", bounds)
    said = str(raised.value)
    assert said.startswith("here")
    assert said.isprintable()
    assert len(said) < 500
    return said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" + "[]," * 20 + "1]", "more than 20 lists and objects"),
        ("[" + "{}," * 20 + "1]", "more than 20 lists and objects"),
        ("[" + "1," * 51 + "1]", "more than 50 values"),
        (" " * 1001, "longer than 1,000 bytes"),
    ],
)
def test_what_is_beyond_the_bounds_is_never_parsed(
    text: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json, "loads", lambda *_args, **_more: pytest.fail("parsed"))
    assert said in refused(text, SMALL)


def test_what_is_within_the_bounds_is_read() -> None:
    for data in ([[]] * 19, [1] * 50, " " * 900):
        assert parse_json(json.dumps(data, separators=(",", ":")), "here", SMALL) == data


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 100_000, "deep"),
        ("[" * 100_000 + "]" * 100_000, "deep"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "deep"),
        ('{"a":' * 300 + "1" + "}" * 300, "deep"),
        ("9" * 100_000, "thousands of digits"),
        ("-" + "9" * 5000, "thousands of digits"),
        ('{"a": 1, "a": 2}', "same key twice"),
        ('[{"b": {"a": 1, "a": 1}}]', "same key twice"),
        ("[NaN]", "NaN is not a number"),
        ("[-Infinity]", "-Infinity is not a number"),
        ('["\\ud800"]', "surrogate"),
        ('{"\\uDFFF": 1}', "surrogate"),
        ("\ufeff{}", "byte order"),
        ("", "is not JSON"),
        ("[1,]", "is not JSON"),
        ("[1] x", "is not JSON"),
        ("[01]", "is not JSON"),
        ('"\x00"', "is not JSON"),
    ],
)
def test_what_two_readers_could_read_differently_is_refused_in_one_line(text: str, said: str) -> None:
    assert said in refused(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = ", "is not TOML: "),
        ("a = " + "[" * 100_000 + "]" * 100_000, "lists in lists"),
        ("a = " + "9" * 5000, "thousands of digits"),
        ("a = '" + "9" * (1 << 20) + "'", "larger than"),
    ],
)
def test_toml_that_cannot_be_read_is_refused_in_one_line(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "exam.toml"
    path.write_text(text)
    with pytest.raises(BadFile, match=said) as raised:
        read_toml(path)
    assert str(raised.value).startswith(str(path))
    assert "\n" not in str(raised.value)


def test_pairs_of_surrogates_are_characters() -> None:
    assert parse_json('["\\ud83d\\ude00"]', "here") == ["😀"]


def test_as_deep_as_can_be_is_read() -> None:
    assert parse_json("[" * DEEPEST + "]" * DEEPEST, "here")


def test_the_collector_of_cycles_is_as_it_was() -> None:
    refused("[")
    parse_json("[]", "here")
    assert gc.isenabled()


def test_whole_numbers() -> None:
    assert [whole_number(n) for n in (3, 3.0, -0.0, 2.0**53)] == [3, 3, 0, 1 << 53]
    assert [whole_number(n) for n in (3.5, True, "3", None, 1e300, float("inf"), float("nan"))] == [None] * 7
    assert [type(n) for n in whole_numbers([1.0, True, 2.5])] == [int, bool, float]


def test_an_unknown_key_is_named_with_the_nearest() -> None:
    with pytest.raises(
        BadFile, match=r"the node: there is no mowes; did you mean moves\? there are: moves value"
    ):
        require_keys({"value": 1, "mowes": 2}, ("moves", "value"), "the node")


# ------------------------------------------------------------------------------------------
# files


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "/proc/self/mem", "/proc"])
def test_what_is_no_file_is_refused(path: str) -> None:
    with pytest.raises(BadFile, match="cannot be read"):
        read_text(Path(path), 1000)


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadFile, match="not a file"):
        read_text(tmp_path / "pipe", 1000)


def test_a_file_that_is_longer_than_it_says_is_cut_off(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="larger"):
        read_text(Path("/proc/self/maps"), 10)


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "holes"
    path.touch()
    os.truncate(path, 40 << 30)
    with pytest.raises(BadFile, match="larger"), opened(path, 1 << 20) as stream:
        stream.read(1)


MEMORY = 700 << 20
"""Bytes of addresses for Python, NumPy and a file that was refused; what it says would take more."""


@pytest.mark.parametrize(
    ("format", "body"),
    [
        later(("damier-tree/1", '"nodes": [' + "[]," * (5 << 20))),
        ("damier-agent/1", '"tables": [' + '{"a":1},' * (5 << 20)),
        later(("damier-solution/1", '"start": [' + "[]," * (5 << 20))),
    ],
)
def test_a_file_of_lists_takes_no_memory(format: str, body: str, tmp_path: Path) -> None:
    path = tmp_path / "many.json"
    path.write_text(f'{{"format": "{format}", {body}1]}}')

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    ended = subprocess.run(
        [sys.executable, "-m", "damier", "show", str(path)],
        capture_output=True,
        text=True,
        preexec_fn=limited,
        env=environment,
        check=False,
    )
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr
    assert "many.json" in ended.stderr


def test_every_format_has_bounds_below_the_memory_of_a_small_machine() -> None:
    for bounds in (USUAL, store.BOUNDS, MAZE_BOUNDS):
        assert 72 * bounds.containers + 40 * bounds.values < 1 << 30


def test_the_mark_that_an_editor_puts_before_a_text_is_no_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "agent.json"
    write_json(path, {"format": "damier-agent/1", "games": 3})
    path.write_bytes(codecs.BOM_UTF8 + path.read_bytes())
    assert format_of(path) == "damier-agent/1"
    assert read_json(path, "damier-agent/1") == {"format": "damier-agent/1", "games": 3}


def test_a_checksum_is_of_all_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    for text in (
        '{"format": "damier-x/1", "sha256": null}',
        '{"format": "damier-x/1", "a": 1e999, "sha256": "0"}',
    ):
        path.write_text(text)
        with pytest.raises(BadFile, match="damaged"):
            read_json(path, "damier-x/1")
    path.write_text('{"format": "damier-x/1", "a": 1}')
    assert read_json(path, "damier-x/1") == {"format": "damier-x/1", "a": 1}
