"""The passes of a scene."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_frame import Frame

CAMERA = "{name: eye, Transform3D: {position: [0, 0, 5]}, Camera3D: {}}"
BOX = "{name: box, Transform3D: {}, Model3D: {}}"


def test_a_box_is_one_instance_in_the_view(stage: Any):
    """A box before a camera is one instance of one run in the pass scene3d.view, which is shown below the layers."""
    app = stage(CAMERA, BOX)
    drawn = app.host.backend.last
    names = [each.name for each in drawn.passes]
    assert names.index("scene3d.view") < names.index("scene3d.view.develop") < names.index("main")
    (batch,) = app.host.backend.drawn("scene3d.surfaces")
    assert batch.arrays["runs"].tolist() == [[0, 0, 1, 0]]
    np.testing.assert_allclose(batch.arrays["instances"]["matrix"][0], np.eye(3, 4))
    assert app.world[Frame].passes["scene3d.view"].targets == ("scene3d.view",)
