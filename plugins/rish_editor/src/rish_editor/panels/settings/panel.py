"""The settings of the user; each change takes effect at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...look import icons
from ...look.language import NAMES
from ...look.theme import THEMES
from ...session.settings import SYSTEM

if TYPE_CHECKING:
    from ...session.commands import Command
    from ...session.editor import Editor
    from ...ui.ui import UI

_SCALES = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
_THEMES = {"Dark": "Dark theme", "Light": "Light theme", "High contrast": "High contrast theme"}
_COMMAND = "code -g {file}:{line}"
_NOT_KEYS = ("Escape", "Backspace", "Delete")


class SettingsPanel:
    """Appearance, editing, files, and shortcuts."""

    id, title, icon, dock, order = "editor.settings", "Settings", "settings", "float", 100
    open, always, size = False, True, (560.0, 600.0)

    def __init__(self) -> None:
        self._find = ""
        self._waiting = ""

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw all settings."""
        tr = editor.tr
        sections: tuple[tuple[str, str, Callable[[UI, Editor], None]], ...] = (
            ("Appearance", "appearance", self._appearance),
            ("Scene view", "scene", self._scene),
            ("Files", "files", self._files),
            ("Shortcuts", "shortcuts", self._shortcuts),
        )
        for title, name, draw in sections:
            with ui.section(tr(title), name) as opened:
                if opened:
                    draw(ui, editor)
        ui.space(8)
        if ui.button(tr("Reset all settings"), "reset", icon=icons.RESET):
            _reset(editor)

    def _appearance(self, ui: UI, editor: Editor) -> None:
        settings, tr = editor.settings, editor.tr
        names = [tr(_THEMES.get(name, name)) for name in THEMES]
        with ui.property(tr("Theme"), "theme"):
            theme = ui.choice("theme", settings.theme, list(THEMES), labels=names)
        settings.theme = theme or settings.theme
        codes, labels = ["", *NAMES], [tr("As the system"), *NAMES.values()]
        with ui.property(tr("Language"), "language"):
            code = ui.choice("language", settings.language, codes, labels=labels)
        settings.language = settings.language if code is None else code
        steps = [f"{round(scale * 100)} %" for scale in _SCALES]
        with ui.property(tr("Scale"), "scale"):
            chosen = ui.choice("scale", f"{round(settings.scale * 100)} %", steps)
        if chosen is not None:
            settings.scale = _SCALES[steps.index(chosen)]
        tip = tr("Frames wait for the screen, without tearing")
        with ui.property(tr("Wait for the screen"), "vsync", tooltip=tip):
            vsync = ui.checkbox("", "vsync", settings.vsync, tooltip=tip)
        settings.vsync = settings.vsync if vsync is None else vsync

    def _scene(self, ui: UI, editor: Editor) -> None:
        settings, tr = editor.settings, editor.tr
        for label, name, unit in (
            ("Grid size", "grid", ""), ("Grid in space", "grid_3d", " m"), ("Angle step", "snap_angle", "°"),
            ("Scale step", "snap_scale", "×"),
        ):  # fmt: skip
            with ui.property(tr(label), name):
                new = ui.number(name, getattr(settings, name), low=0.01, high=4096.0, speed=0.1, form=f"%g{unit}")
            if new is not None:
                setattr(settings, name, round(new, 3))
        for label, name in (("Show grid", "show_grid"), ("Snap to grid", "snap")):
            with ui.property(tr(label), name):
                on = ui.checkbox("", name, getattr(settings, name))
            if on is not None:
                setattr(settings, name, on)

    def _files(self, ui: UI, editor: Editor) -> None:
        settings, tr = editor.settings, editor.tr
        tip = tr("Seconds between two copies for the case of a crash; 0 makes none")
        with ui.property(tr("Autosave"), "autosave", tooltip=tip):
            seconds = ui.number(
                "autosave", settings.autosave, low=0.0, high=600.0, speed=1.0, form="%.0f s", tooltip=tip
            )
        settings.autosave = settings.autosave if seconds is None else seconds
        labels = [tr("Text panel"), tr("Program of the system"), tr("Own command")]
        choices = ["", SYSTEM, settings.open_with if settings.open_with not in ("", SYSTEM) else _COMMAND]
        with ui.property(tr("Open sources in"), "open_by"):
            chosen = ui.choice("open_by", settings.open_with, choices, labels=labels)
        settings.open_with = settings.open_with if chosen is None else chosen
        description = tr("The command that opens a source file, with {file} and {line}", file="{file}", line="{line}")
        with ui.property(tr("Own command"), "open_with", tooltip=description):
            shown = "" if settings.open_with == SYSTEM else settings.open_with
            command = ui.line("open_with", shown, hint=_COMMAND, tooltip=description)
        settings.open_with = settings.open_with if command is None else command

    # Shortcuts

    def _shortcuts(self, ui: UI, editor: Editor) -> None:
        tr = editor.tr
        ui.fill()
        find = ui.line("find", self._find, hint=tr("Search commands"))
        self._find = self._find if find is None else find
        query = self._find.casefold()
        commands = [each for each in editor.commands if query in f"{tr(each.title)} {each.title} {each.id}".casefold()]
        with ui.table("keys", 3, lines=True) as shown:
            if shown:
                for command in commands:
                    with ui.inside(command.id):
                        self._shortcut(ui, editor, command)

    def _shortcut(self, ui: UI, editor: Editor, command: Command) -> None:
        tr, keys = editor.tr, editor.commands.keys
        ui.row()
        ui.cell()
        ui.caption(tr(command.title), "normal")
        clash = editor.commands.others_with(command.id)
        if clash:
            titles = ", ".join(tr(editor.commands[name].title) for name in clash)
            keys_now = editor.commands.shortcut(command.id)
            ui.text(tr("{keys} is already used by {command}", keys=keys_now, command=titles), "warning", wrap=True)
            ui.mark("clash")
        ui.cell()
        waits = self._waiting == command.id and editor.capture is not None
        label = tr("Press a key…") if waits else editor.commands.shown(command.id) or "—"
        tip = tr("Click, then press the new keys; Delete removes them, Escape keeps the old ones")
        if ui.button(label, "keys", active=waits, tooltip=tip, width=-1):
            self._waiting = command.id
            editor.capture = lambda pressed: _bind(editor, command, pressed)
        ui.cell()
        if command.id in keys and ui.icon_button(icons.RESET, "reset", tr("Reset to default")):
            del keys[command.id]


def _bind(editor: Editor, command: Command, pressed: str) -> None:
    """Set the shortcut of a command to the pressed keys."""
    if pressed == "Escape":
        return
    keys = editor.commands.keys
    keys[command.id] = "" if pressed in _NOT_KEYS else pressed
    if keys[command.id] == command.shortcut:
        del keys[command.id]


def _reset(editor: Editor) -> None:
    """Reset all settings of this panel to their defaults; layouts and recent games stay."""
    from ...session.settings import Settings

    usual, settings = Settings(), editor.settings
    for name in (
        "theme",
        "language",
        "scale",
        "vsync",
        "grid",
        "grid_3d",
        "snap",
        "show_grid",
        "snap_angle",
        "snap_scale",
        "autosave",
        "open_with",
    ):
        setattr(settings, name, getattr(usual, name))
    editor.commands.keys.clear()
