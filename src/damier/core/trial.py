"""A trial run of somebody's rules in plain Python, before anything is searched or compiled: a few
seeded random games, every answer checked. What is checked of each rule stands in
`damier.core.checks`.
"""

from __future__ import annotations

from damier.core.bits import reseed
from damier.core.checks import TrialState, in_words, refuse_deferred
from damier.core.errors import BadGame
from damier.core.game import Game
from damier.core.hooks import HOOKS, Hook, When
from damier.core.moves import random_move
from damier.core.rules import NAMES, State
from damier.core.words import message

WALKS, PLIES, NAMED = 16, 60, 4  # games, plies a game at most, games whose words are tried too


def try_out(game: Game) -> None:
    """Raises BadGame at the first rule that breaks the contract of a game (docs/add_a_game.md)."""
    tried = [hook for hook in HOOKS if hook.trial and (hook.always or gives(game, hook))]
    for hook in HOOKS:
        given = game.given.get(hook.name) if hook.name in NAMES else getattr(game, hook.name, None)
        refuse_deferred(given, hook.name, BadGame, game.name)
    for name, feature in game.features.items():
        refuse_deferred(feature, name, BadGame, game.name)
    start = TrialState(game, game.start)
    start.state("start", start.s)
    walked: list[TrialState] = []
    for walk in range(WALKS):
        rng = [0]
        reseed(rng, 0, walk)
        here, before = start, set[State]()
        for _ply in range(PLIES):
            check(here, tried, When.EVERYWHERE)
            if walk < NAMED:
                walked.append(here)
            if game.acyclic:
                refuse_return(here, before)
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


def refuse_return(here: TrialState, before: set[State]) -> None:
    """Raises BadGame where a state of this game comes back, which says that none does."""
    if here.s in before:
        raise BadGame(
            message(
                "{game}: no position should come back, and {state} did", game=here.game.text, state=here.s
            )
        )
    before.add(here.s)


def check(here: TrialState, hooks: list[Hook], when: When) -> None:
    """Has those of the hooks checked whose trial is `when`."""
    for hook in hooks:
        if hook.trial and hook.when is when:
            hook.trial(here)


def gives(game: Game, hook: Hook) -> bool:
    """Whether a game gave a hook."""
    return hook.name in game.given if hook.name in NAMES else bool(getattr(game, hook.name, None))
