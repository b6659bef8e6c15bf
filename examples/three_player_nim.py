"""Nim for three: take one or two matches; who takes the last one wins 2, and the others lose 1 each."""

from collections import namedtuple

from damier import Game, position_of

State = namedtuple("State", "matches mover")


def three_player_nim(matches: int = 10) -> Game:
    def moves(s: State) -> int:
        return 0b11 if s.matches > 1 else 0b01

    def play(s: State, move: int) -> State:
        return State(s.matches - 1 - position_of(move), (s.mover + 1) % 3)

    def over(s: State) -> bool:
        return s.matches == 0

    def payoff(s: State, player: int) -> int:
        return 2 if player == (s.mover + 2) % 3 else -1  # who moved last took the last match

    def name_move(s: State, move: int) -> str:
        return str(position_of(move) + 1)

    rules = {"over": over, "payoff": payoff, "players": 3, "name_move": name_move}
    return Game("three_player_nim", State(matches, 0), moves, play, **rules)
