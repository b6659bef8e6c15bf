"""The options that several commands share, declared once: their types are the parameters of the
commands.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypeVar

from cyclopts import Parameter, Token

from damier.core.errors import BadInput, IllegalMove
from damier.core.game import Game
from damier.core.job import Job, Notes, cores, default_memory, no_progress
from damier.core.rules import State
from damier.core.words import _, message

if TYPE_CHECKING:
    from damier.solve.disk_layers import Disk


SEEDS = 1 << 62


def whole(kind: object, tokens: Sequence[Token]) -> int:
    """Reads a whole number, and nothing that would have to be rounded."""
    text = tokens[0].value
    if not re.fullmatch(r"[+-]?[0-9]{1,30}", text):
        raise BadInput(
            message(
                "--{option} {text}: it must be a whole number",
                option=(tokens[0].keyword or "").lstrip("-"),
                text=text,
            )
        )
    return int(text)


GameName: TypeAlias = Annotated[
    str, Parameter(help=_("hexapawn, mnk:width=4,height=4, path/to/game.py … (damier games)"))
]
AgentName: TypeAlias = Annotated[str, Parameter(help=_("random, perfect, human … (damier agents)"))]
Isolated: TypeAlias = Annotated[
    bool,
    Parameter(negative=(), show_default=False, help=_("agents of others play in a sandbox, or not at all")),
]
Json: TypeAlias = Annotated[
    bool,
    Parameter(name="--json", negative=(), show_default=False, help=_("one JSON object on standard output")),
]
ClusterAddress: TypeAlias = Annotated[
    str | None,
    Parameter(
        name="--cluster",
        show_default=False,
        help=_("machines share the work: HOST:PORT of a Ray cluster, or local, for this one"),
    ),
]
Checkpoints: TypeAlias = Annotated[
    str | None,
    Parameter(
        show_default=False,
        help=_("with --cluster: a folder that all machines reach, or s3://…, keeps every layer that is done"),
    ),
]
MaxPlies: TypeAlias = Annotated[
    int, Parameter(converter=whole, help=_("a longer game is stopped, and counts as a draw"))
]
GradeEvery: TypeAlias = Annotated[
    str,
    Parameter(
        show_default=False,
        help=_("games between two grades, or never (default: as often as takes little of the time)"),
    ),
]
Seed: TypeAlias = Annotated[int, Parameter(converter=whole, help=_("the same seed gives the same games"))]
AnySeed: TypeAlias = Annotated[
    int | None,
    Parameter(
        converter=whole, help=_("the same seed gives the same game (default: a new one, which is told)")
    ),
]
Symmetry: TypeAlias = Annotated[
    bool, Parameter(negative=(), show_default=False, help=_("images of one position count as one"))
]
Moves: TypeAlias = Annotated[
    str,
    Parameter(
        show_default=False, help=_("moves from the start, with commas: a1a2,b3b2"), allow_leading_hyphen=True
    ),
]

Begin: TypeAlias = Annotated[
    str | None,
    Parameter(
        name="--position",
        show_default=False,
        help=_("begin in this position, in the game's own notation, as `replay --json` prints it"),
        allow_leading_hyphen=True,
    ),
]


@Parameter(name="*")
@dataclass
class Work:
    """Options of a long job."""

    memory: Annotated[float | None, Parameter(help=_("budget in GiB (default: half of the machine's)"))] = (
        None
    )
    pure: Annotated[
        bool, Parameter(negative=(), show_default=False, help=_("plain Python, nothing compiled"))
    ] = False
    compiled: Annotated[
        bool, Parameter(negative=(), show_default=False, help=_("compiled from the start"))
    ] = False
    quiet: Annotated[
        bool, Parameter(negative=(), show_default=False, help=_("no progress on standard error"))
    ] = False

    def job(self) -> tuple[Job, Notes]:
        """The job that these options describe, watched by a bar of progress, and what it will have
        noted. Raises BadInput.
        """
        from damier.cli import own_game
        from damier.cli.output import bar, watch

        if self.pure and self.compiled:
            raise BadInput(message("--pure and --compiled exclude each other; give one of them"))
        if self.memory is not None and not 0 < self.memory < 1 << 20:
            raise BadInput(message("--memory {n}: it must be a number of GiB above 0", n=self.memory))
        memory = default_memory() if self.memory is None else int(self.memory * (1 << 30))
        own_game.allow(memory)
        if not self.quiet:
            watch()
        notes = Notes()
        job = Job(
            memory,
            no_progress if self.quiet else bar,
            True if self.compiled else False if self.pure else None,
            notes,
        )
        return job, notes


@Parameter(name="*")
@dataclass
class SharedWork(Work):
    """Options of a long job that several cores can share."""

    jobs: Annotated[
        int | None,
        Parameter(converter=whole, help=_("long work is shared among so many cores (default: all)")),
    ] = None

    def job(self) -> tuple[Job, Notes]:
        jobs = checked_jobs(self.jobs)
        job, notes = super().job()
        return replace(job, jobs=jobs), notes


def checked_seed(seed: int | None) -> int:
    """The seed, or a new one. Raises BadInput for a seed that is out of range."""
    if seed is None:
        return secrets.randbelow(1_000_000)
    if not 0 <= seed < SEEDS:
        raise BadInput(message("--seed {seed}: it must be from 0 to 2**62 - 1", seed=seed))
    return seed


Count = TypeVar("Count", bound="int | None")


def checked_count(option: str, n: Count, low: int = 1, high: int = 1 << 40) -> Count:
    """The number, if one is given. Raises BadInput for one that is out of range."""
    if n is not None and not low <= n <= high:
        raise BadInput(
            message("{option} {n}: it must be from {low} to {high}", option=option, n=n, low=low, high=high)
        )
    return n


def checked_checkpoints(cluster: str | None, checkpoints: str | None, disk: DiskOptions | None) -> str:
    """The folder of what a cluster has done, or nothing. Raises BadInput where there is no cluster, or the
    disk of this machine is to be used beside it.
    """
    if checkpoints is not None and cluster is None:
        raise BadInput(message("--checkpoints {url}: it goes with --cluster", url=checkpoints))
    if cluster is not None and disk is not None:
        raise BadInput(message("--disk is for one machine, --cluster for several; give one of them"))
    return checkpoints or ""


def checked_jobs(jobs: int | None) -> int:
    """Return how many cores share the work: all, where nobody said. Raises BadInput."""
    return cores() if jobs is None else checked_count("--jobs", jobs, 1, 256)


def split_moves(text: str) -> list[str]:
    """The moves written in `text`, with commas or spaces between them.

    Raises IllegalMove where a comma has no move beside it.
    """
    parts = text.split(",") if text.strip() else []
    if empty := [number for number, part in enumerate(parts, 1) if not part.strip()]:
        raise IllegalMove(
            message(
                "move {n} of {text} is empty; write one comma between two moves",
                n=empty[0],
                text=text.strip(),
            )
        )
    return [move for part in parts for move in part.split()]


# Options of commands whose layers may go to disk.


@Parameter(name="*")
@dataclass
class DiskOptions:
    """Options for layers that do not fit into memory."""

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
        """Return what these options describe; None where nothing is to go to disk. Raises BadInput."""
        if self.disk is None:
            if self.folder is not None:
                raise BadInput(message("--folder is where layers on disk lie; give --disk with it"))
            return None
        if not 0 < self.disk < 1 << 20:
            raise BadInput(message("--disk {n}: it must be a number of GiB above 0", n=self.disk))
        from damier.core.code_cache import place
        from damier.solve.disk_layers import Disk

        folder = self.folder
        if folder is None and out is not None:
            folder = out.with_name(f"{out.name}.layers")
        if folder is None:
            what = repr((game.fingerprint(), game.options, tuple(start), symmetric))
            folder = place() / f"layers-{hashlib.sha256(what.encode()).hexdigest()[:16]}"
        return Disk(folder, int(self.disk * (1 << 30)))


def refuse_out(out: Path | None, file: object) -> None:
    """Raises BadInput where something is to be written of what has no picture and no table: else nobody
    would see that it was not.
    """
    if out is not None:
        raise BadInput(
            message("-o {path}: nothing is written of {file}; --json prints it", path=out, file=file)
        )
