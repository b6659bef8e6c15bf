"""Trees that several tests search, as the plain data of a tree file: the classic one, and random
ones.
"""

from __future__ import annotations

import itertools
import random
from typing import Any

Data = dict[str, Any]

FORMAT = "damier-tree/1"
CLASSIC = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]


def classic() -> Data:
    nodes: Data = {"max": {"player": 0, "moves": [["Left", "min1"], ["Middle", "min2"], ["Right", "min3"]]}}
    letters = iter("ABCDEFGHI")
    for number, values in enumerate(CLASSIC, 1):
        names = list(itertools.islice(letters, 3))
        nodes[f"min{number}"] = {"player": 1, "moves": [[name.lower(), name] for name in names]}
        nodes |= {name: {"terminal": True, "value": value} for name, value in zip(names, values, strict=True)}
    return {"format": FORMAT, "players": 2, "root": "max", "nodes": nodes}


def random_tree(seed: int, players: int = 2, *, chance: bool = False, vectors: bool = False) -> Data:
    """A random directed acyclic graph whose values tie often; every node has an evaluation."""
    rng = random.Random(seed)
    inner = rng.randint(1, 9)
    names = [f"n{i}" for i in range(inner + rng.randint(1, 12))]

    def worth() -> Any:
        return [rng.randint(-3, 3) for _ in range(players)] if vectors else rng.randint(-4, 4)

    nodes: Data = {}
    for i, name in enumerate(names):
        if i >= inner:
            nodes[name] = {"terminal": True, "value": worth()} if rng.random() < 0.9 else {"terminal": True}
            continue
        ahead = names[i + 1 :]
        children = [rng.choice(ahead[:4] if rng.random() < 0.6 else ahead) for _ in range(rng.randint(1, 4))]
        if chance and rng.random() < 0.4:
            parts = (
                [1.0]
                if len(children) == 1
                else {2: [0.25, 0.75], 3: [0.5, 0.25, 0.25], 4: [0.125, 0.5, 0.25, 0.125]}[len(children)]
            )
            if rng.random() < 0.4:  # uniform, left out
                children = children[: 1 << (len(children).bit_length() - 1)]
                nodes[name] = {
                    "player": "chance",
                    "moves": [[f"m{k}", child] for k, child in enumerate(children)],
                }
            else:
                nodes[name] = {
                    "player": "chance",
                    "moves": [
                        [f"m{k}", child, p] for k, (child, p) in enumerate(zip(children, parts, strict=True))
                    ],
                }
        else:
            children = children[: 1 << (len(children).bit_length() - 1)] if chance else children
            nodes[name] = {
                "player": rng.randrange(players),
                "moves": [[f"m{k}", child] for k, child in enumerate(children)],
            }
    data = {
        "format": FORMAT,
        "players": players,
        "root": "n0",
        "nodes": nodes,
        "evaluation": {name: worth() for name in names},
    }
    return data | ({"turn": "cycle"} if rng.random() < 0.3 else {})
