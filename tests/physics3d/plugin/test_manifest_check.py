"""Mistakes of physics in space in a manifest are reported with their lines before anything is created."""

from __future__ import annotations

import pytest

from rish_core import App, ManifestError, parse_manifest

HEAD = "rish: 1\nplugins: [space3d, physics3d]\nscenes:\n  main:\n"
FORM = "    - {Transform3D: {}, Collider3D: {shape: %s}}"


@pytest.mark.parametrize(
    ("entry", "what"),
    [
        ("    - {Collider3D: {}}", "no Transform3D"),
        ("    - {Body3D: {}}", "no Transform3D"),
        (FORM % "hull", "a hull needs `points` or an `asset`"),
        (FORM % "hull, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]", "in one plane"),
        (FORM % "mesh, points: [[0, 0, 0], [1, 0, 0], [0, 0, 1]], triangles: [0, 1, 3]", "triangle 0 of the mesh"),
        (FORM % "mesh, points: [[0, 0, 0], [1, 0, 0], [0, 0, 1]], triangles: [0, 1]", "2 indices are no triangles"),
        (FORM % "heightfield", "a heightfield needs `heights`"),
        (FORM % "heightfield, heights: [1, 2, 3], columns: 1", "3 heights in rows of 1 are no grid"),
        (FORM % "box, size: [1, 0, 1]", "a box of this size has no volume"),
        (FORM % "sphere, radius: 0", "a sphere of this radius has no volume"),
        (FORM % "box, asset: box, size: [1, 2, 1]", "Remove `size` or `asset`"),
        (FORM % "plane, asset: box", "Choose one of box, sphere, capsule, hull, mesh"),
        ("    - {Transform3D: {}, Body3D: {}, Collider3D: {shape: mesh, asset: box}}", "part of a dynamic body"),
        ("    - {name: n, Transform3D: {}, Body3D: {mass: -1}}", "mass"),
        ("    - {name: n, Transform3D: {}, Body3D: {mass: .nan}}", "mass"),
        ("    - {name: n, Transform3D: {position: [.nan, 0, 0]}}", "position"),
        ("    - {name: n, Transform3D: {}, Body3D: {}, HingeJoint3D: {a: n, b: n}}", "a and b are both 'n'"),
        ("    - {name: n, Transform3D: {}, Body3D: {}, HingeJoint3D: {b: n, axis: [0, 0, 0]}}", "axis has length 0"),
        (
            "    - {name: n, Transform3D: {}, Body3D: {}, HingeJoint3D: {b: n, limited: true, lower: 2, upper: 1}}",
            "is above the upper one",
        ),
    ],
)
def test_a_mistake_is_located(entry: str, what: str) -> None:
    """Each mistake names its line and column, and what to write instead."""
    with pytest.raises(ManifestError) as caught:
        App(parse_manifest(HEAD + "    - {Transform3D: {}, Collider3D: {}}\n" + entry), headless=True)
    message = str(caught.value)
    assert what in message
    assert ":6:" in message


def test_what_is_right_is_no_mistake() -> None:
    """Prefabs may lack a Transform3D that the scene adds, and all shapes can be written."""
    text = """rish: 1
plugins: [space3d, physics3d]
prefabs:
  crate: {Body3D: {}, Collider3D: {}}
scenes:
  main:
    - {prefab: crate, Transform3D: {}}
    - {Transform3D: {}, Collider3D: {shape: plane}}
    - {Transform3D: {}, Collider3D: {shape: capsule, radius: 0.5, size: [0, 2, 0]}}
    - {Transform3D: {}, Collider3D: {shape: heightfield, columns: 2, heights: [1, 2, 3, 4]}}
    - {Transform3D: {}, Collider3D: {shape: hull, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}
    - {Transform3D: {}, Collider3D: {shape: mesh, asset: torus}}
"""
    with App(parse_manifest(text), headless=True, policy="raise") as app:
        app.tick()
