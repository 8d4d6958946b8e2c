"""Dear ImGui in a pyglet window: passes its events to the interface, and draws the triangles of the interface.

The renderer is the one of imgui-bundle in C++. Sizes and pointers are in units of
the window; on a high-density display a unit has several pixels.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from imgui_bundle import imgui

from rish_frame.paint.writing import typed_text

from .keys import BUTTONS, MODIFIERS, imgui_keys, modifier_keys
from .widgets.popups import close_innermost, close_outside, popups

_NOWHERE = -3.0e38
_MODIFIER_KEYS = {"ctrl": "mod_ctrl", "shift": "mod_shift", "alt": "mod_alt", "super": "mod_super"}
_OF_FOCUS = frozenset({"on_key_press", "on_text", "on_text_motion"})
"""The events that go to the widget with the keyboard focus."""
_BUTTONS = frozenset({"on_mouse_press", "on_mouse_release"})
_KEYS = frozenset({"on_key_press", "on_key_release"})
_ACTING = frozenset({"on_key_press", "on_mouse_press", "on_mouse_scroll"})
"""The events whose meaning depends on modifiers."""
_OPEN = frozenset({"on_mouse_leave", "on_activate", "on_deactivate"})
"""The events that other handlers of the window get too."""
_SETTLING = 2
"""The number of frames after a pressed or released button or a used key until the keyboard focus of Dear ImGui is
settled."""
_MAX_BACKLOG = 6
"""The number of frames after a button or a used key in which an opened popup may let keys wait longer."""
HANDLED = True
"""The result of a handler that keeps an event from pyglet's own handlers, such as closing on ESCAPE."""


