"""Payoffs in files: the same bytes plain and compiled; what is damaged or foreign is refused."""

from __future__ import annotations

from pathlib import Path

import gallery
import pytest
from lasting import later

from damier import Game, Job, load
from damier.core.errors import BadFile
from damier.core.json_data import read_arrays, write_arrays
from damier.core.solution import ValueSolution
from damier.solve import solve, store
from damier.solve.store import PAYOFF_FORMAT as FORMAT

GAMES = [
    "dots_and_boxes:rows=1,columns=3",
    "kalah:pits=2,seeds=2",
    "pig:target=6",
    f"{gallery.__file__}:dice",
]


def solved(game: Game, jit: bool = False) -> ValueSolution:
    found = solve(game, job=Job(jit=jit))
    assert isinstance(found, ValueSolution)
    return found


@pytest.mark.parametrize("text", GAMES)
@pytest.mark.parametrize("jit", [False, later(True)])
def test_a_file_says_what_was_solved(text: str, jit: bool, tmp_path: Path) -> None:
    game = load(text)
    found, path = solved(game, jit), tmp_path / "payoffs"
    store.save_payoffs(found, path)
    read = store.load_payoffs(path, game)
    assert (len(read), read.kind, read.bound, read.cyclic, read.endless) == (
        len(found),
        found.kind,
        found.bound,
        found.cyclic,
        found.endless,
    )
    assert read.start == game.start
    for s in found.table.scores if not jit else [game.start]:  # type: ignore[attr-defined]
        assert read.score(s) == found.score(s)
        assert game.over(s) or read.best_moves(s) == found.best_moves(s)


@pytest.mark.parametrize("text", ["dots_and_boxes:rows=1,columns=2", later("pig:target=6")])
def test_plain_and_compiled_write_the_same_bytes(text: str, tmp_path: Path) -> None:
    for jit in (False, True):
        store.save_payoffs(solved(load(text), jit), tmp_path / str(jit))
    assert (tmp_path / "True").read_bytes() == (tmp_path / "False").read_bytes()


def test_a_margin_takes_one_byte(tmp_path: Path) -> None:
    game = load("dots_and_boxes:rows=1,columns=3")
    store.save_payoffs(solved(game), tmp_path / "payoffs")
    header, arrays = read_arrays(tmp_path / "payoffs", FORMAT, lambda header, arrays: None)
    assert arrays["payoffs"].dtype.name == "int8"
    assert len(arrays["offsets"]) == 12  # ten lines are drawn, and those before the first
    assert (header["kind"], header["bound"]) == ("margin", 0.0)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("kind", "hope"),
        ("bound", -1),
        ("bound", "0"),
        ("endless", 1),
        ("cyclic", None),
        ("first_ply", "0"),
        ("start", 3),
        ("start", [1 << 40, 0, 0]),
        ("rules", "0"),
        ("options", {}),
    ],
)
def test_a_header_that_does_not_fit_is_refused(key: str, value: object, tmp_path: Path) -> None:
    game, path = load("dots_and_boxes:rows=1,columns=2"), tmp_path / "payoffs"
    store.save_payoffs(solved(game), path)
    header, arrays = read_arrays(path, FORMAT, lambda header, arrays: None)
    kept = {name: header[name] for name in store.PAYOFF_KEYS[2:-2]}
    write_arrays(path, FORMAT, {**kept, key: value}, arrays)
    with pytest.raises(BadFile):
        store.load_payoffs(path, game)


@pytest.mark.parametrize("change", ["payoff", "float", "fewer", "unsorted"])
def test_payoffs_that_do_not_follow_from_the_rules_are_refused(change: str, tmp_path: Path) -> None:
    game, path = load("dots_and_boxes:rows=1,columns=2"), tmp_path / "payoffs"
    store.save_payoffs(solved(game), path)
    header, read = read_arrays(path, FORMAT, lambda header, arrays: None)
    arrays = {name: array.copy() for name, array in read.items()}
    if change == "payoff":
        arrays["payoffs"][20] += 1
    elif change == "float":
        arrays["payoffs"] = arrays["payoffs"].astype("float64")
    elif change == "fewer":
        arrays["payoffs"] = arrays["payoffs"][:-1]
    else:
        arrays["keys"] = arrays["keys"][::-1].copy()
    write_arrays(path, FORMAT, {name: header[name] for name in store.PAYOFF_KEYS[2:-2]}, arrays)
    with pytest.raises(BadFile):
        store.load_payoffs(path, game)


def test_a_file_of_wins_and_losses_is_not_one_of_payoffs(tmp_path: Path) -> None:
    from damier.solve import store

    nim = load("nim")
    store.save(solve(nim), tmp_path / "nim")  # type: ignore[arg-type]
    with pytest.raises(BadFile):
        store.load_payoffs(tmp_path / "nim", nim)
