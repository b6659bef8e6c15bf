"""An agent that is a folder: the agent is in its `agent.py`, all else there is what that imports and reads.

Who names a file brings that file alone; who names a folder brings the whole folder. So nobody's agent sees
those that lie beside it, and an agent of several files has one folder to lie in.
"""

from __future__ import annotations

import os
from pathlib import Path

from damier.core.errors import BadInput
from damier.core.words import message

MAIN = "agent.py"
MOST_FILES = 200
CACHE = "__pycache__"


def is_folder(text: str) -> bool:
    """Whether an agent is written as a folder: `bob/`, `./bob:depth=2`."""
    head = text.partition(":")[0]
    return os.sep in head and os.path.isdir(head)


def main_file(text: str) -> str:
    """An agent as its file, where it is written as a folder: `bob/:depth=2` is `bob/agent.py:depth=2`.

    Raises BadInput for a folder without that file.
    """
    if not is_folder(text):
        return text
    head, colon, rest = text.partition(":")
    main = os.path.join(head, MAIN)
    if not os.path.isfile(main):
        raise BadInput(message("{folder} is no agent: there is no {file} in it", folder=head, file=MAIN))
    return main + colon + rest


def files_of(folder: Path) -> dict[str, Path]:
    """The files of an agent's folder by their places in it. Links are left out, since they may lead to what
    is another's, and what is hidden.

    Raises BadInput for a folder of too many, and where a link stands for the agent itself.
    """
    found: dict[str, Path] = {}
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] != "." and name != CACHE)
        for path in (Path(place, name) for name in sorted(names) if name[0] != "."):
            if path.is_file() and not path.is_symlink():
                found[str(path.relative_to(folder))] = path
        if len(found) > MOST_FILES:
            raise BadInput(
                message(
                    "{folder}: the folder of an agent holds at most {n} files", folder=folder, n=MOST_FILES
                )
            )
    if MAIN not in found:
        raise BadInput(message("{folder} is no agent: there is no {file} in it", folder=folder, file=MAIN))
    return found
