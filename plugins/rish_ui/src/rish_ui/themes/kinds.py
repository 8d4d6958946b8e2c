"""The kinds of widgets that a theme can style, and their parts."""

from __future__ import annotations

from .style import State

PARTS: dict[str, tuple[str, ...]] = {
    "Any": (),
    "Screen": (),
    "Panel": ("tail",),
    "Label": (),
    "Button": (),
    "Toggle": ("box", "mark", "track", "knob"),
    "Slider": ("track", "fill", "knob"),
    "ProgressBar": ("fill",),
    "TextInput": ("caret", "selection", "hint", "pad", "key"),
    "Dropdown": ("arrow", "list", "option"),
    "List": ("row",),
    "ScrollView": ("bar", "thumb"),
    "Image": (),
    "Grid": (),
    "Tabs": ("tab", "page"),
    "Dialog": ("title", "shade"),
    "Tooltip": (),
    "Minimap": ("mark",),
    "Focus": (),
}
"""The parts of each kind. `Any`: the values that all kinds begin with. `Focus`: the ring around the focused widget; its
padding is the distance from the widget. `Toggle.box` and `.mark` are for toggles of a group (and for boxes), `.track`
and `.knob` for switches. `TextInput.pad` and `.key`: the keyboard on the screen. `Panel.tail`: of a speech bubble; its
`least` is width and height, 0: none."""
ENTRIES = tuple(entry for kind, parts in PARTS.items() for entry in (kind, *(f"{kind}.{part}" for part in parts)))
"""The keys of `styles:`, such as `Button` and `Slider.knob`."""
STATES = {state.name.lower(): state.value for state in State if state.name is not None}
"""The states by their names in a theme."""


def states_of(key: str) -> int | None:
    """Return the states of a key such as `hovered` or `on+hovered`; None if one of them is unknown."""
    states = 0
    for name in key.split("+"):
        if name.strip() not in STATES:
            return None
        states |= STATES[name.strip()]
    return states
