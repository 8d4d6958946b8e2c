"""The hook that rish_scripts adds."""

from __future__ import annotations

from rish_core import hookspec


@hookspec(declares="rish_components")
def rish_scripts() -> list[type]:  # pyright: ignore[reportReturnType]
    """Declare scripts, which entities may have.

    When: while the registry is built, like `rish_components`; the scripts get their full names, `game.Door`.
    How often: once, and again when the game's code was edited.
    Arguments: none.
    Returns: a list of `Script` classes; `scripts_in(package)` returns all scripts of a package.
    Failures: anything else in the list disables the plugin; if a class is declared twice, here and in
        `rish_components`, the game does not start.
    Example::

        class Door(Script):
            open: bool = False

        def rish_scripts():
            return [Door]
    """
