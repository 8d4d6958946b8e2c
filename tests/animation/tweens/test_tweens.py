"""Tweens move one field: exact ends, modes, delays, replacement, events, and equality with a slow reference."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_animation import Tweens, is_tweening, stop_tweens, tween
from rish_core import App, DeclarationError, RishError, Transform, UnknownName, UsageError, parse_manifest
from rish_expressions import ExpressionError
from rish_jit import easing

HERO = "{name: hero, Transform: {position: [10, 20], rotation: 350}}"


def test_the_end_is_reached_exactly_in_its_tick(stage):
    """After its seconds the field has exactly the value, in that tick the event comes, and the tween is gone."""
    game = stage(HERO)
    tween(game.world, game.find("hero"), "Transform.position", (0.1, 77), seconds=0.5, easing="elastic_out", then="x")
    game.run(29)
    assert game.value("hero") != [np.float32(0.1), 77]
    assert is_tweening(game.world, game.find("hero"), "Transform.position")
    assert game.run().value("hero") == [np.float32(0.1), 77]
    assert game.events == [(29, "TweenFinished", "Transform.position", "x")]
    assert not is_tweening(game.world, game.find("hero"))


def test_a_tween_starts_in_a_manifest(stage):
    """The component Tween starts a tween when its entity is spawned."""
    part = "Tween: {field: Transform.position.y, to: [60], seconds: 1, delay: 0.5, then: up}"
    game = stage(f"{{name: hero, Transform: {{position: [10, 20]}}, {part}}}").run(30)
    assert game.value("hero") == [10, 20]
    assert game.run(30).value("hero") == pytest.approx([10, 40])
    assert game.run(30).value("hero") == [10, 60]
    assert game.events == [(89, "TweenFinished", "Transform.position.y", "up")]


@pytest.mark.slow
@settings(max_examples=long(60, 20), deadline=None)
@given(
    ticks=st.integers(1, 40),
    delay=st.integers(0, 10),
    mode=st.sampled_from(["once", "loop", "ping_pong"]),
    loops=st.integers(0, 3),
    ease=st.sampled_from(["linear", "cubic_out", "bounce_in", "spring", "steps(3)", "bezier(0.4, 0, 0.2, 1)"]),
)
def test_every_tick_is_that_of_a_slow_reference(ticks, delay, mode, loops, ease):
    """Values of all modes equal begin + (end - begin) · easing(k / n), tick by tick, and stop after the rounds."""
    app = App(parse_manifest("rish: 1\nplugins: [animation]\n"), headless=True, policy="raise")
    world = app.world
    hero = world.spawn(Transform(position=(5, 0)))
    tween(world, hero, "Transform.position.x", 11, seconds=ticks / 60, delay=delay / 60, mode=mode, loops=loops,
          easing=ease)  # fmt: skip
    rounds = 1 if mode == "once" else loops
    period = 2 * ticks if mode == "ping_pong" else ticks
    last = 5.0
    for tick in range(1, 140):
        app.tick()
        k = tick - delay
        if k > 0 and not (rounds and k > rounds * period):
            inside = k % period
            if mode == "ping_pong":
                inside = period - inside if inside > ticks else inside
            elif rounds and k == rounds * period:
                inside = ticks
            last = 5 + 6 * float(easing(ease)(np.array([inside / ticks]))[0])
        assert world.get(hero, Transform).position.x == pytest.approx(last, abs=1e-4)
    assert is_tweening(world, hero) == (rounds == 0 or delay + rounds * period > 139)


def test_angles_turn_the_short_way_and_by_a_difference(stage):
    """`to` turns from 350° to 10° over 0°; `by` turns as far as it says."""
    game = stage(HERO)
    hero = game.find("hero")
    tween(game.world, hero, "Transform.rotation", math.radians(10), seconds=0.5)
    game.run(15)
    assert math.sin(game.value("hero", field="rotation")) == pytest.approx(0, abs=1e-3)
    game.run(15)
    tween(game.world, hero, "Transform.rotation", by=4 * math.pi, seconds=0.5)
    assert game.run(30).value("hero", field="rotation") == pytest.approx(math.radians(370) + 4 * math.pi, abs=1e-3)


def test_colors_are_text_and_stay_in_range(stage):
    """A color may be text; values that overshoot stay in the range of the field."""
    game = stage("{name: hero, Transform: {}, Sprite: {}}", plugins="render, animation")
    from rish_render import Sprite

    tween(game.world, game.find("hero"), "Sprite.color", "#ff000080", seconds=0.5, easing="back_out")
    colors = np.array([game.run().value("hero", Sprite, "color") for _ in range(30)])
    assert colors.min() == 0
    np.testing.assert_allclose(colors[-1], [1, 0, 0, 128 / 255], atol=1e-6)


def test_a_new_tween_replaces_the_old_one_when_it_begins(stage):
    """A later tween of the same field takes over from the present value; other fields and entities go on."""
    game = stage(HERO, "{name: other, Transform: {}}")
    hero, other = game.find("hero"), game.find("other")
    for field in ("Transform.position.x", "Transform.position.y"):
        tween(game.world, [hero, other], field, 100, seconds=1)
    tween(game.world, hero, "Transform.position.x", 0, seconds=0.5, delay=0.5, then="back")
    game.run(30)
    assert game.value("hero") == pytest.approx([55, 60])
    game.run(30)
    assert game.value("hero") == [0, 100]
    assert game.value("other") == [100, 100]
    assert [event[2:] for event in game.events].count(("Transform.position.x", "back")) == 1
    assert len(game.events) == 4


def test_tweens_end_with_their_entity_and_can_be_stopped(stage, caplog):
    """Despawned entities end their tweens in silence; a lost component is reported once; `stop_tweens` keeps values."""
    game = stage(HERO, "{name: other, Transform: {}}", "{name: third, Transform: {}}")
    hero, other, third = map(game.find, ("hero", "other", "third"))
    tween(game.world, [hero, other, third], "Transform.position.x", 100)
    tween(game.world, other, "Transform.position.y", 100)
    game.run(10)
    game.world.despawn(hero)
    game.world.remove(third, Transform)
    game.run(1)
    assert len(game.world[Tweens]) == 2
    assert ["third" in r.message for r in caplog.records if r.name == "rish.animation"] == [True]
    assert stop_tweens(game.world, other, "Transform.position.y") == 1
    kept = game.value("other")[1]
    assert game.run(5).value("other")[1] == kept
    assert stop_tweens(game.world, other) == 1
    assert game.events == []


def test_a_tween_may_move_a_child(stage):
    """`lid.Transform...` is a tween of the child, also in a component; a child that is missing is a mistake."""
    lid = "children: [{name: lid, Transform: {}, children: [{name: knob, Transform: {}}]}]"
    started = "Tween: {field: lid.knob.Transform.position.y, to: [6], seconds: 0.5, then: up}"
    game = stage(f"{{name: box, Transform: {{}}, {started}, {lid}}}").run(1)
    box = game.find("box")
    tween(game.world, box, "lid.Transform.position[0]", 30, seconds=0.5)
    assert is_tweening(game.world, game.find("lid"), "Transform.position.x")
    assert is_tweening(game.world, box, "lid.Transform.position.x")
    assert not is_tweening(game.world, box)
    game.run(30)
    assert (game.value("box"), game.value("lid"), game.value("knob")) == ([0, 0], [30, 0], [0, 6])
    assert ("TweenFinished", "Transform.position.y", "up") in [event[1:] for event in game.events]
    with pytest.raises(UnknownName, match=r"no child 'lit'.*did you mean 'lid'"):
        tween(game.world, box, "lit.Transform.rotation", 1)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"field": "Transform.positon", "to": 1}, "did you mean 'position'"),
        ({"field": "Transform.position", "to": 1}, "expected 2 numbers"),
        ({"field": "Transform.position", "to": (1, 1), "easing": "cubic_oot"}, "did you mean 'cubic_out'"),
        ({"field": "Transform.position"}, "Give either `to` or `by`"),
        ({"field": "Transform.position", "by": "far"}, "`by`"),
        ({"field": "Transform.position", "by": (1, 2, 3)}, "does not fit"),
        ({"field": "Transform.position", "to": (1, 1), "seconds": -1}, "Give seconds from 0"),
        ({"field": "Transform.position", "to": (math.nan, 1)}, "finite numbers"),
        ({"field": "Transform.position", "to": (1, 1), "mode": "lop"}, "expected one of loop, once, ping_pong"),
        ({"field": "Name.value", "to": "x"}, "can't be tweened"),
        ({"field": "Animator.weight", "to": 1}, "Animator"),
    ],
)
def test_a_wrong_tween_is_refused(stage, arguments, told):
    """A wrong field, value, easing or time is refused, and no tween starts."""
    game = stage(HERO)
    with pytest.raises(RishError) as error:
        tween(game.world, game.find("hero"), **arguments)
    assert told in str(error.value)
    assert len(game.world[Tweens]) == 0
    assert isinstance(error.value, (ExpressionError, UnknownName, UsageError, DeclarationError))


@pytest.mark.slow
def test_state_is_saved_in_the_middle_and_repeats(stage):
    """A snapshot from the middle continues with the same hashes, also of tweens that wait."""
    game = stage(HERO)
    tween(game.world, game.find("hero"), "Transform.position", (3, 4), easing="spring", mode="ping_pong")
    tween(game.world, game.find("hero"), "Transform.rotation", 1, delay=0.4)
    game.run(17)
    before = game.world.snapshot()
    hashes = [game.run().world.hash() for _ in range(50)]
    game.world.restore(before)
    assert [game.run().world.hash() for _ in range(50)] == hashes


def test_scripts_wait_for_the_end(tmp_path):
    """A sequence of a script waits with `until` for the end of a tween."""
    from rish_scripts import Script, until

    class Door(Script):
        opened: bool = False

        def on_create(self):
            self.begin(self.opening)

        def opening(self):
            return (self.rise, until(self.is_up), self.tell)

        def rise(self):
            tween(self.world, self.entity, "Transform.position.y", 30, seconds=0.5)

        def is_up(self):
            return not is_tweening(self.world, self.entity)

        def tell(self):
            self.opened = True

    module = type("game", (), {"rish_scripts": staticmethod(lambda: [Door])})
    app = App(parse_manifest("rish: 1\nplugins: [animation, scripts]\n"), headless=True, policy="raise",
              extra={"game": module})  # fmt: skip
    door = app.world.spawn(Transform(), Door())
    for _ in range(29):
        app.tick()
    assert not app.world.get(door, Door).opened
    for _ in range(4):
        app.tick()
    assert app.world.get(door, Door).opened
    assert app.world.get(door, Transform).position.y == 30
    app.close()
