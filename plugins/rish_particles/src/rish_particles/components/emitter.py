"""The component that emits particles."""

from __future__ import annotations

from rish_core import Array, Color, Str, Vec2, component, field


@component
class Emitter:
    """Emits particles of a preset at its Transform, or in space at its Transform3D if it has no Transform.

    When the emitter is removed, its particles continue to live.
    """

    preset: Str = field(
        "", names="particle_presets", doc="a preset that ships (fire, smoke, snow, ...), or a file *.particles.yaml"
    )
    playing: bool = field(True, doc="whether it emits; its particles live on while it doesn't")
    rate_scale: float = field(1.0, low=0, high=1000, doc="times what the preset emits")
    scale: float = field(
        1.0, low=0, high=1000, doc="times the preset's sizes, speeds and shape; in space all its lengths"
    )
    color: Color = field((1, 1, 1, 1), doc="times the preset's colors")
    layer: Str = field("", names="layers", doc="where its particles are drawn; empty: the preset's layer")
    z: float = field(0.0, doc="within the layer, added to the preset's")
    running: Str = field("", hidden=True, doc="the preset that it runs now")
    ticks: int = field(-1, hidden=True, doc="that it has been at work, at this pace; below 0: it has not begun")
    pace: Array[float, 2] = field(unit="s", hidden=True, doc="of one of these ticks, and what float32 takes from it")
    past: Array[float, 2] = field(unit="s", hidden=True, doc="its time before them, likewise")
    owed: Array[float, 8] = field(
        hidden=True, doc="parts of particles that it has yet to emit, by preset of its effect"
    )
    was_z: float = field(0.0, unit="m", view=True, hidden=True, doc="in space, with `was`")
    owed_in_space: Array[float, 8] = field(
        view=True, hidden=True, doc="`owed` of particles in space, which are view state: it depends on `was_z`"
    )
    was: Vec2 = field((0, 0), unit="units", hidden=True, doc="where it was in the tick before")
