"""The kernels of texts give what numpy computes."""

from __future__ import annotations

import numpy as np
import pytest

from rish_frame import INSTANCE, pack_sprites
from rish_frame.frame import fits
from rish_render.drawables.colors import rgba_bytes
from rish_render.kinds.text.drawing.kernels import AT, FINE, GROUND, PLACE, SHARP, TURN, VIEW, pack_letters
from rish_render.kinds.text.letters import SHADOW, SPAN

F32 = np.float32


@pytest.mark.parametrize("angle", [0.0, 0.7])
@pytest.mark.parametrize("sharp", [False, True])
def test_letters_are_packed_as_sprites(angle, sharp):
    """The bytes are those of `pack_sprites`, for any ink; letters too far away for these are reported."""
    random, count, row = np.random.default_rng(5), 40, 1
    colors = [random.uniform(0, 1, (3, 4)).astype(F32) for _ in range(3)]
    fall, opacity = random.uniform(-9, 9, (3, 2)).astype(F32), random.uniform(0.2, 1, 3).astype(F32)
    boxes = random.integers(-400, 400, (count, 4)).astype(F32) / 2
    boxes[:, 2:] = np.abs(boxes[:, 2:])
    frames, inks = random.integers(0, 60000, count).astype(np.uint16), random.integers(0, 4, count).astype(np.uint8)
    spans = random.integers(0, 256, (count, 4)).astype(np.uint8)
    matrix, views, place = random.uniform(-1, 1, (1, 6)).astype(F32), np.zeros(2 * VIEW), np.zeros(PLACE)
    views[FINE], views[VIEW + FINE] = 2.0, 3.0
    a, b = 0.5 * np.cos(angle), 0.5 * np.sin(angle)
    place[TURN : TURN + 4], place[AT : AT + 2], place[SHARP], place[GROUND] = (a, b, -b, a), (12.25, -7), sharp, 1.0
    out = np.zeros((count + 2, 4), np.uint32)
    columns = (*(color.reshape(-1) for color in colors), fall.reshape(-1), opacity)
    columns = (columns[2], columns[1], columns[0], columns[3], columns[4])  # color, outline, shadow
    fit = pack_letters(
        0, row, (boxes, frames, inks, spans), matrix.reshape(-1), columns, views, place, 2, out.reshape(-1)
    )

    m = matrix[0].astype(np.float64)
    fx, fy = (m[0] * fall[row, 0] + m[2] * fall[row, 1]) * 3, (m[1] * fall[row, 0] + m[3] * fall[row, 1]) * 3
    fx, fy = (np.floor(fx + 0.5), np.floor(fy + 0.5)) if sharp else (fx, fy)
    dark = inks == SHADOW
    x = a * boxes[:, 0] - b * boxes[:, 1] + 12.25 + np.where(dark, fx, 0)
    y = b * boxes[:, 0] + a * boxes[:, 1] - 7 + np.where(dark, fy, 0)
    w, h = boxes[:, 2] * np.hypot(a, b), boxes[:, 3] * np.hypot(a, b)
    own = np.stack([*(color[row] for color in colors), colors[2][row]])[inks]
    own[inks == SPAN] = spans[inks == SPAN] / F32(255)
    rgba = rgba_bytes(own, np.full(count, opacity[row]))
    expected = pack_sprites(x, y, w, h, np.full(count, np.arctan2(b, a)), frames, rgba)
    assert (out[:2] == 0).all()
    assert (out[2:].reshape(-1).view(INSTANCE) == expected).all()
    assert fit == fits(x, y, w, h, frames).all()
    place[AT] = 1e5
    assert not pack_letters(
        0, row, (boxes, frames, inks, spans), matrix.reshape(-1), columns, views, place, 0, out.reshape(-1)
    )
