"""DQN from Stable-Baselines3, and recurrent and maskable PPO from sb3-contrib."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

from farm_gym.errors import ConfigError
from farm_gym.playing import farm_of
from farm_gym.train.evaluation import Decide
from farm_gym.train.jobs import Job
from farm_gym.train.learners import Learner, check_hyperparameters, parameters_of
from farm_gym.train.ppo import FIRST_TRAINING_SEED

__all__ = ["LibraryLearner"]

#: This package's own hyper-parameters, which the libraries lack, with their defaults.
_OURS: dict[str, Any] = {"steps": 100_000, "envs": 8, "normalise_observations": True, "normalise_rewards": True}


def _classes() -> dict[str, tuple[Any, str]]:
    """The classes of the algorithms, and the policy type of each."""
    from sb3_contrib import MaskablePPO, RecurrentPPO
    from stable_baselines3 import DQN

    return {"dqn": (DQN, "MlpPolicy"), "recurrent-ppo": (RecurrentPPO, "MlpLstmPolicy"), "maskable-ppo": (MaskablePPO, "MlpPolicy")}


class LibraryLearner(Learner):
    """A learner from a library, on environments that step sequentially.

    A resumed run restores networks, optimiser and normalisation from its checkpoint, but starts new episodes. Its results therefore differ
    from those of an uninterrupted run. DQN also starts with an empty replay buffer.
    """

    def __init__(self, job: Job) -> None:
        made, kind = _classes()[job.algo]
        known = {
            name: value
            for name, value in parameters_of(made).items()
            if name not in ("policy", "env", "seed", "device", "_init_setup_model")
        }
        check_hyperparameters(job.hyperparameters, {**known, **_OURS}, made.__name__)
        self.hyperparameters = {**_OURS, **job.hyperparameters}
        chosen = {name: value for name, value in job.hyperparameters.items() if name not in _OURS}
        if job.algo == "recurrent-ppo" and job.wrappers.pass_days:
            raise ConfigError(
                "--wrapper: pass_days does not work with recurrent-ppo, because its memory would miss the skipped days: use pass_days=0"
            )
        if job.wrappers.explore_orders:
            raise ConfigError(
                f"--wrapper: explore_orders does not work with {job.algo}, which steps environments sequentially: use --algo ppo"
            )
        self.total, self.gamma = int(self.hyperparameters["steps"]), float(chosen.get("gamma", known["gamma"]))
        seeds = np.random.default_rng(job.seed).integers(FIRST_TRAINING_SEED, 2**62, size=int(self.hyperparameters["envs"]))
        singles = [Monitor(job.environment(self.gamma)) for _ in seeds]
        self.game = farm_of(singles[0]).game
        for env, seed in zip(singles, seeds, strict=True):
            # The first reset of an environment sets the generator from which later resets draw their seeds.
            env.unwrapped.np_random = np.random.default_rng(int(seed))
        envs = DummyVecEnv([lambda env=env: env for env in singles])  # type: ignore[misc,unused-ignore]
        rows, rewards = (bool(self.hyperparameters[f"normalise_{what}"]) for what in ("observations", "rewards"))
        self.normaliser = VecNormalize(envs, norm_obs=rows, norm_reward=rewards, gamma=self.gamma)
        random.seed(job.seed)
        self.model = made(kind, self.normaliser, device="cpu", seed=None, **chosen)
        torch.manual_seed(job.seed)
        self._made, self._masks, self._recurrent = made, job.algo == "maskable-ppo", job.algo == "recurrent-ppo"
        self.episodes, self.returns, self.figures, self._seed = 0, [], {}, job.seed

    @property
    def steps(self) -> int:  # type: ignore[override]
        """Number of steps taken so far."""
        return int(self.model.num_timesteps)

    def run(self, see: Callable[[], None]) -> None:
        """Learns until all steps are taken."""
        left = self.total - self.steps
        if left > 0:
            self.model.learn(left, callback=_Watch(self, see), reset_num_timesteps=self.steps == 0)

    def decide(self, greedy: bool, episodes: int) -> Decide:
        """The current policy."""
        memory: Any = None
        torch.manual_seed(self._seed)
        # DQN explores with NumPy's global generator.
        np.random.seed(self._seed)
        self.model.action_space.seed(self._seed)

        def choose(observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_], begun: npt.NDArray[np.bool_]) -> npt.NDArray[Any]:
            nonlocal memory
            seen = self.normaliser.normalize_obs(observations)
            more: dict[str, Any] = {"action_masks": masks} if self._masks else {}
            if self._recurrent:
                more = {"state": memory, "episode_start": begun}
            actions, memory = self.model.predict(seen, deterministic=greedy, **more)
            chosen: npt.NDArray[Any] = np.asarray(actions, np.int64)
            return chosen

        return choose

    def state(self, folder: Path) -> dict[str, Any]:
        """The contents of a checkpoint."""
        rows: Any = self.normaliser.obs_rms
        returns: Any = self.normaliser.ret_rms
        moments = [
            None if one is None else {"mean": np.asarray(one.mean), "var": np.asarray(one.var), "count": float(one.count)}
            for one in (rows, returns)
        ]
        parameters = self.model.get_parameters()
        kept = {"steps": self.steps, "episodes": self.episodes, "returns": list(self.returns)}
        exploration = float(getattr(self.model, "exploration_rate", 0.0))
        return {"parameters": parameters, "moments": moments, "exploration": exploration, **kept}

    def load_state(self, state: Mapping[str, Any], folder: Path) -> None:
        """Restores a checkpoint."""
        self.model.set_parameters(state["parameters"])
        self.model.num_timesteps = int(state["steps"])
        both: list[Any] = [self.normaliser.obs_rms, self.normaliser.ret_rms]
        for one, kept in zip(both, state["moments"], strict=True):
            if one is not None and kept is not None:
                one.mean, one.var, one.count = kept["mean"], kept["var"], kept["count"]
        if hasattr(self.model, "exploration_rate"):
            self.model.exploration_rate = state["exploration"]
        self.episodes, self.returns = int(state["episodes"]), list(state["returns"])


class _Watch(BaseCallback):  # type: ignore[misc,unused-ignore]
    """Counts episodes and calls back every thousand steps."""

    def __init__(self, learner: LibraryLearner, see: Callable[[], None]) -> None:
        super().__init__()
        self._learner, self._see, self._last = learner, see, 0

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            if "episode" in info:
                self._learner.returns = [*self._learner.returns, float(info["episode"]["r"])][-100:]
                self._learner.episodes += 1
        if self.num_timesteps - self._last >= 1_000:
            self._last = self.num_timesteps
            self._see()
        return True
