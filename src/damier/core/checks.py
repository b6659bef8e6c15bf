"""Checks of a game's rules: one of each rule in one state, and the trial run that makes them.

A check has the name of its rule, and raises BadGame, through `TrialState`, where that breaks its contract
(docs/add_a_game.md).
"""

from __future__ import annotations

import enum
import inspect
import os
from collections.abc import Callable
from functools import cached_property
from typing import Final, NamedTuple, NoReturn, TypeVar

from damier.core.bits import seeded
from damier.core.board import Board
from damier.core.errors import BadGame, BadInput, DamierError
from damier.core.game import Game
from damier.core.hooks import HOOKS, Hook
from damier.core.job import exception_in_words, from_outside, own_place, presses
from damier.core.keys import flat, widths
from damier.core.moves import each, first_move, holds, random_move
from damier.core.past import empty
from damier.core.rules import CHANCE, NAMES, ONGOING, TOP, Moves, State, later
from damier.core.words import Text, message


class When(enum.Enum):
    """The states of a trial run in which a hook is tried."""

    EVERYWHERE = enum.auto()
    ON_THE_WAY = enum.auto()  # where the game is not over
    AT_THE_END = enum.auto()
    IN_A_FEW_GAMES = enum.auto()  # on the way, of the first games only: what is slow, or for people


class Trial(NamedTuple):
    """A check of a rule, and when a trial run makes it; `always`: also where the game leaves the rule
    out, since it then follows from the rest.
    """

    check: Callable[[TrialState], None]
    when: When
    always: bool


TRIALS: Final[dict[str, Trial]] = {}
"""The checks of all rules, by the names of these."""
Check = TypeVar("Check", bound="Callable[[TrialState], None]")


def trial(when: When = When.ON_THE_WAY, *, always: bool = False) -> Callable[[Check], Check]:
    """Return a decorator for the check of the rule that has its name."""

    def register(check: Check) -> Check:
        TRIALS[check.__name__] = Trial(check, when, always)
        return check

    return register


@trial(always=True)
def moves(here: TrialState) -> None:
    """A set of moves, not empty."""
    assert here.legal


@trial(always=True)
def play(here: TrialState) -> None:
    """A state, after every move."""
    assert here.children


@trial(When.EVERYWHERE)
def outcome(here: TrialState) -> None:
    """ONGOING, or a payoff."""
    expected = message("ONGOING, or the payoff of the player to move, an int")
    here.whole("outcome", here.ask("outcome"), -ONGOING, ONGOING, expected)


@trial(When.EVERYWHERE, always=True)
def over(here: TrialState) -> None:
    """True or False; where `outcome` is given too, what it says."""
    game, answer = here.game, here.ask("over")
    true_or_false(here, "over", answer)
    if "over" in game.given and "outcome" in game.given:
        outcome = here.ask("outcome")
        if bool(answer) != (outcome != ONGOING):
            found = in_words(outcome)
            here.wrong("over", answer, message("as outcome says, which answered {answer}", answer=found))


def true_or_false(here: TrialState, rule: str, answer: object) -> None:
    """Tells of an answer that is neither."""
    if not isinstance(answer, (bool, int)):
        here.wrong(rule, answer, message("True or False"))


@trial(When.AT_THE_END, always=True)
def payoff(here: TrialState) -> None:
    """A number for each player, which `outcome` says too where it is given; notes whether the game is
    zero-sum.
    """
    game = here.game
    payoffs = [
        here.whole("payoff", here.ask("payoff", here.s, player), -ONGOING + 1, ONGOING - 1)
        for player in range(game.players)
    ]
    if "outcome" not in game.given:
        game.zero_sum &= not any(payoff != -payoffs[0] for payoff in payoffs[1:])
    elif "payoff" in game.given and (mover := game.mover(here.s)) != CHANCE:
        for player, found in enumerate(payoffs):
            expected = game.outcome(here.s) if player == mover else -game.outcome(here.s)
            if found != expected:
                here.wrong(
                    "payoff",
                    found,
                    message("{n} for player={player}, as outcome says", n=expected, player=player),
                )


