"""Pacman's laboratory: games over depth × evaluation × kind of ghosts, played while one looks on, and
each of them again on the board.

Nothing is kept here but what makes it quick: a page says which games it has seen end, and how, and is
told some more of them.
"""

from __future__ import annotations

import time
from typing import TypedDict

from damier.core.analysis import evaluation
from damier.core.errors import BadInput
from damier.core.game import Position
from damier.core.json_data import to_json
from damier.core.words import N_, _, message
from damier.draw.board import board_svg
from damier.draw.tables import panels_svg
from damier.lab import pacman_study as pacman
from damier.lab.games import Lab
from damier.web import pages
from damier.web.limits import LRU
from damier.web.messages import AddressValues, Params, Parts, PartsAnswer, ReplayAnswer, StateAnswer
from damier.web.registry import Registry

MAZES = {
    "pacman:layout=crossing,ghosts=1": N_("crossing, one ghost"),
    "pacman:layout=crossing": N_("crossing, two ghosts"),
    "pacman:layout=rooms,ghosts=1": N_("rooms, one ghost"),
}
"""Where a page lets play: a game takes some hundredths of a second."""
DEPTHS = (1, 2, 3)
GAMES = (5, 10, 20)
MOST_EVALUATIONS = 4
SLICE = 0.7
"""Seconds of one answer: longer would look as if nothing happened."""
KEPT = 4

_studies = LRU[tuple[object, ...], pacman.PacmanStudy](KEPT)


class LaboratoryState(TypedDict):
    """Pacman's laboratory: what its address says, and of every game that has been played its score,
    whether it was won, and finished, and its plies; `total`: how many there are to be.
    """

    values: AddressValues
    played: list[list[int]]
    total: int


def page(registry: Registry, params: Params) -> str:
    """The room, as the address says it; no game is played yet."""
    maze, plan = plan_in(params)
    study_of(registry, maze, plan)  # refuses what cannot be played
    return pages.page(
        "laboratory.html",
        "/games",
        _("Pacman's laboratory"),
        state=to_json(state_of(maze, plan, [])),
        parts=parts_of(maze, plan, []),
        maze=maze,
        plan=plan,
        mazes=MAZES,
        kinds={kind: pacman.ghosts_in_words(kind) for kind in pacman.GHOSTS},
        depths=DEPTHS,
        counts=GAMES,
        most=MOST_EVALUATIONS,
        longest=pacman.LONGEST,
        board=pages.picture(board_svg(Position(registry.game(maze), registry.game(maze).start), size=28)),
        features=dict(registry.game(maze).features),
    )


def play(registry: Registry, params: Params) -> StateAnswer[LaboratoryState]:
    """Some more games, for less than a second; one at least, until all are played."""
    maze, plan = plan_in(params)
    games = games_in(params, plan)
    study, until = study_of(registry, maze, plan), time.perf_counter() + SLICE
    while len(games) < plan.total:
        games.append(study.play(len(games)))
        if time.perf_counter() > until:
            break
    return {"state": state_of(maze, plan, games), "parts": parts_of(maze, plan, games)}


def games(registry: Registry, params: Params) -> PartsAnswer:
    """The games of one `cell`, each to be played again."""
    _maze, plan = plan_in(params)
    cell = pacman.cells_of(plan, games_in(params, plan))[cell_in(params, plan)]
    part = pages.part("laboratory_games.html", cell=cell, words=pacman.cell_in_words(plan, cell), plan=plan)
    return {"parts": {"games": part}}


def replay(registry: Registry, params: Params) -> ReplayAnswer:
    """Game `number` of a `cell`, as the address of a board."""
    maze, plan = plan_in(params)
    setting = plan.settings[cell_in(params, plan)]
    found = study_of(registry, maze, plan).record(setting, params.whole("number", 0, high=plan.games - 1))
    address = pages.address(
        f"/{maze}",
        **{"moves": ",".join(found.moves), "at": 0, "1": plan.pacman(setting), "2": setting.ghosts},
    )
    return {"address": address}


def plan_in(params: Params) -> tuple[str, pacman.PacmanPlan]:
    """The maze and what is to be played. Raises BadInput for more than a page may ask."""
    maze = params.choice("maze", tuple(MAZES))
    ghosts = tuple(kind for kind in pacman.GHOSTS if kind in several(params, "ghosts", ";", pacman.GHOSTS))
    evaluations = several(params, "evaluate", ",", pacman.EVALUATIONS)
    if len(evaluations) > MOST_EVALUATIONS:
        raise BadInput(message("at most {n} evaluations here", n=MOST_EVALUATIONS))
    rounds = several(params, "rounds", ",", tuple(map(str, DEPTHS)))
    depths = tuple(depth for depth in DEPTHS if str(depth) in rounds)
    if not ghosts or not depths:
        raise BadInput(message("choose at least one kind of ghosts, and one depth"))
    games = params.whole("games", GAMES[1], 1, GAMES[-1])
    plan = pacman.PacmanPlan(
        ghosts,
        tuple("" if text == "none" else text for text in evaluations),
        depths,
        games=games,
        seed=params.whole("seed", 0, high=1 << 31),
    )
    return maze, plan


