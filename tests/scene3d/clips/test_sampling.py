"""Clips become rows at even times that are near enough to the exact values of their keys."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.helpers.gltf_models import MODELS

from long_runs import long
from rish_gltf import Animation, Channel
from rish_scene3d.clips.clip_library import skeleton_of
from rish_scene3d.clips.curves import values_at
from rish_scene3d.clips.sampling import sampled

PATHS = {"translation": 3, "rotation": 4, "scale": 3}


def slow_value(channel: Channel, time: float) -> list[float]:
    """Return the value of a channel as the specification says, number by number."""
    keys = [float(t) for t in channel.times]
    values = channel.values.astype(float).tolist()
    plain = [value[1] for value in values] if channel.interpolation == "cubic" else values

    def unit(value: list[float]) -> list[float]:
        if channel.path != "rotation":
            return value
        length = math.sqrt(sum(x * x for x in value))
        return [x / length for x in value]

    if time <= keys[0]:
        return unit(plain[0])
    if time >= keys[-1]:
        return unit(plain[-1])
    k = max(i for i, key in enumerate(keys) if key <= time)
    if channel.interpolation == "step":
        return unit(plain[k])
    span = keys[k + 1] - keys[k]
    t = (time - keys[k]) / span
    if channel.interpolation == "cubic":
        out, into = values[k][2], values[k + 1][0]
        a, b, c, d = 2 * t**3 - 3 * t**2 + 1, span * (t**3 - 2 * t**2 + t), 3 * t**2 - 2 * t**3, span * (t**3 - t**2)
        return unit(
            [a * p + b * m + c * q + d * n for p, m, q, n in zip(plain[k], out, plain[k + 1], into, strict=False)]
        )
    first, second = unit(plain[k]), unit(plain[k + 1])
    if channel.path != "rotation":
        return [p + (q - p) * t for p, q in zip(first, second, strict=False)]
    dot = sum(p * q for p, q in zip(first, second, strict=False))
    second, dot = [q if dot >= 0 else -q for q in second], abs(dot)
    angle = math.acos(min(dot, 1.0))
    if angle < 1e-6:
        return second
    a, b = math.sin((1 - t) * angle) / math.sin(angle), math.sin(t * angle) / math.sin(angle)
    return [a * p + b * q for p, q in zip(first, second, strict=False)]


@st.composite
def channels(draw: st.DrawFn) -> Channel:
    """Return a channel of any path and interpolation."""
    path, way = draw(st.sampled_from(sorted(PATHS))), draw(st.sampled_from(["step", "linear", "cubic"]))
    gaps = draw(st.lists(st.floats(0.2, 0.7), min_size=1, max_size=5))
    random = np.random.default_rng(draw(st.integers(0, 1000)))
    shape = (len(gaps), 3, PATHS[path]) if way == "cubic" else (len(gaps), PATHS[path])
    values = random.normal(size=shape).astype(np.float32)
    if path == "rotation":
        values *= np.float32(0.3)
        (values[:, 1] if way == "cubic" else values)[:, 3] += 1
    return Channel(0, path, way, (np.cumsum(gaps) - gaps[0]).astype(np.float32), values)


@settings(max_examples=long(60, 15), deadline=None)
@given(channel=channels(), times=st.lists(st.floats(0, 3), min_size=1, max_size=8))
def test_values_are_those_of_the_specification(channel, times):
    """Steps, lines, arcs and splines have the values that the specification gives, before the first key too."""
    keys = channel.times.astype(float)
    times = [time for time in times if np.abs(keys - time).min() > 2e-4]
    found = values_at(channel, np.array(times))
    for value, time in zip(found, times, strict=True):
        exact = np.array(slow_value(channel, time))
        if channel.path == "rotation" and value @ exact < 0:
            exact = -exact
        assert np.allclose(value, exact, atol=2e-6 if channel.path == "rotation" else 1e-9)


@settings(max_examples=long(40, 10), deadline=None)
@given(channel=channels())
def test_rows_are_near_the_exact_values(channel):
    """Between the rows of a clip the values differ from the exact ones by little; a channel in steps keeps its keys."""
    model = skeleton_of(MODELS["tube"]().read(), "tube")
    clip = sampled(model, Animation("any", (channel,)))
    if channel.interpolation == "step":
        assert len(clip.steps) == (len(channel.times) > 1)
        return
    time = np.linspace(0, clip.seconds, 301)
    at = np.minimum(time / clip.interval, len(clip.rows) - 1.0)
    k = np.minimum(at.astype(int), len(clip.rows) - 2)
    column = {"translation": slice(0, 3), "rotation": slice(3, 7), "scale": slice(7, 10)}[channel.path]
    rows = clip.rows[:, column].astype(float)
    found = rows[k] + (rows[k + 1] - rows[k]) * (at - k)[:, None]
    exact = values_at(channel, time)
    if channel.path == "rotation":
        found /= np.linalg.norm(found, axis=1)[:, None]
        exact *= np.where((exact * found).sum(1) < 0, -1, 1)[:, None]
    assert np.abs(found - exact).max() < 0.08  # of random keys a fifth of a second apart, at most 120 rows a second
    assert ((clip.rows[1:, column] * clip.rows[:-1, column]).sum(axis=1) >= 0).all() or channel.path != "rotation"


@pytest.mark.parametrize(("rate", "wanted"), [(30, 31), (24, 25), (25, 26), (10, 31)])
def test_the_rate_is_thirty_or_one_that_the_keys_fit(rate, wanted):
    """Keys at whole thirtieths give 30 rows a second; keys of 24 or 25 pictures a second give rows at these keys."""
    model = skeleton_of(MODELS["tube"]().read(), "tube")
    times = np.arange(rate + 1, dtype=np.float32) / rate
    values = np.random.default_rng(2).normal(size=(rate + 1, 3)).astype(np.float32)
    clip = sampled(model, Animation("any", (Channel(0, "translation", "linear", times, values),)))
    assert clip.rows.shape == (wanted, 10)
    step = (wanted - 1) // rate
    assert np.array_equal(clip.rows[::step, :3], values)


def test_endless_clips_need_little_memory():
    """A clip of eleven days has a bounded number of rows."""
    model = skeleton_of(MODELS["tube"]().read(), "tube")
    values = np.array([[0, 0, 0], [1, 0, 0]], np.float32)
    clip = sampled(
        model, Animation("any", (Channel(0, "translation", "linear", np.array([0, 1e6], np.float32), values),))
    )
    assert len(clip.rows) <= 20_001
    assert clip.seconds == 1e6
