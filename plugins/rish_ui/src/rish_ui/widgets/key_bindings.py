"""The widget with which the player changes keys: KeyBindings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rish_ecs import RishError

from ..components.widgets import KeyBindings
from ..painting.painter import inner
from ..preferences import Preferences, key_text
from ..themes import State
from .kind import Kind
from .scrolling import cut, row_height

if TYPE_CHECKING:
    from ..painting.painter import Painter
    from ..tree.context import Context
    from ..tree.node import Node

_PAD = "gamepad."
_RESET = "reset"
_HIDDEN = "ui_"
"""The prefix of actions that only operate widgets."""


class Row(NamedTuple):
    """An action with its keys. player: whose action it is; 0: all players share it."""

    player: int
    action: str
    keys: list[str]


class KeyBindingsKind(Kind):
    """A row for each action, and one that resets all keys. A row that was clicked waits for a key.

    ESCAPE leaves the keys as they are, BACKSPACE removes them. A key of a gamepad replaces those of gamepads, any other
    key those of keyboard and mouse.
    """

    component = KeyBindings
    name = "KeyBindings"
    styled_as = "List"
    focusable = True
    solid = True
    own_part = True

    def read(self, view: Any) -> Any:
        return int(view.player)

    def actions(self, node: Node, ui: Context) -> list[Row]:
        """Return the actions of the player; for player 0 those of each player, and then the shared ones."""
        preferences: Preferences = ui.world[Preferences]
        try:
            rows = [Row(node.values, action, keys) for action, keys in preferences.actions(node.values).items()]
        except RishError as error:
            ui.tell(node, str(error))
            return []
        if not node.values:
            shared = preferences.actions()
            players = range(1, preferences.players + 1)
            own = [(n, action) for n in players for action in preferences.actions(n) if action not in shared]
            rows[:0] = [Row(n, action, preferences.keys(action, n)) for n, action in own]
        return [row for row in rows if not row.action.startswith(_HIDDEN)]

    def _selected(self, node: Node, ui: Context) -> int:
        return min(ui.state.memory.setdefault("key rows", {}).get(node.entity, 0), len(self.actions(node, ui)))

    def measure(self, node: Node, ui: Context) -> tuple[float, float]:
        return 220.0, 420.0

    def height(self, node: Node, ui: Context, width: float) -> tuple[float, float]:
        return row_height(node, ui) * (len(self.actions(node, ui)) + 1), -1.0

    def moves(self, node: Node, ui: Context) -> Any:
        is_waiting = ui.state.capture == node.entity
        rows = self.actions(node, ui)
        return is_waiting, self._selected(node, ui), tuple((row.action, *row.keys) for row in rows)

    def paint(self, node: Node, painter: Painter, ui: Context) -> None:
        style = painter.background(node)
        painter.part.clip = painter.placed(*cut(node.clip, (node.x, node.y, node.w, node.h)))
        x, y, w, _ = inner(node, style)
        high, rtl = row_height(node, ui), ui.locales.right_to_left
        clashes = self._conflicts(node, ui)
        selected = self._selected(node, ui)
        actions = self.actions(node, ui)
        for k in range(len(actions) + 1):
            states = State.SELECTED * (k == selected and bool(node.states & State.FOCUSED))
            row = ui.theme.style("List", node.variant, "row", states)
            rect = (x, y + k * high, w, high)
            painter.plate(rect, row)
            left, _, right, _ = row.padding
            box = (x + left, rect[1], w - left - right, high)
            if k == len(actions):
                painter.text_in(ui.typeset(ui.fill(node, "$ui.controls.reset_all", {}), ui.look(row)), box, row)
                continue
            player, action, keys = actions[k]
            name = self.name_of(ui, action, player if not node.values else 0)
            painter.text_in(ui.typeset(name, ui.look(row)), box, row, 1.0 if rtl else 0.0)
            waiting = ui.state.capture == node.entity and k == selected
            words = ui.fill(node, "$ui.controls.press", {}) if waiting else self.keys_text(ui, keys)
            wrong = (player, action) in clashes and not waiting
            color = ui.theme.style("TextInput", "", "", int(State.INVALID)).edge if wrong else None
            text = ui.typeset(words or "-", ui.look(row, wrap=w * 0.6, lines=1))
            painter.text_in(text, box, row, 0.0 if rtl else 1.0, color=color)

    def ring(self, node: Node, ui: Context) -> tuple[float, float, float, float]:
        x, y, w, _ = inner(node, ui.calm(node))
        high = row_height(node, ui)
        return x, y + self._selected(node, ui) * high, w, high

    def _conflicts(self, node: Node, ui: Context) -> set[tuple[int, str]]:
        """Return the actions that share a key, with their player."""
        preferences: Preferences = ui.world[Preferences]
        players = {row.player for row in self.actions(node, ui)}
        return {(n, name) for n in players for names in preferences.conflicts(n).values() for name in names}

    def name_of(self, ui: Context, action: str, player: int = 0) -> str:
        """Return the name of an action: the text of `actions.NAME` if a language has it, or the name itself.

        player: added to the name; 0: not added.
        """
        key = f"actions.{action}"
        name = (
            ui.locales.text(ui.world, key) if ui.locales.has(ui.world, key) else action.replace("_", " ").capitalize()
        )
        return ui.locales.text(ui.world, "ui.controls.of_player", {"n": player, "action": name}) if player else name

    def keys_text(self, ui: Context, keys: list[str]) -> str:
        """Return the keys of an action as a text for people."""
        return "  ".join(key_text(key, ui.world) for key in keys)

    def move(self, node: Node, ui: Context, direction: str) -> bool:
        k = self._selected(node, ui) + {"up": -1, "down": 1}.get(direction, 0)
        if direction not in ("up", "down") or not 0 <= k <= len(self.actions(node, ui)):
            return False
        ui.state.memory["key rows"][node.entity] = k
        ui.repaint(node)
        return True

    def release(self, node: Node, ui: Context, x: float, y: float) -> None:
        left, top, w, h = inner(node, ui.calm(node))
        if left <= x < left + w and top <= y < top + h:
            k = int((y - top) / row_height(node, ui))
            if 0 <= k <= len(self.actions(node, ui)):
                ui.state.memory.setdefault("key rows", {})[node.entity] = k
                self.click(node, ui)

    def click(self, node: Node, ui: Context) -> None:
        if self._selected(node, ui) == len(self.actions(node, ui)):
            ui.send("Changed", node, text=_RESET)
        else:
            ui.state.capture = node.entity
        ui.repaint(node)

    def capture(self, node: Node, ui: Context, name: str) -> bool:
        ui.state.capture = 0
        ui.repaint(node)
        if name == "ESCAPE":
            return True
        player, action, keys = self.actions(node, ui)[self._selected(node, ui)]
        new_keys: list[str] = []
        if name not in ("BACKSPACE", "DELETE"):
            new_keys = [name, *(key for key in keys if key.startswith(_PAD) != name.startswith(_PAD))]
        ui.send("Changed", node, player, f"{action} = {' '.join(new_keys)}")
        return True

    def apply(self, node: Node, ui: Context, verb: str, value: float, text: str) -> Any:
        if verb != "Changed":
            return None
        action, _, keys = text.partition(" = ")
        try:
            if text == _RESET:
                ui.world[Preferences].reset_keys()
                return {}
            ui.world[Preferences].bind(action, keys.split(), int(value) or node.values)
        except RishError as error:
            ui.tell(node, str(error))
        return {}
