"""Messages about what a game shows of a map: layers that it lacks, and texts that nobody draws."""

from __future__ import annotations

import logging

from rish_ecs import did_you_mean

from ...tiles.boards import Board

_log = logging.getLogger("rish.tiles")


def tell_unknown_layers(board: Board, shown: tuple[str, ...], logged: set[str]) -> None:
    """Log once each name in `TileMap.shown` that no layer of the map has. logged: the messages so far."""
    names = {layer.name: None for layer, _ in board.map.stack}
    for name in shown:
        if name not in names:
            near = did_you_mean(name, names)
            what = f"{board.asset}: `shown` names the layer {name!r}, which the map does not have{near}"
            _tell(f"{what}. Layers: {', '.join(names) or 'none'}", logged)


def tell_texts(board: Board, spawned: frozenset[str], logged: set[str]) -> None:
    """Log once a layer that texts with a class are not drawn. spawned: classes whose prefabs draw them."""
    for thing in board.map.objects:
        if thing.form == "text" and thing.visible and thing.kind and thing.kind not in spawned:
            what = f"{board.asset}: the layer {thing.layer!r} has text of the class {thing.kind!r} that is not drawn"
            _tell(f"{what}. Give the prefab {thing.kind!r} a Text, and the TileMap spawn: true", logged)


def _tell(what: str, logged: set[str]) -> None:
    if what not in logged:
        logged.add(what)
        _log.warning("%s", what)
