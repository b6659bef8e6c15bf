"""All the matchboxes of a machine that learns by beads: those it has opened, and those that it has
not come to yet.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from damier.core.analysis import NO_CHANCE, PERFECT_INFORMATION, TWO_PLAYERS, require
from damier.core.bits import seeded
from damier.core.compile import E, instantiate
from damier.core.display import Displayed
from damier.core.errors import BadFile, BadInput, LimitReached
from damier.core.game import Game, Position
from damier.core.job import Job
from damier.core.moves import each
from damier.core.open_addressing import NUMBERS_IN_DICTIONARY
from damier.core.player import Arrays
from damier.core.rules import Key, State
from damier.core.words import FormattedNumber, _, grouped, in_short, message, ngettext
from damier.draw.matchbox import Matchbox, beads_in_words
from damier.lab.agents import AGENTS, brought
from damier.lab.games import GAMES, Lab, chance_move, game_in_words, load
from damier.lab.learners import agent_of_file, preset_of
from damier.lab.options import read_options
from damier.learn.action_values import Memory
from damier.learn.beads import BeadsParameters, Numbers, box_of, choose, code_of, is_forced, learn
from damier.learn.parameters import SEATS, SeatName, as_numbers
from damier.learn.player import LearningPlayer
from damier.learn.qtable import SeatArrays, begin, move_of
from damier.solve.reach import code, has_at_most, representative

SUITS: Mapping[str, str] = {
    "hexapawn": "beads:preset=her",
    "mnk": "menace",
    "nim": "beads:preset=ia01",
    "octapawn": "beads:preset=her",
    "pawns": "beads:preset=her",
    "tictactoe": "menace",
}
"""The machine that was first built for a game; any other game gets plain `beads`."""

MACHINES: Mapping[str, str] = {"beads": "", "menace": "hexapion"}
"""The agents that have matchboxes, with the preset of those that name none."""

POSITIONS = 100_000
"""Positions of a game, up to symmetry where boxes are, beyond which nobody builds a machine for it."""
LOOSE = 10_000
"""How many times too large a game's own bound on its positions may be: it counts images of a position, and
what no play comes to.
"""
SURELY = 10
"""How many times too large it is where the positions are most likely too many: such a game is looked through
for no more boxes than are drawn.
"""
DRAWN = 1000
"""Boxes that are drawn at most."""
FEW = 2_000
"""Positions that are looked for where the bound says that there are too many."""


class MachineSize(NamedTuple):
    """The most positions and boxes of a machine that is built."""

    positions: int
    boxes: int


@dataclass(frozen=True)
class Machine(Displayed):
    """A whole machine.

    `seat`: `alternate` has the boxes of both seats. `games`: those that its beads were learnt from.
    """

    game: Game
    learner: str
    parameters: BeadsParameters
    seat: SeatName
    boxes: tuple[Matchbox, ...]
    games: int = 0

    @property
    def beads(self) -> int:
        """Beads in all boxes."""
        return sum(box.total for box in self.boxes)

    @property
    def stages(self) -> Iterator[tuple[int, list[Matchbox]]]:
        """The boxes by their stage."""
        for stage in sorted({box.stage for box in self.boxes}):
            yield stage, [box for box in self.boxes if box.stage == stage]


def new_machine(
    lab: Lab, learner: str = "", seat: SeatName | None = None, most: MachineSize | None = None
) -> Machine:
    """A machine before its first game: the one that suits the game, unless a learner is named; no
    larger than `most`.

    Raises BadInput, LimitReached.
    """
    text = learner or SUITS.get(lab.game.name, "beads")
    name, _colon, written = text.partition(":")
    if name not in MACHINES:
        raise BadInput(
            message(
                "{name} has no matchboxes; those that have are {known}", name=name, known=" ".join(MACHINES)
            )
        )
    options = read_options(name, written, AGENTS[name].factory, given=["lab"])
    if options.get("file"):
        raise BadInput(message("{learner} is in a file; give --agent FILE", learner=text))
    player = brought(lab, text)
    assert isinstance(player, LearningPlayer)
    preset = preset_of("beads", options, MACHINES[name])
    usual = preset and ("alternate" if preset.opponent.startswith("self") else preset.seat)
    return machine(lab, player, seat or usual or "1", most)


def machine_of_file(lab: Lab, path: Path, seat: SeatName | None = None) -> Machine:
    """The machine that an agent file holds; boxes that it never opened hold their first beads.

    Raises BadFile, BadInput, LimitReached.
    """
    found = agent_of_file(path, lab.game)
    if found.learner != "beads":
        raise BadFile(
            message(
                "{path} holds a {name}, which has no matchboxes; beads has", path=path, name=found.learner
            )
        )
    chosen = seat or seat_of(found.training, path)
    if len(found.memories) > 1 and chosen == "alternate":
        raise BadInput(message("{path} holds a machine for each seat; give --seat 1 or --seat 2", path=path))
    memory = found.memories[SEATS[chosen][0] if len(found.memories) > 1 else 0]
    return machine(lab, LearningPlayer(lab.game, "beads", found.parameters, memory), chosen)


def seat_of(training: Mapping[str, object], path: Path) -> SeatName:
    """Return where a machine sat while it learnt; at both seats where it played itself. Raises BadFile."""
    seat, opponent = training.get("seat"), str(training.get("opponent"))
    if opponent.startswith("self") and "table=separate" not in opponent:
        return "alternate"
    for known in ("1", "2", "alternate"):
        if seat == known:
            return known
    raise BadFile(message("{path} does not say at which seat it learnt; give --seat", path=path))


def machine(lab: Lab, player: LearningPlayer, seat: SeatName, most: MachineSize | None = None) -> Machine:
    """The machine of a player of `beads`.

    Raises Unsuitable, LimitReached, and BadInput where it never has a choice.
    """
    game = lab.game
    require(game, _("training"), TWO_PLAYERS, PERFECT_INFORMATION)
    most = most or largest(game)
    refuse_hopeless(game, most)
    stages = open_every_box(lab, player, seat, most)
    if not stages:
        raise BadInput(
            message(
                "{game} needs no matchbox at seat {seat}: there is never a choice", game=game.text, seat=seat
            )
        )
    codes = instantiate(code, game, jit=False)
    rows = [
        (stages[number], codes(row.state), row)
        for number, row in enumerate(player.memory.rows())
        if number in stages
    ]
    ordered = [(stage, row) for stage, _code, row in sorted(rows, key=lambda entry: entry[:2])]
    boxes = [
        Matchbox(number, stage, Position(game, row.state), dict(zip(row.moves, row.counts, strict=True)))
        for number, (stage, row) in enumerate(ordered, 1)
    ]
    return Machine(game, player.text, player.parameters, seat, tuple(boxes), player.memory.games)


def largest(game: Game) -> MachineSize:
    """The largest machine that is built of a game where nobody says otherwise."""
    large = game.states is not None and game.states > SURELY * POSITIONS
    return MachineSize(POSITIONS, DRAWN if large else POSITIONS)


def refuse_hopeless(game: Game, most: MachineSize) -> None:
    """Raises LimitReached, before anything is built, for a game that is too large by far."""
    states = game.states
    if states is not None and states > LOOSE * most.positions and not has_at_most(game, FEW, Job()):
        raise LimitReached(
            message(
                "{game} has up to {states} positions; matchboxes are built for up to {most}: choose a smaller"
                " board, or another game",
                game=game.text,
                states=in_short(states),
                most=FormattedNumber(most.positions, ","),
            ),
            {"states": states},
        )


def open_every_box(lab: Lab, player: LearningPlayer, seat: SeatName, most: MachineSize) -> dict[int, int]:
    """The row of every box that can be come to by any play of both sides, and its stage where it is
    first come to, breadth first.
    """
    game, seats = lab.game, SEATS[seat]
    same = instantiate(representative if player.parameters.symmetric else code, game, jit=False)
    met, queue, stages = {same(game.start)}, deque([(game.start, (0, 0))]), dict[int, int]()
    visited = {game.start}  # what stands for a position costs more than to play it
    while queue:
        s, decisions = queue.popleft()
        if game.over(s):
            continue
        mover = game.mover(s)
        row = opened(player, s, decisions[mover]) if mover in seats else NO_BOX
        if row != NO_BOX:
            stages.setdefault(row, decisions[mover])
            decisions = (decisions[0] + (mover == 0), decisions[1] + (mover == 1))
        for move in each(game.moves(s)):
            following = game.play(s, move)
            if following in visited:
                continue
            visited.add(following)
            if (met_as := same(following)) not in met:
                met.add(met_as)
                queue.append((following, decisions))
        require_few(lab, len(met), len(stages), most)
    return stages


def require_few(lab: Lab, positions: int, boxes: int, most: MachineSize) -> None:
    """Raises LimitReached for a game that is too large."""
    lab.job.progress(positions, None, _("positions"))
    if positions > most.positions:
        sentence = _(
            "{game} has too many positions for matchboxes, {boxes} boxes in the first {n} of them: choose a"
            " smaller board, or another game",
            game=lab.game.text,
            boxes=grouped(boxes),
            n=grouped(most.positions),
        )
        raise LimitReached(sentence, {"positions": positions, "boxes": boxes})
    if boxes > most.boxes:
        sentence = _(
            "{game} has more than {n} boxes, the most that there can be here: choose a smaller board, or"
            " another game",
            game=lab.game.text,
            n=grouped(most.boxes),
        )
        raise LimitReached(sentence, {"positions": positions, "boxes": boxes})


NO_BOX, NO_ROOM = -1, -2


def opened(player: LearningPlayer, s: State, stage: int) -> int:
    """The row of the box of `s`, which gets its first beads if it is new; NO_BOX where there is
    none.
    """
    for _try in range(2):
        kernel = player.kernel(jit=False)
        assert kernel is not None
        row = instantiate(open_box, player.game, jit=False, bind=kernel.bind)(s, stage, kernel.arrays)
        if row != NO_ROOM:
            break
        kernel.grow(1)
    return int(row)


def open_box(s: State, stage: int, arrays: Arrays) -> int:
    """An engine: what `damier.learn.beads.choose` does before a bead is drawn."""
    if not begin(arrays, 1):
        return NO_ROOM
    seat = SeatArrays(*arrays)
    p = Numbers(*seat.options)
    if is_forced(s, p):
        return NO_BOX
    seat.length[0] = stage
    row, _symmetry = box_of(s, seat, p)
    return row


# A machine of matchboxes at play, move by move: the box of a position, the bead that is drawn from
# it, and the beads that are put in or taken out after the game.
#
# It draws and learns what it would in the loop of all games, by the same functions.

PLIES = 1_000
"""The most plies of a game, as in a training."""


class DrawnBead(NamedTuple):
    """Bead that a machine of matchboxes has drawn.

    Attributes:
        move: what is played on the board; 0 where the machine resigns
        label: the move on the label of its box that the bead stands for; 0 where no bead was drawn: there is
            no choice, or the box is empty
    """

    move: int
    label: int

    @property
    def is_forced(self) -> bool:
        """Return whether there is no box, since there is no choice."""
        return self.move != 0 and self.label == 0


class MachineBoxes:
    """All boxes of one machine, found by their positions, with the beads that a memory says."""

    def __init__(self, lab: Lab, machine: Machine) -> None:
        self.lab, self.machine = lab, machine
        self._code_of = self.bound(code_of)
        self._numbers = Numbers(*as_numbers(machine.parameters))
        self._by_code = {self._code(box.position): box for box in machine.boxes}

    def bound(self, engine: E) -> E:
        """A function of learners with the rules of the game, in plain Python."""
        return instantiate(engine, self.lab.game, jit=False, bind=NUMBERS_IN_DICTIONARY)

    def _code(self, position: Position) -> Key:
        """Return what the box of a position is known by."""
        code, _symmetry = self._code_of(position.state, self._numbers)
        return code

    def box_of(self, position: Position, memory: Memory) -> Matchbox | None:
        """The box of a position with its present beads; None where there is none."""
        box = self.first_box_of(position)
        return box and next((found for found in self.opened(memory) if found.number == box.number), box)

    def first_box_of(self, position: Position) -> Matchbox | None:
        """Return a box with the beads that it held before the first game."""
        return self._by_code.get(self._code(position))

    def opened(self, memory: Memory) -> Iterator[Matchbox]:
        """The boxes that have come up so far, with their present beads."""
        codes, first, _moves, _values, counts = memory.columns()
        for row, come_up in enumerate(codes):
            if box := self._by_code.get(come_up):
                beads = map(int, counts[first[row] : first[row + 1]])
                yield replace(box, beads=dict(zip(box.beads, beads, strict=True)))

    def boxes(self, memory: Memory) -> list[Matchbox]:
        """All boxes with their present beads."""
        now = {box.number: box for box in self.opened(memory)}
        return [now.get(box.number, box) for box in self.machine.boxes]

    def seat(self, number: int) -> int:
        """Return where the machine sits in game `number`."""
        return {"1": 0, "2": 1, "alternate": number & 1}[self.machine.seat]

    def learner(self, memory: Memory) -> LearningPlayer:
        """The machine as a player that knows this."""
        return LearningPlayer(self.lab.game, "beads", self.machine.parameters, memory)


class MachineGame:
    """One game of a machine.

    Attributes:
        memory: what it knows: at first a copy of what it knew before; changed by `learn`, and where a box is
            opened for the first time
    """

    def __init__(self, boxes: MachineBoxes, before: Memory, seed: int, number: int) -> None:
        self.memory = before.copied()
        self._game, self._seat_number = boxes.lab.game, boxes.seat(number)
        self._choose, self._learn = boxes.bound(choose), boxes.bound(learn)
        learner, start = boxes.learner(self.memory), boxes.bound(begin)
        while True:
            kernel = learner.kernel(jit=False)
            assert kernel is not None
            if start(kernel.arrays, PLIES):
                break
            kernel.grow(PLIES)
        self._seat = SeatArrays(*kernel.arrays)
        self._rng = seeded(seed, number)

    def draw(self, s: State) -> DrawnBead:
        """The machine's move."""
        decisions = self._seat.length[0]
        move = int(self._choose(s, self._seat, self._rng))
        drawn = self._seat.length[0] > decisions
        return DrawnBead(move, move_of(self._seat.entries[decisions], self._seat) if drawn else 0)

    def sample_chance(self, s: State) -> int:
        """Return how the die falls at a chance node."""
        return chance_move(self._game, s, self._rng)

    def learn(self, payoff: int) -> None:
        """Ends the game with the machine's payoff: above 0 a win, below a loss."""
        self._learn(payoff, self._seat_number, self._seat)


