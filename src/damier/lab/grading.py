"""Grade of an agent against another: exactly where its probabilities are known or it always
decides alike, else by games.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice

from damier.agents.own import GameRandom, OwnPlayer
from damier.arena.match import Score, match
from damier.core.bits import Rng, seeded
from damier.core.errors import Unsuitable
from damier.core.game import Game, Position
from damier.core.grade import Grade, Mistake
from damier.core.job import Job
from damier.core.loop import MatchSetup
from damier.core.moves import each, holds
from damier.core.player import AskedPlayer, Player, Policy
from damier.core.rules import CHANCE, State
from damier.core.solution import AnySolution
from damier.core.words import _, labelled, message
from damier.lab.agents import HumanPlayer
from damier.lab.games import Lab
from damier.solve.dispatch import refuse_too_large
from damier.solve.grade import grade, refuse_ungradable
from damier.solve.reach import pure_layers

GAMES = 2000
"""Games that are played where an agent cannot be graded exactly."""


@dataclass(frozen=True)
class SampledGrade:
    """Grade of an agent by `games`, and `why` it is not exact."""

    games: Score
    why: str


def graded(
    lab: Lab, player: Player, against: Player, games: int | None, seed: int, why: str = ""
) -> Grade | SampledGrade:
    """The exact grade of an agent; or by so many games where that is asked for, and `why`.

    Raises Unsuitable for a game that cannot be graded and for a person, LimitReached, AgentFault.
    """
    for other in (player, against):
        if isinstance(other, HumanPlayer):
            raise Unsuitable(
                message("{agent} cannot be asked in every position, so it cannot be graded", agent=other.text)
            )
    if games is None:
        refuse_ungradable(lab.game)
        refuse_too_large(lab.game, lab.job)
        ours, why = as_policy(lab, player)
        theirs, their_why = as_policy(lab, against) if ours is not None else (None, "")
        if ours is not None and theirs is not None:
            return grade(lab.game, ours, theirs, lab.job)
        why = why or their_why
    table = MatchSetup(lab.game, (player, against), seed, swap=1)
    return SampledGrade(match(table, games or GAMES, lab.job), why or _("asked for by --games"))


def as_policy(lab: Lab, player: Player) -> tuple[Policy | None, str]:
    """An agent as a policy, or why it is none.

    Raises LimitReached, and AgentFault for what goes wrong in an agent of one's own.
    """
    if isinstance(player, Policy):
        return player, ""
    if not isinstance(player, OwnPlayer):
        return None, _("{agent} cannot say how likely its moves are", agent=player.text)
    found = fixed_choices(lab.game, player.frozen(), decisions(lab.game, lab.job))
    return (None, labelled(player.text, found.varies)) if found.varies else (found, "")


# Where an agent first goes wrong: the positions that it can come into by right moves of its own,
# whatever its opponent does, and in which it plays a move that gives away the exact value.

ASKED = 8
"""How often an agent is asked in a position that cannot say its probabilities."""
LONGEST = 200
"""Plies of a line that punishes."""


def mistakes(lab: Lab, player: Player, most: int) -> list[Mistake]:
    """The first mistakes of an agent at either seat, those of fewer plies first.

    Raises LimitReached or Unsuitable where the game cannot be solved.
    """
    solution = lab.solution(_("to find mistakes needs the game solved"))
    asked_of = player.frozen() if isinstance(player, OwnPlayer) else player
    return list(islice(first_mistakes(lab.game, asked_of, solution), most))


def first_mistakes(game: Game, player: Player, solution: AnySolution) -> Iterator[Mistake]:
    """All of them, ply by ply; beyond a mistake nobody looks."""
    layer: dict[tuple[int, State], tuple[str, ...]] = {(seat, game.start): () for seat in range(game.players)}
    visited = set(layer)
    while layer:
        following: dict[tuple[int, State], tuple[str, ...]] = {}
        for (seat, s), moves in layer.items():
            if game.over(s):
                continue
            ours = game.mover(s) == seat
            shares = move_shares(game, player, s) if ours else dict.fromkeys(each(game.moves(s)), 1.0)
            right = solution.best_moves(s)
            for move, share in shares.items():
                child = (seat, game.play(s, move))
                if ours and not holds(right, move):
                    yield mistake(game, solution, seat, s, moves, move, share)
                elif child not in visited:
                    visited.add(child)
                    following[child] = (*moves, game.name_move(s, move))
        layer = following


def move_shares(game: Game, player: Player, s: State) -> dict[int, float]:
    """The moves that a player may choose, each with its share."""
    if isinstance(player, Policy):
        return {move: share for move, share in player.probabilities(game, s).items() if share > 0}
    found: dict[int, float] = {}
    for time in range(ASKED):
        move = player.choose(game, s, seeded(time))
        found[move] = found.get(move, 0.0) + 1 / ASKED
    return {move: found[move] for move in game.legal(s) if move in found}


def mistake(
    game: Game, solution: AnySolution, seat: int, s: State, moves: tuple[str, ...], played: int, share: float
) -> Mistake:
    """A mistake with what was right, and what punishes it."""
    value, _distance = solution.explain(s)[played]
    return Mistake(
        Position(game, s),
        seat,
        moves,
        game.name_move(s, played),
        share,
        solution.value(s),
        value,
        tuple(game.name_moves(s, solution.best_moves(s))),
        tuple(best_line(game, solution, game.play(s, played))),
    )


def best_line(game: Game, solution: AnySolution, s: State) -> Iterator[str]:
    """Return how both play best from `s`, up to a throw of dice: the winner hurries, the loser delays."""
    for _ply in range(LONGEST):
        if game.over(s) or game.mover(s) == CHANCE:
            return
        move = next(each(solution.fastest_moves(s)))
        yield game.name_move(s, move)
        s = game.play(s, move)


# What a player without probabilities decides: asked everywhere, twice, it is graded exactly if it
# always answers alike.

DECISIONS = 2
"""How often each position is asked, forwards and backwards: what remembers answers otherwise."""
TRIES = 8
"""How often a position is asked again where random numbers were drawn meanwhile: what is drawn may decide
nothing, as where it is compared with ε = 0.
"""
MOST_TRIED = 400_000
"""Questions in all that are asked so; some seconds of plain Python."""
EXTREMES = (0.0, 1.0 - 2.0**-53)
"""What `random()` gives in the first tries: whatever is compared with it falls on one side and the other."""


@dataclass
class FixedChoices(AskedPlayer):
    """Choices of a player in each position, as a policy.

    Attributes:
        varies: why it is none: where it chose otherwise, or drew random numbers; empty where it always
            chooses alike
    """

    player: Player
    moves: dict[State, int] = field(default_factory=dict)
    varies: str = ""

    @property
    def text(self) -> str:
        return self.player.text

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return self.moves[s]

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        chosen = self.moves[s]
        return {move: float(move == chosen) for move in each(game.moves(s))}


def fixed_choices(
    game: Game, player: Player, states: Sequence[State], *, known: bool = False
) -> FixedChoices:
    """Asks a player what it chooses in each of these positions, such as `decisions`.

    It is taken to always choose alike if it answers alike each time; where random numbers were drawn
    meanwhile (those that it is given, Python's or NumPy's), only if TRIES more answers, with others, are
    alike too. `known`: it did before, so that the extremes are enough where it draws `random()` alone.
    """
    found = FixedChoices(player)
    before = drawn(player)
    for time in range(DECISIONS):
        for number, s in enumerate(states if time % 2 == 0 else reversed(states)):
            found.varies = change(found, game, s, (time + 1, number))
            if found.varies:
                break
    if drawn(player) != before:
        found.varies = (
            _("it draws random numbers") if found.varies else draws(found, game, states, known=known)
        )
    return found


def change(found: FixedChoices, game: Game, s: State, stream: tuple[int, int]) -> str:
    """Asks in a position, with other random numbers each time; where it chooses otherwise than before,
    in words, or nothing.
    """
    move = found.player.choose(game, s, seeded(*stream))
    if found.moves.setdefault(s, move) == move:
        return ""
    return _(
        "asked twice, it plays {first} and then {second} in {position}",
        first=game.name_move(s, found.moves[s]),
        second=game.name_move(s, move),
        position=" / ".join(game.show(s).split("\n")[:12]),
    )


def draws(found: FixedChoices, game: Game, states: Sequence[State], *, known: bool) -> str:
    """Return whether what is drawn decides anything in some position, in words, or nothing."""
    tried, before = 0, drawn(found.player)
    for time, number_drawn in enumerate(EXTREMES):
        for number, s in enumerate(states):
            with constant(number_drawn):
                varies = change(found, game, s, (DECISIONS + 1 + time, number))
            tried += 1
            if varies or tried > MOST_TRIED:
                return _("it draws random numbers")
    if known and drawn(found.player) == before:
        return ""
    for number, s in enumerate(states):
        for time in range(len(EXTREMES), TRIES):
            before = drawn(found.player)
            varies = change(found, game, s, (DECISIONS + 1 + time, number))
            tried += 1
            if varies or tried > MOST_TRIED:
                return _("it draws random numbers")
            if drawn(found.player) == before:
                break
    return ""


@contextmanager
def constant(number: float) -> Iterator[None]:
    """Has `random()` give this number, both the agent's own `rng` and Python's `random.random`."""
    kept = random.random, GameRandom.random
    random.random = GameRandom.random = lambda *_self: number  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        random.random, GameRandom.random = kept  # type: ignore[method-assign]


def drawn(player: Player) -> tuple[object, ...]:
    """Return what changes when somebody draws random numbers."""
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is None:
        of_numpy: tuple[object, ...] = ()
    else:
        _kind, words, *rest = numpy_random.get_state()
        of_numpy = (words.tobytes(), *rest)
    return random.getstate(), player.rng.drawn if isinstance(player, OwnPlayer) else 0, of_numpy


def decisions(game: Game, job: Job) -> list[State]:
    """Every position in which somebody is to move, breadth first. Raises LimitReached."""
    layers = pure_layers(game, game.start, job)
    return [s for layer in layers for s in layer if not game.over(s) and game.mover(s) >= 0]
