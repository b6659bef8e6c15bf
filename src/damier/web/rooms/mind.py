"""What the agents at a board think of its position, beside the truth."""

from __future__ import annotations

from damier.core.words import _
from damier.draw.marks import move_marks
from damier.web import pages
from damier.web.asked import Asked
from damier.web.board.minds import opinion
from damier.web.board.parts import is_veiled
from damier.web.board.seats import HUMAN
from damier.web.board.sitting import asked_sitting, is_chance
from damier.web.board.truth import known
from damier.web.desk import Desk
from damier.web.messages.rooms import PartsAnswer

MOST_MINDS = 3


def show(desk: Desk, asked: Asked) -> PartsAnswer:
    """A table: every legal move, what each agent thinks of it, and what it leads to where that is
    known and asked for.
    """
    sitting = asked_sitting(desk, asked)
    position = sitting.position
    agents = [text for text in dict.fromkeys(sitting.seats) if text != HUMAN][:MOST_MINDS]
    if not agents or position.over or is_chance(position) or is_veiled(sitting):
        return {
            "parts": {
                "mind": pages.part(
                    "board_mind.html",
                    opinions=[],
                    marks=[],
                    why="" if agents else _("No agent sits at this board."),
                )
            }
        }
    opinions = [
        opinion(desk.agent(sitting.name, text), text, desk.game(sitting.name), position.state, sitting.seed)
        for text in agents
    ]
    solution = (
        known(sitting).solution
        if "truth" in sitting.shown and ("predict" not in sitting.shown or sitting.guessed)
        else None
    )
    marks = move_marks(sitting.game, position.state, solution.explain(position.state) if solution else None)
    return {"parts": {"mind": pages.part("board_mind.html", opinions=opinions, marks=marks, why="")}}
