"""Games by name or by file: damier's own by a table, those of plug-ins, and every public function of
a user's file that returns a Game; what is known of them; and one game with what was worked out about it
(`Lab`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, wraps
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias
from weakref import WeakValueDictionary

from damier.core import runtime
from damier.core.bits import Rng
from damier.core.compile import instantiate
from damier.core.errors import BadGame, BadInput, DamierError, LimitReached, UnknownName
from damier.core.game import Game, Option, Position
from damier.core.job import Job, exception_in_words
from damier.core.player import sample_chance
from damier.core.rules import State
from damier.core.solution import AnySolution, Kind, PayoffValue, Value
from damier.core.words import N_, _, grouped, message, ngettext
from damier.lab import user_file
from damier.lab.options import name_and_options, parameters, read_options, unknown, with_options
from damier.lab.plugins import PluginRegistry, function_of, module_of, resolved
from damier.lab.user_file import Factory, chosen

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


# `damier.draw` teaches them to a position when one is first drawn
Position.text = lambda position: resolved("damier.draw:board_text")(position)

MODULES = {
    "chess": "chess",
    "connect_four": "connect_four",
    "draughts": "draughts",
    "go": "go",
    "hexapawn": "pawns",
    "mnk": "mnk",
    "nim": "nim",
    "octapawn": "pawns",
    "othello": "othello",
    "pacman": "pacman",
    "pawns": "pawns",
    "tictactoe": "mnk",
}
"""The module of `damier.games` in which the function of a game is, by their common name."""


OTHER_NAMES = {
    "baduk": "go",
    "checkers": "draughts",
    "dames": "draughts",
    "echecs": "chess",
    "four_in_a_row": "connect_four",
    "gobang": "mnk",
    "gomoku": "mnk",
    "mancala": "kalah",
    "mill": "nine_mens_morris",
    "morpion": "tictactoe",
    "noughts_and_crosses": "tictactoe",
    "pipopipette": "dots_and_boxes",
    "puissance4": "connect_four",
    "reversi": "othello",
    "weiqi": "go",
    "échecs": "chess",
}
"""What people elsewhere call games that are here under another name: a hint for who types it."""


def unknown_game(name: str, known: Iterable[str]) -> UnknownName:
    """The error for a game that is not among those known, with the one that was meant."""
    written = name.casefold().replace("-", "_")
    return unknown(_("game"), OTHER_NAMES.get(written, name), known, written=name)


def load(text: str | os.PathLike[str]) -> Game:
    """Return the game that is written `name`, `name:option=value,…` or
    `path/to/game.py[:function][:options]`, or that the file at a path holds.

    Raises UnknownName, BadInput (options), BadFile, or BadGame for a user's rules that break the
    contract of a game.

    >>> load("hexapawn:blocked=loss").text
    'hexapawn:width=3,height=3,blocked=loss'
    """
    text = os.fspath(text)
    name, colon, written = text.partition(":")
    if is_file(text):
        game = user_file.load(text, build)
    elif colon and name not in GAMES and name in COLLECTIONS:
        game = collected(COLLECTIONS[name], written, text)
    elif name not in GAMES and os.path.isfile(f"{name}.py"):
        raise UnknownName(
            message(
                "no game is called {name}; the game of the file {name}.py is written {text}",
                name=name,
                text=f"{name}.py{text[len(name) :]}",
            )
        )
    else:
        game = brought(text)
    game.remade = remade, (text,)
    _loaded[text] = game
    return game


def collected(make: Callable[[str], Game], written: str, text: str) -> Game:
    """Return the game that the maker of a collection makes. Raises BadInput for all that it stumbles over."""
    try:
        game = make(written)
    except DamierError:
        raise
    except Exception as error:
        raise BadInput(message("{kind}: {error}", kind=text, error=exception_in_words(error))) from error
    if not isinstance(game, Game):
        raise BadInput(message("{place} is no {kind}", place=text, kind=Game.__name__))
    return game


_loaded: WeakValueDictionary[str, Game] = WeakValueDictionary()
"""The newest game of each text: what processes send to and fro is equal to what was sent."""


def remade(text: str) -> Game:
    """Return the game that another process has loaded as `text`, once for all that it sends."""
    return _loaded.get(text) or load(text)


def brought(text: str) -> Game:
    """Return a game of damier or of a plug-in, written `name` or `name:option=value,…`: never a file.

    Raises UnknownName, BadInput; BadGame for a plug-in's rules that break the contract of a game.
    """
    name, written = name_and_options(text)
    if name not in GAMES:
        raise unknown_game(name, GAMES.names())
    return build(name, GAMES[name], written)


def plugged(point: EntryPoint) -> Factory:
    """Return what makes the game of a plug-in: as one of a user's file it is tried out, and what is
    wrong in it is told with its file and line.
    """
    from damier.core.checks import refuse_deferred

    module, path = module_of(point)
    name, factory = chosen(module, path.name, path.stem, point.attr)

    @wraps(factory)
    def adopted(**options: Option) -> Game:
        runtime.guard(path)
        with user_file.blaming(path):
            refuse_deferred(factory, name, BadGame, path.name)
            return user_file.adopted(factory(**options), path, point.name)

    build(point.name, adopted, "")  # one that cannot be made is left out
    return adopted


GAMES = PluginRegistry[Factory](
    "damier.games",
    {name: f"damier.games.{module}:{name}" for name, module in MODULES.items()},
    plugged,
)
"""What makes each game, its options as parameters, by the name of the game."""


COLLECTIONS = PluginRegistry[Callable[[str], Game]]("damier.collections", {}, function_of)
"""Makers of the games of other libraries, from what stands behind the colon of a name such as openspiel:NAME:
only where a person has written it, since a maker may read files.
"""


def is_file(text: str) -> bool:
    """Return whether a game is written as a user's file, which runs when it is loaded."""
    return ".py" in text.split("=")[0] or os.sep in text.split(":")[0]


