"""Tasks on the cluster: a limited number run at once, and they restart if a machine dies."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import Any

from farm_gym import _native
from farm_gym.cluster.connection import size
from farm_gym.cluster.files import Files, unpack
from farm_gym.errors import ConfigError

__all__ = ["AHEAD", "Tasks", "Worker"]

#: Number of tasks under way for each core: one that runs, and one that waits.
AHEAD = 2
#: The environment variables that the program reads.
VARIABLES = ("FARM_GYM_ALLOW_PLUGINS", "FARM_GYM_ALLOW_OUTSIDE_FILES", "FARM_GYM_PLUGINS")


class Worker:
    """The setup of every task: the same program, files and permissions as on the machine that runs the command."""

    def __init__(self, files: Files) -> None:
        self.version, self.files = _native.__version__, files
        self.variables = {name: os.environ[name] for name in VARIABLES if name in os.environ}

    def begin(self) -> None:
        """Prepares this process to play for the command.

        Raises:
            ConfigError: Another version is installed here.
        """
        if _native.__version__ != self.version:
            raise ConfigError(
                f"farm-gym {_native.__version__} is installed, and the command runs with {self.version}: "
                f"pip install farm-gym=={self.version} on all machines"
            )
        os.environ.update(self.variables)
        if self.files:
            os.chdir(unpack(self.files))


class Tasks:
    """Tasks that are under way.

    Args:
        function: The function that a task calls; each machine imports it.
        retries: Number of retries for a task whose machine or process died.
        cores: Number of cores per task.
    """

    def __init__(self, function: Callable[..., Any], retries: int, cores: int = 1) -> None:
        import ray

        # An error in the game itself would recur, so the task is not retried.
        self._remote = ray.remote(max_retries=retries, retry_exceptions=False, num_cpus=cores)(function)
        self._retries, self._cores = retries, cores
        self._under_way: dict[Any, Any] = {}
        self._asked = float("-inf")
        self.machines = self.capacity = 0

    def has_room(self) -> bool:
        """Whether the cluster can accept another task. Machines may join and leave."""
        if time.monotonic() - self._asked > 1.0:
            self.machines, cores = size()
            self.capacity, self._asked = cores // self._cores, time.monotonic()
        return len(self._under_way) < AHEAD * max(1, self.capacity)

    def start(self, name: Any, *arguments: Any) -> None:
        """Starts a task; `name` is returned with its result."""
        self._under_way[self._remote.remote(*arguments)] = name

    def names(self) -> list[Any]:
        """The names of the tasks under way."""
        return list(self._under_way.values())

    def done(self, seconds: float) -> Iterator[tuple[Any, Any]]:
        """The names and results of finished tasks, after waiting up to `seconds` for one.

        Raises:
            ConfigError: A task failed after all retries, or the package is missing on a machine.
        """
        import ray
        from ray.exceptions import RayError, RayTaskError

        ready, _ = ray.wait(list(self._under_way), timeout=seconds) if self._under_way else ([], [])
        for reference in ready:
            name = self._under_way.pop(reference)
            try:
                yield name, ray.get(reference)
            except RayTaskError as error:
                raise ConfigError(
                    f"a task of the cluster failed; farm-gym {_native.__version__} must be installed on all machines\n{error}"
                ) from None
            except RayError as error:
                first = (str(error).strip().splitlines() or [""])[0]
                raise ConfigError(
                    f"a task was started {self._retries + 1} times, and each time its process or its machine died: {type(error).__name__}: {first}\n"
                    "finished blocks are stored; --block-retries N tries more often, and `ray status` shows the machines"
                ) from None

    def cancel(self) -> None:
        """Cancels all tasks under way."""
        import ray

        for reference in self._under_way:
            ray.cancel(reference, force=True)
        self._under_way.clear()
