"""Sounds that start in one tick: together they are what they would be one by one."""

from __future__ import annotations

from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from long_runs import long
from rish_audio import AudioSource, AudioState, SoundState, Voices, pause, play, resume, stop
from rish_audio.voices import admission, commands, sources
from rish_core import Transform

from .one_by_one import start_one_by_one

_VARIED = "{clips: [a.wav, b.wav], gain_spread: 0.5, pitch_spread: 3, cooldown: 0.05, most: 3}"
_LOOP = "{clips: b.wav, loop: true, bus: ui, priority: 2, most: 2, echo: 0.5, spatial: false, low_pass: 900}"
_SETTINGS = f"{{voices: 4, sounds: {{varied: {_VARIED}, bells: {_LOOP}}}}}"
_SOUNDS = ("a.wav", "short.wav", "varied", "bells", "gone.wav", "coin", "")


def _order(random: Random) -> Any:
    """Return a function that writes random commands, mostly several sounds that start."""
    names = random.choices(_SOUNDS, k=random.randrange(8))
    tag, fade = random.choice(("", "x", "y")), random.choice((0.0, 0.0, 0.1))
    if random.random() < 0.3:
        do = random.choice((stop, pause, resume))
        return lambda world: do(world, tag=tag, fade=fade)
    given = {
        "at": random.choice((None, (3, 4))), "gain": random.choice((0, 1)), "priority": random.choice((-1, 0, 0, 2)),
        "replace": random.random() < 0.3, "loop": random.random() < 0.3, "delay": random.choice((0.0, 0.0, 0.05)),
        "start": random.uniform(-1, 2), "pitch": random.uniform(0, 3), "pan": random.uniform(-1, 1),
    }  # fmt: skip
    return lambda world: [play(world, name, tag=tag, fade=fade, **given) for name in names]


def _write(random: Random) -> tuple[int, dict[str, Any]]:
    """Return the index of a source, and fields that are written to it."""
    fields = {
        "clip": random.choice(_SOUNDS),
        "state": random.choice([*SoundState]),
        "priority": random.randrange(-1, 3),
    }
    name = random.choice([*fields])
    return random.randrange(6), {name: fields[name]}


def _run(game: Any, orders: list[Any], writes: list[Any]) -> None:
    handles = game.world.table(AudioSource).entities.tolist()
    for index, values in writes:
        game.world.set(handles[index], AudioSource(**values))
    game.wanted.extend(orders)
    game.run()


def _state(game: Any) -> dict[str, Any]:
    """Return all state of the sounds, with texts, and the samples of the last tick as bytes."""
    world = game.world
    columns = {
        table.schema.name: [
            [repr(table.read_row(name, row)) for name in table.schema.fields] for row in range(len(table))
        ]
        for table in (world[Voices], world.table(AudioSource))
    }
    ended = [repr(end) for end in game.ended]
    return {**columns, "state": vars(world[AudioState]), "ended": ended, "samples": game.kept[-1].tobytes()}


@pytest.fixture
def pair(studio: Any) -> Any:
    """Two equal games with six sources and room for four voices."""
    with patch.object(admission, "MAX_VOICES", 4):
        games = studio(_SETTINGS), studio(_SETTINGS)
        for game in games:
            for index in range(6):
                source = AudioSource(clip=("a.wav", "varied", "bells")[index % 3], loop=index < 2, fade_in=0.1 * index)
                game.world.spawn(Transform(position=(100 * index, 0)), source)
        yield games


def test_sounds_that_start_together_are_as_if_started_one_by_one(pair: Any) -> None:
    """For any commands and writes, voices, sources, events, random numbers and samples are the same."""
    random, plain = Random(7), {"start_voices": start_one_by_one}
    for _ in range(long(400, 80)):
        orders = [_order(random) for _ in range(random.randrange(4))]
        writes = [_write(random) for _ in range(random.choice((0, 1, 2, 9)))]
        _run(pair[0], orders, writes)
        with patch.multiple(commands, **plain), patch.multiple(sources, **plain):
            _run(pair[1], orders, writes)
        assert _state(pair[0]) == _state(pair[1])


def test_three_thousand_sounds_leave_the_newest(studio: Any) -> None:
    """Of many equal sounds of one tick the last ones play, and the end of each other one is reported in order."""
    game = studio(listens=False)
    game.act(lambda world: [play(world, "a.wav", pan=index / 3000) for index in range(3000)], ticks=2)
    assert np.array_equal(game.world[Voices].serial, np.arange(3000 - admission.MAX_VOICES, 3000) + 1)
    assert len(game.ended) == game.world[AudioState].stolen == 3000 - admission.MAX_VOICES
    assert all(end.stolen for end in game.ended)
