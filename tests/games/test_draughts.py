"""Draughts against rules on a dictionary of squares, published counts, and positions made for one
rule each.
"""

from __future__ import annotations

import re
from random import Random

import pytest
from lasting import later
from lines_of_play import leaves, random_line
from naive_draughts import Board, NaiveDraughts

from damier import BadInput, Game, Position, load
from damier.draw.board import Touch, board_svg

VARIANTS = ["english", "international"]


def game_of(variant: str) -> Game:
    return load(f"draughts:variant={variant}")


def at(variant: str, fen: str) -> Position:
    game = game_of(variant)
    return Position(game, game.read_position(fen))


def board_of(rows: tuple[str, ...]) -> Board:
    return {(r, c): piece for r, row in enumerate(rows) for c, piece in enumerate(row) if piece.isalpha()}


def same_as_naive(position: Position, rules: NaiveDraughts, colour: str) -> None:
    """The moves are those of the naive rules, each under one of its names, and lead to the same boards."""
    game = position.game
    board = board_of(game.grid(position.state).rows)
    moves = rules.moves(board, colour)
    names = rules.names(moves)
    assert len(position.moves) == len(game.legal(position.state)) == len(names)
    for ways in names.values():
        assert len(ways & set(position.moves)) == 1, (ways, position.moves)
    boards = {rules.rows(rules.after(board, move)) for move in moves}
    assert {game.grid(position.play(name).state).rows for name in position.moves} == boards
    assert position.over == (not moves)


@pytest.mark.parametrize(
    ("variant", "games"),
    [("english", 10), later(("english", 25)), ("international", 4), later(("international", 12))],
)
def test_random_games_are_those_of_rules_on_a_dictionary(variant: str, games: int) -> None:
    rules = NaiveDraughts(variant == "international")
    for seed in range(games):
        position, chosen = game_of(variant).position(), Random(seed)
        colours = "bw" if variant == "english" else "wb"
        assert position.game.grid(position.state).rows == rules.rows(rules.start)
        for ply in range(150):
            same_as_naive(position, rules, colours[ply % 2])
            if position.over:
                assert position.payoffs == ((-1, 1) if ply % 2 == 0 else (1, -1))
                break
            position = position.play(chosen.choice(position.moves))


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_positions_with_many_kings_are_those_of_rules_on_a_dictionary(variant: str) -> None:
    rules = NaiveDraughts(variant == "international")
    chosen = Random(5)
    for _board in range(250):
        squares = chosen.sample(range(1, rules.width**2 // 2 + 1), chosen.randrange(2, rules.width))
        cut = chosen.randrange(1, min(len(squares), 8))
        sides = []
        for numbers, far in ((squares[:cut], 1), (squares[cut:], rules.width)):
            side = []
            for number in numbers:
                row = (number - 1) * 2 // rules.width + 1
                side.append(("K" if row == far or chosen.random() < 0.5 else "") + str(number))
            sides.append(",".join(side))
        colour = chosen.choice("BW")
        position = at(variant, f"{colour}:W{sides[0]}:B{sides[1]}")
        same_as_naive(position, rules, colour.lower())


@pytest.mark.parametrize(
    ("variant", "counts"),
    [
        # Aart Bik, "Computing deep perft and divide numbers for checkers"
        ("english", [7, 49, 302, 1469, 7361, 36768]),
        later(("english", [7, 49, 302, 1469, 7361, 36768, 179740])),
        # Michel Grimminck's table; Dailey and Gilbert
        ("international", [9, 81, 658, 4265, 27117]),
        later(("international", [9, 81, 658, 4265, 27117, 167140])),
    ],
)
def test_lines_of_play_are_as_many_as_published(variant: str, counts: list[int]) -> None:
    assert leaves(game_of(variant), len(counts)) == counts


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("B:W18,26:B14,9", ["14x23x30"]),  # on to a second piece, up to the far row
        ("B:W26,25:B22", ["22x31", "22x29"]),  # who can take must, but not the most
        ("B:W26,27:B23", ["23x30", "23x32"]),  # a man that becomes a king by a jump stops there
        ("B:W14:B18", ["18-22", "18-23"]),  # a man does not take backwards
        ("B:W14:BK18", ["18x9"]),
        ("B:W6,7,14,15:BK2", ["2x11x18x9x2"]),  # round in a circle, both ways the same move
        ("B:W32:B28", []),
    ],
)
def test_the_rules_of_english_draughts(fen: str, moves: list[str]) -> None:
    assert sorted(at("english", fen).moves) == sorted(moves)


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        (
            "W:WK46:B28",
            ["46x23", "46x19", "46x14", "46x10", "46x5"],
        ),  # a king flies, and chooses where to land
        ("W:W28:B33", ["28x39"]),  # a man takes backwards
        ("W:W28,47:B22,23,12,42", ["28x17x8"]),  # two are more than one
        ("W:W13:B8,7", ["13x2x11"]),  # a man that only passes the far row stays a man
        ("W:W13:B8", ["13x2"]),
        # 33, which has been jumped, still stands, and hides 29 behind it (the Turkish stroke)
        ("W:WK50:B27,29,33,35,41", ["50x22x36x47"]),
        ("B:W50:B45", []),
    ],
)
def test_the_rules_of_international_draughts(fen: str, moves: list[str]) -> None:
    assert sorted(at("international", fen).moves) == sorted(moves)


