"""Errors and warnings. Every message shows the location, the value found and a fix."""


class FarmError(Exception):
    """The base class of all errors in this package."""


class ConfigError(FarmError, ValueError):
    """A game, a level or an option can't be used. For a file, the message shows the line, the value, the expected value and a fix."""

    #: The problem codes in the order of the message, such as ``("unknown-parameter",)``. ``farm-gym explain CODE`` explains a code.
    codes: tuple[str, ...] = ()


class ActionError(FarmError, ValueError):
    """An action is not in the action space, or can't be read. Nothing was stepped."""

    #: The problem code, if there is one, such as ``("unknown-action",)``. ``farm-gym explain CODE`` explains it.
    codes: tuple[str, ...] = ()


class GameWarning(UserWarning):
    """A game is playable, but something looks wrong, such as weather from another place. Each warning is issued once per game; the
    ``warnings`` property of its environments lists all of them."""


class SlowPartWarning(UserWarning):
    """A game has parts written in Python, which a vector environment can run in only one environment at a time."""


class StateError(FarmError, RuntimeError):
    """A call is impossible in the current state, for example a step after the end or a snapshot of another game; or a part has a defect."""


def not_begun() -> StateError:
    """The error for a step before the first reset."""
    return StateError("no episode has begun: call `reset` before the first step")


class PartError(StateError):
    """A part or a policy written in Python raised an exception, which is the ``__cause__``, or broke a rule, such as the range of a
    variable. The episode is over, unless the call only read data."""

    #: The part's path in the game, such as ``Field-0.Slugs-0``, or the import path of a policy.
    part: str = ""
    #: The method and its argument, such as ``tick('visit')``.
    method: str = ""
    #: Seed of the episode; None while a game is opened.
    seed: int | None = None
    #: Number of steps taken before the error; None while a game is opened.
    step: int | None = None
    #: Index of the environment in a vector environment; None in a single environment.
    environment: int | None = None

    def __str__(self) -> str:
        said = super().__str__()
        return said if self.environment is None else f"environment {self.environment}: {said}"


class PartWarning(UserWarning):
    """A part written in Python has a method that is never called, because its ``declare`` does not ask for it."""


class OutputError(FarmError, OSError):
    """A file can't be written, for example because its folder is missing or the disk is full. An existing file with this name stays
    unchanged."""
