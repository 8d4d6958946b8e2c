"""The formulas of light: reflection, sky, fog, and the plain form that all drawers are compared with."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import environment_light, formulas, shadowing
    from .albedo import albedo_rows
    from .prefilter import ambient_of, atlas_of
    from .sky import sky_of_colors

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "albedo": "albedo_rows",
        "prefilter": "ambient_of atlas_of",
        "sky": "sky_of_colors",
    },
    modules=(
        "environment_light",
        "formulas",
        "shadowing",
    ),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
