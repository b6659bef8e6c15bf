"""Marks in words, as every report tells them."""

from __future__ import annotations

from damier.core.words import _, decimal
from damier.draw.board import board_svg
from damier.draw.text import board_text
from damier.draw.tree import tree_lines, tree_svg
from damier.lab.marking.finding import WrongAnswer
from damier.lab.marking.marks import ItemMark


def points(number: float) -> str:
    """Points, without zeros that say nothing."""
    return decimal(number)


def of_points(had: float, most: float) -> str:
    return f"{points(had)}/{points(most)}"


def verdict(mark: ItemMark) -> str:
    """Whether an item passed, in a word."""
    return _("passed") if mark.finding.passed else _("failed")


def title(wrong: WrongAnswer) -> str:
    """Where it was wrong, in words."""
    if wrong.position is None:
        return _("a tree, worked out")
    if not wrong.position.over:
        return _("player {n} to move", n=wrong.position.mover + 1)
    payoffs = wrong.position.payoffs or ()
    return _("player {n} has won", n=payoffs.index(1) + 1) if 1 in payoffs else _("the game is drawn")


def text(wrong: WrongAnswer) -> str:
    """The position, or the tree, as text."""
    if wrong.position is not None:
        return board_text(wrong.position)
    return "\n".join(tree_lines(wrong.tree)) if wrong.tree else ""


def svg(wrong: WrongAnswer) -> str:
    """The position, or the tree, as a picture."""
    if wrong.position is not None:
        return board_svg(wrong.position, size=48)
    return tree_svg(wrong.tree, title(wrong)) if wrong.tree else ""


def facts(wrong: WrongAnswer) -> list[str]:
    """What was wrong, in lines: where, expected and got."""
    return [
        title(wrong),
        _("expected: {answer}", answer=wrong.expected),
        _("got: {answer}", answer=wrong.got),
    ]
