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
_MAX_LINEAR = 200.0
"""Numbers with a greater range are dragged logarithmically."""


class Synths:
    """The tuned, unsaved sounds of one game. Their changes are steps in the history of the game."""

    def __init__(self, editor: Editor) -> None:
        assert editor.game is not None
        self.editor, self.game = editor, editor.game
        self._tuned: dict[str, Synth] = {}  # replaced as a whole, never changed
        self.game.history.follow("audio.synths", lambda: self._tuned, self._use)

    @classmethod
    def of(cls, editor: Editor) -> Synths:
        """Return the tuned sounds of the opened game."""
        synths = editor.memory.get(_MEMORY)
        if synths is None or synths.game is not editor.game:
            synths = editor.memory[_MEMORY] = cls(editor)
        return synths

    def _use(self, tuned: Any) -> None:
        self._tuned = tuned

    def now(self, name: str, saved: Any) -> Synth | None:
        """Return the current values of a sound. saved: its saved values. None if it is not a sound of the
        synthesizer.
        """
        return self._tuned.get(name, saved) if isinstance(saved, Synth) else None

    def changed(self, name: str) -> bool:
        """Return whether a sound differs from its saved values."""
        return name in self._tuned

    def put(self, name: str, synth: Synth) -> None:
        """Change a sound, as one step of the history for each gesture."""
        with self.game.edit(self.editor.tr("Tune the sound {name}", name=name),
                            merge=("synth", name, self.editor.ui.gesture)):  # fmt: skip
            self._tuned = {**self._tuned, name: synth}

    def revert(self, name: str) -> None:
        """Reset a sound to its saved values, as a step of the history."""
        with self.game.edit(self.editor.tr("Revert the sound {name}", name=name)):
            self._tuned = {key: synth for key, synth in self._tuned.items() if key != name}

    def save(self, name: str, new_name: str, synth: Synth) -> bool:
        """Write a sound into the settings under a new name; return False if that failed."""
        path = ("settings", "audio", "sounds", new_name)

        def write(text: Any) -> None:
            entry = text.get(path) if text.has(path) else None
            other_keys = {key: value for key, value in entry.items() if key not in ("clips", "tune")} \
                if isinstance(entry, dict) else {}  # fmt: skip
            text.of(path[:2]).put(path, {**other_keys, "synth": to_mapping(synth)})

        if not write_text(self.editor, self.editor.tr("Save the sound {name}", name=new_name), write):
            return False
        self._tuned = {key: other_keys for key, other_keys in self._tuned.items() if key != name}
        return True


def yaml_of(name: str, synth: Synth) -> str:
    """Return a sound as an entry of `settings: audio: sounds:`."""
    parts = (
        f"{key}: {value if isinstance(value, str) else json.dumps(value)}" for key, value in to_mapping(synth).items()
    )
    return f"{name}: {{synth: {{{', '.join(parts)}}}}}\n"


def draw_parameters(ui: UI, editor: Editor, synth: Synth) -> Synth | None:
    """Draw all parameters of a sound by group; return the sound with a new value, or None without a change."""
    changed: Synth | None = None
    columns = max(1, min(len(_GROUPS), int(ui.room[0] // ui.px(250))))
    with ui.table("groups", columns) as is_open:
        if not is_open:
            return None
        for k, (name, title, fields) in enumerate(_GROUPS):
            if k % columns == 0:
                ui.row()
            ui.cell()
            ui.text(editor.tr(title), "section")
            with ui.inside(name):
                for field in fields:
                    edited = _parameter(ui, editor, synth, SYNTH_FIELDS[field])
                    if edited is not None:
                        changed = copy_synth(synth, **{field: edited})
    return changed


def _parameter(ui: UI, editor: Editor, synth: Synth, spec: FieldSpec) -> Any:
    """Draw one parameter; return its new value, or None."""
    name, value = spec.name, getattr(synth, spec.name)
    label = editor.language.find(f"Synth.{name}") or editor.tr(name.replace("_", " ").capitalize())
    with ui.property(label, name, tooltip=spec.doc[:1].upper() + spec.doc[1:]):
        if isinstance(value, Enum):
            names = [wave.name.lower() for wave in Wave]
            wave_name = ui.choice(name, value.name.lower(), names, labels=[_wave(editor, each) for each in names])
            return None if wave_name is None else Wave[wave_name.upper()]
        if isinstance(value, bool):
            return ui.checkbox("", name, value)
        if name == "arpeggio":
            return _steps(ui, name, [float(step) for step in value])
        if isinstance(value, int):
            return ui.whole(name, value, low=int(spec.low or 0), high=int(spec.high or 0), unit=spec.unit)
        low, high = float(spec.low or 0.0), float(spec.high or 0.0)
        wide = high - low > _MAX_LINEAR
        speed = max(abs(value) * 0.01, 10.0 ** (math.floor(math.log10(high)) - 3)) if wide else 0.0
        return ui.number(name, float(value), low=low, high=high, speed=speed, unit=spec.unit)


def _wave(editor: Editor, name: str) -> str:
    """Return the label of a wave; `Wave.square` is a translation only for waves."""
    return editor.language.find(f"Wave.{name}") or name.capitalize()


def _steps(ui: UI, name: str, steps: list[float]) -> list[float] | None:
    """Draw a list of numbers as a line of text; return the new list, or None without a change or for invalid text."""
    typed = ui.line(name, " ".join(f"{step:g}" for step in steps), enter=True)
    if typed is None:
        return None
    try:
        return [min(max(float(part), -60.0), 60.0) for part in typed.replace(",", " ").split()]
    except ValueError:
        return None
