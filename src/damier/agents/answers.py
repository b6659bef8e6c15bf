"""What an agent of one's own answers, read as a move, or as the probabilities or the values of moves."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from numbers import Integral, Real

from damier.agents.own_code import OwnCode, shortened
from damier.core.errors import IllegalMove
from damier.core.position import Position
from damier.core.words import FormattedNumber, message, said_by

NEARLY = 1e-6
"""How far the probabilities of a policy may sum from 1."""


def read_move(position: Position, answer: object, code: OwnCode) -> int:
    """The move that an agent means: by its name; or as a whole number, which is a name too where
    the game's moves are named by numbers, and the move itself, one bit, elsewhere.

    Raises AgentFault.
    """
    named = position.named_moves
    if type(answer) is int:
        numbers = all(name.isdecimal() for name in named)
        if str(answer) in named:
            return named[str(answer)]
        if not numbers and answer in named.values():
            return answer
    elif isinstance(answer, str):
        try:
            return position.read(answer)
        except IllegalMove as error:
            raise code.fault(said_by(error)) from None
    elif isinstance(answer, Integral):  # a number of numpy's, say, or a bool
        return read_move(position, int(answer), code)
    raise code.fault(
        message(
            "{answer} is not a legal move here; legal: {moves}",
            answer=shortened(answer),
            moves=" ".join(named),
        )
    )


def read_weights(position: Position, said: object, code: OwnCode) -> dict[int, float]:
    """How likely each legal move is, as an agent's policy says; they sum to 1. Raises AgentFault."""
    if not isinstance(said, Mapping):
        raise code.fault(
            message("policy returned {answer}; it must return {{move: probability}}", answer=shortened(said))
        )
    found: dict[int, float] = {}
    for answer, share in said.items():
        if isinstance(share, bool) or not isinstance(share, Real) or not 0 <= float(share) <= 1 + NEARLY:
            raise code.fault(
                message(
                    "policy gives {move} the probability {share}; it must be from 0 to 1",
                    move=shortened(answer),
                    share=shortened(share),
                )
            )
        move = read_move(position, answer, code)
        found[move] = found.get(move, 0.0) + float(share)
    total = sum(found.values())
    if abs(total - 1) > NEARLY:
        raise code.fault(
            message("the probabilities of policy sum to {total}, not to 1", total=FormattedNumber(total))
        )
    return {move: share / total for move, share in found.items()}


def read_values(position: Position, said: object, code: OwnCode) -> dict[int, float]:
    """What moves are worth to an agent, as its method `values` says. Raises AgentFault."""
    if not isinstance(said, Mapping):
        raise code.fault(
            message("values returned {answer}; it must return {{move: number}}", answer=shortened(said))
        )
    found: dict[int, float] = {}
    for answer, value in said.items():
        if isinstance(value, bool) or not isinstance(value, Real) or not isfinite(value):
            raise code.fault(
                message(
                    "values gives {move} the value {value}; it must be a number",
                    move=shortened(answer),
                    value=shortened(value),
                )
            )
        found[read_move(position, answer, code)] = float(value)
    return found
