"""Draughts: English (checkers), on which Samuel's and Schaeffer's programs learned and won [Samuel59]
[Schaeffer07], and international on 10 × 10.

Squares are numbered as in the field, 1 at the top left, Black above; `draughts_rules` draws their
bits. English draughts: Black begins. International: White begins.

>>> from damier import load
>>> position = load("draughts").position()
>>> position.moves
('9-13', '10-14', '11-15', '12-16', '9-14', '10-15', '11-16')
>>> position.play("11-15", "22-18").moves
('15x22',)
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice

from damier.core.bits import each, lowest, nth_bit, popcount, position_of, reversed_bits
from damier.core.board import Grid
from damier.core.encoding import PlaneLayout
from damier.core.errors import BadFile, BadInput
from damier.core.game import Game, Position
from damier.core.hooks import Endgames, Slice
from damier.core.words import N_, message, printable
from damier.games.draughts_rules import (
    FIELD,
    SQUARES,
    DarkSquares,
    DraughtsState,
    Variant,
    draws_on,
    english,
    international,
    jumpers,
    paths,
)


def draughts(variant: Variant = "english") -> Game:
    """Jump over the other's pieces to take them; who cannot move loses."""
    is_english, squares = variant == "english", SQUARES[variant]
    rules = english(squares) if is_english else international(squares)
    draws = draws_on(squares)
    half, width, board, black = squares.half, 2 * squares.half, squares.board, squares.black
    crown, other_crown = squares.crown

    def for_first(s: DraughtsState, lead: int) -> int:
        return lead if s.mover == 0 else -lead

    def men(s: DraughtsState) -> int:
        """Men of the player who began less those of the other."""
        return for_first(s, popcount(s.mine & ~s.kings) - popcount(s.theirs & ~s.kings))

    def kings(s: DraughtsState) -> int:
        """Kings of the player who began less those of the other."""
        return for_first(s, popcount(s.mine & s.kings) - popcount(s.theirs & s.kings))

    def back_rank(s: DraughtsState) -> int:
        """Men that still guard the row on which the other's would become kings."""
        first = s.mine if s.mover == 0 else s.theirs
        second = s.theirs if s.mover == 0 else s.mine
        return popcount(first & ~s.kings & other_crown) - popcount(second & ~s.kings & crown)

    def mobility(s: DraughtsState) -> int:
        """Steps that the pieces of the player who began have room for, less those of the other."""
        return for_first(s, steps(s.mine, s, s.mover == black) - steps(s.theirs, s, s.mover != black))

    def steps(pieces: int, s: DraughtsState, are_black: bool) -> int:
        free, kings, count = board & ~(s.mine | s.theirs), pieces & s.kings, 0
        for step in (half, half + 1):
            count += popcount((pieces if are_black else kings) & free >> step)
            count += popcount((kings if are_black else pieces) & free << step)
        return count

    def reward(s: DraughtsState, move: int) -> int:
        """Pieces taken."""
        return popcount(move >> 12)

    def path(s: DraughtsState, move: int) -> tuple[int, ...]:
        """The numbers of the squares on which a piece stands during a move."""
        way = next(paths(squares, s, move))
        return tuple(squares.number_of(place) for place in way)

    def name_move(s: DraughtsState, move: int) -> str:
        return ("x" if squares.parts(move).taken else "-").join(map(str, path(s, move)))

    def place(s: DraughtsState, move: int) -> tuple[int, ...]:
        return tuple(squares.cell_of(number) for number in path(s, move))

    names = {squares.cell_of(number): str(number) for number in range(1, squares.numbers + 1)}
    numbers = tuple(names.get(cell, "") for cell in range(width * width))
    lines = tuple(f"{row * half + 1}-{row * half + half}" for row in range(width))

    def grid(s: DraughtsState) -> Grid:
        marks = ["." if number else " " for number in numbers]
        blacks, whites = (s.mine, s.theirs) if s.mover == black else (s.theirs, s.mine)
        for pieces, mark in (
            (blacks & ~s.kings, "b"),
            (whites & ~s.kings, "w"),
            (blacks & s.kings, "B"),
            (whites & s.kings, "W"),
        ):
            for number in squares.numbers_of(pieces):
                marks[squares.cell_of(number)] = mark
        rows = tuple("".join(marks[row * width : (row + 1) * width]) for row in range(width))
        return Grid(
            rows,
            {"b": "dark", "w": "light", "B": "dark_king", "W": "light_king"},
            lines=lines,
            numbers=numbers,
        )

    def planes(s: DraughtsState, player: int) -> tuple[int, int, int, int]:
        """The board turned so that own men go up."""
        own, other = (s.mine, s.theirs) if s.mover == player else (s.theirs, s.mine)
        kings = s.kings
        if player == black:
            own, other = reversed_bits(own, squares.bits), reversed_bits(other, squares.bits)
            kings = reversed_bits(kings, squares.bits)
        return own & ~kings, own & kings, other & ~kings, other & kings

    def write_position(s: DraughtsState) -> str:
        return written_fen(squares, s)

    def read_position(text: str) -> DraughtsState:
        return read_fen(squares, text)

    return Game(
        "draughts",
        DraughtsState(*squares.men, 0, 0, 0),
        rules.moves,
        rules.play,
        rules.outcome,
        with_past=draws.with_past,
        irreversible=draws.irreversible,
        reward=reward,
        move_score=reward,
        threatened=rules.threatened,
        evaluation="men+1.5*kings+0.08*back_rank+0.02*mobility",
        bits=(squares.bits, squares.bits, squares.bits, 1, 1),
        planes=planes,
        plane_layout=PlaneLayout(
            width,
            width,
            (N_("own men"), N_("own kings"), N_("the other's men"), N_("the other's kings")),
            tuple(squares.bit_of(int(number)) if number else 2 * half for number in numbers),
        ),
        features={"men": men, "kings": kings, "back_rank": back_rank, "mobility": mobility},
        explanations={
            "men": N_("men, of who began less those of the other"),
            "kings": N_("kings, of who began less those of the other"),
            "back_rank": N_("men that still guard the row on which the other's would become kings"),
            "mobility": N_("steps that the pieces have room for"),
        },
        states=2 * 5**squares.numbers,
        name_move=name_move,
        grid=grid,
        place=place,
        write_position=write_position,
        read_position=read_position,
        endgames=endgames_on(squares),
        sides=(N_("Black"), N_("White")) if is_english else (N_("White"), N_("Black")),
        title=N_("Draughts"),
        summary=N_("Draughts: jump over the other's pieces to take them"),
        description=(
            N_(
                "A man moves one square diagonally ahead; a king, which it becomes on the far row, also"
                " back. Jump over a piece of the other onto the free square behind it to take it, and go on"
                " as long as you can; who can take must. Who cannot move has lost. The third time of one"
                " position is a draw, and so are 40 moves of each side with kings alone that take nothing."
            )
            if is_english
            else N_(
                "A man moves one square diagonally ahead and takes in all directions; a king, which it"
                " becomes where a move ends on the far row, goes and takes any distance. Jump over pieces of"
                " the other onto a free square behind to take them: as many as you can, you must. Who cannot"
                " move has lost. The third time of one position is a draw, and so are 25 moves of each side"
                " with kings alone that take nothing (of three kings against one 16, of fewer 5)."
            )
        ),
    )


