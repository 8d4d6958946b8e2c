"""Fields for source text: TextEditor of imgui-bundle in the colors of the theme, with YAML."""

from __future__ import annotations

from .field import CodeField, Mark
from .widget import Codes

__all__ = ["CodeField", "Codes", "Mark"]
