"""The common part of the items about learners: which positions an agent has met, and whether the scores that
it gives its moves are right.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from random import Random
from typing import Literal, Protocol

from damier.core.game import Game, Position
from damier.core.json_types import JsonValue
from damier.core.moves import each
from damier.core.rules import State
from damier.core.words import FormattedNumber, Message, Text, message, plural
from damier.plugins.classroom.marking.finding import AnySeat, ExactTruth, Finding, Positive, Seat, WrongAnswer
from damier.plugins.classroom.marking.submission import NEARLY, Submission, whole


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


@dataclass(frozen=True, kw_only=True)
class LearntItem:
    """An item about an agent that has learnt.

    Attributes:
        agent: the name of its class
        games: that it learns from first
        seed: of these games, and of what it draws
        seat: at which it plays them; 0: in turn at both
    """

    agent: str
    games: int
    seed: int
    seat: AnySeat = 0

    def learnt(self, submission: Submission, option: str = "") -> tuple[int, list[State]]:
        """Return a new agent that has learnt from its games, and what it has met."""
        agent = submission.agent(self.agent, self.seed, option)
        lines = submission.train(agent, range(self.games), learning=True, seed=self.seed, seat=self.seat)
        return agent, list(met(submission.game, lines, seat=self.seat))


def scores_checked(
    submission: Submission,
    agent: int,
    game: Game,
    states: list[State],
    score: Callable[[State, int], float],
    what: Text,
) -> Finding | None:
    """The first score that is not what it must be, told after `what`; None where all are right."""
    said = iter(submission.scores(agent, states, learning=True))
    for s in states:
        for move in each(game.moves(s)):
            answer, right = next(said), score(s, move)
            if not near(answer, right, submission.nearly):
                name = game.name_move(s, move)
                return Finding(
                    False,
                    message("{what}: the score of move {move} is wrong", what=what, move=name),
                    WrongAnswer(Position(game, s), FormattedNumber(right, ".6g"), shown(answer)),
                )
    return None


def near(answer: JsonValue, right: float, nearly: float = NEARLY) -> bool:
    """Return whether a score is right."""
    return isinstance(answer, (int, float)) and abs(answer - right) <= nearly


def shown(answer: JsonValue) -> Text:
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

    def told(self, game: Game) -> str:
        """Its moves by name."""
        s, names = game.start, []
        for move in self.moves:
            names.append(game.name_move(s, move))
            s = game.play(s, move)
        return " ".join(names)


class RightLearner(Protocol):
    """The knowledge that an agent must have after some games, worked out here."""

    def learn(self, episode: Episode) -> None: ...

    def score(self, s: State, move: int) -> float:
        """Return what it must say of a move."""
        ...

    def may_play(self, s: State) -> Sequence[int]:
        """The moves that it can have chosen; none where it resigns."""
        ...


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
    game, rng, played, asked = submission.game, Random(seed), 0, list[State]()
    decisions = [s for s in truth.decisions if game.mover(s) == seat - 1]
    seen = met(game, (), seat=seat)
    last = ""
    for games in episodes:
        lines = []
        while played < games:
            episode = drawn(truth, learner, seat, rng, strong=played % 2 == 1)
            played += 1
            if episode is not None:
                learner.learn(episode)
                lines.append(episode.moves)
                last = episode.told(game)
        submission.replay(agent, lines, seat=seat, seed=seed)
        asked = list(seen := seen | met(game, lines, seat=seat)) if games else decisions
        what = plural("after {n} game", "after {n} games", games)
        if last:
            what = message("{what} (the last: {moves}; at seat {seat})", what=what, moves=last, seat=seat)
        wrong = scores_checked(submission, agent, game, asked, learner.score, what)
        if wrong is not None:
            return wrong
    return Finding(
        True,
        plural(
            "every score right to {nearly}, in {n} position",
            "every score right to {nearly}, in {n} positions",
            len(asked),
            nearly=f"{submission.nearly:g}",
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


@dataclass(frozen=True)
class UpdatesItem(ABC):
    """Told of given games, an agent's scores are what an update makes them.

    Attributes:
        agent: the name of its class
        episodes: after so many games it is asked, ascending; 0: before the first
        seats: at which it sits; one agent for each
        seed: of the games
        alpha: the step size
    """

    agent: str
    episodes: tuple[int, ...]
    seats: tuple[Seat, ...]
    seed: int
    alpha: float

    @abstractmethod
    def right(self, game: Game) -> RightLearner:
        """Return what knows the right scores, before the first game."""

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        found = Finding(True, "")
        for seat in self.seats:
            agent, right = submission.agent(self.agent, self.seed), self.right(truth.game)
            found = learning_checked(
                submission, agent, right, self.episodes, truth, seat=seat, seed=self.seed + seat
            )
            if not found.passed:
                return found
        return found


@dataclass(frozen=True)
class QUpdatesItem(UpdatesItem):
    """Item of a sheet: updates of Q-learning.

    Attributes:
        gamma: the discount factor
        event: the reward of a gain, such as a pawn taken; win, draw: of the end
    """

    gamma: float
    event: float
    win: float
    draw: float

    def right(self, game: Game) -> QTable:
        return QTable(game, self)


@dataclass
class QTable:
    """The right Q-table."""

    game: Game
    item: QUpdatesItem
    rows: dict[State, dict[int, float]] = field(default_factory=dict)

    def row(self, s: State) -> dict[int, float]:
        return self.rows.setdefault(s, dict.fromkeys(self.game.legal(s), 0.0))

    def learn(self, episode: Episode) -> None:
        item, later = self.item, 0.0
        reward = item.win * episode.payoff if episode.payoff else item.draw
        for number in reversed(range(len(episode.decisions))):
            taken = episode.decisions[number]
            row = self.row(taken.state)
            row[taken.move] = (1 - item.alpha) * row[taken.move] + item.alpha * (reward + item.gamma * later)
            later = max(row.values())
            reward = item.event * episode.decisions[number - 1].gained if number else 0.0

    def score(self, s: State, move: int) -> float:
        return self.row(s)[move]

    def may_play(self, s: State) -> Sequence[int]:
        return self.game.legal(s)


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


@dataclass(frozen=True)
class MeansItem:
    """Item of a sheet: the mean scores that an agent keeps.

    Attributes:
        agent: the name of its class
        games: after so many games it is asked, ascending; 0: before the first, and in every position
        learning: whether it is told to learn; if not, nothing may change
        seed: of the games
    """

    agent: str
    games: tuple[int, ...]
    learning: bool
    seed: int

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        game, means, played = truth.game, Means(), 0
        agent = submission.agent(self.agent, self.seed)
        seen = met(game, ())
        for games in self.games:
            lines = submission.train(agent, range(played, games), learning=self.learning, seed=self.seed)
            seen |= met(game, lines, played)
            if self.learning:
                for number, line in enumerate(lines, played):
                    add_game(means, game, line, number % 2)
            played = games
            asked = list(seen) if games else truth.decisions
            what = plural("after {n} game", "after {n} games", games)
            wrong = scores_checked(submission, agent, game, asked, partial(mean_of, means), what)
            if wrong is not None:
                return wrong
        if not self.learning:
            return Finding(True, message("no score changes while it only plays what it knows"))
        return Finding(
            True,
            message(
                "every score right to {nearly}, in {n} positions",
                nearly=f"{submission.nearly:g}",
                n=FormattedNumber(len(asked), ","),
            ),
        )


# Told not to learn, an agent plays a move of the highest score; among equals, any.


@dataclass(frozen=True, kw_only=True)
class GreedyItem(LearntItem):
    """The agent plays a move of the highest score."""

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        game = truth.game
        agent, states = self.learnt(submission)
        said = iter(submission.scores(agent, states, learning=False))
        played = submission.moves(agent, states, learning=False, seed=self.seed)
        for s, move in zip(states, played, strict=True):
            scores = dict(zip(each(game.moves(s)), islice(said, len(game.legal(s))), strict=True))
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
                        scored(game.name_move(s, move), shown(scores[move])),
                    ),
                )
        return Finding(
            True,
            plural("the highest score in {n} position", "the highest score in {n} positions", len(states)),
        )


def scored(moves: str, score: Text) -> Message:
    """Moves and their score."""
    return message("{moves} ({score})", moves=moves, score=score)


@dataclass(frozen=True)
class TiesItem:
    """Item of a sheet: an agent that draws among equal moves.

    Attributes:
        agent: the name of its class
        asked: how often; each of the equal moves must come once
        seed: of what it draws
    """

    agent: str
    asked: Positive
    seed: int

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        game, start = truth.game, truth.game.start
        agent = submission.agent(self.agent, self.seed)
        played = set(submission.moves(agent, [start] * self.asked, learning=False, seed=self.seed))
        if played == set(game.legal(start)):
            return Finding(True, message("among equal scores every move is played"))
        return Finding(
            False,
            message("asked {n} times where all scores are 0, some moves never come", n=self.asked),
            WrongAnswer(
                Position(game, start),
                " ".join(game.name_move(start, move) for move in game.legal(start)),
                " ".join(game.name_move(start, move) for move in game.legal(start) if move in played),
            ),
        )


# What an agent has learnt goes on: another agent that loads what it has saved gives the same scores.


@dataclass(frozen=True, kw_only=True)
class SavedItem(LearntItem):
    """Another agent that loads what it has saved gives the same scores."""

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        game = truth.game
        agent, states = self.learnt(submission)
        moves = [(s, move) for s in states for move in game.legal(s)]
        scores = dict(zip(moves, submission.scores(agent, states, learning=False), strict=True))
        numbers = {at: score for at, score in scores.items() if isinstance(score, (int, float))}
        if not any(abs(score) > NEARLY for score in numbers.values()):
            return Finding(False, message("there is nothing to save: it has learnt nothing"))
        other = whole(submission, submission.ask("saved", agent=agent, seed=self.seed, learning=False))
        wrong = scores_checked(
            submission,
            other,
            game,
            states,
            lambda s, move: numbers.get((s, move), 0.0),
            message("loaded again"),
        )
        return wrong or Finding(True, message("what is saved can be loaded again"))


# Two agents of one class learn each for itself: what they know is no global variable.


@dataclass(frozen=True, kw_only=True)
class ApartItem(LearntItem):
    """Another agent of its class knows nothing of what it has learnt."""

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        learner = submission.agent(self.agent, self.seed)
        other = submission.agent(self.agent, self.seed + 1)
        lines = submission.train(learner, range(self.games), learning=True, seed=self.seed, seat=self.seat)
        seen = list(met(truth.game, lines, seat=self.seat))
        what = message("the other agent has not played a game")
        wrong = scores_checked(submission, other, truth.game, seen, lambda s, move: 0.0, what)
        return wrong or Finding(True, message("what one agent learns, the other does not know"))


# An agent explores less and less, as it should: its attribute `epsilon` after so many decisions.
#
# After [S0], row A-21.


@dataclass(frozen=True)
class ScheduleItem:
    """Item of a sheet: how the exploration of an agent falls.

    Attributes:
        agent: the name of its class
        decisions: after so many of them it is asked, ascending
        epsilon: at first
        after: decisions before which it stays so
        every: so many decisions it is multiplied by `factor`
        seed: of what the agent draws
    """

    agent: str
    decisions: tuple[int, ...]
    epsilon: float
    after: int
    every: Positive
    factor: float
    seed: int

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        agent, decided = submission.agent(self.agent, self.seed), 0
        start = truth.game.start
        for decisions in self.decisions:
            submission.moves(agent, [start] * (decisions - decided), learning=True, seed=self.seed)
            decided = decisions
            said = submission.ask("epsilon", agent=agent, learning=True)
            right = self._right(decisions)
            if not near(said, right, submission.nearly):
                return Finding(
                    False,
                    message("after {n} decisions epsilon is wrong", n=FormattedNumber(decisions, ",")),
                    WrongAnswer(Position(truth.game, start), FormattedNumber(right, ".6g"), shown(said)),
                )
        return Finding(True, message("epsilon is right after {n} decisions", n=FormattedNumber(decided, ",")))

    def _right(self, decisions: int) -> float:
        decays = sum(step > self.after and step % self.every == 0 for step in range(decisions))
        return self.epsilon * self.factor**decays


# Matchboxes and lists: after games that are given, every move has as many beads as it must.
#
# After [S0], rows A-26 to A-30 (MENACE), and [S1], rows A-39 to A-46 (lists in which a move stands
# several times).


@dataclass(frozen=True)
class BeadsItem:
    """Item of a sheet: the beads of a machine of matchboxes.

    Attributes:
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

    symmetric whether positions that are alike but turned or mirrored share a box
    """

    agent: str
    episodes: tuple[int, ...]
    seat: Seat
    seed: int
    beads: Positive
    win: int
    draw: int
    rewarded: Literal["every", "last"]
    loss: Literal["nothing", "last-box"]
    symmetric: bool

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        agent = submission.agent(self.agent, self.seed)
        boxes = RightBoxes(truth.game, self)
        return learning_checked(
            submission, agent, boxes, self.episodes, truth, seat=self.seat, seed=self.seed
        )


@dataclass
class RightBoxes:
    """The beads that must lie in each box."""

    game: Game
    item: BeadsItem
    boxes: dict[State, dict[int, int]] = field(default_factory=dict)

    def learn(self, episode: Episode) -> None:
        item = self.item
        decisions = episode.decisions if item.rewarded == "every" else episode.decisions[-1:]
        added = item.win if episode.payoff > 0 else item.draw if episode.payoff == 0 else 0
        for taken in decisions if added else ():
            box, bead = self._bead(taken.state, taken.move)
            box[bead] += added
        if episode.payoff < 0 and item.loss == "last-box":
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
        symmetries = range(self.game.symmetries() if self.item.symmetric else 1)
        symmetry = min(symmetries, key=lambda symmetry: (tuple(self.game.turn(s, symmetry)), symmetry))
        same = self.game.turn(s, symmetry)
        box = self.boxes.setdefault(same, dict.fromkeys(self.game.legal(same), self.item.beads))
        return box, self.game.turn_move(move, symmetry)


# A function says what a move pays both players: for what it takes, and for the end of the game.
#
# After [S0], rows: at the end only the end counts, not what the last move took.


@dataclass(frozen=True)
class RewardsItem:
    """Item of a sheet: a function that gives the rewards of a move.

    Attributes:
        function: its name; it is given a position and a move, and returns a number for each player
        event: for each gain of the mover, such as a pawn taken; the other gets as much less
        win: to the winner; the loser gets as much less
        draw: to both
    """

    function: str
    event: float
    win: float
    draw: float

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        game = truth.game
        asked = [(s, move) for s in truth.decisions for move in game.legal(s)]
        given = [("move", s, game.name_move(s, move)) for s, move in asked]
        for (s, move), said in zip(asked, submission.answers(self.function, given), strict=True):
            right = self._right(game, s, move)
            if not alike(said, right):
                return Finding(
                    False,
                    message("the rewards of move {move} are wrong", move=game.name_move(s, move)),
                    WrongAnswer(Position(game, s), told(list(right)), told(said)),
                )
        return Finding(True, message("the rewards of all {n} moves are right", n=len(asked)))

    def _right(self, game: Game, s: State, move: int) -> tuple[float, ...]:
        child = game.play(s, move)
        if game.over(child):
            payoffs = [game.payoff(child, player) for player in range(game.players)]
            return tuple(self.win * payoff if payoff else self.draw for payoff in payoffs)
        gained, mover = self.event * game.reward(s, move), game.mover(s)
        return tuple(gained if player == mover else -gained for player in range(game.players))


def alike(said: JsonValue, right: tuple[float, ...]) -> bool:
    return (
        isinstance(said, list)
        and len(said) == len(right)
        and all(near(one, other) for one, other in zip(said, right, strict=True))
    )


def told(said: JsonValue) -> Text:
    """Rewards in words: what the first player gets, and the second."""
    if not isinstance(said, list) or len(said) != 2:
        return shown(said)
    return message("player 1: {first}, player 2: {second}", first=shown(said[0]), second=shown(said[1]))
