"""Sources and listeners in the inspector: grouped fields, and a preview of the clip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .clips import Clips
from .drawing import preview_of

if TYPE_CHECKING:
    from rish_editor import UI, Editor, Target

_LEVEL = ("bus", "gain", "pitch", "priority", "fade_in", "low_pass", "echo")
_PLACE = ("min_distance", "max_distance", "rolloff", "rolloff_factor", "doppler", "walls", "height")
_CONE = ("cone_inner", "cone_outer", "cone_outer_gain")


def draw_source(ui: UI, editor: Editor, target: Target) -> None:
    """Draw a source: its clip with a preview, then level, place and cone. Fields without effect are disabled."""
    tr = editor.tr
    target.field("clip")
    name = "" if target.mixed("clip") else str(target.value("clip"))
    if target.visible("clip"):
        sound = Clips.of(editor).sound(target.game.world, name) if name else None
        with target.row(tr("Preview"), "preview"):
            preview_of(ui, editor, sound, gain=float(target.value("gain")), pitch=float(target.value("pitch")),
                       loop=bool(target.value("loop")) or None)  # fmt: skip
        if name and sound is None:
            ui.text(tr("No sound is called {name}", name=name), "warning", wrap=True)
    target.fields("state", "autoplay", "loop")
    spatial = target.mixed("spatial") or bool(target.value("spatial"))
    with ui.section(tr("Loudness"), "loudness") as is_open:
        if is_open:
            target.fields(*_LEVEL)
            with ui.disabled(spatial and not target.mixed("spatial")):
                target.field("pan")
    with ui.section(tr("Place"), "place") as is_open:
        if is_open:
            target.field("spatial")
            with ui.disabled(not spatial):
                target.fields(*_PLACE)
    with ui.section(tr("Cone"), "cone", opened=False) as is_open, ui.disabled(not spatial):
        if is_open:
            target.fields(*_CONE)


def draw_listener(ui: UI, editor: Editor, target: Target) -> None:
    """Draw a listener: its gain and its orientation."""
    tr = editor.tr
    target.fields("enabled", "gain")
    with ui.section(tr("Place"), "place") as is_open:
        if is_open:
            target.fields("height", "forward", "up")
