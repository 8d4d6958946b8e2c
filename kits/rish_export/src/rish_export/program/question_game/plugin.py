"""Ends when one of the keys is pressed, with the number of its action as the exit code."""

from typing import Any

from rish_core import Input, Session, Stage, World, system

ACTIONS = ("quit", "play", "safe")


@system(Stage.INPUT, writes=Session)
def choose(world: World, dt: float) -> None:
    """End with the number of the action whose key was pressed."""
    inputs: Input = world[Input]
    session: Session = world[Session]
    for number, action in enumerate(ACTIONS):
        if inputs.pressed(action):
            session.exit_code, session.quit = number, True


def rish_systems() -> list[Any]:
    """Return the system."""
    return [choose]
