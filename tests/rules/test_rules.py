"""Rules: triggers, limits, actions, waiting, determinism and failures while the game runs."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rish_core import (
    App,
    Entity,
    Group,
    InputRecord,
    Layers,
    ManifestError,
    Name,
    Scenes,
    Session,
    Str,
    Tags,
    Transform,
    WindowEvent,
    component,
    event,
    named,
    open_game,
    parse_manifest,
    read_manifest,
    resource,
    tagged,
)
from rish_expressions import Action, FieldPath, Variables
from rish_reload import prepare
from rish_rules import WaitingRules

Play = Callable[..., App]


def values(app: App) -> dict[str, Any]:
    """Return the variables of a game."""
    return app.world[Variables].values


def read(app: App, path: str) -> Any:
    """Return the value of a path."""
    return FieldPath.parse(path).bind(app.world).read()


# Triggers


def test_an_event_runs_a_rule_for_each_of_its_rows(play: Play, pinger: Any) -> None:
    """Fields of an event are names: a condition and a value read them."""
    app = play("  Ping: {if: strength > 1, add: {speed: strength, score: 1}, else: {set: {label: '{word}'}}}")
    pinger.coming = [{"strength": s, "word": w} for s, w in ((2, "x"), (0.5, "weak"), (4, "y"))]
    app.run(1)
    assert values(app) == {"score": 2, "speed": 7.5, "label": "weak", "fast": False}


def test_a_scene_begins_once(play: Play) -> None:
    """`scene NAME` runs in the first tick of that scene and `scene` in that of each, also after a restart."""
    app = play("  scene main: {add: {score: 1}}\n  scene: {add: {score: 10}}")
    app.run(3)
    assert values(app)["score"] == 11
    app.world[Scenes].go("over")
    app.run(3)
    assert values(app)["score"] == 21


def test_keys_run_rules_at_their_edges(play: Play) -> None:
    """pressed and released run once, down in each tick that the action is held."""
    app = play(
        "  pressed jump: {add: {score: 1}}\n  released jump: {add: {score: 100}}\n  down jump: {add: {score: 10}}"
    )
    for down in (True, None, None, False, None):
        events = () if down is None else (WindowEvent("key", "SPACE", down),)
        app.tick(InputRecord(events))
    assert values(app)["score"] == 1 + 30 + 100


def test_keys_of_one_player_or_of_any(play: Play) -> None:
    """A number means the keys of that player; without one, any player counts, also for actions that one player has."""
    app = play(
        "  pressed kick: {add: {score: 1}}\n  pressed kick 2: {add: {score: 10}}\n  pressed duck: {add: {score: 100}}\n"
        "  released kick 1: {add: {score: 1000}}\n  tick: {set: {speed: 'axis(kick, duck, 2) + 4 * strength(kick)'}}"
    )
    totals = []
    for key, down in (("A", True), ("B", True), ("B", False), ("A", False), ("C", True), ("SPACE", True)):
        app.tick(InputRecord((WindowEvent("key", key, down),)))
        totals.append((values(app)["score"], values(app)["speed"]))
    assert totals == [(1, 4), (12, 3), (12, 4), (1012, 0), (1112, 1), (1112, 1)]


def test_a_timer_fires_at_the_nearest_tick_and_its_period_may_change(play: Play) -> None:
    """`every 0.1` fires ten times in a second; the period is an expression that is read in each tick."""
    app = play("  every 0.1: {add: {score: 1}}\n  every 0.5 if score < 5 else 100: {set: {label: '{label}x'}}")
    app.run(60)
    assert values(app)["score"] == 10
    app.run(120)
    assert values(app)["label"] == ""


def test_a_condition_runs_when_it_becomes_true(play: Play) -> None:
    """`when` runs once for each time that its condition becomes true, not while it is."""
    app = play("  tick: {add: {score: 1}}\n  when score % 10 >= 5: {add: {speed: 1}}")
    app.run(30)
    assert values(app)["speed"] == 4.5


# Limits


@pytest.mark.parametrize("swapped", [False, True])
def test_self_and_other_find_their_entities_in_either_order(play: Play, pinger: Any, swapped: bool) -> None:
    """A rule limited by a tag and a name runs for pairs in both orders, and `self` is the entity with the tag."""
    app = play(
        "  Ping: {self: coin, other: hero, do: [{despawn: self}, {add: {score: 1, other.Transform.position.y: 2}}]}"
    )
    hero, coins = named(app.world, "hero"), tagged(app.world, "coin").tolist()
    pairs = [(coins[0], hero), (coins[1], coins[2]), (hero, hero), (coins[2], hero)]
    pinger.coming = [{"a": b, "b": a} if swapped else {"a": a, "b": b} for a, b in pairs]
    app.run(1)
    assert values(app)["score"] == 2
    assert tagged(app.world, "coin").tolist() == [coins[1]]
    assert read(app, "hero.Transform.position.y") == 8


def test_limits_follow_words_that_come_and_go(play: Play) -> None:
    """A rule limited by a word runs for the entities that have it in this tick as a tag, as a group or as a name."""
    app = play("  tick: {self: coin, add: {score: 1}}")
    world, coins = app.world, tagged(app.world, "coin").tolist()
    other = world.spawn(Name(value="else"), Group(value="else"), Tags(values=("else",)))
    changes = [
        (lambda: None, 3),
        (lambda: world.set(other, Tags(values=("shiny", "coin"))), 4),
        (lambda: world.set(other, Tags(values=())), 3),
        (lambda: world.set(other, Name(value="coin")), 4),
        (lambda: world.set(other, Group(value="coin"), Name(value="else")), 4),
        (lambda: world.despawn(coins[0]), 3),
        (lambda: world.remove(other, Group), 2),
    ]
    for change, expected in changes:
        before = values(app)["score"]
        change()
        app.run(1)
        assert values(app)["score"] - before == expected


def test_without_an_event_a_rule_runs_for_each_of_its_entities(play: Play) -> None:
    """`tick: {self: coin}` runs for every coin; `in` limits it to scenes."""
    app = play("  tick: [{self: coin, in: main, add: {self.Transform.position.y: self.Transform.position.x}}, "
               "{self: coin, in: [over], despawn: self}, {self: Transform, add: {score: 1}}]")  # fmt: skip
    app.run(2)
    assert sorted(app.world.table(Transform).position[:, 1].tolist()) == [2, 4, 4, 6]
    assert values(app)["score"] == 8


# Actions


def test_spawn_takes_place_number_and_fields(play: Play) -> None:
    """Copies of a prefab are spawned at a place that is computed, with fields that are computed."""
    app = play("  scene main: {spawn: coin, at: [score + 7, 1], count: 2, with: {Transform.rotation: 10 * speed}}")
    before = len(app.world.table(Transform))
    app.run(1)
    table = app.world.table(Transform)
    assert len(table) == before + 2
    assert table.position[-2:].tolist() == [[7, 1], [7, 1]]
    assert table.rotation[-1] == pytest.approx(15 * 3.14159265 / 180)


def test_emitted_events_run_other_rules_in_the_next_tick(play: Play) -> None:
    """`emit` fills the fields of an event that other rules read one tick later."""
    app = play("  scene main: {emit: Ping, strength: speed * 2, word: 'n{score}', a: hero}\n"
               "  Ping: {if: exists(a), set: {label: '{word}', speed: strength}}")  # fmt: skip
    app.run(1)
    assert values(app)["label"] == ""
    app.run(1)
    assert (values(app)["label"], values(app)["speed"]) == ("n0", 3.0)


def test_the_game_goes_to_scenes_and_ends(play: Play) -> None:
    """`goto` begins another scene before the next tick, `quit` ends the game."""
    app = play("  scene main: {goto: over}\n  scene over: {quit: true}")
    app.run(1)
    assert app.running
    app.run(2)
    assert app.world[Scenes].current == "over"
    assert app.world[Session].quit
    assert app.world.tick == 2


def test_despawn_takes_a_tag_and_add_stays_in_the_range(play: Play) -> None:
    """`despawn: {tag: ...}` removes all with the tag; `add` stops at the bound of a field."""
    head = "rish: 1\nplugins: [basics, rules]\nprefabs: {t: {tags: [x], Timer: {seconds: 1}}}\n"
    head += "scenes: {main: [{prefab: t, name: a}, {prefab: t}]}"
    app = play("  tick: {add: {a.Timer.seconds: -0.4}}\n  when time > 0.3: {despawn: {tag: x}}", head)
    app.run(5)
    assert read(app, "a.Timer.seconds") == 0
    app.run(20)
    assert len(tagged(app.world, "x")) == 0


def test_settings_and_layers_are_set_by_the_same_paths(play: Play) -> None:
    """A rule hides a layer and pauses another."""
    app = play("  scene main: {set: {layers.hud.visible: false, layers.world.paused: score == 0}}")
    app.run(1)
    assert (read(app, "layers.hud.visible"), read(app, "layers.world.paused")) == (False, True)


# Waiting


def test_a_wait_does_not_end_while_the_game_is_paused(play: Play) -> None:
    """The time of a pause counts for no `wait`."""
    app = play("  scene main: {do: [{wait: 0.1}, {add: {score: 1}}]}")
    app.run(3)
    app.world[Layers].pause_all()
    app.run(20)
    app.world[Layers].pause_all(False)
    app.run(3)
    assert values(app)["score"] == 0
    app.run(3)
    assert values(app)["score"] == 1


def test_a_rule_waits_and_goes_on_with_the_same_values(play: Play, pinger: Any) -> None:
    """After a `wait` the rule continues at its next step, with `self` and the fields of its event."""
    app = play(
        "  Ping: {do: [{add: {score: 1}}, {wait: 0.1}, {if: strength > 1, do: "
        "[{set: {label: '{word} {point.x}'}}, {wait: strength / 60}, {despawn: self}]}]}"
    )
    coin = int(tagged(app.world, "coin")[0])
    pinger.coming = [{"a": coin, "strength": 5, "word": "é", "point": (2.5, 0)}]
    app.run(1)
    assert (values(app)["score"], len(app.world[WaitingRules])) == (1, 1)
    app.run(5)
    assert values(app)["label"] == ""
    app.run(1)
    assert values(app)["label"] == "é 2.5"
    app.run(5)
    assert not app.world.alive(coin)
    assert len(app.world[WaitingRules]) == 0


def test_waiting_rules_are_state_and_end_with_their_scene(play: Play) -> None:
    """A snapshot from the middle of a wait continues to the same hash; a new scene drops what waits."""
    app = play(
        "  scene main: {do: [{wait: 0.2}, {set: {label: 'random {random():.3f}'}}, {wait: 9}, {add: {score: 1}}]}"
    )
    app.run(4)
    middle = app.world.snapshot()
    app.run(20)
    first, label = app.world.hash(), values(app)["label"]
    app.world.restore(middle)
    app.run(20)
    assert (app.world.hash(), values(app)["label"]) == (first, label)
    assert label.startswith("random 0.")
    app.world[Scenes].go("over")
    app.run(1)
    assert len(app.world[WaitingRules]) == 0


def test_strict_mode_finds_nothing_hidden(play: Play) -> None:
    """Under `strict`, which runs each tick twice, rules with state, waiting and random numbers give equal hashes."""
    rules = """
  every 0.05: {spawn: coin, at: ["random(0, 9)", 1]}
  when count(coin) > 5: {do: [{wait: 0.1}, {despawn: {tag: coin}}, {add: {score: 1}}]}
