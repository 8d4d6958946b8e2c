"""Global illumination in two dimensions: glowing areas light the scene, and walls block light and reflect it once."""

from __future__ import annotations

from .cascades import illuminate

__all__ = ["illuminate"]
