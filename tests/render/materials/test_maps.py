"""Maps: the values that an image writes into the channels beside it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rish_render.materials.maps import mapped


def texel(*rgba):
    """Return one texel, uint8 (1, 1, 4)."""
    return np.array([[rgba]], np.uint8)


def test_a_map_is_as_opaque_as_its_picture():
    """A map takes the alpha of its image, not its own; where the map is transparent it is black."""
    for own in (0, 100, 255):
        for beside in (texel(200, 100, 50, 255), texel(0, 0, 0, 0)):
            for channel in ("normal", "emission"):
                for made in mapped(channel, texel(0, 0, 0, own), beside):
                    assert made[0, 0, 3] == own
                    assert (made[0, 0, :3] <= own).all()
                    if not beside.any():
                        assert not made[0, 0, :3].any()


def test_emission_is_its_own_color():
    """An emission map keeps its own color, multiplied by the image's alpha."""
    (made,) = mapped("emission", texel(9, 9, 9, 128), texel(200, 100, 50, 255))
    np.testing.assert_allclose(made[0, 0, :3], np.array([200, 100, 50]) * 128 / 255, atol=1)


@given(st.floats(0, 6.28), st.floats(0, 1.5), st.floats(0.2, 1), st.integers(0, 3))
def test_directions_come_back(angle, tilt, length, mirror):
    """A normal is recovered whatever the length of the written vector, mirrored in x, in y, or in both."""
    x, y, z = np.cos(angle) * np.sin(tilt), np.sin(angle) * np.sin(tilt), np.cos(tilt)
    written = np.rint(np.array([x, y, z]) * length * 127.5 + 127.5)
    made = mapped("normal", texel(9, 9, 9, 255), texel(*written, 255))[mirror][0, 0]
    assert made[2] == 255
    wanted = [-x if mirror & 1 else x, -y if mirror & 2 else y]
    np.testing.assert_allclose(made[:2] / 127.5 - 1, wanted, atol=0.05)
