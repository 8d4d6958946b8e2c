"""The sound of films: in step with the picture, of the same length, and only if a plugin offers it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rish_core import App, Stage, UsageError, World, parse_manifest, system
from rish_frame import NullBackend, Soundtrack
from rish_frame import plugin as frame_plugin
from rish_frame.pictures.capture import Capture
from tools import needs

av: Any = needs("av", "films")
RATE, FPS, FRAME = 44_100, 60, 735
PIXELS = np.full((16, 16, 4), 255, np.uint8)


def tone(frames: int) -> np.ndarray:
    """Return a sine of 1,000 Hz, float32 (frames,)."""
    return np.sin(np.arange(frames) * (2 * np.pi * 1000 / RATE)).astype(np.float32) / 2


def heard(path: Path) -> tuple[np.ndarray, float, int]:
    """Return the decoded samples (channels, n), the time of the first one, and the number of images of a film."""
    with av.open(str(path)) as container:
        frames = list(container.decode(audio=0))
        found = np.concatenate([frame.to_ndarray() for frame in frames], axis=1)
        begin = frames[0].time
    with av.open(str(path)) as container:
        return found, begin, sum(1 for _ in container.decode(video=0))


def capture(path: Path, blocks: list[int], channels: int = 2, beep: int = 30, side: int = 0) -> Soundtrack:
    """Write a film with a beep in one frame and one channel; blocks: the samples of each frame."""
    soundtrack = Soundtrack()
    soundtrack.offer(RATE, channels)
    with Capture([path], 1 / FPS, lambda: PIXELS, soundtrack) as kept:
        for frame, count in enumerate(blocks):
            samples = np.zeros((count, channels), np.float32)
            if frame == beep:
                samples[:, side] = tone(count)
            for part in np.array_split(samples, 2):
                soundtrack.add(part)
            kept.take()
        kept.finish()
    return soundtrack


def onset(samples: np.ndarray, begin: float) -> float:
    """Return the time at which a channel becomes loud, in seconds."""
    return begin + int(np.argmax(np.abs(samples) > 0.2)) / RATE


@pytest.mark.slow
@pytest.mark.parametrize(("channels", "side"), [(1, 0), (2, 0), (2, 1), (3, 2), (4, 3), (5, 4), (6, 4)])
def test_a_beep_is_heard_when_its_frame_is_seen(channels: int, side: int, tmp_path: Path) -> None:
    """A beep in frame 30 is heard at 0.5 s, in its channel only; sound and picture are equally long."""
    soundtrack = capture(tmp_path / "a.mp4", [FRAME] * 90, channels, side=side)
    samples, begin, images = heard(tmp_path / "a.mp4")
    assert images == 90
    assert len(samples) == channels
    assert abs(onset(samples[side], begin) - 30 / FPS) < 0.002
    assert abs(begin + samples.shape[1] / RATE - 90 / FPS) <= 1 / FPS
    silent = [k for k in range(channels) if k != side]
    assert not silent or np.abs(samples[silent]).max() < 0.05
    assert not soundtrack.wanted
    assert not soundtrack.blocks


@pytest.mark.parametrize(("channels", "side", "to"), [(7, 4, [4, 5]), (7, 6, [5]), (8, 4, [4]), (8, 7, [5])])
def test_more_than_six_channels_become_six(channels: int, side: int, to: list[int], tmp_path: Path) -> None:
    """The surround channels of 6.1 and 7.1 are mixed into those of 5.1."""
    capture(tmp_path / "a.mp4", [FRAME] * 40, channels, side=side)
    samples, _, _ = heard(tmp_path / "a.mp4")
    assert np.flatnonzero(np.abs(samples).max(axis=1) > 0.2).tolist() == to


class Painted(NullBackend):
    """A backend whose pictures are white."""

    capabilities = NullBackend.capabilities | {"pixels"}

    def pixels(self) -> np.ndarray:
        """Return the picture."""
        return PIXELS


@system(Stage.POST)
def beep(world: World, dt: float) -> None:
    """Add the sound of a tick, found by its name."""
    samples = np.zeros((FRAME, 2), np.float32)
    samples[:, 0] = tone(FRAME) if world.tick == 30 else 0
    world.resource("frame.Soundtrack").add(samples)


def test_a_plugin_fills_the_film_of_a_game(tmp_path: Path) -> None:
    """A plugin that finds the soundtrack by its name is heard in the film of a game, in step with its frames."""
    sounding = SimpleNamespace(
        rish_systems=lambda: [beep],
        rish_ready=lambda app: app.world.resource("frame.Soundtrack").offer(RATE, 2),
    )
    manifest = parse_manifest("rish: 1\nscenes: {main: []}")
    extra: Any = {"frame": frame_plugin, "sounding": sounding}
    with App(manifest, installed=[], extra=extra, headless=True, backend=Painted(), policy="raise") as app:
        with app.host.record([tmp_path / "a.mp4"], app.clock.dt) as kept:
            app.run(60, each=lambda app: kept.take())
            kept.finish()
        assert not app.world[Soundtrack].wanted
    samples, begin, images = heard(tmp_path / "a.mp4")
    assert images == 60
    assert abs(onset(samples[0], begin) - 30 / FPS) < 1.1 / FPS


def test_sound_stays_in_step_with_uneven_frames(tmp_path: Path) -> None:
    """Frames with no samples or those of two ticks, as in real time, shift the sound by a frame at most."""
    blocks = [FRAME if frame == 30 else (0, FRAME, 2 * FRAME, 3 * FRAME, 0)[frame % 5] for frame in range(60)]
    for name, counts in {"a": blocks, "b": [0] * 29 + blocks[29:], "c": [2 * FRAME] * 60}.items():
        path = tmp_path / f"{name}.mp4"
        capture(path, counts)
        samples, begin, _ = heard(path)
        assert abs(onset(samples[0], begin) - 30 / FPS) < 2.2 / FPS
        assert abs(begin + samples.shape[1] / RATE - 1) < 2.5 / FPS


def test_without_an_offer_a_film_has_no_sound(tmp_path: Path) -> None:
    """A film has no stream of sound if no plugin offers any."""
    soundtrack = Soundtrack()
    with Capture([tmp_path / "a.mp4"], 1 / FPS, lambda: PIXELS, soundtrack) as kept:
        kept.take()
        kept.finish()
    with av.open(str(tmp_path / "a.mp4")) as container:
        assert not container.streams.audio


def test_samples_are_kept_only_for_a_film(tmp_path: Path) -> None:
    """Samples are wanted and kept only while an MP4 is captured; wrong ones are named."""
    soundtrack = Soundtrack()
    with pytest.raises(UsageError, match="1 to 8 channels, not 9"):
        soundtrack.offer(RATE, 9)
    soundtrack.offer(RATE, 2)
    with Capture([tmp_path / "a.png"], 1 / FPS, lambda: PIXELS, soundtrack):
        assert not soundtrack.wanted
        soundtrack.add(np.zeros((8, 2), np.float32))
    assert len(soundtrack.take()) == 0
    with pytest.raises(UsageError, match=r"\(n, 2\).*\(8, 1\)"):
        soundtrack.add(np.zeros((8, 1), np.float32))
