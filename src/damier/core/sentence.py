"""A sentence that knows what it was made of, so that whoever reads it later is told it in the reader's
own language: `core/words.py` makes it, and makes it anew from its facts, which are JSON:

    {"text": TEXT, "values": {NAME: VALUE}}                       a text of the catalogue
    {"text": ONE, "many": MANY, "n": N, "values": {NAME: VALUE}}  one that depends on a number
    {"number": N, "form": FORM}                                   a number in a format of Python
    {"parts": [VALUE], "between": VALUE}                          several, one after the other

A VALUE is a plain text, or facts in turn.
"""

from __future__ import annotations

from math import isfinite
from typing import Literal, TypeAlias

from damier.core.json_types import JsonObject, JsonValue

LONGEST, DEEPEST, MOST_VALUES = 2_000, 8, 40
"""Characters of a text, sentences within sentences, and values of one, that are read from outside."""

MadeOf: TypeAlias = (
    "tuple[Literal['text'], str, dict[str, str]] | tuple[Literal['plural'], str, str, int, dict[str, str]]"
    " | tuple[Literal['number'], float, str] | tuple[Literal['parts'], list[str], str]"
)


class Sentence(str):
    """A text in the language in which it was made, and what it was made of. What is made of it otherwise
    than by `damier.core.words` (a format, a slice) is a plain text and stays in that language.
    """

    __slots__ = ("made_of",)

    made_of: MadeOf

    def __new__(cls, text: str, made_of: MadeOf) -> Sentence:
        found = super().__new__(cls, text)
        found.made_of = made_of
        return found


def facts_of(text: str) -> JsonValue:
    """What is kept of a text: the facts of a sentence, else the text itself."""
    if not isinstance(text, Sentence):
        return text
    made = text.made_of
    if made[0] == "text":
        return {"text": made[1], "values": _all_facts(made[2])}
    if made[0] == "plural":
        return {"text": made[1], "many": made[2], "n": int(made[3]), "values": _all_facts(made[4])}
    if made[0] == "parts":
        return {"parts": [facts_of(part) for part in made[1]], "between": facts_of(made[2])}
    number = int(made[1]) if made[2] == "," else made[1] if isinstance(made[1], int) else float(made[1])
    if isinstance(number, float) and not isfinite(number):
        return str(text)  # JSON has no such number
    return {"number": number, "form": made[2]}


def _all_facts(values: dict[str, str]) -> JsonObject:
    return {name: facts_of(value) for name, value in values.items()}


def said_by(error: BaseException) -> str:
    """What an error says, as the sentence that it was given."""
    said = error.args[0] if error.args else None
    return said if isinstance(said, Sentence) and len(error.args) == 1 else str(error)
