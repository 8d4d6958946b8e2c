"""Messages about what a game shows of a map: layers that it lacks, and texts that nobody draws."""

from __future__ import annotations

from rish_assets import LogOnce
from rish_ecs import did_you_mean

from ...tiles.boards import Board


def tell_unknown_layers(board: Board, shown: tuple[str, ...], log: LogOnce) -> None:
    """Log once each name in `TileMap.shown` that no layer of the map has."""
    names = {layer.name: None for layer, _ in board.map.stack}
    for name in shown:
        if name not in names:
            near = did_you_mean(name, names)
            what = f"{board.asset}: `shown` names the layer {name!r}, which the map does not have{near}"
            log(f"{what}. Layers: {', '.join(names) or 'none'}")


def tell_texts(board: Board, spawned: frozenset[str], log: LogOnce) -> None:
    """Log once a layer that texts with a class are not drawn. spawned: classes whose prefabs draw them."""
    for thing in board.map.objects:
        if thing.form == "text" and thing.visible and thing.kind and thing.kind not in spawned:
            what = f"{board.asset}: the layer {thing.layer!r} has text of the class {thing.kind!r} that is not drawn"
            log(f"{what}. Give the prefab {thing.kind!r} a Text, and the TileMap spawn: true")
