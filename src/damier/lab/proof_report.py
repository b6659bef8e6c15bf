"""What an exact search has proven so far, as it is told: in words, and as data."""

from __future__ import annotations

from damier.core.json_types import JsonObject
from damier.core.rules import TOP
from damier.core.solution import PayoffValue, side, signed, value_of_score
from damier.core.words import _
from damier.search.exact import Exact
from damier.search.proof_store import Bounds

METHOD = "alpha-beta"


def proven_in_words(found: Exact) -> str:
    """What is proven of the position, for the player to move."""
    least, most = found.bounds.for_mover(side(found.game, found.state))
    if found.units:
        return _margins_in_words(least, most)
    if least > 0:
        return (
            _("a win in {low} to {high} plies", low=TOP - most, high=TOP - least)
            if least < most
            else _("a win in {n} plies", n=TOP - least)
        )
    if most < 0:
        return (
            _("a loss in {low} to {high} plies", low=TOP + least, high=TOP + most)
            if least < most
            else _("a loss in {n} plies", n=TOP + most)
        )
    if least == most:
        return _("a draw")
    return (
        _("at least a draw")
        if least == 0
        else _("at most a draw")
        if most == 0
        else _("neither a win nor a loss is proven or excluded")
    )


def nodes_and_proven(found: Exact) -> str:
    """What a search counts, and what it has proven so far; the latter behind a semicolon."""
    proven = proven_in_words(found)
    if not found.bounds.exact:
        return _("nodes; so far: {proven}", proven=proven)
    moves = sum(bounds.exact for bounds in found.children.values())
    return _("nodes; {proven}; moves: {known} of {n}", proven=proven, known=moves, n=len(found.children))


def _margins_in_words(least: int, most: int) -> str:
    """What is proven of a margin."""
    if least == most:
        return PayoffValue(least).words
    if most == TOP:
        return (
            _("neither a win nor a loss is proven or excluded")
            if least == -TOP
            else _("at least {least}", least=signed(least))
        )
    if least == -TOP:
        return _("at most {most}", most=signed(most))
    return _("at least {least}, at most {most}", least=signed(least), most=signed(most))


def proven_so_far(found: Exact) -> JsonObject:
    """The same as data: of the position, and of every move by its name."""
    game, s = found.game, found.state
    ours = side(game, s)
    told = _payoffs if found.units else _values
    moves = {game.name_move(s, move): told(bounds, ours) for move, bounds in found.children.items()}
    whole = told(found.bounds, ours)
    exactly: JsonObject = (
        {"value": whole["at_least"], "distance": None}
        if found.bounds.exact and found.units
        else {
            "value": whole["at_least"],
            "distance": TOP - abs(found.bounds.low) if found.bounds.low else None,
        }
        if found.bounds.exact
        else {}
    )
    return {
        "value": None,
        "distance": None,
        **whole,
        **exactly,
        "moves": moves,
        "positions": found.nodes,
        "seconds": round(found.seconds, 6),
        "method": METHOD,
    }


def _values(bounds: Bounds, ours: int) -> dict[str, str]:
    """The least and the most that something is worth to a player, in words."""
    least, most = bounds.for_mover(ours)
    return {"at_least": value_of_score(least), "at_most": value_of_score(most)}


def _payoffs(bounds: Bounds, ours: int) -> dict[str, int | None]:
    """The least and the most payoff of a player; None where nothing bounds it."""
    least, most = bounds.for_mover(ours)
    return {"at_least": None if least == -TOP else least, "at_most": None if most == TOP else most}
