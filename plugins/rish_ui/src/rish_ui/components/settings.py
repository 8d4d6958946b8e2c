"""The settings of the plugin, `settings: ui:`. They affect only the display and the input of the interface."""

from __future__ import annotations

from rish_ecs import Vec4, field, resource


@resource(view=True)
class UiSettings:
    """The settings of the plugin, `settings: ui:`. All of them are `view`: the state of a game does not depend on them.

    theme: `dark`, `light`, `contrast`, or the path of a theme file of the game. language: of the texts, such as `en` or
    `zh-Hant`; empty: that of the system. fallback: the language of texts that are missing in the chosen one. locale:
    the folder with the translations of the game. layer: the layer of screens that name none; it is added above all
    others if the manifest has no layer of that name.
    """

    theme: str = "dark"
    language: str = ""
    fallback: str = "en"
    locale: str = "locale"
    layer: str = "ui"
    scale: float = field(1.0, low=0.25, high=8, doc="multiplies all lengths of the interface")
    text_scale: float = field(1.0, low=0.5, high=3, doc="multiplies the size of texts")
    reduced_motion: bool = field(False, doc="whether transitions are left out")
    safe_area: Vec4 = field((0, 0, 0, 0), unit="px", low=0, doc="left top right bottom margins that may be covered")
    repeat_delay: float = field(0.4, unit="s", low=0.05, high=10, doc="until a held direction repeats")
    repeat_every: float = field(0.09, unit="s", low=0.02, high=10, doc="between two repetitions")
