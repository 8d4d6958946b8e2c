"""Animators play clips: values, markers, ends, cross-fades, layers and masks."""

from __future__ import annotations

import bisect
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_animation import (
    Animator,
    ClipLibrary,
    Clips,
    FadingClips,
    Key,
    PlayMode,
    Span,
    Timing,
    Track,
    TrackClip,
    is_playing,
    play,
)
from rish_animation.animators.clock import reached
from rish_animation.fields import world_field
from rish_animation.values import write
from rish_core import Name, StaleEntity, Transform, UnknownName, World
from rish_core.assets import Assets
from rish_render import Shape

CLIPS = """
clips:
  open: {mode: once, next: sway, tracks: {Transform.position.y: [[0, 0], [0.5, 30]]}, markers: {0: a, 0.25: b, 0.5: c}}
  sway: {mode: ping-pong, tracks: {Transform.position.x: [[0, 0], [0.5, 10]]}, markers: {0.25: mid}}
  one: {tracks: {Transform.position.x: [[0, 10], [1, 10]]}}
  two: {tracks: {Transform.position.x: [[0, 20], [1, 20]]}}
  three: {tracks: {Transform.position.x: [[0, 40], [1, 40]], Transform.rotation: [[0, 90]]}}
  turn: {tracks: {Transform.rotation: [[0, 350], [1, 10]]}}
  spin: {tracks: {Transform.rotation: {keys: [[0, 0], [1, 360]], shortest: false}}}
  name: {seconds: 1, tracks: {Name.value: [[0, a], [0.5, b]]}}
  lid: {tracks: {lid.Transform.position.x: [[0, 5]], lid.knob.Transform.position.x: [[0, 6]]}}
"""
HERO = "{name: hero, Transform: {}, Animator: {clips: c.anim.yaml, clip: %s}}"


@pytest.mark.slow
def test_values_follow_the_keys_and_the_next_clip_follows(stage):
    """A clip is at t = k·dt after k ticks; its last values stay when the next clip begins, which takes the rest."""
    game = stage(HERO % "open", c__anim__yaml=CLIPS).run(15)
    assert game.value("hero") == pytest.approx([0, 15], abs=1e-4)
    game.run(15)
    assert game.value("hero") == pytest.approx([0, 30], abs=1e-4)
    game.run(15)
    assert game.value("hero") == pytest.approx([5, 30], abs=1e-3)
    game.run(30)
    assert game.value("hero") == pytest.approx([5, 30], abs=1e-3)


@pytest.mark.slow
def test_markers_come_in_the_tick_in_which_they_are_reached(stage):
    """Markers at the beginning, inside and at the end come once, in order; a ping-pong clip has them both ways."""
    game = stage(HERO % "open", c__anim__yaml=CLIPS).run(91)
    assert game.events == [
        (0, "AnimatorMarker", "open", "a"),
        (14, "AnimatorMarker", "open", "b"),
        (29, "AnimatorMarker", "open", "c"),
        (29, "AnimatorFinished", "open"),
        (44, "AnimatorMarker", "sway", "mid"),
        (74, "AnimatorMarker", "sway", "mid"),
    ]


def test_backwards_a_clip_ends_at_its_beginning(stage):
    """A negative speed plays from the end to the beginning, with the markers in reverse order."""
    entry = "{name: hero, Transform: {}, Animator: {clips: c.anim.yaml, clip: open, speed: -1}}"
    game = stage(entry, c__anim__yaml=CLIPS).run(40)
    assert [event[-1] for event in game.events] == ["c", "b", "a", "open"]
    assert game.value("hero") == [0, 0]
    assert not is_playing(game.world, game.find("hero"))


def test_several_passes_in_one_tick_give_all_markers(stage):
    """At a high speed every pass of a tick has its markers."""
    entry = "{name: hero, Transform: {}, Animator: {clips: c.anim.yaml, clip: sway, speed: 90}}"
    game = stage(entry, c__anim__yaml=CLIPS).run(2)
    assert len(game.events) == 6  # 1.5 s a tick, 1 s there and back: at 0.25, 0.75, ... of each of three seconds


