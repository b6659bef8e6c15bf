"""What every test shares: the folder of the helpers (`oracles`, `gallery`) is importable, and
compiled engines never touch the user's own cache.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from pathlib import Path

from platformdirs import user_cache_path

TESTS = Path(__file__).parent
if str(TESTS) not in sys.path:
    sys.path.insert(0, str(TESTS))

# Kept from run to run and shared by all copies of the project: a digest names each engine, so that a second
# run only loads. A test of the cache itself sets its own folder.
os.environ.setdefault("DAMIER_CACHE", str(user_cache_path("damier-tests")))

# What a user or a run before has proven must not decide what a test sees; a test of it says otherwise.
os.environ["DAMIER_PROOFS"] = "off"

# The tests read English sentences, also those of the commands that they start.
os.environ["LANGUAGE"] = "en"

# Who runs the tests in the background of a shell has Ctrl-C ignored, and with it every process of theirs.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Also where the caller's Python keeps no bytecode: hundreds of tests start a process, and each would compile
# all of damier's source.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


# No signs of life of work that takes long: how long it takes is the machine's business, and what a test reads
# must not depend on it.
os.environ.setdefault("DAMIER_QUIET", "1")

from collections.abc import Generator, Iterator  # noqa: E402
from http.cookiejar import DefaultCookiePolicy  # noqa: E402
from typing import Any  # noqa: E402

import httpx  # noqa: E402
import pytest  # noqa: E402
from browsing import CHROMIUM, FEW, QUIET, Served, serve, stop, visiting  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

from damier.core import tiers  # noqa: E402
from damier.core.job import take_notes_of_process  # noqa: E402

# Tests say what is to be compiled. What does not say it takes a moment in plain Python: on a busy machine it
# seemed to be worth a compiler, which took seconds of a processor.
tiers.COMPILING_PAYS = 20.0

settings.register_profile(
    "damier", deadline=None, derandomize=True, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("damier")


def pytest_collection() -> None:
    """The tests themselves stay to the end: nobody looks for garbage among them."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Reads a file in one process at a time: in a new checkout all of them compiled every file at once."""
    if sys.platform == "win32" or not isinstance(collector, pytest.Module):
        return (yield)
    import fcntl

    with collector.path.open("rb") as alone:
        fcntl.flock(alone, fcntl.LOCK_EX)
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Looks for no examples in the docstrings of tests: none has any."""
    return [found for found in (yield) if type(found) is pytest.Module]  # not a module of doctests


def pytest_runtest_teardown() -> None:
    """What a test had noted for whoever uses this process is not told by a command of the next one."""
    take_notes_of_process()


# One lab and one browser for all tests of a process. Without a browser these tests are skipped, and the
# report of the run says so.

EXAMPLES = TESTS.parent / "examples"
OWN_GAMES = [str(EXAMPLES / "dice_nim.py"), str(EXAMPLES / "kuhn_poker.py")]


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A lab that all tests of this process share."""
    found = serve(tmp_path_factory.mktemp("lab"), *OWN_GAMES)
    yield found
    stop(found)


@pytest.fixture(scope="session")
def http(served: Served) -> Iterator[httpx.Client]:
    """The lab's owner, who reads pages without a browser, and keeps no cookie: of what language it was asked
    for by one test, the next knows nothing.
    """
    owned = served.owned | {"Accept-Language": "en"}
    with httpx.Client(base_url=served.address, headers=owned, timeout=300) as client:
        client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=()))
        yield client


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if not CHROMIUM:
        pytest.skip("no Chromium: scripts/debian installs Debian's, or name one in DAMIER_CHROMIUM")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=300_000)  # of a machine that does much else
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
