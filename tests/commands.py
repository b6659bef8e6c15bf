"""Command lines run in this process."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import pytest

from damier.cli import interrupt
from damier.cli.main import build, run

Captured = pytest.CaptureFixture[str]


class Call(Protocol):
    def __call__(self, capsys: Captured, *arguments: str) -> tuple[int, str, str]: ...


class Data(Protocol):
    def __call__(self, capsys: Captured, *arguments: str) -> dict[str, Any]: ...


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C is answered as a command answers it."""
    before = signal.signal(signal.SIGINT, interrupt.raise_once)
    interrupt.begin()
    yield
    signal.signal(signal.SIGINT, before)


def beginning(*first: str, app: Callable[[list[str]], Any] | None = None) -> tuple[Call, Data]:
    """Runs lines that begin with `first`: for exit code, standard output and standard error; and
    for the one JSON object that a command prints.
    """

    def call(capsys: Captured, *arguments: str) -> tuple[int, str, str]:
        code = run(app or build(), [*first, *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    def data(capsys: Captured, *arguments: str) -> dict[str, Any]:
        code, out, err = call(capsys, *arguments, "--json")
        assert code == 0, err
        assert out.count("\n") == 1
        return json.loads(out)  # type: ignore[no-any-return]

    return call, data
