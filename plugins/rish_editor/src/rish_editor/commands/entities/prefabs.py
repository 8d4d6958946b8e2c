"""Commands that make a prefab from an entity, and plain entities from a use of a prefab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_authoring import make_prefab, unpack
from rish_core import Origin, Prefabs, RishError

from ..targets import has_selection, in_order, step_name, the_game

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...ui.ui import UI


class MakePrefab:
    """The form that asks for the name of a new prefab, which is made from an entity."""

    width = 420.0

    def __init__(self, editor: Editor, handle: int) -> None:
        self.title = editor.tr("Make a prefab of {name}", name=the_game(editor).name_of(handle))
        self._handle = handle
        self._name = _suggested(editor, handle)
        self._wrong = ""

    def draw(self, ui: UI, editor: Editor) -> bool:
        """Draw the form; return whether it is done."""
        tr = editor.tr
        explanation = tr("The entity and all below it become a prefab, and a use of it stays in its place.")
        ui.text(explanation, "dim", wrap=True)
        ui.space(4)
        ui.fill()
        name = ui.line("name", self._name, focus=ui.appearing)
        self._name = self._name if name is None else name
        if self._wrong:
            ui.text(self._wrong, "error", wrap=True)
        ui.space(6)
        fits = bool(self._name.strip())
        if ui.button(tr("Make Prefab"), "make", kind="primary", enabled=fits) or (fits and ui.confirmed):
            return self._make(editor)
        ui.same_line()
        return ui.button(tr("Cancel"), "cancel")

    def _make(self, editor: Editor) -> bool:
        game, name = the_game(editor), self._name.strip()
        try:
            with game.edit(editor.tr("Make Prefab {name}", name=name)):
                make_prefab(game.project, self._handle, name)
        except RishError as error:
            self._wrong = str(error)
            return False
        editor.note(editor.tr("The prefab {name} is made", name=name), "ok")
        return True


def _suggested(editor: Editor, handle: int) -> str:
    """Return the entity's name as that of a prefab; with a number if it is taken."""
    game = the_game(editor)
    base = game.name_of(handle).strip("#").lower().replace(" ", "_")
    base = base if base.isidentifier() else "prefab"
    used_names, name, number = set(game.world[Prefabs].names), base, 2
    while name in used_names:
        name, number = f"{base}_{number}", number + 1
    return name


def _ask(editor: Editor) -> None:
    primary = the_game(editor).selection.primary
    assert primary is not None
    editor.dialogs.form(MakePrefab(editor, primary))


def _one(editor: Editor) -> bool:
    return editor.game is not None and editor.game.editing and len(editor.game.selection) == 1


def _unpack(editor: Editor) -> None:
    game = the_game(editor)
    chosen = [each for each in in_order(game) if game.world.has(each, Origin)]
    with game.edit(step_name(editor, "Unpack", chosen)):
        for handle in chosen:
            unpack(game.app, handle)


def _uses(editor: Editor) -> bool:
    if not has_selection(editor):
        return False
    game = the_game(editor)
    return game.editing and bool((game.world.table(Origin).lookup(game.selection.array) >= 0).any())


COMMANDS: dict[str, dict[str, Any]] = {
    "entity.make_prefab": {
        "title": "Make Prefab…", "run": _ask, "when": _one, "icon": "prefab", "menu": "Entity#prefab",
        "entities": True, "tooltip": "Write the entity as a prefab of the game",
    },
    "entity.unpack": {
        "title": "Unpack Prefab", "run": _unpack, "when": _uses, "icon": "unlink", "menu": "Entity#prefab",
        "entities": True, "tooltip": "Make the entity independent of its prefab",
    },
}  # fmt: skip
