"""Writes a data set: Minari's files, a list of episodes, a Croissant document and a data sheet."""

from __future__ import annotations

import json
import shlex
import shutil
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gymnasium

from farm_gym import _native
from farm_gym.dataset.behaviour import behaviour_of
from farm_gym.dataset.croissant import croissant, validate
from farm_gym.dataset.play import Episode, References, episode, references
from farm_gym.dataset.sheet import sheet
from farm_gym.env import FarmEnv
from farm_gym.errors import ConfigError, OutputError
from farm_gym.registration import environment_id
from farm_gym.train.results import write

__all__ = ["Plan", "write_dataset"]


@dataclass(frozen=True)
class Plan:
    """The settings for a data set."""

    game: str
    policy: str = "expert"
    epsilon: float = 0.0
    episodes: int = 100
    #: Seed of the first episode; later episodes have the following seeds.
    seed: int = 0
    preset: str | None = None
    set: Mapping[str, Any] = field(default_factory=dict)
    #: Number of unseen seeds for the reference scores.
    reference_episodes: int = 100

    def command(self) -> str:
        """The command that creates the data set, without the output folder."""
        words = ["python", "-m", "farm_gym.dataset", self.game, "--policy", self.policy]
        if self.epsilon:
            words += ["--epsilon", str(self.epsilon)]
        words += ["--episodes", str(self.episodes), "--seed", str(self.seed)]
        if self.preset:
            words += ["--preset", self.preset]
        words += [word for path, value in self.set.items() for word in ("--set", f"{path}={json.dumps(value, ensure_ascii=False)}")]
        return shlex.join([*words, "--reference-episodes", str(self.reference_episodes)])

    def dataset_id(self) -> str:
        """The data set's name in Minari's format: ``farm_gym/GAME/POLICY-v0``."""

        def plain(text: str) -> str:
            return "".join(c if c.isalnum() or c in "_-" else "_" for c in text).strip("_-")

        game = "-".join(plain(Path(one).stem) for one in (self.game, *(self.preset or "").split("+")) if one)
        policy = plain(Path(self.policy).name) + (f"-epsilon{plain(str(self.epsilon))}" if self.epsilon else "")
        return f"farm_gym/{game}/{policy}-v0"


def write_dataset(plan: Plan, folder: Path) -> dict[str, Any]:
    """Plays and writes a data set. The folder is written completely or not at all.

    Returns:
        ``episodes``, ``steps``, ``mean_return``, ``ref_min_score``, ``ref_max_score``, and the ``problems`` that mlcroissant finds (None if
        mlcroissant is not installed).

    Raises:
        ConfigError: The game or the policy has problems, or the folder is not empty.
        OutputError: The folder can't be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"--out: {folder} exists and is not empty: name another folder, or remove it")
    game = FarmEnv(plan.game, preset=plan.preset, set=plan.set).game
    view = "discrete" if game.max_schedule == 1 else "multi_discrete"
    env = FarmEnv(plan.game, preset=plan.preset, set=plan.set, actions=view)
    behaviour = behaviour_of(env, plan.policy, plan.epsilon)
    scores = references(env, plan.reference_episodes)
    # Minari needs absolute paths to find the sizes of its files.
    part = folder.resolve().with_name(folder.name + ".part")
    try:
        shutil.rmtree(part, ignore_errors=True)
        (part / "data").mkdir(parents=True)
        episodes = (episode(env, behaviour, seed) for seed in range(plan.seed, plan.seed + plan.episodes))
        rows = _write_minari(plan, env, view, scores, episodes, part / "data")
        write(part / "episodes.csv", "seed,steps,return\n" + "".join(f"{seed},{steps},{total!r}\n" for seed, steps, total in rows))
        facts = _facts(plan, env, view, scores, rows)
        write(part / "croissant.json", json.dumps(croissant(facts, part), ensure_ascii=False, indent=1) + "\n")
        write(part / "README.md", sheet(facts))
        problems = validate(part / "croissant.json")
        if folder.exists():
            folder.rmdir()
        part.rename(folder)
    except OSError as error:
        raise OutputError(f"{folder} can't be written: {error.strerror or error}") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return {**{key: facts[key] for key in ("episodes", "steps", "mean_return", "ref_min_score", "ref_max_score")}, "problems": problems}


Row = tuple[int, int, float]


def _game_id(game: str) -> str | None:
    try:
        return environment_id(game)
    except ConfigError:
        return None


def _spec(plan: Plan, env: FarmEnv, view: str) -> gymnasium.envs.registration.EnvSpec | None:
    """Gymnasium's specification for the environment; None for a game that is not in the catalogue."""
    name = _game_id(plan.game)
    if name is None:
        return None
    spec = gymnasium.spec(name)
    spec = gymnasium.envs.registration.EnvSpec.from_json(spec.to_json())
    spec.kwargs.update(actions=view, **({"preset": plan.preset} if plan.preset else {}), **({"set": dict(plan.set)} if plan.set else {}))
    return spec


