"""Hex: two players join two opposite edges each; nobody can draw.

The first player joins top and bottom, the second left and right. Cells are numbered row by row from
the top left, each row half a cell further right than the row above; cell c is bit c of a set of
stones and of a set of moves, and c has up to six neighbours:

    0 1 2           c - 3   c - 2
     3 4 5        c - 1   c   c + 1
      6 7 8         c + 2   c + 3

With `swap`, the second player may answer the first stone by taking its place as if it were his: the
stone changes its colour and lies mirrored, as seen from his own edges. That is the bit after those
of the cells.

A full board has one winner (J. F. Nash), and the first player wins where nobody may swap; which
first stones win is known for small boards (R. Hayward et al., 2004 [Hayward04]).

>>> from damier import load
>>> print(load("hex:size=3").position().play("b2", "c1"))
  a b c
1  . . O
 2  . X .
  3  . . .
X (dark) joins top and bottom, O (light) left and right
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import NamedTuple

from damier.core.bits import bit, lowest, popcount, position_of, reversed_bits
from damier.core.board import Hexagons, read_rows, require_alternation, written_rows
from damier.core.encoding import OTHER, OWN, PlaneLayout
from damier.core.game import Game, require
from damier.core.rules import ONGOING, loss_in, win_in
from damier.core.words import N_, _

LARGEST = 19
SEARCHED = 6
"""The largest board whose moves are ordered with care."""
LETTERS = "abcdefghijklmnopqrs"
SWAP = "swap"
PIECES = ("X", "O")


class HexState(NamedTuple):
    first: int  # stones of the player who joins top and bottom
    second: int  # stones of the player who joins left and right
    mover: int


def hex(size: int = 11, swap: bool = False) -> Game:
    """Hex: who joins his two edges of a board of `size` by `size` wins; with `swap`, the second player
    may take over the first stone.
    """
    require(1 <= size <= LARGEST, _("hex: size={size}; it is from 1 to {most}", size=size, most=LARGEST))
    cells = size * size
    board = (1 << cells) - 1
    top, left = (1 << size) - 1, sum(1 << row * size for row in range(size))
    bottom, right = top << cells - size, left << size - 1
    with_neighbours, joined_to, chained_to = chains_of(size)
    taken_over = 1 << cells  # the move
    diagonal = size - 1
    central = tuple(  # how near each cell is to the middle
        2 * size - abs(2 * row - diagonal) - abs(2 * column - diagonal)
        for row in range(size)
        for column in range(size)
    )

    def moves(s: HexState) -> int:
        free = board & ~(s.first | s.second)
        return free | taken_over if may_take_over(s) else free

    def may_take_over(s: HexState) -> bool:
        return swap and s.mover == 1 and s.second == 0

    def play(s: HexState, move: int) -> HexState:
        if s.mover == 0:
            return HexState(s.first | move, s.second, 1)
        if swap and move == taken_over:
            return HexState(0, mirrored(s.first), 0)
        return HexState(s.first, s.second | move, 0)

    def mirrored(stone: int) -> int:
        """One stone, its row and its column exchanged."""
        cell = position_of(stone)
        return bit(cell % size * size + cell // size)

    def outcome(s: HexState) -> int:
        stones = s.first if s.mover == 1 else s.second
        return -1 if joins(stones, 1 - s.mover) else ONGOING

    def joins(stones: int, player: int) -> bool:
        """Return whether the stones of a player go from edge to edge."""
        if player == 0:
            return joined_to(top, stones) & bottom != 0
        return joined_to(left, stones) & right != 0

    def mover(s: HexState) -> int:
        return s.mover

    def ply(s: HexState) -> int:
        stones = popcount(s.first | s.second)
        return stones + (stones & 1 ^ s.mover)  # taking over adds no stone

    def winning(stones: int, others: int, edge: int, opposite: int) -> int:
        """The free cells that would join these stones to both edges."""
        beside_one = edge | with_neighbours(joined_to(edge, stones))
        beside_other = opposite | with_neighbours(joined_to(opposite, stones))
        return beside_one & beside_other & board & ~(stones | others)

    def winning_cells(s: HexState, player: int) -> int:
        if player == 0:
            return winning(s.first, s.second, top, bottom)
        return winning(s.second, s.first, left, right)

    def non_losing_moves(s: HexState) -> int:
        """All moves, or the one that takes the only cell on which the opponent would win."""
        threatened = winning_cells(s, 1 - s.mover)
        if threatened == 0 or may_take_over(s):
            return moves(s)
        kept = winning_cells(s, s.mover)
        return kept | threatened if threatened & (threatened - 1) == 0 else kept

    def bounds(s: HexState) -> tuple[int, int]:
        """Nobody wins before he has the stones that he lacks; and a chain that cannot be cut wins as
        soon as all its bridges are filled.
        """
        if winning_cells(s, s.mover):
            return win_in(1), win_in(1)
        if non_losing_moves(s) == 0:
            return loss_in(2), loss_in(2)
        if may_take_over(s):
            return loss_in(2), win_in(3)
        mine, theirs = lacking_of(s, s.mover), lacking_of(s, 1 - s.mover)
        least, most = loss_in(2 * theirs), win_in(2 * mine - 1)
        bridges = uncut(s, 1 - s.mover)
        if bridges:
            return least, loss_in(2 * bridges)
        more = one_short(s, s.mover)
        return win_in(2 * more - 1) if more else least, most

    def uncut(s: HexState, player: int) -> int:
        """Return how many bridges the chain from edge to edge has that the opponent cannot cut; 0 where
        there is none.
        """
        stones = s.first if player == 0 else s.second
        free = board & ~(s.first | s.second)
        edge, opposite = (top, bottom) if player == 0 else (left, right)
        begin, end = chained_to(edge, stones, free, 4 if player == 0 else 2), joined_to(opposite, stones)
        if begin.stones & end:
            return begin.bridges
        far = chained_to(opposite, stones, free & ~begin.between, 1 if player == 0 else 5)
        return begin.bridges + far.bridges if begin.stones & far.stones else 0

    def one_short(s: HexState, player: int) -> int:
        """Return how many stones make such a chain from edge to edge with one more stone, that one
        included; 0 where none is found.
        """
        stones = s.first if player == 0 else s.second
        free = board & ~(s.first | s.second)
        edge, opposite = (top, bottom) if player == 0 else (left, right)
        begin = chained_to(edge, stones, free, 4 if player == 0 else 2)
        end = chained_to(opposite, stones, free & ~begin.between, 1 if player == 0 else 5)
        left_over = free & ~(begin.between | end.between)
        near = edge | with_neighbours(begin.stones)
        far = opposite | with_neighbours(end.stones)
        return begin.bridges + end.bridges + 1 if near & far & left_over else 0

    def move_score(s: HexState, move: int) -> int:
        """The stones that the opponent then lacks more than the mover, on a board that can be
        searched to its end; then how near the middle.
        """
        if move == taken_over:
            return 0
        if size > SEARCHED:
            return central[position_of(move)]
        after = play(s, move)
        lead = lacking_of(after, 1 - s.mover) - lacking_of(after, s.mover)
        return 4 * size * lead + central[position_of(move)]

    def lacking(stones: int, others: int, edge: int, opposite: int) -> int:
        """Return how many stones an edge is away from the other at least."""
        open_cells, reached, count = board & ~others, joined_to(edge, stones), 0
        while reached & opposite == 0:
            if count > cells:
                return count  # shut off
            step = (edge | with_neighbours(reached)) & open_cells
            reached = joined_to(step, stones | step)
            count += 1
        return count

    def lacking_of(s: HexState, player: int) -> int:
        if player == 0:
            return lacking(s.first, s.second, top, bottom)
        return lacking(s.second, s.first, left, right)

    def path(s: HexState) -> int:
        """Return how many stones fewer the first player lacks than the second."""
        return lacking_of(s, 1) - lacking_of(s, 0)

    def planes(s: HexState, player: int) -> tuple[int, ...]:
        none = s.first & ~s.first
        if player == 0:
            return s.first, s.second, board | none
        return s.second, s.first, none

    def turn(s: HexState, symmetry: int) -> HexState:
        """The board as it is seen from the other end."""
        if symmetry == 0:
            return s
        return HexState(reversed_bits(s.first, cells), reversed_bits(s.second, cells), s.mover)

    def turn_move(move: int, symmetry: int) -> int:
        return move if symmetry == 0 or move == taken_over else reversed_bits(move, cells)

    def name_move(s: HexState, move: int) -> str:
        if move == taken_over:
            return SWAP
        row, column = divmod(position_of(move), size)
        return f"{LETTERS[column]}{row + 1}"

    def place(s: HexState, move: int) -> tuple[int, ...]:
        return (position_of(s.first if move == taken_over else move),)

    def grid(s: HexState) -> Hexagons:
        return Hexagons.rhombus(
            size,
            size,
            dict(zip(PIECES, (s.first, s.second), strict=True)),
            {"X": "dark", "O": "light"},
            tuple(LETTERS[:size]),
            tuple(str(row + 1) for row in range(size)),
            edges=PIECES,
            caption=_("X (dark) joins top and bottom, O (light) left and right"),
        )

    def write_position(s: HexState) -> str:
        return written_rows(grid(s).rows, PIECES[s.mover])

    def read_position(text: str) -> HexState:
        (first, second), player = read_rows(text, size, size, PIECES, PIECES)
        s = HexState(first, second, player)
        if not (swap and second and popcount(second) - popcount(first) == 1 - player):
            require_alternation(popcount(first), popcount(second), player)
        mine, theirs = (first, second) if player == 0 else (second, first)
        require(
            not joins(mine, player),
            _("{piece} has joined his edges, and is to move: the game was over before", piece=PIECES[player]),
        )
        require(
            not joins(theirs, 1 - player)
            or any(not joins(theirs ^ bit(cell), 1 - player) for cell in range(cells) if theirs >> cell & 1),
            _("{piece} has joined his edges twice: the game was over before", piece=PIECES[1 - player]),
        )
        return s

    return Game(
        "hex",
        HexState(0, 0, 0),
        moves,
        play,
        outcome,
        mover=mover,
        ply=ply,
        bits=(cells, cells, 1),
        most_moves=cells + swap,
        symmetries=2 if size > 1 else 1,
        turn=turn,
        turn_move=turn_move,
        move_score=move_score,
        non_losing_moves=non_losing_moves,
        bounds=bounds,
        planes=planes,
        plane_layout=PlaneLayout(size, size, (OWN, OTHER, N_("all, where own edges are top and bottom"))),
        actions=cells + swap,
        features={"path": path},
        evaluation="path",
        states=(1 + swap)
        * sum(comb(cells, stones) * comb(stones, stones // 2) for stones in range(cells + 1)),
        name_move=name_move,
        grid=grid,
        place=place,
        write_position=write_position,
        read_position=read_position,
        sides=(N_("Black"), N_("White")),
        title=N_("Hex"),
        summary=N_("Join your two edges of a board of hexagons"),
        description=N_(
            "Put a stone on a free cell, by turns. The first player joins top and bottom by a chain of"
            " stones, the second left and right. Somebody always does: nobody can draw."
        ),
    )


# Chains of Hex that nobody can cut: stones side by side, or joined by *bridges*.
#
# Two stones with two free cells between them are as good as joined: who takes one of the two cells is
# answered on the other. So is a stone in the second row with the edge. A chain whose bridges share no
# cell wins, although the opponent is to move (virtual connections: V. V. Anshelevich, 2002
# [Anshelevich02]).


class Chain(NamedTuple):
    """Cells that are joined to an edge by a chain that nobody can cut."""

    stones: int
    between: int  # the free cells of its bridges
    bridges: int


def chains_of(
    size: int,
) -> tuple[Callable[[int], int], Callable[[int, int], int], Callable[[int, int, int, int], Chain]]:
    """Return with_neighbours, joined_to and chained_to of one size of board, whose cells are bits, row by row
    from the top left. A set of cells may come back with bits beyond the board: all that calls it masks.
    """
    board = (1 << size * size) - 1
    left = sum(1 << row * size for row in range(size))
    not_left, not_right = board ^ left, board ^ left << size - 1
    diagonal = size - 1

    def shifted(stones: int, direction: int) -> int:
        """The cells beside these in one of six directions, clockwise from the right."""
        if direction == 0:
            return (stones & not_right) << 1
        if direction == 1:
            return stones << size & board
        if direction == 2:
            return (stones & not_left) << diagonal & board
        if direction == 3:
            return (stones & not_left) >> 1
        if direction == 4:
            return stones >> size
        return (stones & not_right) >> diagonal

    def with_neighbours(stones: int) -> int:
        """These cells and all beside them."""
        to_right, to_left = stones & not_right, stones & not_left
        beside = to_right << 1 | to_right >> diagonal | to_left >> 1 | to_left << diagonal
        return stones | (beside | stones << size | stones >> size) & board

    def joined_to(edge: int, stones: int) -> int:
        """The stones that lie side by side from an edge on."""
        reached, grown = 0, stones & edge
        while grown != reached:
            reached = grown
            grown = with_neighbours(reached) & stones
        return reached

    def chained_to(edge: int, stones: int, free: int, first: int) -> Chain:
        """Return what bridges join to an edge, one bridge at a time; `first` is the direction towards the
        edge of the first of the two cells between it and a stone.
        """
        reached, between, bridges = joined_to(edge, stones), 0, 0
        found = True
        while found:
            found = False
            open_cells = free & ~between
            on_edge = open_cells & edge
            second = (first + 1) % 6
            near = shifted(on_edge, (first + 3) % 6) & shifted(on_edge, (first + 4) % 6) & stones & ~reached
            if near:
                stone = lowest(near)
                between |= shifted(stone, first) | shifted(stone, second)
                reached, bridges, found = joined_to(reached | stone, stones), bridges + 1, True
            else:
                for one in range(6):
                    other = (one + 1) % 6
                    by_one = shifted(shifted(reached, one) & open_cells, other)
                    by_other = shifted(shifted(reached, other) & open_cells, one)
                    far = by_one & by_other & stones & ~reached
                    if far:
                        stone = lowest(far)
                        between |= shifted(stone, (one + 3) % 6) | shifted(stone, (other + 3) % 6)
                        reached, bridges, found = joined_to(reached | stone, stones), bridges + 1, True
                        break
        return Chain(reached, between, bridges)

    return with_neighbours, joined_to, chained_to
