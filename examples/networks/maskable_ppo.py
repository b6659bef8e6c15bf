"""MaskablePPO of sb3-contrib learns a game against an agent of damier that plays in the same compiled
call as many games at once, and is graded exactly.

    pip install sb3-contrib
    python examples/networks/maskable_ppo.py hexapawn --opponent random --out hexapawn_ppo.py
    damier grade hexapawn hexapawn_ppo.py --mistakes 3
"""

import argparse
import time

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

from damier.interop.policies import ExactGrader, linear_layers, write_agent
from damier.interop.vector import VectorGames


class DamierVecEnv(VecEnv):
    """Games of one seat against an agent, as Stable-Baselines3 wants them; what it calls terminal_observation
    is the last one of a game.
    """

    def __init__(self, game: str, size: int, opponent: str, seed: int = 0) -> None:
        self.games, self._seed = VectorGames(game, size, opponent=opponent), seed
        self.masks = np.zeros((size, self.games.game.actions), bool)
        self.render_mode = None
        shape = self.games.game.plane_layout.shape
        super().__init__(size, spaces.Box(0, 1, shape, np.float32), spaces.Discrete(self.masks.shape[1]))

    def reset(self):
        seen, masks = self.games.reset(self._seed)
        self.masks = masks.astype(bool)
        return seen.astype(np.float32)

    def step_async(self, actions) -> None:
        self._chosen = actions

    def step_wait(self):
        step = self.games.step(self._chosen)
        self.masks, ended = step.masks.astype(bool), step.terminated | step.truncated
        infos: list[dict] = [{} for _ in range(self.num_envs)]
        for number in np.flatnonzero(ended):
            infos[number] = {
                "terminal_observation": step.final_observations[number].astype(np.float32),
                "TimeLimit.truncated": bool(step.truncated[number]),
            }
        return step.observations.astype(np.float32), step.rewards.astype(np.float32), ended, infos

    def action_masks(self):
        return self.masks

    def env_method(self, method_name, *args, indices=None, **kwargs):
        return list(self.masks)

    def has_attr(self, attr_name):
        return attr_name == "action_masks"

    def get_attr(self, attr_name, indices=None):
        return [getattr(self, attr_name)] * self.num_envs

    def set_attr(self, attr_name, value, indices=None) -> None:
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class, indices=None):
        return [False] * self.num_envs

    def close(self) -> None:
        pass


class Graded(BaseCallback):
    """Grades what is learnt every so many moves, and ends where nobody can beat it."""

    def __init__(self, grader: ExactGrader, policy, every: int) -> None:
        super().__init__()
        self.grader, self.graded_policy, self.every, self.curve = grader, policy, every, []

    def _on_training_start(self) -> None:
        self.begun = time.process_time()

    def _on_step(self) -> bool:
        if self.num_timesteps < len(self.curve) * self.every:
            return True
        grade = self.grader.grade(self.graded_policy)
        self.curve.append((time.process_time() - self.begun, self.num_timesteps, grade))
        return not self.grader.is_unbeatable(grade)


def learn(game: str, opponent: str, moves: int, seed: int = 0):
    """Learns for so many moves; returns the model, the grades, what graded it, and the policy."""
    torch.set_num_threads(1)
    environment = DamierVecEnv(game, 64, opponent, seed)
    model = MaskablePPO(
        "MlpPolicy",
        environment,
        n_steps=64,
        batch_size=512,
        n_epochs=6,
        learning_rate=1e-3,
        ent_coef=0.01,
        gamma=1.0,
        seed=seed,
        policy_kwargs={"net_arch": [128, 128], "activation_fn": torch.nn.ReLU},
        device="cpu",
    )

    def scores(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            return model.policy.get_distribution(torch.from_numpy(observations)).distribution.logits.numpy()

    grader = ExactGrader(game)
    policy = grader.policy(scores)
    callback = Graded(grader, policy, max(1, moves // 16))
    model.learn(moves, callback=callback)
    return model, callback.curve, grader, policy


def modules(model: MaskablePPO) -> list[torch.nn.Module]:
    """The layers of the policy."""
    return [*model.policy.mlp_extractor.policy_net, model.policy.action_net]


def main() -> None:
    parser = argparse.ArgumentParser(description="MaskablePPO of sb3-contrib against an agent of damier")
    parser.add_argument("game", nargs="?", default="hexapawn")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--moves", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", help="the agent, a file of Python")
    chosen = parser.parse_args()
    model, curve, grader, policy = learn(chosen.game, chosen.opponent, chosen.moves, chosen.seed)
    print(grader.told(curve, policy))
    if chosen.out:
        layers = linear_layers(modules(model))
        write_agent(chosen.out, layers, f"A network of {chosen.game} that learnt by MaskablePPO.")


if __name__ == "__main__":
    main()
