"""The passes of light: they draw lit layers onto sheets, and light the sheets."""
