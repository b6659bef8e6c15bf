"""Stand-ins of compiled code for the states and the moves of a game that do not fit a word: sets
of any width (`wide`, `numba_sets`), and lists of moves (`moves`, `numba_moves`).

`bindings` says what stands for what; the compiler's own objects are made when it has been started.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from damier.core import bits, codes, defaults, moves, rules, wide
from damier.core.wide import WideClass

if TYPE_CHECKING:
    from damier.core.game import Game

Compiled: TypeAlias = Any
"""What Numba makes of a function, or takes for one: it has no types."""
Clone: TypeAlias = Callable[[Callable[..., object]], Compiled]
"""The compiled copy of a function."""


class ListedBy(NamedTuple):
    """A rule that appends to a list of at most `room` moves."""

    rule: Callable[..., None]
    room: int

    def made(self, clone: Clone) -> Compiled:
        from damier.core import numba_moves

        return numba_moves.listed_by(clone(self.rule), self.room)


class NoMovesOf(NamedTuple):
    """An empty list with room for so many moves."""

    room: int

    def made(self, clone: Clone) -> Compiled:
        from damier.core import numba_moves

        return numba_moves.no_moves_of(self.room)


class OfWidth(NamedTuple):
    """Product of `maker` of `numba_bits` for sets of a width."""

    maker: str
    width: int

    def made(self, clone: Clone) -> Compiled:
        from damier.core import numba_sets

        return getattr(numba_sets, self.maker)(self.width)


NUMBERS: Final = (rules.outcome, rules.mover, rules.ply, rules.plies_left)
NUMBERS_OF_TWO: Final = (rules.payoff, rules.reward, rules.move_score)
"""The rules that answer numbers, of one argument and of two."""
LATE: Final = (ListedBy, NoMovesOf, OfWidth)
"""What stands for a function in compiled code, and is made when the compiler is there."""


def instead(rule: Callable[..., object], game: Game) -> Callable[..., Any]:
    """Return what stands for a rule that answers moves where the game leaves it out."""
    if rule is not rules.noisy_moves:
        return game.given["moves"]
    return defaults.none_listed if game.moves_are_listed else defaults.no_noisy_moves


def bindings(game: Game) -> dict[Any, Any]:
    """Return what stands for functions, rules and classes in compiled code of a game; nothing where all fits
    a word.
    """
    bound: dict[Any, Any] = dict(codes.of_words(game.key_words))
    if game.wide:
        state = WideClass(type(game.start), game.bits, game.wide)
        bound |= {
            type(game.start): state,
            game.make: state,
            bits.bit: OfWidth("bit_maker", game.wide),
            wide.as_wide: OfWidth("wide_maker", game.wide),
            wide.as_word: OfWidth("word_maker", game.wide),
        }
        bound |= {rule: wide.of_state(game.rules[rule.__name__]) for rule in NUMBERS}
        bound |= {rule: wide.of_state_and_more(game.rules[rule.__name__]) for rule in NUMBERS_OF_TWO}
    if not game.moves_are_bits:
        bound |= {moves.no_moves: NoMovesOf(game.most_moves())} | moves.BY_THEMSELVES
    for rule in (rules.moves, rules.non_losing_moves, rules.noisy_moves):
        given = game.given.get(rule.__name__) or instead(rule, game)
        if game.moves_are_listed:
            bound[rule] = ListedBy(given, game.most_moves())
        elif not game.moves_are_bits:
            bound[rule] = moves.in_wide_set(given)
        elif game.wide:
            bound[rule] = wide.of_state(game.rules[rule.__name__])
    return bound
