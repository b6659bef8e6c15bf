"""What matchboxes.md says of Nim's lists, document S1 (rows A-39 to A-47)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from statistics import median

from damier.learn.action_values import Row
from damier.learn.player import LearningPlayer
from measured.training import graded, mean, trained
from measured.writing import holds, quartiles, spread, table

GAME, GAMES, SEEDS = "nim", 1_000, range(200)
EVERY, LAST, SWAPPED = "beads:preset=ia01", "beads:preset=ia01-last", "beads:preset=ia01,win=0,loss=1"


@cache
def machines(learner: str, opponent: str | None = None) -> list[LearningPlayer]:
    """Machines of one kind, one a seed; the opponent is the document's, which draws from the same
    lists, unless given.
    """
    return [trained(GAME, learner, GAMES, seed, opponent).learner for seed in SEEDS]


@cache
def shares(learner: str) -> dict[int, list[float]]:
    """The share of the right move in the list of each number of matches, one a seed; none where
    every move loses.
    """
    found: dict[int, list[float]] = {
        matches: [] for matches in range(16, 1, -1) if matches % 4 != 1 and matches != 15
    }
    for machine in machines(learner):
        for row in machine.memory.rows():
            if row.state.matches in found:
                found[row.state.matches].append(beads(row, (row.state.matches - 1) % 4) / sum(row.counts))
    return found


def beads(row: Row, taken: int) -> int:
    """How often a list holds a move."""
    return sum(count for move, count in zip(row.moves, row.counts, strict=True) if move.bit_length() == taken)


def by_matches() -> str:
    every, last = shares(EVERY), shares(LAST)
    rows = []
    for matches, found in every.items():
        mostly = sum(share > 0.5 for share in found)
        right = (matches - 1) % 4
        rows.append(
            (
                f"{matches} (take {right})",
                quartiles(found, ".2f"),
                f"{mostly} of {len(SEEDS)}",
                quartiles(last[matches], ".2f"),
            )
        )
    return table(("matches", "share of the right move: median (range)", "mostly right", "`ia01-last`"), rows)


def policies() -> str:
    """What the lists are worth when the machine begins with 16 matches."""
    rows = [
        (
            "random, for comparison",
            *(f"{graded(GAME, 'random', against).seats[0].win:.3f}" for against in ("random", "perfect")),
        )
    ]
    for name, learner, opponent in (
        ("every move of a game won, the opponent draws from the same lists (`ia01`)", EVERY, None),
        ("the same, against a fixed list (`--opponent random`)", EVERY, "random"),
        ("only the last move (`ia01-last`)", LAST, None),
        ("algorithm 1 as printed (`ia01,win=0,loss=1`)", SWAPPED, None),
    ):
        won = [
            [graded(GAME, machine, against).seats[0].win for machine in machines(learner, opponent)]
            for against in ("random", "perfect")
        ]
        rows.append((name, *(spread(one, ".3f") for one in won)))
    return table(("lists after 1,000 games", "wins against random", "wins against perfect"), rows)


def what_was_learnt() -> str:
    """The document's conclusion, over many seeds."""
    found = shares(EVERY)
    certain = [matches for matches, one in found.items() if min(one) > 0.5]
    untouched = all(
        set(row.counts) == {1}
        for machine in machines(EVERY)
        for row in machine.memory.rows()
        if row.state.matches in (1, 15)
    )
    sixteen = sum(share > 0.5 for share in found[16])
    return holds(
        untouched and set(certain) >= {2, 3, 4} and 0.2 < sixteen / len(SEEDS) < 0.45,
        "The document looked at one run and found the right move in the majority of every list. Over"
        f" {len(SEEDS)} runs that is sure only with {', '.join(map(str, sorted(certain)))} matches. At 16 the"
        f" right move has the majority in {sixteen} of {len(SEEDS)} runs, its median share is"
        f" {median(found[16]):.2f}, and it lies anywhere between {min(found[16]):.3f} and"
        f" {max(found[16]):.3f}: nothing is taken out after a loss, so that a lucky beginning reinforces"
        " itself. The lists of 1 and 15 are never touched, as the document says: who meets 1 has lost, and"
        " who begins at 16 never meets 15.",
    )


def swapped() -> str:
    """The base cases of algorithm 1, as printed."""
    wins = [graded(GAME, machine).seats[0].win for machine in machines(SWAPPED)]
    random = graded(GAME, "random").seats[0].win
    return holds(
        mean(wins) < random,
        f"It learns to lose: it wins {mean(wins):.3f} of its games against random, less than the random"
        f" player's {random:.3f}.",
    )


BLOCKS: dict[str, Callable[[], str]] = {
    "nim-lists": by_matches,
    "nim-policies": policies,
    "nim-answer": what_was_learnt,
    "nim-swapped": swapped,
}
PICTURES: dict[str, Callable[[], str]] = {}
