"""A tool looks at the World through a view of its own, and the game's pictures stay as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_core import Layers, Transform
from rish_ecs import UsageError
from rish_frame import Frame, pick
from rish_frame.frame import Fit
from rish_render import Camera, CanvasGroup, RenderSettings, Shape, Sprite, Stretch, Text, ToolView, View, region_at

LAYERS = ["back", "front", {"hud": {"space": "screen"}}]
TOOL = View((500, 300), (110.0, 60.0), density=1.6, rotation=0.3)
SIZE = (500, 300)


def scene(studio: Any, **options: Any) -> Any:
    """Return a game with sprites, shapes, a HUD and a shaking camera that is kept within limits."""
    stage = studio((320, 240), layers=LAYERS, **options)
    stage.hero = stage.put(100, 60, Sprite(image="face.png", size=(30, 30), layer="front"), rotation=0.4)
    stage.put(60, 80, Shape(size=(40, 20), color=(0.2, 0.5, 1, 1), layer="back"))
    stage.put(150, 40, Text(text="words", layer="front"))
    stage.put(160, 120, Shape(size=(320, 30), color=(1, 0, 0, 1), layer="hud"))
    stage.camera = stage.put(90, 70, Camera(height=200, limits=(0, 0, 400, 300), trauma=0.5, background=(0, 0.3, 0, 1)))
    return stage


def look(stage: Any, view: View | None, size: tuple[int, int] = SIZE, *, plain: bool = False) -> np.ndarray:
    """Return the image of a World that does not run, through a view or through the game's cameras."""
    stage.app.host.backend.configure(size=size)
    stage.world[ToolView].view, stage.world[Frame].plain = view, plain
    stage.app.draw()
    return stage.app.pixels()


def test_the_view_fills_the_screen_pixel_by_pixel(studio):
    """A tool's view shows its place at its density, without fit, bars, limits, shaking and layers in screen space."""
    stage = scene(studio)
    stage.shoot()
    view = View(SIZE, (100.0, 60.0), density=2.0)
    picture = look(stage, view)
    assert picture.shape == (300, 500, 4)
    x, y = view.to_screen((60.0, 80.0)).astype(int)
    assert picture[299 - y, x, :3].tolist() == [51, 128, 255]
    for at, inside in (((41, 80), True), ((39, 80), False), ((60, 89), True), ((60, 91), False)):
        x, y = np.floor(view.to_screen(at)).astype(int)
        assert (picture[299 - y, x, :3].tolist() == [51, 128, 255]) == inside, at
    assert not (picture[..., :3] == (255, 0, 0)).all(axis=-1).any()
    ground = [round(255 * part) for part in stage.world[RenderSettings].background[:3]]
    assert picture[0, 0, :3].tolist() == ground
    frame = stage.world[Frame]
    assert frame.fit is None
    assert frame.canvas == "screen"
    assert set(frame.targets) == {"screen"}


def test_background_and_layers_are_those_of_the_view(studio):
    """The view's own background fills the screen, and only its layers are drawn."""
    stage = scene(studio)
    picture = look(stage, View(SIZE, (0.0, 0.0), background=(0, 0, 1, 1), layers=frozenset({"front"})))
    assert picture[150, 250 + 60].tolist() == [0, 0, 255, 255]
    assert picture[299 - 150 - 80, 250 + 60].tolist() == [0, 0, 255, 255]
    assert (look(stage, View(SIZE, (0.0, 0.0)))[299 - 150 - 80, 250 + 60, :3] == (51, 128, 255)).all()


def test_the_size_of_the_view_is_that_of_the_screen(studio):
    """A view that was made for another size is drawn as one of the screen's size around the same center."""
    stage = scene(studio)
    expected = look(stage, TOOL)
    other = View((10, 10), TOOL.center, TOOL.rotation, TOOL.density, corner=(3, 4), camera=7, name="x", target="y")
    assert np.array_equal(look(stage, other), expected)


@pytest.mark.slow
@pytest.mark.parametrize("stretch", [Stretch.NONE, Stretch.CANVAS, Stretch.VIEWPORT, Stretch.INTEGER])
def test_alternating_views_give_the_pictures_of_each_alone(studio, stretch):
    """Two drawings a frame, of tool and game in different sizes, equal those of a game that draws only one of them."""
    sizes = {"game": (400, 240), "tool": SIZE}
    views: dict[str, Any] = {"game": None, "tool": TOOL}

    def fresh() -> Any:
        stage = scene(studio)
        stage.world[RenderSettings].stretch = stretch
        stage.world[Camera].trauma = 0.0
        return stage

    alone: dict[str, np.ndarray] = {}
    for name, view in views.items():
        stage = fresh()
        for _ in range(3):
            alone[name] = look(stage, view, sizes[name])
        alone[name] = alone[name].copy()
    stage = fresh()
    for _ in range(3):
        for name, view in views.items():
            assert np.array_equal(look(stage, view, sizes[name]), alone[name]), name
    assert not np.array_equal(alone["game"][:240, :400], alone["tool"][:240, :400])


