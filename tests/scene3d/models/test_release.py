"""What a change of the scene does to the library: what the next scene uses stays, all else goes."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from tests.helpers.gltf_models import MODELS

from rish_core import App, Assets, Scenes, parse_manifest
from rish_frame import NullBackend
from rish_scene3d import Poses3D
from rish_scene3d import layout as at
from rish_scene3d.clips import ClipLibrary3D
from rish_scene3d.models.store import Models3D

TEXT = """
rish: 1
game: {{size: [320, 180]}}
plugins: [scene3d]
scene: {start}
prefabs:
  crate: {{Transform3D: {{}}, Model3D: {{asset: box.glb}}}}
scenes:
  one:
    - {{Transform3D: {{position: [0, 0, 5]}}, Camera3D: {{}}}}
    - {{Transform3D: {{}}, Model3D: {{asset: quad.glb}}}}
    - {{Transform3D: {{}}, Model3D: {{asset: morph_cube.glb}}, Animator3D: {{}}}}
    - {{Transform3D: {{}}, Model3D: {{asset: robot.glb}}, Animator3D: {{clip: walk}}}}
    - {{Transform3D: {{}}, Model3D: {{}}, Material3D: {{map: red.png}}}}
    - {{Transform3D: {{}}, Model3D: {{}}, Material3D: {{map: green.png}}}}
    - {{prefab: crate}}
  two:
    - {{Transform3D: {{position: [0, 0, 5]}}, Camera3D: {{}}}}
    - {{Transform3D: {{}}, Model3D: {{asset: robot.glb}}, Animator3D: {{clip: walk}}}}
    - {{Transform3D: {{}}, Model3D: {{asset: tube.glb}}, Animator3D: {{}}}}
    - {{Transform3D: {{}}, Model3D: {{}}, Material3D: {{map: green.png}}}}
"""


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[[str], App]]:
    """A function that starts the game in a scene."""
    for name in ("robot", "quad", "tube", "box", "morph cube"):
        (tmp_path / f"{name.replace(' ', '_')}.glb").write_bytes(MODELS[name]().glb())
    for name, color in (("red", (255, 0, 0, 255)), ("green", (0, 255, 0, 255))):
        Image.new("RGBA", (4, 4), color).save(tmp_path / f"{name}.png")
    games: list[App] = []

    def start(scene: str) -> App:
        manifest = parse_manifest(TEXT.format(start=scene), root=tmp_path)
        games.append(App(manifest, backend=NullBackend(), headless=True, policy="raise"))
        games[-1].run(frames=2)
        return games[-1]

    yield start
    for game in games:
        game.close()


def go_on(app: App) -> None:
    """Change to the second scene and draw it."""
    app.world[Scenes].go("two")
    app.run(frames=3)


def shown(app: Any) -> list[Any]:
    """Return what the batch of solid surfaces shows: for each instance its mesh, its material and its picture."""
    batch = next(each for each in app.host.backend.drawn("scene3d.surfaces") if each.z == 1)
    library = app.world[Models3D].library
    instances, rows = batch.arrays["instances"], batch.arrays["materials"].copy()
    found = []
    for mesh, first, count, flags in batch.arrays["runs"].tolist():
        for instance in instances[first : first + count]:
            row = rows[instance["material"]]
            page = int(row[at.MAPS + at.MAP_PAGE])
            picture = library.pages[page // at.PAGES].levels[0][page % at.PAGES].tolist() if page >= 0 else None
            row[at.MAPS + at.MAP_PAGE] = -1
            found.append((library.meshes[mesh].name, flags, row.tolist(), picture))
    return sorted(found, key=str)


def test_what_the_next_scene_does_not_use_is_freed(play: Callable[[str], App]) -> None:
    """Meshes, pictures, files and clips that only the former scene used are gone after the change."""
    app = play("one")
    store = app.world[Models3D]
    gone: list[weakref.ref[Any]] = []
    for name in ("quad.glb", "morph_cube.glb"):
        gone += [weakref.ref(store.library.meshes[piece.mesh]) for piece in store.model(app.world, name).pieces]
        gone += [weakref.ref(app.world[Assets].load(name))]
    floats = len(app.world[ClipLibrary3D].tables.arrays[2])
    go_on(app)
    gc.collect()
    assert len(gone) >= 4
    assert [each() for each in gone] == [None] * len(gone)
    assert sum(len(page.encoded) for page in store.library.pages) == 1
    assert not app.world[Assets].knows("red.png")
    fresh = play("two").world
    assert len(app.world[ClipLibrary3D].tables.arrays[2]) == len(fresh[ClipLibrary3D].tables.arrays[2]) != floats


def test_what_both_scenes_use_is_not_read_again(play: Callable[[str], App]) -> None:
    """A model, picture and clip of both scenes, and the model of a prefab, stay the same objects."""
    app = play("one")
    world, store = app.world, app.world[Models3D]
    files = {name: world[Assets].load(name) for name in ("robot.glb", "green.png", "box.glb")}
    models = {name: store.model(world, name) for name in ("robot.glb", "box.glb")}
    meshes = [store.library.meshes[piece.mesh] for model in models.values() for piece in model.pieces]
    walk = next(clip.rows for key, clip in world[ClipLibrary3D].posed.items() if key[1] == "walk")
    go_on(app)
    assert all(world[Assets].load(name) is content for name, content in files.items())
    again = [store.library.meshes[piece.mesh] for name in models for piece in store.model(world, name).pieces]
    assert [*map(id, again)] == [*map(id, meshes)]
    assert any(clip.rows is walk for clip in world[ClipLibrary3D].posed.values())


def test_the_next_scene_looks_as_if_it_was_the_first(play: Callable[[str], App]) -> None:
    """Meshes, materials, pictures and poses are those of a game that begins with the second scene."""
    app, fresh = play("one"), play("two")
    go_on(app)
    fresh.run(frames=1)
    assert shown(app) == shown(fresh)
    one, other = app.world[Poses3D], fresh.world[Poses3D]
    assert len(one.nodes) == len(other.nodes) > 40
    assert np.isfinite(one.nodes).all()
