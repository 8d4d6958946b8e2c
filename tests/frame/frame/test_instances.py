"""Sprite instances of sixteen bytes: their content, precision and limits."""

from __future__ import annotations

import numpy as np
import pytest

from rish_ecs import UsageError
from rish_frame.frame.instances import INSTANCE, affine_of, fits, pack_sprites, unpack_sprites


def random_columns(n: int = 2000) -> dict[str, np.ndarray]:
    """Return sprites that are all in range."""
    random = np.random.default_rng(4)
    return {
        "x": random.uniform(-4000, 4000, n).astype(np.float32),
        "y": random.uniform(-4000, 4000, n).astype(np.float32),
        "w": random.uniform(0, 4000, n).astype(np.float32),
        "h": random.uniform(0, 4000, n).astype(np.float32),
        "rotation": random.uniform(-20, 20, n).astype(np.float32),
    }


def test_an_instance_has_sixteen_bytes_at_known_places() -> None:
    """An instance has sixteen bytes at fixed offsets, without padding, little endian."""
    assert INSTANCE.itemsize == 16
    offsets = {name: INSTANCE.fields[name][1] for name in INSTANCE.names}
    assert offsets == {"x": 0, "y": 2, "w": 4, "h": 6, "rotation": 8, "frame": 10, "rgba": 12}


def test_the_bytes_of_a_sprite_are_pinned() -> None:
    """The bytes of a sprite are fixed, for comparison with a packer in another language."""
    packed = pack_sprites(1.5, -2, 3, 4, np.pi / 2, 258, (1, 2, 3, 4))
    assert packed.tobytes().hex() == "0c00f0ff3000400000400201" + "01020304"


def test_positions_survive_within_a_sixteenth_of_a_unit() -> None:
    """A position has steps of 1/8 unit, so the error is at most half of that."""
    given = random_columns()
    back = unpack_sprites(pack_sprites(**given))
    assert np.abs(back["x"] - given["x"]).max() <= 1 / 16
    assert np.abs(back["y"] - given["y"]).max() <= 1 / 16


def test_sizes_survive_within_a_thirty_second_of_a_unit() -> None:
    """A size has steps of 1/16 unit, so the error is at most half of that."""
    given = random_columns()
    back = unpack_sprites(pack_sprites(**given))
    assert np.abs(back["w"] - given["w"]).max() <= 1 / 32
    assert np.abs(back["h"] - given["h"]).max() <= 1 / 32


def test_rotations_survive_within_a_65536th_of_a_turn() -> None:
    """A rotation is stored modulo one turn, with an error of at most 1/65536 turn."""
    given = random_columns()
    back = unpack_sprites(pack_sprites(**given))
    difference = (back["rotation"].astype(np.float64) - given["rotation"]) / (2 * np.pi)
    assert np.abs(difference - np.round(difference)).max() <= 1 / 65536


def test_values_round_half_up() -> None:
    """1/16 is between two steps and rounds to the upper one, also below zero."""
    packed = pack_sprites([1 / 16, -1 / 16, 3 / 16], 0, 1 / 32, 1)
    assert packed["x"].tolist() == [1, 0, 2]
    assert packed["w"].tolist() == [1, 1, 1]


def test_positions_count_from_the_origin() -> None:
    """A batch far from 0 packs as precisely as one near it, since positions are relative to the origin."""
    packed = pack_sprites(100_001, -50_000, 8, 8, origin=(100_000, -50_000))
    assert (packed["x"][0], packed["y"][0]) == (8, 0)
    back = unpack_sprites(packed, (100_000, -50_000))
    assert (back["x"][0], back["y"][0]) == (100_001, -50_000)


def test_values_out_of_range_stop_at_its_end() -> None:
    """Values out of range are clamped and do not wrap around."""
    packed = pack_sprites([1e9, -1e9, np.inf], [0, 0, -np.inf], [1e9, -5, 1], 1)
    assert packed["x"].tolist() == [32767, -32768, 32767]
    assert packed["y"].tolist() == [0, 0, -32768]
    assert packed["w"].tolist() == [65535, 0, 16]


def test_a_sprite_with_nan_gets_no_size() -> None:
    """A sprite with NaN gets size 0 and is not drawn; its neighbors are."""
    packed = pack_sprites([0, np.nan, 0, 0], [0, 0, np.nan, 0], 4, 4, [0, 0, 0, np.nan])
    assert packed["w"].tolist() == [64, 0, 0, 0]


def test_fits_knows_the_limits() -> None:
    """The last value in range fits, the next one does not, and NaN never does."""
    assert fits([4095.875, 4096, -4096, -4096.125, np.nan], 0, 1, 1).tolist() == [
        True,
        False,
        True,
        False,
        False,
    ]
    assert fits(0, 0, [4095.9375, 4096, -1], [1, 1, 1]).tolist() == [True, False, False]
    assert fits(0, 0, 1, 1, [65535]).tolist() == [True]
    assert fits(0, 0, 1, 1, [65536]).tolist() == [False]
    assert fits(5000, 0, 1, 1, origin=(2000, 0)).tolist() == [True]


def test_a_frame_out_of_range_is_refused() -> None:
    """A frame number out of range is rejected, since after a wrap it would show another image."""
    with pytest.raises(UsageError, match="from 0 to 65535, not 70000"):
        pack_sprites(0, 0, 1, 1, frame=70000)


def test_columns_of_different_lengths_are_refused() -> None:
    """Columns of different lengths are rejected with their lengths."""
    with pytest.raises(UsageError, match=r"different lengths: \(3,\), \(2,\)"):
        pack_sprites([1, 2, 3], [1, 2], 1, 1)


def test_no_sprites_pack_into_no_bytes() -> None:
    """Packing no sprites gives an empty array."""
    assert pack_sprites([], [], [], []).shape == (0,)


def test_affine_of_says_where_the_corners_lie() -> None:
    """A 4x2 sprite at (10, 20), rotated by 90 degrees, extends 1 to each side and 2 up and down."""
    a, b, c, d, tx, ty = affine_of(pack_sprites(10, 20, 4, 2, np.pi / 2))[0]
    x, y = 0.5, 0.5
    assert (a * x + c * y + tx, b * x + d * y + ty) == pytest.approx((9, 22), abs=1e-5)


@pytest.mark.parametrize("unit", [0.25, 1.0, 4.0])
def test_a_unit_scales_range_and_grain(unit: float) -> None:
    """Positions and sizes are multiplied by the unit: the same bytes represent values `unit` times as large."""
    plain = pack_sprites([1.5, -7], [2, 3], [4, 8], [16, 2])
    scaled = pack_sprites(
        [1.5 * unit, -7 * unit], [2 * unit, 3 * unit], [4 * unit, 8 * unit], [16 * unit, 2 * unit], unit=unit
    )
    assert scaled.tobytes() == plain.tobytes()
    columns = unpack_sprites(scaled, (0, 0), unit)
    np.testing.assert_array_equal(columns["x"], np.float32([1.5, -7]) * np.float32(unit))
    np.testing.assert_array_equal(columns["h"], np.float32([16, 2]) * np.float32(unit))
    assert fits([4095 * unit, 4097 * unit], 0, 1, 1, unit=unit).tolist() == [True, False]
    assert fits(0, 0, [4095 * unit, 4097 * unit], 1, unit=unit).tolist() == [True, False]
