"""Values between JSON and columns."""

from __future__ import annotations

import json
import math

import numpy as np

from rish_remote.api.values import handle_text, plain, read_handle
from rish_remote.server.messages import to_json


def test_floats_keep_their_bits() -> None:
    """Numbers of 32 bits are short in JSON and give the same bits when they are read again."""
    values = np.array([0.1, 1 / 3, 1e-45, 3.4028235e38, -0.0], np.float32)
    text = to_json(values)
    assert text.startswith(b"[0.1,0.33333334,")
    assert np.array(json.loads(text), np.float32).tobytes() == values.tobytes()


def test_no_number_of_json_is_null() -> None:
    """NaN and infinity are null, in columns and in single values, so that every answer is JSON."""
    assert plain({"a": math.nan, "b": np.array([[1, math.inf]], np.float32)}) == {"a": None, "b": [[1.0, None]]}


def test_handles_of_all_generations_are_texts() -> None:
    """A handle is read from its text again; other texts are none."""
    for handle in (1 << 32, (2**31 - 1) << 32 | 0xFFFFFFFF):
        assert read_handle(handle_text(handle) or "") == handle
    assert handle_text(0) is None
    for text in ("", "1", "v1", "-1v1", "1v99999999999", "4294967296v1", "１v1"):
        assert read_handle(text) is None
