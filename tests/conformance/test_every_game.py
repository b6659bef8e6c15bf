"""One battery for every game that damier brings, with several options, and for games in users'
files (design 8).
"""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from lasting import later, long, shortly

from damier import CHANCE, ONGOING, BadInput, Game, IllegalMove, Position, load
from damier.core import checks
from damier.core.checks import try_out
from damier.core.compile import instantiate
from damier.core.job import Job, Notes
from damier.core.keys import flat, widths
from damier.core.moves import each
from damier.core.past import Line, after
from damier.core.rules import TOP, Field, State, as_state, loss_in, moves, over, play, win_in
from damier.lab.games import GAMES
from damier.solve import count, divide, perft, solve
from tests import reached

TESTS = Path(__file__).parent.parent
GALLERY = TESTS / "gallery.py"
EXAMPLES = sorted((TESTS.parent / "examples").glob("*.py"))
SOLVED = [path for path in EXAMPLES if path.stem in ("chomp", "clock", "three_mens_morris")]

OPTIONS = {
    "othello": ["size=4", "size=6", "size=10", "size=4,discs=true"],
    "draughts": ["variant=international"],
    "go": ["size=2", "size=3,komi=0.5", "size=5,komi=-2.5"],
    "tictactoe": ["misere=true"],
    "mnk": [
        "width=4,height=3",
        "width=2,height=2,in_a_row=3",  # no line at all
        "width=1,height=1,in_a_row=1",
        "width=5,height=1,in_a_row=2,misere=true",
        "width=1,height=4,in_a_row=2",
        "width=6,height=6,in_a_row=4",  # 72 bits: a key of two words
        "width=62,height=1,in_a_row=5",
    ],
    "hexapawn": ["blocked=loss", "width=4,blocked=loss"],
    "octapawn": ["blocked=loss"],
    "pawns": [
        "width=1,height=2",
        "width=1,height=3",
        "width=2,height=3,blocked=loss",
        "width=2,height=8",
        "width=21,height=2",
        "width=5,height=4",
    ],
    "chess": [],
    "connect_four": [
        "width=1,height=1,in_a_row=2",
        "width=1,height=4,in_a_row=2",
        "width=3,height=3,in_a_row=3",
        "width=4,height=4",
        "width=8,height=6",
        "width=31,height=1",
        "width=2,height=30,in_a_row=40",
        "width=9,height=6",  # 63 bits: wider than a word
        "width=10,height=7,in_a_row=5",
        "width=16,height=16",
    ],
    "breakthrough": [
        "width=2,height=4",
        "width=3,height=4",
        "width=5,height=5",
        "width=9,height=8",
    ],
    "hex": [
        "size=1",
        "size=2,swap=true",
        "size=3",
        "size=4,swap=true",
        "size=8",  # wide sets
    ],
    "hyper_backgammon": ["checkers=1", "checkers=1,gammons=true"],
    "isola": ["width=2,height=3", "width=3,height=3", "width=7,height=9"],
    "nine_mens_morris": ["flying=false"],
    "nim": [
        "matches=1",
        "matches=7,take=2,misere=false",
        "matches=62,take=0",
        "matches=1000,take=5",
        "heaps=1",
        "heaps=1-3-5-7",
        "heaps=2-2,misere=false",
        "heaps=3-4-2,take=2",
    ],
    "pig": ["target=1", "target=6", "target=1000"],
    "dots_and_boxes": [
        "rows=1,columns=1",
        "rows=1,columns=3",
        "rows=1,columns=20",
        "rows=3,columns=3",
        "rows=5,columns=5",
        "rows=6,columns=6",  # 84 lines: wide sets
    ],
    "kalah": [
        "pits=1,seeds=1",
        "pits=1,seeds=5",
        "pits=2,seeds=4,empty_capture=true",
        "pits=4,seeds=4",
        "pits=5,seeds=3",
        "pits=6,seeds=4",  # 78 bits: wider than a word
    ],
    "pacman": [
        "layout=corridor",  # one player
        "layout=capsule",
        "layout=capsule,stop=false",
        "layout=crossing,ghosts=1",
        "layout=rooms",
    ],
}
MOVE_AGAIN = ("hyper_backgammon", "dots_and_boxes", "kalah", "pig")
BUILT_IN = [
    text for name in GAMES for text in (name, *(f"{name}:{options}" for options in OPTIONS.get(name, [])))
]
OF_USERS = [
    f"{GALLERY}:{name}"
    for name in ("graph", "tug", "fences", "piles", "scored", "mutual", "wide", "three_players", "dice")
]
OF_USERS += [str(path) for path in EXAMPLES]
COMPILED = [  # a few seconds of compiler each: small games of every family
    "tictactoe",
    "tictactoe:misere=true",
    "mnk:width=2,height=2,in_a_row=3",
    "hexapawn:width=2,height=3,blocked=loss",
    "connect_four:width=3,height=3,in_a_row=3",
    "connect_four:width=1,height=4,in_a_row=20",
    "nim:heaps=3-4-2,take=2",
    "hex:size=2,swap=true",
    "breakthrough:width=2,height=4",
    *(f"{GALLERY}:{name}" for name in ("graph", "fences", "piles", "mutual")),
    *map(str, SOLVED),
]
WIDE = ["othello", "draughts", "go"]
FEW, WALKS = 3000, 6
SELDOM = (
    "othello:size=6",
    "othello:size=10",
    "go:size=3,komi=0.5",
    "go:size=5,komi=-2.5",
    "mnk:width=4,height=3",
    "mnk:width=1,height=4,in_a_row=2",
    "hexapawn:width=4,blocked=loss",
    "octapawn:blocked=loss",
    "pawns:width=1,height=3",
    "pawns:width=2,height=3,blocked=loss",
    "pawns:width=2,height=8",
    "connect_four:width=1,height=4,in_a_row=2",
    "connect_four:width=4,height=4",
    "connect_four:width=8,height=6",
    "connect_four:width=31,height=1",
    "connect_four:width=2,height=30,in_a_row=40",
    "connect_four:width=10,height=7,in_a_row=5",
    "connect_four:width=16,height=16",
    "breakthrough:width=3,height=4",
    "breakthrough:width=5,height=5",
    "breakthrough:width=9,height=8",
    "hex",
    "hex:size=3",
    "hex:size=4,swap=true",
    "hyper_backgammon:checkers=1",
    "isola:width=3,height=3",
    "isola:width=7,height=9",
    "nim:matches=7,take=2,misere=false",
    "nim:heaps=1",
    "nim:heaps=2-2,misere=false",
    "nim:heaps=3-4-2,take=2",
    "pig:target=6",
    "pig:target=1000",
    "dots_and_boxes:rows=1,columns=3",
    "dots_and_boxes:rows=1,columns=20",
    "dots_and_boxes:rows=5,columns=5",
    "kalah:pits=1,seeds=5",
    "kalah:pits=4,seeds=4",
    "kalah:pits=5,seeds=3",
    "pacman:layout=capsule,stop=false",
    "pacman:layout=rooms",
)
"""They are like those of smaller boards, or of larger ones, or with other options."""
SLOW = (
    "hyper_backgammon",
    "isola",
    "chess",
    "hex:size=8",
    "othello",
    "go",
    "draughts",
    "dots_and_boxes:rows=6,columns=6",
    "mnk:width=62,height=1,in_a_row=5",
    "breakthrough",
)
"""The default run walks through them once, and looks at every third position."""
OFTEN_WALKED = " often"
"""Behind the text of a game of these that is walked through as often as others."""
NONSENSE = ("", "zz99", "99999999999999999999", "-1", "é", "0x1", "\x1b[2J", "a1 a2")
"""No move of any game."""


