"""Items about the agents of a submission: what they have learnt, what they explore, and what they are worth,
exactly: as they are, or once they have learnt.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from random import Random
from statistics import mean
from typing import Literal

from damier.arena.match import mean_interval
from damier.core.bits import Rng
from damier.core.game import Game, Position
from damier.core.grade import Grade
from damier.core.json_types import JsonValue
from damier.core.moves import each
from damier.core.player import AskedPlayer
from damier.core.rules import State
from damier.core.words import FormattedNumber, Message, Text, message, plural
from damier.learn.q import softmax
from damier.plugins.classroom.marking.submission import (
    NEARLY,
    AnySeat,
    ExactTruth,
    Finding,
    Positive,
    Seat,
    Submission,
    WrongAnswer,
    share,
    whole,
)


def player_at(seat: int, number: int) -> int:
    """Return which player an agent is in a game, from 0, at seat 1 or 2; at seat 0 it begins every other
    game.
    """
    return seat - 1 if seat else number % 2


def met(game: Game, lines: Iterable[Iterable[int]], first: int = 0, seat: int = 0) -> dict[State, None]:
    """The first position, and those in which an agent decided at this seat; `lines` are the moves of
    games number `first` and following.
    """
    found: dict[State, None] = {game.start: None} if seat < 2 else {}
    for number, line in enumerate(lines, first):
        s = game.start
        for move in line:
            if game.mover(s) == player_at(seat, number):
                found[s] = None
            s = game.play(s, move)
    return found


def learnt(
    submission: Submission, agent: str, games: int, seed: int, seat: AnySeat, option: str = ""
) -> tuple[int, list[State]]:
    """Return a new agent that has learnt from its games, and what it has met.

    Args:
        agent: the name of its class
        games: that it learns from first
        seed: of these games, and of what it draws
        seat: at which it plays them; 0: in turn at both
        option: of its class: true for this agent
    """
    number = submission.agent(agent, seed, option)
    lines = submission.train(number, range(games), learning=True, seed=seed, seat=seat)
    return number, list(met(submission.game, lines, seat=seat))


def scores_checked(
    submission: Submission,
    agent: int,
    game: Game,
    states: list[State],
    score: Callable[[State, int], float],
    what: Text,
) -> Finding | None:
    """The first score that is not what it must be, told after `what`; None where all are right."""
    for s, scores in zip(states, submission.scores(agent, states, learning=True), strict=True):
        for move, answer in scores.items():
            right = score(s, move)
            if not near(answer, right, submission.nearly):
                name = game.name_move(s, move)
                return Finding(
                    False,
                    message("{what}: the score of move {move} is wrong", what=what, move=name),
                    WrongAnswer(Position(game, s), FormattedNumber(right, ".6g"), score_in_words(answer)),
                )
    return None


def near(answer: JsonValue, right: float, nearly: float = NEARLY) -> bool:
    """Return whether a score is right."""
    return isinstance(answer, (int, float)) and abs(answer - right) <= nearly


def as_number(answer: JsonValue) -> float:
    """A score, or 0 where something else was said."""
    return float(answer) if isinstance(answer, (int, float)) else 0.0


def score_in_words(answer: JsonValue) -> Text:
    """A score, or whatever was said instead."""
    return FormattedNumber(answer, ".6g") if isinstance(answer, (int, float)) else str(answer)


# Games that are given: an agent is told of them as if it had played them, and what it has learnt is
# compared with what it must have.


@dataclass(frozen=True)
class TakenDecision:
    """A decision of an agent: where, what, and what it gained until its next one."""

    state: State
    move: int
    gained: int


@dataclass(frozen=True)
class Episode:
    """A game as the agent lived it; `moves` are those of both players."""

    moves: tuple[int, ...]
    decisions: tuple[TakenDecision, ...]
    payoff: int

    def names_of_moves(self, game: Game) -> str:
        """Its moves by name."""
        s, names = game.start, []
        for move in self.moves:
            names.append(game.name_move(s, move))
            s = game.play(s, move)
        return " ".join(names)


@dataclass
class RightLearner(ABC):
    """The knowledge that an agent must have after some games, worked out here."""

    game: Game

    @abstractmethod
    def learn(self, episode: Episode) -> None: ...

    @abstractmethod
    def score(self, s: State, move: int) -> float:
        """Return what it must say of a move."""

    def may_play(self, s: State) -> Sequence[int]:
        """The moves that it can have chosen; none where it resigns."""
        return self.game.legal(s)


def drawn(
    truth: ExactTruth, learner: RightLearner, seat: int, rng: Random, *, strong: bool
) -> Episode | None:
    """A game between random moves, the agent's at this seat among those that it can have chosen, the
    opponent's among all or, where it is strong, among the best; None where the agent resigns.
    """
    game = truth.game
    s, moves, decisions, player = game.start, list[int](), list[TakenDecision](), seat - 1
    while not game.over(s):
        mine = game.mover(s) == player
        others = list(each(truth.best_moves[s])) if strong else game.legal(s)
        choices = learner.may_play(s) if mine else others
        if not choices:
            return None
        move = rng.choice(choices)
        gained = game.reward(s, move)
        if mine:
            decisions.append(TakenDecision(s, move, gained))
        elif decisions and gained:
            last = decisions[-1]
            decisions[-1] = TakenDecision(last.state, last.move, last.gained - gained)
        moves.append(move)
        s = game.play(s, move)
    return Episode(tuple(moves), tuple(decisions), int(game.payoff(s, player)))


def learning_checked(
    submission: Submission,
    agent: int,
    learner: RightLearner,
    episodes: Sequence[int],
    truth: ExactTruth,
    *,
    seat: int,
    seed: int,
) -> Finding:
    """Tells an agent of games and compares its scores in all positions of these after `episodes` of
    them: after 1, 2 and 10, say; after 0 in all that it can meet. In every other game the opponent
    plays the best moves, so that it loses, too.
    """
    game, rng, played, states = submission.game, Random(seed), 0, list[State]()
    decisions = [s for s in truth.decisions if game.mover(s) == seat - 1]
    visited = met(game, (), seat=seat)
    last = ""
    for games in episodes:
        lines = []
        while played < games:
            episode = drawn(truth, learner, seat, rng, strong=played % 2 == 1)
            played += 1
            if episode is not None:
                learner.learn(episode)
                lines.append(episode.moves)
                last = episode.names_of_moves(game)
        submission.replay(agent, lines, seat=seat, seed=seed)
        states = list(visited := visited | met(game, lines, seat=seat)) if games else decisions
        what = plural("after {n} game", "after {n} games", games)
        if last:
            what = message("{what} (the last: {moves}; at seat {seat})", what=what, moves=last, seat=seat)
        wrong = scores_checked(submission, agent, game, states, learner.score, what)
        if wrong is not None:
            return wrong
    return Finding(
        True,
        plural(
            "every score right to {nearly}, in {n} position",
            "every score right to {nearly}, in {n} positions",
            len(states),
            nearly=FormattedNumber(submission.nearly, "g"),
        ),
    )


# Q-learning: after games that are given, every Q(s, a) is what the update makes it, to 1e-9.
#
# After [S0], rows: for the decisions of a game from the last to the first,
#
#     Q(s, a) <- (1 - alpha) Q(s, a) + alpha (r + gamma max Q(s', .))
#
# where after the last decision r is the reward of the end alone and the maximum 0, and before it the
# maximum is that of the row of s' after its own update.


def updates_checked(
    submission: Submission,
    agent: str,
    right: Callable[[], RightLearner],
    episodes: Sequence[int],
    truth: ExactTruth,
    *,
    seats: Sequence[Seat],
    seed: int,
) -> Finding:
    """Return whether a new agent at each seat learns from given games as another `right` learner does."""
    found = Finding(True, "")
    for seat in seats:
        number = submission.agent(agent, seed)
        found = learning_checked(submission, number, right(), episodes, truth, seat=seat, seed=seed + seat)
        if not found.passed:
            return found
    return found


def check_q_updates(
    submission: Submission,
    truth: ExactTruth,
    *,
    agent: str,
    episodes: tuple[int, ...],
    seats: tuple[Seat, ...],
    seed: int,
    alpha: float,
    gamma: float,
    event: float,
    win: float,
    draw: float,
) -> Finding:
    """Item of a sheet: told of given games, an agent's scores are what the update of Q-learning makes them.

    Args:
        agent: the name of its class
        episodes: after so many games it is asked, ascending; 0: before the first
        seats: at which it sits; one agent for each
        seed: of the games
        alpha: the step size
        gamma: the discount factor
        event: the reward of a gain, such as a pawn taken; win, draw: of the end
    """
    right = partial(QTable, truth.game, alpha, gamma, event, win, draw)
    return updates_checked(submission, agent, right, episodes, truth, seats=seats, seed=seed)


@dataclass
class QTable(RightLearner):
    """The right Q-table; what it is made of: see `check_q_updates`."""

    alpha: float
    gamma: float
    event: float
    win: float
    draw: float
    rows: dict[State, dict[int, float]] = field(default_factory=dict)

    def row(self, s: State) -> dict[int, float]:
        return self.rows.setdefault(s, dict.fromkeys(self.game.legal(s), 0.0))

    def learn(self, episode: Episode) -> None:
        later = 0.0
        reward = self.win * episode.payoff if episode.payoff else self.draw
        for number in reversed(range(len(episode.decisions))):
            taken = episode.decisions[number]
            row = self.row(taken.state)
            row[taken.move] = (1 - self.alpha) * row[taken.move] + self.alpha * (reward + self.gamma * later)
            later = max(row.values())
            reward = self.event * episode.decisions[number - 1].gained if number else 0.0

    def score(self, s: State, move: int) -> float:
        return self.row(s)[move]


# A learner's scores are exactly the means of the games that it has played.
#
# After [S4], section 2.2: the score of a move is the mean of the games in which the agent played it,
# as if it had been played once, for a score of 0, before the first.

Means = dict[tuple[State, int], tuple[float, int]]
"""For each decision that was taken, by position and move: the sum of its scores, their number."""


def add_game(means: Means, game: Game, line: Iterable[int], seat: int) -> None:
    """Adds a game that the agent played at `seat`."""
    s, taken = game.start, []
    for move in line:
        if game.mover(s) == seat:
            taken.append((s, move))
        s = game.play(s, move)
    score = int(game.payoff(s, seat))
    for decision in taken:
        total, count = means.get(decision, (0.0, 1))
        means[decision] = total + score, count + 1


def mean_of(means: Means, s: State, move: int) -> float:
    """The score that a move must have."""
    total, count = means.get((s, move), (0.0, 1))
    return total / count


def check_means(
    submission: Submission,
    truth: ExactTruth,
    *,
    agent: str,
    games: tuple[int, ...],
    learning: bool,
    seed: int,
) -> Finding:
    """Item of a sheet: the mean scores that an agent keeps.

    Args:
        agent: the name of its class
        games: after so many games it is asked, ascending; 0: before the first, and in every position
        learning: whether it is told to learn; if not, nothing may change
        seed: of the games
    """
    game, means, played = truth.game, Means(), 0
    number = submission.agent(agent, seed)
    visited = met(game, ())
    for count in games:
        lines = submission.train(number, range(played, count), learning=learning, seed=seed)
        visited |= met(game, lines, played)
        if learning:
            for place, line in enumerate(lines, played):
                add_game(means, game, line, place % 2)
        played = count
        states = list(visited) if count else truth.decisions
        what = plural("after {n} game", "after {n} games", count)
        wrong = scores_checked(submission, number, game, states, partial(mean_of, means), what)
        if wrong is not None:
            return wrong
    if not learning:
        return Finding(True, message("no score changes while it only plays what it knows"))
    return Finding(
        True,
        message(
            "every score right to {nearly}, in {n} positions",
            nearly=FormattedNumber(submission.nearly, "g"),
            n=FormattedNumber(len(states), ","),
        ),
    )


# Told not to learn, an agent plays a move of the highest score; among equals, any.


def check_greedy(
    submission: Submission, truth: ExactTruth, *, agent: str, games: int, seed: int, seat: AnySeat = 0
) -> Finding:
    """The agent plays a move of the highest score."""
    game = truth.game
    number, states = learnt(submission, agent, games, seed, seat)
    answers = submission.scores(number, states, learning=False)
    played = submission.moves(number, states, learning=False, seed=seed)
    for s, scores, move in zip(states, answers, played, strict=True):
        numbers = {legal: score for legal, score in scores.items() if isinstance(score, (int, float))}
        best = max(numbers.values(), default=0.0)
        mine = numbers.get(move)
        if mine is None or mine < best - NEARLY:
            equals = [game.name_move(s, legal) for legal, score in numbers.items() if score == best]
            return Finding(
                False,
                message("a move is played whose score is not the highest"),
                WrongAnswer(
                    Position(game, s),
                    scored(" ".join(equals), FormattedNumber(best, ".6g")),
                    scored(game.name_move(s, move), score_in_words(scores[move])),
                ),
            )
    return Finding(
        True,
        plural("the highest score in {n} position", "the highest score in {n} positions", len(states)),
    )


def scored(moves: str, score: Text) -> Message:
    """Moves and their score."""
    return message("{moves} ({score})", moves=moves, score=score)


def check_ties(
    submission: Submission, truth: ExactTruth, *, agent: str, asked: Positive, seed: int
) -> Finding:
    """Item of a sheet: an agent that draws among equal moves.

    Args:
        agent: the name of its class
        asked: how often; each of the equal moves must come once
        seed: of what it draws
    """
    game, start = truth.game, truth.game.start
    number = submission.agent(agent, seed)
    played = set(submission.moves(number, [start] * asked, learning=False, seed=seed))
    if played == set(game.legal(start)):
        return Finding(True, message("among equal scores every move is played"))
    return Finding(
        False,
        message("asked {n} times where all scores are 0, some moves never come", n=asked),
        WrongAnswer(
            Position(game, start),
            " ".join(game.name_move(start, move) for move in game.legal(start)),
            " ".join(game.name_move(start, move) for move in game.legal(start) if move in played),
        ),
    )


# What an agent has learnt goes on: another agent that loads what it has saved gives the same scores.


def check_saved(
    submission: Submission, truth: ExactTruth, *, agent: str, games: int, seed: int, seat: AnySeat = 0
) -> Finding:
    """Another agent that loads what it has saved gives the same scores."""
    game = truth.game
    number, states = learnt(submission, agent, games, seed, seat)
    scores = dict(zip(states, submission.scores(number, states, learning=False), strict=True))
    if not any(abs(as_number(score)) > NEARLY for of_moves in scores.values() for score in of_moves.values()):
        return Finding(False, message("there is nothing to save: it has learnt nothing"))
    other = whole(submission, submission.ask("saved", agent=number, seed=seed, learning=False))
    wrong = scores_checked(
        submission,
        other,
        game,
        states,
        lambda s, move: as_number(scores[s][move]),
        message("loaded again"),
    )
    return wrong or Finding(True, message("what is saved can be loaded again"))


# Two agents of one class learn each for itself: what they know is no global variable.


def check_apart(
    submission: Submission, truth: ExactTruth, *, agent: str, games: int, seed: int, seat: AnySeat = 0
) -> Finding:
    """Another agent of its class knows nothing of what it has learnt."""
    learner = submission.agent(agent, seed)
    other = submission.agent(agent, seed + 1)
    lines = submission.train(learner, range(games), learning=True, seed=seed, seat=seat)
    visited = list(met(truth.game, lines, seat=seat))
    what = message("the other agent has not played a game")
    wrong = scores_checked(submission, other, truth.game, visited, lambda s, move: 0.0, what)
    return wrong or Finding(True, message("what one agent learns, the other does not know"))


# An agent explores less and less, as it should: its attribute `epsilon` after so many decisions.
#
# After [S0], row A-21.


def check_schedule(
    submission: Submission,
    truth: ExactTruth,
    *,
    agent: str,
    decisions: tuple[int, ...],
    epsilon: float,
    after: int,
    every: Positive,
    factor: float,
    seed: int,
) -> Finding:
    """Item of a sheet: how the exploration of an agent falls.

    Args:
        agent: the name of its class
        decisions: after so many of them it is asked, ascending
        epsilon: at first
        after: decisions before which it stays so
        every: so many decisions it is multiplied by `factor`
        seed: of what the agent draws
    """
    number, decided = submission.agent(agent, seed), 0
    start = truth.game.start
    for count in decisions:
        submission.moves(number, [start] * (count - decided), learning=True, seed=seed)
        decided = count
        answers = submission.ask("epsilon", agent=number, learning=True)
        right = epsilon * factor ** sum(step > after and step % every == 0 for step in range(count))
        if not near(answers, right, submission.nearly):
            return Finding(
                False,
                message("after {n} decisions epsilon is wrong", n=FormattedNumber(count, ",")),
                WrongAnswer(
                    Position(truth.game, start), FormattedNumber(right, ".6g"), score_in_words(answers)
                ),
            )
    return Finding(True, message("epsilon is right after {n} decisions", n=FormattedNumber(decided, ",")))


# Matchboxes and lists: after games that are given, every move has as many beads as it must.
#
# After [S0], rows A-26 to A-30 (MENACE), and [S1], rows A-39 to A-46 (lists in which a move stands
# several times).


def check_beads(
    submission: Submission,
    truth: ExactTruth,
    *,
    agent: str,
    episodes: tuple[int, ...],
    seat: Seat,
    seed: int,
    beads: Positive,
    win: int,
    draw: int,
    rewarded: Literal["every", "last"],
    loss: Literal["nothing", "last-box"],
    symmetric: bool,
) -> Finding:
    """Item of a sheet: the beads of a machine of matchboxes.

    Args:
        agent: the name of its class
        episodes: after so many games it is asked, ascending; 0: before the first
        seat: at which it sits
        seed: of the games
        beads: of every move at first
        win: that are added after a game won
        draw: after one drawn
        rewarded: whether every decision of a game is, or its last one
        loss: after a game lost: nothing; or the bead is taken out of the last box and, as long as a box is
            empty then, out of the one before it
        symmetric: whether positions that are alike but turned or mirrored share a box
    """
    number = submission.agent(agent, seed)
    boxes = RightBoxes(truth.game, beads, win, draw, rewarded, loss, symmetric)
    return learning_checked(submission, number, boxes, episodes, truth, seat=seat, seed=seed)


@dataclass
class RightBoxes(RightLearner):
    """The beads that must lie in each box; what it is made of: see `check_beads`."""

    beads: int
    win: int
    draw: int
    rewarded: Literal["every", "last"]
    loss: Literal["nothing", "last-box"]
    symmetric: bool
    boxes: dict[State, dict[int, int]] = field(default_factory=dict)

    def learn(self, episode: Episode) -> None:
        decisions = episode.decisions if self.rewarded == "every" else episode.decisions[-1:]
        added = self.win if episode.payoff > 0 else self.draw if episode.payoff == 0 else 0
        for taken in decisions if added else ():
            box, bead = self._bead(taken.state, taken.move)
            box[bead] += added
        if episode.payoff < 0 and self.loss == "last-box":
            for taken in reversed(episode.decisions):
                box, bead = self._bead(taken.state, taken.move)
                box[bead] -= 1
                if any(box.values()):
                    break

    def score(self, s: State, move: int) -> float:
        box, bead = self._bead(s, move)
        return box[bead]

    def may_play(self, s: State) -> Sequence[int]:
        return [move for move in self.game.legal(s) if self.score(s, move) > 0]

    def _bead(self, s: State, move: int) -> tuple[dict[int, int], int]:
        """The box of a position, and the bead in it that stands for a move."""
        symmetries = range(self.game.symmetries() if self.symmetric else 1)
        symmetry = min(symmetries, key=lambda symmetry: (tuple(self.game.turn(s, symmetry)), symmetry))
        same = self.game.turn(s, symmetry)
        box = self.boxes.setdefault(same, dict.fromkeys(self.game.legal(same), self.beads))
        return box, self.game.turn_move(move, symmetry)


# A function says what a move pays both players: for what it takes, and for the end of the game.
#
# After [S0], rows: at the end only the end counts, not what the last move took.


def check_rewards(
    submission: Submission, truth: ExactTruth, *, function: str, event: float, win: float, draw: float
) -> Finding:
    """Item of a sheet: a function that gives the rewards of a move.

    Args:
        function: its name; it is given a position and a move, and returns a number for each player
        event: for each gain of the mover, such as a pawn taken; the other gets as much less
        win: to the winner; the loser gets as much less
        draw: to both
    """
    game = truth.game
    pairs = [(s, move) for s in truth.decisions for move in game.legal(s)]
    given = [("move", s, game.name_move(s, move)) for s, move in pairs]
    for (s, move), answer in zip(pairs, submission.answers(function, given), strict=True):
        right = rewards_of(game, s, move, event, win, draw)
        if not alike(answer, right):
            return Finding(
                False,
                message("the rewards of move {move} are wrong", move=game.name_move(s, move)),
                WrongAnswer(Position(game, s), rewards_in_words(list(right)), rewards_in_words(answer)),
            )
    return Finding(True, message("the rewards of all {n} moves are right", n=len(pairs)))


def rewards_of(game: Game, s: State, move: int, event: float, win: float, draw: float) -> tuple[float, ...]:
    child = game.play(s, move)
    if game.over(child):
        payoffs = [game.payoff(child, player) for player in range(game.players)]
        return tuple(win * payoff if payoff else draw for payoff in payoffs)
    gained, mover = event * game.reward(s, move), game.mover(s)
    return tuple(gained if player == mover else -gained for player in range(game.players))


def alike(answer: JsonValue, right: tuple[float, ...]) -> bool:
    return (
        isinstance(answer, list)
        and len(answer) == len(right)
        and all(near(one, other) for one, other in zip(answer, right, strict=True))
    )


def rewards_in_words(answer: JsonValue) -> Text:
    """Rewards in words: what the first player gets, and the second."""
    if not isinstance(answer, list) or len(answer) != 2:
        return score_in_words(answer)
    return message(
        "player 1: {first}, player 2: {second}",
        first=score_in_words(answer[0]),
        second=score_in_words(answer[1]),
    )


# What an agent is worth, exactly: as it is, or once it has learnt.


@dataclass(frozen=True)
class AnsweredPolicy(AskedPlayer):
    """The moves that an agent played where it was asked, as a policy: how likely each move is."""

    weights: dict[State, dict[int, float]]
    text: str = "submission"

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return max(self.weights[s], key=self.weights[s].__getitem__)

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        return self.weights[s]


def answered(submission: Submission, agent: int, states: list[State], seed: int) -> AnsweredPolicy:
    """The policy of an agent that does not learn: what its `policy` says, or the moves that it plays."""
    weights = submission.policies(agent, states)
    if weights is None:
        moves = submission.moves(agent, states, learning=False, seed=seed)
        weights = [
            {move: float(move == played) for move in submission.game.legal(s)}
            for s, played in zip(states, moves, strict=True)
        ]
    return AnsweredPolicy(dict(zip(states, weights, strict=True)))


def check_curve(
    submission: Submission,
    truth: ExactTruth,
    *,
    agent: str,
    games: int,
    seeds: tuple[int, ...],
    at_least: float,
    seat: AnySeat = 0,
) -> Finding:
    """Item of a sheet: how well an agent plays after training.

    Args:
        agent: the name of its class
        games: that it learns from against random moves, for each of `seeds`
        at_least: the chance not to lose against random moves that it then has, on average over all seeds
        seat: at which it plays, and is graded; 0: in turn at both, and the mean of both
    """
    policies = []
    for seed in seeds:
        number = submission.agent(agent, seed)
        submission.train(number, range(games), learning=True, seed=seed, seat=seat)
        policies.append(answered(submission, number, truth.decisions, seed))
    return judged_on_average(truth, policies, games, at_least, seat)


def judged_on_average(
    truth: ExactTruth, policies: Sequence[AnsweredPolicy], games: int, at_least: float, seat: int
) -> Finding:
    """Return what came of the grades of agents, of one seed each, that have learnt from so many games."""
    ends = [not_losing(truth.against("random").grade(policy), seat) for policy in policies]
    low, high = interval(ends)
    sentence = message(
        "after {games} games it does not lose in {share} of the games"
        " (95 % interval: {low} to {high}); asked for: {least}",
        games=FormattedNumber(games, ","),
        share=share(mean(ends)),
        low=share(low),
        high=share(high),
        least=share(at_least),
    )
    return judged(truth, mean(ends) >= at_least, sentence, policies[-1], seat)


def unlikely(found: float, right: float, asked: int) -> Message | None:
    """Return what is expected of how often something comes, where chance does not explain that it is off."""
    room = DEVIATIONS * sqrt(right * (1 - right) / asked)
    if abs(found - right) <= room:
        return None
    return message("{share}, give or take {room}", share=share(right), room=share(room))


def judged(truth: ExactTruth, passed: bool, sentence: Message, policy: AnsweredPolicy, seat: int) -> Finding:
    """Return what came of a grade; where it is too low, with the first move that gives a game away."""
    return Finding(passed, sentence, None if passed else first_mistake(truth, policy.weights, seat))


def not_losing(grade: Grade, seat: int) -> float:
    """The chance not to lose at a seat; 0: the mean of both."""
    seats = grade.seats[seat - 1 : seat] if seat else grade.seats
    return 1 - mean(chances.loss for chances in seats)


def interval(found: list[float]) -> tuple[float, float]:
    """The 95 % interval of a mean, by Student's distribution, within 0 and 1."""
    low, high = mean_interval(found) or (0.0, 1.0)
    return max(0.0, low), min(1.0, high)


