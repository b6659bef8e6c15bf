"""PDN files: games written and read back, what the field writes differently, and damaged texts."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from lines_of_play import random_line

from damier import BadInput, Game, Position, load
from damier.games.draughts import PdnGame, read_move, read_pdn, write_pdn
from damier.games.draughts_rules import Variant

VARIANTS: list[Variant] = ["english", "international"]
FIELD_STYLE = """
[Event "Man-machine World Championship"]
[Black "Chinook"]
[White "Tinsley, Marion"]
[Result "0-1"]
; a line of comment
1. 9-14 23-18 2. 14x23 {the capture} 27x18 3. 5-9 26-23 4. 12-16! (4. 9-13 (4. 10-14 1-1) 30-26) 30-26 $5
5. 16-19 24x15 6. 10x19 23x16 7. 11x20 0-1

[Event "second"][FEN "W:WK46:B28"] [GameType "20,W,10,5"] 1. 46x23 2-0
"""


def game_of(variant: Variant) -> Game:
    return load(f"draughts:variant={variant}")


def test_what_the_field_writes_is_read() -> None:
    first, second = read_pdn(FIELD_STYLE)
    assert (first.variant, first.result, len(first.moves)) == ("english", "0-1", 13)
    assert first.tags["White"] == "Tinsley, Marion"
    assert first.moves[:4] == ("9-14", "23-18", "14x23", "27x18")
    assert first.end.state == game_of("english").position().play(*first.moves).state
    assert (second.variant, second.moves, second.result) == ("international", ("46x23",), "1-0")
    assert second.end.over


def test_marks_and_quotes_and_a_byte_order_mark_are_read() -> None:
    (game,) = read_pdn('\ufeff[Event "a \\"big\\" one"]\r\n1. 11-15 22-18* 2. 15x22+* 25x18 *')
    assert game.tags == {"Event": 'a "big" one'}
    assert (len(game.moves), game.result) == (4, "*")


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_are_read_as_they_are_written(variant: Variant) -> None:
    game = load(f"draughts:variant={variant}")
    played = [
        PdnGame(
            variant,
            {
                "Event": f"game {seed}",
                "GameType": "20" if variant == "international" else "21",
                "Result": "*",
            },
            tuple(name for _s, name in random_line(game, seed, 160) if name),
        )
        for seed in range(6)
    ]
    text = "\n\n".join(write_pdn(found) for found in played)
    assert max(map(len, text.splitlines())) <= 79
    assert read_pdn(text) == played


def test_a_game_from_a_position_keeps_its_number_of_moves() -> None:
    fen = "W:W31,32,K10:B1,9"
    game = PdnGame("english", {"FEN": fen}, ("10-7", "1-5", "31-27"))
    text = write_pdn(game)
    assert "1... 10-7 2. 1-5 31-27 *" in text
    assert read_pdn(text)[0].moves == game.moves
    assert read_pdn(text)[0].end == game.end


def test_captures_may_be_written_short_or_with_some_squares_where_that_is_clear() -> None:
    game = game_of("international")
    position = Position(game, game.read_position("W:WK50:B27,29,33,35,41"))
    for written in ("50x47", "50:47", "50-47", "50x22x47", "50x36x47"):
        assert read_move(position, written) == "50x22x36x47"
    english = game_of("english")
    two = Position(english, english.read_position("W:W26:B14,15,22,23"))
    assert sorted(two.moves) == ["26x17x10", "26x19x10"]
    assert [read_move(two, name) for name in two.moves] == list(two.moves)
    with pytest.raises(BadInput, match="26x10 may be any of"):
        read_move(two, "26x10")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1. 11-15 11-15", "game 1: move 2: 11-15 is not a legal move here"),
        ("1. 11-15 22-18 2. 9-13", "game 1: move 3: 9-13 is not a legal move here; legal: 15x22"),
        ('[GameType "25"] 1. 11-15', "game 1: GameType 25; damier plays 20 and 21"),
        ('[FEN "B:W33:B1"] *', "game 1: 33 is no square"),
        ('[FEN "B:W30,,31:B1"] *', "game 1: "),
        ('[FEN ""] *', "game 1: : a position of draughts is written like"),
        ("1. 11-15 *\n\n1. e4", "line 3: e4 is no PDN"),
        ("{never closed", "line 1: {never closed is no PDN"),
        ("1. 11-15\n) 22-18 ( 15x22 *", "line 2: a variation ends that has not begun"),
        ("1. 11-15 ( 22-18", "a variation begins that never ends"),
        ('[Event "never closed', "line 1"),
        ("\x00", "is no PDN"),
        ("1. " + "11-15 " * 2001, "2001 moves; at most 2000"),
        (" " * 2_000_001, "2000001 characters; at most 2000000"),
    ],
)
def test_a_damaged_text_is_refused_in_one_line(text: str, reason: str) -> None:
    with pytest.raises(BadInput) as refusal:
        read_pdn(text)
    assert reason in str(refusal.value)
    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 500


def test_tags_with_signs_that_have_a_meaning_are_read_back() -> None:
    tags = {"Event": "a\\b\tc", "FEN": "B:W18,\t24:B12"}
    text = write_pdn(PdnGame("english", tags))
    (again,) = read_pdn(text)
    assert write_pdn(again) == text
    assert again.start == PdnGame("english", tags).start


@given(st.text(alphabet='[]"(){};0123456789-x./* \nFENGameTypeBW:K', max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        games = read_pdn(text)
    except BadInput:
        return
    assert all(isinstance(game, PdnGame) for game in games)


def test_deep_variations_are_read_over() -> None:
    depth = 100_000
    assert read_pdn("1. 11-15 " + "(" * depth + ")" * depth + " *")[0].moves == ("11-15",)
