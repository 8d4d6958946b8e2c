"""The warm-up: after it nothing is compiled while a scene is played."""

from __future__ import annotations

import numpy as np
import pytest

import rish_jit
from rish_core import Each, Transform
from rish_frame import NullBackend
from rish_frame.poses import KERNEL_ROWS
from rish_render import Sprite


def grow(world, count, **fields):
    """Spawn this many sprites more; every fifth is a child of an earlier one."""
    place = np.random.default_rng(1).uniform(0, 300, (count, 2)).astype(np.float32)
    handles = world.spawn_many(count, Transform(position=place), Sprite(**fields))
    world[Transform].parent[-count::5][1:] = handles[:-5:5]
    return handles


@pytest.mark.skipif(not rish_jit.available(), reason="kernels run as plain Python here")
@pytest.mark.parametrize("backend", [None, "null"], ids=["software", "null"])
def test_nothing_compiles_while_a_scene_grows(studio, backend):
    """Nothing compiles while a scene grows to thousands of sprites, at and between ticks, y-sorted or not."""
    stage = studio(
        layers=["back", {"front": {"y_sort": True}}],
        backend=NullBackend() if backend else None,
        strict=False,
        scenes={"main": [{"prefab": "face", "count": 300}]},
        prefabs={"face": {"Transform": {}, "Sprite": {"image": "face.png"}}},
    )
    stage.app.frame()
    before = rish_jit.compilations
    grow(stage.world, 20, image="face.png")
    stage.app.frame()
    layers = Each(["back", "front"] * (KERNEL_ROWS // 2 + 50))
    grow(stage.world, KERNEL_ROWS + 100, image="face.png", anchor=(0, 0), snap=True, layer=layers)
    stage.app.frame()
    stage.world[Transform].position += 3
    stage.world.alpha = 0.5
    for alpha in (0.25, 1.0):
        stage.app.clock.alpha = alpha
        stage.app.draw()
    stage.world.despawn(stage.world[Sprite].entities[5])
    stage.app.frame()
    assert rish_jit.compilations == before


def test_a_warm_up_leaves_no_trace(studio):
    """The first frame of an empty scene shows only the background: the warm-up's drawing leaves no trace."""
    stage = studio()
    picture = stage.shoot()
    assert (picture == picture[0, 0]).all()
