"""Checks that the methods of a class match its declarations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from farm_gym.parts.bases import Part, Policy, Rule, Score

__all__ = ["lacking", "unused"]


def lacking(part: Part | Policy | Rule, declared: Mapping[str, Any]) -> list[str]:
    """The methods that the engine will call but the class lacks, each as a sentence without a subject."""
    found = []
    if isinstance(part, Part):
        acted = [action["name"] for action in declared["actions"] if not action["waits"]]
        computed = [variable["name"] for variable in declared["variables"] if variable["computed"]]
        if declared["phases"] and not _has(part, Part, "tick"):
            found.append(f"asks for the phase `{declared['phases'][0]}` and has no method `tick(self, phase, context)`")
        if acted and not _has(part, Part, "act"):
            found.append(f"declares the action `{acted[0]}` and has no method `act(self, action, arguments, context)`")
        if computed and not _has(part, Part, "observe"):
            found.append(f"declares `{computed[0]}` as computed and has no method `observe(self, variable, context)`")
    if isinstance(part, Score) and not _has(part, Score, "reward"):
        found.append("has no method `reward(self, context)`")
    if isinstance(part, Policy) and not _has(part, Policy, "choose"):
        found.append("has no method `choose(self, observation, info)`")
    return found


def unused(part: Part, declared: Mapping[str, Any]) -> list[str]:
    """The methods that the engine will never call, each as a sentence without a subject."""
    found = []
    if _has(part, Part, "tick") and not declared["phases"]:
        found.append('has a method `tick` that is never called: ask for a phase in `declare`, such as `declarations.runs_in("visit")`')
    if _has(part, Part, "act") and not declared["actions"]:
        found.append('has a method `act` that is never called: declare an action, such as `declarations.action("salt", "Scatters salt.")`')
    if _has(part, Part, "observe") and not any(variable["computed"] for variable in declared["variables"]):
        found.append("has a method `observe` that is never called: declare a variable with `computed=True`")
    if isinstance(part, Score) and _has(part, Score, "constraint_costs") and not declared["constraints"]:
        found.append("has a method `constraint_costs` that is never called: declare a constraint, `declarations.constraint(name, unit)`")
    return found


def _has(part: object, base: type, method: str) -> bool:
    """Whether the class overrides a method of its base class."""
    return getattr(type(part), method) is not getattr(base, method)
