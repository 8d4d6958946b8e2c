"""The order of systems is determined once and always the same; impossible constraints are refused by name."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_core.errors import ScheduleError
from rish_core.loop.order import BoundSystem, order_systems
from rish_ecs import Stage, system


def bound(name: str, stage: Stage = Stage.UPDATE, **wishes: object) -> BoundSystem:
    """Return a system that does nothing, called `plugin.name`."""
    plugin, _, own = name.partition(".")

    @system(stage, name=own, **wishes)
    def nothing(world: object, dt: float) -> None:
        pass

    return BoundSystem.of(plugin, nothing.__system__)


def names(systems: list[BoundSystem], stage: Stage = Stage.UPDATE, plugins: tuple[str, ...] = ()) -> list[str]:
    """Return the names of a stage's systems in the order of running."""
    return [b.name for b in order_systems(systems, plugins)[stage]]


def test_ties_keep_the_order_of_declaration() -> None:
    """Systems without constraints run in the order of declaration."""
    assert names([bound("b.x"), bound("a.x"), bound("c.x")]) == ["b.x", "a.x", "c.x"]


def test_a_wish_moves_only_what_must_move() -> None:
    """A constraint moves only the system that has to wait."""
    systems = [bound("a.x", after="c.x"), bound("b.x"), bound("c.x"), bound("d.x")]
    assert names(systems) == ["b.x", "c.x", "a.x", "d.x"]


def test_before_and_after_hold() -> None:
    """`before` and `after` hold, also as lists of names."""
    systems = [
        bound("a.last", after=("b.x", "c.x")),
        bound("b.x"),
        bound("c.x"),
        bound("d.first", before="b.x"),
    ]
    assert names(systems) == ["c.x", "d.first", "b.x", "a.last"]


def test_a_star_means_all_systems_of_a_plugin() -> None:
    """`physics.*` means every system of that plugin in this stage, except the system itself."""
    systems = [
        bound("wind.blow", after="physics.*"),
        bound("physics.a"),
        bound("physics.b", after="physics.*"),
    ]
    assert names(systems) == ["physics.a", "physics.b", "wind.blow"]


def test_a_bare_name_means_the_own_plugin() -> None:
    """A name without a dot refers to the system's own plugin."""
    assert names([bound("a.x", after="y"), bound("a.y"), bound("b.y")]) == ["a.y", "a.x", "b.y"]


def test_wishes_about_an_absent_plugin_are_ignored() -> None:
    """Constraints on a plugin that is not loaded are ignored."""
    assert names([bound("wind.blow", before="physics.step", after="sound.*")]) == ["wind.blow"]


def test_an_unknown_system_of_a_present_plugin_is_refused() -> None:
    """An unknown system of a loaded plugin is refused with the nearest name and the place."""
    systems = [bound("wind.blow", before="physics.stpe"), bound("physics.step")]
    with pytest.raises(ScheduleError, match=r"test_order\.py:\d+: system 'wind\.blow'.*did you mean 'physics\.step'"):
        names(systems)


def test_an_unknown_system_of_a_plugin_without_systems_is_refused() -> None:
    """An unknown system of a loaded plugin without any systems is refused as well."""
    with pytest.raises(ScheduleError, match=r"plugin 'sound' has no such system"):
        names([bound("wind.blow", before="sound.play")], plugins=("sound",))


def test_a_wish_that_the_stages_fulfil_is_no_edge() -> None:
    """`before` a system of a later stage always holds and changes nothing."""
    systems = [bound("a.x", Stage.FORCES, before="b.step"), bound("b.step", Stage.STEP)]
    assert names(systems, Stage.FORCES) == ["a.x"]


def test_a_wish_that_the_stages_contradict_is_refused() -> None:
    """`after` a system of a later stage can never hold and is refused."""
    systems = [bound("a.x", Stage.FORCES, after="b.step"), bound("b.step", Stage.STEP)]
    with pytest.raises(
        ScheduleError, match=r"can't run after 'b\.step' of stage STEP.*FORCES is over when STEP begins"
    ):
        names(systems)


def test_a_cycle_is_named() -> None:
    """A cycle is reported with the systems that form it, without others."""
    systems = [
        bound("a.x", after="c.x"),
        bound("b.x", after="a.x"),
        bound("c.x", after="b.x"),
        bound("d.x", after="a.x"),
    ]
    with pytest.raises(ScheduleError, match=r"stage UPDATE: .*: a\.x → b\.x → c\.x → a\.x\. Drop one"):
        names(systems)


def test_waiting_for_oneself_is_refused() -> None:
    """A system that is declared to run before itself is refused."""
    with pytest.raises(ScheduleError, match=r"'a\.x' must run before itself"):
        names([bound("a.x", before="a.x")])


def test_a_system_can_come_after_all_others() -> None:
    """A system with `after="*.*"` runs last; only systems that wait for it come later."""
    systems = [bound("a.last", after="*.*"), bound("b.x"), bound("c.y", after="d.z"), bound("d.z", after="a.last")]
    assert names([*systems, bound("e.w")]) == ["b.x", "e.w", "a.last", "d.z", "c.y"]
    two = [bound("a.one", after="*.*"), bound("b.two", after=["*.*", "c.x"]), bound("c.x")]
    assert names(two) == ["c.x", "a.one", "b.two"]


def test_a_system_can_come_before_all_others() -> None:
    """A system with `before="*.*"` runs as early as possible; only systems for which it waits come earlier."""
    systems = [bound("a.x"), bound("b.early", before="a.x"), bound("c.first", before="*.*", after="b.early")]
    assert names(systems) == ["b.early", "c.first", "a.x"]
    assert names([bound("a.x"), bound("b.first", before="*.*")]) == ["b.first", "a.x"]


def test_two_systems_of_one_name_are_refused() -> None:
    """Two systems with the same name are refused, with the places of both."""
    with pytest.raises(ScheduleError, match=r"two systems are called 'a\.x'.*test_order\.py"):
        names([bound("a.x"), bound("a.x")])


@given(st.data())
def test_any_wishes_without_a_ring_are_fulfilled_and_stable(data: st.DataObject) -> None:
    """Random constraints without a cycle all hold, and the same declaration gives the same order."""
    count = data.draw(st.integers(1, 12))
    ranks = data.draw(st.permutations(range(count)))
    pairs = data.draw(st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=20))
    wishes: dict[int, set[str]] = {i: set() for i in range(count)}
    for i, j in pairs:
        if ranks[i] > ranks[j]:
            wishes[i].add(f"p.s{j}")
    systems = [bound(f"p.s{i}", after=sorted(wishes[i])) for i in range(count)]
    order = names(systems)
    assert sorted(order) == sorted(b.name for b in systems)
    assert all(order.index(f"p.s{i}") > order.index(w) for i, ws in wishes.items() for w in ws)
    shuffled = [
        bound(f"p.s{i}", after=random.Random(i).sample(sorted(wishes[i]), len(wishes[i]))) for i in range(count)
    ]
    assert names(shuffled) == order
