"""A real window on a virtual X screen, with keyboard and mouse events from X's test extension."""

from __future__ import annotations

import ctypes.util
import json
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from rish_core.loop import KEY_INDEX
from rish_render.backends.arcade.window.events import key_table

pytestmark = pytest.mark.gl

Ask = Callable[..., Any]
HANDS = """
import ctypes, json, time
from ctypes import byref, c_int, c_uint, c_ulong, c_void_p
import numpy as np
from rish_render.backends.arcade.backend import ArcadeBackend
from rish_frame.frame.frame import Frame

backend = ArcadeBackend()
backend.open("hands", (320, 240), True)
backend.draw(Frame((320, 240)))
backend.present()
native = backend._window.native
x11, xtst = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
x11.XOpenDisplay.restype = c_void_p
x11.XStringToKeysym.restype = c_ulong
x11.XDefaultRootWindow.restype = c_ulong
x11.XDefaultRootWindow.argtypes = [c_void_p]
display = c_void_p(x11.XOpenDisplay(None))

def code(name):
    return x11.XKeysymToKeycode(display, c_ulong(x11.XStringToKeysym(name.encode())))

def key(name, down):
    xtst.XTestFakeKeyEvent(display, code(name), down, 0)
    x11.XFlush(display)

def button(number, down):
    xtst.XTestFakeButtonEvent(display, number, down, 0)
    x11.XFlush(display)

def move(x, y):
    left, top = native.get_location()
    xtst.XTestFakeMotionEvent(display, -1, left + x, top + 240 - y, 0)
    x11.XFlush(display)

def hear(count=1, patience=5.0):
    found, end = [], time.monotonic() + patience
    while len(found) < count and time.monotonic() < end:
        found += [[e.kind, e.name, e.down, e.x, e.y, e.value, e.text] for e in backend.poll()]
        time.sleep(0.01)
    return found

def until(size):
    end = time.monotonic() + 5
    while backend.size != size and time.monotonic() < end:
        hear(1, 0.05)
    return list(backend.size)

hear(1, 1.0)
move(5, 5)
hear(1, 1.0)
"""
"""The start of each script: a window, and functions that press keys and move the pointer."""

SERVE = """
import sys, traceback

for line in sys.stdin:
    try:
        exec(json.loads(line), {**globals()})
    except BaseException:
        print(json.dumps({"error": traceback.format_exc()}))
    print("done", flush=True)
    backend.configure(size=(320, 240), fullscreen=False, lock=False, cursor=True)
    until((320, 240))
    hear(99, 0.2)
"""
"""Runs scripts from standard input, each as a line of JSON, one after the other in the same window."""


@pytest.fixture(scope="module")
def screen() -> Iterator[str]:
    """Start a virtual X screen and return its name."""
    xvfb = shutil.which("Xvfb")
    if xvfb is None:
        pytest.skip("Xvfb is not installed")
    if ctypes.util.find_library("Xtst") is None:
        pytest.skip("libXtst is not installed")
    read, write = os.pipe()
    process = subprocess.Popen(
        [xvfb, "-displayfd", str(write), "-screen", "0", "800x600x24"], pass_fds=[write], stderr=subprocess.DEVNULL
    )
    os.close(write)
    with os.fdopen(read) as answer:
        number = answer.readline().strip()
    if not number:
        pytest.skip("Xvfb does not start here")
    yield f":{number}"
    process.terminate()
    process.wait()


