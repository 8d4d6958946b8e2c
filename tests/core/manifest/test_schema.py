"""Fields in manifests: the values that each type accepts, and the values that a component gets."""

from __future__ import annotations

import math
from enum import Enum

import numpy as np
import pytest

from rish_core.manifest.schema import Drawn, FieldsReader, Listed, Ref, Scope, copy_values
from rish_core.manifest.validate import Report, expected, range_text, unit_of
from rish_core.manifest.yaml import read_yaml
from rish_ecs import Asset, Color, Quat, component, field, kind_of
from rish_ecs.declarations import renames
from rish_ecs.random import Stream


@pytest.fixture
def read(kinds):
    """Provide a function that reads the fields of a class from a text and returns values and mistakes."""

    def read_text(cls, text, scope=None):
        report = Report()
        node = read_yaml(text, "g.yaml").data
        reader = FieldsReader(cls.__name__, kind_of(cls).fields, per_copy=True)
        values = reader.read(node, node.mark if node is not None else None, ("X",), scope or Scope(), report)
        return values, [str(problem) for problem in report.problems]

    return read_text


def test_values_arrive_as_the_constructor_takes_them(read, kinds):
    """Degrees become radians, words enum members, names references, and colors four numbers."""
    values, problems = read(
        kinds.Body,
        "{spin: 180, form: CIRCLE, target: player, velocity: [1, 2], path: [[1, 2]], fixed: true, mass: 3}",
    )
    assert problems == []
    assert values["spin"] == pytest.approx(math.pi)
    assert values["form"] is kinds.Form.CIRCLE
    assert isinstance(values["target"], Ref)
    assert values["target"].name == "player"
    assert kinds.Body(**{k: v for k, v in values.items() if k != "target"}).mass == 3
    assert read(kinds.Body, "{target: null}")[0] == {"target": 0}
    assert read(kinds.Sprite, "{color: [1, 0, 0]}")[0] == {"color": [1, 0, 0, 1]}
    assert read(kinds.Sprite, "{color: '#00f'}")[0] == {"color": [0, 0, 1, 1]}


def test_an_angle_may_say_its_unit(read, kinds):
    """An angle can have a unit; a text that is no angle is reported as no number."""
    for text in ("90deg", "0.25turn", "90"):
        assert read(kinds.Body, f"{{spin: {text}}}")[0]["spin"] == pytest.approx(math.pi / 2), text
    assert read(kinds.Body, "{spin: 1.5rad}")[0]["spin"] == pytest.approx(1.5)
    assert "must be a number in degrees/s" in read(kinds.Body, "{spin: 90deeg}")[1][0]
    assert read(kinds.Body, "{mass: 90deg}")[1] != []


class Form(Enum):
    """A form whose `rectangle` is a former name."""

    BOX = "box"
    RECTANGLE = BOX


def test_former_names_are_read_with_a_notice(read, caplog, monkeypatch):
    """Former names of fields and words are accepted with a notice of their place."""
    monkeypatch.setattr(renames, "_noticed", set())

    @component
    class Sign:
        form: Form = field(Form.BOX, was="kind")
        color: float = field(0.0, was="fill")

    assert read(Sign, "{kind: rectangle, fill: 2}") == ({"form": Form.BOX, "color": 2.0}, [])
    assert read(Sign, "{fill: 3}") == ({"color": 3.0}, [])
    said = [record.getMessage() for record in caplog.records]
    assert [line.partition(";")[0] for line in said] == [
        "g.yaml:1:2: Sign: 'kind' is called 'form' now",
        "g.yaml:1:19: Sign: 'fill' is called 'color' now",
        "form: 'rectangle' is called 'box' now",
    ]
    values, problems = read(Sign, "{fill: 2, color: 4}")
    assert values == {"color": 4.0}
    assert len(problems) == 1
    assert "Sign has no field 'fill'" in problems[0]


def test_a_list_takes_colors_in_every_form(read):
    """A list of colors accepts hex text, names, and three or four numbers; each mistake has its place."""

    @component
    class Rope:
        colors: list[Color] = ()

    values, problems = read(Rope, "{colors: ['#f00', lime, [0, 0, 1], [1, 1, 1, 0.5]]}")
    assert problems == []
    assert values == {"colors": [[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1], [1, 1, 1, 0.5]]}
    assert "a list of colors" in expected(kind_of(Rope).fields["colors"])
    for wrong, told in (("['#xyz']", "no color"), ("[[0, 0]]", "3"), ("[[0, 0, 2]]", "1"), ("red", "list")):
        values, problems = read(Rope, f"{{colors: {wrong}}}")
        assert len(problems) == 1, wrong
        assert "X.colors" in problems[0], wrong
        assert told in problems[0], wrong


def test_an_empty_mapping_and_nothing_mean_all_defaults(read, kinds):
    """An empty mapping gives no values, so all defaults are used."""
    assert read(kinds.Body, "{}") == ({}, [])


