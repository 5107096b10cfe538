"""For a farmer that sees only its surroundings: a map of the places that it has seen, centred on the farmer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector.utils import batch_space

from farm_gym import _native
from farm_gym.errors import ConfigError
from farm_gym.playing import farm_of
from farm_gym.wrappers.batches import BatchWrapper, Results, as_batch, check_discrete
from farm_gym.wrappers.singles import SingleWrapper

__all__ = ["MapMemory", "VectorMapMemory"]

#: The observation keys for the places that were seen, and for the number of visits to each.
SEEN, STOOD = "memory.seen", "memory.stood"
#: The observation key for the distance walked to the east and to the south, if the game shows no position.
WALKED = "memory.walked"
#: The observation key for the nearest place of each kind.
NEAREST = "memory.nearest"
#: Visits are counted up to this number.
_MOST_VISITS = 3
#: If a game shows no position, the map ends at this distance from the first place, or at the maximum number of steps.
_MOST_WALKED = 60
#: The names of actions that move the farmer, and their directions (east, south).
_MOVE = re.compile(r"\.(?:Move)?(?:(N)(?:orth)?|(S)(?:outh)?|(E)(?:ast)?|(W)(?:est)?)$")
_STEPS = ((0, -1), (0, 1), (1, 0), (-1, 0))


class _Maps:
    """The maps for a batch of episodes."""

    def __init__(
        self,
        game: _native.Game,
        space: gymnasium.Space[Any],
        actions: gymnasium.Space[Any],
        radius: int | None,
        nearest: int,
        num_envs: int,
    ) -> None:
        if not isinstance(space, gymnasium.spaces.Dict):
            raise ConfigError(f"the observations are not a dictionary but {space}: use MapMemory before a wrapper that flattens them")
        positions = [key for key, inner in space.items() if key.endswith("position") and isinstance(inner, gymnasium.spaces.MultiDiscrete)]
        self.windows = {key: inner for key, inner in space.items() if isinstance(inner, gymnasium.spaces.Box) and _is_window(key, inner)}
        moves = _moves(game)
        if len(positions) > 1 or not self.windows or (not positions and moves is None):
            shown = ", ".join(space)
            raise ConfigError(f"MapMemory needs a game that shows a window around a farmer on foot, but this one shows {shown}")
        self.reach = next(iter(self.windows.values())).shape[0] // 2
        self.position, self.moves = positions[0] if positions else None, moves
        if self.position is not None:
            inner_space = space[self.position]
            assert isinstance(inner_space, gymnasium.spaces.MultiDiscrete)
            width, height = (int(number) for number in inner_space.nvec)
            usual = max(width, height) // 2
        else:
            check_discrete(actions, "MapMemory of a game that shows no position")
            self.most_walked = min(game.max_steps or _MOST_WALKED, _MOST_WALKED)
            width = height = 2 * self.most_walked + 1
            usual = 2 * self.reach
        self.radius = usual if radius is None else radius
        if self.radius < self.reach:
            raise ConfigError(f"radius is {self.radius}, but the window already has the radius {self.reach}: give at least that")
        if nearest < 0:
            raise ConfigError(f"nearest is {nearest}: give the search distance for the nearest places, or 0")
        self.sights = _Sights(self.windows, nearest) if nearest else None
        # A margin, so that windows and views never leave the maps.
        self.margin = max(self.radius, self.reach, nearest)
        shape = (num_envs, height + 2 * self.margin, width + 2 * self.margin)
        self.maps = {key: np.zeros((*shape, *inner.shape[2:]), inner.dtype) for key, inner in self.windows.items()}
        self.maps[SEEN] = np.zeros(shape, np.uint8)
        self.maps[STOOD] = np.zeros(shape, np.uint8)
        #: The distance that each farmer has walked, if the game shows no position: (east, south).
        self.walked = np.zeros((num_envs, 2), np.int64)

    def space(self, space: gymnasium.spaces.Dict) -> gymnasium.spaces.Dict:
        """The observation space with maps instead of windows."""
        side = 2 * self.radius + 1
        entries: list[tuple[str, gymnasium.Space[Any]]] = []
        for key, inner in space.items():
            if key in self.windows:
                assert isinstance(inner, gymnasium.spaces.Box)
                shape = (side, side, *inner.shape[2:])
                low, high = (bound.reshape(-1, *inner.shape[2:])[0] for bound in (inner.low, inner.high))
                number: Any = inner.low.dtype.type
                lows, highs = (np.broadcast_to(bound, shape).copy() for bound in (np.minimum(low, 0), high))
                entries.append((key, gymnasium.spaces.Box(lows, highs, shape, number)))
            else:
                entries.append((key, inner))
        entries.append((SEEN, gymnasium.spaces.MultiBinary((side, side))))
        entries.append((STOOD, gymnasium.spaces.Box(0, _MOST_VISITS, (side, side), np.uint8)))
        if self.position is None:
            entries.append((WALKED, gymnasium.spaces.Box(-self.most_walked, self.most_walked, (2,), np.int16)))
        if self.sights is not None:
            entries.append((NEAREST, gymnasium.spaces.Box(-1.0, 1.0, (len(self.sights.kinds), 3), np.float32)))
        return gymnasium.spaces.Dict(entries)

    def begin(self, begun: npt.NDArray[np.bool_]) -> None:
        """Starts these episodes with empty maps."""
        for values in self.maps.values():
            values[begun] = 0
        self.walked[begun] = 0

    def walk(self, actions: npt.NDArray[np.int64], observations: Mapping[str, npt.NDArray[Any]]) -> None:
        """Tracks farmers whose position is not shown: a move succeeded if the new window matches the remembered surroundings of the target.

        The window never matches if the way was blocked, because the obstacle would also have to be at the farmer's own place.
        """
        if self.position is not None or self.moves is None:
            return
        there = np.clip(self.walked + self.moves[actions], -self.most_walked, self.most_walked)
        window = self._around(there + self.most_walked, self.reach)
        fits = np.ones(len(there), np.bool_)
        unseen = self.maps[SEEN][window] == 0
        for key in self.windows:
            same = (self.maps[key][window] == observations[key]).reshape(*unseen.shape, -1).all(axis=-1)
            fits &= (same | unseen).all(axis=(1, 2))
        self.walked[fits] = there[fits]

    def _around(self, places: npt.NDArray[np.int64], reach: int) -> tuple[npt.NDArray[np.int64], ...]:
        """The map indices of the area around each place (column, row)."""
        columns, rows = places[:, 0] + self.margin, places[:, 1] + self.margin
        span = np.arange(-reach, reach + 1)
        return (
            np.arange(len(places))[:, None, None],
            rows[:, None, None] + span[None, :, None],
            columns[:, None, None] + span[None, None, :],
        )

    def see(self, observations: Mapping[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
        """Stores the observations, and returns them with maps instead of windows."""
        places = self.walked + self.most_walked if self.position is None else observations[self.position].astype(np.int64)
        window = self._around(places, self.reach)
        for key in self.windows:
            self.maps[key][window] = observations[key]
        self.maps[SEEN][window] = 1
        here = tuple(index[:, 0, 0] for index in self._around(places, 0))
        self.maps[STOOD][here] = np.minimum(self.maps[STOOD][here] + 1, _MOST_VISITS)
        view = self._around(places, self.radius)
        told = dict(observations)
        told.update({key: values[view] for key, values in self.maps.items()})
        told[SEEN] = told[SEEN].astype(np.int8)
        if self.position is None:
            told[WALKED] = self.walked.astype(np.int16)
        if self.sights is not None:
            around = self._around(places, self.sights.reach)
            told[NEAREST] = self.sights.nearest({key: values[around] for key, values in self.maps.items()})
        return told


class _Sights:
    """Finds the nearest seen place of each kind: each category in a window is a kind, except the first, which means that nothing is
    there."""

    def __init__(self, windows: Mapping[str, gymnasium.spaces.Box], reach: int) -> None:
        self.reach = reach
        #: The kinds to find. Each has the key of a window, the index of a number within a place, and the category.
        self.kinds: list[tuple[str, int, int]] = []
        for key, space in windows.items():
            if space.dtype == np.uint8:
                highest = space.high.reshape(*space.shape[:2], -1).max(axis=(0, 1))
                self.kinds += [(key, part, category) for part, most in enumerate(highest) for category in range(1, int(most) + 1)]
        if not self.kinds:
            raise ConfigError(f"nearest: the windows {', '.join(windows)} show numbers only; leave it out")
        span = np.arange(-reach, reach + 1)
        distance = (np.abs(span)[:, None] + np.abs(span)[None, :]).reshape(-1)
        #: The places around the farmer, the nearest first, and the distance of each to the east and to the south.
        self.order = np.argsort(distance, kind="stable")
        self.east, self.south = np.tile(span, len(span))[self.order], np.repeat(span, len(span))[self.order]

    def nearest(self, around: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[np.float32]:
        """For each environment and kind: whether such a place was seen, and the nearest one's distance to the east and south, as shares of
        the reach."""
        count = len(around[SEEN])
        told = np.zeros((count, len(self.kinds), 3), np.float32)
        seen = around[SEEN].reshape(count, -1)[:, self.order] != 0
        places = {key: around[key].reshape(count, seen.shape[1], -1)[:, self.order] for key, _, _ in self.kinds}
        for column, (key, part, category) in enumerate(self.kinds):
            found = (places[key][:, :, part] == category) & seen
            first = found.argmax(axis=1)
            known = found[np.arange(count), first]
            told[:, column, 0] = known
            told[:, column, 1] = np.where(known, self.east[first] / self.reach, 0.0)
            told[:, column, 2] = np.where(known, self.south[first] / self.reach, 0.0)
        return told


def _moves(game: _native.Game) -> npt.NDArray[np.int64] | None:
    """The direction in which each action in the flat list moves the farmer, with shape (actions, 2); None if there are not four such
    actions."""
    found = [_MOVE.search(name) for name in game.action_names()]
    if sorted(match.lastindex or 0 for match in found if match) != [1, 2, 3, 4]:
        return None
    return np.array([_STEPS[(match.lastindex or 0) - 1] if match else (0, 0) for match in found], np.int64)


def _is_window(key: str, space: gymnasium.spaces.Box) -> bool:
    """Whether an entry is a window around the farmer: a square with an odd side whose name or group is `grid` or `view`."""
    named = key == "grid" or ".view." in key or key.startswith("view.")
    return named and len(space.shape) >= 2 and space.shape[0] == space.shape[1] and space.shape[0] % 2 == 1


class MapMemory(SingleWrapper):
    """Remembers the last seen state of each place, for a farmer that sees only its surroundings.

    Each window in the observation becomes a square map around the farmer, with ``2 * radius + 1`` places per side and north at the top. The
    map has the last seen state of each place, and 0 for places that have not been seen. ``memory.seen`` marks the places that were seen,
    and ``memory.stood`` counts the visits to each, up to 3. A learner without a memory can then return to places out of sight, and knows
    where it has been.

    If the game shows no position, the wrapper tracks the farmer by its moves, and ``memory.walked`` is its distance to the east and south
    of its start. It detects a blocked move because the window does not change.

    With ``nearest``, the entry ``memory.nearest`` shows whether a place of each category in the windows was seen. It also shows the
    distance to the nearest such place, to the east and to the south, as shares of ``nearest``. Networks learn the way to a market much
    faster from this entry than from a map.

    Args:
        env: An environment that shows windows around a farmer. It must also show the farmer's position, or have four numbered actions that
            move the farmer.
        radius: Radius of the map. None means half the field or, if the game shows no position, twice the window's radius.
        nearest: Search distance for the nearest places; 0 for no such entry.

    Raises:
        ConfigError: The game shows no window, has neither a position nor moves, or the radius is smaller than the window's.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], radius: int | None = None, nearest: int = 0) -> None:
        super().__init__(env, radius=radius, nearest=nearest)
        space = env.observation_space
        self._maps = _Maps(farm_of(env).game, space, env.action_space, radius, nearest, 1)
        assert isinstance(space, gymnasium.spaces.Dict)
        self.observation_space = self._maps.space(space)

    def _told(self, observation: dict[str, Any]) -> dict[str, Any]:
        told = self._maps.see(as_batch(observation))
        return {key: observation[key] if key in observation and key not in self._maps.windows else told[key][0] for key in told}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode, in which only the current window is known."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._maps.begin(np.ones(1, np.bool_))
        return self._told(observation), info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes a step."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        if self._maps.position is None:
            self._maps.walk(np.array([int(action)]), as_batch(observation))
        return self._told(observation), float(reward), terminated, truncated, info


