"""Record files: what was written comes back; anything else is refused with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from damier.arena.records import GameRecord, Recorder, Records
from damier.core.errors import BadFile

RECORD = GameRecord("nim", {"matches": 4}, ("random", "perfect"), ("3", "1"), (1, -1), seed=5)


def test_records_come_back(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with Recorder(path) as recorder:
        recorder.keep([RECORD, RECORD])
        assert not path.exists()
    first, second = Records(path)
    assert first == second
    assert (first["game"], first["moves"], first["outcome"], first["payoffs"], first["seed"]) == (
        "nim",
        ["3", "1"],
        "win",
        [1, -1],
        5,
    )


@pytest.mark.parametrize(
    "line",
    ["", "{", "[]", '{"format": "damier-game/1"}', '{"format": "other", "moves": []}', '{"a": NaN}', "\x00"],
)
def test_a_broken_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "games.jsonl"
    with Recorder(path) as recorder:
        recorder.keep([RECORD])
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(BadFile, match=r"games\.jsonl:2"):
        list(Records(path))
