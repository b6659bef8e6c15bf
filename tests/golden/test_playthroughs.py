"""Every game has a playthrough that was read by a person, and still plays like that (`python
tests/golden/make.py` rewrites them).
"""

from __future__ import annotations

import pytest
from golden.make import FOLDER, playthrough

from damier.lab.games import GAMES


def test_no_game_is_without_a_playthrough_and_none_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_a_playthrough_is_as_it_was(name: str) -> None:
    assert playthrough(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
