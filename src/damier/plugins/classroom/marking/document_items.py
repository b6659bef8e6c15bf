"""Items about the classes and functions of the documents, by their own names.

What the process of a submission is asked about them: `answerer`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Literal, TypeAlias

from damier.agents.document_interfaces import marks_of
from damier.core.bits import position_of
from damier.core.errors import Unsuitable
from damier.core.game import Game, Position
from damier.core.json_types import JsonValue
from damier.core.rules import State
from damier.core.words import FormattedNumber, Message, Text, bounded, message, plural
from damier.learn.q import softmax
from damier.plugins.classroom.marking.agent_items import (
    AnsweredPolicy,
    Episode,
    RightLearner,
    check_greedy,
    draws_checked,
    judged_on_average,
    learnt,
    near,
    score_in_words,
    unlikely,
    updates_checked,
)
from damier.plugins.classroom.marking.answerer import base_of_s1
from damier.plugins.classroom.marking.submission import (
    AnySeat,
    ExactTruth,
    Finding,
    Positive,
    Seat,
    Submission,
    WrongAnswer,
    listed,
    share,
)

LONGEST_SHOWN = 300


def differs(sentence: Text, expected: object, got: object, position: Position | None = None) -> Finding:
    """A finding of an answer that is not what it must be."""
    return Finding(False, sentence, WrongAnswer(position, in_short(expected), in_short(got)))


def in_short(answer: object) -> Text:
    """An answer, or what it must be, as it is shown."""
    if isinstance(answer, (Message, FormattedNumber)):
        return answer
    return bounded(str(answer), LONGEST_SHOWN)


# S0: what its main program tells both players, in games whose actions are given.


def games_of_numbers(truth: ExactTruth, games: int, seed: int) -> list[list[tuple[State, int]]]:
    """Random games: before each move the position, and the move."""
    game, rng = truth.game, Random(seed)
    found = []
    for _number in range(games):
        s, line = game.start, list[tuple[State, int]]()
        while not game.over(s):
            line.append((s, rng.choice(game.legal(s))))
            s = game.play(*line[-1])
        found.append(line)
    return found


def check_main_program(
    submission: Submission,
    truth: ExactTruth,
    *,
    told: Literal["update", "learn"],
    games: Positive,
    seed: int,
    event: int,
    win: int,
    draw: int,
) -> Finding:
    """Item of a sheet: what its main program tells the agents.

    Args:
        told: what is looked at: the rewards of `update`, or the calls of `learn` at the end
        games: how many are played
        seed: of the games
        event: the reward of a gain; win, draw: of the end
    """
    played = games_of_numbers(truth, games, seed)
    lines = [[position_of(move) for _s, move in game] for game in played]
    answers = submission.ask("main-program", lines=lines)
    for index, (game, answer) in enumerate(
        zip(played, listed(submission, answers, len(played)), strict=True)
    ):
        calls = [each for each in listed(submission, answer, None) if isinstance(each, list)]
        mine = [each for each in calls if each[:1] == [told]]
        right = (
            updates_in(truth.game, game, event) if told == "update" else ends_of(truth.game, game, win, draw)
        )
        found = compared(truth.game, game, index, mine, right, told)
        if found is not None:
            return found
    return Finding(True, message("right in {n} games", n=games))


def compared(
    game: Game,
    line: list[tuple[State, int]],
    number: int,
    mine: list[list[JsonValue]],
    right: list[list[JsonValue]],
    told: Literal["update", "learn"],
) -> Finding | None:
    """The first call that is not as it must be, or is missing."""
    if told == "learn":
        mine, right = sorted(mine, key=str), sorted(right, key=str)
    end = game.play(*line[-1])
    for index in range(max(len(mine), len(right))):
        expected = right[index] if index < len(right) else None
        got = mine[index] if index < len(mine) else None
        if expected != got:
            s = line[index][0] if told == "update" and index < len(line) else end
            return differs(
                message("game {n}: what a player is told is wrong", n=number + 1),
                in_call(expected),
                in_call(got),
                Position(game, s),
            )
    return None


def updates_in(game: Game, line: list[tuple[State, int]], event: int) -> list[list[JsonValue]]:
    """The calls of `update`: each player's rewards since its last decision."""
    rewards, found = [0, 0], list[list[JsonValue]]()
    for s, move in line:
        mover = game.mover(s)
        actions: list[JsonValue] = [position_of(legal) for legal in game.legal(s)]
        found.append(["update", mover + 1, number_of(game, s, mover), rewards[mover], actions])
        rewards[mover] = 0
        gained = int(event * game.reward(s, move))
        rewards[mover] += gained
        rewards[1 - mover] -= gained
    return found


