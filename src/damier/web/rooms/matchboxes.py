"""The matchboxes: play against a machine that draws its moves as beads, and see what each game does
to its boxes (rows A-26 to A-32).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple, TypeAlias
from urllib.parse import quote, unquote

from damier.core.errors import BadInput, IllegalMove, LimitReached, UnknownName
from damier.core.game import line
from damier.core.json_data import to_json
from damier.core.rules import CHANCE
from damier.core.words import N_, FormattedNumber, _, grouped, message, ngettext
from damier.draw.board import board_svg
from damier.draw.matchbox import (
    Kinds,
    Matchbox,
    bead_svg,
    entries_of,
    heading_of,
    machine_pages,
    matchbox_svg,
    size_of_all,
)
from damier.draw.text import MoveMark, move_marks
from damier.lab.agents import Lab, brought
from damier.lab.matchboxes import (
    PLIES,
    POSITIONS,
    SUITS,
    Machine,
    MachineBoxes,
    MachineGame,
    MachineSize,
    change as rule_in_words,
    instructions,
    new_machine,
    title_of,
)
from damier.learn.action_values import Memory
from damier.learn.parameters import SWAPS, SeatName
from damier.web import pages
from damier.web.limits import LRU
from damier.web.messages import (
    LONGEST_NAME,
    MOST_MOVES,
    Download,
    MatchboxState,
    Params,
    Parts,
    PartsAnswer,
    StateAnswer,
)
from damier.web.registry import Registry, refuse_agent

# One game of a machine of matchboxes with a person, move by move.


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


def beads_of(box_set: BoxSet, box: Matchbox, drawn: int = 0) -> list[pages.Row]:
    """The moves of a box: the bead of each as a picture, how many there are, and how likely it is."""
    total = box.total
    return [
        {
            "picture": pages.picture(bead_svg(e.kind)),
            "colour": e.kind.name,
            "move": e.mark.name,
            "beads": e.beads,
            "share": percent(e.beads, total),
            "drawn": e.mark.move == drawn,
        }
        for e in entries_of(box, box_set.kinds)
    ]


def percent(part: int, total: int) -> str:
    """A share, rounded."""
    # Translators: a percentage.
    return _("{n}%", n=round(100 * part / total)) if total else "–"


def fitting(box_set: BoxSet, boxes: Sequence[Matchbox]) -> Size:
    """The size that all these boxes fit in."""
    return size_of_all(boxes, box_set.kinds) if boxes else (0, 0, 0)


def boxes_part(box_set: BoxSet, known: Known, stage: int, most: int) -> str:
    """The boxes of one stage, those that have come up first."""
    opened = {box.number for box in box_set.opened(known.memory)}
    boxes = [box for box in box_set.boxes(known.memory) if box.stage == stage]
    groups = [
        (_("Opened in a game"), [box for box in boxes if box.number in opened]),
        (_("Not yet met"), [box for box in boxes if box.number not in opened]),
    ]
    size = fitting(box_set, [box for _heading, found in groups for box in found[:most]])
    box_groups = [
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
        groups=box_groups,
        most=most,
        more=any(len(found) > most for _heading, found in groups),
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

    Attributes:
        known: what the machine knows after some lists of games: seed and games -> table
    """

    def __init__(self, lab: Lab, machine: Machine) -> None:
        super().__init__(lab, machine)
        self.known = LRU[tuple[int, tuple[Entry, ...]], Known](KEPT)
        self.kinds = Kinds(machine.boxes)

    def machine_now(self, known: Known) -> Machine:
        """The machine with its present beads."""
        return replace(self.machine, boxes=tuple(self.boxes(known.memory)), games=known.games)


