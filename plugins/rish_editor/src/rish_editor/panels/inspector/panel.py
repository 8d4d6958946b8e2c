"""The inspector: the components of the selected entities."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import yaml

from rish_core import Name, Tags, describe_error, kind_of
from rish_ecs import Disabled

from ...look import icons
from ...session.plain_values import plain_data
from ...session.target import Target
from .adding import add, draw_adding
from .fields.drawing import Fields
from .fields.entities import finish_picking
from .header import draw_header
from .menus import component_menu, restore
from .state import State, shown_handles

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...session.game.selection import Handles
    from ...ui.ui import UI

_HEAD = (Name, Tags, Disabled)
_FIRST = ("Transform",)
_LOW = 420.0
"""The height of the panel below which the header scrolls with the components, units."""
_FOOT = 40.0
"""Units that the button below the components needs."""


class InspectorPanel:
    """The components of the selected entities, with all their fields."""

    id, title, icon, dock, order, in_game = "editor.inspector", "Inspector", "inspector", "right", 10, True
    entities = True

    def __init__(self) -> None:
        self._closed: set[str] = set()
        self._state: State | None = None
        self._fields: Fields | None = None
        self._game: Any = None
        self._classes: tuple[Any, list[type], list[type]] = (None, [], [])
        self._targets: tuple[Any, dict[type, Target]] = (None, {})
        self._failed: dict[Callable[..., None], str] = {}

    def save(self) -> dict[str, Any]:
        """Return which components are folded."""
        return {"closed": sorted(self._closed)}

    def load(self, data: Any) -> None:
        """Restore the data that `save` returned."""
        if isinstance(data, dict) and isinstance(data.get("closed"), list):
            self._closed = {str(name) for name in data["closed"]}

    def inputs(self, editor: Editor) -> Any:
        """Return what the fields are made of: the values of all entities in the tables that are shown."""
        game, state = editor.game, self._state
        if game is None or state is None or self._game is not game or state.reveal:
            return None
        handles, world = shown_handles(state), game.world
        classes, partial = self._sort_out(editor, state, handles)
        versions = [world.table(cls).version for cls in (*_HEAD, *classes, *partial)] if len(handles) else []
        return state.shown_key, versions, editor.thumbnails.changes

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the inspector."""
        game = editor.game
        if game is None:
            ui.empty(
                editor.tr("No game is open"),
                editor.tr("Open a game or make a new one in the File menu"),
                icons.INSPECTOR,
            )
            return
        state = self._begin(editor)
        finish_picking(state)
        handles = shown_handles(state)
        if not len(handles):
            ui.empty(
                editor.tr("Nothing is selected"),
                editor.tr("Click an entity in the scene or in the hierarchy"),
                icons.SELECT,
            )
            return
        classes, partial = self._sort_out(editor, state, handles)
        if game.spawned.fixed(handles).any():
            with ui.area("components"):
                self._fixed(ui, editor, state, handles, classes)
            return
        low = ui.room[1] < ui.px(_LOW)
        if not low:
            self._head(ui, editor, state, handles, classes)
        with ui.area("components", height=-ui.px(_FOOT)):
            if low:
                self._head(ui, editor, state, handles, classes)
            for cls in classes:
                self._section(ui, editor, state, handles, cls)
            self._rest(ui, editor, handles, partial)
            self._removed(ui, editor, state, handles, classes)
            self._left_out(ui, editor, state, handles)
            ui.space(40)
        draw_adding(ui, editor, state, handles, [*classes, *partial])

    def _fixed(self, ui: UI, editor: Editor, state: State, handles: Handles, classes: list[type]) -> None:
        """Draw entities that come from another file: their name and the file; they can't be edited."""
        game, tr = editor.game, editor.tr
        assert game is not None
        path = next(filter(None, map(game.spawned.file_of, handles.tolist())), "")
        ui.text(f"{icons.LOCK}  {tr('Spawned by {path}', path=path)}", "accent", wrap=True)
        ui.mark("spawned")
        ui.text(tr("It is shown as the run will begin. Edit it in its file."), "dim", wrap=True)
        if ui.button(tr("Open {name}", name=path.rpartition("/")[2]), "open_file", icon=icons.EXTERNAL):
            editor.open_outside(game.path / path)
        ui.space(4)
        with ui.disabled():
            self._head(ui, editor, state, handles, classes)
            for cls in classes:
                self._section(ui, editor, state, handles, cls)

    def _begin(self, editor: Editor) -> State:
        """Return the state for the opened game."""
        if self._state is None or self._game is not editor.game:
            self._game = editor.game
            self._state = State(editor, closed=self._closed)
            self._fields = Fields(self._state)
        self._state.frame += 1
        return self._state

    def _head(self, ui: UI, editor: Editor, state: State, handles: Handles, classes: list[type]) -> None:
        draw_header(ui, editor, state, handles, classes)
        ui.space(2)
        ui.fill()
        typed = ui.line("search", state.search, hint=f"{icons.SEARCH}  {editor.tr('Search properties')}")
        if typed is not None:
            state.search = typed
        ui.space(2)

    # Which components there are

    def _sort_out(self, editor: Editor, state: State, handles: Handles) -> tuple[list[type], list[type]]:
        """Return the components that all entities have, and those that only some have."""
        assert editor.game is not None
        key, classes, partial = self._classes
        if key == state.shown_key:
            return classes, partial
        classes, partial = [], []
        for cls, table in editor.game.world.tables.items():
            kind = table.schema
            if cls in _HEAD or not len(table) or not (kind.shown or not kind.fields):
                continue
            present = table.rows_of(handles) >= 0
            if present.all():
                classes.append(cls)
            elif present.any():
                partial.append(cls)
        classes.sort(key=lambda cls: _FIRST.index(cls.__name__) if cls.__name__ in _FIRST else len(_FIRST))
        self._classes = state.shown_key, classes, partial
        return classes, partial

    def _target(self, editor: Editor, state: State, handles: Handles, cls: type) -> Target:
        """Return the target of a component; the same one as long as the same entities are shown."""
        assert self._fields is not None
        if self._targets[0] != state.shown_key:
            self._targets = state.shown_key, {}
        targets = self._targets[1]
        if cls not in targets:
            targets[cls] = Target(editor, cls, handles, int(handles[-1]), self._fields)
        return targets[cls]

    # Drawing

    def _section(self, ui: UI, editor: Editor, state: State, handles: Handles, cls: type) -> None:
        name = cls.__name__
        target = self._target(editor, state, handles, cls)
        if state.search and not any(state.finds(cls, field, field.replace("_", " ")) for field in target.shown):
            return
        opened = name not in state.closed or bool(state.search)
        prefab = state.prefab(handles)
        added = prefab is not None and not prefab.has(cls)

        def about() -> str:
            return f"{_about(cls)}\n{editor.tr('The prefab has no such component')}" if added else _about(cls)

        if state.reveal == name:
            state.reveal = ""
            state.closed.discard(name)
            ui.raw.set_scroll_here_y(0.0)
        clicked, menu_pressed = ui.component_header(
            editor.tr(name), name, icon=icons.icon_for(name), opened=opened, tooltip=about, override=added
        )
        if clicked:
            state.closed ^= {name}
        with ui.inside(name):
            if menu_pressed:
                ui.open_popup("menu")
            component_menu(state, target)
            if opened and (target.shown or editor.inspector_of(cls) is not None):
                ui.space(1)
                self._content(ui, editor, target, cls)
                ui.space(3)

    def _content(self, ui: UI, editor: Editor, target: Target, cls: type) -> None:
        """Draw the fields of a component, by the drawer of a plugin if there is one."""
        drawer = editor.inspector_of(cls)
        if drawer is None:
            target.fields()
            return
        if drawer in self._failed:
            ui.text(f"{icons.ERROR}  {self._failed[drawer]}", "error", wrap=True)
            if ui.button(editor.tr("Try again"), "retry"):
                del self._failed[drawer]
            target.fields()
            return
        error = ui.safely(lambda: drawer(ui, editor, target))
        if error is not None:
            self._failed[drawer] = describe_error(error)
            editor.report(editor.tr("The inspector of {name}", name=cls.__name__), error, drawer)

    def _rest(self, ui: UI, editor: Editor, handles: Handles, partial: list[type]) -> None:
        """Draw chips of the components that only some of the entities have."""
        tip = editor.tr("Add it to all")
        for cls in _chips(ui, editor, "some", editor.tr("Only some have:"), partial, icons.PLUS, tip):
            add(editor, handles, cls)

    def _removed(self, ui: UI, editor: Editor, state: State, handles: Handles, present: list[type]) -> None:
        """Draw chips of the components of the prefab that the entity does not have."""
        prefab = state.prefab(handles)
        removed = prefab.removed(present) if prefab is not None else []
        title, tip = editor.tr("Removed from the prefab:"), editor.tr("Revert to prefab")
        for cls in _chips(ui, editor, "removed", title, removed, icons.RESET, tip):
            restore(editor, int(handles[0]), cls)

    def _left_out(self, ui: UI, editor: Editor, state: State, handles: Handles) -> None:
        """Show the parts of the entity's text that the game could not read; saving keeps them."""
        raw = state.left_out(int(handles[0])) if len(handles) == 1 else {}
        with ui.inside("left_out"):
            for name, data in raw.items():
                tip = editor.tr("No loaded plugin has this; it is kept as it is in the file")
                ui.component_header(name, name, icon=icons.PLUGIN, opened=True, tooltip=tip, dim=True, menu=False)
                ui.text(f"{icons.WARNING}  {tip}", "warning", wrap=True)
                text = yaml.safe_dump(plain_data(data), allow_unicode=True, sort_keys=False, default_flow_style=None)
                ui.text(str(text).removesuffix("...\n").rstrip(), "mono")
                ui.mark(f"{name}:data")
                ui.space(3)


def _chips(
    ui: UI, editor: Editor, name: str, title: str, classes: list[type], icon: str, tooltip: str
) -> list[type]:  # fmt: skip
    """Draw components as chips below a title, nothing without components; return those that were clicked."""
    if not classes:
        return []
    ui.space(4)
    ui.text(title, "small")
    clicked: list[type] = []
    with ui.inside(name):
        for k, cls in enumerate(classes):
            label = f"{icons.icon_for(cls.__name__)} {editor.tr(cls.__name__)}"
            if ui.chip(label, cls.__name__, icon=icon, first=not k, tooltip=tooltip):
                clicked.append(cls)
    return clicked


def _about(cls: type) -> str:
    kind = kind_of(cls)
    return f"{' '.join(kind.doc.split())}\n\n{kind.key}".strip()
