"""A learner at one moment, as plain data: what it is, how it came to that, and the part of its
table that a page can show.

Trainings tell it while they run; of a learner that only lies in its file, it is made from that.
"""

from __future__ import annotations

from dataclasses import replace
from heapq import nlargest

from damier.core.bits import position_of
from damier.core.curve import Block
from damier.core.grade import grade_facts
from damier.lab.table_training import TableTrainer
from damier.learn.memory import Memory
from damier.learn.parameters import as_written
from damier.learn.player import LearningPlayer
from damier.learn.store import Agent, plain
from damier.web.messages.training import (
    BlockEnds,
    GamesSoFar,
    LearnerAbout,
    SavedLearner,
    ToldBlock,
    ToldRows,
    TrainingAbout,
    TrainingPicture,
)

MOST_ROWS = 300
"""Positions of a table that are told: those learnt from most often."""


def about_training(made: TableTrainer, game: str) -> TrainingAbout:
    """What does not change of a training: who learns what from whom. `game` as pages name it."""
    plan = made.plan
    return {
        **about(made.learner, game),
        "learner": plan.learner,
        "opponent": plan.opponent,
        "seat": plan.seat,
        "seed": plan.seed,
        "against": made.against,
    }


def about(learner: LearningPlayer, game: str) -> LearnerAbout:
    return {
        "game": game,
        "learner": learner.text,
        "algorithm": learner.name,
        "parameters": as_written(learner.parameters),
    }


def numbers(made: TableTrainer) -> GamesSoFar:
    """What changes and is quickly told: how far it is, and how the games of the last block ended."""
    training, memory = made.training, made.learner.memory
    last = block_ends(training.curve.blocks[-1]) if training.curve.blocks else None
    return {
        "games": training.episodes,
        "known": len(memory),
        "decisions": memory.decisions,
        "epsilon": memory.epsilon,
        "ends": last,
    }


def block_ends(block: Block) -> BlockEnds:
    """How the games of a block ended."""
    return {"games": block.games, "wins": block.wins, "draws": block.draws, "losses": block.losses}


def told_block(block: Block) -> ToldBlock:
    """A block of a curve."""
    return {
        **block_ends(block),
        "epsilon": block.epsilon,
        "grade": grade_facts(block.grade) if block.grade else None,
    }


def moment(made: TableTrainer) -> TrainingPicture:
    """What changes: the curve, its last block graded even if it is not full, and what is known."""
    training, learner = made.training, made.learner
    blocks = training.curve.blocks
    if blocks and blocks[-1].grade is None:
        blocks = [*blocks[:-1], replace(blocks[-1], grade=training.grade(learner))]
    return {
        "blocks": [told_block(block) for block in blocks],
        "last": learner.last_row if training.episodes else None,
        **rows_of(learner.memory),
    }


def of_agent(agent: Agent, game: str) -> SavedLearner:
    """A learner as its file has it; of two tables, the one of the seat whose results are told."""
    memory = agent.memories[1 if len(agent.memories) > 1 and agent.training.get("seat") == "2" else 0]
    blocks = agent.curve.blocks
    return {
        **about(LearningPlayer(agent.game, agent.learner, agent.parameters), game),
        "opponent": str(agent.training.get("opponent", "")),
        "seat": str(agent.training.get("seat", "")),
        "seed": int(agent.training.get("seed", 0)),
        "against": str(agent.training.get("against", "")),
        "state": "saved",
        "games": agent.games,
        "of": agent.games,
        "blocks": [told_block(block) for block in blocks],
        "last": None,
        "ends": block_ends(blocks[-1]) if blocks else None,
        "known": len(memory),
        "decisions": memory.decisions,
        "epsilon": memory.epsilon,
        **rows_of(memory),
    }


def rows_of(memory: Memory) -> ToldRows:
    """The rows of a table that are told."""
    return {
        "rows": [
            (
                number,
                plain(row.state),
                [position_of(move) if move else None for move in row.moves],
                row.values,
                row.counts,
            )
            for number, row in memory.selected(most_visited(memory, MOST_ROWS))
        ]
    }


def most_visited(memory: Memory, most: int) -> list[int]:
    """The numbers of the rows that were learnt from most often, in order of discovery."""
    if len(memory) <= most:
        return list(range(len(memory)))
    visits = memory.visits()
    return sorted(nlargest(most, range(len(memory)), key=visits.__getitem__))
