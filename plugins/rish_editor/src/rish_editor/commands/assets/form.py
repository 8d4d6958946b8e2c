"""The form that makes a new asset: the kinds on the left; the name, the folder and what is written on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...look import icons
from ...session.files.templates import Template, read_others, templates_of
from ..targets import the_game
from .creation import make_asset, missing_plugins, places, problem
from .writing import folders_of, shown_folder

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...ui.ui import UI

_LIST, _HEIGHT = 210.0, 330.0


class NewAsset:
    """Asks for kind and name of a new asset. kind: the id of the template that is chosen at first, "" for the first
    one. folder: to write it into, None for the one that the panel Assets shows. name: "" for a proposed one.
    """

    width = 680.0

    def __init__(self, editor: Editor, kind: str = "", folder: str | None = None, name: str = "") -> None:
        self.title = editor.tr("New asset")
        game = the_game(editor)
        read_others(game.app.registry)
        self._folder = shown_folder(editor) if folder is None else folder
        self._folders = folders_of(game.path)
        self._search = ""
        self._use = len(game.selection) > 0
        self._open = True
        self._wrong = ""
        self._checked: tuple[Any, str | None] = (None, "")
        kinds = self._kinds = [each for each in templates_of(game.app.registry) if each.when(editor)]
        self._choose(editor, next((each for each in kinds if each.id == kind), kinds[0]))
        self._name = name or self._name

    def _choose(self, editor: Editor, kind: Template) -> None:
        """Choose a kind and propose a name that is free."""
        self._kind, self._wrong, self._fresh = kind, "", True
        self._name, number = kind.name, 2
        while problem(editor, kind, kind.spelled(self._name), self._folder) and number < 100:
            self._name, number = f"{kind.name}{number}", number + 1

    def draw(self, ui: UI, editor: Editor) -> bool:
        """Draw the form; return whether it is done."""
        if editor.game is None:
            return True
        with ui.group():
            self._list(ui, editor)
        ui.same_line(14)
        with ui.area("right", height=ui.px(_HEIGHT), fields=True):
            self._fields(ui, editor)
        tr, name = editor.tr, self._kind.spelled(self._name)
        inputs = (self._kind.id, name, self._folder)
        if self._checked[0] != inputs:  # it looks at folders, so not in each frame
            self._checked = inputs, problem(editor, self._kind, name, self._folder)
        wrong = self._checked[1]
        if wrong or self._wrong:
            ui.text(wrong or self._wrong, "error", wrap=True)
        ui.space(4)
        fits = wrong is None
        if ui.button(tr("Create"), "create", kind="primary", enabled=fits) or (fits and ui.confirmed):
            error = make_asset(
                editor, self._kind, name, self._folder, use=self._uses(editor), opened=self._open and self._is_code
            )
            self._wrong = error or ""
            return error is None
        ui.same_line()
        return ui.button(tr("Cancel"), "cancel")

    @property
    def _is_code(self) -> bool:
        return bool(self._kind.file) and not self._kind.file.endswith("/")

    def _uses(self, editor: Editor) -> bool:
        return self._use and bool(self._kind.add) and len(the_game(editor).selection) > 0

    def _list(self, ui: UI, editor: Editor) -> None:
        tr = editor.tr
        typed = ui.line("search", self._search, hint=f"{icons.SEARCH}  {tr('Search')}", width=ui.px(_LIST))
        self._search = self._search if typed is None else typed
        with ui.area("kinds", ui.px(_LIST), ui.px(_HEIGHT) - ui.row_height - ui.px(8), border=True, fields=True):
            word = self._search.strip().casefold()
            shown = [each for each in self._kinds if word in f"{tr(each.title)} {each.title}".casefold()]
            for kind in shown:
                lacking = missing_plugins(editor, kind)
                label = f"{icons.by_name(kind.icon, icons.FILE)}  {tr(kind.title)}"
                if ui.selectable(label, f"kind:{kind.id}", kind.id == self._kind.id):
                    self._choose(editor, kind)
                ui.tooltip(tr("Adds the plugin {name} to the game", name=", ".join(lacking)) if lacking else "")
            if not shown:
                ui.text(tr("Nothing is called so"), "dim")
            if typed is not None and shown and self._kind not in shown:
                self._choose(editor, shown[0])
                self._fresh = False  # the search keeps the keyboard

    def _fields(self, ui: UI, editor: Editor) -> None:
        tr, kind = editor.tr, self._kind
        ui.text(f"{icons.by_name(kind.icon, icons.FILE)}  {tr(kind.title)}", "title")
        if kind.about:
            ui.text(tr(kind.about), "dim", wrap=True)
        ui.space(4)
        ui.text(tr("Name"), "section")
        ui.fill()
        name = ui.line("name", self._name, focus=self._fresh)
        self._name, self._fresh = self._name if name is None else name, False
        if self._is_code and not kind.fixed:
            ui.text(tr("Folder"), "section")
            folder = ui.suggest("folder", self._folder, self._folders, hint=the_game(editor).path.name)
            self._folder = self._folder if folder is None else folder.strip().strip("/")
        ui.text(tr("Writes"), "section")
        spelled = kind.spelled(self._name)
        for place in places(editor, kind, spelled, self._folder) if spelled else ():
            ui.text(place, "mono", wrap=True)
        ui.space(4)
        if kind.add and len(the_game(editor).selection):
            use = ui.checkbox(tr("Add to {name}", name=self._chosen(editor)), "use", self._use)
            self._use = self._use if use is None else use
        if self._is_code:
            opened = ui.checkbox(tr("Open it afterwards"), "open", self._open)
            self._open = self._open if opened is None else opened

    def _chosen(self, editor: Editor) -> str:
        game = the_game(editor)
        handles = game.selection.handles
        return (
            game.name_of(handles[0])
            if len(handles) == 1
            else editor.tr("{count} {count:entity|entities}", count=len(handles))
        )