def build(name: str, factory: Factory, written: str) -> Game:
    """Return the game that a factory makes with the options written in `written`."""
    options, known = read_options(name, written, factory), parameters(factory)
    game = factory(**{known[option].name: value for option, value in options.items()})
    if not isinstance(game, Game):
        raise BadGame(
            message("{name} returned {answer}; it must return a Game", name=name, answer=repr(game))
        )
    # None is not written
    chosen = {
        option: value for option, p in known.items() if (value := options.get(option, p.default)) is not None
    }
    game.options = game.options or chosen  # a game may have worked out its own
    game.unset = tuple(option for option in known if option not in game.options and option not in chosen)
    return game


def game_in_words(written: str, game: Game | None = None) -> str:
    """Return the title of a game, with the options that it is written with; somebody's own `game` has the
    title that its file gives, or its name.

    >>> game_in_words("hexapawn:blocked=loss"), game_in_words("mine")
    ('Hexapawn (blocked=loss)', 'mine')
    """
    name, _colon, options = written.partition(":")
    title = game.title if game else title_of_game(name)
    return with_options(_(title) if title else name, options)


@cache
def title_of_game(name: str) -> str:
    """Return the title of a game that damier brings, as its file marks it; nothing for any other."""
    return load(name).title if name in GAMES else ""


# One game, and what was worked out about it: what agents by name are made from.


@dataclass
class Lab:
    """One game and what was worked out about it: two perfect players share one solution.

    `ask` and `tell` are how a human player is spoken to; `seed` is what agents of one's own may draw
    from; `isolated` whether agents of others play in a sandbox or not at all; `loads_files` whether
    agents, programs and evaluations may be named by their files, which then run; `known` is the game
    solved, once it is.
    """

    game: Game
    job: Job = field(default_factory=Job)
    ask: Callable[[str], str] = input
    tell: Callable[[str], None] = print
    seed: int = 0
    isolated: bool = False
    loads_files: bool = True

    known: AnySolution | None = field(default=None, init=False)

    def solution(self, why: str) -> AnySolution:
        """The solved game. Raises LimitReached, with `why` it was needed, where it is too large."""
        if self.known is None:
            try:
                from damier.solve import solve  # what solves takes long to import

                self.known = solve(self.game, job=self.job)
            except LimitReached as error:
                raise LimitReached(message("{why}: {error}", why=why, error=error), error.reached) from error
        return self.known


def chance_move(game: Game, s: State, rng: Rng) -> int:
    """Return how the die falls at a chance node: each move as often as it weighs, by one random number."""
    return int(instantiate(sample_chance, game, jit=False)(s, game.moves(s), rng))


# Results of games that are known: proven by damier itself, or published by a source of
# docs/bibliography.md.
#
# Whoever shows them counts nothing and solves nothing.


