"""The panel of the hierarchy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_authoring import rename
from rish_core import RishError, Scenes
from rish_frame import PerVersion

from ...look import icons
from ...ui.widgets.rows import RowButton
from . import dragging, keys, menu, suggestions
from .labels import RowLabel, RowLabels
from .state import State
from .tree import Shown, Tree

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...session.game.game import Game
    from ...ui.ui import UI
    from ...ui.widgets.rows import RowUse

SEARCH_HELP = (
    "A part of the name, tag:enemy, has:Body, prefab:tree, #12; several must all fit; -word excludes; Enter selects all"
)


class HierarchyPanel(State):
    """All entities of the scene as a tree in the order of the text, or by their tags."""

    id, title, icon, dock, order, in_game = "editor.hierarchy", "Hierarchy", "hierarchy", "left", 10, True
    entities = True

    def __init__(self) -> None:
        super().__init__()
        self.labels = RowLabels()
        self.renaming: int | None = None
        self.focus_search = False
        self._text = ""
        self._focus_name = False
        self._game: Any = None

    @property
    def typing(self) -> bool:
        """Whether a name is being typed to jump to it."""
        return self.ahead.active

    def save(self) -> Any:
        """Return the data to save until the next start."""
        return {"by_tag": self.tree.by_tag}

    def load(self, data: Any) -> None:
        """Restore the data that `save` returned."""
        self.tree.by_tag = isinstance(data, dict) and data.get("by_tag") is True

    # Commands

    def begin_rename(self, game: Game, handle: int) -> None:
        """Let the user type a new name in the row of an entity."""
        self.tree.reveal(game, handle)
        if self.tree.update(game).index_of(handle) < 0:
            self.clear_search()
        self.renaming, self._focus_name, self.scroll_to = handle, True, handle
        self._text = game.name_of(handle) if self.labels.of(game, self._order(game), handle).named else ""

    def found(self, game: Game) -> list[int] | None:
        """Return the entities that the search has found, in their order; None without a search."""
        matched = self.tree.search.matches(game, self._order(game))
        return None if matched is None else self._order(game).handles[matched].tolist()

    def clear_search(self) -> None:
        """Show all entities again."""
        self.tree.search.text = ""
        self.followed = PerVersion[bool]()

    def _order(self, game: Game) -> Any:
        if self.tree.order is None:
            self.tree.update(game)
        return self.tree.order

    # Drawing

    def inputs(self, editor: Editor) -> Any:
        """Return what the rows are made of."""
        game = editor.game
        if game is None or self._game is not game:
            return None
        self.labels.begin(game)
        return (
            self.tree.update(game), self.labels.changes, game.selection.version, len(game.locked), game.dirty,
            self.renaming, self.scroll_to,
        )  # fmt: skip

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the search and the rows."""
        game = editor.game
        if game is None:
            ui.empty(editor.tr("No game is open"), editor.tr("Open a game or make a new one in the File menu"))
            return
        if self._game is not game:
            self._begin(game)
        self._bar(ui, editor)
        self.labels.begin(game)
        shown = self._follow_selection(game)
        opened = self._rows(ui, editor, game, shown)
        if opened is not None:
            self.menu_of = opened
            ui.open_popup("entities")
        menu.draw(ui, editor, self)
        if editor.panels.focused == self.id and not ui.typing:
            keys.handle(ui, editor, self, shown)

    def _begin(self, game: Game) -> None:
        by_tag = self.tree.by_tag
        self.tree, self._game, self.followed = Tree(), game, PerVersion()
        self.tree.by_tag = by_tag
        self.renaming, self.anchor, self.cursor = None, 0, 0

    def _bar(self, ui: UI, editor: Editor) -> None:
        tr, search = editor.tr, self.tree.search
        if ui.icon_button(icons.PLUS, "create", tr("Create an entity")):
            ui.open_popup("create")
        with ui.popup("create") as shown:
            if shown:
                menu.create_items(ui, editor, None)
        ui.same_line(4)
        side = ui.row_height + ui.px(6)
        focus = self.focus_search and editor.panels.focused == self.id
        new = ui.line("search", search.text, hint=tr("Search"), width=max(ui.px(40), ui.room[0] - side - ui.px(4)),
                      focus=focus, tooltip=tr(SEARCH_HELP))  # fmt: skip
        self.focus_search = self.focus_search and not focus
        if new is not None:
            search.text = new
        if ui.ended() and ui.pressed("enter") and editor.game is not None:
            matches = self.found(editor.game)
            if matches:
                self.select(editor, matches, matches[0])
        elif ui.ended() and ui.pressed("escape"):
            self.clear_search()
        ui.same_line(4)
        icon, tip = (icons.TAG, "Grouped by tag") if self.tree.by_tag else (icons.HIERARCHY, "Parents and children")
        if ui.icon_button(icon, "mode", tr(tip), active=self.tree.by_tag):
            self.tree.by_tag = not self.tree.by_tag

    def _follow_selection(self, game: Game) -> Shown:
        """Return the rows. If the selection was changed elsewhere, unfold its ancestors and scroll to it."""
        shown = self.tree.update(game)
        selection = game.selection
        if self.followed.get(selection) is None:
            self.followed.put(selection, True)
            primary = selection.primary
            if primary is not None and primary != self.cursor:
                self.tree.reveal(game, primary)
                shown = self.tree.update(game)
                self.anchor = self.cursor = self.scroll_to = primary
        return shown

    def _rows(self, ui: UI, editor: Editor, game: Game, shown: Shown) -> int | None:
        """Draw the rows; return the entity that was right-clicked, 0 for the empty part."""
        menu_entity: int | None = None
        focused = editor.panels.focused == self.id
        self._scene_row(ui, editor, game, shown)
        with ui.rows_area("rows"), ui.inside("rows"):
            self.rows_in_view = ui.rows_in_view
            if self.scroll_to:
                index = shown.index_of(self.scroll_to)
                if index >= 0:
                    ui.show_row(index, centered=True)
                self.scroll_to = 0
            if not len(shown):
                self._nothing(ui, editor)
            for index in ui.visible_rows(len(shown), ui.row_height):
                handle = int(shown.handles[index])
                if not handle:
                    self._tag_row(ui, editor, shown, index)
                elif game.editing or game.world.alive(handle):
                    use = self._row(ui, editor, game, shown, index, focused)
                    menu_entity = handle if use.context else menu_entity
            rest = ui.rest_of_rows("empty")
            dragging.take(ui, editor, self, 0, depth=0, opened=False)
            if rest.clicked:
                self.select(editor, [], 0)
            return 0 if rest.context else menu_entity

    def _nothing(self, ui: UI, editor: Editor) -> None:
        if self.tree.search.text:
            ui.space(12)
            ui.empty(editor.tr("Nothing fits the search"), editor.tr("Esc shows all entities again"), icons.SEARCH)
            ui.space(8)
            suggestions.draw(ui, editor, self.tree.search.text)
        else:
            ui.space(12)
            hint = editor.tr("Create entities with + or with a right click")
            ui.empty(editor.tr("The scene is empty"), hint, icons.ENTITY)

    def _scene_row(self, ui: UI, editor: Editor, game: Game, shown: Shown) -> None:
        """Draw the first row: the scene, whether it has unsaved edits, and the number of entities or matches."""
        name = game.world[Scenes].current or editor.tr("No scene")
        count = f"{game.count:,}" if shown.matches is None else f"{shown.matches:,} / {game.count:,}"
        use = ui.tree_row("scene", name, icon=icons.SCENE, icon_color="text_accent", note=count)
        if game.dirty:
            ui.row_mark(use, name, "unsaved")
        dragging.take(ui, editor, self, 0, depth=0, opened=False)
        if use.clicked:
            self.select(editor, [], 0)

    def _tag_row(self, ui: UI, editor: Editor, shown: Shown, index: int) -> None:
        tag, count = shown.titles[shown.tags[index]]
        opened = bool(shown.arrows[index] == 1)
        label = tag or editor.tr("Without tags")
        use = ui.tree_row(f"tag:{tag}", label, arrow=opened, icon=icons.TAG, icon_color="text_accent",
                          note=f"{count:,}", color="text" if tag else "text_dim")  # fmt: skip
        if use.arrow or use.double:
            self.tree.open_tag(tag, not opened)
        elif use.clicked:
            inside = self.tree.tagged(shown, index)
            self.select(editor, inside, inside[-1] if inside else 0)

    def _row(self, ui: UI, editor: Editor, game: Game, shown: Shown, index: int, focused: bool) -> RowUse:
        handle, arrow = int(shown.handles[index]), int(shown.arrows[index])
        look = self.labels.of(game, self._order(game), handle)
        depth = int(shown.depths[index])
        own = self.renaming == handle
        mark = f"{index}:{look.name}" if self.tree.by_tag else look.name
        use = ui.tree_row(
            mark, "" if own else look.name, depth=depth, arrow=None if arrow < 0 else bool(arrow), icon=look.icon,
            note="" if own else look.tags or look.source.rpartition("/")[2],
            color=_color(look, bool(shown.dim[index])),
            icon_color="prefab" if look.prefab else "text_dim", selected=handle in game.selection, focused=focused,
            buttons=() if own else self._buttons(editor, game, look, handle),
        )  # fmt: skip
        if own:
            with ui.inside(index):
                self._rename(ui, editor, game, handle, use)
            return use
        dragging.offer(ui, editor, self, handle)
        dragging.take(ui, editor, self, handle, depth=depth, opened=arrow == 1)
        self._use(ui, editor, game, shown, index, use)
        return use

    def _buttons(self, editor: Editor, game: Game, look: RowLabel, handle: int) -> list[RowButton]:
        """Return the small buttons of a row."""
        tr, locked = editor.tr, handle in game.locked
        if look.source:
            return [RowButton("source", icons.LOCK, tr("Spawned by {path}", path=look.source), True)]
        lock = RowButton("lock", icons.LOCK if locked else icons.UNLOCK,
                         tr("Unlock: the scene view selects it again") if locked
                         else tr("Lock: the scene view does not select it"), locked)  # fmt: skip
        if look.visible is None:
            return [lock]
        eye = RowButton("eye", icons.EYE if look.visible else icons.EYE_SLASH,
                        tr("Hide") if look.visible else tr("Show"), not look.visible)  # fmt: skip
        return [lock, eye]

    def _use(self, ui: UI, editor: Editor, game: Game, shown: Shown, index: int, use: RowUse) -> None:
        """Apply what the user does with a row."""
        handle = int(shown.handles[index])
        if use.arrow:
            self.tree.open(self._below(handle) if ui.alt else [handle], shown.arrows[index] != 1)
        elif use.button == "eye":
            editor.later(lambda: menu.hide(editor, [handle]))
        elif use.button == "lock":
            game.lock([handle], handle not in game.locked)
        elif use.double:
            self.select(editor, [handle], handle)
            editor.later(lambda: "view.frame" in editor.commands and editor.run("view.frame"))
        elif use.clicked:
            self._click(ui, editor, game, shown, handle)
        elif use.context and handle not in game.selection:
            self.select(editor, [handle], handle)

    def _click(self, ui: UI, editor: Editor, game: Game, shown: Shown, handle: int) -> None:
        """Select by a click: Ctrl toggles, Shift selects all rows from the last clicked one, both together add them."""
        chosen = game.selection.handles
        if ui.shift and self.anchor:
            start, end = shown.index_of(self.anchor), shown.index_of(handle)
            part = shown.between(start if start >= 0 else end, end)
            self.select(editor, [*chosen, *part] if ui.ctrl else part, handle, anchor=self.anchor)
        elif ui.ctrl:
            remaining = [each for each in chosen if each != handle]
            self.select(editor, remaining if len(remaining) < len(chosen) else [*chosen, handle], handle)
        else:
            self.select(editor, [handle], handle)

    def _below(self, handle: int) -> list[int]:
        """Return an entity and all below it."""
        order = self.tree.order
        assert order is not None
        row = int(order.rows_of([handle])[0])
        return order.handles[row : order.ends[row]].tolist()

    def _rename(self, ui: UI, editor: Editor, game: Game, handle: int, use: RowUse) -> None:
        """Draw the field for a new name; Enter and a click elsewhere take it, Escape leaves the old one."""
        focus = self._focus_name and editor.panels.focused == self.id
        new = ui.row_line("rename", self._text, use, focus=focus)
        self._focus_name = self._focus_name and not focus
        if new is not None:
            self._text = new
        if not ui.row_line_ended:
            return
        self.renaming = None
        before = game.name_of(handle) if self.labels.of(game, self._order(game), handle).named else ""
        text = self._text.strip()
        if ui.pressed("escape") or text == before:
            return
        try:
            with game.edit(editor.tr("Rename {name}", name=before or game.name_of(handle))):
                rename(game.app, handle, text)
        except RishError as error:
            editor.report(editor.tr("Rename"), error)


def _color(look: RowLabel, dim: bool) -> str:
    if dim or not look.named or look.visible is False or look.source:
        return "text_dim"
    return "prefab" if look.prefab and not look.part else "text"
