"""The debug view of the solver's data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import Transform
from rish_frame import Frame
from rish_physics import Body, Collider, DebugView, RevoluteJoint
from rish_physics.plugin.debug import PARTS


def _lines(scene: Any) -> Any:
    """Return the batches that were added in one frame."""
    scene.app.frame()
    return [batch for batch in scene.world[Frame].passes["main"].batches if batch.source == "physics.debug"]


def _scene(yard: Callable[..., Any]) -> Any:
    scene = yard(backend="null")
    scene.wall(0, -0.5, 20, 1)
    box = scene.box(0, 0.5)
    scene.ball(3, 0.5)
    bob = scene.ball(0, 6, 0.2)
    scene.world.spawn(RevoluteJoint(b=bob, anchor_a=(0, 8), anchor_b=(0, 2)))
    scene.wall(-4, 0, 1, 1, sensor=True)
    scene.world.spawn(Transform(position=(1, 0), parent=box), Collider(shape="capsule", size=(2, 0.4)))
    scene.run(120)
    return scene


def test_nothing_is_drawn_until_it_is_wanted(yard: Callable[..., Any]):
    """The debug view is off by default, and not part of the state."""
    scene = _scene(yard)
    assert _lines(scene) == []
    before = scene.world.hash()
    scene.world[DebugView].show("all")
    assert scene.world.hash() == before


@pytest.mark.parametrize("part", PARTS)
def test_each_part_is_drawn_as_lines_of_the_kernel(yard: Callable[..., Any], part: str):
    """Each part is drawn as a valid, non-empty batch of lines."""
    scene = _scene(yard)
    scene.world[DebugView].show(part)
    (batch,) = _lines(scene)
    batch.check()
    assert batch.kind == "lines"
    assert batch.count > 0
    assert np.isfinite(batch.arrays["points"]).all()


def test_the_settings_can_want_it(yard: Callable[..., Any]):
    """The debug view can be enabled in the settings; an empty world draws nothing."""
    scene = yard(debug=["contacts", "boxes"], backend="null")
    assert _lines(scene) == []
    scene.put(0, 0, Body(), Collider(size=(1, 1)))
    scene.run()
    assert _lines(scene)[0].count == 4
