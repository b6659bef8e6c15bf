"""All the matchboxes of a machine that learns by beads: those it has opened, and those that it has
not come to yet (spec B-7).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from damier.core.compile import instantiate
from damier.core.errors import BadFile, BadInput, LimitReached, Unsuitable
from damier.core.game import Game
from damier.core.job import Job
from damier.core.matchbox import Matchbox
from damier.core.moves import each
from damier.core.player import Arrays
from damier.core.position import Position
from damier.core.rules import State
from damier.core.words import FormattedNumber, _, grouped, in_short, message
from damier.lab.agents import AGENTS, Lab, brought
from damier.lab.learners import agent_of_file, preset_of
from damier.lab.options import read_options
from damier.learn.beads import BeadsParameters, Numbers, box_of, is_forced
from damier.learn.player import LearningPlayer
from damier.learn.presets import SeatName
from damier.learn.seat import SeatArrays, begin
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

SEATS: Mapping[str, tuple[int, ...]] = {"1": (0,), "2": (1,), "alternate": (0, 1)}
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
class Machine:
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
    options = read_options(name, written, AGENTS[name][0], given=["lab"])
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
    """Where a machine sat while it learnt; at both seats where it played itself. Raises BadFile."""
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
    if game.players != 2 or game.imperfect_information:
        raise Unsuitable(
            message(
                "matchboxes play games of two players with perfect information (no secrets); {game} is"
                " not one",
                game=game.text,
            )
        )
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
    seen = {game.start}  # what stands for a position costs more than to play it
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
            if following in seen:
                continue
            seen.add(following)
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
