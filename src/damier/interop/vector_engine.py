"""Engines of many games side by side: one call is a step of every game, with what is seen of it.

All that a call reads and writes lies in three arrays, so that it costs little to hand over:

    memory   ints: a header, the bits of cells, columns of one entry a game, rewards, codes (the last that
             of the start), pasts
    streams  words: the generator at work, then the stream of each game, then one for drawing actions
    seen     bytes: observations, masks, final observations, whether a game ended, and was broken off

`vector.py` lays them out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from damier.core.bits import Rng, random_below, reseed, word_of
from damier.core.codes import code_at, code_words, put_code
from damier.core.game import Game
from damier.core.loop import choose_first
from damier.core.moves import each, nth_move, numbered_move
from damier.core.past import advance, rewind
from damier.core.player import Arrays, sample_chance
from damier.core.rules import (
    CHANCE,
    AnyPast,
    State,
    action,
    key,
    mover,
    moves,
    over,
    payoff,
    planes,
    unkey,
)
from damier.core.wide import as_wide, of_state_and_more

GAMES, ACTIONS, PLANES, CELLS, LIMIT, PLAYERS, SWAP, ROOM, SEED, BEGIN = range(10)
"""Places of the header: numbers of games, actions, planes and cells; plies until a game is broken off;
players; whether the learner changes seats; positions that a past has room for; the seed; whether all games
begin.
"""
HEADER: Final = 16
CHOSEN, TURN, PLIES, SEAT, GAINED = range(5)
"""The columns; GAINED: the payoff of the caller at its seat."""
COLUMNS: Final = 5
NEVER_MOVES: Final = -2
"""A step returns this where the learner never gets to move; else -1, or the game with an illegal action."""
RESTARTS: Final = 1000
"""Games in a row that may end before the learner moves."""


def no_past(memory: Any, n: int) -> AnyPast:
    """`past_of` a game whose past does not matter."""
    return ()  # type: ignore[return-value]


def past_of(memory: Any, n: int) -> AnyPast:
    """The positions before that of a game."""
    room, words = memory[ROOM], code_words()
    begin = HEADER + memory[CELLS] + (COLUMNS + memory[PLAYERS] + words) * memory[GAMES] + words
    codes = begin + n * (room * words + room + 3)
    begins = codes + room * words
    noted = begins + room + 1
    return memory[codes:begins], memory[begins:noted], memory[noted : noted + 2]  # type: ignore[return-value]


# Bound for each game.


def move_of(s: State, number: int) -> int:
    """The legal move of an action."""
    raise TypeError


def write_mask(mask: Any, s: State) -> None:
    """Write which actions are legal."""
    raise TypeError


def write_planes(seen: Any, s: State, player: int, cells: Any) -> None:
    """Write the planes of a state, one byte a cell."""
    raise TypeError


def is_own(player: int, seat: int) -> bool:
    """Return whether the caller moves for a player: in self-play always."""
    return True


def is_at_seat(player: int, seat: int) -> bool:
    """`is_own` where an opponent plays the other seats."""
    return player == seat


def nobody(s: State, arrays: Arrays, rng: Rng) -> int:
    """The opponent of self-play: is never asked."""
    return 0


def move_by_bit(s: State, number: int) -> int:
    return numbered_move(number)


def move_by_number(s: State, number: int) -> int:
    return number + 1


def move_by_place(s: State, number: int) -> int:
    return nth_move(moves(s), number)


def move_by_action(s: State, number: int) -> int:
    """The legal move whose action has a number."""
    found = 0
    for move in each(moves(s)):
        if action(s, move) == number:
            found = move
    return found


def mask_by_bit(mask: Any, s: State) -> None:
    legal = moves(s)
    for number in range(len(mask)):
        mask[number] = legal >> number & 1  # type: ignore[operator]  # a set


def mask_by_number(mask: Any, s: State) -> None:
    legal, actions = as_wide(moves(s)), len(mask)  # type: ignore[arg-type]
    for word in range(actions + 63 >> 6):
        bits = word_of(legal, word)
        for number in range(min(64, actions - (word << 6))):
            mask[(word << 6) + number] = bits >> number & 1


def mask_by_place(mask: Any, s: State) -> None:
    mask[:] = 0
    number = 0
    for _move in each(moves(s)):
        mask[number] = 1
        number += 1  # noqa: SIM113  no enumerate of lists where Numba compiles


def mask_by_action(mask: Any, s: State) -> None:
    mask[:] = 0
    for move in each(moves(s)):
        mask[action(s, move)] = 1


def planes_in_order(seen: Any, s: State, player: int, cells: Any) -> None:
    """`write_planes` where cell c is bit c."""
    count = seen.shape[1]
    for plane, cells_of_plane in enumerate(planes(s, player)):
        for word in range(count + 63 >> 6):
            bits = word_of(cells_of_plane, word)
            for cell in range(min(64, count - (word << 6))):
                seen[plane, (word << 6) + cell] = bits >> cell & 1


def planes_in_one_word(seen: Any, s: State, player: int, cells: Any) -> None:
    """`write_planes` where the bits of cells lie in another order, in one word."""
    for plane, cells_of_plane in enumerate(planes(s, player)):
        bits = word_of(cells_of_plane, 0)
        for cell in range(len(cells)):
            seen[plane, cell] = bits >> cells[cell] & 1


def planes_in_words(seen: Any, s: State, player: int, cells: Any) -> None:
    """`write_planes` where they lie in another order, in several words."""
    for plane, cells_of_plane in enumerate(planes(s, player)):
        for cell in range(len(cells)):
            seen[plane, cell] = word_of(cells_of_plane, cells[cell] >> 6) >> (cells[cell] & 63) & 1


def bindings(game: Game) -> dict[Any, Any]:
    """Return what engines of a game bind: how actions and planes are written, and where its past lies."""
    cells = game.plane_layout.bits_of_cells
    if cells == tuple(range(len(cells))):
        written: Callable[..., None] = planes_in_order
    else:
        written = planes_in_one_word if max(cells) < 64 else planes_in_words
    if "action" in game.given:
        ways: tuple[Callable[..., Any], Callable[..., Any]] = (move_by_action, mask_by_action)
    elif game.moves_are_bits:
        ways = (move_by_bit, mask_by_bit)
    else:
        ways = (move_by_place, mask_by_place) if game.moves_are_listed else (move_by_number, mask_by_number)
    bound: dict[Any, Any] = {move_of: ways[0], write_mask: ways[1], write_planes: written}
    if not game.has_past:
        bound[past_of] = no_past
    if game.wide:  # a tuple of sets of one type, and numbers of a word
        bound[planes] = _uniform(game.rules["planes"], len(game.plane_layout.names))
        bound[action] = of_state_and_more(game.rules["action"])
    return bound


def _uniform(given: Callable[..., tuple[int, ...]], count: int) -> Callable[[State, int], tuple[int, ...]]:
    read: Callable[[Any], tuple[int, ...]] = _none
    for place in range(count):
        read = _and_plane(read, place)

    def planes_of_width(s: State, player: int) -> tuple[int, ...]:
        return read(given(s, player))

    return planes_of_width


def _none(given: Any) -> tuple[int, ...]:
    return ()


def _and_plane(before: Callable[[Any], tuple[int, ...]], place: int) -> Callable[[Any], tuple[int, ...]]:
    def read(given: Any) -> tuple[int, ...]:
        return before(given) + (as_wide(given[place]),)

    return read


# The engines.


def step(memory: Any, streams: Any, seen: Any, arrays: Arrays) -> int:
    """Plays the chosen action in every game, and all that follows until the caller is to move again; who
    has ended begins anew. Where the header says BEGIN every game begins anew instead. Before anything is
    played all actions are looked at: returns the first game whose action is not legal, or -1.
    """
    begin = memory[BEGIN] != 0
    games, actions, count, cell_count = memory[GAMES], memory[ACTIONS], memory[PLANES], memory[CELLS]
    size, limit, players = count * cell_count, memory[LIMIT], memory[PLAYERS]
    cells = memory[HEADER : HEADER + cell_count]
    columns = memory[HEADER + cell_count : HEADER + cell_count + COLUMNS * games].reshape((COLUMNS, games))
    chosen, turn, plies = columns[CHOSEN], columns[TURN], columns[PLIES]
    seats, gained = columns[SEAT], columns[GAINED]
    first_reward = HEADER + cell_count + COLUMNS * games
    first_code = first_reward + games * players
    rewards, codes = (
        memory[first_reward:first_code],
        memory[first_code : first_code + (games + 1) * code_words()],
    )
    all_masks, all_final = games * size, games * (size + actions)
    ended = games * (2 * size + actions)
    for n in range(games):
        number = chosen[n]
        if not begin and not (0 <= number < actions and seen[all_masks + n * actions + number]):
            return n
    for n in range(games):
        past = past_of(memory, n)
        seen[ended + n] = seen[ended + games + n] = 0
        gained[n] = 0
        for player in range(players):
            rewards[n * players + player] = 0
        if begin:
            reseed(streams, memory[SEED], n)
            s = unkey(code_at(codes, games))
            rewind(past, 0)
            ply = 0
        else:
            streams[0] = streams[n + 1]
            s = unkey(code_at(codes, n))
            s = advance(s, move_of(s, chosen[n]), past)
            ply = plies[n] + 1
        restarts = 0
        while True:
            loser = CHANCE  # who resigned
            player = mover(s)
            if ply < limit and not over(s):
                if player == CHANCE:
                    s = advance(s, sample_chance(s, moves(s), streams), past)
                    ply += 1
                    continue
                if is_own(player, seats[n]):
                    break
                move = choose_first(s, arrays, streams)
                if move != 0:
                    s = advance(s, move, past)
                    ply += 1
                    continue
                loser = player
            if not begin and seen[ended + n] == 0 and seen[ended + games + n] == 0:
                seen[ended + n if loser >= 0 or over(s) else ended + games + n] = 1
                if loser >= 0:
                    for other in range(players):
                        rewards[n * players + other] = -1 if other == loser else 1
                elif over(s):
                    for other in range(players):
                        rewards[n * players + other] = payoff(s, other)
                gained[n] = rewards[n * players + seats[n]]
                final = seen[all_final + n * size : all_final + (n + 1) * size].reshape((count, cell_count))
                write_planes(final, s, side_of(player, seats[n]), cells)
            restarts += 1
            if restarts == RESTARTS:
                return NEVER_MOVES
            if memory[SWAP]:
                seats[n] = (seats[n] + 1) % players
            s = unkey(code_at(codes, games))
            rewind(past, 0)
            ply = 0
        plies[n] = ply
        streams[n + 1] = streams[0]
        put_code(codes, n, key(s))
        turn[n] = player
        write_mask(seen[all_masks + n * actions : all_masks + (n + 1) * actions], s)
        write_planes(seen[n * size : (n + 1) * size].reshape((count, cell_count)), s, player, cells)
    return -1


def side_of(player: int, seat: int) -> int:
    """From whose side a final observation is: in self-play of who would be to move."""
    return player if player >= 0 else 0


def side_of_seat(player: int, seat: int) -> int:
    """`side_of` where an opponent plays the other seats."""
    return seat


def draw_actions(memory: Any, streams: Any, seen: Any) -> None:
    """Chooses a legal action of every game, each as likely."""
    games, actions = memory[GAMES], memory[ACTIONS]
    chosen = memory[HEADER + memory[CELLS] :]  # the first column
    masks = games * memory[PLANES] * memory[CELLS]
    streams[0] = streams[games + 1]
    for n in range(games):
        first = masks + n * actions
        legal = 0
        for number in range(actions):
            legal += seen[first + number]
        left = random_below(streams, legal)
        for number in range(actions):
            if seen[first + number]:
                if left == 0:
                    chosen[n] = number
                    break
                left -= 1
    streams[games + 1] = streams[0]
