"""The board of a notebook, without a notebook: what it does in Python, and what its page may send."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from damier import load
from damier.core.errors import BadInput, DamierError, IllegalMove
from damier.lab.games import Lab
from damier.lab.training import Plan, trainer

pytest.importorskip("anywidget")
from damier.notebook import STATIC, Board, program, style

FIRST = "perfect:prefer=fastest,ties=first"


def sent(board: Board, **content: Any) -> dict[str, Any]:
    """What a page sees once it has sent something."""
    board.receive(board, content, [])
    shown: dict[str, Any] = board.shown
    return shown


def test_it_is_the_program_of_the_web_lab_as_one_module() -> None:
    text = program("notebook.js")
    for name in ("board_cursor.js", "board_touch.js"):
        own = (STATIC / name).read_text(encoding="utf-8").splitlines()
        assert all(line.removeprefix("export ") in text for line in own if " = " in line)
    assert "import {" not in text
    assert text.count("export ") == 1
    assert ":root" not in style()


def test_the_opponent_answers_and_moves_are_read_in_python() -> None:
    board = Board("tictactoe", opponent=FIRST)
    assert board.play("4") is board
    assert board.moves == ("4", "0")
    assert board.position == board.position.game.position().play("4", "0")
    assert board.undo().moves == ()
    with pytest.raises(IllegalMove, match="4"):
        board.play("4").play("4")


def test_hints_are_the_exact_values() -> None:
    board = Board("hexapawn", hints=True)
    assert "start: a draw" in board.shown["parts"]["truth"]
    assert "b1b2 draws" in board.shown["parts"]["board"]
    assert "b1b2 draws" in board.board_picture()
    assert Board("hexapawn").shown["parts"]["truth"] == ""


def test_values_of_a_larger_game_come_a_slice_at_a_time() -> None:
    board = Board("connect_four:width=4,height=4", hints=True)
    state = board.shown["state"]
    assert (state["truth"], state["slice"]) == ("wait", 0)
    assert sent(board, slice=7)["state"]["slice"] == 0, "asked for before its turn"
    assert sent(board, slice=0)["state"]["slice"] == 1
    assert sent(board, slice=0)["state"]["slice"] == 1, "once, however many pages ask"


def test_a_page_plays_takes_back_looks_back_and_begins_anew() -> None:
    board = Board("tictactoe", opponent=FIRST)
    state = sent(board, play="4")["state"]
    assert (state["moves"], state["person"], state["thinks"]) == (["4", "0"], True, False)
    assert sent(board, at=0)["state"]["at"] == 0
    assert board.moves == ()
    assert sent(board, at=2)["state"]["at"] == 2
    assert sent(board, do="undo")["state"]["at"] == 0
    assert sent(board, do="new")["state"]["moves"] == []
    other = sent(board, do="other")["state"]
    assert (other["seats"], other["moves"]) == ([FIRST, "human"], ["0"])


def test_what_is_wrong_is_told_on_the_page() -> None:
    board = Board("tictactoe")
    assert sent(board, play="9")["notice"].startswith("9 is not a legal move here")
    assert sent(board, at=5)["notice"] == "there are 0 moves"
    assert sent(board, play="4")["notice"] == ""


def test_the_game_is_over() -> None:
    board = Board("tictactoe").play("0", "3", "1", "4", "2")
    assert board.position.over
    assert "X has won" in board.shown["parts"]["status"]
    assert sent(board, play="5")["state"]["moves"] == ["0", "3", "1", "4", "2"]


def test_it_begins_with_a_position() -> None:
    position = load("tictactoe").position().play("4", "0")
    board = Board(position, opponent=FIRST, hints=True)
    assert board.position == position
    board.play("1")
    assert board.moves == ("1", "7")
    assert board.undo().position == position
    assert board.new().position == position
    assert Board(position, opponent="random", seat=2).moves != (), "the other is to move"


def test_dice_fall_by_themselves_and_the_same_seed_throws_the_same() -> None:
    boards = [Board("pig", opponent="random", seed=seed) for seed in (3, np.int64(3))]
    first, second = (board.play("roll") for board in boards)
    assert first.moves == second.moves
    assert len(first.moves) > 1


def test_an_agent_of_ones_own_a_learner_or_an_object_plays() -> None:
    def last(position: Any) -> str:
        return str(position.moves[-1])

    class Second:
        def choose(self, position: Any) -> str:
            return str(position.moves[1])

    assert Board("tictactoe", opponent=last).play("4").moves == ("4", "8")
    assert Board("tictactoe", opponent=Second()).play("4").moves == ("4", "1")
    lab = Lab(load("hexapawn"))
    made = trainer(lab, Plan("q:preset=hexapion"))
    made.training.run(20, lab.job)
    assert len(Board("hexapawn", opponent=made.learner, seat=2).moves) == 1


def test_a_fault_of_an_agent_is_a_sentence_and_the_board_stays() -> None:
    def broken(position: Any) -> str:
        raise ValueError("no idea")

    board = Board("tictactoe", opponent=broken)
    shown = sent(board, play="4")
    assert "ValueError: no idea" in shown["notice"]
    assert (shown["state"]["moves"], shown["state"]["thinks"]) == (["4"], True)
    assert sent(board, do="undo")["state"]["moves"] == ["4"]
    assert board.moves == ()


def test_a_stopped_opponent_can_be_asked_again() -> None:
    class Interrupted:
        text, compiles, learns = "slow", False, False
        calls = 0

        def kernel(self, *, jit: bool) -> None: ...

        def choose(self, game: Any, s: Any, rng: Any) -> int:
            self.calls += 1
            if self.calls == 1:
                raise KeyboardInterrupt
            return int(game.legal(s)[0])

    board = Board("tictactoe", opponent=Interrupted())
    shown = sent(board, play="4")
    assert shown["notice"].startswith("Stopped before it had moved")
    assert shown["state"]["thinks"]
    assert sent(board, do="reply")["state"]["moves"] == ["4", "0"]
    with pytest.raises(KeyboardInterrupt):
        Board("tictactoe", opponent=Interrupted()).play("4")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"game": "hexapwn"}, "no game is called hexapwn; did you mean hexapawn?"),
        ({"game": "hexapawn:wide=3"}, "hexapawn has no option wide"),
        ({"game": 3}, "a board is of a game, by its name or itself, or of a position"),
        ({"opponent": "perfekt"}, "no agent is called perfekt; did you mean perfect?"),
        ({"opponent": "perfect:tie=first"}, "perfect has no option tie"),
        ({"opponent": 3}, "an agent has play"),
        ({"game": "chess", "opponent": "perfect"}, "chess"),
        ({"seat": 3}, "seat is 1 to 2"),
        ({"seat": "1"}, "seat is 1 to 2"),
    ],
)
def test_a_wrong_option_is_one_line(options: dict[str, Any], said: str) -> None:
    with pytest.raises(DamierError) as caught:
        Board(**options)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_without_a_kernel_it_is_a_picture() -> None:
    bundle, metadata = Board("hexapawn").play("b1b2")._repr_mimebundle_()
    assert bundle["text/plain"].startswith("3  B B B\n2  . W .")
    assert bundle["image/svg+xml"].startswith("<svg")
    assert bundle["image/png"].startswith(b"\x89PNG")
    assert metadata["image/png"] == {"width": 233, "height": 248}
    assert "application/vnd.jupyter.widget-view+json" in bundle


def test_errors_are_of_one_kind() -> None:
    with pytest.raises(BadInput):
        Board("tictactoe").go_to(-1)
    board = Board("tictactoe").play("4", "0")
    with pytest.raises(TypeError):
        board.go_to(1.0)  # type: ignore[arg-type]
    assert board.undo().moves == ("4",)
