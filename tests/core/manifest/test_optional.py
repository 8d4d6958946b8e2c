"""Optional plugins in a manifest: their names are skipped where they are absent, and nothing else is."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rish_core import (
    About,
    App,
    ManifestError,
    Name,
    Stage,
    Transform,
    component,
    event,
    field,
    parse_manifest,
    read_manifest,
    resource,
    spawn_prefab,
    system,
)
from rish_core.loop.layers import LayerStack
from rish_core.plugin import Candidate
from rish_ecs import Snapshot, how_to_get, how_to_update
from rish_reload import prepare


@component(view=True)
class AudioSource:
    """A sound."""

    volume: float = field(1.0, low=0, high=1)


@component(view=True)
class Emitter:
    """A component with the name of another plugin's."""

    rate: float = field(1.0)


@component(view=True)
class Listener:
    """A component without fields."""


@event(view=True)
class Played:
    """A sound began."""

    volume: float = field(1.0)


@resource(view=True)
class AudioSettings:
    """Settings, one of which is also a key of `game`, and one of the top level."""

    gain: float = field(1.0, low=0, high=1)
    climate: float = field(0.0)
    device: str = ""


@resource
class LayerSound:
    """An option of layers."""

    muted: bool = field(False)


@system(Stage.UPDATE, writes=Played)
def play(world: Any, dt: float) -> None:
    """Play a sound each tick."""
    world.emit(Played, volume=0.5)


@system(Stage.POST)
def hear(world: Any, dt: float) -> None:
    """Read what was added and played, which is not state of the simulation."""
    world.added(AudioSource)
    world.removed(AudioSource)
    world.events(Played)


AUDIO = SimpleNamespace(
    rish_components=lambda: [AudioSource, Emitter, Listener],
    rish_events=lambda: [Played],
    rish_settings=lambda: AudioSettings,
    rish_layer_options=lambda: LayerSound,
    rish_manifest_keys=lambda: ["game.climate", "device"],
    rish_prefabs=lambda: {"siren": {"Transform": {}, "AudioSource": {"volume": 0.2}}},
    rish_systems=lambda: [play, hear],
)


@component
class Ball:
    """A component of a plugin that every game here has."""

    bounces: int = field(0)


def other_emitter() -> Any:
    """Return a component of another plugin with the name of one of `audio`."""

    @component
    class Emitter:
        rate: float = field(3.0)

    return Emitter


@system(Stage.UPDATE, writes=(Ball, Transform))
def bounce(world: Any, dt: float) -> None:
    """Count the balls that were added, and spawn others."""
    world[Ball].bounces += len(world.added(Ball))
    if world.tick < 3:
        spawn_prefab(world, "loud", n=2, at=world.random("places").uniform(size=(2, 2)))
    if world.tick == 4:
        world.despawn(world.query(Ball).entities[:2])


BALLS = SimpleNamespace(rish_components=lambda: [Ball], rish_systems=lambda: [bounce])

GAME = """
rish: 1
game: {title: Loud, audio.climate: 2}
plugins: [balls, audio?]
audio.device: silent
settings: {audio: {gain: 0.5}}
layers: [world, hud: {space: screen, audio.muted: true}]
prefabs:
  loud: {Ball: {}, audio.AudioSource: {volume: 0.5}}
  louder: {prefab: loud, audio.AudioSource.volume: 1, children: [{name: horn, audio.AudioSource: {}}]}
  alarm: {prefab: audio.siren, tags: [red]}
scenes:
  main:
    - {Ball: {bounces: 1}, audio.AudioSource: {volume: {random: [0, 1]}}}
    - {Ball: {}, Transform: {position: {random: [[0, 0], [9, 9]]}}, audio.Listener: {}}
    - {Ball: {}, Transform: {}}
    - {Ball: {}, Transform: {}, audio.AudioSource: {volume: 0.3}}
    - {prefab: louder, name: truck, count: 3, horn.audio.AudioSource.volume: 0.1, horn.Transform.position: [1, 2]}
    - {prefab: audio.siren, name: gate, at: [3, 4]}
    - {prefab: alarm, Transform: {parent: gate}, audio.AudioSource: null}
    - {audio.AudioSource: {}}
"""
USES = 15


