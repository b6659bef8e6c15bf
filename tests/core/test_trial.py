"""Each way in which a user's rules can be wrong is said in one line, with the user's own file and
line, before anything is searched.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from damier import ONGOING, BadGame, Game, load
from damier.core.checks import try_out

GAME = """\
from typing import NamedTuple
from damier import CHANCE, ONGOING, Game, Grid, lowest

class State(NamedTuple):
    left: int
    mover: int

class Other(NamedTuple):
    left: int
    mover: int

class Nested(NamedTuple):
    heaps: tuple[int, int]
    mover: int

START = State(9, 0)
ASKED = []

def game() -> Game:
    def moves(s):
        return 3 if s.left > 1 else 1

    def play(s, move):
        return State(s.left - move.bit_length(), 1 - s.mover)

    def outcome(s):
        return ONGOING if s.left else 1

    return Game("game", START, moves, play, outcome, bits=(4, 1))
"""
MOVES, PLAY, OUTCOME = (
    "return 3 if s.left > 1 else 1",
    "return State(s.left - move.bit_length(), 1 - s.mover)",
    "return ONGOING if s.left else 1",
)
LAST = 'return Game("game", START, moves, play, outcome, bits=(4, 1))'


def hook(name: str, arguments: str, body: str, more: str = "") -> tuple[str, str]:
    """A further rule, given to Game by its name."""
    return LAST, f"def {name}({arguments}):\n        {body}\n    {LAST[:-1]}, {name}={name}{more})"


WRONG: dict[str, tuple[tuple[str, str], str, str]] = {
    "moves a list": ((MOVES, "return [1, 2]"), "moves", r"\[1, 2\]"),
    "moves None": ((MOVES, "pass"), "moves", "None"),
    "moves a float": ((MOVES, "return 3.0"), "moves", "3.0"),
    "moves a bool": ((MOVES, "return True"), "moves", "True"),
    "moves of NumPy": ((MOVES, "import numpy\n        return numpy.int64(1)"), "moves", "not of NumPy"),
    "moves negative": ((MOVES, "return -1"), "moves", "-1"),
    "moves of more than 62 bits": ((MOVES, "return 1 << 62"), "moves", "4611686018427387904"),
    "no moves but not over": ((MOVES, "return 3 if s.left > 3 else 0"), "moves", "at least one move"),
    "play a plain tuple": ((PLAY, "return (s.left - move.bit_length(), 1 - s.mover)"), "play", "State"),
    "play another class": ((PLAY, "return Other(s.left - move.bit_length(), 1 - s.mover)"), "play", "State"),
    "play None": ((PLAY, "pass"), "play", "None"),
    "play a field too large": ((PLAY, "return State(s.left + 1, 1 - s.mover)"), "play", "15"),
    "play a negative field": ((PLAY, "return State(s.left - 4, 1 - s.mover)"), "play", "0 to 15"),
    "play a bool in a field": (
        (PLAY, "return State(s.left - move.bit_length(), s.mover == 0)"),
        "play",
        "mover",
    ),
    "play a float in a field": (
        (PLAY, "return State(s.left - move.bit_length() / 1, 1 - s.mover)"),
        "play",
        "left",
    ),
    "play a tuple in a field": ((PLAY, "return State((s.left, 1), 1 - s.mover)"), "play", "State"),
    "play raising": (
        (PLAY, "return State(s.left // (s.left - 9), 1 - s.mover)"),
        "play",
        "ZeroDivisionError",
    ),
    "moves raising deep inside": ((MOVES, "return [][s.left]"), "moves", "IndexError"),
    "moves reading a field that is not there": ((MOVES, "return s.nothing"), "moves", "AttributeError"),
    "play with too few parameters": (("def play(s, move)", "def play(s)"), "play", "TypeError"),
    "outcome None": ((OUTCOME, "return ONGOING if s.left > 6 else None"), "outcome", "None"),
    "outcome a float": ((OUTCOME, "return ONGOING if s.left > 6 else 0.5"), "outcome", "0.5"),
    "outcome raising": ((OUTCOME, "return 1 // (s.left - 9)"), "over", "ZeroDivisionError"),
    "reward too large": (
        hook("reward", "s, move", "return 10**15"),
        "reward",
        "an int from -1099511627776 to 1099511627776",
    ),
    "mover out of range": (hook("mover", "s", "return 2"), "mover", "0|1"),
    "mover None": (hook("mover", "s", "return None"), "mover", "None"),
    "ply that does not advance": (hook("ply", "s", "return 3"), "ply", "4"),
    "ply None": (hook("ply", "s", "return None"), "ply", "None"),
    "duplicate names": (hook("name_move", "s, move", "return 'same'"), "name_move", "different name"),
    "a name with a comma": (hook("name_move", "s, move", "return f'a,{move}'"), "name_move", "commas"),
    "a name that is no text": (hook("name_move", "s, move", "return move"), "name_move", "word"),
    "half a name": (hook("name_move", "s, move", "return '\\ud800%d' % move"), "name_move", "half a char"),
    "an empty name": (hook("name_move", "s, move", "return ''"), "name_move", "word"),
    "show no text": (hook("show", "s", "return 3"), "show", "text"),
    "grid no Grid": (hook("grid", "s", "return ['..']"), "grid", "Grid"),
    "place off the grid": (
        hook("place", "s, move", "return (7,)", ", grid=lambda s: Grid(('..',))"),
        "place",
        "places of the board",
    ),
    "place raising": (
        hook("place", "s, move", "return 1 // 0", ", grid=lambda s: Grid(('..',))"),
        "place",
        "ZeroDivisionError",
    ),
    "turn another kind": (
        hook("turn", "s, g", "return (1, 2)", ", symmetries=2, turn_move=lambda m, g: m"),
        "turn",
        "State",
    ),
    "turn_move illegal": (
        hook("turn_move", "m, g", "return m << 8", ", symmetries=2, turn=lambda s, g: s"),
        "turn_move",
        "legal move",
    ),
    "turn to an end that is worth less": (
        (
            f"{OUTCOME}\n\n    {LAST}",
            f"return ONGOING if s.left else 1 - 2 * s.mover\n\n    {LAST[:-1]}, symmetries=2,"
            " turn=lambda s, g: State(s.left, s.mover ^ g), turn_move=lambda m, g: m)",
        ),
        "turn",
        "worth as much",
    ),
    "turn that is no symmetry": (
        hook(
            "turn",
            "s, g",
            "return State(s.left ^ g, s.mover)",
            ", symmetries=2, turn_move=lambda m, g: m",
        ),
        "turn",
        "turned by symmetry 1|to which the move",
    ),
    "symmetry 0 that turns": (
        hook(
            "turn",
            "s, g",
            "return State(s.left, 1 - s.mover)",
            ", symmetries=2, turn_move=lambda m, g: m",
        ),
        "turn",
        "itself under symmetry 0",
    ),
    "payoff that contradicts outcome": (
        hook("payoff", "s, p", "return 1"),
        "payoff",
        "-1 for player=",
    ),
    "over that contradicts outcome": (
        hook("over", "s", "return s.left < 3"),
        "over",
        "as outcome says, which answered ONGOING",
    ),
    "moves that change by themselves": (
        (MOVES, "ASKED.append(0)\n        return 1 if s.left == 1 or len(ASKED) > 60 else 3"),
        "moves",
        "as it was before",
    ),
    "an outcome that changes by itself": (
        (OUTCOME, "ASKED.append(0)\n        return ONGOING if s.left and len(ASKED) < 60 else 1"),
        "outcome",
        "as it was before",
    ),
    "play that changes by itself": (
        (
            PLAY,
            "ASKED.append(0)\n        return State(s.left - (move if len(ASKED) < 30 else 1), 1 - s.mover)",
        ),
        "play",
        "as it was before",
    ),
    "unkey that gives another state": (
        hook("unkey", "k", "return State(k, 0)", ", key=lambda s: s.left + 16 * s.mover"),
        "unkey",
        "State",
    ),
    "unkey raising": (
        hook("unkey", "k", "return 1 // 0", ", key=lambda s: s.left + 16 * s.mover"),
        "unkey",
        "ZeroDivisionError",
    ),
    "key too large": (
        hook(
            "key",
            "s",
            "return s.left + 16 * s.mover + (1 << 62)",
            ", unkey=lambda k: State(k & 15, k >> 4 & 1)",
        ),
        "key",
        "62|61168|key",
    ),
    "key negative": (
        hook(
            "key",
            "s",
            "return -1 - s.left - 16 * s.mover",
            ", unkey=lambda k: State(-1 - k & 15, (-1 - k) >> 4)",
        ),
        "key",
        "key",
    ),
    "a weight that is no number": (
        hook("chance", "s, m", "return None", ", mover=lambda s: CHANCE"),
        "chance",
        "None",
    ),
    "a negative weight": (
        hook("chance", "s, m", "return -1.0", ", mover=lambda s: CHANCE"),
        "chance",
        "-1.0",
    ),
    "payoff None": (
        (
            LAST,
            (
                'return Game("game", START, moves, play, over=lambda s: s.left == 0, payoff=lambda s, p:'
                " None, bits=(4, 1))"
            ),
        ),
        "payoff",
        "None",
    ),
    "over None": (
        (
            LAST,
            (
                'return Game("game", START, moves, play, over=lambda s: None, payoff=lambda s, p: 0,'
                " bits=(4, 1))"
            ),
        ),
        "over",
        "None",
    ),
}


def written(folder: Path, old: str, new: str) -> Path:
    assert GAME.count(old) == 1
    path = folder / "game.py"
    path.write_text(GAME.replace(old, new))
    return path


@pytest.mark.parametrize("field", ["[9]", "((4, 1), 4)", "9.0", "'9'", "None"])
def test_a_start_of_what_is_no_int_says_what_a_field_is(field: str, tmp_path: Path) -> None:
    path = written(tmp_path, "START = State(9, 0)", f"START = State({field}, 0)")
    path.write_text(path.read_text().replace(", bits=(4, 1))", ")"))
    with pytest.raises(BadGame, match=r"it must be an int, or a tuple of ints, in left$"):
        load(str(path))


@pytest.mark.parametrize(("edit", "rule", "words"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_rule_is_named_with_its_file_and_line(
    edit: tuple[str, str], rule: str, words: str, tmp_path: Path
) -> None:
    path = written(tmp_path, *edit)
    with pytest.raises(BadGame) as refusal:
        load(str(path))
    message = str(refusal.value)
    assert "\n" not in message
    assert message.isprintable()
    assert rule in message
    assert re.search(words, message), message
    place = re.match(r"game\.py:(\d+): ", message)
    assert place, message
    line = path.read_text().splitlines()[int(place[1]) - 1]
    if rule == "over":  # derived from outcome
        rule = "outcome"
    assert (
        f"def {rule}" in line
        or f"{rule}=lambda" in line
        or any(new_line in line for new_line in edit[1].splitlines())
    ), line


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (LAST, 'return Game("game", (9, 0), moves, play, outcome)', "NamedTuple"),
        (LAST, 'return Game("game", START, moves, play, outcome, bits=(5000, 1))', "5000 bits"),
        (LAST, 'return Game("game", START, moves, play, outcome, bits=(4,))', "bits"),
        (LAST, 'return Game("game", START, moves, play)', "outcome"),
        (LAST, 'return Game("game", START, moves, play, outcome, symmetries=2)', "turn"),
        (LAST, 'return Game("game", START, moves, play, outcome, key=lambda s: 1)', "unkey"),
        (LAST, 'return Game("game", START, moves)', "play"),
        (LAST, 'return Game("game", START, moves, play, outcome, nonsense=3)', "nonsense"),
        (LAST, "return 3", "Game"),
        (LAST, "pass", "Game"),
        (LAST, "return 1 // 0", "ZeroDivisionError"),
        (
            "START = State(9, 0)",
            "START = State(99, 0)",
            "start is State.left=99, mover=0.; it must be an int",
        ),
        ("START = State(9, 0)", "START = State('9', 0)", "9"),
    ],
)
def test_a_game_that_cannot_be_built_is_refused(old: str, new: str, words: str, tmp_path: Path) -> None:
    path = written(tmp_path, old, new)
    with pytest.raises(BadGame, match=words) as refusal:
        load(str(path))
    assert "game.py" in str(refusal.value)
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize("rule", ["play", "outcome", "game"])
def test_what_does_not_answer_when_it_is_called_is_refused(rule: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"def {rule}(", f"async def {rule}(")
    line = next(n for n, text in enumerate(path.read_text().splitlines(), 1) if "async def" in text)
    with pytest.raises(BadGame, match=rf"^game\.py:{line}: {rule} is called .* `async`"):
        load(str(path))


def test_a_state_with_tuples_is_checked_element_by_element(tmp_path: Path) -> None:
    text = GAME.replace("START = State(9, 0)", "START = Nested((4, 5), 0)").replace(
        "bits=(4, 1)", "bits=((3, 3), 1)"
    )
    text = text.replace("s.left", "sum(s.heaps)").replace(
        PLAY.replace("s.left", "sum(s.heaps)"), "return Nested((sum(s.heaps), 0), 1 - s.mover)"
    )
    path = tmp_path / "game.py"
    path.write_text(text)
    with pytest.raises(BadGame, match="heaps"):
        load(str(path))
    path.write_text(
        text.replace("return Nested((sum(s.heaps), 0), 1 - s.mover)", "return Nested((1,), 1 - s.mover)")
    )
    with pytest.raises(BadGame, match="tuples"):
        load(str(path))


def test_the_right_game_passes(tmp_path: Path) -> None:
    game = load(str(written(tmp_path, MOVES, MOVES)))
    assert game.position().moves == ("0", "1")


def test_a_state_that_comes_back_where_none_should_is_told() -> None:
    """Two places, walked to and fro until somebody stops."""

    class Place(NamedTuple):
        here: int
        mover: int

    game = Game(
        "to_and_fro",
        Place(0, 0),
        lambda s: 1 if s.here == 0 else 3,
        lambda s, move: Place(2 if move == 2 else 1 - s.here, 1 - s.mover),
        lambda s: 1 if s.here == 2 else ONGOING,
        bits=(2, 1),
        acyclic=True,
    )
    with pytest.raises(BadGame, match="no position should come back"):
        try_out(game)
