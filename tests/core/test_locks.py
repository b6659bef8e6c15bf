"""One process at a time: the second is refused, and so is who holds a file that is no more."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from damier.core.errors import BadInput
from damier.core.files import require_alone


def test_a_file_is_taken_until_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    first, second = (os.open(path, os.O_RDWR | os.O_CREAT) for _time in range(2))
    require_alone(first, path, "taken")
    with pytest.raises(BadInput, match="taken"):
        require_alone(second, path, "taken")
    os.close(first)
    require_alone(second, path, "taken")
    os.close(second)


def test_a_file_that_was_removed_or_replaced_is_not_taken(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    old = os.open(path, os.O_RDWR | os.O_CREAT)
    path.unlink()
    with pytest.raises(BadInput, match="taken"):
        require_alone(old, path, "taken")
    new = os.open(path, os.O_RDWR | os.O_CREAT)
    require_alone(new, path, "taken")
    with pytest.raises(BadInput, match="taken"):
        require_alone(old, path, "taken")
    os.close(old)
    os.close(new)
