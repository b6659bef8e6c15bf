"""What the fork server does before workers are forked from it, in steps, so that nobody who asks for a
worker meanwhile waits for all of them.
"""

from __future__ import annotations

import contextlib
import gc
import json
from collections.abc import Iterator
from dataclasses import replace

from damier.core.errors import DamierError
from damier.core.numba_adapter import only_from_cache
from damier.core.words import languages
from damier.lab.agents import brought
from damier.lab.lab import Lab
from damier.web import pages
from damier.web.messages.rooms import WorkerQuestion
from damier.web.registry import Registry
from damier.web.verbs import VERBS, function_of
from damier.web.worker import reply

OF_CLASS = "classroom"
"""The beginning of rooms that are needed only where there is a class, and slow to import."""
IN_MEMORY = ":memory:"
"""A store that is gone when it is closed."""
PAGES: tuple[tuple[str, dict[str, str]], ...] = (
    ("home.page", {}),
    ("gallery.page", {}),
    ("board.page", {"game": "connect_four", "show": "truth"}),
    ("training_room.page", {"game": "hexapawn"}),
    ("matchboxes.page", {}),
    ("tree.page", {}),
    ("lessons.page", {}),
)
"""Pages that are made for nobody: what they load, all workers have."""
GAMES = ("hexapawn", "tictactoe", "connect_four", "othello", "nim", "isola")
AGENTS = ("medium", "strong", "mcts")
"""Who is played most, and at what: their engines are read, where the cache has them."""


def steps(registry: Registry) -> Iterator[None]:
    """Each step makes something ready; none of them compiles anything."""
    if registry.settings.store:
        yield from steps_of_class()
    for verb in VERBS:
        if registry.settings.store or not verb.startswith(OF_CLASS):
            function_of(verb)  # imports its room
            yield
    for template in pages.environment().list_templates():
        pages.environment().get_template(template)
        yield
    for verb, values in PAGES:
        for language in languages():
            question: WorkerQuestion = {"verb": verb, "language": language, "body": json.dumps(values)}
            reply(registry, json.dumps(question).encode())
            yield
    for game in GAMES:
        for agent in AGENTS:
            read_engines(registry, game, agent)
            yield
    gc.collect()
    gc.freeze()  # what is never looked at again by the collector stays shared by all workers


def steps_of_class() -> Iterator[None]:
    """The room that a whole class opens at once comes first: what it imports, a store in memory, as a
    connection to the one on the disk cannot be shared, and what works strengths out.
    """
    function_of("classroom.page")
    yield
    from damier.arena.classroom.roll import Roll
    from damier.arena.tournament.standings import Results
    from damier.arena.tournament.store import opened
    from damier.lab.tournament_report import table_of

    with opened(IN_MEMORY) as store:
        Roll(store).classroom()
    yield
    table_of(["1", "2"], Results(2))
    yield


def read_engines(registry: Registry, game: str, agent: str) -> None:
    """Reads the engines by which an agent plays, if the cache has all of them."""
    with contextlib.suppress(DamierError), only_from_cache():
        first_move(registry.lab(game), registry.bounded(game, agent))


def first_move(lab: Lab, agent: str) -> int:
    """The first move of an agent, found by compiled engines."""
    compiled = Lab(lab.game, replace(lab.job, jit=True), loads_files=False)
    return brought(compiled, agent).choose(lab.game, lab.game.start, [0])