"""
    hashes: list[str] = []
    for more in ([], ["strict"]):
        app = play(rules, also=more)
        app.run(40)
        assert values(app)["score"] >= 1
        hashes.append(app.world.hash())
    assert hashes[0] == hashes[1]


# Failures


def test_a_failure_is_reported_once_and_skips_only_that_run(
    play: Play, pinger: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """A division by zero in one event is one warning with the rule's line; the other events and rules go on."""
    app = play("  Ping:\n    - {set: {speed: 1 / strength}}\n    - {add: {score: 1}}")
    with caplog.at_level(logging.WARNING, "rish.rules"):
        for _ in range(3):
            pinger.coming = [{"strength": s} for s in (0, 2, 0)]
            app.run(1)
    warnings = [record.getMessage() for record in caplog.records if record.name == "rish.rules"]
    assert len(warnings) == 1
    assert "division by zero" in warnings[0]
    assert "game.yaml:16:7" in warnings[0]
    assert (values(app)["speed"], values(app)["score"]) == (0.5, 9)


OPTIONAL = """
rish: 1
plugins: [rules, "chimes?"]
variables: {score: 0, loud: 1}
prefabs: {coin: {Transform: {}, chimes.Source: {}}}
scenes: {main: [{name: hero, Transform: {}, chimes.Source: {}}]}
on:
  chimes.Ended: {chimes.stop: x}
  scene main:
    do:
    - {chimes.play: hit.wav, gain: 2}
    - {set: {hero.chimes.Source.volume: loud, score: 3}}
    - {spawn: coin, at: [1, 1], with: {chimes.Source.volume: 2}}
    - {emit: chimes.Stop}
    - {add: {score: 1}}
"""


