"""The table of routes, from which the server and `/openapi.json` are made."""

from __future__ import annotations

from .answers import edits, entities, happenings, info, pictures, resources, time, watching
from .api.args import Arg
from .api.route import ROOT, Route, Where

_FILTERS = {
    "has": Arg("names", "components that the entities have", default=[]),
    "tag": Arg("text", "a tag that they have"),
    "name": Arg("text", "a pattern for their names, with * and ?, in any letter case"),
    "prefab": Arg("text", "the prefab that they were spawned from"),
    "offset": Arg("whole", "how many to leave out at the beginning", default=0, low=0, high=2**31),
}
_AFTER = Arg("whole", "only those after this number", default=0, low=0, high=2**53)
_SET = {"set": Arg("fields", "the values of fields, by name", required=True)}


def _limit(default: int, maximum: int) -> Arg:
    return Arg("whole", "the most that are returned", default=default, low=1, high=maximum)


_BORDER = Where.BORDER
ROUTES = (
    Route("GET", f"{ROOT}/game", "What the game is and where it stands", info.game_info),
    Route("GET", f"{ROOT}/plugins", "The plugins, also disabled and absent ones with reasons", info.plugins),
    Route("GET", f"{ROOT}/systems", "The systems in their order, with times", info.systems),
    Route(
        "PATCH", f"{ROOT}/systems/{{system}}", "Enable or disable a system", info.switch_system,
        {"enabled": Arg("flag", "whether it runs", required=True)}, _BORDER, edits=True,
    ),
    Route("GET", f"{ROOT}/components", "The components with fields, types, units and ranges", info.components),
    Route(
        "GET", f"{ROOT}/entities", "A page of the entities that fit", entities.list_entities,
        {**_FILTERS, "limit": _limit(100, 1000)},
    ),
    Route(
        "GET", f"{ROOT}/columns", "Fields of all entities that fit, as columns", entities.columns,
        {
            "fields": Arg("names", "fields such as Transform.position", required=True), **_FILTERS,
            "limit": _limit(10_000, 100_000),
        },
    ),
    Route(
        "POST", f"{ROOT}/entities", "Spawn an entity from components or a prefab", edits.spawn,
        {
            "components": Arg("components", "components with values; of a prefab they replace its own"),
            "prefab": Arg("text", "the prefab to spawn"),
            "at": Arg("point", "the position of a prefab, in units of the world"),
            "parent": Arg("text", "the parent of a prefab, by handle or name"),
        }, _BORDER, edits=True,
    ),
    Route("GET", f"{ROOT}/entities/{{entity}}", "An entity by handle or name, with all fields", entities.one_entity),
    Route(
        "PATCH", f"{ROOT}/entities/{{entity}}", "Set fields, add and remove components", edits.edit,
        {
            "set": Arg("components", "fields of components that it has"),
            "add": Arg("components", "components to add or to replace completely"),
            "remove": Arg("names", "components to remove", default=[]),
        }, _BORDER, edits=True,
    ),
    Route("DELETE", f"{ROOT}/entities/{{entity}}", "Despawn an entity", edits.despawn, where=_BORDER, edits=True),
    Route("GET", f"{ROOT}/resources", "The resources", resources.list_resources),
    Route("GET", f"{ROOT}/resources/{{resource}}", "The values of a resource", resources.one_resource),
    Route(
        "PATCH", f"{ROOT}/resources/{{resource}}", "Set fields of a resource", resources.set_resource, _SET, _BORDER,
        edits=True,
    ),
    Route("GET", f"{ROOT}/settings", "The settings of all plugins", resources.list_settings),
    Route("GET", f"{ROOT}/settings/{{plugin}}", "The settings of a plugin", resources.one_setting),
    Route(
        "PATCH", f"{ROOT}/settings/{{plugin}}", "Change settings of a plugin", resources.set_setting, _SET, _BORDER,
        edits=True,
    ),
    Route(
        "GET", f"{ROOT}/events", "The last events; they are kept from the first request on", happenings.recent_events,
        {"types": Arg("names", "only these types", default=[]), "after": _AFTER, "limit": _limit(100, 1000)},
    ),
    Route("GET", f"{ROOT}/events/types", "The types of events", happenings.event_types),
    Route(
        "POST", f"{ROOT}/events", "Emit an event", happenings.emit,
        {"type": Arg("text", "the type", required=True), "values": Arg("fields", "its fields")}, _BORDER, edits=True,
    ),
    Route("GET", f"{ROOT}/scenes", "The scenes and prefabs", happenings.scenes),
    Route(
        "POST", f"{ROOT}/scenes", "Change to a scene, or begin the current one again", happenings.go_to_scene,
        {"scene": Arg("text", "the scene", required=True)}, _BORDER, edits=True,
    ),
    Route("GET", f"{ROOT}/input", "Actions, keys that are down, the pointer", happenings.input_state),
    Route(
        "POST", f"{ROOT}/input", "Send input as a person would; recordings contain it", happenings.send_input,
        {
            "hold": Arg("names", "actions and keys that are held", default=[]),
            "ticks": Arg("whole", "for how many ticks they are held", default=1, low=1, high=100_000),
            "pointer": Arg("point", "moves the pointer, in logical pixels, y up"),
            "scroll": Arg("point", "notches of the wheel"),
            "text": Arg("text", "typed text"),
            "events": Arg("list", "window events, in the form of recordings"),
        },
    ),
    Route("GET", f"{ROOT}/clock", "The clock", time.clock),
    Route(
        "PATCH", f"{ROOT}/clock", "Pause, resume, set the speed", time.set_clock,
        {
            "paused": Arg("flag", "whether time stands still"),
            "speed": Arg("number", "a factor of real time", low=0.01, high=100),
        },
    ),
    Route(
        "POST", f"{ROOT}/clock/steps", "Pause, run ticks, answer when they have run", time.step,
        {"ticks": Arg("whole", "how many", default=1, low=1, high=100_000)}, seconds=60.0,
    ),
    Route(
        "PUT", f"{ROOT}/seed", "Begin all random streams anew", time.seed,
        {"seed": Arg("whole", "the seed", required=True, low=-(2**63), high=2**63 - 1)}, _BORDER, edits=True,
    ),
    Route(
        "GET", f"{ROOT}/hash", "The hash of the state", info.state_hash,
        {"parts": Arg("flag", "also the hash of each part", default=False)},
    ),
    Route("GET", f"{ROOT}/snapshots", "The slots with snapshots", time.slots),
    Route("PUT", f"{ROOT}/snapshots/{{slot}}", "Keep a snapshot in a slot, in memory", time.save_slot, where=_BORDER),
    Route(
        "POST", f"{ROOT}/snapshots/{{slot}}/restore", "Restore a snapshot", time.restore_slot, where=_BORDER,
        edits=True,
    ),
    Route("DELETE", f"{ROOT}/snapshots/{{slot}}", "Forget a snapshot", time.delete_slot),
    Route(
        "GET", f"{ROOT}/picture", "The picture of the last frame", pictures.picture,
        {
            "format": Arg("text", "of the picture", default="png", choices=("png", "rgba")),
            "every": Arg("whole", "1 for all pixels, 2 for each second one", default=1, low=1, high=16),
        }, media=("image/png", "application/octet-stream"),
    ),
    Route(
        "GET", f"{ROOT}/log", "The last records of the log", info.log,
        {
            "after": _AFTER, "level": Arg("text", "the lowest level", default="debug"), "limit": _limit(100, 1000),
        },
    ),
    Route(
        "GET", f"{ROOT}/watch", "Values and events every few frames, as server-sent events or over a WebSocket",
        watching.watch,
        {
            "values": Arg("names", "such as paddle/Transform.position or Score.points", default=[]),
            "events": Arg("names", "types of events; the last 2000 since the last message are sent", default=[]),
            "every": Arg("whole", "frames between two messages", default=6, low=1, high=3600),
        }, stream=True, media=("text/event-stream",),
    ),
)  # fmt: skip
"""All routes that the game answers."""
