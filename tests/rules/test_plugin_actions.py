"""Actions that other plugins declare for rules: tweens, clips, bursts, rumbles and shakes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rish_animation import Animator, is_playing, is_tweening
from rish_core import App, ManifestError, Transform, named, read_manifest
from rish_frame import DeviceRequests
from rish_particles import Pools, ViewPools
from rish_render import Animation, Camera

HEAD = """
rish: 1
plugins: [render, particles, animation, rules]
variables: {far: 10}
scenes:
  main:
    - {name: eye, Transform: {}, Camera: {}}
    - name: door
      Transform: {}
      Animator: {clips: door.anim.yaml, clip: shut}
      children: [{name: lid, Transform: {}, Shape: {}}]
    - {name: coin, Transform: {}, Sprite: {image: coin.png}, SpriteSheet: {cell: [8, 8]},
       Animation: {clips: door.anim.yaml, clip: turn}}
on:
"""
CLIPS = """
clips:
  shut: {tracks: {lid.Transform.rotation: [[0, 0]]}}
  open: {tracks: {lid.Transform.rotation: [[0, 0], [1, 90]]}}
  turn: {frames: 0-1}
  flip: {frames: 1}
"""


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Any]:
    """Return a function that opens a game with these rules."""
    from PIL import Image

    opened: list[App] = []
    (tmp_path / "door.anim.yaml").write_text(CLIPS)
    Image.new("RGBA", (16, 8), "white").save(tmp_path / "coin.png")

    def begin(rules: str) -> App:
        (tmp_path / "game.yaml").write_text(f"{HEAD}  {rules}\n")
        opened.append(App(read_manifest(tmp_path / "game.yaml"), headless=True, policy="raise", warm_up=False))
        return opened[-1]

    yield begin
    for app in opened:
        app.close()


def position(app: App, name: str) -> list[float]:
    """Return the position of an entity."""
    table = app.world.table(Transform)
    found: list[float] = table.column("position")[table.row_of(named(app.world, name))].tolist()
    return found


def test_a_rule_starts_tweens_of_the_fields_that_it_names(play: Any) -> None:
    """`tween` has fields like `set`, also of children, with values by the type of the field; its options are shared."""
    app = play(
        "scene main: {tween: {door.Transform.position.x: far * 3, door.lid.Shape.color: '#00ff00', "
        "door.Transform.rotation: 90}, seconds: 0.5, easing: quad_out, then: done}"
    )
    app.run(2)
    world, lid = app.world, named(app.world, "lid")
    assert is_tweening(world, named(world, "door"), "Transform.position.x")
    assert is_tweening(world, lid, "Shape.color")
    assert 0 < position(app, "door")[0] < 30
    app.run(32)
    assert position(app, "door") == [30, 0]
    assert not is_tweening(world, lid)
    turned = world.table(Transform).column("rotation")[world.table(Transform).row_of(named(world, "door"))]
    assert turned == pytest.approx(1.5707963)


def test_a_tween_may_be_a_difference_and_start_a_rule_at_its_end(play: Any) -> None:
    """`relative: true` adds to the present value; the event at the end is a trigger like every other."""
    app = play(
        "scene main: {tween: {door.Transform.position.y: -4}, relative: true, seconds: 0.1, then: down}\n"
        "  TweenFinished: {if: then == 'down', set: {self.Transform.position.x: 7}}"
    )
    app.run(12)
    assert position(app, "door") == [7, -4]


def test_a_rule_plays_clips_of_tracks_and_of_sheets(play: Any) -> None:
    """`animate` plays a clip of an Animator with a fade, `animate_sprite` one of an Animation."""
    app = play("scene main: {do: [{animate: door, clip: open, fade: 0.5}, {animate_sprite: coin, clip: flip}]}")
    app.run(2)
    world, door = app.world, named(app.world, "door")
    assert is_playing(world, door, "open")
    assert world.get(door, Animator).fade == pytest.approx(0.5)
    assert world.get(named(world, "coin"), Animation).clip == "flip"


def test_a_rule_emits_particles_shakes_the_camera_and_rumbles(play: Any) -> None:
    """`burst`, `shake` and `rumble` do what the functions of their plugins do."""
    app = play("scene main: {do: [{burst: sparks, at: [far, 2], count: 3}, {shake: 0.4}, {rumble: 0.25, seconds: 1}]}")
    app.tick()
    world = app.world
    assert world[DeviceRequests].rumbles == {1: (0.25, 0.25, 1.0)}
    assert world.get(named(world, "eye"), Camera).trauma == pytest.approx(0.4, abs=0.05)
    app.tick()
    assert sum(int(world[pools].live.sum()) for pools in (Pools, ViewPools)) > 0


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("{tween: {door.Transform.position.q: 3}}", "is no field and no number of a vector"),
        ("{tween: {far: 3}}", "far"),
        ("{tween: {settings.render.background: '#fff'}}", "is no field of an entity"),
        ("{tween: 3}", "must be a mapping of fields, such as {tween:"),
        ("{tween: {door.Transform.position.x: 3}, easing: cubic_oot}", "did you mean 'cubic_out'"),
        ("{tween: {door.Transform.position.x: 3}, secnds: 2}", "did you mean 'seconds'"),
        ("{animate: dor, clip: open}", "nothing is called 'dor'"),
        ("{burst: spaks}", "did you mean 'sparks'"),
        ("{shake: 2}", "2 is out of range"),
    ],
)
def test_mistakes_in_actions_are_found_before_the_game_runs(play: Any, rule: str, said: str) -> None:
    """Unknown fields, easings, entities, presets and parameters are mistakes of the manifest."""
    with pytest.raises(ManifestError) as caught:
        play(f"scene main: {rule}")
    assert said in str(caught.value)
