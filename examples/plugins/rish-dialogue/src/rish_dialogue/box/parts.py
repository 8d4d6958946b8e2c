"""The parts of a box: components that say what an entity of the box shows, and the system that fills them."""

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np

from rish_core import Stage, World, component, field, system
from rish_ecs import maths
from rish_render import Shape, Sprite, Text

from ..markup import revealed, visible_length
from ..script import Speaker
from ..state import Dialogues, DialogueState


class Part(Enum):
    """What a part of a box shows."""

    PANEL = "panel"
    NAME = "name"
    LINE = "line"
    CHOICES = "choices"
    TEXT = "text"
    PORTRAIT = "portrait"
    MORE = "more"


@component
class DialoguePart:
    """Shows a part of the dialogue: with a Shape, a Sprite or a Text beside it."""

    part: Part = field(Part.PANEL, doc="text: the line, and the choices below; more: a complete line waits")
    pointer: bool = field(True, doc="whether choices have a mark before the selected one")


_READS, _WRITES = (DialogueState, DialoguePart), (Shape, Sprite, Text)


@system(Stage.UPDATE, reads=_READS, writes=_WRITES, after="dialogue.run", marks=True)
def fill_box(world: World, dt: float) -> None:
    """Write the texts and pictures of all parts, and hide the parts that have nothing to show."""
    parts = world.query(DialoguePart)
    if not len(parts):
        return
    state = world[DialogueState]
    dialogue = world[Dialogues].by_name.get(state.dialogue)
    speaker = dialogue.speakers.get(state.speaker) if dialogue is not None else None
    kinds, pointers = parts[DialoguePart.part].tolist(), parts[DialoguePart.pointer].tolist()
    for entity, kind, pointer in zip(parts.entities.tolist(), kinds, pointers, strict=True):
        part = list(Part)[kind]
        text = _text(world, part, state, speaker, pointer)
        _fill(world, entity, part, text, state, speaker)


def _text(world: World, part: Part, state: DialogueState, speaker: Speaker | None, pointer: bool) -> str:
    if part is Part.NAME:
        return speaker.name if speaker is not None else ""
    if part in (Part.LINE, Part.CHOICES, Part.TEXT):
        line = [revealed(state.text, int(state.shown))] if part is not Part.CHOICES and state.text else []
        return "\n".join(line if part is Part.LINE else [*line, *_choices(state, pointer)])
    waits = state.phase == "line" and state.shown >= visible_length(state.text)
    if part is Part.MORE and waits and maths.sin(maths.TAU * world.time) > -0.3:
        return "▾"
    return ""


def _choices(state: DialogueState, pointer: bool) -> list[str]:
    """Return the choices as lines, the selected one in another colour and with a pointer."""
    signs = ("▸ ", "   ") if pointer else ("", "")
    return [
        f"[gold]{signs[0]}{text}[/]" if k == state.selected else f"{signs[1]}{text}"
        for k, text in enumerate(state.options)
    ]


def _fill(world: World, entity: int, part: Part, text: str, state: DialogueState, speaker: Speaker | None) -> None:
    if part in (Part.PANEL, Part.PORTRAIT):
        shown = bool(state.phase) and (part is Part.PANEL or bool(state.portrait))
        _set(world, entity, Shape, {"visible": shown})
        if part is Part.PORTRAIT:
            _set(world, entity, Sprite, {"visible": shown, **({"image": state.portrait} if shown else {})})
        return
    values: dict[str, Any] = {"text": text, "visible": bool(text)}
    if part is Part.NAME and speaker is not None:
        values["color"] = speaker.color
    _set(world, entity, Text, values)


def _set(world: World, entity: int, cls: type, values: dict[str, Any]) -> None:
    """Write the fields of a component that have changed, so that a box at rest is not drawn anew."""
    if world.table(cls).rows_of(np.array([entity]))[0] < 0:
        return
    view = world.get(entity, cls)
    for name, value in values.items():
        old = getattr(view, name)
        if (tuple(old) if isinstance(value, tuple) else old) != value:
            setattr(view, name, value)
