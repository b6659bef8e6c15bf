"""A student's page, as HTML (complete in one file) and as Markdown: what was wrong is shown."""

from __future__ import annotations

from html import escape
from pathlib import Path

from damier.core.words import _, language
from damier.lab.marking.finding import WrongAnswer
from damier.lab.marking.mark_text import facts, of_points, svg, text, verdict
from damier.lab.marking.marks import ItemMark, StudentMarks
from damier.lab.marking.sheet import MarkingSheet

STYLE = Path(__file__).with_name("page.css")


def html_page(sheet: MarkingSheet, student: StudentMarks) -> str:
    """The page as HTML."""
    title = escape(f"{sheet.title} — {student.name}")
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    total = _("{points} points", points=of_points(student.points, sheet.points))
    body = "\n".join(_section(mark) for mark in student.marks)
    head += f"<style>\n{STYLE.read_text()}</style>"
    return (
        f'<!doctype html>\n<html lang="{language()}"><head>{head}</head>\n'
        f"<body><main><h1>{title}</h1>\n<p><strong>{escape(total)}</strong></p>\n{_to_mend(student)}{body}</main></body></html>\n"
    )


def _to_mend(student: StudentMarks) -> str:
    """The items that did not pass, each a link to what was wrong."""
    head = escape(_("To be mended:"))
    failed = [mark.item for mark in student.marks if not mark.finding.passed]
    lines = "\n".join(f'<li><a href="#{item.name}">{escape(str(item.text))}</a></li>' for item in failed)
    return f"<p>{head}</p>\n<ul>\n{lines}\n</ul>\n" if failed else ""


def _section(mark: ItemMark) -> str:
    kind = "passed" if mark.finding.passed else "failed"
    head = f"{mark.item.text} — {of_points(mark.points, mark.item.points)} ({verdict(mark)})"
    shown = _picture(mark.finding.wrong) if mark.finding.wrong else ""
    return (
        f'<section class="{kind}" id="{mark.item.name}"><h2>{escape(head)}</h2>\n'
        f"<p>{escape(str(mark.finding.sentence))}</p>{shown}</section>"
    )


def _picture(wrong: WrongAnswer) -> str:
    lines = "<br>".join(escape(line) for line in facts(wrong))
    return f'\n{svg(wrong)}\n<p class="facts">{lines}</p>'


def markdown_page(sheet: MarkingSheet, student: StudentMarks) -> str:
    """The page as Markdown."""
    total = _("{points} points", points=of_points(student.points, sheet.points))
    parts = [f"# {plain(str(sheet.title))} — {plain(student.name)}", f"**{total}**"]
    for mark in student.marks:
        head = f"{mark.item.text} — {of_points(mark.points, mark.item.points)} ({verdict(mark)})"
        parts += [f"## {plain(head)}", markdown_of(mark)]
    return "\n\n".join(parts) + "\n"


def markdown_of(mark: ItemMark) -> str:
    """What came of an item."""
    found = [plain(str(mark.finding.sentence))]
    if wrong := mark.finding.wrong:
        found.append("\n".join(f"    {line}" for line in text(wrong).splitlines()))
        found.append("\n".join(f"- {plain(line)}" for line in facts(wrong)))
    return "\n\n".join(found)


def plain(words: str) -> str:
    """A text in which Markdown, and HTML within it, finds no mark of its own."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#|!&" else c for c in words)