class Host:
    """The user interface of one window. window: a pyglet window whose OpenGL context is current.

    events: the number of events of the user so far. on_key: called with pyglet's code and modifiers of each pressed
    key; returns True if it used the key, which the interface then does not receive. on_event: called with pyglet's name
    and arguments of each other event, and of keys that `on_key` did not use; returns True if the interface should not
    receive it.
    """

    def __init__(self, window: Any) -> None:
        self.window = window
        self.on_key: Callable[[int, int], bool] = lambda code, modifiers: False
        self.on_event: Callable[[str, tuple[Any, ...]], bool] = lambda name, arguments: False
        self.events = 0
        self._copied = ""
        self._key_used = False
        self._waiting: deque[tuple[str, Callable[..., Any], tuple[Any, ...]]] = deque()
        self._settling = self._recent = 0
        self._clicking = False
        self._context = imgui.create_context()
        imgui.set_current_context(self._context)
        self.io = io = imgui.get_io()
        io.set_ini_filename("")  # the layout is saved by the editor
        io.config_flags |= imgui.ConfigFlags_.docking_enable | imgui.ConfigFlags_.nav_enable_keyboard
        io.config_windows_move_from_title_bar_only = True
        io.config_error_recovery_enable_assert = False  # a panel that raises must not end the frame
        io.config_error_recovery_enable_tooltip = False
        self._context.debug_log_flags &= ~imgui.internal.DebugLogFlags_.output_to_tty.value  # the editor reports errors
        io.config_drag_click_to_input_text = True
        io.backend_flags |= imgui.BackendFlags_.has_mouse_cursors
        platform = imgui.get_platform_io()
        platform.platform_get_clipboard_text_fn = lambda _: self.paste()
        platform.platform_set_clipboard_text_fn = lambda _, text: self.copy(text)
        if not imgui.backends.opengl3_init("#version 330"):
            raise RuntimeError("the user interface can't draw with this OpenGL")
        handlers: dict[str, Callable[..., Any]] = {
            "on_mouse_motion": self._motion,
            "on_mouse_drag": lambda x, y, dx, dy, buttons, modifiers: self._motion(x, y, dx, dy),
            "on_mouse_press": lambda x, y, button, modifiers: self._button(x, y, button, modifiers, True),
            "on_mouse_release": lambda x, y, button, modifiers: self._button(x, y, button, modifiers, False),
            "on_mouse_scroll": self._scroll,
            "on_mouse_leave": lambda x, y: io.add_mouse_pos_event(_NOWHERE, _NOWHERE),
            "on_key_press": lambda code, modifiers: self._key(code, modifiers, True),
            "on_key_release": lambda code, modifiers: self._key(code, modifiers, False),
            "on_text": self._text,
            "on_text_motion": lambda motion: HANDLED,
            "on_activate": lambda: io.add_focus_event(True),
            "on_deactivate": lambda: io.add_focus_event(False),
        }
        self._handlers = {name: self._kept(name, self._offered(name, handler)) for name, handler in handlers.items()}
        window.push_handlers(**self._handlers)

    @property
    def in_frame(self) -> bool:
        """Whether a frame of the interface is being built."""
        return bool(self._context.within_frame_scope)

    def use(self) -> None:
        """Make the context of this interface the current one of Dear ImGui, instead of another, as over a running
        game."""
        imgui.set_current_context(self._context)

    def close(self) -> None:
        """Free the interface's resources; the window stays open."""
        self.window.remove_handlers(**self._handlers)
        self.use()
        imgui.backends.opengl3_shutdown()
        imgui.destroy_context(self._context)

    def _kept(self, name: str, handler: Callable[..., Any]) -> Callable[..., Any]:
        """Return a handler that stores an event for `feed`."""

        def keep(*arguments: Any) -> bool | None:
            self.events += 1
            self._waiting.append((name, handler, arguments))
            return None if name in _OPEN else HANDLED

        return keep

    def feed(self) -> None:
        """Pass the events since the last call on, in order.

        A click may move the keyboard focus, the release of a button ends a drag that receives keys, and a shortcut may
        open a popup. So later keys of the same frame wait for the next frames. The text of a key that was used as a
        shortcut is dropped. Dear ImGui reads the modifiers only once a frame, so a modifier that changes after another
        key was pressed waits for the next frame.
        """
        acted = len(self._context.input_events_queue) > 0
        while self._waiting:
            name, handler, arguments = self._waiting[0]
            if self._settling and name in _OF_FOCUS and not (self._key_used and name != "on_key_press"):
                return
            modifies = name in _KEYS and arguments[0] in modifier_keys()
            if modifies and acted:
                return
            self._waiting.popleft()
            handler(*arguments)
            acted = acted or (name in _ACTING and not modifies)
            if name in _BUTTONS or (name == "on_key_press" and self._key_used):
                self._settling, self._recent = _SETTLING, _MAX_BACKLOG
                self._clicking = self._clicking or name in _BUTTONS

    def settle(self) -> None:
        """Let keys wait for the next frames, because a command has run or a popup was opened that may take the keyboard
        focus; only shortly after a pressed button or a used key."""
        if self._recent:
            self._settling = _SETTLING

    @property
    def waiting(self) -> bool:
        """Whether there are events that were not passed on yet."""
        return bool(self._waiting) or len(self._context.input_events_queue) > 0

    # Clipboard

    def paste(self) -> str:
        """Return the text of the clipboard; a window without one has its own."""
        try:
            return str(self.window.get_clipboard_text() or "")
        except Exception:
            return self._copied

    def copy(self, text: str) -> None:
        """Put a text into the clipboard."""
        self._copied = text
        try:
            self.window.set_clipboard_text(text)
        except Exception:
            return

    # Events

    def _offered(self, name: str, handler: Callable[..., Any]) -> Callable[..., Any]:
        """Return a handler that passes its event to `on_event` first; the handler of pressed keys does so itself."""
        if name == "on_key_press":
            return handler
        return lambda *arguments: HANDLED if self.on_event(name, arguments) else handler(*arguments)

    def _motion(self, x: float, y: float, dx: float, dy: float) -> bool:
        self.io.add_mouse_pos_event(x, self.sizes()[0][1] - y)
        return HANDLED

    def _button(self, x: float, y: float, button: int, modifiers: int, down: bool) -> bool:
        self._motion(x, y, 0, 0)
        self._modifiers(modifiers)
        if button in BUTTONS:
            self.io.add_mouse_button_event(BUTTONS[button], down)
        return HANDLED

    def _scroll(self, x: float, y: float, across: float, up: float) -> bool:
        self.io.add_mouse_wheel_event(across, up)
        return HANDLED

    def _modifiers(self, modifiers: int, changed: str = "", down: bool = False) -> None:
        for bit, name in MODIFIERS.items():
            pressed = down if name == changed else bool(modifiers & bit)
            self.io.add_key_event(getattr(imgui.Key, _MODIFIER_KEYS[name]), pressed)

    def _key(self, code: int, modifiers: int, down: bool) -> bool:
        self._modifiers(modifiers, modifier_keys().get(code, ""), down)
        imgui_key = imgui_keys().get(code)
        self._key_used = down and (
            (imgui_key == imgui.Key.escape and close_innermost())
            or self.on_key(code, modifiers)
            or self.on_event("on_key_press", (code, modifiers))
        )
        if self._key_used:
            return HANDLED
        if imgui_key is not None:
            self.io.add_key_event(imgui_key, down)
        return HANDLED

    def _text(self, text: str) -> bool:
        shown = typed_text(text)
        if shown and not self._key_used:
            self.io.add_input_characters_utf8(shown)
        return HANDLED

    # Frames

    def sizes(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return width and height of the interface in units and in pixels."""
        return self.window.get_size(), self.window.get_framebuffer_size()

    @property
    def typing(self) -> bool:
        """Whether a text field has the keyboard focus."""
        return bool(self.io.want_text_input)

    def frame(self, seconds: float, build: Callable[[], None]) -> None:
        """Run one frame of the interface: `build` calls its widgets. An error of `build` is raised after the frame's
        end.
        """
        self.use()
        self.feed()
        (width, height), (across, up) = self.sizes()
        self.io.display_size = imgui.ImVec2(max(width, 1), max(height, 1))
        self.io.display_framebuffer_scale = imgui.ImVec2(across / max(width, 1), up / max(height, 1))
        self.io.delta_time = max(seconds, 1e-5)
        self._key_used = False
        imgui.backends.opengl3_new_frame()
        imgui.new_frame()
        before, opened = popups(), len(self._context.open_popup_stack)
        try:
            build()
        finally:
            close_outside(before)
            imgui.render()
            self._settling, self._recent = max(self._settling - 1, 0), max(self._recent - 1, 0)
            if self._clicking:  # Dear ImGui takes one press or release a frame
                self._clicking = len(self._context.input_events_queue) > 0
                self._settling, self._recent = _SETTLING - (not self._clicking), _MAX_BACKLOG
            if len(self._context.open_popup_stack) != opened:
                self.settle()

    def draw(self) -> None:
        """Draw the last frame onto the bound framebuffer."""
        imgui.backends.opengl3_render_draw_data(imgui.get_draw_data())
