"""Models that come, go, move or change are patched into the draw list, with the result of a full listing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gltf_models import MODELS, png
from long_runs import long
from rish_core import App, Disabled
from rish_frame import Frame
from rish_scene3d import AlphaMode, Billboard3D, Camera3D, Lamp3D, Material3D, Model3D
from rish_scene3d.passes.compose import Composer
from rish_scene3d.passes.kinds import Surfaces
from rish_scene3d.scene.drawlist import DrawList
from rish_scene3d.scene.listing.model_list import ModelList
from rish_space3d import Transform3D

EYE = "{name: eye, Transform3D: {position: [0, 0, 9]}, Camera3D: {layers: [near]}}"
MIRROR = "{Transform3D: {position: [0, 0, -9], rotation: [0, 180, 0]}, Camera3D: {target: mirror}}"
GLASS = '{Transform3D: {}, Model3D: {asset: sphere, tint: "#ffffff80"}, Material3D: {}}'
LIGHTS = (
    "{Transform3D: {rotation: [-60, 20, 0]}, Sun3D: {cascades: 2, reach: 30}}",
    "{Transform3D: {position: [3, 2, 0]}, Lamp3D: {range: 9, shadows: true}}",
    "{Transform3D: {position: [-3, 2, 0]}, Lamp3D: {range: 9}}",
)
ASSETS = ("box", "sphere", "torus", "robot.glb", "cube.glb")
CHANGES: tuple[Any, ...] = (
    Model3D(tint=(1, 0, 0, 1)), Model3D(tint=(1, 1, 1, 0.5)), Model3D(visible=False), Model3D(visible=True),
    Model3D(casts=False), Model3D(casts=True), Model3D(receives=False), Model3D(layers=("near",)),
    Model3D(layers=("far",)), Model3D(asset="sphere"), Model3D(asset="robot.glb"),
)  # fmt: skip
LOOKS: tuple[Material3D, ...] = (
    Material3D(roughness=0.25), Material3D(roughness=0.75), Material3D(color=(1, 0, 0, 1)),
    Material3D(double_sided=True), Material3D(alpha=AlphaMode.BLEND), Material3D(alpha=AlphaMode.MASK),
    Material3D(map="face.png"), Material3D(map="camera:mirror"),
)  # fmt: skip


def shown(world: Any) -> list[tuple[Any, ...]]:
    """Return all that is drawn of the scene: passes, runs, and the content of each instance and array."""
    drawn: list[tuple[Any, ...]] = []
    for step in world[Frame].steps():
        for batch in step.batches:
            arrays = dict(batch.arrays)
            instances = arrays.pop("instances", None)
            tables = [arrays.pop(name, None) for name in ("materials", "palettes", "morphs")]
            if instances is not None:
                for name, table in zip(("material", "palette", "morph"), tables, strict=True):
                    rows = instances[name]
                    values = np.asarray(table)[rows[rows >= 0]]
                    arrays[name] = np.append((rows >= 0).astype(np.float32), values)
                arrays["matrix"] = instances["matrix"] + np.float32(0)  # -0 becomes 0
                arrays["tint"] = instances["tint"]
            content = {name: array.tobytes() for name, array in arrays.items()}
            drawn.append((step.pass_.name, batch.kind, batch.z, batch.count, content))
    return drawn


def place(random: np.random.Generator) -> Transform3D:
    """Return a random pose, which may mirror."""
    x, y, z = random.uniform(-6, 6, 3)
    return Transform3D(position=(x, y, z), scale=(float(random.choice([1, 0.5, -1])), 1, 1))


def change(world: Any, random: np.random.Generator) -> None:
    """Do one random change."""
    handles = world.table(Model3D).entities
    some = random.permutation(handles)[: int(random.integers(1, 4))]
    material = LOOKS[int(random.integers(len(LOOKS)))]
    model = Model3D(asset=ASSETS[int(random.integers(len(ASSETS)))])
    match int(random.integers(0, 15)):
        case 0:
            world.spawn(place(random), model, material)
        case 1:
            world.spawn_many(int(random.integers(1, 40)), place(random), model)
        case 2:
            world.despawn(some)
        case 3:
            world.set(some, CHANGES[int(random.integers(len(CHANGES)))])
        case 4:
            world.add(some, material)
        case 5:
            world.remove(some, Material3D)
        case 6:
            world.set(some[np.isin(some, world.table(Transform3D).entities)], place(random))
        case 7:
            world.remove(some[:1], Transform3D)
        case 8:
            world.add(some, place(random))
        case 9:
            world.add(some[:1], Disabled())
        case 10:
            world.remove(world.table(Disabled).entities[:1].copy(), Disabled)
        case 11:
            for cls in (Model3D, Material3D, Transform3D):
                world.table(cls).mark()
        case 12:
            table = world.table((Camera3D, Lamp3D)[int(random.integers(2))])
            world.set(table.entities[:1], place(random))
        case 13:
            world.table(Model3D).tint[:, :3] = random.uniform(0, 1, (len(handles), 3))
            world.table(Model3D).tint[:1, 3] = random.choice([0.5, 1])
            world.table(Model3D).mark()
        case _:
            world.spawn(place(random), Billboard3D(strength=float(random.integers(1, 3))))


@pytest.mark.parametrize("seed", range(long(60, 6)))
def test_a_patched_frame_shows_what_a_new_one_shows(seed: int, stage: Any, tmp_path: Path):
    """After random changes and restores, each frame has the batches of a game that lists the same state anew."""
    for name, file in (("robot", "robot.glb"), ("morph cube", "cube.glb")):
        (tmp_path / file).write_bytes(MODELS[name]().glb())
    (tmp_path / "face.png").write_bytes(png((4, 4)))
    models = [
        f"{{Transform3D: {{position: [{k % 9 - 4}, 0, 0]}}, Model3D: {{asset: {ASSETS[k % 5]}}}}}" for k in range(70)
    ]
    animated = "{Transform3D: {}, Model3D: {asset: robot.glb}, Animator3D: {clip: wave}}"
    entries = (EYE, GLASS, *(LIGHTS if seed % 2 else ()), *models, *([animated] if seed % 3 == 0 else []))
    entries = (*entries, *([MIRROR] if seed % 4 == 1 else ()))
    settings = "{scene3d: {pipeline: deferred}}" if seed % 4 == 2 else "{}"
    app, other = (stage(*entries, settings=settings, strict=False) for _ in range(2))
    random, kept = np.random.default_rng(seed), app.world.snapshot()
    seen: dict[tuple[str, str, float], tuple[Any, Any]] = {}
    for step in range(40):
        for _ in range(int(random.integers(0, 3))):
            change(app.world, random)
        if step % 12 == 5:
            kept = app.world.snapshot()
        if step % 12 == 11:
            app.world.restore(kept)
        app.run(frames=1)
        check_patches(app.world, seen)
        other.world.restore(app.world.snapshot())
        other.world[DrawList].clear()
        other.draw()
        assert shown(app.world) == shown(other.world)


def check_patches(world: Any, seen: dict[tuple[str, str, float], tuple[Any, Any]]) -> int:
    """Check that instances equal those before, except where patches say so; return the number of patches.

    seen: by the places of batches, the arrays of instances and copies of them; those of this frame are put there.
    """
    count = 0
    for step in world[Frame].steps():
        for batch in step.batches:
            if not isinstance(batch, Surfaces):
                continue
            key, new = (step.pass_.name, str(batch.kind), batch.z), batch.arrays["instances"]
            before, content = seen.get(key, (None, None))
            patch = batch.patch
            if before is not new and patch is not None and patch.base is before and content is not None:
                count += 1
                begin = 0
                for first, last in (*patch.ranges, (len(new), len(new))):
                    assert new[begin:first].tobytes() == content[begin:first].tobytes()
                    begin = last
            seen[key] = new, new.copy()
    return count


def test_one_change_is_a_patch_of_the_instances(stage: Any):
    """A model that moves, comes or goes among others patches the instances, in one row if it moves."""
    app = stage(EYE, *["{Transform3D: {}, Model3D: {}}"] * 10, strict=False)
    world: Any = app.world
    handles, seen = world.table(Model3D).entities.copy(), dict[tuple[str, str, float], tuple[Any, Any]]()
    check_patches(world, seen)
    works = {
        "moves": lambda: world.set(handles[4], Transform3D(position=(0.5, 0, 0))),
        "goes": lambda: world.despawn(handles[3]),
        "comes": lambda: world.spawn(Transform3D(), Model3D()),
    }
    for name, work in works.items():
        work()
        app.run(frames=1)
        assert check_patches(world, seen) == 1
        (batch,) = _batches(app)
        assert name != "moves" or [last - first for first, last in batch.patch.ranges] == [1]


def test_a_look_that_is_new_among_other_changes_is_shown(stage: Any):
    """When models are hidden and painted, and one gets a look that none had, the frame shows what a new one shows."""
    app, other = (stage(EYE, *["{Transform3D: {}, Model3D: {}}"] * 10, strict=False) for _ in range(2))
    handles = app.world.table(Model3D).entities.copy()
    app.world.set(handles[:4], Model3D(visible=False))
    app.world.set(handles[9:], Model3D(tint=(1, 0, 0, 1)))
    app.world.set(handles[5:6], Model3D(receives=False))
    app.run(frames=1)
    other.world.restore(app.world.snapshot())
    other.world[DrawList].clear()
    other.draw()
    assert sum(batch.count for batch in _batches(app)) == 6
    assert shown(app.world) == shown(other.world)


def _batches(app: App) -> list[Any]:
    return [batch for step in app.world[Frame].steps() for batch in step.batches if batch.kind == "scene3d.surfaces"]


def test_the_tints_of_all_models_follow(stage: Any):
    """When all models are written in each frame, new tints are shown, also of those that blend from then on."""
    app, other = (stage(EYE, *["{Transform3D: {}, Model3D: {}}"] * 10, strict=False) for _ in range(2))
    table: Any = app.world.table(Model3D)
    app.world.set(table.entities[:1], Model3D(visible=False))
    for step in range(8):
        table.tint[:, step % 3] = step / 8
        table.tint[3, 3] = 0.5 if step in (5, 6) else 1
        table.mark()
        app.run(frames=1)
        other.world.restore(app.world.snapshot())
        other.world[DrawList].clear()
        other.draw()
        assert shown(app.world) == shown(other.world)


def test_one_changed_model_lists_no_others(stage: Any, monkeypatch: pytest.MonkeyPatch):
    """A model that comes, goes, moves or changes its material among many lists all of them neither again nor anew."""
    app = stage(EYE, "{Transform3D: {}, Model3D: {}, Material3D: {roughness: 0.5}}", strict=False)
    world: Any = app.world
    handles = world.spawn_many(500, Transform3D(), Model3D(), Material3D())
    app.run(frames=3)
    made, described = world[DrawList].made, list[int]()
    patch = ModelList.patch

    def counted(self: ModelList, world: Any, store: Any, rows: Any) -> bool:
        described.append(len(world.table(Model3D)) if rows is None else len(rows))
        return patch(self, world, store, rows)

    monkeypatch.setattr(ModelList, "patch", counted)
    for work in (
        lambda: world.set(handles[7], Transform3D(position=(1, 0, 0))),
        lambda: world.set(handles[9], Material3D(roughness=0.5)),
        lambda: world.spawn(Transform3D(), Model3D(), Material3D()),
        lambda: world.despawn(handles[100]),
        lambda: world.set(handles[90], Model3D(tint=(1, 0, 0, 1))),
    ):
        work()
        app.run(frames=2)
    assert world[DrawList].made == made
    assert len(described) >= 4
    assert sum(described) < 10


def test_what_nothing_touched_is_the_same_batch(stage: Any):
    """While a model behind the camera moves, the batch of those in view stays the same object with its version."""
    app = stage(
        EYE, "{Transform3D: {}, Model3D: {}}", "{name: behind, Transform3D: {position: [0, 0, 50]}, Model3D: {}}"
    )
    (before,) = _batches(app)
    version, world = before.version, app.world
    behind, front = world.table(Model3D).entities[1:], world.table(Model3D).entities[:1]
    for handles, is_same in ((behind, True), (front, False)):
        world.set(handles, Transform3D(position=(0.5, 0, world.get(int(handles[0]), Transform3D).position[2])))
        app.run(frames=2)
        (after,) = _batches(app)
        assert (after is before and after.version == version) is is_same


def test_passes_are_composed_again_only_for_cameras_and_lights(stage: Any, monkeypatch: pytest.MonkeyPatch):
    """Models that move, come, go or change are shown by the passes of the last frame; a camera or lamp that moves or
    changes has them composed again."""
    models = ["{Transform3D: {}, Model3D: {}, Material3D: {}}"] * 10
    app = stage(EYE, LIGHTS[2], *models, strict=False, frames=2)
    world: Any = app.world
    handles = world.table(Model3D).entities.copy()
    eye, lamp = (world.table(cls).entities[:1].copy() for cls in (Camera3D, Lamp3D))
    composed: list[int] = []
    compose = Composer.compose
    monkeypatch.setattr(Composer, "compose", lambda *given: composed.append(1) or compose(*given))
    for work, count in (
        (lambda: world.set(handles[4], Transform3D(position=(0.5, 0, 0))), 0),
        (lambda: world.spawn(Transform3D(), Model3D(), Material3D()), 0),
        (lambda: world.despawn(handles[3]), 0),
        (lambda: world.set(handles[1], Material3D(roughness=0.1)), 0),
        (lambda: world.set(eye, Transform3D(position=(0, 0, 8))), 1),
        (lambda: world.set(lamp, Lamp3D(range=4)), 1),
    ):
        composed.clear()
        work()
        app.run(frames=1)
        assert len(composed) == count


def test_a_disabled_lamp_shines_no_more(stage: Any):
    """A lamp that is disabled leaves the light of the next frame, and returns when it is enabled again."""
    app = stage(EYE, "{Transform3D: {}, Model3D: {}}", "{Transform3D: {position: [0, 2, 0]}, Lamp3D: {}}", frames=2)
    lamp = app.world.table(Lamp3D).entities.copy()
    for work, count in ((lambda: app.world.add(lamp, Disabled()), 0), (lambda: app.world.remove(lamp, Disabled), 1)):
        work()
        app.run(frames=1)
        (batch,) = _batches(app)
        assert len(batch.arrays["lamps"]) == count
