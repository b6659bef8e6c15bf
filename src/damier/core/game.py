"""A game: a few pure functions of a state, and words for people.

A state is a NamedTuple of ints, not negative, or of fixed-length tuples of such ints; a set of moves
is an int, one bit a move, or `moves` lists them. A game of two players that is zero-sum needs
`moves`, `play` and `outcome`; any other gives `over` and `payoff`. What a game leaves out is filled
in here, so that no engine asks whether a rule is there. See docs/add_a_game.md.

A position is the object for people: immutable, every move checked.

>>> from damier import load
>>> p = load("hexapawn").position()
>>> p.moves
('a1a2', 'b1b2', 'c1c2')
>>> print(p.play("b1b2"))
3  B B B
2  . W .
1  W . W
   a b c
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, TypeAlias, TypeVar, cast
from unicodedata import normalize

from damier.core.bits import mix64, seeded
from damier.core.board import Board
from damier.core.codes import words_needed
from damier.core.display import Displayed
from damier.core.encoding import BY_BIT, BY_GAME, BY_NUMBER, BY_PLACE, PlaneLayout, layout_of_fields
from damier.core.errors import BadInput, IllegalMove, Unsuitable
from damier.core.hooks import (
    LISTED,
    MOST_ACTIONS,
    WIDEST,
    Endgames,
    Given,
    checked_bits,
    checked_number,
    completed,
    require_counts,
    require_rules,
    takes_list,
)
from damier.core.json_types import JsonObject
from damier.core.keys import Bits, flat, widths
from damier.core.moves import MOVES, by_number, each, move_in_words, random_move
from damier.core.past import after, past_of
from damier.core.rules import CHANCE, NAMES, AnyPast, Field, Key, Moves, Past, Rule, State
from damier.core.wide import entering, machine_width, maker
from damier.core.words import _, message, printable

# A name with its options, as people write it: `hexapawn:blocked=loss`.


Option: TypeAlias = "bool | int | float | str | None"
"""What an option of a game or an agent can be."""


def written(name: str, options: Mapping[str, object]) -> str:
    """A name with its options, as on the command line.

    >>> written("tictactoe", {"misere": False})
    'tictactoe:misere=false'
    """
    text = ",".join(f"{option}={option_text(value)}" for option, value in options.items())
    return f"{name}:{text}" if text else name


def written_game(header: Mapping[str, object]) -> str:
    """The game that the header of a file names, as it is written on the command line.

    >>> written_game({"game": "nim", "options": {"misere": True}})
    'nim:misere=true'
    """
    options = header.get("options")
    return written(str(header.get("game")), options if isinstance(options, dict) else {})


def game_facts(game: Game) -> JsonObject:
    """Return what the header of a file says of its game: its name, its options, and what its rules do."""
    return {"game": game.name, "options": game.options, "rules": game.fingerprint()}


def is_of_game(header: Mapping[str, object], game: Game) -> bool:
    """Return whether a header names the rules of a game and its options; the name may be another."""
    return header.get("rules") == game.fingerprint() and header.get("options") == game.options


def option_text(value: object) -> str:
    """An option's value as it is written on the command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)


S = TypeVar("S", bound=State)
NUMBERS = ("symmetries", "most_moves")
"""What a game gives as a number, and engines ask as a rule."""


