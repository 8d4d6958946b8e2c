"""The rules of the gallery: which rows the long list has, and when the form can be sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from rish_core import Stage, World, find, hookimpl, resource, system
from rish_ecs import field
from rish_ui import Changed, Clicked, TextInput, Toggle, Widget

ROWS = 10_000
LEAST = {"nick": 3, "secret": 4}


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
    if not len(world.events(Changed)) and not clicked:
        return
    fields = {name: find(world, name) for name in ("nick", "mail", "secret", "agree", "send", "answer")}
    if None in fields.values():
        return
    texts = {name: world.get(fields[name], TextInput).text for name in ("nick", "mail", "secret")}
    right = all(len(texts[name]) >= least for name, least in LEAST.items()) and "@" in texts["mail"]
    world.get(fields["send"], Widget).enabled = right and world.get(fields["agree"], Toggle).on
    if fields["send"] in clicked:
        world[Form].nick = texts["nick"]
        world.get(fields["answer"], Widget).visible = True


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