def check_grade(
    submission: Submission, truth: ExactTruth, *, agent: str, against: str, at_least: float, seat: AnySeat = 0
) -> Finding:
    """Item of a sheet: how well an agent plays.

    Args:
        agent: the name of its class
        against: an agent by its name, such as random or perfect
        at_least: the chance not to lose against it
        seat: at which it plays; 0: the mean of both
    """
    number = submission.agent(agent, 0)
    policy = answered(submission, number, truth.decisions, 0)
    found = not_losing(truth.against(against).grade(policy), seat)
    sentence = message(
        "against {agent} it does not lose in {share} of the games; asked for: {least}",
        agent=against,
        share=share(found),
        least=share(at_least),
    )
    return judged(truth, found >= at_least, sentence, policy, seat)


def require_gradable(truth: ExactTruth, *, against: str, **_others: object) -> None:
    """Raises DamierError for a name that is no agent's, or of one that nobody is graded against."""
    truth.against(against)


def check_never_loses(submission: Submission, truth: ExactTruth, *, agent: str) -> Finding:
    """Item of a sheet: an agent that nobody can beat.

    Args:
        agent: the name of its class
    """
    moves = submission.decisions(agent, truth.decisions)
    weights = [{move: 1.0} for move in moves]
    policy = AnsweredPolicy(dict(zip(truth.decisions, weights, strict=True)))
    lost = max(chances.win for chances in truth.against("random").grade(policy).best_response)
    sentence = message("the best opponent beats it in {share} of the games", share=share(lost))
    return judged(truth, lost == 0, message("nobody can beat it") if lost == 0 else sentence, policy, 0)


