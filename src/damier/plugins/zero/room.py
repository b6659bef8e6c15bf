"""The room `/zero/GAME`: a network that learns from games against itself, watched and graded exactly; what it
thinks of a position beside the truth; and its search, one simulation at a time.

An address says the game, the network, the moves, the simulations and the step: nothing else is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

from damier.core.analysis import NO_CHANCE, PERFECT_INFORMATION, TWO_PLAYERS, ZERO_SUM, require
from damier.core.errors import BadInput, DamierError
from damier.core.json_data import to_json
from damier.core.json_types import JsonObject, JsonValue
from damier.core.words import N_, _, decimal, message, percent
from damier.draw.annotations import MoveMark, grid_of
from damier.draw.board import Touch, board_svg
from damier.lab.games import game_in_words
from damier.plugins.zero.encoding import sizes_of
from damier.plugins.zero.kept import FORMAT, KeptNetwork, kept, zipped
from damier.plugins.zero.network import Network
from damier.plugins.zero.replay import SearchedMove, SearchReplay, Simulation
from damier.plugins.zero.self_play import ZeroEngines
from damier.plugins.zero.train_command import cells, curve_svg
from damier.plugins.zero.training import ZeroSettings, complete, new_network
from damier.web import learners, pages
from damier.web.board_parts import last_cells, marks_of, pointing, status_text, winning_line
from damier.web.board_session import GameSession, session_in
from damier.web.board_truth import known_here
from damier.web.limits import LRU
from damier.web.messages import Download, Parts, TrainingFacts, is_told
from damier.web.params import Params
from damier.web.registry import Registry, kind_of, without_folder

GAMES = {
    "tictactoe": N_("5,478 positions"),
    "hexapawn": N_("three pawns against three"),
    "octapawn": N_("four pawns against four"),
    "connect_four:width=4,height=4": N_("161,029 positions"),
    "breakthrough:width=3,height=4": N_("a small breakthrough"),
    "othello:size=4": N_("a small Othello"),
}
"""Games that are offered: small ones first, of which every position is graded."""
SIMULATIONS = (8, 16, 32, 64)
STANDARD = 32
MOST_GAMES = (1_280, 2_560, 5_120, 10_240, 20_480)
ENDED = {"finished": N_("finished"), "stopped": N_("stopped"), "failed": N_("failed"), "saved": N_("saved")}
STATES = ENDED | {"preparing": N_("getting ready"), "running": N_("learning"), "paused": N_("paused")}
KEPT = 4

_networks = LRU[tuple[object, ...], KeptNetwork](KEPT)


class ZeroState(TypedDict):
    """State of a training, for the program of the page."""

    name: str
    state: str
    games: int
    of: int
    learner: str
    seed: int
    points: int


class ZeroAnswer(TypedDict):
    """A training, or what has changed of it."""

    parts: Parts
    state: ZeroState


class LookState(TypedDict):
    """Position that is looked at: the address of the page, and what places of the board mean."""

    address: str
    taps: dict[int, str]


class LookAnswer(TypedDict):
    """A position with what is thought of its moves, and one simulation."""

    parts: Parts
    state: LookState


@dataclass(frozen=True)
class TextMark(MoveMark):
    """Mark of a move with any short text."""

    text: str = ""
    sentence: str = ""

    @property
    def short(self) -> str:
        return self.text

    @property
    def words(self) -> str:
        return self.sentence


class MoveRow(NamedTuple):
    """A line of the table: the move, its address, what the network and the search say of it, the truth;
    `liked`: whether the network would play it.
    """

    mark: MoveMark
    address: str
    searched: SearchedMove
    prior: str
    value: str
    liked: bool


@dataclass(frozen=True)
class NetworkVisit:
    """Contents of an address of the room.

    Attributes:
        session: the game and the moves
        name: the network; nothing: one that has learnt nothing yet
        network: that network
        replay: its search of the position that is shown; None at the end of the game
        step: the simulation that is shown; 0: none yet
    """

    session: GameSession
    name: str
    engines: ZeroEngines
    network: Network
    simulations: int
    step: int
    found: KeptNetwork | None

    @property
    def game(self) -> str:
        return self.session.name

    def address(self, **changed: str | int) -> str:
        """Return the address of the room with some values changed."""
        values: dict[str, str | int] = {
            "name": self.name,
            "moves": ",".join(self.session.moves),
            "simulations": "" if self.simulations == STANDARD else self.simulations,
            "step": self.step or "",
        }
        return pages.address(f"/zero/{self.game}", **(values | changed))


def page(registry: Registry, asked: Params) -> str:
    """The room of one game; without a game the list of those that are offered.

    Raises BadInput, BadFile, Unsuitable.
    """
    if not asked.text("game"):
        return pages.page(
            "zero.html", "/zero", "AlphaZero", offered=offered(registry), kept=listing(registry)
        )
    visit = visit_in(registry, asked)
    looked = look_at(visit)
    view = shown(registry, visit.game, visit.name)
    return pages.page(
        "zero_game.html",
        "/zero",
        f"AlphaZero: {game_in_words(visit.game)}",
        visit=visit,
        parts=view["parts"] | looked["parts"],
        state=to_json(view["state"]),
        look=to_json(looked["state"]),
        games=MOST_GAMES,
        simulations=SIMULATIONS,
        seconds=seconds(),
    )


def seconds() -> int:
    """Return how long a training may take."""
    from damier.plugins.zero.web_training import MOST_SECONDS

    return int(MOST_SECONDS)


def offered(registry: Registry) -> dict[str, str]:
    """Return the games of the room, in words, with a sentence; the user's own first."""
    own = {name: _("your own game") for name in registry.settings.games if is_suitable(registry, name)}
    return own | {name: _(words) for name, words in GAMES.items()}


