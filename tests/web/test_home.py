"""The first page: a game that can be won at once, against a machine that learns from it; what is said of
the machine is exact; everything follows from the address.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lasting import long

from damier.core.errors import DamierError
from damier.web.messages import Params
from damier.web.registry import Registry
from damier.web.rooms import home
from damier.web.rooms.matchboxes import after, write_played
from damier.web.settings import Settings

NOBODY = "Nobody can beat it any more."


@pytest.fixture
def registry() -> Registry:
    return Registry(Settings())


def said(page: Any) -> str:
    return str(page.locator("h1").inner_text())


def play(page: Any, move: str) -> None:
    """A move by its button; waits for what follows."""
    before = page.url
    page.locator(f".status [data-move={move}]").press("Enter")
    page.wait_for_url(lambda url: url != before)


def finish(page: Any) -> None:
    while (moves := page.locator(".status [data-move]")).count():
        play(page, moves.first.get_attribute("data-move"))


def test_no_first_move_loses_by_force(registry: Registry) -> None:
    from damier.solve import solve

    game = registry.game(str(home.MACHINE["game"]))
    solution = solve(game)
    assert {solution.value(game.position().play(move).state) for move in game.position().moves} == {"draw"}


def test_a_person_plays_at_once_and_the_machine_learns(page: Any) -> None:
    page.goto("/")
    assert said(page) == "You can beat this machine in 47 of 101 possible games."
    assert page.locator("form, select, input").count() == 0
    play(page, "a1a2")
    assert page.locator("[data-part=mind] h2").inner_text().startswith("The machine opened box")
    assert "which is framed" in page.locator("[data-part=mind]").inner_text()
    finish(page)
    assert "So far you have won" in page.locator("[data-part=truth]").inner_text()
    known, address = page.locator("main").inner_text(), page.url
    page.reload()
    assert page.locator("main").inner_text() == known
    page.locator("[data-do=next]").click()
    page.wait_for_url(lambda url: "played=" in url)
    page.go_back()
    page.wait_for_selector("[data-do=next]")
    assert page.url == address


def test_games_are_played_for_a_person_until_nobody_can_beat_it(page: Any) -> None:
    page.goto("/?seed=2")
    for _click in range(4):
        before = page.url
        page.locator("[data-do=play]").click()
        page.wait_for_url(lambda url, before=before: url != before)
        if said(page) == NOBODY:
            break
        assert "10 games were played for you" in page.locator("[data-part=mind]").inner_text()
    assert said(page) == NOBODY
    assert page.locator(".taught h2").inner_text().startswith("You taught it. It took ")
    with page.expect_download() as saved:
        page.locator("[data-do=save]").click()
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")
    assert page.request.get(page.locator("[data-copied]").get_attribute("href")).status == 200
    finish(page)
    assert page.locator(".taught h2").count() == 1
    assert "You have won" not in page.locator(".status").inner_text()
    for link in page.locator("[data-sheet]").all():
        assert "seed=2" in link.get_attribute("href")
        assert "played=" in link.get_attribute("href") or "kept=" in link.get_attribute("href")
    page.locator("[data-sheet='/matchboxes/sheets']").click()
    page.wait_for_selector(".sheet svg")
    learnt = page.locator(".sheets").inner_text().replace("\u00a0", " ")
    assert "learnt from" in learnt
    page.go_back()
    page.locator("[data-do=anew]").click()
    page.wait_for_selector("h1:has-text('47 of 101')")


def test_its_education_is_told_exactly(registry: Registry) -> None:
    start = home.visited(registry, Params({"seed": 2}))
    games = home.played_on(start.box_set, 2, [], 20)
    known = [after(start.box_set, 2, games[:n]) for n in range(21)]
    played = write_played(games)
    moment = home.visited(registry, Params({"seed": 2, "played": played}))
    education = home.education_of(moment)
    assert list(education.counts) == [home.lines_of(start, then).lost for then in known]
    assert education.counts[education.took or 0] == 0 < education.counts[(education.took or 0) - 1]
    beads = [sum(box.total for box in start.box_set.boxes(then.memory)) for then in (known[0], known[-1])]
    assert len(education.taken) == beads[0] - beads[1]
    opened = home.page(registry, Params({"seed": 2, "played": played}))
    assert f"It took {education.took} games." in opened
    friend = home.page(registry, Params({"seed": 2, "played": played, "friend": "1"}))
    assert "It was taught in 20 games." in friend
    assert NOBODY not in friend.replace("&#39;", "'").split("<body>")[1].split('data-room="home"')[0]
    shown = home.show(registry, Params({"seed": 2, "played": played}))
    assert "It took" not in shown["parts"]["taught"]


@long
def test_who_points_sees_no_buttons_of_moves_and_a_loss_fills_the_jar(page: Any) -> None:
    page.goto("/?seed=3")
    moves = page.locator(".status .moves")
    assert moves.bounding_box()["width"] <= 1
    moves.locator("button").first.focus()
    assert moves.bounding_box()["width"] > 40
    while (found := page.locator(".status [data-move]")).count():
        play(page, found.last.get_attribute("data-move"))
    assert page.locator(".mind .d-taken").count() == 1
    assert page.locator(".jar .d-new").count() == 1
    page.locator("[data-do=still]").click()
    assert page.locator("[data-do=still]").get_attribute("aria-pressed") == "false"


def test_the_board_answers_to_keys_and_keeps_them(page: Any) -> None:
    page.goto("/")
    board = page.locator("[data-stage]")
    board.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "Enter", "ArrowUp"):
        page.keyboard.press(key)
    before = page.url
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != before)
    assert "moves=a1a2," in page.url
    assert page.evaluate("document.activeElement.matches('[data-stage]')")


@long
def test_the_bead_is_drawn_a_moment_after_its_box_is_opened(page: Any) -> None:
    page.emulate_media(reduced_motion="no-preference")
    page.goto("/")
    page.locator(".d-touch[data-cell='6']").click(force=True)
    page.locator(".d-touch[data-cell='3']").click(force=True)
    page.wait_for_selector("[data-part=mind] h2:has-text('The machine opens box')")
    page.wait_for_selector("[data-part=mind] h2:has-text('The machine opened box')")
    assert "pause" not in page.url


def test_a_phone_shows_sentence_board_and_box_at_once(browser: Any, served: Any) -> None:
    context = browser.new_context(
        base_url=served.address,
        viewport={"width": 390, "height": 844},
        reduced_motion="reduce",
        locale="fr-FR",
    )
    context.request.get(f"/?token={served.key}")
    page = context.new_page()
    page.goto("/")
    play(page, "b1b2")
    for part in ("h1", "[data-part=board] svg", ".status", "[data-part=mind] .large svg"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 844
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.locator("html").get_attribute("lang") == "fr"
    assert "parties" in said(page)
    context.close()


@long
def test_three_links_lead_on(page: Any) -> None:
    page.goto("/")
    onward = [link.get_attribute("href") for link in page.locator(".link").all()]
    assert onward == ["/training/hexapawn", "/tree", "/games#own"]
    links = sorted({link.get_attribute("href") for link in page.locator("main a").all()})
    assert [link for link in links if page.request.get(link).status != 200] == []
    page.locator(".link").last.click()
    page.wait_for_selector("#own:target pre")


@pytest.mark.parametrize(
    "values",
    [
        {"played": "1000*perfect"},
        {"played": "a1a2"},
        {"moves": ["a1a3"]},
        {"moves": "<script>"},
        {"seed": -1},
        {"played": 7},
    ],
)
@pytest.mark.parametrize("verb", [home.page, home.show, home.play])
def test_what_cannot_be_is_refused(registry: Registry, verb: Any, values: dict[str, Any]) -> None:
    with pytest.raises(DamierError):
        verb(registry, Params(values))


def test_no_question_makes_another_game_of_it(registry: Registry) -> None:
    answer = home.show(registry, Params({"game": "tictactoe", "agent": "menace", "seat": "1"}))
    assert (answer["state"]["game"], answer["state"]["seat"]) == ("hexapawn", "2")
    assert json.dumps(answer)


def test_own_games_and_agents_lead_the_page(tmp_path: Path) -> None:
    """By their names alone: a file that never ends holds up no page but its own."""
    never = tmp_path / "mine.py"
    never.write_text("while True:\n    pass\n")
    for games, agents, links in (
        (["clock", "mine"], ["nth"], ["/clock", "/mine", "/clock?1=human&amp;2=nth"]),
        ([], ["nth:One"], ["/tictactoe?1=human&amp;2=nth:One"]),
    ):
        own = {name: str(never) for name in games}
        page = home.page(
            Registry(Settings(games=own, agents={name: str(never) for name in agents})), Params({})
        )
        led = page[page.index('class="served"') :]
        places = [led.index(f'class="lead" href="{link}"') for link in links]
        assert places == sorted(places)
        assert places[-1] < led.index('data-part="truth"')
    assert "served" not in home.page(Registry(Settings()), Params({}))


def test_an_agent_of_a_document_is_played_in_the_game_of_the_document(tmp_path: Path) -> None:
    source = "class Player:\n    def learn(self, state, reward): 1 / 0\n"
    source += "class Agent(Player):\n    def update(self, state, reward, possible_actions): 1 / 0\n"
    (tmp_path / "mine.py").write_text(source)
    (tmp_path / "lists.cl").write_text("")
    served = {"mine:Agent": str(tmp_path / "mine.py"), "lists:A": str(tmp_path / "lists.cl")}
    page = home.page(Registry(Settings(agents=served)), Params({}))
    assert 'href="/hexapawn?1=human&amp;2=mine:Agent"' in page
    assert 'href="/nim?1=human&amp;2=lists:A"' in page
