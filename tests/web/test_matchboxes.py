"""The matchboxes: what a person does at the page, and that every step follows from the games alone,
with the beads of the training.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from lasting import later, long, shortly

from damier import load
from damier.core.bits import Rng
from damier.core.errors import BadInput, DamierError, IllegalMove, LimitReached
from damier.core.game import Game
from damier.core.job import Job
from damier.core.loop import MatchSetup
from damier.core.rules import State
from damier.lab.agents import Lab
from damier.lab.matchboxes import PLIES, MachineSize, new_machine
from damier.lab.training import Plan, trainer
from damier.web.messages import Params
from damier.web.registry import Registry
from damier.web.rooms import matchboxes as room, matchboxes as shelves
from damier.web.rooms.matchboxes import (
    MOST,
    MOST_ENTRIES,
    SWAPS,
    BoxSet,
    Bulk,
    HumanGame,
    after,
    read_played,
    write_played,
)
from damier.web.settings import Settings


def box_set_of(game: str, agent: str = "", seat: Any = None) -> BoxSet:
    lab = Lab(load(game), Job())
    return BoxSet(lab, new_machine(lab, agent, seat))


def beads(memory: Any) -> dict[Any, tuple[int, ...]]:
    return {row.state: row.counts for row in memory.rows()}


def games_of(box_set: BoxSet, seed: int, number: int) -> list[tuple[str, ...]]:
    """So many games of a person who always takes the last move."""
    played: list[tuple[str, ...]] = []
    for _game in range(number):
        human_game = HumanGame(box_set, after(box_set, seed, played), seed)
        while not human_game.over:
            human_game.follow(
                [human_game.position.moves[-1]]
            ) if human_game.waits_for_person else human_game.draw()
        played.append(tuple(human_game.moves))
    return played


class Last:
    """An opponent that always takes the last move."""

    text, compiles, learns = "last", False, False

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return game.legal(s)[-1]

    def kernel(self, *, jit: bool) -> None:
        return None


@pytest.mark.parametrize(
    ("game", "seat"),
    shortly(
        product(
            ["tictactoe", "hexapawn:blocked=loss", "nim", "nim:heaps=1-2-3"],
            ["1", "2", "alternate"],
        ),
        ("hexapawn:blocked=loss", "1"),
        ("nim:heaps=1-2-3", "2"),
    ),
)
def test_games_with_a_person_are_those_of_the_loop(game: str, seat: Any) -> None:
    box_set = box_set_of(game, "beads:preset=michie", seat)
    played = games_of(box_set, 5, 30)
    fresh = box_set_of(game, "beads:preset=michie", seat)
    learner = fresh.learner(after(fresh, 5, []).memory)
    MatchSetup(fresh.lab.game, (learner, Last()), 5, SWAPS[seat], PLIES).play(0, 30, jit=False)
    assert beads(after(box_set, 5, played).memory) == beads(learner.memory)
    # by another process, from the list of games alone
    assert beads(after(fresh, 5, played).memory) == beads(learner.memory)


def test_games_by_itself_are_those_of_the_training() -> None:
    box_set = box_set_of("hexapawn", "beads:preset=michie", "1")
    trained = trainer(box_set.lab, Plan("beads:preset=michie", "random", "1", seed=3))
    trained.training.run(500, Job(jit=False))
    known = after(box_set, 3, [Bulk(200, "random"), Bulk(300, "random")])
    assert beads(known.memory) == beads(trained.learner.memory)
    assert known.games == 500
    assert sum(result.wins for result in known.results) == sum(
        block.wins for block in trained.training.curve.blocks
    )


@pytest.mark.parametrize("opponent", ["random", "perfect", "self"])
def test_every_opponent_teaches(opponent: str) -> None:
    box_set = box_set_of("hexapawn")
    known = after(box_set, 1, [Bulk(20, opponent)])
    assert known.results[0].games == 20
    assert list(box_set.opened(known.memory))


@pytest.mark.parametrize(
    ("played", "error", "words"),
    [
        ([("8", "0")], IllegalMove, "game 1: move 1: 8: that is not what is drawn here"),
        ([()], BadInput, "game 1 is not over"),
        ([("0", "9")], IllegalMove, "game 1: move 2: 9 is not a legal move"),
    ],
)
def test_what_was_not_played_is_refused(played: Any, error: type[DamierError], words: str) -> None:
    with pytest.raises(error, match=re.escape(words)):
        after(box_set_of("tictactoe"), 1, played)


def test_an_empty_box_gives_the_game_up() -> None:
    box_set = box_set_of("nim:matches=5", "beads:beads=1,win=-1,loss=-1", "1")
    played = games_of(box_set, 1, 4)  # every game takes a bead out of the first box, which had three
    assert [len(moves) == 0 for moves in played] == [False, False, False, True]
    human_game = HumanGame(box_set, after(box_set, 1, played[:3]), 1)
    assert human_game.draw() == ""
    assert (
        human_game.over,
        human_game.payoff,
        human_game.decisions[0].drawn,
        human_game.decisions[0].box.total,
    ) == (True, -1, 0, 0)
    assert human_game.learn() == []


@pytest.mark.parametrize("text", ["", "4,0,8", "4,0,8;1000*random;1*self", "a%2Cb,c%3Bd;5*perfect"])
def test_a_list_of_games_comes_back_as_it_was(text: str) -> None:
    assert write_played(read_played(text)) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3*nobody", "nobody is no opponent"),
        (";".join(["1"] * (MOST_ENTRIES + 1)), "up to 400"),
        ("60000*random;60000*random", "up to 100,000"),
        ("a" * 400, "played"),
    ],
)
def test_a_list_that_is_too_much_is_refused(text: str, words: str) -> None:
    with pytest.raises(DamierError, match=re.escape(words)):
        read_played(text)


@pytest.mark.parametrize(
    "values",
    [
        {"game": "../etc/passwd"},
        {"game": "hexapawn", "agent": "beads:file=/etc/passwd"},
        {"game": "hexapawn", "agent": "q"},
        {"game": "hexapawn", "seat": "3"},
        {"game": "hexapawn", "seed": -1},
        {"game": "hexapawn", "seed": "x" * 9},
        {"game": "hexapawn", "played": 7},
        {"game": "hexapawn", "moves": ["<script>"]},
        {"game": "hexapawn", "moves": {"a": 1}},
        {"game": "pacman"},
        {"game": "hexapawn", "number": 10**9},
        {"game": ["hexapawn"]},
    ],
)
@pytest.mark.parametrize("verb", [room.show, room.find, room.page])
def test_hostile_values_are_refused_or_ignored(verb: Any, values: dict[str, Any]) -> None:
    if verb is not room.find and "number" in values:
        assert verb(Registry(Settings()), Params(values))
    else:
        with pytest.raises(DamierError):
            verb(Registry(Settings()), Params(values))


def test_a_pdf_is_that_of_the_command() -> None:
    made = room.pdf(Registry(Settings()), Params({"game": "hexapawn"}))
    assert made.kind == "application/pdf"
    assert made.content.startswith(b"%PDF")


def test_a_machine_of_too_many_boxes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelves, "MOST", MachineSize(1_000, 18))
    with pytest.raises(LimitReached, match=r"has more than 18 boxes, .* choose a smaller board"):
        room.show(Registry(Settings()), Params({"game": "hexapawn"}))


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("go", "up to 2.7 · 10³⁹ positions; matchboxes are built for up to 30,000: choose"),
        ("chess", "matchboxes are built for up to 30,000"),
        ("othello:size=16", "matchboxes are built for up to 30,000"),
        ("hyper_backgammon", "up to 472,215,744 positions"),
        later(("mnk:width=4,height=4,in_a_row=4", "1,994 boxes in the first 30,000 of them: choose")),
        later(("pawns:width=6,height=4", "2,822 boxes in the first 30,000 of them: choose")),
    ],
)
def test_what_is_too_large_for_boxes_is_told_before_they_are_built(game: str, words: str) -> None:
    looked_at: list[int] = []
    registry = Registry(Settings())
    lab = registry.lab(game)
    watching = replace(lab, job=replace(lab.job, progress=lambda done, _all, _what: looked_at.append(done)))
    with pytest.raises(LimitReached, match=words):
        shelves.box_set_of(watching, game, "beads", "")
    assert max(looked_at, default=0) <= MOST.positions + 100


def test_a_bound_that_is_far_too_large_refuses_no_small_game() -> None:
    game = load("hexapawn")
    game.states = 10**30
    built, usual = new_machine(Lab(game)), new_machine(Lab(load("hexapawn")))
    assert [box.beads for box in built.boxes] == [box.beads for box in usual.boxes]


def test_a_machine_has_no_more_boxes_than_it_may() -> None:
    lab = Lab(load("hexapawn"))
    assert len(new_machine(lab, most=MachineSize(1_000, 19)).boxes) == 19
    with pytest.raises(LimitReached, match="more than 18 boxes"):
        new_machine(lab, most=MachineSize(1_000, 18))


def visit(page: Any, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("details[open] li")


def move(page: Any, choose: int = 0) -> None:
    """Plays one of the moves by its button, and waits for what follows."""
    before = page.url
    page.locator("[data-part=board] .moves [data-move]").nth(choose).click()
    page.wait_for_url(lambda url: url != before)


def tally(page: Any) -> str:
    return str(page.locator("[data-part=tally]").inner_text())


def test_a_person_plays_sees_the_bead_and_what_it_changes(page: Any) -> None:
    visit(page, "/matchboxes")
    boxes = len(box_set_of("tictactoe").machine.boxes)
    assert f"Boxes opened: 0 of {boxes}; empty: 0." in tally(page)
    assert page.locator("[data-part=opened] h2").inner_text() == "The machine opened box 1"
    assert page.locator("[data-part=opened] tr.current").count() == 1
    while page.locator("[data-do=next]").count() == 0:
        move(page)
    drawn = page.locator("[data-part=learnt] li")
    assert drawn.count() >= 1
    assert "→" in drawn.first.inner_text()
    known = tally(page)
    page.reload()
    assert tally(page) == known
    page.locator("[data-do=next]").click()
    page.wait_for_selector("text=Game 2")
    assert "played=" in page.url
    page.locator("[data-do=forget]").click()
    page.wait_for_selector("text=Game 1")
    assert "It has not finished a game yet." in tally(page)
    page.go_back()
    page.wait_for_selector("text=Game 2")


@long
def test_a_move_is_taken_back(page: Any) -> None:
    visit(page, "/matchboxes?game=hexapawn")
    assert page.locator("[data-do=undo]").is_disabled()
    start = page.locator("[data-part=board] .moves").inner_text()
    move(page)
    assert page.locator("[data-part=opened] h2").inner_text().startswith("The machine opened box")
    page.locator("[data-do=undo]").click()
    page.wait_for_selector("[data-do=undo][disabled]")
    assert page.locator("[data-part=board] .moves").inner_text() == start


@long
def test_the_machine_can_be_stopped_before_it_draws(page: Any) -> None:
    visit(page, "/matchboxes?game=hexapawn&pause=1")
    move(page)
    assert page.locator("[data-part=opened] h2").inner_text().startswith("The machine opens box")
    assert page.locator("[data-part=opened] tr.current").count() == 0
    page.locator("[data-do=draw]").click()
    page.wait_for_selector("[data-part=opened] tr.current")


@long
def test_it_plays_by_itself_and_the_boxes_change(page: Any) -> None:
    visit(page, "/matchboxes?game=nim")
    before = page.locator("details[open] ul.boxes").inner_html()
    page.locator("[name=games]").fill("300")
    page.locator("[name=opponent]").select_option("perfect")
    page.locator("[data-form=train] button").click()
    page.wait_for_selector("text=Game 301")
    assert re.search(r"perfect play\s+300", tally(page))
    page.wait_for_selector("text=Opened in a game")
    assert page.locator("details[open] ul.boxes").first.inner_html() != before


@long
def test_the_keyboard_is_enough(page: Any) -> None:
    visit(page, "/matchboxes?game=hexapawn")
    page.locator("[data-part=board] .moves [data-move]").first.focus()
    before = page.url
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != before)
    assert page.evaluate("document.activeElement.closest('[data-part=board]') !== null")


def test_a_list_too_long_for_an_address_is_kept_by_the_browser(page: Any) -> None:
    box_set = box_set_of("hexapawn")
    played = write_played(games_of(box_set, 1, 120))
    assert len(played) > 1900
    visit(page, "/matchboxes?game=hexapawn")
    page.goto("/matchboxes?game=hexapawn&played=" + played)
    page.wait_for_selector("details[open] li")
    move(page)
    assert "kept=" in page.url
    known = tally(page)
    page.reload()
    page.wait_for_selector("text=Game 121")
    assert tally(page) == known


def test_a_box_is_found_by_its_number_and_by_the_moves_to_it(page: Any) -> None:
    visit(page, "/matchboxes")
    page.locator("[data-form=number] input").fill("27")
    page.locator("[data-form=number] button").click()
    page.wait_for_selector("[data-part=found] :text('box 27')")
    page.locator("[data-form=moves] input").fill("4, 0")
    page.locator("[data-form=moves] button").click()
    page.wait_for_selector("[data-part=found] :text('decision 2')")
    page.locator("[data-form=moves] input").fill("4")
    page.locator("[data-form=moves] button").click()
    page.wait_for_selector("#notice:not(:empty)")
    assert "there is no box" in page.locator("#notice").inner_text()


@long
def test_boxes_are_shown_when_they_are_asked_for(page: Any) -> None:
    visit(page, "/matchboxes")
    page.locator("summary").nth(2).click()
    page.wait_for_selector("details[data-stage='2'] li")
    shown = page.locator("details[data-stage='2'] li").count()
    page.locator("details[data-stage='2'] [data-more]").click()
    page.wait_for_selector(f"details[data-stage='2'] li:nth-of-type({shown + 1})")


@long
def test_the_sheets_are_those_of_the_machine_as_it_is(page: Any) -> None:
    visit(page, "/matchboxes?game=hexapawn&played=50*random")
    page.locator("[data-sheet='/matchboxes/sheets']").click()
    page.wait_for_selector(".sheet svg")
    assert "learnt from 50 games" in page.locator(".sheets").inner_text().replace("\u00a0", " ")
    page.emulate_media(media="print")
    assert not page.locator(".top").is_visible()
