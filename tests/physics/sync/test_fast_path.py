"""The solver in one call gives the same as its stages one by one, to the bit."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from physics_rig import Rig, Scene, add_hull, t

from rish_physics import Body, BodyType, Collider, ColliderShape
from rish_physics.components.settings import PhysicsSettings
from rish_physics.components.timings import Timings
from rish_physics.sync import fast_path

step = importlib.import_module("rish_physics.sync.step")
solve = importlib.import_module("rish_physics.solver.solve")
TABLES = (t.Bodies, t.Shapes, t.Contacts)


def pit(count: int) -> Scene:
    """Return boxes and circles that fall on a floor."""
    scene = Scene()
    scene.box(0, -1, 10, 1, t.STATIC)
    for k in range(count):
        if k % 3:
            scene.box(k % 5 * 1.1 - 2, 0.6 + k // 5, 0.5, 0.5, angle=0.1 * k)
        else:
            scene.circle(k % 5 * 1.1 - 2, 0.6 + k // 5, 0.4)
    return scene


def stages(_state: Any, _links: Any = None, stage: int = fast_path.IDLE) -> int:
    """Leave everything to the separate stages, in place of `fast_path.advance`."""
    return stage


def bytes_of(rig: Rig) -> dict[str, bytes]:
    """Return the bytes of all persistent columns."""
    return {
        f"{cls.__name__}.{name}": rig.world[cls].column(name).tobytes()
        for cls in TABLES
        for name in rig.world[cls].schema.fields
    }


@pytest.mark.parametrize("count", [1, 12, 300])
@pytest.mark.parametrize("given", [{}, {"warm_starting": False, "substeps": 2, "relaxations": 2, "sleeping": True}])
def test_one_call_and_many_give_the_same(count: int, given: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """One call and separate stages give the same, with few contacts and with more than initially fit."""
    whole, parted = Rig(pit(count), **given), Rig(pit(count), **given)
    for _ in range(40):
        whole.step()
        with monkeypatch.context() as patch:
            patch.setattr(fast_path, "advance", stages)
            parted.step()
        assert bytes_of(whole) == bytes_of(parted)
        for name in ("moved", "fast", "quarantined", "changed"):
            np.testing.assert_array_equal(getattr(whole.state, name), getattr(parted.state, name))
        assert whole.state.rested == parted.state.rested
        assert whole.state.slowed == parted.state.slowed


def test_joints_cold_contacts_and_a_watch_take_the_long_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Joints, cold contacts and measured timings use the stages; without them the single call is used again."""
    taken: list[int] = []
    advance = fast_path.advance
    monkeypatch.setattr(fast_path, "advance", lambda *given: taken.append(advance(*given)) or taken[-1])
    pinned = pit(2)
    pinned.joints.append((1, 2, 0, 0, 0, 0))
    Rig(pinned).step()
    assert taken == [fast_path.IDLE, fast_path.MET]
    rig = Rig(pit(2))
    rig.world[Timings].wanted = True
    rig.step()
    rig.world[Timings].wanted = False
    rig.step()
    assert taken[2:] == [fast_path.IDLE, fast_path.MET, fast_path.SETTLED]
    rig.step(40)
    del taken[:]
    rig.world[t.Shapes].surface[:, 2] = 0.5
    rig.world[t.Contacts].info[:, 1] |= t.IS_COLD
    rig.step(2)
    rig.world[t.Contacts].info[:, 1] &= ~t.IS_COLD
    rig.step(3)
    slow = [fast_path.IDLE, fast_path.MET]
    assert taken == [fast_path.MET] * 2 + slow + slow + [fast_path.SETTLED] * 2


def test_arguments_are_looked_up_again_when_anything_is_another() -> None:
    """The arguments of the single call follow changed settings, rows and awake bodies."""
    rig = Rig(pit(12))
    rig.step(60)
    state = rig.state
    step.step(state)
    rig.world[PhysicsSettings].gravity = (0.0, 30.0)
    rig.step(20)
    assert (rig.velocities()[1:, 1] > 5).all()
    add_hull(rig.world, 30, 0, [(-1, -1), (1, -1), (0, 1)])
    state.stale()
    rig.step(5)
    assert rig.velocities()[-1, 1] > 2