def app(text: str = GAME, *, audio: bool = True, **options: Any) -> App:
    """Return the App of a manifest, with the plugin `audio` or without it."""
    extra = {"balls": BALLS, **({"audio": AUDIO} if audio else {})}
    return App(
        parse_manifest(text, overrides=options.pop("overrides", ())),
        headless=True,
        extra=extra,
        installed=options.pop("installed", []),
        policy="raise",
        **options,
    )


def mistakes(text: str, **options: Any) -> list[str]:
    """Return the mistakes of a manifest."""
    with pytest.raises(ManifestError) as caught:
        app(text, **options)
    return [problem.what for problem in caught.value.problems]


def test_everything_of_an_absent_plugin_is_skipped(caplog: pytest.LogCaptureFixture) -> None:
    """Components, settings, keys, options and prefabs of an absent optional plugin are left out, with one log line."""
    with caplog.at_level(logging.WARNING), app(audio=False) as game:
        assert game.registry.plugins == ("core", "balls")
        assert list(game.plugins.absent) == ["audio"]
        game.run(2)
        names = [game.world.text(number) for number in game.world[Name].value.tolist()]
        assert sorted(names) == ["gate", "horn", "horn", "horn", "truck", "truck", "truck"]
    [line] = [record.getMessage() for record in caplog.records]
    assert line == (
        f"without the optional plugin 'audio', {USES} uses of it in the manifest left out: plugin 'audio' is not"
        f" installed. {how_to_get('rish-audio')}"
    )


def test_everything_of_a_present_plugin_is_used(caplog: pytest.LogCaptureFixture) -> None:
    """The same manifest uses the plugin where it is installed: full names mean the same as short ones."""
    with caplog.at_level(logging.WARNING), app() as game:
        game.run(1)
        settings = game.world[AudioSettings]
        assert (settings.gain, settings.climate, settings.device) == (0.5, 2, "silent")
        assert game.world[LayerStack].layer("hud").options == {"muted": True}
        volumes = game.world[AudioSource].volume
        assert np.allclose(sorted(volumes)[-4:], [1, 1, 1, 1])
        assert np.isclose(volumes, 0.1).sum() == 3
        assert len(game.world[Listener]) == 1
        assert not game.plugins.absent
    assert not caplog.records


def test_hash_does_not_depend_on_a_plugin_for_drawing() -> None:
    """With and without a plugin whose state is `view`, all ticks have the same hashes."""
    with app() as loud, app(audio=False) as silent:
        for _ in range(8):
            assert loud.world.hashes() == silent.world.hashes()
            assert loud.world.hash() == silent.world.hash()
            loud.tick()
            silent.tick()


@component
class Smoke:
    """State of a plugin that says that it is for drawing only."""

    amount: float = field(1.0)


@event
class Puff:
    """An event of it."""

    x: float = 0.0


@resource
class SmokeSettings:
    """Its settings."""

    wind: float = 1.0


@system(Stage.UPDATE, writes=(Smoke, Puff, SmokeSettings))
def smoke(world: Any, dt: float) -> None:
    """Count what it reads, in its own state, and emit events."""
    world[SmokeSettings].wind += len(world.added(Ball)) + len(world.added(Smoke)) + len(world.events(Puff))
    world[Smoke].amount += 1
    world.emit(Puff, x=1.0)


def smoky(wish: str, *, installed: bool = True, view: bool = True) -> App:
    """Return a game of balls that smoke, with a plugin that is view, or without the plugin."""
    plugin = SimpleNamespace(
        rish_about=lambda: About(view=view),
        rish_components=lambda: [Smoke],
        rish_events=lambda: [Puff],
        rish_settings=lambda: SmokeSettings,
        rish_systems=lambda: [smoke],
    )
    name = "smoke.Smoke" if "?" in wish else "Smoke"
    scene = f"[{{Ball: {{}}, {name}: {{amount: {{random: [0, 1]}}}}}}, {{Ball: {{}}}}]"
    text = f"rish: 1\nplugins: [balls, {wish}]\nprefabs: {{loud: {{Ball: {{}}}}}}\nscenes: {{main: {scene}}}"
    extra = {"balls": BALLS, **({"smoke": plugin} if installed else {})}
    return App(parse_manifest(text), headless=True, extra=extra, installed=[], policy="raise")


