"""Materials from the manifest to the frame: checks, values, fallbacks, reloads, screen readers and post-processing."""

from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any

import pytest

from rish_assets import report_changes
from rish_core import Assets, ManifestError
from rish_ecs import UnknownName, UsageError
from rish_frame import Frame, Material
from rish_render import plugin
from rish_render.materials.table import Materials, material_of, set_uniforms

GLOW = "uniform float strength = 1.5;\nuniform vec3 tint;\nvec4 shade(Pixel p) { return p.color * strength; }\n"
WAVE = "vec4 shade(Pixel p) { return screen(p.at + vec2(0.01, 0.0)); }\n"
FILES = {"glow.frag": GLOW, "fx/wave.frag": WAVE}
MATERIALS = {
    "glow": {"shader": "glow.frag", "uniforms": {"strength": 3, "tint": "red"}},
    "wave": {"shader": "fx/wave.frag"},
}


def game(rish_app: Any, render: dict[str, Any], things: Any = (), **options: Any) -> Any:
    """Build a game with these settings of render, and the shaders' files."""
    manifest = {"settings": {"render": render}, "scenes": {"main": list(things)}}
    return rish_app(manifest, plugins={"render": plugin, **options.pop("plugins", {})}, files=FILES, **options)


def problems(rish_app: Any, render: dict[str, Any]) -> str:
    """Return the errors that the check of such a game reports."""
    with pytest.raises(ManifestError) as caught:
        game(rish_app, render)
    return str(caught.value)


def sprite(x: float, material: str = "", z: float = 0) -> dict[str, Any]:
    """Return a white square of ten units."""
    return {"Transform": {"position": [x, 20]}, "Sprite": {"size": [10, 10], "material": material, "z": z}}


def test_the_frame_holds_every_shader_with_its_values(rish_app: Any) -> None:
    """The frame holds every shader; the manifest's values override those of the file, and colors become numbers."""
    app = game(rish_app, {"materials": MATERIALS})
    app.frame()
    shaders = app.world[Frame].shaders
    assert set(shaders) == {"glow", "wave"}
    assert shaders["glow"].values({}) == {"strength": 3.0, "tint": (1.0, 0.0, 0.0)}


@pytest.mark.parametrize(
    ("render", "expected"),
    [
        ({"materials": {"glow": {"shader": "glwo.frag"}}}, ["materials.glow.shader", "glow.frag"]),
        ({"materials": {"glow": {"shader": "../glow.frag"}}}, ["materials.glow.shader"]),
        ({"materials": {"glow": {"shader": "glow.frag", "uniforms": {"strenght": 1}}}}, ["'strenght'", "'strength'"]),
        ({"materials": {"glow": {"shader": "glow.frag", "uniforms": {"tint": [1, 2]}}}}, ["a vec3 takes 3 numbers"]),
        ({"materials": {"glow": {"shader": "glow.frag", "uniforms": {"tint": "rde"}}}}, ["uniforms.tint", "rde"]),
        ({"materials": {"glow": {"shader": "glow.frag", "uniforms": {"strength": "red"}}}}, ["vec3 or vec4"]),
        ({"materials": MATERIALS, "post": ["wvae"]}, ["post[0]", "'wave'"]),
        ({"materials": {"glow": {}}}, ["materials.glow", "shader"]),
        ({"materials": [1]}, ["materials"]),
    ],
)
def test_mistakes_are_reported_where_they_are_written(
    rish_app: Any, render: dict[str, Any], expected: list[str]
) -> None:
    """A mistake is reported with file, line, column, the path of keys and the nearest valid name."""
    text = problems(rish_app, render)
    assert "game.yaml:" in text
    for part in expected:
        assert part in text


def test_values_can_be_changed_while_the_game_runs(rish_app: Any) -> None:
    """Values changed while the game runs apply to the next frame and are not part of the hash."""
    app = game(rish_app, {"materials": MATERIALS})
    app.frame()
    before = app.world.hash()
    set_uniforms(app.world, "glow", strength=0.5, tint="lime")
    assert app.world.hash() == before
    app.frame()
    assert app.world[Frame].shaders["glow"].values({}) == {"strength": 0.5, "tint": (0.0, 1.0, 0.0)}
    assert app.world[Materials].values == {"glow": {"strength": 0.5, "tint": (0.0, 1.0, 0.0)}}
    with pytest.raises(UnknownName, match="'glow'"):
        set_uniforms(app.world, "glwo", strength=1)
    with pytest.raises(UnknownName, match="strength"):
        set_uniforms(app.world, "glow", power=1)
    with pytest.raises(UsageError, match="3 numbers"):
        set_uniforms(app.world, "glow", tint=(1, 2))


def test_unchanged_values_give_the_same_shader(rish_app: Any) -> None:
    """Unchanged values give the same shader object, so that a backend need not compare its values."""
    app = game(rish_app, {"materials": MATERIALS})
    app.frame()
    first = app.world[Frame].shaders["glow"]
    app.frame()
    assert app.world[Frame].shaders["glow"] is first


def test_hook_rish_fallbacks(rish_app: Any) -> None:
    """A fallback that a plugin returns from `rish_fallbacks` is set on the shader of that name."""

    def shine(pixels: Any, uniforms: Any) -> None:
        pixels.color *= uniforms["strength"]

    app = game(
        rish_app,
        {"materials": MATERIALS},
        plugins={"fallbacks": SimpleNamespace(rish_fallbacks=lambda: {"glow": shine})},
    )
    app.frame()
    assert app.world[Frame].shaders["glow"].fallback is shine
    assert app.world[Frame].shaders["wave"].fallback is None


