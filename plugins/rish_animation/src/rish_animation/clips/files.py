"""The files of clips as an asset library, for plugins whose animators play them."""

from __future__ import annotations

from collections.abc import Callable

from rish_assets import AssetLibrary, AssetReader
from rish_core import AssetError

from .model import Clips


def clip_files(log: str, on_change: Callable[[str], object]) -> AssetLibrary[Clips]:
    """Return a library of clips by file, without clips for a file that can't be read.

    log: the name of the logger. on_change: is called with each file whose clips have changed.
    """
    return AssetLibrary("file of clips", _read, placeholder=Clips, log=log, on_change=on_change)


def _read(path: str, read: AssetReader) -> Clips:
    content = read()
    if not isinstance(content, Clips):
        raise AssetError(f"{path} is no file of clips: its name must end in .anim.yaml")
    return content
