"""Names, tags and groups: entities can be found by them, and a wrong name is answered with the nearest."""

from __future__ import annotations

import numpy as np
import pytest

from rish_core.common.names import Group, Name, Persistent, Tags, find, members, named, tagged
from rish_ecs import Each, UnknownName, World


@pytest.fixture
def world() -> World:
    """Return an empty world with the components of names."""
    return World([Name, Tags, Group, Persistent])


def test_an_entity_is_found_by_its_name(world: World) -> None:
    """`find` returns an entity with that name, or None."""
    paddle, ball = world.spawn(Name(value="paddle")), world.spawn(Name(value="ball"))
    assert (find(world, "ball"), find(world, "paddle"), find(world, "bat")) == (ball, paddle, None)
    assert named(world, "ball") == ball
    world.despawn(ball)
    assert find(world, "ball") is None


def test_a_missing_name_is_answered_with_the_nearest(world: World) -> None:
    """`named` raises UnknownName with the nearest name and a list of names."""
    world.spawn_many(2, Name(value=Each(["paddle", "ball"])))
    with pytest.raises(UnknownName, match=r"no entity is called 'padle' \(did you mean 'paddle'\?\).*ball"):
        named(world, "padle")


def test_a_new_name_counts_at_once(world: World) -> None:
    """A renamed entity is found by its new name immediately."""
    one = world.spawn(Name(value="one"))
    world.set(one, Name(value="two"))
    assert (find(world, "one"), find(world, "two")) == (None, one)


def test_asking_invents_no_text(world: World) -> None:
    """Searching an unknown name adds no text to the world's text table."""
    before = list(world.texts.texts)
    find(world, "nobody"), tagged(world, "nothing"), members(world, "nowhere")
    assert list(world.texts.texts) == before


def test_tags_find_all_that_have_them(world: World) -> None:
    """`tagged` returns each entity with the tag once, in table order."""
    a = world.spawn(Tags(values=["enemy", "flying"]))
    b = world.spawn(Tags(values=["solid"]))
    c = world.spawn(Tags(values=["flying", "enemy", "enemy"]))
    d = world.spawn(Tags())
    assert tagged(world, "enemy").tolist() == [a, c]
    assert tagged(world, "solid").tolist() == [b]
    assert tagged(world, "ghost").tolist() == []
    world.set(d, Tags(values=["ghost"]))
    world.despawn(a)
    assert tagged(world, "enemy").tolist() == [c]
    assert tagged(world, "ghost").tolist() == [d]
    assert tagged(world, "enemy").dtype == np.int64


def test_a_group_has_its_members(world: World) -> None:
    """`members` returns a copy of the group's entities, which does not change when they are despawned."""
    wave = world.spawn_many(3, Group(value="wave"))
    world.spawn(Group(value="other"))
    found = members(world, "wave")
    assert found.tolist() == wave.tolist()
    world.despawn(wave[:2])
    assert len(found) == 3
    assert members(world, "wave").tolist() == wave[2:].tolist()
    assert members(world, "nobody").tolist() == []


def test_what_is_found_can_be_despawned(world: World) -> None:
    """The result of `tagged` can be passed to `despawn`."""
    world.spawn_many(50, Tags(values=["spark"]), Name(value="spark"))
    world.despawn(tagged(world, "spark"))
    assert len(world[Tags]) == 0
    assert find(world, "spark") is None
