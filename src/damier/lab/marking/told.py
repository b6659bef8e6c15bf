"""Marks in words, as every report tells them."""

from __future__ import annotations

from damier.core.words import _
from damier.draw.board import title_of
from damier.lab.marking.finding import WrongAnswer
from damier.lab.marking.marks import ItemMark


def points(number: float) -> str:
    """Points, without zeros that say nothing."""
    return f"{number:g}"


def of_points(had: float, most: float) -> str:
    return f"{points(had)}/{points(most)}"


def verdict(mark: ItemMark) -> str:
    """Whether an item passed, in a word."""
    return _("passed") if mark.finding.passed else _("failed")


def facts(wrong: WrongAnswer) -> list[str]:
    """What was wrong, in lines: where, expected and got."""
    return [
        title_of(wrong.position),
        _("expected: {answer}", answer=wrong.expected),
        _("got: {answer}", answer=wrong.got),
    ]
