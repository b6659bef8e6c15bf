"""How many leaves alpha-beta reads on a tree, by the order of its moves, beside the fewest that
anybody can read.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import NamedTuple, get_args

from damier.core.scene import size_of, unfolded
from damier.core.words import _
from damier.draw.bars import Bar, Level, bars_svg
from damier.trees.explicit import Prune, search
from damier.trees.ordering import least_leaves, regular
from damier.web import pages
from damier.web.registry import Registry
from damier.web.tree.question import ORDERS, SHOWN, Question

KEPT = 16


class Reads(NamedTuple):
    """written  leaves read in the order that the tree has; by_order: in each of the others, from
             the worst to the best
    ends     leaves there are; least: what must be read in any order, None where no formula says it;
             shape: moves and plies of that
    """

    written: int
    by_order: list[int]
    ends: int
    least: int | None
    shape: tuple[int, int] | None


_reads: OrderedDict[Question, Reads] = OrderedDict()


def reads(registry: Registry, question: Question) -> Reads:
    """What alpha-beta reads of a tree, whatever order the question asks for."""
    key = replace(question, order=-1)
    if key not in _reads:
        tree = key.found(registry)
        shape = regular(tree, unfolded(tree, key.limit, SHOWN), key.limit)
        _reads[key] = Reads(
            leaves_read(registry, key),
            [leaves_read(registry, replace(key, order=order)) for order in range(ORDERS + 1)],
            size_of(tree, key.limit).ends,
            least_leaves(*shape) if shape else None,
            shape,
        )
        if len(_reads) > KEPT:
            _reads.popitem(last=False)
    return _reads[key]


def leaves_read(registry: Registry, question: Question) -> int:
    return search(question.found(registry), "alphabeta", question.limit, question.prune).reads


def difference(registry: Registry, question: Question) -> str:
    """What the two ways to cut come to on a tree, and why."""
    weak, strict = (leaves_read(registry, replace(question, prune=prune)) for prune in get_args(Prune))
    if weak == strict:
        return _("Weak and strict read the same leaves here: cutting at equality saves none.")
    return _(
        "Where a value equals α or β, weak cuts and strict reads on: {weak} and {strict} leaves are read."
        " With strict cuts, every move that comes back with the best value is worth it; with weak cuts, one"
        " may be worse.",
        weak=weak,
        strict=strict,
    )


def orders_part(registry: Registry, question: Question) -> str:
    """The picture, and the order that is chosen in words."""
    found = reads(registry, question)
    bars = [
        Bar(_("written"), found.written),
        *(Bar(str(order), count) for order, count in enumerate(found.by_order)),
    ]
    levels = [Level(_("all {n}", n=found.ends), found.ends)]
    if found.least is not None:
        levels.append(Level(_("least {n}", n=found.least), found.least))
    title = _("Leaves read, from the worst order (0) to the best ({most})", most=ORDERS)
    return pages.part(
        "tree_orders.html",
        picture=pages.picture(bars_svg(bars, question.order + 1, levels, title)),
        order=question.order,
        most=ORDERS,
        read=(found.by_order[question.order] if question.order >= 0 else found.written),
        found=found,
    )
