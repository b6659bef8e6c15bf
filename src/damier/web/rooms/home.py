"""The first page: a game that one can win, against a machine of matchboxes that learns from it; and the
links to the rest. Where files of one's own are served, they lead it.

The machine is M. Gardner's of 1962 [Gardner62], which is only punished, at the rule of document [S0] by
which who cannot move draws: so nobody loses by force before having erred, and what it comes to in the
end is that nobody beats it.
"""

from __future__ import annotations

from typing import NamedTuple

from damier.core.bits import random_below, seeded
from damier.core.board import Grid
from damier.core.errors import BadInput
from damier.core.json_data import to_json
from damier.core.json_types import JsonObject
from damier.core.words import _, grouped, message, ngettext
from damier.draw.board import Touch, board_block, board_svg, title_of, unlabelled
from damier.draw.education import PAWN_RULES, card_svg, falling_in_words, falling_svg, jar_svg, rules_svg
from damier.draw.matchbox import BeadKind, matchbox_svg
from damier.draw.svg import document
from damier.draw.text import grid_of, move_marks
from damier.lab.matchboxes import MachineLines, PossibleGames
from damier.solve import solve
from damier.web import pages
from damier.web.board_position import cells_of_move, columns_of_board, pointing
from damier.web.limits import LRU
from damier.web.messages import HomeState, Params, Parts, StateAnswer
from damier.web.registry import Registry
from damier.web.rooms.matchboxes import (
    BoxSet,
    Bulk,
    Entry,
    HumanGame,
    Known,
    Moment,
    after,
    fitting,
    learnt_lines,
    moment_of,
    opened_of,
    summed,
    visit,
    write_played,
)

# The parts of the first page: what is exactly true of its machine, the board, the box that it opens.


SHOWN = 2
"""Boxes that are shown of those that some games have changed."""


def state_of(moment: Moment) -> HomeState:
    """Return what the browser keeps, and what its board can be pointed at for."""
    human_game = moment.human_game
    position, marks = human_game.position, human_game.marks
    pointed = pointing(position, marks)
    return {
        **moment.state,
        "person": human_game.waits_for_person,
        "legal": [mark.name for mark in marks],
        "taps": pointed.taps,
        "routes": pointed.routes,
        "columns": columns_of_board(grid_of(position)),
    }


def parts_of(moment: Moment, before: Known | None = None, *, opened: bool = False) -> Parts:
    """All parts that a step can change; `before` is what the machine knew before games that have just
    been played for the person, `opened` whether its address has just been opened.
    """
    education = education_of(moment)
    reveals = opened or before is not None or moment.human_game.over
    return {
        "truth": truth_part(moment),
        "taught": taught_part(moment, education) if reveals and education.took is not None else "",
        "board": board_part(moment),
        "status": status_part(moment),
        "mind": mind_part(moment, before),
        "progress": progress_part(moment, education, before),
    }


# What it has learnt so far: the games in which it can still be beaten, the beads that it has lost.


class Education(NamedTuple):
    """Possible games in which it can be beaten, before its first game and after each; the beads that were
    taken out of its boxes, each with the number of the game.
    """

    counts: tuple[int, ...]
    taken: tuple[tuple[int, BeadKind], ...]

    @property
    def took(self) -> int | None:
        """Games after which nobody could beat it any more; None where somebody can."""
        return None if self.counts[-1] else self.counts.index(0)

    @property
    def beads(self) -> list[BeadKind]:
        return [kind for _game, kind in self.taken]


EDUCATIONS = LRU[tuple[BoxSet, int, tuple[Entry, ...]], Education](60)
"""Those of the latest lists of games, each up to the last that the machine lost."""


def education_of(moment: Moment) -> Education:
    """Return what all games that are over have taught it: nothing but a lost one changes it."""
    box_set, seed, games = moment.box_set, moment.seed, moment.finished
    lost = [n for n, result in enumerate(moment.after.results, 1) if result.losses]
    known_as = (box_set, seed, tuple(games[: lost[-1]] if lost else ()))
    found = EDUCATIONS.find(known_as, lambda: _education(moment, seed, lost))
    return found._replace(counts=found.counts + found.counts[-1:] * (len(games) - len(found.counts) + 1))