def ends_of(game: Game, line: list[tuple[State, int]], win: int, draw: int) -> list[list[JsonValue]]:
    """The calls of `learn`, one of each player."""
    end = game.play(*line[-1])
    payoffs = [game.payoff(end, player) for player in (0, 1)]
    return [
        [
            "learn",
            player + 1,
            number_of(game, end, player),
            int(win * payoff) if payoff else draw,
        ]
        for player, payoff in enumerate(payoffs)
    ]


def require_numbers(truth: ExactTruth, **_others: object) -> None:
    """Raises Unsuitable for a game that has no numbers of S0."""
    if truth.game.id is None:
        raise Unsuitable(message("{game} is not played on a board of cells", game=truth.game.text))


def number_of(game: Game, s: State, player: int) -> int:
    """The number of a board as a player sees it [S0]."""
    views = game.id(s) if game.id else None
    assert isinstance(views, list)
    return int(views[player])


def in_call(noted: list[JsonValue] | None) -> Text:
    """Return what a player was told, as a call."""
    if noted is None:
        return message("no call")
    name, player, *arguments = noted
    return f"player{player}.{name}({', '.join(map(str, arguments))})"


# S0: the lists of its agent, after given calls.


def check_lists(
    submission: Submission,
    truth: ExactTruth,
    *,
    agent: str,
    lists: Literal["table", "sequences", "initialize"],
    games: Positive,
    seed: int,
) -> Finding:
    """The lists of the agent of S0 after calls of `update` in the positions of a few games.

    Args:
        agent: the name of its class
        lists: table: states, actions, Qtable; sequences: stateSequence, actionSequence, rewardSequence;
            initialize: what that method empties, with stateIndex and actionIndex
        games: whose positions are given
        seed: of these
    """
    game = truth.game
    number = submission.agent(agent, seed)
    calls = [call_of(game, s) for line in games_of_numbers(truth, games, seed) for s, _move in line]
    initialize: list[Sequence[object]] = [("initialize",)]
    before, after = initialize * (lists == "sequences"), initialize * (lists == "initialize")
    calls_made = [*before, *calls, *after]
    arguments = {"calls": calls_made, "attributes": NAMES[lists], "learning": True}
    made, held = listed(submission, submission.ask("called", agent=number, **arguments), 2)
    held = listed(submission, held, len(NAMES[lists]))
    answers = listed(submission, made, len(calls_made))[-len(calls) :] if lists == "sequences" else []
    right = right_lists(calls, answers, lists)
    for name, expected, got in zip(NAMES[lists], right, held, strict=True):
        if got is None:
            return Finding(False, message("the agent has no list {name}", name=name))
        if expected != got:
            return differs(message("{name} is not as it must be", name=name), expected, got)
    return Finding(True, message("right after {n} decisions", n=len(calls)))


def call_of(game: Game, s: State) -> ActionCall:
    mover = game.mover(s)
    actions = [position_of(move) for move in game.legal(s)]
    reward = 10 * (len(actions) % 3 - 1)
    return "update", number_of(game, s, mover), reward, actions


