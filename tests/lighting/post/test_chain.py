"""The chain from code: values, animations, switches, and mistakes, which are reported and change nothing."""

from __future__ import annotations

from typing import Any

import pytest

from rish_ecs import UnknownName, UsageError
from rish_lighting.post.chain import Post, links_of, set_effect, set_post, transition
from rish_lighting.post.effect_library import EffectLibrary


@pytest.fixture
def world(desk: Any) -> Any:
    """The world of a desk with bloom, vignette and bloom."""
    set_post(desk.world, ["bloom", {"vignette": {"color": "navy"}}, {"bloom": {"enabled": False}}])
    return desk.world


def test_the_second_of_a_kind_has_a_name_of_its_own(world: Any):
    """The second effect of a kind has its own name, so code can address both."""
    links = world[Post].links
    assert [(link.name, link.enabled) for link in links] == [("bloom", True), ("vignette", True), ("bloom.2", False)]
    set_effect(world, "bloom.2", strength=2, enabled=True)
    assert links[2].values == {"strength": 2.0}
    assert links[0].values == {}


def test_values_move_for_the_given_time(world: Any):
    """Values are eased from the current to the new one; a new request replaces the old one."""
    set_effect(world, "vignette", strength=0.25)
    set_effect(world, "vignette", strength=0.75, color=(1, 0, 0, 1), seconds=1.0)
    post = world[Post]
    post.advance(0.5)
    values = post.link("vignette").values
    assert values["strength"] == pytest.approx(0.5)
    assert values["color"][0] == pytest.approx(0.5)
    set_effect(world, "vignette", strength=0.1)
    post.advance(1.0)
    assert values["strength"] == pytest.approx(0.1)
    assert values["color"] == pytest.approx((1, 0, 0, 1))
    assert not post.moves


def test_a_default_is_where_a_move_begins(world: Any):
    """An animation of a parameter that was never set begins at its default."""
    set_effect(world, "bloom", strength=0, seconds=2)
    world[Post].advance(2)
    assert world[Post].link("bloom").values["strength"] == 0


@pytest.mark.parametrize(
    ("name", "values", "says"),
    [
        ("blom", {}, "did you mean 'bloom'"),
        ("bloom", {"strenght": 1}, "did you mean 'strength'"),
        ("bloom", {"strength": -1}, "below the least value"),
        ("bloom", {"strength": float("nan")}, "strength"),
        ("bloom", {"strength": "much"}, "strength"),
        ("bloom", {"enabled": 3}, "true or false"),
        ("bloom", {"strength": 1, "seconds": -1}, "seconds must be 0 or more"),
        ("vignette", {"color": "blurple"}, "no color"),
    ],
)
def test_mistakes_are_said_and_change_nothing(world: Any, name: str, values: dict[str, Any], says: str):
    """A mistake is reported with the effect, the parameter and the allowed values."""
    before = repr(world[Post])
    with pytest.raises((UnknownName, UsageError), match=says):
        set_effect(world, name, **values)
    assert repr(world[Post]) == before


@pytest.mark.parametrize("chain", [["bloom", "nope"], [3], [{"bloom": 3}], [{"a": {}, "b": {}}], [{"bloom": {"x": 1}}]])
def test_a_chain_that_is_none_leaves_the_old_one(world: Any, chain: list[Any]):
    """An invalid chain is rejected and the old one stays complete."""
    before = repr(world[Post])
    with pytest.raises((UnknownName, UsageError)):
        set_post(world, chain)
    assert repr(world[Post]) == before


def test_angles_are_degrees_in_a_chain_and_radians_in_code(world: Any):
    """Angles are degrees in a chain and radians in code."""
    assert links_of(world[EffectLibrary], [{"wipe": {"angle": 180}}])[0].values["angle"] == pytest.approx(
        3.14159, abs=1e-4
    )


def test_only_crossings_lead_from_picture_to_picture(world: Any):
    """Only transitions can be used between scenes; others are rejected with the names of those."""
    with pytest.raises(UsageError, match="is not a transition"):
        transition(world, effect="bloom")
    with pytest.raises(UsageError, match="must be 0 or more"):
        transition(world, seconds=float("nan"))
    with pytest.raises(UnknownName):
        transition(world, effect="disolve")
    assert world[Post].crossing is None
