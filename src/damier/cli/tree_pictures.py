"""The pictures of `damier tree`: the tree after a search, or one picture a step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from damier.core.errors import BadInput, LimitReached
from damier.core.words import FormattedNumber, _, grouped, message, ngettext, printable

if TYPE_CHECKING:
    from damier.trees.explicit import TreeAnalysis
    from damier.trees.replay import Replay

PICTURES = 500
"""The most pictures of a series."""


def require_drawable(out: Path, step: bool) -> None:
    """Raises BadInput where no picture can be put: before a search."""
    from damier.draw.export import require_picture

    if step and out.suffix.lower() != ".pdf" and not out.is_dir() and "%d" not in out.name:
        raise BadInput(
            message(
                "-o {path}: many pictures need a folder that is there, a name with %d such as step-%d.svg, or"
                " a .pdf",
                path=out,
            )
        )
    require_picture(picture_path(out, 1, 1) if step else out)


def picture_path(out: Path, n: int, of: int) -> Path:
    """Where picture `n` goes."""
    pattern = out / "step-%d.svg" if out.is_dir() else out
    return pattern.with_name(pattern.name.replace("%d", str(n).zfill(len(str(of)))))


def draw(found: TreeAnalysis, out: Path, step: bool, text: str) -> int:
    """Draws the tree after the search, or after every step; returns how many pictures.

    Raises LimitReached.
    """
    from damier.draw.export import write_picture
    from damier.draw.pdf import write_pages
    from damier.trees.replay import Replay

    replay = Replay(found)
    count = len(replay) + 1 if step else 1
    if count > PICTURES:
        raise LimitReached(
            message(
                "{n} steps; up to {most} pictures are drawn: give fewer --plies",
                n=FormattedNumber(count, ","),
                most=FormattedNumber(PICTURES, ","),
            )
        )
    if not step:
        write_picture(final_picture(replay, text), out)
    elif out.suffix.lower() == ".pdf" and "%d" not in out.name:
        write_pages((step_picture(replay, n, text) for n in range(count)), out)
    else:
        for n in range(count):
            write_picture(step_picture(replay, n, text), picture_path(out, n, count))
    return count


def final_picture(replay: Replay, text: str) -> str:
    from damier.draw.tree import tree_svg

    return tree_svg(replay.end, title_of(text, replay.found), counts(replay.found))


def step_picture(replay: Replay, n: int, text: str) -> str:
    """The tree after `n` steps, its nodes where they are at the end."""
    from damier.draw.tree import tree_svg

    heading = _("{title}: step {n} of {of}", title=title_of(text, replay.found), n=n, of=len(replay))
    return tree_svg(replay.scene(n), heading, like=replay.end)


def title_of(text: str, found: TreeAnalysis) -> str:
    return f"{printable(Path(text).stem if text.lower().endswith('.json') else text)} · {found.algorithm}"


def written(out: Path | None, pictures: int) -> str:
    if out is None:
        return ""
    if pictures < 2 or (out.suffix.lower() == ".pdf" and "%d" not in out.name):
        return _("written to {path}", path=out)
    first, last = picture_path(out, 0, pictures), picture_path(out, pictures - 1, pictures)
    return _("written to {first} … {last}", first=first, last=last)


def counts(found: TreeAnalysis) -> str:
    """How much was looked at."""
    from damier.core.scene import size_of

    size = size_of(found.tree, found.plies)
    cuts = ngettext("{n} cut", "{n} cuts", len(found.cuts))
    numbers = {
        "read": grouped(found.reads),
        "ends": grouped(size.ends),
        "nodes": grouped(found.nodes),
        "all": grouped(size.nodes),
    }
    return _("{read} of {ends} leaves read, {nodes} of {all} nodes searched, {cuts}", cuts=cuts, **numbers)
