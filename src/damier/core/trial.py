"""A trial run of somebody's rules in plain Python, before anything is searched or compiled: a few seeded random games, every answer checked.

What is wrong is shown where it stands: the file and the line of the rule that gave a wrong answer or raised an error.
"""

from __future__ import annotations

import inspect
import os
import traceback
from collections.abc import Callable
from typing import Any, NoReturn

from damier.core.bits import lowest, random_bit, reseed
from damier.core.errors import BadGame, DamierError
from damier.core.game import Game, each, flat
from damier.core.grid import Grid
from damier.core.keys import widths
from damier.core.rules import CHANCE, ONGOING, State
from damier.core.score import TOP, later
from damier.core.words import _

WALKS, PLIES, NAMED = 16, 60, 4  # games, plies a game at most, games whose words are tried too


def try_out(game: Game) -> None:
    """Raises BadGame at the first rule that breaks the contract of a game (docs/add_a_game.md)."""
    for walk in range(WALKS):
        rng = [0]
        reseed(rng, 0, walk)
        s = game.start
        for _ply in range(PLIES):
            if s is game.start:
                _state(game, "start", s, s)
            if _ended(game, s):
                break
            legal = _moves(game, s)
            _judgements(game, s, legal)
            if walk < NAMED:
                _words(game, s, legal)
            s = _next(game, s, random_bit(rng, legal))


def _ended(game: Game, s: State) -> bool:
    """Whether the game is over; at the end, checks what it was worth."""
    _whole(
        game,
        "mover" if "mover" in game.given else "play",
        s,
        _call(game, "mover", s),
        CHANCE if game.dice else 0,
        game.players - 1,
        _("a player from 0 as mover (CHANCE goes with chance=)"),
    )
    if "outcome" in game.given:
        _whole(game, "outcome", s, _call(game, "outcome", s), -ONGOING, ONGOING, _("ONGOING, or the payoff of the player to move, an int"))
    over = _call(game, "over", s)
    if not isinstance(over, (bool, int)):
        _wrong(game, "over", s, over, _("True or False"))
    if not over:
        return False
    payoffs = [_call(game, "payoff", s, player) for player in range(game.players)]
    for payoff in payoffs:
        _whole(game, "payoff", s, payoff, -ONGOING + 1, ONGOING - 1)
    if "outcome" not in game.given and any(payoff != -payoffs[0] for payoff in payoffs[1:]):
        game.opposed = False
    return True


def _moves(game: Game, s: State) -> int:
    legal: int = _whole(game, "moves", s, _call(game, "moves", s), 0, (1 << 62) - 1, _("a set of moves: an int of at most 62 bits, not negative"))
    if legal == 0:
        _wrong(game, "moves", s, legal, _("at least one move, since the game is not over"))
    if game.mover(s) == CHANCE:
        weights = [_call(game, "chance", s, move) for move in each(legal)]
        if not all(isinstance(w, (int, float)) and 0 <= w < float("inf") for w in weights) or sum(weights) == 0:
            _wrong(game, "chance", s, weights, _("weights, numbers that are not negative and not all 0"))
    for move in each(legal):
        _next(game, s, move)
    return legal


def _judgements(game: Game, s: State, legal: int) -> None:
    """Checks what searches go by: the features of a state, the scores of moves."""
    for name, feature in game.features.items():
        try:
            worth = feature(s)
        except MemoryError:
            raise
        except Exception as error:
            place = _place(feature, game)
            raise BadGame(
                _("{place}: feature {name} in {state} raised {kind}: {error}", place=place, name=name, state=s, kind=type(error).__name__, error=error)
            ) from error
        if not isinstance(worth, (int, float)) or not abs(worth) < float("inf"):
            place = _place(feature, game)
            raise BadGame(_("{place}: feature {name} answered {answer} in {state}; it must be a number", place=place, name=name, answer=repr(worth), state=s))
    for move in each(legal):
        _whole(game, "move_score", s, _call(game, "move_score", s, move), -ONGOING, ONGOING)
    if "candidates" in game.given:
        _candidates(game, s, legal)
    if "bounds" in game.given:
        _bounds(game, s, legal)


def _candidates(game: Game, s: State, legal: int) -> None:
    """Checks that what is left out loses with the opponent's next move."""
    kept = _whole(game, "candidates", s, _call(game, "candidates", s), 0, (1 << 62) - 1, _("a set of moves: an int of at most 62 bits, not negative"))
    if kept & ~legal:
        _wrong(game, "candidates", s, kept, _("some of the legal moves, {legal}", legal=legal))
    for move in each(legal & ~kept):
        child = game.play(s, move)
        if game.mover(child) == game.mover(s) or not any(_won(game, game.play(child, reply), game.mover(child)) for reply in game.legal(child)):
            _wrong(game, "candidates", s, kept, _("with the move {move}, after which the opponent cannot win at once", move=move))


def _bounds(game: Game, s: State, legal: int) -> None:
    """Checks that the bounds are two scores, and that they allow for the ends that the next move can reach."""
    answer = _call(game, "bounds", s)
    if not isinstance(answer, tuple) or [type(part) for part in answer] != [int, int] or not -TOP <= answer[0] <= answer[1] <= TOP:
        _wrong(game, "bounds", s, answer, _("two scores, the least and the most, from -{top} to {top}", top=TOP))
    ends = [child for move in each(legal) if game.over(child := game.play(s, move))]
    worths = [later(game.payoff(child, game.mover(s)) * TOP) for child in ends]
    if worths and max(worths) > answer[1]:
        _wrong(game, "bounds", s, answer, _("at most {n} or more, since a move ends the game so", n=max(worths)))
    if len(worths) == legal.bit_count() and max(worths) < answer[0]:
        _wrong(game, "bounds", s, answer, _("at least {n} or less, since every move ends the game", n=max(worths)))


