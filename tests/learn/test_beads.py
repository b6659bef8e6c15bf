"""Matchboxes by hand: MENACE, the hexapawn machine and the lists of Nim after scripted games."""

from __future__ import annotations

import pytest

from damier import load
from damier.core.bits import reseed
from damier.core.compile import instantiate
from damier.core.errors import BadInput
from damier.core.game import Game
from damier.core.moves import each
from damier.core.rules import State
from damier.learn.beads import BeadsParameters
from damier.learn.player import LearningPlayer
from damier.learn.qtable import SeatArrays
from damier.learn.store import lists_of, rows_of_lists
from tests.learn.scripted import RESIGNS, counts, learner, play, position

WON = "4 0 2 1 6"  # X has the diagonal 2 4 6
LOST = "4 0 2 6 1 3"  # O has the left column
DRAWN = "4 0 2 6 3 5 1 7 8"


def box(player: LearningPlayer, moves: str) -> dict[str, int]:
    """The beads of the colour of every move of a position, wherever its box is kept."""
    game, s = player.game, position(player.game, moves)
    boxes = {found.state: dict(zip(found.moves, found.counts, strict=True)) for found in player.memory.rows()}
    symmetries = range(game.symmetries())
    turned = next(g for g in symmetries if game.turn(s, g) in boxes)
    beads = boxes[game.turn(s, turned)]
    names = {}
    for move in game.legal(s):
        images = {
            game.turn_move(game.turn_move(move, turned), g)
            for g in symmetries
            if game.turn(game.turn(s, turned), g) == game.turn(s, turned)
        }
        names[game.name_move(s, move)] = next(beads[image] for image in images if image in beads)
    return names


def of(beads: int, **changed: int) -> dict[str, int]:
    """Beads of nine cells."""
    return {str(cell): changed.get(f"c{cell}", beads) for cell in range(9)}


CORNERS, EDGES = ("c0", "c2", "c6", "c8"), ("c1", "c3", "c5", "c7")


def test_menace_after_one_two_and_three_games() -> None:
    """Rows A-26 to A-30: 4, 3, 2, 1 beads; a win puts three in, a draw one; a loss takes one out of
    the last box only.
    """
    game = load("tictactoe")
    x = learner(game, "beads", "hexapion")

    play(x, None, WON)
    assert box(x, "") == of(4, c4=7)  # 4 + 3
    assert counts(x, game.start) == {"0": 4, "1": 4, "4": 7}  # one colour for all corners, one for all edges
    # 3 + 3; cells mirrored at the diagonal share a colour
    assert box(x, "4 0") == {"1": 3, "3": 3, "2": 6, "6": 6, "5": 3, "7": 3, "8": 3}
    assert box(x, "4 0 2 1") == {"3": 2, "5": 2, "6": 5, "7": 2, "8": 2}  # 2 + 3

    play(x, None, LOST)
    assert box(x, "") == of(4, c4=7)
    assert box(x, "4 0") == {"1": 3, "3": 3, "2": 6, "6": 6, "5": 3, "7": 3, "8": 3}
    assert box(x, "4 0 2 6") == {"1": 1, "3": 2, "5": 2, "7": 2, "8": 2}  # 2 - 1

    play(x, None, DRAWN)
    assert box(x, "") == of(4, c4=8)  # 7 + 1
    assert box(x, "4 0")["2"] == 7
    assert box(x, "4 0 2 6") == {"1": 1, "3": 3, "5": 2, "7": 2, "8": 2}
    assert box(x, "4 0 2 6 3 5") == {"1": 2, "7": 1, "8": 1}  # 1 + 1; the ninth move is forced and has no box
    assert (len(x.memory), x.memory.games, x.memory.decisions) == (5, 3, 3 + 3 + 4)


@pytest.mark.parametrize(("preset", "first"), [("michie", (4, 3, 2, 1)), ("scroggs", (8, 4, 2, 1))])
def test_michie_and_scroggs_punish_every_box(preset: str, first: tuple[int, ...]) -> None:
    """Row A-31."""
    game = load("tictactoe")
    x = learner(game, "beads", preset)
    play(x, None, LOST)
    assert [box(x, "")["4"], box(x, "4 0")["2"], box(x, "4 0 2 6")["1"]] == [
        first[0] - 1,
        first[1] - 1,
        first[2] - 1,
    ]
    assert [box(x, "")["0"], box(x, "4 0")["1"], box(x, "4 0 2 6")["3"]] == [first[0], first[1], first[2]]
    play(x, None, WON)
    assert [box(x, "")["4"], box(x, "4 0")["2"], box(x, "4 0 2 1")["6"]] == [
        first[0] + 2,
        first[1] + 2,
        first[2] + 3,
    ]
    play(x, None, DRAWN)
    assert [box(x, "")["4"], box(x, "4 0")["2"], box(x, "4 0 2 6")["3"]] == [
        first[0] + 3,
        first[1] + 3,
        first[2] + 1,
    ]
    assert box(x, "4 0 2 6 3 5") == {"1": first[3] + 1, "7": first[3], "8": first[3]}