def test_a_plugin_for_drawing_only_is_not_hashed_where_it_is_optional() -> None:
    """`About(view=True)` and `smoke?` take the plugin's rows, events, readers and settings out of the hash."""
    with smoky("smoke?") as with_it, smoky("smoke?", installed=False) as without:
        for _ in range(8):
            assert with_it.world.hashes() == without.world.hashes()
            with_it.tick()
            without.tick()
        assert with_it.world[SmokeSettings].wind > 1
        for one, other in ((with_it, without), (without, with_it)):
            other.world.restore(Snapshot.from_bytes(one.world.snapshot().to_bytes()))
            for each in (one, other):
                each.run(3)
            assert one.world.hashes() == other.world.hashes()


def test_a_plugin_for_drawing_only_is_hashed_where_it_is_required() -> None:
    """A game that requires the plugin has its state in the hash, and so has an optional plugin that is not `view`."""
    for wish, view in (("smoke", True), ("smoke?", False)):
        with smoky(wish, view=view) as game:
            game.tick()
            assert {"smoke.Smoke.amount", "smoke.SmokeSettings:resource"} <= game.world.hashes().keys()


def test_snapshots_fit_with_and_without_the_plugin() -> None:
    """A saved state of either world is restored in the other, and continues with the same hashes."""
    with app() as loud, app(audio=False) as silent:
        for one, other in ((loud, silent), (silent, loud)):
            one.run(4)
            data = one.world.snapshot().to_bytes()
            one.run(3)
            other.run(2)
            other.world.restore(Snapshot.from_bytes(data))
            other.run(3)
            assert one.world.hash() == other.world.hash()
            assert (AudioSettings in other.world) == (other is loud)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{AudioSource: {}}", "'AudioSource' belongs to the optional plugin 'audio': write audio.AudioSource"),
        ("{prefab: siren}", "'siren' belongs to the optional plugin 'audio': write audio.siren"),
        ("{prefab: loud, AudioSource.volume: 1}", "write audio.AudioSource"),
        ("{audio.AudioSuorce: {}}", "no component is called 'audio.AudioSuorce'"),
        ("{audio.AudioSource: {volum: 1}}", "AudioSource has no field 'volum'"),
        ("{audio.volume: 1}", "'audio.volume' is not a valid key"),
    ],
)
def test_a_present_plugin_is_checked(line: str, message: str) -> None:
    """Short names and misspelt names are mistakes where the plugin is installed, so its absence hides none of them."""
    [what] = mistakes(GAME + f"    - {line}\n")
    assert message in what


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("audio.climate", "climate", "'climate' belongs to the optional plugin 'audio': write audio.climate"),
        ("audio.device", "device", "'device' belongs to the optional plugin 'audio': write audio.device"),
        ("audio.muted", "muted", "'muted' belongs to the optional plugin 'audio': write audio.muted"),
        ("audio.muted", "audio.mutd", "a layer has no option 'audio.mutd'"),
        ("audio.climate", "audio.climat", "`game` has no key 'audio.climat'"),
        ("gain", "gian", "settings.audio has no field 'gian'"),
        ("audio.climate", "balls.climate", "`game` has no key 'balls.climate'"),
    ],
)
def test_keys_of_a_present_plugin_are_checked(old: str, new: str, message: str) -> None:
    """Keys and options without the plugin's name, or misspelt ones, are mistakes where the plugin is installed."""
    [what] = mistakes(GAME.replace(old, new))
    assert message in what


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{AudioSource: {}}", "If an optional plugin declares it, write audio.AudioSource"),
        ("{prefab: siren}", "If an optional plugin declares it, write audio.siren"),
        ("{adio.AudioSource: {}}", "adio"),
        ("{balls.AudioSource: {}}", "balls"),
        ("{audio.volume: 1}", "'audio.volume' is not a valid key"),
    ],
)
def test_other_names_stay_mistakes_without_the_plugin(line: str, message: str) -> None:
    """Without the plugin, a name that does not begin with the plugin's name is still a mistake."""
    assert any(message in what for what in mistakes(GAME + f"    - {line}\n", audio=False))


def test_settings_keys_and_options_of_nobody_stay_mistakes() -> None:
    """Without the plugin, unknown sections, keys and options are still mistakes, which offer the full name."""
    text = GAME.replace("audio.climate", "climate").replace("audio.muted", "muted").replace("audio.device", "device")
    found = mistakes(text.replace("{audio: {gain", "{adio: {gain"), audio=False)
    assert len(found) == 4
    assert all(any(f"write audio.{name}" in what for what in found) for name in ("climate", "muted", "device"))


