"""A farm-gym game as a taskset for verifiers."""

from .taskset import FarmEnv, FarmTaskset

__all__ = ["FarmEnv", "FarmTaskset"]
