"""The arrangement of panels: the usual one, and those that the person has saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

if TYPE_CHECKING:
    from .panels import Panels

LEFT, RIGHT, BOTTOM = 0.20, 0.26, 0.28
"""The usual parts of the window's width and height."""


def arrange(panels: Panels, root: int, size: tuple[float, float]) -> None:
    """Put all panels to their usual places. root: the number of the dock space. size: its width and height, units."""
    build = imgui.internal
    build.dock_builder_remove_node(root)
    build.dock_builder_add_node(root, build.DockNodeFlagsPrivate_.dock_space)
    build.dock_builder_set_node_size(root, size)
    _, right, rest = build.dock_builder_split_node_py(root, imgui.Dir.right, RIGHT)
    _, left, rest = build.dock_builder_split_node_py(rest, imgui.Dir.left, LEFT / (1 - RIGHT))
    _, bottom, center = build.dock_builder_split_node_py(rest, imgui.Dir.down, BOTTOM)
    nodes = {"left": left, "right": right, "bottom": bottom, "center": center}
    for held in sorted(panels, key=lambda held: held.option("order", 100)):
        place = nodes.get(held.option("dock", "float"))
        if place is not None:
            build.dock_builder_dock_window(f"###{held.id}", place)
    build.dock_builder_finish(root)


def saved_layout() -> str:
    """Return the arrangement as text."""
    return str(imgui.save_ini_settings_to_memory())


def load_layout(text: str) -> None:
    """Restore an arrangement; call it before a frame."""
    imgui.load_ini_settings_from_memory(text)
