"""Promises of tunes: time, loops, stereo, swing, echo."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_audio import PRESETS, Synth, Track, Tune, Wave
from rish_audio.synth.reading import load_tune, shipped_tunes
from rish_audio.synth.tune import notes_of, render_tune, tune_duration, tune_frames

RATE = 44_100
CLICK = Synth(wave=Wave.SQUARE, attack=0.0005, hold=0, decay=0.02)


def rendered(tune: Any, rate: int) -> np.ndarray:
    """Return the samples of a tune, float32 (n, 2)."""
    return render_tune(tune, rate).samples()


def _tune(tracks: dict[str, Track], **fields: Any) -> Tune:
    return Tune(**{"tempo": 120, "gain": 1.0, **fields}, tracks=tracks)


def _begins(samples: Any) -> list[float]:
    """Return the seconds at which a sound begins after silence."""
    loud = np.abs(samples).max(axis=1) > 1e-4
    quiet = np.convolve(loud, np.ones(400), "full")[: len(loud)] - loud == 0
    return (np.flatnonzero(loud & quiet) / RATE).tolist()


def test_notes_begin_at_their_beats() -> None:
    """At 120 beats a minute a beat is half a second; a shorter track repeats to the end of the longest."""
    tune = _tune({"long": Track(notes="r:8"), "click": Track(notes="c4 r:1/2 c4:1/2", synth=CLICK)})
    assert tune_duration(tune) == 4
    made = rendered(tune, RATE)
    assert made.shape == (4 * RATE, 2)
    assert made.dtype == np.float32
    assert _begins(made) == pytest.approx([0, 0.75, 1, 1.75, 2, 2.75, 3, 3.75], abs=0.001)


def test_swing_makes_the_second_half_of_a_beat_late() -> None:
    """With a swing of 1/3, half beats are at two thirds of the beat."""
    tune = _tune({"click": Track(notes="c4 c4 c4 c4", step="1/2", synth=CLICK)}, swing=1 / 3)
    assert _begins(rendered(tune, RATE)) == pytest.approx([0, 1 / 3, 0.5, 0.5 + 1 / 3], abs=0.001)


def test_the_tail_of_a_loop_sounds_at_its_begin() -> None:
    """A loop has the length of its beats and equals a later pass of many; without `loop` the tail is behind the end."""
    ringing = Synth(wave=Wave.SINE, hold=0, decay=1.5)
    track = Track(notes="c4 e4 g4 c5", synth=ringing, echo=0.4)
    loop = rendered(_tune({"a": track}), RATE)
    assert len(loop) == 2 * RATE
    twice = Track(notes="[c4 e4 g4 c5]x4", synth=ringing, echo=0.4)
    once = rendered(_tune({"a": twice}, loop=False), RATE)
    assert len(once) > 9 * RATE
    third = once[4 * RATE : 6 * RATE]  # two passes are more than tail and echoes
    np.testing.assert_allclose(third / np.abs(third).max(), loop / np.abs(loop).max(), atol=0.01)


def test_a_pan_has_constant_power() -> None:
    """A track on the left is silent on the right; in the middle both sides have half of the power."""
    left = rendered(_tune({"a": Track(notes="c4", pan=-1)}), RATE).astype(np.float64)
    assert np.abs(left[:, 1]).max() < 1e-6
    loud = Track(notes="r c5!", pan=-1, volume=1, synth=CLICK)  # the peak, equal for all pans
    powers = []
    for pan in (-1, 0, 0.5):
        made = rendered(_tune({"a": Track(notes="c4:1/2 r:3/2", volume=0.3, pan=pan), "loud": loud}), RATE)
        powers.append(float((made[1000 : RATE // 2 - 1000].astype(np.float64) ** 2).sum()))
    assert powers == pytest.approx([powers[0]] * 3, rel=1e-4)


def test_an_echo_repeats_softer() -> None:
    """A click with an echo of 0.5 after a beat is heard again at half of its level, and at a quarter."""
    tune = _tune({"a": Track(notes="c4 r:7", synth=CLICK, echo=0.5, echo_time=1)})
    made = np.abs(rendered(tune, RATE)[:, 0])
    peaks = [made[k * RATE // 2 : k * RATE // 2 + 1000].max() for k in range(3)]
    assert peaks == pytest.approx([peaks[0], peaks[0] / 2, peaks[0] / 4], rel=1e-4)


def test_a_held_note_lasts_its_gate_and_a_plucked_one_does_not() -> None:
    """A gate of 0.5 holds half of the note; a sound without a hold decays at once, however long its note is."""
    sine = Synth(wave=Wave.SINE, attack=0.001, hold=0.1, decay=0.01)
    ends = []
    for synth, gate in ((sine, 0.5), (sine, 1.0), (CLICK, 1.0)):
        made = rendered(_tune({"a": Track(notes="a4:2 r:2", synth=synth, gate=gate)}), RATE)
        ends.append(float(np.flatnonzero(np.abs(made[:, 0]) > 0.01)[-1] / RATE))
    assert ends == pytest.approx([0.51, 1.01, 0.02], abs=0.01)


def test_equal_notes_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A track that repeats two notes a hundred times makes two sounds, and a pitch is transposed."""
    from rish_audio.synth import tune as module

    made: list[float] = []

    def count(synth: Synth, rate: int) -> Any:
        made.append(synth.frequency)
        return np.zeros(10, np.float32)

    monkeypatch.setattr(module, "synthesize", count)
    rendered(_tune({"a": Track(notes="[a4 a5]x50", transpose=-12)}), RATE)
    assert made == pytest.approx([220, 440])


def test_an_empty_tune_is_silent() -> None:
    """A tune of rests has its length and no sound."""
    made = rendered(_tune({"a": Track(notes="r:4")}), RATE)
    assert made.shape == (2 * RATE, 2)
    assert not made.any()


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_tunes())
def test_a_shipped_tune_is_a_loop_of_whole_bars_with_equal_tracks(name: str) -> None:
    """Each tune that ships has 16 or more bars, tracks that fit into them, and no click where it repeats."""
    tune = load_tune(name)
    lengths = [notes_of(track, tune.meter)[1] for track in tune.tracks.values()]
    assert all(max(lengths) % length == 0 for length in lengths)
    assert max(lengths) % (4 * tune.meter) == 0
    assert max(lengths) >= 16 * tune.meter
    made = rendered(tune, RATE).astype(np.float64)
    assert len(made) == tune_frames(tune, RATE)
    assert np.abs(made).max() == pytest.approx(tune.gain, abs=1e-6)
    steps = np.abs(np.diff(np.concatenate((made[-200:], made[:200])), axis=0))
    assert steps.max() <= np.abs(np.diff(made, axis=0)).max()
    assert 0 < len(tune.tracks) <= len(PRESETS)
