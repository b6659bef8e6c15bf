"""The lab in a tab of a browser: what the hub and its workers do for many, done for one reader.

`worker.js` calls `begin` once, and `answer` for every address and every question. Nothing leaves the tab.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl, unquote

from damier.core.errors import BadInput
from damier.core.files import write_text
from damier.core.json_data import to_json
from damier.core.words import _, message, speaking
from damier.web import pages
from damier.web.messages import Params, Query, ReplayAnswer
from damier.web.registry import Registry, own_files, without_folder
from damier.web.rooms import ROOMS
from damier.web.settings import Settings
from damier.web.worker import HTML, JSON, reply

# Room of a site in which a reader pastes a game or an agent: taken as `damier serve FILE` takes a file.


FOLDER = Path("/own/pasted")
"""Where pasted files lie, in the memory of the tab."""
LONGEST = 100_000
"""Characters of one file."""


def page(registry: Registry, params: Params) -> str:
    """Make the page: a field for the text, and what is there already."""
    return pages.page(
        "pasted.html",
        "/own",
        _("Your own game or agent"),
        games=list(registry.settings.games),
        agents=registry.own.in_files(),
        parts={},
    )


def take(registry: Registry, params: Params) -> ReplayAnswer:
    """Take the `text` of a file called `name`; the address is that of its board.

    Raises BadInput, BadFile, BadGame.
    """
    name, text = params.text("name").strip(), params.text("text", longest=LONGEST)
    path = FOLDER / Path(name).name
    if path.suffix != ".py" or path.name != name:
        raise BadInput(message("a file of Python is called NAME.py: {name}", name=name))
    before = path.read_text() if path.exists() else None
    write_text(path, text)
    try:
        with without_folder(str(path)):
            games, agents = own_files([str(path)])
            taken = {**registry.settings.games, **registry.settings.agents}
            if any(taken.get(own, str(path)) != str(path) for own in (*games, *agents)):
                raise BadInput(message("there is a file called {name} here already; rename yours", name=name))
    except BaseException:
        path.unlink() if before is None else write_text(path, before)
        raise
    registry.settings.games.update(games)
    registry.settings.agents.update(agents)
    if games:
        return {"address": pages.address(f"/{next(iter(games))}")}
    game = next(iter(registry.settings.games), "tictactoe")
    return {"address": pages.address(f"/{game}", **{"1": "human", "2": next(iter(agents))})}


MEMORY = 1 << 28
"""Bytes of one job: a tab has no more than 2 GiB for all of Python."""
ASK = "/ask/"
Reply = tuple[int, str, "str | bytes"]
"""Status, type and content: a text where the type is one."""

_registry: list[Registry] = []
_closed: list[str] = []


def begin(facts: str) -> None:
    """Open the lab; `facts` names the games and agents of one's own that it has, with their files, and the
    addresses of the rooms that it lacks.
    """
    found = json.loads(facts)
    _closed[:] = found["closed"]
    pages.list_rooms(store=False, server=False)
    settings = Settings(games=found["games"], agents=found["agents"], folder=Path("/learners"), memory=MEMORY)
    _registry[:] = [Registry(settings)]


def answer(address: str, body: str, language: str) -> Reply:
    """Answer a question of a page, `/ask/ROOM.VERB`, or make the page of an address."""
    path, _mark, query = address.partition("?")
    if path.startswith(ASK):
        return answer_to(path.removeprefix(ASK), json.loads(body), language)
    path = unquote(path).rstrip("/") or "/"
    verb, values = verb_of(path)
    found = {name: value for name, value in parse_qsl(query, keep_blank_values=True) if name != "lang"}
    if any(f"{path}/".startswith(f"{start}/") for start in _closed):
        return problem(404, without_server(language), path, language)
    status, kind, content = answer_to(verb, found | values, language)
    if status == 200 or kind != JSON:
        return status, kind, content
    return problem(status, json.loads(content)["error"], path, language)


def answer_to(verb: str, values: Mapping[str, object], language: str) -> Reply:
    """Ask a room, as a worker does."""
    if verb in ROOMS.verbs and ROOMS.of(verb).needs_server:
        return 404, JSON, to_json({"error": without_server(language)})
    status, kind, content = reply(_registry[0], Query(verb, values, language).line)
    return status, kind, content.decode() if kind in (HTML, JSON) else content


def without_server(language: str) -> str:
    """Return why a room is not open here."""
    with speaking(language):
        return _(
            "This needs damier on a machine of your own: pip install 'damier[web]', then damier serve. Here"
            " all runs in your browser, without a server."
        )


def problem(status: int, error: str, path: str, language: str) -> Reply:
    """Make the page that says what is wrong with an address."""
    _status, kind, content = answer_to(
        "gallery.problem", {"error": error, "status": status, "path": path}, language
    )
    return status, kind, content


def verb_of(path: str) -> tuple[str, dict[str, str]]:
    """Return the verb that makes the page of an address, and the values that the address names."""
    for pattern, verb in patterns():
        if found := pattern.fullmatch(path):
            return verb, found.groupdict()
    raise KeyError(path)


@cache
def patterns() -> list[tuple[re.Pattern[str], str]]:
    """Return the addresses of pages as regular expressions, with their verbs, the first that fits first."""

    def readable(address: str) -> str:
        parts = re.split(r"\{(\w+)(:path)?\}", address)
        groups = zip(parts[1::3], parts[2::3], parts[3::3], strict=True)
        return re.escape(parts[0]) + "".join(
            f"(?P<{name}>{'.*' if wide else '[^/]+'}){re.escape(rest)}" for name, wide, rest in groups
        )

    return [(re.compile(readable(address), re.DOTALL), verb) for address, verb in ROOMS.pages.items()]


if __name__ == "__main__":  # the first page in some languages, for who makes a site
    begin(sys.argv[1])
    print(to_json({code: str(answer("/", "", code)[2]) for code in sys.argv[2:]}))
