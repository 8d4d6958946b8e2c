"""Lines, trails and textured shapes are warmed up only if the game uses them."""

from __future__ import annotations

import pytest

import rish_jit
from rish_core import Transform, spawn_prefab
from rish_render import Line
from rish_render.kinds.trails.trail import Trail
from rish_render.plugin.warm_up_motion import motion_features, motion_samples, names

PREFABS = {
    "hero": {"Transform": {}, "Sprite": {"image": "face.png"}, "SpriteSheet": {}, "Animation": {"frames": "0-3"}},
    "wire": {"Transform": {"position": [50, 50]}, "Line": {"points": [[0, 0], [20, 5], [0, 9]], "color": "#ffffff80"}},
    "comet": {"Transform": {}, "Trail": {}},
    "field": {"Transform": {}, "Shape": {"shape": "polygon", "points": [[0, 0], [9, 0], [9, 9]], "image": "face.png"}},
}  # fmt: skip


def test_a_game_without_them_warms_up_nothing(studio):
    """A game with only boxes and circles warms up no strokes."""
    stage = studio(prefabs={"box": {"Transform": {}, "Shape": {"size": [9, 9]}}}, strict=False)
    stage.world.spawn(Transform())
    assert motion_features(stage.world) == {}
    assert motion_samples(stage.world) == []


def test_prefabs_are_looked_into(studio):
    """Prefabs are searched as well, because a system may spawn them later."""
    stage = studio(prefabs=PREFABS, strict=False)
    assert names(stage.world, Line)
    assert names(stage.world, Trail)
    assert set(motion_features(stage.world)) == {"animations", "ribbons"}
    assert {batch.kind for batch in motion_samples(stage.world)} == {"mesh"}


@pytest.mark.skipif(not rish_jit.available(), reason="kernels run as plain Python here")
def test_nothing_compiles_when_prefabs_are_spawned(studio):
    """Nothing compiles when prefabs of all kinds are spawned and moved."""
    stage = studio(prefabs=PREFABS, strict=False)
    stage.app.frame()
    before = rish_jit.compilations
    for name in PREFABS:
        spawn_prefab(stage.world, name, at=(60, 60))
    for k in range(4):
        stage.world[Transform].position[:] += k
        stage.app.frame()
    assert rish_jit.compilations == before