@trial(When.EVERYWHERE, always=True)
def mover(here: TrialState) -> None:
    """A player that there is."""
    game = here.game
    expected = message("a player from 0 as mover (CHANCE goes with chance=)")
    blamed = "mover" if "mover" in game.given else "play"
    here.whole(blamed, here.ask("mover"), CHANCE if game.stochastic else 0, game.players - 1, expected)


@trial()
def chance(here: TrialState) -> None:
    """A weight for each move, not all 0."""
    if here.game.mover(here.s) != CHANCE:
        return
    weights = [here.ask("chance", here.s, move) for move in each(here.legal)]
    numbers = [w for w in weights if isinstance(w, (int, float)) and 0 <= w < float("inf")]
    if len(numbers) < len(weights) or sum(numbers) == 0:
        here.wrong("chance", weights, message("weights, numbers that are not negative and not all 0"))


@trial()
def reward(here: TrialState) -> None:
    """A number for each move of a player."""
    if here.game.mover(here.s) != CHANCE:
        for move in each(here.legal):
            here.whole("reward", here.ask("reward", here.s, move), -ONGOING, ONGOING)


@trial()
def ply(here: TrialState) -> None:
    """A number that every move raises by 1."""
    before = here.whole("ply", here.ask("ply"), 0, 1 << 62)
    for child in here.children.values():
        after = here.ask("ply", child)
        if after != before + 1:
            here.wrong("ply", after, message("{n}, one more than before the move", n=before + 1), child)


@trial()
def plies_left(here: TrialState) -> None:
    """A number that is not negative."""
    here.whole("plies_left", here.ask("plies_left"), 0, 1 << 62)


@trial()
def key(here: TrialState) -> None:
    """An int, which gives the state back."""
    expected = message("an int below 2**62, not negative")
    for s in (here.s, *here.children.values()):
        number = here.whole("key", here.ask("key", s), 0, LARGEST_MOVE, expected)
        if (back := here.ask("unkey", number)) != s:
            here.wrong("unkey", back, message("{state} back from its key", state=s), s)


@trial(When.IN_A_FEW_GAMES)
def turn(here: TrialState) -> None:
    """A state under every symmetry, in which the turned move is legal and leads to the turned next
    state. Symmetry 0 is the identity.
    """
    game = here.game
    first, *others = each(here.legal)
    for symmetry in range(game.symmetries()):
        turned = here.state("turn", here.ask("turn", here.s, symmetry))
        if symmetry == 0 and turned != here.s:
            here.wrong("turn", turned, message("{state} itself under symmetry 0", state=here.s))
        for move in (first, *others[-1:]):
            turned_move = here.ask("turn_move", move, symmetry)
            if not isinstance(turned_move, int) or not holds(game.moves(turned), turned_move):
                here.wrong("turn_move", turned_move, message("a legal move of the turned state"))
            after, expected = here.ask("turn", here.children[move], symmetry), game.play(turned, turned_move)
            if after != expected:
                here.wrong(
                    "turn",
                    after,
                    message(
                        "{state}, to which the move {move} leads, turned by symmetry {n}",
                        state=expected,
                        move=move,
                        n=symmetry,
                    ),
                    here.children[move],
                )


@trial(When.AT_THE_END)
def turn_move(here: TrialState) -> None:
    """Of the rule `turn`, what a step on the way does not show: an end stays one under every symmetry, worth
    as much to the player who would be to move.
    """
    game = here.game
    payoff = mover_payoff(game, here.s)
    for symmetry in range(1, game.symmetries()):
        turned = here.state("turn", here.ask("turn", here.s, symmetry))
        if not game.over(turned) or mover_payoff(game, turned) != payoff:
            here.wrong("turn", turned, message("an end that is worth as much (symmetry {n})", n=symmetry))


