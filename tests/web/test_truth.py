"""What is true, and what agents think: shown when it is asked for, guessed at first, and said to be
unknown where it is.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from browsing import serve, stop, violations, visiting
from lasting import later, long
from on_board import drag, line, status
from playwright.sync_api import expect

from damier import load
from damier.core.job import cores
from damier.core.rules import win_in
from damier.core.solution import side
from damier.core.words import speaking
from damier.draw.history import HistoricMoment, height, history_svg
from damier.draw.text import SIGNS
from damier.lab.solving import SWITCH, known_before
from damier.search.proof import Proof
from damier.search.proof_store import ProvenScore
from damier.solve import PerfectPlayer, solve
from damier.web import board_truth as known_truth
from damier.web.board_session import looked_at, session_in, visited
from damier.web.board_truth import KnownTruth, estimating, history, known, known_at_once
from damier.web.messages import Params
from damier.web.registry import Registry
from damier.web.rooms import board as board_room, board as truth_room
from damier.web.settings import Settings
from damier.web.snapshot import in_words

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
DEALS = ("JQ", "JK", "QJ", "QK", "KJ", "KQ")


def shown_values(page: Any) -> dict[str, str]:
    """What stands beside each move."""
    buttons = page.locator("[data-part=moves] [data-move]")
    texts = [button.split() for button in buttons.all_text_contents()]
    return {text[0]: text[1] if len(text) > 1 else "" for text in texts}


def test_values_are_off_until_they_are_asked_for(page: Any) -> None:
    page.goto("/hexapawn?1=human&2=human&moves=b1b2,a3b2")
    assert set(shown_values(page).values()) == {""}
    page.get_by_label("and how soon").check()
    expect(page.locator("[data-part=moves] .worth").first).to_be_visible()
    game = load("hexapawn")
    position = game.position().play("b1b2", "a3b2")
    exact = solve(game).explain(position.state)
    expected = {
        game.name_move(position.state, move): SIGNS[value] + (str(plies) if value != "draw" else "")
        for move, (value, plies) in exact.items()
    }
    assert shown_values(page) == expected
    assert "show=truth" in page.url
    page.reload()
    assert shown_values(page) == expected


def test_values_come_with_the_answer_to_a_click(page: Any) -> None:
    """One question, one answer, board and values in it."""
    page.goto("/hexapawn?1=human&2=human&show=truth")
    with page.expect_response("**/ask/board.move") as answered:
        drag(page, 6, 3)
    found = answered.value.json()
    assert found["state"]["truth"] == "here"
    assert "d-best" in found["parts"]["board"]


def test_a_blunder_is_marked_in_the_list_and_in_the_picture(page: Any) -> None:
    # 6 is won by taking 1; 5 is lost; 3 is won by taking 2
    page.goto("/nim:matches=6?1=human&2=human&moves=1,2,1&show=truth")
    expect(line(page).nth(2)).to_have_class("blunder")
    expect(line(page).nth(2)).to_have_accessible_name(
        "3. 1: player 2 wins in 2 plies — a blunder: a win became a loss"
    )
    expect(page.locator("[data-part=line] svg [data-at]")).to_have_count(4)
    expect(page.locator("[data-part=truth]")).to_contain_text("1 blunder in this game")
    assert violations(page) == []
    page.locator("[data-part=line] svg [data-at='2']").click()
    expect(page.locator("[data-part=line] [aria-current]")).to_have_text("2. 2")


def test_a_larger_game_shows_the_board_first_and_the_values_later(page: Any) -> None:
    page.goto("/connect_four:width=4,height=4?1=human&2=human&show=truth")
    expect(page.locator("[data-part=truth]")).to_contain_text("start: a draw")
    expect(page.locator("[data-part=moves] .worth")).to_have_count(4)
    assert set(shown_values(page).values()) <= {"0", *(f"{sign}{n}" for sign in "+-" for n in range(1, 17))}


@long
def test_a_late_position_of_a_large_game_is_searched(page: Any) -> None:
    game = load("connect_four")
    moves = late_moves(game)
    page.goto(f"/connect_four?1=human&2=human&show=truth&moves={','.join(moves)}")
    position = game.position().play(*moves)
    # a move that ends the game is known at sight, the others after it
    expect(page.locator("[data-part=moves] .worth")).to_have_count(len(position.moves))
    exact = solve(game, position.state).explain(position.state)
    expected = {
        game.name_move(position.state, move): SIGNS[value] + (str(plies) if value != "draw" else "")
        for move, (value, plies) in exact.items()
    }
    assert shown_values(page) == expected


def late_moves(game: Any) -> list[str]:
    """Some 32 plies of random play after which nothing is over."""
    for seed in range(1000):
        chance, position, moves = random.Random(seed), game.position(), []
        while len(moves) < 32 and not position.over:
            moves.append(chance.choice(position.moves))
            position = position.play(moves[-1])
        if not position.over:
            return moves
    raise AssertionError


def told(http: httpx.Client, game: str, **values: object) -> dict[str, str]:
    """What the parts of a board with its values say."""
    answer = http.post("/ask/truth.show", json={"game": game, "show": "truth", "1": "human", **values})
    return {
        name: " ".join(re.sub("<[^>]*>", " ", part).split()) for name, part in answer.json()["parts"].items()
    }


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("pacman", "games of one or two players"),
    ],
)
def test_where_there_are_no_values_one_line_says_why(http: httpx.Client, path: str, why: str) -> None:
    truth = told(http, path, **{"2": "random"})["truth"]
    assert why in truth
    assert "/" not in truth


def test_margins_and_chances_are_shown_as_such(http: httpx.Client) -> None:
    truth = told(http, "dots_and_boxes:rows=1,columns=2", **{"2": "human"})["truth"]
    assert "player 1 plays to a draw" in truth
    assert "+n wins by n" in truth
    played = told(http, "dots_and_boxes:rows=1,columns=2", **{"2": "human", "moves": "h1-1"})
    assert "+, up: player 1 wins; -, down: player 2 wins; 0: a draw" in played["line"]
    parts = told(http, "pig:target=6", **{"2": "human", "moves": "5"})
    assert "wins with probability" in parts["truth"]
    assert "the chance to win" in parts["truth"]
    assert "+, up: better for player 1; -, down: better for player 2; 0: for neither" in parts["line"]
    game = load("pig:target=6")
    s = game.position().play("5").state
    for move, (worth, _none) in solve(game).explain(s).items():
        assert f"{game.name_move(s, move)} {str(worth).split()[0]}" in parts["moves"]


def test_of_one_it_is_said_in_the_singular() -> None:
    assert (looked_at(1), looked_at(2000)) == ("1 position looked at", "2,000 positions looked at")
    assert (visited("+1", 1), visited("0", 0)) == ("+1, 1 game", "0, 0 games")
    assert (in_words(("win", 1)), in_words(("loss", 2))) == (
        "exact: a win in 1 ply",
        "exact: a loss in 2 plies",
    )


def test_a_guess_comes_before_the_values_and_is_counted(page: Any) -> None:
    page.goto("/nim:matches=6?1=human&2=human&show=truth")
    page.get_by_label("Guess first").check()
    expect(page.get_by_role("button", name="A win")).to_be_visible()
    assert set(shown_values(page).values()) == {""}
    assert "<svg" not in page.locator("[data-part=truth]").inner_html()
    page.get_by_role("button", name="A loss").click()
    expect(page.locator("[data-verdict]")).to_have_text("Wrong. For player 1 it is a win.")
    expect(page.locator("[data-tally]")).to_have_text("0 of 1 guesses right")
    assert set(shown_values(page).values()) != {""}
    page.locator("[data-part=moves]").get_by_role("button", name="1 wins").click()
    expect(line(page)).to_have_count(1)
    expect(page.locator("[data-verdict]")).to_be_empty()  # it was of another position
    assert set(shown_values(page).values()) == {""}
    # a move picked instead of a word
    page.locator("[data-part=moves]").get_by_role("button", name="2", exact=True).click()
    expect(page.locator("[data-verdict]")).to_have_text(
        "2 keeps the value. Before it, the position was a loss for player 2."
    )
    expect(page.locator("[data-tally]")).to_have_text("1 of 2 guesses right")
    expect(line(page)).to_have_count(2)


def test_the_values_are_not_in_the_page_before_the_guess(http: httpx.Client) -> None:
    question = {"game": "nim", "1": "human", "2": "human", "show": "truth,predict"}
    for verb in ("board.show", "truth.show"):
        answer = http.post(f"/ask/{verb}", json=question).json()
        assert answer["state"]["truth"] == "guess"
        assert "d-win" not in answer["parts"]["board"]
        assert "worth" not in answer["parts"]["moves"]


@pytest.mark.parametrize(("guess", "right"), [("win", True), ("draw", False), ("loss", False)])
def test_a_word_is_judged(http: httpx.Client, guess: str, right: bool) -> None:
    answer = http.post(
        "/ask/truth.guess", json={"game": "nim", "show": "truth,predict", "guess": guess}
    ).json()
    assert answer["right"] is right


@pytest.mark.parametrize(
    "agent", ["perfect", "mcts:simulations=200", "minimax:plies=3", "menace", "v", "random", "learner:none"]
)
def test_what_an_agent_thinks_stands_beside_the_truth(http: httpx.Client, agent: str) -> None:
    answer = http.post(
        "/ask/mind.show",
        json={"game": "tictactoe", "1": "human", "2": agent, "show": "truth,mind", "moves": "4,1"},
    )
    if agent == "learner:none":
        assert answer.status_code in (400, 404)
    else:
        rows = answer.json()["parts"]["mind"].split("<tbody>")[1].split("<tr>")[1:]
        assert len(rows) == 7
        assert all("worth-" in row for row in rows)
        assert any("★" in row for row in rows)


@long
def test_opinions_are_shown_and_taken_away(page: Any) -> None:
    page.goto("/tictactoe?1=human&2=minimax:plies=2&moves=4,0")
    page.get_by_role("checkbox", name="What the agents think").check()
    expect(page.locator("[data-part=mind] tbody tr")).to_have_count(7)
    assert violations(page) == []
    page.get_by_role("checkbox", name="What the agents think").uncheck()
    expect(page.locator("[data-part=mind] table")).to_have_count(0)


def test_a_player_does_not_see_the_others_card(page: Any) -> None:
    page.goto("/kuhn_poker?1=human&2=random&seed=2")
    expect(status(page)).to_have_text("Your move (player 1).")
    assert "moves=*" in page.url
    page.reload()
    assert not set(DEALS) & set(re.findall(r"\b[JQK]{2}\b", page.content()))
    page.get_by_role("button", name="bet", exact=True).click()
    # the agent has answered, and the cards are on the table
    expect(page.get_by_role("button", name="See it again")).to_be_visible()
    assert page.locator("[data-part=board] desc").text_content()[:2] in DEALS


def test_two_people_at_one_page_look_in_turn(page: Any) -> None:
    page.goto("/kuhn_poker?1=human&2=human&seed=2")
    expect(page.locator(".veil")).to_contain_text("player 1")
    expect(page.locator("[data-part=moves] [data-move]")).to_have_count(0)
    page.get_by_role("button", name="I am player 1: show my board").click()
    page.get_by_role("button", name="pass", exact=True).click()
    expect(page.locator(".veil")).to_contain_text("player 2")


def test_boards_that_cannot_come_up_are_refused_with_the_reason(http: httpx.Client) -> None:
    refused = http.get("/tictactoe?board=XXX...OOO")
    assert refused.status_code == 400
    assert "impossible: both have three in a row; the game was over with the first" in refused.text
    shown = http.get("/tictactoe?1=human&2=human&board=XO.X.....").text
    assert shown.partition('<ol class="line">')[2].partition("</ol>")[0].count(" data-at=") == 3


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ("XXX...OOO", "both have three in a row"),
        ("XX.......", "there are as many X as O"),
        ("XXXOO.O..", "has moved since"),
        ("OOOXX.XX.", "has moved since"),
        ("OOOXX.X..", "Possible"),
        ("XXXOO....", "Possible"),
        (".........", "how the game begins"),
        ("XO", "is not a board"),
        ("<script>x", "is not a board"),
    ],
)
def test_whether_a_board_can_come_up(http: httpx.Client, board: str, said: str) -> None:
    part = http.post("/ask/boards.possible", json={"game": "tictactoe", "board": board}).json()["parts"][
        "possible"
    ]
    assert said in part
    assert "<script" not in part


def turned(cells: str) -> str:
    return "".join(cells[6 - 3 * (i % 3) + i // 3] for i in range(9))


def alike(cells: str) -> set[str]:
    """A board in its eight positions."""
    found = set()
    for board in (cells, cells[2::-1] + cells[5:2:-1] + cells[8:5:-1]):
        for _quarter in range(4):
            board = turned(board)
            found.add(board)
    return found


@long
def test_possible_boards_are_those_that_games_reach() -> None:
    """Row A-71: of 3 ** 9 boards, those that can come up; one of each eight is read."""
    from itertools import product

    from damier.core.errors import BadInput
    from damier.web.rooms.board import moves_to, positions

    game = load("tictactoe")
    reached = 0
    for cells in map("".join, product(".XO", repeat=9)):
        boards = alike(cells)
        if cells != min(boards):
            continue
        try:
            moves = moves_to(game, cells)
        except BadInput:
            continue
        reached += len(boards)
        assert game.show(game.position().play(*moves).state).replace("\n", "") == cells
    assert reached == positions() == len(solve(game))


@long
def test_the_panel_of_impossible_boards(page: Any) -> None:
    page.goto("/tictactoe?1=human&2=human")
    page.get_by_text("Is this board possible?").click()
    expect(page.locator("[data-part=possible]")).to_contain_text("of 19,683")
    page.get_by_label("Board, row by row").fill("X...O....")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("[data-part=possible]")).to_contain_text("Possible")
    page.get_by_role("link", name="Go on from here").click()
    expect(line(page)).to_have_count(2)


def test_the_history_is_high_where_the_first_player_wins_and_higher_the_sooner() -> None:
    moments = [
        HistoricMoment("", "win", 5),
        HistoricMoment("a", "win", 4),
        HistoricMoment("b", "draw", None, ("win", "draw")),
        HistoricMoment("c", "loss", 1),
        HistoricMoment("d", "win", None),
    ]
    heights = [height(moment, 5) for moment in moments]
    assert heights[1] > heights[0] > heights[4] > heights[2] == 0 > heights[3] >= -1
    picture = history_svg(dict(enumerate(moments)), 4, 2)
    assert picture.count("data-at=") == 5
    assert picture.count(">?<") == 1
    assert picture.count("d-here") == 1
    assert [picture.count(f">{sign}<") for sign in SIGNS.values()] == [3, 1, 1]
    assert "a blunder: a win became a draw" in picture


@pytest.mark.parametrize("plies", [0, 1, 7, 30, 361])
def test_of_what_is_not_known_the_history_has_a_grey_cell(plies: int) -> None:
    picture = history_svg({plies: HistoricMoment("a", "loss", 0)}, plies, 0)
    assert picture.count("data-at=") == plies + 1
    assert picture.count('class="d-none"') == plies
    assert picture.count(f">{SIGNS['loss']}<") == 1


def test_what_a_perfect_player_has_worked_out_is_known_to_the_page() -> None:
    registry = Registry(Settings())
    session = session_in(registry, Params({"game": "octapawn"}))
    assert known(session).solution is None
    registry.agent(session.name, "perfect")
    assert known(session).solution is registry.lab(session.name).known is not None


def test_what_the_page_has_worked_out_is_known_to_a_perfect_player() -> None:
    registry = Registry(Settings())
    session = session_in(registry, Params({"game": "hexapawn"}))
    found = known(session).solution
    assert isinstance(player := registry.agent("hexapawn", "perfect"), PerfectPlayer)
    assert player.solution is found


@pytest.fixture
def knowing(browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A person in front of a lab that may look into the book, and at what was proven before."""
    monkeypatch.setenv(SWITCH, "on")
    monkeypatch.setenv("DAMIER_CACHE", str(tmp_path / "engines"))
    lab = serve(tmp_path)
    yield from visiting(browser, lab)
    stop(lab)


