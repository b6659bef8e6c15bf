"""What the page of the matchboxes shows: the board, the box that is open, what a game has changed,
the tally, and all boxes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from damier.core.diagram import Matchbox
from damier.core.words import N_, _, grouped, ngettext
from damier.draw.annotations import move_marks
from damier.draw.board import board_svg
from damier.draw.matchbox import bead_svg, entries_of, heading_of, matchbox_svg
from damier.lab.matchboxes import change as rule_in_words
from damier.web import pages
from damier.web.matchboxes.boxes import BoxSet, Known, Result, Size, beads_of, fitting, stages_of
from damier.web.matchboxes.human_game import Change, Decision, HumanGame
from damier.web.matchboxes.played import Entry, write_played
from damier.web.messages.parts import Parts
from damier.web.messages.rooms import MachineState, MatchboxState

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
class Moment:
    """A machine, the games before, and a game with a person as far as it has come.

    changes  what the game did to the boxes, where it is over
    """

    box_set: BoxSet
    known: Known
    human_game: HumanGame
    changes: Sequence[Change]
    played: list[Entry]
    setup: MachineState
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
        """What a browser keeps, and what it may ask for next.

        `back`: the moves before the person's last one; `next`, `forgotten`: the games.
        """
        human_game = self.human_game
        return {
            **self.setup,
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
        return (
            self.human_game.decisions[-1].box
            if self.human_game.decisions and not self.human_game.forced
            else None
        )


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
    position = human_game.position
    marks = move_marks(position.game, position.state) if human_game.waits_for_person else []
    return pages.part(
        "matchboxes_board.html",
        picture=pages.picture(board_svg(position, marks)),
        said=said(human_game),
        moves=position.moves if human_game.waits_for_person else (),
        state=moment.state,
        number=moment.known.games + 1,
    )


def said(human_game: HumanGame) -> str:
    """Whose turn it is, or how the game has ended."""
    if human_game.resigned:
        return _("The box is empty, so the machine gives up: you have won.")
    if human_game.over:
        return {1: _("The machine has won."), 0: _("A draw."), -1: _("You have won.")}[
            (human_game.payoff > 0) - (human_game.payoff < 0)
        ]
    if human_game.drawing:
        return _("The machine is to draw a bead.")
    return _("Your move.")


def opened_part(moment: Moment) -> str:
    """The box of the last decision, or the one that a bead is to be drawn from."""
    opened = opened_of(moment)
    drawn = opened.decision.drawn if opened.decision else 0
    beads = beads_of(moment.box_set, opened.box, drawn) if opened.box else []
    return pages.part("matchboxes_opened.html", opened=opened, beads=beads)


class OpenedBox(NamedTuple):
    """The box that is open: its heading and its picture, and what was drawn from it.

    forced  whether there is none, since the machine had only one move
    label   the move on its label that was drawn; turned: whether that is another on the board
    """

    box: Matchbox | None
    heading: str
    picture: str
    decision: Decision | None
    forced: bool
    label: str
    turned: bool


def opened_of(moment: Moment) -> OpenedBox:
    """The box of the last decision, or the one that a bead is to be drawn from."""
    human_game, box = moment.human_game, moment.open_box
    decision = (
        None
        if human_game.drawing or not human_game.decisions or human_game.forced
        else human_game.decisions[-1]
    )
    drawn = decision.drawn if decision else 0
    return OpenedBox(
        box,
        heading_of(box) if box else "",
        pages.picture(matchbox_svg(box, moment.box_set.kinds, drawn_move=drawn)) if box else "",
        decision,
        human_game.forced and bool(human_game.moves),
        name_on_label(decision) if decision and decision.drawn else "",
        decision is not None and is_turned(decision),
    )


def name_on_label(decision: Decision) -> str:
    position = decision.box.position
    return position.game.name_move(position.state, decision.drawn)


def is_turned(decision: Decision) -> bool:
    """Whether a bead is another move on the board than on the label."""
    return bool(decision.drawn) and name_on_label(decision) != decision.chosen


def learnt_part(moment: Moment) -> str:
    """What the game did to every box that a bead was drawn from."""
    payoff, p = moment.human_game.payoff, moment.box_set.machine.parameters
    rule = rule_in_words(p.win if payoff > 0 else p.loss if payoff < 0 else p.draw, p)
    return pages.part(
        "matchboxes_learnt.html",
        over=moment.human_game.over,
        lines=learnt_lines(moment.box_set, moment.changes),
        said=said(moment.human_game),
        rule=rule,
    )


class LearntLine(NamedTuple):
    """A box that a game has changed: its heading, its bead as a picture, how many there were and are,
    and the box as it is now.
    """

    heading: str
    bead: str
    move: str
    before: str
    after: str
    change: str
    picture: str


def learnt_lines(box_set: BoxSet, changes: Sequence[Change]) -> list[LearntLine]:
    """Boxes before and after a game, all drawn of one size."""
    size = fitting(box_set, [change.after for change in changes])
    return [learnt_line(box_set, change, size) for change in changes]


def learnt_line(box_set: BoxSet, change: Change, size: Size) -> LearntLine:
    """A box before and after."""
    entry = next(e for e in entries_of(change.after, box_set.kinds) if e.mark.move == change.drawn)
    before, after = change.before.beads[change.drawn], change.after.beads[change.drawn]
    return LearntLine(
        heading_of(change.after),
        pages.picture(bead_svg(entry.kind)),
        entry.mark.name,
        grouped(before),
        grouped(after),
        change_in_words(after - before),
        pages.picture(matchbox_svg(change.after, box_set.kinds, size, change.drawn)),
    )


def change_in_words(beads: int) -> str:
    if beads > 0:
        return ngettext("{n} bead more", "{n} beads more", beads, n=grouped(beads))
    if beads < 0:
        return ngettext("{n} bead less", "{n} beads less", -beads, n=grouped(-beads))
    return _("as before")


def tally_part(moment: Moment) -> str:
    """How its games have ended, and how many beads it has."""
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
    memory = moment.after.memory
    opened = {box.number for box in moment.box_set.opened(memory)}
    for stage in stages_of(moment.box_set):
        boxes = [box for box in moment.box_set.boxes(memory) if box.stage == stage]
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


def seat_names() -> dict[str, str]:
    return {"1": _("the machine moves first"), "2": _("you move first"), "alternate": _("by turns")}


def opponent_names() -> dict[str, str]:
    return {name: _(text) for name, text in OPPONENT_NAMES.items() if name}
