"""What a game file from a stranger may bring along: merely importing it does something."""

from pathlib import Path

import farm_gym

Path("OUTSIDE").write_text("code ran")


class X(farm_gym.Entity):
    """Does nothing else."""
