"""The lessons in the lab: every page of docs/lessons, its pictures, its links, and nothing that a
page of Markdown could smuggle in.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from browsing import violations
from lasting import long, shortly
from markupsafe import Markup

from damier.core.errors import UnknownName
from damier.core.words import speaking
from damier.web.messages import Params
from damier.web.pages import Link, Pictured, rendered, title_of
from damier.web.registry import Registry
from damier.web.rooms import lessons
from damier.web.settings import Settings

SOURCE = Path(__file__).parents[2] / "docs" / "lessons"
NOWHERE: tuple[Link, Pictured] = (lambda href: None, lambda src: Markup("<svg></svg>"))


def test_every_lesson_is_there() -> None:
    assert lessons.folder() == SOURCE
    assert sorted(lessons.names()) == sorted(
        path.stem for path in SOURCE.glob("*.md") if path.stem != "README"
    )


@pytest.mark.parametrize(
    "name",
    shortly(
        [
            "",
            *sorted(path.stem for path in SOURCE.glob("*.md") if path.stem != "README"),
            "classic_tree.json",
        ],
        "classic_tree.json",
    ),
)
def test_a_lesson_is_usable_by_everybody_and_its_links_lead_somewhere(page: Any, name: str) -> None:
    assert page.goto(f"/lessons/{name}".rstrip("/")).status == 200
    assert violations(page) == []
    links = {link.get_attribute("href") for link in page.locator("article a").all()}
    assert [link for link in links if page.request.get(link).status != 200] == []
    source = (SOURCE / (name if name.endswith(".json") else f"{name or 'README'}.md")).read_text()
    assert page.locator("article svg").count() == source.count("![")
    assert "measured:" not in page.locator("article").inner_text()
    assert page.locator("article blockquote blockquote").count() == 0


@long
def test_a_person_reads_a_lesson_and_tries_it(page: Any) -> None:
    page.goto("/lessons")
    page.locator("article a", has_text="Matchboxes").click()
    page.wait_for_url("**/lessons/matchboxes")
    page.locator(".try a").first.click()
    page.wait_for_url("**/matchboxes?game=tictactoe")


def test_lessons_follow_each_other_to_the_last(http: Any) -> None:
    seen, address = list[str](), "/lessons"
    while found := re.search(r'class="following[^>]*>[^<]*<a href="([^"]*)"', http.get(address).text):
        seen.append(address := found[1])
    assert seen == [f"/lessons/{name}" for name in lessons.names()]


@pytest.mark.parametrize(
    "name",
    shortly(
        ["", *sorted(path.stem for path in (SOURCE / "fr").glob("[a-z]*.md"))],
        *("", "menace", "trees"),
    ),
)
def test_who_reads_french_reads_the_lesson_in_french(name: str) -> None:
    registry, asked = Registry(Settings()), Params({"name": name})
    with speaking("fr"):
        found = lessons.lesson(registry, asked) if name else lessons.page(registry, asked)
        links = set(re.findall(r'href="/lessons/([a-z_.-]+)[#"]', found))
        assert all(lessons.lesson(registry, Params({"name": link})) for link in links)
    source = (SOURCE / "fr" / f"{name or 'README'}.md").read_text(encoding="utf-8")
    assert f"<h1>{title_of(source)}</h1>" in found
    assert found.count('<span class="drawn"') == source.count("![")
    assert 'lang="en"' not in found.partition("<main")[2]


def test_who_reads_a_language_without_lessons_reads_them_in_english() -> None:
    assert lessons.written_in("fr") == "fr"
    assert lessons.written_in("xx") == "en"


def test_html_in_a_page_is_left_out() -> None:
    text = (
        "# T\n\n<script>alert(1)</script>\n\nA <b onclick='x'>word</b> & [a link](javascript:alert(1)) ![a"
        ' "picture"](p.svg)\n\n<!-- note -->\n'
    )
    html = rendered(text, lambda href: href, lambda src: Markup("<svg></svg>"))
    assert "script>" not in html
    assert "onclick" not in html
    assert 'href="javascript' not in html
    assert "note" not in html
    assert 'title="a &#34;picture&#34;"' in html


def test_a_link_that_leads_nowhere_is_its_words() -> None:
    assert "<a" not in rendered("see [the *file*](../x.py) and [that](y.md)", *NOWHERE)
    assert "<em>file</em>" in rendered("see [the *file*](../x.py)", *NOWHERE)


def test_a_session_of_python_ends_where_its_last_line_does() -> None:
    html = rendered("So:\n\n```python\n>>> 1 + 1\n2\n\n```\n\n> said\n", *NOWHERE)
    assert html.count("<blockquote>") == 1
    assert "&gt;&gt;&gt; 1 + 1\n2\n</code>" in html


def test_a_table_has_no_style_of_its_own_and_no_empty_heading() -> None:
    html = rendered("|  | n |\n| --- | ---: |\n| a | 1 |\n", *NOWHERE)
    assert "style=" not in html
    assert html.count("<th") == html.count("</th>") == 2 or "<th>" not in html
    assert '<td class="number">1</td>' in html


@pytest.mark.parametrize(
    "name", ["../README", "README", "measured", "conftest", "q.md", "q.svg", "/etc/passwd", "nosuch"]
)
def test_only_lessons_are_lessons(name: str) -> None:
    with pytest.raises(UnknownName):
        lessons.lesson(Registry(Settings()), Params({"name": name}))


def test_an_installed_damier_has_its_lessons_inside(tmp_path: Path) -> None:
    installed, tree = tmp_path / "site" / "damier", tmp_path / "tree" / "src" / "damier"
    for place in (installed / "lessons", tmp_path / "tree" / "docs" / "lessons"):
        place.mkdir(parents=True)
        (place / "README.md").write_text("# Lessons")
    assert lessons.lessons_of(installed) == installed / "lessons"
    assert lessons.lessons_of(tree) == tmp_path / "tree" / "docs" / "lessons"
