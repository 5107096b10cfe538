"""The common base class of wrappers for single environments."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

__all__ = ["SingleWrapper"]


class SingleWrapper(gymnasium.Wrapper[Any, Any, Any, Any], gymnasium.utils.RecordConstructorArgs):
    """A wrapper that records its arguments, leaves the actions unchanged, and passes on their masks."""

    def __init__(self, env: gymnasium.Env[Any, Any], **arguments: Any) -> None:
        gymnasium.utils.RecordConstructorArgs.__init__(self, **arguments)
        gymnasium.Wrapper.__init__(self, env)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Marks the actions that would be executed now."""
        masks: npt.NDArray[np.bool_] = self.env.get_wrapper_attr("action_masks")()
        return masks
