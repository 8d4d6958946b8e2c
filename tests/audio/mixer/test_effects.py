"""Buses and their effects, each against a plain reference of its formula."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from rish_audio.components import block as b
from rish_audio.mixer.delay_reverb import ALL_PASSES, COMBS, REVERB_INPUT, SPREAD, TUNING

from .desk import RATE, Array, Desk
from .test_clicks import steepest


def desk_with(samples: Array, **columns: float) -> Desk:
    """Return a desk on whose bus 1 a clip plays, after the fade of its start in silence, with effects on that bus."""
    channels = samples.shape[1]
    desk = Desk(channels=channels, buses=2)
    desk.play(desk.clip(np.concatenate([np.zeros((64, channels)), samples])), gain=np.eye(2, channels))
    desk.now.whole[0, b.BUS] = 1
    for name, value in columns.items():
        desk.now.buses[1, getattr(b, name)] = value
    return desk


def heard_with(samples: Array, blocks: int, **columns: float) -> Array:
    """Return what is heard of samples with effects."""
    desk = desk_with(samples, **columns)
    return desk.run(desk.mixer(), blocks)[64:]


def noise(frames: int, channels: int = 1) -> Array:
    """Return white noise."""
    return np.random.default_rng(3).uniform(-0.5, 0.5, (frames, channels)).astype(np.float32)


def svf(x: Array, cutoff: float, high: bool) -> Array:
    """Filter one channel by Simper's equations of the state-variable filter, with a damping of √2."""
    g, k = np.tan(np.pi * cutoff), np.sqrt(2)
    a1 = 1 / (1 + g * (g + k))
    a2, a3 = g * a1, g * g * a1
    one = two = 0.0
    out = np.zeros(len(x))
    for n, value in enumerate(x.astype(float)):
        v3 = value - two
        v1 = a1 * one + a2 * v3
        v2 = two + a2 * one + a3 * v3
        one, two = 2 * v1 - one, 2 * v2 - two
        out[n] = value - k * v1 - v2 if high else v2
    return out


@pytest.mark.parametrize(("name", "high"), [("LOW_PASS", False), ("HIGH_PASS", True)])
@pytest.mark.parametrize("cutoff", [0.002, 0.05, 0.3])
def test_the_filters_of_a_bus_are_state_variable_filters(name: str, high: bool, cutoff: float) -> None:
    """The low-pass and the high-pass give the samples of the plain reference."""
    samples = noise(3000)
    heard = heard_with(samples, 4, **{name: cutoff})
    assert heard[:, 0] == pytest.approx(svf(samples[: len(heard), 0], cutoff, high), abs=1e-5)


@pytest.mark.parametrize(("name", "sign"), [("LOW_PASS", 1), ("HIGH_PASS", -1)])
@pytest.mark.parametrize("octaves", [-3, -1, 0, 1, 3])
def test_the_response_of_the_filters_is_that_of_butterworth(name: str, sign: int, octaves: int) -> None:
    """Sines are attenuated as by a Butterworth filter of second order, within half a decibel."""
    cutoff, hertz = 1000.0, 1000.0 * 2.0**octaves
    samples = 0.5 * np.sin(2 * np.pi * hertz / RATE * np.arange(30_000))[:, None]
    heard = heard_with(samples, 40, **{name: cutoff / RATE})[15_000:, 0]
    level = 20 * np.log10(np.sqrt(2) * np.sqrt(np.mean(heard**2)) / 0.5)
    ratio = np.tan(np.pi * hertz / RATE) / np.tan(np.pi * cutoff / RATE)
    assert level == pytest.approx(-10 * np.log10(1 + ratio ** (4 * sign)), abs=0.1)
    assert level == pytest.approx(-10 * np.log10(1 + (hertz / cutoff) ** (4 * sign)), abs=3.0 if octaves > 2 else 0.5)


def test_a_delay_repeats_after_its_frames() -> None:
    """An impulse comes back after the frames of the delay, times the mix, and again with the feedback."""
    samples = np.zeros((6000, 2))
    samples[0] = 1.0, -0.5
    heard = heard_with(samples, 8, DELAY=1000, DELAY_MIX=0.5, DELAY_FEEDBACK=0.25)
    expected = np.zeros_like(heard)
    for k in range(6):
        expected[1000 * k] = samples[0] * (1.0 if k == 0 else 0.5 * 0.25 ** (k - 1))
    assert heard == pytest.approx(expected, abs=1e-6)


def test_a_delay_that_changes_goes_over_from_one_echo_to_the_other() -> None:
    """While the time of a delay changes both echoes are heard, with parts that add up to 1."""
    desk = desk_with(noise(9000), DELAY=500, DELAY_MIX=1.0)
    samples = noise(9000)[:, 0]
    mixer = desk.mixer()
    desk.run(mixer, 3)
    desk.now.buses[1, b.DELAY] = 900
    heard = desk.run(mixer)[:, 0]
    n, part = 3 * 735 - 64 + np.arange(735), np.arange(735) / 735
    expected = samples[n] + (1 - part) * samples[n - 500] + part * samples[n - 900]
    assert heard == pytest.approx(expected, abs=1e-5)