def mover_payoff(game: Game, s: State) -> int:
    """Return what an end is worth to the player who would be to move; nothing where chance would be."""
    mover = game.mover(s)
    return 0 if mover == CHANCE else game.payoff(s, mover)


@trial()
def with_past(here: TrialState) -> None:
    """The state itself, where nothing was before."""
    alone = here.state("with_past", here.ask("with_past", here.s, empty(here.game, 0, False)))
    if alone != here.s:
        here.wrong("with_past", alone, message("{state} itself, where nothing was before", state=here.s))


@trial()
def irreversible(here: TrialState) -> None:
    """True or False."""
    for move in here.children:
        true_or_false(here, "irreversible", here.ask("irreversible", here.s, move))


@trial()
def move_score(here: TrialState) -> None:
    """A number for each move."""
    for move in each(here.legal):
        here.whole("move_score", here.ask("move_score", here.s, move), -ONGOING, ONGOING)


@trial()
def non_losing_moves(here: TrialState) -> None:
    """A set of legal moves; what is left out loses with the opponent's next move."""
    game, s, legal = here.game, here.s, list(each(here.legal))
    kept = list(each(here.moves("non_losing_moves")))
    if not set(kept) <= set(legal):
        here.wrong("non_losing_moves", kept, message("some of the legal moves, {legal}", legal=legal))
    for move in legal:
        if move in kept:
            continue
        child = here.children[move]
        replies = [game.play(child, reply) for reply in game.legal(child)]
        if game.mover(child) == game.mover(s) or not any(
            won(game, end, game.mover(child)) for end in replies
        ):
            here.wrong(
                "non_losing_moves",
                kept,
                message("with the move {move}, after which the opponent cannot win at once", move=move),
            )


@trial()
def noisy_moves(here: TrialState) -> None:
    """Some of the legal moves. A search asks only where nothing threatens, and so does the trial: where
    something must be answered, a rule need not look for moves that answer it.
    """
    if here.ask("threatened"):
        return
    legal, noisy = list(each(here.legal)), list(each(here.moves("noisy_moves")))
    if not set(noisy) <= set(legal):
        here.wrong("noisy_moves", noisy, message("some of the legal moves, {legal}", legal=legal))


@trial()
def null_move(here: TrialState) -> None:
    """A state."""
    here.state("null_move", here.ask("null_move"))


@trial(When.EVERYWHERE)
def threatened(here: TrialState) -> None:
    """True or False."""
    true_or_false(here, "threatened", here.ask("threatened"))


@trial()
def bounds(here: TrialState) -> None:
    """Two scores that allow for the ends that the next move can reach."""
    game, answer = here.game, here.ask("bounds")
    expected = message("two scores, the least and the most, from -{top} to {top}", top=TOP)
    if (
        not isinstance(answer, tuple)
        or [type(part) for part in answer] != [int, int]
        or not -TOP <= answer[0] <= answer[1] <= TOP
    ):
        here.wrong("bounds", answer, expected)
    least, most = answer
    ends = [child for child in here.children.values() if game.over(child)]
    scores = [later(game.payoff(child, game.mover(here.s)) * TOP) for child in ends]
    if scores and max(scores) > most:
        here.wrong(
            "bounds", answer, message("at most {n} or more, since a move ends the game so", n=max(scores))
        )
    if len(scores) == len(here.children) and max(scores) < least:
        here.wrong(
            "bounds", answer, message("at least {n} or less, since every move ends the game", n=max(scores))
        )


@trial(When.EVERYWHERE)
def planes(here: TrialState) -> None:
    """Sets of cells of the board, as many for every player."""
    game = here.game
    for player in range(game.players):
        answer = here.ask("planes", here.s, player)
        if not isinstance(answer, tuple) or any(type(part) is not int or part < 0 for part in answer):
            here.wrong("planes", answer, message("a tuple of sets of cells: ints, not negative"))
        layout = game.plane_layout
        outside = ~sum(1 << cell for cell in set(layout.bits_of_cells))
        if len(answer) != len(layout.names):
            expected = message("{n} planes, as plane_layout has names", n=len(layout.names))
            here.wrong("planes", answer, expected)
        if any(part & outside for part in answer):
            here.wrong("planes", answer, message("cells of plane_layout only"))


