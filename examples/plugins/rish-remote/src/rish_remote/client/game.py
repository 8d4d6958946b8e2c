"""The client: a running game as an object, for notebooks and scripts.

game = attach("http://127.0.0.1:8420/#token=...")
game.entities("Transform.position", has=["Ball"])       # arrays, one row for each entity
game["paddle"].position = (480, 60)
game.step(60)
game.picture()                                          # uint8 (h, w, 4)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

import numpy as np
import numpy.typing as npt

from rish_ecs import UnknownName

from .connection import Connection


def attach(url: str, certificate: str | None = None) -> RemoteGame:
    """Return the game at an address, as the game prints it. Raises UsageError, RemoteError and OSError.

    certificate: a PEM file with a certificate to trust, if the game speaks HTTPS with one of its own.
    """
    game = RemoteGame(Connection(url, certificate))
    game.info()
    return game


class RemoteComponent:
    """A component of an entity: attributes read and write its fields in the game; vectors are arrays."""

    def __init__(self, entity: RemoteEntity, name: str) -> None:
        self.__dict__.update(_entity=entity, _name=name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _array(_look_up(self.values(), name, f"{self._name} has no field"))

    def __setattr__(self, name: str, value: Any) -> None:
        self._entity.set(self._name, **{name: value})

    def values(self) -> dict[str, Any]:
        """Return the values of all fields."""
        return _look_up(self._entity.components(), self._name, f"{self._entity!r} has no component")

    def __repr__(self) -> str:
        return f"<{self._name} of {self._entity!r}>"


class RemoteEntity:
    """An entity of a game, by handle or name. `entity["Transform"].position` and, where only one component has the
    field, `entity.position` read and write fields in the game.
    """

    def __init__(self, connection: Connection, key: str) -> None:
        self.__dict__.update(_connection=connection, _path=f"/entities/{quote(key, safe='')}", key=key)

    def components(self) -> dict[str, dict[str, Any]]:
        """Return the values of all fields, by component."""
        return self._connection.get(self._path)["components"]

    def set(self, component: str, /, **values: Any) -> None:
        """Set fields of a component. Raises RemoteError with all mistakes."""
        self._connection.send("PATCH", self._path, set={component: values})

    def add(self, component: str, /, **values: Any) -> None:
        """Add a component, or replace it completely."""
        self._connection.send("PATCH", self._path, add={component: values})

    def remove(self, *components: str) -> None:
        """Remove components."""
        self._connection.send("PATCH", self._path, remove=list(components))

    def despawn(self) -> None:
        """Remove the entity and its children."""
        self._connection.send("DELETE", self._path)

    def __getitem__(self, component: str) -> RemoteComponent:
        return RemoteComponent(self, component)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _array(self.components()[self._owner(name)][name])

    def __setattr__(self, name: str, value: Any) -> None:
        self.set(self._owner(name), **{name: value})

    def _owner(self, field: str) -> str:
        """Return the component that has a field. Raises UnknownName if none or several have it."""
        components = self.components()
        owners = [component for component, values in components.items() if field in values]
        if len(owners) > 1:
            hint = f"Write entity[{owners[0]!r}].{field}"
            raise UnknownName(f"{' and '.join(owners)} of {self.key} have a field {field!r}", hint=hint)
        if not owners:
            names = {name for values in components.values() for name in values}
            raise UnknownName(f"no component of {self.key} has a field {field!r}", given=field, choices=names)
        return owners[0]

    def __repr__(self) -> str:
        return f"<entity {self.key}>"


class RemoteGame:
    """A running game. Everything is asked when it is used; nothing is kept here."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __getitem__(self, key: str) -> RemoteEntity:
        """Return an entity by name or handle; whether it exists is asked when it is used."""
        return RemoteEntity(self._connection, key)

    def info(self) -> dict[str, Any]:
        """Return title, tick, scene and more."""
        return self._connection.get("/game")

    def entities(
        self, *fields: str, has: Sequence[str] = (), tag: str | None = None, name: str | None = None,
        prefab: str | None = None,
    ) -> dict[str, npt.NDArray[Any]]:  # fmt: skip
        """Return entities as arrays with a row for each: `entity` (handles as text) and the named fields.

        fields: `Transform.position` and others; entities that lack one are left out. has, tag, name (a pattern with *
        and ?), prefab: filters.
        """
        filters: dict[str, Any] = {"has": list(has) or None, "tag": tag, "name": name, "prefab": prefab}
        if not fields:
            return self._handles(filters)
        answer = self._connection.get("/columns", fields=fields, limit=100_000, **filters)
        columns = {field: _array(values) for field, values in answer["columns"].items()}
        return {"entity": np.array(answer["entities"], np.str_), **columns}

    def _handles(self, filters: Mapping[str, Any]) -> dict[str, npt.NDArray[Any]]:
        rows: list[dict[str, Any]] = []
        while True:
            page = self._connection.get("/entities", limit=1000, offset=len(rows), **filters)
            rows += page["entities"]
            if not page["entities"] or len(rows) >= page["total"]:
                break
        names = np.array([row["name"] or "" for row in rows], np.str_)
        return {"entity": np.array([row["entity"] for row in rows], np.str_), "name": names}

    def spawn(self, prefab: str | None = None, at: Sequence[float] | None = None, **components: Any) -> RemoteEntity:
        """Spawn a prefab, or an entity of components: `spawn(Transform={"position": [1, 2]})`."""
        answer = self._connection.send("POST", "/entities", prefab=prefab, at=at, components=components or None)
        return self[answer["entity"]]

    def components(self) -> dict[str, Any]:
        """Return the declarations of all components."""
        return self._connection.get("/components")["components"]

    def systems(self) -> list[dict[str, Any]]:
        """Return the systems with their times."""
        return self._connection.get("/systems")["systems"]

    def resource(self, name: str, **values: Any) -> dict[str, Any]:
        """Set fields of a resource, if any are given, and return its values."""
        path = f"/resources/{quote(name, safe='')}"
        answer = self._connection.send("PATCH", path, set=values) if values else self._connection.get(path)
        return answer["values"]

    def emit(self, event: str, /, **values: Any) -> None:
        """Emit an event, which systems read in the coming tick."""
        self._connection.send("POST", "/events", type=event, values=values)

    # Time

    @property
    def tick(self) -> int:
        """The number of ticks so far."""
        return self.info()["tick"]

    def pause(self) -> None:
        """Let time stand still."""
        self._connection.send("PATCH", "/clock", paused=True)

    def resume(self) -> None:
        """Let time go on."""
        self._connection.send("PATCH", "/clock", paused=False)

    def step(self, ticks: int = 1) -> int:
        """Pause, run ticks, and return the tick that is reached."""
        return self._connection.send("POST", "/clock/steps", ticks=ticks)["tick"]

    def speed(self, factor: float) -> None:
        """Set the speed as a factor of real time."""
        self._connection.send("PATCH", "/clock", speed=factor)

    def scene(self, name: str) -> None:
        """Change to a scene."""
        self._connection.send("POST", "/scenes", scene=name)

    def seed(self, number: int) -> None:
        """Begin all random streams anew."""
        self._connection.send("PUT", "/seed", seed=number)

    def hold(self, *keys: str, ticks: int = 1, pointer: Sequence[float] | None = None) -> None:
        """Hold keys or actions for the coming ticks. pointer: where the pointer goes, in logical pixels, y up."""
        self._connection.send("POST", "/input", hold=list(keys), ticks=ticks, pointer=pointer)

    # State

    def hash(self) -> str:
        """Return the hash of the state."""
        return self._connection.get("/hash")["hash"]

    def save(self, slot: str) -> None:
        """Keep a snapshot in the game's memory."""
        self._connection.send("PUT", f"/snapshots/{quote(slot, safe='')}")

    def restore(self, slot: str) -> None:
        """Restore a snapshot."""
        self._connection.send("POST", f"/snapshots/{quote(slot, safe='')}/restore")

    def picture(self) -> npt.NDArray[np.uint8]:
        """Return the last frame, uint8 (h, w, 4), top row first. Raises RemoteError if there is none."""
        data, headers = self._connection.raw("/picture", format="rgba")
        width, height = map(int, headers["X-Picture-Size"].split("x"))
        return np.frombuffer(data, np.uint8).reshape(height, width, 4)

    def watch(self, *values: str, every: int = 6, events: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
        """Yield `{"tick": ..., "values": {...}}` each few frames. values: `ball/Transform.position`, `Score.points`.

        events: types of events, which are under `events` of the messages. Raises RemoteError if the caller is many
        messages behind.
        """
        return self._connection.stream("/watch", values=values, every=every, events=list(events) or None)


def _array(value: Any) -> Any:
    """Return a list of numbers as an array, float32 for fractions; a missing number is NaN. Others are unchanged."""
    if not isinstance(value, list) or not value:
        return value
    array = np.array(value)
    if array.dtype == object:
        try:
            array = np.array(value, np.float32)
        except (TypeError, ValueError):
            return value
    return array.astype(np.float32) if array.dtype == np.float64 else array


def _look_up(values: Mapping[str, Any], name: str, what: str) -> Any:
    if name not in values:
        raise UnknownName(f"{what} {name!r}", given=name, choices=values)
    return values[name]
