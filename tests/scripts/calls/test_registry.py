"""The order of script calls, batches with columns, and warnings about misspelt methods."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest

from rish_core import Disabled, Stage, Transform, Vec2, World, component, system
from rish_ecs import UnknownName
from rish_scripts import Script, Scripts

CALLS: list[tuple[str, int]] = []


class First(Script):
    """Records its call."""

    def on_update(self, dt: float) -> None:
        """Record the call."""
        CALLS.append(("First", self.entity))


class Second(Script):
    """Is called after all scripts of First."""

    def on_update(self, dt: float) -> None:
        """Record the call."""
        CALLS.append(("Second", self.entity))


def test_class_by_class_in_the_order_of_the_tables(play: Any) -> None:
    """Scripts are called class by class in the order of the table rows, and in the same order after a restore."""
    stage = play(First, Second, strict=False)
    a, b, c, d = (stage.spawn(First(), Second()) for _ in range(4))
    stage.world.despawn(b)
    before = stage.world.snapshot()
    CALLS.clear()
    stage.tick()
    expected = [(name, handle) for name in ("First", "Second") for handle in (a, d, c)]
    assert expected == CALLS
    stage.world.despawn(a)
    stage.spawn(First())
    stage.tick()
    stage.world.restore(before)
    CALLS.clear()
    stage.tick()
    assert expected == CALLS


@component
class Wind:
    """The strength of the wind at an entity."""

    strength: float = 1


class Leaf(Script):
    """A script that is moved in a batch."""

    speed: Vec2 = (1, 0)
    calls: int = 0
    needs = (Wind, Transform)

    @staticmethod
    def on_update_all(query: Any, world: World, dt: float) -> None:
        """Move all of them by columns."""
        with query.edit(Leaf.calls, Transform.position) as (calls, position):
            calls += 1
            position += query[Leaf.speed] * query[Wind.strength][:, None] * dt


class Bare(Script):
    """A batch script without `needs`, as a class method."""

    calls: int = 0

    def on_update(self, dt: float) -> None:
        """Called for each script before the batch."""
        self.calls *= -1

    @classmethod
    def on_update_all(cls, query: Any, world: World, dt: float) -> None:
        """Count for all of them."""
        query[cls.calls] += 1


def test_batches_get_the_entities_that_have_what_they_need(play: Any) -> None:
    """A batch has the enabled entities with all needed components; it is not called if there are none."""
    stage = play(Leaf, Bare, components=[Wind])
    stage.tick()
    leaves = stage.world.spawn_many(3, Leaf(), Wind(strength=np.arange(3, dtype=np.float32)), Transform())
    stage.spawn(Leaf(), Wind())
    stage.spawn(Leaf(), Wind(), Transform(), Disabled())
    bare = stage.script(stage.spawn(Bare()), Bare)
    stage.tick(60)
    assert stage.world[Leaf].calls.tolist() == [60] * 3 + [0, 0]
    assert stage.world[Transform].position[:3, 0] == pytest.approx([0, 1, 2], rel=1e-3)
    assert stage.script(int(leaves[1]), Leaf).calls == 60
    assert bare.calls == 0


def test_tables_of_a_batch_count_as_written(play: Any) -> None:
    """The tables that a batch needs count as written, other tables do not."""
    stage = play(Leaf, Bare, components=[Wind], strict=False)
    stage.spawn(Leaf(), Wind(), Transform())
    stage.tick()
    tables = [stage.world.table(cls) for cls in (Leaf, Wind, Transform, Bare)]
    before = [table.version for table in tables]
    stage.app.tick()
    assert [table.version > version for table, version in zip(tables, before, strict=True)] == [True, True, True, False]


class Glow(Script):
    """A script that is called for each frame."""

    seen: int = 0
    frames: int = 0

    def on_frame(self, alpha: float) -> None:
        """Record alpha."""
        FRAMES.append(alpha)


FRAMES: list[float] = []


def test_on_frame_once_a_picture(play: Any) -> None:
    """`on_frame` is called once per frame with alpha, however many ticks the frame had."""
    FRAMES.clear()
    stage = play(Glow, scene=[{"Glow": {}}], headless=False, strict=False)
    for seconds in (2.5 / 60, 0.25 / 60, 0.5 / 60):
        stage.app.frame(seconds=seconds)
    assert pytest.approx([0.5, 0.75, 0.25]) == FRAMES


def test_the_frame_rate_changes_nothing(play: Any) -> None:
    """A game with long frames and one with short frames have the same hash after the same tick."""
    hashes: list[dict[int, str]] = []
    for seconds in (1 / 25, 1 / 240):
        stage = play(Leaf, Glow, components=[Wind], headless=False, strict=False, scene=[{"Glow": {}, "Leaf": {}}])
        hashes.append({})
        while stage.world.tick < 24:
            stage.app.frame(seconds=seconds)
            hashes[-1][stage.world.tick] = stage.world.hash()
    both = hashes[0].keys() & hashes[1].keys()
    assert len(both) > 6
    assert all(hashes[0][tick] == hashes[1][tick] for tick in both)


class Typo(Script):
    """Two methods that are never called, one of which resembles a callback."""

    def on_updat(self, dt: float) -> None:
        """A misspelt on_update."""

    def on_parade(self) -> None:
        """A method for an event of a missing plugin."""


def test_misspelt_methods_are_reported(play: Any, caplog: pytest.LogCaptureFixture) -> None:
    """A misspelt method is reported with its line and the nearest name; a name without resemblance is not."""
    caplog.set_level(logging.WARNING, logger="rish.scripts")
    play(Typo, scene=[{"Typo": {}}]).tick()
    (said,) = [record.getMessage() for record in caplog.records]
    assert "test_registry.py:" in said
    assert said.endswith("Typo.on_updat is never called (did you mean 'on_update'?)")


def test_scripts_outside_an_app(rish_world: Any) -> None:
    """Scripts can be read in a bare World with the resource; an unknown component is named."""
    world = rish_world(First, Transform, resources=[Scripts()])
    world[Scripts].rebuild(world)
    script = world[Scripts].get(world.spawn(First(), Transform()), First)
    assert script.get(Transform).position == (0, 0)
    with pytest.raises(UnknownName, match="knows no component Second"):
        script.get(Second)


def test_growth_and_strict_agree(play: Any) -> None:
    """Hundreds of added and removed scripts pass strict mode: no outdated column is kept, and ticks repeat equally."""

    @system(Stage.PRE, writes=(Leaf, Wind, Transform))
    def churn(world: World, dt: float) -> None:
        world.spawn_many(40, Leaf(), Wind(), Transform())
        if world.tick % 3 == 2:
            world.despawn(world[Leaf].entities[::2].copy())

    stage = play(Leaf, Bare, components=[Wind], systems=[churn])
    stage.spawn(Bare())
    stage.tick(8)
    assert len(stage.world[Leaf]) > 100
