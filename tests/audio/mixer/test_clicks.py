"""No clicks: whatever begins, ends or jumps, no step of the output is larger than the slopes of sound and fade."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

import numpy as np
import pytest

from rish_audio import LiveMixer
from rish_audio.components import block as b

from .desk import RATE, Array, Desk

HERTZ = [50.0, 333.0, 1234.5, 5000.0]


def steepest(samples: Array) -> float:
    """Return the largest step from a sample to the next, from silence before the first."""
    return float(np.abs(np.diff(samples, axis=0, prepend=np.zeros((1, samples.shape[1])))).max())


def allowed(hertz: float, fade: int, amplitude: float = 1.0) -> float:
    """Return 1.5 times the greatest slope of a sine, with that of a fade between two sounds."""
    return amplitude * (1.5 * 2 * np.pi * hertz / RATE + np.pi / fade)


def seek(desk: Desk) -> None:
    """Jump within the clip."""
    desk.now.real[0, b.POSITION] = 20_000.3


def steal(desk: Desk) -> None:
    """Replace the voice by another one that begins."""
    desk.play(0)


def stop(desk: Desk) -> None:
    """Empty the slot."""
    desk.now.whole[0] = 0


def change_clip(desk: Desk) -> None:
    """Go on in another clip."""
    desk.now.whole[0, b.CLIP] = 1


def change_bus(desk: Desk) -> None:
    """Go on in another bus."""
    desk.now.whole[0, b.BUS] = 1


def unloop(desk: Desk) -> None:
    """End a loop, so that the position is behind the end of the clip."""
    desk.now.whole[0, b.LOOPS] = 0


def louder(desk: Desk) -> None:
    """Change gain, cutoff and rate at once."""
    desk.now.gains[0] = 0.1
    desk.now.real[0, [b.CUTOFF, b.RATE_END]] = 0.02, 0.5


def brighten(desk: Desk) -> None:
    """End a low-pass that was almost closed."""
    desk.now.real[0, b.CUTOFF] = 0.5


def pause(desk: Desk) -> None:
    """Pause all voices."""
    desk.now.head[b.FLAGS] = b.SILENT


def nudge(desk: Desk) -> None:
    """Continue at a position that differs by less than a jump."""
    desk.now.real[0, b.POSITION] += 0.45


@pytest.mark.parametrize("hertz", HERTZ)
@pytest.mark.parametrize("change", [seek, steal, stop, change_clip, change_bus, unloop, louder, brighten, pause, nudge])
def test_a_change_makes_no_click(hertz: float, change: Callable[[Desk], None]) -> None:
    """A sine that starts, is changed and goes on has no step beyond its own slope and that of the fades."""
    desk = Desk(buses=2)
    desk.now.buses[1, b.GAIN] = 0.3
    period = RATE / hertz
    desk.sine(hertz)
    desk.sine(hertz * 0.9)
    desk.play(0, at=1000.7)
    desk.loop(0, round(period * int(0.5 * RATE / period)))
    desk.now.real[0, b.CUTOFF] = 0.001 if change is brighten else 0.5
    mixer = desk.mixer()
    before = desk.run(mixer, 30 if change is unloop else 3)
    if change is unloop:
        desk.now.whole[0, b.LOOP_END] = 1000
    change(desk)
    after = desk.run(mixer, 3)
    fade = 64 if change is steal else 256
    assert steepest(np.concatenate([before, after])) <= allowed(hertz, fade)


@pytest.mark.parametrize("hertz", HERTZ)
@pytest.mark.parametrize("phase", [0.0, 0.25])
def test_the_start_of_a_clip_that_does_not_begin_at_zero_makes_no_click(hertz: float, phase: float) -> None:
    """A clip that begins with a large sample is faded in within 64 frames, and is whole after them."""
    desk = Desk()
    samples = np.sin(2 * np.pi * (phase + hertz / RATE * np.arange(5000)))
    desk.play(desk.clip(samples))
    heard = desk.run(desk.mixer(), 2)
    assert steepest(heard) <= allowed(hertz, 64)
    assert heard[64:, 0] == pytest.approx(samples[64 : len(heard)], abs=1e-6)


def test_a_stopped_voice_ends_within_256_frames() -> None:
    """The tail of a voice is 256 frames long, and the slot can be used again at once."""
    desk = Desk()
    desk.play(desk.clip(np.ones(9000)))
    mixer = desk.mixer()
    desk.run(mixer, 2)
    stop(desk)
    heard = desk.run(mixer)
    assert heard[0, 0] == pytest.approx(1.0, abs=1e-3)
    assert np.all(np.diff(heard[:256, 0]) < 0)
    assert not heard[256:].any()


def test_a_seek_to_the_same_sound_is_not_heard() -> None:
    """The two fades of a jump add up to 1: a jump by whole periods leaves a sine as it is."""
    desk = Desk()
    desk.play(desk.sine(441.0), at=300.0)
    mixer = desk.mixer()
    desk.run(mixer, 2)
    place = desk.now.real[0, b.POSITION]
    desk.now.real[0, b.POSITION] += 1000
    heard = desk.run(mixer)[:, 0]
    assert heard == pytest.approx(np.sin(2 * np.pi * 441 / RATE * (place + np.arange(735))), abs=1e-4)


def test_paused_voices_go_on_where_they_are() -> None:
    """While blocks are silent nothing is heard after the fade; then voices are heard at the positions of the blocks."""
    desk = Desk()
    desk.play(desk.clip(np.linspace(0, 1, 9000)))
    mixer = desk.mixer()
    desk.run(mixer, 2)
    paused = deepcopy(desk.now)
    paused.head[b.FLAGS] = b.SILENT
    assert not mixer.mix(paused, desk.clips)[256:].any()
    assert not mixer.mix(paused, desk.clips).any()
    place = int(desk.now.real[0, b.POSITION])
    heard = desk.run(mixer)[:, 0]
    assert heard[256:] == pytest.approx(np.linspace(0, 1, 9000)[place + 256 : place + 735], abs=1e-6)
    assert steepest(heard[:, None]) < 0.01


@pytest.mark.parametrize("hertz", HERTZ)
@pytest.mark.parametrize("held", [1, 5, 70])
def test_held_blocks_make_no_click(hertz: float, held: int) -> None:
    """A sine is held while the queue is empty, fades out after a second, and goes on without a click."""
    desk = Desk()
    desk.play(desk.sine(hertz, 3.0), at=100.3, rate=1.1)
    live = LiveMixer(RATE, 1, 2, 1, start=1)
    heard = []
    for count in (3, held, 4):
        for _ in range(count):
            if count != held:
                live.push(desk.take(), desk.clips)
            heard.append(np.zeros((735, 1), np.float32))
            live.read(heard[-1])
    assert steepest(np.concatenate(heard)) <= allowed(hertz * 1.1, 256)
    assert (heard[held + 2].any(), live.counters["held"]) == (held < 60, held)


@pytest.mark.parametrize("frames", [7, 64, 735, 4096])
def test_blocks_of_any_size_have_complete_fades(frames: int) -> None:
    """A block that is shorter than a fade fades within itself: after the last block of a voice there is silence."""
    desk = Desk(frames=frames)
    desk.play(desk.clip(np.ones(20_000)), at=5.0)
    mixer = desk.mixer()
    first = desk.run(mixer)
    assert first[0, 0] == 0
    assert desk.run(mixer)[0, 0] == 1
    stop(desk)
    desk.run(mixer)
    assert not desk.run(mixer).any()
