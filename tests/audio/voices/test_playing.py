"""Commands: play, stop, pause, resume, seek, change, and how sounds vary."""

from __future__ import annotations

import logging
import math
from typing import Any, cast

import numpy as np
import pytest

from rish_audio import (
    AudioState,
    SoundCommand,
    Verb,
    change,
    pause,
    play,
    play_music,
    resume,
    seek,
    set_bus,
    set_mix,
    stop,
    stop_music,
)
from rish_core import UsageError


def test_a_sound_is_heard_from_the_tick_of_its_command_until_its_end(studio: Any) -> None:
    """A clip of 0.1 s is heard for six ticks, then its voice is gone and the end is reported once."""
    game = studio().act(lambda world: play(world, "short.wav", tag="x"), ticks=10)
    heard = [float(np.abs(block).max()) > 0.01 for block in game.kept]
    assert heard == [True] * 6 + [False] * 4
    assert game.voices == []
    assert [(end.sound, end.tag, end.stopped, end.stolen) for end in game.ended] == [("short.wav", "x", False, False)]


def test_commands_are_for_voices_that_fit_all_conditions(studio: Any) -> None:
    """Sound, tag, source and bus choose voices; a name that nothing has chooses none."""
    game = studio()

    def begin(world: Any) -> None:
        play(world, "a.wav", tag="one", bus="ui")
        play(world, "a.wav", tag="two")
        play(world, "b.wav", tag="one")

    game.act(begin)
    game.act(lambda world: stop(world, sound="a.wav", tag="one"))
    assert [(voice["sound"], voice["tag"]) for voice in game.voices] == [("a.wav", "two"), ("b.wav", "one")]
    game.act(lambda world: stop(world, tag="nothing")).act(lambda world: stop(world, bus="ui"))
    assert len(game.voices) == 2
    game.act(stop)
    assert game.voices == []
    assert [end.stopped for end in game.ended] == [True]
    assert [end.stopped for end in game.run().ended] == [True, True, True]


def test_a_pause_keeps_the_place(studio: Any) -> None:
    """A paused voice is silent and stays where it is; resumed it goes on from there."""
    game = studio().act(lambda world: play(world, "a.wav"), ticks=10).act(pause, ticks=5)
    (paused,) = game.voices
    assert (paused["frame"], paused["paused"], paused["slot"]) == (7350, True, -1)
    assert np.abs(game.kept[-1]).max() == 0
    (going,) = game.act(resume).voices
    assert (going["frame"], going["paused"]) == (8085, False)


def test_fades_end_or_pause_a_voice_when_they_are_over(studio: Any) -> None:
    """A voice that fades is removed or paused after the given time; resuming fades it in again."""
    game = studio().act(lambda world: play(world, "a.wav"), ticks=2)
    game.act(lambda world: pause(world, fade=0.1), ticks=3)
    assert not game.voices[0]["paused"]
    assert game.voices[0]["fade"] == pytest.approx(0.5, abs=0.01)
    assert game.run(3).voices[0]["paused"]
    game.act(lambda world: resume(world, fade=0.1), ticks=6)
    assert game.voices[0]["fade"] == 1
    game.act(lambda world: stop(world, fade=0.1), ticks=5)
    assert len(game.voices) == 1
    assert game.run().voices == []


def test_seek_continues_elsewhere_and_stays_within_the_clip(studio: Any) -> None:
    """A voice goes on from the given second; beyond the end it ends, and before the start it begins."""
    game = studio().act(lambda world: play(world, "a.wav", start=0.25))
    assert game.voices[0]["frame"] == 11025 + 735
    assert game.act(lambda world: seek(world, 0.5)).voices[0]["frame"] == 22050 + 735
    assert game.act(lambda world: seek(world, -3)).voices[0]["frame"] == 735
    assert game.act(lambda world: seek(world, 1e9)).run().voices == []


def test_gain_pitch_pan_and_low_pass_change_while_it_plays(studio: Any) -> None:
    """Each parameter is set, or multiplied; values beyond the limits are limited."""
    game = studio().act(lambda world: play(world, "a.wav", gain=0.5))
    game.act(lambda world: change(world, "gain", 0.5, relative=True))
    game.act(lambda world: change(world, "pitch", 1e6))
    game.act(lambda world: change(world, "pan", -5))
    game.act(lambda world: change(world, "low_pass", 500))
    (voice,) = game.voices
    assert [voice[name] for name in ("gain", "pitch", "pan", "low_pass")] == [0.25, 16, -1, 500]
    assert voice["cutoff"] == 500


