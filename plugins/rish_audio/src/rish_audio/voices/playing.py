"""Functions that write commands: play, pause, stop, and changes of voices, buses and the mix.

They may be called in a tick, by a system or a script; the step at the end of the same tick carries the commands out.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rish_core import UsageError

from ..components.commands import SoundCommand, Verb

if TYPE_CHECKING:
    from rish_core import World

_VERB = {verb: number for number, verb in enumerate(Verb)}
_PLAY = _VERB[Verb.PLAY]


def play(
    world: World, sound: str, at: Any = None, *, source: int = 0, gain: float = 1.0, pitch: float = 1.0,
    pan: float = 0.0, loop: bool = False, bus: str = "", tag: str = "", priority: int = 0, fade: float = 0.0,
    start: float = 0.0, delay: float = 0.0, replace: bool = False,
) -> None:  # fmt: skip
    """Play a sound once, or in a loop.

    sound: a file, a named sound of the settings, or one that ships. at: its position, (2,) or (3,) in world units; None
    for everywhere, or for the position of `source`, an entity that the sound follows. gain, pitch: factors, limited to
    0..100 and 0.01..16. pan: -1..1, without a place. bus: the bus into which it is mixed. tag: a name for later
    commands. priority: if there are too many voices, those with a higher priority are kept. fade: seconds of the
    fade-in. start: the position in the clip where it starts, seconds. delay: seconds. replace: voices with the same tag
    fade out meanwhile. Raises UsageError for numbers that are not finite.
    """
    place = None if at is None else _place(sound, at)
    numbers = gain + pitch + pan + fade + start + delay
    if numbers - numbers != 0:  # infinity or not a number
        raise UsageError(f"play {sound!r}: gain, pitch, pan, fade, start and delay must be finite")
    names_given = [world.intern(text) for text in (sound, tag, bus)]
    (verb, names, sources, tags, buses, position, placed, gains, pitches, pans, loops, replaces, priorities, starts,
     fades, delays, parameter, value, relative) = world.emit_rows(SoundCommand, 1)  # fmt: skip
    verb[0], sources[0], placed[0] = _PLAY, source, place is not None
    names[0], tags[0], buses[0] = names_given
    position[:] = place or (0, 0, 0)
    gains[0], pitches[0], pans[0], loops[0], replaces[0] = gain, pitch, pan, loop, replace
    priorities[0], starts[0], fades[0], delays[0] = priority, start, fade, delay
    parameter[0], value[0], relative[0] = 0, 0, False


def _place(sound: str, at: Any) -> tuple[float, float, float]:
    """Return a position as (x, y, height). Raises UsageError if it is not two or three finite numbers."""
    try:
        x, y, z = map(float, at) if len(at) == 3 else (*map(float, at), 0.0)
    except (TypeError, ValueError):
        x = y = z = math.nan
    if not math.isfinite(x + y + z):
        raise UsageError(f"play {sound!r}: the place must be two or three finite numbers, not {at!r}")
    return x, y, z


def play_music(world: World, sound: str, *, fade: float = 1.0, gain: float = 1.0, start: float = 0.0) -> None:
    """Play music in a loop on the bus `music`; other music fades out meanwhile. If the same music already plays, it
    continues.
    """
    play(world, sound, tag="music", bus="music", loop=True, fade=fade, gain=gain, start=start, replace=True)


def stop_music(world: World, fade: float = 1.0) -> None:
    """Fade the music out."""
    stop(world, tag="music", fade=fade)


def stop(world: World, *, sound: str = "", tag: str = "", source: int = 0, bus: str = "", fade: float = 0.0) -> None:
    """Stop the voices for which all given conditions hold, in `fade` seconds; without a condition all."""
    _command(world, Verb.STOP, sound=sound, tag=tag, source=source, bus=bus, fade=fade)


def pause(world: World, *, sound: str = "", tag: str = "", source: int = 0, bus: str = "", fade: float = 0.0) -> None:
    """Pause voices, see `stop`."""
    _command(world, Verb.PAUSE, sound=sound, tag=tag, source=source, bus=bus, fade=fade)


def resume(world: World, *, sound: str = "", tag: str = "", source: int = 0, bus: str = "", fade: float = 0.0) -> None:
    """Continue paused voices, see `stop`."""
    _command(world, Verb.RESUME, sound=sound, tag=tag, source=source, bus=bus, fade=fade)


def seek(world: World, seconds: float, *, sound: str = "", tag: str = "", source: int = 0) -> None:
    """Continue voices at another position in their clip, see `stop`."""
    _command(world, Verb.SEEK, sound=sound, tag=tag, source=source, start=seconds)


def change(
    world: World, parameter: str, value: float, *, relative: bool = False, sound: str = "", tag: str = "",
    source: int = 0, bus: str = "", fade: float = 0.0,
) -> None:  # fmt: skip
    """Change `gain`, `pitch`, `pan` or `low_pass` of voices, see `stop`. Gain and pitch multiply those of the sound, as
    in `play`. relative: True if `value` is a factor of the current value.
    """
    if parameter not in VOICE_PARAMETERS:
        raise UsageError("a voice has no such parameter", given=parameter, choices=VOICE_PARAMETERS)
    selection: dict[str, Any] = {"sound": sound, "tag": tag, "source": source, "bus": bus, "fade": fade}
    _command(world, Verb.SET, parameter=parameter, value=value, relative=relative, **selection)


def set_bus(world: World, bus: str, fade: float = 0.0, **parameters: float) -> None:
    """Set parameters of a bus, in `fade` seconds: `set_bus(world, "music", gain=0.5, low_pass=400, fade=1)`.

    The parameters are the fields of `Buses`. Raises UsageError for an unknown one.
    """
    for name, value in parameters.items():
        if name not in BUS_PARAMETERS:
            raise UsageError(f"the bus {bus!r} has no such parameter", given=name, choices=BUS_PARAMETERS)
        _command(world, Verb.BUS, bus=bus, parameter=name, value=float(value), fade=fade)


def set_mix(world: World, mix: str, fade: float = 0.5) -> None:
    """Change the buses to a mix of the settings, in `fade` seconds; "" restores the initial values of the game."""
    _command(world, Verb.MIX, sound=mix, fade=fade)


VOICE_PARAMETERS = ("gain", "pitch", "pan", "low_pass")
BUS_PARAMETERS = (
    "gain", "muted", "low_pass", "high_pass", "delay", "delay_feedback", "delay_mix", "reverb_mix", "reverb_room",
    "reverb_damp", "limit", "duck_gain", "duck_threshold", "duck_attack", "duck_release",
)  # fmt: skip
"""The parameters of voices and of buses that commands may change."""


def _command(world: World, verb: Verb, **values: Any) -> None:
    if not math.isfinite(values.get("fade", 0.0) + values.get("start", 0.0) + values.get("value", 0.0)):
        raise UsageError(f"{verb.value}: all numbers must be finite")
    world.emit(SoundCommand, verb=verb, **values)