def right_lists(
    calls: Sequence[ActionCall],
    answers: Sequence[JsonValue],
    lists: Literal["table", "sequences", "initialize"],
) -> list[object]:
    """Return what the lists must hold."""
    table: dict[int, Sequence[JsonValue]] = {}
    for _name, state, _reward, actions in calls:
        table.setdefault(state, actions)
    states = list(table)
    if lists == "table":
        return [states, list(table.values()), [[0.0] * len(row) for row in table.values()]]
    if lists == "initialize":
        return [-1, -1, [], [], []]
    chosen = [
        table[call[1]].index(answer) if answer in table[call[1]] else -1
        for call, answer in zip(calls, answers, strict=True)
    ]
    return [[states.index(call[1]) for call in calls], chosen, [call[2] for call in calls]]


ActionCall: TypeAlias = tuple[str, int, int, list[int]]
"""A call of `update`: its name, the number of a board, a reward, the actions."""
NAMES = {
    "table": ("states", "actions", "Qtable"),
    "sequences": ("stateSequence", "actionSequence", "rewardSequence"),
    "initialize": ("stateIndex", "actionIndex", "stateSequence", "actionSequence", "rewardSequence"),
}


# S0: the stochastic policy. What is drawn must come as often as the softmax of the scores says.


def check_softmax_drawn(
    submission: Submission,
    truth: ExactTruth,
    *,
    agent: str,
    games: int,
    seed: int,
    seat: AnySeat = 0,
    asked: Positive,
    option: str = "",
) -> Finding:
    """Without exploration an action is drawn as often as the softmax of the scores says.

    Args:
        asked: how often it decides, in the position whose softmax is farthest from both the same chance for
            all and a certain move
        option: of the class: true for this agent
    """
    number, met = learnt(submission, agent, games, seed, seat, option)
    return draws_checked(
        submission,
        number,
        met,
        softmax,
        lambda shares: min(max(shares) - 1 / len(shares), 1 - max(shares)),
        asked=asked,
        learning=False,
        seed=seed,
        wrong=lambda move: message("the probability of move {move} is wrong", move=move),
        right=message("every action comes as often as the softmax of its Q-value says"),
    )


def check_greedy_or_softmax(
    submission: Submission,
    truth: ExactTruth,
    *,
    agent: str,
    games: int,
    seed: int,
    seat: AnySeat = 0,
    asked: Positive,
) -> Finding:
    """The agent plays a move of the highest score; or, where the softmax has taken the place of the maximum
    for good, draws by that.

    Args:
        asked: how often it decides where it draws
    """
    found = check_greedy(submission, truth, agent=agent, games=games, seed=seed, seat=seat)
    if found.passed:
        return found
    drawn = check_softmax_drawn(
        submission, truth, agent=agent, games=games, seed=seed, seat=seat, asked=asked
    )
    return drawn if drawn.passed else found


# S1: searches, asked with other sizes and other moves too, so that no closed formula answers.


def check_searches(
    submission: Submission,
    truth: ExactTruth,
    *,
    function: str,
    sizes: tuple[Positive, ...],
    moves: tuple[str, ...],
) -> Finding:
    """A search for a move that wins for sure is right for bases of actions of all kinds.

    Args:
        function: its name, or names; it is given the matches, the base and IA, which is to move
        sizes: the most matches of each base
        moves: how many may be taken, in each base as digits, largest first, such as "421"
    """
    given, expected = list[tuple[str, int, list[list[int]], str]](), list[list[JsonValue]]()
    for most in sizes:
        for digits in moves:
            base = base_of(most, digits)
            won = winning(base)
            for row in base:
                given.append(("arguments", row[0], base, "IA"))
                expected.append([*won[row[0]]] or [None])
    answers = submission.answers(function, given)
    wrong = [index for index, answer in enumerate(answers) if answer not in expected[index]]
    if not wrong:
        return Finding(True, message("right in all {n} positions", n=len(given)))
    index = min(wrong, key=lambda index: given[index][1])
    _kind, matches, given_base, _player = given[index]
    return differs(
        message(
            "wrong in {n} of {all} positions; the first: {matches} left, from {most} at most, taking {moves}",
            n=len(wrong),
            all=len(given),
            matches=matches,
            most=given_base[0][0],
            moves=" ".join(map(str, given_base[0][1:])),
        ),
        " ".join(map(str, expected[index])),
        answers[index],
    )


