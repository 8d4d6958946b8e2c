"""Behavior specific to the arcade backend: what it caches, merges and frees, and how it fails."""

from __future__ import annotations

import gc
import threading
from typing import Any

import numpy as np
import pytest

from rish_frame import BackendError, Batch, DrawTarget, Frame, Pass, Target
from rish_frame.testing.checks import assert_color, assert_rectangle
from rish_frame.testing.samples import (  # fmt: skip
    BLUE,
    GREEN,
    PAGE,
    RED,
    flat_mesh,
    picture_frame,
    quad,
    sample_batches,
    sample_page,
    tiles,
)
from rish_render.backends.arcade.backend import ArcadeBackend
from rish_render.backends.arcade.plan import runs

pytestmark = pytest.mark.gl

BLACK = (0, 0, 0, 255)


def scene(arcade: Any, *batches: Batch) -> Frame:
    """Return a frame of these batches, with the test page."""
    arcade.image(PAGE, sample_page())
    frame = picture_frame((64, 48))
    for batch in batches:
        frame.add(batch)
    return frame


@pytest.mark.parametrize("kind", sorted(sample_batches()))
def test_a_batch_with_a_version_is_uploaded_once(arcade: Any, kind: str):
    """A batch with a version is uploaded once, and again when the version rises; the image stays the same."""
    batch = sample_batches(20, 20, 12, RED)[kind]
    batch.version = 1
    frame = scene(arcade, batch)
    first = arcade.draw(frame)
    picture = arcade.pixels()
    again = arcade.draw(frame)
    assert (first.static_batches, again.static_batches) == (0, 1)
    assert first.bytes_uploaded > 0
    assert again.bytes_uploaded == 0
    assert (arcade.pixels() == picture).all()
    batch.version = 2
    assert arcade.draw(frame).static_batches == 0


def test_what_is_kept_survives_a_moving_camera(arcade: Any):
    """A cached batch is drawn through a moved and zoomed camera without an upload."""
    from rish_frame import orthographic, view_2d

    batch = quad(20, 20, 4, 4, RED)
    batch.version = 1
    frame = scene(arcade, batch)
    arcade.draw(frame)
    main = frame.passes["main"]
    main.view, main.projection = view_2d(20, 20, zoom=2), orthographic(-32, 32, -24, 24)
    stats = arcade.draw(frame)
    assert (stats.static_batches, stats.bytes_uploaded) == (1, 0)
    assert_rectangle(arcade.pixels(), 28, 20, 8, 8, RED, BLACK)


def test_buffers_are_freed_with_their_batches_also_from_another_thread(arcade: Any):
    """Buffers of collected batches are freed, but only on the thread that draws."""
    stats = arcade.device.stats
    frame = scene(arcade)
    arcade.draw(frame)

    def alive() -> int:
        return stats.buffer[0] - stats.buffer[1]

    before = alive()
    for _ in range(5):
        batch = quad(20, 20, 4, 4)
        batch.version = 1
        frame.add(batch)
    arcade.draw(frame)
    assert alive() == before + 5
    del batch

    def forget() -> None:
        frame.reset()
        gc.collect()

    worker = threading.Thread(target=forget)
    worker.start()
    worker.join()
    assert alive() == before + 5
    arcade.draw(frame)
    assert alive() == before


def test_neighbors_of_one_state_are_one_call(arcade: Any):
    """Adjacent batches of one state become one draw call, in order; another state, version or kind splits them."""
    equal = [quad(10 + 3 * k, 20, 5, 5, RED if k % 2 else BLUE) for k in range(6)]
    stats = arcade.draw(scene(arcade, *equal))
    assert (stats.draw_calls, stats.instances) == (1, 6)
    assert_color(arcade.pixels(), 26, 20, RED)
    assert_color(arcade.pixels(), 21, 20, BLUE)
    other = quad(40, 20, 4, 4, blend="screen")
    static = quad(40, 20, 4, 4)
    static.version = 3
    stats = arcade.draw(scene(arcade, equal[0], equal[1], other, equal[2], static, equal[3], equal[4]))
    assert stats.draw_calls == 5


