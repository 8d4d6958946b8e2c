"""Sound for Rish: sources, a listener, buses with effects, and music; decided by the World, mixed by an own mixer.

from rish_audio import AudioListener, AudioSource, play
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_ecs.lazy import lazy_names

if TYPE_CHECKING:
    from .clips.headers import SOUND_LOADERS, read_info
    from .clips.info import ClipInfo
    from .clips.library import ClipLibrary
    from .clips.stream import Window
    from .clips.wav import WavWriter
    from .components.block import Block

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "clips.headers": "SOUND_LOADERS read_info",
        "clips.info": "ClipInfo",
        "clips.library": "ClipLibrary",
        "clips.stream": "Window",
        "clips.wav": "WavWriter",
        "components.block": "Block",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
