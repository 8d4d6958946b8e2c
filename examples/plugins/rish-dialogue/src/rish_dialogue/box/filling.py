"""The system that fills a box from the state of the dialogue, and takes the clicks of the player."""

from __future__ import annotations

from typing import Any

from rish_core import Name, Stage, Transform, World, system
from rish_ui import AlignItems, Button, Clicked, Image, Label, Layout, Screen, Widget

from ..script import Speaker
from ..state import Dialogues, DialogueState
from ..talk import advance, choose
from .components import DialogueBox, DialogueChoices, DialogueLine

CHOICE = "choice"


@system(Stage.UPDATE, reads=(DialogueState, DialogueBox, Clicked), writes=World, events=())
def fill_box(world: World, dt: float) -> None:
    """Go on or choose as the player clicked, then show the line, its speaker and the choices."""
    boxes = world.query(DialogueBox).entities.tolist()
    if not boxes:
        return
    _take_clicks(world)
    for box in boxes:
        _fill(world, box, _below(world, box))


def _below(world: World, box: int) -> dict[str, int]:
    """Return the named entities below a box."""
    both = world.query(Name, Transform)
    parents = both[Transform.parent].tolist()
    names = [world.text(number) for number in both[Name.value].tolist()]
    inside, parts = {box}, dict[str, int]()
    rows = list(zip(both.entities.tolist(), parents, names, strict=True))
    for _ in range(4):
        for entity, parent, name in rows:
            if parent in inside and entity not in inside:
                inside.add(entity)
                parts.setdefault(name, entity)
    return parts


def _take_clicks(world: World) -> None:
    state = world[DialogueState]
    for entity in world.events(Clicked).widget.tolist():
        if not state.phase or not world.alive(entity):
            return
        if world.table(DialogueLine).row_of(entity) >= 0:
            advance(world)
        elif state.phase == CHOICE and _is_choice(world, entity):
            choose(world, int(world.get(entity, Widget).order))
            return


def _is_choice(world: World, entity: int) -> bool:
    parent = int(world.get(entity, Transform).parent)
    return parent != 0 and world.table(DialogueChoices).row_of(parent) >= 0


def _fill(world: World, box: int, parts: dict[str, int]) -> None:
    state = world[DialogueState]
    _set(world, box, Screen, visible=bool(state.phase))
    if not state.phase:
        return
    dialogue = world[Dialogues].by_name.get(state.dialogue)
    speaker = dialogue.speakers.get(state.speaker) if dialogue is not None else None
    visits = state.visits.get(state.dialogue, 0)
    values: dict[str, tuple[type, dict[str, Any]]] = {
        "speaker": (Label, {"text": _safe(speaker.name) if speaker is not None else ""}),
        "portrait": (Image, {"image": state.portrait}),
        "line": (DialogueLine, {"text": state.text, "speed": state.speed, "number": state.lines, "visits": visits}),
    }
    for name, (cls, fields) in values.items():
        if name in parts:
            _set(world, parts[name], cls, **fields)
    visible = {"speaker": _named(speaker), "portrait": bool(state.portrait), "line": bool(state.text)}
    for name, is_visible in visible.items():
        if name in parts:
            _set(world, parts[name], Widget, visible=is_visible)
    if "choices" in parts:
        _offer(world, parts, parts["choices"], state)


def _named(speaker: Speaker | None) -> bool:
    return speaker is not None and bool(speaker.name)


def _offer(world: World, parts: dict[str, int], choices: int, state: DialogueState) -> None:
    """Make a button for each choice, and remove the others."""
    _set(world, choices, Widget, visible=bool(state.options))
    for k, text in enumerate(state.options):
        button = parts.get(f"{CHOICE}{k + 1}")
        if button is None:
            layout = Layout(align_self=AlignItems.START, padding=(10, 4, 10, 4), least=(40, 28))
            components = Name(value=f"{CHOICE}{k + 1}"), Widget(order=k, style="quiet"), layout
            world.spawn(Transform(parent=choices), *components, Button(text=_safe(text)))
        else:
            _set(world, button, Button, text=_safe(text))
    number = len(state.options)
    while (surplus := parts.get(f"{CHOICE}{number + 1}")) is not None:
        world.despawn(surplus)
        number += 1


def _safe(text: str) -> str:
    """Return a text that was filled in already as a template; a key of the translations stays as it is."""
    return text if text[:1] == "$" else text.replace("{", "{{").replace("}", "}}")


def _set(world: World, entity: int, cls: type, **values: Any) -> None:
    """Write the fields of a component that differ from the given values."""
    if world.table(cls).row_of(entity) < 0:
        world.add(entity, cls(**values))
        return
    view = world.get(entity, cls)
    for name, value in values.items():
        if getattr(view, name) != value:
            setattr(view, name, value)
