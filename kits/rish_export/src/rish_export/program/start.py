"""The first module of a program; PyInstaller runs it as a script. The modules of packages are beside the program."""

import importlib
import sys

sys.exit(importlib.import_module("rish_export.program").main())
