"""Games as native environments of PufferLib 3: one object with many agents, in buffers shared with the trainer.

>>> from farm_gym.pufferlib import FarmPufferEnv
>>> env = FarmPufferEnv("backwards_valley", num_envs=4, num_threads=1)
>>> observations, infos = env.reset(seed=0)
>>> observations.shape, observations.dtype.name
((4, 60), 'uint8')
>>> env.unflatten(observations)["grid"].shape
(4, 5, 5, 2)

PufferLib is not required: without it, the class implements the same protocol on its own. If PufferLib is installed, :class:`FarmPufferEnv`
is a ``pufferlib.PufferEnv``, as ``pufferlib.vector.make`` requires.

The module supports PufferLib 3 (packages ``pufferlib`` and ``pufferlib-core``; tested with 3.0). If another version is installed, importing
this module raises an ``ImportError``.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from farm_gym import _native
from farm_gym.errors import ConfigError
from farm_gym.game import EnvArguments, record_dtype
from farm_gym.signatures import Unpack, keywords_of
from farm_gym.vector import FarmVectorEnv

__all__ = ["FarmPufferEnv", "Unflatten"]

Result = tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_], list[dict[str, Any]]]


class _Protocol:
    """A substitute for PufferLib's base class: buffers, batched spaces, and asynchronous calls built on the synchronous ones."""

    single_observation_space: gymnasium.spaces.Box
    single_action_space: gymnasium.Space[Any]
    num_agents: int
    observations: npt.NDArray[np.uint8]
    actions: npt.NDArray[Any]
    rewards: npt.NDArray[np.float32]
    terminals: npt.NDArray[np.bool_]
    truncations: npt.NDArray[np.bool_]
    masks: npt.NDArray[np.bool_]

    emulated = False
    done = False

    def __init__(self, buf: Mapping[str, npt.NDArray[Any]] | None = None) -> None:
        count = self.num_agents
        if buf is None:
            self.observations = np.zeros((count, *self.single_observation_space.shape), np.uint8)
            self.actions = np.zeros((count, *(self.single_action_space.shape or ())), np.int32)
            self.rewards = np.zeros(count, np.float32)
            self.terminals = np.zeros(count, np.bool_)
            self.truncations = np.zeros(count, np.bool_)
            self.masks = np.ones(count, np.bool_)
        else:
            for name in ("observations", "actions", "rewards", "terminals", "truncations", "masks"):
                setattr(self, name, buf[name])
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, count)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, count)
        self.agent_ids = np.arange(count)
        self.infos: list[dict[str, Any]] = []

    @property
    def driver_env(self) -> Any:
        return self

    @property
    def agents_per_batch(self) -> int:
        return self.num_agents

    def async_reset(self, seed: int | None = None) -> None:
        _, self.infos = self.reset(seed)

    def send(self, actions: npt.ArrayLike) -> None:
        *_, self.infos = self.step(actions)

    def recv(self) -> tuple[Any, ...]:
        shared = (self.observations, self.rewards, self.terminals, self.truncations)
        return (*shared, self.infos, self.agent_ids, self.masks)

    def reset(self, seed: int | None = None) -> tuple[npt.NDArray[np.uint8], list[dict[str, Any]]]:
        raise NotImplementedError

    def step(self, actions: npt.ArrayLike) -> Result:
        raise NotImplementedError


#: The major version of PufferLib that this module supports.
_FITS = 3


def _base() -> type[Any]:
    """PufferLib's base class for native environments, or a substitute if PufferLib is not installed."""
    # Searches instead of trying the import, so that a broken installation reports its own error.
    if importlib.util.find_spec("pufferlib") is None:
        return _Protocol
    # Checked before the import, because dependencies of another version may be missing.
    version = _version()
    if version is not None and version.split(".")[0] != str(_FITS):
        raise ImportError(
            f"farm_gym.pufferlib fits PufferLib {_FITS}, and PufferLib {version} is installed;"
            f" help: pip install 'pufferlib>={_FITS},<{_FITS + 1}', or 'pufferlib-core>={_FITS},<{_FITS + 1}'"
        )
    base: type[Any] | None = getattr(importlib.import_module("pufferlib"), "PufferEnv", None)
    if base is None:
        raise ImportError(f"farm_gym.pufferlib needs the class `PufferEnv` of PufferLib {_FITS}, which the installed one lacks")
    return base


