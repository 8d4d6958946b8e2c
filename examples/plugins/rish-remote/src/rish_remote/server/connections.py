"""The open connections and their limits, so that nobody can keep out those who have the token.

Connections that have not shown the token yet are strangers. When there are too many of them, the oldest is closed for
the new one: a client that sends its request at once is answered however many others wait without sending one.
"""

from __future__ import annotations

from tornado.iostream import IOStream

from ..api.errors import ApiError
from .messages import Response, refuse

MAX_CONNECTIONS = 64
"""The greatest number of connections with the token, and of further ones that have not shown it yet."""


class Connections:
    """The connections, each with the one request that it carries."""

    def __init__(self) -> None:
        self._strangers: dict[IOStream, None] = {}
        self._known: dict[IOStream, None] = {}

    def add(self, stream: IOStream) -> None:
        """Add a new connection, and close the oldest stranger if there are too many."""
        self._strangers = _open(self._strangers)
        if len(self._strangers) >= MAX_CONNECTIONS:
            oldest = next(iter(self._strangers))
            del self._strangers[oldest]
            oldest.write(_BUSY)
            oldest.close()
        self._strangers[stream] = None

    def admit(self, stream: IOStream) -> None:
        """Note that a connection has shown the token. Raises ApiError 503 if there are too many."""
        self._known = _open(self._known)
        if len(self._known) >= MAX_CONNECTIONS:
            raise ApiError(503, f"{MAX_CONNECTIONS} requests with the token are under way already: try again later")
        self._strangers.pop(stream, None)
        self._known[stream] = None

    def close(self) -> None:
        """Close all connections."""
        for stream in (*self._strangers, *self._known):
            stream.close()


def _open(streams: dict[IOStream, None]) -> dict[IOStream, None]:
    return {stream: None for stream in streams if not stream.closed()}


def _as_bytes(response: Response) -> bytes:
    lines = [f"HTTP/1.1 {response.status} {response.reason}"]
    lines += [f"{name}: {value}" for name, value in response.all_headers.items()]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + (response.body or b"")


_BUSY = _as_bytes(refuse(ApiError(503, f"{MAX_CONNECTIONS} connections wait without a request: send yours at once")))
"""What a connection gets that is closed for another; it has sent no whole request yet."""
