"""What a manifest's widgets name is checked before the game starts, with the place in the file."""

from __future__ import annotations

import pytest

from rish_core import ManifestError
from rish_ui import UiState
from ui_driver import ui_game


@pytest.mark.parametrize(
    ("widget", "said"),
    [
        ("Slider: {bind: hero.Transform.positon.x}", "Slider.bind: Transform has no field 'positon'"),
        ("Slider: {bind: hero.Transfrom.position.x}", "Slider.bind: no component is called 'Transfrom'"),
        ("Slider: {bind: '1 +'}", "Slider.bind:"),
        ("Toggle: {bind: settings.ui.reduced}", "Toggle.bind:"),
        ("Toggle: {bind: preferences.fulscreen}", "Toggle.bind:"),
        ("ProgressBar: {bind_high: Nothing.high}", "ProgressBar.bind_high: no component or resource"),
        ("Label: {text: '{hero.Transform.positon.x}'}", "Label.text: Transform has no field 'positon'"),
        ("Label: {text: 'now {1 +'}", "Label.text:"),
        ("Slider: {show: '{vale:.0%}'}", "Slider.show:"),
        ('Tabs: {titles: "one\\n{Nothing.now}"}', "Tabs.titles: no component or resource"),
        ("TextInput: {check: 'size(txt) > 3'}", "TextInput.check:"),
        ("TextInput: {check: 'size(text)'}", "TextInput.check: this is no condition"),
    ],
)
def test_a_wrong_name_is_a_mistake_at_its_place(widget: str, said: str) -> None:
    """In a scene, and the same in a field of an inherited child."""
    with pytest.raises(ManifestError) as caught, ui_game(f"- {{{widget}}}"):
        pass
    assert [problem for problem in map(str, caught.value.problems) if "scenes.main[0]." + said in problem]
    name, _, rest = widget.partition(": {")
    field, _, value = rest.removesuffix("}").partition(": ")
    head = f"prefabs:\n  bar: {{children: [{{name: it, {name}: {{}}}}]}}\n"
    with pytest.raises(ManifestError) as caught, ui_game(f"- {{prefab: bar, it.{name}.{field}: {value}}}", head):
        pass
    assert [problem for problem in map(str, caught.value.problems) if "scenes.main[0].it." + said in problem]


@pytest.mark.parametrize(
    "widget",
    [
        "Slider: {bind: nobody.Transform.rotation}",  # may be spawned later
        "Slider: {bind: Transform.rotation}",
        "Label: {text: '{self.Transform.rotation}'}",
        "Label: {text: '{gold} of {hero.Transform.rotation:.0f}'}",
        "Label: {text: '$$5'}",
        "Slider: {show: '{value:.0%} {low} {high}'}",
        "Dropdown: {options: 'a = {gold}', bind: preferences.language}",
        "TextInput: {check: \"'@' in text\"}",
    ],
)
def test_what_can_work_is_no_mistake(widget: str) -> None:
    """Names of entities, variables, the numbers of the widget, and preferences."""
    head = "plugins: [ui, rules]\nvariables: {gold: 3}\n"
    with ui_game(f"- {{{widget}}}", head) as ui:
        assert ui.world[UiState].tree.roots
