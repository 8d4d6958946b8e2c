"""Bodies in scene views: center of mass, velocity, sleep, and forces by dragging while the game runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Interventions
from rish_jit import Array

from ...bodies.tool_shapes import collider_outlines
from ...components.bodies import Body, BodyType, Collider
from ...components.settings import PhysicsSettings
from ...components.units import scaled_of
from ...forces.forces import apply_force, apply_impulse

if TYPE_CHECKING:
    from rish_editor import Editor, SceneDraw

Point = tuple[float, float]
PUSH = "physics.push"
"""The key in the editor's memory for the effect of dragging: `force`, `impulse`, or empty."""
STRENGTH = 20.0
"""The acceleration by a force for each unit of dragging, 1/s². An impulse changes the velocity by a tenth of it,
1/s.
"""
_MAX_BODIES = 64
_ARROW_SECONDS = 0.5
"""The duration, in seconds, of the movement that the arrow of a velocity shows."""


def draw_bodies(scene: SceneDraw, editor: Editor, handles: Array) -> None:
    """Draw marks, velocities and handles of the selected bodies."""
    game = editor.game
    assert game is not None
    table = game.world.table(Body)
    selected = [handle for handle in game.selection.handles[-_MAX_BODIES:] if table.row_of(handle) >= 0]
    for handle in selected:
        _draw_body(scene, editor, handle, len(selected) == 1)
    if game.play.running and editor.memory.get(PUSH):
        for handle in selected:
            _push(scene, editor, handle, editor.memory[PUSH])


def _draw_body(scene: SceneDraw, editor: Editor, handle: int, alone: bool) -> None:
    game = editor.game
    assert game is not None
    if game.read(handle, Body, "type") is BodyType.STATIC:
        return
    center = center_of(scene, game, handle)
    _mark(scene, center)
    if game.read(handle, Body, "center_of_mass_given"):

        def move(at: Point) -> dict[str, Any]:
            return {"center_of_mass": scene.to_local(handle, at)}

        scene.field_handle(f"body.{handle}.center", center, handle, Body, move, color="body", mark="diamond",
                           tooltip=editor.tr("Drag the center of mass"))  # fmt: skip
    velocity = game.read(handle, Body, "velocity").astype(np.float64)
    tip = center[0] + velocity[0] * _ARROW_SECONDS, center[1] + velocity[1] * _ARROW_SECONDS
    if velocity.any():
        scene.arrow(center, tip, "body")
        speed = float(np.hypot(*velocity))
        scene.text(tip, f"{speed:.0f} /s", "text_dim", offset=(8, -6), backed=True)
    if (velocity.any() or editor.view.tool == "select") and alone and not game.play.running:

        def aim(at: Point) -> dict[str, Any]:
            return {"velocity": ((at[0] - center[0]) / _ARROW_SECONDS, (at[1] - center[1]) / _ARROW_SECONDS)}

        away = 18 * scene.pixel  # beside the center, where a body at rest has no arrow
        at = tip if velocity.any() else (center[0] + away, center[1] + away)
        scene.field_handle(f"body.{handle}.velocity", at, handle, Body, aim, color="body", mark="dot", priority=-1,
                           tooltip=editor.tr("Drag the velocity"))  # fmt: skip
    if game.read(handle, Body, "asleep"):
        scene.text(center, "Zz", "text_dim", offset=(10, -18), backed=True)


def _mark(scene: SceneDraw, at: Point) -> None:
    """Draw the mark of a center of mass: a cross in a circle of a fixed size."""
    reach = 6 * scene.pixel
    scene.circle(at, reach, "body", 1.5)
    scene.line((at[0] - reach, at[1]), (at[0] + reach, at[1]), "body", 1.0)
    scene.line((at[0], at[1] - reach), (at[0], at[1] + reach), "body", 1.0)


def center_of(scene: SceneDraw, game: Any, handle: int) -> Point:
    """Return the center of mass in the world, x and y: the one of the columns, or the centroid of the collider on the
    same entity.
    """
    if game.read(handle, Body, "center_of_mass_given"):
        x, y = scene.placed(handle, game.read(handle, Body, "center_of_mass"))[0].tolist()
        return x, y
    [outline] = collider_outlines(game.world, [handle])
    if len(outline) < 3:
        return scene.position(handle)
    area, x, y = _moments(np.asarray(outline, np.float64))
    return (x, y) if abs(area) > 1e-9 else scene.position(handle)


def _moments(points: Array) -> tuple[float, float, float]:
    """Return area and centroid of a polygon that ends at its first point (n, 2), by Green's theorem."""
    origin = points[0]
    a, b = points[:-1] - origin, points[1:] - origin
    cross = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    area = 0.5 * float(cross.sum())
    if abs(area) < 1e-9:
        return 0.0, *points.mean(axis=0).tolist()
    x, y = (((a + b) * cross[:, None]).sum(axis=0) / (6 * area) + origin).tolist()
    return area, x, y


def mass_of(world: Any, handle: int) -> float:
    """Return the mass of a body, kg: the one of the column, or area times density of the collider on the same
    entity.
    """
    body = world.table(Body)
    mass = float(body.mass[body.row_of(handle)])
    if mass > 0:
        return mass
    table = world.table(Collider)
    row = table.row_of(handle)
    if row < 0 or table.sensor[row]:
        return 0.0
    [outline] = collider_outlines(world, [handle])
    settings = world[PhysicsSettings]
    density_field = float(table.density[row])
    unit = float(settings.units_per_meter)
    density = float(scaled_of(settings).density) if density_field < 0 else density_field / unit**2
    return abs(_moments(np.asarray(outline, np.float64))[0]) * density if len(outline) > 2 else 0.0


def _push(scene: SceneDraw, editor: Editor, handle: int, kind: str) -> None:
    """Let a running body be pulled: a force acts while it is dragged, an impulse when the button is released."""
    game = editor.game
    assert game is not None
    [outline] = collider_outlines(game.world, [handle])
    if len(outline) < 3 or game.read(handle, Body, "type") is not BodyType.DYNAMIC:
        return
    drag = scene.area_handle(f"body.{handle}.push", _box(np.asarray(outline, np.float64)), priority=5)
    if drag is None:
        return
    if drag.began:
        scene.handles.kept = scene.to_local(handle, drag.start)
    point = scene.placed(handle, scene.handles.kept)[0]
    way = np.subtract(drag.now, point)
    if drag.cancelled:
        return
    mass = max(mass_of(game.world, handle), 1e-6)
    strength = way * mass * (STRENGTH if kind == "force" else STRENGTH / 10)
    scene.arrow(tuple(point.tolist()), drag.now, "play", 3.0)
    unit = "kg·units/s²" if kind == "force" else "kg·units/s"
    scene.text(drag.now, f"{float(np.hypot(*strength)):,.3g} {unit}", "play", offset=(14, 4), backed=True)
    if kind == "force" and not drag.ended:
        apply_force(game.world, handle, strength, point)
        _note(game.world, "a force")
    elif kind == "impulse" and drag.ended:
        apply_impulse(game.world, handle, strength, point)
        _note(game.world, "an impulse")


def _note(world: Any, what: str) -> None:
    """Tell the recording that the editor has changed the running game, because recordings contain only input."""
    if Interventions in world:
        world[Interventions].note(f"{what} of the editor")


def _box(points: Array) -> Array:
    """Return the corners of the box around points; the body can be grabbed inside it."""
    (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
