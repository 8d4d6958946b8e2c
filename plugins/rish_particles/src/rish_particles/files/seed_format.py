"""Imports the seed engine's emitters from their JSON.

The seed counted life in frames of 1/60 s, emitted at most once every `sleepTime` seconds, drew every start and end
value from a range around it, and interpolated linearly between them. Its `rotateSpeed` is an acceleration. In the seed
a full pool overwrote its first particle; here it drops the new one and counts it. `maxParticlesPerFrame` times
`maxParticleLife` is the maximum number of live particles, limited by `poolSize`; with `active: false` the emitter
waits.

A value and its range: `startSpeed: 100, startSpeedRand: {x: 0.5, y: 1}` is 100 times a factor drawn from 0.5 to 1;
a missing range is 1. `emitNumber + emitVariance·U(emitVarianceRand)`, rounded down, is the number emitted together.
"""

from __future__ import annotations

import json
import logging
import math
from typing import Any

from rish_core import AssetError
from rish_ecs import did_you_mean

from ..curves import ramp
from ..preset import FOR_EVER, Effect, Emission, EmitterShape, ParticleLook, Preset, Pulse, Span
from .fields import Wrong, flag, number
from .reading import DEGREES, MAX_LIVE

_log = logging.getLogger("rish.particles")
KEYS = (
    "angleRange", "startSpeed", "endSpeed", "startSize", "endSize", "rotateSpeed", "emitNumber", "emitVariance",
    "maxParticleLife", "maxParticlesPerFrame", "poolSize", "active", "life", "sleepTime", "startColor", "endColor",
    "rotSpeedRand", "startSpeedRand", "endSpeedRand", "emitVarianceRand", "startSizeRand", "endSizeRand", "lifeRand",
    "disX", "disY", "texture",
)  # fmt: skip
FRAME = 1 / 60
"""The duration of a frame of the seed, seconds."""
_SEED_TURN = 60.0
"""The seed adds the start value to the spin in each frame, so the spin grows by 60 start values a second."""


def effect_of_seed(data: Any, file: str = "<seed>") -> Effect:
    """Convert a seed's parsed JSON to an effect. Raises AssetError naming the key; unknown keys are warnings."""
    inner = data.get("value0") if isinstance(data, dict) else None
    if not isinstance(inner, dict):
        raise AssetError(f"{file}: no emitter of the seed's: {{'value0': {{...}}}} is missing")
    for key in inner:
        if key not in KEYS:
            _log.warning("%s: value0.%s: unknown key%s is left out", file, key, did_you_mean(key, KEYS))
    return Effect("", {"": _preset(_Values(inner, file))}, ("",))


def load_seed(text: str, file: str = "<seed>") -> Effect:
    """Convert the text of a seed's JSON to an effect."""
    try:
        return effect_of_seed(json.loads(text), file)
    except json.JSONDecodeError as error:
        raise AssetError(f"{file}:{error.lineno}:{error.colno}: {error.msg}") from error


class _Values:
    """The values of the JSON, checked when they are read."""

    def __init__(self, data: dict[str, Any], file: str) -> None:
        self.data, self.file = data, file

    def number(self, key: str, default: float, low: float = -1e6, high: float = 1e6) -> float:
        return self._read(key, default, lambda value: number(value, low, high))

    def parts(self, key: str, default: tuple[float, ...], names: str) -> tuple[float, ...]:
        def parse(value: Any) -> tuple[float, ...]:
            if not isinstance(value, dict):
                raise Wrong(f"must be a mapping of {', '.join(names)}")
            return tuple(number(value.get(name, d)) for name, d in zip(names, default, strict=True))

        return self._read(key, default, parse)

    def span(self, key: str, factors: str, default: float) -> Span:
        """Return the product of a value and its range of factors as a span, the least value first."""
        value, (a, b) = self.number(key, default), self.parts(factors, (1.0, 1.0), "xy")
        return min(value * a, value * b), max(value * a, value * b)

    def flag(self, key: str, default: bool) -> bool:
        return self._read(key, default, flag)

    def _read(self, key: str, default: Any, parse: Any) -> Any:
        if key not in self.data:
            return default
        try:
            return parse(self.data[key])
        except Wrong as error:
            raise AssetError(f"{self.file}: value0.{key}: {error}") from None


def _preset(v: _Values) -> Preset:
    per_frame, frames = v.number("maxParticlesPerFrame", 1, 0, 1e6), v.number("maxParticleLife", 60, 1, 216_000)
    low_variance, high_variance = v.parts("emitVarianceRand", (0.0, 0.0), "xy")
    base, variance = v.number("emitNumber", 1, 0), v.number("emitVariance", 0)
    minimum, maximum = sorted((max(base + variance * low_variance, 0.0), max(base + variance * high_variance, 0.0)))
    low, high = sorted(v.parts("lifeRand", (1.0, 1.0), "xy"))
    life = v.number("life", FOR_EVER)
    start, end = (v.parts(key, (1.0, 1.0, 1.0, 1.0), "xyzw") for key in ("startColor", "endColor"))
    a, b = sorted(v.parts("angleRange", (0.0, 360.0), "xy"))
    maximum = math.nextafter(maximum, 0.0) if maximum > minimum else maximum  # excluded: counts are rounded down
    pulse = Pulse((minimum, maximum), every=v.number("sleepTime", 0, 0), times=-1)
    texture = v.data.get("texture") or ParticleLook().picture
    room = min(per_frame * frames, v.number("poolSize", MAX_LIVE, 1, MAX_LIVE))
    return Preset(
        capacity=min(max(int(room), 1), MAX_LIVE),
        life=(max(low * frames * FRAME, 0.001), max(high * frames * FRAME, 0.001)),
        direction=(a * DEGREES, b * DEGREES),
        speed=v.span("startSpeed", "startSpeedRand", 0),
        end_speed=v.span("endSpeed", "endSpeedRand", 0),
        size=v.span("startSize", "startSizeRand", 16),
        end_size=v.span("endSize", "endSizeRand", 16),
        spin=tuple(part * DEGREES for part in v.span("rotateSpeed", "rotSpeedRand", 0)),  # pyright: ignore[reportArgumentType]
        spin_growth=_SEED_TURN,
        spin_over_life=ramp((0.0,)),
        color_over_life=ramp(start, end),
        emission=Emission(pulses=(pulse,), duration=life if life >= 0 else FOR_EVER, active=v.flag("active", True)),
        shape=EmitterShape("box", (v.number("disX", 0, 0), v.number("disY", 0, 0))),
        look=ParticleLook(picture=str(texture)),
    )