def lost_in_part() -> str:
    """The moves to a position of Connect Four in which all seven lose: the book knows that, but not of each
    how soon.
    """
    game = load("connect_four")
    known = known_before(game)
    for moves in map(",".join, product("1234567", repeat=4)):
        s = game.position().play(*moves.split(",")).state
        proof = Proof(game, s, known=known)
        each = [bounds.for_mover(side(game, s)) for bounds in proof.bounds.values()]
        if not proof.complete and [most < 0 for _least, most in each] == [True] * 7:
            return moves
    raise AssertionError("the book knows all")


BOOKED = [
    ("en", "proven", "a loss", "wins in 41 plies"),
    ("fr", "prouvé", "une défaite", "gagne en 41 demi-coups"),
]


@pytest.mark.parametrize(("language", "column", "loss", "whole"), BOOKED)
def test_what_the_book_knows_of_an_early_position_is_in_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, column: str, loss: str, whole: str
) -> None:
    """Connect Four: nothing is asked for afterwards where all is known, and no estimate delays the rest."""
    monkeypatch.setenv(SWITCH, "on")
    monkeypatch.setenv("DAMIER_CACHE", str(tmp_path / "engines"))
    registry, parts = Registry(Settings(folder=tmp_path)), []
    for moves in ("", lost_in_part()):
        with speaking(language):
            page = board_room.page(registry, Params(asked_of("connect_four", moves=moves)))
        parts.append(page.partition('data-part="truth"')[2].partition("data-part=")[0])
    assert whole in parts[0]
    assert "aria-busy" not in parts[0]
    assert f'<th scope="col">{column}</th>' in parts[1]
    rows = [re.findall(r"<td>(.*?)</td>", row) for row in parts[1].partition("<tbody>")[2].split("<tr>")[1:]]
    assert len(rows) == 7
    for proven, estimate in rows:
        assert re.search(rf"{loss}|loses in \d+|perd en \d+", proven)
        assert estimate == ""