def _version() -> str | None:
    """The version of the installed PufferLib; None if PufferLib was not installed as a package."""
    for name in ("pufferlib", "pufferlib-core"):
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return None


if TYPE_CHECKING:
    _Base = _Protocol
else:
    _Base = _base()


class FarmPufferEnv(_Base):
    """Many environments of one game, each of which is a PufferLib agent.

    An observation consists of the bytes in its record: ``single_observation_space`` is ``Box(0, 255, (size,), uint8)``, and
    :attr:`unflatten` restores the entries. An action is an id in the flat list (``Discrete``), or one id for each slot of a schedule
    (``MultiDiscrete``).

    :meth:`reset` and :meth:`step` write into the buffers ``observations`` (uint8, shape ``(num_agents, size)``), ``rewards``
    (float32), ``terminals``, ``truncations`` and ``masks`` (bool, each of shape ``(num_agents,)``), and return them. When an episode
    ends, the next one starts in the same step. The reward and the end flags then belong to the old episode, and the observation belongs to
    the new one. ``masks`` marks the active agents, and all agents are always active. :meth:`action_masks` marks the actions that would be
    executed.

    ``infos`` is a list, which is usually empty. After a step in which episodes ended, it has one dictionary. The entries ``episode_return``
    and ``episode_length`` (in steps) then have one number for each of these episodes.

    Args:
        game, preset, level, set, overrides: The game, as for :func:`farm_gym.make`.
        num_envs: Number of environments, each of which is an agent.
        num_threads: Number of threads; None means one per CPU core. The default is 1, because each PufferLib worker has one core.
        actions: ``"discrete"``, ``"multi_discrete"`` or ``"auto"``, as for :class:`farm_gym.FarmVectorEnv`.
        buf: The buffers by name, as PufferLib's vectorisation backends pass them; None allocates new buffers.
        seed: Seed for the first reset, unless that call sets one.

    Raises:
        ConfigError: The game or the arguments have problems, for example buffers with wrong shapes; the message lists all of them.
    """

    @keywords_of(FarmVectorEnv)
    def __init__(
        self,
        game: str | os.PathLike[str] | _native.Game,
        num_envs: int = 1,
        *,
        num_threads: int | None = 1,
        buf: Any = None,
        seed: int | None = None,
        **arguments: Unpack[EnvArguments],
    ) -> None:
        mode = AutoresetMode.SAME_STEP
        self.envs = FarmVectorEnv(game, num_envs, num_threads=num_threads, autoreset_mode=mode, copy=False, **arguments)
        self.num_agents = num_envs
        self.unflatten = Unflatten(self.envs.game)
        self._bytes = self.envs.records.view(np.uint8).reshape(num_envs, -1)
        self.single_observation_space = gymnasium.spaces.Box(0, 255, self._bytes.shape[1:], np.uint8)
        self.single_action_space = self.envs.single_action_space
        super().__init__(buf)
        if self.observations.shape != self._bytes.shape:
            raise ConfigError(f"the buffer of observations is {self.observations.shape}, {self._bytes.shape} is needed")
        self.masks[:] = True
        self._seed = seed
        self._returns, self._lengths = np.zeros(num_envs), np.zeros(num_envs, np.int64)

    def reset(self, seed: int | None = None) -> tuple[npt.NDArray[np.uint8], list[dict[str, Any]]]:
        """Starts an episode in every environment.

        Args:
            seed: A seed of at least 0. The agents' episodes have the seeds
                ``numpy.random.SeedSequence(seed).generate_state(num_agents, numpy.uint64)``, so that objects with consecutive seeds share
                no episode. None continues the sequence of seeds; at the first reset, it draws seeds.

        Returns:
            The observation buffer, and an empty list of infos.
        """
        seed, self._seed = self._seed if seed is None else seed, None
        drawn = None if seed is None else np.random.SeedSequence(seed).generate_state(self.num_agents, np.uint64).tolist()
        self.envs.reset(seed=drawn)
        self.observations[:] = self._bytes
        for buffer in (self.rewards, self.terminals, self.truncations, self._returns, self._lengths):
            buffer[:] = 0
        return self.observations, []

    def step(self, actions: npt.ArrayLike) -> Result:
        """Takes a step in every environment.

        Args:
            actions: Integers of shape ``(num_agents,)``, or ``(num_agents, slots)``.

        Returns:
            The buffers of observations, rewards, terminals and truncations, and infos.

        Raises:
            ActionError: The actions have the wrong shape, or an id does not exist; nothing was stepped.
        """
        self.envs._step_native(self.envs._ids(actions))
        if self.envs._monitor is not None:
            self.envs._monitor.record(self.envs)
        arrays = self.envs._arrays
        rewards, terminals, truncations = arrays["rewards"], arrays["terminations"], arrays["truncations"]
        self.actions[:] = actions
        self.observations[:] = self._bytes
        self.rewards[:], self.terminals[:], self.truncations[:] = rewards, terminals, truncations
        self._returns += rewards
        self._lengths += 1
        over = terminals | truncations
        infos: list[dict[str, Any]] = []
        if over.any():
            infos = [{"episode_return": self._returns[over].tolist(), "episode_length": self._lengths[over].tolist()}]
            self._returns[over], self._lengths[over] = 0, 0
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Marks the actions in the flat list that would be executed now, as booleans of shape ``(num_agents, actions)``."""
        return self.envs.action_masks()

    def close(self) -> None:
        """Does nothing, because environments have no resources to release."""
        self.envs.close()


class Unflatten:
    """Restores the entries of observations from their bytes. It can be pickled and sent to workers.

    >>> from farm_gym.pufferlib import FarmPufferEnv
    >>> env = FarmPufferEnv("valley_farm", num_envs=2)
    >>> entries = env.unflatten(env.reset(seed=0)[0])
    >>> entries["inventory"].shape, entries["inventory"].dtype.name
    ((2, 7), 'float32')
    """

    def __init__(self, game: _native.Game) -> None:
        dtype = record_dtype(game)
        self.size = dtype.itemsize
        self.entries: dict[str, tuple[np.dtype[Any], tuple[int, ...], int]] = {}
        for key in dtype.names or ():
            field, offset = dtype.fields[key][:2]  # type: ignore[index]
            base, shape = field.subdtype or (field, ())
            self.entries[key] = (base, shape, offset)

    def __call__(self, observations: Any) -> dict[str, Any]:
        """The entries of observations.

        Args:
            observations: Bytes of shape ``(..., size)``: a NumPy array or a PyTorch tensor, of type uint8.

        Returns:
            A dictionary of arrays or tensors, like the argument. Each value has the type of its entry and the shape ``(..., *shape)``.
            Entries from a contiguous NumPy array are views into it.

        Raises:
            ConfigError: The observations have a different type or size.
        """
        is_array = isinstance(observations, np.ndarray)
        kind, size = str(observations.dtype).removeprefix("torch."), observations.shape[-1] if observations.shape else 0
        if kind != "uint8" or size != self.size:
            found = f"{kind} of shape {tuple(observations.shape)}"
            raise ConfigError(f"the observations are {found}, but uint8 of shape (..., {self.size}) is needed")
        batch = tuple(observations.shape[:-1])
        entries = {}
        for key, (dtype, shape, offset) in self.entries.items():
            part = observations[..., offset : offset + dtype.itemsize * int(np.prod(shape, dtype=np.int64))]
            if is_array:
                entries[key] = part.view(dtype).reshape(*batch, *shape)
            else:
                entries[key] = _tensor(part, dtype).reshape(*batch, *shape)
        return entries


def _tensor(part: Any, dtype: np.dtype[Any]) -> Any:
    """Converts bytes to a tensor of another type. The bytes are copied, because PyTorch needs them aligned."""
    torch = importlib.import_module("torch")
    return part.clone(memory_format=torch.contiguous_format).view(getattr(torch, dtype.name))
