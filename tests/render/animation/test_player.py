"""Animations advance with the ticks, emit their events, and change no version if no cell changes."""

from __future__ import annotations

import json
import random
from unittest.mock import patch

import numpy as np
import pytest

from rish_core import Assets, Transform
from rish_ecs import Stage, StaleEntity, UnknownName, system
from rish_render import Sprite, plugin
from rish_render.animation import Animation, AnimationFinished, AnimationFrame, SpriteSheet, play
from rish_render.animation.table import ClipTable

HERO = """
clips:
  idle:  {frames: 0-3, time: 0.1}
  run:   {frames: 4-6, times: [0.1, 0.2, 0.1], events: {0: step, 2: step}}
  jump:  {frames: 10-12, time: 0.1, mode: once, next: idle, events: {1: up}}
  die:   {frames: 20-21, time: 0.1, mode: once}
"""


class Ear:
    """A plugin that collects animation events, as (name of the event, entity, clip)."""

    def __init__(self):
        self.heard = []

        @system(Stage.UPDATE, after="render.advance_animations")
        def listen(world, dt):
            for event in world.events(AnimationFrame):
                self.heard.append((event.name, event.entity, event.clip))
            for event in world.events(AnimationFinished):
                self.heard.append(("finished", event.entity, event.clip))

        self.rish_systems = lambda: [listen]


@pytest.fixture
def stage(rish_app):
    """Build a game with `hero.anim.yaml`; its `heard` collects the events."""

    def make(files=None, strict=False, **more):
        ear = Ear()
        app = rish_app(
            {"game": {"size": [64, 64]}},
            plugins={"render": plugin, "ear": ear},
            files={"hero.anim.yaml": HERO, **(files or {})},
            strict=strict,
            **more,
        )
        app.heard = ear.heard
        return app

    return make


def put(app, **values):
    """Spawn an entity with an animation, by default of the hero's clips."""
    values = {"clips": "hero.anim.yaml", **values} if "frames" not in values else values
    return app.world.spawn(Transform(), Sprite(), SpriteSheet(cell=(8, 8)), Animation(**values))


def run(app, seconds):
    """Run the ticks of that many seconds."""
    for _ in range(round(seconds / app.world.dt)):
        app.tick()


def cell(app, entity):
    """Return the cell that the sprite shows."""
    return app.world.get(entity, Sprite).frame


def test_a_clip_loops(stage):
    """A looping clip shows each cell for its time and then starts again."""
    app = stage()
    hero = put(app, clip="idle")
    shown = []
    for _ in range(60):
        app.tick()
        shown.append(cell(app, hero))
    assert [shown[k] for k in (0, 4, 8, 14, 20, 26)] == [0, 0, 1, 2, 3, 0]


def test_an_empty_name_is_the_first_clip_of_the_file(stage):
    """An empty clip name plays the first clip of the file; a file takes precedence over the component's own cells."""
    app = stage()
    hero = put(app, frames="30-31", clips="hero.anim.yaml")
    run(app, 0.15)
    assert cell(app, hero) == 1


@pytest.mark.parametrize(
    ("mode", "after"), [("loop", [3, 4, 5, 3, 4, 5]), ("once", [3, 4, 5, 5, 5, 5]), ("ping_pong", [3, 4, 5, 4, 3, 4])]
)
def test_cells_may_be_named_without_a_file(stage, mode, after):
    """An animation can list its cells itself, with a number of steps per second and a mode for the end."""
    app = stage()
    coin = put(app, frames="3-5", fps=10, mode=mode)
    run(app, 0.05)
    found = []
    for _ in range(6):
        found.append(cell(app, coin))
        run(app, 0.1)
    assert found == after


def test_one_that_ended_says_so(stage):
    """A clip that ends stays at its last cell, stops playing, and emits one event."""
    app = stage()
    hero = put(app, clip="die")
    run(app, 1)
    assert cell(app, hero) == 21
    assert not app.world.get(hero, Animation).playing
    assert app.heard == [("finished", hero, "die")]


def test_a_clip_that_ended_leads_on_to_the_next(stage):
    """When a clip ends, its `next` clip starts, and the remaining time counts for it."""
    app = stage()
    hero = put(app, clip="jump")
    run(app, 0.35)
    assert app.world.get(hero, Animation).clip == "idle"
    assert cell(app, hero) == 0
    assert app.heard == [("up", hero, "jump"), ("finished", hero, "jump")]