# A position of draughts in the notation of PDN (Adrian Millett, "Portable Draughts Notation" [MillettPdn]):
# who moves, then each side with the numbers of its squares, `K` before those of kings.
#
#     B:W18,24,27,28,K10:B12,16,20

COLOURS = "BW"
LONGEST = 1000
"""The most characters in a position: 40 pieces need 160."""


def written_fen(squares: DarkSquares, s: DraughtsState) -> str:
    """A position."""
    black_moves = s.mover == squares.black
    black, white = (s.mine, s.theirs) if black_moves else (s.theirs, s.mine)
    written = [
        colour
        + ",".join(
            ("K" if piece & s.kings else "") + str(squares.number_of(position_of(piece)))
            for piece in each(pieces)
        )
        for colour, pieces in (("W", white), ("B", black))
    ]
    return ":".join(["B" if black_moves else "W", *written])


def read_fen(squares: DarkSquares, text: str) -> DraughtsState:
    """The position that is written so. Raises BadInput, which says what is wrong and where."""
    parts = text.strip().removesuffix(".").split(":")
    if len(text) > LONGEST or len(parts) != 3 or parts[0] not in tuple(COLOURS):
        raise _not_a_position(text)
    sides = {part[:1]: part[1:] for part in parts[1:]}
    if set(sides) != set(COLOURS):
        raise _not_a_position(text)
    black, black_kings = _read_side(squares, squares.black, sides["B"])
    white, white_kings = _read_side(squares, 1 - squares.black, sides["W"])
    if black & white:
        raise BadInput(
            message("square {n} holds a piece of each colour", n=squares.numbers_of(black & white)[0])
        )
    kings = black_kings | white_kings
    if parts[0] == "B":
        return DraughtsState(black, white, kings, squares.black, 0)
    return DraughtsState(white, black, kings, 1 - squares.black, 0)


