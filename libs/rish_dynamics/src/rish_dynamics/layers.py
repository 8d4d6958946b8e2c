"""Collision layers: named layers that say which shapes collide, and the bits that represent them.

The first bit is the default layer, for shapes that name no layer; each name gets the next bit. Two layers collide if
each lists the other, as categories and masks do in Box2D. `all` means every layer, `none` no layer; a layer without an
entry, such as the default layer, has `all`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rish_jit.errors import UnknownName, UsageError

DEFAULT = "default"
"""The name of the layer of shapes that name none."""
MAX_LAYERS = 31
"""The number of named layers; one bit of 32 is the default layer."""
Bits = tuple[int, int]
Written = Mapping[str, str | Sequence[str]]


def layer_bits(written: Written, place: str = "layers") -> dict[str, Bits]:
    """Return the category and the mask of each layer by name, int32 each; the key "" is the default layer.

    place: where the layers are written, for errors. Raises UsageError for too many layers, UnknownName for an unknown
    layer name.
    """
    names = [DEFAULT, *(name for name in written if name != DEFAULT)]
    if len(names) > MAX_LAYERS + 1:
        raise UsageError(f"there are {len(names) - 1} collision layers, but at most {MAX_LAYERS} are allowed")
    bits: dict[str, Bits] = {}
    for k, name in enumerate(names):
        partners = written.get(name, "all")
        others = () if partners == "all" else _others(name, partners, names, place)
        mask = -1 if partners == "all" else sum({1 << names.index(other) for other in others})
        bits[name] = (_signed(1 << k), _signed(mask))
    return {"": bits[DEFAULT], **bits}


def contradictions(written: Written) -> Iterator[tuple[str, str]]:
    """Yield each layer that lists another layer which does not list it, with a sentence. Every name must exist."""
    names = [DEFAULT, *written]
    for name, partners in written.items():
        for other in _others(name, partners, names, "layers") if partners != "all" else ():
            other_partners = written.get(other, "all")
            if other_partners != "all" and name not in _others(other, other_partners, names, "layers"):
                yield name, f"{name!r} lists {other!r}, but {other!r} does not list {name!r}, so they do not collide"


def _others(name: str, partners: str | Sequence[str], names: Sequence[str], place: str) -> Sequence[str]:
    """Return the names of the layers with which a layer collides. partners: its entry, which is not `all`."""
    if partners == "none":
        return ()
    others = [partners] if isinstance(partners, str) else partners
    for other in others:
        if other not in names:
            raise UnknownName(
                f"{place}.{name}: there is no layer {other!r}", given=other, choices=[*names, "all", "none"]
            )
    return others


def _signed(bits: int) -> int:
    """Return 32 bits as a signed int32."""
    return bits - (1 << 32) if bits >= 1 << 31 else bits