def test_bodies_beside_sleeping_ones_take_the_short_way(
    yard: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a pile sleeps, ticks in which other bodies fly are one call, also when these leave their fat boxes. Hits on
    the pile wake it in the same tick as by the stages, and all hashes are the same.
    """
    taken: list[tuple[int, int, int]] = []
    advance = fast_path.advance

    def noted(state: Any, *given: Any) -> int:
        reached = advance(state, *given)
        taken.append((reached, state.asleep, len(state.moved)))
        return reached

    def make() -> Any:
        place = yard(sleep_time=0.3)
        place.wall(0, -1, 80, 2)
        for k in range(6):
            place.box(-10 + k % 3 * 1.02, 0.5 + k // 3 * 1.02)
        for k in range(4):
            place.ball(4 + 3 * k, 3 + k, restitution=0.9)
        place.ball(-9.5, 40, body={"velocity": (0, -2)})
        return place

    whole, parted = make(), make()
    for tick in range(260):
        if tick == 200:
            for place in (whole, parted):
                place.ball(-30, 1.2, body={"velocity": (40, 0), "bullet": True})
        with monkeypatch.context() as patch:
            patch.setattr(fast_path, "advance", noted)
            whole.run()
        with monkeypatch.context() as patch:
            patch.setattr(fast_path, "advance", stages)
            parted.run()
        assert whole.world.hash() == parted.world.hash(), tick
    quiet = [(asleep, moved) for reached, asleep, moved in taken if reached == fast_path.QUIET]
    assert sum(asleep > 0 for asleep, _ in quiet) > 20
    assert any(asleep and moved for asleep, moved in quiet)
    numbers = [asleep for _, asleep, _ in taken]
    assert (6, 0) in pairwise(numbers)


def test_steps_whose_contacts_change_continue_in_one_call(
    yard: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step in which hulls and sensors met, contacts were removed and bodies came, went or were pushed continues in
    one call. All hashes are those of separate stages.
    """
    taken: list[tuple[int, int]] = []
    advance = fast_path.advance

    def noted(state: Any, links: Any = None, stage: int = fast_path.IDLE) -> int:
        reached = advance(state, links, stage)
        taken.append((stage, reached))
        return reached

    def make() -> tuple[Any, int, list[int]]:
        place, bodies = yard(gravity=[0, -40], sleep_time=0.2), list[int]()
        place.wall(0, -1, 200, 2)
        place.put(0, 2, Collider(size=(3, 1), sensor=True))
        for k in range(12):
            corners = [(-0.5, -0.4), (0.5, -0.3 - 0.01 * k), (0.1, 0.5)]
            collider = Collider(shape=ColliderShape.POLYGON, points=corners) if k % 3 else Collider(size=(0.8, 0.6))
            bodies.append(place.put(k % 4 * 0.9 - 1.5, 1 + k // 4, Body(), collider, rotation=0.2 * k))
        return place, place.put(-5, 0.5, Body(type=BodyType.KINEMATIC), Collider(size=(1, 1))), bodies

    places = make(), make()
    for tick in range(90):
        for (place, blade, bodies), replacement in zip(places, (noted, stages), strict=True):
            if tick % 20 == 0:
                place.world.set(blade, Body(velocity=(3.0 if tick % 40 else -3.0, 0.0)))
            if tick % 30 == 10:
                place.world.despawn(bodies.pop(0))
                place.ball(tick / 60 - 1, 5)
            with monkeypatch.context() as patch:
                patch.setattr(fast_path, "advance", replacement)
                place.run()
        assert tick % 5 or places[0][0].world.hash() == places[1][0].world.hash(), tick
    assert taken.count((fast_path.MET, fast_path.WRITTEN)) > 20


def test_cold_contacts_in_one_call_and_one_by_one_give_the_same(
    yard: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bodies that bounce, roll and rest among others move the same if their sub-steps are one call or many."""
    calls: list[int] = []
    run_cold = solve._run_cold

    def noted(state: Any, contacts: Any) -> None:
        calls.append(contacts.cold)
        run_cold(state, contacts)

    def make() -> Any:
        place = yard()
        place.wall(0, -1, 200, 2)
        for k in range(10):
            place.ball(k % 5 - 2, 1 + k, radius=0.4, restitution=0.7, rolling_resistance=0.02 * (k % 2))
            place.box(k % 5 - 1.5, 1.5 + k, 0.7, 0.5, angle=0.1 * k)
        return place

    places = make(), make()
    for tick in range(90):
        for place, replacement in zip(places, (noted, lambda state, found: solve._lead(state, found, [])), strict=True):
            with monkeypatch.context() as patch:
                patch.setattr(solve, "_run_cold", replacement)
                place.run()
        assert tick % 5 or places[0].world.hash() == places[1].world.hash(), tick
    assert max(calls) > 1
