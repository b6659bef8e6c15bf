"""The river (Alcuin of York, about 800), a puzzle for one: ferry a wolf, a goat and a cabbage across; the boat holds you and one of them.

Left alone, the wolf eats the goat, and the goat the cabbage. Each crossing costs 1; after `most` of them the boat sinks, at a cost of 100.
"""

from collections import namedtuple

from damier import Game, position_of

State = namedtuple("State", "across crossings")  # who is across, as a set: wolf 1, goat 2, cabbage 4, you 8
NAMES = ("alone", "wolf", "goat", "cabbage")


def river(most: int = 12) -> Game:
    def moves(s: State) -> int:
        beside = s.across if s.across >= 8 else 15 - s.across  # who is on your bank, and you
        return sum([move for move in (1, 2, 4, 8) if (move == 1 or beside & move >> 1) and beside ^ 8 ^ move >> 1 not in (3, 6, 7)])

    def play(s: State, move: int) -> State:
        return State(s.across ^ 8 ^ move >> 1, s.crossings + 1)

    def over(s: State) -> bool:
        return s.across == 15 or s.crossings == most

    def payoff(s: State, player: int) -> int:
        return -s.crossings if s.across == 15 else -100

    return Game("river", State(0, 0), moves, play, over=over, payoff=payoff, mover=lambda s: 0, players=1, name_move=lambda s, m: NAMES[position_of(m)])
