"""What deep-blue.md says: chess by selective search, document S2 (rows A-54, A-55, A-62)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import log

from damier import load
from damier.core.analysis import Analysis, Limit, evaluation
from damier.core.job import Job
from damier.core.rules import State
from damier.search.selective import Recipe, selective
from measured.writing import Untrue, holds, table

GAME = load("chess")
MIDDLE = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2NP1/PP3PBP/R1BQ1RK1 w - - 0 9"
MATE = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1"
"""The first position of [BratkoKopec82]: Black mates in three moves."""
NODES, PLIES = 1_000_000, 6
PARTS = ("quiescence", "null_move", "reductions", "pruning", "extensions", "table")


def at(written: str) -> State:
    assert GAME.read_position is not None
    return GAME.read_position(written)


@cache
def searched(written: str, limit: Limit, *without: str) -> Analysis:
    """A selective search without some of its parts."""
    recipe = Recipe(**dict.fromkeys(without, False), evaluation=evaluation(GAME, GAME.evaluation))
    return selective(GAME, at(written), limit, recipe, job=Job(jit=True), explain=False)


def arithmetic() -> str:
    """How deep a million positions reach at 35 moves a position."""
    nodes, moves = 100 * 10_000, 35
    blind = log(nodes) / log(moves)
    return holds(
        nodes == NODES and round(blind) == 4 and round(2 * blind) == 8,
        f"100 s × 10,000 nodes a second = {nodes:,} nodes; 35^{blind:.1f} of them are as many, so that the"
        f" whole tree is seen {blind:.1f} plies deep. In a perfect order alpha-beta looks twice as deep:"
        f" {2 * blind:.1f} plies, the slide's 8.",
    )


def depths() -> str:
    """How deep a million positions reach here."""
    everything = tuple(part for part in PARTS if part != "quiescence")
    named = [
        ("alpha-beta, and nothing else", PARTS),
        ("alpha-beta and quiescence", everything),
        *((f"all but `{part}`", (part,)) for part in PARTS),
        ("all", ()),
    ]
    found = [(name, *(searched(MIDDLE, limit, *without) for limit in limits())) for name, without in named]
    if found[-1][1].plies < found[1][1].plies + 4:
        raise Untrue("all parts together look at least four plies deeper than alpha-beta with quiescence")
    rows = [(name, str(far.plies), str(len(far.pv)), f"{near.nodes:,}") for name, far, near in found]
    header = (
        "searched with",
        f"plies, of {NODES:,} nodes",
        "plies of its best line",
        f"nodes for {PLIES} plies",
    )
    return table(header, rows)


def limits() -> tuple[Limit, Limit]:
    return Limit(nodes=NODES), Limit(plies=PLIES)


def horizon() -> str:
    """What a search says that stops in the middle of an exchange."""
    others = tuple(part for part in PARTS if part not in ("quiescence", "table"))
    rows = []
    for plies in range(1, PLIES + 1):
        blind, calm = (
            searched(MIDDLE, Limit(plies=plies), *without) for without in ((*others, "quiescence"), others)
        )
        rows.append((str(plies), told(blind), told(calm)))
    return table(("plies", "`quiescence=false`", "with quiescence"), rows)


def told(found: Analysis) -> str:
    """The value and the best move."""
    return f"{found.value:+} · `{GAME.name_move(found.state, found.pv[0])}`"


def sums() -> str:
    """The evaluation of the position, term by term: those that are not 0."""
    judge, s = evaluation(GAME, GAME.evaluation), at(MIDDLE)
    terms = [
        (name, weight, feature(s))
        for name, weight, feature in zip(judge.names, judge.weights, judge.features, strict=True)
    ]
    rows = [
        (f"`{name}`", f"{weight:g}", f"{value:+g}", f"{weight * value:+.3f}")
        for name, weight, value in terms
        if abs(weight * value) > 1e-9
    ]
    rest = len(terms) - len(rows)
    total = sum(weight * value for _name, weight, value in terms)
    last = [(f"the other {rest}", "", "0", "0"), ("sum", "", "", f"{total:+.3f}")]
    return table(("feature f", "weight w", "f(s)", "w · f(s)"), [*rows, *last])


def extended() -> str:
    """A mate that is seen before its depth."""
    rows = []
    for plies in range(1, PLIES + 1):
        alone, further = (searched(MATE, Limit(plies=plies), *without) for without in (("extensions",), ()))
        rows.append((str(plies), ended(alone), ended(further)))
    return table(("plies", "`extensions=false`", "with extensions"), rows)


def ended(found: Analysis) -> str:
    if found.distance is None:
        return told(found)
    return f"mate in {found.distance} plies · `{GAME.name_move(found.state, found.pv[0])}`"


BLOCKS: dict[str, Callable[[], str]] = {
    "deep-blue-arithmetic": arithmetic,
    "deep-blue-depths": depths,
    "deep-blue-horizon": horizon,
    "deep-blue-sum": sums,
    "deep-blue-extended": extended,
}
PICTURES: dict[str, Callable[[], str]] = {}
