"""The panel Mixer: the buses with faders, meters and effects, the state of the output, and all voices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...components.tables import AudioState, Voices
from ...outputs.session import AudioOutput
from .clips import peaks_of
from .drawing import beside, decibels, draw_fader, draw_meter, draw_wave, factor, height_of, level_at, shown_level
from .effects import draw_effects, summary_of
from .values import BusValues, Holds
from .voices import draw_voices

if TYPE_CHECKING:
    from rish_editor import UI, Editor

_STRIP, _LEAST, _DETAIL, _SIDE = 92.0, 60.0, 256.0, 340.0
"""Sizes in units: width of a strip, least height of its fader, least width of the effects and of the voices."""
_WAVE_HEIGHT = 44.0
_WIDE, _NARROW = 900.0, 480.0
"""Widths in units: from _WIDE on all parts are side by side, below _NARROW one below the other."""


class MixerPanel:
    """The panel that shows and changes the buses, also of a running game."""

    id, title, icon, dock, order = "audio.mixer", "Mixer", "sound", "bottom", 45
    open, in_game = False, True
    size = 520.0, 340.0

    def __init__(self) -> None:
        self.values = BusValues()
        self._holds = Holds()
        self._bus = "master"
        self._listing = False

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the panel."""
        if editor.game is None:
            ui.empty(editor.tr("No game is open"), "", ui.icon("sound"))
            return
        values = self.values
        values.begin(editor)
        if self._bus not in values.names:
            self._bus = "master"
        output: AudioOutput = editor.game.world[AudioOutput]
        mixer = output.mixer if values.runs else None
        count, channels = len(values.names), 2
        peaks = np.zeros((count, channels)) if mixer is None or len(mixer.peak) != count else mixer.peak.copy()
        self._holds.follow(peaks, ui.raw.get_io().delta_time)
        self._head(ui, editor, output)
        self._parts(ui, editor, peaks, mixer)
        values.settle()

    def _parts(self, ui: UI, editor: Editor, peaks: Any, mixer: Any) -> None:
        """Draw strips, effects and voices. Depending on the width all are side by side, or only effects or voices are
        beside the strips, or all are one below the other.
        """
        width, height = ui.room[0], max(ui.room[1], ui.px(130))
        strips = ui.px(_STRIP + 10) * len(self.values.names)
        wide, narrow = width >= ui.px(_WIDE), width < ui.px(_NARROW)
        detail_width = ui.px(_DETAIL + _SIDE + 16) if wide else max(ui.px(_DETAIL), width * 0.46)
        with ui.area("strips", width=0.0 if narrow else min(strips, width - detail_width - ui.px(8)),
                     height=ui.px(250) if narrow else height, scroll_across=True):  # fmt: skip
            self._strips(ui, editor, peaks, ui.px(18) if strips > ui.room[0] else ui.px(4))
        if not narrow:
            ui.same_line(8)
        with ui.area("effects", width=ui.px(_DETAIL) if wide else 0.0, height=ui.px(240) if narrow else height):
            if not wide and not narrow:
                self._switch(ui, editor)
            if wide or narrow or not self._listing:
                draw_effects(ui, editor, self.values, self._bus)
            else:
                self._voices(ui, editor, mixer)
        if wide:
            ui.same_line(8)
        if wide or narrow:
            with ui.area("voices", height=ui.px(300) if narrow else height):
                self._voices(ui, editor, mixer)

    def _switch(self, ui: UI, editor: Editor) -> None:
        """Draw the switch between effects and voices."""
        for k, (name, label) in enumerate((("effects", editor.tr("Effects")), ("voices", editor.tr("Voices")))):
            if k:
                ui.same_line(4)
            if ui.button(label, f"show.{name}", active=self._listing == bool(k)):
                self._listing = bool(k)

    def _voices(self, ui: UI, editor: Editor, mixer: Any) -> None:
        if ui.room[1] > ui.px(150):
            self._wave(ui, editor, mixer)
        draw_voices(ui, editor)

    # The header: the state of the output

    def _head(self, ui: UI, editor: Editor, output: AudioOutput) -> None:
        tr, values, game = editor.tr, self.values, editor.game
        assert game is not None
        world = game.world
        if values.mixes:
            ui.align()
            ui.text(tr("Mix"), "dim")
            ui.same_line()
            labels = [tr("As at the start"), *values.mixes]
            with ui.disabled(not values.live):
                chosen = ui.choice("mix", values.mix, ["", *values.mixes], labels=labels, width=ui.px(150),
                                tooltip="" if values.live else tr("Press Play to hear a mix"))  # fmt: skip
            if chosen is not None:
                values.use_mix(chosen)
            ui.same_line(14)
        ui.align()
        if not values.runs:
            ui.text(tr("Changes are written into the settings of the game"), "dim")
            ui.mark("state")
            return
        ui.text(_device_of(editor, output), "warning" if not output.outputs else "normal")
        ui.mark("state")
        voices = world[Voices]
        audible = int((voices.slot >= 0).sum())
        counters: dict[str, int] = {}
        for each in output.outputs:
            counters |= each.counters
        facts = [
            (tr("Latency"), f"{output.latency * 1000:.0f} ms" if output.latency else "–", False),
            (tr("Voices"), f"{audible} + {len(voices) - audible}", False),
            (tr("Stolen"), str(world[AudioState].stolen), world[AudioState].stolen > 0),
            (tr("Held"), str(counters.get("held", 0)), counters.get("held", 0) > 0),
            (tr("Late"), str(counters.get("late", 0)), counters.get("late", 0) > 0),
        ]
        for label, text, warns in facts:
            beside(ui, 14, 80)
            ui.text(label, "dim")
            ui.same_line(5)
            ui.text(text, "warning" if warns else "normal")

    # The strips

    def _strips(self, ui: UI, editor: Editor, peaks: Any, below: float) -> None:
        for row, bus in enumerate(self.values.names):
            if row:
                ui.same_line(10)
            with ui.group(), ui.inside(bus):
                self._strip(ui, editor, bus, row, peaks[row], below)

    def _strip(self, ui: UI, editor: Editor, bus: str, row: int, peaks: Any, below: float) -> None:
        values, tr, wide_strip = self.values, editor.tr, ui.px(_STRIP)
        if ui.button(
            bus, "select", active=bus == self._bus, width=wide_strip, tooltip=tr("Show the effects of the bus")
        ):
            self._bus = bus
        muted, gain = bool(values.get(bus, "muted")), float(values.get(bus, "gain"))
        high = max((ui.room[1] - below) / ui.scale - 34, _LEAST)
        canvas = ui.canvas("fader", high, width=_STRIP, background="", tooltip=tr("Drag; a double click is 0 dB"))
        width, height = canvas.size
        draw_fader(canvas, ui.px(13), gain, ui.px(1), muted=muted)
        wide = ui.px(20) / len(peaks) - 2
        for k, peak in enumerate(peaks.tolist()):
            draw_meter(canvas, ui.px(38) + k * (wide + 2), wide, peak, float(self._holds.peaks[row, k]))
        for level in (0, -12, -24, -48):
            down = height * (1 - height_of(level))
            canvas.line((ui.px(29), down), (ui.px(34), down), "text_disabled")
        peak_hold = float(self._holds.peaks[row].max())
        with ui.fonts.style("small"):
            lines = [*([shown_level(peak_hold)] if peak_hold > 1e-3 else [""]), *summary_of(values, bus).split()]
            for k, text in enumerate(lines):
                canvas.text((width, k * ui.px(14)), text, "sound" if k else "text_dim", right=True)
        if canvas.double_clicked:
            values.set(bus, "gain", 1.0)
        elif canvas.held and ui.raw.is_mouse_dragging(0, 2.0):
            values.set(bus, "gain", factor(level_at(1 - canvas.pointer[1] / height)))
        self._below(ui, editor, bus)

    def _below(self, ui: UI, editor: Editor, bus: str) -> None:
        """Draw the button that mutes a bus, and its gain in decibels."""
        values = self.values
        muted, gain = bool(values.get(bus, "muted")), float(values.get(bus, "gain"))
        color = ui.theme.rgba("warning") if muted else None
        icon = ui.icon("muted" if muted else "sound")
        if ui.icon_button(icon, "mute", editor.tr("Mute"), active=muted, color=color):
            values.set(bus, "muted", not muted)
        ui.same_line(2)
        side = ui.raw.get_frame_height() + ui.px(2)
        edited = ui.number("gain", decibels(gain), low=-60.0, high=24.0, speed=0.1, form=shown_level(gain),
                          width=ui.px(_STRIP) - side, tooltip=editor.tr("Gain in decibels"))  # fmt: skip
        if edited is not None:
            values.set(bus, "gain", factor(float(edited)))

    # The output

    def _wave(self, ui: UI, editor: Editor, mixer: Any) -> None:
        canvas = ui.canvas("wave", _WAVE_HEIGHT, tooltip=editor.tr("The newest samples of the output"))
        if mixer is None:
            canvas.line((0, canvas.size[1] / 2), (canvas.size[0], canvas.size[1] / 2), "grid_major")
            tr = editor.tr
            runs = tr("Nothing is mixed: see `output` in the settings")
            canvas.text((8, 4), runs if self.values.runs else tr("Press Play: nothing is mixed now"), "text_disabled")
            return
        draw_wave(canvas, peaks_of(mixer.wave[-2048:], 128), "sound")


def _device_of(editor: Editor, output: AudioOutput) -> str:
    """Return the names or the problem of the outputs, as text."""
    tr, labels = editor.tr, []
    for each in output.outputs:
        device = getattr(each, "device", "")
        problem = getattr(each, "problem", "")
        if each.name != "card":
            labels.append(each.name)
        elif problem:
            labels.append(tr("No sound card: {why}", why=problem))
        else:
            labels.append(device or tr("The sound card is being opened…"))
    return ", ".join(labels) or tr("No output")
