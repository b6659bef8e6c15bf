"""A message is put into words in the language of whoever reads it: from a code of the catalogue and plain
parameters, whatever a stranger sends instead.
"""

from __future__ import annotations

import contextlib
import copy
import json
import pickle
from collections.abc import Callable

import pytest
from catalogue import compiled, fields_of
from hypothesis import given, settings, strategies as st
from lasting import shortly

from damier.core.errors import AgentFault, BadInput
from damier.core.json_types import JsonValue
from damier.core.words import (
    FormattedNumber,
    Message,
    Text,
    _,
    decimal,
    error_text,
    grouped,
    languages,
    message,
    ngettext,
    packed,
    plural,
    printable,
    replaced,
    speaking,
    unpacked,
)

SAID: dict[str, tuple[Callable[[], Text], Callable[[], str]]] = {
    "a text": (lambda: message("its process has ended"), lambda: _("its process has ended")),
    "values": (
        lambda: message("{file}: there is no function {name}", file="agent.py", name="f"),
        lambda: _("{file}: there is no function {name}", file="agent.py", name="f"),
    ),
    "a number": (
        lambda: message("right in all {n} positions", n=FormattedNumber(12_345, ",")),
        lambda: _("right in all {n} positions", n=grouped(12_345)),
    ),
    "one": (
        lambda: plural("after {n} game", "after {n} games", 1),
        lambda: ngettext("after {n} game", "after {n} games", 1),
    ),
    "many": (
        lambda: plural("after {n} game", "after {n} games", 3),
        lambda: ngettext("after {n} game", "after {n} games", 3),
    ),
    "decimals": (lambda: FormattedNumber(-0.25, ".6g"), lambda: decimal(-0.25, ".6g")),
    "within": (
        lambda: message("{file}: {why}", file="a.py", why=message("no answer in time")),
        lambda: _("{file}: {why}", file="a.py", why=_("no answer in time")),
    ),
    "an error": (
        lambda: message("{path}: {error}", path="a.py", error=BadInput(message("no answer in time"))),
        lambda: _("{path}: {error}", path="a.py", error=_("no answer in time")),
    ),
}


@pytest.mark.parametrize(("made", "said"), SAID.values(), ids=SAID.keys())
def test_what_was_found_in_english_is_told_in_french_as_if_it_had_been_said_so(
    made: Callable[[], Text], said: Callable[[], str]
) -> None:
    found = made()
    assert str(found) == said()
    kept = json.loads(json.dumps(packed(found)))
    assert unpacked(kept) == found
    with speaking("fr"):
        assert str(unpacked(kept)) == str(found) == said()


def test_an_error_is_put_into_words_where_it_is_shown() -> None:
    error = AgentFault(message("no answer in time"))
    assert str(error) == "no answer in time"
    with speaking("fr"):
        assert str(error) == _("no answer in time") != "no answer in time"
    assert error_text(error) == message("no answer in time")
    assert error_text(KeyError("x")) == "'x'"


def test_a_message_is_copied_and_sent_like_any_value() -> None:
    found = message("{file}: {why}", file="a.py", why=plural("after {n} game", "after {n} games", 3))
    assert copy.deepcopy(found) == pickle.loads(pickle.dumps(found)) == found  # noqa: S301


def test_a_plain_text_stays_as_it_is_and_is_shown_escaped() -> None:
    assert packed("plain") == "plain"
    with speaking("fr"):
        assert unpacked("no answer in time") == "no answer in time"
    assert unpacked("a\x1b[2J") == "a\\x1b[2J"
    assert unpacked("{n.foo}") == "{n.foo}"
    shown = unpacked({"code": "{place}: {why}", "values": {"place": "\x1b", "why": "{place}"}})
    assert str(shown) == "\\x1b: {place}"
    assert len(printable(message("{file}: {why}", file="x" * 500, why=""), 100)) == 100


