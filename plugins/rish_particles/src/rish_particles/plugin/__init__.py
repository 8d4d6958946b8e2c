"""The hooks of rish_particles; importing this module does not load numba."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rish_core import About, hookimpl
from rish_frame import Billboards, LightPoints

from ..births.births import Workshop
from ..components.emitter import Emitter
from ..components.notices import Notices
from ..components.settings import ParticleSettings
from ..components.tables import (
    SPACE,
    STATE,
    VIEW,
    EmitRequest,
    EmitRequest3D,
    Pools,
    SpacePools,
    ViewPools,
    ViewStreams,
)
from ..draw.draw import Drawing, pack_particles, place_particles
from ..draw.lights import shine
from ..draw.picking import pick_emitters
from ..files.checking import PRESETS
from ..files.preset_library import PresetLibrary
from ..files.reading import SUFFIX, load_effect
from ..motion.step import step_particles
from ..pools.pools import PoolIndex
from ..space.draw import show_in_space
from ..space.step import step_space
from .manifest_check import check_particles


def rish_about() -> About:
    """Return the description of the plugin; it requires the plugin frame, and nothing else reads its state."""
    about = "particles from data files: emitters, forces, whirls, collisions"
    return About(requires=["frame"], description=about, view=True)


def rish_settings() -> type:
    """Return the settings class for `settings: particles:` in a manifest."""
    return ParticleSettings


def rish_components() -> list[type]:
    """Return the components of the plugin."""
    return [Emitter]


def rish_resources() -> list[type]:
    """Return the resources: the particle tables, and data that can be rebuilt."""
    return [*STATE, *VIEW, *SPACE, ViewStreams, PresetLibrary, PoolIndex, Workshop, Drawing, Notices]


def rish_events() -> list[type]:
    """Return the events of the plugin."""
    return [EmitRequest, EmitRequest3D]


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems: the steps of all pools, their light, and the systems that draw."""
    return [step_particles, step_space, shine, show_in_space, place_particles, pack_particles]


def rish_loaders() -> dict[str, Callable[..., Any]]:
    """Return the loader of preset files."""
    return {SUFFIX: load_effect}


def rish_names() -> dict[str, Callable[[Any], list[str]]]:
    """Return the list of presets: those that ship, then the game's files."""
    return {"particle_presets": PRESETS}


def rish_pickers() -> dict[str, Callable[..., Any]]:
    """Return the picker of emitters."""
    return {"emitters": pick_emitters}


def rish_manifest(manifest: Any) -> None:
    """Check the presets and reactions in the manifest."""
    check_particles(manifest)


def rish_ready(app: Any) -> None:
    """Store whether plugins draw light and billboards, that is whether systems read `LightPoints` and `Billboards`."""
    read = {kind for bound in app.registry.systems for kind in bound.spec.reads}
    app.world[Notices].lit, app.world[Notices].shown = LightPoints in read, Billboards in read


def rish_warm_up(world: Any) -> dict[str, Callable[[], object]]:
    """Return the features that the scene's presets need."""
    from .warm_up import warm_up

    return warm_up(world)


def rish_samples(world: Any, backend: Any, frame: Any) -> list[Any]:
    """Return sample batches of the scene's presets."""
    from .warm_up import samples

    return samples(world)


def rish_scene_unloading(world: Any, scene: str) -> None:
    """Remove all particles when a scene is unloaded."""
    for pools in (world[Pools], world[ViewPools], world[SpacePools]):
        pools.live[:] = 0


@hookimpl(optional=True)
def rish_actions() -> list[Any]:
    """Return the actions of rules: `burst`."""
    from .actions import ACTIONS

    return list(ACTIONS)


@hookimpl(optional=True)
def rish_editor_panels() -> list[type]:
    """Return the panel that tunes presets in the editor."""
    from .editing import PANELS

    return PANELS


@hookimpl(optional=True)
def rish_editor_inspectors() -> Mapping[type, Callable[..., None]]:
    """Return how the editor's inspector shows emitters."""
    from .editing import INSPECTORS

    return INSPECTORS


@hookimpl(optional=True)
def rish_editor_gizmos() -> Mapping[type, Callable[..., None]]:
    """Return what scene views draw over emitters."""
    from .editing import GIZMOS

    return GIZMOS


@hookimpl(optional=True)
def rish_editor_templates() -> Mapping[str, Mapping[str, Any]]:
    """Return the kinds of new assets: presets of particles."""
    from .templates import TEMPLATES

    return TEMPLATES


@hookimpl(optional=True)
def rish_editor_texts() -> Path:
    """Return the folder with translations of the texts for the editor."""
    return Path(__file__).parent / "editing" / "texts"


@hookimpl(optional=True)
def rish_editor_references() -> dict[str, dict[str, list[str]]]:
    """Return where presets and the manifest name other files."""
    return {
        SUFFIX: {"rooted": ["*/picture", "*/image", "*/preset"]},
        "game.yaml": {"rooted": ["*/Emitter/preset", "*/particles.Emitter/preset", "settings/particles/on/*/preset"]},
    }
