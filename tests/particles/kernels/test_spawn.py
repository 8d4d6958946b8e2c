"""Spawning particles: the random numbers of the stream one by one, and their distributions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from plain_particles import spawn as plain
from rish_ecs.random import random_bits
from rish_particles.files.preset_library import page_of
from rish_particles.kernels.spawn import CHUNK, WORDS, fill_words, spawn
from rish_particles.pools.numbers import birth_numbers, shape_kind, spots_of
from rish_particles.preset import EmitterShape, Preset

F32 = np.float32
KEY, DT = 1234567, 1 / 60


def bear(preset: Preset, n: int, *, room: int = 0, counter: int = 0, spread: bool = False, **order: Any) -> Any:
    """Spawn n particles of a preset and return their columns; order: the fields of the spawn order, by name."""
    page, room = page_of(preset), room or n
    columns: list[Any] = [np.zeros(room, F32) for _ in range(9)] + [np.zeros(room, np.int32)]
    size = room if preset.varied else 0
    extras = [np.zeros(size, F32) for _ in range(3)] + [np.zeros(size, np.int32)]
    row = {
        "x": 0,
        "y": 0,
        "dx": 0,
        "dy": 0,
        "a": 1,
        "b": 0,
        "c": 0,
        "d": 1,
        "rotation": 0,
        "scale": 1,
        "vx": 0,
        "vy": 0,
    }
    row.update(order)
    tint = row.pop("tint", -1)
    live, wanted = spawn(
        0, room, (tuple(columns), tuple(extras)),
        (np.array(list(row.values()), F32), np.array([n, tint, spread], np.int32)), birth_numbers(preset),
        (shape_kind(preset.shape), preset.shape.outward, spots_of(None, preset.shape)), (page.tints, preset.blended),
        (KEY, counter), F32(DT), np.zeros(WORDS, np.uint32),
    )  # fmt: skip
    assert (live, wanted) == (min(n, room), n)
    return [column[:live] for column in columns], extras


def test_words_are_those_of_the_stream():
    """The kernel's random words are those of `random_bits`, four for each block of Philox."""
    words = np.zeros(WORDS, np.uint32)
    fill_words(words, np.uint64(0), np.uint64(7), KEY, 10, 2)
    for k in range(7):
        low, high = random_bits(KEY, 2 * (10 + 2 * k)), random_bits(KEY, 2 * (10 + 2 * k) + 1)
        assert int(words[k]) | int(words[CHUNK + k]) << 32 == low
        assert int(words[2 * CHUNK + k]) | int(words[3 * CHUNK + k]) << 32 == high


WILD = {
    "life": (0.5, 2.0), "speed": (10.0, 90.0), "direction": (0.2, 2.2), "size": (3.0, 8.0), "angle": (-1.0, 1.0),
    "spin": (-3.0, 2.0),
}  # fmt: skip


@pytest.mark.parametrize("varied", [False, True])
@pytest.mark.parametrize(
    "shape",
    [
        EmitterShape(),
        EmitterShape("box", (30.0, 10.0)),
        EmitterShape("line", (30.0, 0.0)),
        EmitterShape("circle", radius=(0.0, 20.0), outward=True),
        EmitterShape("ring", radius=(10.0, 20.0)),
    ],
    ids=lambda shape: shape.kind,
)
def test_the_kernel_agrees_with_plain_python(shape: EmitterShape, varied: bool):
    """The kernel's particles equal those of plain Python, over more than one block."""
    preset = Preset(**WILD, shape=shape, end_speed=(5.0, 9.0) if varied else None)
    columns, _ = bear(preset, 300, counter=40)
    for k in range(0, 300, 23):
        mote = plain(preset, KEY, 40, k)
        wanted = [getattr(mote, name) for name in ("x", "y", "vx", "vy", "age", "life", "angle", "spin", "size")]
        assert [float(column[k]) for column in columns[:9]] == pytest.approx(wanted, rel=1e-4, abs=1e-3)


def evenly(values: Any, low: float, high: float) -> None:
    """Assert that values are distributed evenly over a span: ends and Kolmogorov–Smirnov distance."""
    n, wide = len(values), high - low
    assert values.min() >= low - 1e-4 * wide
    assert values.max() <= high + 1e-4 * wide
    share = np.sort((values.astype(float) - low) / wide)
    assert abs(share - (np.arange(n) + 0.5) / n).max() < 2.2 / math.sqrt(n)


