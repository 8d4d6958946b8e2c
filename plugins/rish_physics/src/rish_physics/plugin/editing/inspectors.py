"""Bodies, colliders and joints in the inspector: only the fields that matter, and tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Transform

from ...bodies.tool_shapes import joint_sketches
from ...components.bodies import Collider, ColliderShape
from ...components.joints import READERS
from .bodies import PUSH, mass_of

if TYPE_CHECKING:
    from rish_editor import UI, Editor, Target

_SHAPE = {
    ColliderShape.BOX: ("size", "radius", "offset", "rotation"),
    ColliderShape.CIRCLE: ("size", "radius", "offset"),
    ColliderShape.CAPSULE: ("size", "radius", "offset", "rotation", "points"),
    ColliderShape.POLYGON: ("points", "radius", "offset", "rotation"),
    ColliderShape.SEGMENT: ("points", "radius", "offset", "rotation"),
    ColliderShape.CHAIN: ("points", "closed", "offset", "rotation"),
    ColliderShape.OUTLINE: ("points", "offset", "rotation"),
}
"""The fields of each shape."""
_SURFACE = ("density", "friction", "dynamic_friction", "restitution", "rolling_resistance", "surface_speed")
_FILTER = ("collision_layer", "category", "mask", "group", "one_way")
_EVENTS = ("contact_events", "stay_events", "hit_events")
_MASS = ("mass", "inertia", "center_of_mass_given", "center_of_mass")
_MOTION = ("linear_damping", "angular_damping", "drag", "gravity_scale", "fixed_rotation", "bullet")
_SLEEP = ("allow_sleep", "sleep_speed", "asleep")
_PART_OF = {
    "lower": "limited", "upper": "limited", "motor_speed": "motor", "max_torque": "motor", "max_force": "motor",
    "hertz": "spring", "damping": "spring", "rest": "spring",
}  # fmt: skip
"""Fields of joints that have an effect only if another field is set."""


def body_drawer(ui: UI, editor: Editor, target: Target) -> None:
    """Draw a body: movement first, mass, and forces by dragging."""
    tr = editor.tr
    static = not target.mixed("type") and target.value("type").value == "static"
    target.fields("type", "enabled")
    if static:
        return
    target.fields("velocity", "angular_velocity", *_MOTION)
    with ui.section(tr("Mass"), "mass", opened=False) as is_open:
        if is_open:
            if len(target) == 1:
                with target.row(tr("Mass now"), "mass_now", tooltip=tr("From the body's own collider, or as given")):
                    ui.align()
                    ui.text(f"{mass_of(target.game.world, target.primary):.4g} kg", "dim")
            target.fields(*_MASS)
    with ui.section(tr("Sleep"), "sleep", opened=False) as is_open:
        if is_open:
            target.fields(*_SLEEP)
    _push_buttons(ui, editor, target)


def _push_buttons(ui: UI, editor: Editor, target: Target) -> None:
    tr, armed = editor.tr, editor.memory.get(PUSH, "")
    running = target.game.play.running
    with target.row(tr("Drag in scene"), "push", tooltip=tr("What dragging the body in the scene does while playing")):
        for kind, label in (("force", tr("Force")), ("impulse", tr("Impulse"))):
            if ui.button(label, f"push.{kind}", active=armed == kind):
                editor.memory[PUSH] = "" if armed == kind else kind
            if kind == "force":
                ui.same_line(4)
    if armed and not running:
        ui.text(tr("Press Play, then drag the body"), "dim", wrap=True)


def collider_drawer(ui: UI, editor: Editor, target: Target) -> None:
    """Draw a collider: the fields of its shape, its surface, its collision filter, and its events."""
    tr = editor.tr
    target.field("shape")
    shape_fields = {name for names in _SHAPE.values() for name in names}
    target.fields(*(sorted(shape_fields) if target.mixed("shape") else _SHAPE[target.value("shape")]))
    _fit(ui, editor, target)
    target.fields("sensor", "enabled")
    for title, name, fields, opened in (
        (tr("Surface"), "surface", _SURFACE, True),
        (tr("Filter"), "filter", _FILTER, False),
        (tr("Events"), "events", _EVENTS, False),
    ):
        with ui.section(title, name, opened=opened) as is_open:
            if is_open:
                target.fields(*fields)


def _fit(ui: UI, editor: Editor, target: Target) -> None:
    """Show a button that makes the shape as large as the picture of the entity."""
    tr = editor.tr
    has_picture = any(target.game.drawn_box(handle) is not None for handle in target.handles[:8].tolist())
    points = not target.mixed("shape") and "size" not in _SHAPE[target.value("shape")]
    with target.row("", "fit"):
        tip = tr("Make the shape as large as the picture of the entity")
        if ui.button(tr("Fit to picture"), "fit", icon=ui.icon("frame"), enabled=has_picture, tooltip=tip):
            with target.game.edit(tr("Fit a collider to the picture")):
                for handle in target.handles.tolist():
                    fit(target.game, handle, points=points)


def fit(game: Any, handle: int, *, points: bool = False) -> None:
    """Make the collider of an entity as large as its picture. points: float64 (n, 2), the corners of shapes that
    consist of points.
    """
    box = game.drawn_box(handle)
    if box is None:
        return
    (x0, y0), (x1, y1) = box
    if points:
        values: dict[str, Any] = {"points": np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), "offset": (0.0, 0.0)}
    else:
        values = {"size": (x1 - x0, y1 - y0), "offset": ((x0 + x1) / 2, (y0 + y1) / 2)}
    values["rotation"] = 0.0
    for field, value in values.items():
        game.set([handle], Collider, field, value)
    if game.read(handle, Collider, "shape") is ColliderShape.CIRCLE:
        width = max(x1 - x0, y1 - y0)
        game.set([handle], Collider, "size", (width, width))
        game.set([handle], Collider, "radius", 0.0)


def joint_drawer(ui: UI, editor: Editor, target: Target) -> None:
    """Draw a joint: its bodies, the distance of its anchors, and the parts that are enabled."""
    target.fields("a", "b")
    _attach(ui, editor, target)
    names = [name for name in target.shown if name not in ("a", "b")]
    anchors = [name for name in READERS[target.cls].anchors if name]
    target.fields(*[name for name in anchors if name in names])
    for name in names:
        if name in anchors:
            continue
        switch = _PART_OF.get(name, "")
        if switch in target.kind.fields and not target.mixed(switch) and not target.value(switch):
            continue
        target.field(name)


def _attach(ui: UI, editor: Editor, target: Target) -> None:
    """Show the distance of the anchors, and attach the two bodies that were selected last."""
    tr, game = editor.tr, target.game
    sketches = [each for each in joint_sketches(game.world, target.primary) if each.cls is target.cls]
    if sketches:
        first, second = sketches[0].anchors
        with target.row(tr("Distance"), "distance", tooltip=tr("From anchor to anchor, now")):
            length = float(np.hypot(*(second - first)))
            ui.align()
            ui.text(f"{length:.2f}", "dim")
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


def bodies_in(game: Any, handles: list[int]) -> list[int]:
    """Return the entities among `handles` that have a Transform and no joint."""
    world = game.world
    joints = [world.table(cls) for cls in READERS]
    return [
        handle for handle in handles
        if world.table(Transform).row_of(handle) >= 0 and all(table.row_of(handle) < 0 for table in joints)
    ]  # fmt: skip


def selected_joint(game: Any) -> tuple[int, type] | None:
    """Return the selected joint and its class if exactly one joint and two other entities are selected; otherwise
    None.
    """
    joints = [(handle, cls) for handle in game.selection.handles for cls in READERS if game.world.has(handle, cls)]
    return joints[0] if len(joints) == 1 and len(bodies_in(game, game.selection.handles)) == 2 else None


def attach_selected(editor: Editor) -> None:
    """Attach the selected joint to the two selected bodies."""
    game = editor.game
    assert game is not None
    joint = selected_joint(game)
    if joint is not None:
        first, second = bodies_in(game, game.selection.handles)
        attach(game, *joint, first, second, editor.tr("Attach a joint"))


def attach(game: Any, joint: int, cls: type, a: int, b: int, name: str = "Attach a joint") -> None:
    """Let a joint connect two bodies, as one step. A pin is put at the position of b, other anchors at the bodies."""
    from ...bodies.tool_shapes import move_anchor

    world = game.world
    with game.edit(name):
        game.set([joint], cls, "a", a)
        game.set([joint], cls, "b", b)
        places = {handle: sketch_position(world, handle) for handle in (a, b)}
        apart = "length" in cls.__kind__.fields  # pyright: ignore[reportAttributeAccessIssue]
        for side, field in enumerate(READERS[cls].anchors):
            if field:
                move_anchor(world, joint, cls, side, places[a] if apart and side == 0 else places[b])


def sketch_position(world: Any, handle: int) -> tuple[float, float]:
    """Return the position of an entity in the world, x and y, units."""
    from rish_core import world_matrices

    row = world.table(Transform).row_of(handle)
    x, y = np.asarray(world_matrices(world), np.float64).reshape(-1, 6)[row, 4:].tolist()
    return x, y
