"""Many games of one kind side by side, stepped by one compiled call: self-play, or one seat against an
agent that plays in the same call. A game that ends begins anew in the same step, and its last observation is
kept.

>>> from damier.interop.vector import VectorGames
>>> games = VectorGames("tictactoe", 2)
>>> observations, masks = games.reset(seed=1)
>>> observations.shape, masks.shape
((2, 2, 3, 3), (2, 9))
>>> step = games.step([4, 0])
>>> step.masks.astype(int).tolist()
[[1, 1, 1, 1, 0, 1, 1, 1, 1], [0, 1, 1, 1, 1, 1, 1, 1, 1]]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from damier.core.arrays import IntArray
from damier.core.bits import Rng, random_below, reseed, word_of
from damier.core.codes import code_at, code_words, field_reader, put_code
from damier.core.compile import instantiate
from damier.core.encoding import no_ints, with_int
from damier.core.errors import IllegalMove, Unsuitable
from damier.core.game import Game, require
from damier.core.loop import FIRST_AGENT, choose_first
from damier.core.moves import each, nth_move, numbered_move
from damier.core.past import advance, rewind, words_of_key
from damier.core.player import Arrays, Player, sample_chance
from damier.core.rules import CHANCE, AnyPast, State, action, key, mover, moves, over, payoff, planes, unkey
from damier.core.tiers import require_agreement
from damier.core.wide import as_wide, of_state_and_more
from damier.core.words import _, message
from damier.interop.observations import game_named, player_named, require_seat

if TYPE_CHECKING:
    from numpy.typing import NDArray


# Engines of many games side by side: one call is a step of every game, with what is seen of it.
#
# All that a call reads and writes lies in three arrays, so that it costs little to hand over:
#
#     memory   ints: a header, the bits of cells, columns of one entry a game, rewards, codes (the last that
#              of the start), pasts
#     streams  words: the generator at work, then the stream of each game, then one for drawing actions
#     observed bytes: observations, masks, final observations, whether a game ended, and was broken off
#
# `VectorGames` lays them out.


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


def write_planes(observed: Any, s: State, player: int, cells: Any) -> None:
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


def planes_in_order(observed: Any, s: State, player: int, cells: Any) -> None:
    """`write_planes` where cell c is bit c."""
    count = observed.shape[1]
    for plane, cells_of_plane in enumerate(planes(s, player)):
        for word in range(count + 63 >> 6):
            bits = word_of(cells_of_plane, word)
            for cell in range(min(64, count - (word << 6))):
                observed[plane, (word << 6) + cell] = bits >> cell & 1


def planes_in_one_word(observed: Any, s: State, player: int, cells: Any) -> None:
    """`write_planes` where the bits of cells lie in another order, in one word."""
    for plane, cells_of_plane in enumerate(planes(s, player)):
        bits = word_of(cells_of_plane, 0)
        for cell in range(len(cells)):
            observed[plane, cell] = bits >> cells[cell] & 1


def planes_in_words(observed: Any, s: State, player: int, cells: Any) -> None:
    """`write_planes` where they lie in another order, in several words."""
    for plane, cells_of_plane in enumerate(planes(s, player)):
        for cell in range(len(cells)):
            observed[plane, cell] = word_of(cells_of_plane, cells[cell] >> 6) >> (cells[cell] & 63) & 1


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
    read: Callable[[Any], tuple[int, ...]] = no_ints
    for place in range(count):
        read = with_int(read, field_reader(place))

    def planes_of_width(s: State, player: int) -> tuple[int, ...]:
        return read(given(s, player))

    return planes_of_width


# The engines.


def step(memory: Any, streams: Any, observed: Any, arrays: Arrays) -> int:
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
        if not begin and not (0 <= number < actions and observed[all_masks + n * actions + number]):
            return n
    for n in range(games):
        past = past_of(memory, n)
        observed[ended + n] = observed[ended + games + n] = 0
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
            if not begin and observed[ended + n] == 0 and observed[ended + games + n] == 0:
                observed[ended + n if loser >= 0 or over(s) else ended + games + n] = 1
                if loser >= 0:
                    for other in range(players):
                        rewards[n * players + other] = -1 if other == loser else 1
                elif over(s):
                    for other in range(players):
                        rewards[n * players + other] = payoff(s, other)
                gained[n] = rewards[n * players + seats[n]]
                final = observed[all_final + n * size : all_final + (n + 1) * size].reshape(
                    (count, cell_count)
                )
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
        write_mask(observed[all_masks + n * actions : all_masks + (n + 1) * actions], s)
        write_planes(observed[n * size : (n + 1) * size].reshape((count, cell_count)), s, player, cells)
    return -1


def side_of(player: int, seat: int) -> int:
    """From whose side a final observation is: in self-play of who would be to move."""
    return player if player >= 0 else 0


def side_of_seat(player: int, seat: int) -> int:
    """`side_of` where an opponent plays the other seats."""
    return seat


def draw_actions(memory: Any, streams: Any, observed: Any) -> None:
    """Chooses a legal action of every game, each as likely."""
    games, actions = memory[GAMES], memory[ACTIONS]
    chosen = memory[HEADER + memory[CELLS] :]  # the first column
    masks = games * memory[PLANES] * memory[CELLS]
    streams[0] = streams[games + 1]
    for n in range(games):
        first = masks + n * actions
        legal = 0
        for number in range(actions):
            legal += observed[first + number]
        left = random_below(streams, legal)
        for number in range(actions):
            if observed[first + number]:
                if left == 0:
                    chosen[n] = number
                    break
                left -= 1
    streams[games + 1] = streams[0]


Bytes: TypeAlias = "NDArray[np.uint8]"
LONGEST, LONGEST_WITH_PAST = 10_000, 1_000
"""Plies after which a game is broken off, where nobody says; of games whose past matters, which is kept."""


class PinnedArray(np.ndarray):
    """An array that stays where it is: where its numbers lie is worked out once, not at every call of an
    engine, of which that is half the cost.
    """

    @cached_property
    def __array_interface__(self) -> dict[str, Any]:
        return super().__array_interface__


class VectorStep(NamedTuple):
    """Outcome of a step of all games.

    Attributes:
        observations: [games, planes, rows, columns] from the side of who is to move; of games that ended, of
            the next game
        masks: [games, actions] which are legal
        rewards: [games, players], or [games] against an opponent: the payoffs of games that ended, else 0
        terminated, truncated: [games] whether a game ended by its rules, or was broken off
        final_observations: as observations, of games that ended, against an opponent from one's own seat;
            what the others hold means nothing
    """

    observations: Bytes
    masks: Bytes
    rewards: IntArray
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    final_observations: Bytes


WHOLE = np.dtype(np.int64)


def _whole(actions: object) -> IntArray:
    """Return actions of another type as whole numbers; 1.7 is none. Raises IllegalMove."""
    found = np.asarray(actions)
    if found.dtype.kind not in "iub" or found.ndim != 1:
        raise IllegalMove(message("actions are whole numbers, one for each game"))
    return found.astype(np.int64)


class VectorGames:
    """Games of one kind side by side.

    Attributes:
        game: whose rules they follow
        size: how many there are
        turn: [games] who is to move
    """

    def __init__(
        self,
        game: str | Game,
        size: int,
        *,
        opponent: str | Player | None = None,
        seat: int | None = None,
        max_plies: int | None = None,
        copy: bool = True,
    ) -> None:
        """Prepare the games.

        Args:
            game: a game, or as it is written on the command line
            size: how many games
            opponent: the agent that plays all seats but one; None: the caller moves for all
            seat: the caller's seat against an opponent; None: another in each game
            max_plies: plies after which a game is broken off
            copy: whether what comes back is the caller's own, or arrays that the next step writes anew

        Raises UnknownName, BadInput, Unsuitable, and Uncompilable where the rules cannot be compiled.
        """
        self.game = game_named(game)
        self.size, self.opponent, self.seat, self.copy = index(size), opponent, seat, copy
        require(size > 0, _("{n} games: there is at least one", n=size))
        require(max_plies is None or max_plies > 0, _("max_plies={n}: it is at least 1", n=max_plies))
        require_seat(self.game, seat, opponent is not None)
        require_agreement(self.game)
        self._lay_out(max_plies or (LONGEST_WITH_PAST if self.game.has_past else LONGEST))
        self._arrays: tuple[Any, ...] = ()
        bound = bindings(self.game)
        if opponent is None:
            bound |= {FIRST_AGENT.choose: nobody}
        else:
            player = player_named(self.game, opponent)
            kernel = player.kernel(jit=True) if player.compiles and not player.learns else None
            if kernel is None:
                raise Unsuitable(
                    message(
                        "{agent} does not play in compiled code, or learns: many games side by side take such"
                        " an agent as no opponent; one environment of damier.interop.gymnasium does",
                        agent=player.text,
                    )
                )
            self._arrays = kernel.arrays
            bound |= {
                is_own: is_at_seat,
                side_of: side_of_seat,
            }
            bound |= FIRST_AGENT.bound_to(kernel)
        self._step = instantiate(step, self.game, jit=True, bind=bound)
        self._draw = instantiate(draw_actions, self.game, jit=True)
        self._begun = False

    def _lay_out(self, limit: int) -> None:
        game, size, layout = self.game, self.size, self.game.plane_layout
        cells, words = np.array(layout.bits_of_cells), game.key_words
        room = limit + 2 if game.has_past else 0
        of_past = room * words + room + 3 if game.has_past else 0
        header = HEADER + len(cells)
        columns = COLUMNS + game.players + words + of_past
        self._memory = np.zeros(header + columns * size + words, np.int64).view(PinnedArray)
        facts = (size, game.actions, len(layout.names), len(cells), limit, game.players)
        memory = self._memory.view(np.ndarray)
        memory[: len(facts)] = facts
        memory[SWAP] = self.opponent is not None and self.seat is None
        memory[ROOM] = room
        memory[HEADER:header] = cells
        self._streams = np.zeros(size + 2, np.uint64).view(PinnedArray)
        self._chosen, self.turn, _plies, self._seats, self._gained = (
            memory[header + number * size :][:size] for number in range(COLUMNS)
        )
        begin = header + COLUMNS * size
        self._rewards = memory[begin : begin + size * game.players].reshape(size, game.players)
        codes = begin + size * game.players
        self._codes = memory[codes : codes + size * words].reshape(size, words)
        memory[codes + size * words :][:words] = words_of_key(game, game.start)
        planes, actions = len(layout.names) * len(cells), game.actions
        self._observed = np.zeros(size * (2 * planes + actions + 2), np.uint8).view(PinnedArray)
        observed = self._observed.view(np.ndarray)
        shape = (size, *layout.shape)
        parts = np.split(observed, np.cumsum([planes, actions, planes, 1]) * size)
        self._observations, self._masks = parts[0].reshape(shape), parts[1].reshape(size, actions)
        self._parts = (
            self._observations,
            self._masks,
            self._rewards if self.opponent is None else self._gained,
            parts[3].view(np.bool_),
            parts[4].view(np.bool_),
            parts[2].reshape(shape),
        )

    @property
    def seats(self) -> IntArray:
        """Return the caller's seat in each game against an opponent."""
        return self._seats.copy()

    def reset(self, seed: int = 0) -> tuple[Bytes, Bytes]:
        """Begin all games; the same seed gives the same dice and opponents. Of a seed 64 bits count.

        Returns observations and masks.
        """
        seed = index(seed)
        self._memory[SEED] = (seed + (1 << 63)) % (1 << 64) - (1 << 63)
        self._streams[-1] = np.uint64(seed * 2 + 1 & (1 << 63) - 1)
        if self.opponent is not None:
            self._seats[:] = self.seat if self.seat is not None else np.arange(self.size) % self.game.players
        self._memory[BEGIN] = 1
        self._run()
        self._memory[BEGIN], self._begun = 0, True
        observations, masks = self._observations, self._masks
        return (observations.copy(), masks.copy()) if self.copy else (observations, masks)

    def step(self, actions: Sequence[int] | NDArray[np.integer[Any]]) -> VectorStep:
        """Play an action in every game.

        Raises IllegalMove, which names the first game whose action is not legal, and for what are no whole
        numbers; nothing is played then.
        """
        self._require_begun()
        if len(actions) != self.size:
            raise IllegalMove(
                message("{n} actions for {size} games: one for each", n=len(actions), size=self.size)
            )
        is_whole = getattr(actions, "dtype", None) is WHOLE and getattr(actions, "ndim", None) == 1
        self._chosen[:] = actions if is_whole else _whole(actions)
        self._run()
        return VectorStep._make(map(np.ndarray.copy, self._parts) if self.copy else self._parts)

    def random_actions(self) -> IntArray:
        """Return a legal action for every game, each as likely. Raises IllegalMove before `reset`."""
        self._require_begun()
        self._draw(self._memory, self._streams, self._observed)
        return self._chosen.copy()

    def states(self) -> list[State]:
        """Return the position of every game."""
        keys = [tuple(map(int, words)) for words in self._codes]
        return [self.game.unkey(k[0] if len(k) == 1 else k) for k in keys]

    def _require_begun(self) -> None:
        if not self._begun:
            raise IllegalMove(message("the games have not begun: call reset first"))

    def _run(self) -> None:
        wrong = self._step(self._memory, self._streams, self._observed, self._arrays)
        if wrong == NEVER_MOVES:
            if self.opponent is None:
                raise Unsuitable(message("{game}: nobody ever decides anything", game=self.game.text))
            raise Unsuitable(
                message(
                    "{game}: whoever plays against {agent} never gets to move",
                    game=self.game.text,
                    agent=str(self.opponent),
                )
            )
        if wrong >= 0:
            legal = " ".join(map(str, np.flatnonzero(self._masks[wrong])[:40]))
            raise IllegalMove(
                message(
                    "game {n}: action {action} is not legal; legal are {legal}",
                    n=wrong,
                    action=int(self._chosen[wrong]),
                    legal=legal,
                )
            )