def _read_side(squares: DarkSquares, player: int, written: str) -> tuple[int, int]:
    """The pieces of a player, and those of them that are kings."""
    pieces = kings = 0
    for word in written.split(",") if written.strip() else ():
        match = re.fullmatch(r"(K?)([0-9]{1,2})(?:-([0-9]{1,2}))?", word.strip())
        first, last = (int(match[2]), int(match[3] or match[2])) if match else (0, 0)
        if not match or not 1 <= first <= last <= squares.numbers:
            raise BadInput(
                message(
                    "{word} is no square of a position: they are numbered from 1 to {n}, K before a king",
                    word=printable(word.strip(), 20) or "''",
                    n=squares.numbers,
                )
            )
        for number in range(first, last + 1):
            piece = 1 << squares.bit_of(number)
            if pieces & piece:
                raise BadInput(message("square {n} is given twice", n=number))
            pieces |= piece
            kings |= piece if match[1] else 0
    _check_side(squares, player, pieces, kings)
    return pieces, kings


def _check_side(squares: DarkSquares, player: int, pieces: int, kings: int) -> None:
    """No more pieces than at the start, and no man where it would be a king."""
    most = squares.men[player].bit_count()
    if pieces.bit_count() > most:
        raise BadInput(
            message("{n} pieces of one colour; each side starts with {most}", n=pieces.bit_count(), most=most)
        )
    uncrowned = squares.numbers_of(pieces & squares.crown[player] & ~kings)
    if uncrowned:
        raise BadInput(
            message("square {n} holds a man on the far row, which would be a king", n=uncrowned[0])
        )


def _not_a_position(text: str) -> BadInput:
    return BadInput(
        message(
            "{text}: a position of draughts is written like B:W18,24,K10:B12,16, who moves first",
            text=printable(text, 60),
        )
    )


# The slices of draughts: the same men and kings on both sides, whoever is to move (Jonathan Schaeffer
# and others, "Checkers is solved", 2007 [Schaeffer07]).
#
# A slice is KM-K: first the side with more men (of equals, more kings). Its number has four digits to
# the base MOST + 1: men and kings of that side, men and kings of the other. A position is numbered as
# its mover sees it, the board turned so that his men move up: by the men of both sides, each where a
# man can stand, then by the kings on what is left. Where the sides differ, even places have the first
# to move, odd ones the other. What is drawn by what was before has no place.

MOST = 6
"""Pieces of the largest slice that has a number."""
DIGIT = MOST + 1


