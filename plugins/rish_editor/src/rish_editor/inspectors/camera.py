"""The inspector of Camera: one camera is the primary one, and the scene view can look through it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_render import Camera, view_of

from ..look import icons

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..session.target import Target
    from ..ui.ui import UI


def draw_camera(ui: UI, editor: Editor, target: Target) -> None:
    """Draw two buttons, then the fields."""
    tr = editor.tr
    if target.visible("primary") and len(target) == 1:
        world = target.game.world
        others = [handle for handle in world.table(Camera).entities.tolist() if handle != target.primary]
        only = bool(target.value("primary")) and not any(world.get(handle, Camera).primary for handle in others)
        tip = tr("Make this the camera of the game, and the others not")
        if ui.button(tr("Make primary"), "make_primary", icon=icons.CAMERA, enabled=not only, tooltip=tip):
            make_primary(target)
        if ui.room[0] > ui.px(250):
            ui.same_line()
        if ui.button(tr("Look through"), "look", icon=icons.EYE, tooltip=tr("Show in the scene what this camera sees")):
            editor.later(lambda: look_through(editor, target.primary))
        ui.space(2)
    target.fields()


def make_primary(target: Target) -> None:
    """Make one camera primary and all others not, as one step."""
    game = target.game
    cameras = game.world.table(Camera).entities.copy()
    game.set(cameras, Camera, "primary", cameras == target.primary, name="Make camera primary")


def look_through(editor: Editor, handle: int) -> None:
    """Move the camera of the scene view so that it shows what a camera of the game sees."""
    game = editor.game
    if game is None or "editor.scene" not in editor.panels:
        return
    x0, y0, x1, y1 = view_of(game.world, handle).bounds
    editor.panels["editor.scene"].show("2d").look_at((x0, y0), (x1, y1))
    editor.show("editor.scene")
