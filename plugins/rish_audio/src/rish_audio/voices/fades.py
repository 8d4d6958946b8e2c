"""Changes over time: fades of voices, and of the parameters of buses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_ecs import kind_of
from rish_jit import Array, maths

from ..components.tables import Buses, BusFades, Voices
from ..sounds.bank import SoundBank
from .states import PAUSE_AFTER, PAUSED, STOP_AFTER, write_states

if TYPE_CHECKING:
    from rish_core import World


def fade_to(
    world: World, rows: Array, target: float, seconds: float, ending: int = 0, *, crossfade: bool = False
) -> None:
    """Let the fade factor of voices change to `target` in `seconds`.

    ending: what happens at the end of the fade, see `Voices`. crossfade: the gain is the sine of the fade, so that the
    sum of the power of a voice that fades out and one that fades in is constant.
    """
    voices = world[Voices]
    bend(world, rows, crossfade=crossfade)
    ticks = max(seconds / world.dt, 1.0)
    voices.fade_to[rows] = target
    voices.fade_step[rows] = np.maximum(np.abs(target - voices.fade[rows]) / ticks, 1e-7)
    voices.ending[rows] = ending


def bend(world: World, rows: Array, *, crossfade: bool) -> None:
    """Set whether the gains of voices are the sine of their fades. The fades are adjusted so that the gains do not
    change.
    """
    voices = world[Voices]
    rows = rows[voices.crossfade[rows] != crossfade]
    if not len(rows):
        return
    fade = np.minimum(voices.fade[rows].astype(np.float64), 1.0)
    if crossfade:
        voices.fade[rows] = maths.atan2(fade, np.sqrt(1.0 - fade * fade)) * (2.0 / maths.PI)
    else:
        voices.fade[rows] = maths.sin(fade * (maths.PI / 2.0))
    voices.crossfade[rows] = crossfade


def advance_fades(world: World) -> Array:
    """Advance the fades by a tick; return the rows of the voices whose fade has ended and that stop now."""
    voices = world[Voices]
    fade, target, step = voices.fade, voices.fade_to, voices.fade_step
    if not (fade != target).any():
        return np.zeros(0, np.int64)
    running = ~voices.paused & (fade != target)
    fade[running] += np.clip(target[running] - fade[running], -step[running], step[running])
    over = running & (fade == target)
    voices.crossfade[over] = False
    paused = np.flatnonzero(over & (voices.ending == PAUSE_AFTER))
    if len(paused):
        voices.paused[paused] = True
        voices.ending[paused] = 0
        write_states(world, paused, PAUSED)
    return np.flatnonzero(over & (voices.ending == STOP_AFTER))


def put_buses(world: World) -> None:
    """Write the rows of the buses from the settings, unless the World already has the same buses."""
    buses, bank = world[Buses], world[SoundBank].of_world(world)
    texts = world.texts.texts
    current = [
        (texts[name], texts[parent]) for name, parent in zip(buses.name.tolist(), buses.parent.tolist(), strict=True)
    ]
    if current != [(values["name"], values.get("parent", "")) for values in bank.buses]:
        buses.clear()
        for values in bank.buses:
            buses.append(1, **values)


def fade_bus(world: World, bus: str, parameter: str, target: float, seconds: float) -> None:
    """Change a parameter of a bus to a value in some seconds; a running change is replaced."""
    spec = kind_of(Buses).fields[parameter]
    low, high = (limit if limit is not None else target for limit in (spec.low, spec.high))
    target = min(max(target, low), high)
    fades = world[BusFades]
    if len(fades):
        same = (fades.column("bus") == world.texts.find(bus)) & (
            fades.column("parameter") == world.texts.find(parameter)
        )
        fades.keep_rows(~same)
    if seconds > world.dt and spec.type.name == "float":
        fades.append(1, bus=bus, parameter=parameter, target=target, left=seconds)
    else:
        put_bus(world, bus, parameter, target)


def put_bus(world: World, bus: str, parameter: str, value: float) -> None:
    """Set a parameter of a bus now."""
    buses = world[Buses]
    buses.column(parameter)[buses.column("name") == world.texts.find(bus)] = value
    buses.mark()


_OCTAVES = ("low_pass", "high_pass")
_OPEN = {"low_pass": 20_000.0, "high_pass": 10.0}
"""The cutoffs that stand for 0, which means no filter. Frequencies change by equal steps of pitch, so they cannot
start at 0.
"""


def advance_buses(world: World) -> None:
    """Advance the changes of parameters of buses by a tick."""
    fades, dt = world[BusFades], world.dt
    if not len(fades):
        return
    buses, texts = world[Buses], world.texts.texts
    for row in range(len(fades)):
        bus, parameter = texts[int(fades.column("bus")[row])], texts[int(fades.column("parameter")[row])]
        remaining, target = float(fades.left[row]), float(fades.target[row])
        at = np.flatnonzero(buses.column("name") == world.texts.find(bus))
        if len(at):
            value = float(buses.column(parameter)[int(at[0])])
            put_bus(
                world,
                bus,
                parameter,
                target if remaining <= dt * 1.0001 else _between(parameter, value, target, dt / remaining),
            )
    fades.left -= np.float32(dt)
    fades.keep_rows(fades.left > dt * 0.0001)


def _between(parameter: str, start: float, target: float, share: float) -> float:
    if parameter not in _OCTAVES:
        return start + (target - start) * share
    start, target = start or _OPEN[parameter], target or _OPEN[parameter]
    return float(start * (target / start) ** share)
