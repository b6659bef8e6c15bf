"""`damier site`: the web lab as plain files, for any web server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from damier.cli.command import Json, report, say
from damier.core.runtime import needing
from damier.core.words import N_, _, decimal


def site(
    folder: Annotated[Path, Parameter(help=_("a new folder, or one with a site, which is replaced"))],
    /,
    *own: Annotated[str, Parameter(help=_("your own games and agents, files of Python: they are in it"))],
    json: Json = False,
) -> None:
    with needing("web", N_("damier site needs the extra web: {command} ({error})")):
        from damier.plugins.site.build import Site, require_free
    require_free(folder)
    made = Site(own)
    made.write(folder)
    command = f"python -m http.server --bind 127.0.0.1 --directory {folder} 8000"

    def tell() -> None:
        say(
            _(
                "written to {path}: {n} files, {size} MB; {compressed} MB where the web server compresses",
                path=folder,
                n=len(made.files),
                size=decimal(made.size / 1e6, ".1f"),
                compressed=decimal(made.compressed / 1e6, ".1f"),
            )
        )
        say(_("Copy it to any web server, into any folder. To look at it here:"))
        say(f"    {command}")
        say(_("and open {address}", address="http://127.0.0.1:8000/"))

    data = {
        "folder": str(folder),
        "files": len(made.files),
        "bytes": made.size,
        "compressed": made.compressed,
        **made.own,
        "look": command,
    }
    report(data, json, tell)
