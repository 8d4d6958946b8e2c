"""What is heard where: the listener, distance, Doppler effect and what a snapshot keeps of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_audio import AudioListener, AudioSettings, AudioState
from rish_core import Edges, Transform, teleport

METER = 64


def test_the_listener_is_that_component_else_the_camera_else_the_settings(studio: Any) -> None:
    """The first enabled AudioListener counts, then the main camera of the plugin that draws, then the settings."""
    scene = "\n    - {Transform: {position: [500, 0]}, Camera: {}}\n"
    game = studio("{listener: [-500, 0]}", scene, plugins="frame, render, audio")
    listener = game.listener(0, 900)
    game.source("a.wav", 0, 0, loop=True)
    ears = game.run().world[AudioState]
    assert ears.ears == (0, 900, 0)
    game.world.set(listener, AudioListener(enabled=False))
    assert game.run().world[AudioState].ears == (500, 0, 0)
    other = studio("{listener: [-500, 7]}")
    other.source("a.wav", loop=True)
    assert other.run().world[AudioState].ears == (-500, 7, 0)


def test_a_listener_hears_along_its_own_axes(studio: Any) -> None:
    """Turned by a quarter, what was right is behind; forward and up turn as well; the gain counts for all places."""
    game = studio(listens=False)
    listener = game.listener()
    game.source("a.wav", 1000, 0, loop=True)
    assert game.run().voices[0]["direction"] == pytest.approx((1, 0, 0))
    game.world.set(listener, Transform(rotation=np.pi / 2))
    assert game.run().voices[0]["direction"] == pytest.approx((0, -1, 0), abs=1e-6)
    game.world.set(listener, Transform(rotation=0))
    game.world.set(listener, AudioListener(forward=(1, 0, 0), gain=0.5))
    (voice,) = game.run(2).voices
    assert voice["direction"] == pytest.approx((0, 1, 0), abs=1e-6)
    assert voice["level"] == pytest.approx(0.1)


@pytest.mark.parametrize("distance", [100, 200, 400, 800, 1600, 3200])
def test_levels_fall_with_the_inverse_of_the_distance(studio: Any, distance: float) -> None:
    """The rms of a source is within 0.5 dB of min_distance / distance."""
    game = studio()
    game.listener()
    game.source("a.wav", 0, distance, loop=True)
    loud = np.sqrt((game.run(20).samples[735 * 5 :] ** 2).sum(axis=1).mean())
    expected = 0.5 / np.sqrt(2) * min(200 / distance, 1)
    assert abs(20 * np.log10(loud / expected)) < 0.5


def _pass(game: Any, entity: int, speed: float, ticks: int) -> Any:
    """Move an entity along x and return the samples."""
    for _ in range(ticks):
        x = float(game.world.get(entity, Transform).position[0])
        game.world.set(entity, Transform(position=(x + speed / 60, 0)))
        game.run()
    return game.samples


def _hertz(samples: Any) -> float:
    """Return the frequency of a tone, by its zero crossings between the first and the last."""
    line = samples.sum(axis=1)
    at = np.flatnonzero((line[:-1] < 0) & (line[1:] >= 0))
    exact = at - line[at] / (line[at + 1] - line[at])
    return 44_100 * (len(exact) - 1) / (exact[-1] - exact[0])


@pytest.mark.parametrize(("begin", "speed"), [(-2000, 40), (400, 40), (-3000, 40 * METER), (600, 40 * METER)])
def test_a_source_that_passes_has_the_frequency_of_theory(studio: Any, begin: float, speed: float) -> None:
    """A tone of 440 Hz that comes and goes at 40 units/s, or 40 m/s, is within 1 % of 440 c / (c -+ v)."""
    game = studio("{max_distance: 100000, min_distance: 2000}")
    game.listener(0, 1)
    entity = game.source("a.wav", begin, 0, loop=True)
    samples = _pass(game, entity, speed, 40)[735 * 4 :]
    sound = 343 * METER
    assert _hertz(samples) == pytest.approx(440 * sound / (sound + np.sign(begin) * speed), rel=0.01)
    if speed > 1000:  # the effect itself is far larger than the tolerance
        assert abs(_hertz(samples) / 440 - 1) > 0.08


def _rates(game: Any) -> list[float]:
    return [voice["rate"] for voice in game.voices]


@pytest.mark.parametrize("who", ["source", "listener"])
def test_a_teleport_has_no_doppler_effect(studio: Any, who: str) -> None:
    """The pitch stays when a source or the listener is put elsewhere; after that, speed counts again."""
    game = studio(plugins="frame, audio", listens=False)
    entities = {"listener": game.listener(), "source": game.source("a.wav", 300, 0, loop=True)}
    game.run(3)
    assert _rates(game) == [1]
    game.act(lambda world: teleport(world, entities[who], (500, 0)))
    assert _rates(game) == [1]
    game.act(lambda world: world.set(entities[who], Transform(position=(600, 0))))
    assert _rates(game) != [1]
    game.act(lambda world: world.set(entities[who], Transform(position=(60000, 0))), ticks=1)
    assert _rates(game) == [1]


def test_the_first_tick_has_no_doppler_effect(studio: Any) -> None:
    """A source that has just appeared has no speed, wherever it is."""
    game = studio(listens=False)
    game.listener(50, 0)
    game.source("a.wav", 3000, 0, loop=True)
    assert _rates(game.run()) == [1]


def test_a_snapshot_keeps_speeds(studio: Any) -> None:
    """After a restore, the next tick has the same rates, levels and positions as the first time."""
    game = studio(listens=False)
    listener, source = game.listener(), game.source("a.wav", 500, 0, loop=True)

    def step() -> list[dict[str, Any]]:
        for entity, speed in ((listener, 3), (source, -20)):
            x = float(game.world.get(entity, Transform).position[0])
            game.world.set(entity, Transform(position=(x + speed, 0)))
        return game.run().voices

    step()
    step()
    kept = game.world.snapshot()
    once = step()
    assert once[0]["rate"] > 1.05
    step()
    game.world.restore(kept)
    again = step()
    assert [{key: np.asarray(value).tolist() for key, value in voice.items()} for voice in again] == [
        {key: np.asarray(value).tolist() for key, value in voice.items()} for voice in once
    ]


def test_walls_and_cones_make_quieter(studio: Any) -> None:
    """A wall between source and listener muffles smoothly; outside its cone a source has its outer gain."""
    game = studio(listens=False)
    game.listener()
    game.source("a.wav", 100, 0, loop=True)
    game.source("b.wav", 100, 0, loop=True, cone_inner=1.0, cone_outer=2.0, cone_outer_gain=0.25)
    open_, turned = (voice["level"] for voice in game.run().voices)
    assert (open_, turned) == (1, pytest.approx(0.25))
    game.world[Edges].append(1, x0=50, y0=-50, x1=50, y1=50)
    levels = [game.run().voices[0]["level"] for _ in range(40)]
    assert levels == sorted(levels, reverse=True)
    assert 0.85 < levels[0] < 1
    assert levels[-1] == pytest.approx(0.65, abs=0.01)
    assert game.voices[0]["cutoff"] < 10_000


def test_only_edges_with_a_bit_of_the_mask_are_walls(studio: Any) -> None:
    """With a `wall_mask`, edges that have none of its bits let sound pass."""
    game = studio(listens=False)
    game.listener()
    game.source("a.wav", 100, 0, loop=True)
    game.world[AudioSettings].wall_mask = 5
    for mask, level in ((2, 1.0), (6, 0.65)):
        game.world[Edges].clear()
        game.world[Edges].append(1, x0=50, y0=-50, x1=50, y1=50, mask=mask)
        assert game.run(60).voices[0]["level"] == pytest.approx(level, abs=0.01)
