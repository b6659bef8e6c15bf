"""A picture is the same bytes wherever it is made: in any folder, locale and order of hash tables,
with the fonts of any machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from lasting import shortly

from damier.draw.picture_files import SHIPPED, in_shipped_font
from damier.draw.svg import label

ROOT = Path(__file__).parents[2]
LINES = {
    "board": ["solve", "hexapawn", "--moves", "a1a2"],
    "graph": ["graph", "nim:matches=4", "--truncated"],
    "tree": ["tree", str(ROOT / "docs" / "lessons" / "classic_tree.json")],
    "exercise": ["exercise", "expectimax", "--seed", "3"],
    "quiz": ["exercise", "evaluation", "--seed", "3"],
    "boxes": ["matchboxes", "hexapawn"],
    "depths": ["study", "evaluation", "hexapawn", "--plies", "1,2"],
    "curve": ["train", "hexapawn", "q", "--games", "40", "--curve"],
}
PICTURES = [*(f"{name}.svg" for name in LINES), "graph.dot", "board.png", "board.pdf"]
MORE = ["board.svg", "graph.svg", "graph.dot", "exercise.svg", "boxes.svg", "board.pdf"]
FEW = ["board.svg", "graph.dot", "exercise.svg"]
PLACES = [
    {"LC_ALL": "C", "PYTHONHASHSEED": "1"},
    {
        "LC_ALL": "fr_FR.UTF-8",
        "LANG": "fr_FR.UTF-8",
        "PYTHONHASHSEED": "2",
        "TZ": "Asia/Tokyo",
        "COLUMNS": "60",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
    },
]
MAKE = """
import sys
from damier.cli.main import build, run
from damier.cli.command import prepare_streams
from damier.core.words import speak
speak("fr")
prepare_streams()
sys.exit(max(run(build(), line) for line in {lines!r}))
"""


@pytest.mark.parametrize("pictures", shortly([FEW, MORE, PICTURES], FEW), ids=["few", "more", "all"])
def test_a_french_picture_is_the_same_bytes_everywhere(pictures: list[str], tmp_path: Path) -> None:
    made: list[dict[str, bytes]] = []
    for number, place in enumerate(PLACES):
        folder = tmp_path / str(number)
        folder.mkdir()
        lines = [
            [*LINES[name.split(".")[0]], *([] if name == "curve.svg" else ["-o"]), name] for name in pictures
        ]
        left = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG"))}
        subprocess.run(
            [sys.executable, "-c", MAKE.format(lines=lines)],
            cwd=folder,
            env=left | place,
            check=True,
            capture_output=True,
        )
        made.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert set(pictures) <= set(made[0])
    assert b"coups" in made[0]["board.svg"]
    for others in made[1:]:
        assert [name for name in made[0] if made[0][name] != others[name]] == []


@pytest.mark.parametrize("text", ["W . W", "<é & ✕>", "a\u00a0b"])
def test_a_line_of_one_width_keeps_its_columns_in_the_font_of_the_converter(text: str) -> None:
    drawn = in_shipped_font(label(text, 10, 20, 10, "start", "d-mono"))
    places = [float(x) for x in drawn.split('x="')[1].split('"')[0].split()]
    assert len(places) == len(text)
    assert {round(after - before, 2) for before, after in pairwise(places)} <= {6.2, 6.21, 6.19}
    assert "✕" not in drawn


def test_no_other_font_is_asked_for() -> None:
    from damier import load
    from damier.draw import board_svg

    drawn = in_shipped_font(board_svg(load("tictactoe").position()))
    assert drawn.count("font-family") == drawn.count(f"font-family: {SHIPPED}") > 0


def test_signs_that_the_font_lacks_are_drawn_as_others() -> None:
    """What it lacks is drawn from whatever font a machine has, or not at all."""
    drawn = in_shipped_font(label("✓ won ✗ lost ▶ {s₀, r₁} 10⁻⁸", 0, 0, 12, "start"))
    assert "√ won × lost ► {s0, r1} 10¯⁸" in drawn.replace("\N{NO-BREAK SPACE}", " ")
