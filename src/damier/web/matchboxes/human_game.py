"""One game of a machine of matchboxes with a person, move by move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from damier.core.diagram import Matchbox
from damier.core.errors import BadInput, IllegalMove
from damier.core.loop import MatchSetup
from damier.core.rules import CHANCE
from damier.core.words import _, message
from damier.lab.agents import brought
from damier.lab.matchboxes import PLIES, MachineGame, copied
from damier.learn.action_values import Memory
from damier.learn.training import Training
from damier.web.matchboxes.boxes import BoxSet, Known, Result
from damier.web.matchboxes.played import Bulk, Entry


class Decision(NamedTuple):
    """A bead that was drawn, or an empty box.

    box     as it was before
    drawn   the move on its label that the bead stands for, 0 where the box is empty
    chosen  the move that was played on the board, by its name
    """

    box: Matchbox
    drawn: int
    chosen: str


class Change(NamedTuple):
    """A box before a game was learnt from, and after."""

    before: Matchbox
    after: Matchbox
    drawn: int


class HumanGame:
    """One game of a machine with a person, move by move.

    The machine draws the beads that the loop of all games would let it draw.
    """

    def __init__(self, box_set: BoxSet, known: Known, seed: int) -> None:
        self.box_set, self.before = box_set, known
        self.game, self.number = box_set.lab.game, known.games
        self.seat = box_set.seat(self.number)
        self.position = self.game.position()
        self.moves: list[str] = []
        self.back: int | None = None  # moves before the person's last one
        self.decisions: list[Decision] = []
        self.resigned = False
        self.forced = False  # whether the machine's last move needed no box
        self._played = MachineGame(box_set, known.memory, seed, self.number)
        self.memory = self._played.memory

    @property
    def over(self) -> bool:
        return self.resigned or self.position.over or len(self.moves) >= PLIES

    @property
    def waits_for_person(self) -> bool:
        """Whether it is the person's turn."""
        return not self.over and self.position.mover not in (CHANCE, self.seat)

    @property
    def payoff(self) -> int:
        """What the game was worth to the machine: above 0 a win, below a loss."""
        if self.resigned:
            return -1
        return self.position.payoffs[self.seat] if self.position.payoffs else 0

    def follow(self, moves: Sequence[str]) -> None:
        """Plays what was played.

        Raises IllegalMove, also for a move of the machine's that it does not draw.
        """
        for number, name in enumerate(moves, 1):
            try:
                self._follow_one(name)
            except IllegalMove as error:
                raise IllegalMove(message("move {number}: {error}", number=number, error=error)) from None

    def _follow_one(self, name: str) -> None:
        if self.waits_for_person or self.over:
            move = self.position.read(name)
            self.back = len(self.moves)
            self._play(self.position.game.name_move(self.position.state, move))
        elif (drawn := self.draw()) != name:
            raise IllegalMove(
                message(
                    "{move}: that is not what is drawn here, which is {drawn}",
                    move=name,
                    drawn=drawn or _("no bead: the box is empty"),
                )
            )

    def draw(self) -> str:
        """Draws for the machine, or for chance, and plays the move; an empty text where the machine
        gives up.
        """
        if self.position.mover == CHANCE:
            move = self._played.sample_chance(self.position.state)
        else:
            move = self._decide()
        if move == 0:
            self.resigned = True
            return ""
        name = self.game.name_move(self.position.state, move)
        self._play(name)
        return name

    def _decide(self) -> int:
        """The move of a bead; the decision is noted, unless there is no box where there is no
        choice.
        """
        bead = self._played.draw(self.position.state)
        box, self.forced = self.box, bead.is_forced
        if box is not None and not bead.is_forced:
            chosen = self.game.name_move(self.position.state, bead.move) if bead.move else ""
            self.decisions.append(Decision(box, bead.label, chosen))
        return bead.move

    @property
    def box(self) -> Matchbox | None:
        """The box of the position on the board, as it is now."""
        return self.box_set.box_of(self.position, self.memory)

    @property
    def drawing(self) -> bool:
        """Whether a bead, or a die, is to be drawn now."""
        return not self.over and not self.waits_for_person

    def _play(self, name: str) -> None:
        self.position = self.position.play(name)
        self.moves.append(name)

    def learn(self) -> list[Change]:
        """Ends the game: the machine puts beads in or takes them out.

        Returns the boxes that were drawn from, the first one first.
        """
        drawn = [decision for decision in self.decisions if decision.drawn]
        before = {box.number: box for box in self.box_set.opened(self.memory)}
        self._played.learn(self.payoff)
        after = {box.number: box for box in self.box_set.opened(self.memory)}
        return [Change(before[d.box.number], after[d.box.number], d.drawn) for d in drawn]

    @property
    def known(self) -> Known:
        """What the machine knows once it has learnt."""
        result = Result("", int(self.payoff > 0), int(self.payoff == 0), int(self.payoff < 0))
        return Known(copied(self.memory), (*self.before.results, result))


# What a machine of matchboxes knows after some games: these are played again, by the code that
# trains.
#
# It depends on the seed and the games alone, so that a page keeps the list of games, and nothing
# else. What was found is kept for a while, so that the next step is quick.

KEPT = 60
"""Tables that are kept, each with the list of games that led to it."""
SWAPS = {"1": 0, "alternate": 1, "2": 2}
"""How the loop of all games calls the seats of a machine."""


def after(box_set: BoxSet, seed: int, played: Sequence[Entry]) -> Known:
    """What the machine knows after these games.

    Raises BadInput, IllegalMove where they cannot have been played so.
    """
    done = next(n for n in range(len(played), -1, -1) if n == 0 or (seed, tuple(played[:n])) in box_set.known)
    known = box_set.known.get((seed, tuple(played[:done])), Known(Memory(box_set.lab.game)))
    for place in range(done, len(played)):
        entry = played[place]
        known = (
            trained(box_set, known, seed, entry)
            if isinstance(entry, Bulk)
            else taught(box_set, known, seed, entry, place + 1)
        )
        box_set.known[seed, tuple(played[: place + 1])] = known
        if len(box_set.known) > KEPT:
            box_set.known.popitem(last=False)
    return known


def trained(box_set: BoxSet, known: Known, seed: int, bulk: Bulk) -> Known:
    """After many games in the loop, numbered on from those before."""
    learner = box_set.learner(copied(known.memory))
    opponent = learner.beside(learns=True) if bulk.opponent == "self" else brought(box_set.lab, bulk.opponent)
    training = Training(
        MatchSetup(box_set.lab.game, (learner, opponent), seed, SWAPS[box_set.machine.seat], PLIES),
        learner,
        known.games,
    )
    training.run(known.games + bulk.games, box_set.lab.job)
    blocks = training.curve.blocks
    result = Result(
        bulk.opponent,
        sum(b.wins for b in blocks),
        sum(b.draws for b in blocks),
        sum(b.losses for b in blocks),
    )
    return Known(copied(learner.memory), (*known.results, result))


def taught(box_set: BoxSet, known: Known, seed: int, moves: Sequence[str], place: int) -> Known:
    """After one game with a person."""
    human_game = HumanGame(box_set, known, seed)
    try:
        human_game.follow(moves)
        if human_game.drawing:  # nothing can be left to draw, but from an empty box
            human_game.draw()
    except IllegalMove as error:
        raise IllegalMove(message("game {place}: {error}", place=place, error=error)) from None
    if not human_game.over:
        raise BadInput(message("game {place} is not over", place=place))
    human_game.learn()
    return human_game.known
