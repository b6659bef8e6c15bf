"""Whose turn it is at a board, and how a game ended, to whom reads it."""

from __future__ import annotations

from damier.core.rules import CHANCE
from damier.core.words import _, decimal, grouped
from damier.lab.names import agent_in_words
from damier.web.board.seats import HUMAN
from damier.web.board.session import GameSession


def said(session: GameSession, resigned: int | None) -> str:
    """Whose turn it is, or how it ended."""
    position = session.position
    if resigned is not None:
        return _("{player} gives up.", player=player_words(session, resigned))
    if position.payoffs is not None:
        return result(session, position.payoffs)
    if position.mover == CHANCE:
        return _("A die is thrown.")
    if position.mover == session.you:
        return _("Your move (player {n}).", n=position.mover + 1)
    return _("{player} is to move.", player=player_words(session, position.mover))


def result(session: GameSession, payoffs: tuple[int, ...]) -> str:
    """How a game ended, to whom reads it."""
    if sorted(payoffs) == [-1, 1]:
        winner = payoffs.index(1)
        if winner == session.you:
            return _("You have won.")
        return _("{player} has won.", player=player_words(session, winner))
    if not any(payoffs):
        return _("A draw.")
    if len(payoffs) == 2 and not sum(payoffs) and not collects_points(session):
        winner = payoffs.index(max(payoffs))
        if winner == session.you:
            return _("You have won by {n}.", n=grouped(max(payoffs)))
        return _("{player} has won by {n}.", player=player_words(session, winner), n=grouped(max(payoffs)))
    listed = " · ".join(
        _("{player} {payoff}", player=player_words(session, player), payoff=signed(payoff))
        for player, payoff in enumerate(payoffs)
    )
    return _("The end. Payoffs: {payoffs}.", payoffs=listed)


def areas(session: GameSession) -> str:
    """What a game of Go was counted by, in points."""
    lead, komi = session.game.features["area"](session.position.state), session.game.options["komi"]
    assert isinstance(komi, int | float)
    return _(
        "Area of Black less that of White: {lead}; komi for White: {komi}",
        lead=signed(int(lead)),
        komi=decimal(komi),
    )


def collects_points(session: GameSession) -> bool:
    """Whether payoffs are what was collected on the way, as Pacman's are, and no lead at the end."""
    return "reward" in session.position.game.given


def signed(payoff: int) -> str:
    """A payoff as it is printed: with a sign, and a minus that is as long as a plus is wide."""
    return f"{'−' if payoff < 0 else '+' if payoff else ''}{grouped(abs(payoff))}"


def player_words(session: GameSession, player: int) -> str:
    """A player and who it is."""
    name = session.names[player] if player < len(session.names) else ""
    if session.seats[player] == HUMAN and name:
        return _("{name} (you)", name=name) if player == session.you else name
    if session.seats[player] == HUMAN:
        return _("Player {n} (you)", n=player + 1) if player == session.you else _("Player {n}", n=player + 1)
    agent = session.seats[player].partition(":")[0]
    return _("Player {n} ({agent})", n=player + 1, agent=agent_in_words(agent))
