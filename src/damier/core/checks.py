"""What a trial run checks of each rule, in one state. Each function raises BadGame, through `Visit`, where the rule breaks its
contract (docs/add_a_game.md); `damier.core.hooks` says which function belongs to which rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from damier.core.bits import each, lowest
from damier.core.errors import BadGame
from damier.core.grid import Grid
from damier.core.rules import CHANCE, ONGOING, State
from damier.core.score import TOP, later
from damier.core.visit import SET_OF_MOVES, TrialState, place_of
from damier.core.words import _

if TYPE_CHECKING:
    from damier.core.game import Game


def moves(visit: TrialState) -> None:
    """A set of moves, not empty."""
    assert visit.legal


def play(visit: TrialState) -> None:
    """A state, after every move."""
    assert visit.children


def outcome(visit: TrialState) -> None:
    """ONGOING, or a payoff."""
    expected = _("ONGOING, or the payoff of the player to move, an int")
    visit.whole("outcome", visit.ask("outcome"), -ONGOING, ONGOING, expected)


def over(visit: TrialState) -> None:
    """True or False."""
    answer = visit.ask("over")
    if not isinstance(answer, (bool, int)):
        visit.wrong("over", answer, _("True or False"))


def payoff(visit: TrialState) -> None:
    """A number for each player; notes whether the game is zero-sum."""
    game = visit.game
    payoffs = [visit.whole("payoff", visit.ask("payoff", visit.s, player), -ONGOING + 1, ONGOING - 1) for player in range(game.players)]
    if "outcome" not in game.given and any(payoff != -payoffs[0] for payoff in payoffs[1:]):
        game.zero_sum = False


def mover(visit: TrialState) -> None:
    """A player that there is."""
    game = visit.game
    expected = _("a player from 0 as mover (CHANCE goes with chance=)")
    blamed = "mover" if "mover" in game.given else "play"
    visit.whole(blamed, visit.ask("mover"), CHANCE if game.stochastic else 0, game.players - 1, expected)


def chance(visit: TrialState) -> None:
    """A weight for each move, not all 0."""
    if visit.game.mover(visit.s) != CHANCE:
        return
    weights = [visit.ask("chance", visit.s, move) for move in each(visit.legal)]
    numbers = [w for w in weights if isinstance(w, (int, float)) and 0 <= w < float("inf")]
    if len(numbers) < len(weights) or sum(numbers) == 0:
        visit.wrong("chance", weights, _("weights, numbers that are not negative and not all 0"))


def reward(visit: TrialState) -> None:
    """A number for each move of a player."""
    if visit.game.mover(visit.s) != CHANCE:
        for move in each(visit.legal):
            visit.whole("reward", visit.ask("reward", visit.s, move), -ONGOING, ONGOING)


def ply(visit: TrialState) -> None:
    """A number that every move raises by 1."""
    before = visit.whole("ply", visit.ask("ply"), 0, 1 << 62)
    for child in visit.children.values():
        after = visit.ask("ply", child)
        if after != before + 1:
            visit.wrong("ply", after, _("{n}, one more than before the move", n=before + 1), child)


def key(visit: TrialState) -> None:
    """An int, which gives the state back."""
    expected = _("an int below 2**62, not negative")
    for s in (visit.s, *visit.children.values()):
        number = visit.whole("key", visit.ask("key", s), 0, SET_OF_MOVES, expected)
        if (back := visit.ask("unkey", number)) != s:
            visit.wrong("unkey", back, _("{state} back from its key", state=s), s)


def turn(visit: TrialState) -> None:
    """A state under every symmetry, in which the turned move is legal."""
    game, move = visit.game, lowest(visit.legal)
    for symmetry in range(game.symmetries()):
        turned = visit.state("turn", visit.ask("turn", visit.s, symmetry))
        turned_move = visit.ask("turn_move", move, symmetry)
        if not isinstance(turned_move, int) or not turned_move & game.moves(turned):
            visit.wrong("turn_move", turned_move, _("a legal move of the turned state"))


def move_score(visit: TrialState) -> None:
    """A number for each move."""
    for move in each(visit.legal):
        visit.whole("move_score", visit.ask("move_score", visit.s, move), -ONGOING, ONGOING)


def non_losing_moves(visit: TrialState) -> None:
    """A set of legal moves; what is left out loses with the opponent's next move."""
    game, s, legal = visit.game, visit.s, visit.legal
    expected = _("a set of moves: an int of at most 62 bits, not negative")
    kept = visit.whole("non_losing_moves", visit.ask("non_losing_moves"), 0, SET_OF_MOVES, expected)
    if kept & ~legal:
        visit.wrong("non_losing_moves", kept, _("some of the legal moves, {legal}", legal=legal))
    for move in each(legal & ~kept):
        child = visit.children[move]
        replies = [game.play(child, reply) for reply in game.legal(child)]
        if game.mover(child) == game.mover(s) or not any(won(game, end, game.mover(child)) for end in replies):
            visit.wrong("non_losing_moves", kept, _("with the move {move}, after which the opponent cannot win at once", move=move))


