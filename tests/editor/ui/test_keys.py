"""The keys of the window under the names of the interface and of shortcuts."""

from __future__ import annotations

import pytest
from imgui_bundle import imgui

from rish_editor.ui.keys import imgui_keys, key_code, key_name
from rish_render.backends.arcade.gl import key_names


@pytest.mark.parametrize(
    ("pad", "name", "key"),
    [("NUM_LEFT", "Left", imgui.Key.left_arrow), ("NUM_DELETE", "Delete", imgui.Key.delete),
     ("NUM_HOME", "Home", imgui.Key.home), ("NUM_PAGE_UP", "Pageup", imgui.Key.page_up),
     ("NUM_TAB", "Tab", imgui.Key.tab)],
)  # fmt: skip
def test_the_number_pad_without_numlock_is_the_keys_that_are_written_on_it(pad: str, name: str, key: imgui.Key) -> None:
    """In fields and in shortcuts, a key of the number pad is the one whose work it does."""
    code = key_names()[pad]
    assert imgui_keys()[code] == key
    assert key_name(code) == name == key_name(key_code(name))
