"""Computes level, direction, rate and cutoff of each voice at the position of the listener."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Edges, Transform
from rish_jit import Array, maths

from ..components.settings import AudioSettings
from ..components.source import AudioListener
from ..components.tables import AudioState, Voices
from ..space.air import air_cutoff
from ..space.distance import cone_gain, distance_gain, lengths
from ..space.listener import directions, listener_axes, to_listener
from ..space.motion import doppler, velocity
from ..space.walls import muffled_cutoff, muffled_gain, muffling, walls_between
from .positions import angles_of, jumped, places_of

if TYPE_CHECKING:
    from rish_core import World

CAMERA = "render.Camera"
"""The camera component of another plugin, which is the listener if there is no `AudioListener`."""
NO_CONE = maths.TAU - 1e-6
"""The inner angle, radians, from which on a source has no cone."""
_SMOOTHING = 0.12
"""The time constant, in seconds, of the smoothing of walls: after it, 63 % of a change is reached."""


@dataclass(frozen=True)
class Ears:
    """The listener.

    place: (3,). axes: (3, 3), see `listener_axes`. gain: the factor of all sounds that have a place. entity: 0 for
    none.
    """

    place: Array
    axes: Array
    gain: float = 1.0
    entity: int = 0


def ears_of(world: World) -> Ears:
    """Return the listener: the first enabled one, else the main camera, else the place in the settings."""
    listeners = world.query(AudioListener, Transform)
    if len(listeners):
        enabled = np.flatnonzero(listeners[AudioListener.enabled])
        if len(enabled):
            entity = int(listeners.entities[enabled[0]])
            listener = world.get(entity, AudioListener)
            ears = _ears_at(world, entity, tuple(listener.forward), tuple(listener.up))
            ears.place[2] = listener.height
            return Ears(ears.place, ears.axes, float(listener.gain), ears.entity)
    camera = _camera(world)
    if camera:
        return _ears_at(world, camera)
    x, y = world[AudioSettings].listener
    return Ears(np.array([x, y, 0.0]), _axes(0.0))


def _ears_at(world: World, entity: int, *orientation: tuple[float, ...]) -> Ears:
    row = np.array([world.table(Transform).row_of(entity)])
    x, y = places_of(world, row)[0].tolist()
    return Ears(np.array([x, y, 0.0]), _axes(float(angles_of(world, row)[0]), *orientation), entity=entity)


_axes = lru_cache(64)(listener_axes)


def _camera(world: World) -> int:
    """Return the main camera of the plugin that draws, 0 if there is none."""
    kind = world.kind(CAMERA)
    if kind is None:
        return 0
    cameras: Any = world.query(kind, Transform)
    if not len(cameras):
        return 0
    main = np.flatnonzero(cameras[kind.enabled] & cameras[kind.primary])
    return int(cameras.entities[main[0]]) if len(main) else 0


def hear(world: World, dt: float) -> Ears | None:
    """Compute level, direction, rate and cutoff of all voices from their positions and that of the listener.

    Returns the listener; None if no voice has a place.
    """
    voices, settings, state = world[Voices], world[AudioSettings], world[AudioState]
    fade = voices.fade.astype(np.float64)
    if voices.crossfade.any():
        fade = np.where(voices.crossfade, maths.sin(fade * (maths.PI / 2.0)), fade)
    level = voices.gain * fade
    rate = voices.pitch.astype(np.float64)
    cutoff = voices.low_pass.astype(np.float64)
    spatial, ears = np.flatnonzero(voices.spatial), None
    if len(spatial):
        ears = ears_of(world)
        _forget_jump(world, ears)
        near, direction, faster, dull = _heard(world, spatial, ears, dt)
        level[spatial] *= near * ears.gain
        rate[spatial] *= faster
        voices.direction[spatial] = direction
        cutoff[spatial] = np.where(cutoff[spatial] > 0, np.minimum(cutoff[spatial], dull), dull)
        state.ears = tuple(ears.place.tolist())
    else:
        state.ears = ()
    voices.last_position[:] = voices.position
    voices.moved[:] = True
    voices.level[:] = level
    voices.rate[:] = rate
    voices.cutoff[:] = np.where(cutoff < settings.rate * 0.45, cutoff, 0)
    return ears


def _forget_jump(world: World, ears: Ears) -> None:
    """Discard the previous position of the listener if it was moved by `teleport`, so that it has no speed."""
    state: AudioState = world[AudioState]
    if ears.entity and len(state.ears) == 3 and ears.place.tolist() != list(state.ears):
        row = np.array([world.table(Transform).row_of(ears.entity)])
        if jumped(world, row, np.array([state.ears[:2]]), ears.place[None, :2])[0]:
            state.ears = ()


def _heard(world: World, rows: Array, ears: Ears, dt: float) -> tuple[Array, Array, Array, Array]:
    """Return gain, direction, factor of the rate and cutoff of the voices in some rows."""
    voices, settings, state = world[Voices], world[AudioSettings], world[AudioState]
    meter = settings.units_per_meter
    position = voices.position[rows].astype(np.float64)
    to_source = position - ears.place
    offset = to_listener(to_source, ears.axes)
    distance = lengths(offset)
    near, far = voices.min_distance[rows].astype(np.float64), voices.max_distance[rows].astype(np.float64)
    gain = distance_gain(
        distance, near, far, voices.rolloff_factor[rows].astype(np.float64), voices.column("rolloff")[rows]
    )
    inner, outer, outside = voices.cone[rows].astype(np.float64).T
    if inner.min() < NO_CONE:
        gain = gain * cone_gain(-to_source, voices.forward[rows].astype(np.float64), inner, outer, outside)
    factor = settings.doppler * voices.doppler[rows].astype(np.float64)
    faster: Array = np.ones(len(rows))
    if factor.any():
        sound = settings.speed_of_sound * meter
        before = np.where(voices.moved[rows, None], voices.last_position[rows], position)
        earlier = np.array(state.ears if len(state.ears) == 3 else ears.place)
        if (before != position).any() or (earlier != ears.place).any():
            ears_speed = velocity(ears.place[None], earlier[None], dt, sound)
            speed = to_listener(velocity(position, before, dt, sound), ears.axes)
            faster = doppler(offset, distance, speed, to_listener(ears_speed, ears.axes)[0], sound, factor)
    gain, cutoff = _behind_walls(world, rows, ears, gain, dt)
    if settings.air > 0:
        cutoff = np.minimum(cutoff, air_cutoff(distance / meter, settings.air))
    return gain, directions(offset, distance, near), faster, cutoff


def _behind_walls(world: World, rows: Array, ears: Ears, gain: Array, dt: float) -> tuple[Array, Array]:
    """Return the gain with walls, and the cutoff of their low-pass; changes of the walls are smoothed over time."""
    voices, settings = world[Voices], world[AudioSettings]
    strength = settings.walls * voices.walls[rows].astype(np.float64)
    edges = world[Edges]
    target: Array = np.zeros(len(rows))
    if len(edges) and strength.any():
        ends = np.stack([edges.x0, edges.y0, edges.x1, edges.y1]).astype(np.float64)
        if settings.wall_mask != -1:
            ends = ends[:, edges.mask & np.int32(settings.wall_mask) != 0]
        crossed = walls_between(ends, voices.position[rows, :2].astype(np.float64), ears.place[:2])
        target = muffling(crossed, strength)
    before = voices.muffled[rows].astype(np.float64)
    follow = np.where(voices.moved[rows], min(dt / _SMOOTHING, 1.0), 1.0)
    muffled = before + (target - before) * follow
    muffled = np.where(np.abs(muffled) < 1e-4, 0.0, muffled)
    voices.muffled[rows] = muffled
    if not muffled.any():
        return gain, np.full(len(rows), np.inf)
    return gain * muffled_gain(muffled), np.where(muffled > 0, muffled_cutoff(muffled), np.inf)
