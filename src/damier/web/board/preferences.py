"""What an agent thinks of the moves of a position: the values of a search, the probabilities of a
policy, the numbers that a learner has learnt.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from damier.core.analysis import plain
from damier.core.bits import mix64
from damier.core.errors import DamierError
from damier.core.game import Game
from damier.core.moves import holds
from damier.core.player import Player, Policy
from damier.core.rules import Moves, State
from damier.core.words import _, decimal, grouped, percent
from damier.learn.player import LearningPlayer
from damier.learn.seated import SeatedPlayer
from damier.search.player import SearchPlayer
from damier.web.board.judged import JudgedPosition, judged
from damier.web.plain import for_page

LARGEST_TABLE = 200_000
"""Rows of a learner among which a page looks for the one of its position."""


@dataclass(frozen=True)
class ActionPreferences:
    """agent  as it was asked for
    what   what the numbers are
    cells  the text for each move, by its bit
    liked  the moves that it likes best
    note   what else it says
    judged by what it judges the position, of a search with an evaluation
    """

    agent: str
    what: str
    cells: dict[int, str] = field(default_factory=dict)
    liked: Moves = 0
    note: str = ""
    judged: JudgedPosition | None = None

    def likes(self, move: int) -> bool:
        """Whether a move is one of those that it likes best."""
        return holds(self.liked, move)


def preferences_of(player: Player, text: str, game: Game, s: State, seed: int) -> ActionPreferences:
    """What a player thinks; why it has no opinion, where it has none."""
    try:
        if isinstance(player, SearchPlayer):
            return of_search(player, text, s, seed)
        if isinstance(player, Policy):
            return of_policy(player, text, game, s)
    except DamierError as error:
        return ActionPreferences(text, "", note=for_page(str(error)))
    return ActionPreferences(text, "", note=_("It does not say what it thinks."))


def of_search(player: SearchPlayer, text: str, s: State, seed: int) -> ActionPreferences:
    """The value of every move for who is to move, as far as the search has come."""
    found = player.analyse(s, mix64(seed))
    mover = max(0, player.game.mover(s))
    values = {
        move: value[mover] if isinstance(value, tuple) else value for move, value in found.values.items()
    }
    cells = {move: decimal(plain(round(value, 3)), "+") if value else "0" for move, value in values.items()}
    if found.visits:
        cells = {
            move: _("{value}, {n} games", value=cell, n=grouped(found.visits.get(move, 0)))
            for move, cell in cells.items()
        }
    note = _("{n} positions looked at", n=grouped(found.nodes))
    note += _("; stopped by its limit") if found.stopped else ""
    return ActionPreferences(text, _("value"), cells, found.best, note, judged(found, player.text))


def of_policy(player: Policy, text: str, game: Game, s: State) -> ActionPreferences:
    """How likely each move is; of a learner, with what it has learnt of it."""
    chances = player.probabilities(game, s)
    most = max(chances.values(), default=0.0)
    liked = game.gathered(move for move, chance in chances.items() if chance > most - 1e-9)
    learnt = learnt_of(player, game, s)
    cells = {
        move: percent(chance, ".0f") + (f" ({learnt[move]})" if move in learnt else "")
        for move, chance in chances.items()
    }
    what = _("how likely (learnt)") if learnt else _("how likely")
    rest = 1 - sum(chances.values())
    return ActionPreferences(
        text,
        what,
        cells,
        liked,
        _("gives up: {share} %", share=decimal(100 * rest, ".0f")) if rest > 1e-6 else "",
    )


def learnt_of(player: Player, game: Game, s: State) -> dict[int, str]:
    """The numbers in a learner's table for each move of a position, as far as the position is
    written there as it stands.
    """
    if isinstance(player, SeatedPlayer):
        player = player.players[game.mover(s)]
    if not isinstance(player, LearningPlayer) or len(player.memory) > LARGEST_TABLE:
        return {}
    alike = bool(getattr(player.parameters, "alike", False))
    wanted = {
        game.canonical(after) if alike else after: move
        for move, after in ((move, game.play(s, move)) for move in game.legal(s))
    }
    here = game.canonical(s) if alike else s
    if player.name == "v":
        return {
            wanted[row.state]: decimal(row.values[0], "+.3f")
            for row in player.memory.rows()
            if row.state in wanted
        }
    row = next((row for row in player.memory.rows() if row.state == here), None)
    if row is None:
        return {}
    numbers = (
        [grouped(count) for count in row.counts]
        if player.name == "beads"
        else [decimal(value, "+.2f") for value in row.values]
    )
    return dict(zip(row.moves, numbers, strict=True))
