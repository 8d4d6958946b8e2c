"""Messages that help: what a mistake really is, and the next step where the person is."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_core import App, ManifestError, parse_manifest, read_manifest
from rish_core.loop.keys import check_key, nearest_key
from rish_core.plugin.discovery import installed_plugins

ROOT = Path(__file__).parents[2]


def mistakes(body: str, *, overrides: tuple[str, ...] = (), installed: list[Any] | None = None) -> list[str]:
    """Return the mistakes of a manifest; an empty list if there are none."""
    try:
        manifest = parse_manifest(f"rish: 1\n{body}", overrides=overrides)
        App(manifest, headless=True, installed=installed, policy="disable").close()
    except ManifestError as error:
        return [str(problem) for problem in error.problems]
    return []


@pytest.mark.parametrize(
    ("name", "meant", "plugin"),
    [
        ("Colider", "Collider", "physics"),
        ("Bodie", "Body", "physics"),
        ("Rigidbody", "Body", "physics"),
        ("Sprit", "Sprite", "render"),
        ("Emiter", "Emitter", "particles"),
    ],
)
def test_a_misspelt_component_of_a_plugin_that_is_not_loaded(name: str, meant: str, plugin: str) -> None:
    """The message offers the similar component of an installed plugin, and says to add the plugin."""
    (said,) = mistakes(f"scenes: {{main: [{{{name}: {{}}}}]}}")
    assert f"no component is called '{name}'. Did you mean '{meant}' of the plugin '{plugin}'? Add {plugin}" in said


def test_a_misspelt_name_of_the_game_comes_first() -> None:
    """A name that is more similar to one of the game is not searched elsewhere."""
    (said,) = mistakes("prefabs: {coin: {Transform: {}}}\nscenes: {main: [{prefab: coyn}]}")
    assert "did you mean 'coin'?" in said
    (said,) = mistakes("scenes: {main: [{Transfrom: {}}]}")
    assert "did you mean 'Transform'?" in said


@pytest.mark.parametrize(
    "written", ["1e3", "0x10", "0o17", "+5", "-0", "1.50", "5", "null", "~", "True", "false", ".5"]
)
def test_text_is_quoted_as_it_was_written(written: str) -> None:
    """A number or special word where text belongs: the advice has the characters of the file, not those of a number."""
    (said,) = mistakes(f"game: {{title: {written}}}\nscenes: {{main: []}}")
    assert said.endswith(f"put it into quotes, '{written}'")
    assert not mistakes(f"game: {{title: '{written}'}}\nscenes: {{main: []}}")


@pytest.mark.parametrize("written", ["010", "1_000", "yes", "2001-01-01", "12:30"])
def test_what_looks_special_elsewhere_is_text(written: str) -> None:
    """Words that other readers of YAML convert are text, so nothing is to be said."""
    assert not mistakes(f"game: {{title: {written}}}\nscenes: {{main: []}}")


@pytest.mark.parametrize("value", ["1", "1e3", "true", "null"])
def test_advice_for_a_command_line_works_on_one(value: str) -> None:
    """A shell removes one pair of quotes, so the advice has two, and following it is no mistake of this kind."""
    (said,) = mistakes("scenes: {main: []}", overrides=(f"game.title={value}",))
    assert said.endswith(f"""write --set "game.title='{value}'\"""")
    assert not mistakes("scenes: {main: []}", overrides=(f"game.title='{value}'",))


@pytest.mark.parametrize(
    ("field", "limit"),
    [
        ("Collider: {radius: 1e39}", "1e+39 is too large: the maximum is 3.402823e+38"),
        ("Transform: {position: [0, -1e40]}", "-1e+40 is too small: the minimum is -3.402823e+38"),
        ("Body: {mass: -1}", "is out of range: 0 to"),
        ("Collider: {points: [[0, 1e39]]}", "the maximum is 3.402823e+38"),
    ],
)
def test_the_limit_that_was_missed_is_named(field: str, limit: str) -> None:
    """A number that does not fit its column names the limit of the column, not the other one of the field."""
    said = mistakes(f"plugins: [physics]\nscenes: {{main: [{{{field}}}]}}")
    assert any(limit in each for each in said), said


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("gamepad.left", "gamepad.left_x-"),
        ("gamepad.up", "gamepad.left_y+"),
        ("gamepad.right_stick_down", "gamepad.right_y-"),
        ("gamepad.stick_right.down", "gamepad.right_y-"),
        ("gamepad.dpad.left", "gamepad.dpad_left"),
        ("joystick.right", "gamepad.left_x+"),
    ],
)
def test_a_direction_of_a_gamepad_is_a_push_of_its_stick(name: str, meant: str) -> None:
    """The names that people expect for directions lead to those of the sticks and the cross."""
    assert nearest_key(name) == meant


@given(st.text())
def test_a_nearest_key_is_a_key(name: str) -> None:
    """Whatever is offered is the name of a key."""
    best = nearest_key(name)
    assert best is None or check_key(best)


@pytest.mark.parametrize("game", ["breakout", "orchard", "beacon", "menus"])
def test_missing_plugins_hide_what_follows_from_them(game: str, caplog: pytest.LogCaptureFixture) -> None:
    """Where nothing but the kernel is installed, a game reports the plugins that it misses, and nothing else."""
    manifest = read_manifest(ROOT / "games" / game)
    with caplog.at_level(logging.WARNING), pytest.raises(ManifestError) as caught:
        App(manifest, headless=True, installed=[])
    said = [str(problem) for problem in caught.value.problems]
    assert not caplog.records
    assert all(": plugins: plugin '" in each for each in said), said


def test_too_many_entries_name_their_own_maximum() -> None:
    """The number in the message is above the maximum beside it."""
    levels = "".join(f"  p{n}: {{children: [{{prefab: p{n - 1}}}, {{prefab: p{n - 1}}}]}}\n" for n in range(1, 18))
    said = mistakes(f"prefabs:\n  p0: {{Transform: {{}}}}\n{levels}scenes: {{main: []}}")
    assert any("this has 262,143 entries including children; the maximum is 200,000" in each for each in said)


def test_a_game_that_draws_nothing_is_not_filmed(rish: Any, tmp_path: Path) -> None:
    """Without a plugin that draws, no window is missed; the time is not rounded to nothing."""
    (tmp_path / "game.yaml").write_text("rish: 1\ngame: {title: T}\nscenes: {main: []}\n")
    said = rish("run", tmp_path, "--frames", "3")
    assert said.code == 0
    assert "T: no plugin of the game draws, so it runs for 0.05 s." in said.out
    assert "unseen" not in said.out
    assert "window" not in said.out


def test_installed_plugins_are_there() -> None:
    """The tests above search the plugins of this project."""
    assert {"physics", "render", "particles"} <= {one.name for one in installed_plugins()}