class Game:
    """The rules of one game, complete, and its words.

    Attributes:
        name: as people write it
        start: the first state
        moves …: every rule of `damier.core.rules` is an attribute; `rules` holds them all by name
        options: the values this game was built with, by name
        unset: the names of the options that have none: None
        bits: the width of every field of a state
        wide: how many bits compiled code gives to fields and sets of moves that do not fit a word: a multiple
            of 64; 0 where all do
        moves_are_bits: whether a move is one bit of a set that fits a word
        moves_are_listed: whether the game gives `moves(s, found)`
        players: how many there are
        imperfect_information: whether a player cannot see all of the state (then nothing here can search it)
        stochastic: whether there are chance nodes: dice, cards that are dealt
        zero_sum: whether all other players lose what player 0 gains
        advances: whether the game gave a `ply`: then no position can come back
        acyclic: whether no position can come back, by a `ply` or because the game says so
        states: an upper bound on the number of positions, or None
        source: the file of a user's own game
        features: what can be seen in a state, by name: numbers from the side of player 0, which a search
            weighs where it stops
        explanations: what each of them sees, in a sentence marked for the catalogue
        evaluation: those with weights, as text, that `selective` takes if it is told nothing else
        endgames: how its positions with little material are numbered, for endgame tables; or None
        actions: how many numbers `action` gives to moves
        sides: what people call the players by, marked for the catalogue: White, Black; or none
        title: what people call it
        summary: what it is, in a line
        description: how it is played, in a few sentences; all marked for the catalogue with N_
        given: the rules as the game gave them, before defaults completed them
        remade: the function, and what it is called with, that makes this game again in another process;
            None where nobody knows: rules are closures, which cannot be sent

    The parameters are what a game gives: see docs/add_a_game.md, and `damier.core.hooks`. They are
    functions of the game's own NamedTuple of states, `S`; who holds the game sees its states as
    `State`.
    """

    moves: Callable[[State], Moves]
    play: Callable[[State, int], State]
    outcome: Callable[[State], int]
    over: Callable[[State], bool]
    payoff: Callable[[State, int], int]
    mover: Callable[[State], int]
    chance: Callable[[State, int], float]
    reward: Callable[[State, int], int]
    ply: Callable[[State], int]
    plies_left: Callable[[State], int]
    key: Callable[[State], Key]
    unkey: Callable[[Key], State]
    as_state: Callable[[tuple[Field, ...]], State]
    symmetries: Callable[[], int]
    most_moves: Callable[[], int]
    turn: Callable[[State, int], State]
    turn_move: Callable[[int, int], int]
    canonical: Callable[[State], State]
    seen_as: Callable[[State], State]
    move_score: Callable[[State, int], int]
    non_losing_moves: Callable[[State], Moves]
    bounds: Callable[[State], tuple[int, int]]
    with_past: Callable[[State, AnyPast], State]
    irreversible: Callable[[State, int], bool]
    noisy_moves: Callable[[State], Moves]
    null_move: Callable[[State], State]
    threatened: Callable[[State], bool]
    planes: Callable[[State, int], tuple[int, ...]]
    action: Callable[[State, int], int]
    # what is for people
    grid: Callable[[State], Board] | None
    place: Callable[[State, int], tuple[int, ...]] | None
    ways: Callable[[State, int], tuple[tuple[int, ...], ...]] | None
    id: Callable[[State], int | list[int]] | None
    write_position: Callable[[State], str] | None
    read_position: Callable[[str], State] | None
    write_clocks: Callable[[State, int, int], str] | None
    read_clocks: Callable[[str], tuple[tuple[State, ...], int]] | None
    _name_move: Callable[[State, int], str] | None
    _say_move: Callable[[State, int], str] | None
    _show: Callable[[State], str] | None

    def __init__(
        self,
        name: str,
        start: S,
        moves: Callable[[S], int] | Callable[[S, list[int]], None],
        play: Callable[[S, int], S],
        outcome: Callable[[S], int] | None = None,
        *,
        over: Callable[[S], bool] | None = None,
        payoff: Callable[[S, int], int] | None = None,
        mover: Callable[[S], int] | None = None,
        chance: Callable[[S, int], float] | None = None,
        reward: Callable[[S, int], int] | None = None,
        ply: Callable[[S], int] | None = None,
        plies_left: Callable[[S], int] | None = None,
        bits: Bits | None = None,
        most_moves: int | None = None,
        key: Callable[[S], int] | None = None,
        unkey: Callable[[int], S] | None = None,
        symmetries: int = 1,
        turn: Callable[[S, int], S] | None = None,
        turn_move: Callable[[int, int], int] | None = None,
        canonical: Callable[[S], S] | None = None,
        move_score: Callable[[S, int], int] | None = None,
        non_losing_moves: Callable[[S], Moves] | None = None,
        bounds: Callable[[S], tuple[int, int]] | None = None,
        with_past: Callable[[S, Past[S]], S] | None = None,
        irreversible: Callable[[S, int], bool] | None = None,
        noisy_moves: Callable[[S], int] | Callable[[S, list[int]], None] | None = None,
        null_move: Callable[[S], S] | None = None,
        threatened: Callable[[S], bool] | None = None,
        planes: Callable[[S, int], tuple[int, ...]] | None = None,
        plane_layout: PlaneLayout | None = None,
        action: Callable[[S, int], int] | None = None,
        actions: int | None = None,
        seen_as: Callable[[S], S] | None = None,
        features: Mapping[str, Callable[[S], float]] | None = None,
        evaluation: str = "",
        explanations: Mapping[str, str] | None = None,
        players: int = 2,
        imperfect_information: bool = False,
        acyclic: bool = False,
        states: int | None = None,
        name_move: Callable[[S, int], str] | None = None,
        say_move: Callable[[S, int], str] | None = None,
        grid: Callable[[S], Board] | None = None,
        place: Callable[[S, int], tuple[int, ...]] | None = None,
        ways: Callable[[S, int], tuple[tuple[int, ...], ...]] | None = None,
        show: Callable[[S], str] | None = None,
        id: Callable[[S], int | list[int]] | None = None,
        write_position: Callable[[S], str] | None = None,
        read_position: Callable[[str], S] | None = None,
        write_clocks: Callable[[S, int, int], str] | None = None,
        read_clocks: Callable[[str], tuple[tuple[S, ...], int]] | None = None,
        endgames: Endgames[S] | None = None,
        sides: tuple[str, ...] = (),
        title: str = "",
        summary: str = "",
        description: str = "",
    ) -> None:
        parameters = dict(locals())
        self.given: dict[str, Rule] = {
            rule: parameters[rule] for rule in NAMES if parameters.get(rule) and rule not in NUMBERS
        }
        self.name, self.title, self.sides = name, title, tuple(sides)
        self.summary, self.description = summary, description
        self.start: State = start
        self.options: dict[str, Option] = {}
        self.unset: tuple[str, ...] = ()
        self.players, self.states = players, states
        self.imperfect_information = bool(imperfect_information)
        self.stochastic, self.advances = chance is not None, ply is not None
        self.acyclic = acyclic or self.advances
        self.zero_sum = True  # a trial run may show otherwise
        self.source: Path | None = None
        self.features: dict[str, Rule] = dict(features or {})
        self.evaluation, self.explanations = evaluation, dict(explanations or {})
        self.endgames: Endgames[State] | None = cast("Endgames[State] | None", endgames)
        self.engines: dict[object, Rule] = {}  # what compile.instantiate has made
        self.tiers: dict[Hashable, Any] = {}  # plain or compiled: what tiers.tier has made
        self.agrees = False  # compiled rules have been compared with plain ones
        self.remade: tuple[Callable[[str], Game], tuple[str]] | None = None
        self.bits = checked_bits(name, start, bits)
        self.moves_are_listed = takes_list(moves)
        usual = LISTED if self.moves_are_listed else max(MOVES, *widths(self.bits))
        most = checked_number(name, "most_moves", most_moves, usual, WIDEST)
        self.moves_are_bits = not self.moves_are_listed and most <= MOVES
        self.actions = checked_number(name, "actions", actions, most, MOST_ACTIONS)
        self._plane_layout = plane_layout
        self.wide = machine_width(self.bits, 0 if self.moves_are_listed else most)
        self.make: Callable[..., State] = maker(type(start), self.bits) if self.wide else type(start)
        require_counts(name, players, states)
        require_rules(name, start, self.given, symmetries)
        by_default = Given(
            self.given, self.make, self.bits, symmetries, most, self.moves_are_bits, self.moves_are_listed
        )
        vars(self).update(completed(by_default, listed=self.moves_are_listed))
        if not self.moves_are_bits and not self.moves_are_listed:
            name_move = by_number(name_move) if name_move else None
            say_move = by_number(say_move) if say_move else None
            place = by_number(place) if place else None
            ways = by_number(ways) if ways else None
        vars(self).update(grid=grid, place=place, ways=ways, id=id, _show=show)
        vars(self).update(_name_move=name_move, _say_move=say_move)
        vars(self).update(write_position=write_position, read_position=read_position)
        vars(self).update(write_clocks=write_clocks, read_clocks=read_clocks)

    def __repr__(self) -> str:
        return f"Game({self.text!r})"

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: object) -> Game:
        return self

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        if self.remade is None:
            raise TypeError(
                message(
                    "{game} cannot be sent to another process: only what damier.load makes can be made again"
                    " there",
                    game=self.text,
                )
            )
        return self.remade

    @property
    def has_past(self) -> bool:
        """Return whether the positions before one may matter to it."""
        return "with_past" in self.given

    @cached_property
    def plane_layout(self) -> PlaneLayout:
        """The board on which the planes of a position lie."""
        if self._plane_layout is None and "planes" in self.given:
            count = len(self.planes(self.start, 0))
            return PlaneLayout(1, max(widths(self.bits), default=1), tuple(map(str, range(count))))
        return self._plane_layout or layout_of_fields(self.start._fields, self.bits)

    @property
    def action_numbers(self) -> str:
        """Return how actions are numbered: as the game says, or by the bit, the number or the place of a
        move (`damier.core.encoding`).
        """
        if "action" in self.given:
            return BY_GAME
        return BY_BIT if self.moves_are_bits else BY_PLACE if self.moves_are_listed else BY_NUMBER

    @property
    def rules(self) -> Mapping[str, Rule]:
        """Every rule of `damier.core.rules` by name, as the attributes hold them."""
        facts = vars(self)
        return MappingProxyType({name: facts[name] for name in NAMES})

    @property
    def text(self) -> str:
        """The game as it is written on the command line, every option with its value."""
        return written(self.name, self.options)

    @property
    def key_words(self) -> int:
        """Return how many words of 62 bits hold the key of a state."""
        return 1 if "key" in self.given else words_needed(self.bits)

    def show(self, s: State) -> str:
        """The board as text."""
        if self._show:
            return self._show(s)
        if self.grid:
            return "\n".join(self.grid(s).rows)
        return "  ".join(f"{name}={value}" for name, value in zip(s._fields, s, strict=True))

    def name_move(self, s: State, move: int) -> str:
        """A move in the game's own words; by default the number of its bit, or of its place in the list
        of moves.
        """
        if self._name_move:
            return self._name_move(s, move)
        return str(move.bit_length() - 1 if self.moves_are_bits else move - (not self.moves_are_listed))

    def say_move(self, s: State, move: int) -> str:
        """A move as people write it: by default its name, a word in the language in force."""
        return self._say_move(s, move) if self._say_move else move_in_words(self.name_move(s, move))

    def name_side(self, player: int) -> str:
        """The name of a player for people, in the language in force; nothing where that is a number only."""
        return _(self.sides[player]) if 0 <= player < len(self.sides) else ""

    def name_moves(self, s: State, moves: Moves) -> list[str]:
        """Some moves in the game's own words."""
        return [self.name_move(s, move) for move in each(moves)]

    def position(self) -> Position:
        """The first position, as an object for people."""
        return Position(self, self.start)

    def legal(self, s: State) -> list[int]:
        """The legal moves of `s`, none where the game is over; of sets the lowest bit first."""
        return [] if self.over(s) else list(each(self.moves(s)))

    def gathered(self, moves: Iterable[int]) -> Moves:
        """Some moves of a position, in the form of its legal ones: a set, or a list."""
        found = list(moves)
        return sum(found) if self.moves_are_bits else found

    def fields(self, s: State) -> tuple[Field, ...]:
        """The fields of `s` as they enter engines, plain or compiled."""
        return entering(s, self.bits, self.wide) if self.wide else tuple(s)

    def read_state(self, fields: object) -> State:
        """The state of these fields, lists for those that are tuples.

        Raises BadInput where they do not fit the game's states.
        """
        values: list[Field | list[int]] = fields if isinstance(fields, list) else []
        state = tuple(tuple(field) if isinstance(field, list) else field for field in values)
        shape, ints = [len(f) if isinstance(f, tuple) else -1 for f in state], flat(state)
        fits = shape == [len(f) if isinstance(f, tuple) else -1 for f in self.start]
        if not fits or not all(
            type(value) is int and 0 <= value < 1 << width
            for value, width in zip(ints, widths(self.bits), strict=True)
        ):
            raise BadInput(message("{fields} is not a state of {game}", fields=fields, game=self.text))
        return self.as_state(state)

    def fingerprint(self) -> str:
        """A digest of what the rules do, from a few seeded random games: equal rules give equal
        fingerprints in any version of Python.
        """
        return self._fingerprint

    @cached_property
    def _fingerprint(self) -> str:
        digest = 0
        for walk in range(32):
            rng = seeded(1, walk)
            s = self.start
            for _ply in range(64):
                facts = (self.mover(s), self.over(s), *flat(s))
                for fact in facts:
                    digest = mix64(digest * 31 + int(fact) + 7)
                if self.over(s):
                    digest = mix64(digest + self.payoff(s, 0) + 3)
                    break
                legal = self.moves(s)
                for facts_of_moves in legal if isinstance(legal, list) else [legal]:
                    digest = mix64(digest ^ facts_of_moves)
                s = self.play(s, random_move(rng, legal))
        return f"{digest:016x}"


