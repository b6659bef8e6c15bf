"""What is proven of a position that is too large to work out at once, a slice of a second at a time, and
beside it an estimate; both as a page shows them.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from damier.core.errors import DamierError
from damier.core.game import Game
from damier.core.job import Job
from damier.core.rules import TOP, State, later
from damier.core.solution import Solution, StateTable, Value, side, value_of_score
from damier.core.words import _, decimal
from damier.draw.history import HistoricMoment
from damier.lab.agents import brought
from damier.lab.proofs import known_before
from damier.search.player import SearchPlayer
from damier.search.proof import NEEDS, Proof
from damier.solve.perft import plies_of_random_game
from damier.solve.units import in_units
from damier.web.board.session import GameSession

SLICE = 0.8
"""Seconds of one slice: who leaves the position gives up no more than that."""
MOST_SLICES = 12
"""Slices that a page asks for of one position."""
MEMORY = 48 << 20
KEPT = 6
"""Proofs, and so many times more estimates, that a process keeps."""
SIMULATIONS, PLIES = 300, 15_000
"""Random games of an estimate at most, and their plies together, about: some tenths of a second in plain
Python, and no more than seconds of games as long as those of chess.
"""
FEWEST, LONGEST = 10, 10
"""Games that are played however long they are, and seconds after which rules are too slow for an estimate."""

_proofs: OrderedDict[tuple[object, ...], Proof] = OrderedDict()
_estimates: OrderedDict[tuple[object, ...], dict[int, float]] = OrderedDict()


class ProvenMove(NamedTuple):
    """A move: what is proven of it in words, its value where that is exact, and the estimate."""

    name: str
    proven: str
    value: Value | None
    estimate: str


def is_proven_in_slices(session: GameSession) -> bool:
    """Whether the moves of a position can be proven so: wins, draws and losses in a number of plies."""
    game = session.game
    return all(need.is_met(game) for need in NEEDS) and not in_units(game)


def proof_so_far(session: GameSession) -> Proof:
    """What is proven of the position that is shown, here or by whoever keeps proofs in the same cache."""
    found = _proofs.get((session.name, session.position.state))
    if found is not None and found.game is session.game:
        return found
    known = known_before(session.game)
    return Proof(session.game, session.position.state, Job(memory=MEMORY), known=known)


def proof_of(session: GameSession) -> Proof:
    """The same after one more slice."""
    known_as = (session.name, session.position.state)
    found = _proofs[known_as] = proof_so_far(session)
    _proofs.move_to_end(known_as)
    if len(_proofs) > KEPT:
        _proofs.popitem(last=False)
    if not found.complete:
        found.advance(SLICE if session.slice else SLICE / 4)  # the first comes with the estimate
    return found


def solution_of(proof: Proof) -> Solution:
    """A proof that is complete, as the solution of its position."""
    game, s = proof.game, proof.state
    ours = side(game, s)
    scores = {game.play(s, move): bounds.low for move, bounds in proof.bounds.items()}
    best = max(later(ours * score) for score in scores.values())
    return Solution(game, s, StateTable({s: ours * best} | scores), "alpha-beta", cyclic=False)


def known_values(proof: Proof) -> dict[int, tuple[Value, int | None]]:
    """The moves that are known exactly, as a solution explains them."""
    ours = side(proof.game, proof.state)
    return {
        move: (value_of_score(ours * bounds.low), 1 + TOP - abs(bounds.low) if bounds.low else None)
        for move, bounds in proof.bounds.items()
        if bounds.exact
    }


def estimates(session: GameSession) -> dict[int, float]:
    """What random games say of every move, for who is to move: from -1 to 1."""
    s = session.position.state
    known_as = (session.name, s)
    if known_as not in _estimates:
        try:
            player = brought(session.lab, estimating(session.game, s))
            assert isinstance(player, SearchPlayer)
            found = player.analyse(s, 1)
        except DamierError:
            return {}
        values = {move: value for move, value in found.values.items() if not isinstance(value, tuple)}
        _estimates[known_as] = {move: float(value) for move, value in values.items()}
        if len(_estimates) > 20 * KEPT:
            _estimates.popitem(last=False)
    return _estimates[known_as]


def estimating(game: Game, s: State) -> str:
    """The agent that estimates, by as many games as one of them is short."""
    games = PLIES // max(1, plies_of_random_game(game, s))
    return f"mcts:simulations={min(SIMULATIONS, max(FEWEST, games))},seconds={LONGEST}"


def proven_moves(session: GameSession, proof: Proof) -> list[ProvenMove]:
    """Every move, with what is proven of it and the estimate, which comes with the first slice."""
    exact, guessed = known_values(proof), estimates(session) if proof.slices else {}
    game, s = proof.game, proof.state
    return [
        ProvenMove(
            game.name_move(s, move),
            move_in_words(proof, move),
            exact[move][0] if move in exact else None,
            decimal(guessed[move], "+.2f") if move in guessed else "",
        )
        for move in proof.bounds
    ]


def move_in_words(proof: Proof, move: int) -> str:
    """What is proven of a move for who makes it."""
    bounds = proof.bounds[move]
    least, most = bounds.for_mover(side(proof.game, proof.state))
    if bounds.exact:
        plies = 1 + TOP - abs(least)
        if not least:
            return _("a draw")
        return _("wins in {n}", n=plies) if least > 0 else _("loses in {n}", n=plies)
    if least > 0:
        return _("a win")
    if most < 0:
        return _("a loss")
    if least == 0:
        return _("at least a draw")
    if most == 0:
        return _("at most a draw")
    plies = min(TOP - most, TOP + least)
    return _("open for {n} plies", n=plies) if plies > 1 else ""


def proof_in_words(proof: Proof) -> str:
    """How far it is."""
    if proof.begun:
        return _("Proven: where a move is open, nobody can force a win within so many plies.")
    return _("Nothing is proven yet.")


def moment_of(proof: Proof, move: str) -> HistoricMoment | None:
    """What a position after `move` is worth, where that is proven already."""
    own = proof.own
    if not own.exact:
        return None
    return HistoricMoment(move, value_of_score(own.low), TOP - abs(own.low) if own.low else None)