# Where an agent first gives a game away, to be shown.

CERTAIN = 1 - 1e-9


def first_mistake(
    truth: ExactTruth, weights: Mapping[State, Mapping[int, float]], seat: int
) -> WrongAnswer | None:
    """The first position in its own games, at this seat or at both, in which it need not lose, and may
    play a move after which it must; of several such moves the likeliest.
    """
    game = truth.game

    def lost(s: State, player: int) -> bool:
        return truth.values_to_movers[s] * (1 if game.mover(s) == player else -1) < 0

    for player in [player_at(seat, 0)] if seat else [0, 1]:
        visited, queue = {game.start}, [game.start]
        for s in queue:
            if game.over(s):
                continue
            mine = game.mover(s) == player
            moves = [move for move in game.legal(s) if not mine or weights[s].get(move, 0.0) > 0]
            safe = mine and not lost(s, player)
            wrong = [move for move in moves if safe and lost(game.play(s, move), player)]
            if wrong:
                played = max(wrong, key=lambda move: weights[s][move])
                chance = weights[s][played]
                name = game.name_move(s, played)
                return WrongAnswer(
                    Position(game, s),
                    " ".join(game.name_move(s, move) for move in each(truth.best_moves[s])),
                    name if chance > CERTAIN else message("{move} ({share})", move=name, share=share(chance)),
                )
            for move in moves:
                child = game.play(s, move)
                if child not in visited:
                    visited.add(child)
                    queue.append(child)
    return None


