"""The questions of document [S1]: Nim, search in a space of states, learning by lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

from damier.core.bits import mix64
from damier.core.errors import BadInput, LimitReached
from damier.core.game import Game
from damier.core.job import Job
from damier.core.rules import State
from damier.core.words import FormattedNumber, _, grouped, message, printable
from damier.lab.course.question import (
    CoursePart,
    CourseQuestion,
    RoomLink,
    TypedAnswer,
    always,
    choice,
    constant,
    numeric,
    refused,
)
from damier.lab.games import load
from damier.lab.graphs import DiagramPlan, shape
from damier.lab.lab import Lab
from damier.lab.training import Plan, trainer
from damier.learn.beads import BeadsParameters
from damier.learn.player import LearningPlayer
from damier.learn.store import lists_of
from damier.search.state_space import andor, bfs
from damier.search.state_space_trace import SpaceAlgorithm, SpaceReplay, conclusion, line_names, trace_search
from damier.solve import count, solve

# The calls of document [S1], typed as it prints them: `explore`, the lists of actions, and the games
# that reinforce them (rows ).

MATCHES, MOST_MATCHES = 16, 30
MOST_GAMES = 3_000
"""Games that are played on the lists of one sitting."""
TRACED_MATCHES = 9
"""Up to so many matches the whole trace of explore is printed; of more, its end."""
TRACED_LINES = 60
SEED = 0
UNDERSTOOD = "(explore 7 actions 'IA 0)  (dotimes (x 1000)(explore-renf-rec 16 *actions*))  (aff *actions*)"
BASES = ("actions", "*actions*")
PLAYERS = {"ia": 0, "ai": 0, "humain": 1, "human": 1}


def typed_nim(text: str, before: Sequence[str] = ()) -> TypedAnswer:
    """Return what a call comes to, after those that were typed before it. Raises BadInput, LimitReached."""
    form = read(text)
    games = sum(games_of(earlier) for earlier in before)
    if isinstance(form, list) and form and isinstance(form[0], str):
        if form[0].lower() == "setq" and len(form) == 3 and isinstance(form[1], str):
            inner = answered(form[2], games, text)  # (setq nbCoupsAJouer (explore …)), as the report has it
            return TypedAnswer(inner.command, inner.lines, inner.doors)
        return answered(form, games, text)
    raise refused(text, UNDERSTOOD)


def answered(form: Form, games: int, text: str) -> TypedAnswer:
    """Return what a form comes to. Raises BadInput."""
    if isinstance(form, list) and form and isinstance(form[0], str):
        known: dict[str, Callable[[list[Form], int], TypedAnswer]] = {
            "explore": typed_explore,
            "successeurs": typed_successors,
            "randomsuccesseurs": typed_random,
            "jeujoueur": typed_player,
            "renforcement": typed_reinforcement,
            "explore-renf": typed_game,
            "explore-renf-rec": typed_game,
            "dotimes": typed_games,
            "aff": typed_lists,
        }
        name = form[0].lower()
        if name in known:
            return known[name](form, games)
    raise refused(text, UNDERSTOOD)


def wants(form: list[Form], shape: str, good: bool) -> None:
    """Raises BadInput where a call has not the shape that the document gives it."""
    if not good:
        raise BadInput(message("{name} is written {shape}", name=str(form[0]), shape=shape))


def matches_in(value: Form, low: int = 0, high: int = MOST_MATCHES) -> int:
    """A number of matches. Raises BadInput."""
    if not isinstance(value, int) or not low <= value <= high:
        raise BadInput(message("matches: a whole number from {low} to {high}", low=low, high=high))
    return value


def typed_explore(form: list[Form], _games: int) -> TypedAnswer:
    """(explore n actions 'J i): the first way to a win of the AI, and its trace."""
    shape = "(explore 7 actions 'IA 0)"
    wants(form, shape, len(form) == 5 and form[2] in BASES)
    who = PLAYERS.get(str(form[3]).lower(), -1)
    wants(form, shape, who >= 0 and isinstance(form[4], int))
    matches = matches_in(form[1], 0)
    game = load(f"nim:matches={max(matches, 1)}")
    found = trace_search(game, start_with(game, who, matches), "dfs", 0, revisit=True)
    lines = SpaceReplay(found).trace
    if matches > TRACED_MATCHES and len(lines) > TRACED_LINES:
        lines = (*lines[: TRACED_LINES // 2], "…", *lines[-TRACED_LINES // 2 :])
    at = "tree=game&game=nim:matches={n}&algorithm={a}{w}".replace("{n}", str(max(matches, 1)))
    # in the room the player to move sits at seat 1
    winner = "&winner=2" if who else "&winner=1"
    doors = [
        RoomLink(_("Step by step"), "/tree?" + at.format(a="dfs", w=winner) + "&revisit=1"),
        RoomLink(_("What can be forced: the mixed search"), "/tree?" + at.format(a="andor", w=winner)),
    ]
    return TypedAnswer(
        f"(explore {matches} actions '{'HUMAIN' if who else 'IA'} 0)",
        (*lines, "⇒ " + conclusion(found)),
        tuple(doors) if matches else (),
    )


def start_with(game: Game, who: int, matches: int) -> State:
    """The state (n j): so many matches, and who is to move."""
    assert game.read_position is not None
    return game.read_position(f"{matches} {('first', 'second')[who]}")


@lru_cache(maxsize=64)
def base(games: int, text: str = "beads:preset=ia01") -> dict[int, list[int]]:
    """The lists after so many games of the AI against itself."""
    lab = Lab(load(f"nim:matches={MATCHES}"), Job(), seed=SEED)
    made = trainer(lab, Plan(text, seed=SEED, grade_every=0))
    if games:
        made.training.run(games, lab.job)
    learner = made.learner
    assert isinstance(learner, LearningPlayer)
    assert isinstance(learner.parameters, BeadsParameters)
    lists = lists_of(lab.game, learner.parameters, learner.memory)
    assert lists is not None
    return {int(matches): moves for matches, moves in lists.items()}


def entry(matches: int, moves: Sequence[int]) -> str:
    """An entry as Lisp prints it; a long one by how often each move stands there."""
    if len(moves) <= 24:
        return f"({matches} {' '.join(map(str, moves))})"
    counts = "  ".join(f"{move} × {grouped(moves.count(move))}" for move in sorted(set(moves), reverse=True))
    return f"({matches} …)   {counts}"


def typed_successors(form: list[Form], games: int) -> TypedAnswer:
    """(successeurs n actions): the tail of an entry."""
    wants(form, "(successeurs 16 actions)", len(form) == 3 and form[2] in BASES)
    matches = matches_in(form[1], 1, MATCHES)
    moves = base(games)[matches]
    return TypedAnswer(
        f"(successeurs {matches} actions)", (entry(matches, moves).replace(f"({matches} ", "("),)
    )


def typed_random(form: list[Form], games: int) -> TypedAnswer:
    """(Randomsuccesseurs (successeurs n actions)): one move, each as likely as it stands there."""
    shape = "(Randomsuccesseurs (successeurs 16 actions))"
    wants(form, shape, len(form) == 2 and isinstance(form[1], list) and len(form[1]) == 3)
    inner = form[1]
    assert isinstance(inner, list)
    wants(form, shape, inner[0] == "successeurs" and inner[2] in BASES)
    matches = matches_in(inner[1], 1, MATCHES)
    moves = base(games)[matches]
    drawn = moves[mix64(2 * games + 1) % len(moves)]
    chances = ", ".join(
        f"{move}: {moves.count(move)}/{len(moves)}" for move in sorted(set(moves), reverse=True)
    )
    return TypedAnswer(
        f"(Randomsuccesseurs (successeurs {matches} actions))",
        (str(drawn), _("chances: {chances}", chances=chances)),
    )


def typed_player(form: list[Form], _games: int) -> TypedAnswer:
    """(JeuJoueur n actions): what may be taken; the game itself is played on the board."""
    wants(form, "(JeuJoueur 16 actions)", len(form) == 3 and form[2] in BASES)
    matches = matches_in(form[1], 1)
    door = RoomLink(_("Play it on the board"), f"/nim:matches={matches}?1=human&2=perfect")
    line = _("min: {low}, max: {high}", low=1, high=min(3, matches))
    return TypedAnswer(f"(JeuJoueur {matches} actions)", (line,), (door,))


def typed_reinforcement(form: list[Form], games: int) -> TypedAnswer:
    """(renforcement n coup actions): one entry before and after, in both versions of the document."""
    wants(form, "(renforcement 7 2 *actions*)", len(form) == 4 and form[3] in BASES)
    matches = matches_in(form[1], 1, MATCHES)
    taken = matches_in(form[2], 1, min(3, matches))
    moves = base(games)[matches]
    lines = (
        _("before: {entry}", entry=entry(matches, moves)),
        _("version 1, at the end: {entry}", entry=entry(matches, [*moves, taken])),
        _("version 2, in front: {entry}", entry=entry(matches, [taken, *moves])),
    )
    return TypedAnswer(f"(renforcement {matches} {taken} *actions*)", lines)


def typed_game(form: list[Form], games: int) -> TypedAnswer:
    """(explore-renf-rec 16 *actions*): one game of the AI against itself."""
    name = str(form[0]).lower()
    wants(form, f"({name} 16 *actions*)", len(form) in (3, 4) and form[2] in BASES and form[1] == MATCHES)
    return played(f"({name} 16 *actions*)", games, 1)


def typed_games(form: list[Form], games: int) -> TypedAnswer:
    """(dotimes (x N)(explore-renf-rec 16 *actions*))"""
    count = counted(form)
    wants(form, "(dotimes (x 1000)(explore-renf-rec 16 *actions*))", count > 0)
    return played(f"(dotimes (x {count}) (explore-renf-rec 16 *actions*))", games, count)


def counted(form: Form) -> int:
    """The games that a form plays; 0 where it is none that does."""
    if not isinstance(form, list) or not form:
        return 0
    if form[0] == "dotimes" and len(form) == 3 and isinstance(form[1], list) and len(form[1]) == 2:
        times = form[1][1]
        return times * counted(form[2]) if isinstance(times, int) else 0
    names = ("explore-renf", "explore-renf-rec")
    return int(form[0] in names and len(form) in (3, 4) and form[1] == MATCHES and form[2] in BASES)


def games_of(text: str) -> int:
    """The games of a command that was typed before; 0 where it plays none."""
    try:
        return counted(read(text))
    except BadInput:
        return 0


def played(command: str, before: int, count: int) -> TypedAnswer:
    """So many games more. Raises LimitReached."""
    if before + count > MOST_GAMES:
        raise LimitReached(
            message(
                "{n} games in one sitting; up to {most} are played here: the room of learning goes on",
                n=FormattedNumber(before + count, ","),
                most=FormattedNumber(MOST_GAMES, ","),
            ),
            {"games": before + count},
        )
    was, now = base(before), base(before + count)
    grown = {matches: len(now[matches]) - len(was[matches]) for matches in now}
    most = sorted(((grew, matches) for matches, grew in grown.items() if grew), reverse=True)[:8]
    lines = [_("games played on these lists: {n}", n=grouped(before + count))]
    lines += (
        [_("reinforced: {entries}", entries="  ".join(f"{matches}: +{grew}" for grew, matches in most))]
        if most
        else [_("no list has grown: the AI has lost")]
    )
    lines.append(_("(aff *actions*) prints all lists"))
    return TypedAnswer(command, tuple(lines), (learning_door(),))


def learning_door() -> RoomLink:
    """Return a link to where the same lists are trained and looked at."""
    return RoomLink(_("Watch the lists learn"), "/learning?game=nim&learner=beads:preset=ia01&games=1000")


def typed_lists(form: list[Form], games: int) -> TypedAnswer:
    """(aff *actions*): all lists."""
    wants(form, "(aff *actions*)", len(form) == 2 and form[1] in BASES)
    lists = base(games)
    lines = [entry(matches, moves) for matches, moves in lists.items()]
    return TypedAnswer("(aff *actions*)", tuple(lines), (learning_door(),))


# The few words of Lisp in which document [S1] writes its calls, read and never run: lists, names,
# whole numbers, and the quote.
#
# >>> read("(explore 7 actions 'IA 0)")
# ['explore', 7, 'actions', 'IA', 0]

Form: TypeAlias = "int | str | list[Form]"
"""What is read: a number, a name, or a list of such."""

LONGEST = 300
DEEPEST = 20
TOKEN = re.compile(r"\s*(?:(?P<comment>;.*)|(?P<bracket>[()'])|(?P<atom>[^\s()';]+))")


def read(text: str) -> Form:
    """One form. Raises BadInput."""
    if len(text) > LONGEST:
        raise BadInput(message("a command has at most {n} characters", n=LONGEST))
    found, rest = _form(tokens(text), 0)
    if rest:
        raise BadInput(
            message("after the command stands {text}: one command at a time", text=printable(rest[0], 40))
        )
    return found


def tokens(text: str) -> list[str]:
    """Brackets, quotes and atoms, in order. Raises BadInput."""
    found, at = [], 0
    while at < len(text.rstrip()):
        match = TOKEN.match(text, at)
        if match is None or match.end() == at:
            raise BadInput(message("{text} cannot be read here", text=printable(text[at:], 40)))
        at = match.end()
        if not match["comment"]:
            found.append(match["bracket"] or match["atom"])
    return found


def _form(rest: list[str], depth: int) -> tuple[Form, list[str]]:
    if not rest or depth > DEEPEST:
        raise BadInput(message("a bracket is not closed"))
    token, rest = rest[0], rest[1:]
    if token == "'":
        return _form(rest, depth + 1)
    if token == ")":
        raise BadInput(message("a bracket is closed that was not opened"))
    if token != "(":
        return (int(token) if token.isascii() and token.isdecimal() and len(token) < 10 else token), rest
    found: list[Form] = []
    while rest and rest[0] != ")":
        form, rest = _form(rest, depth + 1)
        found.append(form)
    if not rest:
        raise BadInput(message("a bracket is not closed"))
    return found, rest[1:]


AI, HUMAN = 0, 1


def state(matches: int, mover: int) -> tuple[Game, State]:
    """The state (n j)."""
    game = load("nim")
    assert game.read_position is not None
    return game, game.read_position(f"{matches} {('first', 'second')[mover]}")


def first_move(matches: int, mover: int, algorithm: SpaceAlgorithm) -> int:
    """Return what a search of the document takes, for the AI."""
    return int(line_names(trace_search(*state(matches, mover), algorithm, AI, revisit=True))[0])


def winning_move(matches: int) -> int:
    """The number of matches that wins."""
    game, s = state(matches, AI)
    found = andor(game, s, AI)
    return int(game.name_move(s, found.move))


def nodes(matches: int) -> int:
    """The nodes of the complete tree."""
    game = load(f"nim:matches={matches}")
    return shape(DiagramPlan(game, game.start, "complete", None, False), Job()).nodes


def expanded(*, revisit: bool) -> int:
    """States that breadth-first expands from (16 IA)."""
    game = load("nim")
    return bfs(game, game.start, AI, revisit=revisit).expanded


def winner_of_the_end() -> frozenset[str]:
    """Return who has won at (0 IA)."""
    game, s = state(0, AI)
    return frozenset({"ai" if game.payoff(s, AI) > 0 else "human"})


def never_reinforced() -> frozenset[str]:
    """The entries of the list that the AI never reinforces where it begins with 16: it never stands
    there, or has no move that wins against any reply.
    """
    reached, todo = {16}, [16]
    for n in todo:  # the matches that the AI can have before it
        for after in {n - own - other for own in (1, 2, 3) for other in (1, 2, 3)}:
            if after > 0 and after not in reached:
                reached.add(after)
                todo.append(after)
    return frozenset(str(n) for n in (1, 2, 9, 13, 15, 16) if n not in reached or n == 1)


def lost_numbers() -> frozenset[str]:
    """The numbers of matches at which whoever is to move has lost."""
    game = load("nim")
    known = solve(game)
    return frozenset(str(n) for n in (4, 5, 8, 9, 12, 13) if known.value(state(n, AI)[1]) == "loss")


TREE = "/tree?tree=game&game=nim:matches={n}&algorithm={a}&winner={w}"

PARTS = (
    CoursePart(
        "space",
        (
            numeric(
                "states",
                lambda: count(load("nim")).states,
                slips={"heaps": constant(17), "all": constant(34)},
            ),
            choice("finals", winner_of_the_end),
            numeric(
                "tree",
                lambda: nodes(4),
                slips={"different": constant(8), "leaves": constant(7)},
                door="/tree?view=graph&game=nim:matches=4&kind=complete",
            ),
        ),
    ),
    CoursePart(
        "explore",
        (
            numeric(
                "four",
                lambda: first_move(4, HUMAN, "dfs"),
                slips={"good": constant(3)},
                door=TREE.format(n=4, a="dfs", w=2) + "&revisit=1",
            ),
            CourseQuestion("call", "command", command="(explore 6 actions 'HUMAIN 0)"),
            numeric(
                "seven",
                lambda: first_move(7, AI, "dfs"),
                slips={"right": lambda: winning_move(7)},
                door=TREE.format(n=7, a="dfs", w=1) + "&revisit=1",
            ),
            numeric(
                "truth",
                lambda: winning_move(7),
                slips={"hope": lambda: first_move(7, AI, "dfs")},
                door=TREE.format(n=7, a="andor", w=1),
            ),
        ),
    ),
    CoursePart(
        "breadth",
        (
            numeric(
                "listed",
                lambda: expanded(revisit=False),
                slips={"twice": lambda: expanded(revisit=True)},
                door=TREE.format(n=16, a="bfs", w=1),
            ),
            choice("claim", always("3"), "error", door=TREE.format(n=7, a="bfs", w=1)),
            choice("mixed", always("one-all"), door=TREE.format(n=6, a="andor", w=1)),
        ),
    ),
    CoursePart(
        "lists",
        (
            choice("ends", always("1"), "error"),
            numeric(
                "drawn",
                constant(3 / 5),
                tolerance=0.001,
                slips={"before": constant(1 / 3), "two": constant(2 / 5)},
            ),
            CourseQuestion(
                "train",
                "command",
                command="(dotimes (x 1000) (explore-renf-rec 16 *actions*))",
                door="/learning?game=nim&learner=beads:preset=ia01&games=1000",
            ),
            choice("never", never_reinforced, "several", door="/matchboxes?game=nim"),
            choice("leave", lost_numbers, "several", door="/nim?1=human&2=perfect&show=truth"),
        ),
    ),
)
