"""Spaces from the paper that Gymnasium lacks, and conversion of a game's spaces to Gymnasium spaces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.spaces.utils import flatdim, flatten, flatten_space, unflatten

__all__ = ["MultiUnion", "Union", "from_description"]


class Union(spaces.OneOf):  # type: ignore[type-arg,unused-ignore]  # generic only in newer Gymnasium
    """A value from one of several spaces: ``(index, value)`` (Farm-gym paper, section 3.2; Gymnasium's ``OneOf``)."""

    def contains(self, x: Any) -> bool:
        """Whether ``x`` is an index and a value in that space."""
        return _is_one_of(self.spaces, x)


class MultiUnion(gymnasium.Space[tuple[tuple[int, Any], ...]]):
    """At most ``max`` different values from a union: a tuple of ``(index, value)`` pairs (Farm-gym paper, section 3.2).

    The order matters, because a schedule executes its actions in this order. A sample draws its length uniformly from 0 to ``max``, then
    draws that number of values as from a :class:`Union`, and leaves out repeated values.

    Args:
        spaces: The spaces of the values.
        max: Maximum number of values.
        seed: Seed for the samples.
    """

    def __init__(self, spaces: Sequence[gymnasium.Space[Any]], max: int, seed: int | None = None) -> None:
        self.spaces = tuple(spaces)
        self.max = int(max)
        super().__init__(None, None, seed)

    @property
    def is_np_flattenable(self) -> bool:
        """Whether the space can be flattened into a vector, which is true if all spaces in it can."""
        return all(space.is_np_flattenable for space in self.spaces)

    def seed(self, seed: Any = None) -> Any:
        """Seeds this space and the spaces in it."""
        seeds = super().seed(seed)
        for space in self.spaces:
            space.seed(int(self.np_random.integers(np.iinfo(np.int32).max)))
        return seeds

    def sample(self, mask: Any | None = None, probability: Any | None = None) -> tuple[tuple[int, Any], ...]:
        """A random value. Masks are rejected: sample from the flat list of actions instead."""
        if mask is not None or probability is not None:
            raise ValueError("MultiUnion has no masks: use the flat list of actions (`actions='discrete'`)")
        drawn: list[tuple[int, Any]] = []
        if self.spaces:
            for _ in range(int(self.np_random.integers(self.max + 1))):
                index = int(self.np_random.integers(len(self.spaces)))
                value = (index, self.spaces[index].sample())
                if not any(_same(value, other) for other in drawn):
                    drawn.append(value)
        return tuple(drawn)

    def contains(self, x: Any) -> bool:
        """Whether ``x`` is a list or tuple of at most ``max`` different ``(index, value)`` pairs."""
        if not isinstance(x, (tuple, list)) or len(x) > self.max:
            return False
        whole = all(_is_one_of(self.spaces, item) for item in x)
        return whole and not any(_same(a, b) for i, a in enumerate(x) for b in x[:i])

    def to_jsonable(self, sample_n: Iterable[tuple[tuple[int, Any], ...]]) -> list[Any]:
        """Values as JSON."""
        return [[[int(i), self.spaces[i].to_jsonable([v])] for i, v in sample] for sample in sample_n]

    def from_jsonable(self, sample_n: list[Any]) -> list[tuple[tuple[int, Any], ...]]:
        """Values from JSON."""
        return [tuple((int(i), self.spaces[i].from_jsonable(v)[0]) for i, v in sample) for sample in sample_n]

    def __repr__(self) -> str:
        return f"MultiUnion[{self.max}]({', '.join(map(str, self.spaces))})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MultiUnion) and (self.spaces, self.max) == (other.spaces, other.max)

    def __len__(self) -> int:
        return len(self.spaces)


def _is_one_of(spaces: Sequence[gymnasium.Space[Any]], x: Any) -> bool:
    """Whether ``x`` is an index and a value in the space with this index."""
    if not isinstance(x, (tuple, list)) or len(x) != 2:
        return False
    index, value = x
    is_index = isinstance(index, (int, np.integer)) and not isinstance(index, bool)
    return is_index and 0 <= index < len(spaces) and _contains(spaces[index], value)


def _contains(space: gymnasium.Space[Any], value: Any) -> bool:
    """Whether a value belongs to a space. A list counts as an array, and a number counts as an array with one entry."""
    if isinstance(space, spaces.Dict):
        return (
            isinstance(value, dict)
            and value.keys() == space.spaces.keys()
            and all(_contains(inner, value[key]) for key, inner in space.items())
        )
    if isinstance(space, spaces.Box) and not isinstance(value, np.ndarray):
        try:
            value = np.asarray(value, dtype=space.dtype)
        except (TypeError, ValueError):
            return False
    return space.contains(value)


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(map(_same, a, b))
    return bool(np.array_equal(a, b))


def _width(space: MultiUnion) -> int:
    """Length of one slot: flags for the value's space, and room for the longest value."""
    return len(space.spaces) + max((flatdim(inner) for inner in space.spaces), default=0)


@flatdim.register(MultiUnion)
def _flatdim(space: MultiUnion) -> int:
    return space.max * _width(space)


@flatten_space.register(MultiUnion)
def _flatten_space(space: MultiUnion) -> gymnasium.Space[Any]:
    flat = [flatten_space(inner) for inner in space.spaces]
    boxes = [box for box in flat if isinstance(box, spaces.Box)]
    low = min((float(box.low.min()) for box in boxes if box.low.size), default=0.0)
    high = max((float(box.high.max()) for box in boxes if box.high.size), default=1.0)
    return spaces.Box(min(low, 0.0), max(high, 1.0), (_flatdim(space),), dtype=np.float64)


@flatten.register(MultiUnion)
def _flatten(space: MultiUnion, x: Any) -> npt.NDArray[np.float64]:  # type: ignore[misc]
    width, kinds = _width(space), len(space.spaces)
    out = np.zeros((space.max, width))
    for row, (index, value) in zip(out, x, strict=False):
        inner = space.spaces[index]
        row[index] = 1.0
        row[kinds : kinds + flatdim(inner)] = np.asarray(flatten(inner, value))
    return out.reshape(-1)


@unflatten.register(MultiUnion)
def _unflatten(space: MultiUnion, x: Any) -> tuple[tuple[int, Any], ...]:  # type: ignore[misc]
    width, kinds = _width(space), len(space.spaces)
    values = []
    for row in np.asarray(x).reshape(space.max, width):
        if row[:kinds].any():
            index = int(row[:kinds].argmax())
            inner = space.spaces[index]
            values.append((index, unflatten(inner, row[kinds : kinds + flatdim(inner)])))
    return tuple(values)


def from_description(description: dict[str, Any], discrete_dtype: Any = np.int64) -> gymnasium.Space[Any]:
    """The Gymnasium space for a description ``{"type": …, "of": …}`` from the engine.

    Args:
        description: The description.
        discrete_dtype: The type of the numbers in `Discrete` and `MultiDiscrete`.

    Raises:
        ValueError: The type of space in the description is unknown.
    """
    kind = description.get("type")
    of: Any = description.get("of")

    def inner(one: dict[str, Any]) -> gymnasium.Space[Any]:
        return from_description(one, discrete_dtype)

    if kind == "Box":
        dtype = np.dtype(of["dtype"])
        low, high = (_bounds(of[side], of["shape"]) for side in ("low", "high"))
        return spaces.Box(low.astype(dtype), high.astype(dtype), tuple(of["shape"]), dtype=dtype)
    if kind == "Discrete":
        return spaces.Discrete(of["n"])
    if kind == "MultiDiscrete":
        return spaces.MultiDiscrete(of["nvec"], dtype=discrete_dtype)
    if kind == "MultiBinary":
        # A one-dimensional shape is passed as its length, as learners expect.
        shape = of["shape"]
        return spaces.MultiBinary(shape[0] if len(shape) == 1 else shape)
    if kind == "Text":
        return spaces.Text(of["max_length"], min_length=of["min_length"], charset=of["charset"])
    if kind == "Dict":
        # A list keeps the order of the entries.
        return spaces.Dict([(key, inner(one)) for key, one in (of.items() if isinstance(of, dict) else of)])
    if kind == "Tuple":
        return spaces.Tuple([inner(one) for one in of])
    if kind == "Sequence":
        return spaces.Sequence(inner(of["space"]))
    if kind == "Union":
        return Union([inner(one) for one in of])
    if kind == "MultiUnion":
        return MultiUnion([inner(one) for one in of["spaces"]], of["max"])
    raise ValueError(f"`{kind}` is not a kind of space")


def _bounds(values: Any, shape: Sequence[int]) -> npt.NDArray[np.float64]:
    """The bounds of each entry. The input has one bound for all entries, one per position on the last axis, or one per entry."""
    numbers = np.array([float(value) for value in (values if isinstance(values, list) else [values])])
    size = int(np.prod(shape))
    if numbers.size not in (1, size) and shape and numbers.size == shape[-1]:
        return np.broadcast_to(numbers, tuple(shape)).copy()
    return np.broadcast_to(numbers if numbers.size == size else numbers[0], size).reshape(tuple(shape)).copy()