class Decision(NamedTuple):
    """A bead that was drawn, or an empty box.

    Attributes:
        box: as it was before
        drawn: the move on its label that the bead stands for, 0 where the box is empty
        chosen: the move that was played on the board, by its name
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
        self.position = self.previous = self.game.position()
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
    def marks(self) -> list[MoveMark]:
        """The moves of the person, where it is the person's turn."""
        return move_marks(self.game, self.position.state) if self.waits_for_person else []

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
        by_chance = self.position.mover == CHANCE
        move = self._played.sample_chance(self.position.state) if by_chance else self._decide()
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
        self.previous, self.position = self.position, self.position.play(name)
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
        return Known(self.memory.copied(), (*self.before.results, result))


# What a machine of matchboxes knows after some games: these are played again, by the code that
# trains.
#
# It depends on the seed and the games alone, so that a page keeps the list of games, and nothing
# else. What was found is kept for a while, so that the next step is quick.

KEPT = 60
"""Tables that are kept, each with the list of games that led to it."""


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
    from damier.core.loop import MatchSetup  # a person's own games are learnt from without the loop
    from damier.learn.training import Training

    learner = box_set.learner(known.memory.copied())
    opponent = learner.beside(learns=True) if bulk.opponent == "self" else brought(box_set.lab, bulk.opponent)
    training = Training(
        MatchSetup(box_set.lab.game, (learner, opponent), seed, SWAPS[box_set.machine.seat], PLIES),
        learner,
        known.games,
    )
    training.run(known.games + bulk.games, box_set.lab.job)
    total = training.curve.total
    result = Result(bulk.opponent, total.wins, total.draws, total.losses)
    return Known(learner.memory.copied(), (*known.results, result))


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


# What the page of the matchboxes shows: the board, the box that is open, what a game has changed,
# the tally, and all boxes.


OPPONENT_NAMES = {"": N_("you"), "random": N_("random"), "perfect": N_("perfect play"), "self": N_("itself")}
MACHINES = {
    "menace": N_("MENACE, document S0"),
    "beads:preset=michie": N_("MENACE, Michie"),
    "beads:preset=scroggs": N_("MENACE, Scroggs"),
    "beads:preset=her": N_("Gardner's hexapawn machine"),
    "beads:preset=ia01": N_("Nim's lists, document S1"),
    "beads:preset=ia01-last": N_("Nim's lists, the last move only"),
}
"""What a page calls the machines that were built before, by how they are written."""


@dataclass
class Visit:
    """A machine, the games that it has played, and the one that goes on, all as a browser says it."""

    game: str
    agent: str
    box_set: BoxSet
    seed: int
    played: list[Entry]

    @cached_property
    def known(self) -> Known:
        """Return what the machine knows after the games that it has played."""
        return after(self.box_set, self.seed, self.played)

    @property
    def machine(self) -> Machine:
        """The machine as it is now, to be printed."""
        return self.box_set.machine_now(self.known)


@dataclass
class Moment(Visit):
    """A machine, the games before, and a game with a person as far as it has come.

    Attributes:
        changes: what the game did to the boxes, where it is over
    """

    human_game: HumanGame
    changes: Sequence[Change]
    pause: bool

    @property
    def finished(self) -> list[Entry]:
        """All games that count: those before, and this one where it is over."""
        return [*self.played, tuple(self.human_game.moves)] if self.human_game.over else self.played

    @property
    def after(self) -> Known:
        return self.human_game.known if self.human_game.over else self.known

    @property
    def state(self) -> MatchboxState:
        """Return what a browser keeps, and what it may ask for next.

        `back`: the moves before the person's last one; `next`, `forgotten`: the games.
        """
        human_game = self.human_game
        return {
            "game": self.game,
            "agent": self.agent,
            "seat": self.box_set.machine.seat,
            "seed": self.seed,
            "played": write_played(self.played),
            "moves": human_game.moves,
            "over": human_game.over,
            "waiting": human_game.drawing,
            "pause": self.pause,
            "back": None if human_game.back is None else human_game.moves[: human_game.back],
            "next": write_played(self.finished),
            "forgotten": write_played(self.finished[:-1]) if self.finished else None,
            "box": self.open_box.number if self.open_box else None,
        }

    @property
    def open_box(self) -> Matchbox | None:
        """The box that a bead is drawn from now, or was drawn from last."""
        if self.human_game.drawing:
            return self.human_game.box
        return self.decision.box if self.decision else None

    @property
    def decision(self) -> Decision | None:
        """The last one; None where a bead is to be drawn now, or nothing was to be decided."""
        game = self.human_game
        return None if game.drawing or game.forced or not game.decisions else game.decisions[-1]


