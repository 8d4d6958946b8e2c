"""Sound for Rish: sources, a listener, buses with effects, and music; decided by the World, mixed by an own mixer.

from rish_audio import AudioListener, AudioSource, play
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_ecs.lazy import lazy_names

if TYPE_CHECKING:
    from . import components, space
    from .components.block import Block
    from .mixer.live import LiveMixer
    from .mixer.mixing import Mixer

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "components.block": "Block",
        "mixer.live": "LiveMixer",
        "mixer.mixing": "Mixer",
    },
    modules=("components", "space"),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