@long
@pytest.mark.parametrize(("language", "column", "loss", "whole"), BOOKED)
def test_what_the_book_knows_of_an_early_position_is_there_before_anything_is_asked(
    knowing: Any, language: str, column: str, loss: str, whole: str
) -> None:
    """Connect Four: all that the page itself brings, while the first slice of a proof is held back."""
    page = knowing.new_page()
    held: list[Any] = []
    page.route("**/ask/truth.show", lambda route: held.append(route))
    page.goto(f"/connect_four?1=human&2=human&show=truth&lang={language}")
    truth = page.locator("[data-part=truth]")
    expect(truth).to_contain_text(whole)
    assert not held  # all is known: nothing is asked for
    page.goto(f"/connect_four?1=human&2=human&show=truth&moves={lost_in_part()}&lang={language}")
    expect(truth.get_by_role("columnheader", name=column)).to_be_visible()
    expect(truth.locator("tbody tr")).to_have_count(7)
    expect(truth.locator("tbody td:nth-of-type(1)")).to_have_text(
        [re.compile(rf"{loss}|loses in \d+|perd en \d+")] * 7
    )
    assert set(truth.locator("tbody td:nth-of-type(2)").all_text_contents()) == {""}  # no estimate delays it
    assert violations(page) == []
    page.unroute_all(behavior="ignoreErrors")