def endgames_on(squares: DarkSquares) -> Endgames[DraughtsState]:
    """The slices on these squares; with un-moves where kings go one step."""
    half, bits, board, black = squares.half, squares.bits, squares.board, squares.black
    for_men, for_foes = board & ~squares.crown[black], board & ~squares.crown[1 - black]
    room = popcount(for_men)

    def slice_of(s: DraughtsState) -> int:
        men, foes = s.mine & ~s.kings, s.theirs & ~s.kings
        if s.drawn or s.mine == 0 or s.theirs == 0 or popcount(s.mine | s.theirs) > MOST:
            return -1
        ours = popcount(men) * DIGIT + popcount(s.mine & s.kings)
        others = popcount(foes) * DIGIT + popcount(s.theirs & s.kings)
        return max(ours, others) * DIGIT * DIGIT + min(ours, others)

    def place_of(s: DraughtsState) -> int:
        if s.mine == 0:
            return -1
        mine, theirs, crowned = s.mine, s.theirs, s.kings
        if s.mover != black:
            mine, theirs, crowned = turned(mine), turned(theirs), turned(crowned)
        men, kings = mine & ~crowned, mine & crowned
        foes, others = theirs & ~crowned, theirs & crowned
        free = board & ~(men | foes)
        number = number_of_placement(men, for_men)
        number = number * choose(room, popcount(foes)) + number_of_placement(foes, for_foes)
        number = number * choose(popcount(free), popcount(kings)) + number_of_placement(kings, free)
        free &= ~kings
        number = number * choose(popcount(free), popcount(others)) + number_of_placement(others, free)
        first = popcount(men) * DIGIT + popcount(kings)
        second = popcount(foes) * DIGIT + popcount(others)
        return number if first == second else 2 * number + (first < second)

    def turned(pieces: int) -> int:
        return reversed_bits(pieces, bits)

    def state_at(slice: int, place: int) -> DraughtsState:
        """No pieces at all where men of both sides would share a square."""
        first, second = slice // (DIGIT * DIGIT), slice % (DIGIT * DIGIT)
        if first != second:
            if place & 1:
                first, second = second, first
            place >>= 1
        a, b, x, d = first // DIGIT, first % DIGIT, second // DIGIT, second % DIGIT
        left = popcount(board) - a - x
        ways_d, ways_b, ways_x = choose(left - b, d), choose(left, b), choose(room, x)
        others_at, place = place % ways_d, place // ways_d
        kings_at, place = place % ways_b, place // ways_b
        men = placement(place // ways_x, a, for_men)
        foes = placement(place % ways_x, x, for_foes)
        if men & foes:
            return DraughtsState(0, 0, 0, black, 0)
        free = board & ~(men | foes)
        kings = placement(kings_at, b, free)
        others = placement(others_at, d, free & ~kings)
        return DraughtsState(men | kings, foes | others, kings | others, black, 0)

    def unmoves(s: DraughtsState, found: list[int]) -> None:
        """Steps of the other player, who had nothing to take before."""
        free, kings = board & ~(s.mine | s.theirs), s.theirs & s.kings
        up = s.theirs if s.mover != black else kings
        down = kings if s.mover != black else s.theirs
        for step in (half, half + 1):
            left = up & free << step
            while left:
                goal = lowest(left)
                left ^= goal
                take_back(s, goal, goal >> step, free, found)
            left = down & free >> step
            while left:
                goal = lowest(left)
                left ^= goal
                take_back(s, goal, goal << step, free, found)

    def take_back(s: DraughtsState, goal: int, start: int, free: int, found: list[int]) -> None:
        """Notes the way of a piece from `start` to `goal`, if it was free to go it."""
        pieces, free = s.theirs ^ goal ^ start, free ^ goal ^ start
        kings = pieces & (s.kings | start if goal & s.kings else s.kings)
        up = pieces if s.mover != black else kings
        down = kings if s.mover != black else pieces
        if jumpers(s.mine, free, up, down, half) == 0:
            found.append(position_of(start) | position_of(goal) << 6)

    def unplay(s: DraughtsState, unmove: int) -> DraughtsState:
        start, goal = 1 << (unmove & FIELD), 1 << (unmove >> 6)
        kings = s.kings ^ goal ^ start if s.kings & goal else s.kings
        return DraughtsState(s.theirs ^ goal ^ start, s.mine, kings, 1 - s.mover, 0)

    def stages(pieces: int) -> list[list[Slice]]:
        return [
            slices_with(number, men, squares.numbers, room)
            for number in range(2, pieces + 1)
            for men in range(number + 1)
        ]

    return Endgames(
        stages,
        slice_of,
        place_of,
        state_at,
        None if squares.flying else unmoves,
        None if squares.flying else unplay,
        most_pieces=MOST,
    )


def slices_with(pieces: int, men: int, cells: int, room: int) -> list[Slice]:
    """The slices with so many pieces, so many of them men: no move leads from one to another."""
    found = []
    for a in range(men, -1, -1):
        for b in range(pieces - men, -1, -1):
            x, d = men - a, pieces - men - b
            first, second = a * DIGIT + b, x * DIGIT + d
            if first >= second > 0:
                left = cells - a - x
                ways = choose(room, a) * choose(room, x) * choose(left, b) * choose(left - b, d)
                places = ways if first == second else 2 * ways
                name = f"{'K' * b}{'M' * a}-{'K' * d}{'M' * x}"
                found.append(Slice(first * DIGIT * DIGIT + second, name, places))
    return found


# Numbers for the ways to place equal pieces: the combinatorial number system (D. E. Knuth, The Art of
# Computer Programming, volume 4A [Knuth4], section 7.2.1.3).
#
# k pieces on the free cells c1 < c2 < … < ck, counted from 0, have the number
# C(c1, 1) + C(c2, 2) + … + C(ck, k): all numbers below C(cells, k), each once.


def choose(n: int, k: int) -> int:
    """Return how many ways there are to choose k of n things. (Divisions by constants are quick.)

    >>> [choose(32, k) for k in range(7)]
    [1, 32, 496, 4960, 35960, 201376, 906192]
    """
    if k < 2:
        return n if k else 1
    if k == 2:
        return n * (n - 1) >> 1
    if k == 3:
        return n * (n - 1) * (n - 2) // 6
    ways, left, number = n * (n - 1) * (n - 2) * (n - 3) // 24, n - 4, 5
    while number <= k:
        ways = ways * left // number
        left, number = left - 1, number + 1
    return ways


def number_of_placement(pieces: int, free: int) -> int:
    """The number of a set of `pieces` among those of its size on the cells `free`.

    >>> [number_of_placement(pieces, 0b1110) for pieces in (0b0110, 0b1010, 0b1100)]
    [0, 1, 2]
    """
    total, k = 0, 1
    while pieces:
        piece = lowest(pieces)
        pieces ^= piece
        total += choose(popcount(free & piece - 1), k)
        k += 1
    return total


def placement(number: int, k: int, free: int) -> int:
    """The set of k pieces on the cells `free` that has this number.

    >>> [bin(placement(number, 2, 0b1110)) for number in range(3)]
    ['0b110', '0b1010', '0b1100']
    """
    pieces, cell = 0, popcount(free)
    while k > 0:
        cell = number if k == 1 else cell - 1
        while choose(cell, k) > number:
            cell -= 1
        number -= choose(cell, k)
        pieces |= nth_bit(free, cell)
        k -= 1
    return pieces


# Games of draughts as PDN text, written and read (Adrian Millett, "Portable Draughts Notation"
# [MillettPdn]): tags in brackets, numbered moves, a result.
#
# A capture may be written with every square on which the piece lands, `22x15x8`, with some of them,
# or with start and goal alone where no other capture has the same: `22x8`. Comments, variations and
# glyphs are read over; a `*` behind a move marks it, one by itself is the result.
#
# >>> game = read_pdn('[Event "a lesson"] 1. 11-15 22-18 2. 15x22 25x18 *')[0]
# >>> game.variant, game.moves, game.result
# ('english', ('11-15', '22-18', '15x22', '25x18'), '*')
# >>> print(write_pdn(game))
# [Event "a lesson"]
# [GameType "21"]
# [Result "*"]
# <BLANKLINE>
# 1. 11-15 22-18 2. 15x22 25x18 *

LONGEST_TEXT, MOST_MOVES = 2_000_000, 2_000
"""Bounds of a file: characters in all, and moves in each game."""

MOST_PATHS = 1_000
"""Number of ways of one move that are compared with one that is written."""

GAME_TYPES: dict[Variant, str] = {"english": "21", "international": "20"}
TOKEN = re.compile(
    r"""\s+ | \{[^}]*\} | ;[^\n]* | \$[0-9]+ | [0-9]+\.+ | (?P<open>\() | (?P<close>\))
    | \[ \s* (?P<tag>\w+) \s* "(?P<value>(?:[^"\\\n]|\\.)*)" \s* \]
    | (?P<result> 1/2-1/2 | [012]-[012](?![0-9]) | \* )
    | (?P<move> [0-9]{1,2} (?:[-x:][0-9]{1,2})+ ) [!?+\#*]*""",
    re.VERBOSE,
)
ESCAPED = re.compile(r"\\(.)")
RESULTS = {"1-0": "1-0", "2-0": "1-0", "0-1": "0-1", "0-2": "0-1", "1-1": "1/2-1/2", "0-0": "1/2-1/2"}


@dataclass(frozen=True)
class PdnGame:
    """A game of a file: `tags` as they stand there, moves in damier's own words, and the result:
    `1-0` (White has won), `0-1`, `1/2-1/2`, or `*` where it is open.
    """

    variant: Variant = "english"
    tags: Mapping[str, str] = field(default_factory=dict)
    moves: tuple[str, ...] = ()
    result: str = "*"

    @property
    def start(self) -> Position:
        """The position before the first move. Raises BadInput for an impossible one."""
        game = _game_of(self.variant)
        fen = self.tags.get("FEN")
        return (
            Position(game, game.read_position(fen))
            if fen is not None and game.read_position
            else game.position()
        )

    @property
    def end(self) -> Position:
        return self.start.play(*self.moves)


@cache
def _game_of(variant: Variant) -> Game:
    """The rules of a variant."""
    return draughts(variant)


def write_pdn(game: PdnGame) -> str:
    """A game as PDN; what its moves and its variant say overrides its tags."""
    tags = {**game.tags, "GameType": GAME_TYPES[game.variant], "Result": game.result}
    lines = [f'[{name} "{_quotable(value)}"]' for name, value in tags.items()]
    second = game.start.mover == 1  # the first move is that of the player who moves second from the start
    words = [
        f"{(ply + 1 + second) // 2}. {move}" if (ply + second) % 2 else f"{move}"
        for ply, move in enumerate(game.moves, 1)
    ]
    if second and words:
        words[0] = f"1... {game.moves[0]}"
    movetext = textwrap.fill(
        " ".join([*words, game.result]), 79, break_on_hyphens=False, break_long_words=False
    )
    return "\n".join([*lines, "", movetext])


def read_pdn(text: str, variant: Variant = "english") -> list[PdnGame]:
    """The games of a text, every move checked; `variant` is that of games that do not say theirs.

    Raises BadFile, which says in which game, and at which move, something is wrong.
    """
    if len(text) > LONGEST_TEXT:
        raise BadFile(message("a PDN file of {n} characters; at most {most}", n=len(text), most=LONGEST_TEXT))
    games = []
    for number, (tags, moves, result) in enumerate(_parts(text), 1):
        try:
            games.append(_checked(tags, moves, result, variant))
        except BadInput as error:
            raise BadFile(message("game {n}: {error}", n=number, error=error)) from None
    return games


def read_move(position: Position, text: str) -> str:
    """The full name of a legal move that is written short, or with a path of its own.

    Raises IllegalMove, or BadInput where several captures fit.

    >>> from damier import load
    >>> read_move(load("draughts").position(), "11-15")
    '11-15'
    """
    squares = re.split("[-x:]", text)
    fitting = [
        name
        for name, move in position.named_moves.items()
        if any(_goes_through(way, squares) for way in _ways(position, move))
    ]
    if len(fitting) > 1:
        raise BadInput(message("{move} may be any of {moves}", move=text, moves=" ".join(fitting)))
    return fitting[0] if fitting else _refused(position, text)


def _refused(position: Position, text: str) -> str:
    position.read(text)
    return text


def _ways(position: Position, move: int) -> Iterator[list[str]]:
    """The paths of a move, as the numbers of squares."""
    squares = next(squares for squares in SQUARES.values() if squares.bits == position.game.bits[0])
    s = DraughtsState(*position.state)
    for way in islice(paths(squares, s, move), MOST_PATHS):
        yield [str(squares.number_of(place)) for place in way]


def _goes_through(way: Sequence[str], squares: Sequence[str]) -> bool:
    """Return whether `squares` are the start of a path, some of its landing squares in order, its goal."""
    if (way[0], way[-1]) != (squares[0], squares[-1]):
        return False
    rest = iter(way[1:-1])
    return all(square in rest for square in squares[1:-1])


def _parts(text: str) -> Iterator[tuple[dict[str, str], list[str], str]]:
    """Tags, moves and result of each game, unchecked."""
    tags: dict[str, str] = {}
    moves: list[str] = []
    depth, at = 0, len(text) - len(text.removeprefix("\ufeff"))
    while at < len(text):
        token = TOKEN.match(text, at)
        if not token:
            line = text.count("\n", 0, at) + 1
            raise BadFile(
                message("line {n}: {text} is no PDN", n=line, text=printable(text[at : at + 20], 40))
            )
        at = token.end()
        depth += bool(token["open"]) - bool(token["close"])
        if depth < 0:
            raise BadFile(
                message("line {n}: a variation ends that has not begun", n=text.count("\n", 0, at) + 1)
            )
        if depth > 0:
            continue
        if token["tag"]:
            if moves:
                yield tags, moves, "*"
                tags, moves = {}, []
            tags[token["tag"]] = ESCAPED.sub(r"\1", token["value"])
        elif token["move"]:
            moves.append(token["move"])
        elif token["result"]:
            yield tags, moves, RESULTS.get(token["result"], token["result"])
            tags, moves = {}, []
    if depth:
        raise BadFile(message("a variation begins that never ends"))
    if tags or moves:
        yield tags, moves, "*"


def _checked(tags: dict[str, str], moves: Sequence[str], result: str, variant: Variant) -> PdnGame:
    """A game with its moves in full. Raises BadInput."""
    type_ = tags.get("GameType", GAME_TYPES[variant]).split(",")[0].strip()
    known = {number: name for name, number in GAME_TYPES.items()}
    if type_ not in known:
        raise BadInput(message("GameType {type}; damier plays 20 and 21", type=printable(type_, 20)))
    if len(moves) > MOST_MOVES:
        raise BadInput(message("{n} moves; at most {most}", n=len(moves), most=MOST_MOVES))
    game = PdnGame(known[type_], tags, (), result)
    position = game.start
    names: list[str] = []
    for number, written in enumerate(moves, 1):
        try:
            names.append(read_move(position, written))
        except BadInput as error:
            raise BadInput(message("move {number}: {error}", number=number, error=error)) from None
        position = position.play(names[-1])
    return PdnGame(game.variant, tags, tuple(names), result)


def _quotable(value: str) -> str:
    """The value of a tag on one line, so that it is read back."""
    return printable(" ".join(value.split()), 200).replace("\\", "\\\\").replace('"', "'")
