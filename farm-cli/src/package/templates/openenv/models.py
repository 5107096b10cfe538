"""What is sent, and what comes back."""

from typing import Any

from openenv.core.env_server.types import Action, Observation
from pydantic import Field


class FarmAction(Action):
    """An action: a text such as `wait`, an id of the flat list, or a list of named actions."""

    action: str | int | list[Any] = Field(..., description="What is done")
    params: dict[str, Any] | None = Field(default=None, description="Parameters of an action by name")


class FarmObservation(Observation):
    """What is seen: as a text, and as numbers by name."""

    text: str = Field(default="", description="What there is to read")
    values: dict[str, Any] = Field(default_factory=dict, description="The values by name")
    instructions: str = Field(default="", description="What a player is told before the first step")
