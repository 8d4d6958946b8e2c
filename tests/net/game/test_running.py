"""A running game as the rollback sees it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from rish_core import InputRecord, Stage, open_game, system
from rish_frame import DeviceRequests
from rish_net.game.running import RunningGame


@system(Stage.UPDATE, name="ask")
def ask(world: Any, dt: float) -> None:
    """Ask the devices of the player."""
    world[DeviceRequests].paste()
    world[DeviceRequests].rumble()


def test_a_tick_that_runs_again_does_not_paste_again(tmp_path: Path) -> None:
    """The clipboard is asked for once, because its answer is input; a rumble goes on."""
    (tmp_path / "game.yaml").write_text("rish: 1\ngame: {title: Ask}\nplugins: [net, frame]\nscenes: {play: []}\n")
    plugin = SimpleNamespace(rish_systems=lambda: [ask])
    with open_game(tmp_path, headless=True, more=["asker"], extra={"asker": plugin}) as app:
        game = RunningGame(app)
        state = game.save()
        app.tick()
        assert app.world[DeviceRequests].pasting
        game.load(state)
        game.simulate(InputRecord())
        assert not app.world[DeviceRequests].pasting
        assert app.world[DeviceRequests].rumbles
