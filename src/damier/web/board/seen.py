"""Who is to move at a board page, and what of the game may be seen there."""

from __future__ import annotations

from damier.core.rules import CHANCE
from damier.web.board.session import GameSession, is_chance
from damier.web.board.truth import KnownTruth, known

LIGHT = ("chase", "random")
"""Agents that reply at once."""


def is_steered(session: GameSession) -> bool:
    """Whether a person steers by directions, as Pacman is."""
    return bool(session.people) and session.game.name == "pacman"


def wants_values(session: GameSession) -> bool:
    """Whether the exact values are to be seen: with `predict`, only after a guess."""
    return "truth" in session.shown and not must_guess(session) and not is_veiled(session)


def must_guess(session: GameSession) -> bool:
    """Whether a person must say first what the position is worth."""
    return "predict" in session.shown and not session.guessed and not session.position.over


def truth_state(session: GameSession, found: KnownTruth | None) -> str:
    """How far the exact values are known, in the words of `BoardState.truth`."""
    if found is None:
        asks = "truth" in session.shown and must_guess(session)
        return "off" if not asks else "guess" if is_person(session) or not session.people else "later"
    if found.proof:
        return "search" if found.hopeful else "stopped"
    return "here" if found.solution or found.ended else "wait" if found.hopeful else "none"


def is_person(session: GameSession) -> bool:
    """Whether a person at this page is to move."""
    position = session.position
    return not position.over and position.mover in session.people and session.me in (None, position.mover)


def is_light(session: GameSession) -> bool:
    """Whether a reply here takes no time to think about: a die, or an agent that need not look
    ahead.
    """
    player = session.position.mover
    if session.position.over or player == CHANCE:
        return True
    agent = session.seats[player].partition(":")[0]
    return agent in LIGHT or (agent == "perfect" and known(session).solution is not None)


def is_veiled(session: GameSession) -> bool:
    """Whether the board is to be hidden from who looks at it: in a game of imperfect information it
    shows what only the player to move may see.
    """
    position = session.position
    if (
        not session.game.imperfect_information
        or position.over
        or position.mover == CHANCE
        or not session.people
    ):
        return False
    if session.me is not None:
        return session.me != position.mover
    return position.mover not in session.people or (len(session.people) > 1 and session.look != session.at)


def may_move(session: GameSession, resigned: int | None) -> bool:
    return (
        not session.position.over
        and not is_chance(session.position)
        and resigned is None
        and not is_veiled(session)
    )
