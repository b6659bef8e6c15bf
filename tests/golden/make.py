"""Writes one playthrough a game, for people to read in a diff: `python tests/golden/make.py`.

Each ply shows the board, the mover, the legal moves, the documents' number where there is one, the
key, and the move that was drawn.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from damier import NumberBoard, Position, load
from damier.lab.games import GAMES

FOLDER = Path(__file__).parent
PLIES = 60


def playthrough(name: str) -> str:
    """A random game, drawn from the game's own name: `Random.random` gives the same numbers in
    every version of Python.
    """
    chosen = Random(name)
    position = load(name).position()
    shown = [f"# {position.game.text}", f"# fingerprint {position.game.fingerprint()}"]
    for ply in range(PLIES):
        shown += ["", f"ply {ply}", *described(position)]
        if position.over:
            break
        move = position.moves[int(chosen.random() * len(position.moves))]
        shown.append(f"plays    {move}")
        position = position.play(move)
    return "\n".join(shown) + "\n"


def described(position: Position) -> list[str]:
    game, s = position.game, position.state
    grid = game.grid(s) if game.grid else None
    board = game.show(s).splitlines() if grid is None or isinstance(grid, NumberBoard) else grid.rows
    facts = [f"    {row}" for row in board]
    facts.append(f"state    {s}")
    if position.id is not None:
        facts.append(f"id       {position.id}")
    facts.append(f"key      {game.key(s) if game.key_words == 1 else None}")
    facts.append(f"mover    {position.mover}")
    facts.append(f"payoffs  {position.payoffs}" if position.over else f"legal    {' '.join(position.moves)}")
    return facts


def main() -> None:
    for name in GAMES:
        (FOLDER / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")


if __name__ == "__main__":
    main()