def parts_of(moment: Moment) -> Parts:
    """All parts of the page that a move can change; the boxes themselves are asked for one stage at
    a time.
    """
    parts = {
        "board": board_part(moment),
        "opened": opened_part(moment),
        "learnt": learnt_part(moment),
        "tally": tally_part(moment),
    }
    return parts | dict(stage_parts(moment))


def board_part(moment: Moment) -> str:
    human_game = moment.human_game
    return pages.part(
        "matchboxes_board.html",
        picture=pages.picture(board_svg(human_game.position, human_game.marks)),
        game=human_game,
        state=moment.state,
        number=moment.known.games + 1,
    )


def opened_part(moment: Moment) -> str:
    """The box of the last decision, or the one that a bead is to be drawn from."""
    box, decision = moment.open_box, moment.decision
    beads = beads_of(moment.box_set, box, decision.drawn if decision else 0) if box else []
    return pages.part("matchboxes_opened.html", opened=opened_of(moment), beads=beads)


def opened_of(moment: Moment) -> pages.Row:
    """The box that is open: its heading and its picture, and what was drawn from it.

    `forced` is whether there is none, since the machine had only one move; `label` the move on its label that
    was drawn, `turned` whether that is another on the board.
    """
    human_game, box, decision = moment.human_game, moment.open_box, moment.decision
    drawn = decision.drawn if decision else 0
    label = (
        decision.box.position.game.name_move(decision.box.position.state, drawn) if decision and drawn else ""
    )
    return {
        "box": box,
        "heading": heading_of(box) if box else "",
        "picture": pages.picture(matchbox_svg(box, moment.box_set.kinds, drawn_move=drawn)) if box else "",
        "decision": decision,
        "forced": human_game.forced and bool(human_game.moves),
        "label": label,
        "turned": bool(decision and label and label != decision.chosen),
    }


def learnt_part(moment: Moment) -> str:
    """Return what the game did to every box that a bead was drawn from."""
    payoff, p = moment.human_game.payoff, moment.box_set.machine.parameters
    rule = rule_in_words(p.win if payoff > 0 else p.loss if payoff < 0 else p.draw, p)
    return pages.part(
        "matchboxes_learnt.html",
        game=moment.human_game,
        lines=learnt_lines(moment.box_set, moment.changes),
        rule=rule,
    )


def learnt_lines(box_set: BoxSet, changes: Sequence[Change]) -> list[pages.Row]:
    """Boxes before and after a game, all drawn of one size."""
    size = fitting(box_set, [change.after for change in changes])
    return [learnt_line(box_set, change, size) for change in changes]


def learnt_line(box_set: BoxSet, change: Change, size: Size) -> pages.Row:
    """A box before and after: its heading, its bead as a picture, how many there were and are, how many more
    these are, and the box as it is now.
    """
    entry = next(e for e in entries_of(change.after, box_set.kinds) if e.mark.move == change.drawn)
    before, after = change.before.beads[change.drawn], change.after.beads[change.drawn]
    drawn = matchbox_svg(change.after, box_set.kinds, size, change.drawn, taken=after == before - 1)
    return {
        "heading": heading_of(change.after),
        "bead": pages.picture(bead_svg(entry.kind)),
        "move": entry.mark.name,
        "before": grouped(before),
        "after": grouped(after),
        "more": after - before,
        "picture": pages.picture(drawn),
    }


