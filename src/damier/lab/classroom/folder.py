"""The folder of a class: its store, its code, and the files of students, where the sandbox takes
them from. The store is what counts: the files are written anew from it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from damier.arena.classroom.roll import new_code, plain
from damier.core.errors import BadInput
from damier.core.files import read_text, reason, replacing
from damier.core.words import message

STORE, CODE, FILES, LOCK = "class.db", "code.txt", "submissions", "lock"
SIGN = ":"
"""What parts a file from the agent in it."""
FILE = "agent.py"
"""What every file is called in its sandbox, and in what is said of it."""
SHORTEST_CODE, LARGEST_CODE = 6, 200


class ClassFolder:
    """FOLDER: what lies where."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()

    def make(self) -> None:
        """Makes it, for this user alone, where it is not there. Raises BadInput."""
        if SIGN in str(self.folder) or ".py" in str(self.folder):
            raise BadInput(
                message("{path}: the folder of a class has neither : nor .py in its path", path=self.folder)
            )
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            (self.folder / FILES).mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise BadInput(
                message("{path} cannot be written: {error}", path=self.folder, error=reason(error))
            ) from None
        if not os.access(self.folder, os.W_OK | os.X_OK):
            raise BadInput(
                message("{path} cannot be written: {error}", path=self.folder, error=os.strerror(13))
            )

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Inside, no other process works for this class; waits until the one before has ended."""
        import fcntl

        with open(self.folder / LOCK, "ab") as held:
            fcntl.flock(held, fcntl.LOCK_EX)  # the system lets go for who is killed
            yield

    @property
    def store(self) -> str:
        return str(self.folder / STORE)

    def code(self) -> str:
        """The code of the class: it is made once, lies readable in the folder since it stands on a board
        anyway, and may be written there by hand. Raises BadInput for one that is too easily guessed.
        """
        path = self.folder / CODE
        if path.exists():
            code = read_text(path, LARGEST_CODE).strip()
            if len(plain(code)) < SHORTEST_CODE or not code.isascii() or not code.isprintable():
                raise BadInput(
                    message(
                        "{path}: the code of a class has at least {n} letters and digits",
                        path=path,
                        n=SHORTEST_CODE,
                    )
                )
            return code
        code = new_code()
        with replacing(path, private=True) as stream:
            stream.write(f"{code}\n".encode())
        return code

    def write(self, submission: int, content: bytes) -> Path:
        """The file of a submission, by its number: nothing that a student wrote is part of its path."""
        path = self.path(submission)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.is_file() or path.read_bytes() != content:
            with replacing(path, private=True) as stream:
                stream.write(content)
        return path

    def path(self, submission: int) -> Path:
        return self.folder / FILES / str(submission) / FILE
