"""A farm-gym game as a resources server: it answers each reply of the model with the game's next text and a reward."""

import json
from pathlib import Path
from typing import Any

from nemo_gym.openai_utils import NeMoGymResponse
from resources_servers.gymnasium import GymnasiumServer, extract_text

import farm_gym.text

HERE = Path(__file__).parent
SETTINGS = json.loads((HERE / "settings.json").read_text(encoding="utf-8"))


def open_game(game: str, rules: str | None = None) -> farm_gym.text.TextEnv:
    """Opens the game of a task: a game of farm-gym, or a file next to this one."""
    source = str(HERE / game) if game.endswith(".yaml") else game
    return farm_gym.text.make(source, form=SETTINGS["form"], rules=rules or SETTINGS["rules"])


def share(row: dict[str, Any]) -> tuple[float, float]:
    """Returns the scores of a return of 0 and of one point of return. Rewards then add up to (return − waiting) / (best − waiting)."""
    room = 0.0 if row["best"] is None else row["best"] - row["waiting"]
    return (-row["waiting"] / room, 1.0 / room) if room > 0 else (0.0, 1.0)


class FarmServer(GymnasiumServer):
    """Plays the worlds of the tasks, one per session."""

    async def reset(self, metadata: dict[str, Any], session_id: str | None = None) -> tuple[str | None, dict[str, Any]]:
        """Starts the world of a task; returns the instructions and the first text."""
        game = open_game(metadata["game"], metadata.get("rules"))
        text, info = game.reset(metadata["seed"], split=metadata["split"])
        nothing, point = share(metadata)
        self.session_state[session_id] = {"game": game, "point": point, "owed": nothing, "turns": 0}
        return f"{info['instructions']}\n{text}", {"seed": info["seed"]}

    async def step(
        self, action: NeMoGymResponse, metadata: dict[str, Any], session_id: str | None = None
    ) -> tuple[str | None, float, bool, bool, dict[str, Any]]:
        """Plays a reply."""
        session = self.session_state[session_id]
        text, reward, terminated, truncated, info = session["game"].step(extract_text(action))
        session["turns"] += 1
        truncated = truncated or (session["turns"] >= SETTINGS["max_turns"] and not terminated)
        # The score of a return of 0 is added once, to the first reward.
        owed, session["owed"] = session["owed"], 0.0
        details = {"rejected": info["rejected"], "game_return": sum(info["returns"]), "turns": session["turns"]}
        return text, reward * session["point"] + owed, terminated, truncated, details


if __name__ == "__main__":
    FarmServer.run_webserver()