def first_players(game: Game) -> list[tuple[int, State]]:
    """Every position in which the first player has a choice, with its ply."""
    found, layer, ply = [], {game.start}, 0
    while layer:
        found += [(ply, s) for s in layer if ply % 2 == 0 and len(game.legal(s)) > 1]
        layer = {game.play(s, move) for s in layer if not game.over(s) for move in each(game.moves(s))}
        ply += 1
    return found


@pytest.mark.parametrize(("preset", "beads"), [("hexapion", 1720), ("michie", 1720), ("scroggs", 1798)])
def test_there_are_304_boxes(preset: str, beads: int) -> None:
    """Spec C."""
    game = load("tictactoe")
    x = learner(game, "beads", preset)
    kernel = x.kernel(jit=False)
    assert kernel is not None
    kernel.grow(4000)
    kernel = x.kernel(jit=False)
    assert kernel is not None
    choose = instantiate(kernel.choose, game, jit=False, bind=kernel.bind)
    for ply, s in first_players(game):
        SeatArrays(*kernel.arrays).length[0] = ply // 2
        assert choose(s, kernel.arrays, [1]) in game.legal(s)
    assert len(x.memory) == 304
    assert sum(sum(found.counts) for found in x.memory.rows()) == beads


def test_a_drawn_bead_is_played_on_the_board_as_it_lies() -> None:
    """Row A-27: positions that are one another's image have one box, and the moves go with them."""
    game = load("tictactoe")
    x = learner(game, "beads", "hexapion")
    play(x, None, "4 8 6 7 2")  # WON, turned round and mirrored: O at 8 and 7, X at 6 and 2
    assert box(x, "4 0 2 1") == {"3": 2, "5": 2, "6": 5, "7": 2, "8": 2}
    assert box(x, "4 8 6 7") == {"5": 2, "3": 2, "2": 5, "1": 2, "0": 2}
    likely = x.probabilities(game, position(game, "4 8 6 7"))
    assert likely[1 << 2] == pytest.approx(5 / 13)
    rng, seen = [0], set()
    for number in range(300):
        reseed(rng, 1, number)
        seen.add(x.choose(game, position(game, "4 8"), rng))
    by_colour = [{0}, {1, 3}, {2, 6}, {5, 7}]
    assert all(any(move.bit_length() - 1 in colour for move in seen) for colour in by_colour)
    assert sum(x.probabilities(game, position(game, "4 8")).values()) == pytest.approx(1)


# five matches, one at a time: the first player loses
CHAIN = {"beads": "2", "win": 0, "draw": 0, "loss": -1, "punish": "last", "cascade": True}


def chain(player: LearningPlayer) -> list[int]:
    """Beads in the boxes of 5, 3 and 1 matches."""
    return [sum(counts(player, position(player.game, moves)).values()) for moves in ("", "1 1", "1 1 1 1")]


def test_an_empty_box_resigns_and_the_box_before_it_pays() -> None:
    """Row A-30."""
    player = learner(load("nim:matches=5,take=1"), "beads", **CHAIN)
    play(player, None, "1 1 1 1 1")
    assert chain(player) == [2, 2, 1]
    play(player, None, "1 1 1 1 1")
    assert chain(player) == [2, 1, 0]  # the last box is empty now, so that the one before it pays as well
    play(player, None, f"1 1 1 1 {RESIGNS}")
    assert chain(player) == [1, 0, 0]  # the last box used was that of 3; it is empty now, so that of 5 pays
    play(player, None, f"1 1 {RESIGNS}")
    assert chain(player) == [0, 0, 0]
    play(player, None, RESIGNS)
    assert chain(player) == [0, 0, 0]
    assert player.memory.games == 5
    assert player.probabilities(player.game, player.game.start) == {1: 0.0}


def test_without_a_cascade_only_the_last_box_pays() -> None:
    player = learner(load("nim:matches=5,take=1"), "beads", **(CHAIN | {"cascade": False}))
    play(player, None, "1 1 1 1 1", "1 1 1 1 1")
    assert chain(player) == [2, 2, 0]


def test_one_loss_can_empty_all_boxes() -> None:
    player = learner(load("nim:matches=5,take=1"), "beads", **(CHAIN | {"beads": "1"}))
    play(player, None, "1 1 1 1 1")
    assert chain(player) == [0, 0, 0]


def test_an_empty_box_is_filled_again_if_it_is_to() -> None:
    player = learner(
        load("nim:matches=5,take=1"),
        "beads",
        **(CHAIN | {"empty": "restock", "beads": "3-2-1", "cascade": False}),
    )
    play(player, None, "1 1 1 1 1")
    assert chain(player) == [3, 2, 0]
    assert player.probabilities(player.game, position(player.game, "1 1 1 1")) == {1: 1.0}
    play(player, None, "1 1 1 1 1")
    assert chain(player) == [3, 2, 0]  # filled with 1, and 1 taken out


