"""Lights are found at their source."""

from __future__ import annotations

from typing import Any

from rish_frame import pick
from rish_lighting import Light
from rish_render import region_at

SCENE = """
- {at: [40, 40], Transform: {}, Light: {source_size: 40}}
- {at: [100, 40], Transform: {}, Light: {enabled: false}}
- {at: [40, 40], Transform: {}, Shape: {size: [80, 80]}}
"""


def test_lights_are_found_at_their_source_above_what_they_light(hall: Any) -> None:
    """A light is found within its source and at its mark, on top of shapes; one that is off as well."""
    made = hall(SCENE)
    wide, off = made.world.query(Light).entities.tolist()

    def at(x: float, y: float) -> Any:
        return pick(made.app, region_at(made.world, (x, y)))

    assert at(58, 40).first == wide
    assert at(58, 40).kinds[0] is Light
    assert at(104, 40).first == off
    assert at(62, 40).first not in (wide, off)
