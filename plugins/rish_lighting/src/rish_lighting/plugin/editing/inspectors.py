"""Lights, ambient light and occluders in the inspector: only the fields that matter, and presets of ambience."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...components.light import LightFalloff, LightKind, OccluderShape

if TYPE_CHECKING:
    from rish_editor import UI, Editor, Target

_NOT_OF = {
    "radius": (LightKind.DIRECTIONAL,), "falloff": (LightKind.DIRECTIONAL,), "half_distance": (LightKind.DIRECTIONAL,),
    "power": (LightKind.DIRECTIONAL,), "windowed": (LightKind.DIRECTIONAL,),
    "direction": (LightKind.POINT,), "angle": tuple(kind for kind in LightKind if kind is not LightKind.SPOT),
    "edge": tuple(kind for kind in LightKind if kind is not LightKind.SPOT),
    "length": (LightKind.POINT, LightKind.SPOT, LightKind.TEXTURED),
    "image": tuple(kind for kind in LightKind if kind is not LightKind.TEXTURED),
}  # fmt: skip
"""For each field, the kinds of light on which it has no effect."""
_SHADOW_FIELDS = ("source_size", "height", "shadows", "mask", "layers")
_FLICKER_FIELDS = ("flicker", "flicker_speed", "pulse", "pulse_time")
_POINTS = (OccluderShape.POLYGON, OccluderShape.LINE)
AMBIENCES: dict[str, dict[str, Any]] = {
    "night": {"color": (0.07, 0.09, 0.2, 1.0), "gradient": False, "intensity": 1.0},
    "dusk": {"color": (0.38, 0.24, 0.42, 1.0), "color_end": (0.95, 0.5, 0.26, 1.0), "gradient": True, "intensity": 0.8},
    "dawn": {"color": (0.45, 0.5, 0.75, 1.0), "color_end": (1.0, 0.78, 0.62, 1.0), "gradient": True, "intensity": 0.9},
    "day": {"color": (1.0, 0.98, 0.94, 1.0), "gradient": False, "intensity": 1.0},
    "cave": {"color": (0.05, 0.06, 0.07, 1.0), "gradient": False, "intensity": 1.0},
}
"""The values of `Ambient` for some moods."""


def draw_light(ui: UI, editor: Editor, target: Target) -> None:
    """Draw a light: the fields of its kind; shadows and change of brightness in sections of their own."""
    kind = None if target.mixed("kind") else target.value("kind")
    inverse = target.mixed("falloff") or target.value("falloff") is LightFalloff.INVERSE
    for name in target.shown:
        if (
            name in _SHADOW_FIELDS
            or name in _FLICKER_FIELDS
            or kind in _NOT_OF.get(name, ())
            or (name == "half_distance" and not inverse)
        ):
            continue
        target.field(name)
    for title, name, fields in (
        (editor.tr("Shadows"), "shading", _SHADOW_FIELDS),
        (editor.tr("Flicker and pulse"), "lively", _FLICKER_FIELDS),
    ):
        with ui.section(title, name, opened=False) as is_open:
            if is_open:
                target.fields(*fields)


def draw_ambient(ui: UI, editor: Editor, target: Target) -> None:
    """Draw ambient light, with presets."""
    tr = editor.tr
    names = {"night": tr("Night"), "dusk": tr("Dusk"), "dawn": tr("Dawn"), "day": tr("Day"), "cave": tr("Cave")}
    with target.row(tr("Mood"), "mood"):
        mood = ui.choice("mood", tr("Choose…"), list(AMBIENCES), labels=[names[name] for name in AMBIENCES])
    if mood is not None:
        with target.game.edit(tr("Set the ambience to {mood}", mood=names[mood])):
            for field, value in AMBIENCES[mood].items():
                target.set(field, value)
    gradient = target.mixed("gradient") or bool(target.value("gradient"))
    target.fields(skip=() if gradient else ("color_end", "top", "bottom"))


def draw_occluder(ui: UI, editor: Editor, target: Target) -> None:
    """Draw an occluder: the fields of its shape."""
    shape = None if target.mixed("shape") else target.value("shape")
    hidden: set[str] = set()
    if shape is not None:
        hidden |= {"size", "radius"} if shape in _POINTS else {"points"}
        hidden |= set() if shape is OccluderShape.CIRCLE else {"radius"}
        hidden |= set() if shape is OccluderShape.IMAGE else {"image", "threshold"}
        hidden |= set() if shape is OccluderShape.LINE else {"one_sided"}
    target.fields(skip=tuple(hidden))
