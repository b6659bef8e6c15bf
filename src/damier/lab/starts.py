"""Positions in which games of a training begin: one, those of a file, or after random moves."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from damier.core.bits import mix64, random_below, seeded
from damier.core.compile import instantiate
from damier.core.errors import BadFile, BadInput, Unsuitable
from damier.core.files import read_text
from damier.core.game import Game, read_position
from damier.core.player import sample_chance
from damier.core.rules import CHANCE, State
from damier.core.words import message
from damier.lab.options import read_options

APART = 0x5374617274
"""Beside a seed, so that where games begin is drawn from other numbers than the games themselves."""
TRIALS = 200
"""Walks of random moves that may end before a game begins."""
LARGEST = 1 << 20
"""Bytes of a file of positions."""
MOST_PLIES, USUAL_PLIES = 1000, 4
MOST_TYPED = 4000
"""Characters of positions that are typed into a form."""
BETWEEN = " / "
"""Between positions that are written on one line."""


@dataclass(frozen=True)
class Starts:
    """Positions in which games begin.

    Attributes:
        written: as a person wrote it
        positions: in turn, game after game; none where each game begins after
        plies: so many random moves from the start of the game
    """

    written: str
    positions: tuple[State, ...] = ()
    plies: int = 0

    def of(self, game: Game, seed: int) -> Callable[[int], State]:
        """Return where game number n begins: for a seed always the same."""
        if self.positions:
            return lambda number: self.positions[number % len(self.positions)]
        return lru_cache(maxsize=2)(partial(wander, game, self.plies, mix64(seed ^ APART)))


def wander(game: Game, most: int, seed: int, number: int) -> State:
    """Return where a walk of so many random moves from the start of a game ends, with the game going on; each
    has a stream of the seed of its own. Raises Unsuitable.
    """
    rng = seeded(seed, number)
    sample = instantiate(sample_chance, game, jit=False)
    for _trial in range(TRIALS):
        s, plies = game.start, 0
        while plies < most and not game.over(s):
            if game.mover(s) == CHANCE:
                s = game.play(s, sample(s, game.moves(s), rng))
            else:
                legal = game.legal(s)
                s, plies = game.play(s, legal[random_below(rng, len(legal))]), plies + 1
        if not game.over(s):
            return s
    raise Unsuitable(message("{game}: no game goes on after {n} random moves", game=game.text, n=most))


def random_starts(plies: int) -> int:
    """Return how many random moves a game begins after. Raises BadInput."""
    if not 1 <= plies <= MOST_PLIES:
        raise BadInput(message("random:plies={n}: it must be between 1 and {most}", n=plies, most=MOST_PLIES))
    return plies


def read_starts(game: Game, position: str | None, positions: str | None) -> Starts | None:
    """Return where games begin: in one position, in those of a file, one a line, or after `random:plies=N`;
    None where nothing is given.

    Raises BadInput, BadFile, Unsuitable.
    """
    if position is not None and positions is not None:
        raise BadInput(message("--position and --positions exclude each other; give one of them"))
    if position is not None:
        return Starts(position.strip(), (going_on(game, position),))
    if positions is None:
        return None
    if after := after_random_moves(game, positions):
        return after
    path = Path(positions)
    lines = [
        (number, line.strip())
        for number, line in enumerate(read_text(path, LARGEST).splitlines(), 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise BadFile(message("{path} has no position; write one a line", path=path))
    states = tuple(of_line(game, path, number, line) for number, line in lines)
    return Starts(BETWEEN.join(line for _number, line in lines), states)


def typed_starts(game: Game, text: str) -> Starts | None:
    """Return where games begin as a form says it: after `random:plies=N`, or in positions, one a line or
    with ` / ` between them, as a `Starts` is written; None where nothing is said. No file is read.

    Raises BadInput, Unsuitable.
    """
    if after := after_random_moves(game, text.strip()):
        return after
    lines = [line.strip() for line in re.split(f"{BETWEEN}|\n", text) if line.strip()]
    states = []
    for number, line in enumerate(lines, 1):
        try:
            states.append(going_on(game, line))
        except BadInput as error:
            raise BadInput(message("position {n}: {error}", n=number, error=error)) from None
    return Starts(BETWEEN.join(lines), tuple(states)) if lines else None


def after_random_moves(game: Game, text: str) -> Starts | None:
    """Return what `random:plies=N` means; None for another text. Raises BadInput, Unsuitable."""
    name, _colon, options = text.partition(":")
    if name != "random":
        return None
    given = {"plies": USUAL_PLIES} | read_options(name, options, random_starts)
    found = Starts(text, plies=random_starts(**given))
    found.of(game, 0)(0)
    return found


def of_line(game: Game, path: Path, number: int, text: str) -> State:
    """Return the position in a line of a file. Raises BadFile."""
    try:
        return going_on(game, text)
    except BadInput as error:
        raise BadFile(message("{path}, line {n}: {error}", path=path, n=number, error=error)) from None


def going_on(game: Game, text: str) -> State:
    """Return the position that is written so, in which the game is not over. Raises BadInput."""
    state = read_position(game, text).state
    if game.over(state):
        raise BadInput(message("{position}: there the game is over", position=text))
    return state
