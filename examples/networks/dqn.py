"""A network learns a game by playing against itself, many games at once, and is graded exactly while
it learns.

    python examples/networks/dqn.py hexapawn --out hexapawn_dqn.py
    damier match hexapawn hexapawn_dqn.py perfect

Deep Q-learning for two players (negamax): a move is worth its payoff, or what the best answer of the other is
worth to him, turned round. PyTorch on one core.
"""

import argparse
import time

import numpy as np
import torch
from torch import nn

from damier.interop.policies import ExactGrader, linear_layers, write_agent
from damier.interop.vector import VectorGames

GAMES, MEMORY, BATCH, UPDATES = 256, 1 << 17, 512, 2
"""Games side by side; moves that are remembered; moves of an update; updates between two steps."""


def network(inputs: int, actions: int, hidden: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, actions)
    )


class Replay:
    """The last moves that were played: what was seen, done, gained, and seen next with what
    was legal there.
    """

    def __init__(self, inputs: int, actions: int) -> None:
        self.seen, self.next = (np.zeros((MEMORY, inputs), np.uint8) for _ in range(2))
        self.legal = np.zeros((MEMORY, actions), bool)
        self.action = np.zeros(MEMORY, np.int64)
        self.reward, self.ended = np.zeros(MEMORY, np.float32), np.zeros(MEMORY, bool)
        self.at, self.full = 0, 0

    def add(self, *columns: np.ndarray) -> None:
        places = np.arange(self.at, self.at + GAMES) % MEMORY
        held = (self.seen, self.action, self.reward, self.next, self.legal, self.ended)
        for column, values in zip(held, columns, strict=True):
            column[places] = values
        self.at, self.full = (self.at + GAMES) % MEMORY, min(MEMORY, self.full + GAMES)


def update(
    net: nn.Module, target: nn.Module, adam: torch.optim.Optimizer, replay: Replay, drawn: np.ndarray
) -> None:
    """Moves the values of some moves towards what followed from them."""
    with torch.no_grad():
        answers = target(torch.from_numpy(replay.next[drawn]).float())
        answers[torch.from_numpy(~replay.legal[drawn])] = -9.0
        best = answers.max(1).values.clamp(-1, 1)
        best[torch.from_numpy(replay.ended[drawn])] = 0.0
        worth = torch.from_numpy(replay.reward[drawn]) - best
    values = net(torch.from_numpy(replay.seen[drawn]).float())
    chosen = values.gather(1, torch.from_numpy(replay.action[drawn])[:, None])[:, 0]
    loss = nn.functional.mse_loss(chosen, worth)
    adam.zero_grad()
    loss.backward()
    adam.step()


def learn(game: str, seconds: float, seed: int = 0, hidden: int = 128, every: int = 51_200):
    """Learns for so many CPU seconds, or until nobody can beat it, and is graded after every
    so many moves; returns the network, for each grade the seconds, the moves and the grade, and what graded
    it.
    """
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    games = VectorGames(game, GAMES)
    seen, legal = games.reset(seed)
    inputs, actions = seen[0].size, legal.shape[1]
    net, target = network(inputs, actions, hidden), network(inputs, actions, hidden)
    target.load_state_dict(net.state_dict())
    adam, replay = torch.optim.Adam(net.parameters(), 1e-3), Replay(inputs, actions)

    def scores(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            return net(torch.from_numpy(observations.reshape(len(observations), -1)).float()).numpy()

    grader = ExactGrader(game)
    policy = grader.policy(scores)
    curve, moves, updates, begun = [], 0, 0, time.process_time()
    while True:
        if moves % every == 0:
            grade, spent = grader.grade(policy), time.process_time() - begun
            curve.append((spent, moves, grade))
            if grader.is_unbeatable(grade) or spent >= seconds:
                return net, curve, grader, policy
        action = games.random_actions()
        values = np.where(legal, scores(seen, legal), -9.0)
        greedy = rng.random(GAMES) > max(0.1, 1 - moves / 200_000)
        action[greedy] = values.argmax(1)[greedy]
        turn = games.turn.copy()
        step = games.step(action)
        replay.add(
            seen.reshape(GAMES, -1),
            action,
            step.rewards[np.arange(GAMES), turn],
            step.observations.reshape(GAMES, -1),
            step.masks,
            step.terminated | step.truncated,
        )
        seen, legal, moves = step.observations, step.masks, moves + GAMES
        for _update in range(UPDATES if replay.full >= 4096 else 0):
            update(net, target, adam, replay, rng.integers(replay.full, size=BATCH))
            updates += 1
            if updates % 200 == 0:
                target.load_state_dict(net.state_dict())


def main() -> None:
    parser = argparse.ArgumentParser(description="deep Q-learning in PyTorch")
    parser.add_argument("game", nargs="?", default="tictactoe")
    parser.add_argument("--seconds", type=float, default=120, help="CPU seconds at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", help="the agent, a file of Python")
    chosen = parser.parse_args()
    net, curve, grader, policy = learn(chosen.game, chosen.seconds, chosen.seed)
    print(grader.told(curve, policy))
    if chosen.out:
        layers = linear_layers(net)
        write_agent(chosen.out, layers, f"A network of {chosen.game} that learnt by deep Q-learning.")


if __name__ == "__main__":
    main()
