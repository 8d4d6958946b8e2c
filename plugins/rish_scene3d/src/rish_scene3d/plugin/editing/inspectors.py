"""Models, materials, lights, cameras and sky in the inspector: only the fields that matter, and choices of names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_space3d import MODEL_SHAPES

from ...components.models import AlphaMode, Shading
from ...components.views import Lens
from ...models.store import Models3D
from ...picking.cameras import space_view

if TYPE_CHECKING:
    from rish_editor import UI, Editor, Target

_OF_PHONG = ("specular", "shininess")
_OF_PBR = ("metallic", "roughness", "surface_map")
_MAPS = ("map", "surface_map", "normal_map", "normal_scale", "occlusion_map", "occlusion", "emission_map")
_MORE = ("repeat", "offset")
_NOT_OF = {Lens.PERSPECTIVE: ("height",), Lens.ORTHOGRAPHIC: ("fov",)}
"""The fields that a lens does not use."""


def draw_model(ui: UI, editor: Editor, target: Target) -> None:
    """Draw a model: a choice of shapes beside its file, and of the nodes of the file as its part."""
    tr = editor.tr
    target.field("asset")
    asset = "" if target.mixed("asset") else str(target.value("asset"))
    if target.visible("asset"):
        with target.row(tr("Shape"), "shape"):
            current_shape = asset if asset in MODEL_SHAPES else "—"
            choice = ui.choice(
                "shape", current_shape, list(MODEL_SHAPES), labels=[tr(name.capitalize()) for name in MODEL_SHAPES]
            )
        if choice is not None:
            target.set("asset", choice)
    nodes = _nodes(target, asset)
    if nodes and target.visible("part"):
        with target.row(tr("Part"), "part"):
            current = "—" if target.mixed("part") else str(target.value("part"))
            choice = ui.choice("part", current, ["", *nodes], labels=[tr("Everything"), *nodes])
        if choice is not None:
            target.set("part", choice)
    target.fields(skip=("asset", "part") if nodes or asset in MODEL_SHAPES else ("asset",))


def _nodes(target: Target, asset: str) -> list[str]:
    """Return the names of the nodes of a file; none for a shape or a file that can't be read."""
    if not asset or asset in MODEL_SHAPES:
        return []
    return sorted({name for name in target.game.world[Models3D].model(target.game.world, asset).names if name})


def draw_material(ui: UI, editor: Editor, target: Target) -> None:
    """Draw a material: the fields of its formula; maps in a section of their own."""
    shading = None if target.mixed("shading") else target.value("shading")
    hidden: set[str] = set() if shading in (None, Shading.PHONG) else set(_OF_PHONG)
    hidden |= set() if shading in (None, Shading.PBR) else set(_OF_PBR)
    if shading is Shading.UNLIT:
        hidden |= {"normal_map", "normal_scale", "occlusion_map", "occlusion"}
    if not target.mixed("alpha") and target.value("alpha") is not AlphaMode.MASK:
        hidden.add("cutoff")
    target.fields(skip=(*hidden, *_MAPS, *_MORE))
    with ui.section(editor.tr("Maps"), "maps", opened=False) as is_open:
        if is_open:
            target.fields(*(name for name in (*_MAPS, *_MORE) if name not in hidden))


def draw_camera(ui: UI, editor: Editor, target: Target) -> None:
    """Draw a camera: a button that looks through it, and the fields of its lens."""
    tr, handle = editor.tr, target.primary
    if len(target) == 1 and target.visible("lens"):
        tip = tr("Show in the scene what this camera sees")
        if ui.button(tr("Look through"), "look", icon=ui.icon("eye"), tooltip=tip):
            editor.later(lambda: editor.look_at(space_view(target.game.world, handle)))
        ui.space(2)
    hidden = () if target.mixed("lens") else _NOT_OF[target.value("lens")]
    has_target = target.mixed("target") or bool(target.value("target"))
    target.fields(skip=(*hidden, *(("viewport", "order") if has_target else ("target_size",))))


def draw_lamp(ui: UI, editor: Editor, target: Target) -> None:
    """Draw a lamp: the edge only if it has a cone, shadows only if it has some."""
    cone = target.mixed("angle") or float(target.value("angle")) > 0
    _shadowed(target, () if cone else ("edge",), ("map_size", "bias"))


def draw_sun(ui: UI, editor: Editor, target: Target) -> None:
    """Draw a sun: the fields of shadows only if it has some."""
    _shadowed(target, (), ("cascades", "reach", "split", "map_size", "bias"))


def _shadowed(target: Target, hidden: tuple[str, ...], fields: tuple[str, ...]) -> None:
    """Draw the fields of a light, without those of its shadows if it has none."""
    shadows = target.mixed("shadows") or bool(target.value("shadows"))
    target.fields(skip=(*hidden, *(() if shadows else fields)))


def draw_sky(ui: UI, editor: Editor, target: Target) -> None:
    """Draw a sky: colors only without a picture, and the form of fog only with fog."""
    tr = editor.tr
    names = {"day": tr("Day"), "dusk": tr("Dusk"), "night": tr("Night"), "mist": tr("Mist")}
    if target.visible("zenith"):
        with target.row(tr("Mood"), "mood"):
            mood = ui.choice("mood", tr("Choose…"), list(SKIES), labels=[names[name] for name in SKIES])
        if mood is not None:
            with target.game.edit(tr("Set the sky to {mood}", mood=names[mood])):
                for field, value in SKIES[mood].items():
                    target.set(field, value)
    pictured = not target.mixed("map") and bool(target.value("map"))
    foggy = target.mixed("fog_density") or float(target.value("fog_density")) > 0
    hidden = ("zenith", "horizon", "ground") if pictured else ("turn",)
    target.fields(skip=(*hidden, *(() if foggy else ("fog_base", "fog_fall"))))


SKIES: dict[str, dict[str, Any]] = {
    "day": {"zenith": (0.18, 0.36, 0.7, 1), "horizon": (0.7, 0.8, 0.9, 1), "ground": (0.2, 0.19, 0.18, 1),
            "intensity": 1.0, "stars": 0.0, "fog_density": 0.0},
    "dusk": {"zenith": (0.12, 0.13, 0.33, 1), "horizon": (0.93, 0.5, 0.3, 1), "ground": (0.12, 0.09, 0.1, 1),
             "intensity": 0.6, "stars": 0.2, "fog_density": 0.0},
    "night": {"zenith": (0.01, 0.015, 0.04, 1), "horizon": (0.04, 0.06, 0.12, 1), "ground": (0.01, 0.01, 0.015, 1),
              "intensity": 0.6, "stars": 1.0, "fog_density": 0.0},
    "mist": {"zenith": (0.5, 0.55, 0.6, 1), "horizon": (0.66, 0.7, 0.73, 1), "ground": (0.3, 0.3, 0.3, 1),
             "intensity": 0.8, "stars": 0.0, "fog": (0.66, 0.7, 0.73, 1), "fog_density": 0.05},
}  # fmt: skip
"""The values of `Sky3D` for some moods."""


def draw_animator(ui: UI, editor: Editor, target: Target) -> None:
    """Draw an animator: the fields of layers only where there are several, and of the root only with one."""
    rooted = target.mixed("root") or bool(target.value("root"))
    target.fields(skip=() if rooted else ("lift",))
