"""The recording backend and its queries for tests."""

from __future__ import annotations

import numpy as np
import pytest

from rish_core import WindowEvent
from rish_ecs import UnknownName, UsageError
from rish_frame.errors import BackendError
from rish_frame.frame.batches import Batch
from rish_frame.frame.frame import Frame
from rish_frame.frame.instances import pack_sprites
from rish_frame.frame.passes import Pass, Target
from rish_frame.null import NullBackend


@pytest.fixture
def backend() -> NullBackend:
    """An open backend that keeps two draws."""
    made = NullBackend(keep=2)
    made.open("test", (32, 24))
    return made


def sprites(x: float = 1, **options) -> Batch:
    """Return a batch of one sprite."""
    return Batch("sprites", {"instances": pack_sprites([x], 1, 1, 1)}, **options)


def test_it_remembers_its_calls(backend: NullBackend) -> None:
    """Calls and their arguments are recorded in order."""
    backend.image(3, np.zeros((2, 5, 4), np.uint8))
    backend.free(3)
    backend.configure(title="other")
    backend.close()
    assert [verb for verb, _ in backend.calls] == ["open", "image", "free", "configure", "close"]
    assert backend.calls[0][1] == {"title": "test", "size": (32, 24), "visible": True}
    assert backend.calls[1][1] == {"page": 3, "shape": (2, 5, 4), "dirty": None}
    assert backend.options["title"] == "other"


def test_it_keeps_copies_of_what_was_drawn(backend: NullBackend) -> None:
    """Drawn batches are copied, so the next frame does not change them."""
    frame = Frame((32, 24))
    batch = frame.add(sprites(5, layer=2, z=1.5, blend="add", source="test.draw"))
    backend.draw(frame)
    batch.arrays["instances"]["x"] = 0
    frame.passes["main"].view[0, 3] = 9
    seen = backend.drawn("sprites", "main")[0]
    assert seen.arrays["instances"]["x"].tolist() == [40]
    assert (seen.layer, seen.z, seen.blend, seen.source) == (2, 1.5, "add", "test.draw")
    assert backend.last.passes[0].camera[0, 3] == -1
    assert backend.last.passes[0].clears == ("screen",)
    assert backend.drawn("lines") == []


def test_it_keeps_the_requested_number_of_draws(backend: NullBackend) -> None:
    """It keeps `keep` draws, and none with keep=0, so that a long run needs no memory."""
    for _ in range(5):
        backend.draw(Frame((32, 24)))
    assert len(backend.draws) == 2
    assert backend.drawn_frames == 5
    none = NullBackend(keep=0)
    none.open("test", (4, 4))
    none.draw(Frame((4, 4)))
    with pytest.raises(BackendError, match="keep"):
        _ = none.last


def test_it_counts_like_a_real_one(backend: NullBackend) -> None:
    """It counts instances, calls, bytes, and batches unchanged since the previous frame."""
    frame = Frame((32, 24))
    frame.add(sprites(version=1))
    frame.add(sprites())
    first, second = backend.draw(frame), backend.draw(frame)
    assert (first.draw_calls, first.instances, first.bytes_uploaded, first.static_batches) == (2, 2, 32, 0)
    assert (second.bytes_uploaded, second.static_batches) == (16, 1)
    frame.passes["main"].batches[0].version = 2
    assert backend.draw(frame).static_batches == 0


def test_it_checks_what_it_is_given() -> None:
    """A wrong array raises an error, so it fails in the test of its author."""
    frame = Frame((4, 4))
    frame.add(Batch("lines", {"points": np.zeros((1, 4), np.float32)}))
    backend = NullBackend()
    backend.open("test", (4, 4))
    with pytest.raises(BackendError, match="pass 'main': a batch of 'lines': the array 'width' is missing"):
        backend.draw(frame)
    lenient = NullBackend(check=False)
    lenient.open("test", (4, 4))
    assert lenient.draw(frame).draw_calls == 1


def test_its_events_are_written_in_advance() -> None:
    """Its events are given in advance, one item for each poll, an event or several; more can be added."""
    down, up = WindowEvent("key", "SPACE", down=True), WindowEvent("key", "SPACE")
    backend = NullBackend(events=[down, [], [up, down]])
    assert [backend.poll() for _ in range(4)] == [[down], [], [up, down], []]
    backend.send(up)
    assert backend.poll() == [up]


def test_its_pictures_are_the_clear_color_in_the_right_size(backend: NullBackend) -> None:
    """Its pixels are the clear color in the right size: screen, fractions, several attachments, float formats."""
    frame = Frame((32, 24))
    frame.set_clear((1, 0.5, 0, 1))
    frame.add_target(Target("g", size=0.5, formats=("rgba8", "r32f"), clear=((0, 0, 1, 0.5), (2.5, 0, 0, 0))))
    frame.add_pass(Pass("g", targets=("g",)))
    backend.draw(frame)
    assert backend.pixels().shape == (24, 32, 4)
    assert backend.pixels()[3, 4].tolist() == [255, 128, 0, 255]
    assert backend.pixels("g")[0, 0].tolist() == [0, 0, 255, 128]
    assert backend.pixels("g:1").shape == (12, 16, 1)
    assert backend.pixels("g:1").dtype == np.float32
    assert backend.pixels("g:1")[0, 0, 0] == 2.5
    with pytest.raises(UnknownName, match="no target is called 'h'"):
        backend.pixels("h")


def test_it_knows_every_kind() -> None:
    """A plugin's own kind is recorded like any other."""
    backend = NullBackend()
    assert "sprites" in backend.kinds
    assert "plugin.stars" in backend.kinds
    assert {"mesh", "lines"} <= set(backend.kinds)
    assert {"mesh", "depth", "mrt"} <= backend.capabilities


def test_it_refuses_what_no_backend_could_do(backend: NullBackend) -> None:
    """A screen without pixels and an invalid page are rejected."""
    with pytest.raises(UsageError, match="at least one pixel"):
        NullBackend().open("test", (0, 4))
    with pytest.raises(BackendError, match="page 1 must be uint8"):
        backend.image(1, np.zeros((2, 2, 3), np.uint8))
