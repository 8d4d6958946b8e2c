"""Mistakes of physics in a manifest are reported with their lines; all features can be written in a manifest."""

from __future__ import annotations

from typing import Any

import pytest

from rish_core import App, ManifestError, parse_manifest
from rish_physics import (
    Body,
    Character,
    Collider,
    DistanceJoint,
    GearJoint,
    GravityPoint,
    MotorJoint,
    MouseJoint,
    PrismaticJoint,
    RatchetJoint,
    RevoluteJoint,
    WaterArea,
    WeldJoint,
    WheelJoint,
    WindArea,
    plugin,
)
from rish_physics.components.tables import Bodies

HEAD = """
rish: 1
game: {title: T}
plugins: [physics]
"""
TWO = "scenes:\n  main:\n    - {name: p, Transform: {}, Body: {}}\n    - {name: bare, Transform: {}}\n"
FORM = "scenes:\n  main:\n    - {Transform: {}, Collider: {shape: %s}}"


def _refused(rish_app: Any, text: str) -> str:
    with pytest.raises(ManifestError) as caught:
        rish_app(HEAD + text, plugins={"physics": plugin})
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("scenes:\n  main:\n    - {Collider: {}}", 7, "no Transform"),
        ("prefabs: {p: {Body: {}}}\nscenes:\n  main:\n    - {prefab: p}", 8, "no Transform"),
        (
            FORM % "outline, points: [[0, 0], [9, 9], [9, 0], [0, 9]]",
            7,
            "crosses itself",
        ),
        (
            FORM % "polygon, points: [[0, 0], [9, 0], [1, 1], [0, 9]]",
            7,
            "not convex",
        ),
        ("scenes:\n  main:\n    - {Transform: {}, Collider: {shape: polygon}}", 7, "needs `points`"),
        (
            "scenes:\n  main:\n    - {Transform: {}, Collider: {shape: segment, points: [[1, 1]]}}",
            7,
            "two different points",
        ),
        ("scenes:\n  main:\n    - {Transform: {}, Collider: {collision_layer: plyer}}", 7, "no collision layer"),
        ("settings: {physics: {layers: {a: [b]}}}", 5, "no layer 'b'"),
        ("settings: {physics: {gravity: [0, 1e9]}}", 5, "out of range"),
        ("settings: {physics: {debug: [shapez]}}", 5, "shape"),
        ("scenes:\n  main:\n    - {Transform: {}, Body: {mass: -2}}", 7, "out of range"),
        ("scenes:\n  main:\n    - {Transform: {}, Collider: {size: [0, 5]}}", 7, "no area"),
        ("scenes:\n  main:\n    - {Transform: {}, Collider: {shape: circle, size: [0, 0]}}", 7, "no area"),
        (TWO + "    - {RevoluteJoint: {a: p, b: q}}", 9, "no entity of this scene is called 'q'"),
        (TWO + "    - {RevoluteJoint: {a: p, b: p}}", 9, "both 'p'"),
        (TWO + "    - {WeldJoint: {}}", 9, "connects nothing"),
        (TWO + "    - {DistanceJoint: {a: p, b: bare}}", 9, "no Body and no Collider"),
        (TWO + "    - {WheelJoint: {b: p, limited: true, lower: 2, upper: 1}}", 9, "above the upper"),
        (TWO + "    - {PrismaticJoint: {b: p, axis: [0, 0]}}", 9, "the axis has length 0"),
        (TWO + "    - {PrismaticJoint: {b: p, axis: [1.0e-60, 0]}}", 9, "the axis has length 0"),
        (TWO + "    - {RevoluteJoint: {b: p, limited: true, lower: 90deg, upper: -1rad}}", 9, "above the upper"),
        (TWO + "    - {RevoluteJoint: {b: p, limited: true, lower: 20000turn, upper: 30000turn}}", 9, "10000 turns"),
        (TWO + "    - {RevoluteJoint: {b: p, spring: true, rest: -4.0e+6}}", 9, "below -3.6e+06 degrees"),
        (
            TWO + "    - {RevoluteJoint: {b: p, anchor_a: [0, 2.0e+6]}}",
            9,
            "above 1.024e+06 units: nothing is simulated",
        ),
        (TWO + "    - {DistanceJoint: {b: p, length: 1.0e+9}}", 9, "above 1.024e+06 units"),
        (TWO + "    - {PrismaticJoint: {b: p, limited: true, upper: -1.0e+9, lower: -2.0e+9}}", 9, "below -1.024e+06"),
        (TWO + "    - {WheelJoint: {b: p, spring: true, rest: 3.0e+38}}", 9, "above 1.024e+06 units"),
        (TWO + "    - {MotorJoint: {b: p, offset: [1.0e+30, 0]}}", 9, "nothing is simulated that far"),
        (TWO + "    - {MouseJoint: {b: p, target: [-1.0e+30, 0]}}", 9, "below -1.024e+06"),
    ],
)
def test_a_mistake_is_reported_with_its_line(rish_app: Any, text: str, line: int, what: str):
    """A mistake is reported with file and line."""
    said = _refused(rish_app, text)
    assert f"game.yaml:{line}" in said
    assert what in said