def test_spans_are_drawn_evenly():
    """Each property is evenly distributed over its span, and no two properties are correlated."""
    columns, _ = bear(Preset(**WILD, shape=EmitterShape("box", (30.0, 10.0))), 20_000)
    x, y, vx, vy, _, life, angle, spin, size, _ = columns
    speed, direction = np.hypot(vx, vy), np.arctan2(vy, vx)
    spans = [
        (life, 0.5, 2), (speed, 10, 90), (direction, 0.2, 2.2), (size, 3, 8), (angle, -1, 1), (spin, -3, 2),
        (x, -15, 15), (y, -5, 5),
    ]  # fmt: skip
    for values, low, high in spans:
        evenly(values, low, high)
    related = np.corrcoef(np.stack([values for values, _, _ in spans]).astype(float))
    assert abs(related - np.eye(len(spans))).max() < 0.03


def test_rings_and_circles_are_even_over_their_area():
    """Particles are even over the area of a ring: the squares of their distances are even, and their angles too."""
    columns, _ = bear(Preset(shape=EmitterShape("ring", radius=(10.0, 20.0))), 20_000)
    evenly(columns[0].astype(float) ** 2 + columns[1].astype(float) ** 2, 100, 400)
    evenly(np.arctan2(columns[1], columns[0]), -math.pi, math.pi)


def test_polygons_are_even_along_their_sides():
    """Particles are even along the sides of a polygon by length, and `outward` points away from its middle."""
    square = ((0.0, 0.0), (30.0, 0.0), (30.0, 10.0), (0.0, 10.0))
    columns, _ = bear(Preset(speed=(5.0, 5.0), shape=EmitterShape("polygon", points=square, outward=True)), 8_000)
    x, y, vx, vy = columns[:4]
    below = y < 1e-4
    assert below.mean() == pytest.approx(30 / 80, abs=0.02)
    evenly(x[below], 0, 30)
    assert np.allclose(vx[below], 0, atol=1e-3)
    assert np.allclose(vy[below], -5)


def test_colors_are_picked_or_mixed():
    """Each of three colors is picked about equally often; blended colors are between two."""
    three = ((1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0))
    columns, _ = bear(Preset(colors=three), 9_000)
    found, counts = np.unique(columns[9], return_counts=True)
    assert len(found) == 3
    assert abs(counts / 9_000 - 1 / 3).max() < 0.02
    columns, _ = bear(Preset(colors=((0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0, 1.0)), blended=True), 4_000)
    gray = columns[9] & 255
    assert abs(gray.mean() - 127.5) < 6
    assert (gray == (columns[9] >> 8 & 255)).all()


def test_a_tint_multiplies_the_color():
    """A tint multiplies the color, byte by byte and rounded."""
    half = 128 | 255 << 8 | 0 << 16 | 127 << 24
    columns, _ = bear(Preset(colors=((1.0, 0.5, 1.0, 1.0),)), 4, tint=half)
    assert np.array(columns[9]).view(np.uint8).reshape(-1, 4)[0].tolist() == [128, 128, 0, 127]


def test_orders_move_turn_and_scale():
    """An order's matrix, velocity, scale and rotation apply to the particles that it spawns."""
    preset = Preset(speed=(10.0, 10.0), size=(4.0, 4.0))
    columns, _ = bear(preset, 1, x=100, y=50, a=0, b=2, c=-2, d=0, rotation=math.pi / 2, scale=2, vx=1, vy=3)
    x, y, vx, vy, _, _, angle, _, size, _ = (float(column[0]) for column in columns)
    assert (x, y, vx, vy, size) == pytest.approx((100, 50, 1, 23, 8), abs=1e-4)
    assert angle == pytest.approx(math.pi / 2)


def test_a_stream_is_spread_over_the_tick():
    """Four particles of a stream in one tick are emitted at even times, at the places of the emitter at those times."""
    columns, _ = bear(Preset(), 4, spread=True, x=10, dx=8)
    assert columns[4] == pytest.approx([7 / 8 * DT, 5 / 8 * DT, 3 / 8 * DT, 1 / 8 * DT])
    assert columns[0] == pytest.approx([3, 5, 7, 9])


def test_what_has_no_room_is_counted_and_changes_nothing_else():
    """Without room for all particles the first ones are the same as with room, and the rest are counted."""
    preset = Preset(**WILD)
    few, _ = bear(preset, 700, room=300)
    all_of_them, _ = bear(preset, 700)
    for some, every in zip(few, all_of_them, strict=True):
        assert np.array_equal(some, every[:300])


def test_who_starts_from_rest_gets_to_its_last_speed():
    """With an end speed and no start speed, the velocity column holds the end velocity and the first factor is 0."""
    columns, extras = bear(Preset(end_speed=(40.0, 60.0), end_size=(1.0, 2.0)), 500)
    evenly(np.hypot(columns[2], columns[3]), 40, 60)
    assert not extras[0].any()
    assert (extras[1] == 1).all()
    evenly(extras[2], 1, 2)
