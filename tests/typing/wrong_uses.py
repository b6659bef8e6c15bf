"""Wrong uses that the type checker must refuse, each with the code of its error after `# error:`;
every other line must pass.

Never imported or run: `test_types.py` has mypy read it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from damier import ONGOING, Game, Grid
from damier.core.bits import Rng
from damier.core.compile import instantiate
from damier.core.json_data import held
from damier.core.loop import run_games
from damier.core.moves import count_moves, first_move
from damier.core.open_addressing import number_of
from damier.core.past import empty
from damier.core.player import Kernel, Player, Policy
from damier.core.rules import State, key
from damier.core.solution import KeyTable
from damier.learn.player import LearningPlayer
from damier.learn.q import Numbers, QParameters
from damier.learn.qtable import SeatArrays
from damier.search.mcts import SearchTree
from damier.search.minimax import value_of
from damier.search.running import Run
from damier.search.transposition import DepthTable, is_in_dictionary, is_there
from damier.solve.grade import action_probabilities, evaluate, fill_weights
from damier.solve.graph import Graph
from damier.solve.retrograde import run_waves

if TYPE_CHECKING:
    from damier.core.arrays import FloatArray, Floats, IntArray, Ints
    from damier.core.json_types import JsonObject, JsonValue


class Race(NamedTuple):
    total: int
    mover: int


class Heaps(NamedTuple):
    heaps: tuple[int, int]
    mover: int


class Named(NamedTuple):
    name: str
    mover: int


def moves(s: Race) -> int:
    return 0b11 if s.total < 19 else 0b01


def play(s: Race, move: int) -> Race:
    return Race(s.total + move, 1 - s.mover)


def outcome(s: Race) -> int:
    return -1 if s.total == 20 else ONGOING


def as_text(s: Race) -> str:
    return str(s.total)


# a game

START = Race(0, 0)
game = Game("race", START, moves, play, outcome)


def hooks() -> None:
    lambdas = Game(
        "race",
        START,
        lambda s: 3,
        lambda s, move: Race(s.total + 1, 0),
        over=lambda s: s.total > 20,
        payoff=lambda s, player: 1,
    )
    Game("race", Named("", 0), lambda s: 3, lambda s, move: s, lambda s: 0)  # error: type-var
    Game("race", (0, 0), lambda s: 3, lambda s, move: s, lambda s: 0)  # error: type-var
    Game("race", "start", lambda s: 3, lambda s, move: s, lambda s: 0)  # error: type-var
    Game("race", Heaps((0, 0), 0), moves, lambda s, move: s, lambda s: 0)  # error: arg-type
    Game("race", START, as_text, play, outcome)  # error: arg-type
    Game("race", START, moves, moves, outcome)  # error: arg-type
    Game("race", START, play, play, outcome)  # error: arg-type
    Game("race", START, moves, play, outcome, movess=moves)  # error: call-arg
    Game("race", START, moves, play, outcome, ply=as_text)  # error: arg-type
    Game("race", START, moves, play, outcome, bounds=moves)  # error: arg-type
    Game("race", START, moves, play, outcome, turn=moves)  # error: arg-type
    Game("race", START, moves, play, outcome, grid=as_text)  # error: arg-type
    Game("race", START, moves, play, outcome, features={"text": as_text})  # error: dict-item
    Game("race", START, moves, play, outcome, bits=("4", 1))  # error: arg-type
    Game("race", START, moves, play, outcome, players="2")  # error: arg-type
    Game("race", START, moves, play)(START)  # error: operator


# what is asked of it


def asked() -> None:
    whole: int = count_moves(game.moves(START)) + game.ply(START)
    game.moves(START) + 1  # error: operator
    after: State = game.play(game.start, 1)
    game.moovs(START)  # error: attr-defined
    game.moves("start")  # error: arg-type
    game.moves((0, 0))  # error: arg-type
    game.moves(0)  # error: arg-type
    game.moves(START, 1)  # error: call-arg
    game.play(START)  # error: call-arg
    game.play(START, "a1")  # error: arg-type
    game.payoff(START)  # error: call-arg
    game.unkey(game)  # error: arg-type
    game.key(3)  # error: arg-type
    text: str = game.mover(START)  # error: assignment
    game.start.total  # error: attr-defined
    game.rules["moves"] = moves  # error: index
    game.moves = as_text  # error: assignment
    game.over = lambda s: game.ply(s) > 3
    game.position().play(None)  # error: arg-type
    Grid("...")  # error: arg-type


# kernels and players


def choose(s: State, arrays: tuple[IntArray], rng: Rng) -> int:
    return first_move(game.moves(s))


def choose_without_rng(s: State, arrays: tuple[IntArray]) -> int:
    return 1


def choose_by_floats(s: State, arrays: tuple[FloatArray], rng: Rng) -> int:
    return 1


def write_weights(s: State, arrays: tuple[IntArray], weights: Floats) -> None:
    weights[0] = 1.0


def return_weights(s: State, arrays: tuple[IntArray]) -> list[float]:
    return [1.0]


class Forgetful:
    """A player that says nothing of how it plays in the loop."""

    text, compiles, learns = "forgetful", False, False

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return first_move(game.moves(s))


class Numbered(Forgetful):
    def kernel(self, *, jit: bool) -> Kernel[tuple[()]] | None:
        return None


def kernels(ints: IntArray, floats: FloatArray) -> None:
    Kernel(choose, write_weights, (ints,))
    Kernel(choose, None, (ints,))
    Kernel(choose_without_rng, write_weights, (ints,))  # error: arg-type
    Kernel(choose, return_weights, (ints,))  # error: arg-type
    Kernel(choose, write_weights, (floats,))  # error: arg-type
    Kernel(choose_by_floats, write_weights, (ints,))  # error: arg-type
    Kernel(choose, write_weights, ints)  # error: type-var, arg-type
    player: Player = Numbered()
    wrong: Player = Forgetful()  # error: assignment
    policy: Policy = Numbered()  # error: assignment
    player.choose(game, "start", [0])  # error: arg-type


# engines and their arrays


def engines(graph: Graph, ints: IntArray, floats: FloatArray, table: KeyTable[int]) -> None:
    row: Ints = [0]
    more: Ints = ints
    shares: Floats = floats
    row = floats  # error: assignment
    row = {0: 1}  # error: assignment
    row = ["1"]  # error: list-item
    shares = ints  # error: assignment
    run = instantiate(evaluate, game, jit=True)
    run(ints, ints, ints, ints, ints, 1.0, floats, shares, floats, floats)
    run(ints, ints, ints, ints, ints, 1.0, ints, floats, floats, floats)  # error: arg-type
    run(floats, ints, ints, ints, ints, 1.0, floats, floats, floats, floats)  # error: arg-type
    run(ints, ints, ints, ints, ints, 1.0, floats, floats, floats)  # error: call-arg
    graph.engine(evaluate)(graph.order, graph.first)  # error: call-arg
    graph.engine(fill_weights, {action_probabilities: write_weights})(
        ints, row, more, row, (), shares, shares
    )
    graph.ints(3)[0] = "1"  # error: call-overload, index
    instantiate(run_waves, game, jit=False)(3, row, row, row, row, shares, row)  # error: arg-type
    games = instantiate(run_games, game, jit=False)
    games(START, 0, 1, 0, 0, 10, (), (), [0], [0] * 8, row, "ends", empty(game, 10, False))  # error: arg-type
    instantiate(evaluate, game)  # error: call-arg
    instantiate("evaluate", game, jit=True)  # error: type-var
    number_of([1, 2], 3)  # error: arg-type
    KeyTable(game, table.keys, [0, 1], (0, 1))  # error: arg-type
    table.score("start") + 1  # error: arg-type
    assert key(START) < key(START)
    KeyTable(game, floats, table.scores, (0, 1))  # error: arg-type


# the tables of searches, the numbers of learners


def searches(run: Run, ints: IntArray, floats: FloatArray, tree: SearchTree) -> None:
    table: DepthTable = (ints, floats, ints, ints)
    wrong: DepthTable = (ints, ints, ints, ints)  # error: assignment
    is_there(table, 3, 7) and is_in_dictionary({3: ((7, 1), (0.5, 0, 1))}, 3, (7, 1))
    is_there({3: (7, (0.5, 0, 1))}, 3, 7)  # error: arg-type
    is_in_dictionary({3: 7}, 3, 7)  # error: dict-item
    engine = run.engine(value_of, {})
    engine((0, 1), 3, (1.0, 0.5), run.count, run.visited, run.line.past)
    engine((0, 1), 3, (1.0, 0.5), run.count, set(), run.line.past)  # error: arg-type
    engine((0, 1), 3, run.count, run.visited, run.line.past)  # error: call-arg, arg-type
    tree.worth[0]  # error: attr-defined


def learners(seat: SeatArrays) -> None:
    Numbers(*seat.options).step_size
    Numbers(*seat.options).stepsize  # error: attr-defined
    LearningPlayer(game, "q", QParameters())
    LearningPlayer(game, "q", {"step_size": 0.1})  # error: arg-type


# JSON


def json() -> JsonObject:
    data: JsonValue = {"rows": [1, 2.5, "three", None, {"four": True}]}
    wrong: JsonValue = {"state": object()}  # error: dict-item
    held(data, "rows", list)  # error: arg-type
    data["rows"]  # error: index, call-overload
    return {"game": game}  # error: dict-item
