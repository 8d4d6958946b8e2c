"""The hooks with which plugins add kinds of widgets, and rows for lists."""

from __future__ import annotations

from typing import Any

from rish_core import Reader, declared_instances, declared_mapping, hookspec

from .kind import Kind


def read_widgets(plugin: str, value: Any) -> list[tuple[str, Any]]:
    """Read the kinds of widgets, by name."""
    return list(declared_instances("rish_widgets", value, (Kind,), "Kind"))


def read_rows(plugin: str, value: Any) -> list[tuple[str, Any]]:
    """Read the sources of rows, by name."""
    return list(declared_mapping("rish_rows", value, "a function (world) that returns the rows", callable))


@hookspec(reads=Reader("kind of widget", read_widgets), provisional=True)
def rish_widgets() -> list[Kind]:  # pyright: ignore[reportReturnType]
    """Declare kinds of widgets; the component of each is declared by `rish_components`.

    When: while the registry is built.
    How often: once.
    Arguments: none.
    Returns: a list of objects of subclasses of `Kind`.
    Failures: any other item disables the plugin; a name used by two plugins refuses the game.
    Example::

        class GaugeKind(Kind):
            component, name = Gauge, "Panel"

        @hookimpl(optional=True)
        def rish_widgets():
            return [GaugeKind()]
    """


@hookspec(reads=Reader("source of rows", read_rows), provisional=True)
def rish_rows() -> Any:
    """Declare sources of rows for the widget List, which names them by `source`.

    When: while the registry is built; the functions are called when a list is shown.
    How often: once.
    Arguments: none.
    Returns: {name: function(world) -> a sequence of texts}. The function is called each frame, so return the same
        object as long as the rows are the same.
    Failures: any other result disables the plugin; a name used by two plugins refuses the game.
    Example::

        @hookimpl(optional=True)
        def rish_rows():
            return {"scores": lambda world: world[Scores].lines}
    """