def test_runs_keep_all_batches_in_order():
    """`runs` keeps the order of the batches, splits them by state and version, and leaves out empty ones."""
    made = [quad(k, 0, 1, 1, blend="add" if k // 3 % 2 else "alpha") for k in range(12)]
    made[4].version = 1
    made[7].arrays["instances"] = made[7].arrays["instances"][:0]
    made[7].count = 0
    found = list(runs(made, {}))
    assert [batch for run in found for batch in run] == [batch for batch in made if batch.count]
    assert [len(run) for run in found] == [3, 1, 1, 1, 2, 3]
    assert [len(run) for run in runs(made[:3], {"sprites": None})] == [1, 1, 1]  # pyright: ignore[reportArgumentType]


def test_a_bad_batch_does_not_take_its_neighbors_along(arcade: Any):
    """A malformed batch is reported, and its neighbors are drawn."""
    bad = quad(20, 20, 5, 5)
    bad.arrays["instances"] = np.zeros(1, np.float32)
    frame = scene(arcade, quad(10, 20, 5, 5, RED), bad, quad(30, 20, 5, 5, BLUE))
    stats = arcade.draw(frame)
    assert list(stats.skipped) == ["sprites"]
    assert stats.instances == 2
    assert_color(arcade.pixels(), 10, 20, RED)
    assert_color(arcade.pixels(), 30, 20, BLUE)


def test_indices_beyond_the_arrays_are_reported(arcade: Any):
    """Indices beyond the arrays are reported and never reach the graphics card."""
    mesh = flat_mesh(20, 20, 10, 10, RED)
    mesh.arrays["indices"][0, 0] = 99
    polygons = sample_batches()["polygons"]
    polygons.arrays["starts"][1] = 3
    stats = arcade.draw(scene(arcade, mesh, polygons))
    assert sorted(stats.skipped) == ["mesh", "polygons"]


class Scribbler:
    """A drawer that changes all the state it can reach, and draws nothing."""

    needs = frozenset({"mrt"})

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Change the device's state."""
        assert device.active_framebuffer is target.native
        device.blend_func = device.ZERO, device.ZERO
        device.disable(device.BLEND)
        device.enable(device.DEPTH_TEST)
        target.native.scissor = (0, 0, 1, 1)
        device.screen.use()


def test_a_drawer_may_change_what_it_likes(arcade: Any):
    """A drawer that changes the device's state does not affect later batches."""
    arcade.add_drawer("test.scribble", Scribbler())
    frame = scene(arcade, quad(20, 20, 20, 20, RED), Batch("test.scribble", {"x": np.zeros(1)}))
    frame.add(quad(20, 20, 10, 10, (0, 0, 255, 128)))
    stats = arcade.draw(frame)
    assert not stats.skipped
    assert_color(arcade.pixels(), 20, 20, (127, 0, 128, 255))
    assert_color(arcade.pixels(), 12, 20, RED)


def test_attachments_without_a_channel_stay_untouched(arcade: Any):
    """An attachment without a channel stays untouched, and a batch without glow covers the glow below it."""
    target = Target("buffer", (16, 16), ("rgba8",) * 3, clear=((0, 0, 0, 1), (0, 0, 1, 1), (0, 1, 0, 1)),
                    channels=("", "", "glow"))  # fmt: skip
    frame = scene(arcade)
    frame.add_target(target)
    frame.add_pass(Pass("buffer", ("buffer",), projection=Frame((16, 16)).passes["main"].projection))
    glow = frame.frames.copy()
    glow[0, 1:5] = [4, 0, 6, 2]
    frame.channels["glow"] = glow
    frame.set_frames(frame.frames)
    frame.add(quad(4, 8, 8, 16), to="buffer")
    for kind, batch in sample_batches(12, 8, 8, RED).items():
        if kind not in ("sprites", "sprites_wide"):
            frame.add(batch, to="buffer")
    assert not arcade.draw(frame).skipped
    assert_color(arcade.pixels("buffer"), 12, 8, RED)
    assert (arcade.pixels("buffer:1") == BLUE).all()
    third = arcade.pixels("buffer:2")
    assert_color(third, 3, 8, RED)
    assert_color(third, 12, 8, (0, 0, 0, 255))
    assert_color(third, 3, 1, RED)


def test_several_targets_of_one_pass_follow_one_another(arcade: Any):
    """The attachments of a pass's targets follow one another: the second target's first is the pass's second."""
    frame = scene(arcade)
    frame.add_target(Target("color", (16, 16), channels=("", "glow")))
    frame.add_target(Target("extra", (16, 16)))
    frame.add_pass(Pass("both", ("color", "extra"), projection=Frame((16, 16)).passes["main"].projection))
    frame.channels["glow"] = frame.frames
    frame.set_frames(frame.frames)
    frame.add(quad(8, 8, 8, 8, GREEN), to="both")
    arcade.draw(frame)
    assert_color(arcade.pixels("color"), 8, 8, GREEN)
    assert_color(arcade.pixels("extra"), 8, 8, (255, 255, 255, 255))


def test_a_map_too_large_for_a_texture_is_reported(arcade: Any):
    """A map that is too large for a texture is reported and not drawn."""
    wide = tiles(np.ones((1, arcade._device.limit + 1), np.uint32), 0, 40, 4)
    stats = arcade.draw(scene(arcade, wide))
    assert "too large" in stats.skipped["tiles"]


def test_a_target_too_large_for_a_texture_is_an_error(arcade: Any):
    """A target too large for a texture raises BackendError with its name and the limit."""
    frame = scene(arcade)
    frame.add_target(Target("huge", (arcade._device.limit + 1, 4)))
    with pytest.raises(BackendError, match=r"target 'huge' .* is too large"):
        arcade.draw(frame)


def test_a_lost_graphics_card_is_one_clear_line(arcade: Any, monkeypatch: pytest.MonkeyPatch):
    """A lost graphics card raises an error of one line, and drawing works again after closing and opening."""
    frame = scene(arcade, quad(20, 20, 10, 10, RED))
    monkeypatch.setattr(arcade._device.gl, "glGetError", lambda: 0x0507)
    with pytest.raises(BackendError, match="stopped: the graphics card was reset") as caught:
        arcade.draw(frame)
    assert "\n" not in str(caught.value)
    monkeypatch.undo()
    arcade.close()
    arcade.open("again", (64, 48), False)
    arcade.image(PAGE, sample_page())
    arcade.draw(frame)
    assert_color(arcade.pixels(), 20, 20, RED)


def test_two_backends_at_once_do_not_disturb_each_other(arcade: Any):
    """Two open backends do not disturb each other, and neither does closing one of them."""
    other = ArcadeBackend()
    other.open("other", (32, 32), False)
    ours, theirs = scene(arcade, quad(20, 20, 10, 10, RED)), picture_frame((32, 32))
    other.image(PAGE, sample_page())
    theirs.add(quad(16, 16, 10, 10, BLUE))
    for _ in range(3):
        arcade.draw(ours)
        other.draw(theirs)
        assert_color(arcade.pixels(), 20, 20, RED)
        assert_color(other.pixels(), 16, 16, BLUE)
    other.close()
    del other
    gc.collect()
    arcade.draw(ours)
    assert_color(arcade.pixels(), 20, 20, RED)


def test_polygons_that_do_not_fit_at_once_are_drawn_in_rounds(arcade: Any):
    """Polygons that need more room than the cover texture has are placed in several rounds without overlap."""
    from rish_render.backends.arcade.draw.polygons import _shelves

    random = np.random.default_rng(1)
    sizes = random.integers(1, 400, (500, 2)).astype(float)
    rounds = _shelves(sizes, 1024)
    assert len(rounds) > 1
    assert [r[0] for r in rounds] == [0, *(r[1] for r in rounds[:-1])]
    assert rounds[-1][1] == 500
    for begin, end, places, height in rounds:
        taken = np.zeros((height, 1024), np.uint8)
        for (x, y), (w, h) in zip(places.astype(int), sizes[begin:end].astype(int), strict=True):
            taken[y : y + h, x : x + w] += 1
        assert taken.max() == 1
        assert taken.sum() == sizes[begin:end].prod(axis=1).sum()


def test_tiles_have_no_seam_at_any_zoom_and_scroll(arcade: Any):
    """Half transparent tiles cover each pixel exactly once, for a hundred cameras, some of them rotated."""
    from rish_frame import orthographic, view_2d

    random = np.random.default_rng(5)
    ground = tiles(np.ones((40, 40), np.uint32), -320, 320, 16, (255, 255, 255, 128), version=1)
    frame = scene(arcade, ground)
    main = frame.passes["main"]
    main.projection = orthographic(-32, 32, -24, 24)
    for k in range(100):
        turn = random.uniform(0, 7) * (k % 3 == 0)
        main.view = view_2d(*random.uniform(-100, 100, 2), turn, float(2.0 ** random.uniform(-1, 5)))
        arcade.draw(frame)
        assert (arcade.pixels() == [128, 128, 128, 255]).all(), k


class DepthReader:
    """A drawer that reads the depth inputs of its passes into numpy arrays, the top row first."""

    needs = frozenset({"depth"})

    def __init__(self) -> None:
        self.seen: dict[str, Any] = {}

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Read the input `map:depth` through a shader, because a depth can't be read from a texture everywhere."""
        program = device.program(
            vertex_shader="#version 330\n"
            "void main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1); }",
            fragment_shader="#version 330\nuniform sampler2D depth; out vec4 color;"
            "void main() { color = vec4(texelFetch(depth, ivec2(gl_FragCoord.xy), 0).r); }",
        )
        texture = device.texture((16, 16), components=1, dtype="f4")
        onto = device.framebuffer(color_attachments=[texture])
        target.inputs["map:depth"].use(0)
        program["depth"] = 0
        device.disable(device.BLEND)
        onto.use()
        onto.scissor = None
        device.geometry([]).render(program, vertices=3)
        raw = np.frombuffer(onto.read(components=1, dtype="f4"), np.float32)
        self.seen[pass_.name] = raw.reshape(16, 16)[::-1]
        target.native.use()


def test_a_drawer_reads_a_depth_from_0_to_1(arcade: Any):
    """A depth input has 1 where nothing was drawn and the depth of what was drawn elsewhere, also as a copy."""
    reader = DepthReader()
    arcade.add_drawer("test.depth", reader)
    frame = scene(arcade)
    frame.add_target(Target("map", (16, 16), depth=True))
    frame.add_pass(Pass("map", ("map",), depth_test=True))
    frame.add(flat_mesh(-0.5, 0, 1, 2, RED, z=0.5), to="map")
    frame.add_pass(Pass("own", ("map",), ("map:depth",), rank="post"))
    frame.passes["main"].inputs = ("map:depth",)
    for name in ("main", "own"):
        frame.add(Batch("test.depth", {"depth": np.zeros(1)}), to=name)
    assert not arcade.draw(frame).skipped
    for name in ("main", "own"):
        assert reader.seen[name][:, 9:] == pytest.approx(1.0)
        assert reader.seen[name][:, :7] == pytest.approx(0.75, abs=1e-6)
