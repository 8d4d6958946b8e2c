"""The layer of the plugin: receives the events of the window, uses those for widgets, and sends commands.

It is a layer of a tool: it runs when the window reports an event and changes no state of the game. Each operation of a
widget is a command in the input of the next tick, so a recording contains it, and a replay needs no such layer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_core import Input
from rish_frame import DeviceRequests
from rish_frame.paint.writing import text_in_one_line, typed_text

from ..tree.context import Context
from ..tree.state import MODIFIERS, Repeat, UiState
from . import focusing, pointing, scrolling

if TYPE_CHECKING:
    from rish_core import WindowEvent
    from rish_ecs import World

    from ..tree.node import Node, Root

KEYS = {
    "UP": "up", "DOWN": "down", "LEFT": "left", "RIGHT": "right", "TAB": "next", "ENTER": "accept", "RETURN": "accept",
    "SPACE": "accept", "ESCAPE": "cancel",
    "gamepad.dpad_up": "up", "gamepad.dpad_down": "down", "gamepad.dpad_left": "left", "gamepad.dpad_right": "right",
    "gamepad.a": "accept", "gamepad.b": "cancel", "gamepad.lb": "previous", "gamepad.rb": "next",
}  # fmt: skip
"""What keys and buttons do in a screen that takes keys; actions of a game such as `ui_up` add others."""
PAD = {
    "NUM_UP": "UP", "NUM_DOWN": "DOWN", "NUM_LEFT": "LEFT", "NUM_RIGHT": "RIGHT", "NUM_HOME": "HOME", "NUM_END": "END",
    "NUM_PAGE_UP": "PAGEUP", "NUM_PAGE_DOWN": "PAGEDOWN", "NUM_DELETE": "DELETE", "NUM_TAB": "TAB",
    "NUM_SPACE": "SPACE", "NUM_ENTER": "ENTER",
}  # fmt: skip
"""The keys that those of the number pad replace without NumLock."""
WORDS = ("up", "down", "left", "right", "accept", "cancel", "next", "previous")
AXES = {"gamepad.left_x": ("left", "right"), "gamepad.left_y": ("down", "up")}
_PUSHED, _EASED = 0.55, 0.35
_REPEATED = ("up", "down", "left", "right", "next", "previous")
_PRESSES = ("key", "mouse_button", "touch", "gamepad_button")
_EDITING = ("BACKSPACE", "DELETE", "LEFT", "RIGHT", "gamepad.x", "gamepad.lb", "gamepad.rb")


def on_event(world: World, event: WindowEvent) -> bool:
    """Handle an event of the window; return whether it is used up."""
    state: UiState = world[UiState]
    if not state.tree.roots:
        return False
    ui = Context(world, state)
    if ui.setter is None:
        return False
    ui.device = event.device
    if event.kind in _PRESSES or abs(event.value) > _PUSHED:
        state.gamepad = event.kind in ("gamepad_button", "gamepad_axis")
    if state.capture and _captured(ui, event):
        return True
    handler = _HANDLERS.get(event.kind)
    return handler(ui, event) if handler is not None else False


def _captured(ui: Context, event: WindowEvent) -> bool:
    """Give a key, button or push of a stick to the widget that waits for one; return whether the event is used."""
    node = ui.state.tree.nodes.get(ui.state.capture)
    if node is None or not node.shown:
        ui.state.capture = 0
        return False
    if event.kind == "gamepad_axis":
        if abs(event.value) < _PUSHED:
            return True
        return node.kind.capture(node, ui, event.name + ("+" if event.value > 0 else "-"))
    if event.kind in ("key", "mouse_button", "gamepad_button"):
        return event.down and node.kind.capture(node, ui, event.name)
    return event.kind in ("text", "scroll")


def _at(ui: Context, event: WindowEvent) -> tuple[float, float]:
    return event.x / ui.unit, event.y / ui.unit


def _mouse_move(ui: Context, event: WindowEvent) -> bool:
    x, y = _at(ui, event)
    if pointing.drag(ui, 0, x, y):
        ui.state.pointer = x, y
        return True
    pointing.hover(ui, x, y)
    return pointing.blocked(ui)


def _mouse_button(ui: Context, event: WindowEvent) -> bool:
    x, y = _at(ui, event)
    if not event.down:
        return event.name == "mouse.left" and pointing.release(ui, 0, x, y)
    if event.name != "mouse.left":
        return pointing.node_at(ui, x, y) is not None or pointing.blocked(ui)
    ui.state.shows_focus = False
    pointing.hover(ui, x, y)
    return pointing.press(ui, 0, x, y, touch=bool(ui.state.touches))


def _scroll(ui: Context, event: WindowEvent) -> bool:
    return pointing.wheel(ui, event.x, event.y)


def _touch(ui: Context, event: WindowEvent) -> bool:
    """Handle a finger. The first one is the mouse as well, whose events follow; others are pointers of their own."""
    touches = ui.state.touches
    x, y = _at(ui, event)
    if event.down:
        touches.append(event.touch)
        return len(touches) > 1 and pointing.press(ui, event.touch, x, y, touch=True)
    if event.touch in touches:
        touches.remove(event.touch)
    pointing.release(ui, event.touch, x, y)
    return False


def _touch_move(ui: Context, event: WindowEvent) -> bool:
    return pointing.drag(ui, event.touch, *_at(ui, event))


def _key(ui: Context, event: WindowEvent) -> bool:
    state = ui.state
    if event.name in MODIFIERS:
        (state.modifiers.add if event.down else state.modifiers.discard)(event.name)
    if not event.down:
        state.repeats.pop(f"{event.device}:{event.name}", None)
        return False
    is_used = press_key(ui, event.name)
    if not is_used and any(root.opens_by and opens(ui, root.opens_by, event.name) for root in state.tree.roots):
        ui.settle()
    return is_used


def press_key(ui: Context, name: str) -> bool:
    """Use a key or button that went down, or is repeated; return whether it is used."""
    ui.key = key = PAD.get(name, name)
    root = focusing.root_for_keys(ui, ui.player())
    if root is None:
        return False
    node = focusing.focused(ui, root)
    word = word_of(ui, name)
    if root.opens_by and opens(ui, root.opens_by, name) and not (node is not None and node.kind.holds_text):
        word = "cancel"
    if node is not None and (node.kind.holds_text or word is None) and node.kind.key(node, ui, key):
        ui.state.shows_focus = ui.state.shows_focus or not node.kind.holds_text
        _repeat(ui, name, key in _EDITING)
        return True
    if word is not None and obey(ui, root, word):
        _repeat(ui, name, word in _REPEATED)
        return True
    if word is None and scrolling.page(ui, root, key):
        _repeat(ui, name, True)
        return True
    return root.modal


def opens(ui: Context, action: str, name: str) -> bool:
    """Return True if a key opens a screen by its name or by its action; the same key closes the screen."""
    keys = ui.world[Input]
    return name == action or name in keys.actions.get(action, ())


def word_of(ui: Context, name: str) -> str | None:
    """Return the word of a key: that of an action of the game named `ui_...` with this key, otherwise that in
    `KEYS`."""
    key = PAD.get(name, name)
    word = _word_of_game(ui, name) or KEYS.get(key)
    return "previous" if word == "next" and key == "TAB" and ui.state.shift else word


def _word_of_game(ui: Context, name: str) -> str | None:
    keys = ui.world[Input]
    player = ui.player()
    for actions in ([keys.players[player - 1].actions] if player else []) + [keys.actions]:
        for word in WORDS:
            if name in actions.get(f"ui_{word}", ()):
                return word
    return None


def _repeat(ui: Context, name: str, is_down: bool) -> None:
    if is_down:
        next_time = ui.state.time + ui.settings.repeat_delay
        ui.state.repeats.setdefault(f"{ui.device}:{name}", Repeat(name, ui.device, next_time))


def obey(ui: Context, root: Root, word: str) -> bool:
    """Carry out a word such as `up` or `confirm` in a screen; return whether it has an effect."""
    state = ui.state
    node = focusing.focused(ui, root)
    if state.popup is not None:
        return _in_popup(ui, word)
    if word in ("next", "previous"):
        return focusing.step(ui, root, word == "previous")
    if word in ("up", "down", "left", "right"):
        return focusing.move(ui, root, word) or scrolling.step(ui, root, word) or focusing.go_round(ui, root, word)
    if word == "accept":
        if node is None:
            return False
        state.shows_focus = True
        ui.send("Pressed", node)
        ui.send("Released", node)
        node.kind.click(node, ui)
        return True
    return cancel(ui, root, node)


def cancel(ui: Context, root: Root, node: Node | None) -> bool:
    """Use the key for back: click the widget that the screen names, or close a dialog."""
    if root.cancel:
        for each in root.nodes:
            if each.name == root.cancel and each.shown and each.active:
                each.kind.click(each, ui)
                return True
    for each in root.nodes:
        if each.kind.closable(each):
            ui.send("Closed", each)
            return True
    if not root.takes_keys and not root.modal and node is not None:
        ui.state.focus.pop(focusing.slot(root), None)
        return True
    return False


def _in_popup(ui: Context, word: str) -> bool:
    popup = ui.state.popup
    assert popup is not None
    owner = ui.state.tree.nodes.get(popup.owner)
    if owner is None or word == "cancel":
        ui.state.popup = None
    elif word == "accept":
        owner.kind.choose(owner, ui, popup.hovered)
    elif word in ("up", "down", "left", "right"):
        owner.kind.move(owner, ui, word)
    return True


def _text(ui: Context, event: WindowEvent) -> bool:
    node = _writer(ui)
    if node is None:
        return pointing.blocked(ui)
    return ui.state.control or node.kind.text(node, ui, typed_text(event.text))


def _writer(ui: Context) -> Node | None:
    """Return the focused widget that takes text."""
    root = focusing.root_for_keys(ui, ui.player())
    node = focusing.focused(ui, root) if root is not None else None
    return node if node is not None and node.kind.holds_text else None


def _compose(ui: Context, event: WindowEvent) -> bool:
    node = _writer(ui)
    if node is None:
        return False
    node.kind.compose(node, ui, event.text, event.start, event.length)
    return True


def _paste(ui: Context, event: WindowEvent) -> bool:
    """Paste the clipboard's text; a text that was copied since the last frame is not in the clipboard yet."""
    node = _writer(ui)
    copied = ui.world[DeviceRequests].copied
    text = event.text if copied is None else copied
    return node is not None and node.kind.text(node, ui, text_in_one_line(text))


