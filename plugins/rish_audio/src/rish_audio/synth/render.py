"""Renders the samples of a sound from its parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_jit import Array, maths

from .filters import crushed, filtered, flanged
from .oscillators import crackle, noise, tone
from .parameters import NOISE_STEPS, Synth, Wave, frames_of

_MAX_PITCH = 0.45
"""The highest pitch, as a share of the sample rate."""
_MIN_PITCH = 1.0
"""The lowest pitch in Hz."""
_OCTAVE = maths.log(2.0)
_SECOND_LEVEL = 0.5
"""The level of the second oscillator; at 1 both would cancel each other in each beat."""
_SILENT = 1e-9
_NOISES = (Wave.NOISE, Wave.PINK)


def synthesize(synth: Synth, rate: int = 44_100) -> npt.NDArray[np.float32]:
    """Return the samples of a sound, float32 (n,), n = `round(duration(synth) * rate)`.

    Its first and last samples are 0, its greatest absolute sample is the gain. A loop instead begins where it ends. The
    same parameters return the same bits on every machine.
    """
    count = frames_of(synth, rate)
    times = np.arange(count) / rate
    since = np.fmod(times, synth.repeat) if synth.repeat > 0 else times
    samples = _oscillation(synth, times, since, rate)
    if synth.flanger:
        delays = np.clip(synth.flanger + synth.flanger_slide * times, 0.0, 100.0) * (rate / 1000.0)
        samples = flanged(samples, delays, synth.loop)
    low: Any = None
    high: Any = None
    if synth.low_pass:
        low = _moving(synth.low_pass, synth.low_pass_slide * times)
        if synth.low_pass_vibrato:
            low = _moving(low, synth.low_pass_vibrato * _swing(synth, times, rate))
    if synth.high_pass:
        high = _moving(synth.high_pass, synth.high_pass_slide * times)
    samples = filtered(samples, low, synth.resonance, high, rate, synth.loop)
    samples = crushed(samples, rate / max(synth.crush, 1.0) if synth.crush else 0.0, synth.bits)
    if not synth.loop:
        samples = samples * _envelope(synth, times)
    peak = float(np.abs(samples).max())
    return (samples * (synth.gain / peak if peak > _SILENT else 0.0)).astype(np.float32)


def _oscillation(synth: Synth, times: Array, since: Array, rate: int) -> Array:
    """Return the sum of the oscillators. since: float64 (n,), seconds since the last repeat."""
    steps = _pitch(synth, times, since, rate) / rate
    wave = np.zeros(len(steps))
    if synth.wave not in _NOISES:
        steps = _closed(steps) if synth.loop else steps
        duty: Array | float = synth.duty
        if synth.duty_slide:
            duty = np.clip(synth.duty + synth.duty_slide * since, 0.01, 0.99)
        wave = _voice(synth, steps, duty, rate, synth.seed)
        if synth.detune:
            other = steps * _ratio(synth.detune)
            other = _closed(other) if synth.loop else other
            wave += _SECOND_LEVEL * _voice(synth, other, duty, rate, synth.seed + 1)
    share = 1.0 if synth.wave in _NOISES else synth.noise
    if share:
        grain = np.minimum(steps * NOISE_STEPS, 1.0)
        grain = _closed(grain) if synth.loop else grain
        wave = wave * (1.0 - share) + share * noise(synth.wave, grain, synth.seed, synth.loop)
    return wave


def _voice(synth: Synth, steps: Array, duty: Array | float, rate: int, seed: int) -> Array:
    """Return the samples of one oscillator."""
    if synth.wave is Wave.CRACKLE:
        return crackle(steps, seed, synth.loop)
    return tone(synth.wave, steps, duty, rate, synth.loop)


def _pitch(synth: Synth, times: Array, since: Array, rate: int) -> Array:
    """Return the frequency of each sample in Hz."""
    semitones = np.zeros(len(times))
    if synth.slide or synth.slide_change:
        semitones += (synth.slide + 0.5 * synth.slide_change * since) * since
    if synth.vibrato:
        semitones += synth.vibrato * _swing(synth, times, rate)
    if len(synth.arpeggio):
        step = np.minimum((since / synth.arpeggio_time).astype(np.int64), len(synth.arpeggio) - 1)
        semitones += np.asarray(synth.arpeggio, np.float64)[step]
    changes = bool(semitones.any())
    hertz = synth.frequency * (_ratio(np.clip(semitones, -240.0, 240.0)) if changes else np.ones(len(times)))
    return np.clip(hertz, _MIN_PITCH, _MAX_PITCH * rate)


def _swing(synth: Synth, times: Array, rate: int) -> Array:
    """Return the sine of the vibrato, float64 (n,). In a loop its period is adjusted so that it repeats."""
    length = len(times) / rate
    speed = max(round(synth.vibrato_rate * length), 1) / length if synth.loop else synth.vibrato_rate
    turns = times * speed
    return maths.sin((turns - np.floor(turns)) * maths.TAU)


def _ratio(semitones: Any) -> Any:
    return maths.exp(semitones * (_OCTAVE / 12.0))


def _closed(steps: Array) -> Array:
    """Return steps whose sum is a whole number, so that the sound can repeat."""
    total = float(np.cumsum(steps)[-1])
    return steps * (max(round(total), 1) / total)


def _moving(hertz: Any, semitones: Array) -> Any:
    """Return a frequency raised by semitones, limited to audible frequencies; a single number if it does not
    change.
    """
    if not semitones.any():
        return hertz
    return np.clip(hertz * _ratio(np.clip(semitones, -240.0, 240.0)), 5.0, 24_000.0)


def _envelope(synth: Synth, times: Array) -> Array:
    """Return the level of each sample: 0 at the first and the last one."""
    last = times[-1]
    rise = np.minimum(times / synth.attack, 1.0)
    hold_share = np.clip((times - synth.attack) / max(synth.hold, 1e-6), 0.0, 1.0)
    fall = np.clip((last - times) / max(min(synth.decay, last), 1e-6), 0.0, 1.0)
    level = rise * (1.0 + synth.punch * (1.0 - hold_share))
    for _ in range(synth.decay_power):
        level = level * fall
    return level
