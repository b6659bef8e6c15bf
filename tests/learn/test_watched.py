"""An episode that is watched is that of the loop, and its updates are what the learner has computed."""

from __future__ import annotations

import pytest

from damier import load
from damier.core.job import Job
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer
from damier.lab.agents import Lab, agent
from damier.lab.training import Plan, table_trainer
from damier.learn.action_values import Memory
from damier.learn.episode_trace import ScriptedPerson, TracedUpdate, WatchedEpisode, WatchedPlayer, watch
from damier.learn.player import LearningPlayer

LEARNERS = (
    "q:preset=hexapion,alpha=0.3,epsilon=0.5",
    "q:preset=one-step",
    "q:preset=sarsa",
    "q:preset=q-lambda",
    "q:policy=softmax,temperature=0.5,event=0.25",
    "q:on_policy=true,lambda=0.5",
    "v:preset=vfunction",
    "v:preset=td-lambda",
    "mean",
    "menace",
    "beads:preset=ia01",
)
Told = list[tuple[object, tuple[float, ...], tuple[int, ...]]]


def watched_player(lab: Lab, text: str) -> WatchedPlayer:
    made = agent(lab, text)
    assert isinstance(made, LearningPlayer)
    return WatchedPlayer(lab.game, made.name, made.parameters)


def told(memory: Memory) -> Told:
    return [(row.state, row.values, row.counts) for row in memory.rows()]


def cells(memory: Memory) -> tuple[list[float], list[int]]:
    _codes, _first, _moves, values, counts = memory.columns()
    return list(values), list(counts)


def written_in(update: TracedUpdate, beads: bool, values: list[float], counts: list[int]) -> None:
    """Does to a copy of a table what an update says, if that copy is where it says it was."""
    before = counts[update.entry] if beads else values[update.entry]
    assert before == update.before
    if beads:
        counts[update.entry] = int(update.after)
    else:
        values[update.entry] = update.after
        counts[update.entry] += 1
        assert counts[update.entry] == update.times


@pytest.mark.parametrize("text", LEARNERS)
def test_what_is_watched_is_what_a_training_does_and_each_step_is_told(text: str) -> None:
    lab = Lab(load("hexapawn"), Job(jit=False))
    separate = "self:table=separate"
    trained = table_trainer(lab, Plan(text, separate, "1", seed=4)) if "ia01" not in text else None
    players = (watched_player(lab, text), watched_player(lab, text))
    table = MatchSetup(lab.game, players, 4, limit=1000, record=True)
    for number in range(40):
        plain = [player.memory.copied() for player in players]
        episode = watch(table, number)
        check_each_cell(players, plain, episode)
    if trained is not None:
        trained.training.run(40, Job(jit=False))
        assert told(players[0].memory) == told(trained.learner.memory)
        assert trained.saved_opponent
        assert told(players[1].memory) == told(trained.saved_opponent.memory)


def check_each_cell(
    players: tuple[WatchedPlayer, WatchedPlayer], before: list[Memory], episode: WatchedEpisode
) -> None:
    """Every cell of both tables after a game is what it was, changed by what was told, in that order."""
    for seat, player in enumerate(players):
        beads = player.name == "beads"
        values, counts = cells(before[seat])
        after_values, after_counts = cells(player.memory)
        known = len(values)
        values += [0.0] * (len(after_values) - known)
        counts += [0] * (len(after_counts) - known)
        if beads or player.name == "mean":  # what a new row holds at first
            changed = {
                update.entry: update.before for update in reversed(episode.updates) if update.player == seat
            }
            for entry in range(known, len(counts)):
                counts[entry] = int(changed.get(entry, after_counts[entry])) if beads else 1
        for update in episode.updates:
            if update.player == seat:
                written_in(update, beads, values, counts)
                assert follows(player, update, episode)
        assert (values, counts) == (after_values, after_counts)
        taken = [d.entry for d in episode.decisions if d.player == seat and d.entry >= 0]
        assert all(
            update.entry == taken[update.decision] for update in episode.updates if update.player == seat
        )


