"""Why a move, or a position, is worth what it is: the line that shows it, on the board and as an address."""

from __future__ import annotations

import random
import re
from html import unescape
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from browsing import violations
from lasting import long, shortly
from on_board import in_address, line
from playwright.sync_api import expect

from damier import load
from damier.core.errors import BadInput
from damier.core.game import Game, Position
from damier.core.moves import holds
from damier.solve import solve
from damier.web.board_truth import known_here
from damier.web.messages import BoardAnswer, Params
from damier.web.registry import Registry
from damier.web.rooms import board
from damier.web.settings import Settings

PEOPLE = {"1": "human", "2": "human", "show": "truth"}
LOST = "/hexapawn:blocked=loss?1=human&2=human&show=truth&moves=b1b2,a3b2,c1b2"
"""A position in which one of two moves wins, and the other loses in 2 plies."""


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry(Settings())


def asked(registry: Registry, **values: object) -> BoardAnswer:
    return board.truth_why(registry, Params({**PEOPLE, **values}))


def said(answer: BoardAnswer) -> str:
    found = re.search(r'id="why-said">([^<]*)<', answer["parts"]["why"])
    assert found
    return found[1]


def positions(game: Game, answer: BoardAnswer) -> list[Position]:
    """The positions of the line alone."""
    found = [game.position()]
    for move in answer["state"]["moves"]:
        found.append(found[-1].play(move))
    return found[int(answer["state"]["query"]["why"]) :]


@pytest.mark.parametrize(
    "name",
    shortly(
        ["tictactoe", "hexapawn:blocked=loss", "nim:matches=9", "dots_and_boxes:rows=1,columns=2"],
        *("hexapawn:blocked=loss", "dots_and_boxes:rows=1,columns=2"),
    ),
)
def test_in_a_solved_game_everybody_plays_best_until_it_ends(registry: Registry, name: str) -> None:
    game = load(name)
    solution = solve(game)
    draws = random.Random(1)
    for _walk in range(6):
        position, moves = game.position(), list[str]()
        for _ply in range(draws.randrange(4)):
            moves.append(draws.choice(position.moves))
            position = position.play(moves[-1])
            if position.over:
                break
        if position.over:
            continue
        move = draws.choice(["", *(m for m in position.moves if not position.play(m).over)])
        answer = asked(registry, game=name, moves=moves, move=move)
        told = positions(game, answer)
        assert told[0].state == (position.play(move) if move else position).state
        assert told[-1].over
        assert answer["state"]["at"] == len(moves) + bool(move)
        for before, after in pairwise(told):
            s = before.state
            best = [m for m in game.legal(s) if game.play(s, m) == after.state]
            assert any(holds(solution.fastest_moves(s), each) for each in best)


def test_what_a_search_has_proven_is_played_to_its_end(registry: Registry) -> None:
    """A late position of a game too large to be solved."""
    game, draws = load("connect_four"), random.Random(5)
    late = game.position()
    while late.over or len(late.moves) < 4 or late.plies < 30:
        late = game.position()
        moves = list[str]()
        while not late.over and late.plies < 30:
            moves.append(draws.choice(late.moves))
            late = late.play(moves[-1])
    exact = solve(game, late.state).explain(late.state)
    for move, (value, plies) in exact.items():
        name = game.name_move(late.state, move)
        if late.play(name).over:
            continue
        answer = asked(registry, game="connect_four", moves=moves, move=name)
        told = positions(game, answer)
        assert told[-1].over
        payoffs = told[-1].payoffs
        assert payoffs is not None
        assert (payoffs[late.mover] > 0, payoffs[late.mover] < 0) == (value == "win", value == "loss")
        if value != "draw":
            assert len(told) == plies


def test_a_mate_is_played_out_where_positions_come_back(registry: Registry) -> None:
    answer = asked(registry, game="chess", position="7k/8/5K2/8/8/8/8/6R1 w - - 0 1")
    assert said(answer) == "From the first position: White wins in 3 plies."
    assert len(answer["state"]["moves"]) == 3


def test_a_margin_is_said(registry: Registry) -> None:
    answer = asked(registry, game="dots_and_boxes", move="h1-1")
    assert re.fullmatch(r"After h1-1: player \d wins by 2 in 11 plies\.", said(answer))


@pytest.mark.parametrize(
    ("game", "move"),
    shortly(
        [("go:size=4", "a1"), ("chess", "E2E4"), ("connect_four:width=4,height=4", " 1")],
        ("connect_four:width=4,height=4", " 1"),
    ),
)
def test_a_move_may_be_written_as_at_the_board(registry: Registry, game: str, move: str) -> None:
    name = load(game).name_move(load(game).start, load(game).position().read(move))
    try:
        expected = asked(registry, game=game, move=name)
    except BadInput as error:
        with pytest.raises(BadInput, match=re.escape(str(error))):
            asked(registry, game=game, move=move)
    else:
        assert asked(registry, game=game, move=move) == expected


def test_where_no_line_shows_anything_nothing_is_offered(registry: Registry) -> None:
    for values in (
        {"game": "pig:target=6", "moves": ["5"]},
        {"game": "tictactoe", "moves": ["4"], "me": 1},
        {"game": "tictactoe", "show": ""},
        {"game": "tictactoe"},
    ):
        found = board.truth_show(registry, Params({**PEOPLE, **values}))
        assert "data-why" not in "".join(found["parts"].values())
    with pytest.raises(BadInput):
        asked(registry, game="pig:target=6")
    with pytest.raises(BadInput):
        asked(registry, game="tictactoe", moves=["0", "3", "1", "4", "2"])


