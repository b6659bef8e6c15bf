"""FEN, SAN and PGN by themselves: what is written is read back, what is wrong is refused in one line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from chess_walks import STANDARD, random_positions
from hypothesis import given, strategies as st
from lasting import later

from damier import load
from damier.core.errors import BadFile, BadInput, IllegalMove
from damier.core.game import read_position, written_position
from damier.games import chess_pgn
from damier.games.chess import FenPosition, from_fen, legal_moves, read_fen, san, to_fen, uci
from damier.games.chess_pgn import (
    LONGEST_LINE,
    PgnGame,
    game_from,
    read_pgn,
    read_pgn_file,
    read_san,
    write_pgn,
)
from damier.games.chess_rules import START

SHORT = '[Event "E"]\n[White "Ada"]\n\n1. e4 e5 2. Nf3 Nc6 1/2-1/2\n'


@pytest.mark.parametrize("fen", STANDARD.values())
def test_a_fen_comes_back_with_its_clocks(fen: str) -> None:
    s, clock, number = read_fen(fen)
    assert to_fen(s, clock, number) == fen


@pytest.mark.parametrize("games", [8, later(30)])
def test_every_position_of_random_games_is_read_back_from_its_fen(games: int) -> None:
    for s in random_positions(games, share=0.3):
        assert from_fen(to_fen(s)) == s


def test_two_fields_may_be_left_out_and_a_passed_cell_that_says_nothing_is_dropped() -> None:
    assert from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -") == START
    after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
    assert to_fen(from_fen(after_e4)) == after_e4.replace("e3", "-")
    assert read_fen("4k3/8/8/8/8/8/8/R3K3 b Q - 7 42")[1:] == (7, 42)


WRONG = {
    "": "six fields",
    "x" * 100_000: "six fields",
    "8/8/8/8/8/8/8/8 w": "six fields",
    "4k3/8/8/8/8/8/8/4K3 w - - 0": "six fields",
    "4k3/8/8/8/8/8/8/4K3 white - - 0 1": "no side to move",
    "4k3/8/8/8/8/8/4K3 w - - 0 1": "it has 7 rows",
    "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1": "it has 9 rows",
    "4k3/8/8/8/8/8/8/4K4 w - - 0 1": "row 1 has 9 cells",
    "4k3/8/8/8/8/8/7/4K3 w - - 0 1": "row 2 has 7 cells",
    "4k3/8/8/8/8/8/44/4K3 w - - 0 1": "row 2, 4 is neither",
    "4k3/8/8/8/8/8/8/4X3 w - - 0 1": "row 1, X is neither",
    "4k3/8/8/8/8/8/²6/4K3 w - - 0 1": "row 2, ² is neither",
    "4k3/8/8/8/8/8/9/4K3 w - - 0 1": "row 2, 9 is neither",
    "4k3/8/8/8/8/8/8/8 w - - 0 1": "White has 0 kings",
    "4k2k/8/8/8/8/8/8/4K3 w - - 0 1": "Black has 2 kings",
    "4k2P/8/8/8/8/8/8/4K3 w - - 0 1": "White has a pawn on the first or the last row",
    "4k3/8/8/8/8/8/8/4K2p w - - 0 1": "Black has a pawn on the first or the last row",
    "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1": "White has 9 pawns",
    "4k3/8/8/8/8/Q7/PPPPPPPP/3QK3 w - - 0 1": "more promoted pieces (1) than missing pawns (0)",
    "4k3/ppppppp1/8/8/8/8/8/b1b1K1b1 w - - 0 1": "more promoted pieces (2) than missing pawns (1)",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkk - 0 1": "KQkk are no castling rights",
    "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1": "HAha are no castling rights",
    "r3k2r/8/8/8/8/8/8/R4K1R w Kkq - 0 1": "castling K",
    "r3k2r/8/8/8/8/8/8/B3K2R w Q - 0 1": "castling Q",
    "q3k2r/8/8/8/8/8/8/R3K2R w q - 0 1": "castling q",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 1": "d5 is no cell",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1": "it is one of row 6",
    "4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1": "no pawn can have passed d6",
    "4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1": "no pawn can have passed d6",
    "4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1": "no pawn can have passed d6",
    "4k3/8/8/3pP3/8/8/8/r3K3 w - d6 0 1": "the king was in check before",
    "4k3/8/8/8/8/8/8/4K2r b - - 0 1": "not to move is in check",
    "4k3/4K3/8/8/8/8/8/8 w - - 0 1": "not to move is in check",
    "k3r3/8/8/8/7b/8/2n5/4K3 w - - 0 1": "3 pieces give check",
    "4k3/8/8/8/8/8/8/4K3 w - - -1 1": "-1 is no clock",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1e9": "1e9 is no clock",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1000000": "1000000 is no clock",
    "4k3/8/8/8/8/8/8/4K3 w - - ١ 1": "is no clock",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 0": "moves are numbered from 1",
}


@pytest.mark.parametrize(("fen", "said"), WRONG.items(), ids=range(len(WRONG)))
def test_a_wrong_fen_is_refused_in_one_line(fen: str, said: str) -> None:
    with pytest.raises(BadInput, match=re.escape(said)) as refusal:
        from_fen(fen)
    assert str(refusal.value).isprintable()


@given(st.text(alphabet="KQRBNPkqrbnp12345678/ w-bKQa36\x1b\n", max_size=90))
def test_any_text_is_a_position_or_is_refused(text: str) -> None:
    try:
        s = from_fen(text)
    except BadInput as error:
        said = str(error)
        assert said.isprintable()
    else:
        assert from_fen(to_fen(s)) == s


@pytest.mark.parametrize(
    ("fen", "text", "move"),
    [
        (STANDARD["start"], "e4", "e2e4"),
        (STANDARD["start"], "e2-e4!?", "e2e4"),
        (STANDARD["start"], "Ng1f3", "g1f3"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O-O+", "e1c1"),
        ("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b8Q", "b7b8q"),
        ("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b8=n", "b7b8n"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", "e5d6"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "ed6", "e5d6"),
        ("4k3/8/8/8/8/p7/1P6/B3K3 w - - 0 1", "bxa3", "b2a3"),  # b a column, B a bishop
        ("4k3/8/8/8/1p6/B7/8/4K3 w - - 0 1", "Bb4", "a3b4"),
    ],
)
def test_moves_are_read_freely(fen: str, text: str, move: str) -> None:
    s = from_fen(fen)
    assert uci(s, read_san(s, text)) == move


@pytest.mark.parametrize(
    ("fen", "move", "name"),
    [
        ("4k3/8/8/8/8/8/8/R2K3R w - - 0 1", "a1b1", "Rb1"),
        ("3k4/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1+"),
        ("3k4/R7/8/8/8/8/4K3/R7 w - - 0 1", "a1a3", "R1a3"),
        ("7k/8/8/1Q3Q2/8/8/8/1Q2K3 w - - 0 1", "b5d3", "Qb5d3"),
        ("3rkr2/8/8/8/3q4/8/4N3/1K2Q3 w - - 0 1", "e2d4", "Nxd4+"),
        ("4k3/8/8/8/8/8/3b4/4KN2 w - - 0 1", "f1d2", "Nxd2"),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6g7", "Qg7#"),
        ("8/k1P5/8/K7/8/8/8/8 w - - 0 1", "c7c8r", "c8=R"),
        ("7k/8/8/4b3/8/2N3N1/8/K7 w - - 0 1", "g3e4", "Ne4"),  # the other knight is pinned
    ],
)
def test_as_much_is_written_as_tells_moves_apart(fen: str, move: str, name: str) -> None:
    s = from_fen(fen)
    assert san(s, read_san(s, move)) == name


@pytest.mark.parametrize(
    ("fen", "text", "said"),
    [
        (STANDARD["start"], "e5", "not a legal move"),
        (STANDARD["start"], "", "not a legal move"),
        (STANDARD["start"], "N" * 10_000, "not a legal move"),
        (STANDARD["start"], "O-O", "not a legal move"),
        ("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b8", "not a legal move"),
        ("3k4/8/8/8/8/8/4K3/R6R w - - 0 1", "Rd1", "several moves here: Rad1+ Rhd1+"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Kg8", "the game is over"),
    ],
)
def test_a_wrong_move_is_refused_in_one_line(fen: str, text: str, said: str) -> None:
    with pytest.raises(IllegalMove, match=re.escape(said)) as refusal:
        read_san(from_fen(fen), text)
    assert str(refusal.value).isprintable()


def one(text: str) -> PgnGame:
    (game,) = read_pgn(text.splitlines(keepends=True))
    return game


def sans(game: PgnGame) -> list[str]:
    return [san(s, move) for s, move in zip(game.states, game.moves, strict=False)]


@pytest.mark.parametrize(
    "moves",
    [
        "1. e4 e5 2. Nf3 Nc6 *",
        "1.e4 e5 2.Nf3 Nc6 *",
        "e4 e5 Nf3 Nc6 *",
        "1. e4 1... e5\n2.\nNf3 2...Nc6\n*",
        "1. e4! $1 e5?! {a comment [%clk 1:00] (with all) ; 1-0} 2. Nf3 Nc6 ; and so on 0-1\n*",
        "1. e4 (1. d4 d5 (1... Nf6 2. c4 {deep}) 2. -- junk ~ 1-0) 1... e5 2. Nf3 Nc6 *",
        "1. e4 {a comment\n[over] two\n% lines} e5 2. Nf3 Nc6 *",
        "% not for us\n1. e4 e5 2. Nf3 Nc6 *",
        "\n\n1. e4 e5\r\n2. Nf3 Nc6 *\r\n",
    ],
)
def test_moves_of_a_game_are_read_through_all_that_stands_between_them(moves: str) -> None:
    game = one(moves)
    assert sans(game) == ["e4", "e5", "Nf3", "Nc6"]
    assert game.result == "*"


def test_a_stream_of_games_is_read_one_by_one() -> None:
    def lines():
        for number in range(3):
            yield from SHORT.replace("Ada", f"Ada {number}").splitlines(keepends=True)
        yield "1. e5 *"

    games = read_pgn(lines())
    assert [next(games).tags["White"] for _game in range(3)] == ["Ada 0", "Ada 1", "Ada 2"]
    with pytest.raises(BadFile, match=r"game 4, line 13: ply 1: e5 is not a legal move"):
        next(games)


@pytest.mark.parametrize(
    "text",
    [
        '[White "Ada"]\n\n1. e4 *\n',
        '\ufeff[White "Ada"]\r\n\r\n1. e4\r\n*\r\n',
        '  [White "Ada"] 1. e4 *',
    ],
)
def test_a_text_is_as_good_as_its_lines(text: str) -> None:
    (game,) = read_pgn(text)
    assert list(read_pgn(text.splitlines())) == list(read_pgn(text.splitlines(keepends=True))) == [game]
    assert (game.tags, len(game.moves)) == ({"White": "Ada"}, 1)


def test_what_is_no_tag_is_shown_cut() -> None:
    with pytest.raises(BadFile) as refusal:
        list(read_pgn("[" * 5000))
    assert len(str(refusal.value)) < 200


def test_no_game_is_in_an_empty_text() -> None:
    assert list(read_pgn([])) == []
    assert list(read_pgn(["\n", "% nothing\n", "{only a comment}"])) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[White Ada]\n*', r"game 1, line 1: \[White Ada\] is no tag"),
        ('[White "Ada]\n*', "is no tag"),
        ('[White "A"]\n[White "B"]\n*', "line 2: the tag White comes twice"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n*', "White has 0 kings"),
        ('[Variant "Atomic"]\n*', "Atomic is another game"),
        ('[Result "1-0"]\n\n1. e4 0-1', "the tag Result says 1-0, the moves end with 0-1"),
        ("1. e4 e5 2. Ke3 *", "line 1: ply 3: Ke3 is not a legal move here"),
        ("1. e4 e5\n\n2. Nf3", "line 3: the text ends, and the game has no result"),
        ('[White "Ada"]\n', "the text ends"),
        ('1. e4 e5\n[White "Ada"]\n1. e4 *', "line 2: the game before this tag has no result"),
        ("1. e4 {and so on\n\n*", "line 1: a comment begins here that never ends"),
        ("1. e4 (1. d4 *", "the text ends"),
        ("1. e4 ) e5 *", "a variation ends that has not begun"),
        ("1. e4 <b> *", "<b> is neither a move nor a result"),
        ("1. f3 e5 2. g4 Qh4# 3. a3 *", "ply 5: a3: the game is over"),
        (f"1. e4 {'(' * 10_000}", "the text ends"),
        ("(" * 50 + "e4" * LONGEST_LINE, "a line of more than"),
        ("".join(f'[T{number} ""]\n' for number in range(200)), "at most 100 tags"),
        (f'[White "{"x" * 5000}"]\n*', "at most 100 tags of 4000 characters"),
        ("Nf3 Nf6 Ng1 Ng8 " * 8 + "*", "no game of chess has more than 30 plies"),
    ],
)  # fmt: skip
def test_a_wrong_game_is_refused_with_its_number_line_and_move(
    text: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chess_pgn, "MOST_PLIES", 30)
    with pytest.raises(BadFile, match=said) as refusal:
        list(read_pgn(text.splitlines(keepends=True)))
    assert str(refusal.value).startswith("game 1, line ")
    assert str(refusal.value).isprintable()


@given(st.text(alphabet='[]"{}();%\\$.*-/=+#!?019 \n\x1beNKOQabx8e4f3White', max_size=200))
def test_any_text_is_games_or_is_refused(text: str) -> None:
    try:
        games = list(read_pgn(text.splitlines(keepends=True)))
    except BadFile as error:
        said = str(error)
        assert said.isprintable()
    else:
        assert [one(write_pgn(game)).moves for game in games] == [game.moves for game in games]


def test_a_game_comes_back_as_it_was_written() -> None:
    tags = {"Event": 'A "B" \\ C', "Site": "?", "Date": "2026.11.22", "Round": "-", "White": "W"}
    tags |= {"Black": "", "Result": "1-0", "SetUp": "1", "FEN": "4k3/8/8/8/8/8/4P3/4K3 b - - 3 17"}
    s = from_fen(tags["FEN"])
    game = PgnGame(tags, (read_san(s, "Kd7"),), "1-0")
    text = write_pgn(game)
    assert text.endswith('[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 3 17"]\n\n17... Kd7 1-0\n')
    assert one(text) == game


ROOK = "4k3/8/8/8/8/8/8/R3K3"


@pytest.mark.parametrize("clocks", ["0 1", "1 1", "99 50", "3 17", "100 80", "150 99999"])
def test_a_position_keeps_the_clocks_of_its_fen(clocks: str) -> None:
    text = f"{ROOK} b - - {clocks}"
    assert written_position(read_position(load("chess"), text)) == text


def test_fifty_moves_are_counted_from_the_clock_of_a_fen() -> None:
    game = load("chess")
    position = read_position(game, f"{ROOK} w - - 98 80").play("a1a2")
    assert not position.over
    assert written_position(position) == "4k3/8/8/8/8/8/R7/4K3 b - - 99 80"
    after = position.play("e8e7")
    assert written_position(after) == "8/4k3/8/8/8/8/R7/4K3 w - - 100 81"
    assert after.payoffs == (0, 0)
    assert read_position(game, written_position(after)).payoffs == (0, 0)
    assert read_position(game, "R3k3/8/4K3/8/8/8/8/8 b - - 100 80").payoffs == (1, -1), (
        "checkmate comes first"
    )


def test_a_pawn_or_a_capture_sets_the_clock_back() -> None:
    position = read_position(load("chess"), "4k3/8/8/8/8/8/4P3/R3K3 w - - 98 80")
    assert written_position(position.play("e2e3")) == "4k3/8/8/8/8/4P3/8/R3K3 b - - 0 80"


def test_a_game_is_written_with_the_clocks_that_it_began_with() -> None:
    begin = read_fen(f"{ROOK} b - - 3 17")
    assert one(write_pgn(game_from(begin, ()))).start == begin
    assert game_from(FenPosition(START, 4, 3), ()).tags == {"FEN": to_fen(START, 4, 3)}
    assert game_from(FenPosition(START, 0, 1), ()).tags == game_from(START, ()).tags == {}


def test_numbers_of_moves_count_on_from_the_first() -> None:
    assert write_pgn(one(SHORT)).endswith("\n\n1. e4 e5 2. Nf3 Nc6 1/2-1/2\n")
    assert one(write_pgn(one(SHORT))).tags["Site"] == "?"


def test_a_file_may_be_latin_1_and_an_error_names_it(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes('[White "Müller"]\n[Black "Ду"]\n1. e4 *\n'.encode().replace("ü".encode(), b"\xfc"))
    (game,) = read_pgn_file(path)
    assert game.tags["White"] == "Müller"
    assert game.tags["Black"] == "Ду"
    path.write_text("1. e4 e4 *")
    with pytest.raises(BadFile, match=r"games\.pgn: game 1, line 1: ply 2: e4 is not a legal move"):
        list(read_pgn_file(path))
    with pytest.raises(BadFile, match="cannot be read"):
        list(read_pgn_file(tmp_path / "none.pgn"))


@pytest.mark.parametrize("games", [4, later(10)])
def test_names_of_moves_differ_in_every_position(games: int) -> None:
    for s in random_positions(games, share=0.1):
        legal = legal_moves(s)
        assert len({uci(s, move) for move in legal}) == len({san(s, move) for move in legal}) == len(legal)
