"""What a person reads is safe to show and comes through one catalogue."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path

import pytest

from damier.core import words
from damier.core.files import reason
from damier.core.words import (
    N_,
    _,
    grouped,
    labelled,
    language,
    languages,
    ngettext,
    own_name,
    printable,
    speak,
    speaking,
    spoken,
)


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


@pytest.fixture
def speaks_english_again() -> Iterator[None]:
    yield
    speak("en")


def test_a_sentence_is_said_in_the_language_in_force() -> None:
    assert _("A draw.") == "A draw."
    with speaking("fr"):
        assert (language(), _("A draw."), _("after {moves}", moves="a1a2")) == (
            "fr",
            "Match nul.",
            "après a1a2",
        )
        with speaking("en"):
            assert _("A draw.") == "A draw."
        assert _("A draw.") == "Match nul."
    assert (language(), _("A draw.")) == ("en", "A draw.")


def test_the_plural_is_that_of_the_language() -> None:
    assert [ngettext("{n} node", "{n} nodes", n) for n in (0, 1, 2)] == ["0 nodes", "1 node", "2 nodes"]
    with speaking("fr"):
        assert [ngettext("{n} node", "{n} nodes", n) for n in (0, 1, 2)] == ["0 nœud", "1 nœud", "2 nœuds"]


def test_a_label_has_the_colon_of_the_language() -> None:
    assert labelled("won", 3) == "won: 3"
    with speaking("fr"):
        assert labelled("AlphaZero", "a\n" * 400) == "AlphaZero\xa0: " + "a\n" * 400


def test_numbers_are_grouped_in_the_language_in_force() -> None:
    assert [grouped(n) for n in (999, 1000, -1234567, 1234.6, 10**18 + 1)] == [
        "999",
        "1,000",
        "-1,234,567",
        "1,235",
        "1,000,000,000,000,000,001",
    ]
    with speaking("fr"):
        assert grouped(1234567) == "1\xa0234\xa0567"
        assert _("{n} positions known", n=grouped(1000)) == "1\xa0000 positions connues"


def test_every_reader_has_a_language_of_their_own() -> None:
    """Threads that answer two readers at the same time do not mix their languages."""
    both = threading.Barrier(2)

    def answer(code: str) -> list[str]:
        with speaking(code):
            said = []
            for _turn in range(100):
                both.wait()
                said.append(_("A draw."))
        return said

    with ThreadPoolExecutor(2) as readers:
        english, french = readers.map(answer, ["en", "fr"])
    assert (set(english), set(french)) == ({"A draw."}, {"Match nul."})


def test_a_copied_context_keeps_its_language() -> None:
    with speaking("fr"):
        context = copy_context()
    assert context.run(_, "A draw.") == "Match nul."


def test_a_thread_without_a_context_speaks_the_language_of_the_process(speaks_english_again: None) -> None:
    speak("fr")
    with ThreadPoolExecutor(1) as other:
        assert other.submit(_, "A draw.").result() == "Match nul."
    with speaking("en"):
        assert _("A draw.") == "A draw."


def test_what_there_is() -> None:
    assert languages()[0] == "en"
    assert "fr" in languages()
    assert [own_name(code) for code in ("en", "fr")] == ["English", "français"]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (["fr"], "fr"),
        (["fr_FR.UTF-8"], "fr"),
        (["fr-CA", "en"], "fr"),
        (["FR"], "fr"),
        (["de", "fr"], "fr"),
        (["de"], None),
        ([""], None),
        (["C.UTF-8"], None),
        (["../fr"], None),
        ([], None),
    ],
)
def test_the_first_language_wanted_that_there_is(wanted: list[str], found: str | None) -> None:
    assert spoken(wanted) == found


def test_no_catalogue_is_read_before_a_sentence_of_it_is_said() -> None:
    words.catalogue.cache_clear()
    assert _("A draw.") == "A draw."
    assert words.catalogue.cache_info().currsize == 1


def test_the_systems_own_sentences_are_translated() -> None:
    error = FileNotFoundError(2, "No such file or directory")
    assert reason(error) == "No such file or directory"
    with speaking("fr"):
        assert reason(error) == "ce fichier ou ce dossier n'existe pas"
        assert reason(OSError("told by nobody")) == "told by nobody"