def freeverb(x: Array, mix: float, room: float, damp: float) -> Array:
    """Return samples with the reverb of Freeverb, by its circuit: float64 (frames, channels)."""
    frames, channels = x.shape
    source = x.mean(axis=1) * REVERB_INPUT
    out = np.zeros((frames, channels))
    for c in range(channels):
        wet = np.zeros(frames)
        for length in TUNING[:COMBS]:
            line, state = np.zeros(frames + length + SPREAD * c), 0.0
            delay = length + SPREAD * c
            for n in range(frames):
                old = line[n]
                wet[n] += old
                state = old * (1 - 0.4 * damp) + state * 0.4 * damp
                line[n + delay] = source[n] + state * (0.7 + 0.28 * room)
        for length in TUNING[COMBS : COMBS + ALL_PASSES]:
            delay = length + SPREAD * c
            line, before = np.zeros(frames + delay), wet.copy()
            for n in range(frames):
                wet[n] = line[n] - before[n]
                line[n + delay] = before[n] + 0.5 * line[n]
        out[:, c] = (1 - mix) * x[:, c] + mix * wet
    return out


def test_the_reverb_is_that_of_freeverb() -> None:
    """The reverb gives the samples of the plain reference, on all channels."""
    samples = np.zeros((5816, 2), np.float32)
    samples[:300] = noise(300, 2)
    heard = heard_with(samples, 8, REVERB_MIX=0.6, REVERB_ROOM=0.7, REVERB_DAMP=0.4)
    assert heard == pytest.approx(freeverb(samples.astype(float), 0.6, 0.7, 0.4), abs=1e-6)
    assert np.abs(heard[2000:]).max() > 1e-3
    assert not np.array_equal(heard[2000:, 0], heard[2000:, 1])


def decay(room: float) -> float:
    """Return the seconds in which the reverb of a short noise loses 60 decibels, extrapolated from 20."""
    samples = np.zeros((200_000, 1), np.float32)
    samples[:1000] = noise(1000)
    tail = heard_with(samples, 200, REVERB_MIX=1.0, REVERB_ROOM=room, REVERB_DAMP=0.2)[3000:, 0].astype(float)
    left = np.cumsum(tail[::-1] ** 2)[::-1]
    return 3 * int(np.argmax(left < left[0] / 100)) / RATE


def test_a_larger_room_sounds_longer() -> None:
    """The reverb lasts about 0.5 s in a small room and some seconds in a large one."""
    small, large = decay(0.2), decay(0.9)
    assert 0.3 < small < 1.0
    assert 2.0 < large < 6.0


def test_a_silent_reverb_becomes_silent() -> None:
    """Long after the last sound the tail of a reverb and of a delay is exactly 0."""
    samples = np.zeros((1000, 1), np.float32)
    samples[:500] = noise(500)
    columns = {"REVERB_MIX": 0.5, "REVERB_ROOM": 0.1, "DELAY": 300, "DELAY_MIX": 0.5, "DELAY_FEEDBACK": 0.3}
    heard = heard_with(samples, 500, **columns)
    assert heard[5000:20_000].any()
    assert not heard[-735:].any()


@pytest.mark.parametrize("limit", [0.1, 0.35])
def test_a_limiter_keeps_its_limit_and_lets_the_rest_through(limit: float) -> None:
    """No sample exceeds the limit, channels stay in proportion, and what is softer comes through unchanged."""
    samples = noise(30_000, 2)
    samples[:20_000] *= 0.1
    heard = heard_with(samples, 40, LIMIT=limit)[:29_000]
    assert np.abs(heard).max() <= np.float32(limit)
    assert np.array_equal(heard[:20_000], samples[:20_000])
    assert heard[:, 0] * samples[:29_000, 1] == pytest.approx(heard[:, 1] * samples[:29_000, 0], abs=1e-6)


def test_a_limiter_recovers_exponentially() -> None:
    """After a loud sample the factor returns to 1 by exp(-t / 0.2 s)."""
    samples = np.full((20_000, 1), 0.1, np.float32)
    samples[100] = 1.0
    heard = heard_with(samples, 20, LIMIT=0.5)[:14_000, 0]
    factor = 1 - 0.5 * np.exp(-np.arange(10_000) / (0.2 * RATE))
    assert heard[100:10_100] == pytest.approx(np.where(np.arange(10_000) == 0, 0.5, 0.1 * factor), abs=1e-5)


