"""The tasks of the package and their environment: the game answers each reply of the model with its next text."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import farm_gym.text
import verifiers.v1 as vf

HERE = Path(__file__).parent
SETTINGS = json.loads((HERE / "settings.json").read_text(encoding="utf-8"))


def open_game(game: str, rules: str | None = None) -> farm_gym.text.TextEnv:
    """Opens the game of a task: a game of farm-gym, or the file in this package."""
    source = str(HERE / game) if game.endswith(".yaml") else game
    return farm_gym.text.make(source, form=SETTINGS["form"], rules=rules or SETTINGS["rules"])


class FarmData(vf.TaskData):
    """A world, which the model plays in one episode."""

    split: Literal["train", "validation", "test"]
    """The split of the world."""
    game: str
    """The name of the game, or its file in this package."""
    seed: int
    """The seed of the world, reserved for the split."""
    waiting: float
    """The return of waiting."""
    best: float | None
    """The best known return."""
    best_is: str | None
    """The source of the best known return."""
    rules: str | None = None
    """Whether the rules are hidden or shown, if this differs from the package settings."""


class FarmTask(vf.Task[FarmData]):
    """A task. The environment scores it, because only the environment knows the return."""


class FarmConfig(vf.TasksetConfig):
    """The options of the taskset."""

    split: Literal["train", "validation", "test"] = "train"
    """The split to play."""


class FarmTaskset(vf.Taskset[FarmTask, FarmConfig]):
    """The worlds of a split."""

    def load(self) -> Iterator[FarmTask]:
        """Reads the tasks. The first text of a world is the prompt, and the instructions are the system prompt."""
        lines = (HERE / "tasks" / f"{self.config.split}.jsonl").read_text(encoding="utf-8").splitlines()
        for line in lines:
            row = json.loads(line)
            text, info = open_game(row["game"], row.get("rules")).reset(row["seed"], split=row["split"])
            data = FarmData(name=row["id"], prompt=text, system_prompt=info["instructions"], **row)
            yield FarmTask(data, self.config.task)


class FarmEnvConfig(vf.EnvConfig):
    """The player is the only role. It only replies with text, so it needs no tools and no separate machine."""

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime=vf.SubprocessConfig())  # type: ignore[arg-type]


class FarmEnv(vf.Env[FarmEnvConfig]):
    """Plays a task: each reply is a turn, until the episode is over or the turns are used up."""

    async def run(self, task: FarmTask, agents: vf.Agents) -> None:
        """Plays one episode."""
        world = task.data
        game = open_game(world.game, world.rules)
        game.reset(world.seed, split=world.split)
        turns, invalid, over = 0, 0, False
        async with agents.player.interaction(task) as interaction:
            # The prompt of the task is the first text, so the model replies first.
            segment = await interaction.turn()
            while not segment.terminated:
                text, _, terminated, truncated, info = game.step(segment.last_reply)
                turns, invalid = turns + 1, invalid + bool(info["rejected"])
                over = terminated or truncated
                if over or turns >= SETTINGS["max_turns"]:
                    break
                segment = await interaction.turn(text)
        earned = sum(game.returns)
        room = 0.0 if world.best is None else world.best - world.waiting
        trace = interaction.trace
        trace.record_reward("score", (earned - world.waiting) / room if room > 0 else earned)
        trace.record_metrics({"game_return": earned, "turns": float(turns), "invalid": float(invalid), "finished": float(over)})
