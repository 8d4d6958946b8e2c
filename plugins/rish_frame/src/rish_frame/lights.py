"""Points that shine: a table to which plugins that emit light write, and from which plugins that draw it read.

It is for drawing only. A frame begins without rows; plugins that emit light append rows in LATE, and others read them
in EXTRACT.
"""

from __future__ import annotations

from rish_core import Color, Stage, World, field, system, table


@table
class LightPoints:
    """Lights of anyone, appended in LATE of each frame; `color` is linear, `radius` in world units."""

    x: float = field(unit="units", view=True)
    y: float = field(unit="units", view=True)
    radius: float = field(64.0, unit="units", low=0, view=True)
    color: Color = field((1, 1, 1, 1), view=True)
    intensity: float = field(1.0, low=0, view=True)
    layers: int = field(-1, doc="a bit for each layer that it lights", view=True)


@system(Stage.FIRST, writes=LightPoints)
def clear_lights(world: World, dt: float) -> None:
    """`frame.clear_lights`: a frame begins without the lights of the last one."""
    lights = world[LightPoints]
    if len(lights):
        lights.clear()