# How a machine of matchboxes is built, and how one plays against it: sentences that follow from
# its parameters.


def game_of(machine: Machine) -> str:
    """The game of a machine in words, without its options where they are the usual ones."""
    game = machine.game
    is_usual = game.name in GAMES and load(game.name).text == game.text
    return game_in_words(game.name if is_usual else game.text, game)


def title_of(machine: Machine) -> str:
    """A machine in a few words."""
    boxes = ngettext("{n} matchbox", "{n} matchboxes", len(machine.boxes))
    return _(
        "{game}: {boxes}, {beads}", game=game_of(machine), boxes=boxes, beads=beads_in_words(machine.boxes)
    )


def instructions(machine: Machine) -> list[tuple[str, list[str]]]:
    """Headings with their paragraphs."""
    return [
        (_("Build it"), list(building(machine))),
        (_("Play against it"), list(playing(machine))),
        (_("After the game"), list(learning(machine.parameters))),
    ]


def building(machine: Machine) -> Iterator[str]:
    boxes = ngettext("{n} matchbox", "{n} matchboxes", len(machine.boxes))
    yield _(
        "You need {boxes} and {beads} small beads; the last page says of which colours.",
        boxes=boxes,
        beads=grouped(machine.beads),
    )
    yield _(
        "Print these pages without scaling: a label is 53 mm wide and 36 mm high. Cut the labels out and glue"
        " each on a matchbox."
    )
    yield _(
        "Fill every box as its label says: so many beads of a colour for each move. The letter stands for the"
        " colour."
    )
    if machine.games:
        games = ngettext("{n} game", "{n} games", machine.games, n=grouped(machine.games))
        yield _("The beads are those of a machine that has learnt from {games}.", games=games)


