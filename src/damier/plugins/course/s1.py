"""The questions of document [S1]: Nim, search in a space of states, learning by lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from damier.core.bits import Rng, random_unit, seeded
from damier.core.errors import BadInput, DamierError, LimitReached
from damier.core.game import Game
from damier.core.rules import State
from damier.core.words import FormattedNumber, _, grouped, message, printable
from damier.lab.games import load
from damier.plugins.course import question
from damier.search.state_space import andor, bfs
from damier.search.state_space_trace import SpaceAlgorithm, SpaceReplay, conclusion, line_names, trace_search
from damier.solve import count, solve

AI, HUMAN = 0, 1


def state(matches: int, mover: int) -> tuple[Game, State]:
    """The state (n j)."""
    game = load("nim")
    return game, start_with(game, mover, matches)


def first_move(matches: int, mover: int, algorithm: SpaceAlgorithm) -> int:
    """Return what a search of the document takes, for the AI."""
    return int(line_names(trace_search(*state(matches, mover), algorithm, AI, revisit=True))[0])


def winning_move(matches: int) -> int:
    """The number of matches that wins."""
    game, s = state(matches, AI)
    return int(game.name_move(s, andor(game, s, AI).move))


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
    known = solve(load("nim"))
    return frozenset(str(n) for n in (4, 5, 8, 9, 12, 13) if known.value(state(n, AI)[1]) == "loss")


TREE = "/tree?tree=game&game=nim:matches={n}&algorithm={a}&winner={w}"

PARTS = (
    question.CoursePart(
        "space",
        (
            question.numeric("states", lambda: count(load("nim")).states, slips={"heaps": 17, "all": 34}),
            question.choice("finals", winner_of_the_end),
            question.numeric(
                "tree",
                lambda: question.tree_nodes("nim:matches=4"),
                slips={"different": 8, "leaves": 7},
                link="/tree?view=graph&game=nim:matches=4&kind=complete",
            ),
        ),
    ),
    question.CoursePart(
        "explore",
        (
            question.numeric(
                "four",
                lambda: first_move(4, HUMAN, "dfs"),
                slips={"good": 3},
                link=TREE.format(n=4, a="dfs", w=2) + "&revisit=1",
            ),
            question.CourseQuestion("call", "command", command="(explore 6 actions 'HUMAIN 0)"),
            question.numeric(
                "seven",
                lambda: first_move(7, AI, "dfs"),
                slips={"right": lambda: winning_move(7)},
                link=TREE.format(n=7, a="dfs", w=1) + "&revisit=1",
            ),
            question.numeric(
                "truth",
                lambda: winning_move(7),
                slips={"hope": lambda: first_move(7, AI, "dfs")},
                link=TREE.format(n=7, a="andor", w=1),
            ),
        ),
    ),
    question.CoursePart(
        "breadth",
        (
            question.numeric(
                "listed",
                lambda: expanded(revisit=False),
                slips={"twice": lambda: expanded(revisit=True)},
                link=TREE.format(n=16, a="bfs", w=1),
            ),
            question.choice("claim", "3", "error", link=TREE.format(n=7, a="bfs", w=1)),
            question.choice("mixed", "one-all", link=TREE.format(n=6, a="andor", w=1)),
        ),
    ),
    question.CoursePart(
        "lists",
        (
            question.choice("ends", "1", "error"),
            question.numeric("drawn", 3 / 5, tolerance=0.001, slips={"before": 1 / 3, "two": 2 / 5}),
            question.CourseQuestion(
                "train",
                "command",
                command="(dotimes (x 1000) (explore-renf-rec 16 *actions*))",
                link="/learning?game=nim&learner=beads:preset=ia01&games=1000",
            ),
            question.choice("never", never_reinforced, "several", link="/matchboxes?game=nim"),
            question.choice("leave", lost_numbers, "several", link="/nim?1=human&2=perfect&show=truth"),
        ),
    ),
)


# The Lisp session of document [S1]: its calls typed as it prints them, one after the other, on one base
# of lists that is remembered from call to call.

MATCHES, MOST_MATCHES, TAKEN = 16, 30, 3
MOST_GAMES = 5_000
"""Games that are played on the lists of one sitting."""
TRACED_MATCHES = 9
"""Up to so many matches the whole trace of explore is printed; of more, its end."""
TRACED_LINES = 60
LONGEST_LIST, LONGEST_VALUE = 24, 400
"""Moves of a list, and characters of a value, that are printed whole."""
SEED = 0
SITTINGS = 32
"""Beginnings of sittings that are remembered, so that a further call need not repeat them."""
UNDERSTOOD = "(explore 7 actions 'IA 0)  (dotimes (x 1000)(explore-renf-rec 16 *actions*))  (aff *actions*)"
GRAPHVIZ, DRAWING = "pip install graphviz", "damier graph nim:matches=4 --complete -o 4-complet.svg"
BASES = ("actions", "*actions*")
PLAYERS = {"ia": 0, "ai": 0, "humain": 1, "human": 1}
GAMES = ("explore-renf", "explore-renf-rec")


def typed_nim(text: str, before: Sequence[str] = ()) -> question.TypedAnswer:
    """Return what a call comes to, after those that were typed before it in the same sitting.

    Raises BadInput, LimitReached.
    """
    return after(tuple(before)).copy().call(text)


@lru_cache(maxsize=SITTINGS)
def after(calls: tuple[str, ...]) -> NimSitting:
    """Return a sitting after some calls; what was refused in it has changed nothing."""
    if not calls:
        return NimSitting()
    found = after(calls[:-1]).copy()
    try:
        found.call(calls[-1])
    except DamierError:
        return after(calls[:-1])
    return found


@dataclass
class NimSitting:
    """Memory from call to call.

    Attributes:
        lists: the base *actions*: for each number of matches the moves, as often as each stands there
        games: that were played on it, each of which draws from its own stream of random numbers
        values: of names that setq has set
        matches: the matches about which JeuJoueur waits for a number
    """

    lists: dict[int, list[int]] = field(
        default_factory=lambda: {n: moves_of(n) for n in range(MATCHES, 0, -1)}
    )
    games: int = 0
    values: dict[str, str] = field(default_factory=dict)
    matches: int = 0

    def copy(self) -> NimSitting:
        """Return a sitting that goes on apart."""
        lists = {n: [*moves] for n, moves in self.lists.items()}
        return NimSitting(lists, self.games, dict(self.values), self.matches)

    def call(self, text: str) -> question.TypedAnswer:
        """Return what a call comes to. Raises BadInput, LimitReached."""
        if text.split() == GRAPHVIZ.split():
            drawn = _("damier draws trees without it: {command}", command=DRAWING)
            return question.TypedAnswer(GRAPHVIZ, (drawn,))
        form = read(text)
        if isinstance(form, int) and self.matches:
            return self._entered(form)
        match form:
            case [str(word), str(name), inner] if word.lower() == "setq":
                if is_base(name):  # as figures 7 and 11 have it
                    shape = "(setq *actions* (renforcement 7 2 *actions*))"
                    called = str(inner[0]).lower() if isinstance(inner, list) and inner else ""
                    wants(["setq"], shape, called == "renforcement")
                answer = self._answered(inner, text)
                if not is_base(name) and answer.value:
                    self.values[name.lower()] = answer.value
                return answer
            case str(name) if is_base(name):
                return question.TypedAnswer(name, (value_of(self.lists),), value=value_of(self.lists))
            case str(name) if name.lower() in self.values:
                return question.TypedAnswer(
                    name, (self.values[name.lower()],), value=self.values[name.lower()]
                )
        return self._answered(form, text)

    def _answered(self, form: Form, text: str) -> question.TypedAnswer:
        known: dict[str, Callable[[list[Form]], question.TypedAnswer]] = {
            "explore": self.explore,
            "successeurs": self.successors,
            "randomsuccesseurs": self.random_successor,
            "jeujoueur": self.player,
            "renforcement": self.reinforcement,
            "explore-renf": self.game,
            "explore-renf-rec": self.game,
            "dotimes": self.several,
            "aff": self.all_lists,
        }
        if isinstance(form, list) and form and isinstance(form[0], str) and form[0].lower() in known:
            return known[form[0].lower()](form)
        raise question.refused(text, UNDERSTOOD)

    def explore(self, form: list[Form]) -> question.TypedAnswer:
        """(explore n actions 'J i): the first way to a win of the AI, and its trace."""
        shape = "(explore 7 actions 'IA 0)"
        wants(form, shape, len(form) == 5 and is_base(form[2]))
        who = PLAYERS.get(str(form[3]).lower(), -1)
        wants(form, shape, who >= 0 and isinstance(form[4], int))
        matches = matches_in(form[1], 0)
        game = load(f"nim:matches={max(matches, 1)}")
        found = trace_search(game, start_with(game, who, matches), "dfs", 0, revisit=True)
        lines = SpaceReplay(found).lines
        if matches > TRACED_MATCHES and len(lines) > TRACED_LINES:
            lines = (*lines[: TRACED_LINES // 2], "…", *lines[-TRACED_LINES // 2 :])
        at = "tree=game&game=nim:matches={n}&algorithm={a}{w}".replace("{n}", str(max(matches, 1)))
        # in the room the player to move sits at seat 1
        winner = "&winner=2" if who else "&winner=1"
        links = [
            question.RoomLink(_("Step by step"), "/tree?" + at.format(a="dfs", w=winner) + "&revisit=1"),
            question.RoomLink(
                _("What can be forced: the mixed search"), "/tree?" + at.format(a="andor", w=winner)
            ),
        ]
        sentence = conclusion(found)
        first = re.match(r"\d+", sentence)
        return question.TypedAnswer(
            f"(explore {matches} actions '{'HUMAIN' if who else 'IA'} 0)",
            (*lines, "⇒ " + sentence),
            tuple(links) if matches else (),
            value=first[0] if first else "NIL",
        )

    def moves(self, matches: int) -> list[int]:
        """Return the list of a number of matches; a higher one than the base has makes it larger."""
        for n in range(max(self.lists) + 1, matches + 1):
            self.lists = {n: moves_of(n), **self.lists}
        return self.lists[matches]

    def successors(self, form: list[Form]) -> question.TypedAnswer:
        """(successeurs n actions): the tail of an entry."""
        wants(form, "(successeurs 16 actions)", len(form) == 3 and is_base(form[2]))
        matches = matches_in(form[1], 1)
        tail = entry(matches, self.moves(matches)).replace(f"({matches} ", "(")
        return question.TypedAnswer(f"(successeurs {matches} actions)", (tail,), value=tail)

    def random_successor(self, form: list[Form]) -> question.TypedAnswer:
        """(Randomsuccesseurs (successeurs n actions)): one move, each as likely as it stands there."""
        shape = "(Randomsuccesseurs (successeurs 16 actions))"
        wants(form, shape, len(form) == 2 and isinstance(form[1], list) and len(form[1]) == 3)
        inner = form[1]
        assert isinstance(inner, list)
        wants(form, shape, str(inner[0]).lower() == "successeurs" and is_base(inner[2]))
        matches = matches_in(inner[1], 1)
        moves = self.moves(matches)
        drawn = draw(moves, self._numbers())
        chances = ", ".join(
            f"{move}: {moves.count(move)}/{len(moves)}" for move in sorted(set(moves), reverse=True)
        )
        return question.TypedAnswer(
            f"(Randomsuccesseurs (successeurs {matches} actions))",
            (str(drawn), _("chances: {chances}", chances=chances)),
            value=str(drawn),
        )

    def player(self, form: list[Form]) -> question.TypedAnswer:
        """(JeuJoueur n actions): a move is asked for, and the next number that is typed answers."""
        wants(form, "(JeuJoueur 16 actions)", len(form) == 3 and is_base(form[2]))
        self.matches = matches_in(form[1], 1, MATCHES)
        link = question.RoomLink(_("Play it on the board"), f"/nim:matches={self.matches}?1=human&2=perfect")
        return question.TypedAnswer(f"(JeuJoueur {self.matches} actions)", self._prompt(), (link,))

    def _prompt(self) -> tuple[str, str]:
        return f"min:1, max:{min(TAKEN, self.matches)}", "Entrez le nombre d'allumettes a enlever :"

    def _entered(self, number: int) -> question.TypedAnswer:
        if number not in moves_of(self.matches):
            return question.TypedAnswer(str(number), ("Erreur saisie le nombre", *self._prompt()))
        self.matches = 0
        return question.TypedAnswer(str(number), (f"⇒ {number}",), value=str(number))

    def reinforcement(self, form: list[Form]) -> question.TypedAnswer:
        """(renforcement n coup actions): one entry before and after, in both versions of the document;
        the base is from here on as the second leaves it.
        """
        wants(form, "(renforcement 7 2 *actions*)", len(form) == 4 and is_base(form[3]))
        matches = matches_in(form[1], 1)
        taken = matches_in(form[2], 1, min(TAKEN, matches))
        moves = [*self.moves(matches)]
        self.lists[matches] = [taken, *moves]
        lines = (
            reinforced(matches, taken),
            _("before: {entry}", entry=entry(matches, moves)),
            _("version 1, at the end: {entry}", entry=entry(matches, [*moves, taken])),
            _("version 2, in front: {entry}", entry=entry(matches, self.lists[matches])),
        )
        value = value_of(self.lists)
        return question.TypedAnswer(f"(renforcement {matches} {taken} *actions*)", lines, value=value)

    def game(self, form: list[Form]) -> question.TypedAnswer:
        """(explore-renf-rec 16 *actions*): one game of the AI against the same lists, its trace, and the
        value: the lists where the AI has won, else NIL.
        """
        played = game_of(form)
        command = played.command
        self._require_games(1)
        base = value_of(self.lists)
        won, lines = self._play(played)
        value = base if won else "NIL"
        lines += [f"⇒ {value}"]
        return question.TypedAnswer(command, tuple(lines), (learning_link(played.matches),), value=value)

    def several(self, form: list[Form]) -> question.TypedAnswer:
        """(dotimes (x N)(explore-renf-rec 16 *actions*))"""
        shape = "(dotimes (x 1000)(explore-renf-rec 16 *actions*))"
        match form:
            case [str(), [str(), int(count)], list(inner)]:
                wants(form, shape, count > 0 and bool(inner) and str(inner[0]).lower() in GAMES)
            case _:
                wants(form, shape, False)
        self._require_games(count)
        played, grown, wins = game_of(inner), {n: len(moves) for n, moves in self.lists.items()}, 0
        for _game in range(count):
            wins += self._play(played, telling=False)[0]
        now = {n: len(moves) - grown.get(n, len(moves_of(n))) for n, moves in self.lists.items()}
        most = sorted(((more, n) for n, more in now.items() if more), reverse=True)[:8]
        lines = [
            _("games played on these lists: {n}", n=grouped(self.games)),
            _("of these {n} the AI has won {wins}", n=grouped(count), wins=grouped(wins)),
        ]
        if most:
            lines.append(_("reinforced: {entries}", entries="  ".join(f"{n}: +{more}" for more, n in most)))
        lines.append(_("(aff *actions*) prints all lists; one game alone prints its trace"))
        command = f"(dotimes (x {count}) {played.command})"
        return question.TypedAnswer(command, tuple(lines), (learning_link(played.matches),), value="NIL")

    def all_lists(self, form: list[Form]) -> question.TypedAnswer:
        """(aff *actions*): all lists; a file of them has every move."""
        wants(form, "(aff *actions*)", len(form) == 2 and is_base(form[1]))
        lines = [entry(matches, moves) for matches, moves in self.lists.items()]
        return question.TypedAnswer(
            "(aff *actions*)",
            tuple(lines),
            (learning_link(),),
            whole=tuple(lisp_list(matches, moves) for matches, moves in self.lists.items()),
            value="NIL",
        )

    def _require_games(self, count: int) -> None:
        """Raises LimitReached where a sitting would play too many games."""
        if self.games + count > MOST_GAMES:
            raise LimitReached(
                message(
                    "{n} games in one sitting; up to {most} are played here: the room of learning goes on",
                    n=FormattedNumber(self.games + count, ","),
                    most=FormattedNumber(MOST_GAMES, ","),
                ),
                {"games": self.games + count},
            )

    def _numbers(self) -> Rng:
        """Return the random numbers of the next game."""
        rng = seeded(SEED, self.games)
        return rng

    def _play(self, played: ListsGame, telling: bool = True) -> tuple[bool, list[str]]:
        """Play one game: whether the AI has won, and the lines that the program of the document prints."""
        rng, left, mover, lines = self._numbers(), played.matches, played.mover, list[str]()
        own, indent = list[tuple[int, int]](), played.indent
        self.games += 1
        self.moves(left)
        while left:
            moves = self.lists[left]
            taken = draw(moves, rng)
            if telling:
                lines += played.lines_of_ply(mover, left, moves, taken, indent)
            if mover == 0:
                own.append((left, taken))
            left, mover, indent = left - taken, 1 - mover, indent + TAKEN
        won = mover == 0  # who would be to move has not taken the last match
        if won and played.reinforces:
            for matches, taken in reversed(own if played.reinforces == "every" else own[-1:]):
                lines.append(reinforced(matches, taken))
                self.lists[matches].insert(len(self.lists[matches]) if played.version == 1 else 0, taken)
        return won, lines


@dataclass(frozen=True)
class ListsGame:
    """A call of explore-renf or explore-renf-rec, in version 1 or 2 of the document.

    Attributes:
        reinforces: which moves of a game won are put into their lists once more: none, the last, every
    """

    command: str
    version: int
    matches: int
    mover: int = 0
    indent: int = 0
    reinforces: str = ""

    def lines_of_ply(self, mover: int, left: int, moves: Sequence[int], taken: int, indent: int) -> list[str]:
        """Return what the program prints of a ply: figure 5 one line, figures 6 and 7 the choices and
        the choice; explore-renf-rec of version 1 prints none.
        """
        if self.version == 2:
            who = ("IA", "humain")[mover]
            return [f"Restant {who} : {left} ({' '.join(short(moves))})", f"choisi {who} : {taken}", ""]
        if self.reinforces:
            return []
        who = ("IA", "HUMAIN")[mover]
        return [f"{' ' * indent}Joueur {who} joue {taken} allumettes - il reste {left - taken} allumette(s)"]


def game_of(form: list[Form]) -> ListsGame:
    """Return the game that a call plays, by how many arguments it has. Raises BadInput."""
    name = str(form[0]).lower()
    recursive = name == "explore-renf-rec"
    two, one = f"({name} 16 *actions*)", f"({name} 16 *actions* 'IA 0)"
    wants(form, two, 3 <= len(form) <= 5 and is_base(form[2]))
    matches = matches_in(form[1], 1)
    if len(form) == 3:
        command = f"({name} {matches} *actions*)"
        return ListsGame(command, 2, matches, reinforces="every" if recursive else "last")
    who = PLAYERS.get(str(form[3]).lower(), -1)
    indent = form[4] if len(form) == 5 else 0
    wants(form, one, who >= 0 and isinstance(indent, int) and (len(form) == 5 or recursive))
    assert isinstance(indent, int)
    wants(form, one, indent <= LONGEST)
    command = f"({name} {matches} *actions* '{('IA', 'HUMAIN')[who]} {indent})"
    return ListsGame(command, 1, matches, who, indent, "every" if recursive else "")


def wants(form: list[Form], shape: str, good: bool) -> None:
    """Raises BadInput where a call has not the shape that the document gives it."""
    if not good:
        raise BadInput(message("{name} is written {shape}", name=str(form[0]), shape=shape))


def is_base(form: Form) -> bool:
    """Return whether a form names the base of lists, in capitals or not, as Lisp reads it."""
    return isinstance(form, str) and form.lower() in BASES


def matches_in(value: Form, low: int = 0, high: int = MOST_MATCHES) -> int:
    """A number of matches. Raises BadInput."""
    if not isinstance(value, int) or not low <= value <= high:
        raise BadInput(message("matches: a whole number from {low} to {high}", low=low, high=high))
    return value


def start_with(game: Game, who: int, matches: int) -> State:
    """The state (n j): so many matches, and who is to move."""
    assert game.read_position is not None
    return game.read_position(f"{matches} {('first', 'second')[who]}")


def moves_of(matches: int) -> list[int]:
    """Return the moves of a number of matches, the most first, as the document lists them."""
    return [*range(min(TAKEN, matches), 0, -1)]


def draw(moves: Sequence[int], rng: Rng) -> int:
    """Return one of some moves, each as likely as it stands there, as a learner with beads draws it."""
    if len(moves) == 1:
        return moves[0]
    left, move = int(random_unit(rng) * len(moves)), 0
    while left >= 0:
        move += 1
        left -= moves.count(move)
    return move


def short(moves: Sequence[int]) -> list[str]:
    """Return moves as they are printed; of many the first, and how many there are."""
    if len(moves) <= LONGEST_LIST:
        return [*map(str, moves)]
    return [*map(str, moves[:LONGEST_LIST]), "…", f"[{len(moves)}]"]


def entry(matches: int, moves: Sequence[int]) -> str:
    """An entry as Lisp prints it; a long one by how often each move stands there."""
    if len(moves) <= LONGEST_LIST:
        return lisp_list(matches, moves)
    counts = "  ".join(f"{move} × {grouped(moves.count(move))}" for move in sorted(set(moves), reverse=True))
    return f"({matches} …)   {counts}"


def lisp_list(matches: int, moves: Sequence[int]) -> str:
    """An entry as Lisp prints it."""
    return f"({matches} {' '.join(map(str, moves))})"


def value_of(lists: Mapping[int, Sequence[int]]) -> str:
    """Return a base as Lisp prints a value, cut where it is long."""
    whole = f"({' '.join(lisp_list(n, moves) for n, moves in lists.items())})"
    return whole if len(whole) <= LONGEST_VALUE else whole[: LONGEST_VALUE - 1] + "…"


def reinforced(matches: int, taken: int) -> str:
    """Return what renforcement prints."""
    return f"Renforcement de l'etat {matches} avec l'action {taken}"


def learning_link(matches: int = MATCHES) -> question.RoomLink:
    """Return a link to where such lists are trained and looked at."""
    game = "nim" if matches == MATCHES else f"nim:matches={matches}"
    return question.RoomLink(
        _("Watch the lists learn"), f"/learning?game={game}&learner=beads:preset=ia01&games=1000"
    )


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
