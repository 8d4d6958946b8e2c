"""The choice of the backend that draws a game: the requested one, otherwise the first that opens."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from rish_core import UsageError, did_you_mean

from ..backend import Backend, open_backend, wish
from ..errors import BackendError
from ..frame.frame import Frame
from ..pictures.capture import check_formats
from ..settings import FrameSettings
from .host import FrameHost

if TYPE_CHECKING:
    from rish_core import App, Manifest, Registry

OPTIONS = ("backend", "capture", "pixels", "size")
"""The supported options: a backend or its name, files to capture, whether pixels are needed, the window's size."""
_HIDDEN_BACKENDS = ("null",)
"""Backends that are used only if a person names them, because they show nothing."""


def open_host(app: App, options: Mapping[str, Any]) -> FrameHost:
    """Open the backend of a game and return its host. Raises BackendError, UnknownName and UsageError."""
    for option in options:
        if option not in OPTIONS:
            raise UsageError(f"nothing here knows the option '{option}'", given=option, choices=OPTIONS)
    captured = options.get("capture") or ()
    check_formats(captured)
    settings: FrameSettings = app.world[FrameSettings]
    width, height = cast("Any", settings.size)
    design = int(width), int(height)
    frame: Frame = app.world[Frame]
    frame.size = frame.design = design
    frame.declare([*app.registry.of("rish_passes").values()])
    size = options.get("size") or design
    requested, pixels = options.get("backend"), bool(options.get("pixels") or captured)
    if requested is None or isinstance(requested, str):
        backend, reason = _open(app, requested, pixels, size)
    else:
        requested.open(app.manifest.title, size, not app.headless)
        backend, reason = requested, f"the backend is '{requested.name}' because it was given"
    try:
        return FrameHost(app, backend, reason, needs_pixels=pixels)
    except BaseException:
        backend.close()
        raise


def _open(app: App, requested: str | None, pixels: bool, size: tuple[int, int]) -> tuple[Backend, str]:
    factories = app.registry.of("rish_backends")
    from_manifest = app.world[FrameSettings].backend
    name, reason = wish(requested, None if app.headless else os.environ.get("RISH_BACKEND"), from_manifest)
    if app.headless and requested is None:
        name, reason = ("software", "pictures are wanted") if pixels else ("null", "nobody looks")
    candidates = {key: make for key, make in factories.items() if key not in _HIDDEN_BACKENDS or key == name}
    if not candidates or (name is not None and name not in candidates):
        candidates = dict(factories)
    if pixels and app.headless and name not in factories:
        raise BackendError(
            f"a picture needs a backend with pixels, and '{name}' is not among the game's",
            choices=factories,
            hint="Add 'render' to plugins in the manifest, or use --with render",
        )
    return open_backend(
        candidates,
        name,
        reason,
        fallback=requested is None,
        title=app.manifest.title,
        size=size,
        visible=not app.headless,
        needs=app.plugins.needed("backend"),
    )


def check_backend(manifest: Manifest, registry: Registry) -> None:
    """Add a problem to the manifest if it names a backend that no plugin of the game has."""
    names = [*registry.of("rish_backends")]
    for path in (("backend",), ("settings", "frame", "backend")):
        name = manifest.value_at(path)
        if isinstance(name, str) and name not in names:
            message = f"no backend is called {name!r}{did_you_mean(name, names)}. Backends: {', '.join(names)}"
            manifest.add_problem(path, registry.not_named("backend", name) or message)
