"""A person at the terminal: asked until the answer is a legal move (rows A-41 and A-75)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from damier.core.bits import Rng
from damier.core.errors import BadInput, IllegalMove
from damier.core.game import Game, Position
from damier.core.player import AnyKernel
from damier.core.rules import State
from damier.core.words import _, message


@dataclass
class HumanPlayer:
    """`ask` shows a prompt and returns a line; it raises EOFError at the end of the input.

    `tell` shows a sentence.
    """

    ask: Callable[[str], str]
    tell: Callable[[str], None]

    text = "human"
    compiles, learns = False, False

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        position = Position(game, s)
        while True:
            try:
                answer = self.ask(
                    _("Player {n}, your move ({moves}): ", n=position.mover + 1, moves=some(position.moves))
                )
            except EOFError:
                raise BadInput(message("the input ended before the game did")) from None
            if not answer.strip():
                continue
            try:
                return position.read(answer)
            except IllegalMove as error:
                self.tell(str(error))

    def kernel(self, *, jit: bool) -> AnyKernel | None:
        return None


def some(names: tuple[str, ...], most: int = 20) -> str:
    """A list of moves short enough for a prompt."""
    return " ".join(names) if len(names) <= most else " ".join(names[:most]) + " …"
