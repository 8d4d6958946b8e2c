"""Mistakes of sounds in manifests: each has its file, line and column, names the culprit, and says what is possible."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rish_core import App, ManifestError, read_manifest

SETTINGS = [
    ("sounds: {boom: {clips: boom.txt}}", "boom.clips: 'boom.txt' is no sound file: it must end in .wav"),
    ("sounds: {boom: {}}", "settings.audio.sounds.boom: needs one of `clips`, `synth` and `tune`"),
    ("sounds: {boom: {clips: a.wav, synth: coin}}", "needs one of `clips`, `synth` and `tune`"),
    ("sounds: {boom: {clips: a.wav, gian: 1}}", "'gian' (did you mean 'gain'?)"),
    ("sounds: {boom: {clips: a.wav, gain: loud}}", "settings.audio.sounds.boom.gain"),
    ("sounds: {boom: {clips: a.wav, gain: -1}}", "settings.audio.sounds.boom.gain"),
    ("sounds: {boom: {clips: a.wav, markers: {x: -1}}}", "sounds.boom.markers.x: must be seconds from the start"),
    ("sounds: {boom: {clips: a.wav, markers: 3}}", "must be a mapping of names to seconds, not the number 3"),
    ("sounds: {boom: {synth: {preset: cion}}}", "'cion'"),
    ("sounds: {boom: 3}", "settings.audio.sounds.boom"),
    ("sounds: [1]", "settings.audio.sounds"),
    ("buses: {voices: {parent: efects}}", "there is no bus 'efects' (did you mean 'effects'?). Buses: master, music"),
    ("buses: {music: {duck_by: talk}}", "buses.music.duck_by: there is no bus 'talk'"),
    ("buses: {x: {parent: y}, y: {parent: x}}", "the parents form a ring"),
    ("buses: {music: {gian: 1}}", "'gian' (did you mean 'gain'?)"),
    ("buses: {music: {muted: 3}}", "settings.audio.buses.music.muted"),
    ("mixes: {low: {musik: {gain: 1}}}", "there is no bus 'musik' (did you mean 'music'?)"),
    ("mixes: {low: {music: {parent: ui}}}", "settings.audio.mixes.low.music.parent"),
    ("mixes: {low: 3}", "must be a mapping of buses, such as {music: {gain: 0.5}}, not the number 3"),
    ("on: {desk.Bmp: {play: coin}}", "settings.audio.on.desk.Bmp"),
    ("on: {desk.Bump: {play: lasr}}", "no sound is called 'lasr' (did you mean 'laser'?)"),
    ("on: {desk.Bump: {paly: coin}}", "needs one of play, music, mix, stop"),
    ("on: {desk.Bump: {play: coin, gian: 1}}", "has no key 'gian' (did you mean 'gain'?)"),
    ("on: {desk.Bump: [{play: coin}, 3]}", "Bump[1]: must be a mapping"),
    ("on: {desk.Bump: {play: coin, at: pont}}", "desk.Bump has no field 'pont' (did you mean 'point'?)"),
    ("on: {desk.Bump: {play: coin, at: [1]}}", "must be a field of the event, or two for x and y"),
    ("on: {desk.Bump: {play: coin, at: strength}}", "the field 'strength' of desk.Bump is not a place or an entity"),
    ("on: {desk.Bump: {play: coin, at: [point, point]}}", "the field 'point' of desk.Bump is not a number"),
    ("on: {desk.Bump: {play: coin, gain: strenth * 2}}", "settings.audio.on.desk.Bump.gain"),
    ("on: {desk.Bump: {play: coin, pan: left}}", "Bump.pan: must be a number, not the text 'left'"),
    ("on: {desk.Bump: {play: coin, bus: efects}}", "there is no bus 'efects' (did you mean 'effects'?)"),
    ("on: 3", "settings.audio.on"),
    ("volumes: {musik: 1}", "no bus is called 'musik' (did you mean 'music'?)"),
    ("volumes: {music: 2}", "settings.audio.volumes.music: must be a number from 0 to 1, not the number 2"),
    ("volumes: {music: true}", "must be a number from 0 to 1"),
]  # fmt: skip


def _mistakes(studio: Any, *arguments: Any, **options: Any) -> list[str]:
    with pytest.raises(ManifestError) as error:
        studio(*arguments, **options)
    return str(error.value).splitlines()[1:]


@pytest.mark.parametrize(("section", "message"), SETTINGS)
def test_a_mistake_in_the_settings_has_its_place(studio: Any, section: str, message: str) -> None:
    """A wrong sound, bus, mix or reaction is one mistake, with the line of the settings."""
    (line,) = _mistakes(studio, f"{{{section}}}")
    assert message in line
    assert re.search(r"game\.yaml:5:\d+: settings\.audio\.", line)


ENTRIES = [
    ("AudioSource: {clip: lasr}", "AudioSource.clip: no sound is called 'lasr' (did you mean 'laser'?)"),
    ("AudioSource: {clip: coin, bus: efects}", "AudioSource.bus: there is no bus 'efects'"),
    ("children: [{AudioSource: {clip: a.txt}}]", "children[0].AudioSource.clip: no sound is called 'a.txt'"),
    ("AudioSource: {clip: coin, gian: 1}", "'gian' (did you mean 'gain'?)"),
]


@pytest.mark.parametrize(("entry", "message"), ENTRIES)
def test_a_mistake_in_a_source_has_its_place(studio: Any, entry: str, message: str) -> None:
    """A source in a scene or a prefab with an unknown clip or bus is a mistake with its line."""
    (line,) = _mistakes(studio, scene=f"\n    - {{Transform: {{}}, {entry}}}\n")
    assert message in line
    assert "game.yaml:8:" in line
    (line,) = _mistakes(studio, more=f"prefabs:\n  horn: {{Transform: {{}}, {entry}}}\n")
    assert "prefabs.horn" in line


def test_several_mistakes_are_reported_together(studio: Any) -> None:
    """All mistakes of a manifest are found at once."""
    assert len(_mistakes(studio, "{sounds: {x: {}}, buses: {y: {parent: z}}, mixes: {w: {v: {}}}}")) == 3


def test_tools_get_the_names_of_sounds_and_buses(studio: Any) -> None:
    """The lists have the sounds of the game, those that ship, and its files; and all buses."""
    game = studio("{sounds: {mine: a.wav}, buses: {talk: {}}}", listens=False)
    sounds = list(game.app.registry.names["sounds"](game.world))
    assert sounds[0] == "mine"
    assert {"coin", "laser", "calm", "a.wav"} <= set(sounds)
    assert list(game.app.registry.names["buses"](game.world)) == ["master", "music", "effects", "ui", "echo", "talk"]


def test_uses_of_an_absent_optional_plugin_are_left_out(studio: Any, caplog: Any) -> None:
    """Without the plugin, settings and sources are skipped and counted, and the game runs."""
    scene = "\n    - {Transform: {}, audio.AudioSource: {clip: nonsense}}\n"
    game = studio("{sounds: 3}", scene, plugins="'audio?'", without=True, listens=False)
    assert "without the optional plugin 'audio', 2 uses of it in the manifest left out" in caplog.text
    game.run(3)


def test_events_of_absent_optional_plugins_are_no_mistake(studio: Any) -> None:
    """A reaction to an event of an optional plugin that is not there waits for nothing."""
    game = studio("{on: {nowhere.Hit: {play: coin, at: point}}}", plugins="audio, 'nowhere?'", listens=False)
    assert game.run(2).voices == []


def test_files_that_are_missing_or_damaged_are_mistakes(tmp_path: Path) -> None:
    """A missing file is refused wherever it is named; a damaged one too when assets are opened, with its name."""
    (tmp_path / "junk.wav").write_bytes(b"no sound at all")
    path = tmp_path / "game.yaml"
    head = "rish: 1\nplugins: [audio]\n"
    path.write_text(
        head + "settings: {audio: {sounds: {bang: {clips: [gone.wav]}}, on: {scene: {play: gone.wav}}}}\n"
        "scenes: {main: [{AudioSource: {clip: gone.wav}}, {AudioSource: {clip: junk.wav}}]}\n"
    )
    with pytest.raises(ManifestError) as caught:
        App(read_manifest(path), headless=True)
    assert [problem.path for problem in caught.value.problems] == [
        "settings.audio.sounds.bang.clips", "settings.audio.on.scene.play", "scenes.main[0].AudioSource.clip",
    ]  # fmt: skip
    assert {problem.what for problem in caught.value.problems} == {
        "there is no file 'gone.wav' (did you mean 'junk.wav'?)"
    }
    path.write_text(head + "scenes: {main: [{AudioSource: {clip: junk.wav}}]}\n")
    App(read_manifest(path), headless=True).close()
    with pytest.raises(ManifestError, match=r"AudioSource.clip: junk.wav: the file begins with b'no s'"):
        App(read_manifest(path), headless=True, open_assets=True)
