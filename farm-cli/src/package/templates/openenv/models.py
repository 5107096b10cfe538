"""The types of actions and observations."""

from typing import Any

from openenv.core.env_server.types import Action, Observation
from pydantic import Field


class FarmAction(Action):
    """An action: a string such as `wait`, or an id of the flat list. Other JSON is read as text."""

    action: str | int | list[Any] | dict[str, Any] | None = Field(..., description="The action")
    params: dict[str, Any] | None = Field(default=None, description="Parameters of an action by name")


class FarmObservation(Observation):
    """An observation, as text and as numbers by name."""

    text: str = Field(default="", description="The observation as text")
    values: dict[str, Any] = Field(default_factory=dict, description="The values by name")
    instructions: str = Field(default="", description="The instructions, before the first step")
