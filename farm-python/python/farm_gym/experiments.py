"""Plays field trials and compares them with measurements."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from farm_gym import _native

if TYPE_CHECKING:
    import pandas

__all__ = ["trials"]


def trials(
    folder: str | os.PathLike[str], *, crop: str | Sequence[str] = (), treatment: str | Sequence[str] = (), threads: int | None = None
) -> pandas.DataFrame:
    """Plays field trials in the format of DSSAT, and compares the results with the measured values. Requires pandas.

    Each treatment is one row. Measured and simulated values have columns such as ``measured harvest#kg.ha-1`` and
    ``simulated harvest#kg.ha-1``. ``died_of`` has the cause if the stand died, and ``not_played`` has the reason if the treatment can't be
    played. Both count as a harvest of 0 in ``attrs["crops"]`` and ``attrs["trials"]``, which have the agreement of each group.
    ``pandas.DataFrame(table.attrs["over_time"])`` has the values that were measured over time.

    Args:
        folder: A folder with experiments, their weather and their soils, possibly in subfolders.
        crop: A crop, such as ``"corn"`` or its code ``"MZ"``, or several crops; all by default.
        treatment: A trial such as ``"UFGA8201"``, a treatment such as ``"UFGA8201:4"``, or several of them; all by default.
        threads: The number of threads; all cores by default. The result does not depend on it.

    Raises:
        ConfigError: A file can't be read, or a name is unknown.
    """
    import pandas

    def names(given: str | Sequence[str]) -> list[str]:
        return [given] if isinstance(given, str) else list(given)

    cores = threads or os.cpu_count() or 1
    found = json.loads(_native.trials(Path(folder), names(crop), names(treatment), cores))
    rows: list[dict[str, Any]] = []
    over_time: list[dict[str, Any]] = []
    for result in found.pop("treatments"):
        values = {f"{side} {name}": value for side in ("measured", "simulated") for name, value in result.pop(side).items()}
        ends = {key: result.pop(key) for key in ("died_of", "not_played")}
        own = {"trial": result["trial"], "treatment": result["treatment"]}
        over_time.extend({**own, **reading} for reading in result.pop("over_time"))
        rows.append({**result, **values, **ends})
    table = pandas.DataFrame(rows)
    table["sown"] = pandas.to_datetime(table["sown"]) if rows else []
    table.attrs.update(found, over_time=over_time)
    return table
