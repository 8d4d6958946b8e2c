"""`Theme`: the styles of all kinds, parts, variants and states, ready to be used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from rish_ecs import UnknownName

from .kinds import PARTS
from .style import OF_TEXT, State, Style, over

Layer = Mapping[str, Any]
Ready = Mapping[str, Mapping[tuple[str, int], Layer]]
"""By kind or part, then by variant and states, the values of fields."""


class Theme:
    """The styles of a theme. name: as in the settings. text_scale: multiplies text sizes; motion: transitions.

    Values are applied in this order, and later ones win: those of `Any`, of the kind or part, of the variant; those of
    states, in the order of `State`, first of single ones, then of combinations; those of the variant's states. A part
    takes the fields of its text from its widget, which may be disabled, unless it has them itself. A disabled widget is
    neither hovered nor pressed.
    """

    def __init__(self, name: str, layers: Ready, text_scale: float = 1.0, *, motion: bool = True) -> None:
        self.name, self.text_scale, self.motion = name, text_scale, motion
        self._layers = layers
        self._styles: dict[tuple[str, str, str, int], Style] = {}
        self._orders = {entry: _order(by_states) for entry, by_states in layers.items()}

    def style(self, kind: str, variant: str = "", part: str = "", states: int = 0) -> Style:
        """Return a style; equal arguments get the same object. A variant that does not exist has no effect.

        states: the sum of members of `State`. Raises UnknownName for a kind or part that does not exist.
        """
        key = (kind, variant, part, states)
        style = self._styles.get(key)
        if style is None:
            style = self._styles[key] = self._make(kind, variant, part, states)
        return style

    def variants(self, kind: str) -> list[str]:
        """Return the variants that a kind has, or one of its parts, or all kinds, in the order of the theme."""
        entries = ["Any", kind, *(f"{kind}.{part}" for part in PARTS.get(kind, ()))]
        return list(dict.fromkeys(name for entry in entries for name, _ in self._layers.get(entry, ()) if name))

    def scaled(self, text_scale: float, *, motion: bool = True) -> Theme:
        """Return the theme with other sizes of texts, or without transitions."""
        return Theme(self.name, self._layers, text_scale, motion=motion)

    def _make(self, kind: str, variant: str, part: str, states: int) -> Style:
        if kind not in PARTS:
            raise UnknownName(f"there is no kind of widget {kind!r}", given=kind, choices=PARTS)
        if part and part not in PARTS[kind]:
            raise UnknownName(f"{kind} has no part {part!r}", given=part, choices=PARTS[kind])
        if states & State.DISABLED:
            states &= ~(State.HOVERED | State.PRESSED)
        values: dict[str, Any] = {}
        if part:
            widget = self.style(kind, variant, "", states & State.DISABLED)
            values = {name: getattr(widget, name) for name in OF_TEXT}
            values["text_size"] /= self.text_scale
            entries: tuple[str, ...] = (f"{kind}.{part}",)
            values |= {k: v for k, v in self._layers.get("Any", {}).get(("", 0), {}).items() if k not in OF_TEXT}
        else:
            entries = ("Any", kind)
        for layer in self._chosen(entries, variant, states):
            values |= layer
            if "fill" in layer and "fill_end" not in layer:
                values["fill_end"] = layer["fill"]
        return self._finished(values)

    def _chosen(self, entries: Iterable[str], variant: str, states: int) -> Iterable[Layer]:
        """Yield the layers that apply, in order."""
        variants = ("", variant) if variant else ("",)
        for name in variants:
            for entry in entries:
                yield self._layers.get(entry, {}).get((name, 0), {})
        for name in variants:
            for entry in entries:
                for mask in self._orders.get(entry, {}).get(name, ()) if states else ():
                    if mask & states == mask:
                        yield self._layers[entry][name, mask]

    def _finished(self, values: dict[str, Any]) -> Style:
        veil = values.pop("veil", None)
        style = Style(**values)
        if veil is not None and veil[3]:
            edge = over(veil, style.edge) if style.edge[3] else style.edge
            style = replace(style, fill=over(veil, style.fill), fill_end=over(veil, style.fill_end), edge=edge)
        seconds = style.seconds if self.motion else 0.0
        return replace(style, text_size=style.text_size * self.text_scale, seconds=seconds)


def _order(layers: Mapping[tuple[str, int], Layer]) -> dict[str, list[int]]:
    """Return the states of each variant in the order in which they are applied."""
    masks_by_variant: dict[str, list[int]] = {}
    for name, mask in layers:
        if mask:
            masks_by_variant.setdefault(name, []).append(mask)
    return {name: sorted(masks, key=lambda mask: (mask.bit_count(), mask)) for name, masks in masks_by_variant.items()}