@long
def test_what_was_proven_before_is_there_at_once_and_told_from_an_estimate(knowing: Any) -> None:
    """An early position of Connect Four that the book does not hold: the store in the user's cache does."""
    game = load("connect_four")
    s, known = game.position().play(*"111777").state, known_before(game)
    assert known is not None
    draws, open_ended = game.legal(s)[:2]
    known.note(game.play(s, draws), ProvenScore(0, 0))
    known.note(game.play(s, open_ended), ProvenScore(0, win_in(20)))
    page = knowing.new_page()
    page.route("**/ask/truth.show", lambda question: None)  # no slice of a proof is answered
    page.goto("/connect_four?1=human&2=human&show=truth&moves=1,1,1,7,7,7")
    truth = page.locator("[data-part=truth]")
    proven, estimates = truth.locator("tbody td:nth-of-type(1)"), truth.locator("tbody td:nth-of-type(2)")
    expect(truth.locator("thead th")).to_have_text(["move", "proven", "estimate"])
    expect(proven).to_have_text(["a draw", "at least a draw", "", "", "", "", ""])
    expect(truth.locator(".estimate")).to_have_count(0)  # it is worked out after the page is there
    assert violations(page) == []
    page.unroute_all(behavior="ignoreErrors")
    page.reload()
    expect(estimates.locator(".estimate")).to_have_count(7)
    expect(proven.first).to_have_text("a draw")
    expect(truth).to_contain_text("it proves nothing")


