"""Starts in a window, seen from outside: when the window is there, when it has shown a picture, what that took.

Each program closes its window after its first picture, so the X server reports both moments. `unseen_<game>` plays a
second without a window, because the driver of a virtual screen takes 100 MB.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from ._screen import virtual_screen
from ._start_commands import rish_command, usual_environment
from ._task import Task, figure
from ._worker import ROOT

_TIMEOUT = 120
_UNMAPPED, _DESTROYED, _MAPPED = 18, 17, 19
_SUBSTRUCTURE = 1 << 19
"""Kinds of events of X, and the mask that selects those of the windows of the screen."""
_PEERS = {
    "arcade": """
import arcade
window = arcade.Window(640, 360, "Empty")
window.dispatch_events()
window.clear()
window.flip()
window.close()
""",
    "arcade_hello": """
import arcade
window = arcade.Window(640, 360, "Hello")
words = arcade.Text("Hello, arcade", 320, 180, arcade.color.WHITE, 40, anchor_x="center")
window.dispatch_events()
window.clear(color=arcade.color.MIDNIGHT_BLUE)
arcade.draw_circle_filled(320, 90, 40, arcade.color.GOLD)
words.draw()
window.flip()
window.close()
""",
    "pygame": """
import pygame
pygame.init()
screen = pygame.display.set_mode((640, 360))
screen.fill("midnightblue")
pygame.draw.circle(screen, "gold", (320, 90), 40)
screen.blit(pygame.font.Font(None, 40).render("Hello, pygame", True, "white"), (200, 180))
pygame.event.pump()
pygame.display.flip()
pygame.quit()
""",
}
"""The smallest programs of other engines: a window, and for `hello` a circle and a line of text."""


class Start(NamedTuple):
    """One start: seconds until the window was there and until it was gone, processor time, and the memory in bytes."""

    mapped: float
    picture: float
    cpu: float
    memory: float


class _Screen:
    """The windows of the screen, by the events of X."""

    def __init__(self) -> None:
        virtual_screen()
        self._x: Any = ctypes.CDLL("libX11.so.6")
        self._x.XOpenDisplay.restype = ctypes.c_void_p
        self._x.XDefaultRootWindow.restype = ctypes.c_ulong
        self._display = ctypes.c_void_p(self._x.XOpenDisplay(None))
        root = ctypes.c_ulong(self._x.XDefaultRootWindow(self._display))
        self._x.XSelectInput(self._display, root, ctypes.c_long(_SUBSTRUCTURE))
        self._x.XSync(self._display, 0)
        self._event = (ctypes.c_long * 24)()

    def events(self, seconds: float) -> list[int]:
        """Wait for events; return their kinds."""
        select.select([self._x.XConnectionNumber(self._display)], [], [], seconds)
        kinds: list[int] = []
        while self._x.XPending(self._display):
            self._x.XNextEvent(self._display, self._event)
            kinds.append(ctypes.cast(self._event, ctypes.POINTER(ctypes.c_int))[0])
        return kinds


@functools.cache
def _screen() -> _Screen:
    return _Screen()


def _start(command: list[str]) -> Start:
    screen, mapped, gone = _screen(), 0.0, 0.0
    screen.events(0)
    begin = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=ROOT, env=usual_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while True:
        kinds = screen.events(0.001)
        now = time.perf_counter() - begin
        if _MAPPED in kinds and not mapped:
            mapped = now
        if mapped and not gone and {_UNMAPPED, _DESTROYED} & {*kinds}:
            gone = now
        number, status, usage = os.wait4(process.pid, os.WNOHANG)
        if number:
            break
        if now > _TIMEOUT:
            process.kill()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode or not (gone or "--headless" in command):
        raise RuntimeError(f"{command} ended with code {process.returncode}, and its window was closed after {gone} s")
    return Start(mapped, gone, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def __getattr__(name: str) -> Callable[[], Task]:
    """Return the task of `mapped_hello`, `picture_arcade`, `cpu_physics` or `memory_physics`."""
    what, _, program = name.partition("_")
    if what not in Start._fields:
        raise AttributeError(name)
    if program in _PEERS:
        library = program.partition("_")[0]
        if importlib.util.find_spec(library) is None:
            raise ModuleNotFoundError(name=library)
        command = [sys.executable, "-c", _PEERS[program]]
    else:
        game = f"games/{program.removeprefix('unseen_')}"
        if not (ROOT / game).is_dir():
            raise AttributeError(name)
        how = "--headless --frames 60" if program.startswith("unseen_") else "--backend arcade --frames 1"
        command = rish_command("run", game, *how.split())
    return functools.partial(_task, command, what)


def _task(command: list[str], what: str) -> Task:
    _start(command)  # fills the caches
    return figure(lambda: getattr(_start(command), what))
