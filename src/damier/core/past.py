"""The positions of a game before the one at hand, for rules that ask for them: repetition, superko, too
many moves without progress.

Rules are functions of a state. Where the past matters, a game gives two rules more:

    with_past(s, past)      the state `s` as the positions before it make it: with a field that says that
                            it is drawn, or which moves are forbidden, and that `play` clears
    irreversible(s, move)   whether after `move` neither `s` nor any position before it can come back

`past` goes back to the last irreversible move: `length(past)` is how far, `ago(past, n)` the position n
plies before. Whoever sees the state then sees what the past means: agents, tables, pages. Who plays moves
in turn keeps the past (`advance`); what looks at single states (counting, solving, perft) has none.

In engines a past is (codes, begins, noted): every position of the line so far, as a code; for each the
number of the first that may come back; how many there are, and how often the past changed what a
position means. In plain Python a code is the state itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Protocol, TypeAlias, TypeVar, cast

from damier.core.arrays import ints
from damier.core.codes import code_at, put_code
from damier.core.rules import AnyPast, Key, Past, Rule, State, irreversible, play, with_past

S = TypeVar("S", bound=State)


class GameWithPast(Protocol):
    """A game as the past knows it."""

    start: State
    play: Callable[[State, int], State]
    key: Callable[[State], Key]
    irreversible: Callable[[State, int], bool]
    with_past: Callable[[State, AnyPast], State]

    @property
    def has_past(self) -> bool: ...

    @property
    def key_words(self) -> int: ...

    @property
    def rules(self) -> Mapping[str, Rule]: ...


Before: TypeAlias = tuple[State, ...]
"""The positions before one that may come back, the oldest first."""
NOTHING: Before = ()


def length(past: Past[S]) -> int:
    """Return how many positions before the one at hand may come back."""
    _codes, begins, noted = past
    return int(noted[0] - begins[noted[0]])


def ago(past: Past[S], n: int) -> S:
    """The position `n` plies before the one at hand, n from 1 to `length(past)`."""
    codes, _begins, noted = past
    return state_of(code_at(codes, noted[0] - n))  # type: ignore[return-value]  # what was noted


def code_of(s: State) -> int:
    """Return what stands for a state in the past: compiled, its key."""
    return cast("int", s)


def state_of(code: Key) -> State:
    """The state of a code."""
    return cast("State", code)


# ---- for engines: of games whose past does not matter, nothing is kept


def advance(s: State, move: int, past: AnyPast) -> State:
    """The position after `move`, as the line to it makes it; the past then holds `s`."""
    return play(s, move)


def mark(past: AnyPast) -> int:
    """Return how much of a line there is."""
    return 0


def rewind(past: AnyPast, marked: int) -> None:
    """Back to where the past was `mark`ed."""


def advance_noting(s: State, move: int, past: AnyPast) -> State:
    """`advance`, where the past matters."""
    codes, begins, noted = past
    number = noted[0]
    put_code(codes, number, code_of(s))
    begins[number + 1] = number + 1 if irreversible(s, move) else begins[number]
    noted[0] = number + 1
    child = play(s, move)
    found = with_past(child, past)
    if found != child:
        noted[1] += 1
    return found


def noted(past: AnyPast) -> int:
    """`mark`, where the past matters."""
    return int(past[2][0])


def rewind_noted(past: AnyPast, marked: int) -> None:
    """`rewind`, where the past matters."""
    past[2][0] = marked


WITHOUT_PAST: dict[Rule, Rule] = {advance: advance, mark: mark, rewind: rewind}
"""What an engine binds that takes every position by itself, whatever its game says of the past."""


def bindings(game: GameWithPast, jit: bool) -> dict[Rule, Rule]:
    """Return what stands for the functions of this file in engines of a game."""
    if not game.has_past:
        return {}
    bound: dict[Rule, Rule] = {advance: advance_noting, mark: noted, rewind: rewind_noted}
    return bound | {code_of: game.rules["key"], state_of: game.rules["unkey"]} if jit else bound


def empty(game: GameWithPast, plies: int, jit: bool) -> AnyPast:
    """Room for a line of so many plies, with nothing in it yet; no columns at all where the past does
    not matter, since engines that call themselves would hand them on in every call.
    """
    if not game.has_past:
        return cast("AnyPast", ())
    room = plies + 2
    columns = ints(room * (game.key_words if jit else 1), jit), ints(room + 1, jit), ints(2, jit)
    return cast("AnyPast", columns)


def states(past: AnyPast) -> Before:
    """The positions before the one at hand, the oldest first; of a past in plain Python."""
    return tuple(ago(past, n) for n in range(length(past), 0, -1))


# ---- for people, and for what plays move by move in Python


class Line:
    """A position and those before it, played on move by move.

    Attributes:
        state: the position
        past: what engines read, plain or compiled
    """

    def __init__(
        self, game: GameWithPast, s: State, before: Before = (), *, plies: int = 0, jit: bool = False
    ) -> None:
        self.game, self.state = game, s
        self._plain = empty(game, len(before) + plies, False)
        self._compiled = empty(game, len(before) + plies, True) if jit else None
        self.past = self._plain if self._compiled is None else self._compiled
        if game.has_past:
            for earlier in before:
                self._note(earlier, begins_anew=False)

    @property
    def before(self) -> Before:
        """The positions before it that may come back."""
        return states(self._plain) if self.game.has_past else ()

    def play(self, move: int) -> State:
        """Goes on to the position after `move`."""
        game, s = self.game, self.state
        if not game.has_past:
            self.state = game.play(s, move)
            return self.state
        self._note(s, begins_anew=game.irreversible(s, move))
        self.state = game.with_past(game.play(s, move), self._plain)
        return self.state

    def back(self, s: State) -> None:
        """Back to the position before the last move, which was `s`."""
        self.state = s
        if self.game.has_past:
            rewind_noted(self._plain, noted(self._plain) - 1)
            if self._compiled:
                rewind_noted(self._compiled, noted(self._compiled) - 1)

    @property
    def matters(self) -> bool:
        """Return whether, in what engines played from here, the past changed what a position means."""
        return self.game.has_past and bool(self.past[2][1])

    @contextmanager
    def trying(self, move: int) -> Iterator[State]:
        """The position after a move, until that is taken back."""
        here = self.state
        try:
            yield self.play(move)
        finally:
            self.back(here)

    def _note(self, s: State, *, begins_anew: bool) -> None:
        number = noted(self._plain)
        codes, _begins, _noted = self._plain
        if number == len(codes):  # in plain Python a line may be as long as it likes
            more = empty(self.game, number, False)
            for held, room in zip(self._plain, more, strict=True):
                room[: len(held)] = held
            self._plain = more
        enter(self._plain, [cast("int", s)], begins_anew)
        if self._compiled:
            enter(self._compiled, words_of_key(self.game, s), begins_anew)


def enter(past: AnyPast, code: Sequence[int], begins_anew: bool) -> None:
    """Notes one position more, by the words of its code."""
    codes, begins, _noted = past
    number = noted(past)
    for word, value in enumerate(code, number * len(code)):
        codes[word] = value
    begins[number + 1] = number + 1 if begins_anew else begins[number]
    rewind_noted(past, number + 1)


def words_of_key(game: GameWithPast, s: State) -> tuple[int, ...]:
    """The key of a state, word by word."""
    key = cast("int | tuple[int, ...]", game.key(s))
    return key if isinstance(key, tuple) else (key,)


def past_of(game: GameWithPast, before: Before) -> AnyPast:
    """Some positions as a past in plain Python."""
    return Line(game, game.start, before).past


def after(game: GameWithPast, s: State, move: int, before: Before) -> tuple[State, Before]:
    """The position after a move, and the positions before that which may come back; `before` are those
    before `s`.
    """
    if not game.has_past:
        return game.play(s, move), ()
    line = Line(game, s, before)
    return line.play(move), line.before


def played(game: GameWithPast, moves: Sequence[int]) -> list[State]:
    """Every position of a game that is played so from its start, the first included."""
    line = Line(game, game.start)
    return [game.start, *(line.play(move) for move in moves)]
