"""`damier serve`: the web lab, a page for whoever can reach this machine's port."""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

from cyclopts import Parameter

from damier.cli.command import remark, remarks, say
from damier.cli.language import split
from damier.cli.tournament import require_packages
from damier.core import code_cache
from damier.core.errors import BadInput, LimitReached
from damier.core.files import reason
from damier.core.job import take_notes_of_process
from damier.core.runtime import needing
from damier.core.words import N_, _, message
from damier.lab.agents import is_own
from damier.lab.games import is_file
from damier.lab.plugins import resolved
from damier.web.registry import path_and_rest, playable_files
from damier.web.rooms import ROOMS
from damier.web.settings import STORE_VARIABLE, TOKEN_VARIABLE, OpenedClass, Settings, bracketed, is_loopback

SHORTEST_TOKEN = 6
NO_TOKEN = ("", "none")
LARGEST_DISK = 1 << 20
"""GiB."""


def serve(
    *games: Annotated[
        str,
        Parameter(
            help=_(
                "your own games and agents, files of Python that run on this machine; or the name of the"
                " game to begin with"
            )
        ),
    ],
    host: Annotated[
        str, Parameter(help=_("the address to listen on; 0.0.0.0 lets the whole network in"))
    ] = "127.0.0.1",
    port: Annotated[int, Parameter(help=_("the port to listen on; 0 takes any that is free"))] = 8000,
    folder: Annotated[Path, Parameter(help=_("where learners are kept"))] = Path("learners"),
    token: Annotated[
        str | None,
        Parameter(
            help=_(
                "what visitors must show once; auto makes one, none lets everybody in; without it: auto where"
                " others can reach it"
            )
        ),
    ] = None,
    disk: Annotated[
        float, Parameter(help=_("GiB that all learners together may take; one browser may take a quarter"))
    ] = 2.0,
    store: Annotated[
        str,
        Parameter(
            help=_(
                "the room Class shows the tournament in this file, or postgresql://…; with --class, the class"
                " is kept there"
            )
        ),
    ] = "",
    class_folder: Annotated[
        Path | None,
        Parameter(
            name="--class", help=_("the room Class is open to students, who hand in; kept in this folder")
        ),
    ] = None,
    sheet: Annotated[
        str, Parameter(help=_("of a class: what its files are marked by, s4 or a TOML file"))
    ] = "",
) -> None:
    with needing("web", N_("damier serve needs the extra web: {command} ({error})")):
        import jinja2  # noqa: F401

        from damier.web.server import run
    from damier.web.gate import new_key

    if not 0 <= port < 1 << 16:
        raise BadInput(message("--port {port}; it must be from 0 to 65535", port=port))
    require_folder(folder)
    opened = class_of(class_folder, games, sheet, store)
    if not code_cache.is_trusted(code_cache.place()):
        remarks(take_notes_of_process())  # now: the workers have nobody to tell
    if not 0 < disk < LARGEST_DISK:
        raise BadInput(
            message(
                "--disk {disk}; it must be more than 0 and less than {n}", disk=f"{disk:g}", n=LARGEST_DISK
            )
        )
    given = token if token is not None else os.environ.get(TOKEN_VARIABLE)
    # a class types one secret, not two
    chosen_token = token_of(
        opened.code if opened and given is None and not is_loopback(host) else given, host
    )
    # for the processes of the lab: other users can read the words that these are started with
    os.environ[TOKEN_VARIABLE] = chosen_token
    os.environ[STORE_VARIABLE] = place = opened.place if opened else store
    listener = listening(host, port)
    with listener:
        wanted = split(sys.argv[1:])[0] or ""
        port, kept = listener.getsockname()[1], int(disk * (1 << 30))
        own, agents, faults = playable_files(games)
        if faults and not own and not agents:
            raise faults[0]
        for fault in faults:
            remark(_("damier: {why} — this file is not served, the others are", why=fault))
        settings = Settings(
            host,
            port,
            own,
            folder.absolute(),
            wanted,
            token=chosen_token,
            key=new_key(),
            disk=kept,
            agents=agents,
            store=place,
            class_folder=str(class_folder.absolute()) if class_folder else "",
            class_code=opened.code if opened else "",
        )
        say(welcome(settings, first_page(games, own)))
        if opened:
            say(class_welcome(settings, opened))
        run(settings, listener)


