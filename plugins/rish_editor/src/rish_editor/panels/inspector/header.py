"""The header of the inspector: name, whether the entity is enabled, tags, number and prefab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_authoring import rename
from rish_core import Name, Origin, Tags
from rish_ecs import Disabled, Each

from ...look import icons
from .edits import edit_later

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...session.game.game import Game
    from ...session.game.selection import Handles
    from ...ui.ui import UI
    from .state import State

_ORDER = ("Camera", "TileMap", "Sprite", "Text", "Shape", "NinePatch", "Line", "Emitter", "PointLight", "Light", "Body")
"""The components whose icon stands for an entity, the first one that it has."""


def draw_header(ui: UI, editor: Editor, state: State, handles: Handles, classes: list[type]) -> None:
    """Draw the header for the shown entities."""
    _title(ui, editor, state, handles, classes)
    _tags(ui, editor, state, handles)
    _about(ui, editor, state, handles)


def icon_of(classes: list[type], prefab: bool) -> str:
    """Return the icon of an entity with these components."""
    if prefab:
        return icons.PREFAB
    names = [cls.__name__ for cls in classes]
    component = next((name for name in _ORDER if name in names), "")
    return icons.icon_for(component) if component else icons.ENTITY


def _title(ui: UI, editor: Editor, state: State, handles: Handles, classes: list[type]) -> None:
    """Draw the check box, the name and the pin."""
    game, tr = editor.game, editor.tr
    assert game is not None
    disabled = state.disabled
    mixed = bool(disabled.any() and not disabled.all())
    enabled = ui.checkbox(
        "", "enabled", not disabled.any(), mixed=mixed, tooltip=tr("Whether the entity takes part in the game")
    )
    if enabled is not None:
        _enable(editor, handles, enabled)
    ui.same_line(6)
    ui.align()
    ui.text(icon_of(classes, state.prefab(handles) is not None), "dim")
    ui.same_line(6)
    ui.fill_but(ui.px(30))
    if len(handles) == 1:
        has_name = game.world.has(int(handles[0]), Name)
        value = str(game.world.get(int(handles[0]), Name).value) if has_name else ""
        new = ui.line("name", value, hint=game.name_of(int(handles[0])), done=True, tooltip=tr("Name"))
        if new is not None:
            _rename(editor, int(handles[0]), new)
    else:
        ui.text(tr("{count} {count:entity|entities}", count=len(handles)), "bold")
        ui.mark("name")
        ui.same_line()
    ui.right(ui.px(26))
    pinned = bool(state.pinned)
    tip = tr("Follow the selection again") if pinned else tr("Keep showing this whatever is selected")
    if ui.icon_button(icons.PIN, "pin", tip, active=pinned):
        state.pinned = [] if pinned else handles.tolist()


def _enable(editor: Editor, handles: Handles, enabled: bool) -> None:
    if enabled:
        edit_later(editor, "Enable", lambda game: game.world.remove(handles, Disabled))
    else:
        edit_later(editor, "Disable", lambda game: game.world.add(handles, Disabled))


def _rename(editor: Editor, handle: int, name: str) -> None:
    edit_later(editor, "Rename", lambda game: rename(game.app, handle, name.strip()))


def _tags(ui: UI, editor: Editor, state: State, handles: Handles) -> None:
    """Draw the tags that all entities have as chips, and one that adds another."""
    tr = editor.tr
    tags, partial_tags = state.tags(handles)
    with ui.inside("tags"):
        ui.space(1)
        for k, tag in enumerate(tags):
            if ui.chip(tag, tag, icon=icons.CLOSE, first=not k, tooltip=tr("Remove the tag {tag}", tag=tag)):
                change_tags(editor, handles, remove=tag)
        for k, tag in enumerate(partial_tags):
            if ui.chip(
                f"{tag} *",
                tag,
                icon=icons.PLUS,
                first=not (k or tags),
                tooltip=tr("Only some have this tag; add it to all"),
            ):
                change_tags(editor, handles, add=tag)
        if ui.chip(
            "" if tags or partial_tags else tr("Tag"),
            "add",
            icon=icons.PLUS,
            first=not (tags or partial_tags),
            tooltip=tr("Add a tag"),
        ):
            state.filter = ""
            ui.open_popup("new")
        with ui.popup("new") as opened:
            if opened:
                _new_tag(ui, editor, state, handles, tags)


def _new_tag(ui: UI, editor: Editor, state: State, handles: Handles, tags: list[str]) -> None:
    typed = ui.line("tag", state.filter, hint=editor.tr("New tag"), focus=ui.appearing, width=ui.px(180))
    state.filter = typed if typed is not None else state.filter
    wanted = state.filter.strip()
    entered = ui.ended() and not ui.pressed("tab") and not ui.raw.is_any_mouse_down()
    chosen = wanted if entered or ui.pressed_outside else ""
    for tag in [tag for tag in state.names("tags") if wanted.lower() in tag.lower() and tag not in tags][:12]:
        if ui.selectable(f"{icons.TAG}  {tag}", tag):
            chosen = tag
    if chosen:
        change_tags(editor, handles, add=chosen)
        ui.close_popup()


def change_tags(editor: Editor, handles: Handles, *, add: str = "", remove: str = "") -> None:
    """Add a tag to entities, or remove one from them, as one step."""

    def change(game: Game) -> None:
        table = game.world.table(Tags)
        before = [_read(table, handle) for handle in handles.tolist()]
        after = [[*(tag for tag in tags if tag not in (add, remove)), *([add] if add else [])] for tags in before]
        has_tags = np.array([bool(tags) for tags in after])
        if has_tags.any():
            lists: Any = Each(tags for tags in after if tags)
            game.world.add(handles[has_tags], Tags(values=lists))
        if not has_tags.all():
            game.world.remove(handles[~has_tags], Tags)

    edit_later(editor, "Add tag" if add else "Remove tag", change)


def _read(table: Any, handle: int) -> list[str]:
    row = table.row_of(handle)
    return list(table.read_row("values", row)) if row >= 0 else []


def _about(ui: UI, editor: Editor, state: State, handles: Handles) -> None:
    """Draw the number of the entity, and where it comes from."""
    game, tr = editor.game, editor.tr
    assert game is not None
    if len(handles) != 1:
        return
    handle = int(handles[0])
    ui.text(f"#{handle & 0xFFFFFFFF}", "small")
    prefab = state.prefab(handles)
    origin: Any = game.world.get(handle, Origin) if game.world.has(handle, Origin) else None
    if prefab is not None:
        ui.same_line(10)
        ui.text(tr("Prefab"), "small")
        ui.same_line(4)
        with ui.fonts.style("small"):
            clicked = ui.link(prefab.name, "prefab", tr("Select all entities of this prefab"))
        if clicked:
            editor.later(lambda: select_alike(editor, prefab.name))
    elif origin is not None and origin.scene:
        ui.same_line(10)
        ui.text(tr("Scene {name}", name=origin.scene), "small")


def select_alike(editor: Editor, prefab: str) -> None:
    """Select the roots of all copies of a prefab."""
    from .prefabs import prefab_of

    game = editor.game
    assert game is not None
    table = game.world.table(Origin)
    pairs = np.stack([table.column("scene"), table.column("entry")], axis=1) if len(table) else np.zeros((0, 2), int)
    chosen: list[int] = []
    for pair in np.unique(pairs, axis=0):
        uses = table.entities[(pairs == pair).all(axis=1)]
        use = prefab_of(game, int(uses[0]))
        if use is not None and use.root and use.name == prefab:
            chosen += uses.tolist()
    with game.edit("Select"):
        game.selection.set(chosen)
