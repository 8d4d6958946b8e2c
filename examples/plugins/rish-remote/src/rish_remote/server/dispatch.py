"""From a request to a route with checked arguments."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl

from rish_core import did_you_mean

from ..api.args import checked
from ..api.errors import ApiError
from ..api.route import Route
from ..table import ROUTES

_MAX_ARGUMENTS = 64


def find_route(method: str, path: str) -> tuple[Route, dict[str, str]]:
    """Return the route of a method and a path, with the names in the path. Raises ApiError 404 or 405."""
    parts = path.strip("/").split("/")
    try:
        matches = [(route, names) for route in ROUTES if (names := route.match(parts)) is not None]
    except UnicodeDecodeError:
        raise ApiError(400, "the path is no valid text") from None
    for route, names in matches:
        if route.method == method:
            return route, names
    if matches:
        raise ApiError(405, f"{path} answers {', '.join(route.method for route, _ in matches)}, not {method}")
    near = did_you_mean(path, [route.path for route in ROUTES])
    raise ApiError(404, f"nothing is at {path[:200]}{near}; `GET /openapi.json` lists all paths")


def arguments(route: Route, query: str, body: bytes) -> dict[str, Any]:
    """Return the checked arguments of a request, from its query or its body. Raises ApiError."""
    if route.method == "GET":
        if body:
            raise ApiError(400, "a GET has no body")
        return checked(route.args, _query(route, query))
    if query:
        raise ApiError(400, f"the arguments of a {route.method} are in its body, not in a query")
    return checked(route.args, parse_body(body))


def _query(route: Route, query: str) -> dict[str, Any]:
    try:
        pairs = parse_qsl(query, keep_blank_values=True, errors="strict", max_num_fields=_MAX_ARGUMENTS)
    except ValueError:
        raise ApiError(400, "the query is no valid text, or it has too many arguments") from None
    arguments: dict[str, Any] = {}
    for name, text in pairs:
        value = route.args[name].from_text(text) if name in route.args else text
        if name in arguments and not isinstance(value, list):
            raise ApiError(400, f"the argument {name[:80]} is there twice")
        arguments[name] = [*arguments[name], *value] if name in arguments else value
    return arguments


def parse_body(body: bytes) -> dict[str, Any]:
    """Return the mapping that a body says; an empty body is an empty mapping. Raises ApiError."""
    if not body:
        return {}
    try:
        mapping = json.loads(body.decode(), parse_constant=_refuse, object_pairs_hook=_once)
    except RecursionError:
        raise ApiError(400, "the body is nested too deeply") from None
    except ValueError as error:
        raise ApiError(400, f"the body is no JSON: {error}") from None
    if not isinstance(mapping, dict):
        raise ApiError(400, f"the body must be a mapping, not {type(mapping).__name__}")
    return mapping  # pyright: ignore[reportUnknownVariableType]


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        raise ValueError("a key is there twice")
    return mapping
