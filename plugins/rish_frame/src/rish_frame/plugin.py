"""What rish_frame declares: the frame and its tables, poses between ticks, the host, and the hooks of drawing."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from rish_core import About, Transform, hookimpl
from rish_ecs import add_engine
from rish_ecs.jit import worth_preparing

from . import hooks
from .frame.frame import Frame
from .lights import LightPoints, clear_lights
from .null import NullBackend
from .pictures.images import LOADERS
from .pictures.masks import ImageMask
from .poses.matrices import WorldMatrices, interpolate_poses, remember_poses
from .poses.poses import READY
from .settings import FrameSettings, LayerLook

add_engine("rish_frame")


def rish_about() -> About:
    """Needs nothing but the kernel."""
    return About(description="the frame that plugins fill and backends draw")


def rish_hookspecs() -> ModuleType:
    """`rish_passes`, `rish_backends`, `rish_drawers`, `rish_device_ready`, `rish_samples`."""
    return hooks


def rish_settings() -> type:
    """The settings of the plugin: `size` and `backend`."""
    return FrameSettings


def rish_manifest_keys() -> list[str]:
    """The places of these settings in a manifest."""
    return ["game.size", "backend"]


def rish_layer_options() -> type:
    """`lit`, `parallax` and `y_sort`."""
    return LayerLook


def rish_resources() -> list[type]:
    """The frame, the matrices of what is drawn, where images are solid, and the points that shine."""
    return [Frame, WorldMatrices, ImageMask, LightPoints]


def rish_systems() -> list[Callable[..., None]]:
    """The systems that remember and interpolate poses, and the one that clears the lights of a frame."""
    return [remember_poses, interpolate_poses, clear_lights]


def rish_warm_up(world: Any) -> dict[str, Callable[[], object]]:
    """The kernels of the poses, for scenes that are large or may grow."""
    return {"poses": READY.now} if worth_preparing(len(world.table(Transform))) else {}


def rish_loaders() -> dict[str, Callable[..., Any]]:
    """Loaders of images."""
    return LOADERS


def rish_backends() -> dict[str, Callable[[], Any]]:
    """The backend that draws nothing; a test gives a `NullBackend()` of its own, which checks and remembers."""
    return {"null": lambda: NullBackend(keep=0, check=False)}


def rish_manifest(manifest: Any, registry: Any) -> None:
    """The backend that the manifest names exists."""
    from .host.opening import check_backend

    check_backend(manifest, registry)


def rish_host() -> Callable[..., Any]:
    """The host that draws the frame."""
    from .host.opening import open_host

    return open_host


@hookimpl(trylast=True)
def rish_ready(app: Any) -> None:
    """After all plugins, those that use the device learn that it is there."""
    backend = getattr(app.host, "backend", None)
    if backend is not None and backend.device is not None:
        app.plugins.gather("rish_device_ready", backend=backend, world=app.world)


def rish_reloaded(app: Any, plugins: tuple[str, ...]) -> None:
    """Passes and targets of edited code take the place of the old."""
    if plugins:
        app.world[Frame].declare([*app.registry.of("rish_passes").values()])
