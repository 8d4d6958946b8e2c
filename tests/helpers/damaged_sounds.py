"""Damaged sound files for tests, played by a process of its own."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np

from sound_files import arcade_sound, encoded, loop_chunk, marker_chunks, mutated, tone, wav_bytes


def originals() -> dict[str, bytes]:
    """Return whole files of all formats, by name."""
    sound = tone(9000, 2)
    more = loop_chunk(10, 1900) + marker_chunks({"x": 5, "yy": 77})
    found = {f"made.{form}": encoded(sound, form) for form in ("flac", "mp3", "ogg")}
    found["floats.wav"] = wav_bytes(sound[:2000], bits=-32, extensible=True, more=more)
    found["deep.wav"] = wav_bytes(sound[:2000], bits=24)
    for name in ("laser1.wav", "laser1.ogg", "laser1.mp3", "rockHit2.ogg"):
        found[name] = arcade_sound(name).read_bytes()
    return found


def play_damaged(folder: str, seeds: range) -> None:
    """Play a damaged file for each seed, whole and as a stream; raises AssertionError."""
    import logging

    from rish_audio.clips.clip_library import ClipLibrary
    from rish_audio.clips.headers import SOUND_LOADERS
    from rish_audio.components.block import LENGTH
    from rish_core import Assets
    from rish_ecs import World

    told: list[str] = []
    log = logging.getLogger("rish.plugins.audio")
    handler = logging.Handler()
    handler.emit = lambda record: told.append(record.getMessage())
    log.addHandler(handler)
    log.propagate = False
    files = originals()
    names = list(files)
    for seed in seeds:
        kind = names[seed % len(names)]
        name = f"{seed}-{kind}"
        path = Path(folder, name)
        path.write_bytes(mutated(files[kind], random.Random(seed)))
        world, library = World(), ClipLibrary()
        world.put(Assets(folder, SOUND_LOADERS))
        told.clear()
        info = library.info(world, name)
        row = library.row(world, name, wait=True)
        assert bool(row) != bool(told), (name, told)
        if row:
            samples = library._table._samples[row]
            assert np.abs(samples).max() <= 4, name
            assert samples.shape == (info.frames, info.channels), name
        loop = (100, info.frames) if seed % 2 and info.frames > 100 else None
        for position in (0, 735, 5000, 900, info.frames - 700):
            streamed = library.feed(world, name, 1, position, 735, loop=loop, wait=True)
            assert streamed or told, name
            assert library.table[streamed, LENGTH] in (0, info.frames)
        assert len(told) <= 1, told
        assert all(each.startswith(f"{name}: ") and "silence is heard instead" in each for each in told), told
        library.close()
        path.unlink()
