"""Angles as an author writes them: `90deg`, `1.57rad`, `0.25turn`, or a plain number of degrees."""

from __future__ import annotations

import math
import re

_ANGLE = re.compile(r"([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?) ?(deg|rad|turn)(?:/s)?\Z")
_DEGREES = {"deg": 1.0, "rad": math.degrees(1.0), "turn": 360.0}


def degrees_of(text: str) -> float | None:
    """The degrees of an angle in text, or None where it is none; `/s` may follow, of a speed."""
    found = _ANGLE.match(text)
    return float(found[1]) * _DEGREES[found[2]] if found is not None else None
