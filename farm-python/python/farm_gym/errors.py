"""Errors and warnings. Every message gives a location, the value found and a fix."""


class FarmError(Exception):
    """The base class of all errors in this package."""


class ConfigError(FarmError, ValueError):
    """A game, a level or an option can't be used. For a file, the message gives line, value, expectation and fix."""

    #: The codes of the problems, in the order of the message, such as ``("unknown-parameter",)``; ``farm-gym explain CODE`` explains them.
    codes: tuple[str, ...] = ()


class ActionError(FarmError, ValueError):
    """An action is not in the action space, or can't be read. Nothing was stepped."""

    #: The code of the problem, if it has one, such as ``("unknown-action",)``; ``farm-gym explain CODE`` explains it.
    codes: tuple[str, ...] = ()


class GameWarning(UserWarning):
    """A game can be played but something is odd, such as weather from another place. Each game warns once; its environments' property
    ``warnings`` lists the messages."""


class SlowPartWarning(UserWarning):
    """A game has parts written in Python, so the environments of a vector environment run them one at a time."""


class StateError(FarmError, RuntimeError):
    """A call does not fit the state, for example a step after the end, a snapshot of another game, or a defect in a part."""


def not_begun() -> StateError:
    """The error for a step before the first reset."""
    return StateError("no episode has begun: call `reset` before the first step")


class PartError(StateError):
    """A part or a policy written in Python raised an exception, which is the ``__cause__``; or it broke a rule, such as the range of a
    variable. The episode is over, unless the call only read something."""

    #: Path of the part in the game, such as ``Field-0.Slugs-0``, or the import path of a policy.
    part: str = ""
    #: The method and its argument, such as ``tick('visit')``.
    method: str = ""
    #: Seed of the episode; None while a game is opened.
    seed: int | None = None
    #: Steps taken before; None while a game is opened.
    step: int | None = None
    #: Number of the environment in a vector environment; None in a single one.
    environment: int | None = None

    def __str__(self) -> str:
        said = super().__str__()
        return said if self.environment is None else f"environment {self.environment}: {said}"


class PartWarning(UserWarning):
    """A part written in Python has a method that is never called, because its ``declare`` does not ask for it."""


class OutputError(FarmError, OSError):
    """A file can't be written: its folder is missing, or the disk is full. An existing file with this name stays unchanged."""
