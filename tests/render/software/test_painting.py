"""Painting: bands, threads, reuse from frame to frame, and both qualities."""

from __future__ import annotations

import dataclasses
import threading
import time

import numpy as np
import pytest

import rish_jit
from rish_ecs import UsageError
from rish_frame import Batch, Frame, Material, Pass, Shader, Target
from rish_frame.frame.camera_math import pixels
from rish_frame.testing import sample_batches
from rish_frame.testing.samples import cube, flat_mesh, line, shape, tiles
from rish_render.backends.software import painting, sprites
from rish_render.backends.software.backend import SoftwareBackend

pytestmark = pytest.mark.skipif(not rish_jit.available(), reason="takes minutes where kernels run as plain Python")
SIZE = (160, 120)


def everything(kit, version=None):
    """Return many batches of every kind in all blend modes, each on a layer above the last."""
    rng = np.random.default_rng(8)
    found = [tiles(rng.integers(0, 7, (30, 40)), -20, 130, 5.3), kit.crowd(400, 1, SIZE)]
    for number, blend in enumerate(("alpha", "add", "multiply", "screen", "replace", "mask", "erase")):
        x, y = rng.uniform(0, 160), rng.uniform(0, 120)
        found += [
            kit.crowd(90, number, SIZE, blend=blend, filter="linear"),
            shape(x, y, 70, 40, (200, 90, 30, 180), kind=number % 2, line=3, edge=(0, 0, 255, 255), blend=blend),
            line(x, y, 160 - x, 120 - y, 5, (30, 200, 90, 200), blend=blend),
            *sample_batches(x, y, 33.3, (90, 60, 200, 150)).values(),
        ]
    for layer, batch in enumerate(found):
        batch.layer = layer
        if version is not None:
            batch.version = version
    return found


@pytest.mark.slow
@pytest.mark.parametrize("quality", ["exact", "fast"])
def test_threads_and_bands_change_no_pixel(kit, monkeypatch, quality):
    """The image is the same to the bit for any number of threads and any height of bands."""
    found = []
    for threads, band, together in (
        (1, 1 << 16, 1e12),
        (1, 1 << 10, 0),
        (2, 1 << 12, 0),
        (5, 3000, 0),
        (3, 1 << 16, 0),
    ):
        monkeypatch.setattr(sprites, "_BAND_PIXELS", band)
        monkeypatch.setattr(sprites, "_PART", 1 << 14 if threads == 1 else 64)
        monkeypatch.setattr(painting, "TOGETHER", together)
        stage = kit.Stage(SIZE, quality, threads)
        found.append([stage.draw(*everything(kit)) for _ in range(3)])
        stage.backend.close()
    for other in found[1:]:
        for one, two in zip(found[0], other, strict=True):
            assert (one == two).all()


def test_orders_are_carried_out_only_in_bands_that_they_reach(kit, monkeypatch):
    """A draw command runs only in the bands that it reaches, and the image is the same to the bit."""
    asked = []

    def spy(scene, batch):
        def watching(kernel):
            def call(colors, first, last, *arguments):
                asked.append((first, last))
                kernel(colors, first, last, *arguments)

            return call

        return [order._replace(kernel=watching(order.kernel)) for order in sprites.draw_tiles(scene, batch)]

    low = tiles(np.arange(12).reshape(3, 4) % 7, 10, 30, 5.0)
    whole = kit.Stage(SIZE).draw(low)
    monkeypatch.setitem(painting.ORDERS, "tiles", spy)
    monkeypatch.setattr(sprites, "_BAND_PIXELS", SIZE[0] * 8)
    monkeypatch.setattr(painting, "TOGETHER", 0)
    stage = kit.Stage(SIZE, threads=2)
    cut = stage.draw(low)
    stage.backend.close()
    assert (whole == cut).all()
    rows = np.flatnonzero((whole != whole[0, 0]).any(axis=(1, 2)))
    assert asked
    assert all(first <= rows[-1] + 2 and last >= rows[0] - 2 for first, last in asked)
    assert sum(last - first for first, last in asked) < SIZE[1] / 2