def test_a_gain_slides_to_its_new_value(studio: Any) -> None:
    """The level goes linearly to the new gain, also from silence, and a fade that ends the voice still ends it."""
    game = studio().act(lambda world: play(world, "a.wav", loop=True))
    game.act(lambda world: change(world, "gain", 0.5, fade=0.1), ticks=3)
    assert game.voices[0]["level"] == pytest.approx(0.75, abs=0.01)
    assert game.run(10).voices[0]["level"] == pytest.approx(0.5)
    game.act(lambda world: change(world, "gain", 0, fade=0.1), ticks=10)
    assert game.voices[0]["level"] < 1e-3
    assert game.act(lambda world: change(world, "gain", 1, fade=0.1), ticks=10).voices[0]["level"] == pytest.approx(1)
    game.act(lambda world: stop(world, fade=0.2)).act(lambda world: change(world, "gain", 2, fade=1), ticks=20)
    assert game.voices == []


def test_music_crossfades_with_equal_power(studio: Any) -> None:
    """The old and the new music have a constant power together, and the same music goes on."""
    game = studio().act(lambda world: play_music(world, "a.wav", fade=0), ticks=5)
    game.act(lambda world: play_music(world, "b.wav", fade=0.5))
    for _ in range(27):
        old, new = game.run().voices
        assert old["level"] ** 2 + new["level"] ** 2 == pytest.approx(1, abs=1e-4)
    assert (old["sound"], new["sound"]) == ("a.wav", "b.wav")
    (voice,) = game.run(10).voices
    game.act(lambda world: play_music(world, "b.wav"), ticks=3)
    assert [(each["serial"], each["level"]) for each in game.voices] == [(voice["serial"], 1.0)]
    assert game.act(lambda world: stop_music(world, 0.1), ticks=8).voices == []


def test_music_that_was_paused_or_fades_comes_back(studio: Any) -> None:
    """Playing paused music again resumes it; music that fades out begins anew beside its old voice."""
    game = studio().act(lambda world: play_music(world, "a.wav", fade=0), ticks=5).act(pause)
    game.act(lambda world: play_music(world, "a.wav", fade=0.1), ticks=10)
    assert [voice["paused"] for voice in game.voices] == [False]
    game.act(lambda world: stop_music(world, 1)).act(lambda world: play_music(world, "a.wav", fade=0.1), ticks=10)
    assert len(game.voices) == 2
    game.run(60)
    assert [voice["level"] for voice in game.voices] == [1]


def test_a_delay_holds_a_command_back(studio: Any) -> None:
    """A sound with a delay begins the given number of ticks later, however long that is."""
    game = studio().act(lambda world: play(world, "a.wav", delay=0.1), ticks=6)
    assert game.voices == []
    assert len(game.run().voices) == 1
    game.act(lambda world: play(world, "a.wav", delay=1e30), ticks=3)
    assert len(game.voices) == 1


def test_commands_of_a_higher_priority_come_first(studio: Any) -> None:
    """Within a tick commands are carried out by priority, and in their order among equals."""

    def begin(world: Any) -> None:
        play(world, "a.wav", priority=1, tag="late")
        play(world, "b.wav", priority=5)
        play(world, "a.wav", priority=1, tag="later")

    game = studio().act(begin)
    assert [voice["tag"] or voice["sound"] for voice in game.voices] == ["b.wav", "late", "later"]


def test_a_cooldown_and_a_limit_hold_sounds_back(studio: Any) -> None:
    """Within its cooldown a sound is not played; of one with a limit the oldest voice gives way."""
    game = studio("{sounds: {cool: {clips: a.wav, cooldown: 0.1}, two: {clips: b.wav, most: 2}}}")

    def many(world: Any) -> None:
        for tag in "abc":
            play(world, "cool", tag=tag)
            play(world, "two", tag=tag)

    game.act(many)
    assert [(voice["sound"], voice["tag"]) for voice in game.voices] == [("cool", "a"), ("two", "b"), ("two", "c")]
    assert [(end.tag, end.stolen) for end in game.run().ended] == [("a", True)]
    assert sum(voice["sound"] == "cool" for voice in game.act(many, 5).voices) == 1
    assert sum(voice["sound"] == "cool" for voice in game.act(many).voices) == 2


VARIED = "{sounds: {step: {clips: [a.wav, b.wav], pitch_spread: 2, gain_spread: 0.2}}}"


def _steps(game: Any, count: int) -> list[tuple[Any, ...]]:
    for _ in range(count):
        game.act(lambda world: play(world, "step"))
    return [(voice["clip"], voice["gain"], voice["pitch"]) for voice in game.voices[-count:]]