def tally_part(moment: Moment) -> str:
    """Return how its games have ended, and how many beads it has."""
    known, box_set = moment.after, moment.box_set
    boxes = box_set.boxes(known.memory)
    by_opponent = [summed(name, known.results) for name in OPPONENT_NAMES]
    return pages.part(
        "matchboxes_tally.html",
        results=[(_(OPPONENT_NAMES[result.opponent]), result) for result in by_opponent if result.games],
        beads=sum(box.total for box in boxes),
        first=box_set.machine.beads,
        boxes=len(boxes),
        opened=sum(1 for _box in box_set.opened(known.memory)),
        empty=sum(box.total == 0 for box in boxes),
        last=known.results[-1].games if known.results else 1,
        state=moment.state,
    )


def summed(opponent: str, results: Sequence[Result]) -> Result:
    found = [result for result in results if result.opponent == opponent]
    return Result(
        opponent,
        sum(result.wins for result in found),
        sum(result.draws for result in found),
        sum(result.losses for result in found),
    )


def stage_parts(moment: Moment) -> Iterator[tuple[str, str]]:
    """A line for every stage of the machine."""
    opened = {box.number for box in moment.box_set.opened(moment.after.memory)}
    for stage, boxes in moment.box_set.machine_now(moment.after).stages:
        met = sum(box.number in opened for box in boxes)
        count = ngettext("{n} box", "{n} boxes", len(boxes), n=grouped(len(boxes)))
        beads = ngettext(
            "{n} bead",
            "{n} beads",
            sum(box.total for box in boxes),
            n=grouped(sum(box.total for box in boxes)),
        )
        yield (
            f"stage-{stage}",
            _(
                "Decision {stage}: {boxes}, {beads}; {met} opened so far",
                stage=stage + 1,
                boxes=count,
                beads=beads,
                met=grouped(met),
            ),
        )


def learner_names(chosen: str) -> dict[str, str]:
    """The machines that a page offers, by how they are written; the one that is chosen is among
    them.
    """
    known = {text: _(name) for text, name in MACHINES.items()}
    return known if chosen in known else {chosen: chosen} | known


# What a page says of a machine: its game, the games that it has played, and the one that goes on.
#
# Nothing is kept between two questions but what makes them quick: `played` lists the games so far,
# `moves` is the one that goes on.


SEATS: tuple[SeatName | Literal[""], ...] = ("", "1", "2", "alternate")
GAME = "tictactoe"
"""The game whose boxes are shown first: it is the one of the first machine."""
LARGEST_PLAYED = 200_000
"""Characters of a list of games."""

_shelves = LRU[tuple[str, str, str], BoxSet](8)
"""Machines that are kept."""


def visit(registry: Registry, params: Params) -> Visit:
    """Return what a question is about. Raises UnknownName, BadInput, Unsuitable, LimitReached."""
    game = params.text("game") or GAME
    lab = registry.lab(game)
    agent = params.text("agent") or SUITS.get(lab.game.name, "beads")
    seat = params.choice("seat", SEATS)
    played = read_played(params.text("played", longest=LARGEST_PLAYED))
    return Visit(game, agent, box_set_of(lab, game, agent, seat), params.whole("seed", 1), played)


def box_set_of(lab: Lab, game: str, agent: str, seat: SeatName | Literal[""]) -> BoxSet:
    """The boxes of a machine, made when they are first asked for; anew where the game was loaded
    again.
    """
    refuse_agent(agent)
    return _shelves.find(
        (game, agent, seat),
        lambda: BoxSet(lab, new_machine(lab, agent, seat or None, MOST)),
        lambda kept: kept.lab is lab,
    )


def moment_of(found: Visit, params: Params) -> Moment:
    """Follows the game that goes on, and lets the machine move."""
    human_game = HumanGame(found.box_set, found.known, found.seed)
    human_game.follow(params.moves())
    waits = params.flag("pause") and not params.flag("draw")
    while human_game.drawing and not (waits and human_game.position.mover == human_game.seat):
        human_game.draw()
    changes = human_game.learn() if human_game.over else []
    given = (found.game, found.agent, found.box_set, found.seed, found.played)
    return Moment(*given, human_game, changes, params.flag("pause"))


SHOWN = 12
"""Boxes of a stage that are shown before somebody asks for more."""


