"""How an extra is installed: from where damier itself came."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from damier.core.runtime import COPY, installing


def test_a_wheel_is_installed_by_name(tmp_path: Path) -> None:
    assert installing("class", tmp_path) == "pip install 'damier[class]'"


def test_a_copy_of_the_project_is_installed_from_where_it_lies(tmp_path: Path) -> None:
    copy = tmp_path / "my games"
    copy.mkdir()
    (copy / "pyproject.toml").touch()
    assert installing("ray", copy) == f"pip install -e '{copy}[ray]'"


def test_what_the_script_installed_grows_by_the_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path / ".venv"))
    assert installing("class", tmp_path) == f"{tmp_path}/scripts/environment .venv web plot class"
    assert installing("web", tmp_path) == f"{tmp_path}/scripts/environment .venv web plot"


def test_here_there_is_such_a_copy_and_such_a_script() -> None:
    assert (COPY / "src" / "damier").is_dir()
    text = (COPY / "scripts" / "damier").read_text(encoding="utf-8")
    assert 'scripts/environment" .venv web plot' in text
