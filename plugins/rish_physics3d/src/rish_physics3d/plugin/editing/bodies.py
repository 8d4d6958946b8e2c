"""Bodies in views of space: center of mass, velocity and sleep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array
from rish_space3d import quaternions

from ...bodies.layout import Layout
from ...bodies.poses import world_poses
from ...components.bodies import Body3D, BodyType3D

if TYPE_CHECKING:
    from rish_core import World
    from rish_editor import Editor, SpaceDraw

_MAX_BODIES = 64
_ARROW_SECONDS = 0.5
"""The duration, in seconds, of the movement that the arrow of a velocity shows."""
_AWAY = 34.0
"""How far the handle of a velocity of 0 is from the center, pixels."""


def draw_bodies(scene: SpaceDraw, editor: Editor, handles: Array) -> None:
    """Draw marks, velocities and handles of the selected bodies."""
    game = editor.game
    assert game is not None
    table = game.world.table(Body3D)
    selected = [
        handle for handle in game.selection.handles[-_MAX_BODIES:] if table.row_of(handle) >= 0 and scene.holds(handle)
    ]
    for handle in selected:
        _draw_body(scene, editor, handle, len(selected) == 1)


draw_bodies.in_space = True  # pyright: ignore[reportFunctionMemberAccess]


def _draw_body(scene: SpaceDraw, editor: Editor, handle: int, alone: bool) -> None:
    game = editor.game
    assert game is not None
    if game.read(handle, Body3D, "type") is BodyType3D.STATIC:
        return
    center = center_of(game.world, handle)
    _mark(scene, center)
    velocity = np.asarray(game.read(handle, Body3D, "velocity"), np.float64)
    tip = center + velocity * _ARROW_SECONDS
    if velocity.any():
        scene.arrow(center, tip, "body")
        scene.text(tip, f"{float(np.linalg.norm(velocity)):.2f} m/s", "text_dim", offset=(8, -6), backed=True)
    if (velocity.any() or editor.view.tool == "select") and alone and not game.play.running:

        def aim(place: Array) -> dict[str, Any]:
            return {"velocity": tuple(((place - center) / _ARROW_SECONDS).tolist())}

        across, above, _ = scene.view.axes
        at = tip if velocity.any() else center + (across + above) * scene.px(_AWAY, center)
        scene.point_handle(f"body3d.{handle}.velocity", at, handle, Body3D, aim, color="body", mark="dot", priority=-1,
                           tooltip=editor.tr("Drag the velocity"))  # fmt: skip
    if game.read(handle, Body3D, "asleep"):
        scene.text(center, "Zz", "text_dim", offset=(10, -18), backed=True)


def _mark(scene: SpaceDraw, at: Array) -> None:
    """Draw the mark of a center of mass: a cross of a fixed size in a diamond."""
    across, above, _ = scene.view.axes * scene.px(6.0, at)
    scene.lines([[at - across, at + across], [at - above, at + above]], "body", 1.0)
    scene.path([at - across, at + above, at + across, at - above], "body", 1.5, closed=True)


def body_number(world: World, handle: int) -> int:
    """Return the number of a body in the `Layout`, 0 for an entity that is none."""
    entities = world[Layout].entities
    place = int(np.searchsorted(entities, handle))
    return place if place < len(entities) and int(entities[place]) == handle else 0


def center_of(world: World, handle: int) -> Array:
    """Return the center of mass of a body in the world, float64 (3,)."""
    layout, number = world[Layout], body_number(world, handle)
    position, rotation, _ = world_poses(world)
    row = int(layout.places[number])
    return position[row] + quaternions.turned(rotation[row], layout.frames[number, :3].astype(np.float64))


def mass_of(world: World, handle: int) -> float:
    """Return the mass of a body that the step uses, kg; 0 for one without mass, and for static and kinematic ones."""
    inverse = float(world[Layout].mass[body_number(world, handle), 7])
    return 1 / inverse if inverse > 0 else 0.0
