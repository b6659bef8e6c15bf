"""`damier serve`: the web lab, a page for whoever can reach this machine's port."""

from __future__ import annotations

import ipaddress
import re
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from damier.cli.language import split
from damier.cli.output import say
from damier.core.errors import BadInput, LimitReached
from damier.core.reasons import reason
from damier.core.words import _

if TYPE_CHECKING:
    from damier.web.settings import Settings

RESERVED = ("ask", "learning", "lessons", "live", "matchboxes", "static", "tree")
"""Addresses of the lab that are no games."""


def serve(
    *files: Annotated[Path, Parameter(help=_("your own games: files of Python, which run on this machine"))],
    host: Annotated[str, Parameter(help=_("the address to listen on; 0.0.0.0 lets the whole network in"))] = "127.0.0.1",
    port: Annotated[int, Parameter(help=_("the port to listen on; 0 takes any that is free"))] = 8000,
    folder: Annotated[Path, Parameter(help=_("where learners are kept"))] = Path("learners"),
) -> None:
    try:
        import jinja2  # noqa: F401

        from damier.web.server import run
    except ImportError as error:
        raise BadInput(_("damier serve needs the extra web: pip install 'damier[web]' ({error})", error=error)) from None
    from damier.web.settings import Settings

    if not 0 <= port < 1 << 16:
        raise BadInput(_("--port {port}; it must be from 0 to 65535", port=port))
    listener = listening(host, port)
    with listener:
        wanted = split(sys.argv[1:])[0] or ""
        settings = Settings(host, listener.getsockname()[1], own_games(files), folder.absolute(), wanted)
        say(welcome(settings))
        run(settings, listener)


def own_games(files: tuple[Path, ...]) -> dict[str, str]:
    """The user's games by the names of their files. Raises BadInput, BadFile, BadGame: what cannot be played is told now, not on a page."""
    from damier.lab.games import game_factories, load

    games: dict[str, str] = {}
    for file in files:
        if file.suffix != ".py":
            raise BadInput(_("{path} is not a file of Python; the games that damier brings are all on the page", path=file))
        if not re.fullmatch(r"[\w-]+", file.stem) or file.stem in RESERVED:
            raise BadInput(_("{path}: {name} cannot be the name of a game on a page; rename the file", path=file, name=file.stem))
        if file.stem in games or file.stem in game_factories():
            raise BadInput(_("{path}: there is a game called {name} already; rename the file", path=file, name=file.stem))
        load(str(file))
        games[file.stem] = str(file.absolute())
    return games


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises BadInput for an address that is not this machine's, LimitReached for a port that is taken."""
    try:
        family, kind, protocol, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise BadInput(_("--host {host}: {error}", host=host, error=reason(error))) from None
    listener = socket.socket(family, kind, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(1024)
    except OSError as error:
        listener.close()
        raise LimitReached(_("cannot listen on {host}, port {port}: {error}", host=host, port=port, error=reason(error))) from None
    return listener


def welcome(settings: Settings) -> str:
    """Where the lab is, and who can reach it."""
    if settings.is_local:
        return _("damier is at {address} — only this machine can reach it; Ctrl-C ends it", address=f"http://{bracketed(settings.host)}:{settings.port}/")
    addresses = " ".join(f"http://{bracketed(host)}:{settings.port}/" for host in reachable(settings.host))
    return _("damier is at {addresses} — everybody on your network can reach it; Ctrl-C ends it", addresses=addresses)


def bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def reachable(host: str) -> list[str]:
    """The addresses at which others find this machine."""
    try:
        everywhere = ipaddress.ip_address(host).is_unspecified
    except ValueError:
        everywhere = False
    if not everywhere:
        return [host]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it only tells which of our addresses would be used
            return [probe.getsockname()[0]]
        except OSError:
            return [socket.gethostname()]
