"""Runs the command `rish` for `python -m rish_core`."""

import sys

from .cli import main

sys.exit(main())
