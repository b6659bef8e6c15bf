"""One source at two speeds: engines bound to the rules of a game, plain and compiled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gallery import mutual, triangle
from lasting import later, shortly
from sample_engines import start_leaves

from damier import BadGame, load, lowest
from damier.core import rules
from damier.core.compile import instantiate
from damier.core.errors import Uncompilable
from damier.core.game import Game
from damier.core.job import Job, Notes
from damier.core.rules import as_state, mover, moves, over, payoff, play, symmetries, turn
from damier.solve import count, solve

BOTH = pytest.mark.parametrize("jit", [False, True], ids=["pure", "compiled"])
PLAIN_FIRST = pytest.mark.parametrize("jit", [False, later(True)], ids=["pure", "compiled"])


def highest(s: Any, depth: int) -> int:
    """Two engines that call each other: what player 0 gets."""
    if depth == 0 or over(s):
        return payoff(s, 0) if over(s) else 0
    best, untried = -9, moves(s)
    while untried:
        child = play(s, lowest(untried))
        best = max(best, highest(child, depth - 1) if mover(child) == 0 else deepest(child, depth - 1))
        untried &= untried - 1
    return best


def deepest(s: Any, depth: int) -> int:
    if depth == 0 or over(s):
        return payoff(s, 0) if over(s) else 0
    worst, untried = 9, moves(s)
    while untried:
        child = play(s, lowest(untried))
        worst = min(worst, highest(child, depth - 1) if mover(child) == 0 else deepest(child, depth - 1))
        untried &= untried - 1
    return worst


def start_value(fields: Any, depth: int) -> int:
    return highest(as_state(fields), depth)


def step(n: int) -> int:
    return n + 1


def images(fields: Any) -> int:
    """An engine that names a rule only through a helper, and a plain function beside it."""
    total = 0
    for symmetry in range(symmetries()):
        total = step(total) + first_legal(turn(as_state(fields), symmetry))
    return total


def first_legal(s: Any) -> int:
    return lowest(moves(s))


@PLAIN_FIRST
def test_an_engine_may_call_itself(jit: bool) -> None:
    game = load("tictactoe")
    assert instantiate(start_leaves, game, jit=jit)(tuple(game.start), 3) == 504


@BOTH
@pytest.mark.parametrize(("text", "value"), [later(("hexapawn:blocked=loss", -1)), ("nim:matches=6", 1)])
def test_engines_may_call_each_other(jit: bool, text: str, value: int) -> None:
    game = load(text)
    assert instantiate(start_value, game, jit=jit)(tuple(game.start), 20) == value


def test_rules_that_use_recursion_mutual_recursion_and_closures_are_compiled() -> None:
    game = mutual()
    lines = [
        instantiate(start_leaves, game, jit=jit)(tuple(game.start), depth)
        for jit in (False, True)
        for depth in (3, 9)
    ]
    assert lines[:2] == lines[2:]
    assert min(lines) > 1


@PLAIN_FIRST
def test_rules_may_use_recursion_mutual_recursion_and_closures(jit: bool) -> None:
    game = mutual()
    notes = Notes()
    solution = solve(game, job=Job(jit=jit, note=notes))
    assert (len(solution), solution.value(game.start), solution.distance(game.start)) == expected_of_mutual(
        game
    )
    assert notes == []


def expected_of_mutual(game: Game) -> tuple[int, str, int | None]:
    from oracles import FromGame, by_recursion

    known = by_recursion(FromGame(game))
    start = known[game.start]
    return len(known), {1: "win", 0: "draw", -1: "loss"}[start.value], start.plies


@BOTH
def test_an_engine_reaches_rules_through_helpers(jit: bool) -> None:
    game = load("tictactoe")
    assert instantiate(images, game, jit=jit)(tuple(game.start)) == 8 * 2


@BOTH
def test_bind_replaces_a_function_and_is_remembered_apart(jit: bool) -> None:
    game = load("tictactoe")
    plain = instantiate(images, game, jit=jit)
    other = instantiate(images, game, jit=jit, bind={first_legal: second_legal})
    assert plain(tuple(game.start)) == 16
    assert other(tuple(game.start)) == 8 * 3
    assert instantiate(images, game, jit=jit) is plain
    assert instantiate(images, game, jit=jit, bind={first_legal: second_legal}) is other


def second_legal(s: Any) -> int:
    return lowest(moves(s)) << 1


def test_an_engine_itself_stays_unbound() -> None:
    game = load("tictactoe")
    instantiate(start_leaves, game, jit=False)
    with pytest.raises(TypeError, match="as_state belongs to no game"):
        start_leaves(tuple(game.start), 1)


def test_every_rule_that_an_engine_may_name_is_bound_for_every_game() -> None:
    for text in ("tictactoe", "hexapawn", "nim", "connect_four"):
        assert set(load(text).rules) >= set(rules.NAMES)


@pytest.mark.parametrize("name", rules.NAMES)
def test_a_rule_that_is_bound_to_no_game_says_so(name: str) -> None:
    with pytest.raises(TypeError, match=f"{name} belongs to no game"):
        getattr(rules, name)(*[0] * getattr(rules, name).__code__.co_argcount)


def test_what_is_no_rule_is_called_as_it_is() -> None:
    assert triangle(4) == 10


# -------------------------------------------------------------------------------------------- a user's rules
# that do not compile

FILE = """
from typing import NamedTuple
from damier import ONGOING, Game
{before}
class State(NamedTuple):
    left: int
    mover: int

def game() -> Game:
    def moves(s):
        {moves}
    def play(s, move):
        return State(s.left - move.bit_length(), 1 - s.mover)
    def outcome(s):
        return ONGOING if s.left else 1
    return Game("game", State(5, 0), moves, play, outcome, bits=(8, 1))