def playing(machine: Machine) -> Iterator[str]:
    p, game = machine.parameters, game_of(machine)
    yield {
        "1": _("You play {game}. The machine is player 1 and moves first.", game=game),
        "2": _("You play {game}. The machine is player 2; you move first.", game=game),
        "alternate": _("You play {game}. The machine may be player 1 or player 2.", game=game),
    }[machine.seat]
    yield _(
        "When it is the machine's turn, find the box with the position that is on the board. Its label says"
        " at which decision of the machine it comes up."
    )
    if p.alike:
        yield _(
            "A label shows the position as the player sees it who is to move: one box serves both players."
        )
    if p.symmetric and machine.game.symmetries() > 1:
        yield _(
            "The position may be turned or mirrored: turn the label in your mind until it is the one on the"
            " board, and the move with it. Any way that fits will do."
        )
        if p.merged:
            yield _(
                "Moves that are mirror images of each other share one colour, which is marked on one of them:"
                " play any one of them."
            )
    yield _(
        "Shake the box, draw a bead without looking, and play its move. Leave the bead on the box until the"
        " game is over."
    )
    if not p.forced:
        yield _("Where there is only one move, there is no box: play that move.")
    if p.empty == "resign":
        yield _("If the box is empty, the machine gives up: it has lost this game.")
    else:
        yield _("If the box is empty, put in the beads that were in it at first, and draw.")


