"""Parsing of angles in manifests: `90deg`, `1.57rad`, `0.25turn`."""

from __future__ import annotations

import math
import re

_ANGLE = re.compile(r"([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?) ?(deg|rad|turn)(?:/s)?\Z")
_DEGREES = {"deg": 1.0, "rad": math.degrees(1.0), "turn": 360.0}


def degrees_of(text: str) -> float | None:
    """Return the degrees of a text such as `90deg`, or None if it is not an angle; it may end in `/s`."""
    found = _ANGLE.match(text)
    return float(found[1]) * _DEGREES[found[2]] if found is not None else None
