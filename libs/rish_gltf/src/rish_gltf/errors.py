"""The one error of the reader."""

from __future__ import annotations

AGAIN = "Export the model again, or check it with a glTF validator"


class GltfError(ValueError):
    """A model that can't be read.

    file: its name. place: the element at fault, as `accessors[3]`; empty: the file as a whole. what: the mistake.
    advice: the next step. The text of the error has all four.
    """

    def __init__(self, file: str, place: str, what: str, advice: str = AGAIN) -> None:
        self.file, self.place, self.what, self.advice = file, place, what, advice
        super().__init__(f"{file}: {place + ': ' if place else ''}{what}. {advice}")
