"""Theme files: what they say, and the message for each mistake."""

from __future__ import annotations

import pytest

from rish_core import Assets
from rish_ui.themes import LOADERS, State, Theme, ThemeText, compile_theme, finder, read_theme_text

shipped = finder(Assets(None, LOADERS))


def found(**texts: str) -> tuple[Theme | None, list[str]]:
    """Compile the theme `x` of some texts by name, which may extend one another; return it and the messages."""
    read = {name: read_theme_text(text, f"{name}.theme.yaml") for name, text in texts.items()}

    def find(name: str) -> ThemeText | str:
        return read.get(name) or shipped(name)

    theme, problems = compile_theme("x", find)
    return theme, [str(problem) for problem in problems]


def theme(text: str, **others: str) -> Theme:
    """Return a theme without mistakes."""
    made, problems = found(x=text, **others)
    assert not problems
    assert made is not None
    return made


def test_a_file_changes_what_it_names_and_keeps_the_rest() -> None:
    """A theme without `extends` is `dark` with its own values."""
    made = theme("styles: {Button: {corner: 3}}")
    dark, _ = compile_theme("dark", shipped)
    assert dark is not None
    assert made.style("Button").corner == 3
    assert made.style("Button").fill == dark.style("Button").fill
    assert made.style("Label") == dark.style("Label")


def test_a_token_is_replaced_wherever_it_is_used() -> None:
    """A new value of a token changes all styles that name the token, also those of the extended theme."""
    made = theme("extends: light\ncolors: {accent: '#ff0000'}\nsizes: {corner: 1}")
    assert made.style("Button", "primary").fill == (255, 0, 0, 255)
    assert made.style("TextInput", states=State.FOCUSED).edge == (255, 0, 0, 255)
    assert made.style("Panel").corner == 1


def test_tokens_may_name_tokens() -> None:
    """A token may be another token, and a color may have a part of its opacity."""
    made = theme(
        "colors: {a: b, b: '#102030', c: a 50%}\nstyles: {Button: {fill: c, edge: white 25%, color: [1, 0, 0]}}"
    )
    style = made.style("Button")
    assert (style.fill, style.edge, style.color) == ((16, 32, 48, 128), (255, 255, 255, 64), (255, 0, 0, 255))


@pytest.mark.parametrize(
    ("written", "padding"),
    [("5", (5, 5, 5, 5)), ("[1, 2]", (1, 2, 1, 2)), ("[1, 2, 3, pad]", (1, 2, 3, 9))],
)
def test_padding_has_one_two_or_four_lengths(written: str, padding: tuple[float, ...]) -> None:
    """Padding is one length, sideways and upwards, or left, top, right and bottom; each may be a token."""
    made = theme(f"sizes: {{pad: 9}}\nstyles: {{Panel: {{padding: {written}}}}}")
    assert made.style("Panel").padding == padding


def test_a_gradient_ends_with_its_own_color() -> None:
    """A fill without `fill_end` is plain, also if the extended theme has a gradient there."""
    base = "styles: {Panel: {fill: red, fill_end: blue}}"
    assert theme(base).style("Panel").fill_end == (0, 0, 255, 255)
    assert theme("extends: y\nstyles: {Panel: {fill: lime}}", y=base).style("Panel").fill_end == (0, 255, 0, 255)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- 1", "x.theme.yaml:1:1: a theme is a mapping with the keys extends, colors"),
        ("colers: {}", "1:1: colers: a theme has no key 'colers' (did you mean 'colors'?)"),
        ("styles: 3", "1:9: styles: must be a mapping, not the number 3"),
        ("styles: {Buton: {}}", "1:10: styles.Buton: there is no kind or part 'Buton' (did you mean 'Button'?)"),
        (
            "styles: {Slider.nob: {}}",
            "styles.Slider.nob: there is no kind or part 'Slider.nob' (did you mean 'Slider.knob'?)",
        ),
        (
            "styles: {Button: {fil: red}}",
            "1:19: styles.Button.fil: there is no field or state 'fil' (did you mean 'fill'",
        ),
        ("styles: {Button: {hoverd: {}}}", "there is no field or state 'hoverd' (did you mean 'hovered'?)"),
        ("styles: {Button: {on+hoverd: {}}}", "there is no field or state 'on+hoverd'"),
        ("styles: {Button: {hovered: {corners: 1}}}", "styles.Button.hovered.corners: there is no field 'corners'"),
        ("styles: {Button: {big: {}}}", "A variant belongs below `variants:`"),
        ("styles: {Button: {variants: {big: {variants: {}}}}}", "there is no field or state 'variants'"),
        (
            "styles: {Button: {fill: acent}}",
            "1:25: styles.Button.fill: there is no color 'acent' (did you mean 'accent'?)",
        ),
        ("styles: {Button: {fill: '#12'}}", "'#12' is no color: write '#rrggbb'"),
        ("styles: {Button: {fill: 3}}", "must be a color such as accent, '#ff8800' or 'accent 40%', not the number 3"),
        ("styles: {Button: {corner: -1}}", "-1 is out of range: from 0 to 10000"),
        ("styles: {Button: {corner: padd}}", "there is no token 'padd' in sizes: (did you mean 'pad'?)"),
        ("styles: {Button: {padding: [1, 2, 3]}}", "must be 1 or 2 or 4 numbers or tokens of sizes:, not a list of 3"),
        ("styles: {Button: {opacity: 2}}", "2 is out of range: from 0 to 1"),
        ("styles: {Button: {font: bdy}}", "there is no font 'bdy' (did you mean 'body'?)"),
        ("styles: {Button: {seconds: soon}}", "there is no token 'soon' in seconds:"),
        ("styles: {Button: {image: 3}}", "must be the path of an image, not the number 3"),
        ("colors: {a: b, b: c, c: a}", "1:25: colors.c: leads back to itself: a -> b -> c -> a"),
        ("colors: {a: nothing}", "1:13: colors.a: there is no color 'nothing'"),
        ("extends: drak", "1:10: extends: there is no theme 'drak' (did you mean 'dark'?)"),
        ("extends: x", "1:10: extends: leads back to the theme itself: x -> x"),
        ("extends: 3", "1:10: extends: must be dark, light, contrast or the path"),
        ("extends: gone.theme.yaml", "1:10: extends: 'gone.theme.yaml' names a file of the game, which has no folder"),
    ],
)
def test_mistakes_have_places(text: str, said: str) -> None:
    """Each mistake names its line and column, what is wrong, and the nearest right name."""
    made, problems = found(x=text)
    assert made is None
    assert any(said in problem for problem in problems), problems


def test_all_mistakes_are_reported_together() -> None:
    """Mistakes of a file and of the one that it extends are reported together, and each token once."""
    made, problems = found(
        x="extends: y\nstyles: {Buton: {}, Panel: {fill: bad, edge: bad, corner: x}}",
        y="extends: x\ncolors: {bad: worse}\nstyles: {Label: {fil: 1}}",
    )
    assert made is None
    assert [problem.split(": ")[0] for problem in problems] == [
        "x.theme.yaml:2:10", "x.theme.yaml:2:59", "y.theme.yaml:1:10", "y.theme.yaml:2:15", "y.theme.yaml:3:18",
    ]  # fmt: skip


def test_broken_yaml_is_a_mistake_like_others() -> None:
    """A file that is not valid YAML is reported with its place, and is no exception."""
    _, problems = found(x="styles: {Button: {fill: red}")
    assert problems
    assert "is not valid YAML" in problems[0]
