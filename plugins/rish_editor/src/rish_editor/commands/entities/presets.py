"""Presets of new entities: components with useful initial values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class EntityPreset:
    """A kind of new entity. id: the end of its command `entity.create.*`. title: in English, in menus. name: of the new
    entity. parts: initial values by component. Presets with a Transform3D are in space, others get a Transform; a
    preset without parts gets the one that fits the shown view."""

    id: str
    title: str
    icon: str
    group: str
    name: str
    parts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Any])

    @property
    def in_space(self) -> bool:
        """Whether it has a Transform3D."""
        return "Transform3D" in self.parts

    @property
    def menu(self) -> str:
        """The menu and the group in it."""
        return f"Entity/Create#{self.group}"


_SIZE = (64, 64)
_TILTED = (-0.35355, 0.35355, 0.14645, 0.85355)
"""A rotation that looks down to one side: 45° around y, then 45° down."""
_GRAY = (0.8, 0.83, 0.88, 1.0)
PRESETS: tuple[EntityPreset, ...] = (
    EntityPreset("empty", "Empty", "entity", "plain", "Entity"),
    EntityPreset("sprite", "Sprite", "sprite", "drawn", "Sprite", {"Sprite": {"size": _SIZE}}),
    EntityPreset("box", "Box", "shape", "drawn", "Box", {"Shape": {"size": _SIZE, "color": _GRAY}}),
    EntityPreset("circle", "Circle", "shape", "drawn", "Circle",
                 {"Shape": {"shape": "circle", "radius": 32, "color": _GRAY}}),
    EntityPreset("polygon", "Polygon", "shape", "drawn", "Polygon",
                 {"Shape": {"shape": "polygon", "points": [(-32, -28), (32, -28), (0, 36)], "color": _GRAY}}),
    EntityPreset("line", "Line", "line", "drawn", "Line",
                 {"Shape": {"shape": "line", "points": [(-48, 0), (48, 0)], "color": _GRAY, "outline_width": 4}}),
    EntityPreset("text", "Text", "text", "drawn", "Text", {"Text": {"text": "Text"}}),
    EntityPreset("tilemap", "Tile Map", "tilemap", "drawn", "Tile Map", {"TileMap": {}}),
    EntityPreset("camera", "Camera", "camera", "view", "Camera", {"Camera": {}}),
    EntityPreset("light", "Point Light", "light", "light", "Light", {"Light": {"radius": 240}}),
    EntityPreset("spot", "Spot Light", "light", "light", "Spot", {"Light": {"kind": "spot", "radius": 320}}),
    EntityPreset("sun", "Sun", "light", "light", "Sun", {"Light": {"kind": "directional", "intensity": 0.6}}),
    EntityPreset("ambient", "Ambient Light", "light", "light", "Ambient", {"Ambient": {}}),
    EntityPreset("particles", "Particles", "emitter", "effects", "Particles", {"Emitter": {"preset": "fire"}}),
    EntityPreset("body_box", "Rigid Box", "body", "physics", "Crate",
                 {"Shape": {"size": _SIZE, "color": _GRAY}, "Body": {}, "Collider": {"size": _SIZE}}),
    EntityPreset("body_ball", "Rigid Ball", "body", "physics", "Ball",
                 {"Shape": {"shape": "circle", "radius": 32, "color": _GRAY}, "Body": {},
                  "Collider": {"shape": "circle", "radius": 32}}),
    EntityPreset("ground", "Ground", "collider", "physics", "Ground",
                 {"Shape": {"size": (480, 32), "color": _GRAY}, "Body": {"type": "static"},
                  "Collider": {"size": (480, 32)}}),
    EntityPreset("water", "Water", "area", "physics", "Water", {"WaterArea": {}}),
    EntityPreset("screen", "UI Screen", "scene_window", "ui", "Screen", {"Screen": {}}),
    EntityPreset("button", "Button", "scene_window", "ui", "Button", {"Button": {"text": "Button"}}),
    EntityPreset("label", "Label", "text", "ui", "Label", {"Label": {"text": "Label"}}),
    EntityPreset("sound", "Sound", "sound", "sound", "Sound", {"AudioSource": {}}),
    EntityPreset("cube", "Cube", "entity", "space", "Cube", {"Transform3D": {}, "Model3D": {"asset": "box"}}),
    EntityPreset("ball", "Sphere", "entity", "space", "Sphere", {"Transform3D": {}, "Model3D": {"asset": "sphere"}}),
    EntityPreset("plane", "Plane", "entity", "space", "Plane",
                 {"Transform3D": {"scale": (10, 1, 10)}, "Model3D": {"asset": "plane"}, "Material3D": {}}),
    EntityPreset("camera3d", "3D Camera", "camera", "space", "Camera", {"Transform3D": {}, "Camera3D": {}}),
    EntityPreset("lamp3d", "Lamp", "light", "space", "Lamp", {"Transform3D": {}, "Lamp3D": {}}),
    EntityPreset("spot3d", "Spot Lamp", "light", "space", "Spot", {"Transform3D": {}, "Lamp3D": {"angle": 0.8}}),
    EntityPreset("sun3d", "3D Sun", "light", "space", "Sun", {"Transform3D": {"rotation": _TILTED}, "Sun3D": {}}),
    EntityPreset("sky3d", "Sky", "light", "space", "Sky", {"Sky3D": {}, "Transform3D": {}}),
    EntityPreset("wind", "Wind", "wind", "physics", "Wind", {"WindArea": {"size": (256, 256), "velocity": (100, 0)}}),
)  # fmt: skip
"""Everything that can be created, in the order of the menu."""
