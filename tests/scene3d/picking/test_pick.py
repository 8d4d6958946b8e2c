"""Picking in games: what cameras show below a point, rays, and boxes of the screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from rish_core import App, UsageError, find
from rish_frame import Frame, Region, pick
from rish_scene3d import Camera3D, Model3D, cast_rays_3d, pick_3d, to_screen_3d
from rish_space3d import Bounds3D, SpaceView, Transform3D

Stage = Callable[..., App]
EYE = "{name: eye, Transform3D: {position: [0, 0, 10]}, Camera3D: {fov: 60}}"
NEAR = "{name: near, Transform3D: {position: [0, 0, 2]}, Model3D: {asset: box}}"
FAR = "{name: far, Transform3D: {position: [0, 0, -2], scale: [4, 4, 4]}, Model3D: {asset: sphere}}"
SIDE = "{name: side, Transform3D: {position: [3, 0, 0]}, Model3D: {asset: box}}"


def entity(app: App, name: str) -> int:
    """Return an entity by its name."""
    found = find(app.world, name)
    assert found is not None
    return found


def names(app: App, handles: Any) -> list[str]:
    """Return the names of entities."""
    known = {entity(app, name): name for name in ("near", "far", "side") if find(app.world, name) is not None}
    return [known[int(handle)] for handle in handles]


def test_the_first_thing_below_a_point(stage: Stage) -> None:
    """`pick_3d` returns the nearest model at a point, with the exact place and the normal there."""
    app = stage(EYE, NEAR, FAR, SIDE)
    hit = pick_3d(app.world, None, (160, 90))
    assert hit is not None
    assert hit.entity == entity(app, "near")
    assert hit.distance == pytest.approx(7.5, abs=1e-3)
    assert hit.point == pytest.approx([0, 0, 2.5], abs=1e-4)
    assert hit.normal == pytest.approx([0, 0, 1])
    assert pick_3d(app.world, entity(app, "eye"), (2, 2)) is None


def test_points_outside_of_all_cameras(stage: Stage) -> None:
    """A camera's viewport, its order and whether it is enabled decide who looks; other entities are an error."""
    half = EYE.replace("fov: 60", "fov: 60, viewport: [0.5, 0, 0.5, 1]")
    app = stage(half, NEAR)
    assert pick_3d(app.world, None, (80, 90)) is None
    hit = pick_3d(app.world, None, (240, 90))
    assert hit is not None
    app.world.set(entity(app, "eye"), Camera3D(enabled=False))
    assert pick_3d(app.world, None, (240, 90)) is None
    with pytest.raises(UsageError, match="no Camera3D"):
        pick_3d(app.world, entity(app, "near"), (240, 90))


def test_tools_find_what_lies_behind(stage: Stage) -> None:
    """`rish_frame.pick` finds all models at a point from the front to the back, below the layers of the game."""
    app = stage(EYE, NEAR, FAR, SIDE)
    point = np.array([[160.0, 90.0]])
    found = pick(app, Region(point, point))
    assert names(app, found.entities) == ["near", "far"]
    assert found.kinds[0] is Model3D
    assert len(pick(app, Region(point, point, flat=False))) == 0


def test_a_box_finds_what_it_touches(stage: Stage) -> None:
    """A box of the screen finds the models with a corner in it, or that fill it, hidden ones too, and no others."""
    app = stage(EYE, NEAR, FAR, SIDE)

    def at(x0: float, y0: float, x1: float, y1: float) -> list[str]:
        box = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
        return sorted(names(app, pick(app, Region(box, box)).distinct))

    assert at(0, 0, 320, 180) == ["far", "near", "side"]
    assert at(200, 60, 240, 120) == ["side"]
    assert at(158, 88, 162, 92) == ["far", "near"]
    assert at(0, 0, 20, 20) == []


