"""The inspectors of the editor for components of the kernel and of rish_render."""

from __future__ import annotations

from collections.abc import Callable, Mapping

INSPECTORS: Mapping[type, Callable[..., None]] = {}