# While it learns, an agent draws its moves as often as their scores say: one of 6 twice as often as one
# of 3.


def check_drawn(
    submission: Submission,
    truth: ExactTruth,
    *,
    agent: str,
    games: int,
    seed: int,
    seat: AnySeat = 0,
    asked: Positive,
) -> Finding:
    """The agent draws its moves as often as their scores say.

    Args:
        asked: how often it decides, in the position whose scores differ most
    """
    number, met = learnt(submission, agent, games, seed, seat)
    return draws_checked(
        submission,
        number,
        met,
        in_proportion,
        lambda shares: max(shares) * len(shares),
        asked=asked,
        learning=True,
        seed=seed,
        wrong=lambda move: message("move {move} comes too often or too rarely", move=move),
        right=message("every move comes as often as its score says"),
    )


def draws_checked(
    submission: Submission,
    agent: int,
    met: Sequence[State],
    right_shares: Callable[[list[float]], list[float]],
    telling: Callable[[list[float]], float],
    *,
    asked: int,
    learning: bool,
    seed: int,
    wrong: Callable[[str], Message],
    right: Message,
) -> Finding:
    """Return whether an agent draws each move as often as it should, in that of the positions it has met that
    tells most.

    Args:
        right_shares: how often the moves of a position must come, by their scores
        telling: how much such shares tell
        asked: how often it decides
        wrong: what is said of the first move that comes too often or too rarely; right: where there is none
    """
    game = submission.game
    states = [s for s in met if len(game.legal(s)) > 1]
    scores = zip(states, submission.scores(agent, states, learning=learning), strict=True)
    shares = {s: right_shares([*map(as_number, of_moves.values())]) for s, of_moves in scores}
    s = max(shares, key=lambda s: telling(shares[s]))
    played = submission.moves(agent, [s] * asked, learning=learning, seed=seed)
    for move, often in zip(game.legal(s), shares[s], strict=True):
        found = played.count(move) / asked
        if expected := unlikely(found, often, asked):
            answer = WrongAnswer(Position(game, s), expected, share(found))
            return Finding(False, wrong(game.name_move(s, move)), answer)
    return Finding(True, right)


