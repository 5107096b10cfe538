"""A game's actions as tools: methods with typed arguments and docstrings, as TRL's trainers expect.

>>> from farm_gym.text.tools import tool_environment
>>> Beans = tool_environment("clay_bean", form="compact", rules="shown")
>>> env = Beans()
>>> first = env.reset(seed=7)
>>> print(env.water_discrete(amount=2000).splitlines()[-1])
last reward: -1.8000
>>> env.get_reward()
-1.8

``GRPOTrainer(environment_factory=Beans, …)`` offers each method to the model as a tool. No tool restarts an episode, because a player can't
turn back time.
"""

from __future__ import annotations

import inspect
import json
import keyword
from collections.abc import Callable
from typing import Any, Literal

from farm_gym.errors import ConfigError, StateError
from farm_gym.text import TextEnv

__all__ = ["ToolEnvironment", "tool_environment", "tool_schemas"]

#: Method names that trainers use.
RESERVED = ("reset", "get_reward")


class ToolEnvironment:
    """An episode played through methods. Classes from :func:`tool_environment` have one method for each action."""

    _arguments: dict[str, Any] = {}

    def __init__(self) -> None:
        self._env = TextEnv(**self._arguments)
        self._is_over = False
        self._reward = 0.0

    def reset(self, seed: int | None = None, **_: Any) -> str:
        """Starts an episode; other columns of a data set are ignored.

        Args:
            seed: Seed for the episode. None draws one.

        Returns:
            The instructions and the first text.
        """
        text, info = self._env.reset(seed)
        self._is_over, self._reward = False, 0.0
        return f"{info['instructions']}\n{text}"

    def get_reward(self) -> float:
        """The episode's return so far."""
        return self._reward

    def _play(self, action: str, arguments: dict[str, Any]) -> str:
        if self._is_over:
            # A model reads this message, and has no tool to restart the episode.
            raise StateError("the episode is over: no further action is taken")
        text, reward, terminated, truncated, _ = self._env.step(json.dumps({"action": action, "params": arguments}))
        self._reward += reward
        self._is_over = terminated or truncated
        return text


def tool_schemas(game: str | Any, rules: str = "hidden") -> list[dict[str, Any]]:
    """A game's actions in the chat-completions tool format.

    Args:
        game: A game, as for :class:`farm_gym.text.TextEnv`, or an existing environment of this class.
        rules: Whether the descriptions explain the effects of actions, as in the instructions: ``"hidden"`` or ``"shown"``.
    """
    env = game if isinstance(game, TextEnv) else TextEnv(game)
    tools = env.game.tools(rules)
    return [
        {"type": "function", "function": {"name": one["name"], "description": one["description"], "parameters": one["arguments"]}}
        for one in tools
    ]


def tool_environment(game: str, **arguments: Any) -> type[ToolEnvironment]:
    """Creates a class whose instances are episodes of a game, with a method for each action.

    Args:
        game: The game. All other arguments go to :class:`farm_gym.text.TextEnv`.

    Returns:
        A class that is instantiated without arguments, as TRL's ``environment_factory`` requires.

    Raises:
        ConfigError: The game has problems, or a step takes a schedule of several actions.
    """
    env = TextEnv(game, **arguments)
    methods: dict[str, Any] = {"_arguments": {"game": game, **arguments}}
    for tool in env.game.tools(env.rules):
        name = tool["name"]
        if name in RESERVED or keyword.iskeyword(name) or not name.isidentifier():
            name = f"do_{name}"
        if name in methods:
            raise ConfigError(f"two actions of this game are called {name!r}: their names differ in special characters only")
        methods[name] = _method(name, tool)
    title = "".join(word.capitalize() for word in env.game.name.replace("-", "_").split("_"))
    return type(f"{title}Tools", (ToolEnvironment,), methods)


def _method(name: str, tool: dict[str, Any]) -> Callable[..., str]:
    """Creates the method for a tool. Its signature and docstring come from the tool's schema."""
    properties: dict[str, Any] = tool["arguments"]["properties"]
    action, is_request = tool["action"], tool["name"] == "observe"

    def method(self: ToolEnvironment, *values: Any, **named: Any) -> str:
        bound = signature.bind(self, *values, **named).arguments
        given = {key: value for key, value in bound.items() if key != "self"}
        if is_request:
            return self._play(f"observe {given['what']}", {})
        return self._play(action, given)

    kinds = {key: _type(schema) for key, schema in properties.items()}
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for key, kind in kinds.items():
        parameters.append(inspect.Parameter(key, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=kind))
    signature = inspect.Signature(parameters, return_annotation=str)
    lines = [tool["description"], ""]
    if properties:
        lines += ["Args:", *(f"    {key}: {schema['description']}" for key, schema in properties.items()), ""]
    lines += ["Returns:", "    The text after the action."]
    method.__name__ = method.__qualname__ = name
    method.__doc__ = "\n".join(lines)
    method.__signature__ = signature  # type: ignore[attr-defined]
    method.__annotations__ = {**kinds, "return": str}
    return method


def _type(schema: dict[str, Any]) -> Any:
    """The type of values that fit a schema."""
    if "enum" in schema:
        values = [int(value) if isinstance(value, float) and value.is_integer() else value for value in schema["enum"]]
        # A Literal can't contain real numbers, so only the schema lists them.
        return Literal[tuple(values)] if all(isinstance(value, (str, int)) for value in values) else float
    return {"array": list[int], "number": float, "integer": int}.get(schema["type"], str)
