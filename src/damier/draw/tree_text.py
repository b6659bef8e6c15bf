"""A tree as lines of text: who moves, what each node is worth, what was never looked at."""

from __future__ import annotations

from collections.abc import Callable

from damier.core.rules import CHANCE
from damier.core.tree import Mark, Scene, shown
from damier.core.words import _, printable

SYMBOLS = {"max": "▲", "min": "▼", "mean": "●", "best": "#", None: "•"}
HERE, CUT = "▶", "✕"


def tree_lines(scene: Scene, visible: Callable[[int], bool] = lambda place: True) -> list[str]:
    """The tree, one line a node; what is below a node that is not visible, or that was cut off, is
    left out.
    """
    below = scene.children()
    lines: list[str] = []
    todo = [(0, "", "")]
    while todo:
        place, before, inner = todo.pop()
        lines.append((HERE if place == scene.here else " ") + before + node_text(scene, place))
        shown_below = [
            child for child in below[place] if visible(child) and scene.marks[child].known != "hidden"
        ]
        if scene.marks[place].known == "cut" or not shown_below:
            continue
        rows = []
        for child in shown_below:
            last = child == shown_below[-1]
            rows.append((child, inner + branch(scene, child, last), inner + ("    " if last else "│   ")))
        todo += reversed(rows)
    return lines


def branch(scene: Scene, place: int, last: bool) -> str:
    """The line that leads to a place: thick for the best move, broken where nobody went."""
    if scene.marks[place].known == "cut":
        return ("└╌" if last else "├╌") + CUT + " "
    if place in scene.thick:
        return ("┗━━" if last else "┣━━") + " "
    return ("└──" if last else "├──") + " "


def node_text(scene: Scene, place: int) -> str:
    """A node: the move that leads there, who moves on, its name, what is known of it."""
    move, name, mark = scene.move_label(place), scene.node_name(place), scene.marks[place]
    words = [printable(move, 60) + " →"] if move else []
    if scene.roles[place] is not None:
        words.append(symbol(scene, place))
    words += [printable(name, 60)] if name else []
    return " ".join(
        [
            *words,
            *known(mark),
            *([window_text(mark)] if mark.window and scene.roles[place] is not None else []),
        ]
    )


def symbol(scene: Scene, place: int) -> str:
    """Who moves, with a number where the symbol does not tell it."""
    role, mover = scene.roles[place], scene.movers[place]
    numbered = mover != CHANCE and (role == "best" or (scene.tree.players > 2 and mover > 0))
    return SYMBOLS[role] + (str(mover + 1) if numbered else "")


def known(mark: Mark) -> list[str]:
    """What is known of a node."""
    if mark.note:
        return [f"= {mark.note}"]
    if mark.known == "cut":
        return [_("(not looked at)")]
    if mark.known == "unseen":
        return []
    if mark.known == "blank":
        return ["= …"]
    if mark.known == "done":
        return [f"{mark.sign} {shown(mark.value)}"]
    return [_("{value} so far", value=shown(mark.value)) if mark.value is not None else "…"]


def window_text(mark: Mark) -> str:
    """The window that a node is searched with."""
    assert mark.window is not None
    return f"[{shown(mark.window[0])}, {shown(mark.window[1])}]"


def legend(scene: Scene) -> str:
    """What the signs mean, as far as they occur."""
    if scene.legend:
        return scene.legend
    roles, known_ = set(scene.roles), {mark.known for mark in scene.marks}
    words = {
        "max": "▲ MAX",
        "min": "▼ MIN",
        "mean": _("● chance"),
        "best": _("by number: the player who moves"),
    }
    said = [words[role] for role in ("max", "min", "mean", "best") if role in roles]
    if scene.thick:
        said.append(_("thick: the best move"))
    if "cut" in known_:
        said.append(_("{sign}: cut", sign=CUT))
    if any(mark.window for mark in scene.marks):
        said.append("[α, β]")
    return "   ".join(said)
