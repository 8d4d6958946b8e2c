"""When the kernels of the layout are compiled."""

from __future__ import annotations

import pytest

from ui_driver import ui_game

ROWS = """
- name: screen
  Screen: {{}}
- {{count: {0}, Transform: {{parent: screen}}, Label: {{text: Row}}}}
"""


@pytest.mark.parametrize(("count", "prepared"), [(30, False), (450, True)])
def test_prepared(count: int, prepared: bool) -> None:
    """Only scenes with hundreds of widgets have their kernels compiled before they begin."""
    with ui_game(ROWS.format(count), warm_up=False) as ui:
        ui.app.kernels.gather(ui.world)  # again, as texts can be set now
        assert any(name[1] == "layout" for name in ui.app.features()) == prepared
        assert ui.texts == ["Row"] * count
