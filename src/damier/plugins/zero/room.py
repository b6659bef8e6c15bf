"""The room `/zero/GAME`: a network that learns from games against itself, watched and graded exactly; what it
thinks of a position beside the truth; and its search, one simulation at a time.

An address says the game, the network, the moves, the simulations and the step: nothing else is kept.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import IO, Any, NamedTuple, NotRequired, TypedDict

from damier.core.analysis import NO_CHANCE, PERFECT_INFORMATION, TWO_PLAYERS, ZERO_SUM, require
from damier.core.errors import BadInput, DamierError, Unsuitable
from damier.core.game import Game, Position
from damier.core.json_data import to_json
from damier.core.json_types import JsonObject, JsonValue
from damier.core.moves import move_in_words
from damier.core.words import N_, _, decimal, grouped, labelled, message, ngettext, percent
from damier.draw.board import Touch, board_svg
from damier.draw.text import MoveMark, grid_of
from damier.lab.games import game_in_words
from damier.lab.options import read_options
from damier.plugins.zero.agent import ZeroPlayer
from damier.plugins.zero.encoding import sizes_of
from damier.plugins.zero.files import LEARNER_FORMAT, KeptNetwork, keep, kept, zipped
from damier.plugins.zero.lockstep import SearchSettings, bound_of, terms_of
from damier.plugins.zero.network import Evaluator, Network
from damier.plugins.zero.proven_moves import ZeroGrader
from damier.plugins.zero.self_play import Lockstep, ZeroEngines
from damier.plugins.zero.train_command import cells, curve_svg, row_of
from damier.plugins.zero.training import (
    Generation,
    ZeroSettings,
    ZeroTraining,
    comparable,
    complete,
    new_network,
    require_settings,
)
from damier.web import learners, pages
from damier.web.board_parts import last_cells, marks_of, status_text, winning_line
from damier.web.board_position import pointing
from damier.web.board_session import GameSession, session_in
from damier.web.board_truth import known_here
from damier.web.limits import LRU
from damier.web.messages import Download, Params, Parts, Progress, StateAnswer, TrainingPlan
from damier.web.registry import Registry, kind_of, without_folder
from damier.web.rooms.learning import training_view_in
from damier.web.settings import Settings
from damier.web.trainee import Orders, Reporter, Stopped, Trainee

# A training of the web lab: bounded in games and seconds, graded as often as a third of its time allows, and
# told to whoever watches.


MOST_SECONDS = 120.0
"""Seconds of a training; it can be asked to go on."""
GENERATION = 128
"""Games of a generation, where a page says nothing else: fewer than on the command line, to be watched."""
CEILINGS = {"simulations": 128, "hidden": 128, "layers": 4, "games": 1024, "window": 50_000, "batch": 2048}
"""Largest options of a training of a page."""
USUAL = ZeroSettings(games=GENERATION, window=50_000)
GRADES = 2.0
"""Seconds of learning for each second of grading, at least."""


def settings_of(learner: str) -> ZeroSettings:
    """Return the settings of a training that a page asks for. Raises BadInput."""
    options = read_options("zero", learner.partition(":")[2], ZeroSettings)
    found = replace(USUAL, **options)
    require_settings(found)
    if found.network != USUAL.network:
        raise BadInput(
            message(
                "zero: network={network} is trained by damier train GAME zero, not on a page",
                network=found.network,
            )
        )
    for name, most in CEILINGS.items():
        if getattr(found, name) > most:
            raise BadInput(message("zero: at most {option}={n} here", option=name, n=most))
    return found


@dataclass
class ZeroReporter(Reporter):
    """A training told line by line; its picture is its curve."""

    training: ZeroTraining | None = None
    curve: list[JsonValue] = field(default_factory=list)

    @property
    def played(self) -> int:
        return self.training.learnt.games if self.training else 0

    def show(self, state: str) -> None:
        self.tell({"now": self._now(state), "drawing": {"curve": self.curve}})

    def show_if_due(self) -> None:
        if time.monotonic() >= self._beat_due:
            self._beat_due = time.monotonic() + 0.1
            self.show_numbers("running" if self.training else "preparing")

    def _now(self, state: str) -> Progress:
        return {
            "of": self.games,
            "stage": self.stage,
            "pace": 0.0,
            "state": state,
            "games": self.played,
            "notes": self.notes,
            "rate": self.rate.after(self.played),
        }


class ZeroTrainee(Trainee):
    """A training of a network."""

    reporter: ZeroReporter

    def __init__(self, settings: Settings, plan: TrainingPlan, orders: Orders, answers: IO[str]) -> None:
        super().__init__(settings, plan, orders, answers)
        self.reporter = ZeroReporter(answers, self.games, 0.0)
        self._begun = self._due = 0.0
        self._ungraded: Generation | None = None

    def run(self) -> None:
        """The whole of it. Raises DamierError, Stopped where it was stopped."""
        if self.plan["opponent"] or self.plan["starts"]:
            raise BadInput(
                message("zero learns from games against itself: it has no {option}", option="opponent")
            )
        lab = self.registry.lab(self.plan["game"])
        settings = settings_of(self.plan["learner"])
        found = self._kept(lab.game, settings)  # what is refused is refused before anything is worked out
        lab.job = replace(lab.job, progress=self._progress, note=self.reporter.notes)
        self._grader = ZeroGrader(lab)
        if not self._grader.is_solved:
            raise Unsuitable(
                message(
                    "{game} is too large to be graded in all positions on a page; damier train {game} zero"
                    " trains it",
                    game=lab.game.text,
                )
            )
        self._training = training = ZeroTraining(lab, settings, self.plan["seed"])
        if found:
            training.restore(self.plan["name"], found.arrays, found.done())
        training.prepare()
        self.reporter.stage, self.reporter.training, self.runs = "", training, True
        self.reporter.show("running")
        self._begun = time.monotonic()
        try:
            training.run(self._goes_on, self._after)
        except Stopped:
            self.keep(self.path, self.plan["name"])
            raise
        if self._ungraded:
            self._grade(self._ungraded)
        self.keep(self.path, self.plan["name"])
        self.reporter.show("finished")

    def _kept(self, game: Game, settings: ZeroSettings) -> KeptNetwork | None:
        """Return what it goes on with; None for a new one, of which there must be no file yet.

        Raises BadInput, BadFile.
        """
        folder, name = self.registry.settings.folder, self.plan["name"]
        if not self.plan["resume"]:
            learners.free_place(folder, name)
            return None
        found = kept(learners.kept(folder, name), game)
        settings = complete(settings, game)
        known, seed, curve = (found.facts.get(fact) for fact in ("settings", "seed", "curve"))
        theirs = comparable(known) if isinstance(known, dict) else None
        if theirs != settings.as_json() or seed != self.plan["seed"]:
            raise BadInput(message("{name} was trained with other options", name=name))
        self.require_more(found.done()[1])
        self.reporter.curve = list(curve) if isinstance(curve, list) else []
        return found

    def _goes_on(self) -> bool:
        """Return whether there are games, and time, for another generation."""
        before = time.monotonic()
        self._obey()
        self._begun += time.monotonic() - before  # a pause is no training
        if time.monotonic() - self._begun > MOST_SECONDS:
            sentence = _("ended after {n} seconds, the longest that a page trains", n=grouped(MOST_SECONDS))
            self.reporter.notes(sentence)
            return False
        return self._training.learnt.games < self.games

    def _after(self, found: Generation) -> None:
        """Grades, keeps and shows what was learnt, where it is time to."""
        self.reporter.stage = ""
        self._ungraded = found
        if time.monotonic() >= self._due:
            begun = time.monotonic()
            self._grade(found)
            self.keep(self.path, self.plan["name"])
            self.reporter.show("running")
            now = time.monotonic()
            self._due = now + GRADES * (now - begun)
        self.reporter.show_if_due()

    def _grade(self, found: Generation) -> None:
        """Adds a point to the curve."""
        search = SearchSettings(self._training.settings.simulations)
        player = ZeroPlayer("zero", self._training.engines, self._training.network(), search)
        self.reporter.curve = [*self.reporter.curve, row_of(found, self._grader.grade(player))]
        self._ungraded = None

    def keep(self, path: Path, name: str) -> None:
        training = self._training
        if not training.learnt.generations:
            return
        with self.quota.within(self.plan["owner"], name):
            keep(
                path,
                training.lab.game,
                self.plan["learner"],
                training.network(),
                training.arrays(),
                training.facts(self.reporter.curve),
            )


# One search of one position, as it stands after each of its simulations.
#
# Nothing is computed a second time: a search of n simulations is always the same one, so that it is run with
# 1, 2, 3, … of them, and what lies in its tree is read.


@dataclass(frozen=True)
class SearchedMove:
    """A move of a searched position.

    Attributes:
        move: the move, a set of one
        prior: how likely the network takes it to be
        visits: how many simulations went through it
        value: what it is worth to its mover, from -1 to 1; None where nothing is known of it
        proven: whether that is exact
        bonus: what is added to its value when the next move is selected
        bound: both together, of a move that was not tried with a guess for its value
        decided: whether the search decides for it
    """

    move: int
    prior: float
    visits: int
    value: float | None
    proven: bool
    bonus: float
    bound: float
    decided: bool


@dataclass(frozen=True)
class PassedNode:
    """A position that a simulation passed, after a move of the one before it.

    Attributes:
        move: the move, 0 at the root; player: who made it, at the root who is to move
        visits, value: before and after the simulation, to that player; no value where there is none
        proven: whether the simulation has proven it
    """

    move: int
    player: int
    visits: tuple[int, int]
    value: tuple[float | None, float]
    proven: bool


@dataclass(frozen=True)
class Simulation:
    """One simulation.

    Attributes:
        moves: of the root before it, as the selection saw them; none before the first simulation
        way: the positions that it passed, the root first
        leaf: the position where it ended
        expanded: moves that were hung under that, with how likely the network takes each to be
        value: what came back, to who is to move there (at the end of a game: to player 1)
        ended: whether the game is over there
        known: whether it had been proven before
    """

    moves: tuple[SearchedMove, ...]
    way: tuple[PassedNode, ...]
    leaf: Position
    expanded: tuple[SearchedMove, ...]
    value: float
    ended: bool
    known: bool


class SearchReplay:
    """A search of a position, with at most so many simulations."""

    def __init__(
        self, engines: ZeroEngines, network: Evaluator, position: Position, simulations: int
    ) -> None:
        self._engines, self._network = engines, network
        self.position, self.simulations = position, simulations

    def _after(self, simulations: int) -> Lockstep:
        """The search after so many simulations."""
        found = Lockstep(self._engines, SearchSettings(max(1, simulations)), 1)
        if simulations:
            codes = self._engines.codes([self.position.state])
            list(found.search(self._network, codes, [self.position.before]))
        return found

    @cached_property
    def _whole(self) -> Lockstep:
        return self._after(self.simulations)

    @property
    def done(self) -> int:
        """Return how many simulations there are: fewer where the position is proven by then."""
        return self._whole.done(0)

    @property
    def proven(self) -> bool:
        return bool(self._whole.tree.proven[0])

    def moves(self) -> tuple[SearchedMove, ...]:
        """Return the moves of the position after all simulations."""
        return moves_of(self._whole, 0, self._whole.decision(0))

    def simulation(self, number: int) -> Simulation:
        """Return one simulation, by its number from 1."""
        before, after = self._after(number - 1), self._after(number)
        way, game, leaf = after.way(0), self.position.game, self.position
        player, passed = max(0, leaf.mover), list[PassedNode]()
        for node in way:
            if node:
                player = max(0, leaf.mover)
                leaf = leaf.after(int(after.tree.move[node]))
            passed.append(passed_node(before, after, node, player))
        end = way[-1]
        known, ended = bool(before.tree.proven[end]), game.over(leaf.state)
        if after.tree.proven[end]:
            value = float(after.tree.exact[end])
        else:
            value = float(after.tree.total[end]) - float(before.tree.total[end])
        hung = not before.tree.child_count[end] and not ended
        return Simulation(
            moves_of(before, 0) if number > 1 else (),
            tuple(passed),
            leaf,
            moves_of(after, end) if hung else (),
            value if leaf.over or leaf.mover == 0 else -value,
            ended,
            known,
        )


def moves_of(search: Lockstep, node: int, decided: int = 0) -> tuple[SearchedMove, ...]:
    """Return what the tree of a search says of the moves of one of its positions."""
    tree, found = search.tree, list[SearchedMove]()
    begin, side = int(tree.first_child[node]), int(tree.side[node])
    untried, factor = terms_of(node, tree, search.numbers)
    for child in range(begin, begin + int(tree.child_count[node])):
        visits, proven = int(tree.visits[child]), bool(tree.proven[child])
        value = float(tree.exact[child]) if proven else float(tree.total[child]) / max(1, visits)
        estimate, bonus = bound_of(child, side, untried, factor, tree)
        move = int(tree.move[child])
        found.append(
            SearchedMove(
                move,
                float(tree.prior[child]),
                visits,
                side * value if proven or visits else None,
                proven,
                float(bonus),
                float(estimate + bonus),
                move == decided,
            )
        )
    return tuple(found)


def passed_node(before: Lockstep, after: Lockstep, node: int, player: int) -> PassedNode:
    """Return how a simulation changed a node that it passed."""
    side = 1 if player == 0 else -1
    had, has = int(before.tree.visits[node]), int(after.tree.visits[node])
    old = side * float(before.tree.total[node]) / had if had else None
    if before.tree.proven[node]:
        old = side * float(before.tree.exact[node])
    proven = bool(after.tree.proven[node])
    new = side * (float(after.tree.exact[node]) if proven else float(after.tree.total[node]) / max(1, has))
    return PassedNode(int(after.tree.move[node]) if node else 0, player, (had, has), (old, new), proven)


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
STATES = {
    "finished": N_("finished"),
    "stopped": N_("stopped"),
    "failed": N_("failed"),
    "saved": N_("saved"),
    "preparing": N_("getting ready"),
    "running": N_("learning"),
    "paused": N_("paused"),
}
KEPT = 4

_networks = LRU[tuple[object, ...], KeptNetwork](KEPT)


class ZeroState(TypedDict):
    """State of a training, for the program of the page; `points` of its curve, which its numbers alone do not
    tell.
    """

    name: str
    state: str
    games: int
    of: int
    learner: str
    seed: int
    points: NotRequired[int]


class LookState(TypedDict):
    """Position that is looked at: the address of the page, and what places of the board mean."""

    address: str
    taps: dict[int, str]


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
    """A line of the table: the move, its address, what the network and the search say of it; `liked`: whether
    the network would play it.
    """

    mark: MoveMark
    address: str
    searched: SearchedMove
    prior: str
    liked: bool


@dataclass(frozen=True)
class NetworkVisit:
    """Contents of an address of the room.

    Attributes:
        session: the game and the moves
        name: the network; nothing: one that has learnt nothing yet
        network: that network
        simulations: of its search of the position that is shown
        step: the simulation that is shown; 0: none yet
        found: the file of the network; None for one that has learnt nothing yet
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


