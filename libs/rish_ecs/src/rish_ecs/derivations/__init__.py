"""Derived values: what is computed from the World, and computed again when its inputs change. They are not state."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .declaration import Compared, DerivedSpec, Rows, derived, derived_spec
    from .inputs import InputChanges, Inputs
    from .values import DerivedValue

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "declaration": "Compared DerivedSpec Rows derived derived_spec",
        "inputs": "InputChanges Inputs",
        "values": "DerivedValue",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
