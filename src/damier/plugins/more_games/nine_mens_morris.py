"""Nine men's morris: place nine men each, then slide them; three in a line, a *mill*, take a man.

Points are numbered row by row from the top left, as players name them from a7 to g1; point p is bit
p of a set of men:

    7   0-----------1-----------2
    6   |   3-------4-------5   |
    5   |   |   6---7---8   |   |
    4   9--10--11      12--13--14      a move is goal + 1 | start + 1 << 5 | taken + 1 << 10,
    3   |   |  15--16--17   |   |      0 for no start (placed from the hand), 0 for no man taken
    2   |  18------19------20   |
    1  21----------22----------23
        a   b   c   d   e   f   g

Who closes a mill takes one man, even where he closes two; a man in a mill only if all are in mills.
Who has three men left moves them anywhere (with `flying`). Who has two left, or no move, has lost.
The game is a draw if nobody errs (R. Gasser, 1996 [Gasser96]).
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

from damier.core.bits import popcount, position_of
from damier.core.board import Points, read_rows, written_rows
from damier.core.game import Game, require
from damier.core.moves import each
from damier.core.rules import ONGOING
from damier.core.words import N_, _, printable

MEN = 9
"""Number of men that each player has."""
FEW = 3
"""With so many men one flies; with fewer one has lost."""
PIECES, MOVERS = ("W", "B"), ("white", "black")
NAMES = (
    *("a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4"),
    *("e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1"),
)
MILLS = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11), (12, 13, 14), (15, 16, 17), (18, 19, 20), (21, 22, 23)),
    *((0, 9, 21), (3, 10, 18), (6, 11, 15), (1, 4, 7), (16, 19, 22), (8, 12, 17), (5, 13, 20), (2, 14, 23)),
)
POINTS = len(NAMES)
BOARD = (1 << POINTS) - 1
LINES = tuple(sum(1 << point for point in mill) for mill in MILLS)
PARTNERS = tuple(  # of every point: the two other points of each of its two mills
    tuple(line ^ 1 << point for line in LINES if line >> point & 1) for point in range(POINTS)
)
BESIDE = tuple(  # of every point: its neighbours along the lines
    sum(
        1 << other
        for mill in MILLS
        for other in mill
        if point in mill and abs(mill.index(other) - mill.index(point)) == 1
    )
    for point in range(POINTS)
)
START, TAKEN = 5, 10
"""The first bits of where a man comes from and of who is taken."""
PART = 31


class MorrisState(NamedTuple):
    white: int  # men on the board
    black: int
    hand: int  # men that are still to be placed, of both players
    mover: int


def nine_mens_morris(flying: bool = True) -> Game:
    """With `flying`, who has only three men left may move them to any free point."""

    def moves(s: MorrisState, found: list[int]) -> None:
        mine, theirs = (s.white, s.black) if s.mover == 0 else (s.black, s.white)
        free = BOARD & ~(mine | theirs)
        takes = takeable(theirs)
        if s.hand:
            arrive(mine, free, 0, takes, found)
            return
        flies = flying and popcount(mine) <= FEW
        for man in each(mine):
            point = position_of(man)
            goals = free if flies else free & BESIDE[point]
            arrive(mine ^ man, goals, point + 1 << START, takes, found)

    def arrive(mine: int, goals: int, start: int, takes: int, found: list[int]) -> None:
        """Moves to these points, with each man that they may take."""
        for goal in each(goals):
            point = position_of(goal)
            move = point + 1 | start
            if closes(mine, point):
                for man in each(takes):
                    found.append(move | position_of(man) + 1 << TAKEN)
            else:
                found.append(move)

    def closes(mine: int, point: int) -> bool:
        """Return whether a man on this point makes a mill."""
        one, other = PARTNERS[point]
        return mine & one == one or mine & other == other

    def takeable(theirs: int) -> int:
        """The men outside of mills, or all if there is none."""
        in_mills = 0
        for line in LINES:
            if theirs & line == line:
                in_mills |= line
        outside = theirs & ~in_mills
        return outside if outside else theirs

    def play(s: MorrisState, move: int) -> MorrisState:
        goal, start, taken = move & PART, move >> START & PART, move >> TAKEN
        changed = 1 << goal - 1
        if start:
            changed |= 1 << start - 1
        gone = 1 << taken - 1 if taken else 0
        hand = s.hand if start else s.hand - 1
        if s.mover == 0:
            return MorrisState(s.white ^ changed, s.black ^ gone, hand, 1)
        return MorrisState(s.white ^ gone, s.black ^ changed, hand, 0)

    def outcome(s: MorrisState) -> int:
        mine = s.white if s.mover == 0 else s.black
        men = popcount(mine)
        if s.hand:
            return ONGOING  # nine men close too few mills to leave another with two so early
        if men < FEW:
            return -1
        if flying and men == FEW:
            return ONGOING
        return ONGOING if can_step(mine, BOARD & ~(s.white | s.black)) else -1

    def can_step(mine: int, free: int) -> bool:
        for man in each(mine):  # noqa: SIM110  compiled
            if BESIDE[position_of(man)] & free:
                return True
        return False

    def men(s: MorrisState) -> int:
        """White's men less Black's, on the board and in hand."""
        return popcount(s.white) + s.hand // 2 - popcount(s.black) - (s.hand + 1) // 2

    def mills(s: MorrisState) -> int:
        """White's mills less Black's."""
        lead = 0
        for line in LINES:
            lead += (s.white & line == line) - (s.black & line == line)
        return lead

    def steps(s: MorrisState) -> int:
        """The steps along lines that White's men can go, less those of Black's."""
        free, lead = BOARD & ~(s.white | s.black), 0
        for point in range(POINTS):
            beside = popcount(BESIDE[point] & free)
            lead += beside * ((s.white >> point & 1) - (s.black >> point & 1))
        return lead

    def name_move(s: MorrisState, move: int) -> str:
        goal, start, taken = move & PART, move >> START & PART, move >> TAKEN
        came = f"{NAMES[start - 1]}-" if start else ""
        return came + NAMES[goal - 1] + (f"x{NAMES[taken - 1]}" if taken else "")

    def place(s: MorrisState, move: int) -> tuple[int, ...]:
        """From where, to where, and who is taken."""
        parts = (move >> START & PART, move & PART, move >> TAKEN)
        return tuple(part - 1 for part in parts if part)

    def grid(s: MorrisState) -> Points:
        return Points.of(
            SPOTS,
            dict(zip(PIECES, (s.white, s.black), strict=True)),
            MILLS,
            {"W": "light", "B": "dark"},
            tuple("abcdefg"),
            tuple("7654321"),
        )

    def write_position(s: MorrisState) -> str:
        return f"{written_rows(grid(s).rows, MOVERS[s.mover])} {s.hand}"

    return Game(
        "nine_mens_morris",
        MorrisState(0, 0, 2 * MEN, 0),
        moves,
        play,
        outcome,
        bits=(POINTS, POINTS, 5, 1),
        states=2
        * (2 * MEN + 1)
        * sum(comb(POINTS, n) * comb(POINTS - n, m) for n in range(MEN + 1) for m in range(MEN + 1)),
        features={"men": men, "mills": mills, "steps": steps},
        name_move=name_move,
        grid=grid,
        place=place,
        write_position=write_position,
        read_position=read_morris,
        sides=(N_("White"), N_("Black")),
        title=N_("Nine men's morris"),
        summary=N_("Place nine men, slide them, and take with every mill"),
        description=N_(
            "Place your nine men on free points, by turns; then move one along a line to the next point."
            " Three men in a line are a mill: who closes one takes a man of the other. Who has two men left,"
            " or cannot move, loses."
        ),
    )


def read_morris(text: str) -> MorrisState:
    """A position that is written as its rows, who moves, and how many men both have in hand
    together. Raises BadInput.
    """
    words = text.split()
    require(
        len(words) == 3 and words[2].isascii() and words[2].isdigit() and len(words[2]) <= 2,
        _(
            "{text}: a position is its rows joined by /, who moves, and how many men are in hand",
            text=printable(text, 80),
        ),
    )
    rows = words[0].split("/")
    lengths = [len(row) for row in rows]
    require(
        lengths == [3, 3, 3, 6, 3, 3, 3],
        _("rows of {found} points; the board has rows of 3, 3, 3, 6, 3, 3 and 3", found=lengths),
    )
    board = "".join(rows)
    (white, black), mover = read_rows(f"{board} {words[1]}", POINTS, 1, PIECES, MOVERS)
    s = MorrisState(white, black, int(words[2]), mover)
    _require_men(s)
    return s


def _require_men(s: MorrisState) -> None:
    """Raises BadInput where so many men cannot be on the board and in hand."""
    require(s.hand <= 2 * MEN, _("{n} men in hand; there are at most {most}", n=s.hand, most=2 * MEN))
    require(
        s.hand == 0 or s.mover == s.hand & 1,
        _("with {n} men in hand it is the turn of {mover}", n=s.hand, mover=MOVERS[s.hand & 1]),
    )
    placed = (MEN - s.hand // 2, MEN - (s.hand + 1) // 2)
    for player, men in enumerate((popcount(s.white), popcount(s.black))):
        most, taken = placed[player], placed[player] - men
        require(
            men <= most,
            _("men of {player}: {n}; at most {most} are placed", n=men, player=MOVERS[player], most=most),
        )
        few = FEW - 1 if player == s.mover else FEW
        require(
            taken <= max(0, placed[1 - player] - 2) if s.hand else men >= few,
            _("men of {player}: {n}; so many cannot be gone", n=men, player=MOVERS[player]),
        )


SPOTS = tuple(("abcdefg".index(name[0]), 7 - int(name[1])) for name in NAMES)
"""Places of the points, the columns from a to g and the rows from 7 to 1."""
