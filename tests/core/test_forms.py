"""A game plays alike in whatever form its moves and its fields are: bits of a word, of a wide int, or a
list; plain and compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from kinds import FORMS
from lasting import later, shortly

from damier import load
from damier.arena.match import match
from damier.arena.records import GameRecord
from damier.core import codes
from damier.core.arrays import ints, np
from damier.core.compile import instantiate
from damier.core.game import Game
from damier.core.job import Job
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer
from damier.core.rules import Field, State, as_state
from damier.core.tiers import require_agreement
from damier.search.alphabeta import Options, alphabeta
from damier.search.exact import exact
from damier.search.mcts import mcts
from damier.search.running import COUNTS, DISTINCT, Counts, Visited, mark
from damier.search.transposition import DepthTable, empty, probe, store
from damier.solve.count import perft

GAMES = ("tictactoe",)
WIDE = "wide fields"
"""A form with keys of several words."""


COMMON = ("list", WIDE)
"""Those that differ most."""
RARE = tuple(form for form in FORMS if form not in COMMON)


def each_form(compiled: str) -> pytest.MarkDecorator:
    """Every form plain and compiled; the default run compiles one, or none."""
    pairs = [*((form, False) for form in FORMS), *((form, True) for form in FORMS)]
    shown = [(form, jit) for form, jit in pairs if not jit or form == compiled]
    return pytest.mark.parametrize(("form", "jit"), shortly(pairs, *shown), indirect=["form"])


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


@pytest.fixture(params=FORMS)
def form(request: pytest.FixtureRequest, game: Game) -> Game:
    return FORMS[request.param](game)


@each_form(WIDE)
def test_the_same_lines_start_there(game: Game, form: Game, jit: bool) -> None:
    assert perft(form, 4, job=Job(jit=jit)) == perft(game, 4, job=Job(jit=False))


@pytest.mark.parametrize("form", shortly(FORMS, *COMMON), indirect=True)
def test_compiled_rules_agree_with_plain_ones(form: Game) -> None:
    require_agreement(form)
    assert form.agrees


@each_form("list")
def test_the_same_seed_plays_the_same_games(game: Game, form: Game, jit: bool) -> None:
    records: list[list[GameRecord]] = []
    for g, compiled in ((game, False), (form, jit)):
        kept: list[GameRecord] = []
        table = MatchSetup(g, (RandomPlayer(), RandomPlayer()), seed=3, record=True)
        match(table, 50, Job(jit=compiled), keep=kept.extend)
        records.append(kept)
    assert records[0] == records[1]


REMEMBERS = Options(table=True, order=True, window="null")


@pytest.mark.parametrize(
    ("form", "options", "jit"),
    [
        *((form, options, False) for form in COMMON for options in (Options(), REMEMBERS)),
        *(later((form, options, False)) for form in RARE for options in (Options(), REMEMBERS)),
        *(later((form, REMEMBERS, True)) for form in FORMS),
    ],
    indirect=["form"],
)
def test_alphabeta_finds_the_same(game: Game, form: Game, options: Options, jit: bool) -> None:
    found: list[Any] = []
    for g, compiled in ((game, False), (form, jit)):
        answer = alphabeta(g, g.start, None, options, job=Job(jit=compiled))
        named = {g.name_move(g.start, move): value for move, value in answer.values.items()}
        found.append((answer.value, named, answer.names(answer.best), answer.nodes, answer.exact))
    assert found[0] == found[1]


@pytest.mark.parametrize(("name", "jit"), [*((name, False) for name in FORMS), later((WIDE, True))])
def test_exact_search_proves_the_same(game: Game, name: str, jit: bool) -> None:
    late = [game.start, game.play(game.start, 1), game.play(game.play(game.start, 1), 16)][
        2 if not jit else 0 :
    ]
    form = FORMS[name](game)
    for s in late:
        found, known = exact(form, s, Job(jit=jit)), exact(game, s, Job(jit=False))
        named = [
            {g.name_move(s, move): bounds for move, bounds in answer.children.items()}
            for g, answer in ((form, found), (game, known))
        ]
        assert found.complete
        assert (found.bounds, named[0]) == (known.bounds, named[1])


def of_one_place(words: int) -> dict[Callable[..., Any], Callable[..., Any]]:
    """`codes.of_words`, with the same word for all codes."""

    def always(code: object) -> int:
        return 5

    return OF_WORDS(words) | {codes.word_of_code: always}


OF_WORDS = codes.of_words


def after_three(game: Game) -> State:
    return game.play(game.play(game.play(game.start, 1), 16), 2)


def told_apart(
    fields: tuple[Field, ...], others: tuple[Field, ...], table: DepthTable, count: Counts, visited: Visited
) -> int:
    """Notes a position and another in the table of a search, and among those that are counted: how often
    what is said of them is right.
    """
    s, other = as_state(fields), as_state(others)
    mark(s, count, visited)
    mark(other, count, visited)
    mark(s, count, visited)
    store(s, 3, True, 7.0, 7.0, 1, 1, table)
    right = int(count[DISTINCT] == 2)
    right += int(probe(s, 3, -9.0, 9.0, False, False, table, count)[0] == 7.0)
    right += int(probe(other, 3, -9.0, 9.0, False, False, table, count)[0] < -9.0)
    store(other, 3, True, 2.0, 2.0, 1, 1, table)
    right += int(probe(s, 3, -9.0, 9.0, False, False, table, count)[0] < -9.0)
    right += int(probe(other, 3, -9.0, 9.0, False, False, table, count)[0] == 2.0)
    return right


def test_a_table_and_a_count_tell_positions_apart_that_are_sent_to_one_place(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled: in plain Python they are dictionaries and sets."""
    monkeypatch.setattr(codes, "of_words", of_one_place)
    form, s = FORMS[WIDE](game), after_three(game)
    others = form.fields(form.play(s, form.legal(s)[0]))
    table, count = empty(form, True, True), ints(COUNTS, True)
    visited = np.full(64 * form.key_words, -1, np.int64)
    assert instantiate(told_apart, form, jit=True)(form.fields(s), others, table, count, visited) == 5


@pytest.mark.parametrize("jit", [False, later(True)])
def test_alphabeta_tells_positions_apart_that_are_sent_to_one_place(
    game: Game, jit: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its table, and the different positions that are counted; where positions are told apart even so, they
    are where each has a place of its own.
    """
    monkeypatch.setattr(codes, "of_words", of_one_place)
    form, s = FORMS[WIDE](game), after_three(game)
    searches = ((form, jit), (form, False), (game, False))
    found, plain, known = (
        alphabeta(g, s, None, REMEMBERS, job=Job(jit=j), explain=False) for g, j in searches
    )
    assert found.value == known.value
    assert (found.nodes, found.explored) == (plain.nodes, plain.explored)


@pytest.mark.parametrize("jit", [False, later(True)])
def test_an_exact_search_tells_them_apart_too(game: Game, jit: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codes, "of_words", of_one_place)
    form, s = FORMS[WIDE](game), after_three(game)
    assert exact(form, s, Job(jit=jit)).bounds == exact(game, s, Job(jit=False)).bounds


@each_form("")
def test_mcts_grows_the_same_tree(game: Game, form: Game, jit: bool) -> None:
    found: list[Any] = []
    for g, compiled in ((game, False), (form, jit)):
        answer = mcts(g, g.start, simulations=300, seed=5, job=Job(jit=compiled))
        visits = {g.name_move(g.start, move): n for move, n in answer.visits.items()}
        found.append((answer.value, visits, answer.names(answer.best)))
    assert found[0] == found[1]
