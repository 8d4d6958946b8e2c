"""Promises of the synthesizer's sounds: length, level, pitch, no clicks, no aliases, equal bits."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_audio import PRESETS, Synth, Wave, duration, synthesize
from rish_audio.synth.filters import filter_samples, flanged
from rish_audio.synth.parameters import SYNTH_FIELDS, frames_of

RATE = 44_100
EVERYTHING = Synth(
    frequency=600, slide=-20, slide_change=5, vibrato=1, arpeggio=[0, 3, 7], repeat=0.15, duty_slide=0.1, detune=0.1,
    noise=0.2, low_pass=4000, low_pass_slide=-5, low_pass_vibrato=4, resonance=0.5, high_pass=200, high_pass_slide=3,
    flanger=3, flanger_slide=5, crush=9000, bits=8, punch=0.5, decay_power=2,
)  # fmt: skip
"""A sound with all stages."""


def _plain_filter(samples: Any, low: Any, damping: float, high: Any) -> list[float]:
    """Return what `filter_samples` promises: the trapezoid rule for both filters, each sample solved as equations."""
    band, below, slow, slope = 0.0, 0.0, 0.0, 0.0
    band_slope, below_slope = 0.0, 0.0
    made = []
    for x, g, h in zip(samples, low, high, strict=True):
        # band = band' + g (band_slope' + band_slope), band_slope = x - damping band - below; below likewise from band.
        matrix = np.array([[1 + g * damping, g], [-g, 1.0]])
        right = np.array([band + band_slope + g * x, below + below_slope])
        band, below = np.linalg.solve(matrix, right)
        band_slope, below_slope = g * (x - damping * band - below), g * band
        slow = (slow + slope + h * below) / (1 + h)
        slope = h * (below - slow)
        made.append(below - slow)
    return made


def _spectrum(samples: Any) -> tuple[Any, Any]:
    """Return frequencies in Hz and levels in dB below the strongest."""
    found = np.abs(np.fft.rfft(samples * np.blackman(len(samples))))
    return np.fft.rfftfreq(len(samples), 1 / RATE), 20 * np.log10(found / found.max() + 1e-12)


def _tone(**fields: Any) -> Any:
    """Return the middle second of a steady sound."""
    made = synthesize(Synth(**{"attack": 0.01, "hold": 1.1, "decay": 0.01, **fields}), RATE)
    return made[2000 : 2000 + RATE].astype(np.float64)


@pytest.mark.parametrize("name", [name for name, synth in PRESETS.items() if not synth.loop])
def test_a_sound_begins_and_ends_at_zero_with_its_gain_as_the_peak(name: str) -> None:
    """Each preset has the promised number of samples, is 0 at both ends, and its greatest sample is the gain."""
    synth = PRESETS[name]
    made = synthesize(synth, RATE)
    assert made.dtype == np.float32
    assert len(made) == round(duration(synth) * RATE) == frames_of(synth, RATE)
    assert made[0] == made[-1] == 0
    assert np.abs(made).max() == pytest.approx(synth.gain, abs=1e-6)


@pytest.mark.parametrize("name", [name for name, synth in PRESETS.items() if synth.loop])
def test_a_loop_repeats_without_a_step(name: str) -> None:
    """The step from the last sample of a loop to its first one is no larger than the steps inside."""
    made = synthesize(PRESETS[name], RATE).astype(np.float64)
    inside = np.abs(np.diff(made))
    curve = np.abs(np.diff(made, 2))
    around = np.concatenate((made[-8:], made[:8]))
    assert abs(made[0] - made[-1]) <= inside.max()
    assert np.abs(np.diff(around, 2)).max() <= curve.max()


@pytest.mark.parametrize("wave", [Wave.SQUARE, Wave.SAW, Wave.TRIANGLE, Wave.SINE])
@pytest.mark.parametrize("hertz", [390.0, 990.0, 3000.0, 7001.0])
def test_aliases_are_at_least_40_db_below_the_tone(wave: Wave, hertz: float) -> None:
    """What a tone contains beside its harmonics is at least 40 dB below it, up to 20 kHz."""
    frequencies, levels = _spectrum(_tone(wave=wave, frequency=hertz))
    harmonics = np.arange(1, int(RATE / 2 / hertz) + 1) * hertz
    beside = np.abs(frequencies[:, None] - harmonics).min(axis=1) > 15
    heard = beside & (frequencies > 20) & (frequencies < 20_000)
    assert levels[heard].max() < -40


def test_the_pitch_is_that_of_the_parameters() -> None:
    """A tone has its frequency; a slide of 12 semitones a second doubles it within a second; an arpeggio steps it."""
    frequencies, levels = _spectrum(_tone(wave=Wave.SINE, frequency=440))
    assert frequencies[levels.argmax()] == pytest.approx(440, abs=1.5)
    slid = synthesize(Synth(wave=Wave.SINE, frequency=200, slide=12, attack=0.01, hold=1.5, decay=0.01), RATE)
    assert _crossings(slid, 1.0) == pytest.approx(400, rel=0.02)
    stepped = Synth(wave=Wave.SINE, frequency=300, arpeggio=[0, 12, 7], arpeggio_time=0.2, hold=0.7)
    made = synthesize(stepped, RATE)
    assert [_crossings(made, at) for at in (0.1, 0.3, 0.6)] == pytest.approx([300, 600, 449.5], rel=0.04)


def _crossings(samples: Any, at: float) -> float:
    """Return the frequency at a time from the zero crossings around it."""
    part = samples[int((at - 0.05) * RATE) : int((at + 0.05) * RATE)]
    return ((part[:-1] < 0) & (part[1:] >= 0)).sum() / 0.1


def test_noise_is_brighter_at_a_higher_frequency_and_pink_noise_is_even_over_octaves() -> None:
    """White noise has more power above 5 kHz at a higher frequency; octaves of pink noise differ by less than 4 dB."""
    low, high = (_power(_tone(wave=Wave.NOISE, frequency=hertz), 5000, 20_000) for hertz in (60, 1000))
    assert high > 5 * low
    pink = _tone(wave=Wave.PINK, frequency=1200)
    octaves = 10 * np.log10([_power(pink, low, 2 * low) for low in (400, 800, 1600, 3200)])
    assert np.ptp(octaves) < 4


@pytest.mark.parametrize("loop", [False, True])
def test_crackle_is_single_pops_at_random_times(loop: bool) -> None:
    """In three seconds there are `frequency` pops a second, silence between them, and no two gaps alike."""
    made = synthesize(Synth(wave=Wave.CRACKLE, frequency=20, attack=0.01, hold=2.98, decay=0.01, loop=loop), RATE)
    pops = np.flatnonzero(made)
    assert len(pops) == pytest.approx(60, abs=2)
    assert np.diff(pops).std() > 0.3 * np.diff(pops).mean()
    assert np.median(np.abs(made[pops])) < 0.3 * np.abs(made).max()


def _power(samples: Any, low: float, high: float) -> float:
    """Return the share of the power within a band."""
    found = np.abs(np.fft.rfft(samples)) ** 2
    frequencies = np.fft.rfftfreq(len(samples), 1 / RATE)
    return float(found[(frequencies >= low) & (frequencies < high)].sum() / found.sum())


def test_the_filters_agree_with_the_trapezoid_rule_and_with_plain_python() -> None:
    """Compiled, plain and solved as equations, the filters return the same; the first two to the bit."""
    random = np.random.default_rng(3)
    samples = random.uniform(-1, 1, 600)
    low, high = np.linspace(0.02, 0.9, 600), np.linspace(0.3, 0.001, 600)
    compiled = filter_samples(samples, low, 0.3, high)
    plain: Any = filter_samples.py_func(samples, low, 0.3, high)
    assert compiled.tobytes() == plain.tobytes()
    np.testing.assert_allclose(compiled, _plain_filter(samples, low, 0.3, high), atol=1e-9)


def test_filters_damp_what_is_outside_their_band() -> None:
    """An octave above a low-pass is 12 dB lower, one below a high-pass is 4 dB lower, resonance lifts the edge."""
    plain = _tone(wave=Wave.SAW, frequency=100)
    frequencies, levels = _spectrum(plain)
    harmonics = [int(np.abs(frequencies - hertz).argmin()) for hertz in (100, 1000, 2000, 4000)]
    low = _spectrum(_tone(wave=Wave.SAW, frequency=100, low_pass=1000))[1] - levels
    assert low[harmonics[3]] - low[harmonics[2]] == pytest.approx(-11, abs=2)
    ringing = _spectrum(_tone(wave=Wave.SAW, frequency=100, low_pass=1000, resonance=0.9))[1] - levels
    assert ringing[harmonics[1]] - ringing[harmonics[0]] > 10
    high = _spectrum(_tone(wave=Wave.SAW, frequency=100, high_pass=2000))[1] - levels
    assert high[harmonics[2]] - high[harmonics[1]] == pytest.approx(4, abs=1)


def test_a_flanger_adds_the_sound_of_a_moment_ago() -> None:
    """With a steady delay of 2.5 samples, each sample is added to the mean of those 2 and 3 samples before."""
    samples = np.arange(1.0, 9.0) ** 2
    found = flanged(samples, np.full(8, 2.5), False)
    before = np.concatenate((np.zeros(3), samples))
    np.testing.assert_allclose(found, samples + (before[:8] + before[1:9]) / 2)


def test_bits_and_crush_leave_few_values() -> None:
    """With 3 bits a sound has at most 9 values before its envelope; a crush of 1 kHz holds 44 samples."""
    made = _tone(wave=Wave.SINE, frequency=50, bits=3)
    assert len(np.unique(made)) <= 9
    held = _tone(wave=Wave.SINE, frequency=50, crush=1000)
    assert (np.diff(held) != 0).sum() == pytest.approx(1000, abs=2)


def test_equal_parameters_give_equal_bits() -> None:
    """The samples of a sound with all stages are these, on every machine, and another seed gives others."""
    digest = hashlib.sha256(synthesize(EVERYTHING, RATE).tobytes()).hexdigest()
    assert digest == "fa1628553bb84594a3f10a57ecac1b3ecf3a03aa52514575bd2e9184c10e972c"
    other = Synth(**{**{name: getattr(EVERYTHING, name) for name in SYNTH_FIELDS}, "seed": 2})
    assert synthesize(other, RATE).tobytes() != synthesize(EVERYTHING, RATE).tobytes()


_RANGES = {
    name: st.floats(float(spec.low or 0), min(float(spec.high or 0), 0.3 if spec.unit == "s" else 1e9))
    for name, spec in SYNTH_FIELDS.items()
    if spec.type.name == "float"
}


@pytest.mark.slow
@settings(max_examples=long(150, 30), deadline=None)
@given(
    st.fixed_dictionaries({}, optional={**_RANGES, "wave": st.sampled_from(list(Wave)), "loop": st.booleans()}),
    st.sampled_from([8000, 22_050, 44_100]),
)
def test_parameters_within_their_ranges_give_finite_samples(fields: dict[str, Any], rate: int) -> None:
    """Any parameters within the ranges of their fields give samples that are finite and within the gain."""
    synth = Synth(**fields)
    made = synthesize(synth, rate)
    assert len(made) == frames_of(synth, rate)
    assert np.isfinite(made).all()
    assert np.abs(made).max() <= synth.gain + 1e-6