MATE = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1"
"""White mates in one."""
QUEEN = "8/8/8/4k3/8/8/8/KQ6 w - - 0 1"
"""Won by White, in more plies than a page proves."""


@pytest.fixture
def nothing_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever works out all that can follow fails the test."""

    def refuse(*_of: object, **_by: object) -> None:
        raise AssertionError

    monkeypatch.setattr(known_truth, "solve", refuse)


def asked_of(game: str, **values: object) -> dict[str, Any]:
    return {"game": game, "show": "truth", "1": "human", "2": "human", **values}


@pytest.mark.parametrize(
    ("where", "winner"), [({"position": MATE}, 1), later(({"moves": ["f2f3", "e7e5", "g2g4"]}, 2))]
)
def test_a_mate_in_one_is_known_at_once(where: dict[str, object], winner: int, nothing_solved: None) -> None:
    registry, question = Registry(Settings()), Params(asked_of("chess", **where))
    for found in (board_room.show(registry, question), truth_room.truth_show(registry, question)):
        assert found["state"]["truth"] == "search"
        assert f"{('White', 'Black')[winner - 1]} wins in 1 ply" in found["parts"]["truth"]
        assert "wins in 1<" in found["parts"]["truth"]
        assert found["parts"]["board"].count("d-best")


@pytest.mark.parametrize(
    ("game", "where", "said"),
    [
        later(("chess", {"position": MATE, "moves": ["e1e8"]}, "1. Re8#: White wins")),
        later(("chess", {"position": "4R1k1/5ppp/8/8/8/8/8/K7 b - - 1 1"}, "start: White wins")),
        ("chess", {"moves": ["f2f3", "e7e5", "g2g4", "d8h4"]}, "4. Qh4#: Black wins"),
        ("chess", {"position": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}, "start: a draw"),
        ("connect_four", {"moves": list("1212121")}, "7. 1: Red wins"),
        ("go:size=9", {"moves": ["pass", "pass"]}, "2. pass: a draw"),
        ("draughts", {"position": "B:WK1:B"}, "start: White wins"),
        ("othello", {"position": "/".join(["XXXXXXXX"] * 8) + " black"}, "start: Black wins"),
    ],
)
def test_nothing_is_worked_out_after_the_end(
    game: str, where: dict[str, object], said: str, nothing_solved: None
) -> None:
    registry, question = Registry(Settings()), Params(asked_of(game, **where))
    for found in (board_room.show(registry, question), truth_room.truth_show(registry, question)):
        assert found["state"]["over"]
        assert found["state"]["truth"] == "here"
        assert f"<p>{said}</p>" in found["parts"]["truth"]


@pytest.mark.parametrize(
    ("game", "where"),
    [
        later(("chess", {"position": QUEEN})),
        later(("draughts", {"moves": ["11-15"]})),
        later(("go:size=9", {"moves": ["E5"]})),
        later(("othello", {"moves": ["d3"]})),
    ],
)
def test_where_values_take_too_long_an_estimate_stands_beside_what_is_proven(
    game: str, where: dict[str, object], nothing_solved: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_truth, "searched", lambda session, why: KnownTruth(session.game, None, why))
    registry, states = Registry(Settings()), []
    for slice in (0, 1, known_truth.MOST_SLICES - 1):
        found = truth_room.truth_show(registry, Params(asked_of(game, **where, slice=slice)))
        states.append(found["state"]["truth"])
        assert "≈" in found["parts"]["truth"]
    assert states == ["search", "search", "stopped"]


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        later(("44444235", "Yellow wins in 32 plies")),
        ("4444423525777131455752", "Red wins in 15 plies"),
    ],
)
def test_a_position_that_a_search_proves_in_seconds_ends_by_itself(moves: str, said: str) -> None:
    """Connect Four after eight stones, where it stood open for ever, by questions about horizons alone, and
    after 22. Nobody is asked whether it shall go on: the seconds of the processor, for others may work here,
    are those of a row.
    """
    threads = min(known_truth.MOST_THREADS, cores())
    registry, truth, begun = Registry(Settings()), "search", time.process_time()
    while truth == "search":
        question = asked_of("connect_four", moves=moves, slice=1)
        found = truth_room.truth_show(registry, Params(question))
        truth = found["state"]["truth"]
        assert (time.process_time() - begun) / threads <= known_truth.MOST_SLICES * known_truth.SLICE
    assert truth == "here"
    assert found["state"]["moves"] == list(moves)
    assert said in found["parts"]["truth"]


def test_who_wants_more_says_that_it_shall_go_on(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is told that the first slice, which is short, was the last of its row."""
    monkeypatch.setattr(known_truth, "SLICE", 0.05)
    registry, asked = Registry(Settings()), list[int]()

    def last_of_its_row(route: Any) -> None:
        question = route.request.post_data_json
        asked.append(question["slice"])
        slice = question["slice"] + known_truth.MOST_SLICES - 1
        route.fulfill(json=truth_room.truth_show(registry, Params(question | {"slice": slice})))

    page.route("**/ask/truth.show", last_of_its_row)
    page.goto("/connect_four?1=human&2=human&show=truth&moves=1,1,1,7,7,7")
    truth = page.locator("[data-part=truth]")
    expect(truth.get_by_role("progressbar")).to_have_attribute("value", "0")
    more = truth.get_by_role("button", name="Go on proving")
    expect(more).to_be_visible()
    assert asked == [0]
    assert violations(page) == []
    with page.expect_request("**/ask/truth.show") as again:
        more.click()
    page.unroute_all(behavior="ignoreErrors")
    assert again.value.post_data_json["slice"] == 1


