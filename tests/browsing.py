"""A lab that runs, and a browser in front of it: Debian's Chromium, or what DAMIER_CHROMIUM names.

Its package without windows, `chromium-headless-shell`, does the same with a third of the work;
`chromium` serves where only that is there.

A page that asks another host, or logs an error, fails its test.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

CHROMIUM = (
    os.environ.get("DAMIER_CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
)
QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
FEW = ("--renderer-process-limit=1", "--in-process-gpu", "--disable-gpu-compositing")
"""Fewer processes: a third less work for two cores."""


@dataclass
class Served:
    """A lab that runs: its address, its process, where it keeps learners, the page that it says to
    begin with, the owner's key, and what it said.
    """

    address: str
    process: subprocess.Popen[str]
    folder: Path
    first: str = ""
    key: str = ""
    said: str = ""

    @property
    def owned(self) -> dict[str, str]:
        """The header by which a program shows that it is the owner's."""
        return {"Authorization": f"Bearer {self.key}"}


def serve(folder: Path, *arguments: str, port: str = "0") -> Served:
    """Starts a lab, at a free port unless one is named, and waits until it listens."""
    command = [
        sys.executable,
        "-m",
        "damier",
        "serve",
        "--port",
        port,
        "--folder",
        str(folder / "learners"),
        *arguments,
    ]
    environment = os.environ | {"PYTHONUNBUFFERED": "1", "LANGUAGE": "en"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=folder)
    assert process.stdout is not None
    sentence = process.stdout.readline()
    told = urlsplit(next(word for word in sentence.split() if word.startswith("http://")))
    address = f"http://{told.netloc}"
    return Served(
        address, process, folder / "learners", address + told.path, parse_qs(told.query)["token"][0], sentence
    )


def stop(served: Served) -> None:
    served.process.terminate()
    served.process.communicate(timeout=300)


def visiting(browser: Any, served: Served, **options: Any) -> Iterator[Any]:
    """The browser of the lab's owner."""
    address = served.address
    context = browser.new_context(base_url=address, locale="en-GB", reduced_motion="reduce", **options)
    context.set_default_timeout(120_000)
    faults: list[str] = []
    context.request.get(f"/?token={served.key}")
    host = urlsplit(address).netloc
    context.on(
        "request",
        lambda request: (
            faults.append(f"asks {request.url}") if urlsplit(request.url).netloc not in ("", host) else None
        ),
    )
    context.on("weberror", lambda error: faults.append(str(error.error)))
    context.on(
        "console",
        lambda message: (
            faults.append(message.text)
            if message.type == "error" and "the server responded" not in message.text
            else None
        ),
    )
    yield context
    context.close()
    assert not faults


def violations(page: Any, *rules: str) -> list[str]:
    """What axe-core finds wrong with a page for people who cannot see it, or use a mouse, by some
    rules or by all; nothing where all is well.
    """
    from axe_playwright_python.sync_playwright import Axe

    options = {"resultTypes": ["violations"]}  # to name each element that is right takes as long as all else
    if rules:
        options["runOnly"] = list(rules)
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{rule['id']}: {rule['help']}: {[node['html'][:200] for node in rule['nodes']][:4]}"
        for rule in found
    ]