@pytest.fixture(scope="module")
def ask(screen: str) -> Iterator[Ask]:
    """A function that runs a script in a process whose window all tests share, and returns the JSON that it prints.

    start: a script that is run before. A script leaves no keys pressed and nothing of the window replaced.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", HANDS + SERVE],
        env={**os.environ, "DISPLAY": screen},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None

    def ask(script: str, start: str = "") -> Any:
        print(json.dumps(start + textwrap.dedent(script)), file=process.stdin, flush=True)
        said = [line.rstrip() for line in iter(process.stdout.readline, "done\n")]
        if process.poll() is not None:
            error = process.stderr.read()
            if "BackendError" in error:
                pytest.skip(error.strip().splitlines()[-1])
            pytest.fail(error)
        found = json.loads(said[-1])
        assert not isinstance(found, dict) or "error" not in found, found["error"]
        return found

    yield ask
    process.stdin.close()
    process.wait(30)
    process.stdout.close()
    process.stderr.close()


def run(screen: str, script: str, hands: str = HANDS) -> Any:
    """Return the JSON that a script prints in a separate process with a window on that screen."""
    environment = {**os.environ, "DISPLAY": screen}
    done = subprocess.run(
        [sys.executable, "-c", hands + textwrap.dedent(script)],
        capture_output=True, text=True, timeout=120, env=environment, check=False,
    )  # fmt: skip
    if done.returncode and "BackendError" in done.stderr:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
def test_keys_have_the_engines_names(ask: Ask):
    """Keys arrive in order, down and up, with the engine's names; ESCAPE does not close the window."""
    names = ["a", "7", "Left", "space", "Return", "Escape", "Shift_L", "minus", "F5", "comma"]
    found = ask(
        f"""
        told = []
        for name in {names!r}:
            key(name, True)
            key(name, False)
            told += [e for e in hear(2, 3.0) + hear(1, 0.05) if e[0] == "key"]
        print(json.dumps(told))
        """,
    )
    wanted = ["A", "KEY_7", "LEFT", "SPACE", "ENTER", "ESCAPE", "LSHIFT", "MINUS", "F5", "COMMA"]
    assert [(event[1], event[2]) for event in found] == [(name, down) for name in wanted for down in (True, False)]


@pytest.mark.slow
def test_what_is_typed_comes_as_text(ask: Ask):
    """Typed text respects the shift key, and keys that write no text give no text event."""
    found = ask(
        """
        for name in ["h", "-h", "Shift_L", "i", "-i", "-Shift_L", "Return", "-Return"]:
            key(name.lstrip("-"), name[0] != "-")
        print(json.dumps([e[6] for e in hear(10, 3.0) if e[0] == "text"]))
        """,
    )
    assert found == ["h", "I"]


LAYOUTS = """
import subprocess

SHIFT, CONTROL, ALTGR = 50, 37, 108

def layout(name):
    subprocess.run(["setxkbmap", name], check=True)
    hear(1, 0.3)

def tap(code, *held):
    for each in (*held, code):
        xtst.XTestFakeKeyEvent(display, each, True, 0)
    for each in (code, *held):
        xtst.XTestFakeKeyEvent(display, each, False, 0)
    x11.XFlush(display)
    found, end = [], time.monotonic() + 5
    while sum(e[0] == "key" and not e[2] for e in found) <= len(held) and time.monotonic() < end:
        found += hear(1, 0.1)
    return [e[1] or e[6] for e in found if e[0] in ("key", "text", "paste") and (e[2] or e[6])]
"""
"""Presses keys by their keycodes in a layout."""


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("setxkbmap"), reason="needs setxkbmap")
def test_a_key_keeps_its_name_whatever_the_modifiers_and_the_layout(ask: Ask):
    """Shift-Tab is TAB, Shift-1 KEY_1, and C and WASD have their names in layouts without Latin letters.

    A key is released under the name with which it was pressed, and what is typed is what the layout says.
    """
    found = ask(
        """
        told = {}
        for name in ("us", "ru", "gr", "de", "fr"):
            layout(name)
            told[name] = [tap(23, SHIFT), tap(10, SHIFT)[:2], tap(54, CONTROL), tap(25), tap(26, ALTGR)]
        layout("us")
        for code, down in ((10, True), (SHIFT, True), (10, False), (SHIFT, False)):
            xtst.XTestFakeKeyEvent(display, code, down, 0)
        x11.XFlush(display)
        told["released"] = [e[1:3] for e in hear(5, 3.0) if e[0] == "key"]
        print(json.dumps(told))
        """,
        LAYOUTS,
    )
    for name in ("us", "ru", "gr", "de", "fr"):
        assert found[name][:3] == [["LSHIFT", "TAB"], ["LSHIFT", "KEY_1"], ["LCTRL", "C"]], name
        assert found[name][4][:2] == ["RALT", "E"], name
    assert [found[name][3] for name in ("us", "ru", "gr", "de", "fr")] == [
        ["W", "w"], ["W", "ц"], ["W", "ς"], ["W", "w"], ["Z", "z"],
    ]  # fmt: skip
    assert found["de"][4] == ["RALT", "E", "€"]
    assert found["released"] == [["KEY_1", True], ["LSHIFT", True], ["KEY_1", False], ["LSHIFT", False]]


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("setxkbmap"), reason="needs setxkbmap")
def test_text_without_a_locale_of_utf_8_ends_no_game(screen: str, monkeypatch: pytest.MonkeyPatch):
    """Letters that are not ASCII are typed as far as X tells them in the locale C."""
    monkeypatch.setenv("LC_ALL", "C")
    assert run(screen, "layout('de')\nprint(json.dumps(tap(34)))", HANDS + LAYOUTS) == ["BRACKETLEFT", "ü"]


