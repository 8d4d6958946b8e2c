"""The hooks of rish_lighting; importing this module does not load numba."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from rish_core import About, AssetNames, hookimpl
from rish_jit import available

from ..components.light import Ambient, Light, Occluder
from ..components.settings import LightingSettings
from ..gi.extract import Glow, glow
from ..lamps.picking import pick_lights
from ..passes.cookies import Cookies
from ..passes.extract import Lighting, cut, light, note_backend
from ..post import hooks as post_hooks
from ..post.chain import Post
from ..post.chain_setup import cross_scenes, prepare_post, renew_post, warm_up_post
from ..post.effect_library import EffectLibrary, gather_effects
from ..post.effects.lut import LOOKUP_TABLES
from ..post.manifest_check import check_post
from ..post.passes import Source, post
from ..sight.components import FogOfWar, Sight
from ..sight.fog import Fog, FogView, look
from ..sight.fog_extract import veil
from ..walls.occluders import Publishing, publish_occluders
from .manifest_check import check_lights


def rish_about() -> About:
    """Describe the plugin; it requires `frame`."""
    return About(
        requires=["frame"],
        description="lights, ambience and shadows in high dynamic range, and effects over the picture",
    )


def rish_hookspecs() -> ModuleType:
    """Add the hook `rish_effects`, with which plugins and games declare effects."""
    return post_hooks


def rish_settings() -> type:
    """Return the class of `settings: lighting:`."""
    return LightingSettings


def rish_components() -> list[type]:
    """Return the components for lights, occluders, sight and fog."""
    return [Light, Ambient, Occluder, Sight, FogOfWar]


def rish_resources() -> list[type]:
    """Return the chain of effects, the fog of war, and resources derived from other state."""
    return [Post, EffectLibrary, Source, Lighting, Publishing, Fog, FogView, Glow, Cookies]


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems that publish occluders, light the layers, and draw fog and effects."""
    return [publish_occluders, look, cut, light, glow, veil, post]


def rish_names() -> dict[str, AssetNames]:
    """Return the list of the game's lookup tables of colors."""
    return {"lookup_tables": LOOKUP_TABLES}


def rish_effects() -> list[type]:
    """Return the built-in effects."""
    from ..post.effects.builtin import EFFECTS

    return EFFECTS


def rish_drawers() -> Mapping[str, Mapping[str, Callable[[], Any]]]:
    """Return the drawers of light, effects and fog for each backend."""
    from .drawers import MAKERS

    return MAKERS


def rish_pickers() -> dict[str, Callable[..., Any]]:
    """Return the picker of lights."""
    return {"lights": pick_lights}


def rish_manifest(manifest: Any, plugins: Any) -> None:
    """Check the effects and lights in a manifest."""
    check_post(manifest, gather_effects(plugins))
    check_lights(manifest)


def rish_ready(app: Any) -> None:
    """Set up the manifest's chain of effects."""
    prepare_post(app)


def rish_device_ready(backend: Any, world: Any) -> None:
    """Record whether the backend draws light."""
    note_backend(world[Lighting], backend)


def rish_reloaded(app: Any, plugins: tuple[str, ...]) -> None:
    """Update the effects after their code or the manifest changed."""
    renew_post(app)


def rish_warm_up(world: Any) -> dict[str, Callable[[], object]]:
    """Return the features of shadows, global illumination and sight that the scene needs."""
    from ..gi.warm_up import needs_gi, rasterize_walls
    from ..passes.warm_up import cast_shadows, needs_shadows
    from ..sight.warm_up import call_kernels, needs_sight

    warm_ups = {
        "shadows": (cast_shadows, needs_shadows), "gi": (rasterize_walls, needs_gi),
        "sight": (call_kernels, needs_sight),
    }  # fmt: skip
    return {name: call for name, (call, is_needed) in warm_ups.items() if available() and is_needed(world)}


def rish_samples(world: Any, backend: Any, frame: Any) -> list[Any]:
    """Return sample batches of lights and effects, so that none of them compiles during the game."""
    from ..gi.warm_up import warm_up_gi
    from ..passes.warm_up import warm_up
    from ..sight.warm_up import warm_up_sight

    warm_up_sight(world, frame)
    warm_up_gi(world, frame)
    warm_up_post(world, backend, frame)
    return warm_up(world, frame)


def rish_scene_unloading(world: Any, scene: str) -> None:
    """Start the transition to the next scene."""
    cross_scenes(world)


@hookimpl(optional=True)
def rish_editor_inspectors() -> Mapping[type, Callable[..., None]]:
    """Return how the editor's inspector shows lights, ambient light and occluders."""
    from .editing import INSPECTORS

    return INSPECTORS


@hookimpl(optional=True)
def rish_editor_gizmos() -> Mapping[type, Callable[..., None]]:
    """Return what scene views draw over lights and occluders."""
    from .editing import GIZMOS

    return GIZMOS


@hookimpl(optional=True)
def rish_editor_texts() -> Path:
    """Return the folder with translations of the texts for the editor."""
    return Path(__file__).parent / "editing" / "texts"
