"""Actions of plugins, and the hook that declares them."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from rish_core import App, Entity, ManifestError, PluginError, Str, Vec2, World, field, named, parse_manifest, resource
from rish_expressions import Action, Scope

PLAYED: list[tuple[Any, ...]] = []


@resource
class Play:
    """The parameters of a sound."""

    sound: Str = ""
    gain: float = field(1.0, low=0, high=4)
    at: Vec2 = field((0, 0))
    turn: float = field(0.0, angle=True)
    by: Entity = 0


def play_sound(world: World, arguments: Play, scope: Scope) -> None:
    """Note the arguments."""
    PLAYED.append((arguments.sound, arguments.gain, tuple(arguments.at), arguments.turn, arguments.by, dict(scope)))


def audio(actions: Any = None) -> ModuleType:
    """Return a plugin with the action `play`."""
    made = ModuleType("audio")
    made.rish_actions = lambda: [Action("play", Play, play_sound)] if actions is None else actions  # type: ignore[attr-defined]
    return made


TEXT = """
rish: 1
plugins: [rules, audio]
variables: {loud: 2}
scenes: {main: [{name: hero, Transform: {}}]}
on:
  scene main:
"""


def test_hook_rish_actions() -> None:
    """A declared action gets computed values, in the short and the long form, by its short and full name."""
    PLAYED.clear()
    rules = """
    - {play: "hit{loud}.wav", gain: loud / 2, at: [1, loud], turn: 180, by: hero}
    - {audio.play: {sound: =text(loud), turn: 90deg}}
"""
    with App(parse_manifest(TEXT + rules), headless=True, policy="raise", extra={"audio": audio()}) as app:
        app.run(1)
        hero = named(app.world, "hero")
    assert PLAYED[0] == ("hit2.wav", 1.0, (1.0, 2.0), pytest.approx(3.14159265), hero, {})
    assert PLAYED[1][:4] == ("2", 1.0, (0.0, 0.0), pytest.approx(1.57079633))


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("{play: hit.wav, gian: 2}", "'play' has no parameter 'gian' (did you mean 'gain'?)"),
        ("{play: hit.wav, gain: 9}", "9 is out of range: 0 to 4"),
        ("{play: hit.wav, gain: 'true'}", "this is true or false, and a number is needed"),
        ("{play: 3}", "must be text, not the number 3"),
        ("{plya: hit.wav}", "did you mean 'play'?"),
    ],
)
def test_wrong_arguments_are_found_before_the_game_runs(rule: str, said: str) -> None:
    """Unknown parameters, values out of range and of other types are mistakes of the manifest, at their line."""
    with pytest.raises(ManifestError) as caught:
        App(parse_manifest(f"{TEXT}    {rule}"), headless=True, extra={"audio": audio()})
    assert said in str(caught.value)
    assert "game.yaml:8:" in str(caught.value)


@pytest.mark.parametrize(
    "actions", [3, ["play"], [Action("two words", Play, play_sound)], [Action("x", int, play_sound)]]
)
def test_a_wrong_declaration_names_the_plugin(actions: Any) -> None:
    """A result of rish_actions that is no list of actions with parameter classes is refused."""
    with pytest.raises(PluginError, match=r"rish_actions|parameters"):
        App(parse_manifest(TEXT + "    {quit: true}"), headless=True, policy="raise", extra={"audio": audio(actions)})
