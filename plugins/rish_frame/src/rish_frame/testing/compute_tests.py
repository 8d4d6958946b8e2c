"""Tests of compute work: by a backend with the capability `compute`, otherwise by the fallbacks that the host runs."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ..backend import Backend
from ..frame.batches import Batch
from ..frame.compute import Compute, DeviceArray
from ..frame.frame import Frame
from ..frame.instances import INSTANCE, pack_sprites
from ..frame.kinds import ArraySpec
from .checks import ContractChecks, assert_color, assert_rectangle
from .samples import BLUE, GREEN, OPAQUE, RED, quad

BLACK = [0, 0, 0, 255]
Arrays = Mapping[str, npt.NDArray[Any]]
PLACES = ArraySpec(np.dtype(np.float32), ("n", 4), "x y w h")
SPRITES = ArraySpec(np.dtype(INSTANCE), ("n",), "sprites")

MOVE = """
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= threads.x) return;
    place[i].xy += step * times;
}
"""
PACK = """
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= threads.x) return;
    birds[i] = sprite(place[i].xy, place[i].zw, turn, 0u, vec4(1.0, 0.0, 0.0, 1.0));
}
"""


def move(arrays: Arrays, uniforms: Mapping[str, Any]) -> None:
    """Move the boxes as the shader MOVE does, in place."""
    arrays["place"][: uniforms["threads"][0], :2] += np.float32(uniforms["step"]) * uniforms["times"]


def pack(arrays: Arrays, uniforms: Mapping[str, Any]) -> None:
    """Pack the boxes into sprites as the shader PACK does, in place."""
    arrays["birds"][:] = _packed(arrays["place"], uniforms["turn"])


def _packed(boxes: npt.NDArray[Any], turn: float) -> npt.NDArray[Any]:
    x, y, w, h = boxes.T
    return pack_sprites(x, y, w, h, turn, rgba=RED)


def _fail(arrays: Arrays, uniforms: Mapping[str, Any]) -> None:
    raise AssertionError("the work is done already")


MOVES = Compute("test.move", "", {"place": PLACES}, move, {"step": "vec2", "times": "int"}, source=MOVE)
PACKS = Compute("test.pack", "", {"place": PLACES, "birds": SPRITES}, pack, {"turn": "float"}, source=PACK)


class Flock:
    """Boxes and sprites on a device, and the orders that move and draw them."""

    def __init__(self, *places: tuple[float, float, float, float]) -> None:
        self.place = DeviceArray(np.array(places, np.float32))
        self.birds = DeviceArray(np.zeros(len(places), INSTANCE))

    def order(self, frame: Frame, *steps: tuple[float, float], threads: int = 0, turn: float = 0.0) -> Frame:
        """Order two moves of the boxes and the packing into sprites, and add the sprites to the frame."""
        count = len(self.place.array)
        frame.computes = {compute.name: compute for compute in (MOVES, PACKS, *frame.computes.values())}
        for step in steps:
            uniforms = {"step": step, "times": 2}
            frame.compute("test.move", threads or count, {"place": self.place}, uniforms)
        frame.compute("test.pack", count, {"place": self.place, "birds": self.birds}, {"turn": turn})
        frame.add(Batch("sprites", {"instances": self.birds.array}))
        return frame


class ComputeTests(ContractChecks):
    """Compute work gives the same result on the device and by the fallback."""

    def test_work_is_done_in_order_before_the_frame_is_drawn(self, backend: Backend) -> None:
        """All orders of a frame are done, one after another, and then the sprites are drawn where they are now."""
        flock = Flock((10, 10, 8, 8))
        picture = self._drawn(backend, flock.order(self.scene(), (5, 0), (0, 10)))
        assert_rectangle(picture, 16, 26, 8, 8, RED, BLACK)
        np.testing.assert_array_equal(flock.place.fetch(), [[20, 30, 8, 8]])

    def test_arrays_keep_their_contents_from_frame_to_frame(self, backend: Backend) -> None:
        """Work goes on from the result of the frame before, and a frame that is drawn again does it once."""
        flock = Flock((10, 10, 8, 8))
        self._drawn(backend, flock.order(self.scene(), (5, 0)))
        frame = flock.order(self.scene(), (5, 0))
        self._drawn(backend, frame)
        picture = self._drawn(backend, frame)
        assert_rectangle(picture, 26, 6, 8, 8, RED, BLACK)

    def test_only_as_many_threads_as_ordered_work(self, backend: Backend) -> None:
        """Fewer threads than elements leave the other elements unchanged, and a last group may be half full."""
        flock = Flock(*[(x, 0, 1, 1) for x in range(100)])
        self._worked(backend, flock.order(self.scene(), (0, 1), threads=70))
        assert flock.place.fetch()[:, 1].tolist() == [2] * 70 + [0] * 30

    def test_what_a_plugin_writes_is_used(self, backend: Backend) -> None:
        """`write` replaces the contents, also after the device has changed them."""
        flock = Flock((10, 10, 8, 8))
        self._worked(backend, flock.order(self.scene(), (5, 0)))
        flock.place.write([[1, 2, 4, 4]])
        self._worked(backend, flock.order(self.scene(), (1, 1)))
        assert flock.place.fetch().tolist() == [[3, 4, 4, 4]]

    def test_sprites_are_packed_as_in_numpy(self, backend: Backend) -> None:
        """The function `sprite` of the shader packs as `pack_sprites` does, a turn within a step of its units."""
        random = np.random.default_rng(1)
        boxes = np.column_stack([random.uniform(-5000, 5000, (500, 2)), random.uniform(-9, 5000, (500, 2))])
        flock = Flock(*boxes.tolist())
        flock.place.array[:3, 2] = np.nan
        for turn in (0.0, 2.5, -1.0, 70.0):
            self._worked(backend, flock.order(self.scene(), turn=turn))
            expected = _packed(flock.place.array, turn)
            sprites = flock.birds.fetch()
            for name in ("x", "y", "w", "h", "frame", "rgba"):
                np.testing.assert_array_equal(sprites[name], expected[name], name)
            difference = sprites["rotation"].astype(int) - expected["rotation"]
            assert np.abs((difference + 32768) % 65536 - 32768).max() <= 1

    def test_types_of_arrays_and_uniforms(self, backend: Backend) -> None:
        """Numbers, vectors, bytes and every type of uniforms arrive, and groups may have three lengths."""
        size = (3, 2, 5)
        shape = size[::-1]
        arrays = {
            "reals": DeviceArray(np.zeros(shape, np.float32)),
            "pairs": DeviceArray(np.zeros((30, 2), np.int32)),
            "words": DeviceArray(np.zeros(30, np.uint32)),
            "bytes": DeviceArray(np.zeros((30, 4), np.uint8)),
        }
        frame = self.scene()
        frame.computes["test.types"] = TYPES
        uniforms = {"a": 0.5, "b": 7, "c": True, "d": (1, 2), "e": (3, 4, 5), "f": (6, 7, 8, 9)}
        frame.compute("test.types", size, arrays, uniforms)
        self._worked(backend, frame)
        number = np.arange(30)
        np.testing.assert_array_equal(arrays["reals"].fetch().ravel(), number + 0.5)
        np.testing.assert_array_equal(arrays["pairs"].fetch(), np.column_stack([number, -number]))
        np.testing.assert_array_equal(arrays["words"].fetch(), number + 7 + 1 + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9)
        np.testing.assert_array_equal(arrays["bytes"].fetch(), np.column_stack([number, number, number, number]))

    def test_arrays_of_other_kinds_are_drawn_too(self, backend: Backend) -> None:
        """Shapes whose arrays were computed are drawn as they are now."""
        lines = DeviceArray(np.array([[4, 10, 4, 10]], np.float32))
        frame = self.scene()
        frame.computes["test.move"] = MOVES
        frame.compute("test.move", 1, {"place": lines}, {"step": (10, 5), "times": 2})
        arrays = {"width": np.full(1, 8, np.float32), "rgba": np.array([GREEN], np.uint8)}
        frame.add(Batch("lines", {"points": lines.array, **arrays}))
        picture = self._drawn(backend, frame)
        assert_color(picture, 14, 15, GREEN)
        assert_color(picture, 5, 18, BLACK)

    def test_other_sprites_keep_their_order(self, backend: Backend) -> None:
        """Sprites on the device are drawn between those that are not, in the order of the batches."""
        flock = Flock((20, 20, 16, 16))
        frame = self.scene(quad(20, 20, 24, 24, BLUE))
        flock.order(frame)
        frame.add(quad(20, 20, 8, 8, OPAQUE))
        picture = self._drawn(backend, frame)
        assert_color(picture, 9, 9, BLUE)
        assert_color(picture, 13, 13, RED)
        assert_color(picture, 20, 20, OPAQUE)

    def test_work_that_does_not_compile_is_done_by_the_fallback(self, backend: Backend) -> None:
        """A shader that does not compile is reported by name, its fallback runs, and all else goes on."""
        broken = Compute("test.broken", "move.comp", {"place": PLACES}, MOVES.fallback, MOVES.uniforms, source="oh no")
        for times in (1, 2):
            flock = Flock((10, 10, 8, 8))
            frame = self.scene()
            frame.computes["test.broken"] = broken
            frame.compute("test.broken", 1, {"place": flock.place}, {"step": (5, 0), "times": times})
            flock.order(frame)
            skipped = self._worked(backend, frame)
            if "compute" in backend.capabilities:
                assert list(skipped) == ["compute:test.broken"]
                assert skipped["compute:test.broken"].startswith("move.comp:1: ")
            assert flock.place.fetch().tolist() == [[10 + 5 * times, 10, 8, 8]]
            assert flock.birds.fetch()["x"].tolist() == [8 * (10 + 5 * times)]

    def _worked(self, backend: Backend, frame: Frame) -> dict[str, str]:
        """Let the backend or the fallbacks do a frame's work; return what was skipped."""
        if "compute" not in backend.capabilities:
            frame.run_fallbacks()
        for order in [order for order in frame.dispatches if order.compute.name != "test.broken"]:
            order.compute = dataclasses.replace(order.compute, fallback=_fail)  # it must not run any more
        return backend.draw(frame).skipped

    def _drawn(self, backend: Backend, frame: Frame) -> npt.NDArray[np.uint8]:
        """Let a frame's work be done, and return the picture."""
        self.need(backend, "pixels")
        assert not self._worked(backend, frame)
        return backend.pixels()


