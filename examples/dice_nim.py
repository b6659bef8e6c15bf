"""Nim with a die: throw it, then take at most as many matches as it shows; who takes the last one wins."""

from collections import namedtuple

from damier import CHANCE, Game, position_of

State = namedtuple("State", "matches die mover")  # die: what it shows, 0 before it is thrown


def dice_nim(matches: int = 12, faces: int = 3) -> Game:
    def moves(s: State) -> int:
        return (1 << (min(s.die, s.matches) if s.die else faces)) - 1

    def play(s: State, move: int) -> State:
        n = position_of(move) + 1
        return State(s.matches - n, 0, 1 - s.mover) if s.die else State(s.matches, n, s.mover)

    def mover(s: State) -> int:
        return s.mover if s.die else CHANCE

    def payoff(s: State, player: int) -> int:
        return -1 if player == s.mover else 1  # the other has taken the last match

    def name_move(s: State, move: int) -> str:
        return ("take" if s.die else "die") + str(position_of(move) + 1)

    chance = {"mover": mover, "chance": lambda s, move: 1.0}  # a fair die
    rules = {"over": lambda s: s.matches == 0, "payoff": payoff, "name_move": name_move, **chance}
    return Game("dice_nim", State(matches, 0, 0), moves, play, **rules)
