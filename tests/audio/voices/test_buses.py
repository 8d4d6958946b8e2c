"""Buses and mixes: parameters that change over time, and what comes back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_audio import AudioOutput, AudioSettings, Buses, play, set_bus, set_mix


def _row(game: Any, name: str) -> int:
    return [game.world.text(number) for number in game.world[Buses].column("name").tolist()].index(name)


def _bus(game: Any, name: str) -> dict[str, Any]:
    table = game.world[Buses]
    return {field: table.read_row(field, _row(game, name)) for field in table.schema.fields}


def test_a_parameter_goes_to_its_value_in_time(studio: Any) -> None:
    """Factors go linearly, frequencies by equal steps of pitch, and both end exactly; a new change replaces the old."""
    game = studio().act(lambda world: set_bus(world, "music", fade=0.5, gain=0, low_pass=200), ticks=15)
    assert _bus(game, "music")["gain"] == pytest.approx(0.5)
    assert _bus(game, "music")["low_pass"] == pytest.approx(2000, rel=1e-3)
    game.run(20)
    assert (_bus(game, "music")["gain"], _bus(game, "music")["low_pass"]) == (0, 200)
    game.act(lambda world: set_bus(world, "music", fade=1, gain=1), ticks=30)
    game.act(lambda world: set_bus(world, "music", fade=0.1, gain=0), ticks=60)
    assert _bus(game, "music")["gain"] == 0


def test_values_are_limited_and_switches_are_set_at_once(studio: Any) -> None:
    """A parameter stays within its limits; muting takes effect in the same tick."""
    game = studio().act(lambda world: set_bus(world, "music", gain=-5, reverb_mix=7))
    assert (_bus(game, "music")["gain"], _bus(game, "music")["reverb_mix"]) == (0, 1)
    game.act(lambda world: play(world, "a.wav", bus="ui"), ticks=2)
    game.act(lambda world: set_bus(world, "ui", muted=True), ticks=2)
    assert np.abs(game.kept[-1]).max() == 0


_MIXES = "{low: {music: {gain: 0.2, low_pass: 400}}, wet: {effects: {reverb_mix: 0.5}}}"
MIXES = f"{{buses: {{music: {{gain: 0.8}}}}, mixes: {_MIXES}}}"


def test_a_mix_changes_buses_and_gives_them_back(studio: Any) -> None:
    """From one mix to another, what only the first one changed goes back to the settings; "" brings all back."""
    game = studio(MIXES).act(lambda world: set_mix(world, "low", 0))
    assert (_bus(game, "music")["gain"], _bus(game, "music")["low_pass"]) == pytest.approx((0.2, 400))
    game.act(lambda world: set_mix(world, "wet", 0.1), ticks=10)
    assert (_bus(game, "music")["gain"], _bus(game, "music")["low_pass"]) == pytest.approx((0.8, 0))
    assert _bus(game, "effects")["reverb_mix"] == 0.5
    game.act(lambda world: set_mix(world, "", 0))
    assert _bus(game, "effects")["reverb_mix"] == 0


def test_the_volume_that_a_player_sets_multiplies_the_gain(studio: Any) -> None:
    """The settings have a factor for each bus, which a mix does not change; other names have no effect."""
    game = studio("{volumes: {effects: 0.5}}")
    game.act(lambda world: play(world, "a.wav", bus="effects", loop=True), ticks=10)
    half = np.abs(game.kept[-1]).max()
    game.world[AudioSettings].volumes = {"nothing": 0.0}
    game.run(5)
    assert np.abs(game.kept[-1]).max() == pytest.approx(2 * half, rel=0.02)
    game.world[AudioSettings].volumes = {"master": 0}
    game.run(5)
    assert np.abs(game.kept[-1]).max() == 0
    assert _bus(game, "master")["gain"] == 1


def test_a_bus_ducks_under_another_one(studio: Any) -> None:
    """Music gets quieter while a voice on the other bus is loud, and comes back."""
    game = studio("{buses: {talk: {}, music: {duck_by: talk, duck_gain: 0.25, duck_release: 0.05}}}")

    def music() -> float:
        return float(np.abs(game.world[AudioOutput].mixer.peak[_row(game, "music")]).max())

    game.act(lambda world: play(world, "a.wav", bus="music", loop=True), ticks=10)
    before = music()
    game.act(lambda world: play(world, "b.wav", bus="talk"), ticks=40)
    assert music() == pytest.approx(before / 4, rel=0.1)
    game.run(60)
    assert music() == pytest.approx(before, rel=0.01)
