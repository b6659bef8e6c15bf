"""What learners tell of each step of their learning, to whoever watches: `damier.learn.episode_trace`."""

from __future__ import annotations


def told_update(
    player: int,
    decision: int,
    entry: int,
    times: int,
    reward: float,
    following: float,
    trace: float,
    target: float,
    before: float,
    after: float,
) -> None:
    """An entry has been learnt from; nobody listens, unless another function is bound to this name.

    player, decision  whose, and which of the game, from 0
    entry, times      of the table, and how often it has been learnt from now
    reward            what came after the decision: of matchboxes, the beads put in or taken out
    following         what was expected after that; trace: the share of the target there in it
    target            what the value moves towards: of a mean, the score of the game
    before, after     the value, or the number of beads

    Compiled it is inlined to nothing.
    """
