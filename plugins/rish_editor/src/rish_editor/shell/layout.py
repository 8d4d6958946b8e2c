"""Layouts: the default arrangement of panels, and those that the user has saved."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui

if TYPE_CHECKING:
    from ..session.editor import Editor
    from .panel_window import PanelWindow

LEFT, RIGHT, BOTTOM = 0.19, 0.28, 0.28
"""The default shares of the window's width and height."""
_MIN_SIZES = {"left": 176.0, "right": 250.0, "bottom": 165.0}
"""The least default widths and height, units; in a small window at most the shares of `_MAX_SHARES`."""
_MAX_SHARES = {"left": 0.25, "right": 0.34, "bottom": 0.4}
LAST = "last"
"""The layout that is restored at the next start."""
_PANELS = ";panels "
"""The begin of the line of a layout that lists which panels are open; a comment for Dear ImGui."""
_SIZE = re.compile(r"^DockSpace .*\bSize=(\d+),(\d+)", re.MULTILINE)
"""The size of the place for docked panels in a layout, units."""


class Layouts:
    """The arrangements of panels by name. A layout is a text: the open panels, then the settings of windows of Dear
    ImGui."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._wanted = editor.settings.layouts.get(LAST, "")
        self._arranged = bool(self._wanted)
        self._size: tuple[float, float] | None = None  # of the place for panels, which those of docked ones belong to

    @property
    def names(self) -> Sequence[str]:
        """The names of the saved layouts."""
        return [name for name in self._editor.settings.layouts if name != LAST]

    def save(self, name: str) -> None:
        """Save the arrangement as it is now."""
        self._editor.settings.layouts = {**self._editor.settings.layouts, name: layout_text(self._editor.panels)}

    def delete(self, name: str) -> None:
        """Forget a layout."""
        self._editor.settings.layouts = {k: v for k, v in self._editor.settings.layouts.items() if k != name}

    def use(self, name: str) -> None:
        """Restore a layout in the next frame. Panels that it does not contain keep their default places."""
        self._wanted = self._editor.settings.layouts.get(name, "")

    def reset(self) -> None:
        """Put all panels to their default places in the next frame."""
        self._wanted, self._arranged = "", False

    def before_frame(self) -> None:
        """Load the layout that was requested; Dear ImGui can load one only between two frames."""
        if not self._wanted:
            return
        text, self._wanted = self._wanted, ""
        restore_layout(self._editor.panels, text)
        size = _SIZE.search(text)
        self._size = (float(size[1]), float(size[2])) if size else None
        self._arranged = True
        self._editor.panels.begin_in_view()

    def in_frame(self, root: int, size: tuple[float, float]) -> None:
        """Put the panels to their default places if there is no layout; otherwise resize them with the window.

        root: the number of the dock space. size: its width and height, units.
        """
        before, self._size = self._size, size
        if not self._arranged:
            self._arranged, self._size = True, None  # the bars take their room in the next frame
            for window in self._editor.panels:
                window.open = window.open if not window.seen else bool(window.option("open", True))
            panels = sorted(self._editor.panels, key=lambda window: -window.option("order", 100))
            _arrange(list(reversed(panels)), root, size, self._editor.ui.scale)
            first = {window.option("dock", "float"): window for window in panels if window.open}
            for place in ("bottom", "left", "right", "center"):
                if place in first:
                    first[place].front = True
            self._editor.panels.begin_in_view()
        elif before is not None and before != size and min(*before, *size) > 0:
            factors = size[0] / before[0], size[1] / before[1]
            if not _resize(self._editor.panels, root, factors):  # the panels are not drawn yet
                self._size = before


def layout_text(panels: Iterable[PanelWindow]) -> str:
    """Return the arrangement of the windows as it is now, as a text."""
    states = " ".join(f"{window.id}={int(window.open)}" for window in panels)
    return f"{_PANELS}{states}\n{imgui.save_ini_settings_to_memory()}"


def restore_layout(panels: Iterable[PanelWindow], text: str) -> None:
    """Restore an arrangement; call it between two frames. Panels that it does not contain stay as they are."""
    first, _, rest = text.partition("\n")
    states = dict(part.split("=") for part in first.removeprefix(_PANELS).split()) if first.startswith(_PANELS) else {}
    for window in panels:
        if window.id in states:
            window.open = states[window.id] == "1"
    imgui.load_ini_settings_from_memory(rest if states else text)


def _resize(panels: Iterable[PanelWindow], root: int, factors: tuple[float, float]) -> bool:
    """Multiply the sizes of docked panels; return whether there are any.

    Without it, Dear ImGui would resize the panels in the middle alone.
    """
    nodes: dict[int, Any] = {}
    for window in panels:
        window = imgui.internal.find_window_by_name(f"###{window.id}")
        node = window.dock_node if window is not None else None
        path: dict[int, Any] = {}
        while node is not None:
            path[node.id_] = node
            node = node.parent_node
        if root in path:
            nodes |= path
    for node in nodes.values():
        node.size_ref = imgui.ImVec2(node.size_ref.x * factors[0], node.size_ref.y * factors[1])
    return bool(nodes)


def _arrange(panels: Sequence[PanelWindow], root: int, size: tuple[float, float], scale: float) -> None:
    """Put panels to their default places. size: width and height of the dock space, units. scale: of the interface."""
    parts = {"left": LEFT, "right": RIGHT, "bottom": BOTTOM}
    for place, part in parts.items():
        whole = max(size[1] if place == "bottom" else size[0], 1.0)
        parts[place] = max(part, min(_MIN_SIZES[place] * scale / whole, _MAX_SHARES[place]))
    build = imgui.internal
    build.dock_builder_remove_node(root)
    build.dock_builder_add_node(root, build.DockNodeFlagsPrivate_.dock_space)
    build.dock_builder_set_node_size(root, size)
    _, right, rest = build.dock_builder_split_node_py(root, imgui.Dir.right, parts["right"])
    _, left, rest = build.dock_builder_split_node_py(rest, imgui.Dir.left, parts["left"] / (1 - parts["right"]))
    _, bottom, center = build.dock_builder_split_node_py(rest, imgui.Dir.down, parts["bottom"])
    nodes = {"left": left, "right": right, "bottom": bottom, "center": center}
    for window in panels:
        place = nodes.get(window.option("dock", "float"))
        if place is not None:
            build.dock_builder_dock_window(f"###{window.id}", place)
    build.dock_builder_finish(root)
