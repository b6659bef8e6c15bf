"""One lab and one browser for all tests of a process.

Without a browser these tests are skipped, and the report of the run says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from browsing import CHROMIUM, FEW, QUIET, Served, serve, stop, visiting

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
OWN_GAMES = [str(EXAMPLES / "dice_nim.py"), str(EXAMPLES / "kuhn_poker.py")]


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A lab that all tests of this process share."""
    found = serve(tmp_path_factory.mktemp("lab"), *OWN_GAMES)
    yield found
    stop(found)


@pytest.fixture(scope="session")
def http(served: Served) -> Iterator[httpx.Client]:
    """The lab's owner, who reads pages without a browser."""
    owned = served.owned | {"Accept-Language": "en"}
    with httpx.Client(base_url=served.address, headers=owned, timeout=300) as client:
        yield client


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if not CHROMIUM:
        pytest.skip("no Chromium: scripts/debian installs Debian's, or name one in DAMIER_CHROMIUM")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, *FEW, "--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def visitor(browser: Any, served: Served) -> Iterator[Any]:
    """A person's browser in front of the lab: a context of its own, `visitor.new_page()`."""
    yield from visiting(browser, served)


@pytest.fixture
def page(visitor: Any) -> Any:
    """One page of a person's browser."""
    return visitor.new_page()
