"""Clips of tracks are read and checked; every mistake is reported with its place."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_animation import Interpolation, PlayMode, read_clips
from rish_core import AssetError, ManifestError, read_manifest
from rish_core.app import App

DOOR = """
clips:
  idle: {frames: 0-3}
  open:
    mode: once
    next: sway
    tracks:
      lid.Transform.rotation: {keys: [[0, 0], [0.4, 90]], easing: back_out}
      Transform.position: {keys: [[0, [0, 0]], {time: 1, value: [5, 5], before: [0, 0]}], interpolation: cubic}
    markers: {0.5: b, 0.1: a}
  sway: {mode: ping_pong, seconds: 3, tracks: {Transform.position.x: [[0, 0, sine_in], [2, 10]]}}
"""


def test_a_file_has_clips_of_both_kinds():
    """One file holds clips of sheets and of tracks; the modes have the same names."""
    clips = read_clips(DOOR, "door.anim.yaml")
    assert (list(clips.clips), list(clips.tracks)) == (["idle"], ["open", "sway"])
    door, sway = clips.tracks["open"], clips.tracks["sway"]
    assert (door.seconds, door.mode, door.next) == (1, PlayMode.ONCE, "sway")
    assert door.markers == ((0.1, "a"), (0.5, "b"))
    assert door.tracks[1].interpolation is Interpolation.CUBIC
    assert (sway.seconds, sway.mode, sway.tracks[0].keys[0].easing) == (3, PlayMode.PING_PONG, "sine_in")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{tracks: 3}", "1:21: clips.a.tracks: expected tracks by field"),
        ("{tracks: {X.y: []}}", "expected 1 to 10,000 keys"),
        ("{tracks: {X.y: [[0]]}}", "expected [time, value]"),
        ("{tracks: {X.y: [[1, 1], [1, 2]]}}", "1:36: clips.a.tracks.X.y[1]: the times of keys must rise"),
        ("{tracks: {X.y: [[-1, 1]]}}", "expected a time from 0"),
        ("{tracks: {X.y: [[0, 1, cubic_oot]]}}", "did you mean 'cubic_out'"),
        ("{tracks: {X.y: {keys: [[0, 1]], interpolation: cubik}}}", "did you mean 'cubic'"),
        ("{tracks: {X.y: {kees: []}}}", "did you mean 'keys'"),
        ("{tracks: {X.y: [[0, 1]]}, frames: 0-3}", "a clip has frames or tracks"),
        ("{tracks: {X.y: [[0, 1]]}, mode: lop}", "did you mean 'loop'"),
        ("{tracks: {X.y: [[0, 1]]}, mode: once, next: [b]}", "expected the name of a clip"),
        ("{tracks: {X.y: [[0, 1]]}, markers: {9: b}}", "expected a time from 0 to 0.001 s"),
        ("{tracks: {X.y: [[0, 1]]}, seconds: 0}", "expected a number from 0.001"),
    ],
)
def test_mistakes_in_tracks_are_reported_with_their_place(text, told):
    """A mistake raises AssetError with its place and the choices."""
    with pytest.raises(AssetError) as error:
        read_clips(f"clips: {{a: {text}}}", "h.anim.yaml")
    assert told in str(error.value)


def test_all_mistakes_of_a_clip_are_told_at_once():
    """Mistakes in several tracks and keys are reported together."""
    text = "clips:\n  a:\n    tracks:\n      X.y: [[0, 1, oot], [x, 1]]\n      X.z: 3\n"
    with pytest.raises(AssetError, match=r"3 mistakes\n.*:4:20.*\n.*:4:27.*\n.*:5:12"):
        read_clips(text, "h.anim.yaml")


@pytest.mark.parametrize(
    ("track", "told"),
    [
        ("Transfrom.position: [[0, [1, 1]]]", "did you mean 'Transform'"),
        ("Transform.positon: [[0, [1, 1]]]", "did you mean 'position'"),
        ("Transform.position.w: [[0, 1]]", "position has 2 numbers, so Transform.position.w does not exist"),
        ("Transform.position: [[0, 1]]", "a.anim.yaml:4:32: Transform.position.position: must be 2 numbers"),
        ("Transform.parent: [[0, 1]]", "can't be animated: it is an entity"),
        ("Transform.last_position: [[0, [0, 0]]]", "set by the engine"),
        ("Tags.values: [[0, [a]]]", "no fixed length"),
        ("Group.value: {keys: [[0, a], [1, b]], interpolation: cubic}", "use step"),
        ("Animator.weight: [[0, 2]]", "out of range: 0 to 1"),
        ("Transform.rotation: [[0, fast]]", "must be a number in degrees"),
    ],
)
def test_tracks_are_checked_with_the_manifest(tmp_path, track, told):
    """Unknown fields and unsuitable values are mistakes of the manifest, at their place in the clip file."""
    (tmp_path / "a.anim.yaml").write_text(f"clips:\n  a:\n    tracks:\n      {track}\n")
    entry = "{Transform: {}, Animator: {clips: a.anim.yaml, clip: a}}"
    (tmp_path / "game.yaml").write_text(f"rish: 1\nplugins: [animation]\nscenes: {{main: [{entry}]}}\n")
    with pytest.raises(ManifestError) as error:
        App(read_manifest(tmp_path / "game.yaml"), headless=True)
    assert told in str(error.value)
    assert "a.anim.yaml:4:" in str(error.value)


LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 2**70), st.floats(), st.text(max_size=6), st.just("tracks")
)
KEYS = st.sampled_from(["clips", "tracks", "keys", "mode", "next", "markers", "frames", "a", "X.y", "time", "value"])
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=16
)


@pytest.mark.slow
@settings(max_examples=long(200, 15), deadline=None)
@given(VALUES)
def test_no_file_breaks_the_reader(data):
    """Any file gives clips or an AssetError."""
    text = json.dumps({"clips": {"a": {"tracks": data}, "b": data}}, allow_nan=True)
    with contextlib.suppress(AssetError):
        assert read_clips(text, "h.anim.yaml").clips


def test_a_clip_names_an_animation_of_a_model():
    """`animation` makes a clip of a 3D model, with mode, follower and markers; those of other kinds can't follow it."""
    text = "clips:\n  walk: {animation: Walk, markers: {0.5: step, 0.1: swing}}\n"
    text += "  jump: {animation: J, mode: once, next: walk}\n"
    clips = read_clips(text, "c.anim.yaml")
    assert clips.models["walk"].markers == ((0.1, "swing"), (0.5, "step"))
    assert clips.models["jump"].next == "walk"
    with pytest.raises(AssetError, match="there is no clip 'run'"):
        read_clips("clips:\n  run: {frames: 0-3}\n  jump: {animation: J, mode: once, next: run}\n", "c.anim.yaml")
    with pytest.raises(AssetError, match="name of an animation"):
        read_clips("clips:\n  run: {animation: 3}\n", "c.anim.yaml")