def test_depth_is_tested_in_bands_as_well(kit, monkeypatch):
    """A cube drawn by three threads equals one drawn by one thread: depth is tested in bands as well."""
    drawn = []
    for threads in (1, 3):
        monkeypatch.setattr(painting, "TOGETHER", 0 if threads > 1 else 1e12)
        monkeypatch.setattr(sprites, "_BAND_PIXELS", 1 << 10)
        stage = kit.Stage(SIZE, threads=threads)
        stage.frame.add_target(Target("space", SIZE, depth=True))
        stage.frame.add_pass(Pass("space", ("space",), depth_test=True))
        stage.frame.add(cube(1.2), to="space")
        stage.backend.draw(stage.frame)
        drawn.append(stage.backend.pixels("space"))
    assert (drawn[0] == drawn[1]).all()
    assert drawn[0].any()


class DepthReader:
    """A drawer that keeps copies of the depth inputs of its passes, and the threads that drew."""

    needs = frozenset({"depth"})

    def __init__(self):
        self.seen, self.threads = {}, set()

    def draw(self, device, target, batch, pass_):
        """Copy the input `map:depth`, and fill the target on all threads."""
        self.seen[pass_.name] = target.inputs["map:depth"].copy()

        def fill(first, last):
            self.threads.add(threading.get_ident())
            target.colors[0][first:last] = (0, 0, 255, 255)
            time.sleep(0.002)

        target.run([(row, row + 1) for row in range(target.size[1])], fill)


def test_a_drawer_reads_a_depth_and_draws_with_all_threads(kit):
    """A depth input is z of clip space, 1 where nothing was drawn; `run` calls the work on more threads than one."""
    backend, reader = SoftwareBackend(threads=3), DepthReader()
    backend.open("", (64, 48))
    backend.add_drawer("test.depth", reader)
    frame = Frame((64, 48))
    frame.add_target(Target("map", (16, 16), depth=True))
    frame.add_pass(Pass("map", ("map",), depth_test=True))
    frame.add(flat_mesh(-0.5, 0, 1, 2, z=0.5), to="map")
    frame.add_pass(Pass("own", ("map",), ("map:depth",), rank="post"))
    frame.passes["main"].inputs = ("map:depth",)
    for name in ("main", "own"):
        frame.add(Batch("test.depth", {"depth": np.zeros(1)}), to=name)
    assert not backend.draw(frame).skipped
    for name in ("main", "own"):
        assert (reader.seen[name][:, 8:] == 1).all()
        assert (reader.seen[name][:, :8] == 0.5).all()
    assert (backend.pixels() == (0, 0, 255, 255)).all()
    assert len(reader.threads) > 1
    backend.close()


def test_what_stands_still_is_not_drawn_again(kit):
    """From the third frame on unchanged batches are counted but not drawn; moving batches above them are right."""
    stage = kit.Stage(SIZE)
    still = everything(kit, version=1)
    expected = kit.Stage(SIZE).draw(*still)
    for _ in range(4):
        assert (stage.draw(*still) == expected).all()
    assert stage.stats.draw_calls == 0
    assert stage.stats.static_batches == len(still)
    assert stage.stats.instances == sum(batch.count for batch in still)
    for seed in range(3):
        moving = kit.crowd(20, seed, SIZE, layer=99)
        assert (stage.draw(*still, moving) == kit.Stage(SIZE).draw(*still, moving)).all()
    assert (stage.draw(*still) == expected).all()


