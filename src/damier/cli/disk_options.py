"""Options of commands whose layers may go to disk."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from damier.core.errors import BadInput
from damier.core.game import Game
from damier.core.rules import State
from damier.core.words import _, message

if TYPE_CHECKING:
    from damier.solve.disk.run import Disk


@Parameter(name="*")
@dataclass
class DiskOptions:
    """Where layers go that do not fit into memory."""

    disk: Annotated[
        float | None,
        Parameter(help=_("where memory does not suffice, layers go to disk: at most so many GiB")),
    ] = None
    folder: Annotated[
        Path | None,
        Parameter(
            help=_(
                "where they lie while it works (default: beside the file of --out, or in the user's cache)"
            )
        ),
    ] = None

    def place(
        self, game: Game, start: State, out: Path | None = None, *, symmetric: bool = False
    ) -> Disk | None:
        """What these options describe; None where nothing is to go to disk. Raises BadInput."""
        if self.disk is None:
            if self.folder is not None:
                raise BadInput(message("--folder is where layers on disk lie; give --disk with it"))
            return None
        if not 0 < self.disk < 1 << 20:
            raise BadInput(message("--disk {n}: it must be a number of GiB above 0", n=self.disk))
        from damier.core.code_cache import place
        from damier.solve.disk.run import Disk

        folder = self.folder
        if folder is None and out is not None:
            folder = out.with_name(f"{out.name}.layers")
        if folder is None:
            what = repr((game.fingerprint(), game.options, tuple(start), symmetric))
            folder = place() / f"layers-{hashlib.sha256(what.encode()).hexdigest()[:16]}"
        return Disk(folder, int(self.disk * (1 << 30)))
