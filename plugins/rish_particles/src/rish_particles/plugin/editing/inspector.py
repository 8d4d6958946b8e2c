"""Emitters in the inspector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .gizmos import preview_of
from .tuning import Tuning

if TYPE_CHECKING:
    from rish_editor import UI, Editor, Target


def draw_emitter(ui: UI, editor: Editor, target: Target) -> None:
    """Draw an emitter: its preset, whether it plays, and a button that opens the panel that tunes the preset."""
    tr = editor.tr
    target.field("preset")
    name = "" if target.mixed("preset") else str(target.value("preset"))
    unsaved = bool(name) and Tuning.of(editor).unsaved(name)
    with target.row(tr("Not saved") if unsaved else "", "tools"):
        if ui.button(
            tr("Tune"),
            "tune",
            icon=ui.icon("inspector"),
            enabled=bool(name),
            tooltip=tr("Open the panel Particle Preset"),
        ):
            editor.show("particles.presets")
        ui.same_line(4)
        playing = not target.mixed("playing") and bool(target.value("playing"))
        if ui.button(tr("Stop") if playing else tr("Play"), "play", icon=ui.icon("stop" if playing else "play")):
            target.set("playing", not playing)
        ui.same_line(4)
        if ui.icon_button(ui.icon("reload"), "restart", tr("Begin the preview in the scene anew")):
            preview_of(editor, target.primary).restart()
    target.fields(skip=("preset", "playing"))