def first_state(game: Game, start: State | None) -> State:
    """Return where work on a game begins: in `start`, or in its first state. Raises BadInput for what is no
    game, or no state: a name, a position.
    """
    if not isinstance(game, Game):
        raise BadInput(
            message("{found} is no game; give what damier.load makes of its name", found=repr(game))
        )
    if start is None:
        return game.start
    if isinstance(start, Position):
        raise BadInput(message("{found} is no state; give its position.state", found=repr(start)))
    return start


def sent_position(
    game: Game, state: tuple[Field, ...], before: list[tuple[Field, ...]], plies: int
) -> Position:
    """Return the position that another process has sent."""
    return Position(game, game.as_state(state), tuple(map(game.as_state, before)), plies)


def require(ok: bool, sentence: str) -> None:
    """Raises BadInput with `sentence` unless `ok`: for the options of a game."""
    if not ok:
        raise BadInput(sentence)


@dataclass(frozen=True)
class Position(Displayed):
    """A state of a game, and what can be asked of it; what was asked once is kept."""

    game: Game
    state: State
    before: tuple[State, ...] = field(default=(), compare=False, repr=False)
    # the positions before it that may come back, where a game's past matters
    plies: int = field(default=0, compare=False, repr=False)
    # how many were played before it, as far as is known

    text: ClassVar[Callable[[Position], str]] = lambda position: position.game.show(position.state)
    # how boards are written: `draw` puts its own function here, so that core need not know it

    def __str__(self) -> str:
        return self.text()

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, memo: object) -> Position:
        return self

    def __reduce__(self) -> tuple[Callable[..., Position], tuple[object, ...]]:
        # the class of a state may be of a file that the other process loads by itself
        return sent_position, (self.game, tuple(self.state), [*map(tuple, self.before)], self.plies)

    @cached_property
    def mover(self) -> int:
        """Return whose turn it is, from 0."""
        return int(self.game.mover(self.state))

    @cached_property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return bool(self.game.over(self.state))

    @property
    def payoffs(self) -> tuple[int, ...] | None:
        """Return what the game was worth to each player; None while it goes on."""
        return (
            tuple(int(self.game.payoff(self.state, player)) for player in range(self.game.players))
            if self.over
            else None
        )

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """The legal moves in the game's own words and order; none once the game is over."""
        return tuple(self.named_moves)

    @cached_property
    def named_moves(self) -> Mapping[str, int]:
        """The legal moves by name, each as the game's rules know it: one bit."""
        game, s = self.game, self.state
        return MappingProxyType({game.name_move(s, move): move for move in game.legal(s)})

    @cached_property
    def board(self) -> str:
        """The cells in one text, row by row from the top left, a space for an empty one.

        Raises Unsuitable for a game that is no board of cells.

        >>> from damier import load
        >>> load("tictactoe").position().play("4", "0").board
        'O   X    '
        """
        if self.game.grid is None:
            raise Unsuitable(message("{game} is not played on a board of cells", game=self.game.text))
        return "".join(self.game.grid(self.state).rows).replace(".", " ")

    @property
    def id(self) -> int | list[int] | None:
        """The number that the documents give this position, one per view for pawns; None where they
        give none.
        """
        return self.game.id(self.state) if self.game.id else None

    def play(self, *moves: str | int) -> Position:
        """The position after some moves, by their names: where these are numbers, the numbers will do.

        Raises IllegalMove, which says what is legal.
        """
        position = self
        for move in moves:
            position = position.after(position.read(move))
        return position

    def after(self, move: int) -> Position:
        """The position after a legal move, as the game's rules know it."""
        return Position(self.game, *after(self.game, self.state, move, self.before), self.plies + 1)

    def read(self, text: object) -> int:
        """The legal move that is written `text`. Raises IllegalMove, also for what is no text."""
        named, written_move = self.named_moves, str(text)
        if written_move in named:
            return named[written_move]
        wanted = written_move.strip()
        if self.over:
            raise IllegalMove(message("{move}: the game is over, there is nothing left to play", move=wanted))
        alike = [move for name, move in named.items() if _folded(name) == _folded(wanted)]
        if wanted in named:
            return named[wanted]
        if len(alike) == 1:
            return alike[0]
        raise IllegalMove(
            message("{move} is not a legal move here; legal: {moves}", move=wanted, moves=" ".join(named))
        )


