"""The contract's tests of passes: cameras, viewports, targets, inputs, and their order."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..backend import Backend
from ..frame.batches import Batch
from ..frame.camera_math import pixels
from ..frame.frame import Frame
from ..frame.passes import Pass, Target
from .checks import ContractChecks, RecordingDrawer, assert_color, assert_pixels, assert_rectangle, off_screen
from .samples import BLUE, GREEN, OPAQUE, PAGE, QUARTERS, RED, flat_mesh, quad

BLACK = (0, 0, 0, 255)
CLEAR = (0, 0, 0, 0)


class PassTests(ContractChecks):
    """Passes; all need pixels, most of them targets as well."""

    def test_a_camera_pans_and_zooms(self, backend: Backend) -> None:
        """A camera at (100, 50) with zoom 2 shows this point in the middle of the screen, at twice the size."""
        width, height = self.size
        picture = self.show(backend, quad(102, 51, 4, 2, RED), **self.looking_at(100, 50, zoom=2))
        assert_rectangle(picture, width // 2, height // 2, 8, 4, RED, BLACK)

    def test_a_camera_turns(self, backend: Backend) -> None:
        """A camera turned by 90 degrees counter-clockwise shows a square above it to the right of the middle."""
        width, height = self.size
        picture = self.show(backend, quad(0, 12, 8, 8, RED), **self.looking_at(0, 0, rotation=np.pi / 2))
        assert_pixels(picture, {(width // 2 + 12, height // 2): RED, (width // 2 - 12, height // 2): BLACK})

    def test_a_viewport_holds_the_whole_camera_and_clips(self, backend: Backend) -> None:
        """A viewport on the right half shows the camera's complete view at half the width, and nothing outside it."""
        width, height = self.size
        picture = self.show(backend, quad(0, height / 2, width, 8, RED), viewport=(0.5, 0.0, 0.5, 1.0))
        middle = height // 2
        assert_pixels(picture, {(width // 2, middle): RED, (width // 2 + width // 4 - 2, middle): RED})
        assert_pixels(picture, {(width // 2 + width // 4 + 1, middle): BLACK, (width // 2 - 1, middle): BLACK})

    def test_two_viewports_split_the_screen(self, backend: Backend) -> None:
        """Two passes with different viewports draw onto one screen; the second does not clear the first."""
        width, height = self.size
        frame = self.scene(viewport=(0.0, 0.0, 0.5, 1.0))
        frame.add_pass(Pass("right", viewport=(0.5, 0.0, 0.5, 1.0), projection=pixels(self.size)))
        frame.add(quad(width / 2, height / 2, width, height, RED))
        frame.add(quad(width / 2, height / 2, width, height, BLUE), to="right")
        picture = self.show_frame(backend, frame)
        assert_rectangle(picture, 0, 0, width // 2, height, RED, BLUE)
        assert_color(picture, width // 2, 0, BLUE)

    def test_a_scissor_cuts_without_squeezing(self, backend: Backend) -> None:
        """A scissor on the upper left quarter limits drawing to it and does not scale the view."""
        width, height = self.size
        full_screen = quad(width / 2, height / 2, width, height, RED)
        picture = self.show(backend, full_screen, scissor=(0.0, 0.5, 0.5, 0.5))
        assert_rectangle(picture, 0, height // 2, width // 2, height // 2, RED, BLACK)

    def test_a_batch_has_a_clip_of_its_own(self, backend: Backend) -> None:
        """A clip cuts its own batch only; a batch with an empty clip is not drawn."""
        width, height = self.size
        screen = (width / 2, height / 2, width, height)
        middle = quad(*screen, BLUE, clip=(0.25, 0.25, 0.5, 0.5))
        picture = self.show(backend, quad(*screen, RED), middle, quad(*screen, GREEN, clip=(0.5, 0.5, 0.0, 0.0)))
        assert_rectangle(picture, width // 4, height // 4, width // 2, height // 2, BLUE, RED)

    def test_a_layer_mask_hides_layers(self, backend: Backend) -> None:
        """The layer mask of one pass hides layers in that pass only."""
        both = (quad(20, 20, 10, 10, RED, layer=0), quad(20, 20, 10, 10, BLUE, layer=1))
        assert_color(self.show(backend, *both, layer_mask=0b01), 20, 20, RED)

    def test_a_target_is_drawn_and_then_read(self, backend: Backend) -> None:
        """A target that one pass draws is shown by a sprite of another pass, upright and at the right position."""
        frame = self._with_map()
        frame.add(quad(8, 8, 16, 16, frame=QUARTERS), to="map")
        frame.add(quad(40, 20, 16, 16, frame=len(frame.frames) - 1, texture="map"))
        picture = self.show_frame(backend, frame)
        assert_pixels(picture, {(33, 26): RED, (46, 26): GREEN, (33, 13): BLUE, (46, 13): OPAQUE})
        off_screen = backend.pixels("map")
        assert off_screen.shape == (16, 16, 4)
        assert_color(off_screen, 1, 14, RED)

    def test_a_target_keeps_its_transparency(self, backend: Backend) -> None:
        """A target keeps premultiplied alpha and is blended with it, which gives group opacity."""
        frame = self._with_map()
        frame.add(quad(4, 8, 8, 16, (255, 0, 0, 128)), to="map")
        frame.add(quad(40, 20, 30, 30, BLUE))
        frame.add(quad(40, 20, 16, 16, (255, 255, 255, 128), len(frame.frames) - 1, texture="map"))
        picture = self.show_frame(backend, frame)
        assert_color(backend.pixels("map"), 2, 8, (128, 0, 0, 128))
        assert_color(backend.pixels("map"), 14, 8, CLEAR)
        assert_color(picture, 35, 20, (64, 0, 191, 255), within=2)
        assert_color(picture, 45, 20, BLUE)

    def test_a_fraction_of_the_screen_follows_its_size(self, backend: Backend) -> None:
        """A target of half the screen's size has that size before and after the screen changes."""
        for size in (self.size, (80, 40)):
            if backend.size != size:
                backend.configure(size=size)
                backend.poll()
            frame = Frame(size)
            frame.add_target(Target("half", size=0.5, clear=((0.0, 1.0, 0.0, 1.0),)))
            frame.add_pass(Pass("half", targets=("half",)))
            picture = self.show_frame(backend, frame, "half")
            assert picture.shape == (size[1] // 2, size[0] // 2, 4)
            assert (picture == GREEN).all()

    def test_a_pass_that_does_not_clear_keeps_the_last_picture(self, backend: Backend) -> None:
        """A pass with `clear=False` keeps the target's image from frame to frame; with `clear=True` it is cleared."""
        frame = self._with_map()
        frame.add(quad(4, 8, 4, 4, RED), to="map")
        self.show_frame(backend, frame, "map")
        frame.reset()
        frame.passes["map"].clear = False
        frame.add(quad(12, 8, 4, 4, BLUE), to="map")
        picture = self.show_frame(backend, frame, "map")
        assert_pixels(picture, {(4, 8): RED, (12, 8): BLUE})
        frame.passes["map"].clear = True
        assert_color(self.show_frame(backend, frame, "map"), 4, 8, CLEAR)

    def test_a_pass_may_read_what_it_draws_onto(self, backend: Backend) -> None:
        """A pass that reads its own target sees a copy from before the pass."""
        width, height = self.size
        frame = self.scene()
        frame.set_frames([*frame.frames.tolist(), [PAGE, width, 0, 0, height, 0]])
        frame.add(quad(8, 24, 16, 16, RED))
        mirror = Pass("mirror", inputs=("screen",), rank="post", projection=pixels(self.size))
        frame.add_pass(mirror)
        everything = (width / 2, height / 2, width, height)
        frame.add(quad(*everything, frame=len(frame.frames) - 1, texture="screen"), to="mirror")
        picture = self.show_frame(backend, frame)
        assert_pixels(picture, {(width - 8, 24): RED, (8, 24): BLACK})

    def test_float_targets_hold_more_than_one(self, backend: Backend) -> None:
        """Float targets store colors beyond 0..1 unchanged, and `pixels` returns float32."""
        frame = self.scene()
        off_screen(frame, "light", (8, 8), "rgba16f", clear=((2.5, 0.5, 0.0, 1.0),))
        off_screen(frame, "field", (8, 8), "r32f", clear=((-3.0, 0.0, 0.0, 0.0),))
        light = self.show_frame(backend, frame, "light")
        field = backend.pixels("field")
        assert light.dtype == np.float32
        assert light[4, 4].tolist() == [2.5, 0.5, 0.0, 1.0]
        assert field.shape == (8, 8, 1)
        assert (field == -3).all()

    def test_sprites_add_up_in_a_float_target_or_are_reported(self, backend: Backend) -> None:
        """Sprites are added up in a float target, or the kind is reported as skipped."""
        self.need(backend, "pixels", "targets", "float")
        frame = self.scene()
        off_screen(frame, "light", (8, 8), "rgba16f", clear=((2.5, 0.5, 0.0, 1.0),))
        for _ in range(2):
            frame.add(quad(4, 4, 8, 8, blend="add"), to="light")
        stats = backend.draw(frame)
        added = 0 if "sprites" in stats.skipped else 2
        assert backend.pixels("light")[4, 4].tolist() == [2.5 + added, 0.5 + added, added, 1.0]

    def test_several_attachments_are_written_at_once(self, backend: Backend) -> None:
        """A sprite writes its image to the first attachment and its untinted normals to the second.

        Each attachment has its own clear color.
        """
        frame = self.scene()
        clear, channels = ((1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)), ("picture", "normal")
        off_screen(frame, "buffer", (16, 16), "rgba8", "rgba8", clear=clear, channels=channels)
        normals = frame.frames.copy()
        normals[0, 1:5] = [4, 0, 6, 2]
        frame.channels["normal"] = normals
        frame.set_frames(frame.frames)
        frame.add(quad(4, 8, 8, 16, GREEN), to="buffer")
        picture = self.show_frame(backend, frame, "buffer")
        normal = backend.pixels("buffer:1")
        assert_pixels(picture, {(2, 8): GREEN, (12, 8): RED})
        assert_pixels(normal, {(2, 8): RED, (12, 8): BLUE})

    def test_the_depth_of_a_target_is_an_input_of_drawers(self, backend: Backend) -> None:
        """A drawer reads the depth of another target, and that of its own target as a copy."""
        self.need(backend, "targets", "mesh", "depth")
        drawer = RecordingDrawer()
        backend.add_drawer("contract.fog", drawer)
        frame = self.scene(inputs=("map:depth",))
        off_screen(frame, "map", (16, 16), depth=True).depth_test = True
        frame.add(flat_mesh(4, 8, 8, 16, RED), to="map")
        own = Pass("own", ("map",), ("map:depth",), rank="post")
        frame.add_pass(own)
        for name in ("main", "own"):
            frame.add(Batch("contract.fog", {"fog": np.zeros(1)}), to=name)
        assert not backend.draw(frame).skipped
        targets = {pass_.name: target for _, target, _, pass_ in drawer.asked}
        depth, copied = (targets[name].inputs["map:depth"] for name in ("main", "own"))
        if "pixels" in backend.capabilities:
            assert depth is not None
            assert copied is not None
            assert copied is not targets["own"].depth

    def test_a_depth_is_not_shown_by_standard_kinds(self, backend: Backend) -> None:
        """A sprite with a depth as its texture is skipped and reported."""
        self.need(backend, "pixels", "targets", "depth")
        frame = self._with_map(depth=True)
        frame.passes["main"].inputs = ("map:depth",)
        frame.add(quad(40, 20, 16, 16, frame=len(frame.frames) - 1, texture="map:depth"))
        assert "map:depth" in backend.draw(frame).skipped["sprites"]

    def _with_map(self, **options: Any) -> Frame:
        """Return a scene with a target of 16x16 pixels that a pass `map` draws and the pass `main` reads.

        The last row of its frame table shows the complete target. options: of the target.
        """
        frame = self.scene(inputs=("map",))
        frame.set_frames([*frame.frames.tolist(), [0, 0, 0, 16, 16, 0]])
        off_screen(frame, "map", (16, 16), **options)
        return frame