def is_suitable(registry: Registry, name: str) -> bool:
    """Return whether a game can be learnt here, as far as it says so itself."""
    try:
        require_suitable(registry, name)
    except DamierError:
        return False
    return True


def require_suitable(registry: Registry, name: str) -> None:
    """Raises Unsuitable for a game that the room cannot show."""
    require(registry.game(name), "zero", TWO_PLAYERS, PERFECT_INFORMATION, ZERO_SUM, NO_CHANCE)


def listing(registry: Registry) -> list[dict[str, object]]:
    """The networks that this lab keeps, the one saved last first."""
    folder = registry.settings.folder
    return [
        {"name": name, **registry.learner_header(name)}
        for name in learners.names(folder)
        if is_network(folder, name)
    ]


def is_network(folder: Path, name: str) -> bool:
    """Return whether a learner of the lab is a network of this room."""
    kind = kind_of(learners.place(folder, name))
    return kind is not None and kind.format == FORMAT


def visit_in(registry: Registry, asked: Params) -> NetworkVisit:
    """Return what an address says. Raises BadInput, BadFile, Unsuitable."""
    name = asked.text("name")
    require_suitable(registry, asked.text("game"))
    session = session_in(registry, asked)
    found = network_of(registry, session.name, name) if name else None
    game = session.game
    sizes = found.sizes if found else sizes_of(game)
    network = found.network if found else new_network(game, complete(ZeroSettings(), game), sizes, 0)
    engines = ZeroEngines(game, sizes, replace(session.lab.job, jit=False))
    simulations = asked.whole("simulations", STANDARD, 1, SIMULATIONS[-1])
    step = asked.whole("step", 0, 0, SIMULATIONS[-1])
    return NetworkVisit(session, name, engines, network, simulations, step, found)


def network_of(registry: Registry, game: str, name: str) -> KeptNetwork | None:
    """A network of this lab; None where it is learning and not yet kept. Raises BadInput, BadFile."""
    path = learners.place(registry.settings.folder, name)
    if not path.exists():
        return None
    if not is_network(registry.settings.folder, name):
        raise BadInput(message("{name} is no network of this room", name=name))
    known_as = (name, learners.saved_at(path), game)
    with without_folder(str(path)):
        return _networks.find(known_as, lambda: kept(path, registry.game(game)))


# A position, and what is thought of its moves.


def look(registry: Registry, asked: Params) -> LookAnswer:
    """A position and one simulation, as a page asks for them."""
    return look_at(visit_in(registry, asked))


def look_at(visit: NetworkVisit) -> LookAnswer:
    """Return the parts of the page that show a position and a simulation."""
    session = visit.session
    truth = known_here(session)
    marks = marks_of(replace(session, shown=frozenset({"truth"})), truth)
    position = session.position
    if position.over:
        part = pages.part(
            "zero_position.html",
            visit=visit,
            rows=[],
            boards=boards(visit, []),
            said=status_text(session, None),
            back=back(visit),
            replay=None,
        )
        return {
            "parts": {"position": part, "step": ""},
            "state": {"address": visit.address(step=""), "taps": {}},
        }
    replay = SearchReplay(visit.engines, visit.network, position, visit.simulations)
    visit = replace(visit, step=min(visit.step, replay.done))
    rows = rows_of(visit, marks, replay.moves())
    part = pages.part(
        "zero_position.html",
        visit=visit,
        rows=rows,
        boards=boards(visit, rows),
        said=status_text(session, None),
        back=back(visit),
        replay=replay,
        verdicts=verdicts(rows, replay),
        why=truth.why,
    )
    found = pointing(position, marks)
    return {
        "parts": {"position": part, "step": step_part(visit, replay)},
        "state": {"address": visit.address(), "taps": found.taps},
    }