@pytest.mark.slow
def test_pasting_and_gamepads_of_a_window(screen: str):
    """The keys that paste give the clipboard's text once; controllers of pyglet reach the window with their number."""
    found = run(
        screen,
        """
        from types import SimpleNamespace
        from pyglet.input.base import Controller
        backend.write_clipboard("ünï")
        key("Control_L", True); key("v", True); key("v", False); key("Control_L", False)
        told = hear(5, 3.0) + hear(1, 0.2)
        device = SimpleNamespace(get_controls=list, get_guid=lambda: "g", open=lambda *_: None, close=lambda: None)
        pads = [Controller(device, {"name": name, "guid": "g"}) for name in ("one", "two")]
        from rish_render.backends.arcade import gl
        manager = SimpleNamespace(push_handlers=lambda **_: None, get_controllers=lambda: pads)
        gl.controllers = lambda: manager
        backend._window.gamepads._polls = 0
        backend._window.gamepads._look()
        pads[1].dispatch_event("on_button_press", pads[1], "start")
        backend.rumble(0, 1.0, 1.0, 0.1)
        told += [[e.kind, e.name, e.down, 0, 0, e.device, e.text] for e in backend.poll()]
        print(json.dumps([backend.read_clipboard(), told]))
        """,
    )
    text, events = found
    assert text == "ünï"
    assert [event[6] for event in events if event[0] == "paste"] == ["ünï"]
    pads = [(event[0], event[1], event[5]) for event in events if event[0].startswith("gamepad")]
    assert pads == [
        ("gamepad_connected", "one", 1), ("gamepad_connected", "two", 2), ("gamepad_button", "gamepad.start", 2),
    ]  # fmt: skip


@pytest.mark.slow
def test_the_pointer_is_in_pixels_from_the_bottom_left(screen: str):
    """The pointer is in pixels from the bottom left; a move precedes its button; the wheel counts notches upwards."""
    found = run(
        screen,
        """
        move(100, 50)
        told = hear(1)
        button(1, True)
        told += hear(2)
        move(120, 60)
        told += hear(1)
        button(1, False)
        button(3, True)
        button(3, False)
        button(4, True)
        button(4, False)
        told += hear(7, 3.0)
        print(json.dumps(told))
        """,
    )
    assert [event[:2] for event in found] == [
        ["mouse_move", ""],
        ["mouse_move", ""], ["mouse_button", "mouse.left"],
        ["mouse_move", ""],
        ["mouse_move", ""], ["mouse_button", "mouse.left"],
        ["mouse_move", ""], ["mouse_button", "mouse.right"],
        ["mouse_move", ""], ["mouse_button", "mouse.right"],
        ["scroll", ""],
    ]  # fmt: skip
    x, y = found[0][3:5]
    assert (abs(x - 100) <= 1, abs(y - 50) <= 1) == (True, True)
    assert found[2][2:5] == [True, x, y]
    assert found[-1][3:5] == [0.0, 1.0]


@pytest.mark.slow
def test_a_held_pointer_reports_its_motion(screen: str):
    """While the pointer is held, its motion is reported without a position and without a limit, then moves again."""
    found = run(
        screen,
        """
        backend.configure(lock=True)
        hear(1, 0.5)
        told = [[], []]
        for step in range(4):
            x, y = 160 + 40, 120 - 30
            move(x, y)
            told[0] += hear(1, 2.0)
        button(1, True)
        button(1, False)
        told[0] += hear(2, 2.0)
        backend.configure(lock=False)
        hear(1, 0.5)
        move(100, 50)
        told[1] += hear(1, 2.0)
        print(json.dumps(told))
        """,
    )
    held, free = found
    assert {event[0] for event in held} == {"mouse_motion", "mouse_button"}
    assert sum(event[3] for event in held if event[0] == "mouse_motion") > 100
    assert sum(event[4] for event in held if event[0] == "mouse_motion") < -70
    assert [event[0] for event in free] == ["mouse_move"]


