"""The variables of a game: named numbers, texts and truth values that its manifest declares."""

from __future__ import annotations

from dataclasses import field

from rish_core import UnknownName, UsageError, resource

Value = bool | int | float | str
"""The types that a variable can have."""


@resource
class Variables:
    """The variables that the manifest's key `variables:` declares. Expressions use their names directly.

    values: the current values by name. A variable keeps the type of its first value: whole number, number, text, or
    truth value.
    """

    values: dict[str, Value] = field(default_factory=dict[str, Value])

    def __getitem__(self, name: str) -> Value:
        """Return the value of a variable. Raises UnknownName, with the nearest name."""
        if name not in self.values:
            raise UnknownName(f"no variable is called {name!r}", given=name, choices=self.values)
        return self.values[name]

    def __setitem__(self, name: str, value: Value) -> None:
        """Set a variable, and convert the value to its type. Raises UnknownName, and UsageError for another type."""
        self.values[name] = fitting(self[name], value, name)


def fitting(old: Value, value: object, name: str) -> Value:
    """Return a value converted to the type of a variable's old value. Raises UsageError if it can't be converted."""
    if type(old) is float and type(value) is float:
        return value
    if isinstance(old, bool):
        if isinstance(value, bool):
            return value
    elif isinstance(old, str):
        if isinstance(value, str):
            return value
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        if isinstance(old, float):
            return float(value)
        if float(value).is_integer():
            return int(value)
        raise UsageError(f"{name} is a whole number and can't be {value:g}", hint="Use round(), or declare it as 0.0")
    word = "true or false" if isinstance(old, bool) else "text" if isinstance(old, str) else "a number"
    raise UsageError(f"{name} is {word} and can't be {value!r}")
