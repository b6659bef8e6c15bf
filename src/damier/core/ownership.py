"""Whose a place is: what may run as code is read only from where nobody but this user, or root, can
have put it.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from damier.core.words import _

OTHERS = stat.S_IWGRP | stat.S_IWOTH
"""Permission to write for anybody but the owner."""


def doubt_about_folder(folder: Path) -> str:
    """Why others could put files into a folder that is no link, or the empty string.

    Each folder on the way to it counts as well.

    Where Python knows no owners of files (Windows), nothing can be said, and nothing is doubted.
    """
    for path in (folder, *folder.parents):
        try:
            status = os.lstat(path)
        except OSError:  # not there yet, or not to be read anyway
            continue
        if doubt := doubt_about(path, status, on_the_way=path != folder):
            return doubt
    return ""


def doubt_about(path: Path, status: os.stat_result, on_the_way: bool = False) -> str:
    """Why others could change what is at `path`, whose status is given, or the empty string."""
    if not hasattr(os, "geteuid"):
        return ""
    if status.st_uid not in (0, os.geteuid()):
        return _("{path} belongs to another user", path=path)
    writable = status.st_mode & OTHERS
    if on_the_way and (
        status.st_mode & stat.S_ISVTX or (writable == stat.S_IWGRP and _is_private(status.st_gid))
    ):
        return ""  # what others put there is theirs, as in /tmp; or there is nobody else in the group
    return _("others may write to {path}; chmod go-w takes that back", path=path) if writable else ""


def _is_private(group: int) -> bool:
    """Whether this user is alone in a group, as on systems that give everybody a group of that
    name.
    """
    import grp
    import pwd

    try:
        found, name = grp.getgrgid(group), pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return False
    return found.gr_name == name and set(found.gr_mem) <= {name}