def base_of(most: int, digits: str) -> list[list[int]]:
    """The base of actions for so many matches, of which the digits may be taken; 1 always may."""
    moves = sorted({1, *map(int, re.findall(r"[1-9]", digits))}, reverse=True)
    return [[n, *(taken for taken in moves if taken <= n)] for n in range(most, 0, -1)]


def winning(base: Iterable[list[int]]) -> dict[int, list[int]]:
    """The moves that win for sure, by matches left; who takes the last one loses."""
    won: dict[int, list[int]] = {0: [0]}
    for n, *moves in sorted(base):
        won[n] = [taken for taken in moves if not won[n - taken]]
    return won


def check_expanded(
    submission: Submission,
    truth: ExactTruth,
    *,
    function: str,
    sizes: tuple[Positive, ...],
    least: Positive,
    most: Positive,
) -> Finding:
    """A search looks at positions, and at none twice: its calls are counted, from several sizes.

    Args:
        function: its name, or names; it is given the matches, the base and IA, which is to move
        sizes: matches from which it searches
        least: calls of functions of the file for each
        most: the same
    """
    counted = 0
    for size in sizes:
        submission.end()  # what it has looked up before must not help it
        given = [size, base_of(size, "321"), "IA"]
        _answer, counted = submission.calls(function, truth.game.start, most, arguments=given)
        if not least <= counted <= most:
            return differs(
                message("{n} matches left: nothing is searched, a formula answers", n=size)
                if counted < least
                else message("{n} matches left: states are worked out again and again", n=size),
                message("{least} to {most}", least=least, most=FormattedNumber(most, ",")),
                message("{n} calls", n=counted)
                if counted <= most
                else message("more than {n}", n=FormattedNumber(most, ",")),
            )
    return Finding(True, message("{n} calls for one position", n=FormattedNumber(counted, ",")))


# S1: the base of actions, and what games reinforce.

Base = dict[int, Counter[int]]


def check_drawn_from_list(
    submission: Submission, truth: ExactTruth, *, function: str, entries: tuple[int, ...], asked: Positive
) -> Finding:
    """A function draws an entry of a list, each alike.

    Args:
        function: its name
        entries: of the list
        asked: how often
    """
    answers = submission.answers(function, [("arguments", list(entries))] * asked)
    counts = Counter(str(answer) for answer in answers)
    for entry in sorted(set(entries)):
        right = entries.count(entry) / len(entries)
        found = counts[str(entry)] / asked
        if expected := unlikely(found, right, asked):
            return differs(
                message("{entry} from the list {list}", entry=entry, list=" ".join(map(str, entries))),
                expected,
                share(found),
            )
    return Finding(True, message("every entry comes as often as it stands in the list"))


def check_reinforcement(submission: Submission, truth: ExactTruth, *, function: str) -> Finding:
    """A function puts a move into the entry of a base of actions once more.

    Args:
        function: its name; it is given the matches, the move and the base, which it returns or changes
    """
    bases = [base_of_s1(16), [[n, *moves, moves[0]] for n, *moves in base_of_s1(16)]]
    given = [(n, move, base) for base in bases for n, *moves in base for move in sorted(set(moves))]
    answers = submission.ask("changed", name=function, given=given)
    for (n, move, base), answer in zip(given, listed(submission, answers, len(given)), strict=True):
        returned, after = listed(submission, answer, 2)
        found = returned if isinstance(returned, list) else after
        right = counted(base)
        right[n][move] += 1
        if counted(found) != right:
            return differs(
                message("{n} matches, {move} taken: the base is wrong", n=n, move=move),
                entry_in(right, n),
                entry_in(counted(found), n),
            )
    return Finding(True, message("the move stands once more in its entry, all else is as before"))


