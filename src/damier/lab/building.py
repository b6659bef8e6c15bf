"""How a machine of matchboxes is built, and how one plays against it: sentences that follow from
its parameters.
"""

from __future__ import annotations

from collections.abc import Iterator

from damier.core.words import _, grouped, ngettext
from damier.draw.matchbox import beads_in_words
from damier.lab.matchboxes import Machine
from damier.learn.beads import BeadsParameters


def title_of(machine: Machine) -> str:
    """A machine in a few words."""
    boxes = ngettext("{n} matchbox", "{n} matchboxes", len(machine.boxes))
    return _(
        "{game}: {boxes}, {beads}", game=machine.game.text, boxes=boxes, beads=beads_in_words(machine.boxes)
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
    p = machine.parameters
    yield {
        "1": _("You play {game}. The machine is player 1 and moves first.", game=machine.game.text),
        "2": _("You play {game}. The machine is player 2; you move first.", game=machine.game.text),
        "alternate": _("You play {game}. The machine may be player 1 or player 2.", game=machine.game.text),
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
    """What is done with the beads for each way in which a game can end."""
    yield _("If the machine has won: {change}", change=change(p.win, p))
    yield _("If the game is drawn: {change}", change=change(p.draw, p))
    yield _("If the machine has lost: {change}", change=change(p.loss, p))
    yield _("Then close all boxes: the machine is ready for the next game, and has learnt from this one.")


def change(beads: int, p: BeadsParameters) -> str:
    """What a game of that worth does to the boxes that were used in it."""
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
