"""The constants of the source documents and of the classics, by name: data, never a second copy of
an algorithm.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from damier.core.words import N_

SeatName: TypeAlias = Literal["1", "2", "alternate"]


USUAL_GAMES = 100_000
"""Games of a training that says nothing else."""


class Preset(NamedTuple):
    """Values of parameters, and the training that they were given for."""

    summary: str
    parameters: Mapping[str, object]
    seat: SeatName = "1"
    opponent: str = "random"
    games: int = USUAL_GAMES


MENACE = {"draw": 1, "win": 3, "loss": -1, "forced": False}
LISTS = {"beads": "1", "win": 1, "draw": 0, "loss": 0, "symmetric": False, "alike": True}
REWARDS = {"win": 100.0, "draw": 10.0, "loss": -100.0, "event": 10.0}
HEXAPION = {
    "step_size": 0.01,
    "discount_factor": 0.9,
    "epsilon": 1.0,
    "decay": 0.99,
    "decay_after": 5000,
    **REWARDS,
}
VFUNCTION = {
    "epsilon": 1.0,
    "decay": 0.996,
    "decay_per": "game",
    "epsilon_floor": 0.1,
    "ties": "last",
    "draw": 0.1,
    "draw_second": 0.5,
}

PRESETS: Mapping[str, Mapping[str, Preset]] = {
    "q": {
        "hexapion": Preset(
            N_("document S0: rewards 100, 10, -100 and 10 for a pawn"), HEXAPION | {"alike": True}
        ),
        "one-step": Preset(
            N_("Watkins: a step sees the values from before the game"), {"backward_updates": False}
        ),
        "sarsa": Preset(
            N_("the next decision is worth the move taken there"),
            {"backward_updates": False, "on_policy": True},
        ),
        "q-lambda": Preset(N_("Watkins's Q(0.9)"), {"backward_updates": False, "lambda_": 0.9}),
    },
    "v": {
        "vfunction": Preset(
            N_("document S3: two tables learn from each other"),
            VFUNCTION,
            opponent="self:table=separate",
            games=10_000,
        ),
        "td-lambda": Preset(N_("TD(0.9)"), {"backward_updates": False, "lambda_": 0.9}),
    },
    "mean": {"morpion": Preset(N_("document S4: epsilon 0.25, a first game of score 0"), {})},
    "beads": {
        "hexapion": Preset(
            N_("document S0: MENACE; a loss empties boxes from the last one back"),
            MENACE | {"punish": "last", "cascade": True},
        ),
        "michie": Preset(N_("MENACE as Michie published it: 4, 3, 2, 1 beads"), MENACE),
        "scroggs": Preset(N_("MENACE on the web: 8, 4, 2, 1 beads"), MENACE | {"beads": "8-4-2-1"}),
        "her": Preset(
            N_("Gardner's hexapawn machine: it is only punished"),
            {"beads": "1", "win": 0, "draw": 0, "punish": "last"},
            seat="2",
        ),
        "ia01": Preset(
            N_("document S1: every move of a game won is put into its list again"),
            LISTS,
            opponent="self:learn=one",
            games=1000,
        ),
        "ia01-last": Preset(
            N_("document S1: only the last move of a game won is"),
            LISTS | {"reinforce": "last"},
            opponent="self:learn=one",
            games=1000,
        ),
    },
}
