"""Texts of positions, games and trees with a few signs changed: each is refused in one line, or read to what
is written so that it is read back the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from lasting import later

from damier import load
from damier.core.errors import DamierError
from damier.core.game import Position, read_position, written_position
from damier.core.tree import Tree
from damier.games.chess_pgn import PgnGame, read_pgn, write_pgn
from damier.games.draughts import read_pdn, write_pdn
from damier.games.go import read_sgf, write_sgf
from damier.trees import tree_text

SIGNS = "0123456789/-.,:;()[] XOWBKkqQ_|+#'\"é١\u2009²\t\n=<>%oPGSabcdefgh"
GAMES = [
    "chess",
    "draughts",
    "draughts:variant=international",
    "go:size=5",
    "hex:size=4",
    "othello:size=6",
    "tictactoe",
    "connect_four",
    "connect_four:width=9,height=8",
    "hexapawn",
    "breakthrough:width=4,height=5",
    "isola:width=4,height=4",
    "nine_mens_morris",
    "nim:heaps=3-4-5",
    "kalah",
    "dots_and_boxes",
    "hyper_backgammon:checkers=1",
    later("hyper_backgammon"),  # which takes long to name its moves
    "pig",
    "pacman:layout=crossing",
]
TREES = [
    "((3 12 8) (2 4 6) (14 5 2))",
    "max(min(3 12) p3(5 1))",
    "max(chance(1/4:8 3/4:20) chance(12 16))",
    "p1(p2([3 1 5] [4 2 0]) p2([2 6 1] [0 0 9]))",
    "((3, 5), (3, -1.5))",
]
PGN = [
    '[Event "E"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 3 17"]\n\n17. e4 Ke7 18. e5 {x} (18. Kd2) Ke6 1/2-1/2\n',
    '[White "A"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n',
]
PDN = [
    '[Event "x"][GameType "21"] 1. 11-15 22-18 2. 15x22 25x18 1-1',
    '[FEN "B:W18,24,27,28,K10:B12,16"] 1. 16-20 *',
]
SGF = [
    "(;FF[4]GM[1]SZ[5]KM[0.5]PB[x]AB[aa][bb]AW[cc]PL[W];W[dd];B[ee](;W[])(;W[ab]))",
    "(;SZ[9];B[aa];W[bb];B[])",
]
often = pytest.mark.parametrize("times", [100, later(2000)])


def mutated(text: str, chosen: Random) -> str:
    """The text with one to three changes: a sign put in, taken out or replaced, two exchanged, some twice."""
    signs = list(text)
    for _change in range(chosen.choice((1, 1, 1, 2, 3))):
        at, last = chosen.randrange(len(signs) + 1), len(signs) - 1
        match chosen.randrange(5):
            case 0:
                signs.insert(at, chosen.choice(SIGNS))
            case 1 if last > 0:
                del signs[min(at, last)]
            case 2 if last >= 0:
                signs[min(at, last)] = chosen.choice(SIGNS)
            case 3 if last > 0:
                other = chosen.randrange(last + 1)
                signs[min(at, last)], signs[other] = signs[other], signs[min(at, last)]
            case _:
                signs[at:at] = signs[at : at + chosen.randrange(1, 6)]
    return "".join(signs)


def check(
    texts: Sequence[str], reader: Callable[[str], Any], writer: Callable[[Any], str], times: int
) -> None:
    """Every mutated text is refused in one line, or what it says comes back from how it is written."""
    chosen, taken, refusals = Random(times), 0, list[str]()
    for _time in range(times):
        text = mutated(chosen.choice(texts), chosen)
        try:
            found = reader(text)
        except DamierError as error:
            refusals.append(str(error))
            continue
        taken += 1
        again = reader(writer(found))
        assert (again, writer(again)) == (found, writer(found)), text
    assert taken > 0
    assert len(refusals) == times - taken > 0
    assert all(said.replace("\u2009", "").isprintable() for said in refusals)


def texts_of(game: str) -> list[str]:
    """Positions of a few random games."""
    chosen, found = Random(3), []
    for _game in range(12):
        position = load(game).position()
        for _ply in range(chosen.randrange(30)):
            if position.over:
                break
            position = position.play(chosen.choice(position.moves))
        found.append(written_position(position))
    return found


@often
@pytest.mark.parametrize("game", GAMES)
def test_positions(game: str, times: int) -> None:
    loaded = load(game)

    def reader(text: str) -> tuple[Position, int, int]:
        position = read_position(loaded, text)
        return position, len(position.before), position.plies

    check(texts_of(game), reader, lambda found: written_position(found[0]), times)


@often
def test_trees(times: int) -> None:
    def reader(text: str) -> tuple[Tree, int]:
        found = tree_text.parse(text)
        return found, found.players

    check(TREES, reader, lambda found: tree_text.written(found[0]), times)


@often
def test_games_of_chess(times: int) -> None:
    def reader(text: str) -> list[tuple[PgnGame, tuple[int, ...]]]:
        return [(game, game.moves) for game in read_pgn(text.splitlines(keepends=True))]

    def standard(text: str) -> str:
        return "\n".join(write_pgn(game) for game, _moves in reader(text))

    check(PGN, standard, standard, times)


@often
def test_games_of_draughts(times: int) -> None:
    def standard(text: str) -> str:
        return "\n\n".join(map(write_pdn, read_pdn(text)))

    check(PDN, standard, standard, times)


@often
def test_games_of_go(times: int) -> None:
    def standard(text: str) -> str:
        return write_sgf(read_sgf(text))

    check(SGF, standard, standard, times)
