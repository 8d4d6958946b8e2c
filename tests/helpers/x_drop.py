"""Drops files onto a window of X11, as a file manager does: the messages of the protocol XDND, from another process.

python x_drop.py DISPLAY WINDOW FILE ...
"""

from __future__ import annotations

import ctypes
import sys
import time
from pathlib import Path

from pyglet.libs.x11 import xlib

_ATOM, _WORDS, _PATIENCE = 4, 32, 20.0
_ACCEPTED = 1


def drop(name: str, target: int, paths: list[Path]) -> bool:
    """Drop files onto a window of a display; return whether it took them."""
    display = xlib.XOpenDisplay(name.encode())
    source = xlib.XCreateSimpleWindow(display, xlib.XDefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0)

    def atom(text: str) -> int:
        return int(xlib.XInternAtom(display, text.encode(), 0))

    files = atom("text/uri-list")
    data = "".join(f"{path.resolve().as_uri()}\r\n" for path in paths).encode()

    def send(kind: str, *words: int) -> None:
        event = xlib.XEvent()
        message = event.xclient
        message.type, message.display, message.window = xlib.ClientMessage, display, target
        message.message_type, message.format = atom(kind), _WORDS
        for number, word in enumerate((source, *words)):
            message.data.l[number] = word
        xlib.XSendEvent(display, target, 0, 0, ctypes.byref(event))
        xlib.XFlush(display)

    def answer(request: xlib.XSelectionRequestEvent) -> None:
        raw = ctypes.cast(ctypes.create_string_buffer(data), ctypes.POINTER(ctypes.c_ubyte))
        xlib.XChangeProperty(display, request.requestor, request.property, files, 8, 0, raw, len(data))
        event = xlib.XEvent()
        given = event.xselection
        given.type, given.display, given.requestor = xlib.SelectionNotify, display, request.requestor
        given.selection, given.target, given.property = request.selection, files, request.property
        given.time = request.time
        xlib.XSendEvent(display, request.requestor, 0, 0, ctypes.byref(event))
        xlib.XFlush(display)

    xlib.XSetSelectionOwner(display, atom("XdndSelection"), source, 0)
    send("XdndEnter", 5 << 24, files)
    send("XdndPosition", 0, 200 << 16 | 200, 0, atom("XdndActionCopy"))
    event, end = xlib.XEvent(), time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        if not xlib.XPending(display):
            time.sleep(0.005)
            continue
        xlib.XNextEvent(display, ctypes.byref(event))
        if event.type == xlib.SelectionRequest:
            answer(event.xselectionrequest)
            return True
        if event.type == xlib.ClientMessage and event.xclient.message_type == atom("XdndStatus"):
            if not event.xclient.data.l[1] & _ACCEPTED:
                return False
            send("XdndDrop", 0, 0)
    return False


if __name__ == "__main__":
    sys.exit(0 if drop(sys.argv[1], int(sys.argv[2]), [Path(text) for text in sys.argv[3:]]) else 1)
