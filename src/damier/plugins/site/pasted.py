"""Room of a site in which a reader pastes a game or an agent: taken as `damier serve FILE` takes a file."""

from __future__ import annotations

from pathlib import Path

from damier.core.errors import BadInput
from damier.core.files import write_text
from damier.core.words import _, message
from damier.web import pages
from damier.web.messages import ReplayAnswer
from damier.web.params import Params
from damier.web.registry import Registry, own_files, without_folder

FOLDER = Path("/own/pasted")
"""Where pasted files lie, in the memory of the tab."""
LONGEST = 100_000
"""Characters of one file."""


def page(registry: Registry, asked: Params) -> str:
    """Make the page: a field for the text, and what is there already."""
    return pages.page(
        "pasted.html",
        "/own",
        _("Your own game or agent"),
        games=list(registry.settings.games),
        agents=registry.own.in_files(),
        parts={},
    )


def take(registry: Registry, asked: Params) -> ReplayAnswer:
    """Take the `text` of a file called `name`; the address is that of its board.

    Raises BadInput, BadFile, BadGame.
    """
    name, text = asked.text("name").strip(), asked.text("text", longest=LONGEST)
    path = FOLDER / Path(name).name
    if path.suffix != ".py" or path.name != name:
        raise BadInput(message("a file of Python is called NAME.py: {name}", name=name))
    FOLDER.mkdir(parents=True, exist_ok=True)
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
