"""Handles: the nearest one under the pointer is dragged, until the button goes up or Escape is pressed."""

from __future__ import annotations

from rish_editor.views.interaction.handles import HANDLE_REACH, Handles


def frame(handles: Handles, *, pressed: bool = False, down: bool = False, escaped: bool = False, **near: float) -> None:
    """Run a frame in which handles are at distances from the pointer, which is at (x of the frame, 0)."""
    handles.begin(down=down, escaped=escaped)
    for name, distance in near.items():
        handles.offer(name, distance)
    handles.finish(hovered=True, pressed=pressed, pointer=(1.0, 2.0))


def test_the_nearest_handle_is_dragged_from_the_next_frame_on() -> None:
    """A press takes the nearest handle of the same frame; the drag begins, goes on and ends once each."""
    handles = Handles()
    frame(handles, pressed=True, down=True, far=5.0, near=1.0)
    assert handles.active == "near"
    handles.begin(down=True, escaped=False)
    drag = handles.drag("near", (4.0, 6.0))
    assert drag is not None
    assert (drag.began, drag.ended, drag.delta) == (True, False, (3.0, 4.0))
    assert handles.drag("far", (4.0, 6.0)) is None
    handles.finish(hovered=True, pressed=False, pointer=(4.0, 6.0))
    handles.begin(down=False, escaped=False)
    drag = handles.drag("near", (5.0, 6.0))
    assert drag is not None
    assert (drag.began, drag.ended, drag.cancelled) == (False, True, False)
    handles.finish(hovered=True, pressed=False, pointer=(5.0, 6.0))
    handles.begin(down=False, escaped=False)
    assert handles.drag("near", (5.0, 6.0)) is None


def test_a_click_within_one_frame_is_no_lost_drag() -> None:
    """If the button is up again in the next frame, that frame is the first and the last of the drag."""
    handles = Handles()
    frame(handles, pressed=True, down=True, knob=0.0)
    handles.begin(down=False, escaped=False)
    drag = handles.drag("knob", (1.0, 2.0))
    assert drag is not None
    assert drag.began
    assert drag.ended
    assert drag.delta == (0.0, 0.0)


def test_escape_ends_a_drag_where_it_began() -> None:
    """A cancelled drag reports the place where it began, whatever the pointer did."""
    handles = Handles()
    frame(handles, pressed=True, down=True, knob=0.0)
    frame(handles, down=True)
    handles.begin(down=True, escaped=True)
    drag = handles.drag("knob", (50.0, 60.0))
    assert drag is not None
    assert drag.cancelled
    assert drag.now == drag.start == (1.0, 2.0)


def test_priority_goes_before_distance_and_far_handles_do_not_count() -> None:
    """A handle of a greater priority wins although it is farther away; one beyond the reach is never hot."""
    handles = Handles()
    handles.begin(down=False, escaped=False)
    handles.offer("line", 0.0, priority=-1)
    handles.offer("point", 5.0)
    handles.offer("lost", HANDLE_REACH + 0.1, priority=9)
    handles.finish(hovered=True, pressed=False, pointer=(0.0, 0.0))
    assert handles.is_hot("point")
    handles.begin(down=False, escaped=False)
    handles.finish(hovered=True, pressed=False, pointer=(0.0, 0.0))
    assert handles.hot is None


def test_drags_of_all_views_have_their_own_keys() -> None:
    """Two views never give two drags the same key, so that their edits are not joined."""
    one, other = Handles(), Handles()
    for handles in (one, other):
        frame(handles, pressed=True, down=True, knob=0.0)
    assert one.number != other.number
