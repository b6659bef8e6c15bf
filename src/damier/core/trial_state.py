"""One state of a trial run: what the rules answer in it, and how a wrong answer is told.

What is wrong is shown where it stands: the file and the line of the rule that gave a wrong answer
or raised an error.
"""

from __future__ import annotations

import inspect
import os
import traceback
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, NoReturn

from damier.core.errors import BadGame, BadInput, DamierError
from damier.core.job import presses
from damier.core.keys import flat, widths
from damier.core.moves import each
from damier.core.patience import from_outside, words_of
from damier.core.rules import NAMES, ONGOING, Moves, State
from damier.core.words import Text, message

if TYPE_CHECKING:
    from damier.core.game import Game

LARGEST_MOVE = (1 << 62) - 1
"""The largest int that a move of a list may be, and a key."""


class TrialState:
    """A state `s` of a game, in which its rules are asked."""

    def __init__(self, game: Game, s: State) -> None:
        self.game, self.s = game, s

    @property
    def ending(self) -> str:
        """The rule that says whether the game is over."""
        return "over" if "over" in self.game.given else "outcome"

    @cached_property
    def end(self) -> object:
        """What that rule answers."""
        return self.ask(self.ending)

    @cached_property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.end) if self.ending == "over" else self.end != ONGOING

    @cached_property
    def legal(self) -> Moves:
        """The legal moves, checked; the game must not be over."""
        legal = self.moves("moves")
        if not legal:
            self.wrong("moves", legal, message("at least one move, since the game is not over"))
        return legal

    def moves(self, rule: str) -> Moves:
        """The answer of a rule that is moves, checked."""
        game = self.game
        if game.moves_are_listed:
            return self._listed(rule)
        most = game.most_moves()
        expected = message("a set of moves: an int of at most {n} bits, not negative", n=most)
        if game.moves_are_bits:
            return self.whole(rule, self.ask(rule), 0, (1 << most) - 1, expected)
        given = game.given.get(rule) or game.given["moves"]
        self.whole(rule, self._asked(rule, given, self.s), 0, (1 << most) - 1, expected)
        return self._list(rule)

    def _listed(self, rule: str) -> list[int]:
        legal, game = self._list(rule), self.game
        expected = message("moves, each an int above 0 and below 2**62, and none twice")
        if any(type(move) is not int or not 0 < move <= LARGEST_MOVE for move in legal) or len(
            set(legal)
        ) < len(legal):
            self.wrong(rule, legal, expected)
        if len(legal) > game.most_moves():
            self.wrong(rule, len(legal), message("at most {n} moves (most_moves)", n=game.most_moves()))
        return legal

    def _list(self, rule: str) -> list[int]:
        legal = self.ask(rule)
        assert isinstance(legal, list)
        return legal

    @cached_property
    def children(self) -> dict[int, State]:
        """The state after each legal move, checked."""
        return {move: self.state("play", self.ask("play", self.s, move)) for move in each(self.legal)}

    def ask(self, rule: str, *arguments: object) -> object:
        """What a rule answers, here if no arguments are given.

        An error in it is reported where it happened.
        """
        given = arguments or (self.s,)
        return self._asked(rule, getattr(self.game, rule), *given)

    def _asked(self, rule: str, function: Callable[..., object], *given: object) -> object:
        before = presses()
        try:
            return function(*given)
        except DamierError:
            raise
        except BaseException as error:
            if from_outside(error, before):
                raise
            self._raised(rule, given[0], error)

    def whole(self, rule: str, answer: object, low: int, high: int, expected: Text | None = None) -> int:
        """The answer of a rule, checked to be an int from `low` to `high`."""
        if isinstance(answer, bool) or not isinstance(answer, int) or not low <= answer <= high:
            self.wrong(
                rule,
                answer,
                expected
                or (
                    message("an int from {low} to {high}", low=low, high=high)
                    if high < 100
                    else message("an int")
                ),
            )
        return answer

    def state(self, rule: str, answer: object) -> State:
        """The answer of a rule, checked to be a state of this game that fits its bits."""
        start = self.game.start
        s = like(start, answer)
        if s is None:
            self.wrong(
                rule, answer, message("a {state} like {start}", state=type(start).__name__, start=start)
            )
        names = [
            name
            for name, field in zip(s._fields, start, strict=True)
            for _part in (field if isinstance(field, tuple) else (field,))
        ]
        values = flat(s)
        if len(values) != len(names):
            self.wrong(rule, s, message("tuples as long as in {start}", start=start))
        for name, value, width in zip(names, values, widths(self.game.bits), strict=True):
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << width:
                limit = (1 << width) - 1
                expected = message(
                    "an int from 0 to {limit} in {field} (bits gives it {width})",
                    limit=limit,
                    field=name,
                    width=width,
                )
                self.wrong(rule, s, expected)
        return s

    def wrong(self, rule: str, answer: object, expected: Text, s: State | None = None) -> NoReturn:
        """Raises BadGame: which rule, in which file and line, answered what in which state, and
        what it should have.
        """
        if rule == "start":  # nobody asked for it
            raise BadGame(
                message(
                    "{game}: start is {answer}; it must be {expected}",
                    game=self.game.name,
                    answer=answer,
                    expected=expected,
                )
            )
        raise BadGame(
            message(
                "{place}: {rule} answered {answer} in the state {state}; it must be {expected}",
                place=place_of(self._given(rule), self.game),
                rule=rule,
                answer=in_words(answer),
                state=self.s if s is None else s,
                expected=expected,
            )
        )

    def _raised(self, rule: str, argument: object, error: BaseException) -> NoReturn:
        """Raises BadGame for an error in a rule, in the user's own file if it passed through it."""
        source, kind = self.game.source, type(error).__name__
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if source and os.path.abspath(frame.filename) == str(source)]
        place = (
            f"{os.path.basename(own[-1].filename)}:{own[-1].lineno}"
            if own
            else place_of(self._given(rule), self.game)
        )
        sentence = message(
            "{place}: {rule}({state}) raised {kind}: {error}",
            place=place,
            rule=rule,
            state=argument,
            kind=kind,
            error=words_of(error),
        )
        raise BadGame(sentence) from error

    def _given(self, rule: str) -> Callable[..., object] | None:
        """A rule or a word as the game gave it."""
        if rule in NAMES:  # what was made from other rules stands in no file of the user's
            return self.game.given.get(rule)
        facts = vars(self.game)
        return facts.get("_" + rule) or facts.get(rule) or getattr(self.game.endgames, rule, None)


