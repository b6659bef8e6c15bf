"""What a trial run checks of each rule, in one state.

Each function raises BadGame, through `TrialState`, where the rule breaks its contract
(docs/add_a_game.md); `damier.core.hooks` says which function belongs to which rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from damier.core.board import Board
from damier.core.errors import BadGame
from damier.core.job import presses
from damier.core.moves import each, first_move, holds
from damier.core.patience import from_outside, words_of
from damier.core.rules import CHANCE, ONGOING, State
from damier.core.score import TOP, later
from damier.core.trial_state import LARGEST_MOVE, TrialState, in_words, place_of
from damier.core.words import message

if TYPE_CHECKING:
    from damier.core.game import Game


def moves(here: TrialState) -> None:
    """A set of moves, not empty."""
    assert here.legal


def play(here: TrialState) -> None:
    """A state, after every move."""
    assert here.children


def outcome(here: TrialState) -> None:
    """ONGOING, or a payoff."""
    expected = message("ONGOING, or the payoff of the player to move, an int")
    here.whole("outcome", here.ask("outcome"), -ONGOING, ONGOING, expected)


def over(here: TrialState) -> None:
    """True or False; where `outcome` is given too, what it says."""
    game, answer = here.game, here.ask("over")
    true_or_false(here, "over", answer)
    if "over" in game.given and "outcome" in game.given:
        outcome = here.ask("outcome")
        if bool(answer) != (outcome != ONGOING):
            said = in_words(outcome)
            here.wrong("over", answer, message("as outcome says, which answered {answer}", answer=said))


def true_or_false(here: TrialState, rule: str, answer: object) -> None:
    """Tells of an answer that is neither."""
    if not isinstance(answer, (bool, int)):
        here.wrong(rule, answer, message("True or False"))


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


def mover(here: TrialState) -> None:
    """A player that there is."""
    game = here.game
    expected = message("a player from 0 as mover (CHANCE goes with chance=)")
    blamed = "mover" if "mover" in game.given else "play"
    here.whole(blamed, here.ask("mover"), CHANCE if game.stochastic else 0, game.players - 1, expected)


def chance(here: TrialState) -> None:
    """A weight for each move, not all 0."""
    if here.game.mover(here.s) != CHANCE:
        return
    weights = [here.ask("chance", here.s, move) for move in each(here.legal)]
    numbers = [w for w in weights if isinstance(w, (int, float)) and 0 <= w < float("inf")]
    if len(numbers) < len(weights) or sum(numbers) == 0:
        here.wrong("chance", weights, message("weights, numbers that are not negative and not all 0"))


def reward(here: TrialState) -> None:
    """A number for each move of a player."""
    if here.game.mover(here.s) != CHANCE:
        for move in each(here.legal):
            here.whole("reward", here.ask("reward", here.s, move), -ONGOING, ONGOING)


def ply(here: TrialState) -> None:
    """A number that every move raises by 1."""
    before = here.whole("ply", here.ask("ply"), 0, 1 << 62)
    for child in here.children.values():
        after = here.ask("ply", child)
        if after != before + 1:
            here.wrong("ply", after, message("{n}, one more than before the move", n=before + 1), child)


def plies_left(here: TrialState) -> None:
    """A number that is not negative."""
    here.whole("plies_left", here.ask("plies_left"), 0, 1 << 62)


def key(here: TrialState) -> None:
    """An int, which gives the state back."""
    expected = message("an int below 2**62, not negative")
    for s in (here.s, *here.children.values()):
        number = here.whole("key", here.ask("key", s), 0, LARGEST_MOVE, expected)
        if (back := here.ask("unkey", number)) != s:
            here.wrong("unkey", back, message("{state} back from its key", state=s), s)


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


def with_past(here: TrialState) -> None:
    """Where nothing was before, the state itself."""
    from damier.core.past import empty

    alone = here.state("with_past", here.ask("with_past", here.s, empty(here.game, 0, False)))
    if alone != here.s:
        here.wrong("with_past", alone, message("{state} itself, where nothing was before", state=here.s))


def irreversible(here: TrialState) -> None:
    """True or False."""
    for move in here.children:
        true_or_false(here, "irreversible", here.ask("irreversible", here.s, move))


def move_score(here: TrialState) -> None:
    """A number for each move."""
    for move in each(here.legal):
        here.whole("move_score", here.ask("move_score", here.s, move), -ONGOING, ONGOING)


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


def noisy_moves(here: TrialState) -> None:
    """Some of the legal moves. A search asks only where nothing threatens, and so does the trial: where
    something must be answered, a rule need not look for moves that answer it.
    """
    if here.ask("threatened"):
        return
    legal, noisy = list(each(here.legal)), list(each(here.moves("noisy_moves")))
    if not set(noisy) <= set(legal):
        here.wrong("noisy_moves", noisy, message("some of the legal moves, {legal}", legal=legal))


def null_move(here: TrialState) -> None:
    """A state."""
    here.state("null_move", here.ask("null_move"))


def threatened(here: TrialState) -> None:
    """True or False."""
    true_or_false(here, "threatened", here.ask("threatened"))


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


def canonical(here: TrialState) -> None:
    """A state with the same moves."""
    seen = here.state("canonical", here.ask("canonical"))
    if here.game.moves(seen) != here.legal:
        here.wrong("canonical", seen, message("a state with the same moves"))


def seen_as(here: TrialState) -> None:
    """A state."""
    here.state("seen_as", here.ask("seen_as"))


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
            kind = type(error).__name__
            sentence = message(
                "{place}: feature {name} in {state} raised {kind}: {error}",
                place=place,
                name=name,
                state=s,
                kind=kind,
                error=words_of(error),
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


def name_move(here: TrialState) -> None:
    """A word for each move, all different."""
    names = [here.ask("name_move", here.s, move) for move in each(here.legal)]
    for name in names:
        if not isinstance(name, str) or not name or "," in name or any(c.isspace() for c in name):
            here.wrong("name_move", name, message("a word without commas or spaces"))
    if len(set(names)) < len(names):
        here.wrong("name_move", names, message("a different name for each move"))


def grid(here: TrialState) -> None:
    """A board."""
    if not isinstance(answer := here.ask("grid"), Board):
        here.wrong("grid", answer, message("a board: a Grid, Hexagons, Points or NumberBoard"))


def show(here: TrialState) -> None:
    """Text."""
    if not isinstance(answer := here.ask("show"), str):
        here.wrong("show", answer, message("text"))


def place(here: TrialState) -> None:
    """Places of the board."""
    if not here.game.grid:
        return
    board = here.game.grid(here.s)
    answer = here.ask("place", here.s, first_move(here.legal))
    if not isinstance(answer, tuple) or not all(
        isinstance(cell, int) and 0 <= cell < board.places for cell in answer
    ):
        here.wrong("place", answer, message("a tuple of places of the board"))


def ways(here: TrialState) -> None:
    """Ways of places of the board."""
    if not here.game.grid:
        return
    board = here.game.grid(here.s)
    answer = here.ask("ways", here.s, first_move(here.legal))
    if not isinstance(answer, tuple) or not all(
        isinstance(way, tuple) and all(isinstance(cell, int) and 0 <= cell < board.places for cell in way)
        for way in answer
    ):
        here.wrong("ways", answer, message("a tuple of tuples of places of the board"))


def won(game: Game, s: State, player: int) -> bool:
    """Whether the game is over, and a player has won it."""
    return game.over(s) and game.payoff(s, player) > 0


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
