"""The sandbox shows damier wherever it lies: also below the folder that is its scratch."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from foreign import sandboxed

import damier

CODE = """
from damier import load
from damier.arena.match import match
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer
from damier.lab.agent_file import isolated_player

player = isolated_player("random", load("hexapawn"))
table = MatchSetup(player.game, (player, RandomPlayer()), 1, strict=False)
print(match(table, 3).games, table.faults.of_game)
player.close()
"""


@sandboxed
def test_a_copy_of_damier_below_tmp_plays() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        shutil.copytree(Path(damier.__file__).parent, Path(folder) / "damier")
        run = subprocess.run(
            [sys.executable, "-c", CODE],
            env=os.environ | {"PYTHONPATH": folder},
            capture_output=True,
            text=True,
            check=True,
        )
    assert run.stdout.strip() == "3 {}", run.stderr
