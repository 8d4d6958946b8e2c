"""The action that rules may use: `burst`."""

from __future__ import annotations

from rish_core import Color, Str, UsageError, Vec2, World, field, resource
from rish_expressions import Action, Scope

from ..births.emission import emit
from ..files.checking import wrong_name


@resource
class Burst:
    """The parameters of `burst`, which are those of `emit`."""

    preset: Str = field("", names="particle_presets", doc="a preset that ships, or a file *.particles.yaml")
    at: Vec2 = field((0, 0), unit="units", doc="the position in the world")
    count: int = field(-1, low=-1, doc="how many", meanings={-1: "as many as the preset's pulses emit"})
    rotation: float = field(0.0, unit="rad", angle=True, doc="rotation of the complete effect")
    scale: float = field(1.0, low=0, doc="scale of the complete effect")
    velocity: Vec2 = field((0, 0), unit="units/s", doc="that the particles inherit, as far as the preset says")
    color: Color = field((1, 1, 1, 1), doc="a tint")
    layer: Str = field("", names="layers", doc="where they are drawn; empty: the preset's layer")
    z: float = field(0.0, doc="within the layer")


def burst(world: World, arguments: Burst, scope: Scope) -> None:
    """Emit particles of a preset."""
    names = ("count", "rotation", "scale", "velocity", "color", "layer", "z")
    emit(world, arguments.preset, arguments.at, **{name: getattr(arguments, name) for name in names})


def _known(preset: str) -> None:
    wrong = wrong_name(preset) if preset else None
    if wrong is not None:
        raise UsageError(wrong)


ACTIONS = [Action("burst", Burst, burst, checks={"preset": _known})]
