"""How good the levels of a game are: what each one is, and what it is worth against random play."""

from __future__ import annotations

from typing import NamedTuple

from damier.core.errors import DamierError, Unsuitable
from damier.core.grade import Chances, Grade
from damier.core.words import _, percent
from damier.lab.agents import brought
from damier.lab.lab import Lab
from damier.lab.levels import GRADED, LEVELS, NAMES, against_random, is_small, meaning, refuse_perfect
from damier.web import pages
from damier.web.messages.parts import PartsAnswer
from damier.web.params import Asked
from damier.web.registry import Registry


class LevelRow(NamedTuple):
    """A level, what it does, and the agent that it is; for each seat how often it wins, draws and loses
    against random play, and how often it is beaten at most, where that is known.
    """

    name: str
    words: str
    agent: str
    seats: tuple[tuple[str, ...], ...] = ()


def show(registry: Registry, asked: Asked) -> PartsAnswer:
    """The levels of a `game`."""
    lab = registry.lab(asked.text("game"))
    rows, missing = [], ""
    for level in LEVELS:
        try:
            found = meaning(lab.game, level)
        except Unsuitable as error:
            missing = str(error)
            continue
        grade = grade_of(lab, level)
        rows.append(row_of(_(NAMES[level]), found.words, found.agent, grade))
    try:
        refuse_perfect(lab)
    except DamierError as error:
        missing = missing or _("There is no perfect player here: {why}", why=error)
    else:
        words = _("never gives away what a position is worth: nobody does better")
        grade = grade_of(lab, "perfect")
        rows.append(row_of(_(NAMES["perfect"]), words, "perfect", grade))
    known = any(row.seats for row in rows)
    return {
        "parts": {
            "levels": pages.part("board_levels.html", rows=rows, known=known, missing=missing, most=GRADED)
        }
    }


def grade_of(lab: Lab, level: str) -> Grade | None:
    """What a level is worth against random play, where that is known; no clock has a say in it."""
    return against_random(lab, brought(lab, level)) if is_small(lab.game, GRADED) else None


def row_of(name: str, words: str, agent: str, grade: Grade | None) -> LevelRow:
    if grade is None:
        return LevelRow(name, words, agent)
    # the best response at seat 1 meets the level at seat 2
    pairs: zip[tuple[Chances, Chances]] = zip(grade.seats, reversed(grade.best_response), strict=True)
    return LevelRow(
        name,
        words,
        agent,
        tuple(
            tuple(map(percent, (against.win, against.draw, against.loss, best.win)))
            for against, best in pairs
        ),
    )
