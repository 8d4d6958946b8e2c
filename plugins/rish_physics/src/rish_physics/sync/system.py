"""The system that advances physics by one tick: read columns, step, write columns, emit events."""

from __future__ import annotations

from rish_core import Edges, Stage, Transform, World, system

from ..components.bodies import Body, Collider
from ..components.joints import READERS
from ..components.links import Links
from ..components.settings import SolvedSettings
from ..components.tables import STAY_EVENTS, Bodies, Contacts, Ended, Free, Joints, Shapes, Woken
from ..contacts.events import EVENTS, emit_events, requested_events
from ..contacts.state import NONE, State
from . import fast_path
from .areas import AREAS, push_in_areas, store_rest_forces, wake_in_areas
from .columns import mark_written, read_columns, write_columns
from .joints import break_joints, read_joints
from .settings import settings_differ
from .step import begin, step, stop_movers
from .tilemap import read_edges, write_edges


@system(
    Stage.STEP,
    name="step",
    reads=(Collider, *READERS, *AREAS),
    writes=(
        Body,
        Transform,
        Bodies,
        Shapes,
        Contacts,
        Joints,
        Free,
        Ended,
        Woken,
        SolvedSettings,
        Links,
        Edges,
        *EVENTS,
    ),
    marks=True,
)
def step_physics(world: World, dt: float) -> None:
    """The system `physics.step`: read the columns that were written, step, and write the columns."""
    state = State.of(world)
    if not state.dt:  # time is stopped; columns written meanwhile are read when it continues
        return
    links: Links = world[Links]
    if links.read.kinds.changed(world):
        links.joints = any(world.tables[cls].used for cls in READERS)
        links.areas = any(world.tables[cls].used for cls in AREAS)
        if state.course is not None:
            state.course.rows = None
    changes = links.read.columns.take(world)
    reached = None
    if changes is None and _is_unchanged(world, state, links):
        if len(state.moved) or state.stale_active:
            begin(state)
        else:
            state.changed, state.removed_before = NONE, state.ended.used
        reached = fast_path.advance(state, links)
        requested = links.requested_events and requested_events(world, links)
        if not len(state.awake):
            requested &= STAY_EVENTS
        if (reached == fast_path.QUIET or not (len(state.awake) or len(state.active))) and not requested:
            stop_movers(state)
            mark_written(state, links)
            return
    lap = state.timings.lap
    state.timings.resume()
    read_columns(state, links, changes)
    read_edges(state, links)
    if links.joints or len(state.joints):
        read_joints(state, links)
    wake_in_areas(state, links)
    if links.areas:
        push_in_areas(state, links)
    lap("read")
    write_columns(state, links, step(state, links, reached))
    if links.areas and len(state.slept):
        store_rest_forces(state, state.slept)
    write_edges(state, links)
    if len(state.joints):
        break_joints(state)
    lap("write")
    emit_events(state, links)
    lap("events")


def _is_unchanged(world: World, state: State, links: Links) -> bool:
    """Return True if nothing but the columns can have changed since the last step, and there are only bodies to
    move.
    """
    return (
        not (links.unpublished or links.joints or links.areas or len(state.joints))
        and not state.timings.wanted
        and links.tick.forced is None
        and links.tick.driven is None
        and not settings_differ(state, links)
        and state.inputs.look(world) is None
    )
