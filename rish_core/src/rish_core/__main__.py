"""`python -m rish_core` is `rish`."""

import sys

from .cli import main

sys.exit(main())
