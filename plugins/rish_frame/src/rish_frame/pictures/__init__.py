"""Images as files: reading them, their opacity masks, and captures of drawn frames."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .capture import save_png
    from .images import FORMATS, IMAGES, check_image, checkerboard, image_header, image_size

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "capture": "save_png",
        "images": "FORMATS IMAGES check_image checkerboard image_header image_size",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
