"""Chess: perft, compiled rules against the same rules in C; nodes of the selective search."""

from __future__ import annotations

from benchmarks.measure import Bar, Bench, Row, Sample, agree, compiled_c, race, rate, run_c
from damier import load
from damier.core.analysis import Limit, evaluation
from damier.core.compile import instantiate
from damier.core.job import Job
from damier.games.chess import from_fen
from damier.search.selective import Recipe, selective
from damier.solve.count import start_leaves

FENS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
)
DEPTHS = (5, 4)
TIMES = 4


def leaves_against_c(name: str, position: int) -> Row:
    """Leaves of a position, each counted on its own, the end of the game asked at every node above."""
    game, depth = load("chess"), DEPTHS[position]
    start = game.fields(from_fen(FENS[position]))
    count = instantiate(start_leaves, game, jit=True)
    leaves = count(start, depth)
    program = compiled_c("chess")
    agree(name, leaves, run_c(program, position, depth, 1)["count"])
    ours = rate(lambda: sum(int(count(start, depth)) for _time in range(TIMES)), per=1e6)
    return race(
        name,
        "M leaves/s",
        "C",
        ours,
        lambda: TIMES * leaves / 1e6 / float(run_c(program, position, depth, TIMES)["seconds"]),
        pairs=9,
    )


def first_position(name: str) -> Row:
    """Chess to depth 5, 4 865 609 leaves: generic compiled rules against the same in C, with the
    same counting, each leaf on its own."""
    return leaves_against_c(name, 0)


def kiwipete(name: str) -> Row:
    """Chess from the position "kiwipete" to depth 4, 4 085 603 leaves, against C."""
    return leaves_against_c(name, 1)


NODES = 2_000_000


def selective_nodes(name: str) -> Row:
    """Nodes of the selective search, 2,000,000 each from the first position and from "kiwipete": with the
    whole evaluation, against the pieces counted alone."""
    game = load("chess")

    def sample(text: str) -> Sample:
        recipe = Recipe(evaluation=evaluation(game, text))

        def search(fen: str) -> int:
            limit = Limit(nodes=NODES)
            return selective(game, from_fen(fen), limit, recipe, job=Job(jit=True), explain=False).nodes

        return rate(lambda: sum(search(fen) for fen in FENS), per=1e6)

    pieces = "pawns+3*knights+3*bishops+5*rooks+9*queens"
    return race(name, "M nodes/s", "pieces", sample(game.evaluation), sample(pieces))


BENCHES = (
    Bench("perft-chess", first_position, Bar(0.8)),
    Bench("perft-chess-kiwipete", kiwipete, Bar(0.8)),
    Bench("selective-chess", selective_nodes, Bar(2.0, "ours")),
)