def test_a_short_name_means_a_plugin_that_is_not_optional() -> None:
    """A component that an optional plugin declares too has its short name, with and without that plugin."""
    sparks = other_emitter()
    other = SimpleNamespace(rish_components=lambda: [sparks])
    text = "rish: 1\nplugins: [audio?]\nscenes: {main: [{Emitter: {rate: 2}, audio.Emitter: {rate: 5}}]}"
    for extra in ({"sparks": other}, {"audio": AUDIO, "sparks": other}):
        with App(parse_manifest(text), headless=True, extra=extra, installed=[], policy="raise") as game:
            game.run(1)
            assert game.world[sparks].rate.tolist() == [2]


def test_a_games_prefab_replaces_that_of_an_optional_plugin() -> None:
    """A prefab of the manifest with the name of a plugin's is used under both names, with and without the plugin."""
    text = GAME.replace("  alarm:", "  siren: {Ball: {bounces: 7}}\n  alarm:") + "    - {prefab: siren}\n"
    for audio in (True, False):
        with app(text, audio=audio) as game:
            assert (game.world[Ball].bounces == 7).sum() == 3


def test_overrides_of_the_command_line_take_full_names() -> None:
    """`--set` reaches the field of a component that is written with its plugin's name."""
    overrides = ["scenes.main[3].audio.AudioSource.volume=0.7", "prefabs.loud.audio.AudioSource={volume: 0.9}"]
    with app(overrides=overrides) as game:
        game.tick()
        volumes = game.world[AudioSource].volume
        assert np.isclose(volumes, 0.7).sum() == 1
        assert np.isclose(volumes, 0.9).sum() == 2
    app(audio=False, overrides=overrides).close()
    [what] = mistakes(GAME, overrides=["scenes.main[3].audio.AudioSource.volum=1"])
    assert "volum" in what


@pytest.mark.parametrize(
    ("wish", "good"),
    [
        ("audio?", True), ('"audio?>=0.2"', True), ("'audio? >=0.2,<1'", True), ("audio ?", True),
        ('"?"', False), ('"??"', False), ("audio??", False), ('"?audio"', False), ("audio>=0.2?", False),
        ("audio?, audio?", False), ("audio, audio?", False), ("audio?, audio", False), ("core?", False),
        ("game?", False), ("audio? 0.2", False), ("audio?>=", False), ("[audio?]", False), ("{audio?: 1}", False),
    ],
)  # fmt: skip
def test_forms_of_an_optional_plugin(wish: str, good: bool) -> None:
    """A `?` may follow the name once, before a version; everything else is a mistake, also without the plugin."""
    text = f"rish: 1\nplugins: [{wish}]\nscenes: {{main: []}}"
    if good:
        [found] = parse_manifest(text).require().plugins
        assert (found.name, found.optional) == ("audio", True)
        app(text, audio=False).close()
    else:
        assert mistakes(text, audio=False)


def test_a_version_outside_the_range_is_an_absence(caplog: pytest.LogCaptureFixture) -> None:
    """A plugin of another version than the optional one is left out, and the log line has the command for the other."""
    installed = [Candidate("audio", "rish-audio", "0.1", "nowhere")]
    with (
        caplog.at_level(logging.WARNING),
        app(GAME.replace("audio?", "audio? >=0.2"), audio=False, installed=installed),
    ):
        [record] = caplog.records
    assert "<text>" not in record.getMessage()
    how = how_to_update("rish-audio", ">=0.2")
    assert f"asks for audio>=0.2, but rish-audio 0.1 is installed. {how}" in record.getMessage()


def test_a_similar_name_is_offered_for_a_misspelt_plugin(caplog: pytest.LogCaptureFixture) -> None:
    """The log line about a misspelt optional plugin names the installed one."""
    installed = [Candidate("audio", "rish-audio", "0.1", "nowhere")]
    text = "rish: 1\nplugins: [adio?]\nscenes: {main: []}"
    with caplog.at_level(logging.WARNING), app(text, audio=False, installed=installed):
        assert "did you mean 'audio'?" in caplog.text


def test_a_child_of_an_absent_prefab_can_be_changed() -> None:
    """Keys that change children of a prefab of an absent plugin are skipped, also through another prefab."""
    lines = "    - {prefab: audio.siren, bell.Transform.position: [1, 2]}\n    - {prefab: alarm, bell.Ball: {}}\n"
    app(GAME + lines, audio=False).close()
    [what] = mistakes(GAME + "    - {Ball: {}, bell.Ball: {}}\n", audio=False)
    assert "no child that is inherited is called 'bell'" in what


