"""All reports of a class, as files in a folder."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from xml.etree import ElementTree

from damier.core.data_files import Cell, DataTable, csv_text, joined_columns
from damier.core.files import make_folder, write_text
from damier.core.json_data import to_json
from damier.core.json_types import JsonObject
from damier.core.words import _, decimal, language
from damier.draw.board import board_svg
from damier.draw.text import board_text
from damier.draw.tree import tree_lines, tree_svg
from damier.lab.kits import rules_of
from damier.plugins.classroom.marking.sheet import ItemMark, MarkingSheet, StageMarks, StudentMarks, stages_of
from damier.plugins.classroom.marking.submission import WrongAnswer

# Marks in words, as every report tells them.


def of_points(had: float, most: float) -> str:
    """Points of the most that can be had, without zeros that say nothing."""
    return f"{decimal(had)}/{decimal(most)}"


def verdict(mark: ItemMark) -> str:
    """Return whether an item passed, in a word."""
    return _("passed") if mark.finding.passed else _("failed")


def title(wrong: WrongAnswer) -> str:
    """Return where it was wrong, in words."""
    if wrong.position is None:
        return _("a tree, worked out") if wrong.tree else ""
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
    """Return what was wrong, in lines: where, expected and got."""
    return [
        *filter(None, [title(wrong)]),
        _("expected: {answer}", answer=wrong.expected),
        _("got: {answer}", answer=wrong.got),
    ]


def state(stage: StageMarks) -> str:
    """Return how far a stage is, in words."""
    if stage.done:
        return _("done")
    if stage.current:
        return _("to be written now")
    return _("begun") if is_begun(stage) else _("not yet begun")


def is_begun(stage: StageMarks) -> bool:
    """Return whether more of a stage is right than what a kit that nobody has written in yet has right."""
    return 2 * stage.points > stage.most


def heading(number: int, stage: StageMarks) -> str:
    """A stage as a heading."""
    had = of_points(stage.points, stage.most)
    return f"{number}. {stage.stage.text} — {had} ({state(stage)})"


def visible_marks(stage: StageMarks) -> tuple[ItemMark, ...]:
    """The marks of a stage that are shown one by one: none of one that nobody has begun."""
    return stage.marks if stage.done or stage.current or is_begun(stage) else ()


# A student's page, as HTML (complete in one file) and as Markdown: what was wrong is shown.

STYLE = Path(__file__).with_name("page.css")


def html_page(sheet: MarkingSheet, student: StudentMarks) -> str:
    """The page as HTML."""
    title = escape(f"{sheet.title} — {student.name}")
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    total = _("{points} points", points=of_points(student.points, sheet.points))
    body = "\n".join(_section(mark) for mark in student.marks)
    to_mend = _to_mend(student)
    if stages := stages_of(sheet, student):
        body = "\n".join(_stage(number, stage) for number, stage in enumerate(stages, 1))
        to_mend = ""
    if rules := rules_of(sheet.name):
        body += f"\n<section>\n{simple_html(rules)}\n</section>"
    head += f"<style>\n{STYLE.read_text()}</style>"
    return (
        f'<!doctype html>\n<html lang="{language()}"><head>{head}</head>\n'
        f"<body><main><h1>{title}</h1>\n<p><strong>{escape(total)}</strong></p>\n{to_mend}{body}</main></body></html>\n"
    )


def simple_html(text: str) -> str:
    """HTML of a text of ours in Markdown."""
    from markdown_it import MarkdownIt  # rich brings it

    html: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return html


def _to_mend(student: StudentMarks) -> str:
    """The items that did not pass, each a link to what was wrong."""
    head = escape(_("To be mended:"))
    failed = [mark.item for mark in student.marks if not mark.finding.passed]
    lines = "\n".join(f'<li><a href="#{item.name}">{escape(str(item.text))}</a></li>' for item in failed)
    return f"<p>{head}</p>\n<ul>\n{lines}\n</ul>\n" if failed else ""


def _stage(number: int, stage: StageMarks) -> str:
    """A stage: its items, as far as they are shown, and what is to be written in it."""
    head = f'<h2 class="stage">{escape(heading(number, stage))}</h2>'
    write = f"\n<p>{escape(written_next(stage))}</p>" if stage.current else ""
    return "\n".join([head + write, *map(_section, visible_marks(stage))])


def written_next(stage: StageMarks) -> str:
    """Return what is to be written in a stage, in a sentence."""
    return _("To be written: {what}.", what=stage.write)


def _section(mark: ItemMark) -> str:
    kind = "passed" if mark.finding.passed else "failed"
    head = f"{mark.item.text} — {of_points(mark.points, mark.item.points)} ({verdict(mark)})"
    picture = ""
    if wrong := mark.finding.wrong:
        picture = f'\n{svg(wrong)}\n<p class="facts">{"<br>".join(map(escape, facts(wrong)))}</p>'
    return (
        f'<section class="{kind}" id="{mark.item.name}"><h2>{escape(head)}</h2>\n'
        f"<p>{escape(str(mark.finding.sentence))}</p>{picture}</section>"
    )


def markdown_page(sheet: MarkingSheet, student: StudentMarks) -> str:
    """The page as Markdown."""
    total = _("{points} points", points=of_points(student.points, sheet.points))
    parts = [f"# {markdown_text(str(sheet.title))} — {markdown_text(student.name)}", f"**{total}**"]
    stages = stages_of(sheet, student)
    for mark in () if stages else student.marks:
        parts += _markdown_section(mark)
    for number, stage in enumerate(stages, 1):
        parts.append(f"## {markdown_text(heading(number, stage))}")
        if stage.current:
            parts.append(markdown_text(written_next(stage)))
        for mark in visible_marks(stage):
            parts += _markdown_section(mark, "###")
    parts += [rules] if (rules := rules_of(sheet.name).strip()) else []
    return "\n\n".join(parts) + "\n"


def _markdown_section(mark: ItemMark, level: str = "##") -> list[str]:
    head = f"{mark.item.text} — {of_points(mark.points, mark.item.points)} ({verdict(mark)})"
    return [f"{level} {markdown_text(head)}", markdown_of(mark)]


def markdown_of(mark: ItemMark) -> str:
    """Return what came of an item."""
    found = [markdown_text(str(mark.finding.sentence))]
    if wrong := mark.finding.wrong:
        found += [
            "\n".join(f"    {line}" for line in text(wrong).splitlines()),
            "\n".join(f"- {markdown_text(line)}" for line in facts(wrong)),
        ]
    return "\n\n".join(found)


def markdown_text(words: str) -> str:
    """A text in which Markdown, and HTML within it, finds no mark of its own."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#|!&" else c for c in words)


