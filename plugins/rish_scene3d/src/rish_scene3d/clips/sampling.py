"""Clips as rows of numbers at equal intervals of time, from which poses are computed quickly.

A row has ten numbers for each node that moves (translation, rotation, scale) and one for each weight of a morph target.
The rate is 30 rows a second where values between two rows are then near enough to the exact ones; otherwise a rate that
the keys fit, or a finer one. Channels in steps stay exact: they keep their keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rish_animation import MIN_SECONDS
from rish_gltf import Animation, Channel
from rish_jit import Array
from rish_space3d import quaternions

from ..models.model import ModelData
from .curves import values_at

NODE = 10
"""The numbers of a node in a row: 3 of the translation, 4 of the rotation, 3 of the scale."""
RATES = (30, 24, 25, 60, 120)
_PLACES = {"translation": slice(0, 3), "rotation": slice(3, 7), "scale": slice(7, 10)}
_NEAR = {"translation": 1e-3, "rotation": 5e-4, "scale": 1e-3, "weights": 1e-3}
"""The largest error of values between two rows; of translations, relative to the extent of the channel."""
_ROUNDING = 1e-5
_MAX_ROWS, _MAX_NUMBERS = 20_000, 1 << 24


@dataclass(frozen=True, eq=False)
class Steps:
    """A channel in steps. column: the first of its numbers in a row. times: float32 (k,). values: float32 (k, c)."""

    column: int
    times: Array
    values: Array


@dataclass(frozen=True, eq=False)
class Sampled:
    """An animation as rows.

    seconds: its duration. interval: seconds from row to row, float64. rows: float32 (r, c), r at least 2; rotations of
    neighboring rows lie on the same side. nodes: int32 (m,), the nodes that move. weights: int32 (w,), the weights of
    the model that change. steps: what replaces the interpolated numbers.
    """

    seconds: float
    interval: float
    rows: Array
    nodes: Array
    weights: Array
    steps: tuple[Steps, ...] = ()


def sampled(model: ModelData, clip: Animation) -> Sampled:
    """Return the rows of an animation of a model; channels of nodes that the model lacks are left out."""
    channels = [channel for channel in clip.channels if 0 <= channel.node < len(model.names)]
    moving = sorted({channel.node for channel in channels if channel.path != "weights"})
    wide = [channel for channel in channels if channel.path == "weights"]
    weights = [model.first_weight[channel.node] + np.arange(channel.values.shape[-1]) for channel in wide]
    weights = np.concatenate([np.zeros(0, np.int32), *weights]).astype(np.int32)
    columns = _columns(channels, moving)
    seconds = max(max((float(channel.times[-1]) for channel in channels), default=0.0), MIN_SECONDS)
    width = NODE * len(moving) + len(weights)
    count = min(_MAX_ROWS, max(1, _MAX_NUMBERS // max(width, 1)))
    spans = [min(max(1, round(seconds * rate)), count) for rate in RATES]
    smooth = [channel for channel in channels if channel.interpolation != "step" and len(channel.times) > 1]
    parts = next((span for span in spans if all(_fits(curve, seconds, span) for curve in smooth)), max(spans))
    times = np.arange(parts + 1) * (seconds / parts)
    rows = np.zeros((parts + 1, width), np.float64)
    rows[:, : NODE * len(moving)] = at_rest(model)[moving].reshape(-1)
    steps: list[Steps] = []
    for channel, column in zip(channels, columns, strict=True):
        numbers = values_at(channel, _at_keys(times, channel.times.astype(np.float64)))
        rows[:, column : column + numbers.shape[1]] = same_side(numbers) if channel.path == "rotation" else numbers
        if channel.interpolation == "step" and len(channel.times) > 1:
            values = values_at(channel, channel.times.astype(np.float64))
            steps.append(Steps(column, channel.times.astype(np.float32), values.astype(np.float32)))
    return Sampled(seconds, seconds / parts, rows.astype(np.float32), np.array(moving, np.int32), weights, tuple(steps))


def at_rest(model: ModelData) -> Array:
    """Return the numbers of all nodes at rest, float32 (k, 10)."""
    # + 0: -0 would not stay the same where a number is mixed with itself
    return np.concatenate([model.translations, model.rotations, model.scales], axis=1).astype(np.float32) + np.float32(
        0
    )


def same_side(turns: Array) -> Array:
    """Return quaternions (n, 4) with signs chosen so that neighbors are at most half a turn apart."""
    flips = np.where(quaternions.dot(turns[1:], turns[:-1]) < 0, -1.0, 1.0)
    return turns * np.concatenate([[1.0], np.cumprod(flips)])[:, None]


def _columns(channels: Sequence[Channel], moving: list[int]) -> list[int]:
    """Return the first column of each channel."""
    columns: list[int] = []
    end = NODE * len(moving)
    for channel in channels:
        if channel.path == "weights":
            columns.append(end)
            end += channel.values.shape[-1]
        else:
            columns.append(NODE * moving.index(channel.node) + _PLACES[channel.path].start)
    return columns


def _at_keys(times: Array, keys: Array) -> Array:
    """Return the times of rows; times that differ from a key's only by rounding get the time of the key."""
    nearest = np.clip(np.searchsorted(keys, times), 1, max(len(keys) - 1, 1))
    later = keys[np.minimum(nearest, len(keys) - 1)]
    rounded = np.where(times - keys[nearest - 1] < later - times, keys[nearest - 1], later)
    return np.where(np.abs(rounded - times) < _ROUNDING, rounded, times)


def _fits(channel: Channel, seconds: float, parts: int) -> bool:
    """Return whether values between rows are near enough, at the keys and half-way between keys and between rows."""
    even_times = np.arange(parts + 1) * (seconds / parts)
    rows = values_at(channel, even_times)
    keys = channel.times.astype(np.float64)
    times = np.concatenate([keys, (keys[1:] + keys[:-1]) / 2, (even_times[1:] + even_times[:-1]) / 2])
    at = np.clip(times / seconds * parts, 0, parts)
    k = np.minimum(at.astype(np.int64), parts - 1)
    rows = same_side(rows) if channel.path == "rotation" else rows
    interpolated = rows[k] + (rows[k + 1] - rows[k]) * (at - k)[:, None]
    exact = values_at(channel, times)
    near = _NEAR[channel.path]
    if channel.path == "rotation":
        interpolated = quaternions.normalized(interpolated)
        exact = np.where(quaternions.dot(interpolated, exact)[:, None] < 0, -exact, exact)
    elif channel.path == "translation":
        near *= max(float(np.ptp(rows, axis=0).max()), 0.01)
    return bool(np.abs(interpolated - exact).max() <= near)