def page(registry: Registry, params: Params) -> str:
    """The room, as the address says it."""
    found = visit(registry, params)
    moment = moment_of(found, params)
    return pages.page(
        "matchboxes.html",
        "/matchboxes",
        _("Matchboxes"),
        state=to_json(moment.state),
        now=moment.state,
        parts=parts_of(moment),
        games=dict.fromkeys([*registry.games_for_two(POSITIONS), found.game]),
        learners=learner_names(found.agent),
        seats={"1": _("the machine moves first"), "2": _("you move first"), "alternate": _("by turns")},
        opponents={name: _(text) for name, text in OPPONENT_NAMES.items() if name},
        most=MOST_GAMES,
        printable=all(find_spec(package) for package in ("vl_convert", "pypdf")),
    )


def show(registry: Registry, params: Params) -> StateAnswer[MatchboxState]:
    """A game after some moves: the machine draws its bead, unless it is to wait for it; a game that
    is over is learnt from. Raises IllegalMove.
    """
    moment = moment_of(visit(registry, params), params)
    return {"parts": parts_of(moment), "state": moment.state}


def train(registry: Registry, params: Params) -> StateAnswer[MatchboxState]:
    """The machine plays `games` against an `opponent`; a game that is over counts before them, one
    that goes on is left. Raises LimitReached.
    """
    found = visit(registry, params)
    bulk = Bulk(params.whole("games", 1_000, 1, MOST_GAMES), params.choice("opponent", OPPONENTS))
    moment = moment_of(found, params)
    played = write_played([*moment.finished, bulk])
    return show(registry, Params({**params.values, "played": played, "moves": []}))


def boxes(registry: Registry, params: Params) -> PartsAnswer:
    """The boxes of one `stage`, those that have come up apart from the others; `most` of each."""
    found = visit(registry, params)
    stage, most = params.whole("stage", 0, 0, 1_000), params.whole("most", SHOWN, 1, 10_000)
    return {"parts": {f"boxes-{stage}": boxes_part(found.box_set, found.known, stage, most)}}


def find(registry: Registry, params: Params) -> PartsAnswer:
    """A box by its `number`, or by the moves that lead to it.

    Raises UnknownName, IllegalMove, BadInput.
    """
    found = visit(registry, params)
    box, kinds = wanted_box(found, params), found.box_set.kinds
    part = pages.part(
        "matchboxes_found.html",
        heading=heading_of(box),
        picture=pages.picture(matchbox_svg(box, kinds)),
        beads=beads_of(found.box_set, box),
        stage=box.stage + 1,
    )
    return {"parts": {"found": part}}


def wanted_box(found: Visit, params: Params) -> Matchbox:
    box_set, memory = found.box_set, found.known.memory
    if moves := params.moves():
        position = line(box_set.lab.game, moves)[-1]
        box = None if position.over else box_set.box_of(position, memory)
        if box is None:
            raise UnknownName(
                message("there is no box for the position after {moves}", moves=", ".join(moves))
            )
        return box
    boxes = box_set.boxes(memory)
    return boxes[params.whole("number", 1, 1, len(boxes)) - 1]


def sheets(registry: Registry, params: Params) -> str:
    """All boxes on pages to print, cut out and build."""
    machine = visit(registry, params).machine
    drawn = [
        pages.picture(svg) for svg in machine_pages(machine.boxes, title_of(machine), instructions(machine))
    ]
    return pages.page("matchbox_sheets.html", "/matchboxes", title_of(machine), sheets=drawn)


def pdf(registry: Registry, params: Params) -> Download:
    """Return the same as `damier matchboxes -o boxes.pdf`.

    Raises BadInput where the extra `plot` is not installed.
    """
    from damier.draw.picture_files import converter, joiner, write_pages

    name = Path("boxes.pdf")
    converter(name)
    joiner(name)
    machine = visit(registry, params).machine
    with TemporaryDirectory() as folder:
        write_pages(machine_pages(machine.boxes, title_of(machine), instructions(machine)), folder / name)
        return Download("application/pdf", (folder / name).read_bytes())
