"""What the agents at a board think of its position, beside the truth."""

from __future__ import annotations

from damier.core.errors import AgentFault
from damier.core.player import follow
from damier.core.words import _
from damier.web import pages
from damier.web.board.parts import is_veiled, marks_of
from damier.web.board.session import (
    HUMAN,
    ActionPreferences,
    GameSession,
    asked_session,
    is_chance,
    preferences_of,
)
from damier.web.board.truth import known
from damier.web.messages.parts import PartsAnswer
from damier.web.params import Asked
from damier.web.registry import Registry

MOST_MINDS = 3


def show(registry: Registry, asked: Asked) -> PartsAnswer:
    """A table: every legal move, what each agent thinks of it, and what it leads to where that is
    known and asked for.
    """
    session = asked_session(registry, asked)
    position = session.position
    agents = [text for text in dict.fromkeys(session.seats) if text != HUMAN][:MOST_MINDS]
    if not agents or position.over or is_chance(position) or is_veiled(session):
        return {
            "parts": {
                "mind": pages.part(
                    "board_mind.html",
                    preferences=[],
                    marks=[],
                    why="" if agents else _("No agent sits at this board."),
                )
            }
        }
    preferences = [thoughts(registry, session, text) for text in agents]
    told = "truth" in session.shown and ("predict" not in session.shown or session.guessed)
    marks = marks_of(session, known(session) if told else None)
    return {"parts": {"mind": pages.part("board_mind.html", preferences=preferences, marks=marks, why="")}}


def thoughts(registry: Registry, session: GameSession, text: str) -> ActionPreferences:
    """What one agent thinks; of the user's own, what is wrong in its file."""
    try:
        player = registry.agent(session.name, text)
    except AgentFault as error:
        return ActionPreferences(text, "", note=str(error))
    follow(player, session.position)
    return preferences_of(player, text, registry.game(session.name), session.position.state, session.seed)
