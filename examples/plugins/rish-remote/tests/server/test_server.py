"""The server with clients that mean harm, and its end."""

from __future__ import annotations

import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from http.client import HTTPConnection, HTTPResponse
from typing import Any

import pytest

from rish_core import PluginError
from rish_remote.plugin import Remote
from rish_remote.server import dispatch
from rish_remote.server import server as server_module
from rish_remote.server.connections import MAX_CONNECTIONS
from rish_remote.server.inbox import Inbox
from rish_remote.server.server import Server
from rish_remote.table import ROUTES


def threads() -> list[str]:
    """Return the names of the server's threads that run."""
    return [thread.name for thread in threading.enumerate() if thread.name == "rish-remote"]


def talk(port: int, data: bytes) -> bytes:
    """Send bytes; return all that the server sends until it closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
        client.sendall(data)
        found = b""
        while chunk := client.recv(65536):
            found += chunk
        return found


@pytest.mark.parametrize(
    "authorization", ["", "Bearer ", "Bearer a-token-for-test", "Bearer a-token-for-tests2", "Basic a-token-for-tests",
                      "Bearer \xe4", "a-token-for-tests"],
)  # fmt: skip
def test_only_the_token_is_let_in(pond: Any, authorization: str) -> None:
    """Every other token is refused, also for the description; the page, which holds no data, needs none."""
    for path in ("game", "/openapi.json", "/nothing"):
        assert pond.refused("GET", path, Authorization=authorization)[0] == 401
    status, page = pond.ask("GET", "/", Authorization=authorization)
    assert status == 200
    assert b"a-token" not in page


@pytest.mark.parametrize(
    "headers",
    [{"Host": "evil.example"}, {"Host": "localhost.evil.example:80"}, {"Host": "127.0.0.1@evil.example"}, {"Host": ""},
     {"Host": "127.0.0.2"}, {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": "http://127.0.0.1:1"}],
)  # fmt: skip
def test_other_sites_are_refused(pond: Any, headers: dict[str, str]) -> None:
    """A page of another site, also with a name that leads to this machine, is refused although it has the token."""
    assert pond.refused("GET", "game", **headers)[0] == 403
    assert pond.ask("GET", "/", **headers)[0] == 403


def test_no_other_site_may_read(pond: Any) -> None:
    """No response allows another origin, a preflight is refused, and the page may load nothing from elsewhere."""
    answers = [
        talk(pond.port, f"{method} / HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()) for method in ("GET", "OPTIONS")
    ]
    assert answers[0].startswith(b"HTTP/1.1 200")
    assert b"Content-Security-Policy: default-src 'none'; script-src 'sha256-" in answers[0]
    assert answers[1].startswith(b"HTTP/1.1 401")
    assert not any(b"access-control" in answer.lower() for answer in answers)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"{", "no JSON"),
        (b"[]", "must be a mapping"),
        (b"\xff", "no JSON"),
        (b'{"set": {"Duck": {"speed": NaN}}}', "NaN is no number"),
        (b'{"set": {"Duck": {"speed": 1e999}}}', "finite"),
        (b'{"set": {"Duck": {"speed": ' + b"9" * 5000 + b"}}}", "no JSON"),
        (b'{"set": {"Duck": {"speed": ' + b"9" * 400 + b"}}}", "finite"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"set": 1, "set": 2}', "there twice"),
        (b'{"sett": {}}', "did you mean 'set'"),
        (b'{"set": {"Duck": 1}}', "mapping"),
        (b'{"set": {"Duck": {"mood": "\\ud800"}}}', "not valid text"),
        (b'{"set": {"Duck": {"home": ' + b"[" * 500 + b"]" * 500 + b"}}}", "2 numbers"),
    ],
)
def test_malformed_bodies_are_refused(pond: Any, body: bytes, said: str) -> None:
    """A body that is no JSON, or not what the route takes, is refused with what is wrong; the game goes on."""
    status, message = pond.refused("PATCH", "entities/Donald", body)
    assert status == 400
    assert said in message


def test_a_huge_body_is_refused(pond: Any) -> None:
    """A body above the limit gets 413, also if the client sends all of it."""
    assert pond.refused("POST", "input", b"x" * (3 << 20))[0] == 413
    assert pond.get("game")["tick"] == 0


@pytest.mark.parametrize("path", ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/page/index.html", "//", "/api/1"])
def test_no_file_is_served(pond: Any, path: str) -> None:
    """Paths never name files."""
    assert pond.refused("GET", path)[0] == 404


def test_a_second_request_on_a_connection_is_not_read(pond: Any) -> None:
    """Bytes after a request are not another request."""
    head = "Host: localhost\r\nAuthorization: Bearer a-token-for-tests\r\n"
    smuggled = f"GET /openapi.json HTTP/1.1\r\n{head}\r\nDELETE /api/1/entities/Donald HTTP/1.1\r\n{head}\r\n"
    assert pond.drive(lambda: talk(pond.port, smuggled.encode())).count(b"HTTP/1.1 200") == 1
    assert pond.get("entities")["total"] == 4


def test_methods_are_those_of_the_route(pond: Any) -> None:
    """Another method gets 405 with the right ones."""
    assert pond.refused("PUT", "game") == (405, "/api/1/game answers GET, not PUT")


def test_a_game_may_be_read_only(make_pond: Any) -> None:
    """With `allow: read` every request that could change anything is refused."""
    pond = make_pond("settings.remote.allow=read")
    assert pond.get("game")["writable"] is False
    for method, path in [("PATCH", "clock"), ("POST", "input"), ("DELETE", "entities/Donald"), ("PUT", "seed")]:
        assert pond.refused(method, path, {})[0] == 403


def test_a_taken_port_is_a_mistake_of_the_user(pond: Any, make_pond: Any) -> None:
    """A game whose port is taken does not begin, and the error says what to do."""
    with pytest.raises(
        PluginError, match=r"--set settings.remote.port=\d+: the port \d+ is taken .*settings.remote.port"
    ):
        make_pond(f"settings.remote.port={pond.port}")


def test_a_game_that_does_not_answer(pond: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request to a game that stands still gets 503 in time, and is not answered later."""
    impatient = tuple(replace(route, seconds=0.1) for route in ROUTES)
    monkeypatch.setattr(dispatch, "ROUTES", impatient)
    connection = HTTPConnection("127.0.0.1", pond.port, timeout=20)
    connection.request("DELETE", "/api/1/entities/Donald", headers={"Authorization": "Bearer a-token-for-tests"})
    response = connection.getresponse()
    assert response.status == 503
    assert b"was not begun" in response.read()
    connection.close()
    monkeypatch.undo()
    assert pond.get("entities")["total"] == 4


