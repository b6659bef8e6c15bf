"""Commands of the documents for tests in which it does not matter how many games they play."""

from __future__ import annotations

import re


def of_fewer_games(command: str) -> str:
    """A command whose thousands of games are tens.

    >>> of_fewer_games("./tictactoe -t 1000 random rl -p 100000")
    './tictactoe -t 10 random rl -p 1000'
    """
    return re.sub(r"000\b", "0", command)