@trial()
def action(here: TrialState) -> None:
    """A number of its own for each move."""
    game, found = here.game, set[int]()
    for move in each(here.legal) if game.mover(here.s) != CHANCE else ():
        expected = message(
            "a number from 0 to {most} (actions), another for each move", most=game.actions - 1
        )
        number = here.whole("action", here.ask("action", here.s, move), 0, game.actions - 1, expected)
        if number in found:
            here.wrong("action", number, expected)
        found.add(number)


@trial(When.IN_A_FEW_GAMES)
def canonical(here: TrialState) -> None:
    """A state with the same moves."""
    found = here.state("canonical", here.ask("canonical"))
    if here.game.moves(found) != here.legal:
        here.wrong("canonical", found, message("a state with the same moves"))


@trial()
def seen_as(here: TrialState) -> None:
    """A state."""
    here.state("seen_as", here.ask("seen_as"))


@trial()
def features(here: TrialState) -> None:
    """A number for each feature."""
    game, s = here.game, here.s
    for name, feature in game.features.items():
        place = place_of(feature, game)
        before = presses()
        try:
            found = feature(s)
        except BaseException as error:
            if from_outside(error, before):
                raise
            sentence = message(
                "{place}: feature {name} in {state} raised {error}",
                place=place,
                name=name,
                state=s,
                error=exception_in_words(error),
            )
            raise BadGame(sentence) from error
        if not isinstance(found, (int, float)) or not abs(found) < float("inf"):
            sentence = message(
                "{place}: feature {name} answered {answer} in {state}; it must be a number",
                place=place,
                name=name,
                answer=repr(found),
                state=s,
            )
            raise BadGame(sentence)


@trial(When.IN_A_FEW_GAMES, always=True)
def name_move(here: TrialState) -> None:
    """A word for each move, all different."""
    names = [here.ask("name_move", here.s, move) for move in each(here.legal)]
    for name in names:
        if not isinstance(name, str) or not name or "," in name or any(c.isspace() for c in name):
            here.wrong("name_move", name, message("a word without commas or spaces"))
        if any("\ud800" <= c <= "\udfff" for c in name):
            here.wrong("name_move", name, message("text without half a character, an unpaired surrogate"))
    if len(set(names)) < len(names):
        here.wrong("name_move", names, message("a different name for each move"))


@trial(When.IN_A_FEW_GAMES)
def grid(here: TrialState) -> None:
    """A board."""
    if not isinstance(answer := here.ask("grid"), Board):
        here.wrong("grid", answer, message("a board: a Grid, Hexagons, Points or NumberBoard"))


@trial(When.IN_A_FEW_GAMES, always=True)
def show(here: TrialState) -> None:
    """Text."""
    if not isinstance(answer := here.ask("show"), str):
        here.wrong("show", answer, message("text"))


@trial(When.IN_A_FEW_GAMES)
def place(here: TrialState) -> None:
    """Places of the board."""
    if not here.game.grid:
        return
    answer = here.ask("place", here.s, first_move(here.legal))
    if not is_way(here, answer):
        here.wrong("place", answer, message("a tuple of places of the board"))


@trial(When.IN_A_FEW_GAMES)
def ways(here: TrialState) -> None:
    """Ways of places of the board."""
    if not here.game.grid:
        return
    answer = here.ask("ways", here.s, first_move(here.legal))
    if not isinstance(answer, tuple) or not all(is_way(here, way) for way in answer):
        here.wrong("ways", answer, message("a tuple of tuples of places of the board"))


