"""The changes of a run: the edits of the user while the game was played, which can be kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...look import icons

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...session.game.play import Change
    from ...ui.ui import UI


class ChangesPanel:
    """The changes of the last run by entity and field, with the values before and after."""

    id, title, icon, dock, order, open = "editor.changes", "Changes of the Run", "override", "right", 90, False

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the list of changes and the buttons that keep or discard them."""
        tr, game, changes = editor.tr, editor.game, editor.kept
        if game is None or not changes:
            hint = tr("Change fields while the game is played; after Stop they are listed here")
            ui.empty(tr("No changes to keep"), hint, icons.OVERRIDE)
            return
        ui.text(tr("Stop has restored the edited state. Choose what to keep of your changes."), "dim", wrap=True)
        ui.space(4)
        chosen = sum(change.kept for change in changes)
        new = ui.checkbox(tr("All"), "all", chosen == len(changes), mixed=0 < chosen < len(changes))
        if new is not None:
            for change in changes:
                change.kept = new
        with ui.area("list", height=-ui.px(44)):
            self._list(ui, editor)
        ui.space(2)
        if ui.button(tr("Keep {count}", count=chosen), "keep", kind="primary", enabled=bool(chosen) and game.editing):
            editor.later(lambda: keep(editor))
        ui.same_line()
        if ui.button(tr("Discard"), "discard"):
            editor.later(lambda: _close(editor))

    def _list(self, ui: UI, editor: Editor) -> None:
        """Draw a heading for each entity, and its changed fields in aligned columns."""
        assert editor.game is not None
        with ui.table("changes", 4) as shown:
            if not shown:
                return
            ui.columns(0.56, 0.2, 16, 0.24)
            last = None
            for number, change in enumerate(sorted(editor.kept, key=lambda change: change.handle)):
                if change.handle != last:
                    last = change.handle
                    ui.row()
                    ui.cell()
                    ui.text(f"{icons.ENTITY}  {editor.game.name_of(change.handle)}", "bold")
                _draw_change(ui, number, change)


def _draw_change(ui: UI, number: int, change: Change) -> None:
    ui.row()
    ui.cell()
    new = ui.checkbox(f"{change.cls.__name__}.{change.field}", f"change{number}", change.kept)
    change.kept = change.kept if new is None else new
    style = "normal" if change.kept else "disabled"
    ui.cell()
    ui.text(_shown(change.before), "dim" if change.kept else "disabled", cut=True)
    ui.cell()
    ui.text(icons.FORWARD, "disabled")
    ui.cell()
    ui.text(_shown(change.after), style, cut=True)


def keep(editor: Editor) -> None:
    """Write the chosen changes into the edited game, as one step."""
    game = editor.game
    if game is None or not game.editing:
        return
    alive = [change for change in editor.kept if game.world.has(change.handle, change.cls)]
    game.play.keep(alive)
    count = sum(change.kept for change in alive)
    editor.note(editor.tr("{count} {count:change was|changes were} kept", count=count), "ok")
    _close(editor)


def _close(editor: Editor) -> None:
    editor.kept = []
    editor.panels.show("editor.changes", False)


def _shown(value: Any) -> str:
    """Return a value as a short text."""
    if isinstance(value, np.ndarray):
        return ", ".join(f"{part:.6g}" for part in value.ravel()[:4].tolist())
    if isinstance(value, float | np.floating):
        return f"{value:.6g}"
    return str(getattr(value, "name", value))[:60]
