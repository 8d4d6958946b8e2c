"""Software and OpenGL light the same game equally, and the comparison detects errors of one of them.

The scenes have everything: kinds of lights, shadows, normals, glow, fog, effects, cameras, global illumination.
"""

from __future__ import annotations

import pytest

from rish_frame.testing import compare_pictures

pytestmark = pytest.mark.gl

FLOOR = "- {at: [80, 48], Transform: {}, Shape: {size: [200, 120], color: '#c0b090'}}"
TILES = "\n".join(
    f"- {{at: [{20 + 40 * (k % 4)}, {16 + 32 * (k // 4)}], Transform: {{}}, "
    f"Shape: {{size: [30, 22], color: '{('#806850', '#90a0b0', '#a06060')[k % 3]}'}}}}"
    for k in range(12)
)
BOX = "- {at: [60, 40], Transform: {rotation: 20}, Shape: {size: [16, 16], color: green}, Occluder: {size: [16, 16]}}"
SLAB = "- {at: [110, 66], Transform: {rotation: -8}, Shape: {size: [36, 8], color: gray}, Occluder: {size: [36, 8]}}"
BALL = "- {at: [110, 40], Transform: {rotation: 30}, Sprite: {image: ball.png, normal: bump.png}}"
FIRE = "- {at: [40, 70], Transform: {}, Sprite: {image: ball.png, emission: glow.png}}"
LAMP = "- {at: [90, 50], Transform: {}, Light: {color: '#ffcc88', radius: 90, intensity: 1.5}}"
DUSK = "- {Ambient: {color: '#404858'}}"
ROOM = f"{FLOOR}\n{TILES}\n{BOX}\n{SLAB}"


def light(at="90, 50", rotation=0, **fields):
    """Return an entity with a light, as an entry of a scene."""
    text = ", ".join(f"{name}: {value}" for name, value in fields.items())
    return f"- {{at: [{at}], Transform: {{rotation: {rotation}}}, Light: {{{text}}}}}"


def many():
    """Return sixty lamps of three colors."""
    return "\n".join(
        light(f"{7 + 16 * (k % 10)}, {8 + 16 * (k // 10)}", radius=30, intensity=0.4,
              color=("red", "lime", "blue")[k % 3])
        for k in range(60)
    )  # fmt: skip


SCENES = {
    "points and half-shadows": (f"{ROOM}\n{LAMP}\n{light('30, 20', radius=100, source_size=12, color='teal')}", "{}"),
    "spot": (f"{ROOM}\n{light('12, 20', 25, kind='spot', radius=150, angle=70, edge=0.5, source_size=4)}", "{}"),
    "sun": (f"{ROOM}\n{light(kind='directional', direction=-35, length=24)}\n{BALL}", "{}"),
    "area": (f"{ROOM}\n{light('84, 20', 70, kind='area', length=50, radius=80, intensity=2)}", "{}"),
    "cookie": (f"{ROOM}\n{light(kind='textured', image='cookie.png', radius=60, falloff='none')}", "{}"),
    "gradient": (f"{ROOM}\n{BALL}\n- {{Ambient: {{color: '#ff9090', color_end: '#203080', gradient: true}}}}", "{}"),
    "layers": (f"{ROOM}\n- {{at: [60, 40], Transform: {{}}, Shape: {{size: [50, 20], color: white, layer: top}}}}\n"
               f"{LAMP}\n{light('70, 50', radius=70, layers='[top]', color='aqua')}", "{}"),
    "normals and glow": (f"{ROOM}\n{BALL}\n{FIRE}\n{LAMP}", "{lighting: {emission: 3}}"),
    "one side": (f"{ROOM}\n{LAMP}\n- {{at: [70, 60], Transform: {{}}, Occluder: {{shape: line, one_sided: true, "
                 f"points: [[-30, 0], [0, 14], [30, 0]]}}}}", "{}"),
    "fog": (f"{ROOM}\n{LAMP}\n- {{at: [30, 30], Transform: {{}}, Sight: {{radius: 90}}}}\n"
            "- {FogOfWar: {high: [160, 96], cell: 4, soft: 8, seconds: 0}}", "{}"),
    "bloom and tones": (f"{ROOM}\n{FIRE}\n{light(radius=90, intensity=6)}",
                        "{lighting: {emission: 4, post: [bloom, {tone_map: {curve: aces}}]}}"),
    "glow lights": (f"{ROOM}\n{FIRE}", "{lighting: {gi: medium, emission: 8}}"),
    "bounces": (f"{ROOM}\n{light('84, 46', radius=120, intensity=4)}", "{lighting: {gi: medium, gi_albedo: 1}}"),
    "many": (f"{ROOM}\n{many()}", "{}"),
    "camera": (f"{ROOM}\n{BALL}\n{FIRE}\n{LAMP}\n- {{at: [80, 50], Transform: {{rotation: 33}}, "
               "Camera: {zoom: 1.6}}", "{lighting: {gi: low, emission: 6}}"),
}  # fmt: skip
FAULTS = {
    "points and half-shadows": (("radius: 100", "radius: 70"), ("shadows: true", "shadows: false")),
    "spot": (("angle: 70", "angle: 50"),),
    "sun": (("direction: -35", "direction: -60"),),
    "fog": (("radius: 90", "radius: 70"),),
    "bloom and tones": (("aces", "filmic"),),
    "glow lights": (("emission: 8", "emission: 4"),),
    "bounces": (("gi_albedo: 1", "gi_albedo: 0.3"),),
}
"""Replacements of the scene's text that one backend gets, by scene."""


def shot(hall, name, backend, wrong=("", "")):
    """Return the pixels of a scene, with an optional replacement in its text."""
    scene, settings = SCENES[name]
    scene = scene if "Ambient" in scene else f"{scene}\n{DUSK}"
    scene, settings = (text.replace(*wrong) for text in (scene, settings))
    if wrong[0].startswith("shadows"):
        settings = f"{{lighting: {{{wrong[1]}}}}}"
    made = hall(scene, backend, settings, layers="[world, top]")
    assert not made.app.host.skipped
    return made.pixels().copy()


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_both_backends_light_a_scene_alike(hall, name, tmp_path):
    """Both backends agree within half a level on average."""
    ours, theirs = (shot(hall, name, backend) for backend in ("software", "arcade"))
    compare_pictures(ours, theirs, mean=0.5, p99=4, ssim=0.995, busy=0.5, failures=tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "wrong"), [(name, wrong) for name, each in FAULTS.items() for wrong in each])
def test_a_planted_fault_is_seen(hall, name, wrong, tmp_path):
    """The comparison fails if the scene of one backend is different."""
    theirs = shot(hall, name, "arcade")
    with pytest.raises(AssertionError):
        compare_pictures(
            shot(hall, name, "software", wrong), theirs, mean=0.5, p99=4, ssim=0.995, busy=0.5, failures=tmp_path
        )
