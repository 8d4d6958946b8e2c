"""Collision layers: names in the manifest for what collides with what, and the bits that they become.

The first bit is the default layer, of colliders that name none; each name of `settings: physics: layers` takes the
next one. Two layers collide where either names the other, so that no pair needs to be written twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rish_core import UnknownName, UsageError

DEFAULT = "default"
"""What the layer of colliders that name none is called."""
MOST = 31
"""Named layers; one bit of 32 is the default one."""
Bits = tuple[int, int]


def layer_bits(written: Mapping[str, str | Sequence[str]]) -> dict[str, Bits]:
    """The category and the mask of each layer by name, int32 each; "" stands for the default layer.

    Raises UsageError for too many layers, UnknownName for a name that is none.
    """
    names = [DEFAULT, *(name for name in written if name != DEFAULT)]
    if len(names) > MOST + 1:
        raise UsageError(f"{len(names) - 1} collision layers are too many: {MOST} are the most")
    masks = [0] * len(names)
    for name in names:
        for other in _others(name, written.get(name, "all" if name == DEFAULT else "none"), names):
            masks[names.index(name)] |= 1 << names.index(other)
            masks[names.index(other)] |= 1 << names.index(name)
    if not written:
        masks = [-1]
    bits = {name: (_signed(1 << k), _signed(masks[k])) for k, name in enumerate(names)}
    return {"": bits[DEFAULT], **bits}


def _others(name: str, wanted: str | Sequence[str], names: list[str]) -> list[str]:
    """The layers that one collides with, as written."""
    if wanted in ("all", "none"):
        return names if wanted == "all" else []
    if isinstance(wanted, str):
        wanted = [wanted]
    for other in wanted:
        if other not in names:
            raise UnknownName(
                f"settings.physics.layers.{name}: there is no layer {other!r}",
                given=other,
                choices=[*names, "all", "none"],
            )
    return list(wanted)


def _signed(bits: int) -> int:
    """32 bits as an int32 holds them."""
    return bits - (1 << 32) if bits >= 1 << 31 else bits
