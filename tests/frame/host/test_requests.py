"""What a game asks of devices reaches the backend after the frame, and the clipboard's text comes back as an event."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from rish_core import App, Input, InputRecord, Stage, TickHooks, UsageError, WindowEvent, system
from rish_frame import DeviceRequests, NullBackend
from rish_frame.host.requests import MAX_PASTED_TEXT, pasted_text

MakeApp = Callable[..., App]
DEVICES = ("rumble", "write_clipboard", "read_clipboard", "fullscreen")
PADS = {"input": {"players": [{"go": ["gamepad.a"]}, {"go": ["gamepad.a"]}]}}


def made(rish_app: MakeApp, *work: Callable[[DeviceRequests], object], game: Any = None) -> tuple[App, NullBackend]:
    """Return an app and its backend; the functions are called with the requests in the first ticks, one in each."""

    @system(Stage.UPDATE, writes=DeviceRequests)
    def ask(world: Any, dt: float) -> None:
        if world.tick < len(work):
            work[world.tick](world[DeviceRequests])

    backend = NullBackend()
    app = rish_app(game or {}, plugins={"mine": SimpleNamespace(rish_systems=lambda: [ask])}, backend=backend)
    return app, backend


def asked(backend: NullBackend) -> list[tuple[Any, ...]]:
    """Return the calls of the verbs of devices, with their arguments."""
    return [(verb, *given.values()) for verb, given in backend.calls if verb in DEVICES]


def test_all_gamepads_rumble_without_players(rish_app: MakeApp) -> None:
    """Strengths and seconds are limited, the last request counts, and it is performed once."""
    app, backend = made(rish_app, lambda ask: (ask.rumble(), ask.rumble(1, -1.0, 7.0, 1e9)))
    app.run(3)
    assert asked(backend) == [("rumble", 0, 0.0, 1.0, 60.0)]


def test_the_pads_of_a_player_rumble(rish_app: MakeApp) -> None:
    """A rumble goes to the connected gamepads of its player, and to none if the player has none."""
    app, backend = made(rish_app, lambda ask: (ask.rumble(2, 1, 0, 2), ask.rumble(1, 0, 1, 1)), game=PADS)
    press = [WindowEvent("gamepad_button", "gamepad.a", True, device=device) for device in (4, 3)]
    backend.send(*press, WindowEvent("gamepad_disconnected", device=4))
    app.run(2)
    assert asked(backend) == [("rumble", 3, 1.0, 0.0, 2.0)]


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_rumble_needs_numbers(value: float) -> None:
    """Numbers that are not finite are refused."""
    with pytest.raises(UsageError, match="finite"):
        DeviceRequests().rumble(1, value, 0.5)


def test_the_clipboard_comes_back_as_input(rish_app: MakeApp) -> None:
    """A copied text is in the clipboard after the frame; a pasted one is a recorded event of a later tick."""
    app, backend = made(rish_app, lambda ask: ask.copy("hé"), lambda ask: ask.paste())
    seen: list[tuple[str, InputRecord]] = []
    app.world[TickHooks].after.append(lambda world, record: seen.append((world[Input].pasted, record)))
    app.run(5)
    assert asked(backend) == [("write_clipboard", "hé"), ("read_clipboard",)]
    assert [pasted for pasted, _ in seen] == ["", "", "hé", "", ""]
    assert seen[2][1] == InputRecord((WindowEvent("paste", text="hé"),))


def test_a_text_that_the_window_has_sent_is_not_asked_for_again(rish_app: MakeApp) -> None:
    """A request for the clipboard is answered by the text that the window sent for the same keys; a later one is not.

    The window's text may be polled some frames before the tick in which the game asks.
    """
    app, backend = made(rish_app, lambda ask: ask.paste(), lambda ask: None, lambda ask: ask.paste())
    backend.clipboard = "later"
    seen: list[str] = []
    app.world[TickHooks].after.append(lambda world, record: seen.append(world[Input].pasted))
    backend.send(WindowEvent("key", "V", True), WindowEvent("paste", text="now"))
    app.clock.pause()
    app.frame()
    app.clock.pause(False)
    app.run(6)
    assert [text for text in seen if text] == ["now", "later"]
    assert asked(backend) == [("read_clipboard",)]


def test_an_empty_clipboard_gives_no_event(rish_app: MakeApp) -> None:
    """Nothing is pasted if the clipboard has no text."""
    app, backend = made(rish_app, lambda ask: ask.paste())
    app.run(3)
    assert asked(backend) == [("read_clipboard",)]
    assert app.world[Input].devices is None


class Poor(NullBackend):
    """A backend that can't rumble and has no clipboard."""

    capabilities = NullBackend.capabilities - {*DEVICES}