def test_every_change_below_is_seen(kit):
    """Every change causes a new drawing: version, order, camera, clear color, page, table, size, fewer batches."""
    stage = kit.Stage(SIZE)
    still = everything(kit, version=1)

    def same() -> None:
        stage.again(*still, times=4)
        assert stage.stats.draw_calls == 0

    def differs(*batches) -> None:
        fresh = kit.Stage(stage.frame.size)
        fresh.frame, fresh.backend.options = stage.frame, {}
        fresh.backend.image(0, stage.page if hasattr(stage, "page") else kit.page(0))
        assert (stage.draw(*batches) == fresh.draw(*batches)).all()

    same()
    still[0].arrays["cells"][:] = 1
    still[0].version = 2
    differs(*still)
    same()
    still[3].layer = 88
    differs(*still)
    same()
    main = stage.frame.passes["main"]
    main.projection = pixels((150, 110))
    differs(*still)
    same()
    stage.frame.set_clear((0.3, 0.2, 0.1, 1))
    differs(*still)
    same()
    stage.page = kit.page(5)
    stage.backend.image(0, stage.page)
    differs(*still)
    same()
    stage.frame.set_frames(np.roll(np.array(kit.TABLE, np.float32), 1, axis=0))
    differs(*still)
    same()
    differs(*still[:-1])
    same()
    still[1] = dataclasses.replace(still[1], blend="screen")
    differs(*still)
    same()
    stage.frame.size = (200, 90)
    stage.backend.configure(size=(200, 90))
    differs(*still)


def test_what_could_not_be_drawn_is_named_in_every_frame(kit):
    """A batch that cannot be drawn is reported in every frame, even if nothing is drawn again."""
    stage = kit.Stage(SIZE)
    still = everything(kit, version=1)
    still[2].unit = -1.0
    for _ in range(5):
        stage.draw(*still)
        assert list(stage.stats.skipped) == ["sprites"]
    assert stage.stats.draw_calls == 0


def test_a_pass_that_does_not_clear_is_drawn_onto_what_is_there(kit):
    """Without clearing, half transparent batches add up from frame to frame."""
    stage, fresh = kit.Stage(SIZE), kit.Stage(SIZE)
    still = [batch for batch in everything(kit, version=1) if batch.blend == "alpha"]
    stage.frame.passes["main"].clear = fresh.frame.passes["main"].clear = False
    for _ in range(4):
        picture = stage.draw(*still)
    for _ in range(4):
        for batch in still:
            batch.version = None
        expected = fresh.draw(*still)
    assert (picture == expected).all()


def test_it_is_exact_without_a_window(kit):
    """Quality "auto" is "exact" for an invisible window and "fast" for a visible one."""
    batch = kit.crowd(60)
    pictures_ = {}
    for quality, visible in (("auto", False), ("auto", True), ("exact", True), ("fast", False)):
        stage = kit.Stage(quality=quality)
        stage.backend.close()
        stage.backend.open("", (96, 64), visible)
        stage.backend.image(0, kit.page(0))
        pictures_[quality, visible] = stage.again(batch)
    assert (pictures_["auto", False] == pictures_["exact", True]).all()
    assert (pictures_["auto", True] == pictures_["fast", False]).all()
    assert not (pictures_["auto", True] == pictures_["auto", False]).all()


def test_quality_and_threads_can_be_changed_while_it_is_open(kit):
    """Quality and threads can be changed while the backend is open; unknown qualities raise UsageError."""
    stage = kit.Stage(quality="exact")
    batch = kit.crowd(60)
    exact = stage.draw(batch)
    stage.backend.configure(quality="fast", threads=2)
    fast = stage.again(batch)
    assert not (fast == exact).all()
    stage.backend.configure(quality="exact", threads=0)
    assert (stage.draw(batch) == exact).all()
    with pytest.raises(UsageError, match="auto, exact, fast"):
        stage.backend.configure(quality="best")
    with pytest.raises(UsageError, match="auto, exact, fast"):
        SoftwareBackend("good")