def test_a_text_is_replaced_wherever_a_message_has_it() -> None:
    within = message(
        "{file}: {why}", file="/class/a.py", why=message("{path}: {error}", path="/class/b.py", error=3)
    )
    assert str(replaced(within, "/class/", "")) == "a.py: b.py: 3"
    assert replaced("/class/a", "/class/", "") == "a"


CODE = "right in all {n} positions"
DEEP: JsonValue = "x"
for _level in range(50):
    DEEP = {"code": CODE, "values": {"n": DEEP}}

HOSTILE: list[JsonValue] = [
    None,
    3,
    [],
    {},
    {"code": 3, "values": {}},
    {"code": "", "values": {}},
    {"code": CODE},
    {"code": CODE, "values": {}},
    {"code": CODE, "values": {"m": "x"}},
    {"code": CODE, "values": {"n": None}},
    {"code": CODE, "values": [["n", "x"]]},
    {"code": CODE, "values": {"n": "x"}, "n": 1},
    {"code": CODE, "values": {"n": "x"}, "many": "{n.foo}"},
    {"code": CODE, "values": {"n": "x"} | {str(n): "x" for n in range(1000)}},
    {"code": "{n.foo}", "values": {}},
    {"code": "{n.foo}", "n": 1, "values": {"n": "x"}},
    {"code": "{n:>700000000}", "values": {"n": "x"}},
    {"code": "{n!r}", "values": {"n": "x"}},
    {"code": "{", "values": {}},
    {"code": "x" * 10_000, "values": {}},
    {"code": "after {n} game", "n": "1", "values": {"n": "1"}},
    {"code": "after {n} game", "n": True, "values": {"n": "1"}},
    {"code": "after {n} game", "n": 1.5, "values": {"n": "1"}},
    {"code": "after {n} game", "n": 10**400, "values": {"n": "1"}},
    {"code": "after {n} game", "n": 3, "values": {}},
    {"number": 1.5, "form": "999999999f"},
    {"number": 10**400, "form": ".9g"},
    {"number": float("nan"), "form": "g"},
    {"number": float("inf"), "form": "g"},
    {"number": True, "form": "g"},
    {"number": "1", "form": ","},
    {"number": 1, "form": ",", "code": CODE},
    {"text": "{n.foo}", "many": "x", "n": 1, "values": {}},
    DEEP,
]


@pytest.mark.parametrize("kept", HOSTILE, ids=lambda kept: repr(kept)[:40])
def test_what_is_no_message_is_refused(kept: JsonValue) -> None:
    with pytest.raises(ValueError):
        unpacked(kept)


def test_a_number_that_json_does_not_have_is_kept_as_text() -> None:
    assert packed(FormattedNumber(float("inf"))) == "inf"


scalars = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["{n.foo}", CODE])
)
keys = st.sampled_from(["code", "values", "n", "number", "form", "many", "text", "place", "why"]) | st.text()
anything = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(keys, inner), max_leaves=20)


@pytest.mark.parametrize("examples", shortly([15, 50], 15))
def test_whatever_is_sent_is_a_short_text_or_refused(examples: int) -> None:
    @settings(max_examples=examples)
    @given(anything)
    def sent(kept: JsonValue) -> None:
        for language in languages():
            with speaking(language), contextlib.suppress(ValueError):
                assert len(str(unpacked(kept))) < 10_000

    sent()


@pytest.mark.parametrize("step", shortly([10, 1], 10))
def test_every_text_of_the_catalogue_can_be_sent_and_is_told_in_every_language(step: int) -> None:
    """Whatever values it is given, as long as they are those that it has; or every tenth of them."""
    every = list(compiled("en").values())  # which are the texts of the sources, as another test says
    assert len(every) > 3_000
    messages = list[str | Message]()
    for code, *many in every[::step]:
        names = {name for text in (code, *many) for _said, name, _form, _kind in fields_of(text)}
        counted = {"n": 5} if many else {}
        sent: JsonValue = {"code": code, "values": dict.fromkeys({*names, *counted}, "x"), **counted}
        messages.append(unpacked(sent))
    for language in languages():
        with speaking(language):
            for found in messages:
                assert isinstance(found, Message)
                assert str(found)
