"""The kinds of widgets: how each is measured, painted and operated."""

from __future__ import annotations

from .basic import Base, Container, GridKind, ImageKind, LabelKind, MinimapKind, PanelKind, ProgressKind
from .buttons import ButtonKind, ToggleKind
from .dropdown import DropdownKind
from .key_bindings import KeyBindingsKind
from .kind import Kind
from .lists import ListKind
from .sliders import SliderKind
from .tabs import TabsKind
from .text_input import TextInputKind
from .windows import DialogKind, ScrollViewKind

KINDS: tuple[Kind, ...] = (
    DialogKind(), TabsKind(), ScrollViewKind(), PanelKind(), ButtonKind(), ToggleKind(), SliderKind(), ProgressKind(),
    TextInputKind(), DropdownKind(), ListKind(), ImageKind(), MinimapKind(), LabelKind(), GridKind(),
    KeyBindingsKind(),
)  # fmt: skip
"""The kinds of this package. An entity with several components has the first kind of this order."""

__all__ = ["KINDS", "Base", "Container", "Kind"]
