"""The hook that rish_scripts adds."""

from __future__ import annotations

from rish_core import hookspec


@hookspec(declares="rish_components")
def rish_scripts() -> list[type]:  # pyright: ignore[reportReturnType]
    """Scripts, which entities may carry.

    When: while the registry is built, as `rish_components`; the scripts get their full names, `game.Door`.
    How often: once, and again when the game's code was edited.
    Arguments: none.
    Returns: a list of `Script` classes; `scripts_in(package)` gives all that a package has.
    Failures: anything else in the list sets the plugin aside; a class declared twice, here and in `rish_components`,
        refuses the game.
    Example::

        class Door(Script):
            open: bool = False

        def rish_scripts():
            return [Door]
    """