@pytest.mark.slow
@settings(max_examples=long(200, 20), deadline=None)
@given(
    mode=st.sampled_from(list(PlayMode)),
    markers=st.lists(st.integers(0, 100), min_size=1, max_size=4, unique=True),
    ways=st.lists(st.floats(0, 2.5), min_size=1, max_size=12),
    backwards=st.booleans(),
)
def test_markers_are_those_of_a_slow_reference(mode, markers, ways, backwards):
    """In any number of ticks of any length, markers are reached as often as a list of all passes says."""
    seconds, sign = 1.0, -1 if backwards else 1
    timing = Timing(seconds, mode, 0, 0, tuple((m / 100, m) for m in sorted(markers)))
    period = 2.0 if mode is PlayMode.PING_PONG else 1.0
    time, total, count = (period if backwards else 0.0), 0.0, 0
    for k, way in enumerate(ways):
        end = time + sign * way
        passes = 0.0 if mode is PlayMode.ONCE else math.floor(end / period)
        inside = min(max(end, 0.0), seconds) if mode is PlayMode.ONCE else end - passes * period
        span = Span(*(np.array([v]) for v in (time, inside, passes, not backwards, k == 0)))
        count += sum(len(which) for which, _, _ in reached(timing, span))
        time, total = inside, total + way
    phases = [m / 100 for m in markers]
    if mode is PlayMode.PING_PONG:
        phases += [2 - p for p in phases if 0 < p < 1]
    if mode is PlayMode.ONCE:
        places = [(1 - p if backwards else p) for p in phases]
    else:
        places = [((period - p) if backwards else p) + k * period for p in phases for k in range(-1, 40)]
        places = [place for place in places if place >= -1e-9]
    expected = bisect.bisect_right(sorted(places), total + 1e-4)
    near = any(abs(place - total - 1e-4) < 1e-6 for place in places)
    assert count == expected or near


def test_angles_turn_the_short_way_unless_told_otherwise(stage):
    """350° to 10° leads over 0°; with `shortest: false` the numbers count, so 0 to 360 is a full turn."""
    game = stage(HERO % "turn", c__anim__yaml=CLIPS).run(30)
    assert math.cos(game.value("hero", field="rotation")) == pytest.approx(1, abs=1e-3)
    game = stage(HERO % "spin", c__anim__yaml=CLIPS).run(30)
    assert game.value("hero", field="rotation") == pytest.approx(math.pi, abs=1e-3)


def test_texts_change_in_steps(stage):
    """A text field takes the value of the last key that was reached."""
    game = stage(HERO % "name", c__anim__yaml=CLIPS).run(29)
    names = game.world.table(Name)
    assert names.read_row("value", 0) == "a"
    assert game.run(1).world.table(Name).read_row("value", 0) == "b"


def test_children_are_found_by_name(stage):
    """`lid.knob.Transform...` animates a child of a child; a missing one is reported once, and the others go on."""
    children = "children: [{name: lid, Transform: {}, children: [{name: knob, Transform: {}}]}]"
    entry = f"{{name: box, Transform: {{}}, Animator: {{clips: c.anim.yaml, clip: lid}}, {children}}}"
    game = stage(entry, c__anim__yaml=CLIPS).run(2)
    assert (game.value("lid")[0], game.value("knob")[0]) == (5, 6)


def test_a_missing_component_is_reported_once_with_its_place(stage, caplog):
    """Other animators go on; the message names the line of the track, the field and the entity."""
    lone = "{name: lone, Animator: {clips: c.anim.yaml, clip: one}}"
    game = stage(lone, HERO % "one", c__anim__yaml=CLIPS).run(5)
    assert game.value("hero")[0] == 10
    told = [r.message for r in caplog.records if "track" in r.message]
    assert told == ["c.anim.yaml:5:40: Transform.position.x: entity 'lone' has no Transform, "
                    "so the track is left out for it"]  # fmt: skip


def test_a_fade_leads_from_one_clip_to_the_next_without_a_jump(stage):
    """A cross-fade mixes both clips; a fade during a fade continues from what is shown, and all ends in the last."""
    game = stage(HERO % "one", c__anim__yaml=CLIPS).run(2)
    hero = game.find("hero")
    play(game.world, hero, "two", fade=0.5)
    shown = [game.run().value("hero")[0] for _ in range(15)]
    np.testing.assert_allclose(shown, 10 + 10 * np.arange(1, 16) / 30, atol=1e-3)
    play(game.world, hero, "three", fade=0.5)
    more = [game.run().value("hero")[0] for _ in range(30)]
    assert np.abs(np.diff([shown[-1], *more])).max() < 2
    assert more[-1] == pytest.approx(40, abs=1e-3)
    game.run(2)
    assert len(game.world[FadingClips]) == 0


def test_a_fade_without_a_clip_begins_at_the_present_values(stage):
    """Without a clip before it, a clip fades in from the values that the fields have."""
    game = stage("{name: hero, Transform: {position: [100, 0]}, Animator: {clips: c.anim.yaml, playing: false}}",
                 c__anim__yaml=CLIPS).run(2)  # fmt: skip
    play(game.world, game.find("hero"), "two", fade=0.5)
    shown = [game.run().value("hero")[0] for _ in range(30)]
    np.testing.assert_allclose(shown, 100 - 80 * np.arange(1, 31) / 30, atol=1e-2)


