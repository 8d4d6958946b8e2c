"""The view of a tool: draws the World as an editor wants to see it, instead of through the game's cameras.

While `ToolView.view` is set, it is the only view of the screen, pixel by pixel: the game is not fitted to the window,
cameras with a target of their own draw as before, and layers in screen space are not drawn.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from rish_ecs import UsageError, resource
from rish_frame import Frame

if TYPE_CHECKING:
    from rish_ecs import World

    from .view import View


@resource(derived=True)
class ToolView:
    """The view through which a tool looks at the World, in place of the game's cameras.

    `Frame.plain` in addition leaves out light, fog and effects. A tool sets both before `App.draw`, and resets them
    before the game's own frame, so that code of the game never sees them.
    """

    def __init__(self) -> None:
        self._view: View | None = None
        self.arranging = False
        """Whether a tool edits the World before a run: views of cameras are then those that the first tick gives them,
        at what they follow and within their limits. False while the game runs."""

    @property
    def view(self) -> View | None:
        """The view; None: the game's cameras.

        Its center, rotation, density, background (None: that of the render settings) and layers (None: all of the
        world's) have an effect; it always fills the screen. Limits and shaking do not apply to it, parallax does.
        Setting it raises UsageError if a number is not finite, or the density is not positive.
        """
        return self._view

    @view.setter
    def view(self, view: View | None) -> None:
        if view is not None and not (
            view.density > 0 and all(map(isfinite, (view.density, view.rotation, *view.center)))
        ):
            raise UsageError(
                f"the view of a tool needs finite numbers and a density above 0, not center {view.center}, rotation "
                f"{view.rotation}, density {view.density}",
                hint="Set world[ToolView].view to another View, or to None for the game's cameras",
            )
        self._view = view


def tool_view(world: World) -> View | None:
    """Return the view of the tool, filling the screen; None if the game's cameras draw."""
    view = world[ToolView].view
    return None if view is None else view.filling(world[Frame].size)
