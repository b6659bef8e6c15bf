"""What was said in one language is told again in another: from its facts, which a stranger may have
written.
"""

from __future__ import annotations

import json

import pytest

from damier.core.errors import AgentFault, BadInput
from damier.core.json_types import JsonValue
from damier.core.sentence import Sentence, facts_of, said_by
from damier.core.words import _, decimal, grouped, joined, ngettext, percent, printable, retold, speaking

SAID = {
    "a text": lambda: _("its process has ended"),
    "values": lambda: _("{file}: there is no function {name}", file="agent.py", name="f"),
    "braces": lambda: _("{braces} stay"),
    "a number": lambda: _("right in all {n} positions", n=grouped(12_345)),
    "one": lambda: ngettext("after {n} game", "after {n} games", 1),
    "many": lambda: ngettext("after {n} game", "after {n} games", 3),
    "decimals": lambda: decimal(-0.25, ".6g"),
    "a share": lambda: percent(0.4361),
    "within": lambda: _("{file}: {why}", file="a.py", why=_("no answer in time")),
    "parts": lambda: joined(_("; "), [_("its process has ended"), "x", decimal(0.5)]),
    "an error": lambda: _("{path}: {error}", path="a.py", error=BadInput(_("no answer in time"))),
}


@pytest.mark.parametrize("made", SAID.values(), ids=SAID.keys())
def test_what_was_said_in_english_is_told_in_french_as_if_it_had_been_said_so(made: object) -> None:
    assert callable(made)
    said = made()
    kept = json.loads(json.dumps(facts_of(said)))
    assert retold(kept) == said
    with speaking("fr"):
        assert retold(kept) == made()
        assert retold(facts_of(retold(kept))) == made()


def test_french_is_told_in_english() -> None:
    with speaking("fr"):
        said = _("wrong in {n} of {all} positions", n=grouped(1234), all=grouped(5478))
    assert said == "faux dans 1\N{NO-BREAK SPACE}234 positions sur 5\N{NO-BREAK SPACE}478"
    assert retold(facts_of(said)) == "wrong in 1,234 of 5,478 positions"


def test_an_error_keeps_its_sentence() -> None:
    assert isinstance(said_by(AgentFault(_("no answer in time"))), Sentence)
    assert said_by(AgentFault("a", "b")) == "('a', 'b')"
    assert said_by(KeyError("x")) == "'x'"


def test_a_plain_text_stays_as_it_is_and_is_shown_escaped() -> None:
    assert facts_of("plain") == "plain"
    with speaking("fr"):
        assert retold("no answer in time") == "no answer in time"
    assert retold("a\x1b[2J") == "a\\x1b[2J"
    assert retold({"text": "\x1b{a}", "values": {"a": "\n"}}) == "\\x1b\\n"
    assert len(printable(_("no {name}", name="x" * 500), 100)) == 100


DEEP: JsonValue = "x"
for _level in range(50):
    DEEP = {"parts": [DEEP], "between": ""}


@pytest.mark.parametrize(
    "kept",
    [
        None,
        3,
        [],
        {},
        {"text": 3, "values": {}},
        {"text": "a"},
        {"text": "{a!r}", "values": {"a": "x"}},
        {"text": "{a:>999999999}", "values": {"a": "x"}},
        {"text": "{a.real}", "values": {"a.real": "x", "a": "x"}},
        {"text": "{b}", "values": {"a": "x"}},
        {"text": "{", "values": {"a": "x"}},
        {"text": "x" * 10_000, "values": {}},
        {"text": "a", "values": {str(n): "x" for n in range(1000)}},
        {"text": "a", "many": "b", "n": "1", "values": {}},
        {"text": "a", "many": 3, "n": 1, "values": {}},
        {"number": 1.5, "form": "999999999f"},
        {"number": "1", "form": ","},
        {"parts": ["x"] * 1000, "between": ""},
        {"parts": ["x"], "between": None},
        DEEP,
    ],
)
def test_what_is_nothing_of_that_kind_is_refused(kept: JsonValue) -> None:
    with pytest.raises(ValueError):
        retold(kept)


def test_a_number_that_json_does_not_have_is_kept_as_text() -> None:
    assert facts_of(decimal(float("inf"))) == "inf"