def test_variation_depends_on_the_seed_alone_and_snapshots_keep_it(studio: Any) -> None:
    """Two games vary alike, and a World that was restored varies as it did before, within the spreads."""
    game = studio(VARIED, listens=False)
    _steps(game, 5)
    kept = game.world.snapshot()
    first = _steps(game, 8)
    game.world.restore(kept)
    assert _steps(game, 8) == first
    other = studio(VARIED)
    _steps(other, 5)
    assert _steps(other, 8) == first
    assert {clip for clip, _, _ in first} == {"a.wav", "b.wav"}
    assert all(0.8 <= gain <= 1.2 and 2 ** (-1 / 6) <= pitch <= 2 ** (1 / 6) for _, gain, pitch in first)
    assert len({pitch for _, _, pitch in first}) == 8


def test_unknown_names_are_silent_and_warned_of_once(studio: Any, caplog: Any) -> None:
    """A sound, a bus or a mix that does not exist changes nothing; one warning names the nearest ones."""
    game = studio("{sounds: {explode: a.wav}, mixes: {cave: {music: {gain: 0.5}}}}")
    with caplog.at_level(logging.WARNING, "rish"):
        for _ in range(3):
            game.act(lambda world: play(world, "explod"))
            game.act(lambda world: set_bus(world, "musik", gain=0.5))
            game.act(lambda world: set_mix(world, "cafe"))
            game.act(lambda world: play(world, "gone.wav"))
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 4
    assert "no sound is called 'explod' (did you mean 'explode'?)" in lines[0]
    assert "there is no bus 'musik' (did you mean 'music'?)" in lines[1]
    assert "there is no mix 'cafe' (did you mean 'cave'?)" in lines[2]
    assert "gone.wav" in lines[3]
    assert game.run().voices == []


def _refused(game: Any, do: Any) -> str:
    """Return the message of the UsageError with which a function refuses its arguments."""
    found: list[str] = []

    def attempt(world: Any) -> None:
        with pytest.raises(UsageError) as error:
            do(world)
        found.append(str(error.value))

    game.act(attempt)
    return found[0]


@pytest.mark.parametrize("name", ["gain", "pitch", "pan", "fade", "start", "delay"])
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_numbers_that_are_not_finite_are_refused(studio: Any, name: str, bad: float) -> None:
    """`play` with infinity or no number raises an error that names the sound, and plays nothing."""
    game = studio(listens=False)
    assert "'a.wav'" in _refused(game, lambda world: play(world, "a.wav", **{name: cast("Any", bad)}))
    assert game.run().voices == []


def test_other_bad_arguments_are_refused(studio: Any) -> None:
    """Places, parameters and numbers of all functions are checked before anything is written."""
    bad = [
        lambda world: play(world, "a.wav", at=(1,)), lambda world: play(world, "a.wav", at=(1, math.nan)),
        lambda world: play(world, "a.wav", at=3), lambda world: play(world, "a.wav", at="ab"),
        lambda world: seek(world, math.nan), lambda world: stop(world, fade=math.inf),
        lambda world: change(world, "gain", math.nan), lambda world: change(world, "loudness", 1),
        lambda world: set_bus(world, "music", volume=1), lambda world: set_bus(world, "music", gain=math.nan),
    ]  # fmt: skip
    game = studio(listens=False)
    for each in bad:
        _refused(game, each)
    assert game.run().voices == []


def test_raw_commands_that_make_no_sense_are_dropped(studio: Any, caplog: Any) -> None:
    """Numbers that a column can't hold, and parameters that a bus does not have, do nothing, with a warning."""
    game = studio(listens=False)

    def emit(world: Any) -> None:
        with np.errstate(over="ignore"):
            play(world, "a.wav", gain=1e300)
        world.emit(SoundCommand, verb=Verb.BUS, bus="music", parameter="parent", value=3)

    game.act(emit)
    assert game.voices == []
    assert "play 'a.wav': a number is not finite" in caplog.text
    assert "a bus has no parameter 'parent'" in caplog.text


def test_gains_and_pitches_beyond_the_limits_are_limited(studio: Any) -> None:
    """A negative gain is silence, and a pitch of 0 or below is the slowest one, so that every voice ends."""
    game = studio().act(lambda world: play(world, "a.wav", gain=-1, pitch=-2))
    assert [(voice["gain"], voice["pitch"]) for voice in game.voices] == [(0, pytest.approx(0.01))]
    assert game.world[AudioState].serial == 1
