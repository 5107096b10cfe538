"""Proximal policy optimisation on a vector environment, in one short file.

The algorithm is that of Schulman et al. (2017), arXiv:1707.06347, with generalised advantage estimation (Schulman et al. 2016,
arXiv:1506.02438).

The environments start anew in the step after an episode's end (Gymnasium's mode NEXT_STEP): that step ignores its action, and
its observation is the first of the next episode. It is no experience, and is left out of the losses. Where an episode was cut
off by its step limit, its last observation still has a value, which the advantage estimate uses; where it came to its end,
nothing follows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import farm_gym
import gymnasium
import numpy as np
import numpy.typing as npt
import torch
from gymnasium.vector import AutoresetMode
from torch import nn
from torch.distributions import Categorical


def vectors(space: gymnasium.spaces.Dict, observations: dict[str, npt.NDArray[Any]]) -> torch.Tensor:
    """Batched observations as rows of numbers between -1 and 1: numbers by their largest magnitude, categories by their count."""
    rows = []
    for key, values in observations.items():
        inner = space[key]
        if isinstance(inner, gymnasium.spaces.Box):
            scale = np.maximum(np.abs(inner.low.astype(np.float64)), np.abs(inner.high.astype(np.float64)))
        elif isinstance(inner, gymnasium.spaces.Discrete):
            scale = np.array(float(inner.n))
        else:
            scale = np.broadcast_to(np.asarray(getattr(inner, "nvec", 1.0), np.float64), values.shape[1:])
        scale = np.where(np.isfinite(scale) & (scale > 0), scale, 1.0)
        rows.append((values / scale).reshape(len(values), -1))
    return torch.as_tensor(np.concatenate(rows, axis=1), dtype=torch.float32)


class Agent(nn.Module):
    """Logits of the actions and a value."""

    def __init__(self, width: int, actions: int) -> None:
        super().__init__()
        self.policy = nn.Sequential(nn.Linear(width, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, actions))
        self.value = nn.Sequential(nn.Linear(width, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1))

    def forward(self, seen: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        return Categorical(logits=self.policy(seen)), self.value(seen).squeeze(-1)


@dataclass
class Rollout:
    """What was seen and done: tensors of shape (steps, environments, …). `values` has one more step: what was seen after it."""

    seen: torch.Tensor
    actions: torch.Tensor
    log_probabilities: torch.Tensor
    rewards: torch.Tensor
    values: torch.Tensor
    terminated: torch.Tensor
    truncated: torch.Tensor
    #: Where the step began an episode instead of taking the action.
    restarted: torch.Tensor


def advantages(rollout: Rollout, discount: float, smoothing: float) -> torch.Tensor:
    """Generalised advantage estimates, shape (steps, environments); 0 where the step was none."""
    estimates = torch.zeros_like(rollout.rewards)
    following = torch.zeros_like(rollout.rewards[0])
    for step in reversed(range(len(rollout.rewards))):
        # After a terminal step nothing follows; after a truncated one the value of what was seen last, but no further estimate.
        live = (~rollout.terminated[step]).float()
        onward = (~(rollout.terminated[step] | rollout.truncated[step])).float()
        error = rollout.rewards[step] + discount * live * rollout.values[step + 1] - rollout.values[step]
        following = (error + discount * smoothing * onward * following) * (~rollout.restarted[step]).float()
        estimates[step] = following
    return estimates


@dataclass
class Training:
    """Trains an agent on a vector environment with discrete actions."""

    envs: farm_gym.FarmVectorEnv
    seed: int = 0
    steps: int = 128
    epochs: int = 4
    batches: int = 4
    discount: float = 0.99
    smoothing: float = 0.95
    clip: float = 0.2
    learning_rate: float = 1e-3
    entropy_weight: float = 0.01
    value_weight: float = 0.5
    #: Return and length of each episode that ended.
    returns: list[float] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    #: Steps of environments that took an action.
    experience: int = 0

    def __post_init__(self) -> None:
        assert self.envs.autoreset_mode == AutoresetMode.NEXT_STEP
        assert isinstance(self.envs.single_action_space, gymnasium.spaces.Discrete)
        assert isinstance(self.envs.single_observation_space, gymnasium.spaces.Dict)
        torch.manual_seed(self.seed)
        self.space = self.envs.single_observation_space
        observations, _ = self.envs.reset(seed=self.seed)
        self.now = vectors(self.space, observations)
        self.agent = Agent(self.now.shape[1], int(self.envs.single_action_space.n))
        self.optimiser = torch.optim.Adam(self.agent.parameters(), lr=self.learning_rate, eps=1e-5)
        self.ended = np.zeros(self.envs.num_envs, np.bool_)
        self.running = np.zeros(self.envs.num_envs)
        self.ages = np.zeros(self.envs.num_envs, np.int64)

    @torch.no_grad()
    def collect(self) -> Rollout:
        """Takes the steps of one rollout."""
        columns: dict[str, list[torch.Tensor]] = {name: [] for name in Rollout.__dataclass_fields__}
        for _ in range(self.steps):
            choices, values = self.agent(self.now)
            actions = choices.sample()
            observations, rewards, terminated, truncated, _ = self.envs.step(actions.numpy())
            restarted, over = self.ended, terminated | truncated
            row = (
                self.now,
                actions,
                choices.log_prob(actions),
                torch.as_tensor(rewards, dtype=torch.float32),
                values,
                torch.as_tensor(terminated),
                torch.as_tensor(truncated),
                torch.as_tensor(restarted),
            )
            for column, value in zip(columns.values(), row, strict=True):
                column.append(value)
            self.count(rewards, restarted, over)
            self.now, self.ended = vectors(self.space, observations), over
        columns["values"].append(self.agent(self.now)[1])
        return Rollout(**{name: torch.stack(column) for name, column in columns.items()})

    def count(self, rewards: npt.NDArray[np.float64], restarted: npt.NDArray[np.bool_], over: npt.NDArray[np.bool_]) -> None:
        """Keeps returns and lengths of episodes."""
        self.running += rewards
        self.ages += 1
        self.running[restarted], self.ages[restarted] = 0.0, 0
        self.experience += int((~restarted).sum())
        self.returns += self.running[over].tolist()
        self.lengths += self.ages[over].tolist()

    def learn(self, rollout: Rollout) -> None:
        """Improves the agent by one rollout."""
        estimates = advantages(rollout, self.discount, self.smoothing)
        targets = estimates + rollout.values[:-1]
        valid = (~rollout.restarted).reshape(-1)
        columns = (rollout.seen, rollout.actions, rollout.log_probabilities, estimates, targets)
        seen, actions, before, gains, targets = (column.flatten(0, 1)[valid] for column in columns)
        for _ in range(self.epochs):
            for rows in torch.randperm(len(seen)).chunk(self.batches):
                choices, values = self.agent(seen[rows])
                ratio = (choices.log_prob(actions[rows]) - before[rows]).exp()
                gain = (gains[rows] - gains[rows].mean()) / (gains[rows].std() + 1e-8)
                improvement = torch.minimum(ratio * gain, ratio.clamp(1 - self.clip, 1 + self.clip) * gain).mean()
                value_loss = (values - targets[rows]).square().mean()
                loss = self.value_weight * value_loss - improvement - self.entropy_weight * choices.entropy().mean()
                self.optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.agent.parameters(), 0.5)
                self.optimiser.step()

    def run(self, rollouts: int) -> None:
        """Collects and learns so many times."""
        for _ in range(rollouts):
            self.learn(self.collect())
