#!/usr/bin/env python3
"""The figures of docs/scale.md: `python docs/scale.py` writes them anew.

Three things go into them, and nothing else: what benchmarks/README.md and scripts/layers have measured;
a simulation, here in plain Python, of what shards exchange; and the parameters below (machines, prices),
which are assumptions. The sizes of boards are counts that others have published.
"""

from __future__ import annotations

import json
import math
import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from damier import load
from damier.core.files import write_text
from damier.core.game import Game
from damier.core.words import decimal
from damier.draw.line_charts import Scale, axes, scale
from damier.draw.svg import SvgBlock, document, label, number, tag
from damier.plugins.cluster.sharding import shard_of
from damier.solve.packed_store import BITS

ROOT = Path(__file__).parent.parent
PAGE, README = ROOT / "docs" / "scale.md", ROOT / "benchmarks" / "README.md"
LAYERS, PICTURE = ROOT / "benchmarks" / "layers.json", ROOT / "docs" / "pictures" / "scale.svg"
PLACES = {"memory": "in memory", "disk": "on disk"}
COLOURS = {"memory": "good", "disk": "bad", "cluster": "ink", "worked out": "ink"}
BEGIN, END = "<!-- written by docs/scale.py -->", "<!-- /written -->"

SIMULATED = (4, 4)
SHARDS = (1, 2, 8, 32, 128)

POSITIONS = {(5, 5): 69_763_700, (5, 6): 1_044_334_437, (6, 5): 2_818_972_642, (6, 6): 69_212_342_175}
BY_PLY_7X6 = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623, 4568683, 12236101]
BY_PLY_7X6 += [30929111, 75437595, 176541259, 394591391, 858218743, 1763883894, 3568259802, 6746155945]
BY_PLY_7X6 += [12673345045, 22010823988, 38263228189, 60830813459, 97266114959, 140728569039]
BY_PLY_7X6 += [205289508055, 268057611944, 352626845666, 410378505447, 479206477733, 488906447183]
BY_PLY_7X6 += [496636890702, 433471730336, 370947887723, 266313901222, 183615682381, 104004465349]
BY_PLY_7X6 += [55156010773, 22695896495, 7811825938, 1459332899]

CHILDREN_A_COLUMN = 0.44
"""Assumption: children a position, by columns; the simulation and small boards have 0.42 to 0.47."""
BATCH_SECONDS = 0.001
"""Assumption: what the driver needs to hand on one batch."""
SCORE_BYTES, KEY_BYTES = 1, 8
FOR_SHARDS = 0.75
"""Of a machine's memory; the rest is for the object store."""


@dataclass(frozen=True)
class Machines:
    """So many machines, all alike. Memory and disk in GB, disk and network in GB/s; dollars an hour for
    each. All of it is assumed (November 2026), and stands here to be changed.
    """

    name: str
    count: int
    cores: int
    memory: float
    disk: float
    disk_rate: float
    network: float
    price: float


HALL = Machines("hall: 30 × 4 cores, 16 GB, 1 Gb/s", 30, 4, 16, 500, 0.5, 0.125, 0.0)
RENTED = Machines("rented: 64 × 32 cores, 256 GB, 25 Gb/s", 64, 32, 256, 3800, 2.0, 3.125, 1.6)
MANY = Machines("rented: 192 × 32 cores, 256 GB, 25 Gb/s", 192, 32, 256, 3800, 2.0, 3.125, 1.6)
PLANNED = (
    (HALL, HALL.count * HALL.cores),
    (HALL, HALL.count),
    (RENTED, RENTED.count * RENTED.cores),
    (RENTED, RENTED.count),
    (MANY, MANY.count),
)


@dataclass(frozen=True)
class Dealt:
    """What a board costs among so many shards: children a position that differ within their sender, and
    bytes of each.
    """

    shards: int
    children: float
    bytes_a_child: float


Layers = list[dict[int, list[int]]]
"""Of each ply, the keys of its positions and the keys that their moves lead to."""