def test_links_stand_beside_what_gives_something_away(registry: Registry) -> None:
    found = board.truth_show(registry, Params({**PEOPLE, "game": "nim:matches=6", "moves": ["1", "2"]}))
    session = board.session_in(registry, Params({"game": "nim:matches=6", "moves": ["1", "2"]}))
    exact = known_here(session).solution
    assert exact
    s = session.position.state
    worse = {
        session.game.name_move(s, move)
        for move in session.game.legal(s)
        if not holds(exact.best_moves(s), move) and not session.game.over(session.game.play(s, move))
    }
    assert worse
    assert set(re.findall(r'data-why="(\w+)"', found["parts"]["moves"])) == worse
    assert 'data-why=""' in found["parts"]["truth"]


def test_the_line_is_an_address_for_who_has_no_javascript(http: httpx.Client) -> None:
    def follow(shown: str, link: str) -> tuple[str, str]:
        """The page that the only link of this kind leads to, and its address."""
        (address,) = re.findall("<a " + link.replace("HREF", 'href="([^"]*)"'), shown)
        return http.get(unescape(address)).text, unescape(address)

    told = 'id="why-said">After c3b2: White wins in 1 ply.<'
    moves = http.get(LOST).text.partition('data-part="moves"')[2].partition("data-part=")[0]
    shown, _address = follow(moves, 'class="ask-why" HREF')
    assert told in shown
    shown, address = follow(shown, 'HREF [^>]*data-key="why-after"')
    query = parse_qs(urlsplit(address).query)
    assert (query["moves"], query["why"]) == (["b1b2,a3b2,c1b2,c3b2,a1b2"], ["4"])
    assert urlsplit(address).path == "/hexapawn:blocked=loss"
    assert told in shown
    shown, address = follow(shown, 'HREF data-do="leaveLine"')
    assert parse_qs(urlsplit(address).query)["at"] == ["3"]
    assert "why-said" not in shown


def test_why_plays_the_refutation_and_goes_back_to_the_game(page: Any) -> None:
    page.goto(LOST + ",c3c2&at=3")
    page.locator("[data-part=moves]").get_by_role("link", name="c3b2 loses in 2 plies: why?").click()
    expect(page.locator("#why-said")).to_have_text("After c3b2: White wins in 1 ply.")
    expect(page.locator(".why [aria-current]")).to_contain_text("a1b2")  # it has played itself
    assert in_address(page, "why") == "4"
    assert violations(page) == []
    page.get_by_role("link", name="Back to the game").click()
    expect(page.locator(".why")).to_have_count(0)
    expect(line(page)).to_have_count(4)
    assert in_address(page, "at") == "3"


@long
def test_why_plays_the_refutation_on_the_board_and_leads_back(page: Any) -> None:
    """The game that is left for it went on: it is there again afterwards."""
    page.goto(LOST + ",c3c2&at=3")
    page.locator("[data-part=moves]").get_by_role("link", name="c3b2 loses in 2 plies: why?").click()
    expect(page.locator("#why-said")).to_have_text("After c3b2: White wins in 1 ply.")
    expect(page.locator(".why [aria-current]")).to_contain_text("a1b2")  # it has played itself
    assert in_address(page, "why") == "4"
    assert urlsplit(page.url).path == "/hexapawn:blocked=loss"
    assert violations(page) == []
    page.get_by_role("link", name="One move back").click()
    expect(page.locator(".why [aria-current]")).to_contain_text("c3b2")
    page.locator(".why [data-key=why-after]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".why [aria-current]")).to_contain_text("a1b2")
    page.reload()
    expect(page.locator("#why-said")).to_have_text("After c3b2: White wins in 1 ply.")
    for _push in range(3):
        page.go_back()
    expect(page.locator(".why")).to_have_count(0)
    page.locator("[data-part=truth] [data-why]").first.click()
    expect(page.locator("#why-said")).to_contain_text("Black wins in 3 plies.")
    page.get_by_role("link", name="Back to the game").click()
    expect(page.locator(".why")).to_have_count(0)
    expect(line(page)).to_have_count(4)
    assert in_address(page, "at") == "3"


@long
def test_who_moves_within_a_line_goes_on_from_there(page: Any) -> None:
    page.goto("/tictactoe?1=human&2=human&show=truth&moves=0,1,3,6,4,2,5&at=3&why=2")
    expect(page.locator("#why-said")).to_have_text("After 1: X wins in 5 plies.")
    page.locator("[data-part=moves]").get_by_role("button", name="8", exact=False).first.click()
    expect(line(page)).to_have_count(4)
    expect(page.locator(".why")).to_have_count(0)
    assert in_address(page, "why") == ""


@long
def test_the_panel_is_no_wider_than_a_phone(browser: Any, served: Any) -> None:
    context = browser.new_context(base_url=served.address, viewport={"width": 390, "height": 844})
    context.set_default_timeout(120_000)
    page = context.new_page()
    page.goto("/connect_four?1=human&2=human&why=3&at=3&moves=4,4,4,3,3,2,2,1")
    expect(page.locator("#why-said")).to_have_text("After 4: best play is found 5 plies far.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()
