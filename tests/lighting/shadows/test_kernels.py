"""The kernels of shadows compared with rays and segments one by one."""

from __future__ import annotations

import numpy as np
import pytest

from plain_shadows import lit, lit_by_sun, pseudo_angle, shadow_map
from rish_lighting.shadows.diamond import FAR, WEDGES, bins_for, direction
from rish_lighting.shadows.kernels import cast_points, cast_sun, reach_of


def cast(light, radius, edges, both=False, bins=None, mask=-1):
    """Return the shadow map of one light."""
    edges = np.asarray(edges, np.float32).reshape(-1, 4)
    count = int(bins or bins_for(radius))
    out = np.zeros(count, np.float32)
    one = np.zeros(1, np.int64)
    cast_points(
        edges.reshape(-1), np.zeros(len(edges), np.int64), np.ones(len(edges), np.int32),
        np.broadcast_to(np.uint8(both), len(edges)).copy(), np.array([*light, radius], np.float32), one,
        np.full(1, mask, np.int32), one, np.full(1, count, np.int64), one, out,
    )  # fmt: skip
    return out


def seen(light, made, points):
    """Return bool (n,): whether a map lets light reach each point."""
    v = np.asarray(points, np.float64) - light
    u = np.minimum(pseudo_angle(v[:, 0], v[:, 1]), 3.9999998)
    return np.abs(v).sum(axis=1) <= made[(u * len(made) / 4).astype(np.int64)]


def box(x, y, w, h, angle=0.0):
    """Return the edges of a box, counter-clockwise."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (w / 2, h / 2)
    turned = corners @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]) + (x, y)
    return np.concatenate([turned, np.roll(turned, -1, axis=0)], axis=1)


def test_a_map_is_what_rays_find_one_by_one():
    """With random boxes around a light, every bin has the smallest distance of any edge in it."""
    rng = np.random.default_rng(5)
    for _ in range(12):
        places, sides, turns = rng.uniform(-90, 90, (9, 2)), rng.uniform(2, 30, (9, 2)), rng.uniform(0, 6, 9)
        edges = np.concatenate([box(*at, *side, turn) for at, side, turn in zip(places, sides, turns, strict=True)])
        made, wanted = cast((0, 0), 100, edges, bins=1024), shadow_map((0, 0), 1024, edges.astype(np.float32))
        near = np.minimum(wanted, 100)
        np.testing.assert_allclose(np.minimum(made, 100), near, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("radius", [80.0, 1000.0])
def test_no_light_comes_through_a_wall_of_one_pixel(radius):
    """Points that rays find blocked are dark, at any angle and distance of the wall.

    Points that rays find free are dark only within a pixel of a blocked one.
    """
    rng = np.random.default_rng(int(radius))
    for _ in range(25):
        away, turn = rng.uniform(3, radius * 0.9), rng.uniform(0, 2 * np.pi)
        wall = box(away * np.cos(turn), away * np.sin(turn), rng.uniform(2, radius), 1.0, rng.uniform(0, np.pi))
        wall = wall.astype(np.float32)
        made = cast((0, 0), radius, wall)
        points = rng.uniform(-radius, radius, (4000, 2))
        points = points[np.hypot(*points.T) < radius]
        free, shown = lit((0, 0), points, wall), seen((0, 0), made, points)
        leaks = points[~free & shown]
        for dx, dy in ((0.02, 0), (-0.02, 0), (0, 0.02), (0, -0.02)):  # ignore points on the exact border
            leaks = leaks[~lit((0, 0), leaks + np.array([dx, dy]), wall)]
        assert not len(leaks)
        doubtful = points[free & ~shown]
        round_about = [doubtful + 1.01 * np.array([np.cos(a), np.sin(a)]) for a in np.arange(16) * np.pi / 8]
        beside = np.any([~lit((0, 0), places, wall) for places in round_about], axis=0)
        assert beside.all()


def test_a_segment_thinner_than_a_bin_still_blocks():
    """A short, distant edge writes the bin that contains it."""
    made = cast((0, 0), 1000, [[900.0, 0.1, 900.0, 0.2]], bins=64)
    assert (made < FAR).sum() == 1


def test_an_occluder_stays_lit_and_its_shadow_begins_at_the_far_edges():
    """Points in a box are lit and points behind it are not; with `both` its inside is dark as well."""
    edges = box(50, 0, 20, 20)
    inside, behind = [[45.0, 1.0], [58.0, 3.0]], [[61.0, 2.0], [90.0, 5.0]]
    made = cast((0, 0), 100, edges)
    assert seen((0, 0), made, inside).all()
    assert not seen((0, 0), made, behind).any()
    assert not seen((0, 0), cast((0, 0), 100, edges, both=True), [[41.0, 1.0], [58.0, 3.0]]).any()


def test_an_edge_blocks_only_lights_that_share_a_bit_with_it():
    """An edge does not block a light whose mask shares no bit with the edge's mask."""
    assert (cast((0, 0), 100, box(50, 0, 20, 20), mask=2) == FAR).all()


