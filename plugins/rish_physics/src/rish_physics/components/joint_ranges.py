"""The numbers of joints from which no joint can be made: outside the schema, or out of reach of every body.

`rish check` reads them in manifests, and a game that runs ignores a joint with such numbers and logs the reason.
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

MOST_TURNS = 10_000
"""Angles are counted in float32, which are exact to a third of a degree up to that many turns."""
_GREATEST = float(np.finfo(np.float32).max)
_FAR = "nothing is simulated that far away (`reach` under settings: physics:)"
_TURNED = f"angles are exact only up to {MOST_TURNS} turns"


@dataclass(frozen=True)
class Range:
    """The numbers that a field may have. part: the field that must be on for that, empty for always. why: the reason if
    it is not the range of the schema.
    """

    low: float
    high: float
    part: str = ""
    why: str = ""

    def problem(self, name: str, value: float, unit: str, scale: float = 1.0) -> str:
        """Return the sentence about a wrong value. scale: from the unit of the range to that of the value."""
        low, high = self.low * scale, self.high * scale
        bound = f"below {low:g}" if value < low else f"above {high:g}"
        return f"its {name} is {value:g}, {bound}{f' {unit}' if unit else ''}{self.why and ': ' + self.why}"


def farthest(reach: float) -> float:
    """Return the greatest distance between two simulated bodies along an axis. reach: see `PhysicsSettings`, units."""
    return 2 * reach


def ranges_of(reader: Reader, fields: Mapping[str, Any], far: float) -> dict[str, Range]:
    """Return the ranges of the fields of a joint that have one. fields: its schema. far: see `farthest`."""
    most, why = (MOST_TURNS * maths.TAU, _TURNED) if reader.kind == REVOLUTE else (far, _FAR)
    ranges = {
        name: Range(-_GREATEST if spec.low is None else spec.low, _GREATEST if spec.high is None else spec.high)
        for name, spec in fields.items()
        if spec.low is not None or spec.high is not None
    }
    ranges |= {name: Range(-far, far, why=_FAR) for name in reader.anchors if name}
    if "limited" in reader.flags:
        low = fields["upper"].low  # a distance has none below 0
        ranges["lower"] = Range(-_GREATEST if low is None else low, most, "limited", why)
        ranges["upper"] = Range(-most if low is None else low, _GREATEST, "limited", "" if low == 0 else why)
    if "rest" in fields:
        ranges["rest"] = Range(-most, most, "spring", why)
    if "length" in fields:
        ranges["length"] = Range(-_GREATEST, far, why=_FAR)
    return ranges


def problems_of(reader: Reader, table: Any, far: float) -> dict[int, str]:
    """Return a sentence by row, for each row of a component's table with a number outside its range, or no number."""
    found: dict[int, str] = {}
    fields = table.schema.fields
    for name in sorted({*reader.anchors, *reader.numbers, reader.turn, reader.axis} & set(fields), key=str):
        sound = np.isfinite(table.column(name))
        if not sound.all():
            wrong = ~sound.reshape(len(table), -1).all(axis=1)
            found |= dict.fromkeys(np.flatnonzero(wrong).tolist(), f"its {name} is not a finite number")
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
            found.setdefault(row, span.problem(name, value, fields[name].unit))
    return found
