"""The components of animation: clips of models, and entities that follow a joint.

    robot:
      Model3D: {asset: robot.glb}
      Animator3D: {clips: robot.anim.yaml, clip: walk}
      children:
        lantern:
          Socket3D: {joint: hand_r}

The fields that `Animator3D` shares with `Animator` of rish_animation have the same names and meanings. All state is in
its columns and in the table `FadingClips3D`.
"""

from __future__ import annotations

from rish_animation import PlayMode
from rish_core import Asset, Entity, Quat, Str, Vec3, component, field, table


@component
class Animator3D:
    """Plays a clip on the Model3D of its entity, or of another one.

    Its events are `AnimatorMarker` and `AnimatorFinished` of rish_animation.
    """

    clips: Asset = field(
        "", names="clips", doc="a .anim.yaml with modes and markers of the model's clips; may be empty"
    )
    clip: Str = field(
        "", names="clips_3d", doc="a clip of this file, or an animation of the model; empty: the model's first"
    )
    mode: PlayMode = field(PlayMode.LOOP, doc="what happens at the end of animations that are not in `clips`")
    speed: float = field(1.0, low=-100, high=100, doc="2: twice as quick; below 0: backwards")
    playing: bool = field(True, doc="false: the pose stands still; a clip that ended says so here")
    time: float = field(0.0, low=0, unit="s", doc="since the clip began")
    queued: Str = field("", names="clips_3d", doc="the clip that comes when this one has come to its end")
    target: Entity = field(0, doc="the entity whose model it moves; none: its own")
    layer: int = field(0, doc="order among the animators of one target; higher ones are laid over lower ones")
    weight: float = field(1.0, low=0, high=1, doc="the share of its pose over that of lower layers")
    mask: Str = field("", names="joints", doc="only these joints and those below them, such as spine, neck; empty: all")
    additive: bool = field(False, doc="whether what differs from the clip's first pose is added to lower layers")
    fade: float = field(0.0, low=0, unit="s", doc="how long this clip takes to replace what was before")
    root: Str = field("", names="joints", doc="the joint whose way on the ground moves the entity instead; empty: none")
    lift: bool = field(False, doc="whether the height of the root moves the entity too")
    faded: float = field(0.0, unit="s", hidden=True)
    shown: Str = field("", hidden=True)
    began: bool = field(False, hidden=True)
    went: float = field(0.0, unit="s", view=True, hidden=True)


@table
class FadingClips3D:
    """Clips that fade out below the clip of their Animator3D, the oldest first."""

    animator: Entity = field(doc="the entity with the Animator3D")
    clips: Asset = field("", names="clips", doc="the file")
    clip: Str = field("", doc="the clip")
    time: float = field(0.0, unit="s", doc="since the clip began")
    speed: float = field(1.0, doc="of its time")
    fade: float = field(0.0, unit="s", doc="how long it takes itself to replace those before it")
    faded: float = field(0.0, unit="s", doc="how much of that is over")
    went: float = field(0.0, unit="s", view=True, hidden=True)


@component
class Socket3D:
    """Holds the entity's Transform3D at a joint or node of a model; its scale stays as it is."""

    joint: Str = field("", names="joints", doc="the name of the joint or node")
    target: Entity = field(0, doc="the entity with the Model3D; none: the parent of the Transform3D")
    offset: Vec3 = field((0, 0, 0), unit="m", doc="from the joint, along its axes")
    turn: Quat = field((0, 0, 0, 1), doc="rotation from that of the joint")
    placed: bool = field(False, view=True, hidden=True)