def _axis(ui: Context, event: WindowEvent) -> bool:
    """Use a stick like keys: a push in a direction counts once and repeats while it is held. The right stick
    scrolls."""
    if event.name == "gamepad.right_y":
        return scrolling.push(ui, event.value)
    pair = AXES.get(event.name)
    if pair is None:
        return False
    key = (event.device, event.name)
    previous = ui.state.axes.get(key, "")
    word = pair[0] if event.value < -_PUSHED else pair[1] if event.value > _PUSHED else ""
    if abs(event.value) > _EASED and not word:
        word = previous
    root = focusing.root_for_keys(ui, ui.player())
    if word == previous:
        return bool(word) and root is not None
    ui.state.axes[key] = word
    ui.state.repeats.pop(f"{event.device}:{event.name}", None)
    if not word or root is None:
        return False
    is_used = obey(ui, root, word)
    if is_used:
        next_time = ui.state.time + ui.settings.repeat_delay
        ui.state.repeats[f"{event.device}:{event.name}"] = Repeat(f"axis {word}", event.device, next_time)
    return is_used


def _focus(ui: Context, event: WindowEvent) -> bool:
    if not event.down:
        ui.state.repeats.clear()
        ui.state.presses.clear()
        ui.state.axes.clear()
        ui.state.rolling.clear()
        ui.state.modifiers.clear()
    return False


def repeat(ui: Context) -> None:
    """Repeat the held keys and directions that are due, once a frame."""
    state = ui.state
    for key, repeated in list(state.repeats.items()):
        if state.time < repeated.due or state.repeats.get(key) is not repeated:
            continue
        repeated.due = max(repeated.due + ui.settings.repeat_every, state.time)
        ui.device = repeated.device
        kind, _, word = repeated.name.partition(" ")
        if kind == "axis":
            root = focusing.root_for_keys(ui, ui.player())
            if root is not None:
                obey(ui, root, word)
        else:
            press_key(ui, repeated.name)


_HANDLERS = {
    "mouse_move": _mouse_move, "mouse_button": _mouse_button, "scroll": _scroll, "touch": _touch,
    "touch_move": _touch_move, "key": _key, "gamepad_button": _key, "gamepad_axis": _axis, "text": _text,
    "compose": _compose, "paste": _paste, "focus": _focus,
}  # fmt: skip
