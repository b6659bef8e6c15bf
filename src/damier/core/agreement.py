"""Comparison of compiled rules with the same rules in plain Python: some random games are played by
both and compared, before compiled code is trusted with anything.

They differ where plain Python knows more than a machine word: a number passes 2**63, a shift goes
beyond its word, a table is read beyond its end. A difference ends the job, with the position, the
rule and both answers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeAlias

from damier.core.arrays import Ints, ints, words
from damier.core.bits import Rng, mix64, reseed, seeded, word_of
from damier.core.codes import Reader, places, reader_of
from damier.core.compile import Bindings, instantiate
from damier.core.errors import BadGame
from damier.core.game import Game
from damier.core.job import from_outside, presses
from damier.core.keys import flat
from damier.core.moves import each, random_move
from damier.core.player import sample_chance
from damier.core.rules import CHANCE, Field, Moves, State, as_state, mover, moves, over, payoff, play, reward
from damier.core.wide import WORD_BITS, is_wide
from damier.core.words import message

GAMES, PLIES = 16, 200
"""Random games that are compared, and the plies of each."""
SECONDS = 0.1
"""CPU seconds of plain Python after which no further game is begun."""
OF_A_PLY = 4
"""Facts of a ply, besides the fields of the position after it."""

Writer: TypeAlias = Callable[..., int]
"""Writes some ints of a state."""


def digest_of(legal: Moves) -> int:
    """Some moves as one int."""
    digest = 0
    for move in each(legal):
        digest = mix64(digest ^ move)
    return digest


def fact_of(value: int) -> int:
    """An int of a state as one of at most 62 bits: itself, unless it is wide (`wide_fact`)."""
    return value


def wide_fact(words: int) -> Callable[[int], int]:
    """`fact_of` an int of so many words."""
    mixed: Callable[[int], int] = _no_fact
    for number in range(words):
        mixed = _with_word(mixed, number)
    return mixed


def _no_fact(value: int) -> int:
    return 0


def _with_word(before: Callable[[int], int], number: int) -> Callable[[int], int]:
    def mix(value: int) -> int:
        return mix64(before(value) ^ word_of(value, number))

    return mix


def write_state(s: State, facts: Ints, n: int) -> int:
    """Writes every int of a state from facts[n] on, and returns where it ended: bound by `writer`."""
    raise TypeError


def walk(start: tuple[Field, ...], number: int, limit: int, players: int, rng: Rng, facts: Ints) -> int:
    """Plays random game `number`, and writes down all that the rules say; returns how much that is.

    Of a position: over, mover, moves; reward and the state after a random move; at the end payoffs.
    """
    reseed(rng, 0, number)
    s = as_state(start)
    n = 0
    for _ply in range(limit):
        facts[n] = int(over(s))
        if facts[n]:
            for player in range(players):
                facts[n + 1 + player] = payoff(s, player)
            return n + 1 + players
        facts[n + 1], facts[n + 2] = mover(s), digest_of(moves(s))
        move = sample_chance(s, moves(s), rng) if mover(s) == CHANCE else random_move(rng, moves(s))
        facts[n + 3] = reward(s, move)
        s = play(s, move)
        n = write_state(s, facts, n + OF_A_PLY)
    return n


def require_agreement(game: Game) -> None:
    """Compares the compiled rules of a game with the plain ones, once.

    Raises BadGame where they differ, Uncompilable, and NotInCache inside `only_from_cache`.
    """
    if game.agrees:
        return
    bind: Bindings = {write_state: writer(game)}
    plain, compiled = (instantiate(walk, game, jit=jit, bind=bind) for jit in (False, True))
    room = PLIES * (OF_A_PLY + len(flat(game.start))) + game.players + 1
    begun = time.thread_time()
    for number in range(GAMES):
        run = (game.fields(game.start), number, PLIES, game.players)
        expected, found = ints(room, False), ints(room, True)
        written = _played(lambda: plain(*run, words(1, False), expected))
        if written:
            compiled(*run, words(1, True), found)
        for index in range(written):
            if expected[index] != found[index]:
                raise difference(game, number, index, int(expected[index]), int(found[index]))
        if time.thread_time() - begun > SECONDS:
            break
    game.agrees = True


def _played(play_plain: Callable[[], int]) -> int:
    """Return how much a game in plain Python has written down; nothing where a rule raises, which whoever
    comes there will be told.
    """
    before = presses()
    try:
        return play_plain()
    except BaseException as error:  # whatever somebody's own rule raises
        if from_outside(error, before):
            raise
        return 0


def difference(game: Game, number: int, index: int, plain: int, compiled: int) -> BadGame:
    """Return what is wrong, by the number of the fact in which the two differ."""
    rule, state = next(islice(questions(game, number), index, None))
    return BadGame(
        message(
            "{game}: compiled, {rule} answers {compiled}, in plain Python {plain}, in {state}. Does a number"
            " pass 2**63, or is a table read beyond its end? --pure plays it in plain Python",
            game=game.text,
            rule=rule,
            compiled=compiled,
            plain=plain,
            state=state,
        )
    )


def questions(game: Game, number: int) -> Iterator[tuple[str, State]]:
    """The rule and the state of every fact that `walk` writes, in plain Python."""
    rng = seeded(0, number)
    s = game.start
    while True:
        yield "over", s
        if game.over(s):
            for _player in range(game.players):
                yield "payoff", s
            return
        legal = game.moves(s)
        yield "mover", s
        yield "moves", s
        move = _drawn(game, s, legal, rng)
        yield "reward", s
        for name, field in zip(s._fields, s, strict=True):
            for _part in field if isinstance(field, tuple) else (field,):
                yield f"play({game.name_move(s, move)}).{name}", s
        s = game.play(s, move)


def _drawn(game: Game, s: State, legal: Moves, rng: Rng) -> int:
    if game.mover(s) != CHANCE:
        return random_move(rng, legal)
    return instantiate(sample_chance, game, jit=False)(s, legal, rng)


def writer(game: Game) -> Writer:
    """`write_state` of a game: of one closure for every int of a state, so that the compiler unrolls it."""
    wide = wide_fact(game.wide // WORD_BITS)
    write: Writer = _nothing
    for place in places(game.bits):
        write = _with_int(write, reader_of(place), wide if is_wide(place.bits) else fact_of)
    return write


def _nothing(s: State, facts: Ints, n: int) -> int:
    return n


def _with_int(before: Writer, read: Reader, fact: Callable[[int], int]) -> Writer:
    def write(s: State, facts: Ints, n: int) -> int:
        place = before(s, facts, n)
        facts[place] = fact(read(s))
        return place + 1

    return write