def write_reports(folder: Path, sheet: MarkingSheet, students: Sequence[StudentMarks]) -> None:
    """Writes class.csv and junit.xml, and for each student a folder with page.html, page.md and
    results.json. Raises BadInput, LimitReached.
    """
    for student in students:
        place = folder / student.name
        make_folder(place)
        write_text(place / "page.html", html_page(sheet, student))
        write_text(place / "page.md", markdown_page(sheet, student))
        write_text(place / "results.json", to_json(gradescope(sheet, student)) + "\n")
    write_text(folder / "class.csv", class_csv(sheet, students))
    write_text(folder / "junit.xml", junit_xml(sheet, students))


# The marks of a class: as JUnit XML, which systems for tests read, and as CSV for a spreadsheet.


def junit_xml(sheet: MarkingSheet, students: Sequence[StudentMarks]) -> str:
    """One suite a student, one case an item."""
    root = ElementTree.Element("testsuites", name=sheet.name)
    for student in students:
        failed = sum(not mark.finding.passed for mark in student.marks)
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=student.name,
            tests=str(len(student.marks)),
            failures=str(failed),
            errors=str(int(bool(student.unread))),
            time=f"{student.seconds:.3f}",
        )
        if student.unread:
            case = ElementTree.SubElement(suite, "testcase", classname=f"{sheet.name}.{student.name}")
            ElementTree.SubElement(case, "error", message=student.unread)
        for mark in student.marks:
            case = ElementTree.SubElement(
                suite,
                "testcase",
                classname=f"{sheet.name}.{student.name}",
                name=mark.item.name,
                time=f"{mark.seconds:.3f}",
            )
            if not mark.finding.passed:
                failure = ElementTree.SubElement(case, "failure", message=str(mark.finding.sentence))
                failure.text = "\n".join(facts(mark.finding.wrong)) if mark.finding.wrong else ""
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def class_csv(sheet: MarkingSheet, students: Sequence[StudentMarks]) -> str:
    """A line a student: the name, the sum, the points of each item, nothing of who has no marks yet; the
    second line is the most.
    """
    columns = joined_columns({"name": str, "points": float}, (item.name for item in sheet.items), float)
    rows: list[list[Cell]] = [["", sheet.points, *(item.points for item in sheet.items)]]
    for student in students:
        total = student.points if student.marks else None
        points = [student.unread] if student.unread else [mark.points for mark in student.marks]
        rows.append([student.name, total, *points])
    return csv_text(DataTable(columns, rows))


# A student's marks in the format that Gradescope reads from an autograder: `results.json`.
#
# After [Gradescope], section "Output format". All points of an item are had, or none, so that `status`
# says what Gradescope would conclude from `score` and `max_score`.


def gradescope(sheet: MarkingSheet, student: StudentMarks) -> JsonObject:
    """The object that the file holds."""
    return {
        "score": student.points,
        "execution_time": round(student.seconds, 3),
        "output": str(sheet.title),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [
            {
                "score": mark.points,
                "max_score": mark.item.points,
                "status": "passed" if mark.finding.passed else "failed",
                "name": str(mark.item.text),
                "name_format": "text",
                "number": str(number),
                "output": markdown_of(mark),
                "output_format": "md",
                "tags": [mark.item.name],
                "visibility": "visible",
            }
            for number, mark in enumerate(student.marks, 1)
        ],
    }
