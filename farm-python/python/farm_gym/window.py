"""The window for the render mode ``human``."""

from __future__ import annotations

import importlib.util
import os
import sys
import weakref
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from farm_gym.errors import ConfigError
from farm_gym.observers import Observer, Step

if TYPE_CHECKING:
    from farm_gym.env import FarmEnv

__all__ = ["Window", "is_likely"]

#: The alternatives to a window, for error messages.
INSTEAD = (
    'render_mode="rgb_array" draws pictures without a window, farm_gym.generate_gif writes a film, and `farm play` plays in a terminal'
)

#: Drivers with invisible windows. They are used only if an environment variable names them.
UNSEEN = ("offscreen", "dummy")


def _pygame() -> Any:
    """The library that opens windows.

    Raises:
        ConfigError: Pygame is not installed.
    """
    try:
        import pygame
    except ImportError as error:
        message = 'render_mode="human" needs pygame: `pip install "farm-gym[human]"` or `pip install pygame-ce` ({error}). Without it '
        raise ConfigError(f"{message.format(error=error)}{INSTEAD}") from None
    return pygame


def is_likely() -> bool:
    """Whether a window can probably be opened. It does not try to open one."""
    names_display = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "SDL_VIDEO_DRIVER"))
    return (names_display or sys.platform != "linux") and importlib.util.find_spec("pygame") is not None


class Window(Observer):
    """A window that shows a sequence of pictures. Pygame has one window per process, so several objects share it.

    Raises:
        ConfigError: There is no pygame, or no display.
    """

    #: The windows in use; the last one closes pygame.
    _open: ClassVar[weakref.WeakSet[Window]] = weakref.WeakSet()

    def __init__(self, title: str) -> None:
        self.title = title
        #: Whether the user has closed the window, which then stays closed.
        self.closed_by_user = False
        self._pygame = _pygame()
        self._check_display()
        self._clock = self._pygame.time.Clock()
        Window._open.add(self)

    def _check_display(self) -> None:
        display = self._pygame.display
        try:
            display.init()
        except self._pygame.error as error:
            reason = str(error)
        else:
            # Newer versions of the library continue without a display, with an invisible window.
            driver = display.get_driver()
            asked = {os.environ.get("SDL_VIDEODRIVER"), os.environ.get("SDL_VIDEO_DRIVER")}
            if driver not in UNSEEN or driver in asked:
                return
            if not Window._open:
                display.quit()
            reason = "neither DISPLAY nor WAYLAND_DISPLAY leads to one" if sys.platform == "linux" else f"only {driver!r} works"
        raise ConfigError(f'render_mode="human" needs a display, and there is none: {reason}. Without one {INSTEAD}')

    def after_reset(self, env: FarmEnv) -> None:
        """Shows the start of an episode."""
        if self.is_open:
            self.show(env.picture(), env.metadata["render_fps"])

    def after_step(self, env: FarmEnv, step: Step) -> None:
        """Shows the state after a step."""
        self.after_reset(env)

    def show(self, picture: npt.NDArray[np.uint8], frames_per_second: float) -> None:
        """Shows a picture of shape ``(height, width, 3)``, and waits until it is time for the next one. The picture is as large as fits in
        the window, even after the user has resized it. A closed window stays closed."""
        if self.closed_by_user or self not in Window._open:
            return
        pygame = self._pygame
        height, width = picture.shape[:2]
        surface = pygame.display.get_surface()
        if surface is None or pygame.display.get_caption()[0] != self.title:
            surface = pygame.display.set_mode(self._fit(width, height, pygame.display.get_desktop_sizes()), pygame.RESIZABLE)
            pygame.display.set_caption(self.title)
        image = pygame.image.frombuffer(np.ascontiguousarray(picture).tobytes(), (width, height), "RGB")
        room_width, room_height = surface.get_size()
        if (room_width, room_height) != (width, height):
            scale = min(room_width / width, room_height / height)
            image = pygame.transform.smoothscale(image, (max(1, round(width * scale)), max(1, round(height * scale))))
        surface.fill((253, 248, 238))
        surface.blit(image, ((room_width - image.get_width()) // 2, (room_height - image.get_height()) // 2))
        pygame.display.flip()
        self._clock.tick(frames_per_second)
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.closed_by_user = True
            self.close()

    @staticmethod
    def _fit(width: int, height: int, desktops: list[tuple[int, int]]) -> tuple[int, int]:
        """The picture's size, limited to 90 % of the screen."""
        most_width, most_height = desktops[0] if desktops else (width, height)
        scale = min(1.0, 0.9 * most_width / width, 0.9 * most_height / height)
        return max(1, round(width * scale)), max(1, round(height * scale))

    @property
    def is_open(self) -> bool:
        """Whether the window shows pictures."""
        return self in Window._open

    def close(self) -> None:
        """Closes the window, unless another object still uses it."""
        Window._open.discard(self)
        if not Window._open and self._pygame.display.get_init():
            self._pygame.display.quit()
