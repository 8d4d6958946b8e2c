"""ScreenView: the game's picture as a player sees it, with widgets and what lies on layers in screen space.

Its units are the logical pixels of the screen, y up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Transform
from rish_frame import Frame
from rish_render import View, drawn_boxes, main_view, region_at
from rish_space3d import Transform3D

from .plane.draw import SceneDraw
from .plane.outlines import extent_of
from .plane.view import Point, Rect, SceneView2D

if TYPE_CHECKING:
    from rish_core import World
    from rish_frame import Region

    from ..session.editor import Editor
    from ..session.game.game import Game
    from ..session.game.selection import Handles

_MAX_SIZE = 4096
"""The greatest width and height of the picture, pixels; a view that is nearer magnifies it."""


class ScreenView(SceneView2D):
    """The screen of the game, from a camera that pans and zooms."""

    _game: Game

    def suits(self, editor: Editor, world: World) -> bool:
        """Return whether a scene has nothing in space, and more things on the screen, such as widgets, than drawn in
        the world."""
        if Transform3D in world.tables and len(world.table(Transform3D)):
            return False
        boxes = drawn_boxes(world, world.table(Transform).entities)
        widgets = (world.tables[cls] for cls, drawer in editor.gizmos if _on_screen(drawer) and cls in world.tables)
        on_screen = int(np.count_nonzero(boxes.drawn & boxes.screen)) + sum(len(table) for table in widgets)
        return on_screen > int(np.count_nonzero(boxes.drawn & ~boxes.screen))

    def draw(self, editor: Editor, game: Game, pixels: tuple[int, int], dense: float) -> int:
        """Return the picture of the game, a texture, as fine as the view shows it."""
        self._game = game
        self._view = View(pixels, self.camera.center, density=self.camera.density * dense)
        width, height = game.world[Frame].design
        fine = min(self.camera.density * dense, _MAX_SIZE / width, _MAX_SIZE / height)
        return game.draw((max(round(width * fine), 16), max(round(height * fine), 16)))

    def area(self, origin: Point, size: Point) -> Rect:
        """Return where in the window the picture is: left, top, width and height."""
        (x, y), (width, height), near = self.camera.center, self._game.world[Frame].design, self.camera.density
        left, bottom = origin[0] + size[0] / 2 - x * near, origin[1] + size[1] / 2 + y * near
        return left, bottom - height * near, width * near, height * near

    def canvases(self, editor: Editor, origin: Point, pointer: Point) -> Sequence[SceneDraw]:
        """Return what draws in screen space, and over the world below it."""
        flat, through = self.viewport.handles
        left, top, width, height = self.area(origin, self.size)
        world = self._game.world
        view, logical = main_view(world, interpolated=True), world[Frame].logical
        return [
            SceneDraw(editor, self._view, origin, self.size, flat, pointer, flat=True),
            SceneDraw(editor, view, (left, top), (width, height), through, pointer, logical=logical),
        ]

    def drawers(self, editor: Editor) -> Sequence[tuple[type, Any]]:
        """Return the gizmos that are drawn over the game's picture."""
        return game_view_gizmos(editor)

    def draw_below(self, editor: Editor, *, hovered: bool) -> bool:
        """Draw the edge of the screen; return whether the left button is for gizmos and for selecting."""
        width, height = self._game.world[Frame].design
        self.scene.polyline([(0, 0), (width, 0), (width, height), (0, height)], "border_strong", 1.0, closed=True)
        return self.has_left_button

    def draw_above(self, editor: Editor) -> None:
        """Draw the rulers."""
        self.draw_rulers(editor)

    def position_text(self, point: Point) -> str:
        """Return the position on the screen at a point of the window as text."""
        x, y = self.scene.to_world(point)
        return f"x {x:,.0f}   y {y:,.0f}"

    @property
    def middle(self) -> tuple[float, ...]:
        """The position in the world that the game's camera shows in the middle of the view, units."""
        return self._of_world(self.camera.center)

    def place_at(self, point: Point) -> tuple[float, ...]:
        """Return the position in the world that the game's camera shows at a point of the window, units."""
        return self._of_world(self.scene.to_world(point))

    def _of_world(self, at: Point) -> tuple[float, ...]:
        return tuple(main_view(self._game.world).to_world(np.array(at, np.float64)).tolist())

    def region(self, world: World, point: Point, to: Point | None) -> Region:
        """Return the region of a point of the window, or of a box, for `rish_frame.pick`."""
        return region_at(world, self.scene.to_world(point), None if to is None else self.scene.to_world(to))

    def frame(self, world: World, handles: Handles) -> None:
        """Show entities on the screen completely; the whole screen without any."""
        x0, y0, x1, y1 = (extent_of(self.scene, handles) if len(handles) else None) or self.home(world)
        self.camera.frame((x0, y0), (x1, y1), self.size, part=0.9)

    def home(self, world: World) -> Rect:
        """Return the part of a scene that is shown when it is opened: the least and greatest x and y."""
        width, height = world[Frame].design
        return 0.0, 0.0, float(width), float(height)


def game_view_gizmos(editor: Editor) -> list[tuple[type, Any]]:
    """Return the gizmos that are drawn over the game's picture: those of widgets, and those that move entities."""
    return [(cls, drawer) for cls, drawer in editor.gizmos if cls is Transform or _on_screen(drawer)]


def _on_screen(drawer: Any) -> bool:
    return bool(getattr(drawer, "in_game_view", False))
