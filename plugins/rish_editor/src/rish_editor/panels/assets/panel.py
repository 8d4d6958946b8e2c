"""The panel of files: folders on the left, their content as tiles or rows on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_core import Prefabs

from ...commands.assets import DuplicateAsset, new_asset
from ...commands.entities import creating
from ...look import icons
from . import menu, renaming
from .files import Files, Item

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...session.game.game import Game
    from ...ui.ui import UI
    from ...ui.widgets.rows import RowUse

PREFABS = "prefab:"
"""The folder of the prefabs of the manifest, which is no folder on the disk."""
_TREE, _NARROW = 180.0, 460.0
"""The width of the folders; and of the panel below which they are left out."""
SIDES = (56.0, 76.0, 104.0, 144.0)
"""The sizes of tiles."""


class AssetsPanel:
    """The game's files and prefabs, to look at and to drag into the scene, the hierarchy and the inspector."""

    id, title, icon, dock, order = "editor.assets", "Assets", "assets", "bottom", 20

    def __init__(self) -> None:
        self.files: Files | None = None
        self.folder = ""
        self.opened: set[str] = {""}
        self.chosen = ""
        self.search = ""
        self.tiles = True
        self.side = 1
        self.menu_of: Item | None = None
        self.renaming: renaming.Name | None = None
        self.game: Any = None
        self._made: Any = ()
        self._asked: Item | None = None

    def save(self) -> Any:
        """Return the data to save until the next start."""
        return {"tiles": self.tiles, "side": self.side}

    def load(self, data: Any) -> None:
        """Restore the data that `save` returned."""
        if isinstance(data, dict):
            self.tiles = data.get("tiles") is not False
            side = data.get("side")
            self.side = side if isinstance(side, int) and 0 <= side < len(SIDES) else 1

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw folders and files."""
        game = editor.game
        if game is None:
            ui.empty(editor.tr("No game is open"), editor.tr("Open a game or make a new one in the File menu"))
            return
        if self.game is not game or self.files is None:
            self.game, self.files = game, Files(game.path)
            self.folder, self.chosen, self.search, self.opened = "", "", "", {""}
            self.renaming, self._made = None, ()
        if self._made != game.project.files.made:
            self._made = game.project.files.made
            self.files.forget()
        self._bar(ui, editor)
        if ui.room[0] > ui.px(_NARROW):
            with ui.rows_area("folders", width=ui.px(_TREE)), ui.inside("folders"):
                self._folder_row(ui, editor, "", game.path.name, 0)
                self._prefab_row(ui, editor, game)
            ui.same_line(6)
        menu_item, self._asked = self._content(ui, editor, game) or self._asked, None
        if menu_item is not None:
            self.menu_of = menu_item
            ui.open_popup("file")
        menu.draw(ui, editor, self)
        if editor.panels.focused == self.id and not ui.typing:
            self._keys(ui, editor)

    def _keys(self, ui: UI, editor: Editor) -> None:
        """Rename, delete, duplicate the chosen file, and copy its path, by the keys for that."""
        item = Item(self.chosen, self.chosen.rpartition("/")[2], "file")
        if self.folder == PREFABS or not self.chosen or not renaming.can_change(item):
            return
        if ui.pressed("f2"):
            self.renaming = renaming.Name(self.chosen)
        elif ui.pressed("delete"):
            editor.later(lambda: renaming.ask_to_delete(editor, self, item.path))
        elif ui.ctrl and ui.pressed("d") and item.path != "game.yaml":
            editor.later(lambda: editor.dialogs.form(DuplicateAsset(editor, item.path)))
        elif ui.ctrl and ui.pressed("c"):
            editor.copy(item.path)

    def follow(self, old: str, new: str) -> None:
        """Show and choose a file under its new name. new: "" if it is gone."""
        if self.files is not None:
            self.files.forget()
        places = [self.folder, self.chosen, *self.opened]
        moved = [new + each[len(old) :] if each == old or each.startswith(f"{old}/") else each for each in places]
        self.folder, self.chosen, self.opened = moved[0], moved[1], {"", *moved[2:]}
        if new and self.chosen == new and not self.search and self.folder != PREFABS:
            self.go_to(new.rpartition("/")[0])
            self.chosen = new

    # Parts

    def _bar(self, ui: UI, editor: Editor) -> None:
        """Draw the path of the shown folder, and on the right the search field and the button for tiles or rows."""
        tr = editor.tr
        if ui.icon_button(icons.UP, "up", tr("Folder above"), enabled=bool(self.folder)):
            self.go_to("" if self.folder == PREFABS else self.folder.rpartition("/")[0])
        ui.same_line(6)
        parts = [tr("Prefabs")] if self.folder == PREFABS else [part for part in self.folder.split("/") if part]
        ui.text(" / ".join([self.game.path.name, *parts]), "dim")
        ui.same_line(10)
        if ui.button(tr("New…"), "new", icon=icons.PLUS, tooltip=tr("Make a part of the game from a template")):
            editor.later(lambda: new_asset(editor, "editor.prefab" if self.folder == PREFABS else ""))
        ui.same_line(4)
        if ui.button(tr("Import…"), "import", icon=icons.IMPORT, tooltip=tr("Copy files into this folder")):
            editor.run("assets.import")
        tail = ui.px(190) + 3 * ui.row_height
        ui.right(tail + ui.px(40))
        new = ui.line("search", self.search, hint=tr("Search files"), width=ui.px(190))
        self.search = self.search if new is None else new
        ui.same_line(4)
        if ui.icon_button(icons.ZOOM_OUT, "smaller", tr("Smaller pictures"), enabled=self.tiles and self.side > 0):
            self.side -= 1
        ui.same_line(2)
        if ui.icon_button(icons.ZOOM_IN, "larger", tr("Larger pictures"), enabled=self.tiles and self.side < 3):
            self.side += 1
        ui.same_line(2)
        icon, tip = (icons.HIERARCHY, "Show as a list") if self.tiles else (icons.GRID, "Show as tiles")
        if ui.icon_button(icon, "form", tr(tip)):
            self.tiles = not self.tiles

    def go_to(self, folder: str) -> None:
        """Show the content of a folder."""
        self.folder, self.search, self.chosen = folder, "", ""
        parts = folder.split("/")
        self.opened.update("/".join(parts[:end]) for end in range(len(parts)))

    def reveal(self, path: str) -> None:
        """Show the folder of a file, read again, and select the file."""
        if self.files is not None:
            self.files.forget()
        path = path.rstrip("/")
        if self.game is not None and (self.game.path / path).exists():
            self.go_to(path.rpartition("/")[0])
            self.chosen = path

    def _folder_row(self, ui: UI, editor: Editor, path: str, name: str, depth: int) -> None:
        assert self.files is not None
        inside = [item for item in self.files.items(path) if item.folder]
        opened = path in self.opened
        use = ui.tree_row(path or "game", name, depth=depth, arrow=opened if inside else None,
                          icon=icons.OPEN if opened and inside else icons.FOLDER, selected=self.folder == path,
                          focused=editor.panels.focused == self.id)  # fmt: skip
        self._take(ui, editor, path)
        if path:
            ui.drag_source("folder", path, f"{icons.FOLDER}  {name}")
        if use.arrow or use.double:
            (self.opened.discard if opened else self.opened.add)(path)
        elif use.clicked:
            self.go_to(path)
        elif use.context:
            self._asked = Item(path, name if path else "", "folder")
        if opened:
            for item in inside:
                self._folder_row(ui, editor, item.path, item.name, depth + 1)

    def _prefab_row(self, ui: UI, editor: Editor, game: Game) -> None:
        use = ui.tree_row("prefabs", editor.tr("Prefabs"), icon=icons.PREFAB, icon_color="prefab",
                          note=f"{len(self._prefabs(game)):,}", selected=self.folder == PREFABS,
                          focused=editor.panels.focused == self.id)  # fmt: skip
        if use.clicked:
            self.go_to(PREFABS)

    def _prefabs(self, game: Game) -> list[Item]:
        names = sorted(game.world[Prefabs].names, key=str.lower) if Prefabs in game.world else []
        return [Item(name, name, "prefab") for name in names]

    def shown(self, game: Game) -> list[Item]:
        """Return the files of the folder, or those that the search has found."""
        assert self.files is not None
        if self.folder == PREFABS:
            return [item for item in self._prefabs(game) if self.search.lower() in item.name.lower()]
        return self.files.find(self.search.strip()) if self.search.strip() else self.files.items(self.folder)

    def _content(self, ui: UI, editor: Editor, game: Game) -> Item | None:
        """Draw the files; return the one that was right-clicked, the folder itself for the empty part."""
        menu_item = None
        items = self.shown(game)
        side = ui.px(SIDES[self.side])
        with ui.rows_area("files"), ui.inside("files"):
            if not items:
                self._nothing(ui, editor)
            across = max(1, int(ui.room[0] // (side + ui.px(8)))) if self.tiles else 1
            height = ui.tile_height(side) if self.tiles else ui.row_height
            for line in ui.visible_rows(-(-len(items) // across), height):
                for number, item in enumerate(items[line * across : (line + 1) * across]):
                    if number:
                        ui.same_line(8)
                    use = self._tile(ui, editor, item, side) if self.tiles else self._row(ui, editor, item)
                    if self._use(ui, editor, item, use):
                        menu_item = item
            rest = ui.rest_of_rows("empty")
            if rest.clicked:
                self.chosen = ""
            if rest.context:
                menu_item = Item("", "", "folder") if self.folder == PREFABS else Item(self.folder, "", "folder")
        return menu_item

    def _nothing(self, ui: UI, editor: Editor) -> None:
        tr = editor.tr
        if self.search:
            ui.empty(tr("No file fits the search"), tr("Clear the search to see all files"), icons.SEARCH)
        elif self.folder == PREFABS:
            hint = tr("Make one with New…, or of an entity with its menu in the hierarchy")
            ui.empty(tr("The game has no prefabs"), hint, icons.PREFAB)
        else:
            ui.empty(tr("This folder is empty"), tr("Drop files here, or use New… and Import…"), icons.FOLDER)

    def _take(self, ui: UI, editor: Editor, folder: str) -> None:
        """Accept files and folders that are dropped onto the folder that was drawn last."""
        drop = ui.row_drop(("asset", "folder"), between=False)
        if drop is not None and drop.delivered:
            editor.later(lambda: renaming.into(editor, self, drop.payload, folder))

    def _tile(self, ui: UI, editor: Editor, item: Item, side: float) -> RowUse:
        picture = editor.thumbnails.get(item.path) if item.kind == "image" else None
        own = self.renaming is not None and self.renaming.path == item.path
        use = ui.tile(item.path, "" if own else item.name, side, icon=icons.by_name(item.kind, icons.FILE),
                      picture=picture, icon_color=_color(item), selected=self.chosen == item.path,
                      focused=editor.panels.focused == self.id)  # fmt: skip
        self._name(ui, editor, item, use, side)
        return use

    def _name(self, ui: UI, editor: Editor, item: Item, use: RowUse, width: float = 0.0) -> None:
        """Draw the field for a new name over a file that is renamed, otherwise offer it to be dragged."""
        if self.renaming is not None and self.renaming.path == item.path:
            with ui.inside(item.path):
                self.renaming.draw(ui, editor, self, use, width)
            return
        if item.folder:
            self._take(ui, editor, item.path)
        kind = item.kind if item.kind in ("prefab", "folder") else "asset"
        ui.drag_source(kind, item.path, f"{icons.by_name(item.kind, icons.FILE)}  {item.name}")
        ui.tooltip(item.path)

    def _row(self, ui: UI, editor: Editor, item: Item) -> RowUse:
        name = item.path if self.search and self.folder != PREFABS else item.name
        own = self.renaming is not None and self.renaming.path == item.path
        use = ui.tree_row(item.path, "" if own else name, icon=icons.by_name(item.kind, icons.FILE),
                          icon_color=_color(item), selected=self.chosen == item.path,
                          focused=editor.panels.focused == self.id)  # fmt: skip
        self._name(ui, editor, item, use)
        return use

    def _use(self, ui: UI, editor: Editor, item: Item, use: RowUse) -> bool:
        """Apply what the user does with the row of a file; return whether its menu was opened."""
        if use.clicked or use.double or use.context:
            self.chosen = item.path
        if use.double:
            self.open_item(editor, item)
        return use.context

    def open_item(self, editor: Editor, item: Item) -> None:
        """Open an item: show a folder, spawn a prefab, or open another file than a picture in its program."""
        if item.folder:
            self.go_to(item.path)
        elif item.kind == "prefab":
            editor.later(lambda: creating.spawn_prefab_here(editor, item.path))
        elif item.kind != "image":
            editor.open_source(self.game.path / item.path)


def _color(item: Item) -> str:
    return {"folder": "text_accent", "prefab": "prefab"}.get(item.kind, "text_dim")
