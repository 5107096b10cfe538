"""@title@, a farm game, as an OpenEnv environment."""

from .client import FarmEnv
from .models import FarmAction, FarmObservation

__all__ = ["FarmAction", "FarmEnv", "FarmObservation"]
