"""What the server answers without the game: the page for the browser, and the description of the API."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files

from ..description import openapi
from .messages import JSON, Response, to_json

_BLOCK = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)


@cache
def page_response() -> Response:
    """Return the page. Its policy allows its own script and style, by their hashes, and no other."""
    text = files("rish_remote").joinpath("page", "index.html").read_text(encoding="utf-8")
    allowed = {kind: _hash(content) for kind, content in _BLOCK.findall(text)}
    policy = (
        f"default-src 'none'; script-src {allowed['script']}; style-src {allowed['style']}; img-src blob: data:;"
        " connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    )
    headers = {"Content-Security-Policy": policy, "X-Frame-Options": "DENY"}
    return Response(200, "text/html; charset=utf-8", text.encode(), headers)


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


@cache
def _description() -> Response:
    return Response(200, JSON, to_json(openapi()))


def static_response(path: str) -> Response | None:
    """Return the response for a path that needs no game, or None."""
    return _description() if path == "/openapi.json" else None
