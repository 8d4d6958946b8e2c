"""Views of the scene panel that a plugin adds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rish_editor import SceneDraw, SceneView
from rish_render import View, region_at

SCENES = """rish: 1
game: {title: Test, size: [640, 360]}
plugins: [render]
scenes:
  main: [{name: camera, Transform: {}, Camera: {height: 360}}]
  map: [{name: camera, Transform: {}, Camera: {height: 360}}]
"""


class ChartView(SceneView):
    """A map of the plane that shows one unit as two pixels around the origin."""

    def navigate(self, editor: Any, game: Any, origin: Any) -> None:
        """Stay where it is."""

    def draw(self, editor: Any, game: Any, pixels: tuple[int, int], dense: float) -> Any:
        """Draw the plane without light."""
        self.shown = View(pixels, (0.0, 0.0), density=2.0 * dense)
        return game.draw(pixels, self.shown, plain=True)

    def canvases(self, editor: Any, origin: Any, pointer: Any) -> Sequence[SceneDraw]:
        """Draw over the plane."""
        return [SceneDraw(editor, self.shown, origin, self.size, self.viewport.handles[0], pointer)]

    def draw_below(self, editor: Any, *, hovered: bool) -> bool:
        """Leave the left button to gizmos."""
        return True

    def buttons(self, editor: Any) -> Sequence[Sequence[str]]:
        """Offer to frame the selection."""
        return [("view.frame",)]

    def position_text(self, point: Any) -> str:
        """Return the position at a point."""
        return "here"

    @property
    def middle(self) -> tuple[float, ...]:
        """The origin."""
        return 0.0, 0.0

    def place_at(self, point: Any) -> tuple[float, ...]:
        """Return the position at a point."""
        return self.scene.to_world(point)

    def region(self, world: Any, point: Any, to: Any) -> Any:
        """Return the region of a point or box."""
        ends = [tuple(self.shown.to_screen(self.scene.to_world(end)).tolist()) for end in (point, to or point)]
        return region_at(world, ends[0], ends[1] if to is not None else None, view=self.shown)

    def zoom(self, notches: float) -> None:
        """Stay as it is."""

    def frame(self, world: Any, handles: Any) -> None:
        """Stay where it is."""


def test_a_view_of_a_plugin_selects_and_drags(hands: Callable[..., Any]) -> None:
    """A view that a plugin adds to the panel is shown by its name, and entities are selected and dragged in it."""
    made = hands()
    panel, view = made.panel, ChartView()
    panel.views["test.chart"] = view
    panel.switch("test.chart")
    made.driver.step(2)
    assert made.driver.marks("editor.scene/bar/") == ["editor.scene/bar/view.frame"]
    made.driver.click(view.scene.to_screen((-100.0, 0.0)))
    made.driver.step(8)
    assert made.selected() == ["red"]
    made.driver.drag("editor.scene/move.center", by=(40, -20), steps=3)
    assert [round(part) for part in made.pose("red")[0]] == [-80, 10]
    panel.switch("test.chart")
    made.driver.step(2)
    assert panel.shown == "2d"


def test_a_scene_opens_in_the_view_that_suits_it(hands: Callable[..., Any]) -> None:
    """A scene that is opened is shown by the first view that suits it, and by that of the plane without one."""
    made = hands(SCENES)
    view = ChartView()
    made.panel.views["test.chart"] = view
    view.suits = lambda editor, world: made.game.scene == "map"
    for scene, name in (("map", "test.chart"), ("main", "2d")):
        made.editor.games.go(scene)
        made.driver.step(4)
        assert made.panel.shown == name
