"""Buffers of instances on OpenGL hold the last instances, whether all or some of them were written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from long_runs import long
from rish_frame import Patch
from rish_render.backends.arcade.backend import ArcadeBackend
from rish_scene3d import layout as at
from rish_scene3d.drawers.arcade.instance_buffer import InstanceBuffer

pytestmark = pytest.mark.gl


def instances(random: np.random.Generator, count: int) -> Any:
    """Return random instances."""
    return np.frombuffer(random.bytes(count * at.INSTANCE.itemsize), at.INSTANCE).copy()


@pytest.mark.parametrize("seed", range(long(40, 8)))
def test_the_buffer_holds_the_last_instances(seed: int, arcade: ArcadeBackend) -> None:
    """After each write the buffer and the materials are those of the last instances; some patches are of instances
    that were never written."""
    random, held = np.random.default_rng(seed), InstanceBuffer(arcade.device)
    last = instances(random, int(random.integers(0, 30)))
    held.write(last)
    for _ in range(40):
        first = int(random.integers(0, len(last) + 1))
        new = np.concatenate([last[:first], instances(random, int(random.integers(0, 30)))])
        patch = Patch(last, [(first, len(new))])
        if len(new) <= len(last):
            new = np.concatenate([new, last[len(new) :]])
        last = new
        if random.integers(4):
            held.write(new, patch if random.integers(4) else None)
            assert held.buffer.read()[: new.nbytes] == new.tobytes()
            assert held.materials.tolist() == new["material"].tolist()