def follows(player: WatchedPlayer, update: TracedUpdate, episode: WatchedEpisode) -> bool:
    """Whether the numbers of an update come to its result, by the formula of the algorithm."""
    p = player.parameters
    if player.name == "beads":
        return update.after == max(0.0, update.before + update.reward)
    if player.name == "mean":
        return update.after == update.before + (update.target - update.before) / update.times
    later = [
        u.target for u in episode.updates if (u.player, u.decision) == (update.player, update.decision + 1)
    ]
    beyond = update.trace * ((later[0] if later else 0.0) - update.following)
    assert update.target == update.reward + p.discount_factor * (update.following + beyond)
    if player.name == "v":
        return bool(update.after == update.before + p.step_size * (update.target - update.before))
    return bool(update.after == (1.0 - p.step_size) * update.before + p.step_size * update.target)


def test_a_game_with_a_person_waits_for_the_next_move_and_is_then_learnt_from() -> None:
    lab = Lab(load("hexapawn"), Job(jit=False))
    learner = watched_player(lab, "q:preset=hexapion")

    def play(*names: str) -> WatchedEpisode:
        learner.memory = Memory(lab.game, 1.0)
        table = MatchSetup(lab.game, (ScriptedPerson(lab.game, names), learner), 1, limit=1000, record=True)
        return watch(table, 0)

    begun = play()
    assert (begun.waits, begun.moves, begun.updates) == (True, [], [])
    names: list[str] = []
    while (episode := play(*names)).waits:
        assert learner.memory.games == learner.memory.decisions == 0
        names.append(episode.positions()[-1].moves[-1])
    assert episode.updates
    assert learner.memory.games == 1
    assert [len(found) for found in episode.received] == [0, len(episode.decisions) + 1]


def test_rewards_are_told_where_they_fall() -> None:
    lab = Lab(load("hexapawn"), Job(jit=False))
    players = (watched_player(lab, "q:preset=hexapion"), watched_player(lab, "q:preset=hexapion"))
    table = MatchSetup(lab.game, players, 2, limit=1000, record=True)
    for number in range(20):
        episode = watch(table, number)
        gains = [
            int(lab.game.rules["reward"](position.state, move))
            for position, move in zip(episode.positions(), episode.moves, strict=False)
        ]
        assert [abs(reward) for reward in episode.rewards[0]] == [10.0 for gained in gains if gained]
        assert episode.rewards[1] == [-reward for reward in episode.rewards[0]]
        assert all(
            sum(found) == sum(told) for found, told in zip(episode.received, episode.rewards, strict=True)
        )


def test_an_opponent_that_learns_nothing_is_not_told_of() -> None:
    lab = Lab(load("tictactoe"), Job(jit=False))
    learner = watched_player(lab, "v")
    table = MatchSetup(lab.game, (RandomPlayer(), learner), 2, limit=1000, record=True)
    episode = watch(table, 0)
    assert {decision.player for decision in episode.decisions} == {1}
    assert cells(learner.memory)[0] == [update.after for update in reversed(episode.updates)]
    assert all(row.moves == (0,) for row in learner.memory.rows())


def test_the_positions_of_an_episode_are_made_once() -> None:
    """Of a long game of chess every step asks for all of them: made anew, they took more than a minute."""
    game = load("nim:matches=9")
    episode = WatchedEpisode(game, game.start, [1, 2])
    before = list(episode.positions())
    assert [position.state.matches for position in before] == [9, 8, 6]
    episode.moves += [4, 0]  # a move of nim is a bit: 3 matches, then to give up
    after = episode.positions()
    assert [position.state.matches for position in after] == [9, 8, 6, 3]
    assert all(one is other for one, other in zip(before, after, strict=False))
    assert episode.positions() is after
