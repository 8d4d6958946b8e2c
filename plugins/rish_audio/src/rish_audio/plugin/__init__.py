"""The hooks of rish_audio; importing this module loads neither numba nor miniaudio."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rish_core import About, AssetNames, TickHooks, hookimpl

from ..clips.clip_library import ClipLibrary
from ..clips.decoding import check_sound
from ..clips.headers import read_info
from ..components.commands import DelayedCommands, SoundCommand, SoundEnded, SoundMarker
from ..components.settings import AudioSettings
from ..components.source import AudioListener, AudioSource
from ..components.tables import AudioState, Buses, BusFades, Voices
from ..outputs.session import AudioOutput
from ..sounds.bank import SoundBank
from ..sounds.sound import SUFFIXES
from ..voices.advance import advance_voices
from ..voices.reactions import Reactions
from ..voices.steady import Steady
from ..voices.step import step_audio
from .manifest_check import check_output, check_sounds


def rish_about() -> About:
    """Return the description of the plugin; it requires no other plugin."""
    about = "sound: sources, a listener, buses with effects, music"
    optional = {
        "frame": "a film has no sound",
        "render": "without an AudioListener, sounds are not heard from the camera",
        "physics2d": "no colliders muffle sounds",
        "rules": "rules can't play sounds",
    }
    return About(optional=optional, description=about, view=True)


def rish_settings() -> type:
    """Return the settings class for `settings: audio:` in a manifest."""
    return AudioSettings


def rish_components() -> list[type]:
    """Return the components of the plugin."""
    return [AudioSource, AudioListener]


def rish_resources() -> list[type]:
    """Return the tables of the plugin, and data that can be rebuilt."""
    return [
        Voices,
        Buses,
        BusFades,
        DelayedCommands,
        AudioState,
        SoundBank,
        ClipLibrary,
        Reactions,
        Steady,
        AudioOutput,
    ]


def rish_events() -> list[type]:
    """Return the events of the plugin."""
    return [SoundCommand, SoundEnded, SoundMarker]


def rish_systems() -> list[Callable[..., None]]:
    """Return the system `audio.step`, which decides which sounds play and how."""
    return [step_audio]


def rish_loaders() -> dict[str, Callable[..., Any]]:
    """Return the loaders of sound files, which read only their headers."""
    return dict.fromkeys(SUFFIXES, read_info)


class _Sounds(AssetNames):
    def __call__(self, world: Any) -> list[str]:
        """Return the sounds of the game, those that ship, and the game's files."""
        return [*world[SoundBank].of_world(world).names(), *super().__call__(world)]


def rish_names() -> dict[str, Callable[[Any], list[str]]]:
    """Return the lists of sounds and of buses: those of the game, those that ship, the game's files."""
    return {
        "sounds": _Sounds(*SUFFIXES, read=check_sound),
        "buses": lambda world: world[SoundBank].of_world(world).bus_names(),
    }


def rish_manifest(manifest: Any, registry: Any) -> None:
    """Check the sounds, buses, mixes and reactions in the manifest, and the sounds that it names."""
    check_sounds(manifest, registry)
    if manifest.data_only:
        check_output(manifest)


def rish_ready(app: Any) -> None:
    """Open the output, and let it follow the ticks."""
    world = app.world
    library, settings = world[ClipLibrary], world[AudioSettings]
    library.memory, library.stream_over = int(settings.memory * 2**20), int(settings.stream_above * 2**20)
    output: AudioOutput = world[AudioOutput]
    output.open(world, app.windowed)
    tick_hooks: TickHooks = world[TickHooks]
    tick_hooks.before.insert(0, output.expect)
    tick_hooks.after.append(output.follow)


def rish_scene_loaded(world: Any, scene: str) -> None:
    """Start decoding the clips that the scene's sources name, and record that the scene begins, for reactions."""
    world[AudioState].began = scene
    world[AudioOutput].prepare()


def rish_warm_up(world: Any) -> dict[str, Callable[[], object]]:
    """Return the kernel of voices, and those of the mixer if samples are written; those of a sound card are compiled
    during play.
    """
    from ..outputs.mixer_kernels import FEATURE, warm_up

    features: dict[str, Callable[[], object]] = {
        "voices": lambda: advance_voices(world.private(), world.dt, steady=True)
    }
    if world[AudioOutput].waits:
        features[FEATURE] = warm_up
    return features


def rish_frame_end(world: Any) -> None:
    """Update the sound if the World went to another tick, or is paused."""
    world[AudioOutput].after_frame(world)


def rish_shutdown(world: Any) -> None:
    """Finish files and close the sound card."""
    output: AudioOutput = world[AudioOutput]
    tick_hooks: TickHooks = world[TickHooks]
    tick_hooks.before[:] = [each for each in tick_hooks.before if each != output.expect]
    tick_hooks.after[:] = [each for each in tick_hooks.after if each != output.follow]
    output.close(world)


@hookimpl(optional=True)
def rish_actions() -> list[Any]:
    """Return the actions of rules: `play`, `stop_sound` and others."""
    from .actions import ACTIONS

    return list(ACTIONS)


@hookimpl(optional=True)
def rish_editor_panels() -> list[type]:
    """Return the panels Mixer and Sounds of the editor."""
    from .editing import PANELS

    return PANELS


@hookimpl(optional=True)
def rish_editor_inspectors() -> Mapping[type, Callable[..., None]]:
    """Return how the editor's inspector shows sources and listeners."""
    from .editing import INSPECTORS

    return INSPECTORS


@hookimpl(optional=True)
def rish_editor_gizmos() -> Mapping[type, Callable[..., None]]:
    """Return what scene views draw over sources and listeners."""
    from .editing import GIZMOS

    return GIZMOS


@hookimpl(optional=True)
def rish_editor_templates() -> Mapping[str, Mapping[str, Any]]:
    """Return the kinds of new assets: sounds and tunes."""
    from .templates import TEMPLATES

    return TEMPLATES


@hookimpl(optional=True)
def rish_editor_texts() -> Path:
    """Return the folder with translations of the texts for the editor."""
    return Path(__file__).parent / "editing" / "texts"


@hookimpl(optional=True)
def rish_editor_references() -> dict[str, dict[str, list[str]]]:
    """Return where the sounds of the manifest name other files."""
    return {"game.yaml": {"rooted": ["settings/audio/sounds/*", "settings/audio/on/*"]}}
