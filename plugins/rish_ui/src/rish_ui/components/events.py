"""The events of widgets. All of them call the method of scripts on the widget's entity."""

from __future__ import annotations

from rish_ecs import Chars, Entity, event


@event(script="on_pressed")
class Pressed:
    """A widget was pressed and is held."""

    widget: Entity
    player: int = 0


@event(script="on_released")
class Released:
    """A widget that was pressed is no longer held."""

    widget: Entity
    player: int = 0


@event(script="on_clicked")
class Clicked:
    """A button, a row or another widget was pressed and released, or confirmed by a key."""

    widget: Entity
    player: int = 0


@event(script="on_changed")
class Changed:
    """The player changed the value of a widget. text: of a TextInput; value: of all others."""

    widget: Entity
    value: float = 0.0
    text: Chars = ""
    player: int = 0


@event(script="on_submitted")
class Submitted:
    """The player finished a TextInput with the key for confirmation. valid: whether its check is true."""

    widget: Entity
    text: Chars = ""
    valid: bool = True
    player: int = 0
