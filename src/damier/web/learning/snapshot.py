"""A learner at one moment, as plain data: what it is, how it came to that, and the part of its
table that a page can show.

Trainings tell it while they run; of a learner that only lies in its file, it is made from that.
"""

from __future__ import annotations

from dataclasses import replace
from heapq import nlargest

from damier.core.curve import Block, Curve, joined
from damier.core.grade import grade_facts
from damier.core.player import Learner
from damier.lab.own_file import OwnAgent
from damier.lab.table_training import TableTrainer
from damier.lab.training import Trainer
from damier.learn.memory import Memory, written_move
from damier.learn.parameters import as_written
from damier.learn.player import LearningPlayer
from damier.learn.store import Agent, plain
from damier.web.messages.training import (
    OWN,
    BlockEnds,
    GamesSoFar,
    LearnerAbout,
    OtherTable,
    SavedLearner,
    SavedTraining,
    ToldBlock,
    ToldRows,
    TrainingAbout,
    TrainingPicture,
)
from damier.web.own_agents import without_folders

MOST_ROWS = 300
"""Positions of a table that are told: those learnt from most often."""


def about_training(made: Trainer, game: str) -> TrainingAbout:
    """What does not change of a training: who learns what from whom. `game` as pages name it."""
    plan = made.plan
    return {
        **about(made.learner, game, 2 if other_of(made) else 1),
        "learner": without_folders(plan.learner),
        "opponent": without_folders(plan.opponent or ""),
        "seat": plan.seat,
        "seed": plan.seed,
        "against": without_folders(made.against),
    }


def other_of(made: Trainer) -> LearningPlayer | None:
    """The learner with the table of the other seat, where there is one."""
    return made.saved_opponent if isinstance(made, TableTrainer) and made.both_seats else None


def about(learner: Learner, game: str, tables: int = 1) -> LearnerAbout:
    if not isinstance(learner, LearningPlayer):
        return about_own(learner.text, game)
    return {
        "game": game,
        "learner": learner.text,
        "algorithm": learner.name,
        "parameters": as_written(learner.parameters),
        "tables": tables,
    }


def about_own(text: str, game: str) -> LearnerAbout:
    """The same of an agent of one's own: nobody knows how it learns."""
    return {"game": game, "learner": without_folders(text), "algorithm": OWN, "parameters": {}, "tables": 0}


def numbers(made: Trainer) -> GamesSoFar:
    """What changes and is quickly told: how far it is, and how the games of the last block ended."""
    training, learner = made.training, made.learner
    last = block_ends(training.curve.blocks[-1]) if training.curve.blocks else None
    memory = learner.memory if isinstance(learner, LearningPlayer) else None
    return {
        "games": training.episodes,
        "known": len(memory) if memory else 0,
        "decisions": memory.decisions if memory else 0,
        "epsilon": learner.memory.epsilon,
        "ends": last,
        "total": total_ends(training.curve),
    }


def total_ends(curve: Curve) -> BlockEnds:
    """How all games ended."""
    return block_ends(joined(curve.blocks)) if curve.blocks else block_ends(Block())


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


def moment(made: Trainer) -> TrainingPicture:
    """What changes: the curve, its last block graded even if it is not full, and what is known."""
    training, learner = made.training, made.learner
    blocks = training.curve.blocks
    if blocks and blocks[-1].grade is None:
        blocks = [*blocks[:-1], replace(blocks[-1], grade=training.grade(learner))]
    told = [told_block(block) for block in blocks]
    if not isinstance(learner, LearningPlayer):
        return {"blocks": told}
    last = learner.last_row if training.episodes else None
    other = other_of(made)
    table = other_table(other.memory, other.last_row if training.episodes else None) if other else None
    return {"blocks": told, "last": last, "other": table, **rows_of(learner.memory)}


def other_table(memory: Memory, last: int | None) -> OtherTable:
    """The table of the other seat."""
    return {"last": last, "known": len(memory), **rows_of(memory)}


def of_agent(agent: Agent | OwnAgent, game: str) -> SavedLearner:
    """A learner as its file has it; of two tables, the one of the seat whose results are told."""
    if isinstance(agent, OwnAgent):
        return {
            **about_own(agent.agent, game),
            **trained(agent),
            "last": None,
            "known": 0,
            "decisions": 0,
            "epsilon": 0.0,
            "other": None,
            "rows": [],
        }
    second = len(agent.memories) > 1 and agent.training.get("seat") == "2"
    memory = agent.memories[1 if second else 0]
    other = agent.memories[0 if second else 1] if len(agent.memories) > 1 else None
    tables = len(agent.memories)
    return {
        **about(LearningPlayer(agent.game, agent.learner, agent.parameters), game, tables),
        **trained(agent),
        "last": None,
        "known": len(memory),
        "decisions": memory.decisions,
        "epsilon": memory.epsilon,
        "other": other_table(other, None) if other else None,
        **rows_of(memory),
    }


def trained(agent: Agent | OwnAgent) -> SavedTraining:
    """How a learner came to what it is, as its file says it."""
    blocks = agent.curve.blocks
    return {
        "opponent": without_folders(str(agent.training.get("opponent", ""))),
        "seat": str(agent.training.get("seat", "")),
        "seed": int(agent.training.get("seed", 0)),
        "against": without_folders(str(agent.training.get("against", ""))),
        "state": "saved",
        "games": agent.games,
        "of": agent.games,
        "blocks": [told_block(block) for block in blocks],
        "ends": block_ends(blocks[-1]) if blocks else None,
        "total": total_ends(agent.curve),
    }


def rows_of(memory: Memory) -> ToldRows:
    """The rows of a table that are told."""
    return {
        "rows": [
            (
                number,
                plain(row.state),
                [written_move(memory.game, move) if move else None for move in row.moves],
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
