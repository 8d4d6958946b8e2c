"""The panel Plugins of the overlay: which plugins run, with buttons that change them at the next tick border."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rish_core import RishError, describe_error
from rish_reload import disable, enable, reload, surgery_of

from ..look import icons

if TYPE_CHECKING:
    from rish_core import App

    from ..session.editor import Editor
    from ..ui.ui import UI

_log = logging.getLogger("rish.editor")


class PluginsPanel:
    """A row for each plugin: its name, its state, and buttons to switch it and to load its code again."""

    id, title, icon, dock, order = "debug.plugins", "Plugins", "plugin", "bottom", 60
    open, in_game = False, True

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the last change and the rows."""
        assert editor.game is not None
        app, tr = editor.game.app, editor.tr
        operations = surgery_of(app.world).operations
        if operations:
            last = operations[-1]
            ui.text(f"{last}: {tr(last.state)}" + (f". {last.problem}" if last.problem is not None else ""), "dim")
        with ui.table("plugins", 3, lines=True, scrolls=True) as shown:
            if not shown:
                return
            ui.columns(180, 0.9, 70)
            for plugin in app.plugins.all:
                ui.row()
                ui.cell()
                ui.text(plugin.titled.replace("'", ""))
                ui.cell()
                why = app.plugins.aside.get(plugin.name)
                ui.text(tr("runs") if why is None else why, "dim")
                ui.cell()
                with ui.inside(plugin.name):
                    self._buttons(ui, editor, app, plugin.name, on=why is None)

    def _buttons(self, ui: UI, editor: Editor, app: App, name: str, *, on: bool) -> None:
        tip = editor.tr("Switch it off, and those that require it" if on else "Switch it on")
        if ui.icon_button(icons.PAUSE if on else icons.PLAY, "switch", tip):
            _change(disable if on else enable, app, name)
        ui.same_line(2)
        if ui.icon_button(icons.RELOAD, "reload", editor.tr("Load its code again")):
            _change(reload, app, name)


def _change(change: Callable[..., Any], app: App, name: str) -> None:
    """Ask for a change; log the reason if it is refused."""
    try:
        change(app, name, later=True)
    except RishError as error:
        _log.error("%s", error)
    except Exception as error:  # of the plugin's code
        _log.error("the code of plugin '%s' can't be loaded: %s", name, describe_error(error))
