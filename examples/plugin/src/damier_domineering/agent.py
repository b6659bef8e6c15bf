"""An agent that plays any game where one wants moves left."""


class SafeMoves:
    """leaves the opponent as few moves as it can"""

    def __init__(self, first: bool = True):
        self.first = first  # whether it takes the first of equals, or the last

    def play(self, position):
        moves = position.moves if self.first else position.moves[::-1]
        return min(moves, key=lambda move: len(position.play(move).moves))
