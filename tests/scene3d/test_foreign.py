"""Unmodified models of other programs, from four cameras, beside a 2D layer: the same picture on both backends."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rish_core import App, parse_manifest
from rish_frame import BackendError

FOREIGN = Path("/usr/share/assimp/models/glTF2")
MODELS = {
    "2CylinderEngine-glTF-Binary/2CylinderEngine.glb": (-3.0, 0.0, 0.0, 0.003),
    "BoxTextured-glTF/BoxTextured.gltf": (0.0, 0.7, 1.0, 1.2),
    "simple_skin/simple_skin.gltf": (2.4, 0.0, 0.0, 1.0),
    "glTF-Sample-Models/AnimatedMorphCube-glTF/AnimatedMorphCube.gltf": (0.2, 0.5, -2.0, 0.5),
    "textureTransform/TextureTransformTest.gltf": (-0.2, 2.4, -3.6, 0.5),
}
"""Files of the Debian package assimp-testmodels: place and scale in the scene."""
MOVING = {"simple_skin", "glTF-Sample-Models"}
"""The first folders of those with animations."""
EYES = (
    ("0, 2.2, 7.5", "-10, 0, 0", "0, 0.5, 0.5, 0.5"),
    ("8, 2.2, -0.5", "-10, 90, 0", "0.5, 0.5, 0.5, 0.5"),
    ("-8, 3.5, -0.5", "-18, -90, 0", "0, 0, 0.5, 0.5"),
    ("5.5, 4.5, 6", "-28, 42, 0", "0.5, 0, 0.5, 0.5"),
)
SCENE = """\
rish: 1
game: {{size: [640, 360]}}
plugins: [scene3d, render]
layers: [marks]
scenes:
  main:
    - {{Sky3D: {{}}}}
    - {{Transform3D: {{rotation: [-50, 35, 0]}}, Sun3D: {{intensity: 2, cascades: 2, reach: 25}}}}
    - {{Transform3D: {{position: [1, 3, 2]}}, Lamp3D: {{intensity: 6, color: "#ffb060", shadows: true}}}}
    - {{Transform3D: {{scale: [14, 1, 14]}}, Model3D: {{asset: plane}}, Material3D: {{color: "#8a8f96"}}}}
    - {{Transform: {{position: [320, 180]}}, Shape: {{size: [640, 4], color: "#ff00ff", layer: marks}}}}
{entries}
"""


def draw(folder: Path, backend: str) -> Any:
    """Return the picture of all models from four cameras, uint8 (360, 640, 3)."""
    lines = [
        f"    - {{Transform3D: {{position: [{place}], rotation: [{turn}]}}, "
        f"Camera3D: {{viewport: [{part}], order: {k}}}}}"
        for k, (place, turn, part) in enumerate(EYES)
    ]
    for name, (x, y, z, scale) in MODELS.items():
        at = f"position: [{x}, {y}, {z}], scale: [{scale}, {scale}, {scale}]"
        plays = ", Animator3D: {}" if Path(name).parts[0] in MOVING else ""
        lines.append(f"    - {{Transform3D: {{{at}}}, Model3D: {{asset: {name}}}{plays}}}")
    manifest = parse_manifest(SCENE.format(entries="\n".join(lines)), root=folder)
    try:
        app = App(manifest, backend=backend, headless=True, policy="raise")
    except (BackendError, ImportError) as error:
        pytest.skip(f"'{backend}' does not open here: {error}")
    with app:
        app.run(frames=20, draw=False)
        app.run(frames=2)
        return app.host.backend.pixels()[..., :3].copy()


@pytest.mark.gl
@pytest.mark.slow
@pytest.mark.skipif(not FOREIGN.is_dir(), reason="needs the models of Debian's assimp-testmodels")
def test_foreign_models_look_the_same_on_both_backends(tmp_path: Path) -> None:
    """Engine, textures, skin, morph targets and transformed textures, lit with shadows, below a 2D layer."""
    for name in MODELS:
        shutil.copytree((FOREIGN / name).parent, tmp_path / Path(name).parent, dirs_exist_ok=True)
    pictures = {backend: draw(tmp_path, backend).astype(int) for backend in ("arcade", "software")}
    different = np.abs(pictures["arcade"] - pictures["software"])
    assert different.mean() < 0.5
    for picture in pictures.values():
        assert (picture[180, ::40] == (255, 0, 255)).all()
        quarters = [picture[:176, :320], picture[:176, 320:], picture[184:, :320], picture[184:, 320:]]
        assert all(quarter.std() > 15 for quarter in quarters)
