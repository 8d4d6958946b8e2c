"""Games are made of declarations: values in their ranges, and without what a plugin refuses."""

from __future__ import annotations

import math
from enum import Enum
from pathlib import Path
from random import Random

import pytest

from rish_core import Color, Entity, Place, Problem, Str, Vec2, component, field, kind_of
from rish_devtools.conformance.checked_plugin import Subject
from rish_devtools.conformance.sample import Sample, fitted, make_sample
from rish_devtools.conformance.values import value_for


class Kind(Enum):
    """A choice."""

    ROUND = 0
    FLAT = 1


@component
class Everything:
    """A field of each type."""

    share: float = field(0.5, low=0, high=1)
    wide: float = field(1.0, low=0.1, high=1e30)
    free: float = -3.0
    turn: float = field(0.0, low=-math.pi, high=math.pi, angle=True)
    count: int = field(1, low=1)
    on: bool = False
    place: Vec2 = (1, 2)
    tint: Color = (1, 1, 1, 1)
    kind: Kind = Kind.ROUND
    mood: Str = field("calm", choices=("calm", "wild"))
    title: Str = ""
    other: Entity = 0
    inner: int = field(0, hidden=True)


@pytest.mark.parametrize("seed", range(20))
def test_values_are_allowed(seed: int) -> None:
    """A drawn value is accepted by its field; fields that only an author can fill, and hidden ones, get none."""
    random = Random(seed)
    for name, spec in kind_of(Everything).fields.items():
        value = value_for(spec, random, ["a", "b"])
        if name in ("title", "inner"):
            assert value is None
        elif name == "turn":
            assert spec.check(math.radians(value)) == pytest.approx(math.radians(value), rel=1e-5)
        elif name == "tint":
            assert len(value) == 9
        elif name == "other":
            assert value in ("a", "b")
        else:
            spec.check(value)


def test_what_is_refused_is_taken_out_step_by_step() -> None:
    """First the drawn value goes, then the component, then the entity; settings go one by one."""
    sample = Sample(
        {"settings": {"wind": {"speed": 3, "way": 1}}, "scenes": {"main": [{"wind.Gust": {"a": 1, "b": 2}}]}}
    )
    seen: list[object] = []

    def take(path: str) -> None:
        assert sample.take_out([Problem(Place("game.yaml"), path, "no")])
        seen.append(sample.data["scenes"]["main"][0])

    take("scenes.main[0].Gust.a")
    take("scenes.main[0].Gust.c")
    assert seen == [{"wind.Gust": {"b": 2}}, {}]
    take("scenes.main[0]")
    assert seen[-1] == {"Transform": {}}
    take("settings.wind.speed")
    assert sample.data["settings"] == {"wind": {"way": 1}}
    assert not sample.take_out([Problem(Place("game.yaml"), "plugins", "no")])
    assert len(sample.refused) == 4


def test_a_sample_is_the_same_for_a_seed(tmp_path: Path) -> None:
    """The same plugin and seed give the same game, which the plugin accepts; another seed gives another one."""
    subject = Subject("basics", tmp_path, seed=1)
    one, two, other = (make_sample(subject.registry, "basics", seed).data for seed in (1, 1, 2))
    assert one == two != other
    fitted(subject.sample, lambda data: data)
    assert {"basics.Lifetime", "basics.Wrap"} <= {
        key for entity in subject.sample.data["scenes"]["main"] for key in entity
    }
