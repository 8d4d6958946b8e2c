"""Bodies, colliders and joints in space in the inspector: only the fields that matter, warnings, and tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...bodies.layout import Layout
from ...components.bodies import ColliderShape3D
from ...components.joints import READERS
from ...joints.layout import JointLayout
from ...joints.sketches import joint_sketches_3d
from .attaching import attach, bodies_in
from .bodies import PUSH, mass_of
from .fitting import FITS, fit_all, has_model

if TYPE_CHECKING:
    from rish_editor import UI, Editor, Target

_SHAPE = {
    ColliderShape3D.BOX: ("size", "offset", "rotation"),
    ColliderShape3D.SPHERE: ("radius", "offset"),
    ColliderShape3D.CAPSULE: ("radius", "size", "offset", "rotation"),
    ColliderShape3D.HULL: ("points", "offset", "rotation"),
    ColliderShape3D.PLANE: ("offset", "rotation"),
    ColliderShape3D.MESH: ("points", "triangles", "offset", "rotation"),
    ColliderShape3D.HEIGHTFIELD: ("heights", "columns", "cell", "offset", "rotation"),
}
"""The fields of each shape."""
_MODEL = ("asset", "part", "oriented")
"""The fields of a collider that is made of a model."""
_OF_SIZE = ("size", "radius", "points", "triangles")
"""The fields that have no effect on one that is."""
_FILTER = ("collision_layer", "category", "mask", "group")
_MASS, _SLEEP = ("mass",), ("allow_sleep", "sleep_speed", "asleep")
_PART_OF = {
    "lower": "limited", "upper": "limited", "motor_speed": "motor", "motor_velocity": "motor", "max_torque": "motor",
    "max_force": "motor", "hertz": "spring", "damping": "spring", "rest": "spring", "cone": "cone_limited",
    "rotation": "rotation_given",
}  # fmt: skip
"""Fields of joints that have an effect only if another field is set."""


def body_drawer(ui: UI, editor: Editor, target: Target) -> None:
    """Draw a body: movement first, then mass and sleep."""
    tr = editor.tr
    static = not target.mixed("type") and target.value("type").value == "static"
    target.field("type")
    if static:
        return
    if len(target) == 1:
        _body_warnings(ui, editor, target)
    target.fields(skip=("type", *_MASS, *_SLEEP))
    with ui.section(tr("Mass"), "mass", opened=False) as is_open:
        if is_open:
            if len(target) == 1:
                with target.row(tr("Mass now"), "mass_now", tooltip=tr("Of all its colliders, or as given")):
                    ui.align()
                    ui.text(f"{mass_of(target.game.world, target.primary):.4g} kg", "dim")
            target.fields(*_MASS)
    with ui.section(tr("Sleep"), "sleep", opened=False) as is_open:
        if is_open:
            target.fields(*_SLEEP)
    _push_buttons(ui, editor, target)


def _push_buttons(ui: UI, editor: Editor, target: Target) -> None:
    tr, armed = editor.tr, editor.memory.get(PUSH, "")
    with target.row(tr("Drag in scene"), "push", tooltip=tr("What dragging the body in the scene does while playing")):
        for kind, label in (("force", tr("Force")), ("impulse", tr("Impulse"))):
            if ui.button(label, f"push.{kind}", active=armed == kind):
                editor.memory[PUSH] = "" if armed == kind else kind
            if kind == "force":
                ui.same_line(4)
    if armed and not target.game.play.running:
        ui.text(tr("Press Play, then drag the body"), "dim", wrap=True)


def _body_warnings(ui: UI, editor: Editor, target: Target) -> None:
    """Warn of a dynamic body that can't collide, or that has no mass."""
    layout = target.game.world[Layout]
    numbers = np.flatnonzero(layout.entities == target.primary)
    if not len(numbers) or target.value("type").value != "dynamic" or target.primary in layout.faults:
        return
    if not (layout.form[:, 1] == numbers[0]).any():
        ui.text(editor.tr("Nothing holds this body: it has no Collider3D"), "warning", wrap=True)
    elif not mass_of(target.game.world, target.primary):
        ui.text(editor.tr("This body has no mass: give it one, or its colliders a density"), "warning", wrap=True)


