"""Watches over WebSockets, with readers that are slow or say nonsense."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tornado.httpclient import HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from rish_remote.plugin import Remote
from rish_remote.server import feed
from rish_remote.server.gate import SUBPROTOCOL
from rish_remote.server.sockets import MESSAGE_BYTES

TOKEN = "Authorization: Bearer a-token-for-tests"
HOST = "Host: localhost"
Play = Callable[[WebSocketClientConnection], Awaitable[Any]]


def talk(pond: Any, play: Play, path: str = "watch", names: list[str] | None = None, **headers: str) -> Any:
    """Open a WebSocket and play with it while frames run; return what the play returns."""

    async def run() -> Any:
        url = f"ws://127.0.0.1:{pond.port}/api/1/{path}"
        found = await websocket_connect(
            HTTPRequest(url, headers=headers or {"Authorization": "Bearer a-token-for-tests"}), subprotocols=names
        )
        try:
            return await play(found)
        finally:
            found.close()
            while await found.read_message() is not None:
                pass

    pond.app.clock.pause(False)
    return pond.drive(lambda: asyncio.run(run()))


async def read(reader: WebSocketClientConnection) -> Any:
    """Return the next message."""
    text = await reader.read_message()
    assert text is not None
    return json.loads(text)


def shake_hands(client: socket.socket, port: int, path: str, *headers: str) -> int:
    """Ask for a WebSocket; return the status of the answer."""
    client.settimeout(20)
    client.connect(("127.0.0.1", port))
    lines = [
        f"GET /api/1/{path} HTTP/1.1",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: MTIzNDU2Nzg5MDEyMzQ1Ng==",
        *headers,
    ]
    client.sendall("\r\n".join([*lines, "", ""]).encode())
    return int(client.recv(12)[-3:])


def refused(pond: Any, path: str, *headers: str) -> int:
    """Return the status with which a WebSocket is refused."""
    with socket.socket() as client:
        return pond.drive(lambda: shake_hands(client, pond.port, path, *headers))


def test_a_reader_says_what_it_watches_and_may_change_it(pond: Any) -> None:
    """The address or a message names values and types of events, and a later message replaces them."""

    async def play(reader: WebSocketClientConnection) -> None:
        first = await read(reader)
        assert first["values"] == {"Pond.depth": 1.5}
        assert "events" not in first
        await reader.write_message('{"values": ["Donald/Duck.speed"], "events": ["Quack"], "every": 30}')
        while "Pond.depth" in (message := await read(reader))["values"]:
            pass
        assert message["values"] == {"Donald/Duck.speed": 2}
        following = [await read(reader), await read(reader)]
        ticks = [event["tick"] for message in following for event in message["events"]]
        assert len(ticks) >= 5
        assert ticks == list(range(ticks[0], ticks[0] + 10 * len(ticks), 10))

    talk(pond, play, "watch?values=Pond.depth&every=10")


def test_a_wrong_message_is_answered_and_the_next_one_counts(pond: Any) -> None:
    """Nonsense gets an error that names the mistake, and neither the connection nor the game ends."""
    wrong = {
        "{": "no JSON",
        "[1]": "must be a mapping",
        '{"every": NaN}': "NaN is no number",
        "[" * 30_000: "nested too deeply",
        '{"value": []}': "did you mean 'values'",
        '{"every": 0}': "out of range",
        '{"values": ["Pond.dpeth"], "events": ["Quak"]}': "did you mean 'Quack'",
    }

    async def play(reader: WebSocketClientConnection) -> None:
        for text, said in wrong.items():
            await reader.write_message(text)
            error = (await read(reader))["error"]
            assert error["status"] == 400
            assert said in error["message"]
        await reader.write_message(b"\xff", binary=True)
        assert "no JSON" in (await read(reader))["error"]["message"]
        await reader.write_message('{"every": 1}')
        assert (await read(reader))["values"] == {}

    talk(pond, play)


def test_only_the_token_opens_a_socket(pond: Any) -> None:
    """A page, which can send no header, names the token as a protocol; a wrong one or another site is refused."""

    def names(token: str) -> list[str]:
        return [SUBPROTOCOL, f"bearer.{token}"]

    async def protocol(reader: WebSocketClientConnection) -> str | None:
        return reader.selected_subprotocol

    for right in ("a-token-for-tests", "a%2Dtoken-for-tests"):
        assert talk(pond, protocol, "watch", names(right), X="y") == SUBPROTOCOL
    for wrong in (names("a-token-for-test"), [SUBPROTOCOL], [SUBPROTOCOL, "bearer.%ff"], ["bearer."], []):
        assert refused(pond, "watch", HOST, f"Sec-WebSocket-Protocol: {', '.join(wrong)}") == 401
    assert refused(pond, "watch", HOST, TOKEN, "Origin: http://evil.example") == 403
    assert refused(pond, "watch", "Host: evil.example", TOKEN) == 403
    assert refused(pond, "game", HOST, TOKEN) == 400
    assert refused(pond, "nothing", HOST, TOKEN) == 404
    assert refused(pond, "watch", HOST, TOKEN, "Sec-WebSocket-Version: 8") >= 400


@pytest.mark.parametrize(
    "frame",
    [
        b"\x81\xff" + struct.pack(">Q", MESSAGE_BYTES + 1) + b"mask",
        b"\x81\xff" + struct.pack(">Q", 2**63) + b"mask",
        b"\xf1\x80mask",
        b"\x01\x80mask\x01\x80mask",
        b"\x81\x81\0\0\0\0\xff",
        b"\x83\x80mask",
        b"\x09\x80mask",
    ],
    ids=["too large", "huge", "reserved bits", "two beginnings", "no text", "unknown kind", "cut ping"],
)
def test_a_broken_frame_ends_its_connection_only(pond: Any, frame: bytes) -> None:
    """A frame that breaks the protocol or is too large ends the connection at once, and its watch with it."""

    def break_it() -> None:
        with socket.socket() as client:
            assert shake_hands(client, pond.port, "watch?values=Pond.depth&every=1", HOST, TOKEN) == 101
            client.sendall(frame)
            while client.recv(65536):
                pass

    pond.drive(break_it)
    pond.app.frame()
    pond.app.frame()
    assert not pond.app.world[Remote].game.watches
    assert pond.get("game")["running"]


def test_a_slow_reader_is_dropped_with_a_reason(pond: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that does not read is dropped. The game never waits for it, and it finds the reason when it reads on."""
    monkeypatch.setattr(feed, "QUEUED", 4)
    pond_of(pond).names = {str(number): number for number in range(9000)}  # messages of 120 kB
    pond.app.clock.pause(False)
    watches = pond.app.world[Remote].game.watches
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        assert shake_hands(client, pond.port, "watch?values=Pond.names&every=1", HOST, TOKEN) == 101
        until(pond, lambda: watches)
        until(pond, lambda: not watches)
        read_until(client, b"\x03\xf5" + feed.SLOW.reason.encode())  # 1013, in the frame that closes


