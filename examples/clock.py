"""The clock: its hand starts at 12. In turn, move it on by at most `most` hours, to an hour still new to it.

Who cannot move loses. A move is written as the hour where the hand arrives.
"""

from collections import namedtuple

from damier import ONGOING, Game, Grid, position_of

State = namedtuple("State", "seen hand mover")  # the hours where the hand has been, 12 in bit 0; where it is


def clock(hours: int = 12, most: int = 3) -> Game:
    def moves(s: State) -> int:
        ahead = (s.seen | s.seen << hours) >> s.hand + 1  # the next hour in bit 0
        return ~ahead & (1 << most) - 1

    def play(s: State, move: int) -> State:
        hour = (s.hand + 1 + position_of(move)) % hours
        return State(s.seen | 1 << hour, hour, 1 - s.mover)

    def outcome(s: State) -> int:
        return ONGOING if moves(s) else -1

    def grid(s: State) -> Grid:
        row = "".join("O" if hour == s.hand else "x" if s.seen >> hour & 1 else "." for hour in range(hours))
        return Grid((row,), {"O": "light", "x": "dark"}, tuple(str(hour or hours) for hour in range(hours)))

    words = {"name_move": lambda s, m: str(play(s, m).hand or hours), "grid": grid}
    return Game("clock", State(1, 0, 0), moves, play, outcome, **words)
