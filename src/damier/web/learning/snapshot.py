"""A learner at one moment, as plain data: what it is, how it came to that, and the part of its
table that a page can show.

Trainings tell it while they run; of a learner that only lies in its file, it is made from that.
"""

from __future__ import annotations

from dataclasses import replace
from heapq import nlargest
from typing import Any

from damier.core.bits import position_of
from damier.core.curve import block_facts
from damier.lab.training import Trainer
from damier.learn.memory import Memory
from damier.learn.parameters import as_written
from damier.learn.player import LearningPlayer
from damier.learn.store import Agent, plain

MOST_ROWS = 300
"""Positions of a table that are told: those learnt from most often."""

Facts = dict[str, Any]


def about_training(made: Trainer, game: str) -> Facts:
    """What does not change of a training: who learns what from whom. `game` as pages name it."""
    plan = made.plan
    return about(made.learner, game) | {
        "learner": plan.learner,
        "opponent": plan.opponent,
        "seat": plan.seat,
        "seed": plan.seed,
        "against": made.against,
    }


def about(learner: LearningPlayer, game: str) -> Facts:
    return {
        "game": game,
        "learner": learner.text,
        "algorithm": learner.name,
        "parameters": as_written(learner.parameters),
    }


def numbers(made: Trainer) -> Facts:
    """What changes and is quickly told: how far it is, and how the games of the last block ended."""
    training, memory = made.training, made.learner.memory
    last = block_ends(block_facts(training.curve.blocks[-1])) if training.curve.blocks else None
    return {
        "games": training.episodes,
        "known": len(memory),
        "decisions": memory.decisions,
        "epsilon": memory.epsilon,
        "ends": last,
    }


def block_ends(block: Facts) -> Facts:
    """How the games of a block ended."""
    return {name: block[name] for name in ("games", "wins", "draws", "losses")}


def moment(made: Trainer) -> Facts:
    """What changes: the curve, its last block graded even if it is not full, and what is known."""
    training, learner = made.training, made.learner
    blocks = training.curve.blocks
    if blocks and blocks[-1].grade is None:
        blocks = [*blocks[:-1], replace(blocks[-1], grade=training.grade(learner))]
    facts = {
        "blocks": [block_facts(block) for block in blocks],
        "last": learner.last_row if training.episodes else None,
    }
    return facts | rows_of(learner.memory)


def of_agent(agent: Agent, game: str) -> Facts:
    """A learner as its file has it; of two tables, the one of the seat whose results are told."""
    memory = agent.memories[1 if len(agent.memories) > 1 and agent.training.get("seat") == "2" else 0]
    blocks = [block_facts(block) for block in agent.curve.blocks]
    facts = {
        "state": "saved",
        "games": agent.games,
        "of": agent.games,
        "blocks": blocks,
        "last": None,
        "ends": block_ends(blocks[-1]) if blocks else None,
    }
    held = {"known": len(memory), "decisions": memory.decisions, "epsilon": memory.epsilon}
    return (
        about(LearningPlayer(agent.game, agent.learner, agent.parameters), game)
        | agent.training
        | facts
        | held
        | rows_of(memory)
    )


def rows_of(memory: Memory) -> Facts:
    """The `rows` of a table that are told, as [number, state, moves, values, counts]; a move is the
    number of its bit.
    """
    rows = [
        [
            number,
            plain(row.state),
            [position_of(move) if move else None for move in row.moves],
            row.values,
            row.counts,
        ]
        for number, row in memory.selected(most_visited(memory, MOST_ROWS))
    ]
    return {"rows": rows}


def most_visited(memory: Memory, most: int) -> list[int]:
    """The numbers of the rows that were learnt from most often, in order of discovery."""
    if len(memory) <= most:
        return list(range(len(memory)))
    visits = memory.visits()
    return sorted(nlargest(most, range(len(memory)), key=visits.__getitem__))
