"""Results of games that are known: proven by damier itself, or published by a source of
docs/bibliography.md.

Whoever shows them counts nothing and solves nothing.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from damier.core.game import Game
from damier.core.solution import Kind, PayoffValue, Value
from damier.core.words import N_, _, grouped, ngettext


class KnownResult(NamedTuple):
    """Result of best play, for player 1, and what shows it.

    Attributes:
        value: a win, a draw or a loss
        source: the key of a source, or OWN: damier works it out in seconds
        plies: until the end, where they are known
        payoff: what is won by, or how likely a win is, of games whose ends are worth more than a win
        counted: positions and, of these, ends of the game
    """

    value: Value
    source: str
    plies: int | None = None
    payoff: PayoffValue | None = None
    counted: tuple[int, int] | None = None

    @property
    def best_play(self) -> str:
        """Return who wins if nobody errs, and how soon, or by how much."""
        if self.payoff is not None:
            return _("player 1 {worth}", worth=self.payoff.words)
        who = _(VALUES[self.value])
        if self.plies is None:
            return who
        return ngettext("{who}, in {n} ply", "{who}, in {n} plies", self.plies, who=who)

    @property
    def positions(self) -> str:
        """Return how many positions there are; nothing where they were not counted."""
        if self.counted is None:
            return ""
        states, ends = self.counted
        said = ngettext("{n} end", "{n} ends", ends, n=grouped(ends))
        return _("{n} ({ends})", n=grouped(states), ends=said)

    @property
    def cited(self) -> str:
        """Return the source as a reader finds it: who, and when."""
        return _(SOURCES[self.source])


VALUES: dict[Value, str] = {"win": N_("player 1 wins"), "draw": N_("a draw"), "loss": N_("player 2 wins")}
OWN = "damier"
SOURCES = {
    OWN: N_("worked out by damier"),
    "Allis88": N_("V. Allis, 1988; proven again by damier"),
    "Gasser96": N_("R. Gasser, 1996"),
    "Hayward04": N_("R. Hayward and others, 2004"),
    "Neller04": N_("T. W. Neller and C. G. M. Presser, 2004"),
    "Schaeffer07": N_("J. Schaeffer and others, 2007"),
}
"""Sources by their keys in docs/bibliography.md."""


def _won_by(payoff: float, kind: Kind = "margin", *counted: int) -> KnownResult:
    value: Value = "win" if payoff > 0 else "loss"
    return KnownResult(value, OWN, payoff=PayoffValue(payoff, kind), counted=(counted[0], counted[1]))


KNOWN_RESULTS = {
    "connect_four:width=7,height=6,in_a_row=4": KnownResult("win", "Allis88", 41),
    "dots_and_boxes:rows=2,columns=2": _won_by(2, "margin", 5349, 8),
    "draughts:variant=english": KnownResult("draw", "Schaeffer07"),
    "hex:size=5,swap=false": KnownResult("win", "Hayward04"),
    "hexapawn:width=3,height=3,blocked=draw": KnownResult("draw", OWN, counted=(135, 65)),
    "hexapawn:width=3,height=3,blocked=loss": KnownResult("loss", OWN, 6, counted=(135, 65)),
    "kalah:pits=3,seeds=3,empty_capture=false": _won_by(2, "margin", 29274, 2198),
    "nim:matches=16,take=3,misere=true": KnownResult("win", OWN, 8, counted=(32, 2)),
    "nine_mens_morris:flying=true": KnownResult("draw", "Gasser96"),
    "octapawn:width=4,height=4,blocked=draw": KnownResult("draw", OWN, counted=(20286, 8866)),
    "pawns:width=4,height=3,blocked=draw": KnownResult("draw", OWN, counted=(1128, 642)),
    "pig:target=100": KnownResult("win", "Neller04", payoff=PayoffValue(0.0612, "chance")),
    "pig:target=20": _won_by(0.2312, "chance", 13148, 722),
    "tictactoe:misere=false": KnownResult("draw", OWN, counted=(5478, 958)),
}
"""By the game with all its options."""

Group: TypeAlias = Literal["solved", "searched", "chance"]
GROUPS: dict[Group, str] = {
    "solved": N_("Solved: best play is known"),
    "searched": N_("Too large to solve: searched"),
    "chance": N_("Dice, secrets, or more than two players"),
}


def known_result(game: Game) -> KnownResult | None:
    """Return what best play of one of damier's games comes to, where that is known."""
    return None if game.source is not None else KNOWN_RESULTS.get(game.text)


def group_of(game: Game) -> Group:
    """Return the group in which a game is listed."""
    if game.stochastic or game.imperfect_information or game.players != 2:
        return "chance"
    return "solved" if known_result(game) else "searched"
