"""The larger boards, compiled rules against C by hand: perft with every leaf played, and random games."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from benchmarks.measure import Bar, Bench, Row, agree, compiled_c, race, rate, run_c
from damier import load
from damier.core.arrays import Ints, ints
from damier.core.bits import WORD, word_of
from damier.core.codes import places
from damier.core.compile import instantiate
from damier.core.game import Game
from damier.core.loop import DRAWS, LOSSES, PLIES, WINS, MatchSetup
from damier.core.moves import each
from damier.core.player import RandomPlayer
from damier.core.rules import Field, State, as_state, moves, over, play
from damier.core.wide import WORD_BITS

TIMES = 4  # counts in one sample
SEED = 1
GOMOKU_PLIES = 225  # a full board
GO_PLIES = 243  # three for each cell of 9×9: until two passes follow each other by chance, games are long


def mixed(s: State) -> int:
    """All words of all fields of a state, each one bit further to the left than the next, XORed: bound
    by `mixer`. Unshifted, what Othello turns over would cancel out.
    """
    raise TypeError


def played_leaves(s: State, depth: int, sink: Ints) -> int:
    """How many lines of `depth` plies, at least one, start at `s`: `solve.count.leaves`, but what each
    last move leads to goes into `sink`, so that no compiler leaves it out.
    """
    if over(s):
        return 0
    count = 0
    for move in each(moves(s)):
        child = play(s, move)
        if depth > 1:
            count += played_leaves(child, depth - 1, sink)
        else:
            sink[0] ^= mixed(child)
            count += 1
    return count


def start_played_leaves(fields: tuple[Field, ...], depth: int, sink: Ints) -> int:
    """`played_leaves` from a start; compiled code is entered with a plain tuple."""
    return played_leaves(as_state(fields), depth, sink)


def mixer(game: Game) -> Callable[[State], int]:
    """`mixed` for a game."""
    found: Callable[[State], int] = _nothing
    for place in places(game.bits):
        if place.element is not None:
            found = _with_element(found, place.field, place.element)
        else:
            for number in range(-(-place.bits // WORD_BITS)):
                found = _with_word(found, place.field, number)
    return found


def _nothing(s: State) -> int:
    return 0


def _with_word(before: Callable[[State], int], field: int, number: int) -> Callable[[State], int]:
    def mix(s: State) -> int:
        return before(s) << 1 ^ word_of(s[field], number)

    return mix


def _with_element(before: Callable[[State], int], field: int, element: int) -> Callable[[State], int]:
    """An element of a field that is a tuple fits a word."""

    def mix(s: State) -> int:
        return before(s) << 1 ^ s[field][element]

    return mix


def leaves_against_c(
    name: str, depth: int, position: tuple[int, ...] = (), defines: tuple[str, ...] = ()
) -> Row:
    """Leaves of a game at a depth; both sides must come to the same count and to the same sink,
    which one leaf played otherwise would change. `position`: which one, where the program knows several.
    """
    game = load(name.removeprefix("leaves-"))
    counted = instantiate(start_played_leaves, game, jit=True, bind={mixed: mixer(game)})
    start, sink = game.fields(game.start), ints(1, True)
    leaves = int(counted(start, depth, sink))
    in_c = compiled_c(game.name, *defines)
    theirs = run_c(in_c, *position, depth, 1)
    agree(name, (leaves, int(sink[0]) & WORD), (theirs["count"], theirs["sink"]))
    return race(
        name,
        "M leaves/s",
        "C",
        rate(lambda: sum(int(counted(start, depth, sink)) for _time in range(TIMES)), per=1e6),
        lambda: TIMES * leaves / 1e6 / float(run_c(in_c, *position, depth, TIMES)["seconds"]),
        pairs=9,
    )


def othello(name: str) -> Row:
    """Othello 8×8 to depth 9, 3 005 288 leaves, each played: generic compiled rules against C, which
    must come to the same count and to the same leaves."""
    return leaves_against_c(name, 9)


def draughts(name: str) -> Row:
    """English draughts to depth 10, 18 391 564 leaves, each played: against C in the same way."""
    return leaves_against_c(name, 10)


def chess(name: str) -> Row:
    """Chess to depth 5, 4 865 609 leaves, each played: against C in the same way."""
    return leaves_against_c(name, 5, position=(0,), defines=("PLAYED",))


def plies_against_c(name: str, text: str, games: int, program: str, limit: int) -> Row:
    """Plies of random games, `limit` at most; before, both sides must play games 0 to `games` in as
    many plies and to the same ends.
    """
    table = MatchSetup(without_past(load(text)), (RandomPlayer(), RandomPlayer()), SEED, limit=limit)
    in_c = compiled_c(program)

    def ours(first: int) -> tuple[int, ...]:
        tallies = table.play(first, first + games, jit=True).tallies
        return tuple(tallies[kind] for kind in (PLIES, WINS, DRAWS, LOSSES))

    def theirs(first: int) -> dict[str, Any]:
        return run_c(in_c, first, first + games, SEED, limit)

    ends = theirs(0)
    agree(name, ours(0), tuple(ends[kind] for kind in ("plies", "wins", "draws", "losses")))
    our_numbers, their_numbers = count(0, games), count(0, games)

    def rate_of_c() -> float:
        ends = theirs(next(their_numbers))
        return int(ends["plies"]) / 1e6 / float(ends["seconds"])

    return race(name, "M plies/s", "C", rate(lambda: ours(next(our_numbers))[0], per=1e6), rate_of_c, pairs=9)


def without_past(game: Game) -> Game:
    """The same rules, but for what positions before decide."""
    rules = {name: rule for name, rule in game.given.items() if name not in ("with_past", "irreversible")}
    return Game(game.name, game.start, bits=game.bits, most_moves=game.most_moves(), **rules)


def gomoku(name: str) -> Row:
    """Random games of five in a row on 15×15, their ends counted: damier's compiled loop against C,
    which must play the same games (plies and ends)."""
    return plies_against_c(name, "mnk:width=15,height=15,in_a_row=5", 20_000, "gomoku", GOMOKU_PLIES)


def go(name: str) -> Row:
    """Random games of Go 9×9, passes as likely as any other move, at most 243 plies, no ko: damier's
    compiled loop against C, which must play the same games (plies and ends)."""
    return plies_against_c(name, "go:size=9", 2_000, "go", GO_PLIES)


BENCHES = (
    Bench("leaves-othello", othello, Bar(0.8)),
    Bench("leaves-draughts", draughts, Bar(0.8)),
    Bench("leaves-chess", chess, Bar(0.8)),
    Bench("plies-gomoku", gomoku, Bar(0.8)),
    Bench("plies-go", go, Bar(0.8)),
)
