"""The context menu of the hierarchy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rish_core import Prefabs, RishError

from ...commands.entities import creating, selecting
from ...commands.plugins.switching import offer_of
from ...look import icons

if TYPE_CHECKING:
    from ...commands.entities.presets import EntityPreset
    from ...session.editor import Editor
    from ...ui.ui import UI
    from .state import State

_GROUPS = (
    ("edit.cut", "edit.copy", "edit.paste", "edit.duplicate", "edit.delete"),
    ("edit.rename", "edit.group", "edit.ungroup", "entity.make_prefab", "entity.unpack"),
    ("view.frame", "edit.hide", "edit.lock"),
)
_MORE = ("edit.select_children", "edit.select_parent", "edit.select_tag", "edit.select_prefab", "edit.invert")
_COPIES = ("edit.copy_name", "edit.copy_path")
_SEARCH_ABOVE = 12
"""The number of prefabs above which their menu has a search."""


def hide(editor: Editor, handles: list[int]) -> None:
    """Hide or show entities."""
    selecting.toggle_visible(editor, handles)


def draw(ui: UI, editor: Editor, panel: State) -> None:
    """Draw the menu if it is open. It is for the selected entities; on the empty part it creates and pastes."""
    with ui.popup("entities") as shown:
        if not shown:
            return
        parent = panel.menu_of or None
        with ui.menu(editor.tr("Create"), "create", icon=icons.PLUS) as opened:
            if opened:
                create_items(ui, editor, parent)
        _prefab_menu(ui, editor, panel, parent)
        ui.separator()
        if parent is None:
            for name in ("edit.paste", "edit.select_all"):
                _item(ui, editor, name)
            return
        for number, group in enumerate(_GROUPS):
            if number:
                ui.separator()
            for name in group:
                _item(ui, editor, name)
                if name == "edit.paste":
                    _paste_inside(ui, editor, parent)
        ui.separator()
        _submenu(ui, editor, "Select", "select", icons.SELECT, _MORE)
        _submenu(ui, editor, "Copy Special", "copies", icons.COPY, _COPIES)


def _submenu(ui: UI, editor: Editor, title: str, name: str, icon: str, commands: tuple[str, ...]) -> None:
    with ui.menu(editor.tr(title), name, icon=icon) as opened:
        if opened:
            for each in commands:
                _item(ui, editor, each)


def _item(ui: UI, editor: Editor, name: str) -> None:
    """Draw a command as a menu item; nothing if no plugin declares it."""
    if name not in editor.commands:
        return
    command = editor.commands[name]
    checked = bool(command.checked(editor)) if command.checked is not None else False
    if ui.item(
        editor.tr(command.title), name, shortcut=editor.commands.shown(name), checked=checked,
        enabled=editor.commands.enabled(name, editor), icon=icons.by_name(command.icon) if command.icon else "",
    ):  # fmt: skip
        editor.later(lambda: editor.run(name))


def _paste_inside(ui: UI, editor: Editor, parent: int) -> None:
    if ui.item(editor.tr("Paste as Child"), "paste_inside", icon=icons.PASTE,
               enabled=editor.commands.enabled("edit.paste", editor)):  # fmt: skip
        editor.later(lambda: creating.paste(editor, parent))


def create_items(ui: UI, editor: Editor, parent: int | None) -> None:
    """Draw an item for each preset that the game's plugins can make, and a menu of those that other plugins can.

    parent: of the new entity.
    """
    ready = [preset for preset in creating.PRESETS if creating.possible(editor, preset)]
    _preset_items(ui, editor, ready, parent)
    rest = [preset for preset in creating.PRESETS if preset not in ready]
    others = [preset for preset in rest if offer_of(editor, preset.parts) is not None]
    if not others:
        return
    ui.separator()
    with ui.menu(editor.tr("With Another Plugin"), "others", icon=icons.PLUGIN) as opened:
        if opened:
            _preset_items(ui, editor, others, parent)


def _preset_items(ui: UI, editor: Editor, presets: Sequence[EntityPreset], parent: int | None) -> None:
    last_group = ""
    for preset in presets:
        if last_group and preset.group != last_group:
            ui.separator()
        last_group = preset.group
        if ui.item(creating.label(editor, preset), preset.id, icon=icons.by_name(preset.icon)):
            editor.later(lambda preset=preset: _create(editor, preset, parent))


def _create(editor: Editor, preset: EntityPreset, parent: int | None) -> None:
    try:
        creating.create(editor, preset, parent or 0)
    except RishError as error:
        editor.report(editor.tr("Create {name}", name=editor.tr(preset.title)), error)


def _prefab_menu(ui: UI, editor: Editor, panel: State, parent: int | None) -> None:
    """Draw the list of prefabs, with a search if there are many."""
    game: Any = editor.game
    names = sorted(game.world[Prefabs].names) if Prefabs in game.world else []
    with ui.menu(editor.tr("From Prefab"), "prefabs", enabled=bool(names), icon=icons.PREFAB) as opened:
        if not opened:
            return
        if len(names) > _SEARCH_ABOVE:
            new = ui.line("search_prefabs", panel.prefab_search, hint=editor.tr("Search"), width=ui.px(180))
            if new is not None:
                panel.prefab_search = new
            word = panel.prefab_search.lower()
            names = [name for name in names if word in name.lower()]
        with ui.area("prefab_list", ui.px(200), min(min(len(names) + 1, 14) * ui.row_height * 1.1, ui.high(400, 64))):
            for name in names:
                if ui.item(name, f"prefab:{name}", icon=icons.PREFAB):
                    editor.later(lambda name=name: creating.spawn_prefab_here(editor, name, parent or 0))
