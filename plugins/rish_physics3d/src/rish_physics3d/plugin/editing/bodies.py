"""Bodies in views of space: center of mass, velocity, sleep, and forces by dragging while the game runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Interventions
from rish_jit import Array

from ...bodies.layout import Layout
from ...components.bodies import Body3D, BodyType3D
from ...forces.centers import centers_of
from ...forces.forces import apply_force_3d, apply_impulse_3d, masses_of_3d

if TYPE_CHECKING:
    from rish_core import World
    from rish_editor import Editor, SpaceDraw

PUSH = "physics3d.push"
"""The key in the editor's memory for the effect of dragging: `force`, `impulse`, or empty."""
STRENGTH = 20.0
"""The acceleration by a force for each meter of dragging, 1/s². An impulse changes the velocity by a tenth of it,
1/s.
"""
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
    if game.play.running and editor.memory.get(PUSH):
        for handle in selected:
            _push(scene, editor, handle, editor.memory[PUSH])


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


def center_of(world: World, handle: int) -> Array:
    """Return the center of mass of a body in the world, float64 (3,)."""
    return centers_of(world, np.array([handle])).centers[0]


def mass_of(world: World, handle: int) -> float:
    """Return the mass of a body that the step uses, kg; 0 for one without mass, and for static and kinematic ones."""
    mass = float(masses_of_3d(world, handle)[0])
    return mass if np.isfinite(mass) else 0.0


def _push(scene: SpaceDraw, editor: Editor, handle: int, kind: str) -> None:
    """Let a running body be pulled: a force acts while it is dragged, an impulse when the button is released.

    The body is grabbed in the plane of the picture through its center.
    """
    game = editor.game
    assert game is not None
    if game.read(handle, Body3D, "type") is not BodyType3D.DYNAMIC:
        return
    center, back = center_of(game.world, handle), scene.view.axes[2]
    across, above, _ = scene.view.axes * _reach(game.world, handle)
    square = center + np.array([across + above, across - above, -across - above, above - across])
    drag = scene.area_handle(f"body3d.{handle}.push", square, priority=5)
    if drag is None:
        return
    [matrix] = scene.matrices([handle])
    grabbed = scene.on_plane(drag.start, center, back) if drag.began else None
    if grabbed is not None:
        scene.handles.kept = np.linalg.pinv(matrix[:, :3]) @ (grabbed - matrix[:, 3])
    if drag.cancelled or scene.handles.kept is None:
        return
    point = matrix[:, :3] @ scene.handles.kept + matrix[:, 3]
    pulled = scene.on_plane(drag.now, point, back)
    if pulled is None:
        return
    strength = (pulled - point) * mass_of(game.world, handle) * (STRENGTH if kind == "force" else STRENGTH / 10)
    scene.arrow(point, pulled, "play", 3.0)
    unit = "N" if kind == "force" else "N·s"
    scene.text(pulled, f"{float(np.linalg.norm(strength)):,.3g} {unit}", "play", offset=(14, 4), backed=True)
    if kind == "force" and not drag.ended:
        apply_force_3d(game.world, handle, strength, point)
        _note(game.world, "a force")
    elif kind == "impulse" and drag.ended:
        apply_impulse_3d(game.world, handle, strength, point)
        _note(game.world, "an impulse")


def _reach(world: World, handle: int) -> float:
    """Return the greatest distance of a body's shapes from its center, meters."""
    layout = world[Layout]
    number = int(np.searchsorted(layout.entities, handle))
    return float(layout.extents[number]) if handle in layout.entities[number : number + 1] else 0.0


def _note(world: World, what: str) -> None:
    """Tell the recording that the editor has changed the running game, because recordings contain only input."""
    if Interventions in world:
        world[Interventions].note(f"{what} of the editor")