def test_how_far_light_comes_in_a_wedge_covers_all_that_is_lit():
    """No bin of a wedge exceeds the wedge's reach, and the smallest distance of all bins is returned."""
    rng = np.random.default_rng(3)
    edges = np.concatenate([box(*rng.uniform(-90, 90, 2), 20, 20) for _ in range(20)])
    made = cast((0, 0), 100, edges, bins=1024)
    one = np.zeros(1, np.int64)
    out, near = np.zeros(WEDGES, np.float32), np.zeros(1, np.float32)
    reach_of(np.array([0, 0, 100], np.float32), one, np.full(1, 1024, np.int64), one, WEDGES, made, out, near)
    limit = 100 * np.sqrt(2)
    assert (np.minimum(made, limit).reshape(WEDGES, -1).max(axis=1) <= out + 1e-3).all()
    assert near[0] == made.min()


@pytest.mark.parametrize("length", [25.0, np.inf])
def test_a_sun_throws_shadows_as_long_as_it_says(length):
    """A sun's shadows have the given length and agree with rays, up to a strip's width at the sides."""
    rng = np.random.default_rng(9)
    along = np.array([0.6, -0.8])
    across = np.array([0.8, 0.6])
    edges = np.concatenate([box(*rng.uniform(-80, 80, 2), 14, 8, rng.uniform(0, 6)) for _ in range(12)])
    edges = edges.astype(np.float32)
    side, bins, lead = 300.0, 1024, min(length, 1e30) if np.isfinite(length) else 0.0
    thick = length if np.isfinite(length) else 1e30
    rows = int(np.ceil(side / thick)) + 1 if np.isfinite(length) else 1
    begin, step = -side / 2 - lead, side / bins
    out = np.zeros(2 * rows * bins, np.float32)
    cast_sun(
        edges.reshape(-1), np.ones(len(edges), np.int32), np.zeros(len(edges), np.uint8), np.int32(-1), across, along,
        -side / 2, step, begin, thick, rows, bins, out,
    )  # fmt: skip
    points = rng.uniform(-90, 90, (6000, 2))
    strip = ((points @ across + side / 2) / step).astype(np.int64)
    t = points @ along - begin
    row = (t / thick).astype(np.int64)
    shadow = out[2 * row * bins + strip] < t
    before = np.maximum(2 * row - 1, 0) * bins + strip
    shadow |= (row > 0) & (out[before] >= t - thick)
    wanted = ~lit_by_sun(along, length, points, edges)
    wrong = points[shadow != wanted]
    beside = np.any(
        [lit_by_sun(along, length, wrong + s * across * step * 1.1, edges) != lit_by_sun(along, length, wrong, edges)
         for s in (-1, 1)], axis=0,
    )  # fmt: skip
    grazing = np.any(
        [lit_by_sun(along, length, wrong + s * along * 0.75, edges) != lit_by_sun(along, length, wrong, edges)
         for s in (-1, 1)], axis=0,
    )  # fmt: skip
    assert (beside | grazing).all()
    assert len(wrong) < 0.01 * len(points)


def test_directions_are_numbers_from_0_to_4_and_back():
    """The number of a direction increases with the angle, and can be converted back to the direction."""
    angle = np.linspace(-np.pi / 2, 1.5 * np.pi, 1000, endpoint=False)
    u = pseudo_angle(np.cos(angle), np.sin(angle))
    assert (np.diff(u) > 0).all()
    back = direction(u)
    np.testing.assert_allclose(
        back / np.hypot(*back.T)[:, None], np.stack([np.cos(angle), np.sin(angle)], 1), atol=1e-9
    )


def test_bins_are_the_power_of_two_from_eight_radii_on():
    """The number of bins is 8 R rounded up to a power of two, within a lower and an upper limit."""
    assert bins_for([1.0, 80.0, 128.0, 1000.0, 1e9]).tolist() == [64, 1024, 1024, 8192, 1 << 17]