def test_every_change_of_the_view_is_seen_at_once(studio):
    """Also when nothing else changes and the last frame is kept, the image follows the view and the flag."""
    stage = studio((320, 240), layers=LAYERS)
    rng = np.random.default_rng(1)
    place = rng.uniform(0, 300, (60, 2)).astype(np.float32)
    stage.world.spawn_many(60, Transform(position=place), Sprite(image="face.png", layer="front"))
    for _ in range(4):
        look(stage, TOOL)
    for view in (View(SIZE, (112.0, 60.0), 0.3, 1.6), View(SIZE, (112.0, 60.0), 0.3, 0.8), None, TOOL, TOOL):
        kept = look(stage, view).copy()
        other = studio((320, 240), layers=LAYERS)
        other.world.spawn_many(60, Transform(position=place), Sprite(image="face.png", layer="front"))
        difference = np.abs(kept.astype(int) - look(other, view)).max(axis=2)
        assert (difference > 8).mean() < 0.002, view  # kept sprites are rounded to the units of the last view


def test_cameras_with_a_target_are_still_drawn(studio):
    """A sprite that shows the target of a camera shows it through a tool's view too."""
    stage = studio((320, 240))
    stage.put(1000, 1000, Shape(size=(50, 50), color=(0, 1, 0, 1)))
    stage.put(1000, 1000, Camera(target="mirror", target_size=(40, 40)))
    stage.put(0, 0, Sprite(image="camera:mirror", size=(60, 60)))
    picture = look(stage, View(SIZE, (0.0, 0.0)))
    assert picture[150, 250, :3].tolist() == [0, 255, 0]


def test_groups_and_hidden_layers_are_drawn_as_in_the_game(studio):
    """Groups are composed through the view, and hidden layers stay hidden; groups on the HUD are not drawn."""
    stage = scene(studio)
    group = stage.put(0, 0, CanvasGroup(opacity=0.5, layer="front"))
    stage.put(200, 100, Shape(size=(20, 20), color=(1, 1, 1, 1), layer="front"), parent=group)
    flat = stage.put(0, 0, CanvasGroup(layer="hud"))
    stage.put(200, 60, Shape(size=(20, 20), color=(1, 1, 0, 1), layer="hud"), parent=flat)
    stage.world[RenderSettings].background = (0, 0, 0, 1)
    picture = look(stage, View(SIZE, (200.0, 100.0)))
    assert abs(int(picture[150, 250, 0]) - 128) <= 1
    assert picture[190, 250, :3].tolist() == [0, 0, 0]
    stage.world[Layers].show("front", False)
    assert look(stage, View(SIZE, (200.0, 100.0)))[150, 250, 0] == 0


def test_what_is_under_a_point_of_the_view_is_picked(studio):
    """`region_at` through a view picks what that view shows at a point, and nothing in screen space."""
    stage = scene(studio)
    stage.app.frame()
    hud = [int(each) for each in pick(stage.app, region_at(stage.world, (160, 120))).entities]
    assert len(hud) == 1
    at = tuple(TOOL.to_screen((100.0, 60.0)).tolist())
    assert pick(stage.app, region_at(stage.world, at, view=TOOL)).first == stage.hero
    assert not len(pick(stage.app, region_at(stage.world, (160, 120), (161, 121), view=View(SIZE, (9e3, 0.0)))))
    corner = tuple(TOOL.to_screen((40.0, 20.0)).tolist())
    found = pick(stage.app, region_at(stage.world, corner, tuple(TOOL.to_screen((170.0, 100.0)).tolist()), view=TOOL))
    assert stage.hero in found.distinct
    assert hud[0] not in found.distinct
    only = View(SIZE, TOOL.center, TOOL.rotation, TOOL.density, layers=frozenset({"back"}))
    assert pick(stage.app, region_at(stage.world, at, view=only)).first is None
    with pytest.raises(UsageError, match="camera or through a view"):
        region_at(stage.world, at, view=TOOL, camera=stage.camera)


@pytest.mark.parametrize("wrong", [View(SIZE, (0, 0), density=0.0), View(SIZE, (float("nan"), 0))])
def test_a_view_with_bad_numbers_is_refused(studio, wrong):
    """A density of 0 or a number that is not finite is reported with the view."""
    stage = scene(studio)
    with pytest.raises(UsageError, match="finite numbers and a density above 0"):
        look(stage, wrong)


def test_a_view_converts_to_the_screen_and_back():
    """`to_world` inverts `to_screen`, and `bounds` are the extremes of the corners."""
    points = np.random.default_rng(3).uniform(-500, 500, (20, 2))
    assert np.allclose(TOOL.to_world(TOOL.to_screen(points)), points)
    corners = TOOL.to_world([(0, 0), (500, 0), (500, 300), (0, 300)])
    assert np.allclose(TOOL.bounds, (*corners.min(axis=0), *corners.max(axis=0)))


def test_a_kept_picture_has_the_fit_of_its_own_screen(studio):
    """A tool may restore the game's fit after each of its pictures; the next one, kept or not, has no fit again."""
    stage = scene(studio)
    stage.shoot()
    frame = stage.world[Frame]
    seen = frame.size, frame.fit
    for _ in range(6):
        look(stage, TOOL)
        assert frame.fit is None
        frame.size, frame.fit = (640, 300), frame_fit((640, 300), (320, 240))
    look(stage, None, seen[0])
    assert frame.fit == seen[1]


def frame_fit(screen: tuple[int, int], game: tuple[int, int]) -> Fit:
    """Return how a game is placed in the middle of a screen of another size."""
    factor = min(screen[0] / game[0], screen[1] / game[1])
    width, height = round(game[0] * factor), round(game[1] * factor)
    return Fit(game, ((screen[0] - width) // 2, (screen[1] - height) // 2, width, height))
