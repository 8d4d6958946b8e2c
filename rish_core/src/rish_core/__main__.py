"""Runs the command `rish` for `python -m rish_core`."""

import sys

from .launcher import main

sys.exit(main())
