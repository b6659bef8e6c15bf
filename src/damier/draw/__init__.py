"""Positions as text and as pictures, with what every move leads to; importing this teaches
`Position` to draw itself.
"""

from damier.core.game import Position
from damier.draw.board import board_block, board_svg
from damier.draw.text import MoveMark, board_text, legend, move_marks

Position.text = board_text

__all__ = ["MoveMark", "board_block", "board_svg", "board_text", "legend", "move_marks"]