def test_a_plugin_is_asked_for_by_name() -> None:
    """Code finds out whether an optional plugin runs: `in app.plugins`, and in systems `world.kind`."""
    with app() as loud, app(audio=False) as silent:
        assert ("audio" in loud.plugins, "audio" in silent.plugins) == (True, False)
        assert (loud.world.kind("audio.Played"), silent.world.kind("audio.Played")) == (Played, None)


def test_an_optional_plugin_of_the_command_line() -> None:
    """`--with audio?` loads a plugin if it is there."""
    text = "rish: 1\nscenes: {main: []}"
    with app(text, audio=False, more=["audio? >=0.2"]) as game:
        assert "audio" in game.plugins.absent
    with pytest.raises(ManifestError, match="not installed"):
        app(text, audio=False, more=["audio"])


def test_a_required_plugin_needs_it_for_real() -> None:
    """A plugin that another one requires is not optional, whatever the manifest says."""
    needy = SimpleNamespace(rish_about=lambda: About(requires=["audio"]))
    manifest = parse_manifest("rish: 1\nplugins: [needy, audio?]\nscenes: {main: []}")
    with pytest.raises(ManifestError, match="'needy' requires 'audio', which is not installed"):
        App(manifest, headless=True, extra={"needy": needy}, installed=[])


# Edits of a running game


def edited(game: App, old: str, new: str) -> Any:
    """Apply an edit of the manifest to a game; return the change."""
    text = game_text(game)
    assert old in text
    assert game.manifest.path is not None
    game.manifest.path.write_text(text.replace(old, new), encoding="utf-8")
    change = prepare(game, manifest=read_manifest(game.manifest.path))
    change.apply()
    return change


def game_text(game: App) -> str:
    """Return the text of a game's manifest."""
    assert game.manifest.path is not None
    return game.manifest.path.read_text(encoding="utf-8")


@pytest.fixture(params=[True, False], ids=["present", "absent"])
def on_disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[App]:
    """The game in a folder, with the plugin `audio` and without it."""
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    extra = {"balls": BALLS, **({"audio": AUDIO} if request.param else {})}
    with App(read_manifest(tmp_path), headless=True, extra=extra, installed=[], policy="raise") as game:
        yield game


def test_edits_of_an_optional_plugins_lines(on_disk: App) -> None:
    """Lines of an optional plugin can be edited, added and removed in a running game, whether it is there or not."""
    present = "audio" in on_disk.plugins
    edited(on_disk, "volume: 0.3", "volume: 0.6")
    edited(on_disk, "    - {audio.AudioSource: {}}", "    - {audio.Listener: {}, Ball: {bounces: 5}}")
    edited(on_disk, "gain: 0.5", "gain: 0.25")
    edited(on_disk, "audio.muted: true", "audio.muted: false")
    assert (on_disk.world[Ball].bounces == 5).sum() == 1
    if present:
        assert np.isclose(on_disk.world[AudioSource].volume, 0.6).sum() == 1
        assert len(on_disk.world[Listener]) == 2
        assert on_disk.world[AudioSettings].gain == 0.25
    on_disk.run(2)


def test_edits_of_the_question_mark(on_disk: App) -> None:
    """A plugin becomes optional, or firm, at the next start; until then its names are read as the edit demands."""
    if "audio" in on_disk.plugins:
        assert edited(on_disk, "audio?", "audio").later == ["plugins"]
        edited(on_disk, "audio.Listener: {}", "Listener: {}")
        with pytest.raises(ManifestError, match=r"write audio\.Listener"):
            edited(on_disk, "audio]", "audio?]")
    else:
        with pytest.raises(ManifestError, match="no component is called"):
            edited(on_disk, "audio?", "audio")


def test_a_plugin_that_an_edit_adds_is_absent_until_the_next_start(tmp_path: Path) -> None:
    """An optional plugin and its lines can be added in one edit; they are skipped until the game starts again."""
    (tmp_path / "game.yaml").write_text("rish: 1\nscenes: {main: [{Transform: {}}]}", encoding="utf-8")
    with App(read_manifest(tmp_path), headless=True, installed=[], policy="raise") as game:
        new = "rish: 1\nplugins: [audio?]\nscenes: {main: [{Transform: {}, audio.AudioSource: {}}]}"
        assert edited(game, game_text(game), new).later == ["plugins"]
        game.tick()
