"""One game of a machine of matchboxes with a person, move by move."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias
from urllib.parse import quote, unquote

from damier.core.diagram import Matchbox
from damier.core.errors import BadInput, IllegalMove, LimitReached
from damier.core.loop import MatchSetup
from damier.core.rules import CHANCE
from damier.core.words import FormattedNumber, _, message
from damier.draw.matchbox import Kinds, bead_svg, entries_of, heading_of, matchbox_svg, size_of_all
from damier.lab.agents import Lab, brought
from damier.lab.matchboxes import PLIES, Machine, MachineBoxes, MachineGame, MachineSize, copied
from damier.learn.action_values import Memory
from damier.learn.training import Training
from damier.web import pages
from damier.web.limits import LRU
from damier.web.params import LONGEST_NAME, MOST_MOVES

# The games that a machine has played, as text in an address: `4,0,8;1000*random` is a game of
# three moves, then a thousand against random.


OPPONENTS = ("random", "perfect", "self")
MOST_ENTRIES = 400
MOST_GAMES = 100_000
"""Games that a machine may play by itself, in all."""


class Bulk(NamedTuple):
    """Many games at once, against random, perfect play, or a machine of the same kind that uses the
    same boxes (`self`).
    """

    games: int
    opponent: str


Entry: TypeAlias = "Bulk | tuple[str, ...]"
"""A number of games at once, or the moves of one, both sides'."""


def read_played(text: str) -> list[Entry]:
    """The games in a text. Raises BadInput, LimitReached.

    >>> read_played("4,0,8;1000*random")
    [('4', '0', '8'), Bulk(games=1000, opponent='random')]
    """
    parts = text.split(";") if text else []
    if len(parts) > MOST_ENTRIES:
        raise LimitReached(
            message("a page keeps up to {n} games with a person; begin with a new machine", n=MOST_ENTRIES)
        )
    entries = [_read_one(part) for part in parts]
    games = sum(entry.games for entry in entries if isinstance(entry, Bulk))
    if games > MOST_GAMES:
        raise LimitReached(
            message(
                "a machine on a page plays up to {n} games by itself; damier train has no such limit",
                n=FormattedNumber(MOST_GAMES, ","),
            )
        )
    return entries


def _read_one(part: str) -> Entry:
    if found := re.fullmatch(r"([1-9][0-9]{0,6})\*(\w+)", part, re.ASCII):
        if found[2] not in OPPONENTS:
            raise BadInput(
                message(
                    "{name} is no opponent here; there are: {names}", name=found[2], names=" ".join(OPPONENTS)
                )
            )
        return Bulk(int(found[1]), found[2])
    moves = tuple(unquote(move) for move in part.split(",")) if part else ()
    if len(moves) > MOST_MOVES or any(len(move) > LONGEST_NAME for move in moves):
        raise BadInput(message("{name} must be a list of at most {n} moves", name="played", n=MOST_MOVES))
    return moves


def write_played(entries: Sequence[Entry]) -> str:
    """The text of some games.

    >>> write_played([("a1a2", "b3,b2"), Bulk(10, "self")])
    'a1a2,b3%2Cb2;10*self'
    """
    return ";".join(
        f"{e.games}*{e.opponent}" if isinstance(e, Bulk) else ",".join(quote(move, safe="") for move in e)
        for e in entries
    )


# The boxes of a machine as parts of a page: what lies in one, and all of a stage.


Size: TypeAlias = tuple[float, float, float]


class Bead(NamedTuple):
    """A move of a box: its bead as a picture, and how likely it is."""

    picture: str
    colour: str
    move: str
    beads: int
    share: str
    drawn: bool


def beads_of(box_set: BoxSet, box: Matchbox, drawn: int = 0) -> list[Bead]:
    """The beads of a box, one line a move."""
    total = box.total
    return [
        Bead(
            pages.picture(bead_svg(e.kind)),
            e.kind.name,
            e.mark.name,
            e.beads,
            percent(e.beads, total),
            e.mark.move == drawn,
        )
        for e in entries_of(box, box_set.kinds)
    ]


def percent(part: int, total: int) -> str:
    """A share, rounded."""
    # Translators: a percentage.
    return _("{n}%", n=round(100 * part / total)) if total else "–"


def fitting(box_set: BoxSet, boxes: Sequence[Matchbox]) -> Size:
    """The size that all these boxes fit in."""
    return size_of_all(boxes, box_set.kinds) if boxes else (0, 0, 0)


def stages_of(box_set: BoxSet) -> list[int]:
    return sorted({box.stage for box in box_set.machine.boxes})


def boxes_part(box_set: BoxSet, known: Known, stage: int, most: int) -> str:
    """The boxes of one stage, those that have come up first."""
    opened = {box.number for box in box_set.opened(known.memory)}
    boxes = [box for box in box_set.boxes(known.memory) if box.stage == stage]
    groups = [
        (_("Opened in a game"), [box for box in boxes if box.number in opened]),
        (_("Not yet met"), [box for box in boxes if box.number not in opened]),
    ]
    size = fitting(box_set, [box for _heading, found in groups for box in found[:most]])
    shown = [
        (
            heading,
            len(found),
            [(box.number, pages.picture(matchbox_svg(box, box_set.kinds, size))) for box in found[:most]],
        )
        for heading, found in groups
        if found
    ]
    return pages.part(
        "matchboxes_boxes.html",
        stage=stage,
        groups=shown,
        most=most,
        more=any(len(found) > most for _heading, found in groups),
    )


def found_part(box_set: BoxSet, box: Matchbox) -> str:
    """One box alone."""
    return pages.part(
        "matchboxes_found.html",
        heading=heading_of(box),
        picture=pages.picture(matchbox_svg(box, box_set.kinds)),
        beads=beads_of(box_set, box),
        stage=box.stage + 1,
    )


# A machine of matchboxes: its boxes, which never change, and what it came to know in
# the games that were played with it.

MOST = MachineSize(positions=30_000, boxes=3_000)
"""The largest machine of a page: it is built within a second or two."""


class Result(NamedTuple):
    """Games of a machine against somebody, counted for the machine; an empty opponent is a person."""

    opponent: str
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


@dataclass(frozen=True)
class Known:
    """Knowledge of a machine after some games, and how these ended."""

    memory: Memory
    results: tuple[Result, ...] = ()

    @property
    def games(self) -> int:
        return sum(result.games for result in self.results)


class BoxSet(MachineBoxes):
    """All boxes of one machine, in the order of their numbers, as they are before the first game.

    known  what the machine knows after some lists of games: seed and games -> table
    """

    def __init__(self, lab: Lab, machine: Machine) -> None:
        super().__init__(lab, machine)
        self.known = LRU[tuple[int, tuple[Entry, ...]], Known](KEPT)
        self.kinds = Kinds(machine.boxes)


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
        """Return whether it is the person's turn."""
        return not self.over and self.position.mover not in (CHANCE, self.seat)

    @property
    def payoff(self) -> int:
        """Return what the game was worth to the machine: above 0 a win, below a loss."""
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
        """Return whether a bead, or a die, is to be drawn now."""
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
        """Return what the machine knows once it has learnt."""
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
    """Return what the machine knows after these games.

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
