"""The client for notebooks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_core import UnknownName, UsageError
from rish_remote import RemoteError, attach


def test_a_game_is_read_and_driven(pond: Any) -> None:
    """Entities come as arrays, fields are attributes, and steps run exactly."""

    def play() -> None:
        game = attach(pond.url)
        found = game.entities("Transform.position", "Duck.mood", has=["Duck"])
        assert found["Transform.position"].shape == (3, 2)
        assert found["Transform.position"].dtype == np.float32
        assert found["Duck.mood"].tolist() == ["calm"] * 3
        assert sorted(game.entities()["name"].tolist()) == ["", "", "Donald", "bank"]
        game["Donald"].position = np.array([480, 60], np.float32)
        game["Donald"]["Duck"].speed = 10
        assert game["Donald"].position.tolist() == [480, 60]
        game.hold("swim", ticks=2)
        assert game.step(30) == game.tick == 30
        assert game["Donald"].position[0] == pytest.approx(485)
        assert game.resource("Pond")["swum"] == 2
        game.save("here")
        before = game.hash()
        game.spawn("duck", at=(0, 0)).despawn()
        game.spawn(Transform={"position": [1, 2]}).add("Duck", speed=3)
        assert game.entities(has=["Duck"])["entity"].shape == (4,)
        game.restore("here")
        assert game.hash() == before
        for message in game.watch("Donald/Duck.speed", every=1):
            assert message["values"] == {"Donald/Duck.speed": 10}
            break

    pond.drive(play)


def test_mistakes_of_a_client_are_named(pond: Any) -> None:
    """A wrong address, field or value is refused with what is wrong."""

    def play() -> None:
        game = attach(pond.url)
        with pytest.raises(UnknownName, match="did you mean 'speed'"):
            _ = game["Donald"].sped
        with pytest.raises(RemoteError, match="is below the least value") as refusal:
            game["Donald"].speed = -1
        assert refusal.value.problems[0][0] == "set.Duck.speed"
        with pytest.raises(RemoteError, match="no picture"):
            game.picture()
        with pytest.raises(RemoteError) as wrong:
            attach(pond.url + "x")
        assert wrong.value.status == 401

    pond.drive(play)
    with pytest.raises(UsageError, match="is no address of a game"):
        attach("http://127.0.0.1:8420")
