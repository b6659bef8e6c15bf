"""A game as the address of a board page says it: rules, moves, how many of them are played, who
sits where, the seed. Nothing else is known of it, so a page can be shared, reloaded and gone back
in.

A draw of chance may be written `*`: the die falls as the seed says. Where players have secrets it
is never written otherwise.

Beside it: who may sit at a board, what an agent thinks of the moves, and by what a search judges.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp
from types import MappingProxyType
from typing import Self

from damier.core.analysis import Analysis, Evaluation, evaluation, plain_number
from damier.core.bits import mix64, seeded
from damier.core.errors import AgentFault, BadFile, DamierError, IllegalMove, Unsuitable
from damier.core.game import Game, Position, apart, read_position
from damier.core.moves import each
from damier.core.player import Player, Policy
from damier.core.rules import CHANCE, Moves, State
from damier.core.words import N_, _, decimal, grouped, message, ngettext, percent, together
from damier.draw.text import player_in_words
from damier.lab.agents import AGENTS, Lab
from damier.lab.games import chance_move
from damier.lab.levels import LEVELS, NAMES, Meaning, meaning, refuse_perfect
from damier.lab.options import defaults_text, read_options
from damier.learn.player import ALGORITHMS, LearningPlayer, SeatedPlayer
from damier.search.running import SearchPlayer
from damier.web.limits import ceiling_in_words, lowered, named, parts
from damier.web.messages import Params, own_named
from damier.web.pages import Row, for_page
from damier.web.registry import FILE_OPTIONS, Registry

# What a search judges a position by, as a page shows it: a bar between the players, and below it the
# sum that the evaluation is, term by term.
#
# Everything is from the side of player 1, so that the bar does not turn over at every move.


UNITS = 2.0
"""How many units of the evaluation fill the bar to nearly a half: 0.46 of the way to its end."""
LARGEST = 60.0
"""Units beyond which the bar is full; exp could not take ever more."""


def judged(found: Analysis, agent: str) -> Row | None:
    """Return how a position is judged; None by a search without an evaluation, or for more than two.

    `value` is what the search found, as text, `words` the same as a sentence; `fill` how full the bar is,
    from the middle: -1 (player 2 wins) to 1 (player 1 wins); `terms` are those that are not 0, now or then,
    `others` how many are; `now` and `then` the sums, `then` empty where a game ends there, or the search told
    no line.
    """
    feature = named(parts(agent)[1]).get("evaluate", "")  # alphabeta:plies=4,evaluate=lines
    judge = found.evaluation or evaluation(found.game, feature)
    if not judge.features or isinstance(found.value, tuple):
        return None
    side = 1 if found.game.mover(found.state) == 0 else -1
    value = side * found.value
    decided = value != 0 and found.distance is not None
    end = found.states[-1]
    ends = not found.pv or decided or found.game.over(end)
    here, there = feature_values(judge, found.state), [] if ends else feature_values(judge, end)
    terms = judge_terms(found.game, judge, here, there)
    return {
        "value": signed(value),
        "words": sentence(found.game, value, found.distance if decided else None),
        "fill": squeezed(value) if not decided else float((value > 0) - (value < 0)),
        "terms": terms,
        "others": len(judge.features) - len(terms),
        "now": total(judge, here),
        "then": total(judge, there) if there else "",
    }


def feature_values(judge: Evaluation, s: State) -> list[float]:
    """The value of every feature."""
    return [float(feature(s)) for feature in judge.features]


def judge_terms(game: Game, judge: Evaluation, here: list[float], there: list[float]) -> list[Row]:
    """The terms of the sum, but for those that are 0 now and then: a feature and what it sees, its weight,
    its value now; what both make now and where best play ends.
    """
    terms: list[Row] = []
    for number, (name, weight) in enumerate(zip(judge.names, judge.weights, strict=True)):
        now, then = weight * here[number], weight * there[number] if there else 0.0
        if max(abs(now), abs(then)) >= 0.005:
            words = _(game.explanations[name]) if name in game.explanations else ""
            terms.append(
                {
                    "name": name,
                    "words": words,
                    "weight": decimal(weight, "g"),
                    "seen": signed(here[number]),
                    "now": signed(now),
                    "then": signed(then) if there else "",
                }
            )
    return terms


def total(judge: Evaluation, values: list[float]) -> str:
    """The weighed sum."""
    return signed(sum(weight * value for weight, value in zip(judge.weights, values, strict=True)))


def squeezed(value: float) -> float:
    """A value on a bar that reaches from -1 to 1: 2 / (1 + e^(-value / UNITS)) - 1, the logistic curve.

    >>> squeezed(0.0), round(squeezed(2.0), 2), round(squeezed(-6.0), 2), squeezed(300.0)
    (0.0, 0.46, -0.91, 1.0)
    """
    if abs(value) > LARGEST:
        return 1.0 if value > 0 else -1.0
    return 2 / (1 + exp(-value / UNITS)) - 1


def signed(value: float) -> str:
    """A number to two places, with its sign; 0 has none.

    >>> signed(0.5), signed(-0.001), signed(3.0)
    ('+0.5', '0', '+3')
    """
    rounded = plain_number(round(value, 2))
    return decimal(rounded, "+") if rounded else "0"


def sentence(game: Game, value: float, plies: int | None) -> str:
    """Return who is ahead, and by how much; or who wins, and how soon."""
    player = player_in_words(game, 0 if value > 0 else 1)
    if plies is not None:
        return ngettext("{player} wins in {n} ply", "{player} wins in {n} plies", plies, player=player)
    if not plain_number(round(value, 2)):
        return _("nobody is ahead")
    return _("{player} is ahead by {value}", player=player, value=signed(abs(value)).lstrip("+"))


def player_in_title(game: Game, player: int) -> str:
    """Return a player where a sentence begins, or alone: White, or Player 1."""
    return game.name_side(player) or _("Player {n}", n=player + 1)


DIE = "*"
SHOWN = ("truth", "outcome", "mind", "predict")
"""What a page may show beside the board: exact values, of these only who wins, what the agents think, the
values only after a guess.
"""
LONGEST_POSITION = 600
"""Characters of a position: a board of Go of 19 by 19 takes 400."""
LONGEST_NAME = 24
"""Characters of a player's name."""


