"""Mistakes of physics in a manifest are found with their lines; values of all kinds can be written."""

from __future__ import annotations

from typing import Any

import pytest

from rish_core import ManifestError
from rish_physics import Body, Collider, plugin
from rish_physics.tables import Bodies

HEAD = """
rish: 1
game: {title: T, size: [64, 48]}
plugins: [physics]
"""
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
        ("scenes:\n  main:\n    - {Transform: {}, Collider: {shape: segment, points: [[1, 1]]}}", 7, "two points"),
        ("scenes:\n  main:\n    - {Transform: {}, Collider: {collision_layer: plyer}}", 7, "no collision layer"),
        ("settings: {physics: {layers: {a: [b]}}}", 5, "no layer 'b'"),
        ("settings: {physics: {gravity: [0, 1e9]}}", 5, "out of range"),
        ("settings: {physics: {debug: [shapez]}}", 5, "shape"),
        ("scenes:\n  main:\n    - {Transform: {}, Body: {mass: -2}}", 7, "out of range"),
    ],
)
def test_a_mistake_is_told_with_its_line(rish_app: Any, text: str, line: int, what: str):
    """File, line and a sentence."""
    said = _refused(rish_app, text)
    assert f"game.yaml:{line}" in said
    assert what in said


def test_everything_can_be_written_in_a_manifest(rish_app: Any):
    """Types, shapes, layers, children and joints by name."""
    app = rish_app(
        HEAD
        + """
settings: {physics: {layers: {player: [foe], foe: none}, friction_mix: average, restitution: min, debug: [all]}}
prefabs:
  crate: {Transform: {}, Body: {linear_damping: 1}, Collider: {size: [20, 20], collision_layer: player}}
scenes:
  main:
    - {prefab: crate, count: 3, at: [10, 10]}
    - {name: peg, at: [0, 0], Transform: {}, Collider: {shape: circle, radius: 4}}
    - {name: bob, at: [0, -50], Transform: {}, Body: {type: dynamic}, Collider: {shape: capsule, size: [10, 30]}}
    - {Revolute: {a: peg, b: bob, anchor_b: [0, 50], limited: true, lower: -90, upper: 90}}
    - at: [0, -100]
      Transform: {}
      Collider: {shape: outline, points: [[0, 0], [50, 0], [50, 50], [25, 10], [0, 50]]}
      children:
        - {Transform: {}, Collider: {shape: polygon, points: [[0, 0], [9, 0], [0, 9]], offset: [4, 4], angle: 45}}
""",
        plugins={"physics": plugin},
    )
    for _ in range(30):
        app.tick()
    assert len(app.world[Body]) == 4
    assert len(app.world[Collider]) == 7
    assert (app.world[Bodies].flags[1:] != 0).all()