def counted(base: JsonValue) -> Base:
    """Return how often each move stands in each entry; entries that cannot be read are left out."""
    found: Base = {}
    for row in base if isinstance(base, list) else ():
        if isinstance(row, list) and row and all(type(part) is int for part in row):
            found.setdefault(row[0], Counter()).update(row[1:])
    return found


def entry_in(base: Base, n: int) -> Text:
    """An entry of a base, as S1 prints it."""
    if n not in base:
        return message("no entry {n}", n=n)
    return f"({' '.join(map(str, [n, *sorted(base[n].elements(), reverse=True)]))})"


def check_list_games(
    submission: Submission,
    truth: ExactTruth,
    *,
    function: str,
    matches: Positive,
    games: Positive,
    seed: int,
    rewarded: Literal["every", "last"],
) -> Finding:
    """Games of a function of S1 reinforce what they must.

    Args:
        function: its name; it plays a game from so many matches, drawing by Randomsuccesseurs
        matches: at the beginning, AI to move
        games: how many
        seed: of what is drawn
        rewarded: whether every move of the AI in a game won is reinforced, or its last one
    """
    base = base_of_s1(matches)
    arguments = {"matches": matches, "base": base, "games": games, "seed": seed}
    answers = submission.ask("reinforced", name=function, **arguments)
    right = counted(base)
    for number, game in enumerate(listed(submission, answers, games), 1):
        line, after = listed(submission, game, 2)
        moves = [move for move in listed(submission, line, None) if isinstance(move, int)]
        if sum(moves) != matches:
            return differs(
                message("game {n} is not played to its end with Randomsuccesseurs", n=number),
                matches,
                " + ".join(map(str, moves)) or "0",
            )
        if len(moves) % 2 == 0:  # the human took the last one: the AI has won
            left = [matches - sum(moves[:index]) for index in range(0, len(moves), 2)]
            taken = list(zip(left, moves[::2], strict=True))
            for n, move in taken if rewarded == "every" else taken[-1:]:
                right[n][move] += 1
        found = counted(after)
        if found != right:
            n = next(n for n in sorted(right) if found.get(n) != right[n])
            line_text = " ".join(map(str, moves))
            return differs(
                message("game {n} (taken in turn: {moves}): the base is wrong", n=number, moves=line_text),
                entry_in(right, n),
                entry_in(found, n),
            )
    return Finding(True, message("the base is right after each of {n} games", n=games))


def check_list_curve(
    submission: Submission,
    truth: ExactTruth,
    *,
    function: str,
    matches: Positive,
    games: Positive,
    seeds: tuple[int, ...],
    at_least: float,
) -> Finding:
    """After games of a function of S1 its base plays better than chance.

    Args:
        function: its name
        matches: at the beginning
        games: that it learns from, for each of `seeds`
        at_least: the chance not to lose against random moves, on average over all seeds
    """
    policies = []
    for seed in seeds:
        arguments = {"matches": matches, "base": base_of_s1(matches), "games": games, "seed": seed}
        answers = listed(submission, submission.ask("reinforced", name=function, **arguments), games)
        policies.append(AnsweredPolicy(weights_of(truth, counted(listed(submission, answers[-1], 2)[1]))))
    return judged_on_average(truth, policies, games, at_least, 1)


def weights_of(truth: ExactTruth, base: Base) -> dict[State, dict[int, float]]:
    """Return how likely the lists make each move."""
    game, found = truth.game, dict[State, dict[int, float]]()
    for s in truth.decisions:
        entry = base.get(Position(game, s).board.count("|"), Counter[int]())
        weights = {move: float(entry[int(game.name_move(s, move))]) for move in game.legal(s)}
        total = sum(weights.values())
        found[s] = {move: weight / total if total else 1 / len(weights) for move, weight in weights.items()}
    return found


