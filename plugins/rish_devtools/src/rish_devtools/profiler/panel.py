"""The panel of the profiler: bars of the last frames, systems sorted by time, counters."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Profiler, Stage
from rish_core.loop import VERBS
from rish_jit import Array

if TYPE_CHECKING:
    from rish_editor import UI, Editor

BUDGET = 1000 / 60
"""Milliseconds of a frame at 60 frames a second."""
_MAX_BARS = 120
"""The maximum number of frames that are drawn."""
_CHART = 120
_MIN_TWO_COLUMNS = 600
"""The width in units from which chart and list are side by side."""
_LEGEND_HEIGHT = 56
"""The height in units of the lines below the chart."""
_REFRESH_FRAMES = 15
"""Frames between two computations of the list, so that numbers can be read."""
_GROUPS = (
    ("Game", (Stage.FIRST, Stage.INPUT, Stage.PRE, Stage.POST, Stage.UPDATE, Stage.LATE), "accent"),
    ("Physics", (Stage.FORCES, Stage.STEP), "collider"),
    ("Drawing", (Stage.EXTRACT, Stage.DRAW, Stage.LAST), "emitter"),
)
"""What the colors of bars mean: a name, stages, and a color of the theme."""
_BACKEND, _REST = ("Backend", "info"), ("Rest", "text_disabled")
_COUNTERS = {"draw_calls": "draw calls", "instances": "instances", "bytes_uploaded": "bytes uploaded"}


class Row:
    """A line of the list. Times are milliseconds. share: the part of the mean frame, 0 to 1."""

    def __init__(self, name: str, stage: str, mean: float, worst: float, last: float, share: float) -> None:
        self.name, self.stage, self.mean, self.worst, self.last, self.share = name, stage, mean, worst, last, share


class ProfilerPanel:
    """Shows the time of frames: one bar for each frame, and the systems, the slowest first."""

    id, title, icon, dock, order = "profiler.panel", "Profiler", "profiler", "bottom", 40
    open, in_game = False, True

    def __init__(self) -> None:
        self.frozen = False
        self.plugin = ""
        self.chosen = -1
        self._shown_frames: tuple[list[tuple[str, Stage]], list[Any]] = ([], [])
        self._rows: list[Row] = []
        self._age = 0
        self._key: Any = None

    def save(self) -> dict[str, Any]:
        """Return the chosen plugin."""
        return {"plugin": self.plugin}

    def load(self, data: Any) -> None:
        """Take what `save` returned."""
        self.plugin = str(data.get("plugin", "")) if isinstance(data, dict) else ""

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the panel."""
        game = editor.game
        if game is None:
            ui.empty(
                editor.tr("No game is open"),
                editor.tr("Open a game or make a new one in the File menu"),
                ui.icon("profiler"),
            )
            return
        profiler: Profiler = game.world[Profiler]
        if not self.frozen:
            self._shown_frames = list(profiler.slots), list(profiler.frames)[-_MAX_BARS:]
        slots, frames = self._shown_frames
        self._bar(ui, editor, slots, frames)
        if not frames:
            ui.empty(
                editor.tr("Nothing was measured yet"),
                editor.tr("Press Play; the frames of the game are measured"),
                ui.icon("profiler"),
            )
            return
        width = len(slots) + len(Stage) + len(VERBS)
        times = np.array([frame.times for frame in frames], np.float64).reshape(len(frames), width) * 1e3
        totals = np.array([frame.seconds for frame in frames]) * 1e3
        if ui.room[0] < ui.px(_MIN_TWO_COLUMNS):
            self._chart(ui, editor, slots, times, totals, _CHART)
            self._counters(ui, editor, frames)
            self._list(ui, editor, slots, times, totals)
            return
        with ui.area("left", width=ui.room[0] * 0.48):
            self._chart(ui, editor, slots, times, totals, max(ui.room[1] / ui.scale - _LEGEND_HEIGHT, 40.0))
            self._counters(ui, editor, frames)
        ui.same_line()
        with ui.area("right"):
            self._list(ui, editor, slots, times, totals)

    def _bar(self, ui: UI, editor: Editor, slots: list[tuple[str, Stage]], frames: list[Any]) -> None:
        tr = editor.tr
        label, icon = (tr("Go on"), "play") if self.frozen else (tr("Freeze"), "pause")
        tip = tr("Keep these frames")
        if ui.button(label, "freeze", icon=ui.icon(icon), active=self.frozen, tooltip=tip):
            self.frozen = not self.frozen
            self.chosen = -1
        ui.same_line()
        plugins = sorted({name.partition(".")[0] for name, _ in slots})
        new = ui.choice("plugin", self.plugin, ["", *plugins], labels=[tr("All plugins"), *plugins], width=ui.px(150))
        if new is not None:
            self.plugin, self._key = new, None
        if frames:
            ui.same_line()
            ms = np.array([frame.seconds for frame in frames]) * 1e3
            summary = tr(
                "{mean} ms mean, {worst} ms worst of {count} {count:frame|frames}",
                mean=f"{ms.mean():.2f}",
                worst=f"{ms.max():.2f}",
                count=len(frames),
            )
            ui.text(summary, "warning" if ms.mean() > BUDGET else "dim")

    # The chart

    def _chart(self, ui: UI, editor: Editor, slots: list[tuple[str, Stage]], times: Array, totals: Array,
               height_of: float) -> None:  # fmt: skip
        parts = _parts(slots, times, totals)
        canvas = ui.canvas("chart", height_of)
        width, height = canvas.size
        top = max(BUDGET * 1.25, float(np.percentile(totals, 98)) * 1.1)
        step = width / _MAX_BARS
        scale = (height - 4) / top
        heights = np.minimum(np.stack([ms for _, _, ms in parts]) * scale, height)
        left = width - step * len(totals)
        with canvas.clipped():
            base = np.zeros(len(totals))
            for (_, color, _), part in zip(parts, heights, strict=True):
                packed = canvas.packed(color)
                for index in np.flatnonzero(part >= 0.5).tolist():
                    canvas.rect(
                        left + index * step, height - base[index] - part[index], max(step - 1, 1), part[index], packed
                    )
                base += part
            line = height - BUDGET * scale
            canvas.line((0, line), (width, line), "warning", 1.0)
            canvas.text((6, line - ui.px(18)), f"{BUDGET:.1f} ms", "warning")
            pointer_index = int((canvas.pointer[0] - left) / step) if canvas.hovered else -1
            if canvas.held and 0 <= pointer_index < len(totals):
                self.frozen, self.chosen, self._key = True, pointer_index, None
            for index, color in ((self.chosen, "accent"), (pointer_index, "text")):
                if 0 <= index < len(totals):
                    canvas.rect(left + index * step - 0.5, 0, step, height, color, opacity=0.25)
        if 0 <= pointer_index < len(totals):
            ui.tooltip(
                "\n".join(
                    [
                        f"{totals[pointer_index]:.2f} ms",
                        *(f"{editor.tr(name)}: {ms[pointer_index]:.2f} ms" for name, _, ms in parts),
                    ]
                )
            )
        for index, (name, color, _) in enumerate(parts):
            if index:
                ui.same_line(14)
            ui.text(ui.icon("record"), color=ui.theme.rgba(color))
            ui.same_line(4)
            ui.text(editor.tr(name), "small")

    # The list

    def _list(self, ui: UI, editor: Editor, slots: list[tuple[str, Stage]], times: Array, totals: Array) -> None:
        tr = editor.tr
        self._age += 1
        key = self.frozen, self.chosen, self.plugin
        if key != self._key or (not self.frozen and self._age >= _REFRESH_FRAMES):
            selected = times[self.chosen : self.chosen + 1] if 0 <= self.chosen < len(times) else times
            self._rows, self._key, self._age = rows_of(slots, selected, self.plugin), key, 0
        if self.chosen >= 0:
            ui.text(tr("One frame; click Go on for the mean of all"), "accent")
        with ui.area("systems"), ui.table("list", 5, lines=True) as shown:
            if not shown:
                return
            for title in (tr("System"), tr("Stage"), tr("Mean"), tr("Worst"), tr("Last")):
                ui.cell()
                ui.text(title, "section")
            for number in ui.visible_rows(len(self._rows)):
                row = self._rows[number]
                ui.row()
                ui.cell()
                self._name(ui, row)
                ui.cell()
                ui.text(row.stage, "dim")
                for ms in (row.mean, row.worst, row.last):
                    ui.cell()
                    ui.text(f"{ms:.3f}", "warning" if ms > BUDGET / 4 else "mono")

    def _name(self, ui: UI, row: Row) -> None:
        """Write the name of a system over a bar as long as its share."""
        canvas = ui.canvas(row.name, 20, background="")
        canvas.rect(0, 2, max(canvas.size[0] * min(row.share, 1.0), 1.0), canvas.size[1] - 4, "selection", rounding=3.0)
        with canvas.clipped():
            canvas.text((6, 1), row.name)

    def _counters(self, ui: UI, editor: Editor, frames: list[Any]) -> None:
        """Show the mean of each counter."""
        assert editor.game is not None
        parts = [f"{editor.game.count:,} {editor.tr('entities')}"]
        names = dict.fromkeys(name for frame in frames[-30:] for name in frame.counters)
        for name in names:
            mean = float(np.mean([frame.counters.get(name, 0) for frame in frames[-30:]]))
            parts.append(f"{mean:,.0f} {editor.tr(_COUNTERS.get(name) or name.replace('_', ' '))}")
        ui.text("   ·   ".join(parts), "small")


