"""The task of a game: the file `gym.yaml`, its parts, and mistakes with their places."""

from .parts import ActionWish, Bounds, Part, Picture, Rows, Term, Value
from .reading import Text
from .task import PlayerTask, Task, read_task

__all__ = [
    "ActionWish",
    "Bounds",
    "Part",
    "Picture",
    "PlayerTask",
    "Rows",
    "Task",
    "Term",
    "Text",
    "Value",
    "read_task",
]