def bounds(visit: TrialState) -> None:
    """Two scores that allow for the ends that the next move can reach."""
    game, answer = visit.game, visit.ask("bounds")
    expected = _("two scores, the least and the most, from -{top} to {top}", top=TOP)
    if not isinstance(answer, tuple) or [type(part) for part in answer] != [int, int] or not -TOP <= answer[0] <= answer[1] <= TOP:
        visit.wrong("bounds", answer, expected)
    least, most = answer
    ends = [child for child in visit.children.values() if game.over(child)]
    worths = [later(game.payoff(child, game.mover(visit.s)) * TOP) for child in ends]
    if worths and max(worths) > most:
        visit.wrong("bounds", answer, _("at most {n} or more, since a move ends the game so", n=max(worths)))
    if len(worths) == len(visit.children) and max(worths) < least:
        visit.wrong("bounds", answer, _("at least {n} or less, since every move ends the game", n=max(worths)))


def canonical(visit: TrialState) -> None:
    """A state with the same moves."""
    seen = visit.state("canonical", visit.ask("canonical"))
    if visit.game.moves(seen) != visit.legal:
        visit.wrong("canonical", seen, _("a state with the same moves"))


def seen_as(visit: TrialState) -> None:
    """A state."""
    visit.state("seen_as", visit.ask("seen_as"))


def features(visit: TrialState) -> None:
    """A number for each feature."""
    game, s = visit.game, visit.s
    for name, feature in game.features.items():
        place = place_of(feature, game)
        try:
            worth = feature(s)
        except MemoryError:
            raise
        except Exception as error:
            kind = type(error).__name__
            sentence = _("{place}: feature {name} in {state} raised {kind}: {error}", place=place, name=name, state=s, kind=kind, error=error)
            raise BadGame(sentence) from error
        if not isinstance(worth, (int, float)) or not abs(worth) < float("inf"):
            sentence = _("{place}: feature {name} answered {answer} in {state}; it must be a number", place=place, name=name, answer=repr(worth), state=s)
            raise BadGame(sentence)


def name_move(visit: TrialState) -> None:
    """A word for each move, all different."""
    names = [visit.ask("name_move", visit.s, move) for move in each(visit.legal)]
    for name in names:
        if not isinstance(name, str) or not name or "," in name or any(c.isspace() for c in name):
            visit.wrong("name_move", name, _("a word without commas or spaces"))
    if len(set(names)) < len(names):
        visit.wrong("name_move", names, _("a different name for each move"))


def grid(visit: TrialState) -> None:
    """A board."""
    if not isinstance(answer := visit.ask("grid"), Grid):
        visit.wrong("grid", answer, _("a Grid"))


def show(visit: TrialState) -> None:
    """Text."""
    if not isinstance(answer := visit.ask("show"), str):
        visit.wrong("show", answer, _("text"))


def place(visit: TrialState) -> None:
    """Cells of the grid."""
    if not visit.game.grid:
        return
    board = visit.game.grid(visit.s)
    cells = board.width * board.height
    answer = visit.ask("place", visit.s, lowest(visit.legal))
    if not isinstance(answer, tuple) or not all(isinstance(cell, int) and 0 <= cell < cells for cell in answer):
        visit.wrong("place", answer, _("a tuple of cells of the grid"))


def won(game: Game, s: State, player: int) -> bool:
    """Whether the game is over, and a player has won it."""
    return game.over(s) and game.payoff(s, player) > 0