def test_a_bus_is_ducked_by_another_one() -> None:
    """While a bus is loud the other one goes to its ducked gain within the attack, and back within the release."""
    desk = Desk(slots=2, buses=3)
    desk.play(desk.clip(np.full(200_000, 0.5)), 0)
    desk.play(desk.clip(np.full(20_000, 0.25)), 1)
    desk.now.whole[:, b.BUS] = 1, 2
    columns = [b.DUCK_BY, b.DUCK_GAIN, b.DUCK_THRESHOLD, b.DUCK_ATTACK, b.DUCK_RELEASE]
    desk.now.buses[1, columns] = 2, 0.2, 0.1, 1000, 4000
    mixer, factors = desk.mixer(), []
    for _ in range(100):
        desk.run(mixer)
        factors.append(mixer.peak[1, 0] / 0.5)
    attack, release = np.exp(-735 / 1000), np.exp(-735 / 4000)
    factor, expected = 1.0, []
    for k in range(100):
        goal = 0.2 if 1 <= k <= 27 + 1 else 1.0
        before, factor = factor, goal + (factor - goal) * (attack if goal < factor else release)
        expected.append(max(before, factor))
    assert factors[1:] == pytest.approx(expected[1:], abs=2e-3)
    assert min(factors) < 0.21
    assert factors[-1] > 0.99


def test_children_are_mixed_into_their_parents() -> None:
    """A bus is heard with the product of its gain and those of its parents; gains change in a line."""
    desk = Desk(slots=3, buses=4)
    row = desk.clip(np.ones(9000))
    for slot in range(3):
        desk.play(row, slot)
    desk.now.whole[:, b.BUS] = 3, 2, 1
    desk.now.buses[:, b.PARENT] = -1, 0, 0, 1
    desk.now.buses[:, b.GAIN] = 0.5, 0.4, 0.3, 0.2
    mixer = desk.mixer()
    desk.run(mixer, 2)
    assert desk.run(mixer)[:, 0] == pytest.approx(np.full(735, 0.5 * (0.3 + 0.4 * (1 + 0.2))), abs=1e-6)
    desk.now.buses[0, b.GAIN] = 0.0
    assert desk.run(mixer)[:, 0] == pytest.approx(0.78 * 0.5 * (1 - np.arange(735) / 735), abs=1e-6)


SWITCHED = {
    "low": {"LOW_PASS": 0.01},
    "high": {"HIGH_PASS": 0.05},
    "delay": {"DELAY": 800, "DELAY_MIX": 0.9, "DELAY_FEEDBACK": 0.3},
    "reverb": {"REVERB_MIX": 0.9, "REVERB_ROOM": 0.8, "REVERB_DAMP": 0.1},
    "limit": {"LIMIT": 0.3},
}


def switch_off(desk: Desk, effect: dict[str, float]) -> None:
    """Switch the effect off."""
    desk.now.buses[1, [getattr(b, name) for name in effect]] = 0


def switch_on(desk: Desk, effect: dict[str, float]) -> None:
    """Switch the effect on."""
    desk.now.buses[1, [getattr(b, name) for name in effect]] = list(effect.values())


def weaken(desk: Desk, effect: dict[str, float]) -> None:
    """Change the numbers of the effect, if it is on."""
    desk.now.buses[1, [getattr(b, name) for name in effect]] *= 0.7


@pytest.mark.parametrize("effect", SWITCHED)
@pytest.mark.parametrize("hertz", [50.0, 800.0])
def test_effects_are_switched_and_changed_without_clicks(effect: str, hertz: float) -> None:
    """A sine whose effects are switched on, changed, switched off and on again has no steps beyond its slope."""
    samples = np.sin(2 * np.pi * hertz / RATE * np.arange(60_000))[:, None]
    desk = desk_with(samples)
    mixer = desk.mixer()
    heard = [desk.run(mixer, 4)]
    changes: list[Callable[[Desk, dict[str, float]], None]] = [switch_on, weaken, switch_off, switch_on, switch_off]
    for change in changes:
        change(desk, SWITCHED[effect])
        heard.append(desk.run(mixer, 5))
    together = np.concatenate(heard)
    loudest = np.abs(together).max()
    assert steepest(together) <= max(1.0, loudest) * (1.5 * 2 * np.pi * hertz / RATE + np.pi / 735)


def test_an_effect_that_is_off_changes_nothing() -> None:
    """A bus without effects passes its samples on to the bit, also after an effect was on."""
    samples = noise(20_000)
    desk = desk_with(samples, **SWITCHED["low"], **SWITCHED["delay"], **SWITCHED["reverb"], LIMIT=0.2)
    mixer = desk.mixer()
    desk.run(mixer, 5)
    for effect in SWITCHED.values():
        switch_off(desk, effect)
    desk.run(mixer)
    begin = int(desk.now.real[0, b.POSITION]) - 64
    assert np.array_equal(desk.run(mixer), samples[begin : begin + 735])


def test_a_broken_clip_is_over_when_it_ends() -> None:
    """Samples that are no numbers or endless are not heard, and leave nothing behind in filters, echoes and limits."""
    samples = noise(60_000)
    samples[3000:3100] = np.nan
    samples[4000:4010] = np.inf
    columns = {name: value for effect in SWITCHED.values() for name, value in effect.items()}
    desk = desk_with(samples, **columns)
    desk.now.real[0, b.CUTOFF] = 0.1
    heard = desk.run(desk.mixer(), 60)
    assert np.isfinite(heard).all()
    assert np.abs(heard[-735:]).max() > 0.01
    assert np.abs(heard).max() <= np.float32(0.3)