@pytest.mark.slow
def test_connections_without_a_request_keep_nobody_out(pond: Any) -> None:
    """However many connections send nothing, or never end their request, one with a request is answered at once."""
    with ExitStack() as stack:
        for number in range(300):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", pond.port), timeout=20))
            client.sendall(b"GET / HTTP/1.1\r\nHost:"[: number % 30])
            if number % 100 == 99:
                begin = time.perf_counter()
                assert pond.get("game")["running"]
                assert time.perf_counter() - begin < 2


def test_slow_clients_are_cut_off(make_pond: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection ends in time whether it sends nothing, a part of its headers or a part of its body."""
    monkeypatch.setattr(server_module, "READ_SECONDS", 0.1)
    pond = make_pond()
    head = b"POST /api/1/input HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a-token-for-tests\r\n"
    for sent in (b"", head, head + b"Content-Length: 9\r\n\r\n{", head + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{"):
        assert pond.drive(lambda sent=sent: talk(pond.port, sent)) == b""


def test_the_oldest_connection_without_a_request_is_told_why_it_ends(pond: Any) -> None:
    """When too many connections wait without a request, the oldest gets 503 with a reason and a time to try again."""
    with ExitStack() as stack:
        address = ("127.0.0.1", pond.port)
        clients = [
            stack.enter_context(socket.create_connection(address, timeout=20)) for _ in range(MAX_CONNECTIONS + 1)
        ]
        with HTTPResponse(clients[0]) as answer:
            answer.begin()
            assert (answer.status, answer.headers["Retry-After"]) == (503, "1")
            assert "connections wait" in json.loads(answer.read())["error"]["message"]


def test_too_many_requests_at_once_are_told_so(pond: Any) -> None:
    """When all connections for those with the token are in use, the next one gets 503 at once, and later an answer."""
    ask = b"GET /api/1/game HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a-token-for-tests\r\n\r\n"
    with ExitStack() as stack:
        address = ("127.0.0.1", pond.port)
        clients = [stack.enter_context(socket.create_connection(address, timeout=20)) for _ in range(MAX_CONNECTIONS)]
        for client in clients:
            client.sendall(ask)
        while len(pond.app.world[Remote].inbox._jobs) < MAX_CONNECTIONS:
            time.sleep(0.001)
        answer = talk(pond.port, ask)  # no frame runs: the answer comes from the server alone
        assert answer.startswith(b"HTTP/1.1 503")
        assert b"Retry-After: 1" in answer
        assert b"requests with the token are under way" in answer
        pond.app.frame()
        assert all(client.recv(20).startswith(b"HTTP/1.1 200") for client in clients)
    assert pond.get("game")["running"]


@pytest.mark.slow
def test_nothing_is_left_at_the_end(make_pond: Any) -> None:
    """Closing a game with open streams, waiting requests and idle connections ends its thread and its port at once."""
    pond = make_pond()
    port, begin = pond.port, time.perf_counter()
    token = "Authorization: Bearer a-token-for-tests\r\n"
    idle = socket.create_connection(("127.0.0.1", port))
    stream = socket.create_connection(("127.0.0.1", port))
    stream.sendall(f"GET /api/1/watch HTTP/1.1\r\nHost: localhost\r\n{token}\r\n".encode())
    with ThreadPoolExecutor(3) as pool:
        waiting = [
            pool.submit(talk, port, f"{line} HTTP/1.1\r\nHost: localhost\r\n{token}\r\n".encode())
            for line in ("GET /api/1/game", "DELETE /api/1/entities/bank", "POST /api/1/clock/steps")
        ]
        while len(pond.app.world[Remote].inbox._jobs) < 4:
            time.sleep(0.001)
        pond.close()
        assert all(future.result().startswith(b"HTTP/1.1 503") for future in waiting)
    idle.close()
    stream.close()
    assert time.perf_counter() - begin < 1
    assert threads() == []
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), timeout=5)


def test_a_server_that_never_started_is_closed() -> None:
    """A game that ends before its first frame leaves no port open."""
    server = Server(Inbox(), 0, "t", writable=True)
    server.close()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", server.port), timeout=5)
