"""The draw list in a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gltf_models import MODELS, png
from rish_core import find
from rish_ecs import Disabled
from rish_scene3d import Material3D, Model3D, Poses3D
from rish_scene3d import layout as at
from rish_scene3d.models.store import Models3D
from rish_scene3d.scene.drawlist import DrawList
from rish_space3d import Transform3D

EYE = "{name: eye, Transform3D: {position: [0, 0, 5]}, Camera3D: {}}"


def drawn(app: Any) -> Any:
    """Return the batch of solid surfaces of the last frame."""
    return next(each for each in app.host.backend.drawn("scene3d.surfaces") if each.z == 1)


def roughness(listed: DrawList) -> list[float]:
    """Return the roughness of the material of each instance, rising."""
    instances, table = listed.models.instances, listed.models.materials.table
    return sorted(table[instances.instances["material"][instances.slots], at.ROUGHNESS].tolist())


def box(**more: Any) -> str:
    """Return an entry with a box; more: components in YAML."""
    parts = {"Transform3D": "{}", "Model3D": "{}", **more}
    return "{" + ", ".join(f"{name}: {value}" for name, value in parts.items()) + "}"


def test_equal_models_share_a_run(stage: Any):
    """Instances of one mesh with equal flags are one run, whatever their materials."""
    red = "{color: red}"
    app = stage(EYE, box(), box(Material3D=red), box(Model3D="{asset: sphere}"), box(Material3D="{double_sided: true}"))
    runs = drawn(app).arrays["runs"]
    assert sorted(runs[:, at.RUN_COUNT].tolist()) == [1, 1, 2]
    assert sorted(runs[:, at.RUN_FLAGS].tolist()) == [0, 0, at.DOUBLE_SIDED]
    assert runs[:, at.RUN_FIRST].tolist() == np.cumsum([0, *runs[:-1, at.RUN_COUNT]]).tolist()


def test_flags_follow_the_components(stage: Any):
    """Masks, mirrors, shadows that do not fall, and opacity below 1 have their flags."""
    entries = {
        at.MASKED: box(Material3D="{alpha: mask}"), at.MIRRORED: box(Transform3D="{scale: [-1, 1, 1]}"),
        at.NO_SHADOWS: box(Model3D="{receives: false}"), at.BLENDED: box(Model3D='{tint: "#ffffff80"}'),
        at.BLENDED | at.DOUBLE_SIDED: box(Material3D="{alpha: blend, double_sided: true}"),
    }  # fmt: skip
    for flags, entry in entries.items():
        app = stage(EYE, entry)
        (batch,) = app.host.backend.drawn("scene3d.surfaces")
        assert batch.arrays["runs"][:, at.RUN_FLAGS].tolist() == [flags]
        assert batch.z == (2 if flags & at.BLENDED else 1)


def test_hidden_models_and_other_layers_are_left_out(stage: Any):
    """Invisible models, those outside the view, and those on layers that the camera does not see are not drawn."""
    eye = "{name: eye, Transform3D: {position: [0, 0, 5]}, Camera3D: {layers: [near]}}"
    app = stage(
        eye, box(), box(Model3D="{visible: false}"), box(Transform3D="{position: [0, 0, 20]}"),
        box(Model3D="{layers: [near, far]}"), box(Model3D="{layers: [far]}"),
    )  # fmt: skip
    assert drawn(app).count == 2


def test_what_blends_is_drawn_back_to_front(stage: Any):
    """Blended things are sorted by their distance along the view, and neighbors of one mesh share a run."""
    glass = '{tint: "#ffffff80"}'
    far, near, middle = (box(Model3D=glass, Transform3D=f"{{position: [0, 0, {z}]}}") for z in (-3, 2, 0))
    ball = box(Model3D='{asset: sphere, tint: "#ffffff80"}', Transform3D="{position: [0, 0, -1]}")
    app = stage(EYE, near, far, ball, middle)
    (batch,) = app.host.backend.drawn("scene3d.surfaces")
    assert batch.arrays["instances"]["matrix"][:, 2, 3].tolist() == [-3, -1, 0, 2]
    assert batch.arrays["runs"][:, at.RUN_COUNT].tolist() == [1, 1, 2]


def test_moved_and_tinted_models_are_followed(stage: Any):
    """A moved entity has its new matrix, a new tint its new color, and the list is not made again for them."""
    app = stage(EYE, box(name="a"), box(Model3D="{asset: sphere}"))
    entity, listed = find(app.world, "a"), app.world[DrawList]
    listed.update(app.world)
    made = listed.made
    app.world.set(entity, Model3D(tint=(1, 0, 0, 1)))
    listed.update(app.world)
    assert listed.made == made
    app.world.set(entity, Transform3D(position=(0.5, 0, 0), last_position=(0.5, 0, 0)))
    app.run(frames=1)
    arrays = drawn(app).arrays
    which = arrays["instances"]["matrix"][:, 0, 3] == 0.5
    assert arrays["instances"]["tint"][which].tolist() == [[255, 0, 0, 255]]
    app.world.set(entity, Transform3D(scale=(-1, 1, 1), last_scale=(-1, 1, 1)))
    app.run(frames=1)
    assert at.MIRRORED in drawn(app).arrays["runs"][:, at.RUN_FLAGS]


def test_a_new_material_is_followed(stage: Any):
    """A changed Material3D changes the row of its model, or its flags."""
    app = stage(EYE, box(name="a", Material3D="{roughness: 0.25}"), "{Transform3D: {}, Billboard3D: {}}")
    entity, listed = find(app.world, "a"), app.world[DrawList]
    listed.update(app.world)
    made = listed.made
    app.world.set(entity, Material3D(roughness=0.75))
    listed.update(app.world)
    assert listed.made == made
    assert roughness(listed) == [0.75]
    app.world.set(entity, Material3D(double_sided=True))
    app.run(frames=1)
    arrays = drawn(app).arrays
    assert arrays["materials"][arrays["instances"]["material"][0], at.ROUGHNESS] == 0.75
    assert arrays["runs"][:, at.RUN_FLAGS].tolist() == [at.DOUBLE_SIDED]


def test_equal_materials_are_one_row_until_one_changes(stage: Any):
    """A model that shared its material gets a row of its own; the others and billboards keep how they look."""
    look = "{roughness: 0.25}"
    board = "{Transform3D: {}, Billboard3D: {strength: 3}}"
    app = stage(EYE, box(name="a", Material3D=look), box(name="b", Material3D=look), board, strict=False)
    entity, listed = find(app.world, "a"), app.world[DrawList]

    def rough() -> list[float]:
        listed.update(app.world)
        return roughness(listed)

    def shown() -> list[float]:
        app.run(frames=1)
        (batch,) = (batch for batch in app.host.backend.drawn("scene3d.surfaces") if batch.z == 2)
        return batch.arrays["materials"][batch.arrays["instances"]["material"]].tolist()

    before, made = shown(), listed.made
    app.world.set(entity, Material3D(roughness=0.75))
    assert rough() == [0.25, 0.75]
    assert shown() == before
    app.world.set(entity, Material3D(roughness=0.25))
    assert rough() == [0.25, 0.25]
    assert listed.made == made
    assert shown() == before


def test_entities_that_come_go_and_are_disabled_are_followed(stage: Any):
    """When any entity with a place is despawned or disabled, the others keep their own matrices."""
    places = [f"{{name: e{k}, Transform3D: {{position: [{k * 0.1}, 0, 0]}}}}" for k in range(3)]
    app = stage(EYE, *places, box(name="a", Transform3D="{position: [1, 0, 0]}"), box(name="b"), strict=False)
    app.world.despawn(find(app.world, "e0"))
    app.run(frames=1)
    assert sorted(drawn(app).arrays["instances"]["matrix"][:, 0, 3].tolist()) == [0, 1]
    app.world.add(find(app.world, "a"), Disabled())
    app.run(frames=1)
    assert drawn(app).arrays["instances"]["matrix"][:, 0, 3].tolist() == [0]
    app.world.add(find(app.world, "e1"), Model3D())
    app.run(frames=1)
    assert drawn(app).count == 2


def test_characters_at_rest_and_posed(stage: Any, tmp_path: Path):
    """A skinned model has its palette at rest; with a pose it has that of the pose, and its node follows."""
    (tmp_path / "robot.glb").write_bytes(MODELS["robot"]().glb())
    app = stage(
        "{name: eye, Transform3D: {position: [0, 1, 6]}, Camera3D: {}}", box(name="r", Model3D="{asset: robot.glb}")
    )
    arrays = drawn(app).arrays
    first = int(arrays["instances"]["palette"][0])
    model = app.world[Models3D].model(app.world, "robot.glb")
    joints = model.joints
    assert arrays["palettes"][first : first + joints].shape == (joints, 3, 4)
    entity, poses = find(app.world, "r"), app.world[Poses3D]
    bent = np.tile(np.eye(3, 4, dtype=np.float32), (joints, 1, 1))
    bent[:, 0, 3] = 0.5
    poses.entities = np.array([entity])
    poses.first_node, poses.first_joint = np.zeros(1, np.int32), np.zeros(1, np.int32)
    poses.first_weight = np.full(1, -1, np.int32)
    poses.nodes, poses.palettes, poses.version = model.rest.copy(), bent, poses.version + 1
    app.world[DrawList].update(app.world)
    listed = app.world[DrawList]
    models = listed.models
    assert models.instances.instances["palette"].tolist() == [0] * len(models.instances)
    np.testing.assert_array_equal(models.attachment.palettes[:joints], bent)
    low, high = model.rest[:, :, 3].min(0), model.rest[:, :, 3].max(0)
    middle, radius = models.instances.spheres[0, :3], models.instances.spheres[0, 3]
    assert np.linalg.norm(middle - (low + high) / 2) < 1e-3
    assert radius > np.linalg.norm(high - low) / 2


def test_morphs_at_rest_have_the_weights_of_the_file(stage: Any, tmp_path: Path):
    """A model with morph targets and without an animation shows the weights of its file."""
    (tmp_path / "cube.glb").write_bytes(MODELS["morph cube"]().glb())
    app = stage("{name: eye, Transform3D: {position: [0, 0, 9]}, Camera3D: {}}", box(Model3D="{asset: cube.glb}"))
    arrays, model = drawn(app).arrays, app.world[Models3D].model(app.world, "cube.glb")
    first = int(arrays["instances"]["morph"][0])
    np.testing.assert_allclose(arrays["morphs"][first : first + len(model.weights)], model.weights)


def test_normal_maps_get_tangents(stage: Any, tmp_path: Path):
    """A mesh without tangents gets them where a Material3D brings a normal map."""
    (tmp_path / "sparse.gltf").write_bytes(MODELS["sparse"]().gltf())
    (tmp_path / "bumps.png").write_bytes(png())
    app = stage(EYE, box(Model3D="{asset: torus}", Material3D="{normal_map: bumps.png}"))
    batch = drawn(app)
    library = app.world[Models3D].library
    assert library.meshes[batch.arrays["runs"][0, 0]].tangents is not None


def test_files_are_reloaded(stage: Any, tmp_path: Path):
    """A model that changed on disk is drawn anew, and a picture replaces its pixels under the same number."""
    from rish_core import Assets

    (tmp_path / "a.glb").write_bytes(MODELS["box"]().glb())
    (tmp_path / "wood.png").write_bytes(png((4, 4)))
    app = stage(
        EYE, box(Model3D="{asset: a.glb}", Transform3D="{scale: [0.2, 0.2, 0.2]}"), box(Material3D="{map: wood.png}")
    )
    store = app.world[Models3D]
    before = store.model(app.world, "a.glb")
    (tmp_path / "a.glb").write_bytes(MODELS["quad"]().glb())
    assert app.world[Assets].reload("a.glb")
    app.run(frames=1)
    after = store.model(app.world, "a.glb")
    assert len(store.library.meshes[after.pieces[0].mesh].positions) == 4
    assert after is not before
    from PIL import Image

    Image.new("RGBA", (4, 4), (1, 2, 3, 255)).save(tmp_path / "wood.png")
    version = store.library.version
    assert app.world[Assets].reload("wood.png")
    app.run(frames=1)
    assert store.library.version != version
    page = next(page for page in store.library.pages if page.side == 4)
    assert any((layer == (1, 2, 3, 255)).all() for layer in page.levels[0])


@pytest.mark.parametrize("strict", [False, True])
def test_a_missing_model_is_a_magenta_box(strict: bool, stage: Any, caplog: Any):
    """A model that can't be loaded is shown as a magenta box, and the reason is logged once."""
    app = stage(EYE, box(name="a"), strict=strict)
    app.world.set(find(app.world, "a"), Model3D(asset="boat.glb"))
    app.run(frames=3)
    arrays = drawn(app).arrays
    row = arrays["materials"][arrays["instances"]["material"][0]]
    assert row[at.BASE : at.BASE + 3].tolist() == [1, 0, 1]
    assert row[at.MODEL] == at.UNLIT
    assert sum("boat.glb" in record.message for record in caplog.records) == 1