def test_twins_that_are_none_set_their_plugin_aside(rish_app: Any) -> None:
    """A plugin with an invalid fallback is disabled, and the game continues without it."""
    bad = SimpleNamespace(rish_fallbacks=lambda: {"glow": 3})
    app = game(rish_app, {"materials": MATERIALS}, plugins={"bad": bad}, policy="disable", strict=False)
    assert "rish_fallbacks" in app.plugins.aside["bad"]


def test_a_changed_file_renews_the_shader_and_a_broken_one_keeps_it(
    rish_app: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """A changed file raises the shader's version; a broken one is reported with its line, and the old shader stays."""
    app = game(rish_app, {"materials": MATERIALS})
    app.frame()
    old = app.world[Frame].shaders["glow"]
    file = app.manifest.root / "glow.frag"
    file.write_text(GLOW.replace("p.color * strength", "p.color"), encoding="utf-8")
    assert app.world.resources[type(assets(app))].reload("glow.frag")
    app.frame()
    new = app.world[Frame].shaders["glow"]
    assert new.version == old.version + 1
    assert "p.color;" in new.source
    assert new.values({})["strength"] == 3.0
    file.write_text("void main() {}", encoding="utf-8")
    with caplog.at_level(logging.ERROR):
        assets(app).reload("glow.frag")
        app.frame()
    assert "material 'glow': glow.frag:1:1" in caplog.text
    assert app.world[Frame].shaders["glow"] is new


def assets(app: Any) -> Any:
    """Return the game's assets."""
    return app.world[Assets]


def test_an_unknown_material_is_reported_once(rish_app: Any, caplog: pytest.LogCaptureFixture) -> None:
    """An unknown material is reported once with the nearest name, and the plain sprite is drawn."""
    app = game(rish_app, {"materials": MATERIALS})
    number = app.world.texts.intern("glwo")
    with caplog.at_level(logging.WARNING):
        assert material_of(app.world, number) is None
        assert material_of(app.world, number) is None
    assert caplog.text.count("no material is called 'glwo' (did you mean 'glow'?)") == 1
    assert material_of(app.world, app.world.texts.intern("glow")) == Material("glow")
    assert material_of(app.world, 0) is None


def test_a_screen_reader_sees_what_lies_below_it(rish_app: Any) -> None:
    """The pass is split before a screen reader; the second part reads a copy of the screen, and later things follow."""
    things = [sprite(10), sprite(30, "wave", z=1), sprite(50, z=2)]
    app = game(rish_app, {"materials": MATERIALS}, things)
    app.frame()
    steps = [step for step in app.world[Frame].steps() if step.batches]
    assert [step.pass_.name for step in steps] == ["main", "main.over2"]
    assert steps[1].pass_.inputs == ("screen",)
    assert [batch.material for batch in steps[1].batches] == [Material("wave"), None]
    assert not steps[1].clears
    app.frame()
    assert [step.pass_.name for step in app.world[Frame].steps() if step.batches] == ["main", "main.over2"]


def test_plain_materials_cut_nothing(rish_app: Any) -> None:
    """A shader that does not read the screen is drawn within its pass."""
    app = game(rish_app, {"materials": MATERIALS}, [sprite(10), sprite(30, "glow", z=1)])
    app.frame()
    assert [step.pass_.name for step in app.world[Frame].steps() if step.batches] == ["main"]


def test_post_processing_reads_the_screen_in_order(rish_app: Any) -> None:
    """Each post-processing material gets one pass over the complete screen, in order, after the world."""
    app = game(rish_app, {"materials": MATERIALS, "post": ["wave", "glow"]}, [sprite(10)])
    app.frame()
    steps = [step for step in app.world[Frame].steps() if step.batches]
    assert [step.pass_.name for step in steps] == ["main", "post.0.wave", "post.1.glow"]
    for step in steps[1:]:
        (batch,) = step.batches
        assert step.pass_.inputs == ("screen",)
        assert (batch.texture, batch.blend, batch.count) == ("screen", "replace", 1)
        assert not step.clears


def test_without_materials_nothing_is_added(rish_app: Any) -> None:
    """A game without materials gets no shaders and no extra passes."""
    app = game(rish_app, {}, [sprite(10)])
    app.frame()
    assert not app.world[Frame].shaders
    assert list(app.world[Frame].passes) == ["main", "flat"]


def test_a_saved_file_is_seen_in_the_running_game(rish_app: Any, caplog: pytest.LogCaptureFixture) -> None:
    """A saved shader is used in the next frame; a file that is briefly missing or broken changes nothing."""
    app = game(rish_app, {"materials": MATERIALS})
    app.run(frames=2)
    file = app.manifest.root / "glow.frag"
    text = file.read_text(encoding="utf-8")

    def seen() -> Any:
        report_changes(app.world[Assets], [file])
        app.run(frames=2)
        return app.world[Frame].shaders["glow"]

    file.unlink()
    assert seen().version == 0
    file.write_text(text.replace("p.color * strength", "p.color + 0.0"), encoding="utf-8")
    assert seen().version == 1
    assert "+ 0.0" in app.world[Frame].shaders["glow"].source
    file.write_text("no shader at all", encoding="utf-8")
    with caplog.at_level(logging.ERROR):
        assert seen().version == 1
    assert caplog.text.count("material 'glow': glow.frag") == 1