"""


def counted(game: Game, job: Job) -> int:
    return count(game, job=job).states


def solved(game: Game, job: Job) -> int:
    return len(solve(game, job=job))


@pytest.mark.parametrize("works", [[counted], later([solved, counted])], ids=["count", "both"])
@pytest.mark.parametrize(
    ("before", "body", "words"),
    [
        ("LEGAL = {n: 3 for n in range(9)} | {1: 1}", "return LEGAL[s.left]", "LEGAL"),
        ("LEGAL = [0, 1, 3, 3, 3, 3]", "return LEGAL[s.left]", "LEGAL"),
        later(("", "return sum({1, 2}) if str(s.left) in '2345' else 1", "game.py")),
        ("class C:\n    LEGAL = 3", "return C.LEGAL if s.left > 1 else 1", "C"),
        ("import re", "return 3 if re.match('[2-9]', repr(s.left)) else 1", "game.py|re"),
        ("", "return 3 if tuple([s.left])[0] > 1 else 1", "signature: tuple(list"),
        later(("def most(n, *, limit=3):\n    return limit if n > 1 else 1", "return most(s.left)", None)),
    ],
    ids=[
        "a dictionary",
        "a list",
        "a set of ints and text",
        "a class",
        "a library",
        "a tuple of a list",
        "a keyword default",
    ],
)
def test_rules_that_numba_cannot_compile_run_as_plain_python_and_say_why(
    before: str, body: str, words: str | None, works: list[Callable[[Game, Job], int]], tmp_path: Path
) -> None:
    path = tmp_path / "game.py"
    path.write_text(FILE.format(before=before, moves=body))
    game = load(str(path))
    for work in works:
        notes = Notes()
        assert work(game, Job(jit=True, note=notes)) == 10
        if words:
            assert len(notes) == 1
            assert "\n" not in notes[0]
            assert any(word in notes[0] for word in words.split("|"))


@pytest.mark.parametrize("engine", shortly(["leaves", "solve"], "leaves"))
def test_rules_that_make_lists_are_compiled_with_memory_management(engine: str, tmp_path: Path) -> None:
    path = tmp_path / "game.py"
    path.write_text(
        FILE.format(
            before="",
            moves=(
                "taken = [0]\n        for n in range(2):\n            taken.append(1 << n if s.left > n else"
                " 0)\n        return sum(taken)"
            ),
        )
    )
    game, notes = load(str(path)), Notes()
    if engine == "leaves":
        assert instantiate(start_leaves, game, jit=True)(tuple(game.start), 9) == 8
    else:
        assert len(solve(game, job=Job(jit=True, note=notes))) == 10
    assert notes == []


def test_an_error_inside_compiled_rules_is_not_taken_for_a_compiler_s_refusal(tmp_path: Path) -> None:
    """A division by zero deep in the game, where no trial run comes, must come out and not fall
    back in silence.
    """
    path = tmp_path / "game.py"
    path.write_text(
        FILE.format(
            before="", moves="return 3 if s.left > 1 else 1 // (s.left - 1) if s.left == 1 else 1"
        ).replace("State(5, 0)", "State(200, 0)")
    )
    game = load(str(path))
    assert game.start.left == 200
    with pytest.raises(BadGame, match=r"game\.py.*ZeroDivisionError"):
        count(game, job=Job(jit=True))
    with pytest.raises(BadGame, match=r"game\.py:11: ZeroDivisionError"):
        count(game, job=Job(jit=False))


RARE = """
from typing import NamedTuple
from damier import ONGOING, Game

class State(NamedTuple):
    ones: int
    twos: int
    mover: int

def game() -> Game:
    def moves(s):
        if s.ones == 60 and s.twos == 0:
            raise ValueError("a line that random games do not find")
        return 3
    def play(s, move):
        return State(s.ones + move % 2, s.twos + move // 2, 1 - s.mover)
    def outcome(s):
        return ONGOING if s.ones + s.twos < 70 else -1
    return Game("game", State(0, 0, 0), moves, play, outcome, bits=(7, 7, 1))
"""


def test_an_error_that_a_compiled_rule_raises_names_its_line_as_long_as_it_stands_there(
    tmp_path: Path,
) -> None:
    path = tmp_path / "game.py"
    error, where = "ValueError: a line that random games do not find", "; --pure tells in which state"
    path.write_text(RARE)
    with pytest.raises(BadGame, match=rf"^game\.py:13: {error}{where}$"):
        count(load(str(path)), job=Job(jit=True))
    with pytest.raises(BadGame, match=rf"^game\.py:13: {error}, in the state State\(ones=60, twos=0"):
        count(load(str(path)), job=Job(jit=False))
    path.write_text(f"# compiled before\n{RARE}")
    with pytest.raises(BadGame, match=rf"^game\.py: {error}{where}$"):
        count(load(str(path)), job=Job(jit=True))
    moved = tmp_path / "moved" / "game.py"
    moved.parent.mkdir()
    moved.write_text(RARE)
    with pytest.raises(BadGame, match=rf"^game\.py:13: {error}{where}$"):
        count(load(str(moved)), job=Job(jit=True))


def test_a_list_in_a_closure_is_refused_for_compiling() -> None:
    with pytest.raises(Uncompilable):
        instantiate(start_leaves, unhashable(), jit=True)((5, 0), 2)


def unhashable() -> Game:
    table = [0, 1, 3, 3, 3, 3]
    plain = load("nim:matches=5")
    return Game("listed", plain.start, lambda s: table[s.matches], plain.play, plain.outcome, bits=plain.bits)
