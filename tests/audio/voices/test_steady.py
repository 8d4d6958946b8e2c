"""Voices that nothing changed: they sound as if everything were computed in each tick, without computing it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from long_runs import long
from rish_audio import (
    AudioListener,
    AudioSettings,
    AudioSource,
    AudioState,
    Rolloff,
    SoundState,
    Voices,
    change,
    pause,
    play,
    resume,
    stop,
)
from rish_audio.voices import step
from rish_audio.voices.steady import Steady
from rish_core import Disabled, Transform, publish_edges

_FIELDS: tuple[dict[str, Any], ...] = (
    {"gain": 0.5}, {"pitch": 2}, {"state": SoundState.PAUSED}, {"state": SoundState.PLAYING}, {"clip": "b.wav"},
    {"loop": True}, {"loop": False}, {"state": SoundState.STOPPED}, {"cone_inner": 1.0}, {"rolloff": Rolloff.LINEAR},
    {"height": 30}, {"spatial": False}, {"spatial": True},
)  # fmt: skip
_SETTINGS: tuple[tuple[str, Any], ...] = (
    ("doppler", 0.5), ("doppler", 1.0), ("max_distance", 900.0), ("max_distance", 4000.0), ("air", 1.0),
    ("listener", (50, 0)), ("walls", 0.2),
)  # fmt: skip


def _command(world: Any, random: Random, who: int) -> None:
    """Write a random command."""
    fade = random.choice((0.0, 0.05))
    match random.randrange(5):
        case 0:
            play(world, random.choice(("a.wav", "short.wav")), source=who, loop=random.random() < 0.5, fade=fade)
        case 1:
            play(world, "short.wav", (random.randrange(600), 5), delay=fade)
        case 2:
            random.choice((pause, resume, stop))(world, source=who, fade=fade)
        case 3:
            random.choice((pause, resume))(world)
        case _:
            change(world, "gain", random.random(), source=who, fade=fade)


def _act(world: Any, random: Random) -> None:
    """Change something at random, in the sounds or beside them."""
    handles = world.table(Transform).entities.tolist()
    who, place = random.choice(handles), (random.randrange(400), random.randrange(100))
    match random.randrange(12):
        case 0:
            world.set(who, Transform(position=place))
        case 1:
            world.set(who, Transform(rotation=random.random()))
        case 2:
            world.spawn(Transform(position=place))
        case 3:
            world.spawn(Transform(position=place), AudioSource(clip="a.wav", loop=True))
        case 4 if len(handles) > 3:
            world.despawn(who)
        case 5:
            world.add(who, Disabled())
        case 6:
            for each in world.table(Disabled).entities.tolist():
                world.remove(each, Disabled)
        case 7:
            publish_edges(world, "test", x0=60.0, y0=-90.0, x1=60.0, y1=float(place[1]), mask=1)
        case 8:
            world.add(who, AudioListener(gain=random.random()))
        case 9:
            sources = world.table(AudioSource).entities.tolist()
            world.set(random.choice(sources), AudioSource(**random.choice(_FIELDS))) if sources else None
        case 10:
            setattr(world[AudioSettings], *random.choice(_SETTINGS))
        case _:
            _command(world, random, who)


def _state(game: Any) -> list[Any]:
    """Return all state of the sounds, and the samples of the last tick."""
    world = game.world
    tables = [world[Voices], world.table(AudioSource)]
    columns = [(name, table.flat(name).tobytes()) for table in tables for name in table.schema.fields]
    return [*columns, vars(world[AudioState]), [repr(end) for end in game.ended], game.kept[-1].tobytes()]


@pytest.mark.parametrize("seed", range(long(8, 1)))
def test_steady_voices_are_as_computed_ones(studio: Any, seed: int) -> None:
    """In a game in which much stands still for a while, voices, events and samples are those of full computations."""
    games, random, steady = (studio("{voices: 4}"), studio("{voices: 4}")), Random(seed), 0
    worlds = [game.world for game in games if [game.source("a.wav", 50 * x) for x in range(3)]]
    saved = [[(world.snapshot(), world.save_state()) for world in worlds]]
    for tick in range(600):
        acts = [random.random() for _ in range(random.choice((0,) * 14 + (1, 1, 2)))]
        for game, world, (snapshot, state) in zip(games, worlds, saved[-1], strict=True):
            game.wanted += [lambda world, each=each: _act(world, Random(each)) for each in acts]
            if acts and acts[0] < 0.1:
                world.restore(snapshot)
            elif acts and acts[0] < 0.2:
                world.load_state(state)
        games[1].world[Steady].calm = False
        for game in games:
            game.run()
        steady += games[0].world[Steady].calm
        assert _state(games[0]) == _state(games[1])
        if tick % 10 == 0:
            saved.append([(world.snapshot(), world.save_state()) for world in worlds])
    assert steady > 100


def test_a_source_that_stands_still_computes_nothing(studio: Any, monkeypatch: Any) -> None:
    """Beside things that come, go and move, and with equal values written, it is not computed again until it moves."""
    game = studio(listens=False)
    source = game.source("a.wav", 50, loop=True)
    other = game.world.spawn(Transform())
    game.run(4)
    computed: list[int] = []
    compute = step._compute
    monkeypatch.setattr(step, "_compute", lambda *given: (computed.append(1), compute(*given))[1])
    frame = game.voices[0]["frame"]
    for tick in range(10):
        game.world.set(other, Transform(position=(tick, 0)))
        game.change(source, gain=1.0)
        game.world.spawn(Transform())
        game.run()
    assert not computed
    assert game.voices[0]["frame"] == frame + 10 * 735
    game.world.set(source, Transform(position=(60, 0)))
    game.run()
    assert len(computed) == 1


def test_a_loaded_state_is_as_steady_as_it_was(studio: Any, monkeypatch: Any) -> None:
    """Voices of a state that was saved while nothing changed are not computed again after a load."""
    game = studio(listens=False)
    source = game.source("a.wav", 50, loop=True)
    game.run(4)
    state = game.world.save_state()
    game.world.set(source, Transform(position=(90, 0)))
    game.run(2)
    game.world.load_state(state)
    computed: list[int] = []
    compute = step._compute
    monkeypatch.setattr(step, "_compute", lambda *given: (computed.append(1), compute(*given))[1])
    game.run(3)
    assert not computed