def test_what_a_backend_lacks_is_not_asked(rish_app: MakeApp) -> None:
    """Verbs that are not among the capabilities are never called."""
    backend = Poor()
    app = rish_app({}, backend=backend)
    requests: DeviceRequests = app.world[DeviceRequests]
    requests.rumble()
    requests.copy("x")
    requests.paste()
    app.run(2)
    assert asked(backend) == []


def test_a_restore_drops_requests(rish_app: MakeApp) -> None:
    """Requests of a time that was undone are not performed, and requests are in no hash."""
    app, backend = made(rish_app)
    saved, before = app.world.snapshot(), app.world.hash()
    app.world[DeviceRequests].rumble()
    assert app.world.hash() == before
    app.world.restore(saved)
    app.run(1)
    assert asked(backend) == []


def test_a_text_of_the_clipboard_can_be_recorded() -> None:
    """A pasted text is cut to its greatest length, and a lone half of a character is replaced."""
    assert pasted_text("a\ud800b") == "a?b"
    assert len(pasted_text("x" * 100_000)) == MAX_PASTED_TEXT


def test_a_game_asks_for_the_full_screen(rish_app: MakeApp) -> None:
    """The last wish counts and is performed after the frame; then the game can read whether it is fulfilled."""
    seen: list[bool] = []

    def ask(requests: DeviceRequests) -> None:
        requests.fullscreen(False)
        requests.fullscreen(True)

    app, backend = made(rish_app, ask, lambda requests: None, lambda requests: requests.fullscreen(False))
    for _ in range(3):
        app.run(1)
        seen.append(app.world[DeviceRequests].is_fullscreen)
    assert asked(backend) == [("fullscreen", True), ("fullscreen", False)]
    assert seen == [True, True, False]


def test_a_backend_without_a_window_ignores_the_full_screen(rish_app: MakeApp) -> None:
    """Without the capability the wish is dropped, and nothing fails."""

    class Plain(NullBackend):
        capabilities = NullBackend.capabilities - {"fullscreen"}

    app, _ = made(rish_app, lambda requests: None)
    host: Any = app.host
    host.backend = plain = Plain()
    plain.open("plain", (64, 48))
    app.world[DeviceRequests].fullscreen(True)
    app.run(2)
    assert not asked(plain)
    assert not app.world[DeviceRequests].is_fullscreen


def test_the_pointer_is_held_and_let_go(rish_app: MakeApp) -> None:
    """`lock` reaches the backend once as an option, and stays over a restore."""
    app, backend = made(rish_app, lambda ask: ask.lock(True), lambda ask: None, lambda ask: ask.lock(False))
    before = app.world.snapshot()
    app.run(2)
    assert app.world[DeviceRequests].is_locked
    app.world.restore(before)
    assert app.world[DeviceRequests].is_locked
    assert [given for verb, given in backend.calls if "lock" in given] == [{"lock": True}]
    app.run(3)
    assert backend.options["lock"] is False
    assert not app.world[DeviceRequests].is_locked


def test_the_motion_of_a_held_pointer_is_recorded_input(rish_app: MakeApp) -> None:
    """Motion is scaled to logical pixels, adds up in the tick, leaves the pointer, and is in the record of the tick."""
    records: list[InputRecord] = []
    app, backend = made(rish_app)
    app.world[TickHooks].before.append(lambda world, record: records.append(record) or record)
    backend.send(WindowEvent("mouse_move", x=10, y=20))
    app.run(1)
    backend.send(*(WindowEvent("mouse_motion", x=500, y=-3) for _ in range(3)))
    app.run(1)
    keys = app.world[Input]
    assert (keys.moved_x, keys.moved_y, keys.pointer) == (1500, -9, (10, 20))
    assert [event.kind for event in records[-1].events] == ["mouse_motion"] * 3
    app.run(1)
    assert (keys.moved_x, keys.moved_y) == (0, 0)
    assert InputRecord.from_plain(records[1].to_plain()) == records[1]
