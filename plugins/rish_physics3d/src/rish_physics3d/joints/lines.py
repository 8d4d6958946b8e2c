"""The axes and limits of joints as lines in the world, for the editor and the debug view."""

from __future__ import annotations

import math

import numpy as np

from rish_jit import Array
from rish_space3d import outlines

from ..components.joints import (
    BallJoint3D,
    DistanceJoint3D,
    HingeJoint3D,
    MouseJoint3D,
    SliderJoint3D,
    WeldJoint3D,
    WheelJoint3D,
)
from .sketches import JointSketch3D


def joint_lines(sketch: JointSketch3D, size: float) -> Array:
    """Return the axis and the limits of a joint as lines (n, 2, 3).

    size: the radius of arcs, and half the length of an axis without limits, meters.
    """
    a, b = sketch.anchors
    axes, turned = sketch.axes
    if sketch.cls is HingeJoint3D:
        return np.concatenate([_axis(a, axes[0], size), _arc(sketch, size)])
    if sketch.cls is SliderJoint3D:
        return _way(sketch, size, axes[0])
    if sketch.cls is WheelJoint3D:
        wheel = outlines.circle_lines(b, turned[2], size / 2)
        return np.concatenate([_way(sketch, size, axes[0]), _axis(b, turned[2], size / 2), wheel])
    if sketch.cls is BallJoint3D:
        return _ball(sketch, size)
    if sketch.cls is DistanceJoint3D:
        return np.zeros((0, 2, 3)) if sketch.lower is None else _way(sketch, size, (b - a) / max(sketch.position, 1e-9))
    if sketch.cls is WeldJoint3D:
        third = size / 6
        return outlines.moved(outlines.box_lines((-third,) * 3, (third,) * 3), np.column_stack([axes.T, a]))
    assert sketch.cls is MouseJoint3D
    return outlines.sphere_lines(a, size / 6)


def _axis(at: Array, way: Array, size: float) -> Array:
    return np.array([[at - way * size, at + way * size]])


def _arc(sketch: JointSketch3D, size: float) -> Array:
    """Return the arc of the limits about the main axis, from the anchor and back, and the direction in which b is now:
    so the arc shows where b may turn.
    """
    a, axis = sketch.anchors[0], sketch.axes[0, 0]
    arm = sketch.centers[1] - sketch.anchors[1] if sketch.b else np.zeros(3)
    side = arm - axis * float(arm @ axis)
    length = float(np.linalg.norm(side))
    side = side / length if length > 1e-6 else sketch.axes[1, 1] - axis * float(sketch.axes[1, 1] @ axis)
    if sketch.lower is None or sketch.upper is None:
        return outlines.circle_lines(a, axis, size / 2)
    low, high = sketch.lower - sketch.position, sketch.upper - sketch.position
    arc = outlines.arc_lines(a, axis, side * size, low, high)
    return np.concatenate([[[a, arc[0, 0]], [arc[-1, 1], a], [a, a + side * size * 1.2]], arc])


def _way(sketch: JointSketch3D, size: float, axis: Array) -> Array:
    """Return a line along an axis between circles at the limits; a line of a fixed length without limits."""
    a = sketch.anchors[0]
    if sketch.lower is None or sketch.upper is None:
        return _axis(a, axis, size)
    ends = [a + axis * sketch.lower, a + axis * sketch.upper]
    return np.concatenate([[ends], *[outlines.circle_lines(end, axis, size / 6) for end in ends]])


def _ball(sketch: JointSketch3D, size: float) -> Array:
    """Return the main axes of both bodies, the cone in which that of b stays, and the arc of its twist."""
    a, axis = sketch.anchors[0], sketch.axes[0, 0]
    lines = [np.array([[a, a + axis * size], [a, a + sketch.axes[1, 0] * size * 1.2]])]
    if sketch.cone is not None:
        lines.append(outlines.cone_lines(a, axis, size, min(2 * sketch.cone, 2 * math.pi)))
    if sketch.lower is not None:
        lines.append(_arc(sketch, size / 2))
    if sketch.cone is None and sketch.lower is None:
        lines.append(outlines.sphere_lines(a, size / 4))
    return np.concatenate(lines)