def test_units_and_ranges_are_said_as_the_manifest_has_them(kinds):
    """Expected types, units and ranges are described as a manifest has them, with degrees for angles."""
    fields = kind_of(kinds.Body).fields
    assert unit_of(fields["spin"]) == "degrees/s"
    assert expected(fields["velocity"]) == "2 numbers in units/s"
    assert expected(fields["form"]) == "one of box, circle"
    assert expected(fields["path"]) == "a list of Vec2"
    assert expected(kind_of(kinds.Sprite).fields["image"]) == "the path of an asset"
    assert range_text(fields["mass"]) == "0 kg or more"
    assert range_text(fields["hits"]) == "0 to 9"
    assert range_text(fields["velocity"]) == ""


def test_numbers_must_fit_their_column(read, kinds):
    """Numbers outside the range of float32 or int32 are refused."""
    assert read(kinds.Body, "{velocity: [1e39, 0]}")[1] == [
        "g.yaml:1:13: X.velocity[0]: 1e+39 is too large: the maximum is 3.402823e+38"
    ]
    assert "too large" in read(kinds.Body, "{grid: [3000000000, 0, 0, 0]}")[1][0]


def test_a_good_field_is_kept_and_looked_at_beside_a_bad_one(read, kinds):
    """Valid fields are kept and all mistakes reported, even if another field is wrong."""
    scope = Scope(layers=["sky"], asset=lambda text, also, names: f"there is no {text}")
    values, problems = read(kinds.Sprite, "{mode: x, image: a.png, layer: sk, text: ok}", scope)
    assert values["text"] == "ok"
    assert [problem.partition(": X.")[2].partition(":")[0] for problem in problems] == [
        "mode",
        "image",
        "layer",
    ]
    assert "there is no a.png" in problems[1]


def test_each_asset_is_looked_at_once(read, kinds):
    """Each asset is looked up on disk once."""
    asked = []
    scope = Scope(asset=lambda text, also, names: asked.append(text))
    for _ in range(3):
        read(kinds.Sprite, "{image: a.png}", scope)
    assert asked == ["a.png"]


def test_assets_may_hold_words_besides_paths(read):
    """A word of `also`, or a text that begins as one with a colon does, is not looked up; others are, and list them."""

    @component
    class Dish:
        food: Asset = field("soup", also=("soup", "tin:"))

    scope = Scope(asset=lambda text, also, names: f"there is no {text}, only {also}")
    for text in ("soup", "'tin:beans'"):
        assert read(Dish, f"{{food: {text}}}", scope)[1] == []
    (problem,) = read(Dish, "{food: soop}", scope)[1]
    assert "there is no soop, only ('soup', 'tin:')" in problem


def test_copies_may_differ(read, kinds):
    """Each value of `each` and `random` is checked."""
    values, problems = read(
        kinds.Body, "{mass: {each: [1, 2], hold: 3}, hits: {random: [1, 5]}, spin: {random: [0, 180]}}"
    )
    assert problems == []
    assert values["mass"] == Listed((1.0, 2.0), 3)
    assert values["hits"] == Drawn(1, 5)
    assert values["spin"].high == pytest.approx(math.pi)
    assert read(kinds.Body, "{mass: {each: []}}")[1] == [
        "g.yaml:1:15: X.mass.each: must be a list of values, not a list of 0"
    ]


@component
class Turned:
    """A component with a quaternion."""

    turn: Quat


def test_a_rotation_is_three_angles_or_a_quaternion(read):
    """Three angles in degrees become a quaternion; four numbers are scaled to length 1, and zeros are refused."""
    half = math.sqrt(0.5)
    for text in ("[0, 90, 0]", "[0, 0.25turn, 0deg]", "[0, 2, 0, 2]"):
        values, problems = read(Turned, f"{{turn: {text}}}")
        assert problems == []
        assert values["turn"] == pytest.approx([0, half, 0, half])
    assert read(Turned, "{turn: [0, 0, 0, 1]}")[0]["turn"] == [0, 0, 0, 1]
    for text in ("[0, 90deg, 0, 1]", "[1, 2]", "90", "[0, a, 0]", "[0, 0, 0, 0]"):
        [problem] = read(Turned, f"{{turn: {text}}}")[1]
        assert "three angles" in problem or "must be a number" in problem


def test_copies_get_random_rotations_between_angles(read):
    """`random` draws each angle between its bounds, so that every copy has a quaternion of length 1."""
    values, problems = read(Turned, "{turn: {random: [[0, -90, 0], [0, 90deg, 0]]}}")
    assert problems == []
    drawn = copy_values(kind_of(Turned).fields["turn"], values["turn"], np.arange(50), Stream(1))
    assert np.linalg.norm(drawn, axis=1) == pytest.approx(1)
    assert (np.abs(drawn[:, 1]) <= math.sqrt(0.5) + 1e-6).all()
    assert (drawn[:, [0, 2]] == 0).all()
    assert len(read(Turned, "{turn: {random: [[0, 0, 0, 1], [0, 1, 0, 0]]}}")[1]) == 2
