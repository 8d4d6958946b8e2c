"""The description of the API and the page agree with the table of routes."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib.resources import files
from typing import Any

import pytest

from rish_remote import openapi
from rish_remote.table import ROUTES

PAGE = files("rish_remote").joinpath("page", "index.html").read_text(encoding="utf-8")


def test_every_route_is_described(pond: Any) -> None:
    """The served description holds each route once, with its path parameters, and every reference in it resolves."""
    status, served = pond.ask("GET", "/openapi.json")
    assert (status, served) == (200, openapi())
    operations = [operation for path in served["paths"].values() for operation in path.values()]
    assert len(operations) == len(ROUTES) == len({operation["operationId"] for operation in operations})
    for path, methods in served["paths"].items():
        for operation in methods.values():
            named = {one["name"] for one in operation["parameters"] if one["in"] == "path"}
            assert named == set(re.findall(r"{(\w+)}", path))
            assert operation["description"]
    for reference in re.findall(r"'\$ref': '#/([^']+)'", str(served)):
        found: Any = served
        for key in reference.split("/"):
            found = found[key]


def test_the_page_uses_routes_that_exist() -> None:
    """Each path that the page asks for is that of a route with that method."""
    asked = re.findall(r"(?:get\(|(?:send|ask)\(\"(\w+)\", )`\$\{API\}([^`?]*)", PAGE)
    used = {(method or "GET", f"api/1{re.sub(r'[$]{[^}]*}', 'x', path)}") for method, path in asked}
    known = {
        (method, path)
        for method, path in used
        for route in ROUTES
        if route.method == method and route.match(path.split("/")) is not None
    }
    assert len(used) > 12
    assert used == known


def test_the_page_loads_nothing_from_elsewhere() -> None:
    """The page names no other host and has no attributes that its content security policy would block."""
    body = PAGE.split("<body>")[1].split("<script>")[0]
    assert not re.search(r"https?://|@import|\bsrc=\"(?!\")|innerHTML|\beval\b", PAGE)
    assert not re.search(r"\bstyle=|\bon\w+=", body)


def test_the_script_of_the_page_is_valid() -> None:
    """The script of the page parses."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    script = PAGE.split("<script>")[1].split("</script>")[0]
    subprocess.run([node, "--check", "-"], input=script, text=True, check=True, timeout=30)
