"""The gizmos of the editor for components of the kernel and of rish_render."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rish_core import Transform

from .transform import draw_transforms

GIZMOS: Mapping[type, Callable[..., None]] = {Transform: draw_transforms}
