"""Observers of the episodes in an environment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from farm_gym import _native
    from farm_gym.env import FarmEnv

__all__ = ["Observer", "Step"]

#: The result of a step: observation, reward, terminated, truncated, info.
Step = tuple[dict[str, Any], float, bool, bool, dict[str, Any]]


class Observer:
    """Watches the episodes in a :class:`farm_gym.FarmEnv` without changing them. Monitors, reports and windows are observers.

    A subclass overrides the methods that it needs; the others do nothing.

    >>> import farm_gym
    >>> class Best(farm_gym.Observer):
    ...     reward = float("-inf")
    ...
    ...     def after_step(self, env, step):
    ...         self.reward = max(self.reward, step[1])
    >>> env, best = farm_gym.make("backwards_valley"), Best()
    >>> env.add_observer(best)
    >>> _ = env.reset(seed=3), env.text_step("MoveN"), env.text_step("MoveS")
    >>> best.reward
    3.0

    Observers are called in the order in which they were added. If one raises an exception, ``reset``, ``step`` or ``restore`` raises it, and
    the following observers are not called.
    """

    #: Whether copies of the environment have a copy of this observer.
    is_copied = False

    def after_reset(self, env: FarmEnv) -> None:
        """An episode has started, or continues from a restored state. An observer that is added during an episode gets this call at once."""

    def after_step(self, env: FarmEnv, step: Step) -> None:
        """A step was taken. ``step`` is the result of :meth:`FarmEnv.step`, also if :meth:`FarmEnv.text_step` took it."""

    def after_episode(self, env: FarmEnv) -> None:
        """The episode has ended. This call follows the :meth:`after_step` of its last step."""

    def before_change(self, game: _native.Game) -> None:
        """The options of ``reset`` are about to change the game. An exception keeps the current game."""
