"""Who may ask: the checks of Host, Origin and token, before a request reaches the game.

A page of another site can make a browser send requests to this server. It can't read the token, and a browser gives it
no answer, as no response allows other origins. With DNS rebinding such a page has a name that leads here, so the host
of a request must be one of this machine's own names.
"""

from __future__ import annotations

import hmac
import re

from ..api.errors import ApiError
from .http import Request

_HOST = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?", re.ASCII | re.IGNORECASE)


def check_host(request: Request) -> None:
    """Raise ApiError for a request that names another host than this machine, or that a page of another site sent."""
    host = request.headers.get("host")
    if host is None or _HOST.fullmatch(host) is None:
        raise ApiError(403, "this server answers to localhost, 127.0.0.1 and [::1] only")
    origin = request.headers.get("origin")
    if origin is not None and origin.lower() != f"http://{host}".lower():
        raise ApiError(403, "this server answers no pages of other sites")


def check_token(request: Request, token: str) -> None:
    """Raise ApiError for a request without the token; the time of the comparison tells nothing about the token."""
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    right = hmac.compare_digest(given.strip().encode(), token.encode())
    if scheme.lower() != "bearer" or not right:
        raise ApiError(401, "send the token that was printed when the game began, as `Authorization: Bearer TOKEN`")
