"""Streams of values."""

from __future__ import annotations

import json
from http.client import HTTPConnection
from typing import Any

from rish_remote.plugin import Remote


def messages(pond: Any, path: str, count: int) -> list[Any]:
    """Return the first messages of a stream."""

    def read() -> list[Any]:
        connection = HTTPConnection("127.0.0.1", pond.port, timeout=20)
        connection.request("GET", f"/api/1/{path}", headers={"Authorization": "Bearer a-token-for-tests"})
        response = connection.getresponse()
        assert response.headers["Content-Type"] == "text/event-stream"
        found: list[Any] = []
        while len(found) < count:
            line = response.readline()
            if line.startswith(b"data: "):
                found.append(json.loads(line[6:]))
        response.close()
        connection.close()
        return found

    return pond.drive(read)


def test_values_arrive_every_few_frames(pond: Any) -> None:
    """A message holds the tick and the values; an entity that does not exist is null."""
    pond.app.clock.pause(False)
    found = messages(pond, "watch?values=Donald/Transform.position,Pond.depth,Daisy/Duck.speed&every=3", 3)
    assert found[0]["values"]["Pond.depth"] == 1.5
    assert found[0]["values"]["Daisy/Duck.speed"] is None
    x = [message["values"]["Donald/Transform.position"][0] for message in found]
    assert x == sorted(set(x))
    assert all((message["tick"] - found[0]["tick"]) % 3 == 0 for message in found)


def test_a_watch_ends_with_its_client(pond: Any) -> None:
    """After the client has hung up, nothing is read any longer; a wrong path is refused with its place."""
    messages(pond, "watch", 1)
    pond.app.clock.pause(False)
    watches = pond.app.world[Remote].game.watches
    for _ in range(2000):
        pond.app.frame()
        if not watches:
            break
    assert not watches
    status, found = pond.ask("GET", "watch?values=Pond.dpeth,Donald/Duck.sped")
    assert status == 400
    assert [problem["place"] for problem in found["error"]["problems"]] == ["Pond.dpeth", "Donald/Duck.sped"]