def back(visit: NetworkVisit) -> str:
    """Return the address of the position before the last move; nothing at the beginning."""
    moves = visit.session.moves
    return visit.address(moves=",".join(moves[:-1]), step="") if moves else ""


def rows_of(visit: NetworkVisit, marks: list[MoveMark], moves: tuple[SearchedMove, ...]) -> list[MoveRow]:
    """Return the moves, with what the network, the search and the truth say of them."""
    likely = max((one.prior for one in moves), default=0.0)
    first = next((one.move for one in moves if one.prior == likely), 0)
    known = {one.move: one for one in moves}
    played = visit.session.moves
    return [
        MoveRow(
            mark,
            visit.address(moves=",".join([*played, mark.name]), step=""),
            known[mark.move],
            percent(known[mark.move].prior, ".0f"),
            value_in_words(known[mark.move]),
            mark.move == first,
        )
        for mark in marks
        if mark.move in known
    ]


def value_in_words(found: SearchedMove) -> str:
    """Return what a search takes a move to be worth to its mover."""
    if found.value is None:
        return "–"
    if found.proven:
        return _("{value}, proven", value=signed(found.value))
    return signed(found.value)


def signed(value: float) -> str:
    """A value with its sign."""
    return decimal(value, "+.2f")


def boards(visit: NetworkVisit, rows: list[MoveRow]) -> list[tuple[str, str]]:
    """Return the board three times, each under its heading: with the priors, the visits, and the truth."""
    session = visit.session
    touch = Touch(last_cells(session), winning_line(session))

    def board(marks: list[MoveMark]) -> str:
        return pages.picture(board_svg(session.position, marks, touch=touch))

    if not rows:
        return [(_("The end"), board([]))]
    most = max(row.searched.visits for row in rows)
    priors = [
        marked(
            row,
            row.prior,
            _("{move}: the network gives it {share}", move=row.mark.said, share=row.prior),
            row.liked,
        )
        for row in rows
    ]
    visits = [
        marked(
            row,
            str(row.searched.visits),
            _("{move}: {n} simulations", move=row.mark.said, n=row.searched.visits),
            row.searched.visits == most,
        )
        for row in rows
    ]
    return [
        (_("The network: how likely"), board(priors)),
        (_("The search: how often tried"), board(visits)),
        (_("The truth"), board([row.mark for row in rows])),
    ]


def marked(row: MoveRow, text: str, sentence: str, best: bool) -> MoveMark:
    """A move with a number of one's own on the board."""
    mark = row.mark
    return TextMark(mark.move, mark.name, mark.cells, best=best, text=text, sentence=sentence)


def verdicts(rows: list[MoveRow], replay: SearchReplay) -> list[tuple[str, bool]]:
    """Return what the network and the search would play, with whether that is exactly best."""
    found = []
    for who, row in (
        (_("The network alone"), next((row for row in rows if row.liked), None)),
        (_("With {n} simulations", n=replay.done), next((row for row in rows if row.searched.decided), None)),
    ):
        if row is None:
            continue
        if row.mark.value is None:
            found.append((_("{who}: {move}.", who=who, move=row.mark.said), True))
        elif row.mark.best:
            found.append((_("{who}: {move}, exactly best.", who=who, move=row.mark.said), True))
        else:
            sentence = _(
                "{who}: {move}, a mistake: {truth}.", who=who, move=row.mark.said, truth=row.mark.words
            )
            found.append((sentence, False))
    return found


# One simulation at a time.


class StepLink(NamedTuple):
    """A way to another simulation; no address where there is none."""

    key: str
    words: str
    address: str


def step_part(visit: NetworkVisit, replay: SearchReplay) -> str:
    """Return the simulation that is shown, and the ways to others."""
    step, last = visit.step, replay.done
    ways = (
        ("first", _("The first"), 1),
        ("back", _("Back"), step - 1),
        ("next", _("Next"), step + 1),
        ("last", _("The last"), last),
    )
    links = [
        StepLink(key, words, visit.address(step=to) if 1 <= to <= last and to != step else "")
        for key, words, to in ways
    ]
    shown = replay.simulation(step) if step else None
    return pages.part(
        "zero_step.html",
        visit=visit,
        links=links,
        step=step,
        last=last,
        shown=shown,
        told=told_of(visit, replay, shown) if shown else None,
        signed=signed,
        percent=percent,
        proven=replay.proven and step == last,
    )


