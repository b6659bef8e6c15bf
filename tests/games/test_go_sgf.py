"""SGF files of Go: games written and read back, what other programs write, and damaged texts."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from lasting import shortly
from lines_of_play import random_line

from damier import BadInput, load
from damier.games.go import SgfGame, read_sgf, write_sgf

HANDICAP = r"""(;GM[1]FF[4]CA[UTF-8]SZ[9]HA[2]KM[0.5]
PB[Anna \] and \\ Ben]PW[Zoe]C[two
lines]AB[cg][gc]PL[W]
;W[ee]BL[30]C[a comment; with (signs\]]
(;B[dd];W[tt];B[]N[end]) (;B[aa](;W[bb])(;W[cc])))
"""


def test_what_other_programs_write_is_read() -> None:
    game = read_sgf(HANDICAP)
    assert (game.size, game.komi, game.moves) == (9, 0.5, ("E5", "D6", "pass", "pass"))
    assert game.facts == {
        "CA": "UTF-8",
        "HA": "2",
        "PB": r"Anna ] and \ Ben",
        "PW": "Zoe",
        "C": "two\nlines",
    }
    assert game.start.mover == 1
    assert game.start.board.count("X") == 2
    assert game.end.over


def test_white_begins_after_a_handicap_without_a_word() -> None:
    game = read_sgf("\ufeff(;GM[1]SZ[9]HA[2]KM[0.5000000]AB[cc][gg];W[ee];B[ec])")
    assert game.moves == ("E5", "E7")
    assert game.start.mover == 1
    assert game.komi == 0.5


def test_stones_may_be_set_as_rectangles_and_names_may_have_small_letters() -> None:
    game = read_sgf("(;GaMe[1]SiZe[5]AddBlack[aa:be]AW[ea:ee]AW[da:de])")
    assert game.position == "/".join(["XX.OO"] * 5) + " black"


@pytest.mark.parametrize("size", shortly([2, 5, 9, 19], 2, 9))
def test_games_are_read_as_they_are_written(size: int) -> None:
    for seed in range(4):
        rules = load(f"go:size={size},komi=-1.5")
        line = list(random_line(rules, seed, 70))
        moves = [name for _s, name in line if name]
        whole = SgfGame(size, -1.5, "", tuple(moves), {"PB": f"player [{seed}]", "RE": "?\\"})
        assert read_sgf(write_sgf(whole)) == whole
        assert whole.end.state == line[-1][0] or len(moves) == 70
        half = next((n for n in range(len(moves) // 2, 0, -1) if moves[n - 1] != "pass"), 0)
        later = SgfGame(size, -1.5, rules.write_position(line[half][0]), tuple(moves[half:]), {})
        assert read_sgf(write_sgf(later)).end.state == whole.end.state
        assert "PL" in write_sgf(later)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "ends within its game, or holds none"),
        ("()", "ends within its game, or holds none"),
        ("(;SZ[9]", "ends within its game, or holds none"),
        ("(;SZ[9]))", "after it comes another"),
        ("(;SZ[9])(;SZ[9])", "after it comes another"),
        ("hello (;SZ[9])", "line 1: hello (;SZ[9]) is no SGF"),
        (";SZ[9]", "holds one game, in brackets"),
        ("(;[9])", "value without a property"),
        ("(;SZ[9];B[aa", "line 1: [aa is no SGF"),
        ("(;GM[2])", "GM[2] is another game"),
        ("(;SZ[1])", "go: size=1"),
        ("(;SZ[52])", "go: size=52"),
        ("(;SZ[9.5])", "SZ[9.5] is no size"),
        ("(;SZ[9:13])", "SZ[9:13] is no number"),
        ("(;SZ[9]KM[nan])", "KM[nan] is no number"),
        ("(;SZ[9]KM[3.75])", "go: komi=3.75"),
        ("(;SZ[9]PL[red])", "PL says who begins"),
        ("(;SZ[9]PL[Bad])", "PL says who begins"),
        ("(;SZ[9]AB[aa]AW[aa])", "aa holds a stone of each colour"),
        ("(;SZ[9]AB[jj])", "jj is no point of a board of 9 rows"),
        ("(;SZ[2]AB[aa:bb])", "a group without a liberty"),
        ("(;SZ[9]PL[B];W[aa])", "move 1: the colours do not alternate"),
        ("(;SZ[9];B[aa];B[bb])", "move 2: the colours do not alternate"),
        ("(;SZ[9];B[aa];AW[bb];W[cc])", "after move 1 stones are set"),
        ("(;SZ[9];B[aa];W[aa])", "move 2: A9 is not a legal move here"),
        ("(;SZ[9];B[aa][bb])", "move 1 has 2 points"),
        ("(;SZ[9];B[];W[];B[aa])", "move 3: A9: the game is over"),
        ("(" * 300_000, "ends within its game, or holds none"),
        (" " * 2_000_001, "2000001 characters; at most 2000000"),
    ],
)
def test_a_damaged_text_is_refused_in_one_line(text: str, reason: str) -> None:
    with pytest.raises(BadInput) as refusal:
        read_sgf(text)
    assert reason in str(refusal.value)
    assert str(refusal.value).isprintable()


@given(st.text(alphabet="()[];:\\abtBWASZKMPL92 \n", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        game = read_sgf(text)
    except BadInput:
        return
    assert read_sgf(write_sgf(game)).end.state == game.end.state


def test_deep_variations_are_read_over() -> None:
    depth = 100_000
    text = "(;SZ[9];B[aa](;W[bb])" + "(;B[cc]" * depth + ")" * depth + ")"
    assert read_sgf(text).moves == ("A9", "B8")
