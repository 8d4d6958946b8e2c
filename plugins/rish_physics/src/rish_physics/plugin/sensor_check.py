"""Finds sensors in a manifest that no collider of the manifest can enter.

A sensor notices the colliders of other bodies that its filter allows, unless both bodies are static. Code may spawn
other colliders than those of scenes and prefabs, so such a sensor causes a warning and no error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rish_core.manifest import Mark, YamlList, YamlMap
from rish_dynamics import layer_bits
from rish_ecs import RishError

if TYPE_CHECKING:
    from rish_core import Manifest

_MAX_DEPTH = 64
_FILTER = (("category", 0), ("mask", -1), ("group", 0))
"""Fields of `Collider` and their defaults."""


@dataclass
class _Form:
    """A collider of the manifest: its fields, the type of its body, and its position in the file."""

    fields: Mapping[str, Any]
    body: str
    mark: Mark
    path: str

    def filter(self, bits: Mapping[str, tuple[int, int]]) -> tuple[int, int, int] | None:
        """Return category, mask and group; None if one of them is not a plain value."""
        layer = self.fields.get("collision_layer", "")
        category, mask, group = (self.fields.get(name, empty) for name, empty in _FILTER)
        if layer not in bits or not all(isinstance(each, int) for each in (category, mask, group)):
            return None
        of_layer = bits[layer]
        return category or of_layer[0], of_layer[1] & mask, group


def blind_sensors(manifest: Manifest, layers: Mapping[str, Any]) -> Iterator[tuple[Mark, str, str]]:
    """Yield place, path and a sentence for each sensor that no collider of the scenes and prefabs can enter."""
    try:
        bits = layer_bits(layers)
    except RishError:
        return
    forms = list(_forms(manifest))
    for form in forms:
        if form.fields.get("sensor") is not True:
            continue
        others = [other for other in forms if other is not form]
        meeting = [other for other in others if _meet(form, other, bits)]
        if others and not meeting:
            what = "this sensor notices nothing: its layer, mask and group exclude all colliders of the game"
            yield form.mark, form.path, what
        elif others and form.body == "static" and all(other.body == "static" for other in meeting):
            what = "this sensor notices nothing: it is static, and so is every collider that it could notice. "
            yield form.mark, form.path, what + "Give it or the other a Body, for example `Body: {type: kinematic}`"


def _meet(form: _Form, other: _Form, bits: Mapping[str, tuple[int, int]]) -> bool:
    """Return True if the filters of two colliders let them meet, or are unknown."""
    filter_a, filter_b = form.filter(bits), other.filter(bits)
    if filter_a is None or filter_b is None:
        return True
    if filter_a[2] and filter_a[2] == filter_b[2]:
        return filter_a[2] > 0
    return bool(filter_a[0] & filter_b[1]) and bool(filter_b[0] & filter_a[1])


def _forms(manifest: Manifest) -> Iterator[_Form]:
    """Yield the colliders of all prefabs, as bodies may be spawned from them, and of all scenes."""
    for name, prefab in manifest.prefabs.items():
        yield from _walk(manifest, prefab, f"prefabs.{name}", "static", _MAX_DEPTH)
    for name, scene in manifest.scenes.items():
        for index, entry in enumerate(scene if isinstance(scene, YamlList) else ()):
            yield from _walk(manifest, entry, f"scenes.{name}[{index}]", "static", _MAX_DEPTH)


def _walk(manifest: Manifest, entry: Any, path: str, body: str, depth: int) -> Iterator[_Form]:
    """Yield the colliders of an entry, of its prefab and of its children. body: the type of the body above it."""
    if not isinstance(entry, YamlMap) or not depth:
        return
    body_fields = _fields(manifest, entry, "Body", _MAX_DEPTH)
    body = body if body_fields is None else str(body_fields.get("type", "dynamic")).lower()
    fields = _fields(manifest, entry, "Collider", _MAX_DEPTH)
    if fields is not None:
        yield _Form(fields, body, entry.mark, f"{path}.Collider")
    for part, inner in ((entry, path), (manifest.prefabs.get(str(entry.get("prefab"))), path)):
        children = part.get("children") if isinstance(part, YamlMap) else None
        for index, child in enumerate(children if isinstance(children, YamlList) else ()):
            yield from _walk(manifest, child, f"{inner}.children[{index}]", body, depth - 1)


def _fields(manifest: Manifest, entry: YamlMap, name: str, depth: int) -> dict[str, Any] | None:
    """Return the fields of a component of an entry, including those of its prefabs; None if the entry does not have
    the component.
    """
    base = manifest.prefabs.get(str(entry.get("prefab"))) if "prefab" in entry and depth else None
    inherited = _fields(manifest, base, name, depth - 1) if isinstance(base, YamlMap) else None
    key = name if name in entry else f"physics.{name}"
    if key not in entry:
        return inherited
    content = entry[key]
    return None if content is None else {**(inherited or {}), **(content if isinstance(content, YamlMap) else {})}
