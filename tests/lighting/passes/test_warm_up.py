"""Before a scene is played, all its lighting has been drawn once."""

from __future__ import annotations

import pytest

import rish_jit
from rish_lighting.passes.kinds import LAY, LIGHTS

SCENE = """
- {at: [80, 48], Transform: {}, Shape: {size: [90, 60]}, Occluder: {size: [20, 20]}}
- {at: [60, 40], Transform: {}, Light: {radius: 50, source_size: 6}}
- {at: [60, 40], Transform: {}, Light: {kind: spot, radius: 50, falloff: linear}}
- {Ambient: {color: white, gradient: true}}
"""


@pytest.mark.gl
def test_no_shader_is_compiled_once_the_scene_is_played(hall):
    """No shader program is compiled after the warm-up, except those for gradients, which need a view."""
    lit = hall.backend("arcade", (160, 96))
    hall(SCENE.replace(", gradient: true", ""), "arcade", run=0)
    made = {kind: _programs(lit.drawers[kind]) for kind in (LIGHTS, LAY)}
    assert all(made.values())
    again = hall(SCENE.replace(", gradient: true", ""), "arcade", run=0)
    again.app.run(frames=2)
    assert {kind: _programs(lit.drawers[kind]) for kind in (LIGHTS, LAY)} == made


def test_no_kernel_is_compiled_once_the_scene_is_played(hall):
    """No kernel is compiled after the warm-up."""
    made = hall(SCENE, run=0)
    made.app.run(frames=1)  # occluders are placed, walls collected
    before = rish_jit.compilations
    made.app.run(frames=3)
    assert rish_jit.compilations == before


def _programs(drawer):
    """Return the keys of a drawer's programs, of all its contexts."""
    kept = drawer._screen if hasattr(drawer, "_screen") else drawer._lights
    return {key for made in kept._objects.values() for key in (getattr(made, "_programs", None) or made.programs)._made}
