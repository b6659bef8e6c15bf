"""The stag hunt (Jean-Jacques Rousseau, 1755), in turns: a stag together, or each a hare alone.

Each round the first hunter chooses, the second sees it and chooses. Both for the stag: 4 each; a hare
is worth 2; alone with the stag: 0.
"""

from collections import namedtuple

from damier import Game

State = namedtuple("State", "round first gain_1 gain_2 mover")  # first: what hunter 1 has chosen
STAG, HARE = 1, 2


def stag_hunt(rounds: int = 2) -> Game:
    def play(s: State, move: int) -> State:
        if s.mover == 0:
            return State(s.round, move, s.gain_1, s.gain_2, 1)
        first = 2 if s.first == HARE else 4 if move == STAG else 0
        second = 2 if move == HARE else 4 if s.first == STAG else 0
        return State(s.round + 1, 0, s.gain_1 + first, s.gain_2 + second, 0)

    def payoff(s: State, player: int) -> int:
        return s.gain_1 if player == 0 else s.gain_2

    def name_move(s: State, move: int) -> str:
        return "stag" if move == STAG else "hare"

    rules = {"over": lambda s: s.round == rounds, "payoff": payoff, "name_move": name_move}
    return Game("stag_hunt", State(0, 0, 0, 0, 0), lambda s: STAG | HARE, play, **rules)
