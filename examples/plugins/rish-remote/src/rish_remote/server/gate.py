"""Who may ask: the checks of Host, Origin and token, before a request reaches the game.

A page of another site can make a browser send requests to this server. It can't read the token, and a browser gives it
no answer, as no response allows other origins. With DNS rebinding such a page has a name that leads here, so the host
of a request must be one of this machine's own names.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from urllib.parse import unquote

from ..api.errors import ApiError

SUBPROTOCOL = "rish.watch"
"""The protocol that this server speaks over WebSockets, for `Sec-WebSocket-Protocol`."""
_HOST = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?", re.ASCII | re.IGNORECASE)
_BEARER = "bearer."


def check_host(headers: Mapping[str, str], scheme: str) -> None:
    """Raise ApiError for a request that names another host than this machine, or that a page of another site sent.

    scheme: `http` or `https`, as the server speaks.
    """
    host = headers.get("Host")
    if host is None or _HOST.fullmatch(host) is None:
        raise ApiError(403, "this server answers to localhost, 127.0.0.1 and [::1] only")
    origin = headers.get("Origin")
    if origin is not None and origin.lower() != f"{scheme}://{host}".lower():
        raise ApiError(403, "this server answers no pages of other sites")


def check_token(headers: Mapping[str, str], token: str) -> None:
    """Raise ApiError for a request without the token; the time of the comparison tells nothing about the token."""
    scheme, _, sent = headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        sent = _of_subprotocols(headers.get("Sec-WebSocket-Protocol", ""))
    if not hmac.compare_digest(sent.strip().encode(), token.encode()):
        raise ApiError(401, "send the token that was printed when the game began, as `Authorization: Bearer TOKEN`")


def _of_subprotocols(text: str) -> str:
    """Return the token in `bearer.TOKEN`, where TOKEN is percent-encoded.

    A page can send no header of its own with a WebSocket, but names of protocols.
    """
    names = (name.strip() for name in text.split(","))
    return next((unquote(name.removeprefix(_BEARER)) for name in names if name.startswith(_BEARER)), "")