@dataclass(frozen=True)
class GameSession:
    """Game at a board, as its address has it.

    Attributes:
        name: the game as the page names it
        lab: the same, loaded, with what is known of it
        written: moves as they were written, some of them perhaps `*`
        at: how many of them are played: what follows was taken back, and may be played again
        seats: the text of an agent for every player
        seed: of the dice, and of agents that draw
        shows: some of SHOWN
        me: at a table, the player who looks on, counted from 0, or a number that no player has; else None
        look: the ply at which a person said that nobody else looks on
        guessed: whether a person has said what the position is worth, so that the values may be seen
        begin: the position that the game began in, in its own notation; nothing: the first one
        names: of the players, where they gave any
        slice: how often more was asked for of what is being proven
        flip: whether the board is turned, against how it stands for who looks on
        why: the ply from which the moves are a line that shows why the position there is worth what it is;
            -1: they are a game
    """

    name: str
    lab: Lab
    written: tuple[str, ...]
    at: int
    seats: tuple[str, ...]
    seed: int = 0
    shows: frozenset[str] = frozenset()
    me: int | None = None
    look: int = -1
    guessed: bool = False
    begin: str = ""
    names: tuple[str, ...] = ()
    slice: int = 0
    flip: bool = False
    why: int = -1

    @property
    def game(self) -> Game:
        return self.lab.game

    @cached_property
    def line(self) -> tuple[list[Position], list[str]]:
        """Every position, the first one included, and the name of every move.

        Raises IllegalMove, which says at which ply.
        """
        positions, names = [read_position(self.game, self.begin) if self.begin else self.game.position()], []
        for number, move in enumerate(self.written, 1):
            position = positions[-1]
            try:
                played = (
                    self.sample_chance(position, number - 1)
                    if move == DIE and is_chance(position)
                    else position.read(move)
                )
            except IllegalMove as error:
                raise IllegalMove(message("move {number}: {error}", number=number, error=error)) from None
            secret = self.game.imperfect_information and is_chance(position)
            names.append(DIE if secret else self.game.name_move(position.state, played))
            positions.append(position.after(played))
        return positions, names

    @property
    def positions(self) -> list[Position]:
        return self.line[0]

    @property
    def moves(self) -> list[str]:
        return self.line[1]

    @cached_property
    def move_texts(self) -> list[str]:
        """Every move as people write it; a draw of chance that nobody must see as `DIE`."""
        return [
            name if name == DIE else self.game.say_move(before.state, before.read(name))
            for before, name in zip(self.positions, self.moves, strict=False)
        ]

    @property
    def position(self) -> Position:
        """The one that is shown."""
        return self.positions[self.at]

    @property
    def people(self) -> list[int]:
        """The players that are people."""
        return [player for player, agent in enumerate(self.seats) if agent == HUMAN]

    @property
    def you(self) -> int | None:
        """The player who reads the page, where that is one only."""
        return self.me if self.me is not None else self.people[0] if len(self.people) == 1 else None

    @property
    def plays(self) -> bool:
        """Return whether who reads the page has a say in the game: at a table, who sits there."""
        return self.me is None or self.me < len(self.seats)

    def sample_chance(self, position: Position, ply: int) -> int:
        """Return how the die falls: whatever was played before, the same seed throws the same at the
        same ply.
        """
        return chance_move(self.game, position.state, self.random(ply))

    def random(self, ply: int) -> list[int]:
        """The random numbers of one ply."""
        return seeded(self.seed, ply)

    def then(self, move: str) -> Self:
        """After one more move at the position that is shown; what was taken back is forgotten."""
        return replace(self, written=(*self.moves[: self.at], move), at=self.at + 1, why=-1)

    def query(self) -> dict[str, str]:
        """Return what an address says of it, beside the game."""
        return {
            "moves": ",".join(self.moves),
            "at": "" if self.at == len(self.written) else str(self.at),
            **{str(player): agent for player, agent in enumerate(self.seats, 1)},
            "position": self.begin,
            "flip": "1" if self.flip else "",
            "why": str(self.why) if self.why >= 0 else "",
            **{f"name{player}": name for player, name in enumerate(self.names, 1)},
            "seed": str(self.seed or ""),
            "show": ",".join(name for name in SHOWN if name in self.shows),
        }


