"""Games that are played for a person: by somebody who knows all boxes of the machine, and always makes
one of the moves that beat it most often. It is beaten so wherever it can be, so it learns fastest.
"""

from __future__ import annotations

from damier.core.bits import Rng, random_below, reseed
from damier.lab.matchbox_lines import MachineLines
from damier.web.matchboxes.box_set import BoxSet
from damier.web.matchboxes.human_game import HumanGame
from damier.web.matchboxes.played import Entry
from damier.web.matchboxes.replaying import after


def played_on(box_set: BoxSet, seed: int, played: list[Entry], games: int) -> list[Entry]:
    """The same games, and so many more. They stand in the list as a person's do: move by move."""
    found = list(played)
    for _game in range(games):
        found.append(one_game(box_set, seed, found))
    return found


def one_game(box_set: BoxSet, seed: int, played: list[Entry]) -> tuple[str, ...]:
    """The moves of one game; among moves that are equally good it draws one, always alike for the same
    seed and the same games before.
    """
    human_game = HumanGame(box_set, after(box_set, seed, played), seed)
    lines = MachineLines(box_set, human_game.memory, human_game.seat)
    rng: Rng = [0]
    reseed(rng, seed, ~human_game.number)
    while not human_game.over:
        if human_game.drawing:
            human_game.draw()
        else:
            best = lines.best_replies(human_game.position)
            human_game.follow([best[random_below(rng, len(best))]])
    return tuple(human_game.moves)