def layers_of(game: Game) -> Layers:
    layers: Layers = [{game.key(game.start): []}]
    while layers[-1]:
        for key, children in layers[-1].items():
            children += children_of(game, key)
        layers.append({child: [] for children in layers[-1].values() for child in children})
    return layers


def children_of(game: Game, key: int) -> list[int]:
    s = game.unkey(key)
    return [] if game.over(s) else [game.key(game.play(s, move)) for move in game.legal(s)]


def bytes_of_gaps(keys: list[int]) -> int:
    """Bytes of ascending keys as differences, seven bits a byte."""
    gaps = [key - before for before, key in zip([0, *keys], keys, strict=False)]
    return sum(max(1, -(-gap.bit_length() // BITS)) for gap in gaps)


def dealt(layers: Layers, shards: int) -> Dealt:
    """Every child of every position, dealt as `damier.plugins.cluster.sharding` does, sender by sender."""
    positions = children = size = 0
    for layer in layers:
        positions += len(layer)
        batches: dict[tuple[int, int], set[int]] = {}
        for key, below in layer.items():
            sender = shard_of(key, shards)
            for child in below:
                batches.setdefault((sender, shard_of(child, shards)), set()).add(child)
        children += sum(map(len, batches.values()))
        size += sum(bytes_of_gaps(sorted(batch)) for batch in batches.values())
    return Dealt(shards, children / positions, size / children)


@cache
def simulated() -> tuple[Dealt, ...]:
    """The small board, for every number of shards."""
    width, height = SIMULATED
    layers = layers_of(load(f"connect_four:width={width},height={height}"))
    return tuple(dealt(layers, shards) for shards in SHARDS)


def expected_children(children: float, shards: int) -> float:
    """How many children a position differ within their sender, where a child has as many parents as a
    position has children, on shards at random: s (1 - (1 - 1/s)^c), which goes to c.
    """
    return shards * (1 - (1 - 1 / shards) ** children)


def expected_bytes(shards: int) -> float:
    """Bytes of a child: a straight line through the simulation, by the logarithm of the shards: among
    twice as many, the differences of the keys are twice as large.
    """
    first, last = simulated()[0], simulated()[-1]
    slope = (last.bytes_a_child - first.bytes_a_child) / math.log2(last.shards)
    return first.bytes_a_child + slope * math.log2(shards)


def measured(row: str) -> float | None:
    """What a row of benchmarks/README.md has reached, in its unit."""
    found = re.search(
        rf"^\| `{re.escape(row)}` \|[^|]*\| ([0-9. \u00a0]+) ",
        README.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    return float(re.sub(r"[ \u00a0]", "", found[1])) if found else None


def by_ply(width: int, height: int) -> list[float]:
    """Positions by ply: those of 7×6, which are known, and for any other board the same curve, stretched
    over its plies to its own sum.
    """
    total, plies = POSITIONS.get((width, height), sum(BY_PLY_7X6)), width * height
    curve = []
    for ply in range(plies + 1):
        place = ply * 42 / plies
        low, high = math.floor(place), math.ceil(place)
        curve.append(BY_PLY_7X6[low] ** (1 - place + low) * BY_PLY_7X6[high] ** (place - low))
    return [n * total / sum(curve) for n in curve]


@dataclass(frozen=True)
class Plan:
    """What a board takes of machines: seconds of each thing, where they follow each other; bytes."""

    machines: Machines
    shards: int
    positions: float
    sent: float  # bytes a position
    kept: float
    processor: float
    network: float
    disk: float
    batches: float
    seconds: float
    memory: float  # GB of each machine that the largest layer takes
    disk_space: float  # GB of each machine

    @property
    def slowest(self) -> str:
        times = {
            "processors": self.processor,
            "network": self.network,
            "disk": self.disk,
            "batches": self.batches,
        }
        return max(times, key=lambda name: times[name])

    @property
    def dollars(self) -> float:
        return self.machines.count * self.machines.price * self.seconds / 3600


def plan(width: int, height: int, machines: Machines, shards: int) -> Plan:
    """All cores at work: one shard a core, as damier has it, or fewer shards whose work threads share.
    In every layer the slowest of processors, network and disk counts, and then what the driver needs for
    the batches.
    """
    size = by_ply(width, height)
    children = expected_children(CHILDREN_A_COLUMN * width, shards)
    key, place = expected_bytes(shards), 1 + math.log2(shards) / BITS
    sent = children * (key + SCORE_BYTES) * (1 - 1 / machines.count)
    kept = key + SCORE_BYTES + children * (key + place)
    seconds_a_child = (measured("cluster-5x5") or math.nan) / POSITIONS[5, 5]
    rates = {
        "processor": children * seconds_a_child / (machines.count * machines.cores),
        "network": sent / (machines.count * machines.network * 1e9),
        "disk": 2 * kept / (machines.count * machines.disk_rate * 1e9),
    }
    batches = 2 * shards * shards * BATCH_SECONDS * len(size)
    working = KEY_BYTES * (1 + 2 * children) + SCORE_BYTES * (1 + children)
    return Plan(
        machines,
        shards,
        sum(size),
        sent,
        kept,
        sum(size) * rates["processor"],
        sum(size) * rates["network"],
        sum(size) * rates["disk"],
        batches,
        sum(n * max(rates.values()) for n in size) + batches,
        max(size) * working / machines.count / 1e9,
        sum(size) * kept / machines.count / 1e9,
    )


def written() -> str:
    """The part of the page that is worked out."""
    return "\n\n".join("\n".join(lines) for lines in (exchange(), plans(), costs()))


def table(head: tuple[str, ...], rows: list[tuple[object, ...]]) -> list[str]:
    lines = [head, tuple("---" for _cell in head), *rows]
    return [f"| {' | '.join(map(str, line))} |" for line in lines]


def exchange() -> list[str]:
    rows: list[tuple[object, ...]] = [
        (
            found.shards,
            f"{found.children:.2f}",
            f"{expected_children(simulated()[-1].children, found.shards):.2f}",
            f"{found.bytes_a_child:.2f}",
            f"{expected_bytes(found.shards):.2f}",
            f"{(1 - 1 / found.shards) * found.children * (found.bytes_a_child + SCORE_BYTES):.2f}",
        )
        for found in simulated()
    ]
    width, height = SIMULATED
    head = ("shards", "children sent, a position", "formula", "bytes a child", "formula", "bytes sent")
    return [f"### The exchange, simulated ({width}×{height})", "", *table(head, rows)]


def plans() -> list[str]:
    rows: list[tuple[object, ...]] = []
    for width, height in ((6, 6), (7, 6)):
        for machines, shards in PLANNED:
            found = plan(width, height, machines, shards)
            rows.append(
                (
                    f"{width}×{height}",
                    machines.name,
                    shards,
                    f"{found.sent:.1f} B, {found.sent * found.positions / 1e12:.1f} TB",
                    hours(found.processor),
                    hours(found.network),
                    hours(found.disk),
                    hours(found.batches),
                    fits(found.memory, FOR_SHARDS * machines.memory),
                    fits(found.disk_space, machines.disk),
                    f"**{hours(found.seconds)}**",
                    f"{found.dollars:,.0f} $" if machines.price else "—",
                    found.slowest,
                )
            )
    head = ("board", "machines", "shards", "sent: a position, in all", "processors", "network", "disk")
    head += ("batches", "memory of each", "disk of each", "time", "price", "slowest")
    return ["### What 6×6 and 7×6 would take", "", *table(head, rows)]


COSTS = (
    ("cluster-5x5", 69_763_700, "one shard through Ray"),
    ("cluster-5x5-shards", 69_763_700, "two shards through Ray, the busier one"),
)
"""Rows of benchmarks/README.md whose figure is seconds for so many positions."""


@dataclass(frozen=True)
class Cost:
    """What a board took, or would take: seconds of a core in all."""

    positions: float
    how: str
    seconds: float
    kind: str

    @property
    def each(self) -> float:
        """Nanoseconds of a core a position."""
        return self.seconds / self.positions * 1e9


def known_costs() -> list[Cost]:
    """Of whatever was measured, and of what is worked out, the smallest board first."""
    layers = json.loads(LAYERS.read_text(encoding="utf-8"))
    found = [
        Cost(row["positions"], "one machine, " + PLACES[row["way"]], row["cpu"], row["way"])
        for row in layers
        if row["cpu"] > 0
    ]
    found += [
        Cost(positions, how, seconds, "cluster")
        for row, positions, how in COSTS
        if (seconds := measured(row)) is not None
    ]
    for width, height, machines in ((6, 6, HALL), (7, 6, MANY)):
        planned = plan(width, height, machines, machines.count)
        cores = machines.count * machines.cores
        found.append(Cost(planned.positions, machines.name, planned.processor * cores, "worked out"))
    return sorted(found, key=lambda cost: cost.positions)


def costs() -> list[str]:
    """The cost a position of each."""
    rows: list[tuple[object, ...]] = [
        (
            f"{cost.positions:.1e}",
            cost.how,
            f"{cost.each:.0f} ns",
            "worked out" if cost.kind == "worked out" else "measured",
        )
        for cost in known_costs()
    ]
    head = ("positions", "how", "time of a core, a position", "")
    picture = "![Time of a core by the number of positions](pictures/scale.svg)"
    told = "Blue: one machine, in memory; brown: on disk; black: shards through Ray; hollow: worked out."
    return ["### Cost a position", "", *table(head, rows), "", picture, "", told]


def picture() -> str:
    """Seconds of a core by positions, both as powers of ten: a line of slope 1 is a cost a position that
    does not grow. A mark for each way, hollow where it is worked out.
    """
    found = known_costs()
    powers = [math.log10(cost.positions) for cost in found]
    times = [math.log10(cost.seconds) for cost in found]
    across = Scale(5.0, 13.0, 400.0, (6.0, 8.0, 10.0, 12.0), "positions, as a power of ten")
    plot = axes(across, scale([*times, -2.0, 7.0], 240.0, -2, 7), lambda value: decimal(value, ".0f"))
    middle = sum(time - power for time, power in zip(times, powers, strict=True)) / len(found)
    ends = "L".join(f"{number(plot.x(x))} {number(plot.y(x + middle))}" for x in (5.2, 12.8))
    drawn = tag("path", class_="d-line-quiet", d=f"M{ends}", stroke_width=1.5)
    for cost, x, y in zip(found, powers, times, strict=True):
        hollow = cost.kind == "worked out"
        drawn += tag(
            "circle",
            class_=f"d-{'line' if hollow else 'area'}-{COLOURS[cost.kind]}",
            cx=plot.x(x),
            cy=plot.y(y),
            r=4.0,
            stroke_width=1.5 if hollow else None,
        )
    font = 12.0
    heading = "Seconds of a core, as a power of ten; the line is one cost a position"
    body = label(heading, 0, 0.6 * font, font, "start")
    inside = plot.ground + drawn + plot.below.body
    body += tag("g", inside, transform=f"translate({number(plot.left)} {number(2.4 * font)})")
    size = SvgBlock(plot.left + plot.width + 20, 2.4 * font + plot.height + plot.below.height, body)
    return document(size, heading, "\n".join(costs()))


def hours(seconds: float) -> str:
    return f"{seconds / 3600:.1f} h" if seconds >= 3600 else f"{seconds / 60:.1f} min"


def fits(needed: float, there: float) -> str:
    return f"{needed:,.0f} GB" + ("" if needed <= there else f" (**has {there:,.0f}**)")


def main() -> int:
    before, _begin, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _old, _end, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n{written()}\n\n{END}{after}", encoding="utf-8")
    write_text(PICTURE, picture())
    return 0


if __name__ == "__main__":
    sys.exit(main())
