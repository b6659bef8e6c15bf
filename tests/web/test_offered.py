"""What a page offers can be asked for: every option of an agent with its default, every opponent, every
link to another page of the lab.
"""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from starlette.routing import Match, Route

from damier.lab.games import GAMES
from damier.lab.options import defaults_text
from damier.web.board_session import check, choices
from damier.web.limits import limited
from damier.web.registry import Registry
from damier.web.rooms import ROOMS as REGISTRY
from damier.web.rooms.learning import OPPONENTS, WRITTEN
from damier.web.settings import Settings
from damier.web.trainee import refuse_agents
from damier.web.worker import reply

ROUTES = [(Route(path, lambda request: None), verb) for path, verb in REGISTRY.pages.items()]
ROOMS = (
    "/",
    "/games",
    "/training/hexapawn",
    "/learning",
    "/matchboxes",
    "/tree",
    "/lessons",
    "/hexapawn",
    "/connect_four",
    "/pacman",
)
SLOW = ("/matchboxes/boxes.pdf", "/matchboxes/sheets")


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    return Registry(Settings(folder=tmp_path_factory.mktemp("learners")))


class Offers(HTMLParser):
    """The links of a page into the lab, and what its lists hold."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.listed: list[str] = []
        self._in_list = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "a" and found.get("href", "").startswith("/"):
            self.links.add(found["href"].partition("#")[0])
        if tag == "select":
            self._in_list = found.get("id", "")
        if tag == "option" and self._in_list == "opponent-choice":
            self.listed.append(found["value"])

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._in_list = ""


def page(registry: Registry, address: str) -> tuple[int, str]:
    """A page as its worker makes it of an address."""
    parts = urlsplit(address)
    scope = {"type": "http", "method": "GET", "path": unquote(parts.path), "headers": []}
    for route, verb in ROUTES:
        match, found = route.matches(scope)
        if match is Match.FULL:
            body = json.dumps(dict(parse_qsl(parts.query)) | found["path_params"])
            line = json.dumps({"verb": verb, "language": "en", "body": body}).encode()
            status, _kind, content = reply(registry, line)
            return status, content.decode(errors="replace")
    raise AssertionError(address)


def test_every_link_of_the_rooms_leads_somewhere(registry: Registry) -> None:
    links: set[str] = set()
    for room in ROOMS:
        status, content = page(registry, room)
        assert status == 200, room
        links |= Offers(content).links
    lessons = {link for link in links if link.startswith("/lessons/")}
    assert len(lessons) > 8
    for lesson in lessons:
        links |= Offers(page(registry, lesson)[1]).links
    kinds = {
        shape(link): link for link in sorted(links) if not link.startswith(("/static/", "/class", *SLOW))
    }
    assert len(kinds) > 20
    found = {link: page(registry, link)[0] for link in kinds.values()}
    assert {link: status for link, status in found.items() if status != 200} == {}


def shape(link: str) -> tuple[object, ...]:
    """What a link says: of links that say the same of several games one is enough."""
    parts = urlsplit(link)
    said = [
        (name, "") if name in ("game", "moves") else (name, value) for name, value in parse_qsl(parts.query)
    ]
    room = parts.path if parts.path in REGISTRY.pages or parts.path.startswith("/lessons/") else "game"
    return room, *sorted(said)


@pytest.mark.parametrize("game", GAMES)
def test_every_option_of_an_agent_that_a_board_offers_exists_with_its_default(
    registry: Registry, game: str
) -> None:
    for choice in choices(registry, game, 1):
        given = [option for option in choice.options.split(",") if option.partition("=")[2]]
        check(registry, game, f"{choice.name}:{','.join(given)}" if given else choice.name)


def test_every_opponent_that_the_learning_room_offers_can_be_met(registry: Registry) -> None:
    _status, content = page(registry, "/learning")
    offered = Offers(content).listed
    assert {*OPPONENTS, "", WRITTEN} <= set(offered)
    for opponent in set(offered) - {"", WRITTEN}:
        refuse_agents(opponent)
        if not opponent.startswith("self"):
            registry.training_agent(registry.lab("hexapawn"), limited(opponent))


def test_every_option_of_a_game_exists_with_its_default(registry: Registry) -> None:
    for name, factory in GAMES.items():
        options = [option for option in defaults_text(factory).split(",") if option.partition("=")[2]]
        assert registry.game(f"{name}:{','.join(options)}" if options else name).name == name


def test_no_address_of_a_page_stands_in_a_template_without_a_test(registry: Registry) -> None:
    import damier.web

    templates = Path(damier.web.__file__).parent / "templates"
    placeholders = [
        line.partition('placeholder="')[2].partition('"')[0]
        for path in templates.glob("*.html")
        for line in path.read_text(encoding="utf-8").splitlines()
        if 'placeholder="' in line
    ]
    written = sorted({text for text in placeholders if "=" in text and "{{" not in text})
    assert written == ["alpha=0.1,epsilon=0.2", "hexapawn:width=4", "mcts:simulations=500"]
    registry.training_agent(registry.lab(written[1]), f"q:{written[0]}")
    registry.training_agent(registry.lab(written[1]), limited(written[2]))
