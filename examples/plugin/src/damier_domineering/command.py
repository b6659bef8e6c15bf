"""A command: its parameters are arguments and options, as in any command of damier."""

from damier import load


def dominoes(width: int = 5, height: int = 5) -> None:
    """how many dominoes each player can place first"""
    start = load(f"domineering:width={width},height={height}").position()
    print(len(start.moves), len(start.play(start.moves[0]).moves))
