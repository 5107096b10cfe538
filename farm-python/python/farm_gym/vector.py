"""Many environments that step in one call."""

from __future__ import annotations

import operator
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from farm_gym import _native
from farm_gym.env import OPTIONS
from farm_gym.errors import ActionError, ConfigError, SlowPartWarning, StateError, not_begun
from farm_gym.game import (
    CONTEXT_SPLITS,
    INFOS,
    GameChanges,
    OfGame,
    PictureOptions,
    action_space,
    changed,
    check_choice,
    describe,
    family_of,
    observation_space,
    open_game,
    picture_options,
    record_dtype,
    seed_of_index,
    source_of,
    view_of,
    world_of,
)
from farm_gym.monitoring import VectorMonitor
from farm_gym.signatures import Unpack, keywords_of

__all__ = ["FarmVectorEnv"]

_INT64 = np.dtype(np.int64)

Observations = dict[str, npt.NDArray[Any]]
Results = tuple[Observations, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]


class FarmVectorEnv(OfGame, VectorEnv[Observations, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many environments of one game. The engine steps them in one call, across threads, with the GIL released.

    Observations are dictionaries of arrays whose first axis indexes the environments. The arrays are views into one buffer of records. With
    ``copy=True``, each step returns new arrays. With ``copy=False``, all steps return the same arrays, which the next step overwrites.

    Each entry in ``info`` is an array over the environments: ``intervention cost``, ``observation cost``, ``rejected`` (the number of
    actions that were not executed), ``cost`` (with constraints) and ``action_mask`` (with ``action_masks=True``). In ``SAME_STEP`` mode,
    ``_final_obs`` marks the episodes that ended in this step, ``final_obs`` contains their last observations, and ``final_info`` contains
    their info.

    Each environment's first episode uses the seed given to :meth:`reset`, and is identical to the episode with this seed in a single
    environment. The seeds of later episodes are derived from this seed. Episodes do not depend on the number of environments or threads.

    In a family, such as ``backwards_valley@tier=5``, each episode draws rules and map together, so that the environments play different
    members. The first episode of a member compiles it, and later ones reuse it. :attr:`members` lists the current ones.

    Args:
        game, preset, level, context, set, parts, allow_plugins, allow_outside_files, overrides: The game, as for :func:`farm_gym.make`.
            With a split as the context, environment i plays context i modulo the number of contexts.
        num_envs: Number of environments.
        num_threads: Number of threads; None means one per CPU core. Small batches use one thread. A forked child process, such as a
            ``multiprocessing`` or data-loader worker, has the same number of threads of its own.
        autoreset_mode: When a new episode starts after one has ended (``gymnasium.vector.AutoresetMode``, or its value).
        actions: ``"discrete"`` (ids in the flat list) or ``"multi_discrete"`` (one id for each slot of a schedule). ``"auto"`` is
            ``"discrete"`` if a schedule has room for only one action, otherwise ``"multi_discrete"``.
        copy: Whether each step returns new arrays.
        action_masks: Whether ``info`` includes the action masks over the flat list.
        render_mode: ``"rgb_array"`` or ``"ansi"``, the form in which :meth:`render` returns each environment.
        render_view: ``"everything"``, or ``"learner"`` for pictures of the learner's observations; None has the same meaning as for
            :func:`farm_gym.make`.
        render_options: ``size``, ``scale`` and ``legend`` of pictures, as for :func:`farm_gym.make`.
        scores: In a family, whether ``info`` contains ``score``, ``waiting``, ``best`` and ``proven`` of the episodes that ended, as arrays over
            the environments, with marks in ``_score`` and so on. In ``SAME_STEP`` mode they are in ``final_info``. A planner computes them for
            each new world, which takes longer than the episode.
        info: Must be ``"learner"``. For data that a game may conceal, such as events, use a single environment with ``info="full"``, or
            :meth:`add_monitoring`.
    """

    metadata: dict[str, Any] = {
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 10,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    # This is a class attribute, because older versions of Gymnasium also close environments whose arguments were rejected.
    _worker: ThreadPoolExecutor | None = None

    @keywords_of(open_game)
    def __init__(
        self,
        game: str | os.PathLike[str] | _native.Game,
        num_envs: int = 1,
        *,
        num_threads: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        actions: str = "auto",
        copy: bool = True,
        action_masks: bool = False,
        render_mode: str | None = None,
        render_view: str | None = None,
        render_options: PictureOptions | None = None,
        info: str = "learner",
        scores: bool = False,
        **arguments: Unpack[GameChanges],
    ) -> None:
        if num_envs < 1:
            raise ConfigError(f"num_envs is {num_envs}: at least 1 is needed")
        if num_threads is None:
            num_threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        if num_threads < 1:
            raise ConfigError(f"num_threads is {num_threads}: at least 1 is needed")
        if render_mode is not None:
            check_choice("render mode", render_mode, self.metadata["render_modes"])
        check_choice("info", info, INFOS)
        if info != "learner":
            raise ConfigError(f"a vector environment has no info {info!r}: take `farm_gym.make(…, info='full')`, or `add_monitoring`")
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            modes = ", ".join(mode.value for mode in AutoresetMode)
            raise ConfigError(f"there is no autoreset mode {autoreset_mode!r}: {modes}") from None
        self._source = source_of(game, arguments)
        self._family = family_of(game, arguments)
        if self._family is None:
            self.game = open_game(**self._source)
        else:
            self._family.check_shapes()
            self.game = self._family.shape
        if self.game.python_parts:
            slow = ", ".join(f"`{part}`" for part in self.game.python_parts)
            message = f"{slow} of {self.game.name}: written in Python, so only one environment runs it at a time"
            warnings.warn(message, SlowPartWarning, stacklevel=3)
        if actions == "auto":
            actions = "discrete" if self.game.max_schedule == 1 else "multi_discrete"
        if actions not in ("discrete", "multi_discrete"):
            raise ConfigError(f"a vector environment has no action view {actions!r}: discrete, multi_discrete")
        self.actions, self.single_action_space = action_space(self.game, actions)
        self._entry_spaces = observation_space(self.game)
        self.single_observation_space = self._entry_spaces
        self.num_envs, self.num_threads, self.copy, self.render_mode = num_envs, num_threads, copy, render_mode
        self._monitor: VectorMonitor | None = None
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        # Created before anything else whose size grows with `num_envs`, because it raises a MemoryError if there is not enough memory.
        self.native = _native.VectorEnvironment(self.game, num_envs, num_threads, self.autoreset_mode.value)
        self._scores: _Scores | None = None
        if self._family is not None:
            self.native.draw_games(self._family)
            self._scores = _Scores(self._family, self.native, num_envs) if scores else None
        #: The game of each environment: the common game, or the variant set at its last reset.
        self.games = [self.game] * num_envs
        self._contexts = [self.game.context] * num_envs
        self._arrays = self.native.arrays()
        self._dtype = record_dtype(self.game)
        # A game without observations has records of zero bytes, which NumPy can't view.
        empty = np.zeros(num_envs, self._dtype)
        self._records = self._arrays["records"].view(self._dtype) if self._dtype.itemsize else empty
        self._keys = self._dtype.names or ()
        #: Takes all entries of records at once, which is faster than one by one.
        self._pick = operator.itemgetter(*self._keys) if len(self._keys) > 1 else None
        self._views = self._entries(self._records)
        self._masks = np.zeros((num_envs, len(self.game.action_names())), np.uint8) if action_masks else None
        names = {"intervention cost": "intervention_costs", "observation cost": "observation_costs", "rejected": "rejections"}
        if self.game.constraints:
            names["cost"] = "constraint_costs"
        self._outcomes = (self._arrays["rewards"], self._arrays["terminations"], self._arrays["truncations"])
        #: The arrays in an info.
        self._infos = {key: self._arrays[name] for key, name in names.items()}
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._action_shape = self.action_space.shape
        self._is_same_step = self.autoreset_mode == AutoresetMode.SAME_STEP
        self.observation_space = self._batched_space()
        #: The environments that have been reset, so that their next seeds are known.
        self._begun = np.zeros(num_envs, np.bool_)
        #: Whether there are episodes to step, after a reset or a restored snapshot.
        self._has_episodes = False
        self._sent: Future[npt.NDArray[np.int64]] | None = None
        self.render_view = view_of(self.game, render_view)
        self._look = picture_options(self.render_view, render_options or {})
        if (render_options or {}).get("season"):
            raise ConfigError("pictures of many environments have no chart of the season: `farm_gym.make` makes one that has")
        self._tally = _Tally(num_envs) if render_mode == "rgb_array" else None
        if self._source["context"] in CONTEXT_SPLITS:
            self._change({}, range(num_envs))

    def _batched_space(self) -> gymnasium.spaces.Dict:
        """Gymnasium's batched observation space, except that `Discrete` entries keep the number type of the records."""
        batched: dict[str, gymnasium.Space[Any]] = {}
        for key, space in self._entry_spaces.items():
            if isinstance(space, gymnasium.spaces.Discrete):
                dtype = self._dtype[key]
                batched[key] = gymnasium.spaces.MultiDiscrete(np.full(self.num_envs, space.n), dtype=dtype.type)
            elif isinstance(space, gymnasium.spaces.Box):
                batched[key] = _repeated(space, self.num_envs)
            else:
                batched[key] = batch_space(space, self.num_envs)
        return gymnasium.spaces.Dict(list(batched.items()))

    def _entries(self, records: npt.NDArray[np.void]) -> Observations:
        if self._pick is None:
            return {key: records[key] for key in self._keys}
        return dict(zip(self._keys, self._pick(records), strict=True))

    def _observations(self) -> Observations:
        if not self.copy:
            return self._views
        # Copying bytes is several times faster than copying records.
        copied = np.ndarray(self._records.shape, self._dtype, self._arrays["records"].copy()) if self._keys else self._records
        return self._entries(copied)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Starts episodes.

        Args:
            seed: An integer ``s`` gives the environments the seeds ``s``, ``s + 1``, …; a list has one seed for each environment. None,
                for one environment or for all, continues with the environment's next seed. At an environment's first reset and with
                ``split``, None draws a seed from ``np_random``, as in Gymnasium.
            options: ``reset_mask``, a boolean array of shape ``(num_envs,)``: only the marked environments are reset. ``level``, ``context``,
                ``preset`` and ``set``, as for a single environment: one value for all environments, or a list with one value for each. Write several
                presets for one environment as ``"one+other"``. These options apply from this episode on; None means the original game.
                ``split`` ("train", "validation" or "test") allows seeds from this split, and later episodes stay in it; without it, these
                seeds are rejected. With ``index``, an integer or a list, the episodes play these worlds of the split instead of seeds. An
                integer ``i`` means the worlds ``i``, ``i + 1``, …. A family has only these options, and ``tier``.

        Returns:
            Observations of all environments, and infos. ``info["context"]`` has the contexts if the environments have any. In a family,
            ``info["member"]`` and ``info["seed"]`` have the member and the seed of the map of each environment.

        Raises:
            ConfigError: An option does not exist, or a mask or list has the wrong length.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        options = dict(options or {})
        index = options.pop("index", None)
        options, split, _, tier = world_of(options)
        options = options or {}
        if index is not None and seed is not None:
            raise ConfigError("`index` and `seed` both select the worlds: leave out one of them")
        indices = None if index is None else self._indices(index, split)
        if tier is not None and (self._family is None or indices is None):
            raise ConfigError("`tier` selects the worlds of a family together with `split` and `index`")
        mask = options.pop("reset_mask", None)
        changes = {key: options.pop(key) for key in OPTIONS if key in options}
        if options:
            raise ConfigError(f"reset knows no option {next(iter(options))!r}: reset_mask, {', '.join(OPTIONS)}, split, index")
        if changes and self._family is not None:
            raise ConfigError(f"a family has no reset option {next(iter(changes))!r}: reset_mask, split, index, tier")
        if mask is not None:
            mask = np.asarray(mask)
            if mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
                found = f"{mask.dtype} of shape {mask.shape}"
                raise ConfigError(f"reset_mask is {found}, but bool of shape ({self.num_envs},) is needed")
        if isinstance(seed, (int, np.integer)):
            seeds: Any = range(int(seed), int(seed) + self.num_envs)
        elif indices is not None and split is not None:
            seeds = [seed_of_index(split, one) for one in indices]
        else:
            seeds = [None] * self.num_envs if seed is None else [None if one is None else int(one) for one in seed]
        # The next seeds of an environment would not belong to a named split.
        unknown = [i for i, begun in enumerate(self._begun[: len(seeds)]) if seeds[i] is None and (split is not None or not begun)]
        if unknown:
            drawn = self.np_random.integers(2**63, size=self.num_envs).tolist()
            for i in unknown:
                seeds[i] = _native.drawn_seed(drawn[i], split)
        chosen = range(self.num_envs) if mask is None else np.flatnonzero(mask).tolist()
        if changes:
            self._change(changes, chosen)
        if self._family is not None and indices is not None:
            worlds = [(i, self._family.world(0, split, indices[i], tier)) for i in chosen]
            for i, (game, world, _, _) in worlds:
                self.native.reset_in_game(i, game, world)
        else:
            self.native.reset(seeds, None if mask is None else mask.tolist(), split)
        if self._scores is not None:
            self._scores.begin(chosen)
        reset = slice(None) if mask is None else mask
        self._begun[reset] = self._has_episodes = True
        for name in ("rewards", "intervention_costs", "observation_costs", "constraint_costs", "rejections"):
            self._arrays[name][reset] = 0
        if self._tally is not None:
            self._tally.begin(reset)
        if self._monitor is not None:
            self._monitor.record(self)
        info = self._info()
        if any(self._contexts):
            info["context"] = np.array(self._contexts, dtype=object)
        if self._family is not None:
            playing = [self.native.playing(i) for i in range(self.num_envs)]
            info["member"] = np.array([game.name for game, _ in playing], dtype=object)
            info["seed"] = np.array([seed for _, seed in playing], dtype=np.uint64)
        return self._observations(), info

    def _indices(self, index: Any, split: str | None) -> list[int]:
        """The index of each environment's world."""
        if split is None:
            raise ConfigError("`index` is the number of a world in a split: add `split`")
        indices = [index + i for i in range(self.num_envs)] if isinstance(index, (int, np.integer)) else list(index)
        if len(indices) != self.num_envs:
            raise ConfigError(f"{len(indices)} indices for {self.num_envs} environments")
        return [world_of({"split": split, "index": one})[2] or 0 for one in indices]

    @property
    def members(self) -> list[str]:
        """The name of the game that each environment plays; in a family, the name of its member."""
        return [self.native.playing(i)[0].name for i in range(self.num_envs)]

    def _change(self, changes: Mapping[str, Any], environments: Sequence[int]) -> None:
        """Applies these options to the environments' games. Equal games are compiled only once."""
        for key, value in changes.items():
            if isinstance(value, (list, tuple)) and len(value) != self.num_envs:
                raise ConfigError(f"{len(value)} values of {key} for {self.num_envs} environments")
        context = changes.get("context", self._source["context"])
        if context in CONTEXT_SPLITS:
            names = self.game.contexts(context)
            changes = {**changes, "context": [names[i % len(names)] for i in range(self.num_envs)]}
        games: dict[str, _native.Game] = {}
        chosen = []
        for i in environments:
            own = {key: value[i] if isinstance(value, (list, tuple)) else value for key, value in changes.items()}
            own = {key: value for key, value in own.items() if value is not None}
            key = repr(own)
            if key not in games:
                games[key] = open_game(**changed(self._source, own)) if own else self.game
            chosen.append((i, games[key]))
        # All games are compiled and checked before the first environment changes.
        for game in games.values():
            self.native.check(game)
        monitor = self._monitor
        bound = {} if monitor is None else monitor.checked(dict(chosen))
        for i, game in chosen:
            self.native.change(i, game)
            self.games[i] = game
            self._contexts[i] = game.context
        if monitor is not None:
            monitor.rebind(self, bound)

    def step(self, actions: npt.ArrayLike) -> Results:
        """Takes a step in every environment.

        Args:
            actions: Integers of shape ``(num_envs,)``, or ``(num_envs, slots)`` for ``multi_discrete``.

        Returns:
            Observations, rewards, terminations, truncations and infos, each with the environments as the first axis.

        Raises:
            ActionError: The actions have the wrong shape, or an id does not exist; nothing was stepped.
            StateError: No episode has started, or, without autoreset, an episode is over. Nothing was stepped.
            PartError: A part written in Python raised an exception, which is the ``__cause__``; ``environment`` is the index of the
                environment. Its episode is over; all others were stepped.
        """
        if self._sent is not None:
            raise StateError("a step is under way: call `recv` first")
        ids = self._ids(actions)
        self._step_native(ids)
        return self._results(ids)

    def _ids(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        if type(actions) is np.ndarray and actions.dtype is _INT64 and actions.shape == self._action_shape and actions.flags.c_contiguous:
            return actions if actions.ndim == 1 else actions.reshape(-1)
        array = np.asarray(actions)
        if array.shape != self._action_shape or not np.issubdtype(array.dtype, np.integer):
            found = f"{array.dtype} of shape {array.shape}"
            raise ActionError(f"the actions are {found}, but integers of shape {self._action_shape} are needed")
        return np.ascontiguousarray(array, np.int64).reshape(-1)

    def _results(self, ids: npt.NDArray[np.int64]) -> Results:
        rewards, terminations, truncations = (array.copy() for array in self._outcomes) if self.copy else self._outcomes
        if self._monitor is not None:
            self._monitor.record(self)
        if self._tally is not None:
            self._tally.add(ids, self._arrays["rewards"], terminations | truncations, self._arrays["rejections"], self._is_same_step)
        info = self._info()
        if self._scores is not None or self._is_same_step:
            over = terminations | truncations
            ended = {} if self._scores is None else self._scores.add(self._arrays["rewards"], over, self.autoreset_mode)
            if self._is_same_step:
                self._add_final(info, over, ended)
            else:
                info.update(ended)
        return self._observations(), rewards, terminations, truncations, info

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {key: array.copy() for key, array in self._infos.items()} if self.copy else dict(self._infos)
        if self._masks is not None:
            info["action_mask"] = self.action_masks()
        return info

    def _add_final(self, info: dict[str, Any], over: npt.NDArray[np.bool_], scores: dict[str, Any]) -> None:
        ended = np.flatnonzero(over)
        if ended.size:
            final = np.full(self.num_envs, None, dtype=object)
            final[ended] = self.native.final_observations(ended.tolist())
            info["final_obs"], info["_final_obs"] = final, over
            kept = {key: value for key, value in info.items() if key.endswith("cost") or key == "rejected"}
            info["final_info"] = {**kept, **{f"_{key}": over for key in kept}, **scores}
            info["_final_info"] = over

    def send(self, actions: npt.ArrayLike) -> None:
        """Starts a step and returns at once; :meth:`recv` waits for it. Do not use the environment in between.

        Raises:
            ActionError: The actions have the wrong shape.
            StateError: No episode has started, or a step is under way.
        """
        if self._sent is not None:
            raise StateError("a step is under way: call `recv` first")
        ids = self._ids(actions).copy()
        if not self._has_episodes:
            raise not_begun()
        if self._worker is None:
            self._worker = ThreadPoolExecutor(1, "farm-send")
        self._sent = self._worker.submit(self._step_native, ids)

    def _step_native(self, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        if not self._has_episodes:
            raise not_begun()
        self.native.step(ids, self.actions == "multi_discrete")
        return ids

    def recv(self) -> Results:
        """Waits for the step that :meth:`send` started, and returns its results, as :meth:`step` does.

        Raises:
            StateError: No step is under way.
        """
        if self._sent is None:
            raise StateError("no step is under way: call `send` first")
        sent, self._sent = self._sent, None
        return self._results(sent.result())

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Marks the actions in the flat list that would be executed now, as booleans of shape ``(num_envs, actions)``."""
        masks = self._masks
        if masks is None:
            masks = np.zeros((self.num_envs, len(self.game.action_names())), np.uint8)
        self.native.action_masks(masks.reshape(-1))
        return masks.astype(np.bool_) if self.copy else masks.view(np.bool_)

    @property
    def records(self) -> npt.NDArray[np.void]:
        """The observations as one structured array with a record for each environment; the next step overwrites it."""
        return self._records

    def snapshot(self, environment: int) -> bytes:
        """The state of one environment as bytes, for :meth:`restore`; a single environment of this game can also restore it."""
        return self.native.snapshot(environment)

    def restore(self, environment: int, snapshot: bytes) -> None:
        """Returns one environment to a snapshot. If the snapshot is rejected, the environment stays unchanged.

        Raises:
            StateError: There is no such environment, or the bytes are not a snapshot of this game.
        """
        self.native.restore(environment, snapshot)
        self._has_episodes = True
        if self._scores is not None:
            self._scores.forget(environment)
        if self._tally is not None:
            self._tally.begin(environment)
        if self._monitor is not None:
            self._monitor.record(self)

    def add_monitoring(
        self,
        variables: Iterable[Sequence[Any] | Mapping[str, Any]] | None = None,
        *,
        environments: Iterable[int] | None = None,
        tensorboard: str | os.PathLike[str] | None = None,
        keep: bool = True,
    ) -> VectorMonitor:
        """Records variables, including hidden ones, in some or all environments after every reset and step. A second call replaces the
        first monitor. The environments that are not recorded are unaffected.

        Args:
            variables, keep: The same as for :meth:`farm_gym.FarmEnv.add_monitoring`.
            environments: The indices of the environments to record; None for all.
            tensorboard: A folder to write to during play; each environment has its own subfolder.

        Returns:
            The monitor, which contains the recorded values.

        Raises:
            ConfigError: A variable can't be monitored (the message suggests the nearest name), or an environment does not exist.
            OSError: The folder can't be written to.
        """
        if self._family is not None:
            raise ConfigError("a vector environment of a family has no monitoring: take `farm_gym.make`, or one member")
        monitor = VectorMonitor(self, variables, environments=environments, keep=keep)
        if tensorboard is not None:
            monitor.tensorboard(tensorboard)
        monitor.begin(self, bool(self._begun.any()))
        self._monitor = monitor
        return monitor

    def render(self) -> tuple[npt.NDArray[np.uint8], ...] | tuple[str, ...] | None:  # type: ignore[override,unused-ignore]  # a type variable in older Gymnasium
        """Renders the current states, one entry for each environment. In the render mode ``rgb_array``, the entries are RGB pictures of
        shape ``(height, width, 3)`` with 8 bits per channel; in ``ansi``, they are the observations as text. Returns None without a render
        mode.

        A picture's header shows the episode's return, and the last actions if none of them was rejected.
        """
        if self.render_mode == "rgb_array":
            return tuple(self._picture(i) for i in range(self.num_envs))
        if self.render_mode == "ansi":
            return tuple(self.native.text(i) for i in range(self.num_envs))
        return None

    def render_one(self, environment: int) -> npt.NDArray[np.uint8] | str | None:
        """Renders one environment as :meth:`render` does, without drawing the others.

        Raises:
            StateError: There is no such environment.
        """
        if not 0 <= environment < self.num_envs:
            raise StateError(f"there is no environment {environment}: environments are numbered from 0 to {self.num_envs - 1}")
        if self.render_mode == "rgb_array":
            return self._picture(environment)
        return self.native.text(environment) if self.render_mode == "ansi" else None

    def _picture(self, environment: int) -> npt.NDArray[np.uint8]:
        total, last, actions = (0.0, None, []) if self._tally is None else self._tally.of(environment)
        return self.native.picture(environment, self._look, total, last, actions)

    def __repr__(self) -> str:
        """A brief summary: number of environments, game, preset, level, mode, and the spaces of one environment."""
        told = describe(self, self.single_observation_space, self.single_action_space)
        return f"<{self.num_envs} × {told}>"

    __str__ = __repr__

    def close_extras(self, **kwargs: Any) -> None:
        """Waits for the current step, if any, and ends its thread."""
        if self._worker is not None:
            self._worker.shutdown()


def _repeated(space: gymnasium.spaces.Box, count: int) -> gymnasium.Space[Any]:
    """Gymnasium's batched box, with bounds that are views of those of one environment: copies of them take more memory than observations."""
    batched: gymnasium.Space[Any] = batch_space(space, count)
    for name in ("low", "high", "bounded_below", "bounded_above"):
        setattr(batched, name, np.broadcast_to(getattr(space, name), (count, *space.shape)))
    return batched


class _Scores:
    """The returns of episodes of a family, and their scores at the end."""

    def __init__(self, family: _native.Family, native: _native.VectorEnvironment, num_envs: int) -> None:
        self._family, self._native = family, native
        #: The member and the seed of each episode; None if its start or its return is unknown.
        self._playing: list[tuple[_native.Game, int] | None] = [None] * num_envs
        self._totals = np.zeros(num_envs)
        #: The environments whose next step starts an episode.
        self._ended: list[int] = []

    def begin(self, environments: Iterable[int]) -> None:
        """Records that new episodes start."""
        for i in environments:
            self._playing[i], self._totals[i] = self._native.playing(i), 0.0
        self._ended = [i for i in self._ended if i not in set(environments)]

    def forget(self, environment: int) -> None:
        """Records that the return of an environment's episode is unknown."""
        self._playing[environment] = None
        self._ended = [i for i in self._ended if i != environment]

    def add(self, rewards: npt.NDArray[np.float64], over: npt.NDArray[np.bool_], mode: AutoresetMode) -> dict[str, Any]:
        """Records a step of all environments. Returns the scores of the episodes that ended, as arrays with marks."""
        self.begin(self._ended)
        self._totals += rewards
        ended = np.flatnonzero(over).tolist()
        found: dict[str, Any] = {}
        for i in ended:
            if (playing := self._playing[i]) is not None:
                game, seed = playing
                for name, value in self._family.score(game, [seed], float(self._totals[i])).items():
                    empty = np.zeros(len(over), np.bool_) if name == "proven" else np.full(len(over), np.nan)
                    found.setdefault(name, empty)[i] = np.nan if value is None else value
                    found.setdefault(f"_{name}", np.zeros(len(over), np.bool_))[i] = True
        if mode == AutoresetMode.SAME_STEP:
            self.begin(ended)
        elif mode == AutoresetMode.NEXT_STEP:
            self._ended = ended
        return found


class _Tally:
    """The returns and last actions that pictures show, stored only if pictures are drawn."""

    def __init__(self, num_envs: int) -> None:
        self._totals = np.zeros(num_envs)
        self._last = np.zeros(num_envs)
        self._steps = np.zeros(num_envs, np.int64)
        self._over = np.zeros(num_envs, np.bool_)
        self._ids: list[list[int]] = [[] for _ in range(num_envs)]

    def begin(self, which: Any) -> None:
        """Records that new episodes start."""
        self._totals[which], self._steps[which], self._over[which] = 0.0, 0, False

    def add(
        self,
        ids: npt.NDArray[np.int64],
        rewards: npt.NDArray[np.float64],
        over: npt.NDArray[np.bool_],
        rejections: npt.NDArray[np.int32],
        at_once: bool,
    ) -> None:
        """Records a step of all environments. With `at_once`, environments whose episode is over have already restarted; otherwise the next
        step restarts them."""
        begun = over if at_once else self._over
        self._totals = np.where(begun, 0.0, self._totals + rewards)
        self._steps = np.where(begun, 0, self._steps + 1)
        self._last = rewards.copy()
        self._over = over & (not at_once)
        chosen = ids.reshape(len(self._totals), -1).tolist()
        self._ids = [one if none_refused else [] for one, none_refused in zip(chosen, rejections == 0, strict=True)]

    def of(self, environment: int) -> tuple[float, float | None, list[int]]:
        """An environment's return so far, its last reward and its last executed actions."""
        if not self._steps[environment]:
            return 0.0, None, []
        return float(self._totals[environment]), float(self._last[environment]), self._ids[environment]