def page(registry: Registry, params: Params) -> str:
    """The room of one game; without a game the list of those that are offered.

    Raises BadInput, BadFile, Unsuitable.
    """
    if not params.text("game"):
        return pages.page(
            "zero.html", "/zero", "AlphaZero", offered=offered(registry), kept=listing(registry)
        )
    visit = visit_in(registry, params)
    looked = look_at(visit)
    view = answer_of(registry, visit.game, visit.name)
    return pages.page(
        "zero_game.html",
        "/zero",
        labelled("AlphaZero", game_in_words(visit.game)),
        visit=visit,
        parts=view["parts"] | looked["parts"],
        state=to_json(view["state"]),
        look=to_json(looked["state"]),
        games=MOST_GAMES,
        simulations=SIMULATIONS,
        seconds=int(MOST_SECONDS),
    )


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
    return kind is not None and kind.format == LEARNER_FORMAT


def visit_in(registry: Registry, params: Params) -> NetworkVisit:
    """Return what an address says. Raises BadInput, BadFile, Unsuitable."""
    name = params.text("name")
    require_suitable(registry, params.text("game"))
    session = session_in(registry, params)
    found = network_of(registry, session.name, name) if name else None
    game = session.game
    sizes = found.sizes if found else sizes_of(game)
    network = found.network if found else new_network(game, complete(ZeroSettings(), game), sizes, 0)
    engines = ZeroEngines(game, sizes, replace(session.lab.job, jit=False))
    simulations = params.whole("simulations", STANDARD, 1, SIMULATIONS[-1])
    step = params.whole("step", 0, 0, SIMULATIONS[-1])
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