def _education(moment: Moment, seed: int, lost: list[int]) -> Education:
    box_set, games = moment.box_set, moment.finished
    counts, taken = [lines_of(moment, after(box_set, seed, [])).lost], list[tuple[int, BeadKind]]()
    for game in lost:
        counts += counts[-1:] * (game - len(counts))
        then, now = after(box_set, seed, games[: game - 1]), after(box_set, seed, games[:game])
        for was, box in zip(box_set.boxes(then.memory), box_set.boxes(now.memory), strict=True):
            for move, kind in box_set.kinds.of(box).items():
                taken += [(game, kind)] * (was.beads[move] - box.beads[move])
        counts.append(lines_of(moment, now).lost)
    return Education(tuple(counts), tuple(taken))


def progress_part(moment: Moment, education: Education, before: Known | None) -> str:
    """Return the line that falls, and the jar with the beads, those of the latest games on top."""
    earlier = len(before.results) if before else len(moment.played)
    new = sum(game > earlier for game, _kind in education.taken)
    return pages.part(
        "home_progress.html",
        falling=pages.picture(falling_svg(education.counts)),
        said=falling_in_words(education.counts),
        jar=pages.picture(jar_svg(education.beads, new)),
        beads=len(education.taken),
    )


def truth_part(moment: Moment, *, friend: bool = False) -> str:
    """Return how many of its lines the machine loses, as it is after all games that are over; to a
    `friend`, who is to find it out, how it was taught.
    """
    results = summed("", moment.after.results)
    return pages.part("home_truth.html", lines=lines_of(moment), results=results, friend=friend)


def taught_part(moment: Moment, education: Education) -> str:
    """Return the moment at which nobody can beat it any more."""
    assert education.took is not None
    lines, results = lines_of(moment), summed("", moment.after.results)
    title = ngettext("You taught it. It took {n} game.", "You taught it. It took {n} games.", education.took)
    sentences = [
        _("It could be beaten in {n} of its games, and now in none.", n=grouped(education.counts[0])),
        _(
            "{total} games are possible now: it wins {won} and draws {drawn}.",
            total=grouped(lines.total),
            won=grouped(lines.total - lines.drawn),
            drawn=grouped(lines.drawn),
        ),
        _(
            "It lost {lost} games for it, and {beads} beads.",
            lost=grouped(results.losses),
            beads=grouped(len(education.taken)),
        ),
    ]
    address = {"seed": moment.seed, "played": write_played(moment.finished)}
    return pages.part(
        "home_taught.html",
        title=title,
        said=sentences,
        card=pages.picture(card_svg(title, sentences, education.counts, education.beads)),
        whole=pages.address("/", **address),
        friend=pages.address("/", **address, friend=1),
    )


def lines_of(moment: Moment, known: Known | None = None) -> PossibleGames:
    """All games that can still be played against the machine; or could be when it knew this."""
    memory = (known or moment.after).memory
    return MachineLines(moment.box_set, memory, moment.human_game.seat).of(moment.box_set.lab.game.position())


def board_part(moment: Moment) -> str:
    human_game = moment.human_game
    last = cells_of_move(human_game.previous, human_game.moves[-1]) if human_game.moves else ()
    touch = Touch(last)
    return pages.picture(board_svg(human_game.position, human_game.marks, touch=touch))


def status_part(moment: Moment) -> str:
    return pages.part(
        "home_status.html",
        game=moment.human_game,
        state=moment.state,
    )


def mind_part(moment: Moment, before: Known | None) -> str:
    """The box that is open; when a game is over, what it did to its boxes; after games that were played
    for the person, what they did; before the first one, what all of it is.
    """
    human_game, box_set = moment.human_game, moment.box_set
    if before is not None:
        return played_part(moment, before)
    first = box_set.machine.boxes[0]
    changed = [change for change in moment.changes if change.before.beads != change.after.beads]
    return pages.part(
        "home_mind.html",
        opened=opened_of(moment),
        over=human_game.over,
        payoff=human_game.payoff,
        lines=learnt_lines(box_set, changed),
        before=lines_of(moment, moment.known) if changed else None,
        boxes=len(box_set.machine.boxes),
        first=pages.picture(matchbox_svg(first, box_set.kinds)),
    )


def played_part(moment: Moment, before: Known) -> str:
    """Return what the games that were played for the person did to the boxes, those that changed most
    first.
    """
    box_set = moment.box_set
    results = moment.known.results[len(before.results) :]
    pairs = zip(box_set.boxes(before.memory), box_set.boxes(moment.known.memory), strict=True)
    changed = sorted(
        ((then.total - now.total, now) for then, now in pairs if then.total > now.total),
        key=lambda found: (-found[0], found[1].number),
    )
    size = fitting(box_set, [box for _less, box in changed[:SHOWN]])
    return pages.part(
        "home_played.html",
        games=len(results),
        result=summed("", results),
        beads=sum(less for less, _box in changed),
        before=lines_of(moment, before),
        boxes=[pages.picture(matchbox_svg(box, box_set.kinds, size)) for _less, box in changed[:SHOWN]],
        more=max(0, len(changed) - SHOWN),
    )


