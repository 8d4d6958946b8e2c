"""Paths, the component that moves an entity along one, and the event at the end.

track: {Transform: {}, MotionPath: {shape: smooth, points: [[-60, 0], [0, 40], [60, 0]], closed: true}}
cart:  {Transform: {}, FollowPath: {path: track, speed: 40, orient: true}}
fly:   {Transform: {}, MotionPath: {shape: lissajous, size: [80, 40]}, FollowPath: {seconds: 4}}
"""

from __future__ import annotations

from enum import Enum

from rish_ecs import Entity, Vec2, component, event, field

from ..clips.model import PlayMode


class PathShape(Enum):
    """The form of a path: through points, or a function of its size."""

    LINES = "lines"
    SMOOTH = "smooth"
    BEZIER = "bezier"
    ELLIPSE = "ellipse"
    LISSAJOUS = "lissajous"
    SPIRAL = "spiral"
    SINE = "sine"
    ROSE = "rose"


@component
class MotionPath:
    """A path, relative to the Transform of its entity; for the entity itself, relative to its parent."""

    shape: PathShape = field(
        PathShape.LINES,
        doc="lines and smooth (Catmull-Rom) lead through the points; bezier has two control points between two points; "
        "the others are functions of size, turns, ratio and phase",
    )
    points: list[Vec2] = field((), doc="of lines, smooth and bezier")
    closed: bool = field(False, doc="of lines and smooth: whether the last point is joined to the first")
    size: Vec2 = field((100, 100), unit="units", doc="width and height of a function")
    turns: float = field(3.0, low=0.01, high=1000, doc="of a spiral; the waves of a sine; half the petals of a rose")
    ratio: Vec2 = field((3, 2), low=0.01, high=1000, doc="of lissajous: oscillations in x and in y")
    phase: float = field(0.0, unit="rad", angle=True, doc="where a function begins")


@component
class FollowPath:
    """Moves its entity along a path at a constant speed: `distance` is its state, and may be set or tweened."""

    path: Entity = field(0, doc="the entity with the MotionPath; none: its own")
    speed: float = field(0.0, unit="units/s", doc="along the path; below 0: backwards")
    seconds: float = field(0.0, low=0, unit="s", doc="for the whole path, one way", meanings={0: "`speed` counts"})
    mode: PlayMode = field(PlayMode.LOOP, doc="at the end of the path: again, stop, or there and back")
    playing: bool = field(True, doc="false: `distance` stays; once that ended says so here")
    distance: float = field(0.0, low=0, unit="units", doc="along the path; ping_pong counts the way back as well")
    orient: bool = field(False, doc="whether it turns to the direction in which it moves")
    rotation: float = field(0.0, unit="rad", angle=True, doc="added to that direction")
    offset: Vec2 = field((0, 0), unit="units", doc="from the path; with `orient`: ahead and to the left")
    began: bool = field(False, hidden=True)


@event(script="on_path_finished")
class PathFinished:
    """An entity reached the end of a path that it follows once."""

    entity: Entity = field(doc="the entity that moved")