def _write_minari(plan: Plan, env: FarmEnv, view: str, scores: References, episodes: Iterator[Episode], folder: Path) -> list[Row]:
    """Writes the data in Minari's format, episode by episode."""
    from minari.data_collector.episode_buffer import EpisodeBuffer
    from minari.dataset.minari_storage import MinariStorage

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        storage = MinariStorage.new(
            folder,
            observation_space=env.observation_space,
            action_space=env.action_space,
            env_spec=_spec(plan, env, view),
            data_format="hdf5",
            jpeg_encoding=False,
        )
        import minari

        storage.update_metadata(
            {
                "dataset_id": plan.dataset_id(),
                "algorithm_name": plan.policy if not plan.epsilon else f"{plan.policy}, with random actions at probability {plan.epsilon}",
                "author": {"The farm-gym authors"},
                "description": f"{env.game.doc} Played by `{plan.policy}`.",
                "minari_version": minari.__version__,
                "requirements": [f"farm-gym=={_native.__version__}"],
                "ref_min_score": scores.minimum,
                "ref_max_score": scores.maximum,
                "num_episodes_average_score": plan.reference_episodes,
                "farm_gym": _origin(plan, env, view, scores),
            }
        )
        rows = []
        for one in episodes:
            buffer = EpisodeBuffer(
                seed=one.seed,
                observations=one.observations,
                actions=one.actions,  # type: ignore[arg-type,unused-ignore]
                rewards=one.rewards,  # type: ignore[arg-type,unused-ignore]
                terminations=one.terminations,  # type: ignore[arg-type,unused-ignore]
                truncations=one.truncations,  # type: ignore[arg-type,unused-ignore]
                infos=one.infos,
            )
            storage.update_episodes([buffer])
            rows.append((one.seed, len(one), one.total))
    return rows


def _origin(plan: Plan, env: FarmEnv, view: str, scores: References) -> dict[str, Any]:
    """The origin of the data, with everything needed to reproduce them."""
    return {
        "game": env.game.name,
        "game_id": _game_id(plan.game),
        "fingerprint": f"{env.game.fingerprint:016x}",
        "arguments": {"game": plan.game, "preset": plan.preset, "set": dict(plan.set), "actions": view},
        "policy": plan.policy,
        "epsilon": plan.epsilon,
        "seeds": {"first": plan.seed, "count": plan.episodes},
        "references": {"means": scores.means, "best": scores.best, "seeds": {"first": scores.seeds.start, "count": len(scores.seeds)}},
        "command": plan.command(),
        "version": _native.__version__,
    }


def _facts(plan: Plan, env: FarmEnv, view: str, scores: References, rows: list[Row]) -> dict[str, Any]:
    """The facts about the data set, for the data sheet and Croissant."""
    return {
        **_origin(plan, env, view, scores),
        "dataset_id": plan.dataset_id(),
        "doc": env.game.doc,
        "episodes": len(rows),
        "steps": sum(steps for _, steps, _ in rows),
        "mean_return": sum(total for _, _, total in rows) / len(rows),
        "least_return": min(total for _, _, total in rows),
        "most_return": max(total for _, _, total in rows),
        "ref_min_score": scores.minimum,
        "ref_max_score": scores.maximum,
        "observations": [(entry["key"], entry["doc"]) for entry in env.game.layout()["entries"]],
        "action_names": env.action_names,
    }