def in_proportion(scores: Sequence[float]) -> list[float]:
    """Return shares as scores are to each other; all alike where these say nothing."""
    numbers = [max(0.0, score) for score in scores]
    total = sum(numbers)
    return [number / total if total else 1 / len(numbers) for number in numbers]


# While it learns, an agent draws a move at random as often as it should.

DEVIATIONS = 5.0
"""A right agent is further off less than once in a million."""


def check_exploring(
    submission: Submission,
    truth: ExactTruth,
    *,
    agent: str,
    games: int,
    seed: int,
    seat: AnySeat = 0,
    epsilon: float,
    asked: Positive,
) -> Finding:
    """The agent draws a move at random as often as it should; `games` until one move of the first is best.

    Args:
        epsilon: the share of decisions that are drawn among all moves
        asked: how often it decides in the first position
    """
    game, start = truth.game, truth.game.start
    number, _met = learnt(submission, agent, games, seed, seat)
    (scores,) = submission.scores(number, [start], learning=True)
    highest = max(map(as_number, scores.values()))
    best = [move for move, score in scores.items() if as_number(score) == highest]
    played = submission.moves(number, [start] * asked, learning=True, seed=seed)
    others = sum(move not in best for move in played) / asked
    if (expected := unlikely(others, epsilon * (1 - len(best) / len(scores)), asked)) is None:
        return Finding(True, message("{share} of its moves are not the best one", share=share(others)))
    return Finding(
        False,
        message("it explores too much or too little"),
        WrongAnswer(Position(game, start), expected, message("{share} other moves", share=share(others))),
    )


# The policy of an agent is the softmax of its scores: e^score over the sum of these, row A-22 [S0].


def check_softmax(
    submission: Submission, truth: ExactTruth, *, agent: str, games: int, seed: int, seat: AnySeat = 0
) -> Finding:
    """The policy of the agent is the softmax of its scores."""
    game = truth.game
    number, states = learnt(submission, agent, games, seed, seat)
    policies = submission.policies(number, states)
    if policies is None:
        return Finding(False, message("{agent} has no policy(position)", agent=agent))
    answers = submission.scores(number, states, learning=False)
    for s, policy, scores in zip(states, policies, answers, strict=True):
        rights = softmax([*map(as_number, scores.values())])
        for (move, said_share), right in zip(policy.items(), rights, strict=True):
            if not near(said_share, right, submission.nearly):
                name = game.name_move(s, move)
                return Finding(
                    False,
                    message("the probability of move {move} is wrong", move=name),
                    WrongAnswer(Position(game, s), FormattedNumber(right, ".6g"), score_in_words(said_share)),
                )
    return Finding(True, plural("a softmax in {n} position", "a softmax in {n} positions", len(states)))
