"""Mistakes as pictures: each board with the value of every move, and in words what was played."""

from __future__ import annotations

from collections.abc import Sequence

from damier.core.grade import Mistake
from damier.core.solution import AnyValue, Worth
from damier.core.words import _, percent
from damier.draw.annotations import MoveMark
from damier.draw.board import position_blocks, wrapped_block
from damier.draw.svg import document, stacked

ROOM, FONT = 300.0, 13.0
"""The width of the words below a board, and their size, in units of the picture."""


def mistakes_svg(found: Sequence[tuple[Mistake, list[MoveMark]]], title: str) -> str:
    """The picture as SVG text: the mistakes one below the other, each with the marks of its moves."""
    blocks = [wrapped_block(title, ROOM, FONT)]
    for mistake, marks in found:
        blocks += position_blocks(mistake.position, marks, 56)
        blocks += [wrapped_block(sentence, ROOM, FONT) for sentence in told(mistake)]
    said = " ".join(sentence for mistake, _marks in found for sentence in told(mistake))
    return document(stacked(blocks), title, said or title)


def in_words(value: AnyValue) -> str:
    """A value: won, or its payoff."""
    words = {"win": _("won"), "draw": _("drawn"), "loss": _("lost")}
    return str(value) if isinstance(value, Worth) else words[value]


def told(mistake: Mistake) -> list[str]:
    """A mistake in sentences."""
    share = "" if mistake.share > 1 - 1e-9 else f" ({percent(mistake.share, '.0f')})"
    return [
        _(
            "Ply {n}, seat {seat}: it plays {move}{share}; {before} before, {after} after.",
            n=len(mistake.moves) + 1,
            seat=mistake.seat + 1,
            move=mistake.played,
            share=share,
            before=in_words(mistake.before),
            after=in_words(mistake.after),
        ),
        _("Right: {moves}.", moves=" ".join(mistake.right)),
        _("What punishes it: {moves}", moves=" ".join(mistake.punished) or _("the game is over")),
    ]
