"""The hooks of rish_frame: the frame and its tables, poses between ticks, the host, and the hooks of drawing."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from rish_assets import AssetWatch, reload_assets
from rish_core import About, Transform, hookimpl, load_text
from rish_ecs import add_engine
from rish_jit import worth_preparing

from . import hooks
from .frame.billboards import Billboards, clear_billboards
from .frame.frame import Frame
from .frame.lights import LightPoints, clear_lights
from .host.computing import Computes, load_computes, renew_computes
from .host.requests import DeviceRequests
from .null import NullBackend
from .paint.painting import Paintings
from .pictures.images import IMAGES, LOADERS
from .pictures.masks import ImageMask
from .pictures.soundtrack import Soundtrack
from .poses.interpolation import READY
from .poses.matrices import WorldMatrices, interpolate_poses, remember_poses
from .settings import FrameSettings, LayerLook

add_engine("rish_frame")


def rish_about() -> About:
    """Describe the plugin; it provides the contract `backend`, whose capabilities are those of the open backend."""
    return About(provides=["backend[*]"], description="the frame that plugins fill and backends draw")


def rish_hookspecs() -> ModuleType:
    """Add the hooks of drawing and picking, see the module `hooks`."""
    return hooks


def rish_settings() -> type:
    """The settings of the plugin: `size`, `backend`, `swap_key` and `fullscreen_key`."""
    return FrameSettings


def rish_manifest_keys() -> list[str]:
    """Return the keys under which a manifest gives these settings."""
    return ["game.size", "backend"]


def rish_layer_options() -> type:
    """Add the layer options `lit`, `parallax`, `y_sort` and `behind`."""
    return LayerLook


def rish_resources() -> list[type]:
    """Return the resources of drawing, and the watcher of files."""
    return [
        Frame, WorldMatrices, Paintings, ImageMask, LightPoints, Billboards, Computes, DeviceRequests, Soundtrack,
        AssetWatch,
    ]  # fmt: skip


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems of poses and of a frame's lights and billboards, and those that use changed files."""
    return [reload_assets, remember_poses, interpolate_poses, clear_lights, clear_billboards, renew_computes]


def rish_warm_up(world: Any) -> dict[str, Callable[[], object]]:
    """Return the kernels of the poses for scenes that are large or may grow."""
    return {"poses": READY.now} if worth_preparing(len(world.table(Transform))) else {}


def rish_loaders() -> dict[str, Callable[..., Any]]:
    """Return the loaders of images and of compute shaders by suffix."""
    return {**LOADERS, ".comp": load_text}


def rish_names() -> dict[str, Callable[[Any], list[str]]]:
    """Return the list of the game's images."""
    return {"images": IMAGES}


def rish_backends() -> dict[str, Callable[[], Any]]:
    """Return the backend that draws nothing. Tests pass their own `NullBackend()`, which checks and records."""
    return {"null": lambda: NullBackend(keep=0, check=False)}


def rish_manifest(manifest: Any, registry: Any) -> None:
    """Check that the backend named in the manifest exists."""
    from .host.opening import check_backend

    check_backend(manifest, registry)


def rish_host() -> Callable[..., Any]:
    """Return the factory of the host that draws the frame."""
    from .host.opening import open_host

    return open_host


@hookimpl(trylast=True)
def rish_ready(app: Any) -> None:
    """Read the compute shaders, call the hook `rish_device_ready`, and watch the files, after all plugins are ready."""
    load_computes(app)
    app.world[AssetWatch].begin(app)
    backend = getattr(app.host, "backend", None)
    if backend is not None:
        app.plugins.gather("rish_device_ready", backend=backend, world=app.world)


def rish_reloaded(app: Any, plugins: tuple[str, ...]) -> None:
    """Replace what the reloaded code declares: passes and targets, compute work, and drawers; then call its
    `rish_device_ready`."""
    if plugins:
        load_computes(app)
        app.world[Frame].declare([*app.registry.of("rish_passes").values()])
        backend = getattr(app.host, "backend", None)
        if backend is not None:
            app.host.add_drawers(backend, plugins)
            app.plugins.tell(plugins, "rish_device_ready", backend=backend, world=app.world)


def rish_shutdown(world: Any) -> None:
    """Stop watching files."""
    world[AssetWatch].end()


@hookimpl(optional=True)
def rish_actions() -> list[Any]:
    """Return the actions of rules: `rumble`."""
    from .host.actions import ACTIONS

    return list(ACTIONS)
