"""The tree of a game from one of its positions, every line of play apart (row A-49)."""

from __future__ import annotations

from damier.core.analysis import PERFECT_INFORMATION, Evaluation, plain, require, summed
from damier.core.errors import LimitReached
from damier.core.game import Game
from damier.core.rules import CHANCE, State
from damier.core.tree import TERMINAL, Move, Node, Payoffs, Tree
from damier.core.words import FormattedNumber, _, grouped, message

MOST_NODES = 100_000
"""The most nodes of a tree that is built."""
MOST_STATES = 200_000
"""The most different positions that are looked at to count its nodes."""

UNCOUNTED = 10**15
MOST_PLIES = 500
"""Where to stop counting what is too large already."""


def game_tree(
    game: Game, start: State, plies: int | None = None, evaluation: Evaluation | None = None
) -> Tree:
    """The lines of play from `start`, at most `plies` long; where one stops before its end, it has
    the evaluation, 0 if there is none.

    A node is named after the moves that lead there, joined by commas; the root is `start`. Raises
    Unsuitable for a game of hidden information, LimitReached, with the number of nodes, where there
    are more than MOST_NODES.
    """
    require(game, _("a tree"), PERFECT_INFORMATION)
    refuse_too_many(game, start, plies)
    heuristic = evaluation or Evaluation()
    nodes: list[Node] = []
    paths: list[tuple[State, str, int]] = [(start, "", 0)]
    for state, path, ply in paths:  # grows while it is read
        name = path or "start"
        if game.over(state):
            nodes.append(Node(name, TERMINAL, (), payoffs(game, state), None))
        elif ply == plies:
            nodes.append(Node(name, TERMINAL, (), None, taken_for(game, state, heuristic)))
        else:
            moves = named_moves(game, state, len(paths))
            paths += [
                (game.play(state, bit), f"{path},{move.name}" if path else move.name, ply + 1)
                for bit, move in moves
            ]
            nodes.append(Node(name, int(game.mover(state)), tuple(move for _bit, move in moves), None, None))
    return Tree(tuple(nodes), 0, game.players)


def named_moves(game: Game, state: State, first: int) -> list[tuple[int, Move]]:
    """The legal moves, the nodes they lead to numbered from `first`; how likely each is, where
    chance moves.
    """
    legal = game.legal(state)
    weights = (
        [float(game.chance(state, bit)) for bit in legal]
        if game.mover(state) == CHANCE
        else [1.0] * len(legal)
    )
    total = sum(weights)
    return [
        (bit, Move(game.name_move(state, bit), first + number, weight / total))
        for number, (bit, weight) in enumerate(zip(legal, weights, strict=True))
    ]


def taken_for(game: Game, state: State, heuristic: Evaluation) -> Payoffs:
    """What a position is taken to be worth: to player 0 what the evaluation says, to all others the
    opposite.
    """
    estimate = plain(summed(heuristic.features)(state, heuristic.weights))
    return (estimate,) + (plain(-estimate),) * (game.players - 1)


def payoffs(game: Game, state: State) -> Payoffs:
    """What a finished game is worth to each player."""
    return tuple(int(game.payoff(state, player)) for player in range(game.players))


def refuse_too_many(game: Game, start: State, plies: int | None) -> None:
    """Counts the nodes ply by ply, each position once with the number of ways to it.

    Raises LimitReached.
    """
    level, total, ply = {start: 1}, 0, 0
    while level:
        total += sum(level.values())
        below: dict[State, int] = {}
        for state, ways in level.items() if ply != plies else ():
            for move in game.legal(state):
                after = game.play(state, move)
                below[after] = below.get(after, 0) + ways
            if len(below) > MOST_STATES:
                refuse(_("more than {n}", n=grouped(total + sum(below.values()))), total)
        level, ply = below, ply + 1
        # a position may come back for ever
        if total > UNCOUNTED or (total > MOST_NODES and ply > MOST_PLIES):
            refuse(_("more than {n}", n=grouped(total)), total)
    if total > MOST_NODES:
        refuse(grouped(total), total)


def refuse(count: str, total: int) -> None:
    raise LimitReached(
        message(
            "the tree would have {n} nodes; up to {most} are built: give fewer --plies",
            n=count,
            most=FormattedNumber(MOST_NODES, ","),
        ),
        {"nodes": total},
    )
