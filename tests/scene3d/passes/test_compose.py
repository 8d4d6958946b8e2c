"""The passes of a scene."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_core import find
from rish_frame import Frame
from rish_scene3d import Lamp3D, Material3D
from rish_scene3d import layout as at
from rish_scene3d.passes.kinds import GBUFFER_FORMATS
from rish_space3d import Transform3D

CAMERA = "{name: eye, Transform3D: {position: [0, 0, 5]}, Camera3D: {}}"
BOX = "{name: box, Transform3D: {}, Model3D: {}}"
SUN = "{name: sun, Transform3D: {rotation: [-60, 20, 0]}, Sun3D: {cascades: 2}}"
LAMP = "{name: lamp, Transform3D: {position: [0, 3, 0]}, Lamp3D: {shadows: true}}"


def names(app: Any) -> list[str]:
    """Return the passes in drawing order."""
    return [each.name for each in app.host.backend.last.passes]


def versions(app: Any, kind: str) -> list[Any]:
    """Return the versions of the batches of a kind."""
    passes = app.world[Frame].passes.values()
    return [batch.version for pass_ in passes for batch in pass_.batches if batch.kind == kind]


def test_a_box_is_one_instance_in_the_view(stage: Any):
    """A box before a camera is one instance of one run in the pass scene3d.view, which is shown below the layers."""
    app = stage(CAMERA, BOX)
    order = names(app)
    assert order.index("scene3d.view") < order.index("scene3d.view.develop") < order.index("main")
    (batch,) = app.host.backend.drawn("scene3d.surfaces")
    assert batch.arrays["runs"].tolist() == [[0, 0, 1, 0]]
    np.testing.assert_allclose(batch.arrays["instances"]["matrix"][0], np.eye(3, 4))
    target = app.world[Frame].targets["scene3d.view"]
    assert (target.formats, target.depth, target.size) == (("rgba16f",), True, (320, 180))


def test_without_a_camera_nothing_is_composed(stage: Any):
    """A scene without a camera has no pass of ours, and one whose camera is removed has none any more."""
    assert not [name for name in names(stage(BOX)) if name.startswith("scene3d")]
    app = stage(CAMERA, BOX)
    app.world.despawn(find(app.world, "eye"))
    app.run(frames=2)
    assert not [name for name in names(app) if name.startswith("scene3d")]
    assert not [name for name in app.world[Frame].targets if name.startswith("scene3d")]


def test_deferred_light_is_three_passes(stage: Any):
    """With the setting deferred, solid models fill the gbuffer, are shaded, and what blends follows forward."""
    glass = '{Transform3D: {position: [0, 0, 2]}, Model3D: {tint: "#ffffff80"}}'
    app = stage(CAMERA, BOX, glass, SUN, "{Sky3D: {}}", settings="{scene3d: {pipeline: deferred}}")
    order = names(app)
    parts = [order.index(f"scene3d.view{end}") for end in (".gbuffer", ".shade", "", ".develop")]
    assert parts == sorted(parts)
    drawn = {each.name: each for each in app.host.backend.last.passes}
    assert [batch.kind for batch in drawn["scene3d.view.gbuffer"].batches] == ["scene3d.gbuffer"]
    assert [batch.kind for batch in drawn["scene3d.view.shade"].batches] == ["scene3d.sky", "scene3d.shade"]
    assert [batch.kind for batch in drawn["scene3d.view"].batches] == ["scene3d.surfaces"]
    assert app.world[Frame].targets["scene3d.view.gbuffer"].formats == GBUFFER_FORMATS
    shade = drawn["scene3d.view.shade"]
    number = int(shade.batches[1].arrays["suns"][0, at.SUN_MAP])
    assert shade.inputs[number] == "scene3d.view.sun0"
    assert shade.inputs[:2] == ("scene3d.view.gbuffer", "scene3d.view.gbuffer:1")


def test_shadow_maps_are_drawn_before_the_view(stage: Any):
    """Each cascade and each face of a lamp is a pass onto the map of its light, cleared to the far end."""
    app = stage(CAMERA, BOX, SUN, LAMP)
    drawn = app.host.backend.last
    maps = [each for each in drawn.passes if any(batch.kind == "scene3d.depths" for batch in each.batches)]
    order = names(app)
    assert all(order.index(each.name) < order.index("scene3d.view") for each in maps)
    view = next(each for each in drawn.passes if each.name == "scene3d.view")
    batch = next(each for each in view.batches if each.kind == "scene3d.surfaces")
    sun, lamp = (int(batch.arrays[name][0, column]) for name, column in (("suns", at.SUN_MAP), ("lamps", at.LAMP_MAP)))
    for target in (view.inputs[sun], view.inputs[lamp]):
        assert drawn.targets[target].formats == ("r32f",)
        assert drawn.targets[target].clear_color() == (1, 1, 1, 1)
    assert sum(each.targets == (view.inputs[lamp],) for each in drawn.passes) == 6


def test_what_casts_no_shadow_is_in_no_map(stage: Any):
    """A model with `casts: false` is in the view and in no shadow map."""
    app = stage(CAMERA, BOX, "{Transform3D: {position: [1, 0, 0]}, Model3D: {casts: false}}", SUN)
    assert app.host.backend.drawn("scene3d.surfaces")[0].count == 2
    assert {batch.count for batch in app.host.backend.drawn("scene3d.depths")} == {1}
    app = stage(CAMERA, BOX, SUN, settings='{scene3d: {shadows: "off"}}')
    assert not app.host.backend.drawn("scene3d.depths")


def test_a_still_scene_keeps_its_batches(stage: Any):
    """While nothing changes, every batch keeps its object and version, so that backends need not draw it again."""
    app = stage(CAMERA, BOX, SUN, "{Sky3D: {}}", frames=3, strict=False)
    passes = app.world[Frame].passes
    batches = [batch for pass_ in passes.values() for batch in pass_.batches]
    before = [batch.version for batch in batches]
    assert None not in before
    app.run(frames=2)
    after = [batch for pass_ in passes.values() for batch in pass_.batches]
    assert all(one is other for one, other in zip(batches, after, strict=True))
    assert [batch.version for batch in after] == before


def test_what_moves_elsewhere_leaves_shadow_maps_alone(stage: Any):
    """A lamp's maps keep their version while only something outside of them moves."""
    far = "{name: far, Transform3D: {position: [0, 0, -60]}, Model3D: {casts: false}}"
    app = stage(CAMERA, BOX, LAMP, far, frames=2, strict=False)
    maps, view = versions(app, "scene3d.depths"), versions(app, "scene3d.surfaces")
    app.world.set(find(app.world, "far"), Transform3D(position=(1, 0, -60)))
    app.run(frames=1)
    assert versions(app, "scene3d.depths") == maps
    assert versions(app, "scene3d.surfaces") != view


