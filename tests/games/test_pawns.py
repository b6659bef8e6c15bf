"""Hexapawn and its family: rows A-1 to A-6 and A-25, and the reference values of spec C."""

from __future__ import annotations

import pytest
from lasting import later

from damier import BadInput, load
from damier.games.pawns import PawnsState
from damier.solve import count, count_games, solve
from tests.reached import states_of


def test_the_start_of_hexapawn() -> None:
    game = load("hexapawn")
    assert game.grid(game.start).rows == ("BBB", "...", "WWW")
    assert game.position().id == [377, 377]
    assert game.position().mover == 0
    assert game.position().moves == ("a1a2", "b1b2", "c1c2")


def test_the_start_of_octapawn() -> None:
    game = load("octapawn")
    assert game.position().id == [265760, 265760]
    assert game.options == {"width": 4, "height": 4, "blocked": "draw"}


def test_the_opposite_order_of_cells_would_give_19305() -> None:
    """Row A-4: which end of the board is the most significant digit is a choice; this one is the
    skeleton's.
    """
    digits = [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert sum(d * 3 ** (8 - i) for i, d in enumerate(digits)) == 377
    assert sum(d * 3**i for i, d in enumerate(digits)) == 19305


@pytest.mark.parametrize(("text", "actions"), [("hexapawn", 14), later(("octapawn", 30))])
def test_the_number_of_actions(text: str, actions: int) -> None:
    used = 0
    for s in reachable(text):
        used |= sum(load_once(text).legal(s))
    assert used == (1 << actions) - 1


ACTIONS_OF_WHITE = [
    "a1a2",
    "a1b2",
    "b1a2",
    "b1b2",
    "b1c2",
    "c1b2",
    "c1c2",
    "a2a3",
    "a2b3",
    "b2a3",
    "b2b3",
    "b2c3",
    "c2b3",
    "c2c3",
]
ACTIONS_OF_BLACK = [
    "c3c2",
    "c3b2",
    "b3c2",
    "b3b2",
    "b3a2",
    "a3b2",
    "a3a2",
    "c2c1",
    "c2b1",
    "b2c1",
    "b2b1",
    "b2a1",
    "a2b1",
    "a2a1",
]


@pytest.mark.parametrize(("mover", "names"), [(0, ACTIONS_OF_WHITE), (1, ACTIONS_OF_BLACK)])
def test_the_actions_are_numbered_in_the_order_of_row_a_6(mover: int, names: list[str]) -> None:
    """Home row first, left to right from the mover's own side; a capture to the left, forward, a
    capture to the right.
    """
    game = load("hexapawn")
    s = PawnsState(0b111111111, 0, mover)
    assert [game.name_move(s, 1 << action) for action in range(14)] == names
    for action, name in enumerate(names):
        colour = 0 if mover == 0 else 1
        mine, theirs = cell(name[:2]), cell(name[2:]) if name[0] != name[2] else 0
        board = PawnsState(*((mine, theirs) if colour == 0 else (theirs, mine)), mover)
        assert game.moves(board) >> action & 1, name


def cell(name: str) -> int:
    return 1 << (3 - int(name[1])) * 3 + "abc".index(name[0])


def test_each_player_sees_the_board_from_his_own_side() -> None:
    """Row A-5: Black sees it turned by half a turn, his own pawns as 2."""
    white = load("hexapawn").position().play("b1b2")
    white_view, black_view = white.id
    assert white_view == base_3([0, 0, 0, 1, 2, 1, 2, 1, 2])
    assert black_view == base_3([0, 1, 0, 1, 0, 1, 2, 2, 2])


def base_3(digits: list[int]) -> int:
    return sum(digit * 3 ** (len(digits) - 1 - i) for i, digit in enumerate(digits))


def test_a_capture_gains_a_pawn_and_nothing_else_does() -> None:
    game = load("hexapawn")
    position = game.position().play("b1b2")
    rewards = {name: game.reward(position.state, position.read(name)) for name in position.moves}
    assert rewards == {"a3b2": 1, "c3b2": 1, "a3a2": 0, "c3c2": 0}


def test_taking_all_pawns_wins() -> None:
    game = load("hexapawn")
    assert game.outcome(PawnsState(0b000010000, 0, 1)) == -1
    assert game.outcome(PawnsState(0, 0b000010000, 0)) == -1


def test_reaching_the_far_side_wins() -> None:
    game = load("hexapawn")
    assert game.outcome(PawnsState(0b000000001, 0b000100000, 1)) == -1
    assert game.outcome(PawnsState(0b000010000, 0b001000000, 0)) == -1


@pytest.mark.parametrize(("blocked", "payoffs"), [("draw", (0, 0)), ("loss", (1, -1))])
def test_a_player_who_cannot_move_draws_or_loses(blocked: str, payoffs: tuple[int, int]) -> None:
    position = load(f"pawns:width=1,height=3,blocked={blocked}").position().play("a1a2")
    assert position.mover == 1
    assert position.moves == ()
    assert position.payoffs == payoffs


@pytest.mark.parametrize(
    ("text", "states", "value", "distance"),
    [
        ("hexapawn:blocked=loss", 135, "loss", 6),
        ("hexapawn:blocked=draw", 135, "draw", None),
        ("pawns:width=4,height=3,blocked=loss", 1128, "win", 5),
        ("pawns:width=4,height=3,blocked=draw", 1128, "draw", None),
        ("octapawn:blocked=loss", 20286, "win", 11),
        ("octapawn:blocked=draw", 20286, "draw", None),
        ("pawns:width=1,height=3,blocked=loss", 2, "win", 1),
        ("pawns:width=2,height=3,blocked=loss", 14, "loss", 2),
    ],
)
def test_the_family_has_the_states_and_values_of_the_reference(
    text: str, states: int, value: str, distance: int | None
) -> None:
    game = load(text)
    solution = solve(game)
    assert len(solution) == states
    assert (solution.value(game.start), solution.distance(game.start)) == (value, distance)


def test_positions_of_hexapawn_are_those_of_the_reference() -> None:
    game = load("hexapawn")
    counts = count(game)
    assert (counts.states, counts.terminals, counts.draws, counts.wins + counts.losses) == (135, 65, 8, 57)
    going_on = [s for s in reachable("hexapawn") if not game.over(s)]
    assert (sum(s.mover == 0 for s in going_on), sum(s.mover == 1 for s in going_on)) == (33, 37)


def test_positions_of_hexapawn_up_to_the_mirror() -> None:
    game = load("hexapawn")
    assert count(game, symmetric=True).states == 71
    black = {min(s, game.turn(s, 1)) for s in reachable("hexapawn") if s.mover == 1 and not game.over(s)}
    assert len(black) == 19


def test_complete_games_of_hexapawn() -> None:
    assert sum(count_games(load("hexapawn"))) == 134


@pytest.mark.parametrize(
    "options",
    [
        "width=0",
        "width=-1",
        "height=1",
        "height=0",
        "width=8,height=8",
        "width=22,height=2",
        "width=1,height=64",
    ],
)
def test_a_size_out_of_range_is_refused(options: str) -> None:
    with pytest.raises(BadInput, match="pawns"):
        load(f"pawns:{options}")


@pytest.mark.parametrize("name", ["pawns", "hexapawn", "octapawn"])
def test_a_size_out_of_range_names_the_game_that_was_asked_for(name: str) -> None:
    with pytest.raises(BadInput, match=rf"^{name}: 8 columns × 8 rows: 154 actions"):
        load(f"{name}:width=8,height=8")


def test_the_most_actions_that_fit() -> None:
    assert len(load("pawns:width=21,height=2").position().moves) == 40  # captures only
    assert len(load("pawns:width=11,height=3").position().moves) == 11  # 62 actions


GAMES = {}


def load_once(text: str):
    return GAMES.setdefault(text, load(text))


def reachable(text: str) -> list[PawnsState]:
    return states_of(load_once(text))
