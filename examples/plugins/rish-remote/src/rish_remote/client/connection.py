"""The connection of the client: one request of HTTP at a time, with the token."""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from rish_ecs import UsageError

_ROOT = "/api/1"
_SECONDS = 70.0


class RemoteError(Exception):
    """Raised when the game refuses a request. status: of HTTP. problems: the mistakes, as (place, message)."""

    def __init__(self, status: int, message: str, problems: list[tuple[str, str]]) -> None:
        super().__init__(message)
        self.status = status
        self.problems = problems


class Connection:
    """Asks one server. url: as the game prints it, `http://127.0.0.1:8420/#token=...`.

    certificate: a PEM file to trust. Raises UsageError, and OSError for a certificate that can't be read.
    """

    def __init__(self, url: str, certificate: str | None = None) -> None:
        parts = urlsplit(url)
        token = parse_qs(parts.fragment).get("token", [""])[0]
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.port is None or not token:
            raise UsageError(
                f"{url!r} is no address of a game",
                hint="Give the line that the game prints: http://HOST:PORT/#token=...",
            )
        self._host, self._port = parts.hostname, parts.port
        self._tls = ssl.create_default_context(cafile=certificate) if parts.scheme == "https" else None
        self._headers = {"Authorization": f"Bearer {token}"}

    def get(self, path: str, /, **query: Any) -> Any:
        """Return the answer to a GET. query: arguments; None is left out, a list is joined by commas."""
        return self._json("GET", _with_query(path, query))

    def send(self, method: str, path: str, /, **body: Any) -> Any:
        """Return the answer to a request with a body; arguments that are None are left out."""
        return self._json(method, path, {name: value for name, value in body.items() if value is not None})

    def raw(self, path: str, /, **query: Any) -> tuple[bytes, Mapping[str, str]]:
        """Return the bytes and the headers of the answer to a GET."""
        connection, response = self._open("GET", _with_query(path, query), None)
        try:
            return response.read(), dict(response.headers.items())
        finally:
            connection.close()

    def stream(self, path: str, /, **query: Any) -> Iterator[Any]:
        """Yield the messages of a stream, until the game ends or the caller stops."""
        connection, response = self._open("GET", _with_query(path, query), None)
        try:
            for line in response:
                if line.startswith(b"data: "):
                    message = json.loads(line.removeprefix(b"data: "))
                    if "error" in message:
                        raise _error(message["error"])
                    yield message
        finally:
            response.close()
            connection.close()

    def _json(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        connection, response = self._open(method, path, body)
        try:
            return json.loads(response.read())
        finally:
            connection.close()

    def _open(self, method: str, path: str, body: Mapping[str, Any] | None) -> tuple[HTTPConnection, HTTPResponse]:
        """Send a request. Raises RemoteError for an answer that is an error, OSError without a server."""
        connection = self._connect()
        data = json.dumps(body, default=_plain).encode() if body is not None else None
        try:
            connection.request(method, _ROOT + path, body=data, headers=self._headers)
            response = connection.getresponse()
            if response.status < 400:
                return connection, response
            error = json.loads(response.read())["error"]
        except BaseException:
            connection.close()
            raise
        connection.close()
        raise _error(error)

    def _connect(self) -> HTTPConnection:
        if self._tls is None:
            return HTTPConnection(self._host, self._port, timeout=_SECONDS)
        return HTTPSConnection(self._host, self._port, timeout=_SECONDS, context=self._tls)


def _error(error: Mapping[str, Any]) -> RemoteError:
    """Return the error that a game says."""
    problems = [(each["place"], each["message"]) for each in error.get("problems", ())]
    return RemoteError(error["status"], error["message"], problems)


def _plain(value: Any) -> Any:
    """Return arrays and numbers of numpy as lists and numbers."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{value!r} can't be sent to a game")


def _with_query(path: str, query: Mapping[str, Any]) -> str:
    pairs: dict[str, str] = {}
    for name, value in query.items():
        if isinstance(value, bool):
            pairs[name] = "true" if value else "false"
        elif isinstance(value, (list, tuple)):
            pairs[name] = ",".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        elif value is not None:
            pairs[name] = str(value)
    return f"{path}?{urlencode(pairs)}" if pairs else path