# Games that are played for a person: by somebody who knows all boxes of the machine, and always makes
# one of the moves that beat it most often. It is beaten so wherever it can be, so it learns fastest.


def played_on(box_set: BoxSet, seed: int, played: list[Entry], games: int) -> list[Entry]:
    """Return the same games, and so many more. They stand in the list as a person's do: move by move."""
    found = list(played)
    for _game in range(games):
        found.append(one_game(box_set, seed, found))
    return found


def one_game(box_set: BoxSet, seed: int, played: list[Entry]) -> tuple[str, ...]:
    """The moves of one game; among moves that are equally good it draws one, always alike for the same
    seed and the same games before.
    """
    human_game = HumanGame(box_set, after(box_set, seed, played), seed)
    lines = MachineLines(box_set, human_game.memory, human_game.seat)
    rng = seeded(seed, ~human_game.number)
    while not human_game.over:
        if human_game.drawing:
            human_game.draw()
        else:
            best = lines.best_replies(human_game.position)
            human_game.follow([best[random_below(rng, len(best))]])
    return tuple(human_game.moves)


MACHINE: JsonObject = {"game": "hexapawn", "agent": "beads:preset=her", "seat": "2"}
GAMES = 10
"""Games that one click plays for a person."""


def page(registry: Registry, params: Params) -> str:
    """The page, with the machine as the address says it."""
    moment = visited(registry, params)
    friend = params.choice("friend", ("", "1")) == "1"
    parts = parts_of(moment, opened=not friend and not moment.human_game.moves)
    if friend:
        parts["truth"] = truth_part(moment, friend=True)
    grid = grid_of(moment.box_set.lab.game.position())
    assert isinstance(grid, Grid)
    own, agents = list(registry.settings.games), registry.own.in_files()
    return pages.page(
        "home.html",
        "/",
        _("Beat it while you can"),
        state=to_json(state_of(moment)),
        parts=parts,
        miniature=pages.picture(rules_svg(grid, PAWN_RULES, _("The rules"))),
        rules=_(moment.box_set.lab.game.description),
        games=GAMES,
        values=values(registry),
        first_cut=first_cut(),
        own=own,
        agents=[(name, file, own[0] if own else registry.own.game(name)) for name, file in agents.items()],
    )


def show(registry: Registry, params: Params) -> StateAnswer[HomeState]:
    """The game after some moves: a game that is over is learnt from. Raises IllegalMove."""
    moment = visited(registry, params)
    return {"parts": parts_of(moment), "state": state_of(moment)}


def play(registry: Registry, params: Params) -> StateAnswer[HomeState]:
    """Some games for the person; one that is over counts before them, one that goes on is left.

    Raises LimitReached.
    """
    moment = visited(registry, params)
    played = played_on(moment.box_set, moment.seed, moment.finished, GAMES)
    then = visited(registry, Params({**params.values, "played": write_played(played), "moves": []}))
    return {"parts": parts_of(then, before=moment.after), "state": state_of(then)}


def visited(registry: Registry, params: Params) -> Moment:
    """Return what a question is about. Raises BadInput, IllegalMove, LimitReached."""
    params = Params({**params.values, **MACHINE})
    found = visit(registry, params)
    if any(isinstance(entry, Bulk) for entry in found.played):
        raise BadInput(message("the games of the first page are played move by move"))
    return moment_of(found, params)


# The pictures of the ways on from the first page.


def values(registry: Registry) -> str:
    """A board with what its moves are worth."""
    game = registry.game("hexapawn")
    position = game.position().play("b1b2").play("a3b2")
    grid = grid_of(position)
    assert grid is not None
    marks = move_marks(game, position.state, solve(game).explain(position.state))
    return pages.picture(document(board_block(unlabelled(grid), marks), title_of(position), ""))


def first_cut() -> str:
    """The classic tree at the moment of its first cut."""
    from damier.draw.tree import tree_block  # for this picture alone: an answer to a move has none
    from damier.trees.explicit import EXAMPLES, read, search
    from damier.trees.replay import Replay

    example = EXAMPLES["classic"]
    found = search(read(example.text), "alphabeta", trace=True)
    cut = next(number for number, step in enumerate(found.steps, 1) if step.kind == "cut")
    replay = Replay(found)
    return pages.picture(document(tree_block(replay.scene(cut), replay.scene(cut)), _(example.name), ""))
