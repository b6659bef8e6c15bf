"""How a move was chosen: the numbers that were drawn, and the shares of the moves as a bar (row A-22)."""

from __future__ import annotations

from collections.abc import Sequence

from damier.core.game import Game
from damier.core.words import _
from damier.draw.svg import CHARACTER, SvgBlock, document, label, tag
from damier.draw.text import columns_of
from damier.learn.episode_trace import ToldDecision
from damier.learn.player import AnyParameters
from damier.web import pages
from damier.web.training.words import full_number, localised

WIDTH, HEIGHT, FONT = 330.0, 26.0, 13.0
COLOURS = 6


def why_part(game: Game, algorithm: str, parameters: AnyParameters, decision: ToldDecision) -> str:
    """Why a learner took a move, as a part of the page."""
    moves = game.legal(decision.state)
    names = [game.name_move(decision.state, move) for move in moves]
    shares = decision.shares[: len(moves)]
    chosen = names[moves.index(decision.move)] if decision.move else ""
    by_shares = algorithm == "beads" or getattr(parameters, "policy", "greedy") == "softmax"
    explored = algorithm != "beads" and decision.drawn[0] < decision.epsilon
    drawn = decision.drawn[0 if algorithm == "beads" else 1]
    with_bar = by_shares and not explored and decision.entry >= 0
    return pages.part(
        "training_why.html",
        said=said(algorithm, decision, chosen, explored=explored, by_shares=by_shares),
        bar=pages.picture(shares_svg(names, shares, drawn)) if with_bar else "",
    )


def shares_part(said: str, shares: Sequence[tuple[str, float]]) -> str:
    """A sentence about shares of moves that nobody has drawn from before us, as a part of the page."""
    bar = shares_svg([name for name, _share in shares], tuple(share for _name, share in shares), None)
    return pages.part("training_why.html", said=said, bar=pages.picture(bar))


def said(algorithm: str, decision: ToldDecision, chosen: str, *, explored: bool, by_shares: bool) -> str:
    """The same in a sentence."""
    agent, epsilon = decision.player + 1, full_number(decision.epsilon)
    drawn = localised(f"{decision.drawn[0]:.3f}")
    if not decision.move:
        return _("Agent {n} finds its box empty and gives up.", n=agent)
    if decision.entry < 0:
        return _("Agent {n} has no choice: {move}.", n=agent, move=chosen)
    if algorithm == "beads":
        return _("Agent {n} draws a bead: {move}.", n=agent, move=chosen)
    if explored:
        return _(
            "Agent {n} drew {drawn} < ε = {epsilon}: a move at random, {move}.",
            n=agent,
            drawn=drawn,
            epsilon=epsilon,
            move=chosen,
        )
    if by_shares:
        return _(
            "Agent {n} drew {drawn} ≥ ε = {epsilon}: by the shares of softmax it takes {move}.",
            n=agent,
            drawn=drawn,
            epsilon=epsilon,
            move=chosen,
        )
    return _(
        "Agent {n} drew {drawn} ≥ ε = {epsilon}: of the highest values it takes {move}.",
        n=agent,
        drawn=drawn,
        epsilon=epsilon,
        move=chosen,
    )


def shares_svg(names: list[str], shares: tuple[float, ...], drawn: float | None) -> str:
    """The moves side by side, each as wide as it is likely, with an arrow at the number that was drawn."""
    x, body = 0.0, []
    for number, (name, share) in enumerate(zip(names, shares, strict=True)):
        width = WIDTH * share
        body.append(tag("rect", class_=f"share s{number % COLOURS}", x=x, y=16.0, width=width, height=HEIGHT))
        if width > CHARACTER * FONT * columns_of(name):
            body.append(label(name, x + width / 2, 16 + HEIGHT / 2, FONT))
        x += width
    if drawn is not None:
        at = WIDTH * drawn
        body.append(tag("path", class_="d-ink drawn", d=f"M{at:.2f} 14l-5 -10h10z"))
    words = ", ".join(
        f"{name} {localised(f'{100 * share:.1f}')} %" for name, share in zip(names, shares, strict=True)
    )
    return document(SvgBlock(WIDTH, HEIGHT + 18, "".join(body)), _("Shares of the moves"), words)
