"""Pages speak of their fields, never of the options of the command line."""

from __future__ import annotations

import re

import pytest
from catalogue import texts, translation, translations

from damier.core.words import speaking
from damier.web.messages import Params
from damier.web.pages import FIELDS, for_page
from damier.web.registry import Registry
from damier.web.settings import Settings
from damier.web.worker import answer

STARTING = re.compile(
    r"cli/|plugins/classroom/class_process.py|plugins/cluster/|plugins/\w+/(commands|\w+_command)\.py|web/templates/"
)
"""Where options are named to who starts a command (a cluster, which no page asks for), or is told how a lab
is started.
"""
MESSAGES = [
    (texts(message)[0], translations(message)[0])
    for message in translation("fr")
    if message.id
    and "--" in texts(message)[0]
    and any(not STARTING.match(place) for place, _line in message.locations)
]


class Named(dict[str, str]):
    """Something for every name in a sentence."""

    def __missing__(self, name: str) -> str:
        return f"something called {name}"


@pytest.mark.parametrize(("english", "french"), MESSAGES, ids=[english[:40] for english, _french in MESSAGES])
def test_no_refusal_tells_a_page_of_an_option(english: str, french: str) -> None:
    for language, sentence in (("en", english), ("fr", french)):
        with speaking(language):
            said = for_page(sentence.format_map(Named()))
        assert not re.search(r"--\w", said)
        assert len(said) > 15
        assert said[0] not in " .,;:"


def test_what_names_no_option_stays_as_it_is() -> None:
    for sentence in ("a -- b", "nothing; of the kind (at all), 1.5", ""):
        assert for_page(sentence) == sentence


@pytest.mark.parametrize("option", FIELDS)
def test_a_field_is_named_as_the_page_names_it(option: str) -> None:
    with speaking("fr"):
        assert for_page(f"donnez moins de {option}").startswith("donnez moins de «\u00a0")


def test_a_worker_answers_so() -> None:
    status, _kind, content = answer(
        Registry(Settings()), "tree.show", Params({"tree": "game", "game": "tictactoe", "plies": 8})
    )
    assert status != 200
    assert "--" not in str(content)