def _won(game: Game, s: State, player: int) -> bool:
    """Whether the game is over, and a player has won it."""
    return bool(game.over(s)) and game.payoff(s, player) > 0


def _next(game: Game, s: State, move: int) -> State:
    child = _call(game, "play", s, move)
    _state(game, "play", s, child)
    if game.advances:
        before = _whole(game, "ply", s, _call(game, "ply", s), 0, 1 << 62)
        if _call(game, "ply", child) != before + 1:
            _wrong(game, "ply", child, _call(game, "ply", child), _("{n}, one more than before the move", n=before + 1))
    return child


def _state(game: Game, rule: str, s: State, child: Any) -> None:
    """Checks that a state is one, and that it fits its bits."""
    make = type(game.start)
    if type(child) is not make or [isinstance(f, tuple) for f in child] != [isinstance(f, tuple) for f in game.start]:
        _wrong(game, rule, s, child, _("a {state} like {start}", state=make.__name__, start=game.start))
    names = [name for name, field in zip(child._fields, game.start, strict=True) for _part in (field if isinstance(field, tuple) else (field,))]
    values = flat(child)
    if len(values) != len(names):
        _wrong(game, rule, s, child, _("tuples as long as in {start}", start=game.start))
    for name, value, width in zip(names, values, widths(game.bits), strict=True):
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << width:
            limit = (1 << width) - 1
            _wrong(game, rule, s, child, _("an int from 0 to {limit} in {field} (bits gives it {width})", limit=limit, field=name, width=width))
    if "key" in game.given:
        key = _whole(game, "key", child, _call(game, "key", child), 0, (1 << 62) - 1, _("an int below 2**62, not negative"))
        if _call(game, "unkey", key) != child:
            _wrong(game, "unkey", child, game.unkey(key), _("{state} back from its key", state=child))


def _words(game: Game, s: State, legal: int) -> None:
    """Checks what people read."""
    names = [_call(game, "name_move", s, move) for move in each(legal)]
    for name in names:
        if not isinstance(name, str) or not name or "," in name or any(c.isspace() for c in name):
            _wrong(game, "name_move", s, name, _("a word without commas or spaces"))
    if len(set(names)) < len(names):
        _wrong(game, "name_move", s, names, _("a different name for each move"))
    if game.grid and not isinstance(grid := _call(game, "grid", s), Grid):
        _wrong(game, "grid", s, grid, _("a Grid"))
    if not isinstance(shown := _call(game, "show", s), str):
        _wrong(game, "show", s, shown, _("text"))
    if game.grid and game.place:
        cells = game.grid(s).width * game.grid(s).height
        place = _call(game, "place", s, lowest(legal))
        if not isinstance(place, tuple) or not all(isinstance(cell, int) and 0 <= cell < cells for cell in place):
            _wrong(game, "place", s, place, _("a tuple of cells of the grid"))
    for symmetry in range(game.symmetries()):
        turned = _call(game, "turn", s, symmetry)
        _state(game, "turn", s, turned)
        move = _call(game, "turn_move", lowest(legal), symmetry)
        if not isinstance(move, int) or not move & game.moves(turned):
            _wrong(game, "turn_move", s, move, _("a legal move of the turned state"))
    seen = _call(game, "view", s)
    _state(game, "view", s, seen)
    if game.moves(seen) != legal:
        _wrong(game, "view", s, seen, _("a state with the same moves"))


def _call(game: Game, rule: str, *arguments: Any) -> Any:
    """Calls a rule; an error in it is reported where it happened, in the user's file if it passed through it."""
    try:
        return getattr(game, rule)(*arguments)
    except (DamierError, MemoryError):
        raise
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if game.source and os.path.abspath(frame.filename) == str(game.source)]
        place = f"{os.path.basename(own[-1].filename)}:{own[-1].lineno}" if own else _place(_rule(game, rule), game)
        raise BadGame(
            _("{place}: {rule}({state}) raised {kind}: {error}", place=place, rule=rule, state=arguments[0], kind=type(error).__name__, error=error)
        ) from error


def _whole(game: Game, rule: str, s: State, answer: Any, low: int, high: int, expected: str | None = None) -> Any:
    """Checks that a rule answered an int from `low` to `high`."""
    if isinstance(answer, bool) or not isinstance(answer, int) or not low <= answer <= high:
        _wrong(game, rule, s, answer, expected or (_("an int from {low} to {high}", low=low, high=high) if high < 100 else _("an int")))
    return answer


def _wrong(game: Game, rule: str, s: State, answer: Any, expected: str) -> NoReturn:
    """Raises BadGame: which rule, in which file and line, answered what, and what it should have."""
    place = _place(_rule(game, rule), game)
    raise BadGame(
        _(
            "{place}: {rule} answered {answer} in the state {state}; it must be {expected}",
            place=place,
            rule=rule,
            answer=repr(answer),
            state=s,
            expected=expected,
        )
    )


def _rule(game: Game, rule: str) -> Callable[..., Any] | None:
    """A rule or a word as the game gave it."""
    return game.given.get(rule) or game.__dict__.get("_" + rule) or game.__dict__.get(rule)


def _place(rule: Callable[..., Any] | None, game: Game) -> str:
    """File and line of a rule."""
    code = getattr(inspect.unwrap(rule), "__code__", None) if rule else None
    return f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}" if code else game.name