def test_a_short_clip_lasts_as_long_as_its_fade(stage):
    """A clip that is over before its fade stays at its end until the fade is over, and is reported then."""
    game = stage(HERO % "two", c__anim__yaml=CLIPS).run(2)
    pose = TrackClip((Track("Transform.position.x", (Key(0, 50),)),), 0.001, PlayMode.ONCE)
    game.world[ClipLibrary].add(game.world, "x", Clips(tracks={"pose": pose}))
    game.world.set(game.find("hero"), Animator(clips="x"))
    play(game.world, game.find("hero"), "pose", fade=0.25)
    assert game.run(14).events == []
    assert game.run(1).value("hero")[0] == pytest.approx(50)
    assert [event[1:] for event in game.events] == [("AnimatorFinished", "pose")]
    assert not is_playing(game.world, game.find("hero"))


def test_layers_are_laid_over_one_another(stage):
    """A higher layer mixes by its weight, in the fields of its mask; where nothing is below it counts whole."""
    over = "{name: over, Animator: {target: hero, clips: c.anim.yaml, clip: three, layer: 1, weight: 0.25%s}}"
    game = stage(over % "", HERO % "one", c__anim__yaml=CLIPS).run(3)
    assert game.value("hero")[0] == pytest.approx(17.5)
    assert game.value("hero", field="rotation") == pytest.approx(math.pi / 2)
    game = stage(over % ", mask: Transform.rotation", HERO % "one", c__anim__yaml=CLIPS).run(3)
    assert game.value("hero")[0] == 10
    assert game.value("hero", field="rotation") == pytest.approx(math.pi / 2)


def test_play_continues_restarts_and_waits(stage):
    """`play` does nothing for the current clip; `after` waits for its end; wrong entities are refused."""
    game = stage(HERO % "sway", c__anim__yaml=CLIPS).run(10)
    hero = game.find("hero")
    play(game.world, hero, "sway")
    assert game.world.get(hero, Animator).time == pytest.approx(10 / 60)
    play(game.world, hero, "two", after=True)
    assert is_playing(game.world, hero, "sway")
    assert is_playing(game.world, hero, "two")
    game.run(51)
    assert game.value("hero")[0] == 20
    assert ("AnimatorFinished", "sway") in [event[1:] for event in game.events]
    play(game.world, hero, "two", restart=True)
    assert game.world.get(hero, Animator).time == 0
    with pytest.raises(UnknownName):
        play(game.world, game.world.spawn(Transform()), "two")
    with pytest.raises(StaleEntity):
        play(game.world, 2**40 + 5, "two")


def test_an_edited_file_is_used_at_once(stage):
    """After a reload the animator goes on at its time with the new keys."""
    game = stage(HERO % "one", c__anim__yaml=CLIPS).run(3)
    file = game.world[Assets].resolve("c.anim.yaml")
    file.write_text(CLIPS.replace("[[0, 10], [1, 10]]", "[[0, 11], [1, 11]]"))
    game.world[Assets].reload("c.anim.yaml")
    assert game.run().value("hero")[0] == 11
    assert game.world.get(game.find("hero"), Animator).time == pytest.approx(4 / 60)


@pytest.mark.slow
def test_state_is_saved_in_the_middle_and_repeats(stage):
    """A snapshot from the middle of a fade continues with the same hashes."""
    game = stage(HERO % "open", c__anim__yaml=CLIPS).run(10)
    play(game.world, game.find("hero"), "sway", fade=0.3)
    game.run(5)
    before = game.world.snapshot()
    hashes = [game.run().world.hash() for _ in range(60)]
    game.world.restore(before)
    assert [game.run().world.hash() for _ in range(60)] == hashes


def test_clips_from_code_may_rotate_in_space():
    """Quaternions are mixed on the sphere, and cubic ones stay at length 1."""
    from rish_animation import Interpolation
    from rish_animation.clips.checks import checked_tracks
    from rish_animation.clips.curves import curve_of
    from rish_ecs import Quat, component
    from rish_expressions import Vocabulary

    @component
    class Pose3D:
        turn: Quat

    world = World([Pose3D])
    words = Vocabulary.of_world(world)
    half = math.sqrt(0.5)
    keys = (Key(0, (0, 0, 0, 1)), Key(1, (0, 0, -half, -half)), Key(2, (0, 0, 1, 0)))
    for interpolation in (Interpolation.LINEAR, Interpolation.CUBIC):
        clip = TrackClip((Track("Pose3D.turn", keys, interpolation),), 2)
        problems: list = []
        (checked,) = checked_tracks(clip, words, problems)
        found = curve_of(world, checked).at(np.array([0.5, 1.0]))
        np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1)
        assert abs(found[1, 2]) == pytest.approx(half, abs=1e-6)
    angle = math.pi / 8
    line = curve_of(world, checked_tracks(TrackClip((Track("Pose3D.turn", keys),), 2), words, [])[0])
    np.testing.assert_allclose(line.at(np.array([0.5]))[0], [0, 0, math.sin(angle), math.cos(angle)], atol=1e-6)


