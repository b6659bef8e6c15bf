"""Values show themselves in a notebook: as SVG and PNG, and in words."""

from __future__ import annotations

import pytest

from damier import in_words, load, picture, png
from damier.core.display import Displayed
from damier.core.errors import BadInput
from damier.core.job import Job
from damier.draw import picture_files
from damier.draw.board import board_svg
from damier.lab import curves
from damier.lab.games import Lab
from damier.lab.graphs import DiagramPlan, diagram
from damier.lab.matchboxes import new_machine
from damier.lab.training import Plan, trainer
from damier.solve import solve
from damier.trees.explicit import read, search

TREE = read("((3 12 8) (2 4 6) (14 5 2))")
LAB = Lab(load("hexapawn"))


def values() -> dict[str, Displayed]:
    """One value of each kind."""
    made = trainer(LAB, Plan("q:preset=hexapion"))
    made.training.run(50, Job())
    machine, nim = new_machine(LAB), load("nim:matches=3")
    searched = search(TREE, "alphabeta")
    return {
        "a position": LAB.game.position(),
        "a solution": solve(LAB.game),
        "payoffs": solve(load("dots_and_boxes:rows=1,columns=1")),
        "a training": made,
        "its curve": made.training.curve,
        "a series": curves.of_training(made),
        "a tree": TREE,
        "a search": searched,
        "a machine": machine,
        "a box": machine.boxes[0],
        "a diagram": diagram(DiagramPlan(nim, nim.start, "merged"), Job()),
    }


VALUES = values()


class Printer:
    """What IPython hands to `_repr_pretty_`."""

    written = ""

    def text(self, text: str) -> None:
        self.written += text


@pytest.mark.parametrize("kind", VALUES)
def test_it_shows_itself(kind: str) -> None:
    value, printer = VALUES[kind], Printer()
    svg = value._repr_svg_()
    assert svg == picture(value)
    assert svg.startswith("<svg")
    value._repr_pretty_(printer, cycle=False)
    assert printer.written == in_words(value)
    assert " object at " not in printer.written


def test_the_picture_of_a_solution_has_the_value_of_every_move() -> None:
    solution = VALUES["a solution"]
    assert in_words(solution) == "hexapawn:width=3,height=3,blocked=draw: 135 positions; start: a draw"
    assert "b1b2 draws" in picture(solution)


def test_a_tree_shows_its_ends_and_no_values_before_it_is_searched() -> None:
    assert "= 14" in in_words(TREE)
    assert "▲ A\n" in in_words(TREE)
    assert "value 3; best move: a" in in_words(VALUES["a search"])


def test_a_png_is_told_at_which_size_it_is_to_be_shown() -> None:
    pytest.importorskip("vl_convert")
    position = LAB.game.position()
    found = position._repr_png_()
    assert found
    assert found[0].startswith(b"\x89PNG")
    assert found[1] == {"width": 233, "height": 248}
    assert 'width="233.2" height="248"' in board_svg(position)
    assert png(position) == found[0]


def test_without_the_extra_there_is_svg_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_arguments: object) -> None:
        raise BadInput("PNG needs more")

    monkeypatch.setattr(picture_files, "converter", missing)
    position = LAB.game.position()
    assert position._repr_png_() is None
    assert position._repr_svg_()


def test_what_is_too_large_to_be_drawn_has_its_words() -> None:
    large = Lab(load("tictactoe"))
    whole = search(read("(" * 12 + "1 2" + " 3)" * 12), "minimax")
    assert picture(whole)
    assert large.game.position()._repr_svg_()
    with pytest.raises(BadInput, match="there is no picture of a int"):
        picture(3)
    assert in_words(3) == "3"


def test_ipython_prints_the_words_of_each_kind() -> None:
    pretty = pytest.importorskip("IPython.lib.pretty")
    for value in VALUES.values():
        assert pretty.pretty(value) == in_words(value)
