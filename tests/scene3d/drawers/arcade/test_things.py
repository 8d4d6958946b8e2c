"""Meshes on OpenGL: skins, morph targets, mirrored and double-sided things, and what is uploaded once."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

from rish_frame import Batch, Frame, Pass, Target
from rish_render.backends.arcade.backend import ArcadeBackend
from rish_scene3d import layout as at
from rish_scene3d.drawers.arcade.tables import Shared, Table
from rish_scene3d.models.model_library import MeshData
from rish_scene3d.passes import kinds
from scene3d import Scene, box, mesh, morphed, placed, quad, sphere, tube

pytestmark = pytest.mark.gl


def bent(angle: float, height: float = 1.0) -> np.ndarray:
    """Return a joint (3, 4) that turns what is above a height around z."""
    s, c = np.sin(angle), np.cos(angle)
    around = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    middle = np.array([0, height, 0])
    return np.concatenate([around, (middle - around @ middle)[:, None]], axis=1)


def skinned(data: MeshData, joints: Any) -> MeshData:
    """Return a mesh with its joints applied, as a mesh without a skin."""
    assert data.joints is not None
    assert data.weights is not None
    rows = np.einsum("nk,nkij->nij", data.weights.astype(float), np.asarray(joints)[data.joints])
    places = np.einsum("nij,nj->ni", rows[:, :, :3], data.positions) + rows[:, :, 3]
    normals = np.einsum("nij,nj->ni", np.linalg.inv(rows[:, :, :3]).transpose(0, 2, 1), data.normals)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return mesh("skinned", places, normals, data.indices)


def gbuffer(scene: Scene, arcade: ArcadeBackend) -> tuple[Any, Any]:
    """Return the depths of a scene along the view, and the normals as they are stored."""
    arcade.draw(scene.frame(deferred=True))
    return arcade.pixels("gbuffer:4")[..., 0].copy(), arcade.pixels("gbuffer:3")[..., :2].copy()


@pytest.mark.parametrize("influences", [4, 8])
def test_skins_are_those_of_the_processor(arcade: ArcadeBackend, influences: int) -> None:
    """A bent tube lies within 0.0001 m of the one that numpy bends, and its normals agree; with 4 and 8 influences."""
    joints = [np.eye(4)[:3], bent(0.5), bent(0.9)]
    seen: list[Any] = []
    for on_card in (True, False):
        scene = Scene(eye=(1.5, 1.6, 3.0), aim=(0, 0.9, 0))
        data = tube(3, influences=influences)
        number = scene.mesh(data if on_card else skinned(data, joints))
        scene.pose(np.eye(4)[:3])
        first = scene.pose(*joints) if on_card else -1
        scene.show(number, scene.material(), placed(), palette=first)
        seen.append(gbuffer(scene, arcade))
    (depth, normal), (wanted, facing) = seen
    both = (depth > 0) & (wanted > 0)
    assert both.sum() > 2000
    assert (depth > 0).sum() - both.sum() <= 2
    assert np.abs(depth - wanted)[both].max() <= 1e-4
    assert np.quantile(np.abs(normal - facing)[both], 0.99) < 2e-3


def test_morph_targets_add_up(arcade: ArcadeBackend) -> None:
    """Two morph targets with weights give the mesh that numpy adds up; weights of other things are not taken."""
    ball = sphere()
    wide, high = ball.positions * np.float32([1, 0, 0]), ball.positions * np.float32([0, 1, 0])
    seen: list[Any] = []
    for on_card in (True, False):
        scene = Scene()
        added = mesh("ball", ball.positions + 0.5 * wide + 0.25 * high, ball.normals, ball.indices)
        scene.morphs = [9.0, 0.5, 0.25]
        number = scene.mesh(morphed(ball, wide, high) if on_card else added)
        scene.show(number, scene.material(), placed(), morph=1 if on_card else -1)
        seen.append(gbuffer(scene, arcade)[0])
    both = (seen[0] > 0) & (seen[1] > 0)
    assert both.sum() > 2000
    assert np.abs(seen[0] - seen[1])[both].max() <= 1e-4


def test_mirrored_things_show_their_front(arcade: ArcadeBackend) -> None:
    """A mirrored box with the flag MIRRORED looks like the box itself; without the flag its back is seen."""
    pictures: list[Any] = []
    for scale, flags in ((1, 0), ((-1, 1, 1), at.MIRRORED), ((-1, 1, 1), 0)):
        scene = Scene()
        scene.show(scene.mesh(box()), scene.material(), placed(scale=scale), flags=flags)
        scene.sun()
        arcade.draw(scene.frame())
        pictures.append(arcade.pixels("scene3d.view").copy())
    assert np.abs(pictures[0] - pictures[1]).max() < 0.01
    assert np.abs(pictures[0] - pictures[2]).max() > 0.1


def test_backs_are_shown_and_lit_where_that_is_wished(arcade: ArcadeBackend) -> None:
    """From below a square is not drawn; with the flag DOUBLE_SIDED it is, and light from below reaches it."""
    lit: list[float] = []
    for flags in (0, at.DOUBLE_SIDED):
        scene = Scene(eye=(0, -2, 0.5), aim=(0, 0, 0), sky=(0, 0, 0))
        scene.show(scene.mesh(quad()), scene.material(), placed(), flags=flags)
        scene.sun((0, 1, 0))
        arcade.draw(scene.frame())
        lit.append(float(arcade.pixels("scene3d.view")[90, 160, 0]))
    assert lit[0] == 0
    assert lit[1] > 0.5


def test_tints_and_colors_of_corners_multiply(arcade: ArcadeBackend) -> None:
    """The tint of an instance, decoded, and the colors of its corners multiply the base color."""
    flat = quad()
    colors = np.tile(np.float32([0.5, 1, 1, 1]), (len(flat.positions), 1))
    scene = Scene(eye=(0, 2, 0.01), aim=(0, 0, 0))
    number = scene.mesh(MeshData(**{**flat.__dict__, "colors": colors}))
    scene.show(number, scene.material(base=(1, 1, 0.5, 1), model=at.UNLIT), placed(), tint=(188, 255, 255, 255))
    arcade.draw(scene.frame())
    half = ((188 / 255 + 0.055) / 1.055) ** 2.4
    assert arcade.pixels("scene3d.view")[90, 160, :3] == pytest.approx([half / 2, 1, 0.5], abs=2e-3)


def test_poses_are_uploaded_once_for_all_passes(arcade: ArcadeBackend) -> None:
    """A table of an array is written once, shared, and used again for another array when the first is gone."""
    written: list[int] = []

    class Counting(Table):
        def write(self, array: Any) -> None:
            written.append(array.size)
            super().write(array)

    shared = Shared(lambda: Counting(arcade.device))
    poses = np.zeros((2, 3, 4), np.float32)
    first = shared(poses)
    assert shared(poses) is first
    assert shared(other := np.ones((3, 3, 4), np.float32)) is not first
    del poses
    assert shared(np.zeros((4, 3, 4), np.float32)) is first
    assert written == [24, 36, 48]
    assert other.size == 36


def test_nothing_is_drawn_of_nothing(arcade: ArcadeBackend) -> None:
    """Scenes without things, meshes without triangles and runs without instances are drawn as a plain sky."""
    scene = Scene(sky=(0.5, 0.5, 0.5))
    scene.show(scene.mesh(mesh("none", np.zeros((3, 3)), np.zeros((3, 3)), [])), scene.material(), placed())
    scene.show(scene.mesh(box()), scene.material())
    for deferred in (False, True):
        for frame in (scene.frame(deferred=deferred), Scene(sky=scene.sky).frame(deferred=deferred)):
            assert not arcade.draw(frame).skipped
            assert np.abs(arcade.pixels("scene3d.view")[..., :3] - 0.5).max() < 1e-3


def test_a_still_scene_costs_nothing(arcade: ArcadeBackend) -> None:
    """Drawn again unchanged, the passes are skipped; with another camera, only the view is drawn, not its shadows."""
    scene = Scene()
    scene.show(scene.mesh(box()), scene.material(), placed())
    scene.cast_sun(scene.sun(), (4.0,), 64)
    frame = scene.frame()
    arcade.draw(frame)
    arcade.draw(frame)
    assert arcade.draw(frame).draw_calls == 0
    frame.passes["scene3d.view"].view[0, 3] += 0.1
    assert arcade.draw(frame).draw_calls == 3


def test_meshes_go_with_their_data(arcade: ArcadeBackend) -> None:
    """The buffers of a mesh are freed when nobody holds its data any more."""
    counts: list[int] = []
    for count in (1, 5):
        for _ in range(count):
            scene = Scene()
            scene.show(scene.mesh(box()), scene.material(), placed())
            arcade.draw(scene.frame())
        del scene
        gc.collect()
        arcade.draw(Frame((8, 8)))
        gc.collect()
        arcade.draw(Frame((8, 8)))
        made, freed = arcade.device.stats.buffer
        counts.append(made - freed)
    assert counts[0] == counts[1]


def test_the_state_is_restored(arcade: ArcadeBackend) -> None:
    """After surfaces a mesh of the backend itself is drawn whole: without culling, depth or the pass's viewport."""
    scene = Scene(size=(64, 48))
    scene.show(scene.mesh(box()), scene.material(), placed(), flags=at.MIRRORED)
    frame = scene.frame()
    frame.passes["scene3d.view"].viewport = (0.5, 0.5, 0.5, 0.5)
    corners = np.array([[-1, -1, 0], [-1, 1, 0], [1, 1, 0], [1, -1, 0]], np.float32)
    arrays = {
        "positions": corners, "colors": np.full((4, 4), 255, np.uint8),
        "indices": np.array([[0, 1, 2], [0, 2, 3]], np.int32),
    }  # fmt: skip
    frame.add_pass(Pass("after", ("screen",), after=("develop",), rank="post"))
    frame.add(Batch("mesh", arrays), to="after")
    arcade.configure(size=(64, 48))
    assert not arcade.draw(frame).skipped
    assert (arcade.pixels() == 255).all()


