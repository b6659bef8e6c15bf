"""Three men's morris on cells 0 to 8: place three men each ("4"), then slide them ("14"); a row wins."""

from collections import namedtuple

from damier import ONGOING, Game, Grid, popcount, position_of

State = namedtuple("State", "mine theirs mover")  # men of the mover and of the other, cell 0 in bit 0


def three_mens_morris(diagonals: bool = True) -> Game:
    """A slide goes to a free neighbour in its row or column; with `diagonals`, also centre to corner."""
    names = ("0 1 2 3 4 5 6 7 8 01 12 34 45 67 78 03 36 14 47 25 58" + " 04 48 24 46" * diagonals).split()
    steps = tuple(sum(1 << int(cell) for cell in name) for name in names)  # the cells that a move changes

    def moves(s: State) -> int:
        men = min(popcount(s.mine) + 1, 3)  # after the move
        return sum([1 << i for i, t in enumerate(steps) if not s.theirs & t and popcount(s.mine ^ t) == men])

    def play(s: State, move: int) -> State:
        return State(s.theirs, s.mine ^ steps[position_of(move)], 1 - s.mover)

    def outcome(s: State) -> int:
        return -1 if s.theirs in (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124) else ONGOING

    def grid(s: State) -> Grid:
        mine, theirs = "XO" if s.mover == 0 else "OX"
        return Grid.of(3, 3, {mine: s.mine, theirs: s.theirs}, {"X": "cross", "O": "ring"})

    words = {"name_move": lambda s, m: names[position_of(m)], "grid": grid}
    return Game("three_mens_morris", State(0, 0, 0), moves, play, outcome, **words)
