"""The client: typed actions and observations over a WebSocket."""

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.types import State

from .models import FarmAction, FarmObservation


class FarmEnv(EnvClient[FarmAction, FarmObservation, State]):
    """A session of the game."""

    def _step_payload(self, action: FarmAction) -> dict[str, Any]:
        return action.model_dump(exclude_none=True)

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[FarmObservation]:
        reward, done = payload.get("reward"), payload.get("done", False)
        metadata = payload.get("metadata") or {}
        observation = FarmObservation(**payload.get("observation", {}), reward=reward, done=done, metadata=metadata)
        return StepResult(observation=observation, reward=reward, done=done, metadata=metadata)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)
