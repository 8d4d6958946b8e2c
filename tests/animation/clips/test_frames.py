"""Clips of sprite sheets are read, and each mistake in them is reported with its place."""

from __future__ import annotations

import pytest

from rish_animation import Clip, PlayMode, cells_in, read_clips, there_and_back
from rish_animation.clips.reading import load_clips
from rish_core import AssetError

HERO = """
fps: 5
clips:
  idle:   {frames: 0-3}
  run:    {frames: [4, 5, 8-6], time: 0.25}
  jump:   {frames: 10-12, times: [0.1, 0.2, 0.3], mode: once, next: idle, events: {1: up}}
  wave:   {frames: 0-2, mode: ping-pong}
  short:  7
"""


def test_a_file_has_clips_in_order():
    """Ranges count up or down; the times come from the file, the clip or each step."""
    clips = read_clips(HERO, "hero.anim.yaml").clips
    assert list(clips) == ["idle", "run", "jump", "wave", "short"]
    assert clips["idle"] == Clip((0, 1, 2, 3), (0.2,) * 4)
    assert clips["run"] == Clip((4, 5, 8, 7, 6), (0.25,) * 5)
    assert clips["jump"] == Clip((10, 11, 12), (0.1, 0.2, 0.3), PlayMode.ONCE, "idle", {1: "up"})
    assert clips["wave"].cells == (0, 1, 2, 1)
    assert clips["short"].cells == (7,)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "h.anim.yaml: is empty"),
        ("clips: 3", "h.anim.yaml:1:8: clips: expected clips by name"),
        ("clip: {}", "there is no 'clip' (did you mean 'clips'?)"),
        ("clips: {a: {frames: 0-x}}", "1:21: clips.a.frames: '0-x' is neither a cell nor a range"),
        ("clips: {a: {frames: 0-99999}}", "at most 10,000 steps"),
        ("clips: {a: {frames: []}}", "1 to 10,000 steps, this has 0"),
        ("clips: {a: {frames: [[1]]}}", "clips.a.frames[0]: expected a cell or a range like 0-7, got a list"),
        ("clips: {a: {frames: true}}", "expected cells"),
        ("clips: {a: {frames: 1, mode: onc}}", "(did you mean 'once'?)"),
        ("clips: {a: {frames: 1, next: b}, b: 1}", "'next' is only possible in a clip with"),
        ("clips: {a: {frames: 1, mode: once, next: bb}, b: 1}", "there is no clip 'bb'"),
        ("clips: {a: {frames: 1, fps: 0}}", "expected a number from 0.001"),
        ("clips: {a: {frames: 1, fps: 1, time: 1}}", "keep only one"),
        ("clips: {a: {frames: 1-3, times: [1, 2]}}", "a time for each of the 3 steps, got 2"),
        ("clips: {a: {frames: 1-3, times: [1, 2, .nan]}}", "h.anim.yaml:1"),
        ("clips: {a: {frames: 1-3, events: {3: x}}}", "the clip has the steps 0 to 2, there is no '3'"),
        ("clips: {a: {frames: 1-3, events: {0: 1}}}", "the name of an event"),
        ("clips: {a: {frames: 1-3, events: []}}", "like {3: swing}"),
        ("clips: [", "is not valid YAML"),
    ],
)
def test_mistakes_are_reported_with_their_place(text, told):
    """A mistake raises AssetError with file, line and column, and with the nearest valid choice."""
    with pytest.raises(AssetError) as error:
        read_clips(text, "h.anim.yaml")
    assert told in str(error.value)


def test_all_mistakes_are_reported_at_once(tmp_path):
    """All mistakes of a file are reported together, each on a line of its own."""
    path = tmp_path / "x.anim.yaml"
    path.write_text("clips:\n  a: {frames: x}\n  b: {frames: 1, mode: 2}\n  c: 1\n")
    with pytest.raises(AssetError, match=r"x\.anim\.yaml has 2 mistakes\n.*:2:15: clips\.a.*\n.*:3:24: clips\.b"):
        load_clips(path)


def test_cells_are_read_from_text():
    """`cells_in` reads cells from text in the same form as a clip file has them."""
    assert cells_in("0-2, 5, 4-3") == (0, 1, 2, 5, 4, 3)
    with pytest.raises(ValueError, match="neither a cell"):
        cells_in("0-")


def test_there_and_back_shows_the_ends_once():
    """A clip that plays there and back repeats the events on the return; a clip of one cell stays one."""
    clip = there_and_back(Clip((1, 2, 3), (0.1, 0.2, 0.3), events={1: "x"}))
    assert clip.cells == (1, 2, 3, 2)
    assert clip.times == (0.1, 0.2, 0.3, 0.2)
    assert clip.events == {1: "x", 3: "x"}
    assert there_and_back(Clip((1,), (1.0,))).cells == (1,)