def is_way(here: TrialState, answer: object) -> bool:
    """Return whether an answer is a tuple of places of the board."""
    assert here.game.grid is not None
    places = here.game.grid(here.s).places
    return isinstance(answer, tuple) and all(isinstance(at, int) and 0 <= at < places for at in answer)


def won(game: Game, s: State, player: int) -> bool:
    """Return whether the game is over, and a player has won it."""
    return game.over(s) and game.payoff(s, player) > 0


@trial(When.EVERYWHERE)
def endgames(here: TrialState) -> None:
    """A slice and a place, at which the same slice and place are found again."""
    given, s = here.game.endgames, here.s
    if given is None:
        return
    slice = here.whole("slice_of", given.slice_of(s), -ONGOING, ONGOING)
    if slice < 0:
        return
    place = here.whole("place_of", given.place_of(s), -ONGOING, ONGOING)
    if place >= 0:
        t = given.state_at(slice, place)
        if (given.slice_of(t), given.place_of(t)) != (slice, place):
            here.wrong(
                "state_at", t, message("the position at place {n} of slice {slice}", n=place, slice=slice)
            )


# One state of a trial run: what the rules answer in it, and how a wrong answer is told.
#
# What is wrong is shown where it stands: the file and the line of the rule that gave a wrong answer
# or raised an error.

LARGEST_MOVE = (1 << 62) - 1
"""The largest int that a move of a list may be, and a key."""


