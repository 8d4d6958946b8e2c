"""Shapes that are made of models: exactly what is drawn, computed again when the file changes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gltf_models import BOX, FACES, Builder, no_files, quad
from rish_assets import report_changes
from rish_core import App, Assets, Name, parse_manifest
from rish_ecs import how_to_get
from rish_gltf import read_gltf
from rish_physics3d import Body3D, Collider3D, Layout, overlap_point_3d, ray_cast_3d
from rish_scene3d import Model3D, cast_rays_3d
from rish_space3d import Transform3D, model_triangles, quaternions

PLACE: dict[str, Any] = {"position": (1, 2, -3), "rotation": (0.1, 0.7, -0.1, 0.7), "scale": (1.5, 0.5, -2)}


def block(length: float) -> bytes:
    """Return a file with a block that reaches from -`length` to `length` along x."""
    made = Builder()
    points = (BOX * [length, 1, 1]).astype(np.float32)
    made.mesh(attributes={"POSITION": made.accessor(points)}, indices=made.accessor(FACES.ravel()))
    return made.glb()


def wedge() -> bytes:
    """Return a file with a wedge on a turned, mirrored node, and below it another one that is called `tip`."""
    made = Builder()
    points = BOX.copy()
    points[[3, 7]] = points[[2, 6]]  # two corners at the same place
    made.mesh(attributes={"POSITION": made.accessor(points)}, indices=made.accessor(FACES.ravel()))
    turn = quaternions.from_axis((1, 2, 3), 0.7).tolist()
    made.json["nodes"][0] |= {"rotation": turn, "scale": [-0.5, 1, 0.75], "translation": [0.3, 0, 0.1], "children": [1]}
    made.add("nodes", name="tip", mesh=0, translation=[0, 0.5, 0], scale=[0.25, 2, 0.25])
    return made.glb()


@pytest.fixture
def game(tmp_path: Path) -> Iterator[App]:
    """A game with pictures and physics, and some models."""
    (tmp_path / "wedge.glb").write_bytes(wedge())
    (tmp_path / "flat.glb").write_bytes(quad().glb())
    (tmp_path / "bad.glb").write_bytes(b"nothing")
    (tmp_path / "empty.gltf").write_text('{"asset": {"version": "2.0"}, "nodes": [{"name": "lid"}]}')
    text = "rish: 1\nplugins: [scene3d, physics3d]\nscenes: {main: []}\n"
    with App(parse_manifest(text, root=tmp_path), headless=True) as app:
        yield app


def rays(count: int = 400) -> tuple[Any, Any]:
    """Return the starts and ends of random rays around `PLACE`."""
    rng = np.random.default_rng(5)
    starts = rng.normal(0, 1, (count, 3))
    starts *= 8 / np.linalg.norm(starts, axis=1)[:, None]
    return starts + PLACE["position"], rng.uniform(-1, 1, (count, 3)) + PLACE["position"]


@pytest.mark.parametrize(("shape", "part"), [("hull", "tip"), ("hull", "cone"), ("mesh", ""), ("mesh", "torus")])
def test_a_shape_lies_exactly_on_the_picture(game: App, shape: str, part: str) -> None:
    """Rays hit the hull of a convex part, and the mesh of any model, where they hit what is drawn."""
    asset, part = (part, "") if part in ("cone", "torus") else ("wedge.glb", part)
    place = Transform3D(**PLACE)
    game.world.spawn(place, Model3D(asset=asset, part=part), Collider3D(shape=shape, asset=asset, part=part))
    starts, ends = rays()
    way = ends - starts
    drawn = cast_rays_3d(game.world, starts, way)
    hits = ray_cast_3d(game.world, starts, starts + 2 * way)
    assert (drawn.entities >= 0).sum() > 50
    np.testing.assert_array_equal(hits.entity > 0, drawn.entities >= 0)
    there = drawn.entities >= 0
    np.testing.assert_allclose(hits.point[there], drawn.points[there], atol=2e-5)


@pytest.mark.parametrize(
    "values", [{}, {"oriented": True}, *({"shape": each} for each in ("sphere", "capsule", "hull"))]
)
def test_a_fitted_shape_contains_the_model(game: App, values: dict[str, Any]) -> None:
    """Every corner of the model is within the shape, and one of them is on its surface."""
    game.world.spawn(Transform3D(**PLACE), Collider3D(asset="wedge.glb", **values))
    model = read_gltf((game.manifest.root / "wedge.glb").read_bytes(), no_files, "wedge.glb")
    corners = model_triangles("wedge.glb", model).positions * PLACE["scale"]
    points = quaternions.turned(quaternions.normalized(PLACE["rotation"]), corners) + PLACE["position"]
    middle = points.mean(axis=0)

    def inside(share: float) -> int:
        return len(np.unique(overlap_point_3d(game.world, middle + (points - middle) * share).query))

    assert inside(0.999) == len(points)
    assert inside(1.001) < len(points)


def test_an_oriented_box_is_smaller(game: App) -> None:
    """A box around a model is along the axes of the model, and with `oriented` along directions that make it small."""
    entity = game.world.spawn(Transform3D(), Body3D(), Collider3D(asset="wedge.glb", part="tip"))
    plain = float(game.world[Layout].size[0, :3].prod())
    game.world.set(entity, Collider3D(asset="wedge.glb", part="tip", oriented=True))
    assert float(game.world[Layout].size[0, :3].prod()) < 0.8 * plain


def test_bodies_with_the_same_model_share_its_hull(game: App) -> None:
    """A hundred crates have one hull; those of another part or size have another."""
    for k in range(100):
        game.world.spawn(Transform3D(position=(0, 0, 9 * k)), Body3D(), Collider3D(shape="hull", asset="cylinder"))
    assert len(game.world[Layout].pool) == 1
    game.world.spawn(Transform3D(scale=(2, 2, 2)), Body3D(), Collider3D(shape="hull", asset="cylinder"))
    assert len(game.world[Layout].pool) == 2


def test_an_edited_file_changes_the_shape_and_wakes_what_lies_on_it(game: App) -> None:
    """After an edit the shape is that of the new file, also in a world at rest; a broken edit changes nothing."""
    path = game.manifest.root / "block.glb"
    path.write_bytes(block(1))
    game.world.spawn(Transform3D(), Collider3D(asset="block.glb"))
    ball = game.world.spawn(Transform3D(position=(2, 0, 0)), Body3D(gravity_scale=0), Collider3D(shape="sphere"))
    for _ in range(60):
        game.tick()
    assert game.world.get(ball, Body3D).asleep
    path.write_bytes(b"broken")
    report_changes(game.world[Assets], [path])
    game.tick()
    assert game.world.get(ball, Body3D).asleep
    path.write_bytes(block(2))
    report_changes(game.world[Assets], [path])
    assert len(overlap_point_3d(game.world, (1.9, 0, 0))) == 2
    game.tick()
    assert not game.world.get(ball, Body3D).asleep


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"asset": "gone.glb"}, "gone.glb"),
        ({"asset": "bad.glb"}, "bad.glb"),
        ({"asset": "cube"}, "no model is called 'cube'"),
        ({"asset": "wedge.glb", "part": "tap"}, "no node is called 'tap' (did you mean 'tip'?)"),
        ({"asset": "box", "part": "tip"}, "It has no named nodes: leave `part` out"),
        ({"asset": "empty.gltf"}, "empty.gltf: the model has no triangles"),
        ({"asset": "flat.glb"}, "flat.glb: the model is flat"),
        ({"asset": "flat.glb", "shape": "hull"}, "flat.glb: the 4 points are in one plane"),
        ({"asset": "box", "shape": "plane"}, "Choose one of box, sphere, capsule, hull, mesh"),
        ({"asset": "box", "shape": "mesh"}, "Use the shape hull or box"),
    ],
)
def test_what_is_wrong_with_a_model_is_named(
    game: App, caplog: pytest.LogCaptureFixture, values: dict[str, Any], words: str
) -> None:
    """A collider whose model can't be used is logged once with its entity and the choices; the rest goes on."""
    game.world.spawn(Name(value="culprit"), Transform3D(), Body3D(), Collider3D(**values))
    ball = game.world.spawn(Transform3D(position=(0, 9, 0)), Body3D(velocity=(1, 0, 0)), Collider3D(shape="sphere"))
    for _ in range(3):
        game.tick()
    named = [each.getMessage() for each in caplog.records if "Collider3D is ignored" in each.getMessage()]
    assert len(named) == 1
    assert "culprit" in named[0]
    assert words in named[0]
    assert game.world.get(ball, Transform3D).position[0] > 0


