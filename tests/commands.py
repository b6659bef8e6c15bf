"""Command lines run in this process."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Protocol

import pytest

from damier.cli.main import build, run

Captured = pytest.CaptureFixture[str]


class Call(Protocol):
    def __call__(self, capsys: Captured, *arguments: str) -> tuple[int, str, str]: ...


class Data(Protocol):
    def __call__(self, capsys: Captured, *arguments: str) -> dict[str, Any]: ...


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
