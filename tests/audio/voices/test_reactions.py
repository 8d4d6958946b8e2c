"""Sounds at events, from `settings: audio: on:`, and from the actions of rules."""

from __future__ import annotations

from typing import Any

import pytest

from rish_audio.voices.reactions import MAX_EVENTS
from rish_core import Transform


def _bump(studio: Any, on: str, *events: dict[str, Any], **options: Any) -> list[dict[str, Any]]:
    """Return the voices that play after events of the game."""
    game = studio(f"{{on: {{desk.Bump: {on}}}}}", **options)
    cls = game.world.kind("desk.Bump")

    def emit(world: Any) -> None:
        for values in events:
            world.emit(cls, **values)

    return game.act(emit, 2).voices


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        ("{play: a.wav}", {"sound": "a.wav", "placed": False, "gain": 1.0}),
        ("{play: a.wav, at: point}", {"placed": True, "position": (3, 4, 0)}),
        ("{play: a.wav, at: [strength, strength]}", {"placed": True, "position": (0.5, 0.5, 0)}),
        ("{play: a.wav, gain: strength / 2, pitch: 1 + strength}", {"gain": 0.25, "pitch": 1.5}),
        ("{play: a.wav, gain: strength * 1000}", {"gain": 4.0}),
        ("{play: a.wav, bus: ui, tag: hit, priority: 3}", {"bus": "ui", "tag": "hit", "priority": 3}),
        ("[{play: a.wav, if: strength > 1}, {play: b.wav, if: strength < 1}]", {"sound": "b.wav"}),
    ],
)
def test_reactions(studio: Any, on: str, expected: dict[str, Any]) -> None:
    """Place, gain, pitch and conditions are expressions over the event; other keys are those of `play`."""
    (voice,) = _bump(studio, on, {"point": (3, 4), "strength": 0.5})
    for name, value in expected.items():
        assert voice[name] == (value if isinstance(value, str | bool) else pytest.approx(value)), name


def test_a_reaction_can_follow_an_entity(studio: Any) -> None:
    """If the place is an entity, the sound moves with it."""
    game = studio("{on: {desk.Bump: {play: a.wav, at: who}}}")
    entity = game.world.spawn(Transform(position=(8, 9)))
    game.act(lambda world: world.emit(world.kind("desk.Bump"), who=entity))
    assert game.voices[0]["position"] == pytest.approx((8, 9, 0))


def test_a_crowd_of_events_is_not_a_machine_gun(studio: Any) -> None:
    """At most MAX_EVENTS events of a kind are heard in a tick."""
    assert len(_bump(studio, "{play: a.wav}", *[{}] * (MAX_EVENTS * 3))) == MAX_EVENTS


def test_an_expression_that_fails_is_reported_once(studio: Any, caplog: Any) -> None:
    """A division by zero plays nothing, and is one warning however often it happens."""
    assert _bump(studio, "{play: a.wav, gain: 1 / strength}", *[{"strength": 0}] * 3) == []
    assert len([record for record in caplog.records if "desk.Bump" in record.getMessage()]) == 1


RULES = """
on:
  Bump:
    - {play: a.wav, at: point, gain: strength}
    - {music: b.wav, fade: 0}
    - {set_bus: music, parameter: gain, value: 0.25}
    - {mix: low}
"""


def test_rules_play_and_change_buses(studio: Any) -> None:
    """The actions of rules do what the functions of the same names do."""
    from rish_audio import Buses

    settings = "{mixes: {low: {effects: {low_pass: 300}}}}"
    game = studio(settings, plugins="rules, audio", more=RULES)
    game.act(lambda world: world.emit(world.kind("desk.Bump"), point=(5, 6), strength=0.5), 40)
    sound, music = game.voices
    assert (sound["sound"], sound["gain"], tuple(sound["position"])) == ("a.wav", 0.5, (5, 6, 0))
    assert (music["sound"], music["loop"], music["bus"]) == ("b.wav", True, "music")
    buses = {game.world.text(name): row for row, name in enumerate(game.world[Buses].column("name").tolist())}
    assert game.world[Buses].gain[buses["music"]] == 0.25
    assert game.world[Buses].low_pass[buses["effects"]] == pytest.approx(300)
