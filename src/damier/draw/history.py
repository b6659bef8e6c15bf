"""Values of the positions of one game, ply by ply, as a picture: high where the first player wins, the
higher the sooner; grey where nothing is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from damier.core.moves import move_in_words
from damier.core.solution import PAYOFFS, AnyValue, PayoffValue, Value
from damier.core.words import N_, _, ngettext
from damier.draw.svg import SvgBlock, document, escaped, label, number, tag
from damier.draw.text import SIGNS

WIDTH = 268.0
NARROWEST, WIDEST = 16.0, 32.0
"""Of a column: room for a sign that can be read, and no more than it needs."""
HALF, LOW_HALF = 26.0, 19.0
"""From the middle of a row to its edge; of a game that takes several rows."""
GAP = 17.0
"""Between two rows."""
DASH = 4.0
"""How thick a draw is, and the shortest bar."""
FONT = 12.0
NEAREST, FARTHEST = 1.0, 0.35
"""Heights of the shortest and the longest way to a win, a draw lying at 0."""
WORDS: dict[Value, str] = {"win": N_("a win"), "draw": N_("a draw"), "loss": N_("a loss")}


@dataclass(frozen=True)
class HistoricMoment:
    """A position of a game.

    Attributes:
        move: the move that led to it, empty at the start
        value: what it is worth to the first player
        distance: plies to the end, None where nobody can force one
        lost: what the move gave away: the value to its mover before and after; None where it kept the value
        payoff: the payoff to the first player, of games whose values are payoffs
        move_text: the move as people write it
        sides: what the players are called by, where that is no number
    """

    move: str
    value: Value
    distance: int | None
    lost: tuple[AnyValue, AnyValue] | None = None
    payoff: PayoffValue | None = None
    move_text: str = ""
    sides: tuple[str, ...] = ()

    def words(self, ply: int) -> str:
        """Return the same in a sentence."""
        worth = {"win": self.wins(0), "draw": _("a draw"), "loss": self.wins(1)}[self.value]
        if self.distance and self.value != "draw":
            worth = ngettext("{worth} in {n} ply", "{worth} in {n} plies", self.distance, worth=worth)
        if self.payoff is not None:
            words = self.payoff.words
            worth = (
                _("{player} {worth}", player=self.sides[0], worth=words)
                if self.sides
                else _("player 1 {worth}", worth=words)
            )
        if not ply:
            return _("start: {worth}", worth=worth)
        blunder = (
            _(
                " — a blunder: {before} became {after}",
                before=in_words(self.lost[0]),
                after=in_words(self.lost[1]),
            )
            if self.lost
            else ""
        )
        return (
            _("{ply}. {move}: {worth}", ply=ply, move=self.move_text or move_in_words(self.move), worth=worth)
            + blunder
        )

    def wins(self, player: int) -> str:
        """Return that a player wins."""
        if self.sides:
            return _("{player} wins", player=self.sides[player])
        return _("player 2 wins") if player else _("player 1 wins")


def in_words(value: AnyValue) -> str:
    """A value: a win, or its payoff."""
    return str(value) if isinstance(value, PayoffValue) else _(WORDS[value])


def history_svg(moments: Mapping[int, HistoricMoment], plies: int, at: int) -> str:
    """The picture of a game of so many plies as SVG text: a column a position, the first one included, in
    as many rows as it takes. What is known (`moments`, by ply) is a bar and a sign, of all else the ground
    is grey; position number `at` has a frame.

    Every position carries its number as `data-at`.
    """
    columns = plies + 1
    width = max(NARROWEST, min(WIDEST, WIDTH / columns))
    a_row = int(WIDTH / width)
    half = HALF if columns <= a_row else LOW_HALF
    slowest = max((moment.distance or 0 for moment in moments.values()), default=0)
    most = max((abs(moment.payoff.payoff) for moment in moments.values() if moment.payoff), default=0.0)
    drawn = []
    for ply in range(columns):
        row, column = divmod(ply, a_row)
        moment = moments.get(ply)
        bar = cell(width, half, ply == at)
        if moment is not None:
            bar = cell(width, half, ply == at, moment, height(moment, slowest, most))
            bar = tag("title", escaped(moment.words(ply))) + bar
        x, y = number(column * width), number(row * (2 * half + GAP))
        drawn.append(tag("g", bar, data_at=ply, transform=f"translate({x} {y})"))
    rows = -(-columns // a_row)
    return document(
        SvgBlock(WIDTH, rows * (2 * half + GAP), "".join(drawn)),
        _("What the positions of this game are worth"),
        "\n".join(moments[ply].words(ply) for ply in sorted(moments)),
        margin=2,
    )


def cell(
    width: float, half: float, here: bool, moment: HistoricMoment | None = None, tall: float = 0.0
) -> str:
    """A position: its ground below the room for the sign of chess books, `?`, of a move that lost something;
    a bar from the middle, up where the first player wins, as `tall` as that is near, and the sign of the
    value in the free half.
    """
    edge = {"x": 0.75, "y": GAP + 0.75 - 3, "width": width - 1.5, "height": 2 * half - 1.5, "rx": 2}
    middle, parts = GAP - 3 + half, []
    if moment is None:
        parts.append(tag("rect", class_="d-none", opacity=0.3, **edge))
    else:
        parts.append(tag("rect", class_="d-cell", stroke_width=0.75, **edge))
        long = max(abs(tall) * (half - 2), DASH)
        top = middle - long if tall > 0 else middle if tall < 0 else middle - DASH / 2
        bar = tag(
            "rect",
            class_=f"d-{moment.value}",
            stroke="none",
            x=2.5,
            y=top,
            width=width - 5,
            height=long if tall else DASH,
        )
        aside = half / 2 + 1
        parts += [bar, label(SIGNS[moment.value], width / 2, middle + (-aside if tall < 0 else aside), FONT)]
        if moment.lost:
            parts.append(label("?", width / 2, (GAP - 3) / 2, FONT * 1.2, class_="d-area-bad"))
    if here:
        parts.append(tag("rect", class_="d-line-ink d-here", stroke_width=2.0, **edge))
    return "".join(parts)


def height(moment: HistoricMoment, slowest: int, most: float = 0.0) -> float:
    """From -1 to 1; of payoffs in parts of the largest, or of a certain win."""
    if moment.payoff is not None:
        return moment.payoff.payoff / (1.0 if moment.payoff.kind == "chance" else most or 1.0)
    if moment.distance is None and slowest:  # it is known who wins, not how soon
        return PAYOFFS[moment.value] * FARTHEST
    near = 1 - (moment.distance or 0) / (slowest + 1)
    return PAYOFFS[moment.value] * (FARTHEST + (NEAREST - FARTHEST) * near)
