"""`Kind`: measures, paints and operates the widgets of one component. Plugins add kinds by `rish_widgets`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..painting.painter import Painter
    from ..tree.context import Context
    from ..tree.node import Node


class Kind:
    """A kind of widget. Make a subclass and return an object of it from the hook `rish_widgets`.

    component: the component that makes an entity a widget of this kind; None for containers. name: unique, and its
    entry in themes; styled_as: another entry that it uses. focusable: whether it can get the focus. solid: whether a
    press on it goes no further, even if it does nothing. holds_text: whether keys with letters belong to it while it
    has the focus. sizes_by_value: whether its size depends on its value, not only on its texts. own_part: whether it is
    alone in a part of the painting, over the texts of everything before it, and may set the clip rectangle of the part.
    over: whether `paint_over` is called after its children were painted. follows: whether it is painted again when the
    pointer moves over it. drags: whether a finger that moves on it belongs to it, and scrolls nothing around it.
    """

    component: type | None = None
    name = "Container"
    styled_as = ""
    focusable = False
    solid = False
    holds_text = False
    sizes_by_value = False
    own_part = False
    over = False
    follows = False
    drags = False

    @property
    def entry(self) -> str:
        """Its entry in themes."""
        return self.styled_as or self.name

    def read(self, view: Any) -> Any:
        """Return the values of its component that it uses; a widget with the same result as before is not painted
        again."""
        return None

    def texts(self, node: Node) -> dict[str, str]:
        """Return its texts by part of the theme, as written; templates are filled in before they are set."""
        return {}

    def bindings(self, node: Node) -> dict[str, str]:
        """Return the paths of the fields that it shows, by a word of its own."""
        return {}

    def numbers(self, node: Node, ui: Context) -> dict[str, float]:
        """Return the numbers `value`, `low` and `high` that templates of its texts may use."""
        return {"value": 0.0, "low": 0.0, "high": 0.0}

    def scrolls(self, node: Node) -> tuple[bool, bool]:
        """Return whether its content scrolls sideways, and up and down; then it can be smaller than that."""
        return False, False

    def columns(self, node: Node) -> int:
        """Return the number of equal columns in which it places its children; 0: as its `Layout` says."""
        return 0

    def hides(self, node: Node, child: Node, ui: Context) -> bool:
        """Return whether a child takes no space and is not shown at the moment, besides `Widget.visible`."""
        return False

    def measure(self, node: Node, ui: Context) -> tuple[float, float]:
        """Return the minimum and the preferred width of its content, without padding."""
        return 0.0, 0.0

    def height(self, node: Node, ui: Context, width: float) -> tuple[float, float]:
        """Return the height of its content at a width, and the distance from its top to the baseline; -1: none."""
        return 0.0, -1.0

    def header(self, node: Node, ui: Context) -> float:
        """Return the height that it needs above its children, such as a title."""
        return 0.0

    def on(self, node: Node, ui: Context) -> bool:
        """Return whether it is painted as switched on."""
        return False

    def written(self, node: Node, ui: Context) -> str:
        """Return the text that the player has written in it."""
        return ""

    def valid(self, node: Node, ui: Context, text: str) -> bool:
        """Return whether a text that was submitted is right."""
        return True

    def invalid(self, node: Node, ui: Context) -> bool:
        """Return whether it is painted as wrong."""
        return False

    def ring(self, node: Node, ui: Context) -> tuple[float, float, float, float]:
        """Return the rectangle x y w h around which the focus is shown."""
        return node.x, node.y, node.w, node.h

    def paint_popup(self, node: Node, painter: Painter, ui: Context) -> None:
        """Paint its open list or keyboard, see `UiState.popup`."""

    def popup_row(self, node: Node, ui: Context, x: float, y: float) -> int | None:
        """Return the row of its open list at a point of its root; -1 for its border, None for a point outside."""
        return None

    def choose(self, node: Node, ui: Context, row: int) -> None:
        """Take a row of its open list, or press a key of its keyboard."""

    def paint(self, node: Node, painter: Painter, ui: Context) -> None:
        """Paint it; its children are painted after it."""
        painter.background(node)

    def paint_over(self, node: Node, painter: Painter, ui: Context) -> None:
        """Paint the part of the widget that is over its children."""

    def moves(self, node: Node, ui: Context) -> Any:
        """Return a key of further values that it shows; it is painted again when the key changes. None: no further
        values."""
        return None

    def press(self, node: Node, ui: Context, x: float, y: float) -> bool:
        """Handle a press of a pointer; return whether the pointer belongs to it until it is released."""
        return self.focusable

    def drag(self, node: Node, ui: Context, x: float, y: float) -> None:
        """Follow the pointer that pressed it."""

    def release(self, node: Node, ui: Context, x: float, y: float) -> None:
        """Handle the release of the pointer; the default clicks if the pointer is still on it."""
        if node.holds(x, y):
            self.click(node, ui)

    def click(self, node: Node, ui: Context) -> None:
        """Handle a click by a pointer or a key."""
        ui.send("Clicked", node)

    def move(self, node: Node, ui: Context, direction: str) -> bool:
        """Use a direction (left, right, up, down); return False to let it move the focus instead."""
        return False

    def key(self, node: Node, ui: Context, name: str) -> bool:
        """Use a key that went down while it has the focus; return whether it did."""
        return False

    def capture(self, node: Node, ui: Context, name: str) -> bool:
        """Take the key that it waits for, see `UiState.capture`; return whether the event is used."""
        return False

    def text(self, node: Node, ui: Context, text: str) -> bool:
        """Take typed or pasted text; return whether it did."""
        return False

    def compose(self, node: Node, ui: Context, text: str, start: int, length: int) -> None:
        """Show a text that is being composed by an input method; the characters from `start` are selected."""

    def rolls(self, node: Node) -> bool:
        """Return whether a finger can move its content now."""
        return False

    def scroll(self, node: Node, ui: Context, dx: float, dy: float) -> bool:
        """Move its content by a distance, y down; return whether it moved."""
        return False

    def wheel(self, node: Node, ui: Context, dx: float, dy: float) -> bool:
        """Use the wheel, in notches; return whether it did."""
        return False

    def closable(self, node: Node) -> bool:
        """Return whether the key for back closes its screen."""
        return False

    def clicked(self, node: Node, ui: Context) -> None:
        """Do the further effects of a click besides the event `Clicked`, in a tick."""

    def apply(self, node: Node, ui: Context, verb: str, value: float, text: str) -> Any:
        """Return the values of its component's fields after a command, {field: value}, in a tick; None: no change."""
        return None

    def bound(self, node: Node, ui: Context, value: float, text: str) -> Any:
        """Return the value that a command writes into the bound field."""
        return value
