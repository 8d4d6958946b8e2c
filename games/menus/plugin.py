"""The rules of the gallery: which rows the long list has, and when the form can be sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from rish_core import Stage, World, find, hookimpl, resource, system
from rish_ecs import field
from rish_ui import Changed, Clicked, TextInput, Toggle, Widget, valid

ROWS = 10_000


@resource
class Purse:
    """What the readouts show."""

    gold: int = field(12, low=0, high=50)
    health: float = field(7.0, low=0, high=10)


@resource
class Form:
    """What was sent. nick: the name in it; empty before."""

    nick: str = ""


@system(Stage.UPDATE, reads=(Changed, Clicked, TextInput, Toggle), writes=(Widget, Form))
def check_form(world: World, dt: float) -> None:
    """Enable the button while the form is complete; thank the player when it is sent."""
    clicked = world.events(Clicked).widget.tolist()
    send, answer, agree, nick = (find(world, name) for name in ("send", "answer", "agree", "nick"))
    if send is None or answer is None or agree is None or nick is None:
        return
    if len(world.events(Changed)):
        right = all(valid(world, f"gallery.tabs.form.{name}") for name in ("nick", "mail", "secret"))
        world.get(send, Widget).enabled = right and world.get(agree, Toggle).on
    if send in clicked:
        world[Form].nick = world.get(nick, TextInput).text
        world.get(answer, Widget).visible = True


@cache
def rows() -> Sequence[str]:
    """Return the rows of the long list."""
    return [f"{number:05d}    {chr(0x2460 + number % 20)}" for number in range(ROWS)]


def rish_resources() -> list[type]:
    """Return the numbers of the readouts, and the form."""
    return [Purse, Form]


def rish_systems() -> list[Callable[..., None]]:
    """Return the system that checks the form."""
    return [check_form]


@hookimpl(optional=True)
def rish_rows() -> dict[str, Callable[[Any], Sequence[str]]]:
    """Return the source of the long list."""
    return {"menus_rows": lambda world: rows()}