def chimes() -> ModuleType:
    """Return a plugin with an event, a component and an action."""

    @component
    class Source:
        volume: float = 1.0

    @event
    class Ended:
        entity: Entity = 0

    @event
    class Stop:
        pass

    @resource
    class Play:
        sound: Str = ""
        gain: float = 1.0

    made = ModuleType("chimes")
    made.rish_components = lambda: [Source]  # type: ignore[attr-defined]
    made.rish_events = lambda: [Ended, Stop]  # type: ignore[attr-defined]
    heard = made.heard = []  # type: ignore[attr-defined]
    perform = lambda world, arguments, scope: heard.append(arguments.sound)  # noqa: E731
    made.rish_actions = lambda: [Action("play", Play, perform), Action("stop", Play, perform)]  # type: ignore[attr-defined]
    return made


def test_rules_of_an_absent_optional_plugin_are_skipped(caplog: pytest.LogCaptureFixture) -> None:
    """Its events, actions and fields are left out with one line that counts them; the other rules and steps run."""
    for _ in range(2):
        caplog.clear()
        with App(parse_manifest(OPTIONAL), headless=True) as app:
            app.run(1)
            assert list(app.plugins.absent) == ["chimes"]
            assert app.world[Variables].values == {"score": 4, "loud": 1}
            assert len(app.world.table(Transform)) == 2
        lines = [record.getMessage() for record in caplog.records if "chimes" in record.getMessage()]
        assert len(lines) == 1
        assert "'chimes', 7 uses of it in the manifest left out" in lines[0]


