"""Point lights: a table that plugins with light sources write and plugins that draw light read.

It is for drawing only. LATE begins with no rows. Plugins with light sources append rows in LATE, by systems that derive
if they need no time; plugins that draw light read them in EXTRACT.
"""

from __future__ import annotations

from rish_core import Color, Stage, World, field, system, table


@table
class LightPoints:
    """The point lights of all plugins, appended in LATE of each frame; `color` is linear, `radius` in world units."""

    x: float = field(unit="units", doc="the center", view=True)
    y: float = field(unit="units", doc="the center", view=True)
    radius: float = field(64.0, unit="units", low=0, doc="how far it reaches", view=True)
    color: Color = field((1, 1, 1, 1), doc="in linear light", view=True)
    intensity: float = field(1.0, low=0, doc="a factor of the color", view=True)
    layers: int = field(-1, doc="a bit for each layer that it lights", view=True)


@system(Stage.LATE, writes=LightPoints, derive=True, before="*.*")
def clear_lights(world: World, dt: float) -> None:
    """Remove the lights that were drawn last (system `frame.clear_lights`)."""
    lights = world[LightPoints]
    if len(lights):
        lights.clear()
