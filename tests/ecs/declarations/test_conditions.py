"""Run conditions decide correctly and can be printed."""

from __future__ import annotations

import pytest

from rish_core import in_scene
from rish_ecs import UsageError, World, all_of, any_of, every, not_, resource, resource_equals
from rish_ecs.declarations import bare_test, condition_text


@resource
class Weather:
    """A resource for the conditions."""

    windy: bool = False


def yes(world: World) -> bool:
    """Return True."""
    return True


def no(world: World) -> bool:
    """Return False."""
    return False


def test_every_counts_ticks() -> None:
    """`every(3)` holds in ticks 0, 3, 6; an offset shifts it."""
    world = World()
    seen: list[tuple[bool, bool]] = []
    for _ in range(6):
        seen.append((every(3)(world), every(3, 2)(world)))
        world.end_tick()
    assert [a for a, _ in seen] == [True, False, False, True, False, False]
    assert [b for _, b in seen] == [False, False, True, False, False, True]


@pytest.mark.parametrize(("ticks", "offset"), [(0, 0), (-1, 0), (3, 3), (3, -1)])
def test_every_refuses_what_never_comes(ticks: int, offset: int) -> None:
    """A period below one, or an offset outside it, is refused."""
    with pytest.raises(UsageError, match=r"every\("):
        every(ticks, offset)


def test_resource_equals_reads_one_field() -> None:
    """`resource_equals` follows the field, and does not hold in a world without the resource."""
    world = World()
    windy = resource_equals(Weather, "windy", True)
    assert not windy(world)
    world.put(Weather(windy=True))
    assert windy(world)
    world[Weather].windy = False
    assert not windy(world)


def test_resource_equals_refuses_an_unknown_field() -> None:
    """An unknown field is refused immediately, with the nearest one."""
    with pytest.raises(UsageError, match="did you mean 'windy'"):
        resource_equals(Weather, "wimdy", True)


def test_conditions_combine() -> None:
    """`not_`, `any_of` and `all_of` work, also nested."""
    world = World()
    assert not not_(yes)(world)
    assert any_of(no, yes)(world)
    assert not any_of()(world)
    assert not all_of(no, yes)(world)
    assert all_of(yes, not_(no), any_of(no, yes))(world)


def test_conditions_can_be_read() -> None:
    """A condition prints as it was written, and a plain function as its name."""
    condition = any_of(
        in_scene("play", "title"), not_(every(30, 2)), all_of(resource_equals(Weather, "windy", True), yes)
    )
    assert str(condition) == (
        "any_of(in_scene('play', 'title'), not_(every(30, 2)), all_of(resource_equals(Weather, 'windy', True), yes))"
    )
    assert condition_text(no) == "no"


def test_bare_tests_decide_alike() -> None:
    """`bare_test` returns a function that decides like the conditions together, or None for no conditions."""
    world = World()
    assert bare_test(()) is None
    for conditions in ((yes,), (no,), (every(1), yes), (yes, no), (every(2, 1), yes)):
        bare = bare_test(conditions)
        assert bare is not None
        assert bare(world) == all(condition(world) for condition in conditions)
