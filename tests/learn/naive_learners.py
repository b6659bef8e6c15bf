"""Learners written for being obviously right: dictionaries, one function a textbook algorithm, over
the naive rules of `oracles`.

Each learns from a game that is given: what its player knew and did in it. Values are by (what the
player sees, name of the move).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from oracles import Mnk, Rules


@dataclass
class Step:
    """A decision: what is seen, the moves there are, the one taken, the board after it; and what
    was gained until the next decision.
    """

    seen: Hashable
    moves: list[str]
    taken: str
    after: Hashable
    gained: float = 0.0


@dataclass
class Episode:
    """One player's game.

    `end` is the reward of the end; gains after the last decision do not count (row A-9).
    """

    steps: list[Step] = field(default_factory=list)
    worth: int = 0
    end: float = 0.0

    def rewards(self) -> list[float]:
        """The reward that follows each decision."""
        return [step.gained for step in self.steps[:-1]] + [self.end]


See = Callable[[Any], Hashable]


def episodes(
    rules: Rules, names: list[str], see: See, gain: Callable[[Any, Any], float], ends: dict[int, float]
) -> tuple[Episode, Episode]:
    """The game as both its players saw it; `gain(s, child)` is what a move gave its mover."""
    s, both = rules.start, (Episode(), Episode())
    for name in names:
        player, child = rules.mover(s), rules.play(s, name)
        both[player].steps.append(Step(see(s), rules.moves(s), name, see(child)))
        for seat, episode in enumerate(both):
            if episode.steps:
                episode.steps[-1].gained += gain(s, child) * (1 if seat == player else -1)
        s = child
    result = rules.result(s)
    assert result is not None
    for seat, episode in enumerate(both):
        episode.worth = result * (1 - 2 * seat)
        episode.end = ends[episode.worth]
    return both


Q = defaultdict[Hashable, dict[str, float]]


def opened(table: Q, episode: Episode) -> None:
    for step in episode.steps:
        if step.seen not in table:
            table[step.seen] = dict.fromkeys(step.moves, 0.0)


def document_q(table: Q, episode: Episode, alpha: float, gamma: float) -> None:
    """Row A-19, in the order of the Java: Q, then the maximum of its row, then the reward before."""
    opened(table, episode)
    rewards, best = episode.rewards(), 0.0
    for k in range(len(episode.steps) - 1, -1, -1):
        row, a = table[episode.steps[k].seen], episode.steps[k].taken
        row[a] = (1 - alpha) * row[a] + alpha * (rewards[k] + gamma * best)
        best = max(row.values())


def one_step_q(table: Q, episode: Episode, alpha: float, gamma: float) -> None:
    """Watkins: Q(s, a) += alpha (r + gamma max Q(s', .) - Q(s, a)), as the game goes on."""
    opened(table, episode)
    for k, (step, reward) in enumerate(zip(episode.steps, episode.rewards(), strict=True)):
        following = max(table[episode.steps[k + 1].seen].values()) if k + 1 < len(episode.steps) else 0.0
        table[step.seen][step.taken] += alpha * (reward + gamma * following - table[step.seen][step.taken])


def sarsa(table: Q, episode: Episode, alpha: float, gamma: float) -> None:
    """Q(s, a) += alpha (r + gamma Q(s', a') - Q(s, a)), as the game goes on."""
    opened(table, episode)
    for k, (step, reward) in enumerate(zip(episode.steps, episode.rewards(), strict=True)):
        following = (
            table[episode.steps[k + 1].seen][episode.steps[k + 1].taken]
            if k + 1 < len(episode.steps)
            else 0.0
        )
        table[step.seen][step.taken] += alpha * (reward + gamma * following - table[step.seen][step.taken])


def traced_q(table: Q, episode: Episode, alpha: float, gamma: float, trace: float, cut: bool) -> None:
    """Eligibility traces, what they give added at the end; `cut` is Watkins's Q(lambda), else
    SARSA(lambda).
    """
    opened(table, episode)
    steps, rewards = episode.steps, episode.rewards()
    eligible: dict[int, float] = {}
    change: dict[int, float] = defaultdict(float)
    for k, step in enumerate(steps):
        row = table[step.seen]
        if cut and row[step.taken] < max(row.values()):
            eligible = {}
        eligible = {earlier: gamma * trace * share for earlier, share in eligible.items()} | {k: 1.0}
        following = 0.0
        if k + 1 < len(steps):
            row_after = table[steps[k + 1].seen]
            following = max(row_after.values()) if cut else row_after[steps[k + 1].taken]
        delta = rewards[k] + gamma * following - row[step.taken]
        for earlier, share in eligible.items():
            change[earlier] += alpha * share * delta
    for k, amount in change.items():
        table[steps[k].seen][steps[k].taken] += amount


V = defaultdict[Hashable, float]


def document_v(table: V, episode: Episode, alpha: float) -> None:
    """Row A-67, in the order of the Javascript."""
    reward = episode.end
    for step in reversed(episode.steps):
        table[step.after] = reward = table[step.after] + alpha * (reward - table[step.after])


def td_lambda(table: V, episode: Episode, alpha: float, gamma: float, trace: float) -> None:
    """Sutton's TD(lambda), what it gives added at the end."""
    steps, rewards = episode.steps, episode.rewards()
    eligible: dict[int, float] = {}
    change: dict[int, float] = defaultdict(float)
    for k, step in enumerate(steps):
        eligible = {earlier: gamma * trace * share for earlier, share in eligible.items()} | {k: 1.0}
        following = table[steps[k + 1].after] if k + 1 < len(steps) else 0.0
        for earlier, share in eligible.items():
            change[earlier] += alpha * share * (rewards[k] + gamma * following - table[step.after])
    for k, amount in change.items():
        table[steps[k].after] += amount


def mean_scores(scores: defaultdict[tuple[Hashable, str], list[float]], episode: Episode) -> None:
    """Row A-77: every score is kept; a mean counts one more game, of score 0."""
    for k, step in enumerate(episode.steps):
        scores[step.seen, step.taken].append(sum(episode.rewards()[k:]))


# ------------------------------------------------------------------------------------------
# matchboxes


def images(board: str, cell: int, size: int = 3) -> list[tuple[str, int]]:
    """A square board and a cell of it, turned and mirrored in all eight ways."""
    found = []
    for mirror in (False, True):
        for quarter in range(4):
            place = []
            for row in range(size):
                for column in range(size):
                    r, c = row, size - 1 - column if mirror else column
                    for _turn in range(quarter):
                        r, c = c, size - 1 - r
                    place.append(r * size + c)
            turned = ["."] * (size * size)
            for here, there in enumerate(place):
                turned[there] = board[here]
            found.append(("".join(turned), place[cell]))
    return found


def colour(board: str, cell: int) -> tuple[str, int]:
    """One of all the images of a move, always the same."""
    return min(images(board, cell))


@dataclass
class Menace:
    """Boxes of tic-tac-toe: beads by the colour of a move."""

    first: tuple[int, ...]
    win: int
    draw: int
    loss: int
    last_only: bool = False
    cascade: bool = False
    boxes: dict[str, dict[tuple[str, int], int]] = field(default_factory=dict)

    def box(self, board: str, stage: int) -> dict[tuple[str, int], int]:
        name = min(image for image, _cell in images(board, 0))
        if name not in self.boxes:
            beads = self.first[min(stage, len(self.first) - 1)]
            self.boxes[name] = {colour(board, int(cell)): beads for cell in Mnk().moves(board)}
        return self.boxes[name]

    def learn(self, names: list[str], player: int, worth: int) -> None:
        """One game; where it ended before somebody's move, that player has resigned."""
        rules, s = Mnk(), Mnk().start
        used: list[tuple[dict[tuple[str, int], int], tuple[str, int]]] = []
        for name in names:
            if rules.mover(s) == player and len(rules.moves(s)) > 1:
                used.append((self.box(s, len(used)), colour(s, int(name))))
            s = rules.play(s, name)
        if rules.result(s) is None:
            self.box(s, len(used))  # it was opened, and empty
        while used:
            box, bead = used.pop()
            box[bead] = max(0, box[bead] + (self.win if worth > 0 else self.loss if worth < 0 else self.draw))
            if worth < 0 and self.last_only and not (self.cascade and sum(box.values()) == 0):
                break
