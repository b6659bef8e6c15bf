"""Values of the positions of one game, ply by ply, as a picture: high where the first player wins, the
higher the sooner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from damier.core.moves import move_in_words
from damier.core.solution import AnyValue, PayoffValue, Value
from damier.core.words import N_, _, ngettext
from damier.draw.annotations import RANKS
from damier.draw.svg import BOLD, SvgBlock, document, escaped, label, number, polyline, tag

WIDTH, HEIGHT = 250.0, 110.0
FONT = 12.0
NEAREST, FARTHEST = 1.0, 0.35
"""Heights of the shortest and the longest way to a win, a draw lying at 0."""
WORDS: dict[Value, str] = {"win": N_("a win"), "draw": N_("a draw"), "loss": N_("a loss")}


@dataclass(frozen=True)
class HistoricMoment:
    """A position of a game.

    move      the move that led to it, empty at the start
    value     what it is worth to the first player
    distance  plies to the end, None where nobody can force one
    lost      what the move gave away: the value to its mover before and after; None where it kept
              the value
    worth     the payoff to the first player, of games whose values are payoffs
    said      the move as people write it; sides: what the players are called by, where that is no number
    """

    move: str
    value: Value
    distance: int | None
    lost: tuple[AnyValue, AnyValue] | None = None
    worth: PayoffValue | None = None
    said: str = ""
    sides: tuple[str, ...] = ()

    def words(self, ply: int) -> str:
        """Return the same in a sentence."""
        worth = {"win": self.wins(0), "draw": _("a draw"), "loss": self.wins(1)}[self.value]
        if self.distance and self.value != "draw":
            worth = ngettext("{worth} in {n} ply", "{worth} in {n} plies", self.distance, worth=worth)
        if self.worth is not None:
            words = self.worth.words
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
            _("{ply}. {move}: {worth}", ply=ply, move=self.said or move_in_words(self.move), worth=worth)
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


def history_svg(moments: Sequence[HistoricMoment], at: int) -> str:
    """The picture as SVG text; position number `at` is marked.

    Every position carries its number as `data-at`.
    """
    step = WIDTH / max(8, len(moments) - 1)
    slowest = max((moment.distance or 0 for moment in moments), default=0)
    most = max((abs(moment.worth.payoff) for moment in moments if moment.worth), default=0.0)
    places = [
        (8 + ply * step, HEIGHT / 2 * (1 - height(moment, slowest, most)))
        for ply, moment in enumerate(moments)
    ]
    names = (
        (0.0, -18.0, moments[0].wins(0)),
        (HEIGHT / 2, -8.0, _("draw")),
        (HEIGHT, 18.0, moments[0].wins(1)),
    )
    ground = [tag("rect", class_="d-cell", x=0.0, y=-8.0, width=WIDTH + 16, height=HEIGHT + 16, rx=4)]
    ground += [
        tag("path", class_="d-rule", d=f"M0 {number(y)}h{number(WIDTH + 16)}", stroke_width=1.0)
        for y, _beside, _name in names
    ]
    ground += [label(name, WIDTH + 10, y + beside, FONT, "end", "d-quiet") for y, beside, name in names]
    x, _y = places[at]
    ground.append(
        tag(
            "path",
            class_="d-line-quiet",
            d=f"M{number(x)} -8v{number(HEIGHT + 16)}",
            stroke_width=1.5,
            stroke_dasharray="3 3",
        )
    )
    ground.append(tag("path", class_="d-line-ink", d=polyline(places), stroke_width=1.6))
    dots = [
        dot(moment, ply, *place, min(4.5, 0.4 * step))
        for ply, (moment, place) in enumerate(zip(moments, places, strict=True))
    ]
    body = tag("g", *ground, *dots, transform="translate(0 34)")
    words = "\n".join(moment.words(ply) for ply, moment in enumerate(moments))
    return document(
        SvgBlock(WIDTH + 16, HEIGHT + 66, body),
        _("What the positions of this game are worth"),
        words,
        margin=6,
    )


def height(moment: HistoricMoment, slowest: int, most: float = 0.0) -> float:
    """From -1 to 1; of payoffs in parts of the largest, or of a certain win."""
    if moment.worth is not None:
        return moment.worth.payoff / (1.0 if moment.worth.kind == "chance" else most or 1.0)
    near = 1 - (moment.distance or 0) / (slowest + 1)
    return RANKS[moment.value] * (FARTHEST + (NEAREST - FARTHEST) * near)


def dot(moment: HistoricMoment, ply: int, x: float, y: float, radius: float) -> str:
    """A position; a blunder has the sign of chess books, `?`, and a square instead of a disc."""
    shape = tag("circle", class_="d-area-ink", cx=x, cy=y, r=radius)
    if moment.lost:
        edge = 2 * radius + 1
        shape = tag(
            "rect", class_="d-loss", x=x - edge / 2, y=y - edge / 2, width=edge, height=edge, stroke_width=1.0
        )
        above = y - radius - 8 if y > 12 else y + radius + 8
        shape += label("?", x, above, FONT * BOLD * 2, class_="d-area-bad")
    return tag("g", tag("title", escaped(moment.words(ply))), shape, data_at=ply)
