"""The tables of particles in the World: columns in pools, once as state and once as view state.

`Particles` holds all pools, one after another. A pool is a *span* of rows (`Pools.start`, `Pools.capacity`). Its first
`live` rows are in use, in the order in which they were emitted; the content of the others is undefined. So a tick of a
pool is a loop over slices, nothing is allocated while the game runs, and snapshots, hashes and restores include
particles like any other table. `ViewParticles` and `ViewPools` are the same for presets with `view: true`: they are
saved, but never hashed.

A particle has ten columns, 40 bytes. Additional values that differ between particles are in `Variations`, only for
pools whose presets need them.
"""

from __future__ import annotations

from dataclasses import field as dataclass_field

from rish_core import Array, Entity, Quat, Str, Vec2, Vec3, event, field, resource
from rish_ecs import table

COLUMNS = ("x", "y", "vx", "vy", "age", "life", "angle", "spin", "size", "rgba")
"""The columns of a particle, in the order of the kernels' arguments."""
EXTRAS = ("first_speed", "last_speed", "last_size", "pick")
"""The columns of a particle's variations."""


@table
class Particles:
    """One particle a row. vx, vy: its own velocity; curves of its preset multiply it. rgba: four bytes, red lowest."""

    x: float = field(unit="units", hidden=True)
    y: float = field(unit="units", hidden=True)
    vx: float = field(unit="units/s", hidden=True)
    vy: float = field(unit="units/s", hidden=True)
    age: float = field(unit="s", hidden=True)
    life: float = field(unit="s", hidden=True)
    angle: float = field(unit="rad", hidden=True)
    spin: float = field(unit="rad/s", hidden=True)
    size: float = field(unit="units", hidden=True)
    rgba: int = field(hidden=True)


@table
class Variations:
    """Additional columns of some particles: speed factors at start and end, the size at the end, a random number.

    pick: a random number 0..1; below 0 for a particle that sticks to an edge.
    """

    first_speed: float = field(1.0, hidden=True)
    last_speed: float = field(1.0, hidden=True)
    last_size: float = field(unit="units", hidden=True)
    pick: int = field(hidden=True)


@table
class Pools:
    """One pool a row; a row with `preset` "" is free.

    layer, z: its place in the drawing order. owner: the only emitter that uses it, or 0. start, capacity, live: its
    span of `Particles`. extra: the start of its span of `Variations`, -1 for none. dropped: the number of particles
    that were not emitted because the pool was full. center: the origin of vortices and attractors. matrix: of a local
    pool, from its space to the world.
    """

    preset: Str = field("", hidden=True)
    layer: Str = field("", hidden=True)
    z: float = field(hidden=True)
    owner: Entity = field(hidden=True)
    start: int = field(hidden=True)
    capacity: int = field(hidden=True)
    live: int = field(hidden=True)
    extra: int = field(-1, hidden=True)
    dropped: int = field(hidden=True)
    center: Vec2 = field(hidden=True)
    matrix: Array[float, 6] = field((1, 0, 0, 1, 0, 0), hidden=True)


@table(view=True)
class ViewParticles(Particles):
    """Particles that are view state."""


@table(view=True)
class ViewVariations(Variations):
    """Variations of particles that are view state."""


@table(view=True)
class ViewPools(Pools):
    """Pools that are view state."""


@resource(view=True)
class ViewStreams:
    """The number of random numbers that view particles have drawn, by preset; they have streams of their own."""

    counters: dict[str, int] = dataclass_field(default_factory=dict[str, int])


@table(view=True)
class SpaceParticles(Particles):
    """Particles in space. x, y, vx, vy, z, vz, size: meters."""

    z: float = field(unit="m", hidden=True)
    vz: float = field(unit="m/s", hidden=True)


@table(view=True)
class SpaceVariations(Variations):
    """Variations of particles in space."""


@table(view=True)
class SpacePools(Pools):
    """Pools in space. z: the scale of its emitters, which multiplies all lengths of the preset."""

    center: Vec3 = field(unit="m", hidden=True)
    matrix: Array[float, 12] = field((1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0), hidden=True)


STATE, VIEW = (Particles, Variations, Pools), (ViewParticles, ViewVariations, ViewPools)
SPACE = (SpaceParticles, SpaceVariations, SpacePools)
"""The tables of particles that are state, view state, and in space."""
SPACE_COLUMNS = (*COLUMNS, "z", "vz")
"""The columns of a particle in space."""


@event
class EmitRequest:
    """A request for particles, which `emit` writes and the next particle step reads."""

    preset: Str = field("", doc="the name of a preset, or an asset")
    position: Vec2 = field((0, 0), unit="units", doc="the position in the world")
    velocity: Vec2 = field((0, 0), unit="units/s", doc="that the particles inherit, times the preset's `inherit`")
    rotation: float = field(0.0, unit="rad", angle=True, doc="rotation of the complete effect")
    scale: float = field(1.0, low=0, doc="scale of the complete effect")
    color: int = field(-1, doc="a tint, four bytes, red lowest")
    count: int = field(-1, low=-1, doc="how many", meanings={-1: "as many as the preset's pulses emit"})
    layer: Str = field("", doc="where they are drawn; empty: the preset's layer")
    z: float = field(0.0, doc="within the layer")


@event(view=True)
class EmitRequest3D:
    """A request for particles in space, which `emit_3d` writes and the next particle step reads."""

    preset: Str = field("", doc="the name of a preset, or an asset")
    position: Vec3 = field((0, 0, 0), unit="m", doc="the place in space")
    velocity: Vec3 = field((0, 0, 0), unit="m/s", doc="that the particles inherit, times the preset's `inherit`")
    rotation: Quat = field((0, 0, 0, 1), doc="rotation of the complete effect")
    scale: float = field(1.0, low=0, doc="of all lengths of the preset")
    color: int = field(-1, doc="a tint, four bytes, red lowest")
    count: int = field(-1, low=-1, doc="how many", meanings={-1: "as many as the preset's pulses emit"})