class VectorMapMemory(BatchWrapper):
    """:class:`MapMemory` for a vector environment."""

    def __init__(self, env: gymnasium.vector.VectorEnv[Any, Any, Any], radius: int | None = None, nearest: int = 0) -> None:
        super().__init__(env)
        space = env.single_observation_space
        self._maps = _Maps(self.farms.game, space, env.single_action_space, radius, nearest, self.num_envs)
        assert isinstance(space, gymnasium.spaces.Dict)
        self.single_observation_space = self._maps.space(space)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._told: dict[str, npt.NDArray[Any]] = {}

    def _begin(self, begun: npt.NDArray[np.bool_], observations: Any, info: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        self._maps.begin(begun)
        stood = self._maps.maps[STOOD].copy()
        told = self._maps.see(observations)
        if not begun.all():
            # The other environments have taken no step, so their visit is already counted.
            self._maps.maps[STOOD][~begun] = stood[~begun]
            told[STOOD][~begun] = self._told[STOOD][~begun]
        self._told = told
        return told, info

    def _after(self, begun: npt.NDArray[np.bool_], results: Results) -> Results:
        observations, rewards, terminations, truncations, info = results
        self._maps.walk(np.asarray(self._actions), observations)
        self._maps.begin(begun)
        self._told = self._maps.see(observations)
        return self._told, rewards, terminations, truncations, info

    def state(self) -> dict[str, Any]:
        """The state for :meth:`load_state`, without the environments' snapshots."""
        return {
            "maps": {key: values.copy() for key, values in self._maps.maps.items()},
            "told": {key: values.copy() for key, values in self._told.items()},
            "walked": self._maps.walked.copy(),
        }

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Restores a state."""
        self._maps.maps = {key: values.copy() for key, values in state["maps"].items()}
        self._told = {key: values.copy() for key, values in state["told"].items()}
        self._maps.walked = state["walked"].copy()
