"""The events of widgets. All of them call the method of scripts on the widget's entity."""

from __future__ import annotations

from rish_ecs import Chars, Entity, event, field

_WIDGET = "the widget"
_PLAYER = "number of the player, from 1; 0: of no player in particular"


@event(script="on_pressed")
class Pressed:
    """A widget was pressed and is held."""

    widget: Entity = field(0, doc=_WIDGET)
    player: int = field(0, doc=_PLAYER)


@event(script="on_released")
class Released:
    """A widget that was pressed is no longer held."""

    widget: Entity = field(0, doc=_WIDGET)
    player: int = field(0, doc=_PLAYER)


@event(script="on_clicked")
class Clicked:
    """A button, a row or another widget was pressed and released, or confirmed by a key."""

    widget: Entity = field(0, doc=_WIDGET)
    player: int = field(0, doc=_PLAYER)


@event(script="on_changed")
class Changed:
    """The player changed the value of a widget. text: of a TextInput; value: of all others."""

    widget: Entity = field(0, doc=_WIDGET)
    value: float = field(0.0, doc="the number, index, or 1 for on")
    text: Chars = field("", doc="of a TextInput")
    player: int = field(0, doc=_PLAYER)


@event(script="on_submitted")
class Submitted:
    """The player finished a TextInput with the key for confirmation. valid: whether its check is true."""

    widget: Entity = field(0, doc=_WIDGET)
    text: Chars = field("", doc="of a TextInput")
    valid: bool = field(True, doc="whether the check of the TextInput is true")
    player: int = field(0, doc=_PLAYER)