def test_without_the_reader_the_error_names_it(game: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `rish-gltf` is not installed, a model's file is an error that says what to install; shapes still work."""
    monkeypatch.setitem(sys.modules, "rish_gltf", None)
    game.world.spawn(Transform3D(), Collider3D(shape="hull", asset="cone"))
    lost = game.world.spawn(Transform3D(), Collider3D(shape="hull", asset="wedge.glb"))
    assert len(game.world[Layout].shape_entities) == 1
    assert how_to_get("rish-gltf") in game.world[Layout].faults[lost]


def test_a_restored_world_with_models_continues_with_the_same_bits(tmp_path: Path) -> None:
    """After a restore the same ticks give the same hash, and strict mode finds no fault."""
    (tmp_path / "wedge.glb").write_bytes(wedge())
    text = "rish: 1\nplugins: [space3d, physics3d, strict]\nscenes: {main: []}\n"
    with App(parse_manifest(text, root=tmp_path), headless=True, policy="raise") as app:
        app.world.spawn(Transform3D(position=(0, -4, 0), scale=(9, 9, 9)), Collider3D(shape="mesh", asset="sphere"))
        for k, shape in enumerate(("hull", "capsule", "sphere", "box")):
            app.world.spawn(
                Transform3D(position=(0.1 * k, 2 + 2 * k, 0)), Body3D(), Collider3D(shape=shape, asset="wedge.glb")
            )
        for _ in range(12):
            app.tick()
        snapshot = app.world.snapshot()
        for _ in range(12):
            app.tick()
        expected = app.world.hash()
        app.world.restore(snapshot)
        for _ in range(12):
            app.tick()
        assert app.world.hash() == expected