class TrialState:
    """A state `s` of a game, in which its rules are asked."""

    def __init__(self, game: Game, s: State) -> None:
        self.game, self.s = game, s

    @property
    def ending(self) -> str:
        """The rule that says whether the game is over."""
        return "over" if "over" in self.game.given else "outcome"

    @cached_property
    def end(self) -> object:
        """Return what that rule answers."""
        return self.ask(self.ending)

    @cached_property
    def over(self) -> bool:
        """Return whether the game is over."""
        return bool(self.end) if self.ending == "over" else self.end != ONGOING

    @cached_property
    def legal(self) -> Moves:
        """The legal moves, checked; the game must not be over."""
        legal = self.moves("moves")
        if not legal:
            self.wrong("moves", legal, message("at least one move, since the game is not over"))
        return legal

    def moves(self, rule: str) -> Moves:
        """The answer of a rule that is moves, checked."""
        game = self.game
        if game.moves_are_listed:
            return self._listed(rule)
        most = game.most_moves()
        expected = message("a set of moves: an int of at most {n} bits, not negative", n=most)
        if game.moves_are_bits:
            return self.whole(rule, self.ask(rule), 0, (1 << most) - 1, expected)
        given = game.given.get(rule) or game.given["moves"]
        self.whole(rule, self._asked(rule, given, self.s), 0, (1 << most) - 1, expected)
        return self._list(rule)

    def _listed(self, rule: str) -> list[int]:
        legal, game = self._list(rule), self.game
        expected = message("moves, each an int above 0 and below 2**62, and none twice")
        if any(type(move) is not int or not 0 < move <= LARGEST_MOVE for move in legal) or len(
            set(legal)
        ) < len(legal):
            self.wrong(rule, legal, expected)
        if len(legal) > game.most_moves():
            self.wrong(rule, len(legal), message("at most {n} moves (most_moves)", n=game.most_moves()))
        return legal

    def _list(self, rule: str) -> list[int]:
        legal = self.ask(rule)
        assert isinstance(legal, list)
        return legal

    @cached_property
    def children(self) -> dict[int, State]:
        """The state after each legal move, checked."""
        return {move: self.state("play", self.ask("play", self.s, move)) for move in each(self.legal)}

    def ask(self, rule: str, *arguments: object) -> object:
        """Return what a rule answers, here if no arguments are given.

        An error in it is reported where it happened.
        """
        return self._asked(rule, getattr(self.game, rule), *(arguments or (self.s,)))

    def _asked(self, rule: str, function: Callable[..., object], *given: object) -> object:
        before = presses()
        try:
            return function(*given)
        except DamierError:
            raise
        except BaseException as error:
            if from_outside(error, before):
                raise
            self._raised(rule, given[0], error)

    def whole(self, rule: str, answer: object, low: int, high: int, expected: Text | None = None) -> int:
        """The answer of a rule, checked to be an int from `low` to `high`."""
        if isinstance(answer, bool) or not isinstance(answer, int) or not low <= answer <= high:
            self.wrong(
                rule,
                answer,
                expected
                or (
                    message("an int from {low} to {high}", low=low, high=high)
                    if high < 100 or type(answer) is int
                    else message("an int")
                ),
            )
        return answer

    def state(self, rule: str, answer: object) -> State:
        """The answer of a rule, checked to be a state of this game that fits its bits."""
        start = self.game.start
        s = like(start, answer)
        if s is None:
            self.wrong(
                rule, answer, message("a {state} like {start}", state=type(start).__name__, start=start)
            )
        names = [
            name
            for name, field in zip(s._fields, start, strict=True)
            for _part in (field if isinstance(field, tuple) else (field,))
        ]
        values = flat(s)
        if len(values) != len(names):
            self.wrong(rule, s, message("tuples as long as in {start}", start=start))
        for name, value, width in zip(names, values, widths(self.game.bits), strict=True):
            if isinstance(value, bool) or not isinstance(value, int):
                self.wrong(rule, s, message("an int, or a tuple of ints, in {field}", field=name))
            if not 0 <= value < 1 << width:
                limit = (1 << width) - 1
                expected = message(
                    "an int from 0 to {limit} in {field} (bits gives it {width})",
                    limit=limit,
                    field=name,
                    width=width,
                )
                self.wrong(rule, s, expected)
        return s

    def wrong(self, rule: str, answer: object, expected: Text, s: State | None = None) -> NoReturn:
        """Raises BadGame: which rule, in which file and line, answered what in which state, and
        what it should have.
        """
        if type(answer).__module__ == "numpy":  # it looks right, and files and compiled code do not know it
            kind = "bool" if "bool" in type(answer).__name__ else "int"
            expected = message("{kind}(…) of it: a value of Python, not of NumPy", kind=kind)
        if rule == "start":  # nobody asked for it
            raise BadGame(
                message(
                    "{game}: start is {answer}; it must be {expected}",
                    game=self.game.name,
                    answer=answer,
                    expected=expected,
                )
            )
        raise BadGame(
            message(
                "{place}: {rule} answered {answer} in the state {state}; it must be {expected}",
                place=place_of(self._given(rule), self.game),
                rule=rule,
                answer=in_words(answer),
                state=self.s if s is None else s,
                expected=expected,
            )
        )

    def _raised(self, rule: str, argument: object, error: BaseException) -> NoReturn:
        """Raises BadGame for an error in a rule, in the user's own file if it passed through it."""
        source = self.game.source
        place = (source and own_place(error, source)) or place_of(self._given(rule), self.game)
        sentence = message(
            "{place}: {rule}({state}) raised {error}",
            place=place,
            rule=rule,
            state=argument,
            error=exception_in_words(error),
        )
        raise BadGame(sentence) from error

    def _given(self, rule: str) -> Callable[..., object] | None:
        """A rule or a word as the game gave it."""
        if rule in NAMES:  # what was made from other rules stands in no file of the user's
            return self.game.given.get(rule)
        facts = vars(self.game)
        return facts.get("_" + rule) or facts.get(rule) or getattr(self.game.endgames, rule, None)


def deferred(call: object) -> str:
    """Return what keeps a function from answering when it is called: `async`, or a `yield`; else nothing."""
    for function in (call, getattr(call, "__call__", None)):  # noqa: B004  an object may be called, too
        if inspect.iscoroutinefunction(function):
            return "async"
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            return "yield"
    return ""


