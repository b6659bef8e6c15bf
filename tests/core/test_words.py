"""What a person reads is safe to show and comes through one catalogue."""

from __future__ import annotations

from pathlib import Path

import pytest

from damier.core.words import N_, _, ngettext, printable


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("plain", "plain"),
        ("a\x1b[2Jb", "a\\x1b[2Jb"),
        ("line\nline\ttab\r", "line\\nline\\ttab\\r"),
        ("\x00\x7f\x9b", "\\x00\\x7f\\x9b"),
        ("\u202e\u2028\ufeff", "\\u202e\\u2028\\ufeff"),
        ("\udcff", "\\udcff"),
        ("é × 三", "é × 三"),
        (3, "3"),
        (None, "None"),
        (Path("a/b"), "a/b"),
    ],
)
def test_control_characters_are_shown_escaped(value: object, shown: str) -> None:
    assert printable(value) == shown


def test_long_texts_are_cut() -> None:
    assert len(printable("x" * 1000)) == 400
    assert printable("x" * 1000).endswith("…")
    assert printable("x" * 400) == "x" * 400


def test_values_in_a_sentence_are_escaped_and_never_read_as_a_pattern() -> None:
    assert _("no {name}", name="\x1b{0}{name}") == "no \\x1b{0}{name}"
    assert _("{braces} stay") == "{braces} stay"
    assert ngettext("{n} game", "{n} games", 1) == "1 game"
    assert ngettext("{n} game", "{n} games", 2) == "2 games"
    assert N_("as it is") == "as it is"
