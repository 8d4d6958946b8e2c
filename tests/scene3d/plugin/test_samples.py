"""Nothing compiles while a 3D game is played on the software backend."""

from __future__ import annotations

import pytest

import rish_jit
from rish_core import App, parse_manifest

GAME = """
rish: 1
game: {size: [64, 36]}
plugins: [scene3d, render]
settings: {scene3d: {pipeline: PIPELINE}}
scenes:
  main:
    - {Transform3D: {position: [0, 1, 5]}, Camera3D: {fov: 60}}
    - {Transform3D: {}, Sun3D: {}}
    - {Transform3D: {position: [1, 1, 1]}, Lamp3D: {}}
    - {Transform3D: {}, Model3D: {}, Material3D: {}}
    - {Transform3D: {}, Sky3D: {}}
"""


@pytest.mark.slow
@pytest.mark.parametrize("pipeline", ["forward", "deferred"])
def test_hook_rish_samples(pipeline: str) -> None:
    """The samples of a scene with a camera compile all kernels that its frames need, with the same types."""
    app = App(
        parse_manifest(GAME.replace("PIPELINE", pipeline)), backend="software", headless=True, policy="raise",
        more=["strict"],
    )  # fmt: skip
    app.run(frames=1)
    before = rish_jit.compilations
    loaded = _signatures()
    app.run(frames=3)
    assert rish_jit.compilations == before
    assert _signatures() == loaded
    app.close()


def _signatures() -> dict[str, int]:
    """Return how many forms of each kernel of the drawers are ready."""
    return {
        kernel.name: len(kernel.loaded_types)
        for kernel in rish_jit.kernels()
        if ".drawers.software." in kernel.name and kernel.compiled
    }