def is_chance(position: Position) -> bool:
    """Return whether a die is thrown."""
    return not position.over and position.mover == CHANCE


def session_in(registry: Registry, params: Params) -> GameSession:
    """The game of a question. Raises BadInput where it cannot be."""
    name = params.text("game")
    lab = registry.lab(name)
    game = lab.game
    moves = apart(game, params.moves())
    me = params.whole("me", 0, high=game.players + 1)
    return GameSession(
        name,
        lab,
        tuple(moves),
        params.whole("at", len(moves), high=len(moves)),
        seats_in(game, params),
        params.whole("seed", 0),
        frozenset(params.text("show").split(",")) & frozenset(SHOWN),
        me - 1 if me else None,
        params.whole("look", 1 << 20) if params.values.get("look") is not None else -1,
        params.flag("guessed"),
        params.text("position", longest=LONGEST_POSITION),
        tuple(" ".join(params.text(f"name{n + 1}").split())[:LONGEST_NAME] for n in range(game.players)),
        params.whole("slice", 0, high=100_000),
        params.flag("flip"),
        ply_of_line(params, len(moves)),
    )


def ply_of_line(params: Params, played: int) -> int:
    """Return the ply from which on the moves of a question are a line; -1 where they are a game."""
    found = params.whole("why", 0) if params.values.get("why") not in (None, "") else -1
    return found if 0 <= found <= played and played else -1


# What an agent thinks of the moves of a position: the values of a search, the probabilities of a
# policy, the numbers that a learner has learnt.

LARGEST_TABLE = 200_000
"""Rows of a learner among which a page looks for the one of its position."""


def preferences(
    agent: str,
    note: str,
    what: str = "",
    cells: Mapping[int, str] = MappingProxyType({}),
    liked: Moves = 0,
    judged: Row | None = None,
) -> Row:
    """Return what an agent, as it was asked for, thinks of the moves: the text for each move, by its bit,
    `what` these are, the moves that it likes best, what else it says, and by what it judges the position, of
    a search with an evaluation.
    """
    return {
        "agent": agent,
        "what": what,
        "cells": cells,
        "liked": set(each(liked)),
        "note": note,
        "judged": judged,
    }


def preferences_of(player: Player, text: str, game: Game, s: State, seed: int) -> Row:
    """Return what a player thinks; why it has no opinion, where it has none."""
    try:
        if isinstance(player, SearchPlayer):
            return of_search(player, text, s, seed)
        if isinstance(player, Policy):
            return of_policy(player, text, game, s)
    except DamierError as error:
        return preferences(text, for_page(str(error)))
    return preferences(text, _("It does not say what it thinks."))


