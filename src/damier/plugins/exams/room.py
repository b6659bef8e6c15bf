"""The room of exams: a teacher opens the file of keys, types or pastes what came back, and sees the points of
each question at once, with why.

Nothing is kept here, and nothing can be looked up: the keys lie on the teacher's own disk, and come along
with every question. Who has not their file sees an empty page.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TypedDict

from damier.core.errors import BadFile, BadInput
from damier.core.words import _, decimal, language, message, spaced
from damier.plugins.exams.exam import (
    LARGEST,
    STUDENT,
    VARIANT,
    Exam,
    MarkedPaper,
    exam_of_keys,
    marks_csv,
)
from damier.web import pages
from damier.web.limits import LRU
from damier.web.messages import Params, Parts, StateAnswer
from damier.web.registry import Registry

KEYS = Path("keys.json")
"""How refusals call the file of keys, whatever it is called where it lies."""
MOST_PAPERS, LONGEST_CELL = 400, 200
KEPT = 2

_exams = LRU[bytes, Exam](KEPT)
"""The exams whose keys came last, by their digests: to work all questions out again takes a moment."""
_papers = LRU[tuple[object, ...], MarkedPaper](KEPT * MOST_PAPERS)
"""The papers that were marked last, by exam, language and what stands in them: one changes at a time."""


class ExamPaper(TypedDict):
    """A paper that came back: what stands in each box, by the column of the table."""

    student: str
    variant: str
    answers: dict[str, str]


class ExamState(TypedDict):
    """Papers as the page keeps them.

    Attributes:
        papers: as they were sent, with those of a table behind them
        at: the one that is shown
        wrong: the columns of that paper whose answers are wrong
        marks: the table of marks, and `table` that of answers, as CSV
    """

    papers: list[ExamPaper]
    at: int
    wrong: list[str]
    marks: str
    table: str


def page(registry: Registry, params: Params) -> str:
    """The room, with no exam in it."""
    return pages.page("exams.html", "/exams", _("Exams"), largest=LARGEST * 3 // 4)


def mark(registry: Registry, params: Params) -> StateAnswer[ExamState]:
    """Papers marked by `keys`: `papers`, and those of a `table`; with `form` also the boxes of paper `at`.

    Raises BadFile, BadInput.
    """
    keys = params.text("keys", longest=LARGEST)
    digest = hashlib.sha256(keys.encode(errors="replace")).digest()
    exam = _exams.find(digest, lambda: exam_of_keys(keys, KEYS))
    papers = [known(exam, paper) for paper in papers_in(params)]
    added = added_papers(exam, params.text("table", longest=LARGEST))
    at = params.whole("at", 0)
    if added:
        at, papers = len(papers), papers + added
    if not papers:
        at, papers = 0, [{"student": "", "variant": next(iter(exam.papers)), "answers": {}}]
    if len(papers) > MOST_PAPERS:
        raise BadInput(message("at most {n} papers here; damier exam --answers marks more", n=MOST_PAPERS))
    at = min(at, len(papers) - 1)
    rows = [row_of(paper) for paper in papers]
    marked = [marked_paper(digest, exam, paper) for paper in papers]
    form: Parts = {"paper": paper_part(exam, papers[at])} if params.flag("form") else {}
    questions = range(1, len(exam.points) + 1)
    table = pages.part("exams_papers.html", marked=marked, at=at, questions=questions, of=of)
    return {
        "parts": form | points_parts(exam, marked[at]) | {"papers": table},
        "state": {
            "papers": papers,
            "at": at,
            "wrong": [each.box.column for each in marked[at].wrong],
            "marks": marks_csv(marked),
            "table": exam.template(rows),
        },
    }


def marked_paper(digest: bytes, exam: Exam, paper: ExamPaper) -> MarkedPaper:
    """Return a paper marked, as a line of the table is."""
    known_as = (digest, language(), paper["variant"], frozenset(paper["answers"].items()))
    return _papers.find(known_as, lambda: exam.paper(2, row_of(paper)))._replace(student=paper["student"])


def papers_in(params: Params) -> list[ExamPaper]:
    """The papers that a page sent. Raises BadInput."""
    found = params.values.get("papers", [])
    papers = [Params(each) for each in found if isinstance(each, dict)] if isinstance(found, list) else []
    answers = [Params(each) for paper in papers if isinstance(each := paper.values.get("answers", {}), dict)]
    if not isinstance(found, list) or not len(found) == len(answers) <= MOST_PAPERS:
        raise BadInput(message("papers must be a list of at most {n}", n=MOST_PAPERS))
    return [
        {
            "student": paper.text(STUDENT, longest=LONGEST_CELL),
            "variant": paper.text(VARIANT, longest=LONGEST_CELL),
            "answers": {column: texts.text(column, longest=LONGEST_CELL) for column in texts.values},
        }
        for paper, texts in zip(papers, answers, strict=True)
    ]


def known(exam: Exam, paper: ExamPaper) -> ExamPaper:
    """Return a paper with what stands in boxes of its variant, and in no others. Raises BadFile."""
    variant = paper["variant"].strip().upper()
    if variant not in exam.papers:
        raise BadFile(
            message(
                "there is no variant {variant}; there are: {variants}",
                variant=variant or "—",
                variants=" ".join(exam.papers),
            )
        )
    given = {column: text.strip() for column, text in paper["answers"].items() if text.strip()}
    columns = (box.column for boxes in exam.boxes(variant) for box in boxes)
    answers = {column: given[column] for column in columns if column in given}
    return {"student": paper["student"].strip(), "variant": variant, "answers": answers}


def added_papers(exam: Exam, table: str) -> list[ExamPaper]:
    """The papers of a table that was pasted or opened; one without a head has the columns of the table that
    came with the exam. Raises BadFile.
    """
    text = table.removeprefix("\ufeff").strip("\r\n")
    if not text.strip():
        return []
    first = text.splitlines()[0]
    delimiter = max(",;\t", key=first.count)
    if not {STUDENT, VARIANT} & {cell.strip() for cell in first.split(delimiter)}:
        text = f"{delimiter.join([STUDENT, VARIANT, *exam.columns()])}\n{text}"
    found: list[ExamPaper] = []
    for number, row in exam.rows(text):
        exam.paper(number, row)  # refuses a line that is wrong by its number
        cells = {str(column): str(cell or "").strip()[:LONGEST_CELL] for column, cell in row.items()}
        paper: ExamPaper = {
            "student": cells.pop(STUDENT),
            "variant": cells.pop(VARIANT),
            "answers": cells,
        }
        found.append(known(exam, paper))
    return found


def row_of(paper: ExamPaper) -> dict[str, str]:
    """A paper as a line of the table of answers."""
    return {STUDENT: paper["student"], VARIANT: paper["variant"], **paper["answers"]}


def paper_part(exam: Exam, paper: ExamPaper) -> str:
    """The boxes of a paper, question by question, each with its key to be opened."""
    variant = paper["variant"]
    questions = [
        (
            number,
            item.drill.task(),
            boxes,
            pages.picture(item.drill.picture(_("key"), headed=False, solved=True)),
        )
        for number, (item, boxes) in enumerate(zip(exam.papers[variant], exam.boxes(variant), strict=True), 1)
    ]
    return pages.part(
        "exams_paper.html",
        title=spaced(exam.title),
        paper=paper,
        variants=list(exam.papers),
        questions=questions,
    )


def points_parts(exam: Exam, paper: MarkedPaper) -> Parts:
    """The points of each question of a paper, and why what is wrong in it is."""
    parts: Parts = {
        "total": pages.part("exams_points.html", points=of(paper.total, paper.of), wrong=[], empty=[])
    }
    for number, (points, most) in enumerate(zip(paper.points, exam.points, strict=True), 1):
        wrong = [each for each in paper.wrong if each.box.question == number]
        parts[f"points-{number}"] = pages.part(
            "exams_points.html",
            points=of(points, most),
            wrong=[each for each in wrong if each.given],
            empty=[each for each in wrong if not each.given],
        )
    return parts


def of(points: float, most: float) -> str:
    """Points out of the most, as people write them."""
    return f"{decimal(points, 'g')} / {decimal(most, 'g')}"