def _types(arrays: Arrays, uniforms: Mapping[str, Any]) -> None:
    number = np.arange(30)
    arrays["reals"][:] = (number + uniforms["a"]).reshape(arrays["reals"].shape)
    arrays["pairs"][:] = np.column_stack([number, -number])
    vectors = sum(sum(uniforms[name]) for name in "def")
    arrays["words"][:] = number + uniforms["b"] + int(uniforms["c"]) + int(vectors)
    arrays["bytes"][:] = number[:, None]


TYPES = Compute(
    "test.types",
    "",
    {
        "reals": ArraySpec(np.dtype(np.float32), ("d", "h", "w"), ""),
        "pairs": ArraySpec(np.dtype(np.int32), ("n", 2), ""),
        "words": ArraySpec(np.dtype(np.uint32), ("n",), ""),
        "bytes": ArraySpec(np.dtype(np.uint8), ("n", 4), ""),
    },
    _types,
    {"a": "float", "b": "int", "c": "bool", "d": "vec2", "e": "vec3", "f": "vec4"},
    (2, 2, 4),
    """
    void main() {
        uvec3 at = gl_GlobalInvocationID;
        if (any(greaterThanEqual(at, threads))) return;
        uint i = (at.z * threads.y + at.y) * threads.x + at.x;
        reals[i] = float(i) + a;
        pairs[i] = ivec2(i, -int(i));
        words[i] = i + uint(b) + uint(c) + uint(d.x + d.y + e.x + e.y + e.z + f.x + f.y + f.z + f.w);
        bytes[i] = i | i << 8 | i << 16 | i << 24;
    }
    """,
)
