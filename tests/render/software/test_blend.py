"""Blending, pixel by pixel and in blocks of eight, is the formula rounded."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from rish_core import jit
from rish_render.backends.software import blend, blocks

_spec = importlib.util.spec_from_file_location("software_scene", Path(__file__).parent / "conftest.py")
scene = sys.modules.setdefault("software_scene", importlib.util.module_from_spec(_spec))
_spec.loader.exec_module(scene)
