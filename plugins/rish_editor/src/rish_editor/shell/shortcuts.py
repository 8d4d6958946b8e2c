"""Shortcuts: which command a pressed key runs, and when a key belongs to a text field, a panel or the game instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from ..session.commands import show_shortcut
from ..ui.keys import MODIFIERS, key_name
from ..ui.widgets.popups import close_popups, dialogue_open, popups

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..ui.host import Host

_MODIFIER_NAMES = {"ctrl": "Ctrl", "super": "Ctrl", "shift": "Shift", "alt": "Alt"}
_PLAY_KEYS = ("F5", "F6", "F7", "F8")
"""The keys that run commands although the game has the keyboard focus."""
_TEXT_KEYS = frozenset(
    ("A", "C", "V", "X", "Y", "Z", "Left", "Right", "Up", "Down", "Home", "End", "Pageup", "Pagedown", "Enter", "Tab",
     "Backspace", "Delete", "Insert", "Space", "Escape")
)  # fmt: skip
"""The keys with Ctrl or Alt that a text field uses."""


class Shortcuts:
    """Runs commands by pressed keys. host: knows whether a text field has the keyboard focus."""

    def __init__(self, editor: Editor, host: Host) -> None:
        self._editor, self._host = editor, host

    def press(self, code: int, modifiers: int) -> bool:
        """Run the command of a pressed key; return whether the key was used.

        While the game has the keyboard focus, only keys with Ctrl and those of playing are used, and below a dialogue
        none. In a text field, and while a popup or menu is open, only keys are used that neither type nor edit a text:
        the text is entered and the popups are closed first. A panel that has the keyboard focus keeps its `keys`, and
        in one that shows no entities, commands for entities have none. While a button of the mouse is held, the keys
        belong to the drag, as in flying.
        """
        editor, name = self._editor, key_name(code)
        if name is None:
            return False
        if name == "Escape" and editor.game is not None and editor.game.waits:
            editor.game.stop_waiting()
            return True
        modifier_names = frozenset(_MODIFIER_NAMES[word] for bit, word in MODIFIERS.items() if modifiers & bit)
        if editor.capture is not None:
            capture, editor.capture = editor.capture, None
            editor.later(lambda: capture(show_shortcut(modifier_names, name)))
            return True
        if editor.input.focused and "Ctrl" not in modifier_names and name not in _PLAY_KEYS:
            return False
        if imgui.is_any_mouse_down() and not editor.input.focused:
            return False
        if editor.dialogs.open or dialogue_open() or show_shortcut(modifier_names, name) in editor.panels.keys:
            return False
        typing = self._host.typing
        if (typing and name in _TEXT_KEYS) or ((typing or popups()) and _is_plain(modifier_names, name)):
            return False
        if editor.panels.typing and len(name) == 1 and not modifier_names & {"Ctrl", "Alt"}:
            return False
        on_entities = editor.panels.entities
        bound = [each.id for each in editor.commands.bound_to(modifier_names, name) if on_entities or not each.entities]
        if bound and typing:
            imgui.internal.clear_active_id()  # the field writes its text in the next frame, or after it
            editor.later(lambda: editor.later(lambda: self._run(bound)))
            return True
        return self._run(bound)

    def _run(self, commands: list[str]) -> bool:
        """Run the first of some commands that can run now, after all popups are closed; return whether there is one."""
        editor = self._editor
        for command in commands:
            if editor.commands.enabled(command, editor):
                close_popups()
                editor.run(command)
                return True
        return False


def _is_plain(modifiers: frozenset[str], name: str) -> bool:
    """Return whether a key without Ctrl or Alt edits or moves the caret in a text field, as a letter, Delete or an
    arrow."""
    return not modifiers & {"Ctrl", "Alt"} and not (name[0] == "F" and name[1:].isdigit())
