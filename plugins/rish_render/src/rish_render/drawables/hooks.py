"""The hook that registers kinds of drawables."""

from __future__ import annotations

from typing import Any

from rish_core import Reader, declared_instances, hookspec


def read_drawables(plugin: str, value: Any) -> list[tuple[str, Any]]:
    """Read the kinds of drawables; the names have the form `plugin.Component`."""
    from .kind import DrawableKind

    kinds = declared_instances("rish_drawables", value, (DrawableKind,), "DrawableKind")
    return [(f"{plugin}.{name}", kind) for name, kind in kinds]


@hookspec(reads=Reader("drawable", read_drawables), provisional=True)
def rish_drawables() -> list[Any]:  # pyright: ignore[reportReturnType]
    """Declare kinds of drawables: components whose things the renderer sorts among sprites, texts and shapes.

    When: while the registry is built; a kind is asked in each frame in which there are things of it.
    How often: once.
    Arguments: none.
    Returns: a list of objects of subclasses of `rish_render.DrawableKind`, in their drawing order for equal layer and
        z. Kinds of other plugins are drawn over those of `render`.
    Failures: anything else in the list disables the plugin; a kind that raises is reported once and not asked again.
    Example::

        class Vanes(DrawableKind):
            component = Vane

            def extract(self, scene):
                seen = scene.visible(Vane)
                arrays = vane_arrays(scene.world, seen)

                def make(some, state):
                    return Batch("shapes", {name: array[some] for name, array in arrays.items()})

                z, height = scene.world.table(Vane).column("z")[seen.rows], seen.matrix[:, 5]
                return [Drawables(seen.numbers, z, height, np.zeros(len(z), np.int64), make)]

        def rish_drawables():
            return [Vanes()]
    """