def test_clips_from_code_have_names(stage):
    """`ClipLibrary.add` gives clips from code the name of a file."""
    game = stage("{name: hero, Transform: {}}")
    moves = Clips(tracks={"go": TrackClip((Track("Transform.position", (Key(0, (1, 2)),)),), 1)})
    game.world[ClipLibrary].add(game.world, "moves", moves)
    game.world.add(game.find("hero"), Animator(clips="moves", clip="go"))
    assert game.run(2).value("hero") == [1, 2]


def test_an_unknown_clip_is_reported(stage, caplog):
    """A clip that the file lacks is reported once with the nearest name; the animator stands still."""
    game = stage(HERO % "one", c__anim__yaml=CLIPS)
    play(game.world, game.find("hero"), "tow")
    game.run(3)
    assert next(r.message for r in caplog.records if "tow" in r.message).startswith(
        "c.anim.yaml has no clip of tracks called 'tow' (did you mean 'two'?). Choices: open"
    )


ODD = """
clips:
  all:
    mode: ping-pong
    seconds: 0.7
    tracks:
      Transform.position: {keys: [[0, [0, -3]], [0.2, [10, 4]], [0.5, [-3, 9]]], interpolation: cubic}
      Transform.scale.y: {keys: [[0.1, 1], [0.3, 2, bounce_out], [0.6, 0.1]], easing: back_out}
      Transform.rotation: [[0, 350], [0.6, 10]]
      Shape.opacity: {keys: [[0, 0.1], [0.4, 1]], easing: elastic_out}
      Shape.color: [[0, "#ff0000"], [0.5, "#00ff0080"]]
      Shape.z: [[0, -3], [0.7, 4]]
      Shape.layer: [[0, world], [0.3, ui]]
      lid.Transform.position.x: [[0, 5], [0.4, 6, expo_in]]
"""


def test_one_animator_has_the_bits_of_many(stage):
    """One animator, which is computed number by number, writes the same bits as several that play the same clip."""
    hero = (
        "{name: %s, Transform: {}, Shape: {}, Animator: {clips: c.anim.yaml}, children: [{name: lid, Transform: {}}]}"
    )
    alone = stage(hero % "a", plugins="animation, render", c__anim__yaml=ODD)
    many = stage(hero % "a", hero % "b", plugins="animation, render", c__anim__yaml=ODD)
    for _ in range(60):
        rows = []
        for game in (alone, many):
            game.run()
            entity = game.find("a")
            lid = next(row for row, parent in enumerate(game.world[Transform].parent.tolist()) if parent == entity)
            values = [game.world[Transform].position[lid].tobytes()]
            for table in (game.world[Transform], game.world[Shape]):
                columns = [table.column(name) for name in table.schema.fields if name not in ("parent", "layer")]
                values += [column[table.row_of(entity)].tobytes() for column in columns]
            rows.append([*values, game.value("a", Shape, "layer")])
        assert rows[0] == rows[1]


def test_an_animator_that_stands_still_writes_its_values_again(stage):
    """Speed 0 shows the time that others set, and what another system has written over comes back; nothing is marked
    if the values are the same."""
    game = stage(
        "{name: hero, Transform: {}, Animator: {clips: c.anim.yaml, clip: open, speed: 0}}", c__anim__yaml=CLIPS
    )
    view, place = (game.world.get(game.find("hero"), cls) for cls in (Animator, Transform))
    view.time = 0.25
    assert game.run(2).value("hero") == pytest.approx([0, 15])
    place.position = (7, 8)
    assert game.run().value("hero") == pytest.approx([7, 15])
    version = game.world[Animator].version
    assert game.run(3).value("hero") == pytest.approx([7, 15])
    assert game.world[Animator].version == version
    view.time = 2.0
    game.run()
    assert (view.time, view.playing) == (0.5, True)


def test_equal_values_are_no_change():
    """A tick that writes the values that a field has already marks no rows; another zero is another value."""
    world = World([Transform, Name])
    world.spawn_many(3, Transform(rotation=0.5))
    table, field, rows = world.table(Transform), world_field(world, "Transform.rotation"), np.arange(3)
    for value, changed in ((0.5, False), (0.75, True), (0.75, False), (0.0, True), (-0.0, True), (-0.0, False)):
        version = table.version
        write(world, field, rows, np.full((3, 1), value))
        assert bool(table.changes(version)) == changed
        assert np.array_equal(np.signbit(table.rotation), np.full(3, np.signbit(value)))