def test_a_viewport_holds_the_whole_view(arcade: ArcadeBackend) -> None:
    """In a viewport of half the width and height the same picture is drawn smaller, and nothing outside it."""
    scene = Scene(size=(64, 48))
    scene.show(scene.mesh(box()), scene.material(), placed())
    scene.sun()
    frame = scene.frame()
    frame.passes["scene3d.view"].viewport = (0.5, 0.0, 0.5, 0.5)
    arcade.configure(size=(64, 48))
    arcade.draw(frame)
    picture = arcade.pixels("scene3d.view")
    assert (picture[:24] == 0).all()
    assert (picture[:, :32] == 0).all()
    scene.size = (32, 24)
    arcade.configure(size=(32, 24))
    arcade.draw(scene.frame())
    assert np.abs(arcade.pixels("scene3d.view") - picture[24:, 32:]).max() < 2e-3


def test_distances_of_a_lamp_and_depths_of_a_sun(arcade: ArcadeBackend) -> None:
    """A map of depths holds 0 near to 1 far, and with a reach the distance from the lamp divided by it."""
    for reach, wanted in ((0.0, (3 - 0.5 - 0.1) / (100 - 0.1)), (5.0, 0.5)):
        scene = Scene(eye=(0, 0, 3), aim=(0, 0, 0), orthographic=4.0)
        scene.show(scene.mesh(box()), scene.material(), placed())
        frame = scene.frame()
        light = {"eye": np.float32([0, 0, 3]), "reach": np.float32([reach])}
        frame.add_target(Target("map", (64, 64), ("r32f",), depth=True, clear=((1, 0, 0, 0),)))
        frame.add_pass(Pass("map", ("map",), view=scene.view, projection=scene.projection))
        frame.add(scene.surfaces(kinds.DEPTHS, **light), to="map")
        arcade.draw(frame)
        depth = arcade.pixels("map")[..., 0]
        assert depth[0, 0] == 1
        assert depth[32, 32] == pytest.approx(wanted, abs=1e-3)
