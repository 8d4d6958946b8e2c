"""Carries out the commands of a tick: plays sounds, changes voices, buses and the mix."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import did_you_mean, kind_of
from rish_ecs.declarations import members_of
from rish_jit import Array

from ..clips.clip_library import ClipLibrary
from ..components.commands import DelayedCommands, SoundCommand, Verb
from ..components.source import AudioSource
from ..components.tables import AudioState, Buses, Voices
from ..sounds.bank import SoundBank
from .fades import bend, fade_bus, fade_to
from .playing import BUS_PARAMETERS
from .states import PAUSE_AFTER, PAUSED, PLAYING, STOP_AFTER, write_states
from .voice_end import end_voices
from .voice_start import MAX_GAIN, MAX_PITCH, MIN_PITCH, frame_of, start_voices

if TYPE_CHECKING:
    from rish_core import World

_MAX_DELAY = 2.0**30
"""The greatest delay, in ticks."""
_VERBS = members_of(Verb)
_PLAY = _VERBS.index(Verb.PLAY)


@dataclass(slots=True)
class Command:
    """One command as plain values, with texts instead of their numbers. See `SoundCommand`."""

    verb: Verb
    sound: str
    source: int
    tag: str
    bus: str
    position: tuple[float, float, float]
    placed: bool
    gain: float
    pitch: float
    pan: float
    loop: bool
    replace: bool
    priority: int
    start: float
    fade: float
    delay: float
    parameter: str
    value: float
    relative: bool


_FIELDS = tuple(Command.__slots__)
_FINITE = ("gain", "pitch", "pan", "start", "fade", "value")
_STARTED = ("sound", "source", "tag", "bus", "gain", "pitch", "pan", "loop", "priority", "start", "fade", "placed")
"""The fields of commands that `start_voices` gets unchanged."""
Commands = dict[str, Array]
"""Commands as columns by field, in their order."""


def due_commands(world: World) -> list[Commands]:
    """Return the commands that are due: the delayed ones, then those of this tick. Others are stored for later."""
    batch, waiting, due_now = world.events(SoundCommand), world[DelayedCommands], list[Commands]()
    if len(waiting):
        due = waiting.due <= world.tick
        if due.any():
            due_now.append({name: waiting.column(name)[due] for name in _FIELDS})
            waiting.keep_rows(~due)
    if not len(batch):
        return due_now
    columns = {name: getattr(batch, name) for name in _FIELDS}
    late = columns["delay"] > 0
    if late.any():
        due = world.tick + np.clip(np.rint(columns["delay"][late] / world.dt), 1, _MAX_DELAY - world.tick).astype(
            np.int32
        )
        waiting.append(int(late.sum()), due=due, **_rows(columns, late))
        columns = _rows(columns, ~late)
    return [*due_now, columns]


def carry_out(world: World, columns: Commands) -> None:
    """Carry out commands in order of priority. Sounds that are played one after another are started together."""
    if not len(columns["verb"]):
        return
    finite = np.logical_and.reduce([np.isfinite(columns[name]) for name in _FINITE])
    finite &= np.isfinite(columns["position"]).all(axis=1)
    if not finite.all():
        for command in _read(world, _rows(columns, ~finite)):
            name = command.sound or command.tag or command.bus
            world[SoundBank].warn(f"{command.verb.value} {name!r}: a number is not finite, so nothing is done")
        columns = _rows(columns, finite)
    if columns["priority"].any():
        columns = _rows(columns, np.argsort(-columns["priority"], kind="stable"))
    plays = (columns["verb"] == _PLAY) & ~(columns["replace"] & (columns["tag"] != 0))
    ends = [*(np.flatnonzero(plays[1:] != plays[:-1]) + 1).tolist(), len(plays)]
    for first, end in pairwise((0, *ends)):
        commands = _rows(columns, slice(first, end))
        if plays[first:end].any():
            _play(world, commands)
        else:
            for row, command in enumerate(_read(world, commands)):
                if command.verb is not Verb.PLAY:
                    _DO[command.verb](world, command)
                elif not _resume_tagged(world, command):
                    _play(world, _rows(commands, slice(row, row + 1)))


def _rows(columns: Commands, rows: Any) -> Commands:
    return {name: column[rows] for name, column in columns.items()}


def _read(world: World, columns: Commands) -> list[Command]:
    texts, specs = world.texts.texts, kind_of(SoundCommand).fields
    value_lists: list[list[Any]] = []
    for name in _FIELDS:
        values = columns[name].tolist()
        if specs[name].type.special == "str":
            values = [texts[number] for number in values]
        elif name == "verb":
            values = [_VERBS[number] for number in values]
        value_lists.append(values)
    return [Command(*values) for values in zip(*value_lists, strict=True)]


def matching(world: World, command: Command) -> Array:
    """Return the rows of the voices that a command is for."""
    voices = world[Voices]
    matches = np.ones(len(voices), np.bool_)
    for name in ("sound", "tag", "bus"):
        text = getattr(command, name)
        if text:
            matches &= voices.column(name) == world.texts.find(text)
    if command.source:
        matches &= voices.source == command.source
    return np.flatnonzero(matches)


def _play(world: World, columns: Commands) -> None:
    """Start the sounds of commands."""
    position, placed = columns["position"], columns["placed"]
    start_voices(
        world, **{name: columns[name] for name in _STARTED}, position=position, last_position=position,
        spatial=placed | (columns["source"] != 0), crossfade=columns["replace"],
    )  # fmt: skip


def _resume_tagged(world: World, command: Command) -> bool:
    """Fade out the other voices with the tag of a command; return whether one of the same sound continues."""
    voices, tag = world[Voices], world.texts.find(command.tag)
    tagged = (voices.column("tag") == tag) & (voices.ending != STOP_AFTER)
    same = tagged & (voices.column("sound") == world.texts.find(command.sound))
    stop_rows(world, np.flatnonzero(tagged & ~same), command.fade, crossfade=True)
    same = np.flatnonzero((world[Voices].column("tag") == tag) & (world[Voices].ending != STOP_AFTER))
    if len(same):
        resume_rows(world, same, command.fade)
    return len(same) > 0


def stop_rows(world: World, rows: Array, seconds: float, *, crossfade: bool = False) -> None:
    """End voices, immediately or after a fade; paused voices end immediately. crossfade: see `fade_to`."""
    voices = world[Voices]
    if seconds > 0:
        fading = rows[~voices.paused[rows]]
        fade_to(world, fading, 0.0, seconds, ending=STOP_AFTER, crossfade=crossfade)
        rows = rows[voices.paused[rows]]
    end_voices(world, rows, stopped=True)


def pause_rows(world: World, rows: Array, seconds: float) -> None:
    """Pause voices, immediately or after a fade."""
    voices = world[Voices]
    if seconds > 0:
        fade_to(world, rows[~voices.paused[rows]], 0.0, seconds, ending=PAUSE_AFTER)
    else:
        voices.paused[rows] = True
        write_states(world, rows, PAUSED)


def resume_rows(world: World, rows: Array, seconds: float) -> None:
    """Continue voices, immediately or with a fade."""
    voices = world[Voices]
    voices.paused[rows] = False
    write_states(world, rows, PLAYING)
    if seconds > 0:
        fade_to(world, rows, 1.0, seconds)
    else:
        voices.fade[rows] = voices.fade_to[rows] = 1.0
        voices.crossfade[rows], voices.ending[rows] = False, 0


def seek_rows(world: World, rows: Array, seconds: float) -> None:
    """Continue voices at another position in their clips."""
    voices, library = world[Voices], world[ClipLibrary]
    for row in rows.tolist():
        info = library.info(world, world.text(int(voices.column("clip")[row])))
        voices.frame[row], voices.fraction[row] = frame_of(info, seconds), 0


def _set(world: World, command: Command) -> None:
    voices, rows = world[Voices], matching(world, command)
    if command.parameter in ("gain", "pitch"):
        which = ("gain", "pitch").index(command.parameter)
        before = voices.own[rows, which]
        after = (before if command.relative else _usual(world, rows, command.parameter)) * command.value
        if command.parameter == "gain":
            after = np.clip(after, 0, MAX_GAIN)
            if command.fade > 0:
                _slide_gain(world, rows, before, after, command.fade)
                return
        else:
            after = np.clip(after, MIN_PITCH, MAX_PITCH)
        voices.own[rows, which] = after
        bound = voices.bound[rows]
        voices.column(command.parameter)[rows[~bound]] = after[~bound]
    elif command.parameter in ("pan", "low_pass"):
        low, high = (-1, 1) if command.parameter == "pan" else (0, np.inf)
        table, bound = world.table(AudioSource), voices.bound[rows]
        for columns, at in ((voices, rows[~bound]), (table, table.rows_of(voices.source[rows[bound]]))):
            if len(at):
                column = columns.column(command.parameter)
                column[at] = np.clip(column[at] * command.value if command.relative else command.value, low, high)
                columns.mark(at)


def _usual(world: World, rows: Array, parameter: str) -> Array:
    """Return the gain or pitch of the sounds that voices play, float64 (n,). Commands multiply it."""
    bank, texts = world[SoundBank], world.texts.texts
    names = world[Voices].column("sound")[rows].tolist()
    return np.array([getattr(bank.sound(world, texts[name]), parameter) for name in names], np.float64)


def _slide_gain(world: World, rows: Array, before: Array, after: Array, seconds: float) -> None:
    """Change gains over time: the new gain is set immediately, and the fade leads from the old gain to it."""
    voices = world[Voices]
    going = voices.ending[rows] == 0
    rows, before, after = rows[going], before[going], after[going]
    bend(world, rows, crossfade=False)
    loud = np.maximum(after, 1e-4)
    voices.own[rows, 0] = loud
    voices.gain[rows[~voices.bound[rows]]] = loud[~voices.bound[rows]]
    voices.fade[rows] = voices.fade[rows] * before / loud
    fade_to(world, rows, 1.0, seconds)


def _set_bus(world: World, command: Command) -> None:
    buses = world[Buses]
    rows = np.flatnonzero(buses.column("name") == world.texts.find(command.bus))
    bank: SoundBank = world[SoundBank]
    if not len(rows):
        near = did_you_mean(command.bus, bank.bus_names())
        bank.warn(f"there is no bus {command.bus!r}{near}, so nothing was changed")
        return
    if command.parameter not in BUS_PARAMETERS:
        near = did_you_mean(command.parameter, BUS_PARAMETERS)
        bank.warn(f"a bus has no parameter {command.parameter!r}{near}, so nothing was changed")
        return
    row = int(rows[0])
    value = float(buses.column(command.parameter)[row]) * command.value if command.relative else command.value
    fade_bus(world, command.bus, command.parameter, value, command.fade)


def _set_mix(world: World, command: Command) -> None:
    bank: SoundBank = world[SoundBank]
    name = command.sound
    if name and name not in bank.mixes:
        bank.warn(f"there is no mix {name!r}{did_you_mean(name, bank.mixes)}, so nothing was changed")
        return
    state = world[AudioState]
    changed = {bus: {**values} for bus, values in _plain(bank, state.mix).items()}
    for bus, values in bank.mixes.get(name, {}).items():
        changed.setdefault(bus, {}).update(values)
    for bus, values in changed.items():
        for parameter, value in values.items():
            fade_bus(world, bus, parameter, float(value), command.fade)
    state.mix = name


def _plain(bank: SoundBank, mix: str) -> dict[str, dict[str, Any]]:
    """Return for the parameters that a mix sets the values that they have without the mix."""
    specs = kind_of(Buses).fields
    values_by_bus = {bus["name"]: bus for bus in bank.buses}
    return {
        bus: {name: values_by_bus[bus].get(name, specs[name].default) for name in values}
        for bus, values in bank.mixes.get(mix, {}).items()
    }


_DO: Mapping[Verb, Callable[[Any, Command], None]] = {
    Verb.STOP: lambda world, command: stop_rows(world, matching(world, command), command.fade),
    Verb.PAUSE: lambda world, command: pause_rows(world, matching(world, command), command.fade),
    Verb.RESUME: lambda world, command: resume_rows(world, matching(world, command), command.fade),
    Verb.SEEK: lambda world, command: seek_rows(world, matching(world, command), command.start),
    Verb.SET: _set,
    Verb.BUS: _set_bus,
    Verb.MIX: _set_mix,
}
