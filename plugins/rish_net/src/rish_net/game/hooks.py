"""The hook that rish_net adds: autopilots for the seats of players who left."""

from __future__ import annotations

from typing import Any

from rish_core import DeclarationError, Reader, hookspec


def read_autopilot(plugin: str, value: Any) -> list[tuple[str, Any]]:
    """Check the result of a plugin: a function, or None."""
    if value is None:
        return []
    if not callable(value):
        hint = "Return a function (world, seat) that presses keys of the player of this seat"
        raise DeclarationError(f"rish_autopilot returned {type(value).__name__}, expected a function", hint=hint)
    return [(plugin, value)]


@hookspec(reads=Reader("autopilot of", read_autopilot), provisional=True)
def rish_autopilot() -> Any:
    """Declare the function that plays the seat of a player who left, with `settings: net: {left: autopilot}`.

    When: while the registry is built; the function is called in each tick, in the stage INPUT.
    How often: once.
    Arguments: none.
    Returns: a function `(world, seat)`. It runs on all machines and may use only the state of the World and its random
        streams, not events. It presses keys by `world[Input].player(seat).press("left")`; they are released when the
        player is back.
    Failures: anything else disables the plugin.
    Example::

        def fetch_fruit(world, seat):
            world[Input].player(seat).press("left")

        @hookimpl(optional=True)
        def rish_autopilot():
            return fetch_fruit
    """
