"""`damier type`: a command as one of the five documents prints it."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from commands import beginning
from terminals import Terminal

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


def test_several_commands_in_order_and_the_file_of_the_last(capsys: Captured, tmp_path: Path) -> None:
    """What the report of document S1 hands in: the base after a training."""
    path = tmp_path / "new" / "actions_test.txt"
    games = "(dotimes (x 50)(explore-renf-rec 16 *actions*))"
    code, out, err = call(capsys, games, "(aff *actions*)", "-o", str(path))
    assert (code, err) == (0, "")
    assert out.startswith("> (dotimes (x 50) (explore-renf-rec 16 *actions*))\ngames played")
    lists = [line.strip("()").split() for line in path.read_text().splitlines()]
    assert [line[0] for line in lists] == [str(n) for n in range(16, 0, -1)]
    assert len(lists[0]) > 24, "every move stands there"
    code, out, _err = call(capsys, games, "(aff *actions*)", "--json")
    assert [each["document"] for each in json.loads(out)["commands"]] == ["s1", "s1"]


def test_a_session_remembers_and_goes_on_after_what_is_refused(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = [
        "(setq n (explore 4",
        "  actions 'HUMAIN 0))",
        "n",
        "(nonsense",
        ")",
        "",
        "rm -rf /",
        "3**9",
        "quit",
        "n",
    ]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(typed)))
    code, out, err = call(capsys)
    assert code == 0
    assert out.splitlines()[-2:] == ["2", "19,683"]
    assert err.count("damier: ") == 2
    assert call(capsys, "--json")[0] == 2


def test_a_session_at_a_terminal_has_a_prompt_and_a_history() -> None:
    terminal = Terminal("type")
    terminal.until("> ")
    terminal.interrupt()
    terminal.until("> \r\n> ")
    terminal.type("(successeurs 16 *actions*)\r")
    terminal.until("(3 2 1)\r\n> ")
    terminal.type("\x1b[A\r")  # arrow up
    terminal.until("(successeurs 16 *actions*)")
    terminal.until("(3 2 1)\r\n> ")
    terminal.type("./tictactoe -s human ai\r0\r")
    terminal.until("Player 2 (ai) plays 4")
    terminal.interrupt()  # leaves the game, not the session
    terminal.until("> ")
    terminal.type("\x04")
    assert terminal.rest() == 0
