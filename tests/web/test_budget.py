"""What the main pages may cost, on a phone: bytes, requests, elements, layout that shifts, and work on a
click; and that axe finds nothing wrong with them, in light and in dark (benchmarks/README.md says how this
stands to Lighthouse).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from browsing import Served, violations, visiting
from lasting import shortly

PAGES = (
    "/",
    "/games",
    "/hexapawn",
    "/connect_four",
    "/training/hexapawn",
    "/learning",
    "/matchboxes",
    "/tree",
    "/tree?view=exercise",
    "/lessons",
)


class Cost(NamedTuple):
    """Cost of a page: kB with all that it loads, requests, elements, the sum of its layout shifts."""

    kilobytes: float
    requests: int
    elements: int
    shift: float


MOST = {"/": Cost(150, 20, 1500, 0.02), "/tree?view=exercise": Cost(300, 40, 4000, 0.2)}
"""The first page is what everybody loads; the fields of an exercise find their places once its picture has
its size.
"""
MOST_OF_ANY = Cost(300, 40, 4000, 0.1)
CLICK = 0.05
"""CPU seconds of a click, in the page."""
SHIFTS = """
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
"""
COUNTED = """async () => {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const loaded = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
  const bytes = loaded.reduce((sum, entry) => sum + entry.transferSize, 0);
  return [bytes / 1000, loaded.length, document.querySelectorAll("*").length, window.shifts];
}"""


@pytest.fixture(scope="module")
def phone(browser: Any, served: Served) -> Iterator[Any]:
    """A phone that keeps nothing from page to page."""
    for context in visiting(browser, served, viewport={"width": 390, "height": 844}, has_touch=True):
        page = context.new_page()
        page.add_init_script(SHIFTS)
        context.new_cdp_session(page).send("Network.setCacheDisabled", {"cacheDisabled": True})
        yield page


OFTEN = ("/", "/training/hexapawn")
"""What everybody loads, and the page with most work of its own."""


@pytest.mark.parametrize("path", shortly(PAGES, *OFTEN))
def test_a_main_page_keeps_to_its_budget_on_a_phone(phone: Any, path: str) -> None:
    phone.goto(path, wait_until="networkidle")
    found, most = Cost(*phone.evaluate(COUNTED)), MOST.get(path, MOST_OF_ANY)
    assert {name: value for name, value in found._asdict().items() if value > getattr(most, name)} == {}
    phone.emulate_media(color_scheme="light")
    assert violations(phone) == []
    phone.emulate_media(color_scheme="dark")
    assert violations(phone, "color-contrast") == []
    assert phone.evaluate("document.documentElement.scrollWidth") == 390


def test_a_move_on_the_first_page_is_little_work(phone: Any) -> None:
    """Processor time of the page's thread, which a busy machine does not lengthen."""
    session = phone.context.new_cdp_session(phone)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    phone.goto("/", wait_until="networkidle")

    def spent() -> float:
        values = session.send("Performance.getMetrics")["metrics"]
        return next(value["value"] for value in values if value["name"] == "ScriptDuration")

    before, address = spent(), phone.url
    phone.locator(".status [data-move]").first.press("Enter")
    phone.wait_for_url(lambda url: url != address)
    assert spent() - before < CLICK