def test_an_address_as_other_pages_write_it_is_the_board_with_its_truth(http: httpx.Client) -> None:
    answer = http.get("/solve/connect_four/44444433?lang=en", follow_redirects=True)
    assert urlsplit(str(answer.url)).path == "/connect_four"
    assert parse_qs(urlsplit(str(answer.url)).query)["show"] == ["truth"]
    assert 'data-at="8"' in answer.text
    assert http.get("/solve/connect_four/48", follow_redirects=True).status_code in (400, 409, 422)


def test_time_ends_what_memory_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that says nothing of its size: it is given up, its positions are proven one by one, and it is
    tried again later.
    """
    now = [0.0]
    monkeypatch.setattr("damier.web.board_truth.time.monotonic", lambda: now[0])
    monkeypatch.setattr(known_truth, "AT_ONCE", 0.0)
    monkeypatch.setattr(known_truth, "LONGEST", 0.0)
    name = "three_mens_morris"
    registry = Registry(Settings(games={name: str(EXAMPLES / f"{name}.py")}))
    question = Params(asked_of(name))
    assert truth_room.truth_show(registry, question)["state"]["truth"] == "search"
    monkeypatch.setattr(known_truth, "AT_ONCE", 1000.0)
    assert truth_room.truth_show(registry, question)["state"]["truth"] == "search"
    now[0] = 1000.0
    assert board_room.show(registry, question)["state"]["truth"] == "here"


def test_an_estimate_takes_as_many_random_games_as_they_are_short() -> None:
    connect_four, chess = load("connect_four"), load("chess")
    assert "simulations=300," in estimating(connect_four, connect_four.start)
    few = re.search(r"simulations=(\d+),", estimating(chess, chess.start))
    assert few
    assert 10 <= int(few[1]) < 100


# Along the game: what is proven of each of its positions, of games that are not solved as a whole too.


def along(**where: object) -> dict[int, HistoricMoment]:
    """What a page knows of the positions of a game before it works anything out."""
    session = session_in(Registry(Settings()), Params({"show": "truth", **where}))
    return history(known_at_once(session), session)


def test_the_end_of_a_game_tells_what_led_to_it(nothing_solved: None) -> None:
    """The fool's mate: White is mated, could be before that, and lets it happen (which nobody proved)."""
    found = along(game="chess", moves=["f2f3", "e7e5", "g2g4", "d8h4"], at=2)
    assert {ply: (moment.value, moment.distance) for ply, moment in found.items()} == {
        3: ("loss", 1),
        4: ("loss", 0),
    }
    assert found[3].move == "g2g4"