def deferred(call: object) -> str:
    """What keeps a function from answering when it is called: `async`, or a `yield`; else nothing."""
    for function in (call, getattr(call, "__call__", None)):  # noqa: B004  an object may be called, too
        if inspect.iscoroutinefunction(function):
            return "async"
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            return "yield"
    return ""


def refuse_deferred(call: object, name: str, kind: type[BadInput], file: str = "") -> None:
    """Raises `kind`, with file and line, for a function that does not answer when it is called."""
    if why := deferred(call):
        function = inspect.unwrap(getattr(call, "func", call))  # type: ignore[arg-type]
        code = getattr(function, "__code__", None)
        place = f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}" if code else file
        raise kind(
            message(
                "{place}: {name} is called for its answer, and has `{why}`: write it as a plain function",
                place=place,
                name=name,
                why=why,
            )
        )


def in_words(answer: object) -> str:
    """What a rule answers, as a rule writes it."""
    return "ONGOING" if type(answer) is int and answer == ONGOING else repr(answer)


def like(start: State, answer: object) -> State | None:
    """An answer that is a state of the same game; None if it is none."""
    if type(answer) is not type(start):
        return None
    s: State = answer
    return s if tuples_in(s) == tuples_in(start) else None


def tuples_in(s: State) -> list[bool]:
    """Which fields of a state are tuples."""
    return [isinstance(field, tuple) for field in s]


def place_of(rule: Callable[..., object] | None, game: Game) -> str:
    """File and line of a rule; the game's name where they are not known."""
    code = getattr(inspect.unwrap(rule), "__code__", None) if rule else None
    return f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}" if code else game.name
