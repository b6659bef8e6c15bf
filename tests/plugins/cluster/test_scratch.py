"""The folder of a cluster of this machine: gone with it, also where its process was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from damier.plugins.cluster.connection import LOCK, PREFIX, scratch_folder

HOLDS = """
import signal, sys
from pathlib import Path
from damier.plugins.cluster.connection import scratch_folder
with scratch_folder(Path(sys.argv[1])) as folder:
    (folder / "session").mkdir()
    (folder / "session" / "log").write_text("said")
    print(folder, flush=True)
    signal.pause()
"""


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """Another process that has such a folder, and the folder."""
    line = [sys.executable, "-c", HOLDS, str(tmp_path)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process, Path(process.stdout.readline().strip())
        process.kill()


def test_it_goes_with_its_block(tmp_path: Path) -> None:
    with scratch_folder(tmp_path) as folder:
        (folder / "log").write_text("said")
        assert folder.parent == tmp_path
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(sys.platform == "win32", reason="nobody tells there who is gone")
def test_the_next_one_removes_what_a_kill_left(
    holder: tuple[subprocess.Popen[str], Path], tmp_path: Path
) -> None:
    process, left = holder
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert (left / "session" / "log").exists()
    with scratch_folder(tmp_path):
        assert not left.exists()


def test_what_somebody_has_or_is_not_known_stays(
    holder: tuple[subprocess.Popen[str], Path], tmp_path: Path
) -> None:
    _process, held = holder
    unlocked, elsewhere, other = tmp_path / f"{PREFIX}mine", tmp_path / "elsewhere", tmp_path / "damier-x"
    for folder in (unlocked, elsewhere, other):
        folder.mkdir()
    for folder in (elsewhere, other):
        (folder / LOCK).touch()
    (tmp_path / f"{PREFIX}link").symlink_to(elsewhere)
    before = sorted(os.listdir(tmp_path))
    with scratch_folder(tmp_path):
        pass
    assert sorted(os.listdir(tmp_path)) == before
    assert (held / "session" / "log").exists()
    assert (elsewhere / LOCK).exists()
