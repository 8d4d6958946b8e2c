"""The type of arrays in all packages, for annotations."""

from __future__ import annotations

from typing import Any, TypeAlias

from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
"""An array of numpy of any type. Docstrings say the shape and the dtype."""
