"""Pacman's laboratory (document [S2], row A-54): hundreds of games over depth × evaluation × kind of
ghosts, each of which can be played again.

Game number n of every cell is game 0 of seed + n, so that ghosts that draw meet every Pacman with the
same luck, and `damier play` with that seed shows any of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias, cast

from damier.arena.match import record, wilson
from damier.arena.records import GameRecord
from damier.core.errors import BadInput, Unsuitable
from damier.core.json_types import JsonObject, JsonValue
from damier.core.loop import MatchSetup
from damier.core.past import played as states_of
from damier.core.player import Player
from damier.core.words import N_, _, grouped, message, ngettext
from damier.draw.tables import HeatCell, HeatPanel, heat_svg
from damier.games.pacman import WON, ZERO, PacmanState
from damier.lab.agents import agent, is_brought
from damier.lab.games import Lab
from damier.lab.levels import PacmanSeats
from damier.lab.workers import Hiring, PieceWork, TellPart, in_order, shared

DepthUnit: TypeAlias = Literal["rounds", "plies"]

SEARCHING = "alphabeta:rounds=1,evaluate=score"
"""Ghosts that look one round ahead and minimise, together."""
GHOSTS = ("random", "chase", SEARCHING)
GHOSTS_IN_WORDS = {
    "random": N_("ghosts at random"),
    "chase": N_("ghosts that chase"),
    SEARCHING: N_("ghosts that look one round ahead"),
}
EVALUATIONS = ("score", "score+near_food", "score+near_food+0.1*ghost")
ROUNDS = (1, 2, 3)
GAMES = 20
LONGEST = 600
"""Plies after which a game is stopped: who dithers would go on for ever (row A-56)."""


class PacmanSetting(NamedTuple):
    """Difference from cell to cell: the agent of all ghosts, Pacman's evaluation (nothing: every
    position is worth 0), how far he looks ahead.
    """

    ghosts: str
    evaluate: str
    depth: int


class PacmanGame(NamedTuple):
    """End of a game; not `finished`: it was stopped."""

    score: int
    won: bool
    finished: bool
    plies: int


@dataclass(frozen=True)
class PacmanPlan:
    """Plan of what is played: `games` of every setting, on game 0 of `seed`, `seed` + 1, …"""

    ghosts: tuple[str, ...] = GHOSTS
    evaluations: tuple[str, ...] = EVALUATIONS
    depths: tuple[int, ...] = ROUNDS
    unit: DepthUnit = "rounds"
    games: int = GAMES
    seed: int = 0

    @property
    def settings(self) -> list[PacmanSetting]:
        """The cells: by ghosts, then by evaluation, then by depth."""
        return [
            PacmanSetting(ghosts, evaluate, depth)
            for ghosts in self.ghosts
            for evaluate in self.evaluations
            for depth in self.depths
        ]

    @property
    def total(self) -> int:
        """All games."""
        return self.games * len(self.settings)

    def pacman(self, setting: PacmanSetting) -> str:
        """Pacman's agent in a cell; ties are broken at random, so that no order of moves helps it."""
        evaluate = f",evaluate={setting.evaluate}" if setting.evaluate else ""
        return f"alphabeta:{self.unit}={setting.depth}{evaluate},ties=random"