def shown(text: str) -> str:
    """A text as the name of a test."""
    return text.rsplit("/", 1)[-1]


def often(texts: list[str]) -> list[Any]:
    walked = [later(text + OFTEN_WALKED) for text in texts if text in SLOW]
    return [*(later(text) if text in SELDOM else text for text in texts), *walked]


every_game = pytest.mark.parametrize("text", often([*BUILT_IN, *OF_USERS]), ids=shown)
every_game_of_damier = pytest.mark.parametrize("text", often(BUILT_IN), ids=shown)


@cache
def game_of(text: str) -> Game:
    return load(text.removesuffix(OFTEN_WALKED))


@cache
def states_of(text: str) -> tuple[State, ...]:
    """Every state that can be reached, or, where there are many, those of some random games."""
    game = game_of(text)
    if text in SLOW:
        walked = tuple(dict.fromkeys(random_game(game, Random(1))))
        return walked[:2] + walked[2:-1:3] + walked[-1:]
    found = {game.start: None}
    queue = [game.start]
    while queue and len(found) <= FEW:
        s = queue.pop()
        for move in game.legal(s):
            child = game.play(s, move)
            if child not in found:
                found[child] = None
                queue.append(child)
    if len(found) > FEW:
        found = {game.start: None}
        for walk in range(WALKS if game.moves_are_bits else WALKS // 2):
            if len(found) > FEW:
                break
            found |= dict.fromkeys(random_game(game, Random(walk)))
    return tuple(found)


def random_game(game: Game, chosen: Random) -> list[State]:
    states = [game.start]
    while not game.over(states[-1]) and len(states) < 400:
        states.append(game.play(states[-1], chosen.choice(game.legal(states[-1]))))
    return states


def test_every_game_is_tested_with_more_than_its_defaults() -> None:
    assert set(OPTIONS) == set(GAMES)
    assert set(SELDOM) | set(SLOW) <= set(BUILT_IN)


@every_game
def test_the_contract_of_a_game_is_kept(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if text in SLOW:
        monkeypatch.setattr(checks, "WALKS", 2)
    try_out(game_of(text))
    for s in states_of(text):
        assert type(s) is type(game_of(text).start)
        fields = zip(flat(s), widths(game_of(text).bits), strict=True)
        assert all(type(value) is int and 0 <= value < 1 << width for value, width in fields), s


@every_game
def test_a_game_is_not_over_exactly_where_a_move_exists(text: str) -> None:
    game = game_of(text)
    for s in states_of(text):
        legal = game.legal(s)
        assert bool(legal) == (not game.over(s)), s
        assert all(0 < move < 1 << 62 for move in legal)
        assert len(set(legal)) == len(legal)
        assert not game.moves_are_bits or all(move.bit_count() == 1 for move in legal)
        if "outcome" in game.rules and game.players == 2 and not game.stochastic:
            assert (game.outcome(s) == ONGOING) == (not game.over(s))


@every_game
def test_a_mover_is_a_player_or_chance(text: str) -> None:
    game = game_of(text)
    for s in states_of(text):
        assert game.mover(s) in range(game.players) or (game.stochastic and game.mover(s) == CHANCE)


@every_game_of_damier
def test_players_take_turns_and_the_state_says_who_moves(text: str) -> None:
    game = game_of(text)
    if game.name in MOVE_AGAIN:
        pytest.skip("who has moved may move again")
    assert game.mover(game.start) == 0
    for s in states_of(text):
        for move in game.legal(s):
            assert game.mover(game.play(s, move)) == (game.mover(s) + 1) % game.players


@every_game
def test_legal_moves_are_named_uniquely_and_read_back(text: str) -> None:
    game = game_of(text)
    for s in states_of(text)[:500]:
        position = Position(game, s)
        assert len(set(position.moves)) == len(position.moves)
        for move, name in zip(game.legal(s), position.moves, strict=True):
            assert name == name.strip()
            assert name.isprintable()
            assert "," not in name
            assert position.read(name) == move
            assert position.read(f" {name} ") == move
            assert position.play(name).state == after(game, s, move, ())[0]


@every_game
def test_an_illegal_move_is_refused_and_the_position_stays(text: str) -> None:
    for s, nonsense in product(states_of(text)[:5], NONSENSE):
        position = Position(game_of(text), s)
        with pytest.raises(IllegalMove) as refusal:
            position.play(nonsense)
        assert position == Position(game_of(text), s)
        assert str(refusal.value).isprintable()
        assert "\n" not in str(refusal.value)
        for name in position.moves:
            assert name in str(refusal.value) or str(refusal.value).endswith("…")


@every_game
def test_moves_that_are_not_legal_here_but_elsewhere_are_refused(text: str) -> None:
    game = game_of(text)
    states = states_of(text)[:60]
    names = {name for s in states for name in Position(game, s).moves}
    for s in states:
        position = Position(game, s)
        for name in sorted(names - set(position.moves))[:20]:
            with pytest.raises(IllegalMove):
                position.play(name)


@every_game
def test_a_finished_game_takes_no_move(text: str) -> None:
    game = game_of(text)
    end = random_game(game, Random(1))[-1]
    if not game.over(end):
        pytest.skip("a random game did not end")
    position = Position(game, end)
    assert position.moves == ()
    assert position.payoffs is not None
    with pytest.raises(IllegalMove, match="over"):
        position.play(Position(game, game.start).moves[0] if not game.over(game.start) else "0")


@every_game
def test_payoffs_are_known_at_the_end_only_and_those_of_two_players_cancel_out(text: str) -> None:
    game = game_of(text)
    for s in states_of(text):
        payoffs = Position(game, s).payoffs
        assert (payoffs is not None) == game.over(s)
        if payoffs is not None:
            assert len(payoffs) == game.players
            assert game.players != 2 or not game.zero_sum or sum(payoffs) == 0


@every_game
def test_a_state_comes_back_from_its_key_and_keys_differ(text: str) -> None:
    game = game_of(text)
    keys = {}
    for s in states_of(text):
        k = game.key(s)
        assert all(0 <= word < 1 << 62 for word in (k if isinstance(k, tuple) else (k,)))
        assert game.unkey(k) == s
        assert type(game.unkey(k)) is type(s)
        assert keys.setdefault(k, s) == s
        assert game.as_state(tuple(s)) == s


PIECES = {
    "tictactoe": "XO",
    "mnk": "XO",
    "connect_four": "XO",
    "othello": "XO",
    "go": "XO",
    "hex": "XO",
    "pawns": "WB",
    "hexapawn": "WB",
    "octapawn": "WB",
    "breakthrough": "WB",
    "chess": "PNBRQKpnbrqk",
    "draughts": "bBwW",
    "draughts:variant=international": "wWbB",
}
"""The pieces that the first planes show to player 0, by the marks of the board."""
SEEN_BY_THE_OTHER = {"chess": "mirrored", "draughts": "both"} | dict.fromkeys(
    ("pawns", "hexapawn", "octapawn", "breakthrough"), "turned"
)
"""How the board of who plays from above is turned for his planes."""


@every_game
def test_planes_show_the_board_from_the_side_of_each_player(text: str) -> None:
    game = game_of(text)
    if game.name not in PIECES:
        pytest.skip("the state itself")
    layout, marks = game.plane_layout, PIECES.get(game.text, PIECES[game.name])
    cells = layout.bits_of_cells
    for s in states_of(text)[:300]:
        assert game.grid
        board = "".join(game.grid(s).rows)
        for player in range(2):
            seen = [[plane >> cell & 1 for cell in cells] for plane in game.planes(s, player)]
            assert len(seen) == len(layout.names)
            turn = SEEN_BY_THE_OTHER.get(game.name, "")
            if turn == "both":  # Black's men stand above
                turn = "turned" if (player == 0) == ("inter" not in text) else ""
            elif player == 0:
                turn = ""
            half = len(marks) // 2
            theirs = marks if player == 0 else marks[half:] + marks[:half]
            for plane, mark in zip(seen, theirs, strict=False):
                rows = [plane[row * layout.columns :][: layout.columns] for row in range(layout.rows)]
                if turn:
                    rows.reverse()
                if turn == "turned":
                    rows = [row[::-1] for row in rows]
                there = [cell for row in rows for cell in row]
                assert there == [mark == here for here in board], (s, player, mark)


@every_game
def test_the_planes_of_other_games_are_the_fields_bit_by_bit(text: str) -> None:
    game = game_of(text)
    if "planes" in game.given:
        assert game.name in PIECES
        return
    every = (1 << max(widths(game.bits))) - 1
    for s in states_of(text)[:300]:
        for player in range(game.players):
            *fields, to_move, first = game.planes(s, player)
            assert tuple(fields) == flat(game.canonical(s))
            assert to_move == (every if game.mover(s) == player else 0)
            assert first == (every if player == 0 else 0)
    assert len(game.plane_layout.names) == len(flat(game.start)) + 2


@every_game
def test_every_move_has_an_action_of_its_own(text: str) -> None:
    game = game_of(text)
    for s in states_of(text)[:300]:
        if game.mover(s) != CHANCE:
            numbers = [game.action(s, move) for move in game.legal(s)]
            assert len(set(numbers)) == len(numbers)
            assert all(0 <= number < game.actions for number in numbers)


@every_game
def test_every_move_advances_the_ply_by_one(text: str) -> None:
    game = game_of(text)
    for s in states_of(text):
        if game.advances:
            assert all(game.ply(game.play(s, move)) == game.ply(s) + 1 for move in game.legal(s))


@every_game
def test_symmetries_commute_with_play_and_keep_mover_and_result(text: str) -> None:
    game = game_of(text)
    for s in states_of(text)[: 400 if game.moves_are_bits else 40]:
        for symmetry in range(game.symmetries()):
            turned = game.turn(s, symmetry)
            assert game.mover(turned) == game.mover(s)
            assert game.over(turned) == game.over(s)
            if game.over(s):
                assert [game.payoff(turned, player) for player in range(game.players)] == [
                    game.payoff(s, player) for player in range(game.players)
                ]
                continue
            turned_moves = [game.turn_move(move, symmetry) for move in game.legal(s)]
            assert sorted(turned_moves) == sorted(game.legal(turned))
            for move in game.legal(s):
                assert game.turn(game.play(s, move), symmetry) == game.play(
                    turned, game.turn_move(move, symmetry)
                )


@every_game
def test_equal_views_have_the_same_moves_and_futures(text: str) -> None:
    game = game_of(text)
    for s in states_of(text)[:400]:
        seen = game.canonical(s)
        assert game.canonical(seen) == seen
        assert game.over(seen) == game.over(s)
        if game.over(s):
            assert game.payoff(seen, game.mover(seen)) == game.payoff(s, game.mover(s))
        for move in game.legal(s):
            assert move in game.legal(seen)
            assert game.reward(seen, move) == game.reward(s, move)
            assert game.canonical(game.play(seen, move)) == game.canonical(game.play(s, move))


@every_game
def test_symmetries_are_a_group_of_permutations(text: str) -> None:
    """The identity first, each undone by another, two in a row equal to a third, no two the same."""
    game = game_of(text)
    n = game.symmetries()
    states = states_of(text)[:300]
    images = [tuple(game.turn(s, symmetry) for s in states) for symmetry in range(n)]
    assert images[0] == states
    for symmetry in range(n):
        assert len(set(images[symmetry])) == len(states)
        for other in range(n):
            twice = tuple(game.turn(s, other) for s in images[symmetry])
            assert twice in images
    if len(states) > 20:
        assert len(set(images)) == n


@every_game
def test_candidates_leave_out_moves_after_which_the_opponent_wins_at_once(text: str) -> None:
    game = game_of(text)
    for s in states_of(text)[:1000]:
        if not game.over(s):
            kept, legal = set(each(game.non_losing_moves(s))), set(game.legal(s))
            assert kept <= legal
            for move in legal - kept:
                child = game.play(s, move)
                replies = [game.play(child, reply) for reply in game.legal(child)]
                assert game.mover(child) != game.mover(s)
                assert any(game.over(end) and game.payoff(end, game.mover(child)) > 0 for end in replies)


@every_game
def test_bounds_enclose_the_exact_score(text: str) -> None:
    game = game_of(text)
    states = set(states_of(text))
    of_two = game.players == 2 and game.zero_sum and not game.stochastic and not game.imperfect_information
    whole = all(game.play(s, move) in states for s in states for move in game.legal(s))
    solvable = of_two and whole and all(abs(game.payoff(s, 0)) <= 1 for s in states if game.over(s))
    solution = solve(game, job=Job(jit=False)) if solvable else None
    for s in states_of(text)[:1000]:
        if not game.over(s):
            least, most = game.bounds(s)
            assert -TOP <= least <= most <= TOP
            if solution is not None:
                plies = solution.distance(s) or 0
                exact = {"win": win_in(plies), "draw": 0, "loss": loss_in(plies)}[solution.value(s)]
                assert least <= exact <= most, s


@every_game
def test_a_position_is_read_as_it_is_written(text: str) -> None:
    game = game_of(text)
    if not (game.write_position and game.read_position):
        pytest.skip("positions have no notation")
    for s in states_of(text)[:500]:
        written = game.write_position(s)
        assert written.isprintable()
        assert game.read_position(written) == s
    for nonsense in ("", " ", "\x1b[2J", written + " x", written * 200):
        with pytest.raises(BadInput) as refusal:
            game.read_position(nonsense)
        assert str(refusal.value).isprintable()


@every_game
def test_boards_are_text_and_moves_have_places_on_them(text: str) -> None:
    game = game_of(text)
    for s in states_of(text)[:300]:
        board = game.show(s)
        assert board
        assert all(c.isprintable() for c in board.replace("\n", ""))
        if game.grid and game.place:
            grid = game.grid(s)
            for move in game.legal(s):
                assert all(0 <= cell < grid.places for cell in game.place(s, move))


@every_game_of_damier
def test_the_written_form_of_a_game_gives_the_same_game(text: str) -> None:
    game, again = game_of(text), load(game_of(text).text)
    assert again.text == game.text
    assert again.start == game.start
    assert again.fingerprint() == game.fingerprint()


@every_game_of_damier
def test_a_game_has_a_summary_and_states_its_bound_truly(text: str) -> None:
    game = game_of(text)
    assert game.summary
    if game.states is not None:
        assert len(states_of(text)) <= game.states


@every_game
@settings(max_examples=20)
@given(choices=st.lists(st.integers(0, 61), max_size=60))
def test_any_walk_by_names_is_a_walk_by_moves(text: str, choices: list[int]) -> None:
    game = game_of(text)
    position, walk = game.position(), Line(game, game.start)
    for choice in choices[: 5 if text in SLOW else None]:
        if position.over:
            break
        legal = game.legal(walk.state)
        index = choice % len(legal)
        before = position
        position, s = position.play(position.moves[index]), walk.play(legal[index])
        assert position.state == s
        assert before.moves[index] in before.moves
    assert position == Position(game, walk.state)
    assert hash(position) == hash(Position(game, walk.state))


@pytest.mark.parametrize("text", shortly(COMPILED, "tictactoe"), ids=shown)
def test_counts_values_and_distances_are_the_same_pure_and_compiled(text: str) -> None:
    game = game_of(text)
    notes = Notes()
    plain, fast = Job(jit=False), Job(jit=True, note=notes)
    counted = count(game, job=fast)
    assert counted == count(game, job=plain)
    slow_solution, solution = solve(game, job=plain), solve(game, job=fast)
    assert len(slow_solution) == len(solution) == counted.states
    assert slow_solution.cyclic == solution.cyclic
    for s in reached.states_of(game):
        assert solution.value(s) == slow_solution.value(s)
        assert solution.distance(s) == slow_solution.distance(s)
        assert solution.fastest_moves(s) == slow_solution.fastest_moves(s)
    assert notes == [], "it ran as plain Python"


@pytest.mark.parametrize(
    "text", shortly(COMPILED[1:6] + COMPILED[7:8], "connect_four:width=3,height=3,in_a_row=3"), ids=shown
)
def test_perft_is_the_same_pure_and_compiled(text: str) -> None:
    game = game_of(text)
    notes = Notes()
    plain, fast = Job(jit=False), Job(jit=True, note=notes)
    assert perft(game, 5, job=fast) == perft(game, 5, job=plain)
    assert divide(game, 3, job=fast) == divide(game, 3, job=plain)
    assert notes == []


@pytest.mark.parametrize(
    "text",
    shortly(["tictactoe", "mnk:width=4,height=3", "hexapawn", f"{GALLERY}:piles"], "tictactoe"),
    ids=shown,
)
def test_symmetric_counts_are_the_same_pure_and_compiled(text: str) -> None:
    game = game_of(text)
    assert count(game, job=Job(jit=True), symmetric=True) == count(game, job=Job(jit=False), symmetric=True)


def lines_from(fields: tuple[Field, ...], depth: int) -> int:
    """An engine in a few lines, whatever moves are: perft is several."""
    return lines_below(as_state(fields), depth)


def lines_below(s: State, depth: int) -> int:
    if depth == 0 or over(s):
        return 1
    total = 0
    for move in each(moves(s)):
        total += lines_below(play(s, move), depth - 1)
    return total


@pytest.mark.parametrize("text", WIDE[:2])
def test_games_beyond_a_word_have_as_many_lines_pure_and_compiled(text: str) -> None:
    game = game_of(text)
    pure, compiled = (
        instantiate(lines_from, game, jit=jit)(game.fields(game.start), 4) for jit in (False, True)
    )
    assert pure == compiled > 200


@long
@pytest.mark.parametrize(
    "text", [f"{name}:{options}" for name in WIDE for options in OPTIONS[name]] + WIDE, ids=shown
)
def test_games_beyond_a_word_have_the_same_perft_pure_and_compiled(text: str) -> None:
    game = game_of(text)
    notes = Notes()
    plain, fast = Job(jit=False), Job(jit=True, note=notes)
    depth = 2 if text.startswith("go") else 5
    assert perft(game, depth, job=fast) == perft(game, depth, job=plain)
    assert notes == []


def test_rules_are_bound_to_one_game_only() -> None:
    """Two games of one family in one process do not share compiled rules."""
    from damier.solve.count import start_leaves as lines

    small, large = load("nim:matches=4"), load("nim:matches=5")
    for jit in (False, True):
        assert instantiate(lines, small, jit=jit)(tuple(small.start), 4) == 1
        # one way to take 4 in four plies, four to take 5
        assert instantiate(lines, large, jit=jit)(tuple(large.start), 4) == 5
