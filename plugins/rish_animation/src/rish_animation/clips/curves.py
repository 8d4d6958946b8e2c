"""Curves: tracks with a checked field and checked values, which are evaluated for many times at once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rish_jit import EASINGS, Array, easing, maths

from ..fields import Field
from ..values import slerp, unit
from .checks import Checked, slopes
from .model import Interpolation, Track

if TYPE_CHECKING:
    from rish_ecs import World

_LINEAR = EASINGS["linear"]
TIME_TOLERANCE = 1e-4
"""A time counts as reached this many seconds early, because a float32 sum may be below the exact one."""


@dataclass(frozen=True)
class Curve:
    """A track that can be evaluated.

    times: float64 (k,), rising. values: float64 (k, width), as stored in the column. eases: the easings. which: int64
    (k - 1,), the index in `eases` for each pair of keys; None if there is only one easing. slopes: those of a cubic
    track, see `checks.slopes`, or None.
    """

    track: Track
    field: Field
    times: Array
    values: Array
    eases: tuple[Callable[[Array], Array], ...] = (_LINEAR,)
    which: Array | None = None
    slopes: tuple[Array, Array] | None = None

    def at(self, time: Array) -> Array:
        """Return float64 (n, width): the values at times.

        time: float64 (n,), seconds. Before the first key it is the first value.
        """
        times, values, last = self.times, self.values, len(self.times) - 1
        if last == 0 or not self.field.mixes or self.track.interpolation is Interpolation.STEP:
            return values.take(self._keys_at(time + TIME_TOLERANCE, last), axis=0)
        k = self._keys_at(time, last - 1)
        begin, span = times.take(k), self.spans.take(k)
        u = self._eased(np.minimum(np.maximum((time - begin) / span, 0.0), 1.0), k)
        if self.slopes is not None:
            return self._cubic(u, k, span)
        if self.field.quat:
            return slerp(values.take(k, axis=0), values.take(k + 1, axis=0), u)
        return values.take(k, axis=0) + self.rises.take(k, axis=0) * u[:, None]

    def numbers_at(self, time: float) -> list[float] | None:
        """Return what `at` gives for one time, with the same bits; None for values in steps and for rotations."""
        if self._lists is None:
            return None
        times, values, rises = self._lists
        k = min(max(bisect_right(times, time) - 1, 0), len(times) - 2)
        u = min(max((time - times[k]) / (times[k + 1] - times[k]), 0.0), 1.0)
        if self.eases != (_LINEAR,):
            u = self._eased(np.array([u]), np.array([k])).item()
        if self.slopes is not None:
            return self._cubic(np.array([u]), np.array([k]), self.spans[k : k + 1])[0].tolist()
        return [start + rise * u for start, rise in zip(values[k], rises[k], strict=True)]

    @cached_property
    def _lists(self) -> tuple[list[float], list[list[float]], list[list[float]]] | None:
        """The times, values and rises; None if `numbers_at` can't use them."""
        stepped = len(self.times) == 1 or not self.field.mixes or self.track.interpolation is Interpolation.STEP
        return None if stepped or self.field.quat else (self.times.tolist(), self.values.tolist(), self.rises.tolist())

    @cached_property
    def spans(self) -> Array:
        """float64 (k - 1,): the seconds between the keys."""
        return np.diff(self.times)

    @cached_property
    def rises(self) -> Array:
        """float64 (k - 1, width): the differences between the values of the keys."""
        return np.diff(self.values, axis=0)

    def _keys_at(self, time: Array, last: int) -> Array:
        """Return int64 (n,): the key that is reached at each time, from 0 to `last`."""
        return np.minimum(np.maximum(self.times.searchsorted(time, side="right") - 1, 0), last)

    def _eased(self, u: Array, k: Array) -> Array:
        """Return the shares u between the keys k and k + 1 after their easings; float64 (n,) each."""
        if self.which is None:
            return self.eases[0](u)
        result = np.empty_like(u)
        easing_index = self.which[k]
        for index, ease in enumerate(self.eases):
            rows = easing_index == index
            if rows.any():
                result[rows] = ease(u[rows])
        return result

    def _cubic(self, u: Array, k: Array, span: Array) -> Array:
        """Return float64 (n, width): the values of cubic Hermite splines.

        span: float64 (n,), seconds between the keys.
        """
        assert self.slopes is not None
        before, after = self.slopes
        u, h = u[:, None], span[:, None]
        uu, uuu = u * u, u * u * u
        a, b = self.values.take(k, axis=0), self.values.take(k + 1, axis=0)
        result = (2.0 * uuu - 3.0 * uu + 1.0) * a + (3.0 * uu - 2.0 * uuu) * b
        result += h * ((uuu - 2.0 * uu + u) * after.take(k, axis=0) + (uuu - uu) * before.take(k + 1, axis=0))
        return unit(result) if self.field.quat else result


def curve_of(world: World, checked: Checked) -> Curve:
    """Return the curve of a checked track; texts are interned in the world."""
    track, field, key_values = checked
    table, spec = world.table(field.cls), field.spec
    encoded = [table.encode(spec, value, 1) for value in key_values]
    values = np.array([np.ravel(value) for value in encoded], np.float64)
    times = np.array([key.time for key in track.keys], np.float64)
    if field.angle and track.shortest and len(values) > 1:
        turns = maths.wrap_angle(np.diff(values[:, 0]))
        values[1:, 0] = values[0, 0] + np.cumsum(turns)
    if field.quat:
        values = unit(values)
        values[1:] *= np.cumprod(np.where((values[1:] * values[:-1]).sum(axis=1) < 0, -1.0, 1.0))[:, None]
    words = [key.easing or track.easing for key in track.keys[:-1]] or ["linear"]
    distinct = list(dict.fromkeys(words))
    which = np.array([distinct.index(word) for word in words]) if len(distinct) > 1 else None
    cubic = field.mixes and track.interpolation is Interpolation.CUBIC and len(times) > 1
    slope = slopes(track, field, times, values) if cubic else None
    return Curve(track, field, times, values, tuple(map(easing, distinct)), which, slope)
