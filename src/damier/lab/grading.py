"""What an agent is worth against another: exactly where its probabilities are known or it always
decides alike, else by games.
"""

from __future__ import annotations

from dataclasses import dataclass

from damier.agents.own import OwnPlayer
from damier.arena.human import HumanPlayer
from damier.arena.match import Score, match
from damier.core.errors import Unsuitable
from damier.core.grade import Grade
from damier.core.loop import MatchSetup
from damier.core.player import Player, Policy
from damier.core.words import _, message
from damier.lab.deterministic_policy import decisions, fixed_choices
from damier.lab.lab import Lab
from damier.solve.dispatch import refuse_too_large
from damier.solve.grade import grade, refuse_ungradable

GAMES = 2000
"""Games that are played where an agent cannot be graded exactly."""


@dataclass(frozen=True)
class Graded:
    """What an agent is worth: `exact`, or by `games` and `why` it is not exact."""

    exact: Grade | None = None
    games: Score | None = None
    why: str = ""


def graded(lab: Lab, player: Player, against: Player, games: int | None, seed: int) -> Graded:
    """The grade of an agent; by so many games where that is asked for.

    Raises Unsuitable for a game that cannot be graded and for a person, LimitReached, AgentFault.
    """
    for other in (player, against):
        if isinstance(other, HumanPlayer):
            raise Unsuitable(
                message("{agent} cannot be asked in every position, so it cannot be graded", agent=other.text)
            )
    if games is None:
        refuse_ungradable(lab.game)
        refuse_too_large(lab.game, lab.job)
        ours, why = as_policy(lab, player)
        theirs, their_why = as_policy(lab, against) if ours is not None else (None, "")
        if ours is not None and theirs is not None:
            return Graded(exact=grade(lab.game, ours, theirs, lab.job))
        reason = why or their_why
    else:
        reason = _("asked for by --games")
    table = MatchSetup(lab.game, (player, against), seed, swap=1)
    return Graded(games=match(table, games or GAMES, lab.job), why=reason)


def as_policy(lab: Lab, player: Player) -> tuple[Policy | None, str]:
    """An agent as a policy, or why it is none.

    Raises LimitReached, and AgentFault for what goes wrong in an agent of one's own.
    """
    if isinstance(player, Policy):
        return player, ""
    if not isinstance(player, OwnPlayer):
        return None, _("{agent} cannot say how likely its moves are", agent=player.text)
    found = fixed_choices(lab.game, player.frozen(), decisions(lab.game, lab.job))
    return (None, f"{player.text}: {found.varies}") if found.varies else (found, "")