def test_twins_run_where_sprites_are_drawn(kit):
    """A shader's fallback runs for packed and wide sprites, in both qualities, once for each sprite."""
    sizes = []

    def fallback(p, uniforms):
        sizes.append(len(p.color))
        assert p.color.dtype == p.uv.dtype == p.at.dtype == np.float32
        assert p.picture.shape[2] == 4
        p.color[:] = p.color * uniforms["part"]

    for quality in ("exact", "fast"):
        stage = kit.Stage(quality=quality)
        stage.frame.shaders["half"] = Shader("half", "", {"part": "float"}, {"part": 1.0}, fallback=fallback)
        for batch in (kit.crowd(20, 3), sample_batches(20, 20, 16)["sprites_wide"]):
            plain = kit.Stage().draw(batch)
            batch.material = Material("half")
            batch.version = 1
            for _ in range(4):
                sizes.clear()
                assert np.abs(stage.draw(batch).astype(int) - plain).max() <= 2
                assert sizes
            assert not stage.stats.skipped


def test_a_twin_that_raises_is_named_with_its_place_and_not_run_again(kit):
    """A fallback that raises is reported with its place and not run again; its sprites are drawn plain."""
    runs = []

    def wrong(p, uniforms):
        runs.append(1)
        p.color[:] = 0
        raise LookupError("out of fallbacks")

    stage = kit.Stage()
    batch = kit.crowd(20, 3)
    plain = stage.draw(batch)
    stage.frame.shaders = {
        "wrong": Shader("wrong", "", fallback=wrong),
        "none": Shader("none", ""),
        "fine": Shader("fine", "", {"x": "float"}, fallback=lambda p, u: None),
    }
    said = {
        "wrong": f"LookupError: out of fallbacks (test_painting.py:{wrong.__code__.co_firstlineno + 3})",
        "none": "no Python fallback",
        "unknown": "the material does not exist",
    }
    for name, words in said.items():
        batch.material = Material(name)
        for _ in range(3):
            assert (stage.draw(batch) == plain).all()
            assert words in stage.stats.skipped[f"material:{name}"]
    assert len(runs) == 1
    batch.material = Material("fine", {"y": 3})
    assert (stage.draw(batch) == plain).all()
    assert "no uniform is called 'y'" in stage.stats.skipped["material:fine"]
    stage.draw(shape(20, 20, 9, 9, material=Material("fine")))
    assert "'shapes'" in stage.stats.skipped["material:fine"]


def test_the_manifest_chooses_the_quality(rish_app):
    """The manifest's `quality` and `threads` reach the backend; without them a headless game is "exact"."""
    from rish_render import plugin

    chosen = {}
    for written in ({}, {"quality": "fast", "threads": 3}, {"quality": "exact"}):
        manifest = {"settings": {"render": written}} if written else {}
        backend = plugin.make_software()
        rish_app(manifest, plugins={"render": plugin}, backend=backend)
        chosen[written.get("quality", "auto")] = backend._exact, backend._workers.threads
    assert chosen["auto"][0]
    assert chosen["fast"] == (False, 3)
    assert chosen["exact"][0]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sprites", "sprites_wide", "shapes", "lines", "polygons", "mesh", "tiles"])
def test_no_camera_and_no_number_leaves_the_picture(kit, kind):
    """No camera, position or size, however large, writes into the memory beside the image."""
    rng = np.random.default_rng(11)
    for quality in ("exact", "fast"):
        stage = kit.Stage((37, 23), quality)
        main = stage.frame.passes["main"]
        for _ in range(120):
            x, y, size = rng.choice([-1, 1], 3) * 10 ** rng.uniform(-3, 12, 3)
            batch = sample_batches(x, y, abs(size), (255, 200, 100, 200))[kind]
            batch.blend = str(rng.choice(["alpha", "mask", "replace"]))
            main.projection = pixels((37, 23)) * np.float32(10 ** rng.uniform(-9, 9))
            main.projection[3, 3] = 1
            stage.draw(batch)
            assert not stage.backend._surfaces["screen"].colors[0][:, 37:].any()