@pytest.mark.slow
def test_size_and_fullscreen_change_and_are_reported(ask: Ask):
    """Size and fullscreen can change; the backend's size, its events and its images follow the window."""
    found = ask(
        """
        backend.configure(size=(400, 300), title="larger", cursor=False, vsync=False)
        told = [list(backend.size)]
        hear(1, 0.3)
        native.set_size(200, 100)
        told.append([e for e in hear(9, 0.5) if e[0] == "resize"])
        backend.configure(fullscreen=True)
        told.append(until((800, 600)))
        frame = Frame(backend.size)
        backend.draw(frame)
        backend.present()
        told.append(list(backend.pixels().shape))
        backend.configure(fullscreen=False)
        told.append(until((200, 100)))
        backend.configure(icon=np.full((16, 16, 4), 255, np.uint8))
        print(json.dumps(told))
        """,
    )
    assert found[0] == [400, 300]
    assert found[1][0][:5] == ["resize", "", False, 200.0, 100.0]
    assert found[2:] == [[800, 600], [600, 800, 4], [200, 100]]


@pytest.mark.slow
def test_the_full_screen_can_be_asked_for_and_read(ask: Ask):
    """The verb `fullscreen` fills the screen and ends that, without a window manager too, and says how it is."""
    found = ask(
        """
        told = [backend.fullscreen(), backend.fullscreen(True), until((800, 600)), backend.fullscreen()]
        told += [backend.fullscreen(False), until((320, 240)), backend.fullscreen()]
        print(json.dumps(told))
        """,
    )
    assert found == [False, True, [800, 600], True, False, [320, 240], False]


@pytest.mark.slow
def test_a_game_fills_the_screen_while_it_runs(screen: str):
    """A request of a game, and the key for it, fill the screen; the frame gets the size of the screen."""
    found = run(
        screen,
        """
        from rish_core import App, parse_manifest
        from rish_frame import DeviceRequests, Frame
        manifest = parse_manifest("rish: 1\\ngame: {title: t, size: [320, 240]}\\nplugins: [frame, render]")
        app = App(manifest, backend="arcade")
        told = []

        def wait(wanted):
            end = time.monotonic() + 5
            while app.world[Frame].size != wanted and time.monotonic() < end:
                app.frame()
                time.sleep(0.01)
            told.append([*app.world[Frame].size, app.world[DeviceRequests].is_fullscreen])

        app.world[DeviceRequests].fullscreen(True)
        wait((800, 600))
        native = app.host.backend.window
        from pyglet.window import key as keys
        native.dispatch_event("on_key_press", keys.F11, 0)
        wait((320, 240))
        app.close()
        print(json.dumps(told))
        """,
    )
    assert found == [[800, 600, True], [320, 240, False]]


DENSE = """
import ctypes
from ctypes import c_char_p, c_int, c_ulong, c_void_p
x11 = ctypes.CDLL("libX11.so.6")
x11.XOpenDisplay.restype, x11.XDefaultRootWindow.restype = c_void_p, c_ulong
x11.XDefaultRootWindow.argtypes = [c_void_p]
x11.XChangeProperty.argtypes = [c_void_p, c_ulong, c_ulong, c_ulong, c_int, c_int, c_char_p, c_int]
root = c_void_p(x11.XOpenDisplay(None))
dense = b"Xft.dpi:\\t192\\n"
x11.XChangeProperty(root, x11.XDefaultRootWindow(root), 23, 31, 8, 0, dense, len(dense))
x11.XSync(root, 0)
"""
"""A script that tells the X server that its screen has twice the usual number of pixels per inch."""


@pytest.mark.slow
def test_on_a_dense_display_sizes_and_pointers_are_in_pixels(screen: str):
    """On a display with double density a window of 320x240 units has 640x480 pixels, and so do pointer events."""
    found = run(
        screen,
        """
        told = [list(backend.size), list(native.get_size())]
        backend.draw(Frame(backend.size))
        told.append(list(backend.pixels().shape))
        left, top = native.get_location()
        xtst.XTestFakeMotionEvent(display, -1, left + 500, top + 80, 0)
        x11.XFlush(display)
        told += [e[3:5] for e in hear(1) if e[0] == "mouse_move"]
        backend.configure(size=(400, 300))
        told.append(list(backend.size))
        x11.XDeleteProperty(root, c_ulong(x11.XDefaultRootWindow(root)), c_ulong(23))
        x11.XSync(root, 0)
        print(json.dumps(told))
        """,
        DENSE + HANDS,
    )
    assert found[:3] == [[640, 480], [320, 240], [480, 640, 4]]
    assert np.allclose(found[3], [500, 400], atol=3)
    assert found[4] == [400, 300]


