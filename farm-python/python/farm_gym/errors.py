"""What can go wrong. Every message says where, what was found and what to do."""


class FarmError(Exception):
    """The root of all errors of this package."""


class ConfigError(FarmError, ValueError):
    """A game, a level or an option that can't be used; for a file with line, value, expectation and remedy."""


class ActionError(FarmError, ValueError):
    """An action that is not of the action space or can't be read. Nothing was stepped."""


class SlowPartWarning(UserWarning):
    """A game has parts that are written in Python, which the environments of a vector environment take turns at."""


class StateError(FarmError, RuntimeError):
    """A call that does not fit the state: a step after the end, a snapshot of another game, a defect in a part."""


class OutputError(FarmError, OSError):
    """A file that can't be written: its folder is missing, the disk is full. A file of this name is left as it was."""
