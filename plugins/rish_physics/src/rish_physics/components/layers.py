"""Collision layers: names in the manifest for what collides with what, and the bits that they become.

The first bit is the default layer, of colliders that name none; each name of `settings: physics: layers` takes the
next one. Two layers collide where each has the other in its list, as categories and masks do in Box2D. `all` is every
layer; a layer without an entry, such as the default one, has `all`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rish_core import UnknownName, UsageError

DEFAULT = "default"
"""What the layer of colliders that name none is called."""
MAX_LAYERS = 31
"""Named layers; one bit of 32 is the default one."""
Bits = tuple[int, int]
Written = Mapping[str, str | Sequence[str]]


def layer_bits(written: Written) -> dict[str, Bits]:
    """The category and the mask of each layer by name, int32 each; "" stands for the default layer.

    Raises UsageError for too many layers, UnknownName for a name that is none.
    """
    names = [DEFAULT, *(name for name in written if name != DEFAULT)]
    if len(names) > MAX_LAYERS + 1:
        raise UsageError(f"{len(names) - 1} collision layers are too many: {MAX_LAYERS} are the most")
    bits: dict[str, Bits] = {}
    for k, name in enumerate(names):
        wanted = written.get(name, "all")
        mask = -1 if wanted == "all" else sum({1 << names.index(other) for other in _others(name, wanted, names)})
        bits[name] = (_signed(1 << k), _signed(mask))
    return {"": bits[DEFAULT], **bits}


def contradictions(written: Written) -> Iterator[tuple[str, str]]:
    """The layers that list another one whose entry leaves them out, each with a sentence. Every name must exist."""
    names = [DEFAULT, *written]
    for name, wanted in written.items():
        for other in _others(name, wanted, names) if wanted != "all" else ():
            theirs = written.get(other, "all")
            if theirs != "all" and name not in _others(other, theirs, names):
                yield name, f"{name!r} lists {other!r}, and {other!r} does not list {name!r}: the two don't collide"


def _others(name: str, wanted: str | Sequence[str], names: Sequence[str]) -> Sequence[str]:
    """The layers that one lists, as written; `wanted` is not `all`."""
    if wanted == "none":
        return ()
    others = [wanted] if isinstance(wanted, str) else wanted
    for other in others:
        if other not in names:
            raise UnknownName(
                f"settings.physics.layers.{name}: there is no layer {other!r}",
                given=other,
                choices=[*names, "all", "none"],
            )
    return others


def _signed(bits: int) -> int:
    """32 bits as an int32 holds them."""
    return bits - (1 << 32) if bits >= 1 << 31 else bits
