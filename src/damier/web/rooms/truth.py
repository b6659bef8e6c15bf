"""What positions on a board are worth, where that takes longer than a person should wait for the
board; and guesses at it.
"""

from __future__ import annotations

from dataclasses import replace

from damier.core.moves import holds, move_in_words
from damier.core.solution import word_of
from damier.core.words import _
from damier.draw.history import WORDS
from damier.web.board.parts import answer
from damier.web.board.session import asked_session
from damier.web.board.truth import known_here
from damier.web.messages.rooms import BoardAnswer, GuessAnswer
from damier.web.params import Asked
from damier.web.registry import Registry

GUESSES = ("win", "draw", "loss")


def show(registry: Registry, asked: Asked) -> BoardAnswer:
    """The position with its exact values, or with the reason why they are not known."""
    return answer(asked_session(registry, asked), known_here)


def guess(registry: Registry, asked: Asked) -> GuessAnswer:
    """Whether a person's word for a position is right (`guess`), or keeps its value (`move`, a move
    that was picked instead); then its exact values.
    """
    session = replace(asked_session(registry, asked), guessed=True)
    values = known_here(session)
    found, solution = answer(session, lambda session: values), values.solution
    if solution is None:
        return {**found, "right": None, "said": ""}
    position = session.position
    value = word_of(solution.value(position.state))
    if picked := asked.text("move"):
        right = holds(solution.best_moves(position.state), position.read(picked))
        said = (
            _("{move} keeps the value.", move=move_in_words(picked))
            if right
            else _("{move} does not keep the value.", move=move_in_words(picked))
        )
        truth = _(
            "Before it, the position was {value} for player {n}.", n=position.mover + 1, value=_(WORDS[value])
        )
    else:
        right = asked.choice("guess", GUESSES) == value
        said = _("Right.") if right else _("Wrong.")
        truth = _("For player {n} it is {value}.", n=position.mover + 1, value=_(WORDS[value]))
    return {**found, "right": right, "said": f"{said} {truth}"}
