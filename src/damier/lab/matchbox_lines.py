"""Every game that a machine of matchboxes can still play: how many of them it loses, and how often it
is beaten by somebody who knows all its boxes. Counted in fractions; no game is tried out.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from damier.core.matchbox import Matchbox
from damier.core.position import Position
from damier.core.requirements import NO_CHANCE, require
from damier.lab.matchbox_play import MachineBoxes
from damier.learn.memory import Memory


class PossibleGames(NamedTuple):
    """What can follow a position.

    total   lines of play to the end of the game: any move of the opponent, any bead of the machine
    lost    those of them that the machine loses
    drawn   those that are draws
    beaten  how likely the machine loses if its opponent knows its boxes and wants nothing but to win:
            the most that any opponent can get, since the machine draws its beads blindly
    """

    total: int
    lost: int
    drawn: int
    beaten: Fraction


class MachineLines:
    """The lines of one machine that knows this and sits at `seat`, from 0. No position of its game may
    come back: its lines would have no end.

    Raises Unsuitable for a game with dice.
    """

    def __init__(self, boxes: MachineBoxes, memory: Memory, seat: int) -> None:
        require(boxes.lab.game, "matchboxes", NO_CHANCE)
        self._boxes, self._seat = boxes, seat
        self._now = {box.number: box for box in boxes.boxes(memory)}
        self._known: dict[Position, PossibleGames] = {}

    def of(self, position: Position) -> PossibleGames:
        """What can follow a position."""
        if position not in self._known:
            self._known[position] = self._found(position)
        return self._known[position]

    def best_replies(self, position: Position) -> tuple[str, ...]:
        """The moves of the opponent after which the machine is beaten most often."""
        after = {move: self.of(position.play(move)).beaten for move in position.moves}
        most = max(after.values())
        return tuple(move for move, beaten in after.items() if beaten == most)

    def _found(self, position: Position) -> PossibleGames:
        if position.payoffs is not None:
            payoff = position.payoffs[self._seat]
            return PossibleGames(1, int(payoff < 0), int(payoff == 0), Fraction(int(payoff < 0)))
        if position.mover != self._seat:
            replies = [self.of(position.play(move)) for move in position.moves]
            return PossibleGames(*_counts(replies), max(reply.beaten for reply in replies))
        box = self._boxes.first_box_of(position)
        if box is None:  # there is no choice, so there is no box
            return self.of(position.play(position.moves[0]))
        return self._drawn_from(self._now[box.number])

    def _drawn_from(self, box: Matchbox) -> PossibleGames:
        """What follows the beads of a box, on the board as its label shows it: turned or mirrored it is
        the same game. An empty box gives the game up.
        """
        if not box.total:
            return PossibleGames(1, 1, 0, Fraction(1))
        label = box.position
        drawn = [
            (beads, self.of(label.play(label.game.name_move(label.state, move))))
            for move, beads in box.beads.items()
            if beads
        ]
        beaten = sum((Fraction(beads, box.total) * lines.beaten for beads, lines in drawn), Fraction(0))
        return PossibleGames(*_counts([lines for _beads, lines in drawn]), beaten)


def _counts(lines: list[PossibleGames]) -> tuple[int, int, int]:
    return (
        sum(each.total for each in lines),
        sum(each.lost for each in lines),
        sum(each.drawn for each in lines),
    )
