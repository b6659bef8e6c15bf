"""Keys and codes of a class: made here, written so that they can be read aloud, and kept as salted hashes.

A key has 16 letters and digits of 31, some 79 bits: nobody guesses it from its hash, so that one round of
SHA-256 keeps it as well as a slow hash would.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import NamedTuple

from damier.core.errors import BadInput
from damier.core.words import message

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""None is like another."""
GROUP = 4
CODE_LENGTH, KEY_LENGTH = 8, 16
STUDENT_KEY = re.compile(r"\s*([0-9]{1,9})\s*-(.*)", re.DOTALL)
LONGEST_KEY = 100


class WrongKey(BadInput):
    """A key that is nobody's."""


class KeyHash(NamedTuple):
    """The part of a key that is kept."""

    salt: str
    digest: str


def new_code() -> str:
    """The code of a class, to be read from a board: some 40 bits."""
    return _drawn(CODE_LENGTH)


def new_key() -> str:
    """A key of one person."""
    return _drawn(KEY_LENGTH)


def _drawn(length: int) -> str:
    letters = "".join(secrets.choice(LETTERS) for _place in range(length))
    return "-".join(letters[at : at + GROUP] for at in range(0, length, GROUP))


def plain(key: str) -> str:
    """A key as it is compared: however it was typed.

    >>> plain(" ABCD efgh-2345 ")
    'abcdefgh2345'
    """
    return "".join(c for c in key[:LONGEST_KEY].lower() if c.isalnum())


def same_key(one: str, other: str) -> bool:
    """Return whether two keys are the same; how alike they are does not show in the time."""
    return hmac.compare_digest(plain(one).encode(), plain(other).encode())


def hash_of(key: str, salt: str = "") -> KeyHash:
    """Return what is to be kept of a key, with a new salt unless one is given."""
    salt = salt or secrets.token_hex(16)
    return KeyHash(salt, _digest(key, salt))


def require_key(key: str, kept: KeyHash) -> None:
    """Raises WrongKey for any other key."""
    if not hmac.compare_digest(_digest(key, kept.salt), kept.digest):
        raise wrong_key()


def wrong_key() -> WrongKey:
    return WrongKey(message("that key is not known here; your teacher can give you a new one"))


def wrong_teacher_key() -> WrongKey:
    return WrongKey(
        message(
            "that is not the teacher's key: each start of the lab makes a new one, which its terminal shows"
        )
    )


def student_key(student: int, key: str) -> str:
    """A student's key as it is shown: with the number by which it is found."""
    return f"{student}-{key}"


def read_student_key(text: str) -> tuple[int, str]:
    """The number and the secret of a key as a student typed it. Raises WrongKey.

    >>> read_student_key("7-abcd-efgh")
    (7, 'abcd-efgh')
    """
    found = STUDENT_KEY.fullmatch(text[:LONGEST_KEY])
    if found is None:
        raise wrong_key()
    return int(found[1]), found[2]


def _digest(key: str, salt: str) -> str:
    return hashlib.sha256(f"{salt}{plain(key)}".encode()).hexdigest()
