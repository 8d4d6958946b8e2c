"""How the chain begins: as the manifest says, once everything is put together and when it is edited."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rish_core import Scenes

from ..components.settings import LightingSettings
from .chain import Crossing, Post, links_of, parts_of, transition
from .library import EffectLibrary, gather_effects
from .manifest_check import SECONDS
from .passes import KIND, Source, lay

if TYPE_CHECKING:
    from rish_core import World
    from rish_frame import Frame


def prepare_post(app: Any) -> None:
    """Fill the library, and put the manifest's chain over the picture."""
    world: World = app.world
    world[EffectLibrary].effects = gather_effects(app.plugins)
    _begin(world)


def renew_post(app: Any) -> None:
    """Follow edited code and an edited manifest; an unchanged chain keeps what code has made of it."""
    world: World = app.world
    source: Source = world[Source]
    world[EffectLibrary].effects = gather_effects(app.plugins)
    source.batches.clear()
    source.images.clear()
    if repr(world[LightingSettings].post) != source.text:
        _begin(world)


def _begin(world: World) -> None:
    chain = world[LightingSettings].post
    world[Post].links, world[Post].moves = links_of(world[EffectLibrary], chain), []
    world[Source].text = repr(chain)


def warm_up_post(world: World, backend: Any, frame: Frame) -> None:
    """Put all of the chain, and how scenes cross, into a hidden frame, so that all of it is compiled.

    Where there are several scenes, that is every way to cross, for code may ask for any of them.
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
    """A scene goes: let its picture turn into the next one's, where the manifest says so and no code has."""
    wanted, post = world[LightingSettings].transition, world[Post]
    begun = post.crossing is not None and not post.crossing.kept
    if not wanted or begun:
        return
    name, values = parts_of(wanted)
    given = dict(values)
    transition(world, effect=name, seconds=given.pop(SECONDS, 1.0), **given)
