"""Voices: clips are read at any position and rate, filtered, and added to buses with gains."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_audio.components import block as b

from .desk import RATE, Array, Desk

FADE_IN = 256


def noise(frames: int, channels: int = 1, seed: int = 1) -> Array:
    """Return white noise, float32 (frames, channels)."""
    return np.random.default_rng(seed).uniform(-1, 1, (frames, channels)).astype(np.float32)


def hermite(taps: list[Array], t: float) -> Array:
    """Return the cubic through two points whose slopes are those between their neighbors, in the textbook's form."""
    y0, y1, y2, y3 = taps
    m1, m2 = (y2 - y0) / 2, (y3 - y1) / 2
    return (2 * t**3 - 3 * t**2 + 1) * y1 + (t**3 - 2 * t**2 + t) * m1 + (3 * t**2 - 2 * t**3) * y2 + (t**3 - t**2) * m2


def frame_of(samples: Array, frame: int, row: Array, loop: tuple[int, int] | None) -> Array:
    """Return a frame of a clip, where loops are unrolled and what is not in memory is silent."""
    is_whole = row[b.FIRST] == 0 and row[b.END] == row[b.CAPACITY] == row[b.LENGTH]
    if is_whole and loop is not None and frame >= loop[1]:
        frame = loop[0] + (frame - loop[0]) % (loop[1] - loop[0])
    inside = row[b.FIRST] <= frame < row[b.END]
    return samples[frame % len(samples)].astype(float) if inside else np.zeros(samples.shape[1])


def test_a_clip_at_its_own_rate_is_copied_exactly() -> None:
    """With rate 1 from a whole position, samples are those of the clip to the bit, after the fade of the start."""
    desk = Desk(channels=2)
    samples = noise(3000, 2)
    desk.play(desk.clip(samples), gain=np.eye(2))
    heard = desk.run(desk.mixer(), 3)
    assert np.array_equal(heard[FADE_IN:], samples[FADE_IN : len(heard)])


