"""The side of Rish in the benchmark `net`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from ._net_machines import Network
from ._net_sessions import FAR, TICK_MS, Table
from ._task import Task, figure

_SECONDS = 20.0
_STEPS = 600
_FOLDERS = {"breakout": "games/breakout", "orchard": "games/orchard", "crates": "benchmarks/_net_games/crates"}
_BYTES_PER_SECOND = 20e6 / 8


@cache
def _played(game: str) -> dict[str, float]:
    """Return the longest delay, the deepest rollback and the share of stalls of two players."""
    network = Network(_FOLDERS[game])
    try:
        network.add()
        network.add(FAR)
        network.run(2.0)
        for machine in network.machines:
            machine.observe()
        network.run(_SECONDS)
        hashes = network.finish()
        assert len(set(hashes)) == 1, f"the states differ: {hashes}"
        sessions = [machine.session for machine in network.machines]
        return {
            "delay": max(max(machine.delays) for machine in network.machines),
            "depth": max(max(machine.depths, default=0) for machine in network.machines),
            "stalls": sum(session.stalls for session in sessions) / sum(session.game.tick for session in sessions),
        }
    finally:
        network.close()


@cache
def _carried(players: int, moves: float = 0.15) -> float:
    """Return the bytes per second from the host to a guest."""
    table = Table(players, FAR, moves=moves)
    assert all(up.session.seat for _, up in table.links), "not all players have a seat"
    before = [down.bytes for down, _ in table.links]
    table.run(_STEPS)
    return max(down.bytes - start for (down, _), start in zip(table.links, before, strict=True)) / (
        _STEPS * TICK_MS / 1000
    )


def join_5mb() -> Task:
    """Return the seconds until a third player has the state and a seat."""
    return figure(_joined)


@cache
def _joined() -> float:
    network = Network("benchmarks/_net_games/large", rate=_BYTES_PER_SECOND, random=False)
    try:
        host = network.add()
        network.add(FAR)
        network.run(4.0)
        begin, tick, stalls = network.now, host.session.game.tick, host.session.stalls
        third = network.add(FAR)
        while third.net.session is None or not third.net.session.seat:
            network.run(1 / 60)
        size = len(host.app.world.snapshot().to_bytes())
        assert size > 5e6, f"the state has {size} bytes only"
        ticks, stalls = host.session.game.tick - tick, host.session.stalls - stalls
        assert stalls <= 0.01 * ticks, f"the host waited in {stalls} ticks, and {ticks} ran"
        return network.now - begin
    finally:
        network.close()


def _game_case(what: str, game: str) -> Task:
    return figure(lambda: _played(game)[what])


def _bytes_case(players: int, moves: float = 0.15) -> Task:
    return figure(lambda: _carried(players, moves))


_MAKERS: dict[str, Callable[[], Task]] = {
    **{f"{what}_{game}": partial(_game_case, what, game) for what in ("delay", "depth", "stalls") for game in _FOLDERS},
    **{f"bytes_{players}": partial(_bytes_case, players) for players in (2, 4, 6, 8)},
    "keys_8": partial(_bytes_case, 8, 0.0),
}
globals().update(_MAKERS)
