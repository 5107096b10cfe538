"""``python -m farm_gym.train.constant_orders GAME``: finds the best fixed set of standing orders.

The learner ``ppo + orders`` must beat this fixed set: it can start and end the same orders (:func:`farm_gym.wrappers.farm_orders`) during
the season. On training seeds, the search tries random sets, then changes one group of orders at a time. It does not need PyTorch.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from farm_gym.errors import ConfigError, FarmError
from farm_gym.train.evaluation import TEST_SEED, VALIDATION_SEED, evaluate
from farm_gym.train.jobs import usual_wrappers
from farm_gym.train.results import result, write_json
from farm_gym.train.words import parsed
from farm_gym.vector import FarmVectorEnv
from farm_gym.wrappers import Order, VectorStandingOrders, farm_orders

__all__ = ["ConstantOrders", "main"]

#: The first training seed of the search.
TRAINING_SEED = 2**40

#: Passes over all groups of orders at the end of the search.
PASSES = 2

#: A set of orders: for each order, whether it is active.
Stands = npt.NDArray[np.bool_]


class ConstantOrders:
    """Searches for the best set in one game.

    Args:
        game: A game from the catalogue, or the path of a YAML file. Its steps must be days, and its observations must be free.
        preset: A variant of the game.

    Raises:
        ConfigError: The game has problems, or no orders fit it.
    """

    def __init__(self, game: str, preset: str | None = None) -> None:
        self._open: dict[str, Any] = {"preset": preset, "actions": "discrete", "autoreset_mode": AutoresetMode.NEXT_STEP}
        self._name = game
        self.game = FarmVectorEnv(game, 1, **self._open).game
        self.orders = farm_orders(self.game, usual_wrappers("ppo", self.game).get("sowing_dates", 0))
        groups: dict[Any, list[int]] = {}
        for i, order in enumerate(self.orders):
            groups.setdefault(i if order.group is None else order.group, []).append(i)
        self._groups = list(groups.values())
        self.over_limit: int | None = None

    def play(self, stands: Stands, seeds: Sequence[int]) -> npt.NDArray[np.float64]:
        """The return with each seed if a set of orders is active all season."""
        orders: list[Order] = [replace(order, stands=bool(is_on)) for order, is_on in zip(self.orders, stands, strict=True)]
        envs = VectorStandingOrders(FarmVectorEnv(self._name, len(seeds), action_masks=True, **self._open), orders, alone=True)
        nothing = np.full(len(seeds), self.game.idle)
        evaluated = evaluate(envs, seeds, lambda observations, masks, begun: nothing)
        self.over_limit = evaluated.over_limit
        return np.array(evaluated.returns)

    def search(self, draws: int, episodes: int, seed: int) -> Stands:
        """Returns the set with the highest mean return on training seeds. It tries random sets, then sets that differ from the best one in
        a single group."""
        random, seeds = np.random.default_rng(seed), range(TRAINING_SEED, TRAINING_SEED + episodes)
        first = np.array([order.stands for order in self.orders])
        best, mean = first, float(self.play(first, seeds).mean())
        for _ in range(draws):
            drawn = first.copy()
            for group in self._groups:
                if random.random() < 0.5:
                    drawn = _with(drawn, group, int(random.integers(-1, len(group))))
            best, mean = self._better(best, mean, drawn, seeds)
        for _ in range(PASSES):
            before = mean
            for group in self._groups:
                for choice in range(-1, len(group)):
                    best, mean = self._better(best, mean, _with(best, group, choice), seeds)
            if mean == before:
                break
        return best

    def _better(self, best: Stands, mean: float, other: Stands, seeds: Sequence[int]) -> tuple[Stands, float]:
        if (best == other).all():
            return best, mean
        found = float(self.play(other, seeds).mean())
        return (other, found) if found > mean else (best, mean)


def _with(stands: Stands, group: Sequence[int], choice: int) -> Stands:
    """A copy of a set with one order from a group, or with none from this group if the choice is -1."""
    changed = stands.copy()
    changed[list(group)] = False
    if choice >= 0:
        changed[group[choice]] = True
    return changed


def main(words: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit code. None means the arguments of this process."""
    parser = argparse.ArgumentParser(
        "python -m farm_gym.train.constant_orders", description="Finds the best set of standing orders that never changes."
    )
    add = parser.add_argument
    add("game", metavar="GAME", help="a name of the catalogue, or the path of a YAML file")
    add("--preset", metavar="NAME", help="a variant that the game names, or several: ONE+OTHER")
    add("--draws", type=int, default=120, metavar="N", help="random sets to begin with (default: 120)")
    add("--training-episodes", type=int, default=48, metavar="N", help="training seeds that each set plays (default: 48)")
    add("--seed", type=int, default=0, metavar="S", help="seed of the search (default: 0)")
    add("--episodes", type=int, default=300, metavar="N", help="unseen seeds to evaluate on (default: 300)")
    add(
        "--test-seeds",
        action="store_true",
        help="evaluate on the published test seeds, from 1,000,000 on, in place of validation seeds, from 2,000,000 on",
    )
    add("--out", type=Path, metavar="FILE", help="write the result to this JSON file")
    given = parsed(parser, words, draws=0, training_episodes=1, seed=0, episodes=1)
    try:
        if given.out is not None and not given.out.parent.is_dir():
            raise ConfigError(f"--out: there is no folder {given.out.parent}")
        begun = time.process_time()
        search = ConstantOrders(given.game, given.preset)
        stands = search.search(given.draws, given.training_episodes, given.seed)
        trained = time.process_time()
        names = search.game.action_names()
        chosen = [f"{_act(order, names)} when {order.when}" for order, is_on in zip(search.orders, stands, strict=True) if is_on]
        first = TEST_SEED if given.test_seeds else VALIDATION_SEED
        seeds = range(first, first + given.episodes)
        returns = search.play(stands, seeds)
        print("\n".join(chosen) or "no order stands")
        print(
            f"{returns.mean():.2f} on average on {len(seeds)} unseen seeds (standard error {returns.std(ddof=len(seeds) > 1) / len(seeds) ** 0.5:.2f})"
        )
        if given.out is not None:
            settings = {"draws": given.draws, "episodes": given.training_episodes, "orders": chosen}
            training = {"seed": given.seed, "hyperparameters": settings, "cpu_seconds": round(trained - begun, 2)}
            command = shlex.join(["python", "-m", "farm_gym.train.constant_orders", *(sys.argv[1:] if words is None else words)])
            made_by = {"command": command, "cpu_seconds": round(time.process_time() - trained, 2)}
            policy = {"name": "constant orders", "kind": "tuned"}
            document = result(
                search.game, {"preset": given.preset}, policy, seeds, [float(one) for one in returns], made_by, training, search.over_limit
            )
            write_json(given.out, document)
    except FarmError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _act(order: Order, names: Sequence[str]) -> str:
    """An order's action in words; the first action, if the order has one for each plot."""
    act = order.act if isinstance(order.act, (int, str)) else order.act[0]
    return names[act] if isinstance(act, int) else act


if __name__ == "__main__":
    sys.exit(main())
