"""Converts presets into the numbers that kernels take: for emission, for steps, for shapes."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_frame import ImageMask
from rish_jit import Array, maths

from ..files.preset_library import Page
from ..kernels import update
from ..kernels.spawn import BOX, LINE, POINT, POLYGON, ROUND, SPOTS
from ..preset import EmitterShape, Forces, Preset, Span

if TYPE_CHECKING:
    from rish_core import World

F32 = np.float32
_KINDS = {
    "point": POINT, "line": LINE, "circle": ROUND, "ring": ROUND, "box": BOX, "polygon": POLYGON,
    "image": SPOTS,
}  # fmt: skip
_MIN_OPACITY = 128
"""The least opacity (0 to 255) at which a texel of an image emits particles."""
_MAX_SPOTS = 4096
_KNOTS_PER_EDDY = 9.0
"""The number of knots of the turbulence field per length of an eddy."""


def birth_numbers(preset: Preset) -> Array:
    """Return the numbers of a preset for `spawn`, float32."""
    ends: list[Span] = [preset.end_speed or preset.speed, preset.end_size or (-1.0, -1.0)]
    spans = (preset.life, preset.speed, preset.size, preset.direction, preset.angle, preset.spin, *ends)
    numbers = [part for minimum, maximum in spans for part in (minimum, maximum - minimum)]
    return np.array([*numbers, *preset.shape.size[:2], *preset.shape.radius, *preset.at[:2]], F32)


def shape_kind(shape: EmitterShape) -> int:
    """Return the number of a shape's kind."""
    return _KINDS[shape.kind]


def spots_of(world: World | None, shape: EmitterShape) -> Array:
    """Return the sides of a polygon, or the solid texels of an image, in world units, float32, flat; empty
    otherwise.

    For an image without solid texels it is the center of the image.
    """
    if shape.kind == "polygon":
        return _sides(shape.points)
    if shape.kind != "image" or world is None:
        return np.zeros(0, F32)
    mask = world[ImageMask].of(shape.image)
    rows, columns = np.nonzero(mask >= _MIN_OPACITY)
    if not len(rows):
        return np.zeros(2, F32)
    indices = np.linspace(0, len(rows) - 1, min(len(rows), _MAX_SPOTS)).astype(np.int64)
    height, width = mask.shape
    across, up = (size or texels for size, texels in zip(shape.size[:2], (width, height), strict=True))
    x = ((columns[indices] + 0.5) / width - 0.5) * across
    y = (0.5 - (rows[indices] + 0.5) / height) * up
    return np.stack([x, y], axis=1).astype(F32).ravel()


def _sides(points: tuple[tuple[float, float], ...]) -> Array:
    """Return the sides of a closed polygon, float32, see `kernels.spawn.SIDE`; for two points only the side between
    them. Outward is to the right of a side.
    """
    starts = np.array(points, np.float64)
    ends = np.roll(starts, -1, axis=0)
    if len(points) == 2:
        starts, ends = starts[:1], ends[:1]
    way = ends - starts
    length = maths.hypot(way[:, 0], way[:, 1])
    total = float(length.sum())
    share = np.cumsum(length) / total if total > 0 else np.ones(len(length))
    turned = maths.atan2(-way[:, 0], way[:, 1])
    return np.column_stack([starts, ends, share, turned]).astype(F32).ravel()


def step_numbers(page: Page, dt: float) -> Array:
    """Return the numbers of a preset for `update` and a tick of dt seconds, float32; the drift of turbulence is 0."""
    forces = page.preset.forces
    # Exact solution of dv/dt = drag·(wind - v) over the tick: v becomes v·decay + wind·(1 - decay).
    decay = maths.exp(-forces.drag * dt)
    add = (wind * (1 - decay) + gravity * dt for wind, gravity in zip(forces.wind[:2], forces.gravity[:2], strict=True))
    ways = (part for curve in (page.speed, page.spin) for part in (curve[0], curve[-2] - curve[0]))
    turbulence = (forces.turbulence * dt, _KNOTS_PER_EDDY / forces.turbulence_scale)
    return np.array([dt, decay, *add, page.preset.spin_growth, *ways, *turbulence, 0, 0], F32)


def drift_of(forces: Forces, time: float) -> tuple[float, float]:
    """Return DRIFT_X and DRIFT_Y: the drift of turbulence at a time, in knots of its field, which repeats."""
    drift = forces.turbulence_drift * time * _KNOTS_PER_EDDY
    return drift % update.FLOW, (drift * 0.618) % update.FLOW


def vortex_row(center: Any, turn: Any, size: float, strength: float, literal: bool) -> list[float]:
    """Return the numbers of one vortex, see `kernels.update.VORTEX`."""
    r = 0.1 / size if literal else 1 / (0.1 * size)
    return [float(center[0]), float(center[1]), turn[0], turn[1], r, strength, float(literal), 0.0]


def attractor_rows(preset: Preset, center: Any, dt: float) -> Array:
    """Return the numbers of a preset's attractors around a center, float32, flat."""
    rows = [
        (center[0] + each.at[0], center[1] + each.at[1], each.strength * dt,
         1 / each.radius if each.radius else 0.0, each.swallow**2, 0.0)
        for each in preset.forces.attractors
    ]  # fmt: skip
    return np.array(rows, F32).reshape(-1, update.ATTRACTOR).ravel()


def vortex_rows(rows: list[list[float]]) -> Array:
    """Return the numbers of vortices as one flat float32 array."""
    return np.array(rows, F32).reshape(-1, update.VORTEX).ravel()


@functools.cache
def flow() -> Array:
    """Return the velocities of a divergence-free flow, float32 2·FLOW², x first; it repeats, its mean square is 1.

    The curl of a sum of waves with whole numbers of periods and fixed phases.
    """
    at = np.arange(update.FLOW) * (maths.TAU / update.FLOW)
    x, y = np.meshgrid(at, at)
    u, v = np.zeros_like(x), np.zeros_like(x)
    for k, (p, q) in enumerate(((3, 5), (-6, 4), (7, 3), (5, -8), (-9, -7), (4, 9), (8, 1), (-2, 7))):
        phase = p * x + q * y + 2.399963 * k * k + k
        size = 1 / (p * p + q * q)
        u -= size * q * maths.cos(phase) * (p * p + q * q) ** 0.5
        v += size * p * maths.cos(phase) * (p * p + q * q) ** 0.5
    mean = ((u * u + v * v).mean()) ** 0.5
    return np.stack([u / mean, v / mean]).astype(F32).ravel()
