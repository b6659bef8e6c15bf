"""Bars: the numbers are in the picture and in its description."""

from __future__ import annotations

from xml.etree import ElementTree

from damier.draw.tables import Amount, bars_svg


def test_every_count_is_told() -> None:
    picture = bars_svg([Amount("one", 3), Amount("<two>", 1200)], 1, [Amount("all", 1500)], "Counts")
    root = ElementTree.fromstring(picture)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    described = root.findtext("{http://www.w3.org/2000/svg}desc")
    assert {"one", "<two>", "3", "1,200", "all"} <= set(texts)
    assert described == "one: 3\n<two>: 1,200\nall: 1,500"


def test_no_bar_is_higher_than_the_picture() -> None:
    root = ElementTree.fromstring(bars_svg([Amount("a", 0), Amount("b", 0)], 0, [], "Nothing"))
    assert all(
        float(element.get("height", "0")) >= 0 for element in root.iter("{http://www.w3.org/2000/svg}rect")
    )
