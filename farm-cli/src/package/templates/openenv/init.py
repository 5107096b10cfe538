"""@title@, a farm game, as an environment of OpenEnv."""

from .client import FarmEnv
from .models import FarmAction, FarmObservation

__all__ = ["FarmAction", "FarmEnv", "FarmObservation"]
