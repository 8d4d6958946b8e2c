"""The layers of models as bits: bit 0 is that of models without layers, which all cameras show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

EVERYWHERE = 1
_MAX_BIT = 30
"""The highest bit. Further layers share it."""


class LayerBits:
    """Assigns a bit to each name of a layer, in the order of requests."""

    def __init__(self) -> None:
        self._bits: dict[str, int] = {}

    def of(self, names: Iterable[str]) -> int:
        """Return the bits that a camera with these layers shows."""
        bits = EVERYWHERE
        for name in names:
            bits |= 1 << self._bits.setdefault(name, min(len(self._bits) + 1, _MAX_BIT))
        return bits

    def of_models(self, table: Any, rows: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
        """Return the bits of some rows of Model3D, int32 (n,)."""
        bits = np.full(len(rows), EVERYWHERE, np.int32)
        if len(rows):
            for index in table.column("layers")[rows, 1].nonzero()[0].tolist():
                bits[index] = self.of(table.read_row("layers", int(rows[index]))) & ~EVERYWHERE
        return bits
