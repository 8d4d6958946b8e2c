"""Light that particles shed: some rows of `LightPoints` for each pool whose preset has a light."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core import LightPoints, Stage, system

from .pools import Store

if TYPE_CHECKING:
    from rish_core import World


@system(Stage.FIRST, writes=LightPoints, name="dim")
def dim(world: World, dt: float) -> None:
    """`particles.dim`: a frame begins in the dark; whoever shines says so again in LATE."""
    if len(world[LightPoints]):
        world[LightPoints].clear()


@system(Stage.LATE, writes=LightPoints, name="shine")
def shine(world: World, dt: float) -> None:
    """`particles.shine`: evenly chosen particles become points of light, as bright as they are opaque."""
    for view in (False, True):
        store = Store.of(world, view)
        for row in np.flatnonzero(store.pools.live).tolist():
            page = store.page(row)
            light = page.preset.light if page is not None else None
            if page is None or light is None or page.preset.local:
                continue
            live = int(store.pools.live[row])
            chosen = np.unique(np.linspace(0, live - 1, min(live, light.most)).astype(np.int64))
            columns = [column[:live][chosen] for column in store.span(row).columns]
            share = np.minimum(columns[4] / columns[5], 1)
            colours = page.colour[(share * 256 + 0.5).astype(np.int64)].view(np.uint8).reshape(-1, 4)
            world[LightPoints].append(
                len(chosen),
                x=columns[0],
                y=columns[1],
                radius=np.full(len(chosen), light.radius, np.float32),
                colour=np.tile(np.array(light.colour, np.float32), (len(chosen), 1)),
                intensity=(light.intensity * colours[:, 3] / 255).astype(np.float32),
            )
