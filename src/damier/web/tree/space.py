"""The searches of document [S1] in the tree room: explore, breadth-first and AND/OR, told step by
step with their lists and their indented trace (rows A-36 to A-38).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from damier.core.position import line
from damier.core.words import N_, _, language
from damier.draw.tree import tree_svg
from damier.search.state_space_trace import SpaceAlgorithm, SpaceReplay, conclusion, ours, theirs, told
from damier.web import pages
from damier.web.messages.parts import Parts
from damier.web.messages.rooms import TreeState
from damier.web.registry import Registry
from damier.web.tree.question import Question

AT_ONCE = 8
NODES_AT_ONCE = 300
KEPT = 8
"""Searches that stay at hand."""
NAMES: dict[SpaceAlgorithm, str] = {
    "dfs": N_("explore (depth-first)"),
    "bfs": N_("breadth-first"),
    "andor": N_("mixed (AND/OR)"),
}
SHOWS: dict[SpaceAlgorithm, str] = {
    "dfs": N_("The first way to a win, the opponent helping: what document S1 calls explore."),
    "bfs": N_("Ply by ply, with a queue and a list of visited states; the opponent helps here too."),
    "andor": N_("One good move for us, every move for the opponent: a win that is found here is forced."),
}


@dataclass
class ToldSpace:
    """A search of document S1, and all that is said of it."""

    question: Question
    replay: SpaceReplay

    @property
    def title(self) -> str:
        assert self.question.space
        return f"{self.question.game} · {_(NAMES[self.question.space])}"

    @property
    def chunk(self) -> int:
        """How many steps may be asked for at once."""
        return max(1, min(AT_ONCE, NODES_AT_ONCE // len(self.replay.found.places)))


_told: OrderedDict[tuple[Question, str], ToldSpace] = OrderedDict()


def told_space(registry: Registry, question: Question) -> ToldSpace:
    """The search that is asked for. Raises BadInput, Unsuitable, LimitReached."""
    key = question, language()
    if key not in _told:
        assert question.space
        game = registry.game(question.game)
        state = line(game, list(question.moves))[-1].state
        player = question.winner - 1 if question.winner else int(game.mover(state))
        found = told(game, state, question.space, player, revisit=question.revisit)
        _told[key] = ToldSpace(question, SpaceReplay(found))
        if len(_told) > KEPT:
            _told.popitem(last=False)
    _told.move_to_end(key)
    return _told[key]


def space_state(this: ToldSpace, step: int) -> TreeState:
    """What the program of the page must know."""
    return {
        "values": this.question.values,
        "address": this.question.address,
        "steps": len(this.replay),
        "step": step,
        "chunk": this.chunk,
        "order": -1,
        "ordered": False,
        "cuts": [],
    }


def space_moment(this: ToldSpace, step: int) -> Parts:
    """The parts that change from step to step."""
    moment = this.replay.moment(step)
    found = this.replay.found
    readings = [] if found.revisit else [(_("visited"), unbroken(moment.listed))]
    if found.algorithm == "bfs":
        readings.append((_("queue"), unbroken(moment.waiting)))
    said = pages.part(
        "tree_space_said.html",
        step=step,
        of=len(this.replay),
        sentence=moment.scene.said or _(SHOWS[found.algorithm]),
        readings=readings,
        conclusion=conclusion(found) if step == len(this.replay) else "",
        hopeful=step == len(this.replay)
        and found.found
        and found.algorithm != "andor"
        and len(found.line) > 1,
        ours=ours(),
        theirs=theirs(),
        other=pages.address("/tree", **{**this.question.values, "algorithm": "andor", "revisit": ""}),
    )
    work = pages.part("tree_work.html", rows=work_rows(this, step), is_alphabeta=False)
    return {
        "tree": pages.picture(tree_svg(replace(moment.scene, said=""), this.title, like=this.replay.end)),
        "said": said,
        "work": work,
    }


def unbroken(names: Sequence[str]) -> list[str]:
    """Names that no end of a line tears apart."""
    return [name.replace(" ", "\u00a0") for name in names]


def work_rows(this: ToldSpace, step: int) -> list[tuple[str, int, int]]:
    """How much was done up to a step, and in all."""
    found = this.replay.found
    done = found.steps[:step]
    starts = "take" if found.algorithm == "bfs" else "go"
    expanded = sum(each.kind == starts for each in done)
    if found.algorithm != "bfs" and done and not found.is_over(0):
        expanded += 1
    tried = ("go", "wait", "won", "lost", "seen")
    return [
        (_("states expanded"), expanded, found.expanded),
        (_("moves tried"), sum(each.kind in tried for each in done), len(found.places) - 1),
        (
            _("met again"),
            sum(each.kind == "seen" for each in done),
            sum(each.kind == "seen" for each in found.steps),
        ),
    ]


def trace_part(this: ToldSpace) -> str:
    """All steps as the indented trace."""
    return pages.part("tree_trace.html", lines=this.replay.trace)
