"""Sources: what scripts write and what they read, ends, markers, children, and sounds that follow an entity."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_audio import AudioSource, Rolloff, SoundState, change, pause, play, resume, stop
from rish_core import Disabled, Transform


def test_a_source_plays_when_it_appears_and_stops_at_its_end(studio: Any) -> None:
    """A source with autoplay plays once; at the end its state is stopped and stays so."""
    game = studio()
    source, silent = game.source("short.wav"), game.source("a.wav", autoplay=False)
    assert (game.run().state(source), game.state(silent)) == ("playing", "stopped")
    assert game.run(10).state(source) == "stopped"
    assert game.voices == []
    assert [(end.source, end.stopped) for end in game.ended] == [(source, False)]


def test_a_script_starts_pauses_and_stops_by_writing_the_state(studio: Any) -> None:
    """PLAYING starts or continues, PAUSED keeps the place, STOPPED goes back to the beginning."""
    game = studio()
    source = game.source("a.wav", autoplay=False)
    game.change(source, state=SoundState.PLAYING)
    assert game.run(4).voices[0]["frame"] == 4 * 735
    game.change(source, state=SoundState.PAUSED)
    assert game.run(4).voices[0]["frame"] == 4 * 735
    game.change(source, state=SoundState.PLAYING)
    assert game.run().voices[0]["frame"] == 5 * 735
    game.change(source, state=SoundState.STOPPED)
    assert game.run().voices == []
    game.change(source, state=SoundState.PLAYING)
    assert game.run().voices[0]["frame"] == 735


def test_commands_change_the_state_of_a_source(studio: Any) -> None:
    """After pause, resume and stop, at once or with a fade, the component says what the voice does."""
    game = studio()
    source = game.source("a.wav", loop=True)
    game.run()
    assert game.act(lambda world: pause(world, source=source), ticks=3).state(source) == "paused"
    assert game.act(lambda world: resume(world, source=source), ticks=3).state(source) == "playing"
    assert game.act(lambda world: pause(world, source=source, fade=0.05), ticks=5).state(source) == "paused"
    game.change(source, state=SoundState.PLAYING)
    assert game.run(3).voices[0]["level"] > 0.9
    assert game.act(lambda world: stop(world, source=source, fade=0.05), ticks=5).state(source) == "stopped"
    game.change(source, state=SoundState.PLAYING)
    assert len(game.run().voices) == 1
    assert game.act(lambda world: stop(world, source=source), ticks=3).state(source) == "stopped"
    assert game.voices == []


def test_changes_by_commands_stay_while_a_source_plays(studio: Any) -> None:
    """Gain and pitch of a command multiply those of the component; pan and low-pass become those of the component."""
    game = studio()
    source = game.source("a.wav", loop=True, spatial=False, gain=0.5)
    game.run()
    for parameter, value in (("gain", 0.5), ("pitch", 2), ("pan", 0.25), ("low_pass", 800)):
        game.act(lambda world, of=parameter, to=value: change(world, of, to, source=source))
    (voice,) = game.run(3).voices
    assert [voice[name] for name in ("gain", "pitch", "pan", "low_pass")] == [0.25, 2, 0.25, 800]
    assert game.world.get(source, AudioSource).pan == 0.25


FIELDS: dict[str, Any] = {
    "gain": 0.3, "pitch": 1.5, "pan": -0.5, "priority": 7, "loop": True, "bus": "ui", "spatial": False,
    "min_distance": 50.0, "max_distance": 900.0, "rolloff": Rolloff.LINEAR, "rolloff_factor": 2.0, "doppler": 0.5,
    "walls": 0.25, "low_pass": 700.0, "echo": 0.5,
}  # fmt: skip


@pytest.mark.parametrize("name", FIELDS)
def test_every_field_changes_the_voice_that_plays(studio: Any, name: str) -> None:
    """A field that a script writes while the source plays is that of the voice from the next tick on, and goes back."""
    game = studio(listens=False)
    source = game.source("a.wav")
    before = game.run().voices[0]
    first = getattr(game.world.get(source, AudioSource), name)
    game.change(source, **{name: FIELDS[name]})
    after = game.run().voices[0]
    assert after["serial"] == before["serial"]
    assert after[name] == (
        FIELDS[name] if isinstance(FIELDS[name], str | bool | Rolloff) else pytest.approx(FIELDS[name])
    )
    game.change(source, **{name: first})
    assert game.run().voices[0][name] == before[name]


def test_what_a_source_does_not_say_is_as_its_sound_says(studio: Any) -> None:
    """Bus, priority, distances, loop, echo and place come from the named sound, and from the settings after that."""
    sound = "{clips: a.wav, bus: ui, priority: 4, min_distance: 77, loop: true, echo: 0.5, low_pass: 600}"
    game = studio(f"{{max_distance: 1234, sounds: {{x: {sound}, flat: {{clips: b.wav, spatial: false}}}}}}")
    game.source("x")
    game.source("flat")
    game.source("a.wav", priority=2, min_distance=5)
    named, flat, own = game.run().voices
    names = ("bus", "priority", "min_distance", "max_distance", "loop", "echo", "low_pass")
    assert [named[name] for name in names] == ["ui", 4, 77, 1234, True, 0.5, 600]
    assert (named["spatial"], flat["spatial"]) == (True, False)
    assert [own[name] for name in names] == ["effects", 2, 5, 1234, False, 0, 0]


def test_another_clip_begins_at_once(studio: Any) -> None:
    """A source that gets another clip plays that from its start; a clip that is none stops it."""
    game = studio()
    source = game.source("a.wav")
    game.run(5)
    game.change(source, clip="b.wav")
    (voice,) = game.run().voices
    assert (voice["sound"], voice["frame"], game.state(source)) == ("b.wav", 735, "playing")
    game.change(source, clip="")
    assert game.run().voices == []
    assert game.state(source) == "stopped"


def test_two_sources_and_copies_have_voices_of_their_own(studio: Any) -> None:
    """Sources of one clip play apart, also one that was copied with all fields from one that plays."""
    game = studio()
    source = game.source("a.wav")
    game.run(3)
    game.world.spawn(
        Transform(), AudioSource(clip="a.wav", voice=game.voices[0]["serial"], began=True, state=SoundState.PLAYING)
    )
    first, second = game.run().voices
    assert (first["frame"], second["frame"]) == (4 * 735, 735)
    assert first["source"] == source != second["source"]


def test_a_source_that_goes_away_ends_its_voice(studio: Any) -> None:
    """Despawning the entity, removing the component and disabling end the voice; enabled again it plays anew."""
    game = studio()
    gone, bare, off = (game.source("a.wav", loop=True) for _ in range(3))
    game.run()
    game.world.despawn(gone)
    game.world.remove(bare, AudioSource)
    game.world.add(off, Disabled())
    assert game.run().voices == []
    assert all(end.stopped for end in game.run().ended)
    game.world.remove(off, Disabled)
    assert [voice["source"] for voice in game.run().voices] == [off]


def test_a_loop_goes_on_and_can_be_ended(studio: Any) -> None:
    """A loop has no end; when it is no loop any more, it ends as it is past the end of its clip."""
    game = studio()
    source = game.source("short.wav", loop=True)
    assert game.run(30).voices[0]["frame"] == 30 * 735
    assert np.abs(game.kept[-1]).max() > 0.01
    game.change(source, loop=False)
    assert game.run().state(source) == "stopped"
    assert game.run().voices == []


@pytest.mark.parametrize(("loop", "voices"), [("", 1), (", loop: false", 0)])
def test_a_synth_with_loop_makes_a_sound_that_repeats(studio: Any, loop: str, voices: int) -> None:
    """A named sound whose `synth` loops goes on without an end; `loop: false` of the sound plays it once."""
    game = studio(f"{{sounds: {{hum: {{synth: {{hold: 0.2, attack: 0.01, decay: 0.01, loop: true}}{loop}}}}}}}")
    game.source("hum")
    assert len(game.run(30).voices) == voices


def test_a_loop_lasts_for_days(studio: Any) -> None:
    """A position far beyond 2^30 frames is counted from lower numbers again, at the same place of the loop."""
    game = studio()
    game.source("a.wav", loop=True)
    game.run(2)
    from rish_audio import Voices

    game.world[Voices].frame[0] = 2**30 + 44_100
    place = (2**30 + 44_100 + 735) % 44_100
    (voice,) = game.run().voices
    assert voice["frame"] < 2**30
    assert voice["frame"] % 44_100 == place
    assert np.abs(np.diff(game.run(3).samples[-2000:, 0])).max() < 0.05


def test_sounds_come_from_the_place_of_parents_and_prefabs(studio: Any) -> None:
    """A source of a child is heard where its parents put it."""
    scene = "\n    - {Transform: {position: [300, 0], rotation: 90}, children: [{prefab: horn}]}\n"
    more = "prefabs:\n  horn: {Transform: {position: [100, 0]}, AudioSource: {clip: a.wav}}\n"
    (voice,) = studio(scene=scene, more=more).run().voices
    assert voice["position"] == pytest.approx((300, 100, 0), abs=1e-3)


def test_a_sound_follows_its_entity_and_stays_where_that_ends(studio: Any) -> None:
    """A one-shot moves with its source; when the entity is gone it plays on at the last place."""
    game = studio()
    entity = game.world.spawn(Transform(position=(10, 0)))
    game.act(lambda world: play(world, "a.wav", source=entity))
    game.world.set(entity, Transform(position=(50, 5)))
    assert game.run().voices[0]["position"] == pytest.approx((50, 5, 0))
    game.world.despawn(entity)
    game.run(5)
    assert game.voices[0]["position"] == pytest.approx((50, 5, 0))
    game.act(lambda world: play(world, "b.wav", (7, 8), source=1))
    assert game.run().voices[1]["position"] == pytest.approx((7, 8, 0))


_ONCE = "{clips: a.wav, markers: {start: 0, mid: 0.5, end: 0.99}}"
_LOOP = "{clips: a.wav, loop: true, loop_from: 0.5, loop_to: 0.6, markers: {once: 0.1, each: 0.55}}"
MARKED = f"{{sounds: {{m: {_ONCE}, l: {_LOOP}}}}}"


def test_markers_are_reported_in_order_and_in_each_turn_of_a_loop(studio: Any) -> None:
    """Markers are events, once each; those in the part that repeats come again, and a seek passes none."""
    from rish_audio import seek

    game = studio(MARKED)
    game.source("m")
    assert game.run(70).markers == ["start", "mid", "end"]
    game = studio(MARKED)
    game.source("l")
    assert game.run(60).markers == ["once"] + ["each"] * 5
    game = studio(MARKED).act(lambda world: play(world, "m")).act(lambda world: seek(world, 0.75), ticks=20)
    assert game.markers == ["start", "end"]


def test_scripts_get_the_end_of_their_sound(studio: Any, tmp_path: Any) -> None:
    """A script's method `on_sound_ended` may start the source again."""
    folder = tmp_path / "scripted"
    folder.mkdir()
    (folder / "plugin.py").write_text(
        "from rish_scripts import Script\nfrom rish_audio import AudioSource, SoundState\n\n\n"
        "class Again(Script):\n    def on_sound_ended(self, event):\n"
        "        self.get(AudioSource).state = SoundState.PLAYING\n\n\n"
        "def rish_scripts():\n    return [Again]\n"
    )
    scene = "\n    - {Transform: {}, AudioSource: {clip: short.wav}, Again: {}}\n"
    game = studio(scene=scene, plugins="scripts, audio", folder=folder)
    assert game.run(12).voices[0]["serial"] == 2
