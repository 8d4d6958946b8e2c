"""Lifetimes count down, and then despawn their entities."""

from __future__ import annotations

import pytest

from rish_basics import Expired, Lifetime
from rish_core import find


def test_an_entity_goes_when_its_time_is_over(play) -> None:
    """An entity is despawned with its children at the nearest tick, and one event names it."""
    app = play(
        "{name: spark, Transform: {}, Lifetime: {seconds: 0.5}, children: [{name: glow, Transform: {}}]}",
        "{name: stone, Transform: {}}",
    )
    spark, told = find(app.world, "spark"), []
    for _ in range(60):
        app.tick()
        told += [(int(event.entity), app.world.tick) for event in app.world.events(Expired)]
        app.world.end_frame()
        assert app.world.alive(spark) == (app.world.tick < 30)
    assert told == [(spark, 30)]
    assert not find(app.world, "glow")
    assert find(app.world, "stone")


@pytest.mark.parametrize("seconds", [0, 0.001, 1e-30])
def test_no_time_at_all_is_one_tick(play, seconds: float) -> None:
    """An entity without a positive lifetime exists until the end of the first tick."""
    app = play(f"{{Transform: {{}}, Lifetime: {{seconds: {seconds}}}}}")
    assert len(app.world.table(Lifetime)) == 1
    app.tick()
    assert len(app.world.table(Lifetime)) == 0


def test_what_is_disabled_lives_on(play) -> None:
    """The lifetime of a disabled entity does not count down."""
    app = play("{name: spark, Transform: {}, Lifetime: {seconds: 0.1}, Disabled: {}}")
    app.run(60)
    assert app.world.get(find(app.world, "spark"), Lifetime).seconds == pytest.approx(0.1)
