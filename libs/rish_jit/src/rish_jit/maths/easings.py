"""Easings: functions from the share of the time (0 to 1) to the share of the change, on float64 arrays.

`easing("cubic_out")` returns the function of a text. There are `linear`, `step` (no change before the end), `smooth`
(the smooth step 3u² - 2u³), the thirty functions of Robert Penner (`sine quad cubic quart quint expo circ back elastic
bounce`, each with `_in`, `_out` and `_in_out`), and three with parameters: `bezier(x1, y1, x2, y2)` as in CSS,
`steps(n)`, and `spring` or `spring(cycles, damping)`. All begin at 0 and end at 1; `back`, `elastic`, `spring` and a
`bezier` may overshoot. Only functions of `rish_jit.maths` are used, so the results have the same bits on every machine.

Source: R. Penner, Programming Macromedia Flash MX, 2002, chapter 7, normalized to 0..1; `expo` is shifted and scaled as
in CSS drafts so that it begins at exactly 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import maths
from ..errors import UnknownName, UsageError

Array = npt.NDArray[Any]
Easing = Callable[[Array], Array]

_BACK = 1.70158
_BACK_IN_OUT = _BACK * 1.525
_SMALLEST = 1 / 1024
"""2^-10, the value of 2^(10(u - 1)) at u = 0, which `expo` subtracts."""
_CALL = re.compile(r"([a-z_]+)\s*\(([^()]*)\)\Z")
_SAMPLES = np.linspace(0.0, 1.0, 257)


def _expo(u: Array) -> Array:
    return (maths.pow(2.0, 10.0 * (u - 1.0)) - _SMALLEST) / (1.0 - _SMALLEST)


def _elastic(u: Array) -> Array:
    return -maths.pow(2.0, 10.0 * (u - 1.0)) * maths.sin((u - 1.075) * (maths.TAU / 0.3))


def _elastic_in_out(u: Array) -> Array:
    v = 2.0 * u - 1.0
    wave = 0.5 * maths.sin((v - 0.1125) * (maths.TAU / 0.45))
    return np.where(v < 0.0, -wave * maths.pow(2.0, 10.0 * v), wave * maths.pow(2.0, -10.0 * v) + 1.0)


def _back(overshoot: float) -> Easing:
    return lambda u: u * u * ((overshoot + 1.0) * u - overshoot)


def _bounce_out(u: Array) -> Array:
    result = 7.5625 * u * u
    for begin, middle, height in ((1.0, 1.5, 0.75), (2.0, 2.25, 0.9375), (2.5, 2.625, 0.984375)):
        v = u - middle / 2.75
        result = np.where(u >= begin / 2.75, 7.5625 * v * v + height, result)
    return result


def _power(exponent: int) -> Easing:
    def rise(u: Array) -> Array:
        power = u
        for _ in range(exponent - 1):
            power = power * u
        return power

    return rise


def _reversed(rise: Easing) -> Easing:
    return lambda u: 1.0 - rise(1.0 - u)


def _both(rise: Easing) -> Easing:
    """Return the easing that follows `rise` up to the middle, and from there the same curve turned by half a turn."""

    def ease(u: Array) -> Array:
        half = 0.5 * rise(2.0 * np.minimum(u, 1.0 - u))
        return np.where(u < 0.5, half, 1.0 - half)

    return ease


def _exact(ease: Easing) -> Easing:
    """Return the same easing with exact values at 0 and 1."""
    return lambda u: np.where(u <= 0.0, 0.0, np.where(u >= 1.0, 1.0, ease(u)))


_RISES: dict[str, Easing] = {
    "sine": lambda u: 1.0 - maths.cos(u * (0.5 * maths.PI)),
    "quad": _power(2),
    "cubic": _power(3),
    "quart": _power(4),
    "quint": _power(5),
    "expo": _expo,
    "circ": lambda u: 1.0 - maths.sqrt(np.maximum(1.0 - u * u, 0.0)),
    "back": _back(_BACK),
    "elastic": _elastic,
    "bounce": _reversed(_bounce_out),
}
EASINGS: dict[str, Easing] = {
    "linear": lambda u: u,
    "step": lambda u: np.where(u >= 1.0, 1.0, 0.0),
    "smooth": lambda u: u * u * (3.0 - 2.0 * u),
}
"""The easings without parameters, by name."""
for _name, _rise in _RISES.items():
    EASINGS[f"{_name}_in"] = _exact(_rise)
    EASINGS[f"{_name}_out"] = _exact(_reversed(_rise))
    EASINGS[f"{_name}_in_out"] = _exact(_both(_rise))
EASINGS["back_in_out"] = _exact(_both(_back(_BACK_IN_OUT)))
EASINGS["elastic_in_out"] = _exact(_elastic_in_out)


def bezier(x1: float, y1: float, x2: float, y2: float) -> Easing:
    """Return the cubic Bézier curve from (0, 0) to (1, 1) with these control points; x1 and x2 are in 0..1."""

    def curve(s: Array, a: float, b: float) -> Array:
        return ((3.0 * a - 3.0 * b + 1.0) * s + (3.0 * b - 6.0 * a)) * s * s + 3.0 * a * s

    samples = curve(_SAMPLES, x1, x2)
    last = len(_SAMPLES) - 2

    def ease(u: Array) -> Array:
        k = np.clip(np.searchsorted(samples, u, side="right") - 1, 0, last)
        low, high = _SAMPLES[k], _SAMPLES[k + 1]
        s = low + (u - samples[k]) / np.maximum(samples[k + 1] - samples[k], 1e-300) * (high - low)
        for _ in range(3):  # Newton's method inside the segment, whose ends are known
            s = np.clip(s, low, high)
            slope = (3.0 * (3.0 * x1 - 3.0 * x2 + 1.0) * s + 2.0 * (3.0 * x2 - 6.0 * x1)) * s + 3.0 * x1
            s = s - (curve(s, x1, x2) - u) / np.maximum(slope, 1e-6)
        return curve(np.clip(s, low, high), y1, y2)

    return ease


def steps(count: float) -> Easing:
    """Return `count` equal steps; the last is taken at the end."""
    return lambda u: np.minimum(maths.floor(u * count), count) / count


def spring(cycles: float = 2.5, damping: float = 5.0) -> Easing:
    """Return a damped oscillation about 1 that begins at rest at 0, and is at rest at 1 when its time is over.

    cycles: oscillations within the time. damping: the exponent of the decay over the time.
    """
    w = maths.TAU * cycles
    share = (1.0 + damping) / w  # so that the speed is 0 at the beginning

    def ease(u: Array) -> Array:
        sine, cosine = maths.sincos(w * u)
        return 1.0 - (1.0 - u) * maths.exp(-damping * u) * (cosine + share * sine)

    return ease


_MADE: dict[str, tuple[Callable[..., Easing], int, int, str]] = {
    "bezier": (bezier, 4, 4, "bezier(x1, y1, x2, y2) with x1 and x2 from 0 to 1"),
    "steps": (steps, 1, 1, "steps(n) with a whole number from 1 to 1000"),
    "spring": (spring, 0, 2, "spring(cycles, damping) with numbers above 0 and up to 100"),
}
NAMES = (*EASINGS, *_MADE)
"""All names of easings."""


@lru_cache(512)
def easing(text: str) -> Easing:
    """Return the function of an easing: a name, or a call such as `bezier(0.4, 0, 0.2, 1)`.

    Raises UnknownName for an unknown name, and UsageError for unsuitable parameters.
    """
    text = text.strip()
    function = EASINGS.get(text)
    if function is not None:
        return function
    match = _CALL.match(text)
    name = match[1] if match else text
    if name not in _MADE or (match is None and name != "spring"):
        if name in _MADE:
            raise UsageError(f"the easing {name!r} needs parameters", hint=f"Write {_MADE[name][3]}")
        raise UnknownName(f"no easing is called {name[:40]!r}", given=name[:40], choices=NAMES)
    make, least, most, form = _MADE[name]
    arguments = match[2].split(",") if match is not None and match[2].strip() else []
    try:
        values = [float(part) for part in arguments]
    except ValueError:
        values = [float("nan")]
    if not least <= len(values) <= most or not _suitable(name, values):
        raise UsageError(f"the easing {text[:60]!r} has unsuitable parameters", hint=f"Write {form}")
    return _exact(make(*values))


def _suitable(name: str, values: list[float]) -> bool:
    if name == "bezier":
        return all(0.0 <= x <= 1.0 for x in values[::2]) and all(abs(y) <= 100.0 for y in values[1::2])
    if name == "steps":
        return values[0].is_integer() and 1 <= values[0] <= 1000
    return all(0.0 < value <= 100.0 for value in values)