@dataclass(frozen=True)
class PacmanCell:
    """The games of one setting, as many as have been played."""

    setting: PacmanSetting
    games: tuple[PacmanGame, ...]

    @property
    def wins(self) -> int:
        return sum(game.won for game in self.games)

    @property
    def win(self) -> float:
        """Return how often all was eaten; 0 where nothing was played."""
        return self.wins / len(self.games) if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of that."""
        return wilson(self.wins, len(self.games))

    @property
    def score(self) -> float:
        """The mean score."""
        return sum(game.score for game in self.games) / max(1, len(self.games))

    @property
    def unfinished(self) -> int:
        return sum(not game.finished for game in self.games)


def cells_of(plan: PacmanPlan, games: Sequence[PacmanGame]) -> list[PacmanCell]:
    """The cells of a plan, of which the first `games` were played: number 0 of every cell, then number
    1 of every cell, …
    """
    settings = plan.settings
    return [
        PacmanCell(setting, tuple(games[place :: len(settings)])) for place, setting in enumerate(settings)
    ]


@dataclass
class PacmanStudy:
    """The games of a plan in one maze; agents keep what they have decided from game to game.

    Raises Unsuitable for another game, UnknownName, BadInput for agents and evaluations.
    """

    lab: Lab
    plan: PacmanPlan
    _agents: dict[str, Player] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.lab.game.start, PacmanState):
            raise Unsuitable(
                message("only of pacman are ghosts compared; {game} has none", game=self.lab.game.text)
            )
        for setting in self.plan.settings:
            self._seats(setting)

    def play(self, number: int) -> PacmanGame:
        """Game `number` of all: cell after cell, then the next game of each."""
        settings = self.plan.settings
        table, line = self._line(settings[number % len(settings)], number // len(settings))
        *_before, end = states_of(table.game, line)
        assert isinstance(end, PacmanState)
        return PacmanGame(end.score - ZERO, end.end == WON, bool(table.game.over(end)), len(line))

    def games(self, hire: Hiring | None = None) -> Iterator[PacmanGame]:
        """All of them, shared among the cores of the job or those who are hired; progress is told."""
        total = self.plan.total
        work = PieceWork(PacmanDoer, self.lab, asdict(self.plan))
        orders: list[JsonObject] = [{"number": number} for number in range(total)]
        for number, answer in enumerate(in_order(shared(work, orders, hire=hire)), 1):
            score, won, finished, plies = cast("tuple[int, bool, bool, int]", answer)
            yield PacmanGame(score, won, finished, plies)
            self.lab.job.progress(number, total, _("games"))

    def record(self, setting: PacmanSetting, number: int) -> GameRecord:
        """A game of one cell, move by move."""
        table, line = self._line(setting, number)
        return record(table, 0, line)

    def _line(self, setting: PacmanSetting, number: int) -> tuple[MatchSetup, list[int]]:
        """A game, and its moves as the rules know them."""
        seats = self._seats(setting)
        table = MatchSetup(self.lab.game, (seats, seats), self.plan.seed + number, limit=LONGEST, record=True)
        return table, table.play(0, 1, jit=False).lines[0]

    def _seats(self, setting: PacmanSetting) -> PacmanSeats:
        return PacmanSeats("pacman", self._agent(self.plan.pacman(setting)), self._agent(setting.ghosts))

    def _agent(self, text: str) -> Player:
        if is_brought(text) or text.partition(":")[0] == "human":
            raise BadInput(
                message(
                    "{agent} cannot be a ghost of this study: name an agent that damier brings", agent=text
                )
            )
        if text not in self._agents:
            self._agents[text] = agent(self.lab, text)
        return self._agents[text]


class PacmanDoer:
    """Plays games of one plan by their numbers."""

    def __init__(self, lab: Lab, given: JsonObject) -> None:
        options: dict[str, Any] = {
            name: tuple(value) if isinstance(value, (list, tuple)) else value for name, value in given.items()
        }
        self._study = PacmanStudy(lab, PacmanPlan(**options))

    def do(self, order: JsonObject, tell: TellPart) -> JsonValue:
        return self._study.play(cast("int", order["number"]))


def ghosts_in_words(text: str) -> str:
    """A kind of ghosts."""
    return _(GHOSTS_IN_WORDS[text]) if text in GHOSTS_IN_WORDS else _("ghosts: {agent}", agent=text)


# A study of Pacman as a picture and in words: what the command and the page show alike.


def panels(plan: PacmanPlan, cells: Sequence[PacmanCell]) -> list[HeatPanel]:
    """A panel for every kind of ghosts: a row an evaluation, a column a depth."""
    found = {cell.setting: (number, cell) for number, cell in enumerate(cells)}
    columns = tuple(depth_in_words(plan, depth) for depth in plan.depths)
    made = []
    for ghosts in plan.ghosts:
        rows = []
        for evaluate in plan.evaluations:
            row = [found[setting] for setting in plan.settings if setting[:2] == (ghosts, evaluate)]
            heat = tuple(
                HeatCell(
                    cell.win if cell.games else None,
                    *cell.interval,
                    _("score {score}", score=grouped(round(cell.score))),
                    cell_in_words(plan, cell),
                    str(number),
                )
                for number, cell in row
            )
            rows.append((evaluation_in_words(evaluate), heat))
        made.append(HeatPanel(ghosts_in_words(ghosts), columns, tuple(rows)))
    return made


def picture(game: str, plan: PacmanPlan, cells: Sequence[PacmanCell]) -> str:
    """All panels, as SVG text."""
    return heat_svg(panels(plan, cells), title_of(game), measured_in_words(plan))


def title_of(game: str) -> str:
    return _("{game}: depth × evaluation × ghosts", game=game)


def measured_in_words(plan: PacmanPlan) -> str:
    """Return what the numbers are."""
    return _(
        "how often Pacman eats all the food, with 95 % intervals, of {n} games each; below it the mean score",
        n=grouped(plan.games),
    )


def depth_in_words(plan: PacmanPlan, depth: int) -> str:
    """Return how far Pacman looks ahead."""
    if plan.unit == "rounds":
        return ngettext("{n} round", "{n} rounds", depth)
    return ngettext("{n} ply", "{n} plies", depth)


def evaluation_in_words(evaluate: str) -> str:
    return evaluate or _("none")


def cell_in_words(plan: PacmanPlan, cell: PacmanCell) -> str:
    """A cell as a sentence."""
    ghosts, evaluate, depth = cell.setting
    where = f"{ghosts_in_words(ghosts)}, {evaluation_in_words(evaluate)}, {depth_in_words(plan, depth)}"
    if not cell.games:
        return _("{where}: not played yet", where=where)
    low, high = cell.interval
    return _(
        "{where}: {wins} of {n} won ({low}–{high} %), mean score {score}",
        where=where,
        wins=cell.wins,
        n=len(cell.games),
        low=f"{100 * low:.0f}",
        high=f"{100 * high:.0f}",
        score=grouped(round(cell.score)),
    )
