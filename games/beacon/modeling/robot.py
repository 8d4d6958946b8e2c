"""The robot: a skinned figure of painted metal with a lantern's hook in its right hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import surfaces
from .glb import Bone, Material, Motion, Writer
from .meshes import Shape, ball, box, joined, lathe, rotation, tube

BONES = [
    Bone("hips", -1, (0, 0.52, 0)),
    Bone("chest", 0, (0, 0.14, 0)),
    Bone("head", 1, (0, 0.3, 0)),
    Bone("antenna", 2, (0.06, 0.27, -0.02)),
    Bone("arm.l", 1, (0.235, 0.2, 0)),
    Bone("forearm.l", 4, (0.03, -0.2, 0)),
    Bone("hand.l", 5, (0, -0.19, 0)),
    Bone("arm.r", 1, (-0.235, 0.2, 0)),
    Bone("forearm.r", 7, (-0.03, -0.2, 0)),
    Bone("hand.r", 8, (0, -0.19, 0)),
    Bone("thigh.l", 0, (0.1, -0.04, 0)),
    Bone("shin.l", 10, (0.01, -0.2, 0)),
    Bone("foot.l", 11, (0, -0.22, 0)),
    Bone("thigh.r", 0, (-0.1, -0.04, 0)),
    Bone("shin.r", 13, (-0.01, -0.2, 0)),
    Bone("foot.r", 14, (0, -0.22, 0)),
]
"""The skeleton; the robot looks along +z, as models of glTF do."""
NUMBER = {bone.name: number for number, bone in enumerate(BONES)}


def _places() -> np.ndarray[Any, Any]:
    places = np.zeros((len(BONES), 3))
    for number, bone in enumerate(BONES):
        places[number] = (places[bone.parent] if bone.parent >= 0 else 0) + np.array(bone.place)
    return places


PLACES = _places()


def _at(bone: str, shape: Shape) -> Shape:
    """Return a shape that is modeled around a bone, at the bone and held by it."""
    return shape.moved(*PLACES[NUMBER[bone]]).held(NUMBER[bone])


def _limb(upper: str, lower: str, radius: float) -> Shape:
    """Return a rubber hose between two joints; it bends smoothly, by two weights."""
    start, end = PLACES[NUMBER[upper]], PLACES[NUMBER[lower]]
    beyond = end + (end - start) * 0.25
    hose = tube(np.linspace(start, beyond, 9), radius, 10)  # type: ignore[arg-type]
    along = (hose.places - start) @ (end - start) / ((end - start) @ (end - start))
    share = np.clip((along - 0.75) / 0.4, 0, 1)
    held = hose.held(NUMBER[upper])
    assert held.joints is not None
    assert held.weights is not None
    held.joints[:, 1] = NUMBER[lower]
    held.weights[:, 0], held.weights[:, 1] = 1 - share, share
    return held


def _parts() -> dict[str, list[Shape]]:
    paint = [
        _at("hips", lathe([(0.0, -0.09), (0.11, -0.09), (0.15, -0.04), (0.15, 0.06), (0.1, 0.1), (0, 0.1)], 20)),
        _at("chest", box(0.38, 0.36, 0.26, 0.06).moved(0, 0.12, 0)),
        _at("head", box(0.3, 0.24, 0.26, 0.07).moved(0, 0.14, 0)),
    ]
    steel = [
        _at("chest", lathe([(0, -0.1), (0.06, -0.1), (0.06, 0.4), (0, 0.4)], 14)),
        _at("chest", box(0.24, 0.2, 0.02, 0.01).moved(0, 0.13, 0.128)),
        _at("head", lathe([(0, -0.05), (0.07, -0.05), (0.07, 0.03), (0, 0.03)], 14)),
        _at("head", box(0.25, 0.12, 0.02, 0.01).moved(0, 0.15, 0.126)),
        _at("antenna", tube([(0, -0.03, 0), (0, 0.14, 0)], 0.008, 6)),
    ]
    glow = [_at("head", ball(0.036, 14, 8).scaled(1, 1.15, 0.5).moved(x, 0.155, 0.138)) for x in (-0.06, 0.06)] + [
        _at("antenna", ball(0.022, 12, 8).moved(0, 0.15, 0))
    ]
    lamp = [_at("chest", ball(0.03, 12, 8).scaled(1, 1, 0.5).moved(-0.07, 0.17, 0.14))]
    rubber: list[Shape] = []
    for side, sign in (("l", 1), ("r", -1)):
        steel.append(_at(f"arm.{side}", ball(0.068, 14, 8)))
        rubber += [_limb(f"arm.{side}", f"forearm.{side}", 0.036), _limb(f"thigh.{side}", f"shin.{side}", 0.05)]
        paint.append(_at(f"forearm.{side}", lathe([(0, -0.17), (0.062, -0.17), (0.07, -0.04), (0.045, 0), (0, 0)], 14)))
        steel.append(_at(f"hand.{side}", ball(0.055, 12, 8).scaled(0.8, 1, 1)))
        steel.append(_at(f"hand.{side}", tube([(0.035 * sign, 0, 0.02), (0.03 * sign, -0.06, 0.05)], 0.016, 6)))
        steel.append(_at(f"hand.{side}", tube([(-0.02 * sign, -0.03, 0.02), (-0.015 * sign, -0.085, 0.02)], 0.018, 6)))
        paint.append(_at(f"shin.{side}", lathe([(0, -0.2), (0.075, -0.2), (0.07, -0.05), (0.05, 0), (0, 0)], 14)))
        steel.append(_at(f"foot.{side}", box(0.13, 0.07, 0.22, 0.03).moved(0, -0.025, 0.035)))
    return {"paint": paint, "steel": steel, "rubber": rubber, "glow": glow, "lamp": lamp}


Angles = dict[str, tuple[float, float, float]]


def _turn(angles: tuple[float, float, float]) -> np.ndarray[Any, Any]:
    """Return the quaternion of turns around x, then y, then z, in degrees."""
    matrix = rotation("z", angles[2]) @ rotation("y", angles[1]) @ rotation("x", angles[0])
    w = np.sqrt(max(0.0, 1 + matrix.trace())) / 2
    x, y, z = matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]
    return np.array([x, y, z, 0]) / (4 * w) + (0, 0, 0, w)


def _motion(name: str, times: list[float], poses: list[Angles], rise: list[float]) -> Motion:
    """Return a clip from poses: angles of the bones that are not at rest. rise: of the hips, meters."""
    bones = sorted({bone for pose in poses for bone in pose})
    turns = {bone: (times, np.array([_turn(pose.get(bone, (0, 0, 0))) for pose in poses])) for bone in bones}
    hips = np.array(BONES[0].place)
    return Motion(name, turns, {"hips": (times, np.array([hips + np.array((0, up, 0)) for up in rise]))})


CARRY: Angles = {"arm.r": (-48, 0, -8), "forearm.r": (-38, 0, 0), "hand.r": (20, 0, 0), "arm.l": (0, 0, 7)}
"""The right arm holds the lantern before the robot."""


def _motions() -> list[Motion]:
    rest: Angles = {**CARRY, "forearm.l": (-8, 0, 0)}
    breath: Angles = {**rest, "chest": (3, 0, 0), "head": (-4, 8, 0), "arm.r": (-46, 0, -9), "antenna": (6, 0, 0)}
    idle = _motion("idle", [0, 1.1, 2.2, 3.3, 4.4], [rest, breath, rest, {**breath, "head": (-2, -10, 0)}, rest],
                   [0, -0.008, 0, -0.008, 0])  # fmt: skip
    steps: list[Angles] = []
    rise: list[float] = []
    for k in range(9):
        phase = k / 8 * 2 * np.pi
        swing, lift = np.sin(phase), np.cos(phase)
        steps.append({
            **CARRY,
            "hips": (0, 6 * swing, 2 * lift), "chest": (6, -8 * swing, -1.5 * lift), "head": (-3, 3 * swing, 0),
            "thigh.l": (-34 * swing - 6, 0, 0), "shin.l": (26 - 24 * lift if lift < 0 else 26 - 18 * lift, 0, 0),
            "thigh.r": (34 * swing - 6, 0, 0), "shin.r": (26 + 24 * lift if lift > 0 else 26 + 18 * lift, 0, 0),
            "foot.l": (8 * swing, 0, 0), "foot.r": (-8 * swing, 0, 0),
            "arm.l": (32 * swing, 0, 7), "forearm.l": (-24, 0, 0), "arm.r": (-46 + 5 * lift, 0, -8),
            "antenna": (10 * lift, 0, 6 * swing),
        })  # fmt: skip
        rise.append(-0.028 + 0.022 * abs(np.sin(phase)))
    walk = _motion("walk", [k * 0.0875 for k in range(9)], steps, rise)
    crouch: Angles = {**CARRY, "chest": (22, 0, 0), "head": (-14, 0, 0), "thigh.l": (-58, 0, 0), "thigh.r": (-58, 0, 0),
                      "shin.l": (86, 0, 0), "shin.r": (86, 0, 0), "foot.l": (-28, 0, 0), "foot.r": (-28, 0, 0),
                      "arm.l": (30, 0, 14)}  # fmt: skip
    air: Angles = {**CARRY, "chest": (-5, 0, 0), "head": (-12, 0, 0), "thigh.l": (-46, 0, 0), "shin.l": (50, 0, 0),
                   "thigh.r": (8, 0, 0), "shin.r": (24, 0, 0), "foot.r": (24, 0, 0), "arm.l": (-30, 0, 60),
                   "forearm.l": (-30, 0, 0), "arm.r": (-82, 0, -12), "antenna": (-22, 0, 0)}  # fmt: skip
    fall: Angles = {**air, "thigh.l": (-20, 0, 0), "shin.l": (26, 0, 0), "thigh.r": (-28, 0, 0), "shin.r": (40, 0, 0),
                    "arm.l": (-10, 0, 96), "antenna": (24, 0, 0)}  # fmt: skip
    jump = _motion(
        "jump", [0, 0.08, 0.22, 0.5], [crouch, {**crouch, "chest": (8, 0, 0)}, air, air], [-0.1, -0.04, 0, 0]
    )
    falling = _motion("fall", [0, 0.3, 0.6], [fall, {**fall, "arm.l": (-14, 0, 84)}, fall], [0, 0, 0])
    land = _motion("land", [0, 0.12, 0.32], [crouch, {**crouch, "chest": (26, 0, 0)}, rest], [-0.12, -0.14, 0])
    proud: Angles = {"arm.r": (-172, 0, -6), "forearm.r": (-8, 0, 0), "arm.l": (0, 0, 32), "forearm.l": (-70, 0, 0),
                     "chest": (-7, 0, 0), "head": (-16, 0, 0)}  # fmt: skip
    cheer = _motion("cheer", [0, 0.35, 0.9, 1.5],
                    [rest, proud, {**proud, "head": (-12, 14, 0), "hips": (0, 8, 0)}, proud],
                    [0, 0.01, -0.02, 0.01])  # fmt: skip
    return [idle, walk, jump, falling, land, cheer]


def build(writer: Writer) -> None:
    """Add the robot to a file."""
    parts = _parts()
    looks = {
        "paint": Material("paint", maps=surfaces.metal((176, 92, 44), (150, 146, 140), 51)),
        "steel": Material("steel", (0.56, 0.57, 0.6), metallic=1.0, roughness=0.34),
        "rubber": Material("rubber", (0.035, 0.036, 0.04), roughness=0.7),
        "glow": Material("eyes", (0.1, 0.1, 0.1), glow=(0.45, 0.95, 1.0), strength=5.0),
        "lamp": Material("lamp", (0.2, 0.04, 0.02), glow=(1.0, 0.3, 0.1), strength=2.5),
    }
    scaled = {name: joined(*shapes) for name, shapes in parts.items()}
    scaled["paint"] = scaled["paint"].mapped(1.6)
    mesh = writer.mesh("robot", [(scaled[name], looks[name]) for name in looks])
    writer.character("robot", mesh, BONES, _motions())
