"""A single environment with Gymnasium's interface."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
import numpy.typing as npt

from farm_gym import _native, notebooks
from farm_gym.errors import ActionError, ConfigError, not_begun
from farm_gym.game import (
    CONTEXT_SPLITS,
    INFOS,
    Contexts,
    GameChanges,
    OfGame,
    PictureOptions,
    action_masks,
    action_space,
    changed,
    check_choice,
    describe,
    family_of,
    observation_space,
    open_game,
    picture_options,
    seed_of_index,
    source_of,
    view_of,
    world_of,
)
from farm_gym.monitoring import Monitor
from farm_gym.observers import Observer, Step
from farm_gym.signatures import Unpack, keywords_of
from farm_gym.spaces import from_description
from farm_gym.window import Window, is_likely

__all__ = ["FarmEnv"]

#: The option keys that `reset` accepts, except those that choose a world.
OPTIONS = ("context", "level", "preset", "set")


def _contexts_of(source: dict[str, Any]) -> Contexts | None:
    """The contexts of the split that a source names."""
    return Contexts(source) if source["context"] in CONTEXT_SPLITS else None


class FarmEnv(OfGame, gymnasium.Env[dict[str, Any], Any]):
    """A farm game as a Gymnasium environment. :func:`farm_gym.make` explains the arguments.

    An observation is a dictionary with an array for each entry, or an ``int`` for a ``Discrete`` entry. After every step and reset,
    ``info`` contains

    ====================== ==================================================================================================
    ``intervention cost``  cost of the executed interventions; subtracted from the reward unless the rules set otherwise
    ``observation cost``   cost of the requested observations; subtracted in the same way
    ``action_mask``        int8 array over the flat list: 1 for an action that would be executed now
    ``rejected``           list of ``{"action", "reason"}``: the actions that were not executed; they cost nothing
    ``cost``               only with constraints: the weighted sum of their costs in this step
    ``expects``            only with priced observations: ``"observation"`` or ``"intervention"``
    ``stop``               only at the end of an episode: why it ended
    ``events``             only with ``info="full"``: list of ``{"kind", "source", "plot", "value"}``, the events of the step
    ``constraints``        only with ``info="full"`` and constraints: ``{name: {"value", "total", "limit"}}``
    ====================== ==================================================================================================

    The last two entries can reveal data that a game conceals, such as events out of sight. Use them to study an episode, not to train a
    learner. Monitoring and reports always include these data.

    In a family, such as ``backwards_valley@tier=5``, each :meth:`reset` draws rules and map together. Its info also contains ``member``,
    ``tier``, ``split``, ``index``, ``seed`` and ``rules`` (``"shown"`` or ``"hidden"`` instructions). The info at the end of an episode contains

    ====================== ==================================================================================================
    ``score``              (return − ``waiting``) / (``best`` − ``waiting``), not clipped; None if ``best`` is not above ``waiting``
    ``waiting``            the return of waiting in the same world
    ``best``               the best known return in the same world
    ``proven``             whether no return is higher than ``best``
    ====================== ==================================================================================================

    After :meth:`restore`, the return is unknown, so that the end of this episode has no score.

    Episodes with the same seed and the same actions are identical. Without a seed, :meth:`reset` draws one from ``np_random``.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": 10}

    @keywords_of(open_game)
    def __init__(
        self,
        game: str | os.PathLike[str] | _native.Game,
        *,
        actions: str = "auto",
        render_mode: str | None = None,
        render_view: str | None = None,
        render_options: PictureOptions | None = None,
        info: str = "learner",
        scores: bool = True,
        **arguments: Unpack[GameChanges],
    ) -> None:
        if render_mode is not None:
            check_choice("render mode", render_mode, self.metadata["render_modes"])
        check_choice("info", info, INFOS)
        if not is_likely():
            # Gymnasium's checker tries every listed mode, so the mode that needs a window is left out.
            modes = [mode for mode in self.metadata["render_modes"] if mode != "human"]
            self.metadata = {**self.metadata, "render_modes": modes}
        self.render_mode, self._full_info = render_mode, info == "full"
        self._source = self._played = source_of(game, arguments)
        #: The family of which each episode plays a member; None for a game with fixed rules.
        self._family = family_of(game, arguments)
        #: The seed and the return so far of an episode of a family, if they are known.
        self._member: tuple[int, float] | None = None
        self.scores = scores
        self._contexts = None if self._family is not None else _contexts_of(self._source)
        if self._family is not None:
            self._family.check_shapes()
            self.game = self._family.world(0, None)[0]
        else:
            self.game = open_game(**self._source) if self._contexts is None else self._contexts.at(0)[1]
        shape = self.game if self._family is None else self._family.shape
        #: What pictures show: ``"everything"`` or ``"learner"``.
        self.render_view = view_of(self.game, render_view)
        #: Content and size of pictures.
        self.render_options: PictureOptions = PictureOptions(**(render_options or {}))
        self._look = picture_options(self.render_view, self.render_options)
        self.native = self._environment(self.game)
        self.actions, self.action_space = action_space(shape, actions)
        self.observation_space = observation_space(shape)
        self._has_begun = False
        #: The observers, in the order in which they are called.
        self.observers: list[Observer] = []
        # A missing display is reported at once.
        self._add_window()
        self._choose_step()

    def _environment(self, game: _native.Game) -> _native.Environment:
        """The engine's environment for a game, which records the season if pictures show it."""
        shape = None if self._family is None else self._family.shape
        return _native.Environment(game, self._full_info, bool(self.render_options.get("season")), shape)

    def _choose_step(self) -> None:
        native = self.native
        steps: dict[str, Callable[[Any], Step]] = {
            "discrete": native.step,
            "multi_discrete": native.step_multi,
            "multi_binary": native.step_binary,
            "multi_union": native.gym_step,
        }
        self._step = steps[self.actions]

    # The interface of Gymnasium.

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Starts an episode.

        Args:
            seed: Seed for the episode, from 0 to 2⁶⁴ − 1. None draws one from ``np_random``.
            options: ``level`` (a name or a file), ``context``, ``preset`` and ``set`` (values by path) change the game from this episode on.
                An empty dictionary restores the original game; None leaves the current game unchanged. ``split`` ("train", "validation" or
                "test") allows a seed from this split in this episode; without it, such a seed is rejected. With ``index``, the episode plays
                this world of the split, instead of a seed. If only these options are given, the game stays unchanged. In a family, an index
                selects rules and map, and ``tier`` one of the tiers. A seed draws one of the 200 published members of the split, and a map
                (default split: "train"). ``member`` is a member's name; it then plays the map of a seed in its split.

        Returns:
            Observation and info. With a split as the context, ``info["context"]`` is the name of the context that the seed plays. In a
            family, info also describes the world.

        Raises:
            ConfigError: An option does not exist, does not fit the game, or would change a space; or the seed is reserved for another
                split, or the game is a family's member of another split.
        """
        super().reset(seed=seed)
        self._add_window()
        options, split, index, tier = world_of(options)
        if seed is not None and index is not None:
            raise ConfigError("`index` and `seed` both select the world: leave out one of them")
        if seed is None:
            seed = _native.drawn_seed(int(self.np_random.integers(2**63)), split)
        told: dict[str, Any] = {}
        if self._family is not None:
            game, seed, split, told = self._family.world(seed, split, index, tier, self._member_of(options))
            if game.fingerprint != self.game.fingerprint:
                self._change(game)
        elif tier is not None:
            raise ConfigError(f"`{self.game.name}` has no tiers: leave out `tier`")
        else:
            if split is not None and index is not None:
                seed = seed_of_index(split, index)
            context = self._choose_game(options, seed)
            told = {} if context is None else {"context": context}
        observation, info = self.native.reset(seed, split)
        info.update(told)
        self._member = (seed, 0.0) if self._family is not None else None
        self._begin()
        return observation, info

    @staticmethod
    def _member_of(options: Mapping[str, Any] | None) -> str | None:
        """The member that the options name. A family has no other options, because its game depends on the world alone."""
        unknown = [key for key in options or () if key != "member"]
        if unknown:
            raise ConfigError(f"a family has no reset option {unknown[0]!r}: split, index, tier, member")
        return (options or {}).get("member")

    def _begin(self) -> None:
        """Notifies the observers that an episode starts, or that play continues from a restored state."""
        self._has_begun = True
        for observer in self.observers:
            observer.after_reset(self)

    def _choose_game(self, options: Mapping[str, Any] | None, seed: int) -> str | None:
        """Plays another game from now on if the options or the context of the seed differ. Returns the context if the seed chose it."""
        unknown = [key for key in options or () if key not in OPTIONS]
        if unknown:
            raise ConfigError(f"reset knows no option {unknown[0]!r}: {', '.join(OPTIONS)}, split, index")
        source, contexts, game, context = self._played, self._contexts, self.game, None
        if options is not None and changed(self._source, options) != source:
            source = changed(self._source, options)
            contexts = _contexts_of(source)
            game = open_game(**source) if contexts is None else game
        if contexts is not None:
            context, game = contexts.at(seed)
        if game is not self.game:
            self._change(game)
        self._played, self._contexts = source, contexts
        return context

    def _change(self, game: _native.Game) -> None:
        # All members of a family have the same spaces.
        same = self._family is not None or observation_space(game) == self.observation_space
        if not same or (self._family is None and action_space(game, self.actions)[1] != self.action_space):
            raise ConfigError("these options change the spaces of the environment: make a new one with them")
        for observer in self.observers:
            observer.before_change(game)
        self.game, self.native = game, self._environment(game)
        self._choose_step()

    def step(self, action: Any) -> Step:
        """Takes a step.

        Args:
            action: An action in ``action_space``.

        Returns:
            Observation, reward (after costs), terminated (the game ended), truncated (the step limit cut the episode off), and info.

        Raises:
            ActionError: The action is not in the space; nothing was stepped.
            StateError: No episode has started, the episode is over, or a part computed a number that is not finite.
            PartError: A part written in Python raised an exception, which is the ``__cause__``.
        """
        self._playing()
        try:
            result = self._step(action)
        except (TypeError, OverflowError):
            text = f": `env.text_step({action!r})` plays a text" if isinstance(action, str) else ""
            raise ActionError(f"{action!r} is not in the action space {self.action_space}{text}") from None
        return self._taken(result)

    def _playing(self) -> _native.Environment:
        """The engine's environment, if an episode has started."""
        if not self._has_begun:
            raise not_begun()
        return self.native

    def value_to_go(self) -> tuple[float, bool]:
        """The most that can be earned from here to the end of the episode, as the planner that scores episodes computes it.

        The planner knows the rules and the whole map. A reward of ``reward + value after - value before`` is 0 for a best action and
        negative for any other, if both values are proven. :class:`farm_gym.wrappers.ValueToGo` gives such rewards. A call takes as long as
        planning an episode, from milliseconds to seconds.

        Returns:
            The return of the best plan from here on, and whether no plan earns more.

        Raises:
            ConfigError: No planner supports the game.
            StateError: No episode has started.
        """
        return self._playing().value_to_go()

    def _taken(self, result: Step) -> Step:
        """Passes the result of a step to the observers, and returns it. At the end of an episode of a family, adds its score."""
        if self._family is not None and self._member is not None:
            seed, total = self._member[0], self._member[1] + result[1]
            self._member = (seed, total)
            if self.scores and (result[2] or result[3]):
                result[4].update(self._family.score(self.game, [seed], total))
        for observer in self.observers:
            observer.after_step(self, result)
        if result[2] or result[3]:
            for observer in self.observers:
                observer.after_episode(self)
        return result

    def render(self) -> str | npt.NDArray[np.uint8] | None:  # type: ignore[override,unused-ignore]  # a type variable in older Gymnasium
        """Renders the current state of the episode.

        Returns:
            In the render mode ``ansi``, the observation as text, with the last reward, the rejected actions and their reasons, and how the
            episode ended. In ``rgb_array``, an RGB picture of the farm: an array of shape ``(height, width, 3)`` with 8 bits per channel
            and even edge lengths. The ``render_view`` argument of :func:`farm_gym.make` sets what it shows. None in ``human``, because
            :meth:`reset` and :meth:`step` keep the window up to date, and None without a render mode.
        """
        if self.render_mode == "rgb_array":
            return self.picture()
        if self._add_window():
            self.observers[-1].after_reset(self)
        return self.native.text() if self.render_mode == "ansi" else None

    def picture(self, view: str | None = None, **options: Unpack[PictureOptions]) -> npt.NDArray[np.uint8]:
        """The farm as a picture, in any render mode.

        >>> import farm_gym
        >>> env = farm_gym.make("clay_bean")
        >>> _ = env.reset(seed=0)
        >>> env.picture(size="720p", legend="used").shape[0] > env.picture().shape[0]
        True

        Args:
            view: ``"everything"`` or ``"learner"``; None uses the environment's own view.
            options: ``size``, ``scale`` and ``legend``, as in the ``render_options`` argument of :func:`farm_gym.make`. They override the
                values set there. ``season`` works only if it was set there.

        Returns:
            An RGB array of shape ``(height, width, 3)``, with 8 bits per channel and even edge lengths.

        Raises:
            ConfigError: There is no such option or view.
        """
        if view is None and not options:
            return self.native.picture(self._look)
        usual = dict(self.render_options)
        if {"size", "scale"} & options.keys():
            usual = {name: value for name, value in usual.items() if name not in ("size", "scale")}
        return self.native.picture(picture_options(self.render_view if view is None else view, {**usual, **options}))

    def _add_window(self) -> bool:
        """Adds the window that shows the episode, in the render mode ``human``. Returns whether it was missing."""
        is_missing = self.render_mode == "human" and not any(isinstance(one, Window) for one in self.observers)
        if is_missing:
            self.observers.append(Window(self.game.name))
        return is_missing

    def close(self) -> None:
        """Closes the window, if there is one. Nothing else needs closing."""
        for window in [one for one in self.observers if isinstance(one, Window)]:
            window.close()
            self.remove_observer(window)

    # Further methods from the paper.

    @property
    def state_space(self) -> gymnasium.Space[Any]:
        """The space of all variables, including hidden ones: a ``Dict`` keyed by full name."""
        return from_description(json.loads(self.game.space("state")))

    def state(self) -> dict[str, Any]:
        """All variables, including hidden ones, keyed by full name: a value in ``state_space``."""
        space = self.state_space
        assert isinstance(space, gymnasium.spaces.Dict)
        return {name: _typed(space[name], value) for name, value in self.native.state().items()}

    def farmgym_step(self, actions: Any) -> Step:
        """Takes a step with a list of actions in the paper's form, ``(farmer, field, entity, name, parameters)``. ``info["rejected"]``
        lists the actions that can't be read or executed; they cost nothing."""
        return self._taken(self._playing().farmgym_step(actions))

    def gym_step(self, action: Any) -> Step:
        """Takes a step with an action in the paper's space ``MultiUnion``: a list of ``(index, value)``."""
        return self._taken(self._playing().gym_step(action))

    def gymaction_to_farmgymaction(self, action: Any) -> list[Any]:
        """Converts an action in ``action_space`` to a list of ``[farmer, field, entity, name, parameters]``."""
        if self.actions == "discrete":
            return self.game.discrete_to_farm(int(action))
        if self.actions == "multi_discrete":
            return [call for one in action for call in self.game.discrete_to_farm(int(one))]
        if self.actions == "multi_binary":
            names = self._calls()
            return [call for bit, call in zip(action, names, strict=True) if bit]
        return self.game.gym_to_farm(action)

    def farmgymaction_to_gymaction(self, actions: Any) -> Any:
        """Converts a list of ``(farmer, field, entity, name, parameters)`` to an action in ``action_space``.

        Raises:
            ActionError: An action can't be read, or the space has no room for it.
        """
        if self.actions == "multi_union":
            return tuple((index, value) for index, value in self.game.farm_to_gym(actions))
        ids = self.game.farm_to_discrete(actions)
        if self.actions == "multi_binary":
            calls = self._calls()
            bits = np.zeros(len(calls), np.int8)
            for one in ids:
                bits[calls.index(self.game.discrete_to_farm(one)[0])] = 1
            return bits
        room = self.game.max_schedule if self.actions == "multi_discrete" else 1
        if len(ids) > room:
            raise ActionError(f"{len(ids)} actions, but a schedule has room for {room}")
        if self.actions == "multi_discrete":
            return np.array(ids + [self.game.idle] * (room - len(ids)), np.int64)
        return ids[0] if ids else self.game.idle

    def _calls(self) -> list[Any]:
        every = (self.game.discrete_to_farm(i) for i in range(len(self.action_names)))
        return [calls[0] for calls in every if calls]

    @property
    def action_names(self) -> list[str]:
        """The names of the actions in the flat list."""
        return self.game.action_names()

    def parse_action(self, line: str) -> Any:
        """Converts a line such as ``MoveN``, or a JSON action, to an action in ``action_space``. If the line has more actions than a step
        takes, only the first ones count, as in :meth:`text_step`.

        Raises:
            ActionError: The line can't be read; the message suggests the nearest name.
        """
        return self.farmgymaction_to_gymaction(self.game.parse(line))

    def instructions(self, rules: str = "hidden") -> str:
        """The instructions for a person or a language model before the first step.

        Args:
            rules: ``"hidden"`` explains the observations, the form of actions and the goal; ``"shown"`` also explains the rules and every
                action's effect.
        """
        return self.native.instructions(rules)

    def text_step(self, text: str) -> Step:
        """Takes a step with a reply from a person or a language model: one or more actions, with or without other words around them.

        ``info["rejected"]`` lists the parts that can't be read, with reasons. The game's rules then either reject the text, so that no time
        passes, or treat it as waiting. ``info["refused texts"]`` counts such texts; the entry is missing until the first one.
        """
        return self._taken(self._playing().text_step(text))

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Marks the actions in the flat list that would be executed now. MaskablePPO calls this method. For ``multi_discrete``, the mask is
        repeated for each slot."""
        return action_masks(self.game, self.native.action_mask(), self.actions)

    def effect_mask(self) -> npt.NDArray[np.int8]:
        """Marks the actions in the flat list that would change something now. The mask may reveal more than the observation shows."""
        return self.native.effect_mask()

    @property
    def expects(self) -> str:
        """The type of action that the next step expects: ``"observation"`` or ``"intervention"``. Without priced observations, it is always
        ``"intervention"``."""
        return self.native.expects

    def observations(self) -> list[Any]:
        """The current observations in the paper's form: a list of ``[field, entity, name, path, value]``."""
        return self.native.observations()

    def player(self, policy: str, seed: int = 0) -> Callable[[], list[Any]]:
        """Creates a player for one of the game's policies, for one episode in this environment. Call the player to get the policy's actions
        for the current state, as a list for :meth:`farmgym_step`. Create a new player for each episode.

        Args:
            policy: Name of the policy, from ``env.game.policies``.
            seed: Seed for policies that choose at random.

        Raises:
            ConfigError: There is no such policy, or it does not fit the game.
        """
        player = self.native.player(policy)
        player.start(seed)
        return lambda: self.native.choice(player)

    def add_monitoring(
        self,
        variables: Iterable[Sequence[Any] | Mapping[str, Any]] | None = None,
        *,
        tensorboard: str | os.PathLike[str] | None = None,
        keep: bool = True,
    ) -> Monitor:
        """Records variables, including hidden ones, after every reset and step. A second call replaces the first monitor.

        Args:
            variables: ``(field, entity, variable, function, title, range)`` for each variable; the function is a name or your own callable.
                None records the variables that the game lists under ``monitoring:``, or all variables if it lists none. See
                :class:`farm_gym.monitoring.Monitor`.
            tensorboard: A folder to write to during play; see :meth:`farm_gym.monitoring.Monitor.tensorboard`.
            keep: Whether to keep the recorded values for tables and arrays. They take memory for every step.

        Returns:
            The monitor, which contains the recorded values.

        Raises:
            ConfigError: A variable can't be monitored; the message suggests the nearest name.
            OSError: The folder can't be written to.
        """
        monitor = Monitor(self, variables, keep=keep)
        if tensorboard is not None:
            monitor.tensorboard(tensorboard)
        self.add_observer(monitor)
        self.observers = [one for one in self.observers if one is monitor or not isinstance(one, Monitor)]
        return monitor

    def add_observer(self, observer: Observer) -> None:
        """Adds an observer, which is called after every reset and step; see :class:`farm_gym.Observer`."""
        if self._has_begun:
            observer.after_reset(self)
        self.observers.append(observer)

    def remove_observer(self, observer: Observer) -> None:
        """Removes an observer. Nothing happens if the environment does not have it."""
        self.observers = [one for one in self.observers if one is not observer]

    # Snapshots.

    def snapshot(self) -> bytes:
        """The state as bytes, for :meth:`restore`; equal states have equal bytes."""
        return self.native.snapshot()

    def restore(self, snapshot: bytes) -> dict[str, Any]:
        """Returns to a snapshot, and returns its observation. If the snapshot is rejected, the environment stays unchanged.

        Raises:
            StateError: The bytes are not a snapshot, are damaged, belong to another game, or contain a value that the game can't have.
        """
        self.native.restore(snapshot)
        self._member = None
        self._begin()
        return self.native.observation()

    def rollout_many(
        self,
        actions: npt.ArrayLike | None = None,
        *,
        policy: str | None = None,
        horizon: int | None = None,
        future: Literal["drawn", "known"] = "drawn",
        seed: int | Sequence[int] = 0,
        threads: int | None = None,
    ) -> npt.NDArray[np.float64]:
        """Plays many lists of actions, or a policy in many futures, in copies of the episode. Returns the sum of rewards of each rollout.

        One call plays all rollouts, on several threads. Each is played to its end, or to the end of the episode. The environment itself stays
        unchanged.

        Args:
            actions: An array of shape (n, steps) with ids in the flat list of actions (``env.action_names``). Each row is one list of
                actions.
            policy: A policy instead of actions: a name from ``env.game.policies``, or a file. It starts at the current state.
            horizon: With a policy, the maximum number of steps; None means to the end of the episode.
            future: ``"drawn"`` resamples future random events, and draws future weather from the forecast; ``"known"`` plays the true
                future of the episode.
            seed: Seed for the drawn futures. Row i uses the seed ``seed + i``, or ``seed[i]`` if you pass a sequence. Rows with equal seeds
                have equal futures. A policy has one rollout for each seed.
            threads: Number of threads. None means one thread per CPU core, or a single thread in games with parts written in Python.

        Returns:
            An array of shape (n,): the sum of rewards for each rollout. A policy has one rollout in the known future.

        Raises:
            ActionError: The actions are not an integer array of that shape, or an id is not in the flat list.
            ConfigError: The future, a seed, the policy, the horizon or the number of threads is invalid, or it is not clear what to play.
        """
        from farm_gym.planning import check_whole, threads_of

        if (actions is None) == (policy is None):
            raise ConfigError("rollouts play either `actions` or a `policy`: give one of them")
        if horizon is not None:
            check_whole("horizon", horizon, 1)
            if policy is None:
                raise ConfigError("`horizon` is for a policy: the rows of `actions` have their own length")
        if future not in ("drawn", "known"):
            raise ConfigError(f"future is {future!r}: expected 'drawn' or 'known'")
        ids = np.zeros((1, 0), np.int64) if actions is None else np.asarray(actions)
        if ids.ndim != 2 or not np.issubdtype(ids.dtype, np.integer):
            raise ActionError(f"an array of shape {ids.shape} and type {ids.dtype}: expected integers of shape (n, steps)")
        if isinstance(seed, int):
            check_whole("seed", seed, 0)
            seeds = [(seed + i) % 2**64 for i in range(len(ids))]
        else:
            seeds = [int(one) for one in seed]
            if policy is None and len(seeds) != len(ids):
                raise ConfigError(f"{len(seeds)} seeds for {len(ids)} rows of actions: expected one for each row, or one number")
            for one in seeds:
                check_whole("seed", one, 0)
        drawn = None if future == "known" else seeds
        if policy is not None:
            return self.native.rollout_policy(policy, drawn, horizon, threads_of(self, threads))
        return self.native.rollout_many(np.ascontiguousarray(ids, np.int64), drawn, threads_of(self, threads))

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        for key in ("native", "_step", "_look"):
            del state[key]
        # A copy opens no window until its own reset, because planners step many copies.
        state["observers"] = [one for one in self.observers if one.is_copied]
        state["snapshot"], state["tally"] = self.snapshot(), self.native.tally()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        snapshot, tally = state.pop("snapshot"), state.pop("tally")
        self.__dict__.update(state)
        self._look = picture_options(self.render_view, self.render_options)
        self.native = self._environment(self.game)
        self.native.restore(snapshot)
        self.native.set_tally(*tally)
        self._choose_step()

    @property
    def farm(self) -> _native.Environment:
        """The farm. ``print(env.farm)`` shows fields, entities, actions, rules, and every variable with its range and value."""
        return self.native

    def __repr__(self) -> str:
        """A brief summary: game, preset, level, mode and spaces."""
        return f"<{describe(self, self.observation_space, self.action_space)}>"

    __str__ = __repr__

    def _repr_png_(self) -> bytes:
        """The farm as a picture, for notebooks."""
        return self.native.picture_png(self._look)

    def _repr_html_(self) -> str:
        """The farm as a picture with the game's name, for notebooks."""
        words = f"{self}, step {self.native.steps}"
        return f"<figure>{notebooks.image(self._repr_png_(), words)}<figcaption>{html.escape(words)}</figcaption></figure>"


def _typed(space: gymnasium.Space[Any], value: Any) -> Any:
    """Converts a number or nested lists to a value in this Gymnasium space."""
    return value if isinstance(space, gymnasium.spaces.Discrete) else np.asarray(value, space.dtype)
