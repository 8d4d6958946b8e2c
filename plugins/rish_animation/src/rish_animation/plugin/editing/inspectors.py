"""Animators, paths and tweens in the inspector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Assets
from rish_ecs import RishError
from rish_jit import easing

from ...clips.model import Clips, TrackClip
from .gizmos import BY_POINTS

if TYPE_CHECKING:
    from rish_editor import UI, Editor, Target

_STEPS = 48
_FUNCTION_FIELDS = ("size", "turns", "ratio", "phase")
_POINT_FIELDS = ("points", "closed")


def draw_animator(ui: UI, editor: Editor, target: Target) -> None:
    """Draw an animator, with a choice of the clips in the file, and a slider for the time."""
    tr = editor.tr
    target.field("clips")
    clips = {} if target.mixed("clips") else clips_in(target, str(target.value("clips")))
    if not clips:
        target.field("clip")
    else:
        chosen = "" if target.mixed("clip") else str(target.value("clip"))
        first = next(iter(clips))
        with target.row(tr("Clip"), "clip"):
            new = ui.choice("clip", chosen, ["", *clips], labels=[tr("{name} (the first)", name=first), *clips])
        if new is not None:
            target.set("clip", new)
        clip = clips.get(chosen or first)
        if clip is not None:
            _time(ui, editor, target, clip)
    target.fields(skip=("clips", "clip", "time") if clips else ("clips", "clip"))


def _time(ui: UI, editor: Editor, target: Target, clip: TrackClip) -> None:
    """Draw the time within the clip, with its markers."""
    time = float(target.value("time"))
    with target.row(editor.tr("Time"), "time"):
        new = ui.slider("time", min(time, clip.seconds), 0.0, max(clip.seconds, 1e-3), mixed=target.mixed("time"))
    if new is not None:
        target.set("time", float(new))
    with target.row("", "markers"):
        canvas = ui.canvas("markers", 16)
    width, height = canvas.size
    scale = width / max(clip.seconds, 1e-6)
    for track in clip.tracks:
        for key in track.keys:
            canvas.disc((key.time * scale, height / 2), 2.5, "text_dim")
    for at, _ in clip.markers:
        canvas.line((at * scale, 0), (at * scale, height), "warning")
    canvas.line((min(time, clip.seconds) * scale, 0), (min(time, clip.seconds) * scale, height), "accent", 2.0)
    markers = ", ".join(f"{name} {at:.2f} s" for at, name in clip.markers)
    ui.text(
        editor.tr("{tracks} {tracks:track|tracks}, {seconds} s", tracks=len(clip.tracks), seconds=f"{clip.seconds:.2f}")
        + (f"  ·  {markers}" if markers else ""),
        "small",
    )


def clips_in(target: Target, path: str) -> dict[str, TrackClip]:
    """Return the clips of tracks of a file; none if it can't be loaded."""
    if not path or Assets not in target.game.world:
        return {}
    try:
        content: Any = target.game.world[Assets].load(path)
    except RishError:
        return {}
    return dict(content.tracks) if isinstance(content, Clips) else {}


def draw_path(ui: UI, editor: Editor, target: Target) -> None:
    """Draw a path: the fields of its shape."""
    shape = None if target.mixed("shape") else target.value("shape")
    hidden: tuple[str, ...] = ()
    if shape is not None:
        hidden = _FUNCTION_FIELDS if shape in BY_POINTS else _POINT_FIELDS
    target.fields(skip=hidden)
    if shape in BY_POINTS and not len(target.value("points")):
        with target.row("", "begin"):
            if ui.button(editor.tr("Begin with a line"), "begin", icon=ui.icon("plus")):
                points = np.array(
                    [(0, 0), (20, 40), (60, 40), (80, 0)] if shape.value == "bezier" else [(-60, 0), (60, 0)],
                    np.float64,
                )
                target.set("points", points)


def draw_tween(ui: UI, editor: Editor, target: Target) -> None:
    """Draw a tween, with a picture of its easing."""
    names = target.shown
    at = names.index("easing") + 1
    target.fields(*names[:at])
    if not target.mixed("easing"):
        draw_easing(ui, str(target.value("easing")))
    target.fields(*names[at:])


def draw_easing(ui: UI, name: str) -> None:
    """Draw the curve of an easing; nothing for an unknown one."""
    try:
        share = np.linspace(0.0, 1.0, _STEPS + 1)
        values = easing(name)(share)
    except RishError:
        return
    canvas = ui.canvas("easing_curve", 56)
    width, height = canvas.size
    low, high = min(0.0, float(values.min())), max(1.0, float(values.max()))
    y = 4 + (high - values) / (high - low) * (height - 8)
    for value in (0.0, 1.0):
        at = 4 + (high - value) / (high - low) * (height - 8)
        canvas.line((0, at), (width, at), "grid_major")
    canvas.polyline(list(zip((6 + share * (width - 12)).tolist(), y.tolist(), strict=True)), "accent", 2.0)