def test_rules_of_an_optional_plugin_that_runs_need_its_name() -> None:
    """Where the plugin runs, its full names work, and a short name of its event or action is a mistake."""
    there = chimes()
    with App(parse_manifest(OPTIONAL), headless=True, policy="raise", extra={"chimes": there}) as app:
        app.run(1)
        assert there.heard == ["hit.wav"]
    for short, full in (("chimes.Ended", "Ended"), ("chimes.play", "play"), ("emit: chimes.Stop", "emit: Stop")):
        with pytest.raises(ManifestError, match="belongs to the optional plugin 'chimes': write chimes"):
            App(parse_manifest(OPTIONAL.replace(short, full)), headless=True, extra={"chimes": chimes()})


def test_an_unknown_name_may_belong_to_an_absent_plugin() -> None:
    """A short name that nobody declares is a mistake, whose message offers the full name."""
    with pytest.raises(ManifestError, match=r"If an optional plugin declares it, write chimes\.ring"):
        App(parse_manifest(OPTIONAL.replace("chimes.play", "ring")), headless=True)


def test_a_while_repeats_a_sequence(play: Play) -> None:
    """The steps of a `while` are repeated as long as its condition holds; the steps after it follow, also rewound."""
    app = play(
        "  scene main:\n"
        "    do:\n"
        "    - {while: score < 3, do: [{add: {score: 1}}, {wait: 0.05}]}\n"
        "    - {set: {label: done}}\n"
    )
    app.run(5)
    saved = app.world.snapshot()
    app.run(3)
    assert (values(app)["score"], values(app)["label"]) == (3, "")
    app.run(4)
    assert (values(app)["score"], values(app)["label"]) == (3, "done")
    app.world.restore(saved)
    app.run(8)
    assert (values(app)["score"], values(app)["label"]) == (3, "done")