class KnownResult(NamedTuple):
    """Result of best play, for player 1, and what shows it.

    Attributes:
        value: a win, a draw or a loss
        source: the key of a source, or OWN: damier works it out in seconds
        plies: until the end, where they are known
        payoff: what is won by, or how likely a win is, of games whose ends are worth more than a win
        counted: positions and, of these, ends of the game
    """

    value: Value
    source: str
    plies: int | None = None
    payoff: PayoffValue | None = None
    counted: tuple[int, int] | None = None

    @property
    def best_play(self) -> str:
        """Return who wins if nobody errs, and how soon, or by how much."""
        if self.payoff is not None:
            return _("player 1 {worth}", worth=self.payoff.words)
        who = _(VALUES[self.value])
        if self.plies is None:
            return who
        return ngettext("{who}, in {n} ply", "{who}, in {n} plies", self.plies, who=who)

    @property
    def positions(self) -> str:
        """Return how many positions there are; nothing where they were not counted."""
        if self.counted is None:
            return ""
        states, ends = self.counted
        sentence = ngettext("{n} end", "{n} ends", ends, n=grouped(ends))
        return _("{n} ({ends})", n=grouped(states), ends=sentence)

    @property
    def cited(self) -> str:
        """Return the source as a reader finds it: who, and when."""
        return _(SOURCES[self.source])


VALUES: dict[Value, str] = {"win": N_("player 1 wins"), "draw": N_("a draw"), "loss": N_("player 2 wins")}
OWN = "damier"
SOURCES = {
    OWN: N_("worked out by damier"),
    "Allis88": N_("V. Allis, 1988; proven again by damier"),
    "Gasser96": N_("R. Gasser, 1996"),
    "Hayward04": N_("R. Hayward and others, 2004"),
    "Neller04": N_("T. W. Neller and C. G. M. Presser, 2004"),
    "Schaeffer07": N_("J. Schaeffer and others, 2007"),
}
"""Sources by their keys in docs/bibliography.md."""


def _won_by(payoff: float, kind: Kind = "margin", *counted: int) -> KnownResult:
    value: Value = "win" if payoff > 0 else "loss"
    return KnownResult(value, OWN, payoff=PayoffValue(payoff, kind), counted=(counted[0], counted[1]))


KNOWN_RESULTS = {
    "connect_four:width=7,height=6,in_a_row=4": KnownResult("win", "Allis88", 41),
    "dots_and_boxes:rows=2,columns=2": _won_by(2, "margin", 5349, 8),
    "draughts:variant=english": KnownResult("draw", "Schaeffer07"),
    "hex:size=5,swap=false": KnownResult("win", "Hayward04"),
    "hexapawn:width=3,height=3,blocked=draw": KnownResult("draw", OWN, counted=(135, 65)),
    "hexapawn:width=3,height=3,blocked=loss": KnownResult("loss", OWN, 6, counted=(135, 65)),
    "kalah:pits=3,seeds=3,empty_capture=false": _won_by(2, "margin", 29274, 2198),
    "nim:matches=16,take=3,misere=true": KnownResult("win", OWN, 8, counted=(32, 2)),
    "nine_mens_morris:flying=true": KnownResult("draw", "Gasser96"),
    "octapawn:width=4,height=4,blocked=draw": KnownResult("draw", OWN, counted=(20286, 8866)),
    "pawns:width=4,height=3,blocked=draw": KnownResult("draw", OWN, counted=(1128, 642)),
    "pig:target=100": KnownResult("win", "Neller04", payoff=PayoffValue(0.0612, "chance")),
    "pig:target=20": _won_by(0.2312, "chance", 13148, 722),
    "tictactoe:misere=false": KnownResult("draw", OWN, counted=(5478, 958)),
}
"""By the game with all its options."""

Group: TypeAlias = Literal["solved", "searched", "chance"]
GROUPS: dict[Group, str] = {
    "solved": N_("Solved: best play is known"),
    "searched": N_("Too large to solve: searched"),
    "chance": N_("Dice, secrets, or more than two players"),
}


def known_result(game: Game) -> KnownResult | None:
    """Return what best play of one of damier's games comes to, where that is known."""
    return None if game.source is not None else KNOWN_RESULTS.get(game.text)


def group_of(game: Game) -> Group:
    """Return the group in which a game is listed."""
    if game.stochastic or game.imperfect_information or game.players != 2:
        return "chance"
    return "solved" if known_result(game) else "searched"
