"""Texts in character cells: for displays such as a terminal, which show characters at fixed places only."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .text import CellLetter, CellText
    from .typesetter import CellTypesetter
    from .widths import ICON_CELLS, cells_of, plain_form

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "text": "CellLetter CellText",
        "typesetter": "CellTypesetter",
        "widths": "ICON_CELLS cells_of plain_form",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
