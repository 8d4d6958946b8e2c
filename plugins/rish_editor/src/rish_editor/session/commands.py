"""Commands: everything that a user can do, by name. Menus, toolbar, shortcuts and palette are views of them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from rish_core import UnknownName, describe_error

if TYPE_CHECKING:
    from .editor import Editor

_log = logging.getLogger("rish.editor")


class Cancelled(BaseException):
    """The user has cancelled long work, which has changed nothing. Only the code that began the work catches it."""


MODIFIERS = ("Ctrl", "Shift", "Alt")
Shortcut = tuple[frozenset[str], str]
"""The held modifiers and the key of a shortcut."""


def always(editor: Editor) -> bool:
    """Return True."""
    return True


@dataclass(frozen=True)
class Command:
    """Something that a user can do.

    id: a name that stays the same, such as `edit.undo`. title: in English. run: does it. icon: a name of `Icons`.
    shortcut: as in `Ctrl+Shift+S`. menu: the title of the menu that has it, or "". when: whether it can run now.
    checked: whether it is shown as switched on; None for commands without a state. tooltip: more about it. in_game:
    whether it is also there over a running game, by `rish run --debug`, which has no files, layouts and palette. label:
    what menus and the palette show now, in the user's language; None: the title. choices: further commands that a
    search in the palette finds now. entities: whether it acts on the selected entities, or selects some; its keys are
    then used only while a panel with `entities`, or none, has the keyboard focus.
    """

    id: str
    title: str
    run: Callable[[Editor], Any]
    icon: str = ""
    shortcut: str = ""
    menu: str = ""
    when: Callable[[Editor], bool] = always
    checked: Callable[[Editor], bool] | None = None
    tooltip: str = ""
    in_game: bool = False
    label: Callable[[Editor], str] | None = None
    choices: Callable[[Editor], Iterable[Command]] | None = None
    entities: bool = False


_SIGNS = {
    "Comma": ",", "Period": ".", "Slash": "/", "Backslash": "\\", "Semicolon": ";", "Apostrophe": "'", "Minus": "-",
    "Plus": "+", "Grave": "`", "Bracketleft": "[", "Bracketright": "]",
}  # fmt: skip
"""The character that is shown for a key, by its name in shortcuts."""


class Commands:
    """All commands by id, and their shortcuts.

    keys: shortcuts that the user has set, by command; "" for none. recent: the commands that were run last.
    """

    def __init__(self, keys: Mapping[str, str] | None = None) -> None:
        self.keys: dict[str, str] = dict(keys or {})
        self.recent: list[str] = []
        self._known: dict[str, Command] = {}
        self._failed: set[tuple[str, str]] = set()

    def replace(self, commands: Iterable[Command]) -> None:
        """Use these commands from now on."""
        self._known = {command.id: command for command in commands}
        self._failed.clear()

    def __iter__(self) -> Any:
        return iter(self._known.values())

    def __contains__(self, name: str) -> bool:
        return name in self._known

    def __getitem__(self, name: str) -> Command:
        command = self._known.get(name)
        if command is None:
            raise UnknownName(f"no command is called '{name}'", given=name, choices=self._known)
        return command

    def shortcut(self, name: str) -> str:
        """Return the shortcut of a command; "" if it has none."""
        return self.keys.get(name, self._known[name].shortcut if name in self._known else "")

    def shown(self, name: str) -> str:
        """Return the shortcut of a command as it is shown, such as `Ctrl+,`; "" if it has none."""
        *modifiers, key = self.shortcut(name).split("+")
        return "+".join([*modifiers, _SIGNS.get(key, key)])

    def tip(self, name: str, editor: Editor) -> str:
        """Return the tooltip of a command's button in the user's language, with the shortcut."""
        command, shortcut = self[name], self.shown(name)
        return editor.tr(command.tooltip or command.title) + (f"  ({shortcut})" if shortcut else "")

    def label(self, name: str, editor: Editor) -> str:
        """Return the label of a command in the user's language; it may depend on the state of the editor."""
        command = self[name]
        text = self._ask(name, "label", editor) if command.label is not None else None
        return text if isinstance(text, str) else editor.tr(command.title)

    def choices(self, name: str, editor: Editor) -> list[tuple[Command, str]]:
        """Return the `choices` of a command for searches in the palette, and the label of each."""
        command = self[name]
        if command.choices is None or not self.enabled(name, editor):
            return []
        return self._ask(name, "choices", editor, _labeled) or []

    def enabled(self, name: str, editor: Editor) -> bool:
        """Return whether a command can run now."""
        return bool(self._ask(name, "when", editor))

    def checked(self, name: str, editor: Editor) -> bool:
        """Return whether a command is shown as switched on."""
        return self[name].checked is not None and bool(self._ask(name, "checked", editor))

    def _ask(
        self, name: str, what: str, editor: Editor, read: Callable[[Any, Editor], Any] = lambda found, _: found
    ) -> Any:  # fmt: skip
        """Call a function of a command that is called in each frame; an exception is logged once, and None is
        returned."""
        try:
            return read(getattr(self[name], what)(editor), editor)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if (name, what) not in self._failed:
                self._failed.add((name, what))
                _log.error("command '%s': `%s` failed: %s", name, what, describe_error(error))
            return None

    def run(self, name: str, editor: Editor) -> bool:
        """Run a command if it can run now; return whether it did. Its errors are shown, not raised."""
        command = self[name]
        if not self.enabled(name, editor):
            return False
        self.recent = [name, *(other for other in self.recent if other != name)][:20]
        title = editor.tr(command.title)
        try:
            with editor.working(title):
                command.run(editor)
        except KeyboardInterrupt:
            raise
        except Cancelled:
            editor.note_cancelled(title)
            return False
        except BaseException as error:
            editor.report(title, error, command.run)
            return False
        return True

    def others_with(self, name: str) -> list[str]:
        """Return the other commands with the same shortcut; the first of them that can run is run by its keys."""
        shortcut = parse_shortcut(self.shortcut(name))
        return [
            other
            for other in self._known
            if other != name and shortcut and parse_shortcut(self.shortcut(other)) == shortcut
        ]

    def bound_to(self, modifiers: frozenset[str], key: str) -> list[Command]:
        """Return the commands of a pressed key."""
        shortcut = modifiers, key
        return [command for command in self._known.values() if parse_shortcut(self.shortcut(command.id)) == shortcut]


def _labeled(commands: Iterable[Command], editor: Editor) -> list[tuple[Command, str]]:
    return [(each, each.title if each.label is None else each.label(editor)) for each in commands]


@cache
def parse_shortcut(text: str) -> Shortcut | None:
    """Return modifiers and key of a text such as `Ctrl+Shift+S`; None if it is no shortcut."""
    *modifiers, key = [part.strip() for part in text.replace("++", "+Plus").split("+")]
    names = {name.lower(): name for name in MODIFIERS}
    if not (key.isalnum() or len(key) == 1) or any(part.lower() not in names for part in modifiers):
        return None
    return frozenset(names[part.lower()] for part in modifiers), key.capitalize() if len(key) > 1 else key.upper()


def show_shortcut(modifiers: frozenset[str], key: str) -> str:
    """Return the text of a shortcut."""
    return "+".join([*(name for name in MODIFIERS if name in modifiers), key])
