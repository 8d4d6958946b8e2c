"""Named sounds: what the settings give, what ships, and what an edit changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_audio import PRESETS, AudioSettings, ClipLibrary, SoundBank, play
from rish_audio.synth.reading import shipped_tunes


def test_a_sound_has_the_fields_of_its_settings(studio: Any) -> None:
    """A file, a list or a mapping is a sound; fields that are not given have their defaults."""
    fields = "clips: a.wav, bus: ui, gain: 0.5, cooldown: 1, markers: {b: 2, a: 1}, streamed: true, loop_to: 0.5"
    game = studio(f"{{sounds: {{one: a.wav, two: [a.wav, b.wav], all: {{{fields}}}}}}}", listens=False)
    bank = game.world[SoundBank].of_world(game.world)
    assert (bank.sounds["one"].clips, bank.sounds["two"].clips) == (["a.wav"], ["a.wav", "b.wav"])
    sound = bank.sounds["all"]
    assert (sound.bus, sound.gain, sound.cooldown, sound.loop_to) == ("ui", 0.5, 1, 0.5)
    assert (sound.markers, sound.streamed) == ((("a", 1.0), ("b", 2.0)), True)
    assert (sound.name, sound.pitch, bank.sounds["one"].bus) == ("all", 1, "effects")


def test_tunes_are_music_unless_they_say_otherwise(studio: Any) -> None:
    """A tune loops everywhere on the bus music; its own fields come first."""
    game = studio("{sounds: {x: {tune: calm}, y: {tune: calm, loop: false, bus: ui}}}", listens=False)
    x, y = (game.world[SoundBank].of_world(game.world).sounds[name] for name in "xy")
    assert (x.bus, x.loop, x.spatial) == ("music", True, False)
    assert (y.bus, y.loop) == ("ui", False)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*PRESETS, *shipped_tunes()])
def test_everything_that_ships_can_be_played_by_name(studio: Any, name: str) -> None:
    """Presets and tunes are heard without any definition."""
    game = studio().act(lambda world: play(world, name), ticks=3)
    assert np.abs(game.samples).max() > 1e-4


def test_a_sound_of_the_game_replaces_one_that_ships(studio: Any) -> None:
    """A name of the settings comes before that of a preset."""
    game = studio("{sounds: {coin: a.wav}}").act(lambda world: play(world, "coin"))
    assert game.voices[0]["clip"] == "a.wav"


def test_an_edit_of_the_settings_changes_the_sounds(studio: Any) -> None:
    """New settings are read at the next tick; sources follow them, and made clips that changed are made again."""
    game = studio("{sounds: {x: {clips: a.wav, echo: 0.1}, made: {synth: coin}}}")
    game.source("x", loop=True)
    game.act(lambda world: play(world, "made"))
    assert game.voices[0]["length"] < 44_100
    edited = studio(
        "{sounds: {x: {clips: a.wav, echo: 0.7}, made: {synth: {preset: coin, hold: 2}}, y: b.wav}}", listens=False
    )
    game.world[AudioSettings].sounds = edited.world[AudioSettings].sounds
    game.act(lambda world: (play(world, "made"), play(world, "y")))
    source = next(voice for voice in game.voices if voice["sound"] == "x")
    assert source["echo"] == pytest.approx(0.7)
    assert [voice["sound"] for voice in game.voices][-2:] == ["made", "y"]
    assert game.voices[-2]["length"] > 44_100


def test_a_restore_keeps_the_clips_that_are_made(studio: Callable[..., Any]) -> None:
    """After a restore, whose settings are other objects with the same content, a made clip is not made again."""
    game = studio("{sounds: {zap: {synth: laser}}}")
    game.source("zap", loop=True)
    game.run(2)
    world = game.world
    before, sound = world[ClipLibrary].row(world, "synth:zap", looped=True), world[SoundBank].sound(world, "zap")
    snapshot = world.snapshot()
    game.run(2)
    world.restore(snapshot)
    game.run(2)
    assert before > 0
    assert world[SoundBank].sound(world, "zap") is sound
    assert world[ClipLibrary].row(world, "synth:zap", looped=True) == before
