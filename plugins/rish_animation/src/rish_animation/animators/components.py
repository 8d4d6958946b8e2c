"""The component that plays clips of tracks, and its events.

    door:
      Transform: {}
      Animator: {clips: door.anim.yaml, clip: open}

The fields that `Animator` shares with the sprite animations of rish_render have the same names and meanings. All state
is in its columns and in the table `FadingClips`.
"""

from __future__ import annotations

from rish_ecs import Asset, Entity, Str, component, event, field, table


@component
class Animator:
    """Plays a clip of tracks on its entity, or on another one."""

    clips: Asset = field("", names="clips", doc="a .anim.yaml")
    clip: Str = field("", doc="which clip of the file; empty: the first")
    speed: float = field(1.0, low=-100, high=100, doc="2: twice as quick; below 0: backwards")
    playing: bool = field(True, doc="false: stands still and writes nothing; a clip that ended says so here")
    time: float = field(0.0, low=0, unit="s", doc="since the clip began")
    queued: Str = field("", doc="the clip that comes when this one has come to its end")
    target: Entity = field(0, doc="the entity whose fields it writes; none: its own")
    layer: int = field(0, doc="order among the animators of one target; higher ones are laid over lower ones")
    weight: float = field(1.0, low=0, high=1, doc="the share of its values where lower layers write the same fields")
    mask: Str = field("", doc="only tracks whose fields begin with one of these, such as arm., Sprite; empty: all")
    fade: float = field(0.0, low=0, unit="s", doc="how long this clip takes to replace what was before")
    faded: float = field(0.0, unit="s", hidden=True)
    shown: Str = field("", hidden=True)
    began: bool = field(False, hidden=True)


@table
class FadingClips:
    """Clips that fade out below the clip of their Animator, the oldest first."""

    animator: Entity = field(doc="the entity with the Animator")
    clips: Asset = field("", names="clips", doc="the file")
    clip: Str = field("", doc="the clip")
    time: float = field(0.0, unit="s", doc="since the clip began")
    speed: float = field(1.0, doc="of its time")
    fade: float = field(0.0, unit="s", doc="how long it takes itself to replace those before it")
    faded: float = field(0.0, unit="s", doc="how much of that is over")


@event(script="on_animator_marker")
class AnimatorMarker:
    """The time of a marker was reached, in either direction."""

    entity: Entity = field(0, doc="the entity with the Animator")
    clip: Str = field("", doc="the clip")
    marker: Str = field("", doc="its name")


@event(script="on_animator_finished")
class AnimatorFinished:
    """A clip of an Animator ended, and either stopped or was followed by another one."""

    entity: Entity = field(0, doc="the entity with the Animator")
    clip: Str = field("", doc="the clip that ended")
