"""Where a manifest writes values of widgets: in components, and in fields of inherited children."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from rish_core.manifest import YamlList, YamlMap

if TYPE_CHECKING:
    from rish_core.manifest import Mark

Steps = tuple[str | int, ...]
_PLUGIN = "ui."


class Written(NamedTuple):
    """A field of a component as a manifest gives it. path: the keys that lead to it."""

    component: str
    field: str
    value: Any
    mark: Mark
    path: Steps


def written(node: Any, path: Steps) -> Iterator[Written]:
    """Yield the fields of all components in a part of a manifest: `Button: {text: Go}` and `go.Button.text: Go`."""
    if isinstance(node, YamlList):
        for index, item in enumerate(node):
            yield from written(item, (*path, index))
    elif isinstance(node, YamlMap):
        for key, value in node.items():
            parts = key.rpartition(".")
            name = key.removeprefix(_PLUGIN)
            if isinstance(value, YamlMap) and name[:1].isupper() and "." not in name:
                for field, each in value.items():
                    yield Written(name, field, each, value.values_at[field], (*path, key, field))
            elif parts[0].rpartition(".")[2][:1].isupper():
                yield Written(parts[0].rpartition(".")[2], parts[2], value, node.values_at[key], (*path, key))
            yield from written(value, (*path, key))