def _folded(name: str) -> str:
    """A name as names are compared: whatever the size of its letters, and however é is written (a Mac may
    write a letter and an accent).
    """
    return normalize("NFC", name).casefold()


# Positions as text, and lines of them.


def written_position(position: Position) -> str:
    """A position on one line: in the game's own notation or, where it has none, the rows of the board
    joined by `/` and, after a space, `first` or `second` for who moves.

    >>> from damier import load
    >>> written_position(load("tictactoe").position().play("4"))
    '.../.X./... O'
    """
    game, s = position.game, position.state
    if game.write_clocks:
        return game.write_clocks(s, len(position.before), position.plies)
    if game.write_position:
        return game.write_position(s)
    mover = position.mover
    who = "chance" if mover == CHANCE else ("first", "second")[mover] if mover < 2 else str(mover + 1)
    return f"{'/'.join(game.show(s).splitlines())} {who}"


def read_position(game: Game, text: str) -> Position:
    """The position that is written so.

    Raises BadInput, in one sentence, for what is no legal position, and for a game that cannot tell.
    """
    if game.read_position is None:
        raise BadInput(
            message("{game} reads no positions: it gives no read_position; give the moves", game=game.text)
        )
    if not text.strip():
        first = printable(written_position(game.position()), 100)
        raise BadInput(message("the position is empty; the first one is written {position}", position=first))
    fields = game.read_position(text)
    s = game.read_state([list(field) if isinstance(field, tuple) else field for field in fields])
    if game.read_clocks is None:
        return Position(game, s)
    before, plies = game.read_clocks(text)
    return Position(game, game.with_past(s, past_of(game, before)), before, plies)


def apart(game: Game, moves: list[str]) -> list[str]:
    """Return moves one by one that are written as one row of digits, as those of Connect Four are
    published, where every first move of a game is called by one digit.

    >>> from damier import load
    >>> apart(load("connect_four"), ["4453"]), apart(load("chess"), ["e2e4"])
    (['4', '4', '5', '3'], ['e2e4'])
    """
    if len(moves) != 1 or len(moves[0]) < 2 or not (moves[0].isascii() and moves[0].isdigit()):
        return moves
    return [*moves[0]] if all(len(name) == 1 for name in game.position().moves) else moves


def line(game: Game, moves: Iterable[str], begin: str | None = None) -> list[Position]:
    """Every position of a game played through `moves`, the first one included; it begins in the position
    that is written `begin`, by default in the game's first.

    Raises IllegalMove, which says at which ply, and BadInput as `read_position` does.
    """
    positions = [game.position() if begin is None else read_position(game, begin)]
    for number, move in enumerate(apart(game, [*moves]), 1):
        try:
            positions.append(positions[-1].play(move))
        except IllegalMove as error:
            raise IllegalMove(message("move {number}: {error}", number=number, error=error)) from None
    return positions
