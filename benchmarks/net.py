"""Games that several machines play together, with a simulated clock: the results are the same on every machine.

A round trip takes 150 ms, 30 ms more or less, and 5 % of all packets get lost. `delay` is the longest input delay in
ticks, `depth` the most ticks that ran again at once, and `stalls` the share of ticks that had to wait; two random
players play for 20 seconds. A case fails unless the hashes of all machines are equal at the end.

`bytes` is what a link carries per second in the direction that carries more, from the host to a guest: packets of
inputs, without the about 60 bytes that QUIC, UDP and IP add to each of 60 packets. `keys` is the same with players who
press keys and do not move a pointer. `join` is the time until a new player plays, with a state of 5 MB at 20 Mbit/s,
while two others play.
"""

from __future__ import annotations

from .harness import Case

_GAMES = ("breakout", "orchard", "crates")
_LIMITS = {"delay": ("ticks", 3.0), "depth": ("ticks", 8.0), "stalls": ("%", 1.0)}

CASES = [
    *[
        Case(f"{what}_{game}", unit, {"rish": f"_net_rish:{what}_{game}"}, limit=limit)
        for game in _GAMES
        for what, (unit, limit) in _LIMITS.items()
    ],
    *[
        Case(f"bytes_{players}", "kB", {"rish": f"_net_rish:bytes_{players}"}, limit=6.0)
        for players in (2, 4, 6, 8)
    ],
    Case("keys_8", "kB", {"rish": "_net_rish:keys_8"}, limit=6.0),
    Case("join_5mb", "s", {"rish": "_net_rish:join_5mb"}, limit=3.0),
]  # fmt: skip
