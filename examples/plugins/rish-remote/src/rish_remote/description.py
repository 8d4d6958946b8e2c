"""The description of the API in OpenAPI 3.1, made from the table of routes."""

from __future__ import annotations

from typing import Any

from .api.route import Route
from .table import ROUTES

_PROBLEMS: dict[str, Any] = {
    "type": "array",
    "items": {"type": "object", "properties": {"place": {"type": "string"}, "message": {"type": "string"}}},
}
_ERROR: dict[str, Any] = {
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "required": ["status", "message"],
            "properties": {"status": {"type": "integer"}, "message": {"type": "string"}, "problems": _PROBLEMS},
        }
    },
}


def openapi() -> dict[str, Any]:
    """Return the description of all routes as data."""
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Rish remote", "version": "1", "description": "Inspects and drives a running game."},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Error": _ERROR},
        },
    }


def _operation(route: Route) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.answer.__name__,
        "summary": route.summary,
        "description": (route.answer.__doc__ or "").strip(),
        "parameters": [_in_path(name) for name in route.names],
        "responses": {
            "200": {"description": "The answer", "content": _content(route)},
            "default": {
                "description": "An error",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
            },
        },
    }
    if route.method == "GET":
        operation["parameters"] += [
            {
                "name": name, "in": "query", "required": arg.required, "schema": arg.schema, "style": "form",
                "explode": False,
            }
            for name, arg in route.args.items()
        ]  # fmt: skip
    elif route.args:
        operation["requestBody"] = {"content": {"application/json": {"schema": _body(route)}}}
    return operation


def _in_path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def _content(route: Route) -> dict[str, Any]:
    return {media: {} for media in route.media or ("application/json",)}


def _body(route: Route) -> dict[str, Any]:
    properties = {name: arg.schema for name, arg in route.args.items()}
    required = [name for name, arg in route.args.items() if arg.required]
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        **({"required": required} if required else {}),
    }
