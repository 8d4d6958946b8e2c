"""The colors of the editor by meaning: a `Theme` names each color by its use, and no other code has colors.

Hues: the neutral colors lean a little to violet; one accent, iris, marks what is chosen. While the game plays the
accent is amber (`Theme.playing`), so that nobody edits a running game by mistake. X is red, Y green, Z blue, on the
plane and in space; what belongs to several axes is yellow. Every color of text has at least a contrast of 4.5 to each
surface that it is drawn on.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache

from rish_ecs import parse_color

Rgba = tuple[float, float, float, float]
"""Red, green, blue and opacity, 0 to 1, as ImGui takes them."""
LEVELS = ("trace", "debug", "info", "warning", "error", "critical")
"""The levels of the log, from the least to the most important."""


@dataclass(frozen=True)
class Theme:
    """The colors of the editor, as `#rrggbb` or `#rrggbbaa`; `theme.rgba("accent")` returns one as numbers.

    Surfaces: `window` (behind and between panels), `panel`, `header` (of tables and sections), `bar` (menu, toolbar and
    status), `input`, `popup`, `stripe` (every second row). `stripe`, `hover` and `active` are laid over another one.
    `selection_idle` is the selection in a panel without focus. `mixed`: several values in one field. `override`: a
    value that differs from its prefab. `prefab`: an entity made from one. `dim` covers what is behind a dialog.
    """

    name: str
    dark: bool
    # Surfaces
    window: str
    panel: str
    header: str
    bar: str
    input: str
    input_hover: str
    popup: str
    stripe: str
    # Text
    text: str
    text_dim: str
    text_disabled: str
    text_accent: str
    on_accent: str
    # What reacts to the mouse
    accent: str
    accent_hover: str
    accent_active: str
    button: str
    button_hover: str
    button_active: str
    hover: str
    active: str
    selection: str
    selection_idle: str
    # Lines
    border: str
    border_strong: str
    focus: str
    scroll: str
    scroll_hover: str
    dim: str
    # States
    ok: str
    warning: str
    error: str
    info: str
    trace: str
    debug: str
    critical: str
    critical_row: str
    mixed: str
    override: str
    prefab: str
    unsaved: str
    play: str
    play_hover: str
    play_active: str
    on_play: str
    play_bar: str
    # The scene view
    scene: str
    grid: str
    grid_major: str
    axis_x: str
    axis_y: str
    axis_z: str
    axis_center: str
    outline: str
    outline_hover: str
    camera: str
    collider: str
    sensor: str
    body: str
    joint: str
    light: str
    emitter: str
    sound: str

    @cached_property
    def _numbers(self) -> dict[str, Rgba]:
        names = [field.name for field in fields(self) if field.type == "str" and field.name != "name"]
        return {name: _rgba(getattr(self, name)) for name in names}

    @cached_property
    def _packed(self) -> dict[str, int]:
        return {name: _pack(color) for name, color in self._numbers.items()}

    @cached_property
    def roles(self) -> dict[str, tuple[tuple[int, int], ...]]:
        """Filled by `style.role`: the numbers of ImGui's colors in a role, and the packed colors."""
        return {}

    def tokens(self) -> tuple[str, ...]:
        """Return the names of the colors."""
        return tuple(self._numbers)

    def rgba(self, name: str, opacity: float = 1.0) -> Rgba:
        """Return a color by its name, with its opacity multiplied. Raises KeyError for an unknown name."""
        red, green, blue, alpha = self._numbers[name]
        return red, green, blue, alpha * opacity

    def packed(self, name: str, opacity: float = 1.0) -> int:
        """Return a color as ImGui's draw lists take it: opacity, blue, green, red from the highest byte."""
        if opacity == 1.0:
            return self._packed[name]
        return _pack(self.rgba(name, opacity))

    def log(self, level: str) -> Rgba:
        """Return the color of a level of the log, such as `warning`; that of `info` for an unknown level."""
        return self.rgba(level if level in LEVELS else "info")

    def playing(self) -> Theme:
        """Return the theme while the game plays: the accent and the bars have the colors of play."""
        return replace(
            self,
            name=f"{self.name}, playing",
            accent=self.play,
            accent_hover=self.play_hover,
            accent_active=self.play_active,
            on_accent=self.on_play,
            text_accent=self.play,
            focus=self.play,
            bar=self.play_bar,
        )


@lru_cache(1024)
def _pack(color: Rgba) -> int:
    red, green, blue, alpha = (round(part * 255) for part in color)
    return alpha << 24 | blue << 16 | green << 8 | red


def _rgba(text: str) -> Rgba:
    red, green, blue, alpha = parse_color(text)
    return red, green, blue, alpha