def test_a_slow_reader_of_server_sent_events_is_dropped(pond: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same holds for server-sent events, whose last one is an error with the reason."""
    monkeypatch.setattr(feed, "QUEUED", 4)
    pond_of(pond).names = {str(number): number for number in range(9000)}
    pond.app.clock.pause(False)
    watches = pond.app.world[Remote].game.watches
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", pond.port))
        client.sendall(f"GET /api/1/watch?values=Pond.names&every=1 HTTP/1.1\r\n{HOST}\r\n{TOKEN}\r\n\r\n".encode())
        until(pond, lambda: watches)
        until(pond, lambda: not watches)
        read_until(client, b'data: {"error":{"status":503,"message":"%s"}}\n\n' % feed.SLOW.reason.encode())


def read_until(client: socket.socket, end: bytes) -> None:
    """Read until these bytes come."""
    found = b""
    while end not in found:
        chunk = client.recv(1 << 20)
        assert chunk
        found = found[-len(end) :] + chunk


def pond_of(pond: Any) -> Any:
    """Return the resource `Pond`."""
    return pond.app.world[pond.app.registry.resource("Pond").cls]


def until(pond: Any, true: Callable[[], object]) -> None:
    """Run frames until something is true."""
    for _ in range(20_000):
        if true():
            return
        pond.app.frame()
    raise AssertionError("it never became true")
