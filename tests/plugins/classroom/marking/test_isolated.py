"""A student's code sees its own file, where it can be shut in."""

from __future__ import annotations

from pathlib import Path

import pytest

from damier import load
from damier.agents.isolation import no_isolation
from damier.core.errors import AgentFault
from damier.plugins.classroom.marking.submission import Submission

pytestmark = pytest.mark.skipif(bool(no_isolation()), reason=f"no sandbox here: {no_isolation()}")


@pytest.mark.parametrize(
    "code",
    [
        "open({neighbour!r}).read()",
        "open({neighbour!r}, 'w').write('0')",
        "import socket\nsocket.create_connection(('127.0.0.1', 1), 1)",
        "import os\nos.kill(os.getppid(), 0) if os.getppid() > 1 else 1 / 0",
    ],
)
def test_it_reaches_nothing_else(tmp_path: Path, code: str) -> None:
    neighbour = tmp_path / "neighbour.py"
    neighbour.write_text("20")
    mine = tmp_path / "mine.py"
    mine.write_text(code.format(neighbour=str(neighbour)) + "\ndef minimax(position):\n    return 0\n")
    game = load("tictactoe")
    submission = Submission(mine, game)
    submission.allow(30)
    try:
        with pytest.raises(AgentFault, match=r"mine\.py"):
            submission.answers("minimax", [("position", game.start)])
    finally:
        submission.end()
    assert neighbour.read_text() == "20"