def test_the_view_of_a_tool_takes_the_place_of_cameras(stage: Stage) -> None:
    """A region with the matrix of a view of space is seen through it, without any camera."""
    app = stage(NEAR, FAR, SIDE)
    view = SpaceView((3, 10, 0), (-0.7071068, 0, 0, 0.7071068))
    point = np.array([[50.0, 50.0]])
    found = pick(app, Region(point, point, flat=False, space=view.pixels((100, 100))))
    assert names(app, found.entities) == ["side"]


def test_rays_regard_visibility_and_layers(stage: Stage) -> None:
    """Invisible models are not hit; layers decide for the others as they do for cameras."""
    app = stage(
        "{name: near, Transform3D: {position: [0, 0, 2]}, Model3D: {asset: box, visible: false}}",
        "{name: side, Transform3D: {position: [0, 0, 0]}, Model3D: {asset: box, layers: [ghosts]}}",
        FAR.replace("far", "far"),
    )
    ray = [(0, 0, 9)], [(0, 0, -3)]
    assert names(app, cast_rays_3d(app.world, *ray).entities) == ["side"]
    assert names(app, cast_rays_3d(app.world, *ray, layers=frozenset()).entities) == ["far"]
    assert names(app, cast_rays_3d(app.world, *ray, layers=frozenset({"ghosts"})).entities) == ["side"]
    assert cast_rays_3d(app.world, *ray, reach=8.0).entities.tolist() == [-1]
    with pytest.raises(UsageError, match="don't go together"):
        cast_rays_3d(app.world, [(0, 0, 9)], [(0, 0, -1), (0, 0, -1)])


def test_things_that_move_are_hit_where_they_are(stage: Stage) -> None:
    """After an edit the next pick finds a model at its new place; a despawned one is gone."""
    app = stage(EYE, NEAR)
    near = entity(app, "near")
    app.world.set(near, Transform3D(position=(1, 0, 2), last_position=(1, 0, 2)))
    assert pick_3d(app.world, None, (160, 90)) is None
    assert cast_rays_3d(app.world, [(1, 0, 9)], [(0, 0, -1)]).entities.tolist() == [near]
    app.world.despawn(near)
    assert cast_rays_3d(app.world, [(1, 0, 9)], [(0, 0, -1)]).entities.tolist() == [-1]


def test_materials_decide_whether_backs_are_hit(stage: Stage) -> None:
    """A plane is hit from below only if its Material3D is double-sided."""
    app = stage("{name: near, Transform3D: {}, Model3D: {asset: plane}, Material3D: {}}")
    ray = [(0.1, -3, 0.2)], [(0, 1, 0)]
    assert cast_rays_3d(app.world, *ray).entities.tolist() == [-1]
    from rish_scene3d import Material3D

    app.world.set(entity(app, "near"), Material3D(double_sided=True))
    hit = cast_rays_3d(app.world, *ray).one(0)
    assert hit is not None
    assert hit.normal == pytest.approx([0, -1, 0])


def test_bounds_of_models(stage: Stage) -> None:
    """Tools learn the box of a model in the space of its entity; an entity without one has none."""
    app = stage(EYE, NEAR)
    boxes = app.world[Bounds3D].of(app.world, [entity(app, "near"), entity(app, "eye")])
    assert boxes[0] == pytest.approx(np.array([[-0.5] * 3, [0.5] * 3]))
    assert np.isnan(boxes[1]).all()
    assert app.world[Frame].logical == (320, 180)