DARK = Theme(
    name="Dark",
    dark=True,
    window="#15151b",
    panel="#1e1e26",
    header="#282832",
    bar="#1a1a21",
    input="#14141a",
    input_hover="#191920",
    popup="#25252f",
    stripe="#ffffff06",
    text="#e6e5ec",
    text_dim="#aeacba",
    text_disabled="#918f9e",
    text_accent="#b3a7ff",
    on_accent="#15131f",
    accent="#9a8cff",
    accent_hover="#ada1ff",
    accent_active="#8576f0",
    button="#31313d",
    button_hover="#3c3c4a",
    button_active="#4b4676",
    hover="#ffffff0f",
    active="#ffffff1a",
    selection="#3d3770",
    selection_idle="#33323f",
    border="#34343f",
    border_strong="#4b4a59",
    focus="#9a8cff",
    scroll="#454452",
    scroll_hover="#5a5969",
    dim="#0a0a0eb0",
    ok="#7ed492",
    warning="#f0c060",
    error="#ff8a8f",
    info="#8cc4f2",
    trace="#9391a1",
    debug="#b7b5c4",
    critical="#ff8098",
    critical_row="#3d1a28",
    mixed="#aeacba",
    override="#8fd6f5",
    prefab="#b9aeff",
    unsaved="#f0c060",
    play="#ffb454",
    play_hover="#ffc478",
    play_active="#eb9f3c",
    on_play="#241705",
    play_bar="#2b2218",
    scene="#1a1a20",
    grid="#ffffff0d",
    grid_major="#ffffff1f",
    axis_x="#ff6161",
    axis_y="#a3e635",
    axis_z="#5c94ff",
    axis_center="#ffd84d",
    outline="#ffb454",
    outline_hover="#ffffffb0",
    camera="#b3a7ff",
    collider="#8ce07f",
    sensor="#5fc9e8",
    body="#d8d6e4",
    joint="#f59ad2",
    light="#ffe27a",
    emitter="#ff9f6e",
    sound="#4fd6b4",
)

LIGHT = Theme(
    name="Light",
    dark=False,
    window="#d9d8e0",
    panel="#f6f5f9",
    header="#e7e6ee",
    bar="#ecebf2",
    input="#ffffff",
    input_hover="#ffffff",
    popup="#fdfcff",
    stripe="#0000000a",
    text="#24222e",
    text_dim="#54515f",
    text_disabled="#66636f",
    text_accent="#5140c4",
    on_accent="#ffffff",
    accent="#6250d8",
    accent_hover="#5443c9",
    accent_active="#4535b0",
    button="#e2e1ea",
    button_hover="#d6d4e1",
    button_active="#c3b9f2",
    hover="#0000000f",
    active="#0000001c",
    selection="#d5ceff",
    selection_idle="#dcdae5",
    border="#cfcdd9",
    border_strong="#a9a6b8",
    focus="#6250d8",
    scroll="#bdbac9",
    scroll_hover="#9f9bb0",
    dim="#24222e80",
    ok="#1b6b3a",
    warning="#7d5200",
    error="#ab1c2b",
    info="#125f9e",
    trace="#66636f",
    debug="#54515f",
    critical="#a8123f",
    critical_row="#fbdce4",
    mixed="#54515f",
    override="#0b638c",
    prefab="#4a39bd",
    unsaved="#8f5400",
    play="#854700",
    play_hover="#753f00",
    play_active="#6b3900",
    on_play="#ffffff",
    play_bar="#fbe6c8",
    scene="#e9e8ef",
    grid="#00000014",
    grid_major="#0000002e",
    axis_x="#881220",
    axis_y="#309000",
    axis_z="#1b3da8",
    axis_center="#a08200",
    outline="#b35300",
    outline_hover="#000000a0",
    camera="#5140c4",
    collider="#1f7a2e",
    sensor="#0b6a8c",
    body="#3c3a47",
    joint="#a01f78",
    light="#806000",
    emitter="#b0430f",
    sound="#0a6b57",
)

HIGH_CONTRAST = Theme(
    name="High contrast",
    dark=True,
    window="#3d3d3d",
    panel="#000000",
    header="#1c1c1c",
    bar="#000000",
    input="#000000",
    input_hover="#1a1a1a",
    popup="#0d0d0d",
    stripe="#ffffff12",
    text="#ffffff",
    text_dim="#e0e0e0",
    text_disabled="#b0b0b0",
    text_accent="#ffe14d",
    on_accent="#000000",
    accent="#ffe14d",
    accent_hover="#fff08f",
    accent_active="#e6c800",
    button="#262626",
    button_hover="#404040",
    button_active="#6b6000",
    hover="#ffffff2e",
    active="#ffffff47",
    selection="#083a80",
    selection_idle="#3a3a3a",
    border="#8c8c8c",
    border_strong="#ffffff",
    focus="#ffe14d",
    scroll="#9a9a9a",
    scroll_hover="#ffffff",
    dim="#000000c8",
    ok="#6dff8f",
    warning="#ffd24d",
    error="#ff9c9c",
    info="#8fd0ff",
    trace="#c4c4c4",
    debug="#e0e0e0",
    critical="#ff6b8b",
    critical_row="#4d0015",
    mixed="#e0e0e0",
    override="#7de3ff",
    prefab="#cfc6ff",
    unsaved="#ffd24d",
    play="#ffa94d",
    play_hover="#ffc07d",
    play_active="#f08c1a",
    on_play="#000000",
    play_bar="#3a1f00",
    scene="#000000",
    grid="#ffffff2e",
    grid_major="#ffffff5c",
    axis_x="#ff6a5c",
    axis_y="#9dff3d",
    axis_z="#5c96ff",
    axis_center="#ffe23d",
    outline="#ffa94d",
    outline_hover="#ffffff",
    camera="#c9bfff",
    collider="#8cff7a",
    sensor="#6be0ff",
    body="#ffffff",
    joint="#ff9ee0",
    light="#fff04d",
    emitter="#ffa87a",
    sound="#5fffd0",
)

THEMES = {theme.name: theme for theme in (DARK, LIGHT, HIGH_CONTRAST)}
"""All themes of the editor, by name."""
