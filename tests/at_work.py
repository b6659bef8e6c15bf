"""Commands started in processes of their own, and signs by which a test sees how far they are: no
test waits for a time and then expects.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE = 300
"""Seconds after which a test that waits in vain fails, also on a machine that does much else."""

Seen = Callable[[], object]


def started(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    """`damier` with its arguments; both its streams are pipes."""
    command = [sys.executable, "-m", "damier", *arguments]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | environment
    )


def wait_until(seen: Seen, process: subprocess.Popen[str] | None = None) -> None:
    """Waits until something is seen, while the process lives that it is to come from."""
    end = time.monotonic() + PATIENCE
    while not seen():
        assert process is None or process.poll() is None, process.communicate()
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def has_worked(process: subprocess.Popen[str], seconds: float) -> Seen:
    """Whether a process has spent so many seconds of a processor, however long that takes on this
    machine.
    """

    return lambda: spent(process) >= seconds


def spent(process: subprocess.Popen[str]) -> float:
    """Seconds of a processor that a process has spent."""
    numbers = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")


def has_loaded(process: subprocess.Popen[str], library: str) -> Seen:
    """Whether a shared library is in the memory of a process."""
    return lambda: library in Path(f"/proc/{process.pid}/maps").read_text()


def holds_files(folder: Path) -> Seen:
    """Whether there is any file in a folder, or below it."""
    return lambda: any(path.is_file() for path in folder.rglob("*"))


def interrupted(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Sends Ctrl-C; what the process has written, and writes then.

    It must end as the contract says.
    """
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, (process.returncode, err)
    assert "Traceback" not in err
    assert "Exception ignored" not in err
    return out, err


def one_object(out: str) -> dict[str, Any]:
    """The one JSON object that was written."""
    assert out.count("\n") == 1, out[-500:]
    found = json.loads(out)
    assert isinstance(found, dict)
    return found