def test_billboards_are_picked_where_they_are_drawn(stage: Stage) -> None:
    """A billboard is found within its rectangle, before or behind models by its distance, and has bounds."""
    sign = "{name: side, Transform3D: {position: [0, 2, 4]}, Billboard3D: {size: [1, 2], anchor: [0.5, 0]}}"
    app = stage(EYE, NEAR, sign)
    scale = 90 / (6 * np.tan(np.radians(30)))  # logical pixels of a meter, 6 m ahead of the camera

    def at(x: float, y: float) -> list[str]:
        point = np.array([[160 + x * scale, 90 + y * scale]])
        return names(app, pick(app, Region(point, point)).entities)

    def within(x0: float, y0: float, x1: float, y1: float) -> list[str]:
        box = np.array([[160 + x * scale, 90 + y * scale] for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))])
        return names(app, pick(app, Region(box, box)).distinct)

    assert within(0.45, 2.1, 2, 3) == ["side"]
    assert within(0.55, 2.1, 2, 3) == []
    assert within(-0.1, 1.9, 0.1, 2.1) == ["side"]
    assert at(0.45, 2.1) == ["side"]
    assert at(0.55, 2.1) == []
    assert at(0, 1.9) == []
    app.world.set(entity(app, "side"), Transform3D(position=(0, -1, 4), last_position=(0, -1, 4)))
    assert at(0, 0) == ["side", "near"]
    app.world.set(entity(app, "side"), Transform3D(position=(0, -1, -4), last_position=(0, -1, -4)))
    assert at(0, 0) == ["near", "side"]
    box = app.world[Bounds3D].of(app.world, [entity(app, "side")])[0]
    assert box.tolist() == [[-0.5, 0, 0], [0.5, 2, 0]]


def test_billboards_are_picked_through_their_clear_parts(stage: Stage, tmp_path: Path) -> None:
    """A click on a clear part of a billboard's picture, or on one of a layer that the camera lacks, goes through."""
    pixels = np.zeros((8, 8, 4), np.uint8)
    pixels[4:] = 255  # the lower half is opaque
    Image.fromarray(pixels).save(tmp_path / "leaf.png")
    sign = "{name: side, Transform3D: {position: [0, 0, 4]}, Billboard3D: {size: [4, 4], image: leaf.png%s}}"
    app = stage(EYE, NEAR, sign % ", layers: [ghosts]")
    scale = 90 / (6 * np.tan(np.radians(30)))

    def at(y: float) -> list[str]:
        point = np.array([[160.0, 90 + y * scale]])
        return names(app, pick(app, Region(point, point)).entities)

    assert at(-0.3) == ["near"]
    app.world.set(entity(app, "eye"), Camera3D(layers=["ghosts"]))
    assert at(-0.3) == ["side", "near"]
    assert at(0.3) == ["near"]


def test_upright_billboards_are_picked_as_they_turn(stage: Stage) -> None:
    """Seen from above, an upright billboard is foreshortened, and one that faces the camera is not."""
    above = EYE.replace("[0, 0, 10]", "[0, 10, 0], rotation: [-80, 0, 0]")
    sign = "{name: side, Transform3D: {position: [0, 0, -2]}, Billboard3D: {size: [2, 2], turning: %s}}"
    found = {}
    for turning in ("facing", "upright"):
        app = stage(above, sign % turning)
        hits = []
        for y in range(0, 180, 4):
            point = np.array([[160.0, float(y)]])
            hits += pick(app, Region(point, point)).entities.tolist()
        found[turning] = len(hits)
    assert 0 < found["upright"] < found["facing"] / 3


def test_places_on_the_screen(stage: Stage) -> None:
    """`to_screen_3d` returns where the camera of the tick shows a place, in its viewport; NaN for what is behind it."""
    app = stage(EYE, "{name: map, Transform3D: {position: [0, 5, 0], rotation: [-90, 0, 0]}, "
                "Camera3D: {lens: orthographic, height: 10, viewport: [0.75, 0, 0.25, 0.25], order: -1}}")  # fmt: skip
    seen = to_screen_3d(app.world, [[0, 0, 0], [0, 0, 9.95], [0, 0, 11], [10 * np.tan(np.radians(30)), 0, 0]])
    assert seen[[0, 3]] == pytest.approx(np.array([[160, 90], [250, 90]]), abs=1e-4)
    assert np.isnan(seen[1:3]).all()
    assert to_screen_3d(app.world, [1, 0, 0], entity(app, "map"))[0] == pytest.approx([284.5, 22.5])
    with pytest.raises(UsageError, match="no Camera3D"):
        to_screen_3d(app.world, [0, 0, 0], 12345)
    app.world.despawn([entity(app, "eye"), entity(app, "map")])
    assert np.isnan(to_screen_3d(app.world, [0, 0, 0])).all()
