"""What is loaded before the first frame of a scene."""

from __future__ import annotations

import pytest

from rish_core import App, parse_manifest
from rish_frame import NullBackend
from rish_scene3d.models.store import Models3D

TEXT = """
rish: 1
game: {size: [320, 180]}
plugins: [scene3d]
prefabs:
  ring: {Transform3D: {}, Model3D: {asset: torus}, Material3D: {map: "camera:tv"}}
scenes:
  main: [CAMERA{Transform3D: {}, Model3D: {asset: cone}}]
"""


@pytest.mark.parametrize("seen", [True, False])
def test_models_of_scene_and_prefabs_are_loaded_before_the_first_frame(seen: bool):
    """With a camera all models are there before a frame is drawn; without one nothing is loaded."""
    text = TEXT.replace("CAMERA", "{Transform3D: {}, Camera3D: {}}, " if seen else "")
    with App(parse_manifest(text), backend=NullBackend(), headless=True, policy="raise") as app:
        app.tick()
        store = app.world[Models3D]
        assert sorted(mesh.name for mesh in store.library.meshes) == (["cone", "torus"] if seen else [])
        assert not store.cameras