# S3: the value function of states.


@dataclass
class RightEstimates(RightLearner):
    """The values that the states after an agent's moves must have."""

    alpha: float
    draws: tuple[float, ...]
    estimates: dict[State, float] = field(default_factory=dict)

    def learn(self, episode: Episode) -> None:
        seat = self.game.mover(episode.decisions[0].state)
        later = float(episode.payoff) if episode.payoff else self.draws[seat]
        for taken in reversed(episode.decisions):
            after = self.game.play(taken.state, taken.move)
            before = self.estimates.get(after, 0.0)
            self.estimates[after] = later = before + self.alpha * (later - before)

    def score(self, s: State, move: int) -> float:
        return self.estimates.get(self.game.play(s, move), 0.0)


def check_v_updates(
    submission: Submission,
    truth: ExactTruth,
    *,
    agent: str,
    episodes: tuple[int, ...],
    seats: tuple[Seat, ...],
    seed: int,
    alpha: float,
    draws: tuple[float, ...],
) -> Finding:
    """Told of given games, the estimate of every state is what the update of S3 makes it; `draws` is the
    reward of a drawn game, to each seat, all else as in `check_q_updates`.
    """
    right = partial(RightEstimates, truth.game, alpha, draws)
    return updates_checked(submission, agent, right, episodes, truth, seats=seats, seed=seed)


def check_last_of_equals(submission: Submission, truth: ExactTruth, *, agent: str) -> Finding:
    """Among equal values the agent takes the last free cell.

    Args:
        agent: the name of its class
    """
    game, states = truth.game, [s for s in truth.decisions if len(truth.game.legal(s)) > 1][:300]
    number = submission.agent(agent, 0)
    played = submission.moves(number, states, learning=False)
    for s, move in zip(states, played, strict=True):
        last = max(game.legal(s))
        if move != last:
            return differs(
                message("all values are equal: another cell is taken than the last"),
                game.name_move(s, last),
                game.name_move(s, move),
                Position(game, s),
            )
    return Finding(True, message("among equal values the last free cell is taken"))


def check_game_over(submission: Submission, truth: ExactTruth, *, environment: str) -> Finding:
    """Its `check_gameOver` says 1 where three marks are aligned, 0 where the board is full, else None.

    Args:
        environment: the name of the class
    """
    game, states = truth.game, truth.states
    answers = listed(submission, submission.ask("game-over", name=environment, states=states), len(states))
    for s, answer in zip(states, answers, strict=True):
        won = game.over(s) and any(game.payoff(s, player) for player in (0, 1))
        right = 1 if won else 0 if 0 not in marks_of(Position(game, s)) else None
        if answer != right or isinstance(answer, bool):
            return differs(message("check_gameOver is wrong"), str(right), str(answer), Position(game, s))
    return Finding(True, message("right in all {n} positions", n=FormattedNumber(len(states), ",")))


