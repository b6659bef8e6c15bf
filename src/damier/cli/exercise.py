"""`damier exercise`: a sheet to work out by hand, and its key."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, TypeAlias

from cyclopts import Parameter

from damier.cli.options import Json, checked_count, checked_seed, whole
from damier.cli.output import Report, report, say
from damier.core.errors import BadInput
from damier.core.words import _

if TYPE_CHECKING:
    from damier.trees.explicit import Algorithm

Kind: TypeAlias = Literal["minimax", "alphabeta", "expectimax", "maxn", "evaluation"]


class SheetAndKey(NamedTuple):
    """An exercise: as data, its sheet and its key as pictures, and the sheet as text."""

    data: Report
    sheet: str
    key: str
    text: str


def exercise(
    kind: Annotated[Kind, Parameter(help=_("what is to be worked out"))],
    /,
    *,
    seed: Annotated[
        int | None,
        Parameter(
            converter=whole,
            help=_("the same seed gives the same exercise (default: a new one, which is told)"),
        ),
    ] = None,
    branching: Annotated[
        int | None, Parameter(converter=whole, help=_("the most moves of a node (default: 3; 2 for maxn)"))
    ] = None,
    plies: Annotated[
        int | None, Parameter(converter=whole, help=_("how deep (default: 2; 3 for alphabeta and maxn)"))
    ] = None,
    players: Annotated[
        int | None,
        Parameter(
            converter=whole,
            help=_("how many (default: 2; 3 for maxn); with minimax, MAX plays against all others"),
        ),
    ] = None,
    out: Annotated[
        Path | None,
        Parameter(
            name=("--out", "-o"),
            help=_("draw the sheet: .svg or .png, its key as NAME-key.svg; .pdf: two pages"),
        ),
    ] = None,
    json: Json = False,
) -> None:
    if out is not None:
        require_drawable(out)
    chosen = checked_seed(seed)
    if kind == "evaluation":
        if any(option is not None for option in (branching, plies, players)):
            raise BadInput(
                _(
                    "evaluation has two positions and no tree: --branching, --plies and --players go with the"
                    " others"
                )
            )
        made = evaluation(chosen)
    else:
        made = worked_out(kind, chosen, branching, plies, players)
    if out is not None:
        write(made.sheet, made.key, out)
    report(made.data, json, lambda: show(made.text, chosen, out))


def worked_out(
    kind: Algorithm, seed: int, branching: int | None, plies: int | None, players: int | None
) -> SheetAndKey:
    """An exercise with a tree. Raises BadInput."""
    from damier.draw.tree import tree_svg
    from damier.draw.tree_text import legend, tree_lines
    from damier.trees.exercise import MOST_LEAVES, USUAL, TreeShape, answers, solution, task
    from damier.trees.exercise import exercise as new
    from damier.trees.tree_file import facts

    usual = USUAL[kind]
    shape = TreeShape(
        checked_count("--branching", usual.branching if branching is None else branching, 2, 8),
        checked_count("--plies", usual.plies if plies is None else plies, 1, 8),
        checked_count("--players", usual.players if players is None else players, 2, 6),
    )
    if shape.branching**shape.plies > MOST_LEAVES:
        raise BadInput(
            _(
                "up to {n} leaves; a sheet has {most} at most",
                n=shape.branching**shape.plies,
                most=MOST_LEAVES,
            )
        )
    if kind == "expectimax" and shape.players != 2:
        raise BadInput(_("--players {n}: in expectimax one player moves, and chance", n=shape.players))
    made = new(kind, seed, shape)
    title = title_of(kind, seed)
    sheet, key = made.sheet(), made.key()
    data = {"kind": kind, "seed": seed, "tree": facts(made.tree), "answers": answers(made)}
    text = "\n".join([title, task(made), *tree_lines(sheet), legend(sheet)])
    return SheetAndKey(
        data,
        tree_svg(sheet, title, task(made)),
        tree_svg(key, key_title(title), "\n".join(solution(made))),
        text,
    )


def evaluation(seed: int) -> SheetAndKey:
    """The quiz on evaluations."""
    from damier.draw.quiz import pair_svg
    from damier.trees.quiz import EVALUATIONS, facts, quiz, solution, task

    made = quiz(seed)
    title, grids = title_of("evaluation", seed), (made.left.grid, made.right.grid)
    beside = [
        "    ".join(row.replace(" ", ".") for row in rows)
        for rows in zip(grids[0].rows, grids[1].rows, strict=True)
    ]
    sheet = pair_svg(*grids, title, [task()], [f"{name}   =" for name in EVALUATIONS])
    key = pair_svg(*grids, key_title(title), solution(made))
    return SheetAndKey(
        {"kind": "evaluation", "seed": seed, **facts(made)},
        sheet,
        key,
        "\n".join([title, task(), *beside, *EVALUATIONS]),
    )


def title_of(kind: str, seed: int) -> str:
    return _("Exercise: {kind}, seed {seed}", kind=kind, seed=seed)


def key_title(title: str) -> str:
    return _("{title}: key", title=title)


def key_path(out: Path) -> Path:
    """Where the key goes."""
    return out.with_name(f"{out.stem}-key{out.suffix}")


def require_drawable(out: Path) -> None:
    """Raises BadInput where the two pictures cannot be put."""
    from damier.draw.export import require_picture

    require_picture(out)
    require_picture(key_path(out))


def write(sheet: str, key: str, out: Path) -> None:
    """Writes both pictures: two files, or two pages."""
    from damier.draw.export import write_picture
    from damier.draw.pdf import write_pages

    if out.suffix.lower() == ".pdf":
        write_pages([sheet, key], out)
    else:
        write_picture(sheet, out)
        write_picture(key, key_path(out))


def show(said: str, seed: int, out: Path | None) -> None:
    """The sheet for people, and where its key is."""
    if out is None:
        say(said)
        say(_("the key: -o sheet.svg --seed {seed} draws it beside the sheet, --json lists it", seed=seed))
    elif out.suffix.lower() == ".pdf":
        say(_("written to {path}: the sheet, and its key on the second page", path=out))
    else:
        say(_("written to {path}, the key to {key}", path=out, key=key_path(out)))