def token_of(given: str | None, host: str) -> str:
    """The token that visitors must show; nothing where everybody may come in.

    Raises BadInput for one that is too easily guessed.
    """
    from damier.web.gate import new_token

    if given == "auto" or (given is None and not is_loopback(host)):
        return new_token()
    if given is None or given in NO_TOKEN:
        return ""
    if len(given) < SHORTEST_TOKEN or not given.isprintable() or not given.isascii() or " " in given:
        raise BadInput(
            message(
                "--token: at least {n} characters, letters, digits and signs without a space; auto makes one,"
                " none asks for none",
                n=SHORTEST_TOKEN,
            )
        )
    return given


def first_page(named: Sequence[str], own: Mapping[str, str]) -> str:
    """The page to begin with: that of the game, where one alone was named; a file by its name alone,
    the options kept.
    """
    if len(named) != 1:
        return ""
    path, rest = path_and_rest(named[0])
    if not is_own(named[0]):
        return named[0]
    return Path(path).stem + rest if own else ""


def require_folder(folder: Path) -> None:
    """Raises BadInput where learners can neither be kept nor be found: before anybody trains one."""
    nearest = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    if not nearest.is_dir():
        raise BadInput(message("--folder {folder}: {path} is not a folder", folder=folder, path=nearest))
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise BadInput(message("--folder {folder}: {path} cannot be written", folder=folder, path=nearest))


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises BadInput for an address that is not this machine's, LimitReached for a port that is
    taken.
    """
    try:
        family, kind, protocol, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise BadInput(message("--host {host}: {error}", host=host, error=reason(error))) from None
    listener = socket.socket(family, kind, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(1024)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRNOTAVAIL:
            raise BadInput(message("--host {host}: {error}", host=host, error=reason(error))) from None
        raise LimitReached(
            message(
                "cannot listen on {host}, port {port}: {error}", host=host, port=port, error=reason(error)
            )
        ) from None
    return listener


def welcome(settings: Settings, page: str = "") -> str:
    """Return where the lab is, or its page to begin with, and who can reach it.

    The first address has the owner's key: who opens it steers every training. The second is for all
    others.
    """
    place = f"http://{bracketed(settings.reachable)}:{settings.port}/{page}"
    mine = f"{place}?{urlencode({'token': settings.key})}" if settings.key else place
    theirs = f"{place}?{urlencode({'token': settings.token})}" if settings.token else place
    if settings.is_local and not settings.token:
        return _("damier is at {address} — only this machine can reach it; Ctrl-C ends it", address=mine)
    if settings.is_local:
        return _(
            "damier is at {address} — for you; for others on this machine: {others}; Ctrl-C ends it",
            address=mine,
            others=theirs,
        )
    if settings.token:
        return _(
            "damier is at {address} — for you; for others on your network: {others}; Ctrl-C ends it",
            address=mine,
            others=theirs,
        )
    return _(
        "damier is at {address} — for you; everybody on your network can reach it: {others}; Ctrl-C ends it",
        address=mine,
        others=theirs,
    )


# The class of `damier serve --class`: opened before the lab is, and what the terminal says of it.


def class_of(folder: Path | None, games: Sequence[str], sheet: str, store: str) -> OpenedClass | None:
    """The class that is opened; None where there is none. A store that is only shown is looked at.

    Raises BadInput, BadFile, and Unsuitable where agents cannot be isolated.
    """
    if folder is None:
        if sheet:
            raise BadInput(message("--sheet: it is for a class, --class FOLDER"))
        if store:
            require_packages()
            from damier.arena.store import opened

            with opened(store, create=False):
                pass
        return None
    require_packages()
    brought = [game for game in games if not is_file(game)]
    opened_class: OpenedClass = resolved(ROOMS["classroom"].opens)(
        folder, brought[0] if brought else "", sheet, store
    )
    return opened_class


def class_welcome(settings: Settings, opened: OpenedClass) -> str:
    """Return what stands on the board, and what only the teacher is told."""
    board = f"http://{bracketed(settings.reachable)}:{settings.port}/class"
    lines = [
        _("for the board: {address} — code of the class: {code}", address=board, code=opened.code),
        _("for the teacher, at {address}/teacher: {key}", address=board, key=opened.teacher_key),
    ]
    if settings.is_local:
        lines.append(_("only this machine can reach it; --host 0.0.0.0 lets the class in"))
    return "\n".join(lines)
