"""`damier type`: a command as one of the five documents prints it."""

from __future__ import annotations

import json

import pytest
from commands import beginning

Captured = pytest.CaptureFixture[str]
call, _data = beginning("type")


def test_a_command_is_answered_as_text_and_as_json(capsys: Captured) -> None:
    code, out, err = call(capsys, "(explore 4 actions 'HUMAIN 0)")
    assert (code, err) == (0, "")
    assert out.startswith("(4 HUMAN)\n   HUMAN plays 3 → (1 AI)\n")
    code, out, err = call(capsys, "get_state([1, 2, 0, 0, 1, 0, 0, 0, 0])", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["document"] == "s3"
    assert json.loads(out)["lines"][-1] == "state 11016"


@pytest.mark.parametrize("text", ["(import os)", "", "rm -rf /", "(explore 4"])
def test_what_no_document_writes_is_refused_in_one_line(capsys: Captured, text: str) -> None:
    code, out, err = call(capsys, text)
    assert (code, out, err.count("\n")) == (2, "", 1)
