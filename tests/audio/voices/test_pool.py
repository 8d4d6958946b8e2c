"""The pool of voices: slots, stealing, virtual voices, and tables that stay in order whatever is asked of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rish_audio import AudioSource, AudioState, SoundState, Voices, change, pause, play, play_music, resume, seek, stop
from rish_audio.voices.admission import MAX_VOICES
from rish_core import Transform


def _slots(game: Any) -> list[int]:
    return [voice["slot"] for voice in game.voices]


def test_the_most_important_voices_are_mixed(studio: Any) -> None:
    """There are as many slots as the settings say; priority comes before level, and level before age."""
    game = studio("{voices: 3}")

    def begin(world: Any) -> None:
        for gain, priority in ((0.9, 0), (0.1, 5), (0.5, 0), (1.0, 0), (0.2, 0)):
            play(world, "a.wav", gain=gain, priority=priority)

    assert sorted(_slots(game.act(begin))) == [-1, -1, 0, 1, 2]
    assert [slot >= 0 for slot in _slots(game)] == [True, True, False, True, False]


def test_equal_voices_do_not_take_turns(studio: Any) -> None:
    """A voice that is mixed keeps its slot against one that is a little louder, and loses it to a much louder one."""
    game = studio("{voices: 1}").act(lambda world: play(world, "a.wav", gain=0.5, loop=True))
    game.act(lambda world: play(world, "b.wav", gain=0.55, loop=True), ticks=3)
    assert _slots(game) == [0, -1]
    game.act(lambda world: change(world, "gain", 0.7, sound="b.wav"))
    assert _slots(game) == [-1, 0]
    assert game.world[AudioState].stolen == 1


def test_a_virtual_voice_comes_back_at_the_right_place(studio: Any) -> None:
    """A voice without a slot moves on unheard; heard again it is where it would be had it been mixed all along."""
    game = studio("{voices: 1}").act(lambda world: play(world, "a.wav", gain=0.4))
    game.act(lambda world: play(world, "b.wav", tag="loud"), ticks=20)
    assert _slots(game) == [-1, 0]
    game.act(lambda world: stop(world, tag="loud"))
    assert [(voice["slot"], voice["frame"]) for voice in game.voices] == [(0, 22 * 735)]
    alone = studio().act(lambda world: play(world, "a.wav", gain=0.4), ticks=30)
    assert np.array_equal(game.run(8).samples[-735 * 5 :], alone.samples[-735 * 5 :])


def test_silent_voices_need_no_slot(studio: Any) -> None:
    """A voice that is too far away, or has no gain, is virtual and ends in its time."""
    game = studio("{max_distance: 500}").act(lambda world: play(world, "short.wav", (600, 0)))
    game.act(lambda world: play(world, "short.wav", gain=0))
    assert _slots(game) == [-1, -1]
    assert game.run(8).voices == []


def test_beyond_the_most_voices_the_least_important_one_ends(studio: Any) -> None:
    """The World never has more than MAX_VOICES; a new one replaces one that is not more important."""
    game = studio(listens=False)

    def many(world: Any) -> None:
        for index in range(MAX_VOICES + 10):
            play(world, "a.wav", priority=index % 2, loop=True)

    game.act(many)
    voices = game.world[Voices]
    assert len(voices) == MAX_VOICES
    assert int((voices.priority == 1).sum()) == MAX_VOICES // 2 + 5
    game.act(lambda world: play(world, "b.wav", priority=-1))
    assert not (voices.column("sound") == game.world.intern("b.wav")).any()
    assert (voices.slot >= 0).sum() == 64


def test_a_pool_that_has_become_smaller_keeps_to_its_size(studio: Any) -> None:
    """A World of a save game with more slots plays on with those that there are."""
    game = studio("{voices: 8}", listens=False)
    for _ in range(8):
        game.act(lambda world: play(world, "a.wav", loop=True))
    small = studio("{voices: 2}")
    small.world[Voices].clear()
    kept = game.world[Voices]
    small.world[Voices].append(
        8,
        **{
            name: kept.column(name).copy()
            for name in kept.schema.fields
            if kept.schema.fields[name].type.special != "str"
        },
        sound="a.wav",
        clip="a.wav",
        bus="ui",
    )
    assert sorted(_slots(small.run())) == [-1] * 6 + [0, 1]


def test_a_position_between_two_samples_stays_below_the_next(studio: Any) -> None:
    """At any pitch `fraction` is below 1: a place that rounds to that of the next sample is stored as that sample."""
    game = studio("{voices: 4}")
    for eighths in range(1, 128):
        play(game.world, "a.wav", pitch=eighths / 8, loop=True)
    for _ in range(20):
        game.run()
        fraction = game.world[Voices].fraction
        assert len(fraction) > 60
        assert ((fraction >= 0) & (fraction < 1)).all()


_SOUNDS = st.sampled_from(["a.wav", "short.wav", "varied", "gone.wav", "coin", ""])
_TAGS = st.sampled_from(["", "x", "y"])
_TIMES = st.sampled_from([0.0, 0.0, 0.01, 0.1, 1.0])
_NUMBERS = st.floats(-3, 20, allow_nan=False)
_PLACES = st.one_of(st.none(), st.tuples(st.floats(-1e6, 1e6), st.floats(-5000, 5000)))
_GIVEN = {"tag": _TAGS, "fade": _TIMES}
_ORDERS = st.one_of(
    st.builds(
        lambda *given, **named: lambda world: play(world, *given, **named), _SOUNDS, _PLACES, gain=_NUMBERS,
        pitch=_NUMBERS, pan=_NUMBERS, loop=st.booleans(), priority=st.integers(-9, 9), start=_NUMBERS, delay=_TIMES,
        replace=st.booleans(), **_GIVEN,
    ),
    st.builds(lambda sound, fade: lambda world: play_music(world, sound, fade=fade), _SOUNDS, _TIMES),
    *(
        st.builds(lambda do, **named: lambda world: do(world, **named), st.just(do), **_GIVEN)
        for do in (stop, pause, resume)
    ),
    st.builds(lambda to, tag: lambda world: seek(world, to, tag=tag), _NUMBERS, _TAGS),
    st.builds(
        lambda name, value, **named: lambda world: change(world, name, value, **named),
        st.sampled_from(["gain", "pitch", "pan", "low_pass"]), _NUMBERS, relative=st.booleans(), **_GIVEN,
    ),
)  # fmt: skip
_WRITES = st.fixed_dictionaries(
    {},
    optional={
        "clip": _SOUNDS, "state": st.sampled_from(SoundState), "loop": st.booleans(), "spatial": st.booleans(),
        "gain": st.floats(0, 100), "pitch": st.floats(0.01, 16), "max_distance": st.floats(0, 1e5),
    },
)  # fmt: skip


def _check(game: Any) -> None:
    voices = game.world[Voices]
    for name in (
        "gain",
        "pitch",
        "pan",
        "level",
        "rate",
        "fraction",
        "fade",
        "cutoff",
        "position",
        "direction",
        "muffled",
    ):
        assert np.isfinite(voices.column(name)).all(), name
    serial = voices.serial.tolist()
    assert serial == sorted(set(serial))
    slots = voices.slot[voices.slot >= 0].tolist()
    assert len(slots) == len(set(slots)) <= 4
    assert all(slot < 4 for slot in slots)
    assert ((voices.fraction >= 0) & (voices.fraction < 1)).all()
    assert (voices.frame >= 0).all()
    most = voices.length + 16 * 735 * 5
    assert (voices.loop | (voices.frame < most)).all()
    assert not (voices.paused & (voices.slot >= 0)).any()
    table = game.world.table(AudioSource)
    playing = table.voice[table.voice != 0].tolist()
    assert len(playing) == len(set(playing))
    assert set(playing) <= set(serial)
    for block in game.kept[-3:]:
        assert np.isfinite(block).all()
        assert np.abs(block).max() <= 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.one_of(_ORDERS, st.tuples(st.integers(0, 2), _WRITES)), max_size=4), max_size=12))
def test_no_commands_bring_the_tables_out_of_order(crowd: Any, ticks: list[list[Any]]) -> None:
    """After any commands and writes, serials increase, slots are unique, and all numbers are finite."""
    game, start = crowd
    game.world.restore(start)
    sources = game.world.table(AudioSource).entities.tolist()
    for orders in ticks:
        for order in orders:
            if callable(order):
                game.wanted.append(order)
            else:
                game.world.set(sources[order[0]], AudioSource(**order[1]))
        game.run()
        _check(game)


@pytest.fixture
def crowd(studio: Any) -> tuple[Any, Any]:
    """A game with three sources and four slots, and its first snapshot."""
    game = studio("{voices: 4, sounds: {varied: {clips: [a.wav, b.wav], pitch_spread: 3, cooldown: 0.05, most: 3}}}")
    for x in (0, 300, 3000):
        game.world.spawn(Transform(position=(x, 0)), AudioSource(clip="a.wav", loop=x > 0))
    return game, game.run().world.snapshot()