def test_positions_beside_one_that_is_proven_are_marked_as_far_as_that_proves_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, nothing_solved: None
) -> None:
    monkeypatch.setenv(SWITCH, "on")
    monkeypatch.setenv("DAMIER_CACHE", str(tmp_path))
    game = load("connect_four")
    moves = list("4444442222")
    before = known_before(game)
    assert before is not None
    lost = game.position().play(*moves).state
    before.note(lost, ProvenScore(-win_in(20), -win_in(20)))
    found = along(game="connect_four", moves=moves + ["7"])
    assert found[10].value == "loss"
    assert found[10].distance == 20
    assert (found[11].value, found[11].distance) == ("loss", None), "whatever Red plays there loses"
    assert found[9].value == "loss", "Yellow's move there wins"
    assert found[9].lost is None


@pytest.mark.parametrize(("moves", "mistakes"), [("1", [1]), ("44444", [])])
def test_mistakes_are_marked_where_the_book_knows_both_positions(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, moves: str, mistakes: list[int]
) -> None:
    """Connect Four is won by the middle, and lost by the edge."""
    monkeypatch.setenv(SWITCH, "on")
    monkeypatch.setenv("DAMIER_CACHE", str(tmp_path))
    question = Params(asked_of("connect_four", moves=moves))
    state = board_room.show(Registry(Settings()), question)["state"]
    assert state["mistakes"] == mistakes


