"""The surface of an edited game: a backend that draws into a texture, which panels show."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from rish_frame import Frame
from rish_render import ToolView, backend_in
from rish_space3d import ToolView3D

if TYPE_CHECKING:
    from rish_core import App, WindowEvent, World
    from rish_render import View
    from rish_space3d import SpaceView

Lines = tuple[Any, Any]
"""Lines in space, float32 (n, 2, 3), meters, and their colors, uint8 (n, 4)."""


class Surface:
    """A backend that draws off screen into a texture of the window, and reports the events that a panel passes on.

    window: the editor's pyglet window. interactive: whether a user can use it. events: input for the game. seconds:
    how long `show` has taken so far.
    """

    def __init__(self, window: Any, *, interactive: bool) -> None:
        self._inner: Any = backend_in(window)
        self._interactive = interactive
        self.events: list[WindowEvent] = []
        self.seconds = 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    @property
    def capabilities(self) -> frozenset[str]:
        """The capabilities of the backend, and `window`, because a user sees the picture."""
        return self._inner.capabilities | ({"window"} if self._interactive else frozenset())

    def poll(self) -> list[WindowEvent]:
        """Return the events that the game view has passed on."""
        events, self.events = self.events, []
        return events

    def present(self) -> None:
        """Do nothing: panels show the picture."""

    def show(
        self, app: App, size: tuple[int, int], view: View | None, *, late: bool, plain: bool = False,
        space: SpaceView | None = None, lines: Lines | None = None,
    ) -> int:  # fmt: skip
        """Draw a World as it is; return the number of the texture, which is valid until the next call.

        size: in pixels. view: what is shown of the world; None: what the game's cameras show. late: also run the
        systems of the stage LATE, for a game that runs. plain: without light and effects. space: what is shown of
        space; with a view and without it, nothing. lines: drawn in space, which nearer things hide. With a view, the
        game keeps the size of its screen.
        """
        begin = time.perf_counter()
        self._inner.configure(size=size)
        tool, frame = app.world[ToolView], app.world[Frame]
        size_before = frame.size, frame.fit
        tool.view, frame.plain = view, plain
        _look_at_space(app.world, view, space, lines)
        try:
            app.draw(late=late)
        finally:
            tool.view, frame.plain = None, False
            _look_at_space(app.world, None, None, None)
            if view is not None:
                frame.size, frame.fit = size_before
            self.seconds += time.perf_counter() - begin
        return self._inner.texture("screen").glo.value


def _look_at_space(world: World, view: View | None, space: SpaceView | None, lines: Lines | None) -> None:
    """Set what `ToolView3D` shows of space: nothing with a view of the plane alone, everything without views."""
    if ToolView3D not in world:
        return
    tool: ToolView3D = world[ToolView3D]
    tool.reset()
    tool.view, tool.hidden = space, view is not None and space is None
    if lines is not None:
        tool.lines, tool.rgba = lines
