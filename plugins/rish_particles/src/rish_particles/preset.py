"""Presets: the description of a particle effect as plain data.

A file describes an *effect*: one preset, and further ones inside it (the smoke of a fire, the sparks of a firework).
`reading` makes these from YAML, `seed_format` from the seed's JSON, and `preset_library` converts them into the tables
that kernels read. Here angles are radians, times seconds, lengths world units, and colors straight 0..1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .curves import ONE, WHITE, Curve

Span = tuple[float, float]
"""The least and the greatest value of a uniform random number; equal for a fixed value."""
Pair = tuple[float, float]
Vector = tuple[float, ...]
"""x and y, and z for particles in space, where a missing z is 0."""
Color = tuple[float, float, float, float]
FOR_EVER = -1.0
MAX_PARTS = 8
"""The greatest number of presets of an effect that one emitter can run."""
SHAPES = ("point", "line", "circle", "ring", "box", "polygon", "image")
RESPONSES = ("bounce", "die", "stick")
CHILDREN = ("on_birth", "on_death", "on_hit", "trail")
"""The fields of a preset that hold the children of its particles."""
SORTS = ("oldest_first", "newest_first", "lower_last")


@dataclass(frozen=True)
class Pulse:
    """A number of particles emitted together. count: drawn again each time. at: seconds after the start. every: seconds
    between repetitions; 0 is each tick, below 0 no repetition. times: the number of emissions, below 0 without end.
    """

    count: Span
    at: float = 0.0
    every: float = FOR_EVER
    times: int = 1


@dataclass(frozen=True)
class Emission:
    """The number and times of emitted particles. rate: per second. per_unit: per unit of the emitter's movement.
    duration: seconds, below 0 without end; then it begins again after `pause`, if `loop`. delay: seconds before it
    begins. active: whether an emitter that gets the preset plays; if not, it waits until its `playing` is set.
    """

    rate: float = 0.0
    per_unit: float = 0.0
    pulses: tuple[Pulse, ...] = ()
    duration: float = FOR_EVER
    delay: float = 0.0
    loop: bool = False
    pause: float = 0.0
    active: bool = True


@dataclass(frozen=True)
class EmitterShape:
    """The area around the emitter in which particles are emitted. kind: one of SHAPES.

    size: width and height of a line (x alone), a box, an image (0: its texels); in space also the depth of a box, which
    is its width if it is missing. In space, a circle is a ball and a ring a hollow one. radius: inner and outer.
    points: of a polygon. image: an asset. outward: directions are relative to the direction out of the shape.
    """

    kind: str = "point"
    size: Vector = (0.0, 0.0)
    radius: Span = (0.0, 0.0)
    points: tuple[Pair, ...] = ()
    image: str = ""
    outward: bool = False


@dataclass(frozen=True)
class Vortex:
    """A vortex around a point of the emitter, or, with `emitted`, around each live particle of another preset.

    turn: its angular speed along x and along y, 1/s. size: its reach, units; an emitted vortex has the size of its
    particle. literal: use the seed's formula, see `kernels.update.whirl`.
    """

    at: Pair = (0.0, 0.0)
    turn: Pair = (1.0, 1.0)
    size: float = 1000.0
    emitted: str = ""
    literal: bool = False


@dataclass(frozen=True)
class Attractor:
    """A point that attracts (below 0: repels). strength: units/s². radius: its reach, 0 for any distance; the force
    fades to 0 at the radius. swallow: particles within this distance die.
    """

    at: Vector = (0.0, 0.0)
    strength: float = 100.0
    radius: float = 0.0
    swallow: float = 0.0


@dataclass(frozen=True)
class Forces:
    """Forces that change velocities. gravity: units/s². drag: 1/s, towards the wind. wind: units/s. turbulence:
    units/s², in eddies of `turbulence_scale` units that drift by `turbulence_drift` of their own size a second.
    """

    gravity: Vector = (0.0, 0.0)
    drag: float = 0.0
    wind: Vector = (0.0, 0.0)
    turbulence: float = 0.0
    turbulence_scale: float = 100.0
    turbulence_drift: float = 0.3
    vortices: tuple[Vortex, ...] = ()
    attractors: tuple[Attractor, ...] = ()


@dataclass(frozen=True)
class Collision:
    """The response to Edges. bounce: share of the speed kept across, friction: share lost along. mask: edges' bits."""

    response: str = "bounce"
    bounce: float = 0.5
    friction: float = 0.1
    mask: int = -1


