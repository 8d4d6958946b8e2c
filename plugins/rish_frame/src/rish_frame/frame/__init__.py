"""The frame: passes, targets, batches and their kinds, shaders, and the placement of the game's view on the screen."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import batches
    from .batches import Blend, Filter, Rect, fits
    from .camera_math import Matrix, identity
    from .compute import MAX_ARRAYS, MAX_GROUP_SIZE, MAX_GROUPS, THREADS, Dispatch, element_of
    from .fit import Fit
    from .frame import ADDITIVE, FRAME_COLUMNS, Step
    from .graph import RANKS, names_of
    from .instances import MAX_POSITION, MAX_SPRITE_SIZE, POSITION_SCALE, SIZE_SCALE, affine_of
    from .kinds import CELL_MIRRORED_X, CELL_MIRRORED_Y, CELL_TRANSPOSED, STANDARD_KINDS, find_kind
    from .passes import ALL_LAYERS, FORMATS, pixel_rect
    from .picking import MARK, REACH, distance_to
    from .reuse_keys import Key, Standing, structure_of
    from .shaders import UNIFORMS, Fallback

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "batches": "Blend Filter Rect fits",
        "camera_math": "Matrix identity",
        "compute": "MAX_GROUP_SIZE MAX_ARRAYS MAX_GROUPS THREADS Dispatch element_of",
        "fit": "Fit",
        "graph": "RANKS names_of",
        "instances": "MAX_POSITION MAX_SPRITE_SIZE POSITION_SCALE SIZE_SCALE affine_of",
        "kinds": "CELL_MIRRORED_X CELL_MIRRORED_Y CELL_TRANSPOSED STANDARD_KINDS find_kind",
        "frame": "ADDITIVE FRAME_COLUMNS Step",
        "passes": "ALL_LAYERS FORMATS pixel_rect",
        "picking": "MARK REACH distance_to",
        "shaders": "Fallback UNIFORMS",
        "reuse_keys": "Key Standing structure_of",
    },
    modules=("batches",),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
