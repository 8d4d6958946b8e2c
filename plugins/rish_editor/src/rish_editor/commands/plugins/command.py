"""The command that switches on a plugin, with the plugins and their components as choices in the palette."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...session.commands import Command
from ..entities.creating import take_offer
from ..targets import edits, the_game
from .switching import label_of, switch_on

if TYPE_CHECKING:
    from ...session.editor import Editor


def _choices(editor: Editor) -> Iterator[Command]:
    """Yield the plugins that can be switched on, and their components, which the selected entities get."""
    offers = [*editor.catalog.offers(the_game(editor).app).values()]
    for plugin in dict.fromkeys(offer.plugin for offer in offers):
        title = editor.tr("Switch on {plugin}", plugin=plugin)
        yield Command(f"plugin:{plugin}", title, lambda editor, plugin=plugin: _switch_on(editor, plugin), "plugin")
    for offer in offers:
        label = label_of(editor, offer.component, offer)
        yield Command(
            f"component:{offer.component}", offer.component,
            lambda editor, offer=offer: take_offer(editor, offer, the_game(editor).selection.handles), "component",
            label=lambda editor, label=label: label,
        )  # fmt: skip


def _switch_on(editor: Editor, plugin: str) -> None:
    with the_game(editor).edit(editor.tr("Switch on {plugin}", plugin=plugin)):
        switch_on(editor, plugin)


def _ask(editor: Editor) -> None:
    editor.palette.open(editor.tr("Switch on {plugin}", plugin=""))


COMMANDS: dict[str, dict[str, Any]] = {
    "file.plugin": {
        "title": "Switch On a Plugin…", "run": _ask,
        "icon": "plugin", "menu": "File#game", "when": edits, "choices": _choices,
    },
}  # fmt: skip