@dataclass(frozen=True)
class Child:
    """Particles of another preset, emitted by a particle. count: how many. chance: the probability that they are
    emitted. inherit: share of the parent's velocity. rate: for `trail` only, per second.
    """

    preset: str
    count: Span = (1.0, 1.0)
    chance: float = 1.0
    inherit: float = 0.0
    rate: float = 0.0
    tint: bool = True


@dataclass(frozen=True)
class ParticleLight:
    """The light of particles. radius: units. maximum: the greatest number of particles of a pool that give light; they
    are chosen evenly.
    """

    radius: float = 64.0
    color: Color = (1.0, 1.0, 1.0, 1.0)
    intensity: float = 1.0
    maximum: int = 8


@dataclass(frozen=True)
class ParticleLook:
    """The look of a particle. picture: an asset. cells: columns and rows of its sheet. play: cells a second; below 0
    all of them once over the life, 0 a random cell. stretch: seconds of its movement by which an `aligned` particle is
    longer. lit: whether the light of a scene in space falls on it.
    """

    picture: str = "rish_particles:pictures/soft.png"
    cells: tuple[int, int] = (1, 1)
    play: float = FOR_EVER
    blend: Literal["alpha", "add", "multiply", "screen"] = "alpha"
    filter: Literal["nearest", "linear"] = "linear"
    aligned: bool = False
    stretch: float = 0.0
    sort: str = "oldest_first"
    layer: str = ""
    z: float = 0.0
    visible: bool = True
    lit: bool = False


@dataclass(frozen=True)
class Preset:
    """One kind of particle, and how it is emitted. name: the asset, and for an inner one `#` and its name.

    capacity: the maximum number of live particles. life: s. at: the middle of its shape from the emitter. direction:
    rad. speed: units/s. size: units, of the longer side. angle: rad, spin: rad/s, both counter-clockwise. end_speed,
    end_size: if not None, drawn for each particle and reached linearly over its life. colors: tints, one of which is
    drawn; with `blended` any color between the first two. spin_growth: 1/s, growth of the spin as a share of the
    initial spin. inherit: share of the emitter's velocity. over_life: factors of size, speed, spin, color and opacity.
    view: for drawing only. local: moves with its emitter. time_scale: seconds of its time in one second. reach:
    emitters further than this from every camera do not emit (0: no limit); only with `view`.
    """

    name: str = ""
    capacity: int = 1000
    life: Span = (1.0, 1.0)
    at: Vector = (0.0, 0.0)
    direction: Span = (0.0, 0.0)
    speed: Span = (0.0, 0.0)
    size: Span = (16.0, 16.0)
    angle: Span = (0.0, 0.0)
    spin: Span = (0.0, 0.0)
    end_speed: Span | None = None
    end_size: Span | None = None
    spin_growth: float = 0.0
    colors: tuple[Color, ...] = ((1.0, 1.0, 1.0, 1.0),)
    blended: bool = False
    inherit: float = 0.0
    local: bool = False
    view: bool = False
    time_scale: float = 1.0
    prewarm: float = 0.0
    reach: float = 0.0
    size_over_life: Curve = ONE
    speed_over_life: Curve = ONE
    spin_over_life: Curve = ONE
    color_over_life: Curve = WHITE
    opacity_over_life: Curve = ONE
    emission: Emission = field(default_factory=Emission)
    shape: EmitterShape = field(default_factory=EmitterShape)
    forces: Forces = field(default_factory=Forces)
    collision: Collision | None = None
    on_birth: Child | None = None
    on_death: Child | None = None
    on_hit: Child | None = None
    trail: Child | None = None
    light: ParticleLight | None = None
    look: ParticleLook = field(default_factory=ParticleLook)

    @property
    def alone(self) -> bool:
        """Whether each emitter needs its own pool, because particles move with it, are affected by forces around it,
        or are prewarmed.
        """
        return self.local or self.prewarm > 0 or bool(self.forces.vortices or self.forces.attractors)

    @property
    def varied(self) -> bool:
        """Whether the particles need the columns of `Variations`."""
        cells = self.look.cells[0] * self.look.cells[1] > 1 and self.look.play == 0
        sticks = self.collision is not None and self.collision.response == "stick"
        return self.end_speed is not None or self.end_size is not None or cells or sticks

    @property
    def children(self) -> tuple[Child, ...]:
        """All children that a particle may emit."""
        return tuple(child for child in (getattr(self, name) for name in CHILDREN) if child is not None)


@dataclass(frozen=True)
class Effect:
    """A file: its presets by full name, and which of them an emitter runs, the main one first."""

    name: str
    presets: dict[str, Preset]
    run: tuple[str, ...]

    @property
    def main(self) -> Preset:
        """The preset of the file itself."""
        return self.presets[self.name]
