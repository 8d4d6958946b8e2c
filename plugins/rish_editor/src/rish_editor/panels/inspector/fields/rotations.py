"""Rotations in space: a quaternion is shown and entered as three angles in degrees around x, y and z."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import angles_of, quaternions_of

from ....ui.values import Formula

if TYPE_CHECKING:
    from rish_ecs.declarations import FieldSpec

    from ....session.target import Target
    from ..state import State

_MEMORY = "editor.angles"
"""The name in `Editor.memory` of the angles that the user entered last, because different angles are the same
rotation."""
_SAME = 1e-6
_STEP = 1.0
"""How far a drag moves an angle, degrees."""


def draw_rotation(state: State, target: Target, spec: FieldSpec) -> None:
    """Draw the three angles of a field of type Quat."""
    shown = shown_angles(target, spec.name)
    mixed = len(target) > 1 and any(target.mixed_parts(spec.name))
    entered = target.ui.vector(
        spec.name, shown[-1].tolist(), mixed=(mixed,) * 3, speed=_STEP, letters="XYZ", unit="°"
    )  # fmt: skip
    if not entered:
        return
    angles = shown.copy()
    for k, part in entered.items():
        angles[:, k] = part.of(angles[:, k]) if isinstance(part, Formula) else float(part)
    rotations = quaternions_of(np.radians(angles)).astype(np.float32)
    key = target.cls, spec.name, tuple(target.handles)
    target.editor.memory[_MEMORY] = key, rotations.astype(np.float64), angles
    target.set(spec.name, rotations)


def shown_angles(target: Target, name: str) -> Any:
    """Return the angles of all entities in degrees, float64 (n, 3), the primary one last.

    If the rotations equal those of the angles that were entered last, these angles are returned.
    """
    rotations = target.values(name).astype(np.float64)
    length = np.sqrt((rotations**2).sum(axis=1, keepdims=True))
    rotations = np.where(length > 0, rotations / np.where(length > 0, length, 1.0), [0.0, 0.0, 0.0, 1.0])
    entry = target.editor.memory.get(_MEMORY)
    if entry is not None and entry[0] == (target.cls, name, tuple(target.handles)):
        agree = np.abs((entry[1] * rotations).sum(axis=1)) > 1 - _SAME
        if agree.all():
            return entry[2]
    degrees = np.degrees(angles_of(rotations))
    return np.round(degrees, 4) + 0.0