def test_steps_tell_their_events(stage):
    """A step emits its event each time it begins, the first step included."""
    app = stage()
    put(app, clip="run")
    run(app, 0.75)
    assert [name for name, *_ in app.heard] == ["step"] * 4


def test_playing_the_same_clip_goes_on(stage):
    """`play` of the clip that already plays changes nothing, so rules can call it every tick; `restart` restarts it."""
    app = stage()
    hero = put(app, clip="idle")
    run(app, 0.15)
    play(app.world, hero, "idle")
    app.tick()
    assert cell(app, hero) == 1
    play(app.world, hero, "idle", restart=True)
    app.tick()
    assert cell(app, hero) == 0


def test_playing_another_clip_starts_it(stage):
    """`play` starts another clip immediately, for one entity or for many."""
    app = stage()
    heroes = [put(app, clip="idle"), put(app, clip="die")]
    run(app, 0.35)
    play(app.world, heroes, "run")
    app.tick()
    assert [cell(app, hero) for hero in heroes] == [4, 4]
    assert all(app.world.get(hero, Animation).playing for hero in heroes)


def test_a_clip_can_wait_for_the_end_of_the_other(stage):
    """With `after` the new clip waits until the current round ends."""
    app = stage()
    hero = put(app, clip="idle")
    run(app, 0.1)
    play(app.world, hero, "run", after=True)
    run(app, 0.25)
    assert cell(app, hero) == 3
    run(app, 0.1)
    assert cell(app, hero) == 4
    assert app.world.get(hero, Animation).queued == ""


def test_the_name_of_the_clip_can_be_written(stage):
    """Writing the component's `clip` starts that clip, as an editor does it."""
    app = stage()
    hero = put(app, clip="idle")
    run(app, 0.25)
    app.world.set(hero, Animation(clip="run"))
    app.tick()
    assert cell(app, hero) == 4


def test_speed_and_standing_still(stage):
    """An animation can run at double speed, backwards, or not at all."""
    app = stage()
    quick, back, still = put(app, speed=2), put(app, clip="die", speed=-1), put(app, playing=False)
    run(app, 0.025)
    assert cell(app, back) == 21
    run(app, 0.2)
    assert [cell(app, e) for e in (back, still)] == [20, 0]
    assert app.world.get(quick, Animation).time == pytest.approx(2 * app.world.time % 0.4, abs=1e-4)
    run(app, 0.2)
    assert ("finished", back, "die") in app.heard


def test_a_crowd_can_begin_at_different_times(stage):
    """The field `time` sets the time within the clip at which an animation starts."""
    app = stage()
    crowd = [put(app, time=t) for t in (0, 0.12, 0.22, 0.92)]
    app.tick()
    assert [cell(app, e) for e in crowd] == [0, 1, 2, 1]


def test_unknown_names_are_reported_once(stage, caplog):
    """Each unknown name is reported once, with the nearest name; its sprite stays still."""
    app = stage()
    put(app, clip="runn"), put(app, clip="runn"), put(app, clips="none.anim.yaml"), put(app, frames="0-x")
    run(app, 0.2)
    told = [record.getMessage() for record in caplog.records]
    assert sum("has no clip 'runn' (did you mean 'run'?)" in text for text in told) == 1
    assert sum("none.anim.yaml" in text for text in told) == 1
    assert sum("'0-x' is neither a cell" in text for text in told) == 1


def test_an_unknown_clip_that_waited_is_reported(stage, caplog):
    """An unknown clip that waited is reported when its turn comes."""
    app = stage()
    hero = put(app, clip="idle")
    app.tick()
    play(app.world, hero, "rum", after=True)
    run(app, 0.5)
    assert sum("has no clip 'rum'" in record.getMessage() for record in caplog.records) == 1


def test_a_damaged_file_stops_nothing(stage, caplog):
    """A damaged file logs one line and stops no other animation."""
    app = stage({"bad.anim.yaml": "clips: {a: {frames: x}}"})
    hero, other = put(app, clips="bad.anim.yaml"), put(app)
    run(app, 0.15)
    assert (cell(app, hero), cell(app, other)) == (0, 1)
    assert sum("bad.anim.yaml:1:21" in record.getMessage() for record in caplog.records) == 1


