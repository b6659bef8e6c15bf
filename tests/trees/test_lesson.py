"""What docs/lessons/trees.md says of its two tree files, and its picture."""

from __future__ import annotations

from pathlib import Path

import pytest

from damier.cli.main import build, run
from damier.core.words import speaking
from damier.trees.explicit import search
from damier.trees.tree_text import facts, load, tree_of

LESSONS = Path(__file__).parents[2] / "docs" / "lessons"


@pytest.mark.parametrize(("language", "picture"), [("en", "trees.svg"), ("fr", "fr/trees.svg")])
def test_the_picture_is_what_the_command_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, picture: str
) -> None:
    monkeypatch.chdir(LESSONS)
    drawn = tmp_path / "tree.svg"
    with speaking(language):
        assert run(build(), ["tree", "classic_tree.json", "-o", str(drawn)]) == 0
    assert drawn.read_text() == (LESSONS / picture).read_text()


def test_the_classic_tree() -> None:
    tree = load(LESSONS / "classic_tree.json")
    found = search(tree, "alphabeta")
    assert (found.value, found.reads, found.values) == (3, 7, [3, 2, 2])
    data = facts(tree)
    data["nodes"]["min3"]["moves"].reverse()  # its leaf 2 first
    assert search(tree_of(data), "alphabeta").reads == 5


def test_wrong_inner_values() -> None:
    tree = load(LESSONS / "wrong_inner_values.json")
    found = search(tree, "alphabeta", trace=True)
    names = [node.name for node in tree.nodes]
    returned = {names[step.node]: step.value for step in found.steps if step.kind == "return"}
    assert returned == {"left": 3, "right": 3, "max": 3}  # a false tie
    assert (found.values, found.best) == ([3, 1], [0])