def test_a_light_that_changes_is_followed(stage: Any):
    """A brighter lamp changes the batch of the surfaces and no shadow map."""
    app = stage(CAMERA, BOX, LAMP, frames=2, strict=False)
    maps, view = versions(app, "scene3d.depths"), versions(app, "scene3d.surfaces")
    app.world.set(find(app.world, "lamp"), Lamp3D(intensity=9))
    app.run(frames=1)
    assert versions(app, "scene3d.surfaces") != view
    assert versions(app, "scene3d.depths") == maps


def test_a_camera_with_a_target_draws_a_picture(stage: Any):
    """Camera3D.target makes the picture camera.NAME of its size, which the frame announces, and no ground."""
    app = stage("{Transform3D: {position: [0, 0, 5]}, Camera3D: {target: tv, target_size: [64, 48]}}", BOX)
    frame, order = app.world[Frame], names(app)
    assert frame.cameras == {"tv": (64, 48)}
    assert order.index("scene3d.camera.tv") < order.index("scene3d.camera.tv.develop")
    assert frame.targets["camera.tv"].size == (64, 48)
    assert "scene3d.view.develop" not in order


def test_the_picture_of_a_camera_on_a_surface(stage: Any):
    """A material with the map camera:NAME reads the first input of its pass; cameras that show each other work."""
    screen = "{Transform3D: {}, Model3D: {asset: plane}, Material3D: {map: 'camera:tv'}}"
    inside = "{Transform3D: {position: [0, 1, 5]}, Camera3D: {target: tv}}"
    app = stage(CAMERA, inside, screen, SUN, settings="{scene3d: {pipeline: deferred}}", frames=2)
    drawn = {each.name: each for each in app.host.backend.last.passes}
    assert drawn["scene3d.view"].inputs[0] == "camera.tv"
    batch = drawn["scene3d.view.gbuffer"].batches[0]
    row = batch.arrays["materials"][batch.arrays["instances"]["material"][0]]
    assert row[at.MAPS + at.MAP_PAGE] == at.INPUT_PAGE
    order = names(app)
    assert order.index("scene3d.camera.tv") < order.index("scene3d.camera.tv.develop") < order.index("scene3d.view")


def test_a_picture_without_a_camera_is_named_once(stage: Any, caplog: Any):
    """A map of a camera that does not exist is empty, and one message names it."""
    app = stage(CAMERA, BOX, frames=1)
    app.world.add(find(app.world, "box"), Material3D(map="camera:tv"))
    app.run(frames=3)
    assert [record.message for record in caplog.records if "camera:tv" in record.message] == [
        "camera:tv: no camera has the target 'tv', so its picture on surfaces is empty"
    ]


def test_a_camera_over_another_one_hides_it(stage: Any):
    """A later camera over a part of an earlier one has a sky, which hides what is below; beside it, it has none."""
    small = "{{Transform3D: {{}}, Camera3D: {{order: 1, viewport: [{x}, 0, 0.5, 1]}}}}"
    app = stage(CAMERA, small.format(x=0.5), BOX)
    drawn = {each.name: each for each in app.host.backend.last.passes}
    assert [batch.kind for batch in drawn["scene3d.view.2"].batches if batch.kind == "scene3d.sky"]
    left = "{Transform3D: {}, Camera3D: {viewport: [0, 0, 0.5, 1]}}"
    app = stage(left, small.format(x=0.5), BOX)
    assert not app.host.backend.drawn("scene3d.sky")


@pytest.mark.parametrize("tone", ["aces", "none"])
def test_the_tone_curve_is_a_setting(stage: Any, tone: str):
    """The develop pass has the number of the curve of the settings."""
    app = stage(CAMERA, BOX, settings=f"{{scene3d: {{tone: {tone}}}}}")
    (batch,) = app.host.backend.drawn("scene3d.develop")
    assert batch.arrays["tone"].tolist() == [int(tone == "aces")]


def test_all_batches_are_valid(stage: Any):
    """Every array of every kind has the type and shape of its declaration, with content within range."""
    app = stage(CAMERA, BOX, SUN, LAMP, "{Sky3D: {}}", "{Transform3D: {}, Billboard3D: {}}")
    app.world[Frame].check(thorough=True)


def test_a_missing_camera_is_told_once(stage: Any, caplog: Any):
    """A scene with models and without a camera says so once, with what to add; one without models says nothing."""
    stage("{name: light, Sky3D: {}}", frames=2)
    assert "camera" not in caplog.text
    stage(BOX, frames=3)
    assert caplog.text.count("no camera shows the models of the scene. Add an entity") == 1