def test_gardners_machine_is_only_punished() -> None:
    """Row A-32: Black, one bead a colour, the move before a loss goes."""
    game = load("hexapawn:blocked=loss")
    black = learner(game, "beads", "her")
    play(None, black, "b1b2 c3c2 b2a3")  # lost
    assert box(black, "b1b2") == {"c3c2": 0, "a3a2": 0, "c3b2": 1, "a3b2": 1}
    play(None, black, "b1b2 c3b2 a1a2 b2b1")  # won
    assert box(black, "b1b2") == {"c3c2": 0, "a3a2": 0, "c3b2": 1, "a3b2": 1}
    assert set(box(black, "b1b2 c3b2 a1a2").values()) == {1}
    play(None, black, "b1b2 c3b2 a1b2 a3a2 c1c2 b3c2 b2b3")  # lost
    assert box(black, "b1b2 c3b2 a1b2 a3a2 c1c2")["b3c2"] == 0
    assert (
        sum(box(black, "b1b2 c3b2 a1b2 a3a2 c1c2").values())
        == len(box(black, "b1b2 c3b2 a1b2 a3a2 c1c2")) - 1
    )
    assert set(box(black, "b1b2 c3b2 a1b2").values()) == {1}
    assert box(black, "b1b2") == {"c3c2": 0, "a3a2": 0, "c3b2": 1, "a3b2": 1}


def lists(player: LearningPlayer) -> dict[str, list[int]]:
    found = lists_of(player.game, player.parameters, player.memory)
    assert found is not None
    return found


def test_the_lists_of_nim() -> None:
    """Rows A-39 to A-47: every move of a game won is put into its list again; nothing is taken out."""
    game = load("nim:matches=6")
    one = learner(game, "beads", "ia01")
    fresh = {"6": [3, 2, 1], "5": [3, 2, 1], "4": [3, 2, 1], "3": [3, 2, 1], "2": [2, 1], "1": [1]}
    assert lists(one) == fresh
    play(one, None, "2 2 1 1")  # 6, 4, 2, 1: the other takes the last
    assert lists(one) == fresh | {"6": [3, 2, 1, 2], "2": [2, 1, 1]}
    play(one, None, "2 3 1")  # 6, 4, 1: lost
    assert lists(one) == fresh | {"6": [3, 2, 1, 2], "2": [2, 1, 1]}
    play(one, None, "3 1 1 1")  # 6, 3, 2, 1
    assert lists(one) == fresh | {"6": [3, 2, 1, 3, 2], "2": [2, 1, 1, 1]}
    assert one.probabilities(game, game.start) == pytest.approx({1: 1 / 5, 2: 2 / 5, 4: 2 / 5})
    again = learner(game, "beads", "ia01")
    again.memory.fill(rows_of_lists(game, lists(one), "here"))
    assert lists(again) == lists(one)


def test_only_the_last_move_of_a_game_won() -> None:
    """Row A-43."""
    one = learner(load("nim:matches=6"), "beads", "ia01-last")
    play(one, None, "2 2 1 1", "3 1 1 1", "2 3 1")
    assert lists(one) == {
        "6": [3, 2, 1],
        "5": [3, 2, 1],
        "4": [3, 2, 1],
        "3": [3, 2, 1],
        "2": [2, 1, 1, 1],
        "1": [1],
    }


def test_the_other_draws_from_the_same_lists_without_learning() -> None:
    """Row A-46: self:learn=one."""
    game = load("nim:matches=6")
    one = learner(game, "beads", "ia01")
    other = one.beside(learns=False)
    play(one, None, "2 2 1 1")
    # 2 left, the other to move: one list for both
    assert other.probabilities(game, position(game, "2 1 1")) == pytest.approx({1: 2 / 3, 2: 1 / 3})
    both = learner(game, "beads", "ia01")
    play(both, both.beside(learns=True), "2 2 1 1")  # 6 and 2 won; 4 and 1 lost
    assert lists(both) == lists(one)


@pytest.mark.parametrize(
    "beads", ["", "0", "4-0", "-1", "4--3", "4-3-", "a", "1.5", "1e3", "9999999", "٣", "4 3"]
)
def test_beads_are_written_with_dashes(beads: str) -> None:
    with pytest.raises(BadInput, match="beads="):
        BeadsParameters(beads=beads)


def test_beads_never_go_below_none_nor_beyond_what_is_exact() -> None:
    player = learner(
        load("nim:matches=5,take=1"), "beads", **(CHAIN | {"loss": -5, "punish": "every", "cascade": False})
    )
    play(player, None, "1 1 1 1 1")
    assert chain(player) == [0, 0, 0]