def test_a_sheet_of_aseprite_plays(stage):
    """The tags of an Aseprite sheet are clips, and its durations are their times."""
    frames = [{"frame": {"x": 8 * k, "y": 0, "w": 8, "h": 8}, "duration": 100} for k in range(4)]
    data = {"frames": frames, "meta": {"frameTags": [{"name": "spin", "from": 2, "to": 3, "direction": "forward"}]}}
    app = stage({"coin.json": json.dumps(data)})
    coin = put(app, clips="coin.json", clip="spin")
    run(app, 0.15)
    assert cell(app, coin) == 3


def test_a_reload_keeps_the_time(stage):
    """After a reload the step is computed again from the time that has passed."""
    app = stage()
    hero = put(app, clip="idle")
    run(app, 0.25)
    assets = app.world[Assets]
    (assets.root / "hero.anim.yaml").write_text("clips: {idle: {frames: [50, 51, 52, 53, 54], time: 0.05}}")
    assert assets.reload("hero.anim.yaml")
    app.tick()
    assert cell(app, hero) in (50, 51)
    assert app.world.get(hero, Animation).time < 0.1


def test_sprites_keep_their_version_while_no_cell_changes(stage):
    """The sprites keep their version while no cell changes, so that batches can be reused."""
    app = stage()
    put(app, clip="idle")
    app.tick()
    before = app.world[Sprite].version
    app.tick()
    app.tick()
    assert app.world[Sprite].version == before
    run(app, 0.2)
    assert app.world[Sprite].version > before


@pytest.mark.slow
def test_it_hides_no_state(stage):
    """Running ticks again from a snapshot gives the same state: the plugin keeps no hidden state."""
    app = stage(strict=True)
    hero = put(app, clip="jump")
    run(app, 0.15)
    snapshot, digest = app.world.snapshot(), app.world.hash()
    run(app, 0.5)
    app.world.restore(snapshot)
    assert app.world.hash() == digest
    run(app, 0.5)
    assert app.world.get(hero, Animation).clip == "idle"


def test_the_compiled_kernel_does_what_the_plain_one_does(stage, monkeypatch):
    """The compiled kernel and plain Python agree for all kinds of clips, speeds and times, also NaN and infinity."""
    from rish_render.animation import kernels

    def play_all(kernel):
        monkeypatch.setattr(kernels, "advance", kernel)
        dice, app = random.Random(4), stage()
        crowd = [
            put(
                app,
                clip=dice.choice(["", "idle", "run", "jump", "die"]),
                speed=dice.uniform(-3, 3),
                time=dice.uniform(0, 2),
            )
            for _ in range(20)
        ] + [put(app, frames="0-9", fps=dice.uniform(0, 200), mode=mode) for mode in ("loop", "once", "ping_pong")]
        app.world[Animation].speed[3:6] = [np.nan, np.inf, 1e30]
        app.world[Animation].time[7:9] = [np.nan, 1e30]
        table = app.world[Animation]
        for _ in range(40):
            app.tick()
        columns = [table.column(name).copy() for name in ("time", "step", "clip", "playing")]
        return [*columns, app.world[Sprite].frame.copy()], [(n, crowd.index(e), c) for n, e, c in app.heard]

    compiled = play_all(kernels.advance)
    with (
        patch.object(kernels, "_step_at", kernels._step_at.py_func),
        np.errstate(all="ignore"),
    ):
        plain = play_all(kernels.advance.py_func)
    for a, b in zip(compiled[0], plain[0], strict=True):
        np.testing.assert_array_equal(a, b)
    assert compiled[1] == plain[1]


def test_play_refuses_what_has_no_animation(stage):
    """`play` raises for an entity without an animation before it changes any other entity."""
    app = stage()
    hero, stone = put(app, clip="idle"), app.world.spawn(Transform())
    with pytest.raises(UnknownName):
        play(app.world, [hero, stone], "run")
    app.world.despawn(stone)
    with pytest.raises(StaleEntity):
        play(app.world, [hero, stone], "run")
    assert app.world.get(hero, Animation).clip == "idle"


def test_learning_again_forgets_nothing(stage):
    """Clips of several files that are loaded one after another stay assigned to their own entities."""
    app = stage({"other.anim.yaml": "clips: {idle: 90, spin: 91-92}"})
    first = put(app, clip="run")
    app.tick()
    second, third = put(app, clips="other.anim.yaml", clip="spin"), put(app, clip="die")
    app.tick()
    app.tick()
    assert [cell(app, e) for e in (first, second, third)] == [4, 91, 20]
    assert len(app.world[ClipTable].flat.first) == 6