def test_a_man_becomes_a_king_only_where_its_move_ends() -> None:
    assert board_of(rows_after("W:W13:B8,7", "13x2x11")) == {(2, 1): "w"}
    assert board_of(rows_after("W:W13:B8", "13x2")) == {(0, 3): "W"}


def rows_after(fen: str, move: str) -> tuple[str, ...]:
    position = at("international", fen).play(move)
    return position.game.grid(position.state).rows


@pytest.mark.parametrize("variant", VARIANTS)
def test_positions_are_read_as_they_are_written(variant: str) -> None:
    game = game_of(variant)
    for seed in range(6):
        for s, _name in random_line(game, seed, 120):
            assert game.read_position(game.write_position(s)) == s
            assert not s.mine & s.theirs
            assert not s.kings & ~(s.mine | s.theirs)


def test_a_position_is_read_in_any_order_with_ranges_and_kings() -> None:
    game = game_of("english")
    assert game.read_position("B:W21-32:B1-12.") == game.start
    assert game.read_position("B:B12,16,20:W18,24,27,28,K10") == game.read_position(
        "B:W18,24,27,28,K10:B12,16,20"
    )


def test_a_position_that_cannot_be_is_refused_in_one_line() -> None:
    game = game_of("english")
    for text, reason in [
        ("", "a position of draughts is written like"),
        ("W:W1", "a position of draughts is written like"),
        ("X:W21:B1", "a position of draughts is written like"),
        ("B:W21:W1", "a position of draughts is written like"),
        ("B:W33:B1", "33 is no square of a position: they are numbered from 1 to 32"),
        ("B:W0:B1", "0 is no square"),
        ("B:Wk21:B1", "k21 is no square"),
        ("B:W5-3:B1", "5-3 is no square"),
        ("B:W21,21:B1", "square 21 is given twice"),
        ("W:W30,,31:B1", " is no square of a position"),
        ("W:W30,31,:B1", " is no square of a position"),
        ("W:W30,31:B,1", " is no square of a position"),
        ("B:W21:B1,21", "square 21 holds a piece of each colour"),
        ("B:W3:B1", "square 3 holds a man on the far row"),
        ("B:W21:B30", "square 30 holds a man on the far row"),
        ("B:W9-21:B1", "13 pieces of one colour; each side starts with 12"),
        ("B:W" + "1," * 5000 + ":B2", "a position of draughts is written like"),
        ("\x1b[2J", "a position of draughts is written like"),
    ]:
        with pytest.raises(BadInput) as refusal:
            game.read_position(text)
        assert reason in str(refusal.value)
        assert str(refusal.value).isprintable()
        assert len(str(refusal.value)) < 300


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_move_has_the_cells_of_its_squares(variant: str) -> None:
    game = game_of(variant)
    for s, name in random_line(game, 3, 80):
        if name:
            grid, move = game.grid(s), Position(game, s).read(name)
            squares = [grid.numbers[cell] for cell in game.place(s, move)]
            assert squares == name.replace("x", "-").split("-")


def test_features_are_those_of_the_player_who_began() -> None:
    facts = at("english", "W:W31,32,K10:B1,9"), at("english", "B:W31,32,K10:B1,9")
    for position in facts:
        found = {name: feature(position.state) for name, feature in position.game.features.items()}
        assert found == {"men": 0, "kings": -1, "back_rank": -1, "mobility": 4 - 8}


def test_taking_is_a_reward() -> None:
    position = at("english", "B:W18,26:B14,9")
    assert position.game.reward(position.state, position.read("14x23x30")) == 2


def test_a_picture_shows_kings_and_the_numbers_of_squares() -> None:
    position = at("english", "W:W31,32,K10:B1,K9")
    svg = board_svg(position, touch=Touch())
    assert svg.count("<polygon") == 2
    assert all(f">{number}</text>" in svg for number in (2, 17, 30))
    names = re.findall('data-name="([^"]*)"', svg)
    assert len(names) == 64
    assert {"9: dark king", "10: light king", "31: light", "1: dark", "17: free"} <= set(names)
