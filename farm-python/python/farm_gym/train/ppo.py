"""Proximal policy optimisation on the native vector environment, in one file that is easy to read and change.

The algorithm follows Schulman et al. (2017), arXiv:1707.06347, with generalised advantage estimation (Schulman et al. 2016,
arXiv:1506.02438) and the details from CleanRL (Huang et al. 2022). It adds:

* Actions that would not be executed now are masked: they have probability 0.
* The initial policy waits more often than it acts (``idle_bias``), because a policy that acts at random every day only learns that a farm
  costs money.
* Environments may have nothing to decide (:class:`farm_gym.wrappers.VectorPassDays`): the learner skips such steps, and their rewards
  count for the previous decision, discounted by day.
* The learner draws training seeds from ``2 ** 40`` upwards, so that all lower seeds are unseen.
* You can save and load the whole state of a training run: on one PyTorch thread, an interrupted run resumes bit for bit.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import torch
from gymnasium.vector import AutoresetMode
from torch import nn
from torch.distributions import Categorical

from farm_gym.errors import ConfigError
from farm_gym.wrappers.batches import farms_of

__all__ = ["Agent", "Moments", "Rollout", "Settings", "Training", "advantages"]

#: The first training seed; evaluations use lower seeds.
FIRST_TRAINING_SEED = 2**40


@dataclass(frozen=True)
class Settings:
    """Hyper-parameters."""

    #: Total number of steps in all environments.
    steps: int = 1_000_000
    envs: int = 64
    #: Steps in each environment between two updates.
    rollout: int = 128
    epochs: int = 4
    minibatches: int = 4
    #: Discount per step in the game.
    gamma: float = 0.999
    gae_lambda: float = 0.95
    clip: float = 0.2
    learning_rate: float = 3e-4
    #: Whether the learning rate falls to 0 by the last step.
    anneal: bool = True
    entropy: float = 0.01
    #: Entropy weight at the end, reached linearly; None keeps the weight constant.
    entropy_end: float | None = None
    value_weight: float = 0.5
    max_gradient: float = 0.5
    #: Width and number of the hidden layers.
    width: int = 64
    layers: int = 2
    #: Added to the initial logit of doing nothing: 3 makes it 20 times as probable as any other action.
    idle_bias: float = 0.0
    normalise_observations: bool = True
    normalise_rewards: bool = True


class Moments:
    """Running mean and variance of rows (Chan, Golub and LeVeque 1983)."""

    def __init__(self, width: int) -> None:
        self.mean = np.zeros(width)
        self.variance = np.ones(width)
        self.count = 1e-4

    def add(self, rows: npt.NDArray[Any]) -> None:
        """Updates mean and variance with rows of shape ``(count, width)``."""
        mean, variance, count = rows.mean(axis=0, dtype=np.float64), rows.var(axis=0, dtype=np.float64), len(rows)
        shift, total = mean - self.mean, self.count + count
        squares = self.variance * self.count + variance * count + shift**2 * self.count * count / total
        self.mean, self.variance, self.count = self.mean + shift * count / total, squares / total, total

    def normalised(self, rows: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """Rows scaled to mean 0 and variance 1, clipped at 10 standard deviations."""
        scaled = (rows - self.mean) / np.sqrt(self.variance + 1e-12)
        return np.clip(scaled, -10.0, 10.0).astype(np.float32)


def _network(inputs: int, settings: Settings, outputs: int, gain: float) -> nn.Sequential:
    """Linear layers with tanh between them, with orthogonal initial weights."""
    sizes = [inputs] + [settings.width] * settings.layers
    parts: list[nn.Module] = []
    for before, after in itertools.pairwise(sizes):
        parts += [_linear(before, after, 2.0**0.5), nn.Tanh()]
    return nn.Sequential(*parts, _linear(sizes[-1], outputs, gain))


def _linear(inputs: int, outputs: int, gain: float) -> nn.Linear:
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


class Agent(nn.Module):  # type: ignore[misc,unused-ignore]  # of no known type where PyTorch is missing
    """The networks for action probabilities and values."""

    def __init__(self, inputs: int, actions: int, idle: int, settings: Settings) -> None:
        super().__init__()
        self.policy = _network(inputs, settings, actions, 0.01)
        self.value = _network(inputs, settings, 1, 1.0)
        last = self.policy[-1]
        assert isinstance(last, nn.Linear)
        with torch.no_grad():
            last.bias[idle] += settings.idle_bias

    def choices(self, seen: torch.Tensor, masks: torch.Tensor) -> Categorical:
        """The distribution over actions; masked ones have probability 0."""
        logits = self.policy(seen).masked_fill(~masks, -1e9)
        return Categorical(logits=logits, validate_args=False)

    def forward(self, seen: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """The distribution over actions, and the values."""
        return self.choices(seen, masks), self.value(seen).squeeze(-1)


@dataclass
class Rollout:
    """The data from a rollout: tensors of shape (steps, environments, …). `values` has one more step, for the final observation."""

    seen: torch.Tensor
    masks: torch.Tensor
    actions: torch.Tensor
    log_probabilities: torch.Tensor
    rewards: torch.Tensor
    values: torch.Tensor
    #: Whether the step ended an episode. If the episode was truncated, the reward includes the expected remaining return.
    ended: torch.Tensor
    #: Whether the action was taken; otherwise a day passed.
    decided: torch.Tensor


def advantages(rollout: Rollout, gamma: float, gae_lambda: float) -> torch.Tensor:
    """Generalised advantage estimates, with shape (steps, environments); 0 if there was nothing to decide.

    On a skipped day, the value is the reward plus the discounted value of the next day, so that an estimate reaches from decision to
    decision.
    """
    estimates = torch.zeros_like(rollout.rewards)
    following, value = torch.zeros_like(rollout.rewards[0]), rollout.values[-1]
    for step in reversed(range(len(rollout.rewards))):
        live = (~rollout.ended[step]).float() * gamma
        target, decided = rollout.rewards[step] + live * value, rollout.decided[step]
        estimate = target - rollout.values[step] + gae_lambda * live * following
        estimates[step] = torch.where(decided, estimate, 0.0)
        # A skipped day adds no smoothing: the estimate of the previous decision passes through it.
        following = torch.where(decided, estimate, live * following)
        value = torch.where(decided, rollout.values[step], target)
    return estimates


class Training:
    """Trains an agent.

    Args:
        envs: A vector environment with discrete actions, vectors as observations (:class:`farm_gym.wrappers.VectorFlatObservations`), masks
            and the autoreset mode ``DISABLED``.
        settings: Hyper-parameters.
        seed: Seed for the initial weights, the actions and the episodes.

    Raises:
        ConfigError: The environment lacks one of these properties.
    """

    def __init__(self, envs: gymnasium.vector.VectorEnv[Any, Any, Any], settings: Settings, seed: int = 0) -> None:
        farms, actions = farms_of(envs), envs.single_action_space
        if farms.autoreset_mode != AutoresetMode.DISABLED or not isinstance(actions, gymnasium.spaces.Discrete):
            raise ConfigError(f"{envs} must be made with `autoreset_mode='Disabled'` and `actions='discrete'`")
        shape = envs.single_observation_space.shape
        if shape is None or len(shape) != 1:
            raise ConfigError(f"the observations are not vectors: wrap {envs} in `farm_gym.wrappers.VectorFlatObservations`")
        self.envs, self.settings, self.seed = envs, settings, seed
        self.random = np.random.default_rng(seed)
        torch.manual_seed(seed)
        self.agent = Agent(shape[0], int(actions.n), farms.game.idle, settings)
        self.optimiser = torch.optim.Adam(self.agent.parameters(), lr=settings.learning_rate, eps=1e-5)
        self.moments, self.return_moments = Moments(shape[0]), Moments(1)
        self.steps = 0
        #: Each environment's discounted return so far, and the game's return so far.
        self.discounted, self.running = np.zeros(envs.num_envs), np.zeros(envs.num_envs)
        #: The returns of the most recent episodes, and the total number of episodes that have ended.
        self.returns: list[float] = []
        self.episodes = 0
        self.figures: dict[str, float] = {}
        self._see(*envs.reset(seed=self._seeds()))  # type: ignore[arg-type]  # narrower in Gymnasium

    def _seeds(self) -> list[int]:
        return [int(seed) for seed in self.random.integers(FIRST_TRAINING_SEED, 2**63, size=self.envs.num_envs)]

    def _see(self, observations: Any, info: dict[str, Any]) -> None:
        """Stores the observations, the possible actions, and which environments have something to decide."""
        self.raw, self.masks = observations, np.asarray(info["action_mask"], np.bool_)
        self.decides = np.asarray(info.get("decides", np.ones(len(observations), np.bool_)))

    def _tensor(self, observations: npt.NDArray[np.float32]) -> torch.Tensor:
        rows = self.moments.normalised(observations) if self.settings.normalise_observations else observations
        return torch.as_tensor(rows)

    @torch.no_grad()  # type: ignore[misc,untyped-decorator,unused-ignore]
    def collect(self) -> Rollout:
        """Takes the steps of one rollout."""
        settings, count = self.settings, self.envs.num_envs
        columns: dict[str, list[torch.Tensor]] = {name: [] for name in Rollout.__dataclass_fields__}
        for _ in range(settings.rollout):
            if settings.normalise_observations:
                self.moments.add(self.raw)
            seen, masks, decided = self._tensor(self.raw), torch.as_tensor(self.masks), self.decides
            choices, values = self.agent(seen, masks)
            actions = choices.sample()
            observations, rewards, terminated, truncated, info = self.envs.step(actions.numpy())
            self.running += info.get("reward", rewards)
            rewards = self._scaled(rewards, terminated | truncated)
            if truncated.any():
                # The missing rest of a truncated episode counts with its expected value.
                expected = self.agent.value(self._tensor(observations)).squeeze(-1).numpy()
                rewards = rewards + settings.gamma * np.where(truncated, expected, 0.0)
            ended = terminated | truncated
            scaled = torch.as_tensor(rewards, dtype=torch.float32)
            row = (seen, masks, actions, choices.log_prob(actions), scaled, values, torch.as_tensor(ended), torch.as_tensor(decided))
            for column, value in zip(columns.values(), row, strict=True):
                column.append(value)
            self._see(observations, info)
            if ended.any():
                self.returns = (self.returns + self.running[ended].tolist())[-100:]
                self.episodes += int(ended.sum())
                self.running[ended] = 0.0
                self._see(*self.envs.reset(seed=self._seeds(), options={"reset_mask": ended}))  # type: ignore[arg-type]
        columns["values"].append(self.agent.value(self._tensor(self.raw)).squeeze(-1))
        self.steps += settings.rollout * count
        return Rollout(**{name: torch.stack(column) for name, column in columns.items()})

    def _scaled(self, rewards: npt.NDArray[np.float64], ended: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        """Rewards divided by the standard deviation of the discounted return."""
        if not self.settings.normalise_rewards:
            return rewards
        self.discounted = self.discounted * self.settings.gamma + rewards
        self.return_moments.add(self.discounted[:, None])
        self.discounted = np.where(ended, 0.0, self.discounted)
        scaled: npt.NDArray[np.float64] = np.clip(rewards / np.sqrt(self.return_moments.variance[0] + 1e-8), -10.0, 10.0)
        return scaled

    def learn(self, rollout: Rollout) -> None:
        """Updates the agent with one rollout."""
        settings = self.settings
        left = max(0.0, 1.0 - self.steps / settings.steps)
        if settings.anneal:
            self.optimiser.param_groups[0]["lr"] = settings.learning_rate * left
        last = settings.entropy if settings.entropy_end is None else settings.entropy_end
        entropy_weight = last + (settings.entropy - last) * left
        estimates = advantages(rollout, settings.gamma, settings.gae_lambda)
        targets = estimates + rollout.values[:-1]
        valid = rollout.decided.reshape(-1)
        columns = (rollout.seen, rollout.masks, rollout.actions, rollout.log_probabilities, estimates, targets)
        seen, masks, actions, before, gains, targets = (column.flatten(0, 1)[valid] for column in columns)
        for _ in range(settings.epochs):
            for rows in torch.randperm(len(seen)).chunk(settings.minibatches):
                choices, values = self.agent(seen[rows], masks[rows])
                change = choices.log_prob(actions[rows]) - before[rows]
                ratio = change.exp()
                gain = (gains[rows] - gains[rows].mean()) / (gains[rows].std() + 1e-8)
                improvement = torch.minimum(ratio * gain, ratio.clamp(1 - settings.clip, 1 + settings.clip) * gain).mean()
                value_loss = 0.5 * (values - targets[rows]).square().mean()
                entropy = choices.entropy().mean()
                loss = settings.value_weight * value_loss - improvement - entropy_weight * entropy
                self.optimiser.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call,unused-ignore]
                nn.utils.clip_grad_norm_(self.agent.parameters(), settings.max_gradient)
                self.optimiser.step()
        divergence = float(((ratio - 1) - change).detach().mean())
        self.figures = {"value_loss": float(value_loss.detach()), "entropy": float(entropy.detach()), "divergence": divergence}

    def learn_from(self, other: Training) -> None:
        """Copies the networks and the observation normalisation from another training run.

        Raises:
            RuntimeError: The other run's networks have different sizes.
        """
        self.agent.load_state_dict(other.agent.state_dict())
        vars(self.moments).update(vars(other.moments))

    def run(self, see: Callable[[Training], None] = lambda training: None) -> None:
        """Collects and learns until all steps are taken, and calls ``see`` after each update."""
        while self.steps < self.settings.steps:
            self.learn(self.collect())
            see(self)

    @property
    def game_fingerprint(self) -> int:
        """The game's fingerprint."""
        return farms_of(self.envs).game.fingerprint

    @torch.no_grad()  # type: ignore[misc,untyped-decorator,unused-ignore]
    def probabilities(self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        """The action probabilities, with shape (observations, actions); each row sums to 1."""
        logits = self.agent.choices(self._tensor(observations), torch.as_tensor(masks)).logits.double()
        probabilities: npt.NDArray[np.float64] = torch.softmax(logits, -1).numpy()
        return probabilities

    @torch.no_grad()  # type: ignore[misc,untyped-decorator,unused-ignore]
    def decide(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_], greedy: bool, generator: torch.Generator
    ) -> npt.NDArray[np.int64]:
        """The current agent's actions, greedy or sampled."""
        probabilities = self.agent.choices(self._tensor(observations), torch.as_tensor(masks)).probs
        drawn = probabilities.argmax(-1) if greedy else torch.multinomial(probabilities, 1, generator=generator).squeeze(-1)
        actions: npt.NDArray[np.int64] = drawn.numpy()
        return actions

    def _wrappers(self) -> list[Any]:
        """The wrappers that store data for each episode, from the outermost one inwards."""
        found, env = [], self.envs
        while env is not env.unwrapped:
            if hasattr(type(env), "load_state"):
                found.append(env)
            env = env.env  # type: ignore[attr-defined,unused-ignore]
        return found

    def state(self) -> dict[str, Any]:
        """The state that :meth:`load_state` needs to resume bit for bit."""
        farms = farms_of(self.envs)
        kept = {name: getattr(self, name) for name in _KEPT}
        return {
            "kept": kept,
            "moments": [vars(one) for one in (self.moments, self.return_moments)],
            "agent": self.agent.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "random": (self.random.bit_generator.state, torch.get_rng_state()),
            "farms": [farms.snapshot(i) for i in range(farms.num_envs)],
            "wrappers": [wrapper.state() for wrapper in self._wrappers()],
        }

    def load_state(self, state: dict[str, Any]) -> None:
        """Restores the state of a training run with the same environments and settings."""
        for name, value in state["kept"].items():
            setattr(self, name, value)
        for one, values in zip((self.moments, self.return_moments), state["moments"], strict=True):
            vars(one).update(values)
        self.agent.load_state_dict(state["agent"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.random.bit_generator.state, random = state["random"]
        torch.set_rng_state(random)
        farms = farms_of(self.envs)
        for i, snapshot in enumerate(state["farms"]):
            farms.restore(i, snapshot)
        for wrapper, values in zip(self._wrappers(), state["wrappers"], strict=True):
            wrapper.load_state(values)


#: The attributes that the state of a training run contains, besides networks, random numbers and environments.
_KEPT = ("steps", "episodes", "returns", "discounted", "running", "raw", "masks", "decides")
