"""The same bits with compiled and with plain kernels."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PLAY = """
import sys
import numpy as np
from rish_core import App, parse_manifest
from rish_physics3d import BallJoint3D, Body3D, Collider3D, HingeJoint3D
from rish_space3d import Transform3D

app = App(parse_manifest("rish: 1\\nplugins: [space3d, physics3d]\\nscenes:\\n  main: []\\n"), headless=True)
world, rng = app.world, np.random.default_rng(2)
world.spawn(Transform3D(position=(0, -1, 0)), Collider3D(size=(20, 2, 20)))
shapes = [
    {}, {"shape": "sphere", "restitution": 0.6}, {"shape": "capsule", "radius": 0.3, "size": (0, 1.4, 0)},
    {"shape": "hull", "points": (rng.normal(size=(8, 3)) * 0.4).tolist()},
]
for k in range(10):
    place = Transform3D(position=(rng.uniform(-0.5, 0.5), 0.8 + 0.7 * k, 0.2 * k), rotation=rng.normal(size=4).tolist())
    world.spawn(place, Body3D(), Collider3D(**shapes[k % 4]))
ends = [world.spawn(Transform3D(position=(4 + k, 3, 0)), Body3D(), Collider3D()) for k in (0, 1.5)]
hinge = {"axis": (0, 0, 1), "limited": True, "upper": 1.0, "spring": True}
world.spawn(HingeJoint3D(b=ends[0], anchor_a=(4, 4, 0), anchor_b=(0, 1, 0), **hinge))
ball = {"anchor_a": (0.75, 0, 0), "anchor_b": (-0.75, 0, 0), "cone_limited": True, "cone": 0.2}
world.spawn(BallJoint3D(a=ends[0], b=ends[1], **ball))
for _ in range(int(sys.argv[1])):
    app.tick()
print(world.hash())
"""


@pytest.mark.slow
def test_compiled_and_plain_kernels_give_the_same_bits() -> None:
    """A collapse of all shapes beside joints has the same hash with compiled kernels and as plain Python."""
    hashes = []
    for plain in ({}, {"NUMBA_DISABLE_JIT": "1"}):
        command = [sys.executable, "-c", PLAY, "25"]
        done = subprocess.run(
            command, env={**os.environ, **plain}, capture_output=True, text=True, encoding="utf-8", check=True
        )
        hashes.append(done.stdout.strip())
    assert hashes[0] == hashes[1]
    assert len(hashes[0]) == 32