def several(params: Params, name: str, between: str, usual: tuple[str, ...]) -> tuple[str, ...]:
    """Return what is written with signs between, each once; the usual where nothing is."""
    written = (part.strip().replace(" ", "") for part in params.text(name).split(between))
    return tuple(dict.fromkeys(filter(None, written))) or usual


def games_in(params: Params, plan: pacman.PacmanPlan) -> list[pacman.PacmanGame]:
    """The games that a page says have been played. Raises BadInput."""
    found = params.values.get("played", [])
    if not isinstance(found, list) or len(found) > plan.total:
        raise BadInput(message("played must be a list of games"))
    return [game_of(value) for value in found]


def game_of(value: object) -> pacman.PacmanGame:
    """A game as a page says it: its score, whether it was won, and finished, its plies."""
    if (
        not isinstance(value, list)
        or len(value) != 4
        or not all(isinstance(part, int) and abs(part) < 1 << 31 for part in value)
    ):
        raise BadInput(message("played must be a list of games"))
    score, won, finished, plies = value
    return pacman.PacmanGame(int(score), bool(won), bool(finished), int(plies))


def cell_in(params: Params, plan: pacman.PacmanPlan) -> int:
    return params.whole("cell", 0, high=len(plan.settings) - 1)


def study_of(registry: Registry, maze: str, plan: pacman.PacmanPlan) -> pacman.PacmanStudy:
    """The study of a plan; what its agents have decided is kept from question to question."""
    lab = registry.lab(maze)
    known_as = (maze, plan.ghosts, plan.evaluations, plan.depths, plan.seed)
    found = _studies.get(known_as)
    if found is None or found.lab.game is not lab.game or found.plan.games < plan.games:
        for text in plan.evaluations:  # features with weights only: a page names no file
            evaluation(lab.game, text)
        found = pacman.PacmanStudy(Lab(lab.game, lab.job, lab.ask, lab.tell, loads_files=False), plan)
    _studies[known_as] = found
    return found


def state_of(maze: str, plan: pacman.PacmanPlan, played: list[pacman.PacmanGame]) -> LaboratoryState:
    """Return what the program of the page must know."""
    return {
        "values": {
            "maze": maze,
            "ghosts": ";".join(plan.ghosts),
            "evaluate": ",".join(text or "none" for text in plan.evaluations),
            "rounds": ",".join(map(str, plan.depths)),
            "games": plan.games,
            "seed": plan.seed,
        },
        "played": [[game.score, int(game.won), int(game.finished), game.plies] for game in played],
        "total": plan.total,
    }


def parts_of(maze: str, plan: pacman.PacmanPlan, played: list[pacman.PacmanGame]) -> Parts:
    """The picture, the table, and how far it is."""
    cells = pacman.cells_of(plan, played)
    rows = [
        {
            "number": number,
            "ghosts": pacman.ghosts_in_words(cell.setting.ghosts),
            "evaluate": pacman.evaluation_in_words(cell.setting.evaluate),
            "depth": pacman.depth_in_words(plan, cell.setting.depth),
            "cell": cell,
            "words": pacman.cell_in_words(plan, cell),
        }
        for number, cell in enumerate(cells)
    ]
    return {
        "panels": pages.part(
            "laboratory_panels.html",
            pictures=[pages.picture(svg) for svg in panels_svg(list(pacman.panels(plan, cells)))],
            measured=pacman.measured_in_words(plan),
        ),
        "table": pages.part("laboratory_table.html", rows=rows),
        "status": pages.part(
            "laboratory_status.html", played=len(played), total=plan.total, command=command(maze, plan)
        ),
    }


def command(maze: str, plan: pacman.PacmanPlan) -> str:
    """Return what to type for more games than a page plays."""
    words = ["damier", "study", "evaluation", maze]
    words += ["--rounds", ",".join(map(str, plan.depths))]
    words += ["--evaluate", f"'{','.join(text or 'none' for text in plan.evaluations)}'"]
    for ghosts in plan.ghosts:
        words += ["--against", ghosts]
    return " ".join([*words, "--games", "200", "--seed", str(plan.seed), "-o", "pacman.svg"])