def learning(p: BeadsParameters) -> Iterator[str]:
    """Return what is done with the beads for each way in which a game can end."""
    yield _("If the machine has won: {change}", change=change(p.win, p))
    yield _("If the game is drawn: {change}", change=change(p.draw, p))
    yield _("If the machine has lost: {change}", change=change(p.loss, p))
    yield _("Then close all boxes: the machine is ready for the next game, and has learnt from this one.")


def change(beads: int, p: BeadsParameters) -> str:
    """Return what a game of that worth does to the boxes that were used in it."""
    if beads == 0:
        return _("put every bead back into its box.")
    if beads > 0 and p.reinforce == "every":
        return _("put every bead back into its box, and {n} more of its colour.", n=beads)
    if beads > 0:
        return _(
            "put every bead back into its box, and {n} more of the colour of the last one into the box of"
            " that one.",
            n=beads,
        )
    if p.punish == "every":
        return _("keep all the beads that were drawn out of their boxes.") + more_out(-beads - 1)
    emptied = (
        _(" If its box is empty now, do the same with the bead drawn before it, and so on.")
        if p.cascade
        else ""
    )
    return (
        _("keep the bead that was drawn last out of its box.")
        + more_out(-beads - 1)
        + emptied
        + _(" Put the others back.")
    )


def more_out(beads: int) -> str:
    """A sentence for beads that are taken out beside the one drawn."""
    if beads == 0:
        return ""
    return _(" Take {n} more of its colour out of the same box, as far as they are there.", n=beads)


# Every game that a machine of matchboxes can still play: how many of them it loses, and how often it
# is beaten by somebody who knows all its boxes. Counted in fractions; no game is tried out.


class PossibleGames(NamedTuple):
    """Games that can follow a position.

    Attributes:
        total: lines of play to the end of the game: any move of the opponent, any bead of the machine
        lost: those of them that the machine loses
        drawn: those that are draws
        beaten: how likely the machine loses if its opponent knows its boxes and wants nothing but to win: the
            most that any opponent can get, since the machine draws its beads blindly
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
        """Return what can follow a position."""
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
        """Return what follows the beads of a box, on the board as its label shows it: turned or mirrored it
        is the same game. An empty box gives the game up.
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
