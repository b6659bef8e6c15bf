"""How a book is made: the positions of its last ply are proven one by one, and those before them follow
by minimax.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from damier.core.game import Game
from damier.core.job import Job
from damier.core.proofs import Proofs, ProvenScore
from damier.core.score import later
from damier.core.words import _
from damier.search import bounds_table
from damier.search.book import book_key
from damier.search.exact import Bounds, Prover
from damier.search.recall import end_score, recall, take_in, tighten

CHUNK = 1 << 27
"""Nodes after which what is proven of a position so far is noted: some seconds."""


def early_positions(game: Game, plies: int) -> list[list[int]]:
    """The least keys of all positions of every ply up to `plies` in which the game goes on, ascending."""
    layers = [[book_key(game, game.start)]]
    for _ply in range(plies):
        after = (game.play(s, move) for s in map(game.unkey, layers[-1]) for move in game.legal(s))
        layers.append(sorted({book_key(game, child) for child in after if not game.over(child)}))
    return layers


def bounds_from_above(game: Game, layers: list[list[int]], known: Proofs) -> dict[int, Bounds]:
    """What follows for the last layer where positions of the one before are `known` already, from a book of
    fewer plies: that no move is better than its position.
    """
    found: dict[int, Bounds] = {}
    for s in map(game.unkey, layers[-2] if len(layers) > 1 else ()):
        children = {move: Bounds() for move in game.legal(s)}
        recall(known, game, s, Bounds(), children)
        for move, bounds in children.items():
            after = game.play(s, move)
            if not game.over(after):
                tighten(found.setdefault(book_key(game, after), Bounds()), bounds.low, bounds.high)
    return found


def prove_all(
    game: Game, keys: list[int], known: Proofs, job: Job, above: Mapping[int, Bounds] | None = None
) -> Iterator[int]:
    """Proves the score of every position of `keys`, all over one table, and yields each as soon as that
    is noted: what is `known` exactly at once. What was begun and is stopped has noted its bounds.

    above  bounds that follow of positions before, by keys
    """
    jit = job.jit is not False
    prover = Prover(game, jit, bounds_table.slots_within(game, job.memory))
    for done, key in enumerate(keys):
        s, bounds = game.unkey(key), (above or {}).get(key, Bounds())
        take_in(bounds, known.look(s))
        while not bounds.exact:
            prover.run.begin(CHUNK)
            prover.run.watched(partial(prover.narrow, s, bounds), None)
            known.note(s, ProvenScore(bounds.low, bounds.high, None, prover.run.nodes))
            job.progress(done, len(keys), _("positions"))
            if prover.run.interrupted:
                raise KeyboardInterrupt
        yield key


def scores_upwards(game: Game, layers: list[list[int]], known: Proofs) -> dict[int, int]:
    """The scores of the positions of all layers by their keys: those of the last as `known`, the others by
    minimax, which are noted too. Raises KeyError for a position of the last layer that is not known.
    """
    scores: dict[int, int] = {}
    costs: dict[int, int] = {}
    for key in layers[-1]:
        found = known.look(game.unkey(key))
        if found is None or found.low != found.high:
            raise KeyError(key)
        scores[key], costs[key] = found.low, found.nodes
    for key in (key for layer in reversed(layers[:-1]) for key in layer):
        s = game.unkey(key)
        best = max if game.mover(s) == 0 else min
        children = {}
        for move in game.legal(s):
            after = game.play(s, move)
            end = end_score(game, after, units=False) if game.over(after) else None
            image = book_key(game, after)
            children[move] = end.low if end is not None else scores[image]
            costs[key] = costs.get(key, 0) + costs.get(image, 0)
        move = best(children, key=children.__getitem__)
        scores[key] = later(children[move])
        known.note(s, ProvenScore(scores[key], scores[key], move, costs[key]))
    return scores
