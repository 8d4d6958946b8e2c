"""Work that the arcade backend reuses from earlier frames gives the same image as a new backend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_frame import (
    BackendError,
    Batch,
    DrawTarget,
    Frame,
    Material,
    Pass,
    Shader,
    Target,
    orthographic,
    perspective,
    view_2d,
)
from rish_frame.testing.checks import assert_color
from rish_frame.testing.samples import BLUE, GREEN, PAGE, RED, flat_mesh, picture_frame, quad, sample_page, wide
from rish_render.backends.arcade.backend import ArcadeBackend

pytestmark = pytest.mark.gl

BLACK = (0, 0, 0, 255)


def still(batch: Batch) -> Batch:
    """Set the batch's version, so that its arrays stay uploaded."""
    batch.version = 1
    return batch


def scene(arcade: Any, *batches: Batch) -> Frame:
    """Return a frame of these batches, drawn often enough that its result is reused."""
    arcade.image(PAGE, sample_page())
    frame = picture_frame((64, 48))
    for batch in batches:
        frame.add(batch)
    for _ in range(3):
        arcade.draw(frame)
    return frame


def crowd() -> list[Batch]:
    """Return one batch for each method of drawing: rows, rows of floats, triangles."""
    return [still(quad(20, 20, 10, 10, RED)), still(wide(40, 20, 10, 10, BLUE)), still(flat_mesh(30, 35, 8, 8, GREEN))]


def anew(frame: Frame) -> np.ndarray:
    """Return the image that a newly opened backend draws."""
    other = ArcadeBackend()
    other.open("anew", (64, 48), False)
    try:
        other.image(PAGE, sample_page())
        other.draw(frame)
        return other.pixels()
    finally:
        other.close()


def test_a_frame_in_which_nothing_changed_is_not_drawn_again(arcade: Any):
    """An unchanged frame is not drawn again: its image is kept, and the statistics show it."""
    frame = scene(arcade, *crowd())
    picture = arcade.pixels()
    stats = arcade.draw(frame)
    assert (stats.draw_calls, stats.bytes_uploaded) == (0, 0)
    assert (stats.static_batches, stats.instances, stats.passes) == (3, 4, 1)
    assert (arcade.pixels() == picture).all()
    assert_color(picture, 20, 20, RED)
    assert_color(picture, 40, 20, BLUE)
    assert_color(picture, 30, 35, GREEN)


def test_what_is_skipped_stays_reported(arcade: Any):
    """A skipped batch is reported in each frame, in a new dictionary each time."""
    frame = scene(arcade, still(Batch("test.unknown", {"x": np.zeros(1)})))
    stats = arcade.draw(frame)
    assert list(stats.skipped) == ["test.unknown"]
    stats.skipped.clear()
    assert list(arcade.draw(frame).skipped) == ["test.unknown"]


def first(frame: Frame) -> Batch:
    """Return the first batch."""
    return frame.passes["main"].batches[0]


