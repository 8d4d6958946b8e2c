"""A gull: few triangles, wings of two parts, two clips."""

from __future__ import annotations

import numpy as np

from .glb import Bone, Material, Motion, Writer
from .meshes import Shape, joined, lathe

BONES = [
    Bone("body", -1, (0, 0, 0)),
    Bone("wing.l", 0, (0.05, 0.03, 0)),
    Bone("tip.l", 1, (0.26, 0, 0)),
    Bone("wing.r", 0, (-0.05, 0.03, 0)),
    Bone("tip.r", 3, (-0.26, 0, 0)),
]


def _wing(sign: int, inner: int, outer: int) -> tuple[Shape, Shape]:
    """Return the pale inner and the dark outer part of a wing, thin and closed."""
    spans = [(0.03, 0.1, -0.08), (0.16, 0.115, -0.07), (0.31, 0.1, -0.06)]
    tips = [(0.31, 0.1, -0.06), (0.46, 0.05, -0.06), (0.6, -0.04, -0.075)]
    return tuple(
        _blade([(sign * (x + 0.0), front, back) for x, front, back in part], sign, joint)
        for part, joint in ((spans, inner), (tips, outer))
    )  # type: ignore[return-value]


def _blade(spans: list[tuple[float, float, float]], sign: int, joint: int) -> Shape:
    rim = [(x, 0.03, front) for x, front, _ in spans] + [(x, 0.03, back) for x, _, back in reversed(spans)]
    places = np.array(rim + rim, float)
    count = len(rim)
    places[count:, 1] -= 0.008
    fan = [(k, k + 1, count - 2 - k) for k in range(len(spans) - 1)] + [
        (k, count - 2 - k, count - 1 - k) for k in range(len(spans) - 1)
    ]
    top = np.array(fan)
    normals = np.tile([0.0, 1.0, 0.0], (2 * count, 1))
    normals[count:] *= -1
    a, b, c = (places[top[:, k]] for k in range(3))
    upward = np.cross(b - a, c - a)[:, 1] > 0
    top[~upward] = top[~upward][:, [0, 2, 1]]
    triangles = np.concatenate([top, top[:, [0, 2, 1]] + count])
    return Shape(places, normals, places[:, [0, 2]], triangles).held(joint)


def build(writer: Writer) -> None:
    """Add the gull to a file. It flies along +z."""
    profile = [(0.0, -0.22), (0.035, -0.17), (0.062, -0.02), (0.055, 0.1), (0.036, 0.16), (0.03, 0.19), (0.0, 0.215)]
    body = lathe(profile, 8, sharp=180).turned("x", 90).scaled(1, 0.9, 1).held(0)
    beak = lathe([(0.018, 0.0), (0.0, 0.06)], 6).turned("x", 90).moved(0, -0.002, 0.2).held(0)
    left, right = _wing(1, 1, 2), _wing(-1, 3, 4)
    white = Material("feathers", (0.82, 0.83, 0.84), roughness=0.8, both_sides=True)
    gray = Material("wing tips", (0.16, 0.17, 0.19), roughness=0.8, both_sides=True)
    yellow = Material("beak", (0.85, 0.5, 0.08), roughness=0.5)
    mesh = writer.mesh(
        "gull", [(joined(body, left[0], right[0]), white), (joined(left[1], right[1]), gray), (beak, yellow)]
    )
    writer.character("gull", mesh, BONES, [_flight("fly", 0.52, 34), _flight("glide", 2.0, 4)])


def _flight(name: str, seconds: float, reach: float) -> Motion:
    times = np.linspace(0, seconds, 9)
    phase = times / seconds * 2 * np.pi
    inner = reach * np.sin(phase) + 6
    outer = reach * 0.8 * np.sin(phase - 1.1) - 8
    half = np.radians(np.stack([inner, outer])) / 2
    zero = np.zeros_like(times)
    turns = {}
    for side, sign in (("l", 1), ("r", -1)):
        for bone, angle in ((f"wing.{side}", half[0]), (f"tip.{side}", half[1])):
            turns[bone] = (times, np.column_stack([zero, zero, np.sin(sign * angle), np.cos(angle)]))
    bob = np.column_stack([zero, -0.0012 * reach * np.sin(phase), zero])
    return Motion(name, turns, {"body": (times, bob)})
