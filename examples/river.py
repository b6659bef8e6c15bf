"""The river (Alcuin, about 800), a puzzle for one: ferry wolf, goat and cabbage across, one at a time.

Wolves left alone eat goats, and goats cabbages. Each crossing costs 1, a boat sunk after `most` of them 100.
"""

from collections import namedtuple

from damier import Game, position_of

State = namedtuple("State", "across crossings")  # who is across, as a set: wolf 1, goat 2, cabbage 4, you 8
NAMES = ("alone", "wolf", "goat", "cabbage")


def river(most: int = 12) -> Game:
    def moves(s: State) -> int:
        beside = s.across if s.across >= 8 else 15 - s.across  # who is on your bank, and you
        safe = [m for m in (1, 2, 4, 8) if beside ^ 8 ^ m >> 1 not in (3, 6, 7)]
        return sum([m for m in safe if m == 1 or beside & m >> 1])

    def play(s: State, move: int) -> State:
        return State(s.across ^ 8 ^ move >> 1, s.crossings + 1)

    def over(s: State) -> bool:
        return s.across == 15 or s.crossings == most

    def payoff(s: State, player: int) -> int:
        return -s.crossings if s.across == 15 else -100

    rules = {"over": over, "payoff": payoff, "mover": lambda s: 0, "players": 1}
    return Game("river", State(0, 0), moves, play, name_move=lambda s, m: NAMES[position_of(m)], **rules)