def of_search(player: SearchPlayer, text: str, s: State, seed: int) -> Row:
    """The value of every move for who is to move, as far as the search has come."""
    found = player.analyse(s, mix64(seed))
    mover = max(0, player.game.mover(s))
    values = {
        move: value[mover] if isinstance(value, tuple) else value for move, value in found.values.items()
    }
    cells = {
        move: decimal(plain_number(round(value, 3)), "+") if value else "0" for move, value in values.items()
    }
    if found.visits:
        cells = {move: visited(cell, found.visits.get(move, 0)) for move, cell in cells.items()}
    note = looked_at(found.nodes)
    note += _("; stopped by its limit") if found.stopped else ""
    return preferences(text, note, _("value"), cells, found.best, judged(found, player.text))


def visited(value: str, games: int) -> str:
    """Return what a search says of a move, and by how many games."""
    return ngettext("{value}, {n} game", "{value}, {n} games", games, value=value, n=grouped(games))


def looked_at(nodes: int) -> str:
    """Return what a search cost, in words."""
    return ngettext("{n} position looked at", "{n} positions looked at", nodes, n=grouped(nodes))


def of_policy(player: Policy, text: str, game: Game, s: State) -> Row:
    """Return how likely each move is; of a learner, with what it has learnt of it."""
    chances = player.probabilities(game, s)
    most = max(chances.values(), default=0.0)
    liked = game.gathered(move for move, chance in chances.items() if chance > most - 1e-9)
    learnt = learnt_of(player, game, s)
    cells = {
        move: percent(chance, ".0f") + (f" ({learnt[move]})" if move in learnt else "")
        for move, chance in chances.items()
    }
    what = _("how likely (learnt)") if learnt else _("how likely")
    rest = 1 - sum(chances.values())
    note = _("gives up: {share} %", share=decimal(100 * rest, ".0f")) if rest > 1e-6 else ""
    return preferences(text, note, what, cells, liked)


def learnt_of(player: Player, game: Game, s: State) -> dict[int, str]:
    """The numbers in a learner's table for each move of a position, as far as the position is
    written there as it stands.
    """
    if isinstance(player, SeatedPlayer):
        player = player.players[game.mover(s)]
    if not isinstance(player, LearningPlayer) or len(player.memory) > LARGEST_TABLE:
        return {}
    alike = bool(getattr(player.parameters, "alike", False))
    wanted = {
        game.canonical(after) if alike else after: move
        for move, after in ((move, game.play(s, move)) for move in game.legal(s))
    }
    here = game.canonical(s) if alike else s
    if player.name == "v":
        return {
            wanted[row.state]: decimal(row.values[0], "+.3f")
            for row in player.memory.rows()
            if row.state in wanted
        }
    row = next((row for row in player.memory.rows() if row.state == here), None)
    if row is None:
        return {}
    numbers = (
        [grouped(count) for count in row.counts]
        if player.name == "beads"
        else [decimal(value, "+.2f") for value in row.values]
    )
    return dict(zip(row.moves, numbers, strict=True))


# Who may sit at a board: the agents that suit a game, in the words of their options, and those
# that a page asks for.

HUMAN = "human"
LEARNER = "learner:"
OF_FILES = "learn"
"""The option that says whether an agent that a file holds goes on learning."""
SEARCHING = ("alphabeta", "selective", "minimax", "expectimax", "maxn", "mcts", "dfs", "bfs", "andor")
LEARNING = (*ALGORITHMS, "menace")
LEVEL = "level"
GROUPS = {
    "own": N_("your agents"),
    "people": N_("people"),
    LEVEL: N_("levels"),
    "saved": N_("learners of this lab"),
    "playing": N_("more: agents"),
    "searching": N_("more: look ahead"),
    "new": N_("more: learners that know nothing yet"),
}


@dataclass(frozen=True)
class Choice:
    """One agent that may be chosen for a seat: its name, what it does, its options as they are when
    none is given.
    """

    name: str
    group: str
    words: str
    options: str = ""