def collider_drawer(ui: UI, editor: Editor, target: Target) -> None:
    """Draw a collider: the fields of its shape, its surface, and its collision filter."""
    tr = editor.tr
    target.field("shape")
    fault = target.game.world[Layout].faults.get(target.primary)
    if fault:
        ui.text(tr(fault), "warning", wrap=True)
    shape_fields = dict.fromkeys(name for names in _SHAPE.values() for name in names)
    shown = tuple(shape_fields) if target.mixed("shape") else _SHAPE[target.value("shape")]
    of_model = not target.mixed("asset") and bool(target.value("asset"))
    target.fields("asset", *(_MODEL[1:] if of_model else ()))
    target.fields(*(name for name in shown if not (of_model and name in _OF_SIZE)))
    _fit(ui, editor, target)
    target.field("sensor")
    with ui.section(tr("Surface"), "surface") as is_open:
        if is_open:
            target.fields(skip=("shape", "sensor", *_MODEL, *shape_fields, *_FILTER))
    with ui.section(tr("Filter"), "filter", opened=False) as is_open:
        if is_open:
            target.fields(*_FILTER)


def _fit(ui: UI, editor: Editor, target: Target) -> None:
    """Show a choice of shapes that are made as large as the model of the entity."""
    tr = editor.tr
    if not target.visible("shape") or not has_model(target.game.world, target.primary):
        return
    with target.row(tr("Fit to model"), "fit", tooltip=tr("Make the shape as large as the model of the entity")):
        kind = ui.choice("fit", tr("Choose…"), list(FITS), labels=[tr(title) for title in FITS.values()])
    if kind is not None:
        handles = target.handles.tolist()
        editor.later(lambda: fit_all(editor, handles, kind))


def joint_drawer(ui: UI, editor: Editor, target: Target) -> None:
    """Draw a joint: its bodies, the distance of its anchors, and the parts that are enabled."""
    target.fields("a", "b")
    fault = target.game.world[JointLayout].faults.get(target.primary)
    if fault:
        ui.text(editor.tr(fault), "warning", wrap=True)
    _attach(ui, editor, target)
    names = [name for name in target.shown if name not in ("a", "b")]
    anchors = READERS[target.cls].anchors
    target.fields(*anchors)
    for name in names:
        switch = _PART_OF.get(name, "")
        is_off = switch in target.kind.fields and not target.mixed(switch) and not target.value(switch)
        if name not in anchors and not is_off:
            target.field(name)


def _attach(ui: UI, editor: Editor, target: Target) -> None:
    """Show the distance of the anchors, and attach the two bodies that were selected last."""
    tr, game = editor.tr, target.game
    sketches = [each for each in joint_sketches_3d(game.world, target.primary) if each.cls is target.cls]
    if sketches:
        first, second = sketches[0].anchors
        with target.row(tr("Distance"), "distance", tooltip=tr("From anchor to anchor, now")):
            length = float(np.linalg.norm(second - first))
            ui.align()
            ui.text(f"{length:.2f} m", "dim")
            if "length" in target.kind.fields:
                ui.same_line()
                if ui.button(tr("Keep"), "keep", tooltip=tr("Use this distance as the length")):
                    target.set("length", length)
    bodies = next((each for each in _pairs(game, target.handles) if len(each) == 2), [])
    with target.row("", "attach"):
        tip = tr("Select two bodies, then the joint; they stay where they are")
        if ui.button(tr("From selection"), "attach", icon=ui.icon("link"), enabled=bool(bodies), tooltip=tip):
            attach(game, target.primary, target.cls, bodies[0], bodies[1], tr("Attach a joint"))


def _pairs(game: Any, joints: Any) -> list[list[int]]:
    """Return two lists: the selected bodies, which differ from the inspected joint only if the inspector is pinned,
    and the bodies that were selected before.

    joints: the joints in the inspector.
    """
    return [bodies_in(game, [each for each in handles if each not in joints])
            for handles in (game.selection.handles, game.selection.before)]  # fmt: skip
