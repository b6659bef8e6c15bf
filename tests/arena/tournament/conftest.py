"""Where tournaments are kept: a file of SQLite, and a server of PostgreSQL that the tests of a process
share.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres import Server, running_server


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with running_server() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place for a store that is not there yet."""
    if request.param == "sqlite":
        return str(tmp_path / "class.db")
    server: Server = request.getfixturevalue("server")
    return server.new_database()