def refuse_deferred(call: object, name: str, kind: type[BadInput], file: str = "") -> None:
    """Raises `kind`, with file and line, for a function that does not answer when it is called."""
    if why := deferred(call):
        function = inspect.unwrap(getattr(call, "func", call))  # type: ignore[arg-type]
        code = getattr(function, "__code__", None)
        place = f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}" if code else file
        raise kind(
            message(
                "{place}: {name} is called for its answer, and has `{why}`: write it as a plain function",
                place=place,
                name=name,
                why=why,
            )
        )


def in_words(answer: object) -> str:
    """Return what a rule answers, as a rule writes it."""
    return "ONGOING" if type(answer) is int and answer == ONGOING else repr(answer)


def like(start: State, answer: object) -> State | None:
    """An answer that is a state of the same game; None if it is none."""
    if type(answer) is not type(start):
        return None
    s: State = answer
    return s if tuples_in(s) == tuples_in(start) else None


def tuples_in(s: State) -> list[bool]:
    """Return which fields of a state are tuples."""
    return [isinstance(field, tuple) for field in s]


def place_of(rule: Callable[..., object] | None, game: Game) -> str:
    """File and line of a rule; the game's name where they are not known."""
    code = getattr(inspect.unwrap(rule), "__code__", None) if rule else None
    return f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}" if code else game.name


# A trial run of somebody's rules in plain Python, before anything is searched or compiled: a few seeded
# random games, every answer checked.

WALKS, PLIES, NAMED = 16, 60, 4  # games, plies a game at most, games whose words are tried too


def try_out(game: Game) -> None:
    """Raises BadGame at the first rule that breaks the contract of a game (docs/add_a_game.md)."""
    tried = [made for hook in HOOKS if (made := TRIALS.get(hook.name)) and (made.always or gives(game, hook))]
    for hook in HOOKS:
        given = game.given.get(hook.name) if hook.name in NAMES else getattr(game, hook.name, None)
        refuse_deferred(given, hook.name, BadGame, game.name)
    for name, feature in game.features.items():
        refuse_deferred(feature, name, BadGame, game.name)
    start = TrialState(game, game.start)
    start.state("start", start.s)
    walked: list[TrialState] = []
    for walk in range(WALKS):
        rng = seeded(0, walk)
        here, before = start, set[State]()
        for _ply in range(PLIES):
            check(here, tried, When.EVERYWHERE)
            if walk < NAMED:
                walked.append(here)
            if game.acyclic and here.s in before:
                raise BadGame(
                    message(
                        "{game}: no position should come back, and {state} did", game=game.text, state=here.s
                    )
                )
            before.add(here.s)
            if here.over:
                check(here, tried, When.AT_THE_END)
                break
            check(here, tried, When.ON_THE_WAY)
            if walk < NAMED:
                check(here, tried, When.IN_A_FEW_GAMES)
            here = TrialState(game, here.children[random_move(rng, here.legal)])
    for here in walked:
        refuse_change(here)


def refuse_change(here: TrialState) -> None:
    """Raises BadGame where a rule answers otherwise than it did before in the same state."""
    again = TrialState(here.game, here.s)
    answers: list[tuple[str, object, object]] = [(here.ending, again.end, here.end)]
    if again.end == here.end and not here.over:
        answers.append(("moves", again.legal, here.legal))
        if again.legal == here.legal:
            answers += [("play", again.children[move], child) for move, child in here.children.items()]
    for rule, answer, before in answers:
        if answer != before:
            expected = message(
                "{before}, as it was before: the same state gives the same answer", before=in_words(before)
            )
            here.wrong(rule, answer, expected)


def check(here: TrialState, trials: list[Trial], when: When) -> None:
    """Make those of the trials that belong here."""
    for made in trials:
        if made.when is when:
            made.check(here)


def gives(game: Game, hook: Hook) -> bool:
    """Return whether a game gave a hook."""
    return hook.name in game.given if hook.name in NAMES else bool(getattr(game, hook.name, None))
