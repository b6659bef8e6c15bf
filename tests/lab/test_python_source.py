"""A source in Python is read in one place: as UTF-8, whatever a stranger's file says of itself, and what
cannot be one is told in a sentence, not raised.
"""

from __future__ import annotations

import codecs
from encodings.aliases import aliases
from itertools import product
from pathlib import Path

import pytest

from damier import load
from damier.core.errors import BadInput
from damier.core.job import Job
from damier.lab.agent_file import contents, loaded, may_learn
from damier.lab.searchers import evaluation_of
from damier.lab.user_file import read_source, why_no_python
from damier.plugins.classroom.marking.sheet import mark_all, sheet

CODE = "def play(position):\n    return position.moves[0]\n"
NAMES = sorted(
    {*aliases, *aliases.values(), "undefined", "idna", "nosuch", "x" * 500, "..", "aliases", "latin-1"}
)
ODD = {
    "rot13": b"# coding: rot13\n" + CODE.encode(),
    "idna": b"# coding: idna\n" + CODE.encode(),
    "a codec that there is not": b"# vim: set fileencoding=nosuch :\n" + CODE.encode(),
    "on the second line": b"#!/usr/bin/env python\n# coding: hex\n" + CODE.encode(),
    "two minds": codecs.BOM_UTF8 + b"# coding: latin-1\n" + CODE.encode(),
    "NUL": b"\0" + CODE.encode(),
    "UTF-16": CODE.encode("utf-16"),
    "UTF-32": CODE.encode("utf-32"),
    "no UTF-8": b"# \xff\n" + CODE.encode(),
    "no ASCII": "# coding: ascii\n# é\n".encode() + CODE.encode(),
}


@pytest.mark.parametrize("content", ODD.values(), ids=ODD)
def test_who_reads_an_odd_file_says_one_sentence(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "odd.py"
    path.write_bytes(content)
    why = why_no_python(content)
    assert why
    game = load("tictactoe")
    doors = (
        lambda: loaded(path),
        lambda: contents(path),
        lambda: load(str(path)),
        lambda: evaluation_of(game, str(path), Job()),
        lambda: read_source(path),
    )
    for door in doors:
        with pytest.raises(BadInput) as refused:
            door()
        assert str(refused.value) == f"odd.py: {why}"
    assert may_learn(path)


def test_no_name_of_an_encoding_is_raised_and_python_reads_what_is_taken() -> None:
    for mark, name in product((b"", codecs.BOM_UTF8), NAMES):
        content = mark + f"# -*- coding: {name} -*-\nx = 1\n".encode()
        if not why_no_python(content):
            compile(content, "odd.py", "exec")


@pytest.mark.parametrize(
    "content",
    [
        codecs.BOM_UTF8 + "# coding: UTF-8\nx = 'é'\n".encode(),
        "# -*- coding: latin-1-unix -*-\nx = 'é'\n".encode("latin-1"),
        "x = 1\n# coding: rot13\ny = 'é'\n".encode(),
        "\n# coding: iso_8859-1\rx = 'é'\r".encode("latin-1"),
        b"# coding: us-ascii\r\nx = 1\r\n",
        b"#\r\r\nx = 1\r\r\n",
    ],
)
def test_what_python_reads_is_read(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "good.py"
    path.write_bytes(content)
    assert (
        compile(read_source(path), "good.py", "exec").co_code == compile(content, "good.py", "exec").co_code
    )
    assert loaded(path).module.x in ("é", 1)


def test_a_large_file_is_not_cut_within_a_letter(tmp_path: Path) -> None:
    path = tmp_path / "large.py"
    path.write_bytes(b"#" + "é".encode() * (1 << 20) + b"\n")
    assert read_source(path).endswith("é\n")


def test_an_odd_file_costs_its_own_points_only(tmp_path: Path) -> None:
    s4 = sheet("s4")
    good, odd = tmp_path / "good.py", tmp_path / "odd.py"
    good.write_text("def minimax(position):\n    return 0\n")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "agent.py").write_text("import helper\n" + CODE)
    (folder / "helper.py").write_bytes(ODD["rot13"])
    odd.write_bytes(ODD["rot13"])
    found = mark_all(s4, [good, odd, folder], 1, lambda done: None)
    assert [each.points > 0 for each in found] == [True, False, False]
    assert "rot13" in str(found[1].marks[0].finding.sentence)
    assert str(found[2].marks[0].finding.sentence).startswith("helper.py: the file says")
