"""Finds numbers of joints that are outside the range of their field, so that no joint can be made from them.

`rish check` reports such numbers in manifests. A running game ignores a joint that has one, and logs the reason. Some
ranges are in the schema of the component; others follow from the greatest distance between two bodies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import maths

from .joint_kinds import REVOLUTE

if TYPE_CHECKING:
    from .joints import Reader

MAX_TURNS = 10_000
"""The greatest number of turns of an angle. Up to it, float32 stores the angle to a third of a degree."""
_MAX_FLOAT32 = float(np.finfo(np.float32).max)
_TOO_FAR = "nothing is simulated that far away (`reach` under settings: physics:)"
_TOO_MANY_TURNS = f"angles are exact only up to {MAX_TURNS} turns"


@dataclass(frozen=True)
class Range:
    """The range of a field. part: the bool field that must be set for the range to apply; empty if it always applies.
    why: the reason for the range; empty if it is that of the schema.
    """

    low: float
    high: float
    part: str = ""
    why: str = ""

    def problem(self, name: str, value: float, unit: str, scale: float = 1.0) -> str:
        """Return the error sentence for a value outside the range. scale: the factor from the unit of the range to
        that of the value.
        """
        low, high = self.low * scale, self.high * scale
        bound = f"below {low:g}" if value < low else f"above {high:g}"
        return f"its {name} is {value:g}, {bound}{f' {unit}' if unit else ''}{self.why and ': ' + self.why}"


def farthest(reach: float) -> float:
    """Return the greatest distance between two simulated bodies along an axis. reach: see `PhysicsSettings`, units."""
    return 2 * reach


def ranges_of(reader: Reader, fields: Mapping[str, Any], far: float) -> dict[str, Range]:
    """Return the range of each field of a joint that is limited. fields: its schema. far: see `farthest`."""
    maximum, why = (MAX_TURNS * maths.TAU, _TOO_MANY_TURNS) if reader.kind == REVOLUTE else (far, _TOO_FAR)
    ranges = {
        name: Range(-_MAX_FLOAT32 if spec.low is None else spec.low, _MAX_FLOAT32 if spec.high is None else spec.high)
        for name, spec in fields.items()
        if spec.low is not None or spec.high is not None
    }
    ranges |= {name: Range(-far, far, why=_TOO_FAR) for name in reader.anchors if name}
    if "limited" in reader.flags:
        low = fields["upper"].low  # a distance has none below 0
        ranges["lower"] = Range(-_MAX_FLOAT32 if low is None else low, maximum, "limited", why)
        ranges["upper"] = Range(-maximum if low is None else low, _MAX_FLOAT32, "limited", "" if low == 0 else why)
    if "rest" in fields:
        ranges["rest"] = Range(-maximum, maximum, "spring", why)
    if "length" in fields:
        ranges["length"] = Range(-_MAX_FLOAT32, far, why=_TOO_FAR)
    return ranges


def problems_of(reader: Reader, table: Any, far: float) -> dict[int, str]:
    """Return an error sentence by row, for each row of a component's table with a number that is out of range or not
    finite.
    """
    problems: dict[int, str] = {}
    fields = table.schema.fields
    for name in sorted({*reader.anchors, *reader.numbers, reader.turn, reader.axis} & set(fields), key=str):
        sound = np.isfinite(table.column(name))
        if not sound.all():
            wrong = ~sound.reshape(len(table), -1).all(axis=1)
            problems |= dict.fromkeys(np.flatnonzero(wrong).tolist(), f"its {name} is not a finite number")
    for name, span in ranges_of(reader, fields, far).items():
        column = table.column(name)
        inside = (column >= span.low) & (column <= span.high)
        if inside.all():
            continue
        wrong = ~inside.reshape(len(table), -1).all(axis=1)
        if span.part:
            wrong &= table.column(span.part)
        for row in np.flatnonzero(wrong).tolist():
            values = column[row].reshape(-1)
            value = float(values[np.abs(values).argmax()])
            problems.setdefault(row, span.problem(name, value, fields[name].unit))
    return problems
