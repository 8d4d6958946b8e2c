"""The flying camera, moved by events of the window."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from rish_core import App, WindowEvent, find, parse_manifest
from rish_frame import DeviceRequests, NullBackend
from rish_scene3d import FlyCamera3D
from rish_space3d import Transform3D, quaternions

TEXT = """rish: 1
game: {size: [320, 180]}
plugins: [scene3d]
scenes:
  main:
    - {name: eye, Transform3D: {position: [0, 1, 0]}, Camera3D: {}, FlyCamera3D: {speed: 6, turn: 0.01}}
"""


class Flight:
    """A camera and its keyboard."""

    def __init__(self, *more: str) -> None:
        self.backend = NullBackend(keep=0)
        self.app = App(parse_manifest(TEXT), headless=True, backend=self.backend, policy="raise", more=more)
        self.world = self.app.world
        found = find(self.world, "eye")
        assert found is not None
        self.eye = found
        self.app.frame()

    def send(self, *events: WindowEvent) -> None:
        """Send events and run a frame."""
        self.backend.send(*events)
        self.app.frame()

    def key(self, name: str, down: bool = True) -> None:
        """Press or release a key."""
        kind = "mouse_button" if name.startswith("mouse") else "key"
        self.send(WindowEvent(kind, name, down))

    @property
    def place(self) -> np.ndarray:
        """Where the camera is."""
        return np.array(self.world.get(self.eye, Transform3D).position)

    @property
    def ahead(self) -> np.ndarray:
        """Where it looks."""
        return quaternions.turned(self.world.get(self.eye, Transform3D).rotation, (0, 0, -1))


@pytest.fixture
def flight() -> Iterator[Flight]:
    """A game with a flying camera."""
    made = Flight("strict")
    yield made
    made.app.close()


def test_keys_move_it_along_its_axes(flight: Flight) -> None:
    """W goes along -z, D along x, E up; two keys together are not faster, and Shift is."""
    for key, way in (("W", (0, 0, -1)), ("S", (0, 0, 1)), ("D", (1, 0, 0)), ("A", (-1, 0, 0)), ("E", (0, 1, 0))):
        before = flight.place
        flight.key(key)
        flight.key(key, False)
        moved = flight.place - before
        assert moved / np.linalg.norm(moved) == pytest.approx(np.array(way), abs=1e-6)
    before = flight.place
    flight.send(WindowEvent("key", "W", True), WindowEvent("key", "D", True))
    step = np.linalg.norm(flight.place - before)
    assert step == pytest.approx(6 * flight.world.dt, rel=1e-4)
    before = flight.place
    flight.key("LSHIFT")
    assert np.linalg.norm(flight.place - before) == pytest.approx(4 * step, rel=1e-4)


def test_the_mouse_turns_it_while_the_pointer_is_held(flight: Flight) -> None:
    """The right button holds the pointer; then motion to the right turns right, and never past straight up."""
    motion = WindowEvent("mouse_motion", x=20.0, y=0.0)
    flight.send(motion)
    assert flight.ahead == pytest.approx([0, 0, -1])
    flight.key("mouse.right")
    assert flight.world[DeviceRequests].is_locked
    flight.send(motion)
    assert flight.ahead == pytest.approx([np.sin(0.2), 0, -np.cos(0.2)], abs=1e-5)
    for _ in range(5):
        flight.send(WindowEvent("mouse_motion", x=0.0, y=200.0))
    assert 0.999 < flight.ahead[1] < 1.0
    flight.key("mouse.right", False)
    assert not flight.world[DeviceRequests].is_locked


def test_it_lets_a_pointer_be_that_it_did_not_hold(flight: Flight) -> None:
    """A pointer that the game holds for itself stays held."""
    flight.world[DeviceRequests].lock(True)
    flight.app.frame()
    flight.app.frame()
    assert flight.world[DeviceRequests].is_locked


def test_one_that_is_off_stays(flight: Flight) -> None:
    """A camera that is not enabled does not move, and lets the pointer go."""
    flight.key("mouse.right")
    flight.world.set(flight.eye, FlyCamera3D(enabled=False))
    before = flight.place
    flight.key("W")
    assert np.array_equal(flight.place, before)
    assert not flight.world[DeviceRequests].is_locked


def test_a_recording_flies_the_same_way(flight: Flight) -> None:
    """The same events give the same state, bit by bit."""
    other = Flight()
    for each in (flight, other):
        each.key("mouse.right")
        each.send(WindowEvent("key", "W", True), WindowEvent("mouse_motion", x=13.0, y=-7.0))
        for _ in range(20):
            each.app.frame()
    assert flight.world.tick == other.world.tick
    assert flight.place.tolist() != [0, 1, 0]
    assert flight.place.tobytes() == other.place.tobytes()
    assert flight.world.hash() == other.world.hash()
    other.app.close()


def test_a_camera_that_rests_writes_nothing() -> None:
    """Without a key no pose counts as written, so that nothing is placed again; a camera that moves writes its row."""
    flight = Flight()
    flight.app.run(frames=2)
    table = flight.world.table(Transform3D)
    before = table.version
    flight.app.run(frames=2)
    assert table.version == before
    flight.key("W")
    flight.app.run(frames=2)
    assert table.changes(before).rows.tolist() == [table.row_of(flight.eye)]
    flight.app.close()
