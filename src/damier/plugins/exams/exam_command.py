"""`damier exam`: an exam in variants, its keys, and the marks of answers that came back."""

from __future__ import annotations

import secrets
import shlex
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from damier.cli.command import Json, Report, checked_seed, refuse_out, report, say, table, whole
from damier.core.errors import BadFile, BadInput
from damier.core.files import read_text, write_text
from damier.core.json_data import to_json
from damier.core.words import _, decimal, message, ngettext
from damier.draw.picture_files import require_picture, write_pages
from damier.plugins.exams.exam import (
    LARGEST,
    Exam,
    MarkedPaper,
    marks_csv,
    points_in_words,
    read_exam,
    read_keys,
)

KEYS, ANSWERS, MARKS = "keys", "answers.csv", "marks.csv"


def exam(
    file: Annotated[
        Path, Parameter(help=_("the questions, a TOML file; with --answers the keys of an exam, keys.json"))
    ],
    /,
    *,
    out: Annotated[
        Path | None,
        Parameter(
            name=("--out", "-o"),
            help=_(
                "a folder for the sheets, their keys and a table for answers; of --answers: marks as .csv"
            ),
        ),
    ] = None,
    variants: Annotated[
        int | None, Parameter(converter=whole, help=_("how many (default: as the file says, or 1)"))
    ] = None,
    seed: Annotated[
        int | None,
        Parameter(
            converter=whole, help=_("draw the same exam again (default: a secret that nobody is told)")
        ),
    ] = None,
    answers: Annotated[Path | None, Parameter(help=_("what came back, a CSV table, to be marked"))] = None,
    json: Json = False,
) -> None:
    if answers is not None:
        if variants is not None or seed is not None:
            raise BadInput(message("--answers marks an exam that is there; leave out --variants and --seed"))
        mark(read_keys(file), answers, out, json)
        return
    if file.suffix.lower() == ".json":
        raise BadInput(message("{path} holds keys; --answers CSV marks what came back", path=file))
    secret = secrets.token_bytes(16) if seed is None else str(checked_seed(seed)).encode()
    made = read_exam(file, secret, variants)
    data = made.as_data()
    written = write(made, out or Path(file.stem))
    report({**data, "written": [str(path) for path in written]}, json, lambda: show(made, written))


def write(made: Exam, folder: Path) -> list[Path]:
    """Writes an exam into a folder: a file a variant, the keys apart. Raises BadInput."""
    pages = {folder / f"{variant}.pdf": made.sheets(variant) for variant in made.papers}
    pages[folder / f"{KEYS}.pdf"] = made.keys()
    for path in pages:
        require_picture(path)
    for path, sheets in pages.items():
        write_pages(sheets, path)
    texts = {folder / f"{KEYS}.json": to_json(made.as_data()) + "\n", folder / ANSWERS: made.template()}
    for path, text in texts.items():
        write_text(path, text)
    return [*pages, *texts]


def show(made: Exam, written: list[Path]) -> None:
    """Show what was written, and what to do with it."""
    say(
        _(
            "{title}: {questions}, {points}",
            title=made.title,
            questions=ngettext("{n} question", "{n} questions", len(made.points)),
            points=points_in_words(sum(made.points)),
        )
    )
    for path in written:
        say(f"  {path}")
    keys, answers = written[-2:]
    command = shlex.join(["damier", "exam", str(keys), "--answers", str(answers)])
    say(_("fill in {answers} with what comes back; then: {command}", answers=answers, command=command))
    say(_("or type them into the page /exams of damier serve, which opens {keys}", keys=keys))


def read_spreadsheet(path: Path, largest: int) -> str:
    """The text of a file as spreadsheets write it: in UTF-8, or, as Excel does in Western Europe, in
    Windows-1252. Raises BadFile.
    """
    try:
        return read_text(path, largest)
    except BadFile:
        return read_text(path, largest, "cp1252")


def mark(made: Exam, answers: Path, out: Path | None, json: bool) -> None:
    """Marks what came back. Raises BadFile, BadInput."""
    papers = made.marked(read_spreadsheet(answers, LARGEST))
    if out is not None:
        write_text(out, marks_csv(papers))
    report(facts(made, papers), json, lambda: show_marks(made, papers), out)


def facts(made: Exam, papers: list[MarkedPaper]) -> Report:
    """The marks as plain data."""
    return {
        "title": made.title,
        "of": sum(made.points),
        "papers": [
            {
                "student": paper.student,
                "variant": paper.variant,
                "points": list(paper.points),
                "total": paper.total,
                "wrong": [
                    {
                        "question": each.box.question,
                        "box": each.box.field.key,
                        "given": each.given,
                        "reason": each.reason,
                    }
                    for each in paper.wrong
                ],
            }
            for paper in papers
        ],
    }


def show_marks(made: Exam, papers: list[MarkedPaper]) -> None:
    """The marks for people."""
    numbers = [_("question {n}", n=number) for number in range(1, len(made.points) + 1)]
    rows = [
        (
            paper.student,
            paper.variant,
            *(decimal(points, "g") for points in paper.points),
            f"{decimal(paper.total, 'g')} / {decimal(paper.of, 'g')}",
        )
        for paper in papers
    ]
    table(
        (_("student"), _("variant"), *numbers, _("total")),
        rows,
        made.title,
        numbers=range(2, len(numbers) + 3),
    )


def show_file(path: Path, out: Path | None, json: bool) -> None:
    """Show the keys of an exam."""
    refuse_out(out, path)
    made = read_keys(path)
    rows = [
        (variant, f"{number}", field.label, right.get(field.key, ""))
        for variant, items in made.papers.items()
        for number, item in enumerate(items, 1)
        for right in [item.drill.right_answers() | item.drill.filled(solved=True)]
        for field in item.drill.fields()
    ]
    report(
        made.as_data(),
        json,
        lambda: table((_("variant"), _("question"), _("answer box"), _("answer")), rows, made.title),
    )
