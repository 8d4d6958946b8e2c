"""Global illumination in two dimensions: glowing things light the scene; walls block light and reflect it once."""

from __future__ import annotations

from .cascades import illuminate

__all__ = ["illuminate"]
