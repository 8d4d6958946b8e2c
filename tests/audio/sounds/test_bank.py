"""The sounds of the settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rish_audio import ClipLibrary, SoundBank


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
