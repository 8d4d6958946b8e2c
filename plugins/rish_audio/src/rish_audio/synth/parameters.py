"""The parameters of the synthesizer: one `Synth` describes one sound.

The idea is that of DrPetter's sfxr: one oscillator, an envelope, changes of pitch, two filters and a flanger make most
effects of an arcade game. Here all parameters have units.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np

from rish_core import field, resource
from rish_ecs.declarations import FieldSpec, resource_spec
from rish_ecs.random import Stream
from rish_jit import maths


class Wave(Enum):
    """The form of the oscillation."""

    SQUARE = 0
    """With `duty`, the share of a cycle in which it is high: a pulse."""
    SAW = 1
    TRIANGLE = 2
    SINE = 3
    NOISE = 4
    """Random values, `NOISE_STEPS` a cycle, so a higher frequency is brighter."""
    PINK = 5
    """Noise with equal power in each octave below its frequency times `NOISE_STEPS`."""
    CRACKLE = 6
    """Single pops at random times, `frequency` of them a second on average: fire, rain, gravel. With `noise`, noise
    below its frequency times `NOISE_STEPS` is mixed in."""


NOISE_STEPS = 32


@resource
class Synth:
    """One sound of the synthesizer, in order of the signal: pitch, oscillator, filters, envelope."""

    wave: Wave = field(Wave.SQUARE, doc="the form of the oscillation")
    frequency: float = field(440.0, low=1, high=20_000, unit="Hz", doc="pitch at the start; also a note such as a4")
    slide: float = field(0.0, low=-960, high=960, unit="semitones/s", doc="speed of the pitch")
    slide_change: float = field(0.0, low=-9600, high=9600, unit="semitones/s²", doc="acceleration of the pitch")
    vibrato: float = field(0.0, low=0, high=24, unit="semitones", doc="how far the pitch swings")
    vibrato_rate: float = field(6.0, low=0, high=200, unit="Hz", doc="how often the pitch swings")
    arpeggio: list[float] = field((), low=-60, high=60, unit="semitones", doc="steps of the pitch; the last one stays")
    arpeggio_time: float = field(0.08, low=0.001, high=10, unit="s", doc="of one step")
    repeat: float = field(
        0.0, low=0, high=10, unit="s", doc="after it, slides and arpeggio start again", meanings={0: "never"}
    )

    duty: float = field(0.5, low=0.01, high=0.99, doc="of a square: the share of a cycle in which it is high")
    duty_slide: float = field(0.0, low=-20, high=20, unit="1/s", doc="change of the duty")
    detune: float = field(0.0, low=0, high=24, unit="semitones", doc="of a second oscillator; 0: there is none")
    noise: float = field(0.0, low=0, high=1, doc="share of noise in the sound")
    seed: int = field(1, low=0, high=2**31 - 1, doc="of the noise")

    low_pass: float = field(
        0.0, low=0, high=20_000, unit="Hz", doc="frequencies above are damped", meanings={0: "none"}
    )
    low_pass_slide: float = field(0.0, low=-960, high=960, unit="semitones/s", doc="speed of the low-pass")
    low_pass_vibrato: float = field(0.0, low=0, high=48, unit="semitones", doc="how far it swings, at vibrato_rate")
    resonance: float = field(0.0, low=0, high=1, doc="how far the low-pass lifts its own frequency")
    high_pass: float = field(
        0.0, low=0, high=20_000, unit="Hz", doc="frequencies below are damped", meanings={0: "none"}
    )
    high_pass_slide: float = field(0.0, low=-960, high=960, unit="semitones/s", doc="speed of the high-pass")
    flanger: float = field(0.0, low=0, high=50, unit="ms", doc="delay of a copy that is added; 0: none")
    flanger_slide: float = field(0.0, low=-1000, high=1000, unit="ms/s", doc="change of that delay")
    crush: float = field(
        0.0, low=0, high=48_000, unit="Hz", doc="each sample is held for 1/crush s", meanings={0: "none"}
    )
    bits: int = field(0, low=0, high=16, doc="of a sample", meanings={0: "all"})

    attack: float = field(0.002, low=0.0005, high=10, unit="s", doc="the rise to full level")
    hold: float = field(0.1, low=0, high=30, unit="s", doc="full level")
    punch: float = field(0.0, low=0, high=4, doc="extra level at the begin of `hold`, which falls to 0 at its end")
    decay: float = field(0.2, low=0.002, high=20, unit="s", doc="the fall to silence")
    decay_power: int = field(1, low=1, high=8, doc="1: falls on a straight line; higher: first quickly, then slowly")
    gain: float = field(0.5, low=0, high=1, doc="the greatest sample")
    loop: bool = field(False, doc="repeats without a gap: full level from begin to end")


def specs_of(cls: type) -> dict[str, FieldSpec]:
    """Return the fields of a class of parameters by name."""
    spec = resource_spec(cls)
    assert spec is not None
    return dict(spec.fields)


SYNTH_FIELDS = specs_of(Synth)
"""The fields of `Synth` by name, for readers and editors."""


def duration(synth: Synth) -> float:
    """Return the length of a sound in seconds."""
    return synth.attack + synth.hold + synth.decay


def frames_of(synth: Synth, rate: int) -> int:
    """Return the number of samples of a sound at a sample rate, at least 2."""
    return max(round(duration(synth) * rate), 2)


def copy_synth(synth: Synth, **changes: Any) -> Synth:
    """Return a copy with other values of some fields."""
    return Synth(**{**{name: getattr(synth, name) for name in SYNTH_FIELDS}, **changes})


_UNVARIED = ("gain", "crush")
"""Number fields that `vary` does not change."""


def vary(synth: Synth, seed: int, amount: float = 0.1) -> Synth:
    """Return a variation: each number except the gain and the crush is multiplied by a random factor from 2**-amount
    to 2**amount.

    amount: octaves of the pitch, and of the other numbers; 0.1 is enough for footsteps, 1 changes the character. Zeros
    stay 0. Wave, arpeggio, bits and loop stay as they are; the noise gets another seed. The same seed returns the same
    variation.
    """
    stream = Stream(seed & 0x7FFFFFFF)
    changes: dict[str, Any] = {}
    for name, spec in SYNTH_FIELDS.items():
        octaves = stream.uniform(-amount, amount)
        value = getattr(synth, name)
        if spec.type.name == "float" and name not in _UNVARIED:
            low, high = (value if bound is None else float(bound) for bound in (spec.low, spec.high))
            changes[name] = min(max(value * maths.exp(octaves * maths.log(2.0)), low), high)
    changes["seed"] = stream.bits() & 0x7FFFFFFF
    return copy_synth(synth, **changes)


def to_mapping(synth: Synth) -> dict[str, Any]:
    """Return the fields that differ from the defaults as plain values, as a manifest writes them."""
    return plain_fields(synth, SYNTH_FIELDS)


def plain_fields(instance: Any, specs: dict[str, FieldSpec]) -> dict[str, Any]:
    """Return the values of fields that differ from their defaults, as numbers, texts and lists."""
    fields: dict[str, Any] = {}
    for name, spec in specs.items():
        value = getattr(instance, name)
        if not np.array_equal(spec.type.coerce(value), spec.default):
            fields[name] = _plain(value)
    return fields


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(float(item)) for item in value]
    if isinstance(value, float):
        return float(str(np.float32(value)))  # the shortest text that gives the same 32 bits
    return value