def test_layers_that_contradict_each_other_are_warned_of(rish_app: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Layers that contradict each other are logged with file and line, and the game is valid."""
    rish_app(HEAD + "settings:\n  physics:\n    layers: {player: [foe], foe: none}", plugins={"physics": plugin})
    (said,) = [record.getMessage() for record in caplog.records]
    assert said.endswith(
        "game.yaml:7:22: settings.physics.layers.player: 'player' lists 'foe', but 'foe' does not list 'player',"
        " so they do not collide"
    )


@pytest.mark.slow
def test_everything_can_be_written_in_a_manifest(rish_app: Any):
    """Types, shapes, layers, children and joints by name can be written in a manifest."""
    app = rish_app(
        HEAD
        + """
settings: {physics: {layers: {player: [foe], foe: [player]}, friction_mix: average, restitution_mix: min, debug: [all]}}
prefabs:
  crate: {Transform: {}, Body: {linear_damping: 1}, Collider: {size: [20, 20], collision_layer: player}}
scenes:
  main:
    - {prefab: crate, count: 3, at: [10, 10]}
    - {name: peg, at: [0, 0], Transform: {}, Collider: {shape: circle, radius: 4}}
    - {name: bob, at: [0, -50], Transform: {}, Body: {type: dynamic}, Collider: {shape: capsule, size: [10, 30]}}
    - {RevoluteJoint: {a: peg, b: bob, anchor_b: [0, 50], limited: true, lower: -90, upper: 90}}
    - at: [0, -100]
      Transform: {}
      Collider: {shape: outline, points: [[0, 0], [50, 0], [50, 50], [25, 10], [0, 50]]}
      children:
        - {Transform: {}, Collider: {shape: polygon, points: [[0, 0], [9, 0], [0, 9]], offset: [4, 4], rotation: 45}}
""",
        plugins={"physics": plugin},
    )
    for _ in range(30):
        app.tick()
    assert len(app.world[Body]) == 4
    assert len(app.world[Collider]) == 7
    assert (app.world[Bodies].flags[1:] != 0).all()


WRONG = ("wrong", "-1e39", ".nan", ".inf", "1e39", "[1]", "[1, 2, 3]", "{a: 1}", "[.nan, 0]", "[[0, 0], [.nan, 1]]")
"""Values that no field of physics accepts, except texts and lists of points."""
CLASSES = [
    Body, Collider, Character, RevoluteJoint, DistanceJoint, PrismaticJoint, WeldJoint, WheelJoint, MotorJoint,
    MouseJoint, GearJoint, RatchetJoint, WindArea, WaterArea, GravityPoint,
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("cls", CLASSES)
def test_every_field_refuses_what_it_can_not_be(cls: type):
    """Every field refuses values of wrong types and NaN, each with line, column and path."""
    texts = {"collision_layer", "drop"}
    tries = [
        (field, value) for field in cls.__annotations__ for value in WRONG if field not in texts or value != "wrong"
    ]
    for begin in range(0, len(tries), 20):  # a check stops after 100 mistakes
        some = tries[begin : begin + 20]
        entries = "".join(f"    - {{Transform: {{}}, {cls.__name__}: {{{name}: {value}}}}}\n" for name, value in some)
        with pytest.raises(ManifestError) as caught:
            App(parse_manifest(HEAD + "scenes:\n  main:\n" + entries), headless=True)
        told = {(problem.place, problem.path) for problem in caught.value.problems}
        for number, (field, value) in enumerate(some):
            place, path = f"game.yaml:{number + 7}:", f"scenes.main[{number}].{cls.__name__}.{field}"
            assert any(str(at).startswith(place) and where.startswith(path) for at, where in told), (field, value)


_ZONE = "scenes:\n  main:\n    - {at: [0, 0], Transform: {}, Collider: {sensor: true%s}}\n"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (_ZONE % "" + "    - {Transform: {}, Collider: {}}", "it is static, and so is every collider"),
        (_ZONE % "" + "    - {Transform: {}, Body: {type: static}, Collider: {}}", "it is static"),
        (_ZONE % ", mask: 0" + "    - {Transform: {}, Body: {}, Collider: {}}", "exclude all colliders"),
        (
            "settings: {physics: {layers: {ghosts: none}}}\n" + _ZONE % ", collision_layer: ghosts"
            + "    - {Transform: {}, Body: {}, Collider: {}}",
            "exclude all colliders",
        ),
        (
            "prefabs: {zone: {Transform: {}, Collider: {sensor: true, group: -2}}}\n"
            "scenes:\n  main:\n    - {prefab: zone}\n    - {Transform: {}, Body: {}, Collider: {group: -2}}",
            "exclude all colliders",
        ),
    ],
)  # fmt: skip
def test_a_sensor_that_notices_nothing_is_a_warning(
    rish_app: Any, caplog: pytest.LogCaptureFixture, text: str, what: str
) -> None:
    """A sensor that no collider of the scenes and prefabs can enter is named with its line."""
    rish_app(HEAD + text, plugins={"physics": plugin})
    assert what in caplog.text
    assert "this sensor notices nothing" in caplog.text


@pytest.mark.parametrize(
    "text",
    [
        _ZONE % "" + "    - {Transform: {}, Body: {}, Collider: {}}",
        _ZONE % "" + "    - {Transform: {}, Body: {type: kinematic}, children: [{Transform: {}, Collider: {}}]}",
        "prefabs: {shot: {Transform: {}, Body: {}, Collider: {}}}\n" + _ZONE % "",
        _ZONE % ", mask: 0, group: 3" + "    - {Transform: {}, Body: {}, Collider: {group: 3}}",
        "scenes:\n  main:\n    - {Transform: {}, Body: {type: kinematic}, Collider: {sensor: true}}\n"
        "    - {Transform: {}, Collider: {}}",
        _ZONE % "",
    ],
)  # fmt: skip
def test_a_sensor_that_may_notice_something_is_no_warning(
    rish_app: Any, caplog: pytest.LogCaptureFixture, text: str
) -> None:
    """A visitor in a scene, a child or a prefab is enough; a game without other colliders may spawn them by code."""
    rish_app(HEAD + text, plugins={"physics": plugin})
    assert "notices nothing" not in caplog.text