@pytest.mark.slow
def test_closing_is_an_event_and_closes_nothing(ask: Ask):
    """Closing the window is only an event; the game decides whether to end."""
    found = ask(
        """
        native.dispatch_event("on_close")
        told = hear(1, 1.0)
        native._allow_dispatch_event = True
        native.dispatch_event("on_close")
        told += hear(1, 1.0)
        native._allow_dispatch_event = False
        backend.draw(Frame((320, 240)))
        print(json.dumps([e[0] for e in told]))
        """,
    )
    assert found == ["close", "close"]


@pytest.mark.slow
def test_what_is_shown_in_the_window_is_what_was_drawn(ask: Ask):
    """The window's back buffer holds the drawn image upright and not mirrored."""
    found = ask(
        """
        from rish_frame.testing.samples import PAGE, QUARTERS, picture_frame, quad, sample_page
        backend.image(PAGE, sample_page())
        frame = picture_frame((320, 240))
        frame.add(quad(8, 232, 16, 16, frame=QUARTERS))
        backend.draw(frame)
        flip = native.flip
        seen = []
        def look():
            import pyglet.gl as gl
            gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, 0)
            gl.glReadBuffer(gl.GL_BACK)
            data = (gl.GLubyte * (320 * 240 * 4))()
            gl.glReadPixels(0, 0, 320, 240, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, data)
            seen.append(np.frombuffer(data, np.uint8).reshape(240, 320, 4)[::-1])
            flip()
        native.flip = look
        backend.present()
        native.flip = flip
        same = (seen[0][..., :3] == backend.pixels()[..., :3]).all()
        print(json.dumps([bool(same), seen[0][2, 2, :3].tolist(), seen[0][12, 12, :3].tolist()]))
        """,
    )
    assert found == [True, [255, 0, 0], [255, 255, 255]]


@pytest.mark.slow
def test_without_a_display_the_reason_is_one_line():
    """Without a display the error is one line, raised before pyglet is imported."""
    script = """
    import sys
    from rish_frame.errors import BackendError
    from rish_render.backends.arcade.backend import ArcadeBackend
    try:
        ArcadeBackend().open("none", (64, 48), True)
    except BackendError as error:
        print(json.dumps([str(error), "pyglet" in sys.modules]))
    """
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run(
        [sys.executable, "-c", "import json\n" + textwrap.dedent(script)],
        capture_output=True, text=True, env=environment, check=True,
    )  # fmt: skip
    told, loaded = json.loads(done.stdout)
    assert told == "there is no display to open a window on"
    assert not loaded


@pytest.mark.slow
def test_a_display_that_does_not_answer_is_reported_in_one_line():
    """A display name that does not answer is reported in one line, and the next backend opens."""
    script = """
    from rish_frame.backend import open_backend
    from rish_frame.null import NullBackend
    from rish_render.backends import make_arcade
    backend, why = open_backend({"arcade": make_arcade, "null": NullBackend})
    print(json.dumps([backend.name, why]))
    """
    done = subprocess.run(
        [sys.executable, "-c", "import json\n" + textwrap.dedent(script)],
        capture_output=True, text=True, env={**os.environ, "DISPLAY": ":9876"}, check=True,
    )  # fmt: skip
    name, why = json.loads(done.stdout.splitlines()[-1])
    assert name == "null"
    assert "'arcade' did not open (" in why
    assert "\n" not in why


def test_the_names_of_pyglets_keys_are_the_engines():
    """All letters, digits and common keys have a code in pyglet, and the key table has no foreign key name."""
    names = set(key_table().values())
    letters = {chr(code) for code in range(ord("A"), ord("Z") + 1)}
    assert letters | {f"KEY_{n}" for n in range(10)} | {"SPACE", "LEFT", "ENTER", "NUM_ENTER", "LCTRL"} <= names
    assert names <= set(KEY_INDEX)
