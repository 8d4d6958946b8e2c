"""A small game with the plugin, and requests that are sent while its frames run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from http.client import HTTPConnection
from types import SimpleNamespace
from typing import Any

import pytest

from rish_core import (
    App,
    Color,
    Entity,
    Input,
    Stage,
    Str,
    Transform,
    Vec2,
    component,
    event,
    field,
    parse_manifest,
    resource,
    system,
)
from rish_core.plugin import installed_plugins
from rish_remote.plugin import Remote

TOKEN = "a-token-for-tests"
FRAME_SECONDS = 0.002
GAME = """
rish: 1
game: {title: Pond, seed: 7}
plugins: [remote, pond]
settings: {remote: {token: a-token-for-tests}}
input: {swim: [RIGHT]}
prefabs:
  duck: {Transform: {}, Duck: {speed: 2}, tags: [bird]}
scenes:
  main:
    - {prefab: duck, name: Donald, at: [3, 4]}
    - {prefab: duck, count: 2, at: {grid: [2, 1], step: [10, 10]}}
    - {name: bank, Transform: {position: [0, -5]}}
  night: []
"""


@component
class Duck:
    """Swims."""

    speed: float = field(1.0, unit="units/s", low=0, high=50)
    mood: Str = field("calm", choices=("calm", "angry"))
    friend: Entity = field(0)
    color: Color = field((1, 1, 1, 1), view=True)
    home: Vec2 = field((0, 0))


@event
class Quack:
    """A duck quacks."""

    duck: Entity
    loudness: float = field(1.0, low=0)


@resource
class Pond:
    """The pond."""

    depth: float = field(1.5, low=0)
    swum: int = 0
    names: dict[str, int] | None = None


@system(Stage.UPDATE, reads=Duck, writes=(Transform, Pond, Quack))
def swim(world: Any, dt: float) -> None:
    """Move the ducks, faster while `swim` is held, and quack each tenth tick."""
    ducks = world.query(Duck, Transform)
    with ducks.edit(Transform.position) as position:
        position[:, 0] += ducks[Duck.speed] * dt
    if world[Input].down("swim"):
        world[Pond].swum += 1
    if world.tick % 10 == 9:
        world.emit(Quack, duck=int(ducks.entities[0]))


POND = SimpleNamespace(
    rish_components=lambda: [Duck],
    rish_events=lambda: [Quack],
    rish_resources=lambda: [Pond],
    rish_systems=lambda: [swim],
)


class Driver:
    """A game whose frames run while requests are sent. app: the game, paused at its beginning."""

    def __init__(self, *overrides: str) -> None:
        installed = [one for one in installed_plugins() if one.name == "remote"]
        manifest = parse_manifest(GAME, overrides=overrides)
        self.app = App(manifest, headless=True, extra={"pond": POND}, installed=installed, policy="raise")
        self.app.clock.pause()
        self.app.frame()
        self._pool = ThreadPoolExecutor(1)

    @property
    def port(self) -> int:
        """The port of the server."""
        return self.app.world[Remote].server.port

    @property
    def url(self) -> str:
        """The address that the game prints."""
        return self.app.world[Remote].url

    def drive(self, work: Callable[[], Any]) -> Any:
        """Run frames until a function in another thread has returned; return its result.

        The threads of the server and of its reader get a moment between two frames. Without it, frames that take 0.1 ms
        send more messages than a reader on a busy machine can take, and the server drops it.
        """
        future = self._pool.submit(work)
        while not wait([future], FRAME_SECONDS).done:
            self.app.frame()
        return future.result()

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Send a request; return the status and the answer, which is parsed if it is JSON."""
        return self.drive(lambda: send(self.port, method, path, body, **headers))

    def get(self, path: str) -> Any:
        """Return the answer to a GET, which must succeed."""
        status, found = self.ask("GET", path)
        assert status == 200, found
        return found

    def send(self, method: str, path: str, **body: Any) -> Any:
        """Return the answer to a request with a body, which must succeed."""
        status, found = self.ask(method, path, body)
        assert status == 200, found
        return found

    def refused(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, str]:
        """Return the status and the message of a request that must be refused."""
        status, found = self.ask(method, path, body, **headers)
        assert status >= 400, found
        return status, found["error"]["message"]

    def close(self) -> None:
        """Close the game."""
        self._pool.shutdown()
        self.app.close()


def send(port: int, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
    """Send one request with the token; return the status and the answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    data = body if isinstance(body, (bytes, str, type(None))) else json.dumps(body)
    path = path if path.startswith("/") else f"/api/1/{path}"
    try:
        connection.request(method, path, data, {"Authorization": f"Bearer {TOKEN}", **headers})
        response = connection.getresponse()
        content = response.read()
        is_json = response.headers["Content-Type"] == "application/json"
        return response.status, json.loads(content) if is_json else content
    finally:
        connection.close()


@pytest.fixture
def make_pond() -> Iterator[Callable[..., Driver]]:
    """A function that makes the game, with overrides of its manifest."""
    made: list[Driver] = []

    def make(*overrides: str) -> Driver:
        made.append(Driver(*overrides))
        return made[-1]

    yield make
    for driver in made:
        driver.close()


@pytest.fixture
def pond(make_pond: Callable[..., Driver]) -> Driver:
    """A game of three ducks, paused before its first tick."""
    return make_pond()