@given(data=st.data())
def test_any_position_and_rate_is_read_as_the_plain_reference_does(data: st.DataObject) -> None:
    """Loops, ends, streams, backwards, any rate: samples are those of cubic Hermite interpolation, frame by frame."""
    length, channels = data.draw(st.integers(1, 300)), data.draw(st.integers(1, 2))
    frames, seed = data.draw(st.integers(1, 300)), data.draw(st.integers(0, 9))
    samples = noise(length, channels, seed)
    desk = Desk(channels=2, frames=frames)
    loop = None
    if data.draw(st.booleans()):
        first = data.draw(st.integers(0, 1000))
        row = desk.clip(samples, first=first, end=first + data.draw(st.integers(0, length)), length=5000)
    else:
        row = desk.clip(samples)
        if data.draw(st.booleans()):
            begin = data.draw(st.integers(0, length - 1))
            loop = begin, data.draw(st.integers(begin + 1, length))
    rates = st.floats(-3, 3) | st.sampled_from([0.0, 1.0, -1.0, 200.0, -90.5, 5000.25])
    at = data.draw(st.floats(-300, 1500) | st.integers(-300, 1500).map(float))
    desk.play(row, at=at, rate=data.draw(rates), gain=np.eye(2))
    desk.now.real[0, b.RATE_END] = data.draw(rates)
    if loop is not None:
        desk.loop(*loop)
    block = desk.take()
    silent = desk.mixer()
    heard = silent.mix(block, desk.clips)
    begin, end = block.real[0, [b.RATE_BEGIN, b.RATE_END]]
    n = np.arange(frames)
    places = at + n * begin + n**2 * ((end - begin) / (2 * frames))
    fade = min(64 if at == 0 else 256, frames)
    curve = np.ones(frames)
    curve[:fade] = 0.5 - 0.5 * np.cos(np.pi / 256 * (np.arange(fade) * 256 // fade))
    expected = np.zeros((frames, channels))
    for i, place in enumerate(places):
        whole = int(np.floor(place))
        taps = [frame_of(samples, whole + k, desk.clips[row], loop) for k in (-1, 0, 1, 2)]
        expected[i] = curve[i] * hermite(taps, place - whole)
    assert heard[:, :channels] == pytest.approx(expected, abs=3e-5)


def test_a_voice_goes_on_where_its_block_ended() -> None:
    """A voice with changing rates is the same in one long block as in two halves of it."""
    samples = noise(8000)
    ends = []
    for frames, rates in ((600, [(0.8, 1.6)]), (300, [(0.8, 1.2), (1.2, 1.6)])):
        desk = Desk(frames=frames)
        desk.play(desk.clip(samples), at=0.25)
        mixer, parts = desk.mixer(), []
        for begin, end in rates:
            desk.now.real[0, [b.RATE_BEGIN, b.RATE_END]] = begin, end
            parts.append(desk.run(mixer))
        ends.append(np.concatenate(parts))
    assert ends[0][300:] == pytest.approx(ends[1][300:], abs=1e-5)


def test_gains_change_linearly_within_a_block() -> None:
    """Gains go in a line from those of the block before to the block's own, for each channel of clip and output."""
    desk = Desk(channels=3, frames=500)
    desk.play(desk.clip(np.tile([1.0, 0.25], (5000, 1))), gain=[[1, 0, 0.5], [0, 1, 0.5]])
    mixer = desk.mixer()
    desk.run(mixer, 2)
    desk.now.gains[0] = [[0, 0.5, 0.5], [1, 1, 0]]
    heard, part = desk.run(mixer), np.arange(500) / 500
    expected = np.stack([1 - part + 0.25 * part, 0.5 * part + 0.25, 0.5 + 0.125 * (1 - part)], axis=1)
    assert heard == pytest.approx(expected, abs=1e-6)


def test_a_send_adds_the_voice_to_a_second_bus() -> None:
    """A voice with a send is heard in both buses, in the second one with the gain of the send."""
    desk = Desk(buses=3)
    desk.play(desk.clip(np.ones(5000)), gain=0.5)
    desk.now.whole[0, [b.BUS, b.SEND]] = 1, 2
    desk.now.real[0, b.SEND_GAIN] = 0.25
    mixer = desk.mixer()
    desk.run(mixer, 2)
    assert mixer.peak[:, 0].tolist() == [0.625, 0.5, 0.125]


@pytest.mark.parametrize("cutoff", [0.001, 0.01, 0.1, 0.3])
def test_the_low_pass_of_a_voice_is_one_pole(cutoff: float) -> None:
    """A voice's low-pass is y += (1 - exp(-2π cutoff)) (x - y), after the fade of its start."""
    desk = Desk(frames=1000)
    samples = noise(4000)[:, 0]
    desk.play(desk.clip(samples))
    desk.now.real[0, b.CUTOFF] = cutoff
    heard, value = desk.run(desk.mixer(), 3)[:, 0], 0.0
    smooth = 1 - np.exp(-2 * np.pi * cutoff)
    for n in range(3000):
        value += smooth * (samples[n] - value)
        assert n < FADE_IN or heard[n] == pytest.approx(value, abs=1e-6)


@given(seed=st.integers(0, 1000))
def test_a_low_pass_that_jumps_stays_bounded(seed: int) -> None:
    """Whatever a cutoff does from block to block, a filtered voice is never louder than its clip."""
    random = np.random.default_rng(seed)
    desk = Desk(frames=int(random.integers(1, 400)))
    desk.play(desk.clip(noise(9000, 1, seed)))
    mixer = desk.mixer()
    for _ in range(8):
        desk.now.real[0, b.CUTOFF] = random.choice([0.0, 1e-4, 0.01, 0.3, 0.499, 0.5, 7.0])
        assert np.abs(desk.run(mixer)).max() <= 1.0


def test_a_voice_that_leads_nowhere_is_silent() -> None:
    """A row outside the clip table, a clip without memory, a bus that there is not, positions beyond all: silence."""
    desk = Desk(slots=6)
    row = desk.clip(np.ones(900))
    for slot in range(6):
        desk.play(row, slot)
    desk.now.whole[0, b.CLIP], desk.now.whole[1, b.CLIP], desk.now.whole[2, b.BUS] = 7, -1, 3
    desk.now.real[3, b.POSITION], desk.now.real[4, b.RATE_END] = 1e300, np.nan
    desk.now.whole[5, b.CLIP] = desk.clip(np.ones(5))
    desk.clips[-1, b.ADDRESS] = 0
    assert not desk.run(desk.mixer(), 2).any()


@pytest.mark.parametrize("rate", [1.0, 0.7, -1.3])
def test_a_loop_of_whole_periods_has_no_seam(rate: float) -> None:
    """A loop of whole periods of a sine, unrolled many times at any rate, stays that sine."""
    desk = Desk()
    row = desk.clip(np.sin(2 * np.pi * np.arange(350) / 100))
    desk.play(row, rate=rate, at=100_000.0)
    desk.loop(50, 350)
    heard = desk.run(desk.mixer(), 6)[:, 0]
    expected = np.sin(2 * np.pi * (100_000 + rate * np.arange(len(heard))) / 100)
    assert heard[FADE_IN:] == pytest.approx(expected[FADE_IN:], abs=1e-4)


def test_meters_and_the_newest_output_can_be_read() -> None:
    """Peak and rms are those of each bus in the newest block, and `wave` the newest 4096 frames of the output."""
    desk = Desk(channels=2, buses=2)
    desk.play(desk.sine(RATE / 49), gain=[0.5, 0.25])
    desk.now.whole[0, b.BUS] = 1
    desk.now.buses[1, b.GAIN] = 0.5
    mixer = desk.mixer()
    heard = desk.run(mixer, 8)
    last = heard[-735:]
    assert mixer.peak == pytest.approx(np.tile(np.abs(last).max(axis=0), (2, 1)))
    assert mixer.rms == pytest.approx(np.tile([0.25 / np.sqrt(2), 0.125 / np.sqrt(2)], (2, 1)), rel=1e-5)
    assert np.array_equal(mixer.wave, heard[-4096:])
    assert mixer.frames == len(heard)