def _parts(slots: list[tuple[str, Stage]], times: Array, totals: Array) -> list[tuple[str, str, Array]]:
    """Return the parts of bars from below: name, color, milliseconds of each frame."""
    first = len(slots)
    parts: list[tuple[str, str, Array]] = []
    for name, stages, color in _GROUPS:
        parts.append((name, color, _of_stages(slots, times, stages)))
    backend = times[:, first + len(Stage) :].sum(axis=1)
    rest = np.maximum(totals - times.sum(axis=1), 0)
    return [*parts, (*_BACKEND, backend), (*_REST, rest)]


def _of_stages(slots: list[tuple[str, Stage]], times: Array, stages: Collection[Stage]) -> Array:
    columns = [slot for slot, (_, stage) in enumerate(slots) if stage in stages]
    columns += [len(slots) + int(stage) for stage in stages]
    return times[:, columns].sum(axis=1)


def rows_of(slots: list[tuple[str, Stage]], times: Array, plugin: str = "") -> list[Row]:
    """Return the systems of a plugin ("" for all), the slowest first. times: milliseconds (frames, slots)."""
    total = max(float(times.sum(axis=1).mean()), 1e-9)
    rows: list[Row] = []
    for slot, (name, stage) in enumerate(slots):
        ms = times[:, slot]
        if not plugin or name.partition(".")[0] == plugin:
            mean = float(ms.mean())
            rows.append(Row(name, stage.name.lower(), mean, float(ms.max()), float(ms[-1]), mean / total))
    if not plugin:
        for verb, ms in zip(VERBS, times[:, len(slots) + len(Stage) :].T, strict=True):
            mean = float(ms.mean())
            rows.append(Row(f"backend: {verb}", "", mean, float(ms.max()), float(ms[-1]), mean / total))
    return sorted(rows, key=lambda row: -row.mean)
