"""The layers of models as bits: bit 0 is for models without layers, which all cameras show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

EVERYWHERE = 1
_MOST = 30
"""The highest bit. Further layers share it."""


class LayerBits:
    """Gives each name of a layer its bit, in the order in which they are asked for."""

    def __init__(self) -> None:
        self._bits: dict[str, int] = {}

    def of(self, names: Iterable[str]) -> int:
        """Return the bits that a camera with these layers shows."""
        bits = EVERYWHERE
        for name in names:
            bits |= 1 << self._bits.setdefault(name, min(len(self._bits) + 1, _MOST))
        return bits

    def of_models(self, table: Any, rows: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
        """Return the bits of some rows of Model3D, int32 (n,)."""
        found = np.full(len(rows), EVERYWHERE, np.int32)
        if len(rows):
            for place in np.flatnonzero(table.column("layers")[rows, 1]).tolist():
                found[place] = self.of(table.read_row("layers", int(rows[place]))) & ~EVERYWHERE
        return found