def check_trained(
    submission: Submission,
    truth: ExactTruth,
    *,
    epoch: Positive,
    looks: Literal["rewards", "epsilon"],
    win: float,
    draws: tuple[float, ...],
    factor: float,
    lowest: float,
    seed: int,
) -> Finding:
    """`Vfunction().train(epoch)` gives the rewards that it must, and ends with the right ε.

    Args:
        epoch: games of the training
        looks: at the rewards of each game, or at ε afterwards
        win: the reward of the winner; the loser gets as much less
        draws: of a drawn game, to each agent
        factor: of ε, after every hundredth part of the training
        lowest: ε
        seed: of what is drawn
    """
    answers = listed(submission, submission.ask("trained", epoch=epoch, seed=seed), 2)
    rewards, epsilons = (listed(submission, part, None) for part in answers)
    if looks == "epsilon":
        right = 1.0
        for game in range(epoch):
            if game % (epoch / 100) == 0:
                right = max(right * factor, lowest)
        if len(epsilons) == 2 and all(near(epsilon, right) for epsilon in epsilons):
            return Finding(True, message("epsilon is right after {n} games", n=epoch))
        return differs(
            message("after {n} games epsilon is wrong", n=epoch),
            FormattedNumber(right, ".6g"),
            " ".join(str(score_in_words(epsilon)) for epsilon in epsilons)
            or message("no agents are returned"),
        )
    given = [
        [float(value) if isinstance(value, (int, float)) else None for value in pair]
        for pair in rewards
        if isinstance(pair, list)
    ]
    ends = ((win, -win), (-win, win), draws)
    outcomes = [sorted([[1.0, end[0]], [-1.0, end[1]]]) for end in ends]
    for number in range(epoch):
        pair = given[2 * number : 2 * number + 2]
        if len(pair) < 2 or any(None in each for each in pair) or sorted(pair) not in outcomes:
            return differs(
                message("game {n}: the rewards given at its end, by symbol", n=number + 1),
                " | ".join(pairs_in_words(each) for each in outcomes),
                pairs_in_words(pair) or message("no call"),
            )
    kinds = {pairs_in_words(sorted(given[index : index + 2])) for index in range(0, 2 * epoch, 2)}
    if len(kinds) < len(outcomes):
        return differs(
            message("some ends of a game never come up in {n} games", n=epoch),
            " | ".join(pairs_in_words(each) for each in outcomes),
            " | ".join(sorted(kinds)),
        )
    return Finding(True, plural("right in {n} game", "right in {n} games", epoch))


def pairs_in_words(pairs: Sequence[Sequence[object]]) -> str:
    """The rewards of both symbols."""
    return ", ".join(f"{symbol}: {reward}" for symbol, reward in pairs)


# S4: its program runs, and says what happens where it is to. It is given to students: who hands in the agents
# alone, as S4 asks, hands in none.


def handed_in_alone(submission: Submission, name: str) -> Finding | None:
    """The finding of an item that asks for what students are given, where one file was handed in that has
    nothing of this name.
    """
    if submission.path.is_dir() or submission.ask("has", name=name):
        return None
    return Finding(True, message("the agents are handed in alone, without the program that is given"))


def check_program(
    submission: Submission, truth: ExactTruth, *, arguments: tuple[str, ...], typed: tuple[str, ...]
) -> Finding:
    """`main(arguments)` plays a game with what is typed, as `make run` does.

    Args:
        arguments: of the command line
        typed: line by line; all of it is read, no more
    """
    if alone := handed_in_alone(submission, "main"):
        return alone
    answers = submission.ask("program", arguments=arguments, lines=typed)
    printed, read = listed(submission, answers, 2)
    line = " ".join(typed)
    if read != len(typed):
        return differs(
            message("typed: {lines}", lines=line),
            plural("{n} line read", "{n} lines read", len(typed)),
            plural("{n} line read", "{n} lines read", read if isinstance(read, int) else 0),
        )
    if not printed:
        return differs(
            message("typed: {lines}", lines=line), message("the board"), message("nothing is printed")
        )
    return Finding(True, message("it plays a game with what is typed"))


def check_verbose(submission: Submission, truth: ExactTruth, *, seed: int) -> Finding:
    """agentPlayGame shows the game where `verbose` is true, and prints nothing where it is false.

    Args:
        seed: of what is drawn
    """
    if alone := handed_in_alone(submission, "agentPlayGame"):
        return alone
    loud, quiet = listed(submission, submission.ask("printed", seed=seed), 2)
    if loud and not quiet:
        return Finding(True, message("verbose shows the game, else nothing is printed"))
    if quiet:
        return differs(
            message("verbose is false"), message("nothing is printed"), message("{n} characters", n=quiet)
        )
    return differs(message("verbose is true"), message("the board"), message("nothing is printed"))
