"""Sounds of the synthesizer that a person tunes: their steps in the history, their sliders, and their text."""

from __future__ import annotations

import json
import math
from enum import Enum
from typing import TYPE_CHECKING, Any

from ...synth.parameters import SYNTH_FIELDS, Synth, Wave, copy_synth, to_mapping
from .values import write_text

if TYPE_CHECKING:
    from rish_ecs.declarations import FieldSpec
    from rish_editor import UI, Editor

_MEMORY = "audio.synths"
_GROUPS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("pitch", "Pitch", ("wave", "frequency", "slide", "slide_change", "vibrato", "vibrato_rate", "arpeggio",
                        "arpeggio_time", "repeat")),
    ("tone", "Tone", ("duty", "duty_slide", "detune", "noise", "seed")),
    ("filters", "Filters", ("low_pass", "low_pass_slide", "low_pass_vibrato", "resonance", "high_pass",
                            "high_pass_slide", "flanger", "flanger_slide", "crush", "bits")),
    ("envelope", "Envelope", ("attack", "hold", "punch", "decay", "decay_power", "gain", "loop")),
)  # fmt: skip
_CURVED = 200.0
"""Ranges that reach further are dragged by the magnitude of the number."""


class Synths:
    """The sounds that are tuned and not saved, of one game. The history of the game follows them."""

    def __init__(self, editor: Editor) -> None:
        assert editor.game is not None
        self.editor, self.game = editor, editor.game
        self._tuned: dict[str, Synth] = {}  # replaced as a whole, never changed
        self.game.history.follow("audio.synths", lambda: self._tuned, self._use)

    @classmethod
    def of(cls, editor: Editor) -> Synths:
        """Return the tuned sounds of the opened game."""
        found = editor.memory.get(_MEMORY)
        if found is None or found.game is not editor.game:
            found = editor.memory[_MEMORY] = cls(editor)
        return found

    def _use(self, tuned: Any) -> None:
        self._tuned = tuned

    def now(self, name: str, made: Any) -> Synth | None:
        """Return a sound as it is tuned now. made: as it is saved; None for what the synthesizer does not make."""
        return self._tuned.get(name, made) if isinstance(made, Synth) else None

    def changed(self, name: str) -> bool:
        """Return whether a sound differs from what is saved."""
        return name in self._tuned

    def put(self, name: str, synth: Synth) -> None:
        """Change a sound, as one step of the history for each gesture."""
        with self.game.edit(self.editor.tr("Tune the sound {name}", name=name),
                            merge=("synth", name, self.editor.ui.gesture)):  # fmt: skip
            self._tuned = {**self._tuned, name: synth}

    def revert(self, name: str) -> None:
        """Give a sound its saved values again."""
        with self.game.edit(self.editor.tr("Revert the sound {name}", name=name)):
            self._tuned = {key: synth for key, synth in self._tuned.items() if key != name}

    def save(self, name: str, new: str, synth: Synth) -> bool:
        """Write a sound into the settings under a name; return whether that was possible."""
        path = ("settings", "audio", "sounds", new)

        def write(text: Any) -> None:
            known = text.get(path) if text.has(path) else None
            kept = {key: value for key, value in known.items() if key not in ("clips", "tune")} \
                if isinstance(known, dict) else {}  # fmt: skip
            text.of(path[:2]).put(path, {**kept, "synth": to_mapping(synth)})

        if not write_text(self.editor, self.editor.tr("Save the sound {name}", name=new), write):
            return False
        self._tuned = {key: kept for key, kept in self._tuned.items() if key != name}
        return True


def yaml_of(name: str, synth: Synth) -> str:
    """Return a sound as an entry of `settings: audio: sounds:`."""
    parts = (
        f"{key}: {value if isinstance(value, str) else json.dumps(value)}" for key, value in to_mapping(synth).items()
    )
    return f"{name}: {{synth: {{{', '.join(parts)}}}}}\n"


def draw_parameters(ui: UI, editor: Editor, synth: Synth) -> Synth | None:
    """Draw all parameters of a sound by group; return the sound with a new value, or None without a change."""
    found: Synth | None = None
    columns = max(1, min(len(_GROUPS), int(ui.room[0] // ui.px(250))))
    with ui.table("groups", columns) as shown:
        if not shown:
            return None
        for k, (name, title, fields) in enumerate(_GROUPS):
            if k % columns == 0:
                ui.row()
            ui.cell()
            ui.text(editor.tr(title), "section")
            with ui.inside(name):
                for field in fields:
                    new = _parameter(ui, editor, synth, SYNTH_FIELDS[field])
                    if new is not None:
                        found = copy_synth(synth, **{field: new})
    return found


def _parameter(ui: UI, editor: Editor, synth: Synth, spec: FieldSpec) -> Any:
    """Draw one parameter; return its new value, or None."""
    name, value = spec.name, getattr(synth, spec.name)
    label = editor.language.find(f"Synth.{name}") or editor.tr(name.replace("_", " ").capitalize())
    with ui.property(label, name, tooltip=spec.doc[:1].upper() + spec.doc[1:]):
        if isinstance(value, Enum):
            names = [wave.name.lower() for wave in Wave]
            chosen = ui.choice(name, value.name.lower(), names, labels=[_wave(editor, each) for each in names])
            return None if chosen is None else Wave[chosen.upper()]
        if isinstance(value, bool):
            return ui.checkbox("", name, value)
        if name == "arpeggio":
            return _steps(ui, name, [float(step) for step in value])
        if isinstance(value, int):
            return ui.whole(name, value, low=int(spec.low or 0), high=int(spec.high or 0), unit=spec.unit)
        low, high = float(spec.low or 0.0), float(spec.high or 0.0)
        wide = high - low > _CURVED
        speed = max(abs(value) * 0.01, 10.0 ** (math.floor(math.log10(high)) - 3)) if wide else 0.0
        return ui.number(name, float(value), low=low, high=high, speed=speed, unit=spec.unit)


def _wave(editor: Editor, name: str) -> str:
    """Return the label of a wave; `Wave.square` is a translation only for waves."""
    return editor.language.find(f"Wave.{name}") or name.capitalize()


def _steps(ui: UI, name: str, steps: list[float]) -> list[float] | None:
    """Draw a list of numbers as a line of text; return the new one, or None without a change or with a mistake."""
    typed = ui.line(name, " ".join(f"{step:g}" for step in steps), enter=True)
    if typed is None:
        return None
    try:
        return [min(max(float(part), -60.0), 60.0) for part in typed.replace(",", " ").split()]
    except ValueError:
        return None