def test_what_is_proven_along_a_game_is_never_wrong(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Random games of a small board, half of whose positions are known: what follows of these for the others
    is what the whole solution says.
    """
    monkeypatch.setenv(SWITCH, "on")
    monkeypatch.setenv("DAMIER_CACHE", str(tmp_path))
    monkeypatch.setattr(
        known_truth, "known_whole", lambda session, memory: known_truth.too_large(session.game)
    )
    name = "connect_four:width=4,height=4"
    game, chance = load(name), random.Random(5)
    exact, before = solve(game), known_before(game)
    assert before is not None
    for _game in range(8):
        position, moves = game.position(), []
        while not position.over:
            score = exact.score(position.state)
            if chance.random() < 0.5:
                before.note(position.state, ProvenScore(score, score))
            moves.append(chance.choice(position.moves))
            position = position.play(moves[-1])
        session = session_in(Registry(Settings()), Params({"game": name, "moves": moves, "show": "truth"}))
        found = history(known_at_once(session), session)
        assert len(found) > len(moves) / 3
        for ply, moment in found.items():
            whole = known_truth.moment(exact, session, ply, whole=True)
            assert moment.value == whole.value
            assert moment.distance in (None, whole.distance)
            assert moment.lost in (None, whole.lost)


@long
def test_the_strip_along_the_game_goes_to_a_position(page: Any) -> None:
    page.goto("/chess?1=human&2=human&moves=f2f3,e7e5,g2g4,d8h4&show=truth")
    strip = page.locator("[data-part=line] .along svg")
    expect(strip.locator("[data-at]")).to_have_count(5)
    expect(strip).to_have_accessible_name("What the positions of this game are worth")
    expect(strip.locator("desc")).to_have_text("3. g4: Black wins in 1 ply\n4. Qh4#: Black wins")
    expect(page.locator("[data-part=line]")).to_contain_text("grey: not known here")
    assert violations(page) == []
    strip.locator("[data-at='1']").click()
    expect(page.locator("[data-part=line] [aria-current]")).to_have_text("1. f3")
    expect(strip.locator("[data-at='1'] .d-here")).to_have_count(1)


def test_where_nothing_is_known_along_a_game_nothing_is_drawn(nothing_solved: None) -> None:
    found = board_room.show(Registry(Settings()), Params(asked_of("chess", moves=["a2a3", "a7a6"])))
    assert "data-at" in found["parts"]["line"]
    assert "<svg" not in found["parts"]["line"]


@long
def test_a_long_strip_scrolls_by_itself_and_shows_the_present_position(page: Any) -> None:
    page.goto(f"/nim:matches=120?1=human&2=human&moves={','.join('1' * 110)}&show=truth")
    strip = page.get_by_role("group", name="What the positions of this game are worth")
    expect(strip.locator("[data-at]")).to_have_count(111)
    strip.scroll_into_view_if_needed()
    expect(strip.locator(".d-here")).to_be_in_viewport()
    assert violations(page) == []
    strip.press("Home")
    expect(strip.locator("[data-at='0']")).to_be_in_viewport()
    strip.locator("[data-at='3']").click()
    expect(page.locator("[data-part=line] [aria-current]")).to_have_text(re.compile(r"^3\. 1"))