def look(registry: Registry, params: Params) -> StateAnswer[LookState]:
    """A position and one simulation, as a page asks for them."""
    return look_at(visit_in(registry, params))


def look_at(visit: NetworkVisit) -> StateAnswer[LookState]:
    """Return the parts of the page that show a position and, where the game goes on, a simulation."""
    session = visit.session
    position, truth = session.position, known_here(session)
    marks = marks_of(replace(session, shows=frozenset({"truth"})), truth)
    replay = (
        None if position.over else SearchReplay(visit.engines, visit.network, position, visit.simulations)
    )
    visit = replace(visit, step=min(visit.step, replay.done) if replay else 0)
    rows = rows_of(visit, marks, replay.moves()) if replay else []
    part = pages.part(
        "zero_position.html",
        visit=visit,
        rows=rows,
        boards=boards(visit, rows),
        status=status_text(session, None),
        replay=replay,
        why=truth.why,
        signed=signed,
    )
    return {
        "parts": {"position": part, "step": step_part(visit, replay) if replay else ""},
        "state": {"address": visit.address(), "taps": pointing(position, marks).taps},
    }


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
            mark.move == first,
        )
        for mark in marks
        if mark.move in known
    ]


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
            _("{move}: the network gives it {share}", move=row.mark.text, share=row.prior),
            row.liked,
        )
        for row in rows
    ]
    visits = [
        marked(
            row,
            str(row.searched.visits),
            ngettext(
                "{move}: {n} simulation", "{move}: {n} simulations", row.searched.visits, move=row.mark.text
            ),
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


# One simulation at a time.


def step_part(visit: NetworkVisit, replay: SearchReplay) -> str:
    """Return the simulation that is shown, and the ways to others."""
    step = visit.step
    simulation = replay.simulation(step) if step else None
    return pages.part(
        "zero_step.html",
        visit=visit,
        step=step,
        last=replay.done,
        simulation=simulation,
        words=simulation_words(replay.position, simulation) if simulation else None,
        signed=signed,
        proven=replay.proven and step == replay.done,
    )


def simulation_words(position: Position, simulation: Simulation) -> dict[str, object]:
    """Return a simulation in words: its way, moves by name, where it ended and what came back."""
    walked, way = position, list[str]()
    for node in simulation.way[1:]:
        way.append(move_words(walked, node.move))
        walked = walked.after(node.move)
    svg = board_svg(simulation.leaf, size=40) if grid_of(simulation.leaf) else board_svg(simulation.leaf)
    return {
        "names": {move: move_words(position, move) for move in position.named_moves.values()},
        "way": way,
        "chosen": simulation.way[1].move if len(simulation.way) > 1 else 0,
        "leaf": pages.picture(svg),
        "moves": ", ".join(
            f"{move_words(simulation.leaf, one.move)} {percent(one.prior, '.0f')}"
            for one in simulation.expanded
        ),
        "value": signed(simulation.value),
    }


def move_words(position: Position, move: int) -> str:
    """A move as people read it."""
    return move_in_words(position.game.name_move(position.state, move))


# A training that is watched.


def numbers(registry: Registry, params: Params) -> StateAnswer[ZeroState]:
    """Return how far a training is: the hub asks, which was told of it."""
    facts = training_view_in(params)
    return {"parts": {"status": status_part(facts)}, "state": state_of(facts)}


def drawn(registry: Registry, params: Params) -> StateAnswer[ZeroState]:
    """The curve of a training: the hub asks, which was told of it."""
    facts = training_view_in(params)
    drawing: Any = facts["drawing"]
    curve = list(drawing["curve"]) if drawing else []
    return {
        "parts": curve_parts(facts["game"], curve),
        "state": {**state_of(facts), "points": len(curve)},
    }


def show(registry: Registry, params: Params) -> StateAnswer[ZeroState]:
    """A network as its file has it. Raises BadInput, BadFile."""
    return answer_of(registry, params.text("game"), params.text("name"))


def answer_of(registry: Registry, game: str, name: str) -> StateAnswer[ZeroState]:
    """Return a network as its file has it; of none, what a training would show."""
    found = network_of(registry, game, name) if name else None
    curve: Any = found.facts.get("curve") if found else []
    games = found.done()[1] if found else 0
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
        "state": {**state_of(facts), "points": len(curve)},
    }


def download(registry: Registry, params: Params) -> Download:
    """A network as the folder of an agent, in a ZIP file. Raises BadInput, BadFile."""
    name = params.text("file").removesuffix(".zip")
    learners.kept(registry.settings.folder, name)
    game = registry.page_game(registry.written_game(name))
    found = network_of(registry, game, name)
    assert found is not None
    return Download("application/zip", zipped(found, registry.game(game), name))


def state_of(facts: Any) -> ZeroState:
    """Return what the program of the page must know."""
    return {
        "name": str(facts["name"]),
        "state": str(facts["state"]),
        "games": int(facts["games"]),
        "of": int(facts["of"]),
        "learner": str(facts["learner"]),
        "seed": int(facts.get("seed", 0)),
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