def test_a_while_that_does_not_wait_is_stopped(play: Play, caplog: pytest.LogCaptureFixture) -> None:
    """If the wait is never reached, the run of the rule is given up with a message, and the game goes on."""
    app = play("  scene main: {while: score < 3, do: [{if: fast, wait: 1}, {add: {score: 0}}]}\n")
    app.run(2)
    assert "without a wait" in caplog.text


def test_included_files_have_rules_and_variables(tmp_path: Path) -> None:
    """Rules of one trigger in several files run in the order of the files; their mistakes have their places."""
    (tmp_path / "game.yaml").write_text(
        "rish: 1\nplugins: [rules]\ninclude: [more.yaml]\nvariables: {score: 1}\nscenes: {main: []}\n"
        "on:\n  scene main: {add: {score: bonus}}\n"
    )
    more = tmp_path / "more.yaml"
    more.write_text(
        "variables: {bonus: 2}\non:\n  scene main:\n  - {set: {score: score * 10}}\n  - {add: {bonus: 1}}\n"
    )
    with App(read_manifest(tmp_path / "game.yaml"), headless=True, policy="raise") as app:
        app.run(1)
        assert app.world[Variables].values == {"score": 30, "bonus": 3}
    more.write_text("variables: {bonus: 2, score: 3}\non: {scene main: {set: {scor: 1}}}\nlayers: [x]\nno: {a: 1}\n")
    with pytest.raises(ManifestError) as caught:
        App(read_manifest(tmp_path / "game.yaml"), headless=True)
    for said in (
        "more.yaml:1:23: variables.score: 'score' is defined twice",
        "on.scene main[1].set.scor: no variable is called 'scor'",
        "more.yaml:3:1: layers: is not allowed in an included file",
        "more.yaml:4:1: no: a manifest has no section 'no'",
    ):
        assert said in str(caught.value)


# Edits


def test_an_edit_replaces_the_rules_and_keeps_the_variables(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """New rules run after an edit, variables keep their values, new ones begin; what waited is dropped with a line."""
    text = (
        "rish: 1\nplugins: [rules]\nvariables: {score: 0VARS}\nscenes: {main: []}\non:\n  tick: {add: {score: STEP}}\n"
    )
    text += "  scene main: {do: [{wait: 0.2}, {set: {score: WAITED}}]}\n"
    file = tmp_path / "game.yaml"

    def write(step: int, waited: int, more: str = "") -> None:
        file.write_text(text.replace("STEP", str(step)).replace("WAITED", str(waited)).replace("VARS", more))

    write(1, 7)
    with open_game(tmp_path, headless=True, policy="raise") as app:
        app.run(3)
        write(100, 8, ", extra: 5")
        prepare(app, manifest=read_manifest(tmp_path)).apply()
        with caplog.at_level(logging.WARNING, "rish.rules"):
            app.run(20)
        assert values(app) == {"score": 3 + 2000, "extra": 5}
    assert "is not in the manifest any more" in caplog.text
