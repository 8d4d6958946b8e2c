"""Sets up the chain from the manifest, when the game starts and when the manifest is edited."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rish_core import Scenes

from ..components.settings import LightingSettings
from .chain import Crossing, Post, links_of, parts_of, transition
from .effect_library import EffectLibrary, gather_effects
from .manifest_check import SECONDS
from .passes import KIND, Source, lay

if TYPE_CHECKING:
    from rish_core import World
    from rish_frame import Frame


def prepare_post(app: Any) -> None:
    """Collect the effects of all plugins, and set up the chain of the manifest."""
    world: World = app.world
    world[EffectLibrary].effects = gather_effects(app.plugins)
    _begin(world)


def renew_post(app: Any) -> None:
    """Update the effects and the chain after an edit of code or manifest. If the manifest's chain has not changed,
    changes that code has made to it remain.
    """
    world: World = app.world
    source: Source = world[Source]
    world[EffectLibrary].effects = gather_effects(app.plugins)
    source.images.clear()
    if repr(world[LightingSettings].post) != source.text:
        _begin(world)


def _begin(world: World) -> None:
    chain = world[LightingSettings].post
    world[Post].links, world[Post].moves = links_of(world[EffectLibrary], chain), []
    world[Source].text = repr(chain)


def warm_up_post(world: World, backend: Any, frame: Frame) -> None:
    """Draw the complete chain and the transitions in a hidden frame, so that they are compiled.

    If there are several scenes, all transitions are included, since code may start any of them.
    """
    if KIND not in backend.kinds:
        return
    ways: list[str] = []
    if Scenes in world and len(world[Scenes].names) > 1:
        ways = [name for name, effect in world[EffectLibrary].effects.items() if effect.transition]
    elif world[LightingSettings].transition:
        ways = [parts_of(world[LightingSettings].transition)[0]]
    links = [replace(link, enabled=True) for link in world[Post].links]
    crossings = [Crossing(name, {}, 0.0, 1.0) for name in ways]
    lay(world, frame, Post(links), Source(images=world[Source].images), crossings)


def cross_scenes(world: World) -> None:
    """Start the manifest's transition when a scene is unloaded, unless code has started a transition."""
    setting, post = world[LightingSettings].transition, world[Post]
    is_crossing = post.crossing is not None and not post.crossing.kept
    if not setting or is_crossing:
        return
    name, values = parts_of(setting)
    parameters = dict(values)
    transition(world, effect=name, seconds=parameters.pop(SECONDS, 1.0), **parameters)
