"""What a player sends to a table, read with care: of the right type and size, or refused with one
line.
"""

from __future__ import annotations

from damier.core.words import _, printable
from damier.web.asked import LONGEST_NAME
from damier.web.hub import Message
from damier.web.tables.table import Refused

SHOWN_NAME = 24
"""Characters of a name that are shown."""


def text_of(message: Message, name: str) -> str:
    """A text in a message. Raises Refused."""
    return texts_of({name: [message[name]]}, name, 1)[0]


def name_of(message: Message) -> str:
    """What whoever sits down wants to be called, in one line; nothing where nothing is said. Raises
    Refused.
    """
    found = message.get("name", "")
    if not isinstance(found, str) or len(found) > LONGEST_NAME:
        raise Refused(_("{name} must be a text of at most {n} characters", name="name", n=LONGEST_NAME))
    return printable(" ".join(found.split()), SHOWN_NAME)


def texts_of(message: Message, name: str, most: int) -> list[str]:
    """Some texts in a message. Raises Refused."""
    found = message[name]
    if isinstance(found, list) and len(found) <= most:
        texts = [text for text in found if isinstance(text, str) and 0 < len(text) <= LONGEST_NAME]
        if len(texts) == len(found):
            return texts
    raise Refused(
        _("{name} must be at most {n} texts of at most {m} characters", name=name, n=most, m=LONGEST_NAME)
    )


def whole_of(message: Message, name: str) -> int:
    """A whole number in a message. Raises Refused."""
    found = message[name]
    if isinstance(found, bool) or not isinstance(found, int):
        raise Refused(_("{name} must be a whole number", name=name))
    return found