def seats_in(game: Game, params: Params) -> tuple[str, ...]:
    """An agent for every player, as the parameters `1`, `2`, … of an address name them; the last
    one named plays the seats that are left.
    """
    given = {player: text for player in range(game.players) if (text := params.text(str(player + 1)))}
    if not given:
        return (HUMAN, *[standard_opponent(game)] * (game.players - 1))
    seats: list[str] = []
    for player in range(game.players):
        seats.append(given.get(player) or (seats[-1] if seats else HUMAN))
    return tuple(seats)


def standard_opponent(game: Game) -> str:
    """Return whom a person meets who asked for nobody."""
    if game.name.startswith("pacman"):
        return "chase"
    return "random" if game.imperfect_information else "medium"


def choices(registry: Registry, name: str, player: int) -> list[Choice]:
    """The agents that can sit at a seat of a game; the options of the user's own are known when one is
    seated: no file runs for a list.
    """
    own_files = {} if registry.game(name).imperfect_information else registry.own.in_files()
    return [
        Choice(HUMAN, "people", _("a person at this page")),
        *(Choice(level, LEVEL, found.words) for level, found in levels_of(registry.lab(name))[0].items()),
        *(Choice(own, "own", _("your own: {file}", file=file)) for own, file in own_files.items()),
        *(
            Choice(
                agent,
                "searching" if agent in SEARCHING else "new" if agent in LEARNING else "playing",
                together(_(kind.summary), ceiling_in_words(agent)),
                offered(agent, defaults_text(kind.factory, ["lab"])),
            )
            for agent, kind in AGENTS.items()
            if agent != HUMAN and agent not in NAMES and suits(registry, name, agent, player)
        ),
        *(
            Choice(LEARNER + learner, "saved", _("learnt in this lab: what it knows now"))
            for learner in registry.learners(name)
        ),
    ]


def levels_of(lab: Lab) -> tuple[dict[str, Meaning], str]:
    """The levels that a game has, perfect play among them where that is known; and why another is missing."""
    found, missing = dict[str, Meaning](), ""
    for level in LEVELS:
        try:
            found[level] = meaning(lab.game, level)
        except Unsuitable as error:
            missing = str(error)
    try:
        refuse_perfect(lab)
        words = _("never gives away what a position is worth: nobody does better")
        found["perfect"] = Meaning("perfect", words)
    except DamierError as error:
        missing = missing or _("There is no perfect player here: {why}", why=error)
    return found, missing


def without_files(options: str, *others: str) -> str:
    """Options that a page may give, but for some others."""
    left_out = (*FILE_OPTIONS, *others)
    return ",".join(option for option in options.split(",") if option.partition("=")[0] not in left_out)


def offered(agent: str, options: str) -> str:
    """The options of an agent as a page offers them: none about a file, and none beyond its ceiling.

    >>> offered("dfs", "order=last,nodes=1000000"), offered("q", "alpha=0.1,file=,learn=false")
    ('order=last,nodes=100000', 'alpha=0.1')
    """
    return lowered(agent, without_files(options, OF_FILES))


def suits(registry: Registry, name: str, agent: str, player: int) -> bool:
    """Return whether an agent can play a game; the values of a game are not worked out for that."""
    try:
        registry.agent(name, agent)
    except DamierError:
        return False
    return not (agent == "chase" and player == 0)  # it plays the ghosts


def check(registry: Registry, name: str, text: str) -> None:
    """Raises BadInput, or LimitReached, for an agent that cannot sit at any seat of a game; no
    value is worked out for that.

    A fault in the file of one of the user's own does not unseat it: its seat tells it.
    """
    if own_named(text, registry.settings):
        fault(registry, name, text)
        return
    agent, _colon, options = text.partition(":")
    if agent == "perfect":
        read_options(agent, options, AGENTS[agent].factory, given=["lab"])
        refuse_perfect(registry.lab(name))
    elif text != HUMAN:
        registry.agent(name, text)


def fault(registry: Registry, name: str, text: str) -> str:
    """Return what is wrong in the file of the user's own agent, with its line; nothing where all is well.

    Raises BadInput for options that it does not have, Unsuitable.
    """
    try:
        registry.agent(name, text)
    except (AgentFault, BadFile) as error:
        return str(error)
    return ""


def in_groups(found: list[Choice]) -> Iterator[tuple[str, list[Choice]]]:
    """The choices, those of one kind together, under their heading."""
    for group, words in GROUPS.items():
        members = [choice for choice in found if choice.group == group]
        if members:
            yield _(words), members
