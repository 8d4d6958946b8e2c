"""The velocity of the air at points of the world: the sum of all zones, with turbulence, gusts and shelter."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Edges, Transform, UsageError, World, world_matrices
from rish_jit import Array, maths

from .components import WindZone, ZoneShape
from .noise import noise
from .shelter import shelter

_KINDS = list(ZoneShape)


def wind_at(world: World, points: Any) -> Array:
    """Return the velocity of the air at points of the world in units/s: (2,) for one point, (n, 2) for many.

    Raises UsageError if `points` are not pairs of numbers.
    """
    try:
        positions = np.asarray(points, np.float64)
    except (TypeError, ValueError):
        positions = np.zeros(0)
    if positions.ndim not in (1, 2) or positions.shape[-1] != 2:
        raise UsageError(f"wind_at: expected a point (x, y) or points (n, 2), got {points!r:.60}")
    velocity = air_at(world, positions.reshape(-1, 2))[0]
    return velocity.reshape(positions.shape)


def air_at(world: World, positions: Array, *, sheltered: bool = True, even: bool = False) -> tuple[Array, Array, Array]:
    """Return the air at points (n, 2): velocities (n, 2), shares of zones (n,), and whether a gust blows there, bool
    (n,).

    The share is 1 inside a zone, 0 outside all of them, and between 0 and 1 in a border. even: without turbulence.
    """
    velocity, share = np.zeros((len(positions), 2)), np.zeros(len(positions))
    gusty = np.zeros(len(positions), np.bool_)
    zones = world.query(WindZone, Transform)
    if not len(zones) or not len(positions):
        return velocity, share, gusty
    table = world.table(WindZone)
    frames = world_matrices(world, zones.rows(Transform)).astype(np.float64)
    for row, frame in zip(zones.rows(WindZone).tolist(), frames, strict=True):
        inside = _inside(table, row, frame, positions)
        inside_indices = np.flatnonzero(inside > 0)
        if not len(inside_indices):
            continue
        blown = _zone_air(world, table, row, frame, positions[inside_indices], even)
        if sheltered and table.shelter[row] > 0 and Edges in world:
            mask = int(table.shelter_mask[row])
            blown *= shelter(world[Edges], positions[inside_indices], blown, float(table.shelter[row]), mask)[:, None]
        velocity[inside_indices] += blown * inside[inside_indices, None]
        share[inside_indices] = np.maximum(share[inside_indices], inside[inside_indices])
        gusty[inside_indices] |= table.gust_age[row] >= 0
    return velocity, share, gusty


def _inside(table: Any, row: int, frame: Array, positions: Array) -> Array:
    """Return the share of a zone's wind at each place, from 0 outside to 1 inside of its border, float64 (n,)."""
    kind = _KINDS[int(table.shape[row])]
    if kind is ZoneShape.EVERYWHERE:
        return np.ones(len(positions))
    a, b, c, d, x, y = frame
    area = a * d - b * c
    if area == 0 or not np.isfinite(frame).all():
        return np.zeros(len(positions))
    dx, dy = positions[:, 0] - x, positions[:, 1] - y
    u, v = (d * dx - c * dy) / area, (a * dy - b * dx) / area
    width, height = (float(value) / 2 for value in table.size[row])
    # Distance to the border, positive inside, in the units of the zone.
    depth = np.minimum(width - np.abs(u), height - np.abs(v)) if kind is ZoneShape.BOX else width - maths.hypot(u, v)
    edge = float(table.edge[row])
    return np.clip(depth / edge, 0, 1) if edge > 0 else (depth >= 0).astype(np.float64)


def _zone_air(world: World, table: Any, row: int, frame: Array, positions: Array, even: bool) -> Array:
    """Return the velocities of a zone's air, float64 (n, 2), without its border and shelter."""
    speed = float(table.speed[row]) + gust_speed(table, row)
    air = np.tile(blown_to(table.direction[row : row + 1], frame[None])[0] * speed, (len(positions), 1))
    strength = float(table.turbulence[row]) * speed
    if strength and not even:
        carried = positions - table.drift[row]
        times = np.full(len(positions), world.time / float(table.turbulence_time[row]))
        cells = np.column_stack([carried / float(table.turbulence_size[row]), times])
        air += strength * noise(cells, int(table.seed[row]))
    return air


def blown_to(directions: Array, frames: Array) -> Array:
    """Return unit vectors (n, 2) in the world for the directions (n,) of zones with the world matrices `frames`."""
    sin, cos = maths.sincos(directions.astype(np.float64) + maths.atan2(frames[:, 1], frames[:, 0]))
    return np.column_stack([cos, sin])


def gust_speed(table: Any, row: int) -> float:
    """Return the speed that the gust of a zone adds now: the peak times sin² of its age, units/s."""
    age, length = float(table.gust_age[row]), float(table.gust_length[row])
    if age < 0 or age >= length:
        return 0.0
    return float(table.gust_peak[row]) * float(maths.sin(0.5 * maths.TAU * age / length)) ** 2