@dataclass(frozen=True)
class SimulationInWords:
    """Simulation in words: its way, moves by name, where it ended and what came back."""

    names: dict[int, str]
    way: tuple[str, ...]
    chosen: int
    leaf: str
    moves: str
    value: str


def told_of(visit: NetworkVisit, replay: SearchReplay, shown: Simulation) -> SimulationInWords:
    """Return a simulation in words."""
    position, way = replay.position, list[str]()
    names = {
        mark: said for said, mark in ((said_of(position, one), one) for one in position.named_moves.values())
    }
    walked = position
    for node in shown.way[1:]:
        way.append(said_of(walked, node.move))
        walked = walked.after(node.move)
    svg = board_svg(shown.leaf, size=40) if grid_of(shown.leaf) else board_svg(shown.leaf)
    return SimulationInWords(
        names,
        tuple(way),
        shown.way[1].move if len(shown.way) > 1 else 0,
        pages.picture(svg),
        ", ".join(f"{said_of(shown.leaf, one.move)} {percent(one.prior, '.0f')}" for one in shown.expanded),
        signed(shown.value),
    )


def said_of(position: Any, move: int) -> str:
    """A move as people read it."""
    from damier.core.moves import move_in_words

    return move_in_words(position.game.name_move(position.state, move))


# A training that is watched.


def numbers(registry: Registry, asked: Params) -> ZeroAnswer:
    """Return how far a training is: the hub asks, which was told of it."""
    facts = view_in(asked)
    return {"parts": {"status": status_part(facts)}, "state": state_of(facts, curve_of(facts))}


def drawn(registry: Registry, asked: Params) -> ZeroAnswer:
    """The curve of a training: the hub asks, which was told of it."""
    facts = view_in(asked)
    curve = curve_of(facts)
    return {"parts": curve_parts(facts["game"], curve), "state": state_of(facts, curve)}


def show(registry: Registry, asked: Params) -> ZeroAnswer:
    """A network as its file has it. Raises BadInput, BadFile."""
    return shown(registry, asked.text("game"), asked.text("name"))


def shown(registry: Registry, game: str, name: str) -> ZeroAnswer:
    """Return a network as its file has it; of none, what a training would show."""
    found = network_of(registry, game, name) if name else None
    curve: Any = found.facts.get("curve") if found else []
    games = int(str(found.facts["games"])) if found else 0
    learner = str(registry.learner_header(name)["learner"]) if found else "zero"
    facts: JsonObject = {
        "name": name if found else "",
        "state": "saved",
        "games": games,
        "of": games,
        "learner": learner,
        "seed": found.facts.get("seed") if found else 0,
    }
    return {
        "parts": {"status": status_part({**facts, "stage": "", "error": "", "notes": []})}
        | curve_parts(game, curve),
        "state": state_of(facts, curve),
    }


def download(registry: Registry, asked: Params) -> Download:
    """A network as the folder of an agent, in a ZIP file. Raises BadInput, BadFile."""
    name = asked.text("file").removesuffix(".zip")
    learners.kept(registry.settings.folder, name)
    game = registry.page_game(registry.written_game(name))
    found = network_of(registry, game, name)
    assert found is not None
    return Download("application/zip", zipped(found, registry.game(game), name))


def view_in(asked: Params) -> TrainingFacts:
    """Return what the hub was told of a training."""
    assert is_told(asked.values)
    return asked.values


def curve_of(facts: TrainingFacts) -> list[Any]:
    """Return the curve of a training, as data."""
    drawing: Any = facts.get("drawing")
    return list(drawing["curve"]) if drawing else []


def state_of(facts: Any, curve: list[JsonValue]) -> ZeroState:
    """Return what the program of the page must know."""
    return {
        "name": str(facts["name"]),
        "state": str(facts["state"]),
        "games": int(facts["games"]),
        "of": int(facts["of"]),
        "learner": str(facts["learner"]),
        "seed": int(facts.get("seed", 0)),
        "points": len(curve),
    }


def status_part(facts: Any) -> str:
    """Return how far a training is."""
    return pages.part(
        "zero_status.html", facts=facts, said=_(STATES[facts["state"]]) if facts["name"] else ""
    )


def curve_parts(game: str, curve: list[Any]) -> Parts:
    """Return the curve and what was reached last."""
    graded = [row for row in curve if "alone" in row]
    if not graded:
        return {"curve": pages.part("zero_curve.html", picture=None, rows=[], simulations=0)}
    picture = pages.picture(curve_svg(graded, game_in_words(game)))
    rows = [cells(row) for row in graded]
    return {
        "curve": pages.part(
            "zero_curve.html",
            picture=picture,
            rows=rows,
            simulations=graded[-1]["simulations"],
            positions=graded[-1]["alone"]["positions"],
        )
    }