CHANGES: dict[str, Callable[[Frame], Any]] = {
    "blend": lambda f: setattr(first(f), "blend", "add"),
    "filter": lambda f: setattr(first(f), "filter", "linear"),
    "origin": lambda f: setattr(first(f), "origin", (3.0, 4.0)),
    "unit": lambda f: setattr(first(f), "unit", 0.5),
    "layer": lambda f: setattr(first(f), "layer", 5),
    "clip": lambda f: setattr(first(f), "clip", (0.0, 0.0, 0.3, 1.0)),
    "a batch more": lambda f: f.add(still(quad(22, 22, 6, 6, GREEN))),
    "a batch less": lambda f: f.passes["main"].batches.pop(),
    "the order": lambda f: f.passes["main"].batches.reverse(),
    "camera": lambda f: setattr(f.passes["main"], "view", view_2d(5, 5, 0.3, 1.5)),
    "camera's own array": lambda f: f.passes["main"].view.__setitem__((0, 3), 6.0),
    "lens": lambda f: setattr(f.passes["main"], "projection", orthographic(0, 32, 0, 24)),
    "a lens with perspective": lambda f: setattr(f.passes["main"], "projection", perspective(1.0, 4 / 3, 0.1, 100.0)),
    "viewport": lambda f: setattr(f.passes["main"], "viewport", (0.0, 0.0, 0.5, 0.5)),
    "scissor": lambda f: setattr(f.passes["main"], "scissor", (0.25, 0.25, 0.2, 0.2)),
    "layer mask": lambda f: setattr(f.passes["main"], "layer_mask", 2),
    "clear color": lambda f: f.set_clear((0.0, 0.5, 1.0, 1.0)),
    "frame table": lambda f: f.set_frames(f.frames * [1, 1, 1, 1, 1, 0] + [0, 4, 0, 4, 0, 0]),
    "a pass": lambda f: f.add_pass(Pass("more", projection=f.passes["main"].projection, clear=True)),
    "depth": lambda f: f.add_target(Target("screen", depth=True, clear=((0, 0, 1, 1),)), replace=True),
    "arrays that are new": lambda f: f.add(quad(12, 30, 6, 6, GREEN)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_seen_at_once(arcade: Any, change: str):
    """After any change the image equals that of a backend without cached state."""
    frame = scene(arcade, *crowd())
    before = arcade.pixels()
    CHANGES[change](frame)
    arcade.draw(frame)
    picture = arcade.pixels()
    assert (picture == anew(frame)).all()
    if change not in ("layer", "filter", "a pass", "the order", "blend"):
        assert (picture != before).any()
    arcade.draw(frame)
    assert (arcade.pixels() == picture).all()


def test_a_batch_of_its_own_in_the_place_of_another_is_seen(arcade: Any):
    """A new batch is drawn even if it has the version and state of a removed one."""
    frame = scene(arcade, still(quad(20, 20, 10, 10, RED)))
    for k in range(20):
        frame.reset()
        frame.add(still(quad(10 + 2 * k, 20, 4, 4, GREEN)))
        arcade.draw(frame)
        assert_color(arcade.pixels(), 10 + 2 * k, 20, GREEN)


def test_new_texels_of_a_page_are_seen(arcade: Any):
    """Changed texels of a page are drawn: all of them, a part of them, and none after the page is freed."""
    frame = scene(arcade, still(quad(20, 20, 10, 10)))
    page = sample_page()
    page[:] = BLUE
    arcade.image(PAGE, page)
    arcade.draw(frame)
    assert_color(arcade.pixels(), 20, 20, BLUE)
    page[0:4, 0:4] = GREEN
    arcade.image(PAGE, page, (0, 0, 4, 4))
    arcade.draw(frame)
    assert_color(arcade.pixels(), 20, 20, GREEN)
    arcade.free(PAGE)
    arcade.draw(frame)
    assert_color(arcade.pixels(), 20, 20, BLACK)


def test_pages_that_move_are_followed(arcade: Any):
    """Batches stay right when a larger page makes the texture array grow."""
    frame = scene(arcade, still(quad(20, 20, 10, 10, RED)))
    arcade.image(PAGE + 1, np.full((600, 600, 4), 255, np.uint8))
    arcade.draw(frame)
    assert_color(arcade.pixels(), 20, 20, RED)
    arcade.free(PAGE + 1)


def test_a_screen_of_another_size_is_drawn(arcade: Any):
    """The frame is drawn at a changed screen size, and again at the first size."""
    frame = scene(arcade, still(quad(20, 20, 10, 10, RED)))
    for size in ((32, 24), (64, 48)):
        arcade.configure(size=size)
        arcade.draw(frame)
        assert arcade.pixels().shape == (size[1], size[0], 4)
        assert_color(arcade.pixels(), size[0] * 20 // 64, size[1] * 20 // 48, RED)


class Painted:
    """A drawer that fills the target with its color."""

    needs = frozenset[str]()
    color = (0.0, 1.0, 0.0, 1.0)

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Fill the target."""
        target.native.clear(color_normalized=self.color)


def test_a_drawer_is_asked_each_time(arcade: Any):
    """A drawer is called in each frame, and one that is added later is used immediately."""
    frame = scene(arcade, still(Batch("test.painted", {"x": np.zeros(1)})))
    assert_color(arcade.pixels(), 20, 20, BLACK)
    drawer = Painted()
    arcade.add_drawer("test.painted", drawer)
    arcade.draw(frame)
    assert_color(arcade.pixels(), 20, 20, GREEN)
    drawer.color = (0.0, 0.0, 1.0, 1.0)
    arcade.draw(frame)
    assert_color(arcade.pixels(), 20, 20, BLUE)


def test_a_shader_sees_the_time_and_its_new_text(arcade: Any):
    """A shader receives the new time, its new source, and new parameter values from a new or the same material."""
    source = "vec4 shade(Pixel p) { return vec4(amount, 0.0, time > 1.0 ? 1.0 : 0.0, 1.0); }"
    parameters = {"amount": 0.0}
    batch = still(quad(20, 20, 10, 10, material=Material("glow", parameters)))
    arcade.image(PAGE, sample_page())
    frame = picture_frame((64, 48))
    frame.shaders["glow"] = Shader("glow", source, {"amount": "float"}, place="glow.frag", version=1)
    frame.add(batch)
    arcade.draw(frame)
    assert_color(arcade.pixels(), 20, 20, BLACK)
    frame.time = 2.0
    arcade.draw(frame)
    assert_color(arcade.pixels(), 20, 20, BLUE)
    parameters["amount"] = 1.0
    arcade.draw(frame)
    assert_color(arcade.pixels(), 20, 20, (255, 0, 255, 255))
    frame.shaders["glow"] = Shader(
        "glow", source.replace("0.0, time", "1.0, time"), {"amount": "float"}, place="glow.frag", version=2
    )
    arcade.draw(frame)
    assert_color(arcade.pixels(), 20, 20, (255, 255, 255, 255))


def test_what_is_drawn_onto_what_was_there_adds_up(arcade: Any):
    """A pass that does not clear is drawn in each frame, and its contents add up."""
    frame = scene(arcade, still(quad(20, 20, 10, 10, (255, 0, 0, 40), blend="add")))
    frame.passes["main"].clear = False
    levels: list[int] = []
    for _ in range(4):
        arcade.draw(frame)
        levels.append(int(arcade.pixels()[28, 20, 0]))
    assert levels == sorted(set(levels))


def test_two_frames_in_turn_share_nothing(arcade: Any):
    """Two frames drawn in turn share nothing, though their passes have the same names and their pages are the same."""
    one, two = scene(arcade, still(quad(20, 20, 10, 10, RED))), picture_frame((64, 48))
    two.add(still(quad(40, 20, 10, 10)))
    two.set_frames(two.frames * [1, 0, 0, 0, 0, 1] + [0, 4, 0, 6, 2, 0])
    for _ in range(3):
        arcade.draw(one)
        assert_color(arcade.pixels(), 20, 20, RED)
        assert_color(arcade.pixels(), 40, 20, BLACK)
        arcade.draw(two)
        assert_color(arcade.pixels(), 20, 20, BLACK)
        assert (arcade.pixels() == anew(two)).all()


def test_pictures_taken_between_frames_change_nothing(arcade: Any):
    """Pictures made on the device between frames, and changes of its state, do not affect the drawn frame."""
    frame = scene(arcade, *crowd())
    picture = arcade.pixels()
    for k in range(3):
        device = arcade.device
        device.disable(device.BLEND)
        device.blend_func = device.ZERO, device.ZERO
        mine = device.framebuffer(color_attachments=[device.texture((8, 8), components=4)])
        mine.use()
        mine.clear(color=(255, 255, 255, 255))
        device.texture((4, 4), components=4, data=bytes(64)).use(0)
        if k:
            frame.passes["main"].view = view_2d(0.0, 0.0, 0.0, 1.0)
            frame.add(quad(2, 2, 1, 1, RED)) if k == 2 else None
        arcade.draw(frame)
        assert (arcade.pixels()[:40] == picture[:40]).all()


def test_inputs_are_copied_anew_in_each_frame(arcade: Any):
    """A pass that reads its own target gets the contents of this frame, even if its plan is reused."""
    frame = scene(arcade, quad(20, 20, 10, 10, RED))
    frame.set_frames(np.vstack([frame.frames, [[0, 0, 0, 64, 48, 0]]]))
    row = len(frame.frames) - 1
    projection = frame.passes["main"].projection
    frame.add_pass(Pass("again", inputs=("screen",), projection=projection, rank="post"))
    for color in (RED, GREEN, BLUE, RED):
        frame.reset()
        frame.add(quad(20, 20, 10, 10, color))
        mirror = quad(42, 24, 64, 48, frame=row)
        mirror.texture = "screen"
        frame.add(mirror, to="again")
        assert not arcade.draw(frame).skipped
        assert_color(arcade.pixels(), 30, 20, color)


def test_a_frame_that_stands_tells_of_a_lost_graphics_card(arcade: Any, monkeypatch: pytest.MonkeyPatch):
    """An unchanged frame also reports a lost graphics card, and is drawn again after closing and opening."""
    frame = scene(arcade, still(quad(20, 20, 10, 10, RED)))
    assert arcade.draw(frame).draw_calls == 0
    monkeypatch.setattr(arcade._device.gl, "glGetError", lambda: 0x0507)
    with pytest.raises(BackendError, match="the graphics card was reset"):
        arcade.draw(frame)
    monkeypatch.undo()
    arcade.close()
    with pytest.raises(BackendError, match="not open"):
        arcade.draw(frame)
    arcade.open("again", (64, 48), False)
    arcade.image(PAGE, sample_page())
    assert arcade.draw(frame).draw_calls == 1
    assert_color(arcade.pixels(), 20, 20, RED)


def test_streams_never_write_what_this_frame_or_the_two_before_have_drawn(arcade: Any):
    """Each upload has its own buffer, which is reused after three frames, so the number of buffers stays constant."""
    batches = [quad(4 + 5 * k, 20, 4, 4, RED, blend="alpha" if k % 2 else "screen") for k in range(8)]
    frame = scene(arcade, *batches)
    stats = arcade.device.stats
    for _ in range(3):
        arcade.draw(frame)
    before = stats.buffer[0]
    for _ in range(5):
        assert arcade.draw(frame).draw_calls == 8
        for k in range(8):
            assert_color(arcade.pixels(), 4 + 5 * k, 20, RED)
    assert stats.buffer[0] == before


def test_what_other_code_draws_over_the_screen_is_gone_in_the_next_frame(arcade: Any):
    """Other code draws onto the whole screen in `over`; the next frame is drawn anew, even if nothing has changed."""
    frame = scene(arcade, *crowd())
    picture = arcade.pixels()
    gl = pytest.importorskip("pyglet.gl")
    with arcade.over():
        gl.glClearColor(1.0, 0.0, 0.0, 1.0)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT)
    assert (arcade.pixels() == (255, 0, 0, 255)).all()
    arcade.draw(frame)
    assert (arcade.pixels() == picture).all()
    assert arcade.window is not None
