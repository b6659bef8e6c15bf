"""How much is done at once, so that a job stays within its memory: arrays of keys take 8 bytes a key."""

from __future__ import annotations

import os
from typing import NamedTuple

from damier.core.errors import LimitReached
from damier.core.job import Job, gib
from damier.core.words import message
from damier.solve.packed_store import BLOCK

MOST_CHILDREN = 1 << 24
"""Children that are sorted at once: more make fewer runs, fewer stay nearer to the caches."""
MOST_MERGED = 1 << 22
"""Keys of several runs that are merged at once."""
LEAST_PART = 1 << 16
"""Positions that are worth a thread of their own."""
PART = 1 << 18
"""Positions that are scored at once."""
MOST_HELD = (1 << 31) - BLOCK
"""Keys in a range: a directory counts them with 32 bits."""
KEYS_AN_ENTRY = 2
"""Keys of a large range for each entry of its directory; of a small one, one: so that a child is found at
the first look.
"""
KEY, ENTRY = 8, 4
"""Bytes of a key in memory, of an entry of a directory."""
SLACK = 0.8
"""What is planned with; the rest is for buffers, and what the allocator holds back."""

LEAST_ROOM = 16 << 20
"""Bytes beside the program itself with which layers on disk get on: with less, runs are so short that nearly
all the time goes into merging them.
"""


class Sizes(NamedTuple):
    """Positions or keys at once: what a thread expands, a thread merges, all threads look children up
    in, up to how many of these have an entry each, what a thread scores.
    """

    expanded: int
    merged: int
    held: int
    small: int
    scored: int


def sizes(job: Job, most_moves: int, score_bytes: int = 1) -> Sizes:
    """What fits into the memory of a job. Raises LimitReached where next to nothing does."""
    room = int(SLACK * max(job.memory - resident(), job.memory // 4))
    # parents and children of each thread
    expanded = min(MOST_CHILDREN // most_moves, room // (job.jobs * KEY * (most_moves + 2)))
    # each thread has its parts and what they are joined to; as many results again and one wait in a row
    merged = min(MOST_MERGED, room // (KEY * (4 * job.jobs + 3)))
    scored = min(PART, room // (4 * job.jobs * (2 * KEY + score_bytes)))
    left = room - job.jobs * scored * (2 * KEY + score_bytes)
    # a directory may have twice as many entries as are asked for
    held = min(left // (KEY + score_bytes + 2 * ENTRY // KEYS_AN_ENTRY), MOST_HELD)
    small = min(left // (KEY + score_bytes + 2 * ENTRY), MOST_HELD)
    found = Sizes(*(size // BLOCK * BLOCK for size in (expanded, merged, held, small, scored)))
    if min(found) == 0:
        raise LimitReached(
            message(
                "{budget} of memory is too little to work with layers on disk; a larger --memory or fewer"
                " --jobs",
                budget=gib(job.memory),
            )
        )
    return found


def require_room(job: Job) -> None:
    """Raises LimitReached where the program itself leaves next to nothing of the memory of a job. To be asked
    once, with all engines there: later, what the allocator holds back looks like the program's.
    """
    own = resident()
    if job.memory < own + LEAST_ROOM:
        raise LimitReached(
            message(
                "{budget} of memory is too little to work with layers on disk, of which damier itself takes"
                " {own}; --memory {least} is the least",
                budget=gib(job.memory),
                own=gib(own),
                least=f"{(own + 2 * LEAST_ROOM) / (1 << 30):.2f}",
            ),
        )


def resident() -> int:
    """Bytes of memory that this process holds now."""
    try:
        with open("/proc/self/statm", encoding="ascii") as stream:
            return int(stream.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
