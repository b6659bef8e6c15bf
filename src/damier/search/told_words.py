"""The told searches of document [S1] in words: a sentence for each step, and the indented trace that
its programs print (row A-42: three columns further to the right at every ply).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from damier.core.json_types import JsonObject
from damier.core.rules import State
from damier.core.words import _, ngettext
from damier.search.told import SpaceStep, ToldSearch

INDENT = 3
"""How much further to the right a ply begins."""

StateNames: TypeAlias = "Callable[[int], str]"
"""By the number of a place, what its state is called."""


def ours() -> str:
    """What the player is called for whom is searched, as in the document."""
    return _("AI")


def theirs() -> str:
    return _("HUMAN")


def who(this: ToldSearch, place: int) -> str:
    """Who moves at a place."""
    return ours() if this.is_ours(place) else theirs()


def who_came(this: ToldSearch, place: int) -> str:
    """Who made the move that leads to a place."""
    return who(this, this.places[place].above)


def move_name(this: ToldSearch, place: int) -> str:
    """The move that leads to a place."""
    here = this.places[place]
    return this.game.name_move(this.places[here.above].state, here.move)


def trace_line(this: ToldSearch, step: SpaceStep, name: StateNames) -> str:
    """One line of the trace, indented by its ply."""
    ply = this.places[step.place].ply
    return " " * (INDENT * ply) + traced(this, step, name)


def traced(this: ToldSearch, step: SpaceStep, name: StateNames) -> str:
    """The same without its indentation."""
    state = name(step.place)
    if step.kind == "root":
        return state
    if step.kind == "take":
        return _("expand {state}", state=state)
    if step.kind in ("yes", "no"):
        return f"{state} = {answer(this, step)}"
    line = _(
        "{who} plays {move} → {state}",
        who=who_came(this, step.place),
        move=move_name(this, step.place),
        state=state,
    )
    after = {
        "go": "",
        "wait": _(": into the queue"),
        "won": _(": won"),
        "lost": _(": lost"),
        "seen": _(": seen before")
        if step.known is None
        else _(": known, {answer}", answer=yes_or_no(step.known)),
    }
    return line + after[step.kind]


def answer(this: ToldSearch, step: SpaceStep) -> str:
    """What a settled state gives back: the move, T or NIL, as Lisp writes it."""
    if step.kind == "no":
        return "NIL"
    return move_name(this, step.by) if step.by >= 0 else "T"


def yes_or_no(known: bool) -> str:
    return _("✓ won") if known else _("✗ not won")


def sentence(this: ToldSearch, step: SpaceStep, name: StateNames) -> str:
    """A step in words, with its reason."""
    if step.kind == "root":
        return began(this, name)
    if step.kind == "take":
        return _(
            "{state} has waited longest: it is taken from the queue, and {who} tries every move there.",
            state=name(step.place),
            who=who(this, step.place),
        )
    if step.kind in ("yes", "no"):
        return settled(this, step, name)
    return tried(this, step, name)


def began(this: ToldSearch, name: StateNames) -> str:
    """What is looked for."""
    asked = _(
        "{state}: {who} is to move. Is there a game that {ours} wins?",
        state=name(0),
        who=who(this, 0),
        ours=ours(),
    )
    if this.algorithm == "andor":
        asked = _(
            "{state}: {who} is to move. Can {ours} force a win, whatever {theirs} plays?",
            state=name(0),
            who=who(this, 0),
            ours=ours(),
            theirs=theirs(),
        )
    if this.is_over(0):
        return (
            asked
            + " "
            + (_("The game is over: won.") if this.has_won(0) else _("The game is over: not won."))
        )
    return asked


def tried(this: ToldSearch, step: SpaceStep, name: StateNames) -> str:
    """A move that is tried, and what becomes of its state."""
    state = name(step.place)
    said = (
        _(
            "{who} plays {move}: {state}.",
            who=who_came(this, step.place),
            move=move_name(this, step.place),
            state=state,
        )
        + " "
    )
    if step.kind == "won":
        return said + _("The game is over, and {ours} has won it.", ours=ours())
    if step.kind == "lost":
        return said + _("The game is over, and {ours} has not won it.", ours=ours())
    if step.kind == "wait":
        return (
            said + _("It is new: it goes to the end of the queue.")
            if this.revisit
            else said + _("It is new: it goes to the end of the queue, and onto the list of visited states.")
        )
    if step.kind == "seen":
        if step.known is None:
            return said + _("It is on the list of visited states already: it is not looked at twice.")
        return said + _("It was decided before: {answer}.", answer=yes_or_no(step.known))
    return said + goes_on(this, step.place)


def goes_on(this: ToldSearch, place: int) -> str:
    """What is asked at a state that is searched at once."""
    if this.algorithm == "andor":
        if this.is_ours(place):
            return _("OR: {who} is to move, and needs one move that wins.", who=who(this, place))
        return _("AND: {who} is to move, and every move must be answered.", who=who(this, place))
    if this.is_ours(place):
        return _("{who} is to move: which move leads to a win?", who=who(this, place))
    return _(
        "{theirs} is to move, and explore chooses for it too: the move that suits {ours}.",
        theirs=theirs(),
        ours=ours(),
    )


def settled(this: ToldSearch, step: SpaceStep, name: StateNames) -> str:
    """A state that gives back its answer."""
    state, mine = name(step.place), this.is_ours(step.place)
    if this.algorithm != "andor":
        return _settled_by_hope(this, step, name)
    if step.kind == "yes":
        if mine:
            return _(
                "{state}, OR: {move} wins, and one good move is enough.",
                state=state,
                move=move_name(this, step.by),
            )
        return _(
            "{state}, AND: {ours} wins after every move of {theirs}.",
            state=state,
            ours=ours(),
            theirs=theirs(),
        )
    if mine:
        return _("{state}, OR: no move wins.", state=state)
    return _(
        "{state}, AND: after {move} {ours} has no forced win, and one such move is enough.",
        state=state,
        move=move_name(this, step.by),
        ours=ours(),
    )


def _settled_by_hope(this: ToldSearch, step: SpaceStep, name: StateNames) -> str:
    state, mine = name(step.place), this.is_ours(step.place)
    if step.kind == "no":
        if this.algorithm == "bfs":
            return _("The queue is empty: there is no game that {ours} wins.", ours=ours())
        return _("{state} gives back NIL: no move there leads to a win of {ours}.", state=state, ours=ours())
    move = move_name(this, step.by)
    if mine:
        return _("{state} gives back {move}: after it there is a way to win.", state=state, move=move)
    return _(
        "{state} gives back {move}: so {theirs} would have to play; nothing makes it do so.",
        state=state,
        move=move,
        theirs=theirs(),
    )


def conclusion(this: ToldSearch) -> str:
    """What the search comes to."""
    if this.is_over(0):
        return _("The game is over.")
    names = line_names(this)
    if not this.found:
        return _("NIL: no forced win") if this.algorithm == "andor" else _("NIL: no way to a win")
    if this.algorithm == "andor":
        if this.is_ours(0):
            return _("{move}: it wins whatever {theirs} plays", move=names[0], theirs=theirs())
        return _("{ours} wins whatever {theirs} plays", ours=ours(), theirs=theirs())
    return _("{move}: the line hoped for is {line}", move=names[0], line=" ".join(names))


def line_names(this: ToldSearch) -> list[str]:
    """The moves of the line."""
    state, names = this.places[0].state, []
    for move in this.line:
        names.append(this.game.name_move(state, move))
        state = this.game.play(state, move)
    return names


def cost_words(this: ToldSearch) -> str:
    """What it cost."""
    return _(
        "{expanded}, {visited}",
        expanded=ngettext("{n} state expanded", "{n} states expanded", this.expanded),
        visited=ngettext("{n} state met", "{n} different states met", this.visited),
    )


def space_step_facts(this: ToldSearch, step: SpaceStep, name: StateNames) -> JsonObject:
    """A step as plain data."""
    place = this.places[step.place]
    return {
        "kind": step.kind,
        "state": name(step.place),
        "ply": place.ply,
        "move": move_name(this, step.place) if place.above >= 0 else None,
        "trace": trace_line(this, step, name),
        "words": sentence(this, step, name),
    }


def state_names(this: ToldSearch) -> StateNames:
    """What the states are called: in Nim as the document writes them, (7 AI); elsewhere by number, in
    the order in which they were first come to.
    """
    numbers: dict[State, int] = {}
    for place in this.places:
        numbers.setdefault(place.state, len(numbers) + 1)

    def name(place: int) -> str:
        state = this.places[place].state
        if this.game.name == "nim" and this.game.write_position is not None:
            heaps = this.game.write_position(state).split()[0]
            return f"({heaps} {who(this, place)})"
        return f"({numbers[state]} {who(this, place)})"

    return name
